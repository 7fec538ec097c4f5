"""More rows than memory should hold: python benchmarks/outofcore.py [ROWS]

Generates a folder of parquet files with 20 features under the temporary folder, file by file, ranks it with `splitcrit
rank` in a process of its own, and writes benchmarks/outofcore.md with rows per second and the peak memory of that
process. The folder is removed afterwards.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from splitcrit.files import write_text

HERE = Path(__file__).resolve().parent
PER_FILE = 10**6
WORDS = np.array([f"word{i}" for i in range(20_000)])
KINDS = (
    "6 of small integers, 2 of many integers, 6 of floats (one with a tenth missing), 4 of text (3 to 20000 values), "
    "a Boolean and a date"
)


def part(rows: int, rng: np.random.Generator) -> pa.Table:
    """Return rows of 20 features, three of which tell something about the label."""
    label = rng.random(rows) < 0.3
    columns = {f"small{i}": rng.integers(0, 2 + 2 * i, rows) for i in range(5)}
    columns["small_telling"] = rng.poisson(2 + label)
    columns |= {f"many{i}": rng.integers(0, 10 ** (4 + 4 * i), rows) for i in range(2)}
    columns |= {f"float{i}": rng.normal(size=rows) for i in range(4)}
    columns["float_telling"] = rng.normal(size=rows) + 0.1 * label
    columns["float_missing"] = pa.array(rng.exponential(size=rows), mask=rng.random(rows) < 0.1)
    for i, values in enumerate((3, 100, 20_000)):
        columns[f"text{i}"] = WORDS[rng.integers(0, values, rows)]
    columns["text_telling"] = WORDS[np.minimum(rng.geometric(0.2 + 0.1 * label), 30)]
    columns["flag"] = rng.random(rows) < 0.5
    columns["day"] = np.datetime64("2020-01-01") + rng.integers(0, 1000, rows)
    return pa.table(columns | {"label": np.where(label, "yes", "no")})


def generate(folder: Path, rows: int) -> None:
    """Write the files."""
    for i, start in enumerate(range(0, rows, PER_FILE)):
        table = part(min(PER_FILE, rows - start), np.random.default_rng(i))
        pq.write_table(table, folder / f"part-{i:04d}.parquet")


def ranked(folder: Path, out: Path) -> tuple[float, float, float, str]:
    """Rank a folder; return seconds, seconds of processor time, peak resident memory in MiB, and what was printed.

    The peak is that of the process alone, by `wait4`. A process starts with the peak of the one it is forked from, so
    this one must stay small: the rows are generated elsewhere.
    """
    command = [sys.executable, "-m", "splitcrit", "rank", str(folder), "--target", "label", "--json", str(out)]
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    printed, start = out.with_suffix(".txt"), time.perf_counter()
    with printed.open("w") as screen:
        process = subprocess.Popen(command, cwd=HERE.parent, stdout=screen)
        _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0 and used.ru_maxrss > own, (status, used.ru_maxrss, own)
    peak = used.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    return seconds, used.ru_utime + used.ru_stime, peak, printed.read_text()


def page(rows: int, size: int, seconds: float, busy: float, peak: float, printed: str) -> str:
    """Return the page of results."""
    python = f"Python {platform.python_version()}, pyarrow {pa.__version__}"
    machine = f"{platform.machine()}, {os.cpu_count()} cores, {python}; load average {os.getloadavg()[0]:.1f}"
    mebibytes = [f"{x / 2**20:.0f}" for x in (size, rows * 21 * 8)]
    cells = [f"{rows:,}", *mebibytes, f"{seconds:.1f}", f"{busy:.1f}", f"{rows / seconds:,.0f}", f"{peak:.0f}"]
    return f"""# Ranking a parquet folder

Written by `python benchmarks/outofcore.py {rows}` ({machine}). The 20 features: {KINDS}.

| rows | parquet, MiB | as 8-byte values, MiB | seconds | processor seconds | rows a second | peak memory, MiB |
|-:|-:|-:|-:|-:|-:|-:|
| {" | ".join(cells)} |

```text
{printed.strip()}
```
"""


def main() -> None:
    """Measure, and write the page."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 10**7
    with tempfile.TemporaryDirectory(prefix="splitcrit-") as scratch:
        folder, out = Path(scratch, "rows"), Path(scratch, "ranking.json")
        folder.mkdir()
        writer = multiprocessing.get_context("spawn").Process(target=generate, args=(folder, rows))
        writer.start()
        writer.join()
        assert writer.exitcode == 0
        size = sum(file.stat().st_size for file in folder.iterdir())
        seconds, busy, peak, printed = ranked(folder, out)
        assert json.loads(out.read_text())["rows"] == rows
    write_text(HERE / "outofcore.md", page(rows, size, seconds, busy, peak, printed))
    print(f"{rows:,} rows, {seconds:.1f} s, {busy:.1f} s of processor time, peak {peak:.0f} MiB")


if __name__ == "__main__":
    main()
