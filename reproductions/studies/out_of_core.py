"""More rows than memory should hold: python reproductions/studies/out_of_core.py [FORMAT] [ROWS ...].

For each number of rows (10^6, 10^7 and 10^8 unless said otherwise) a folder of files with 10 features of float32 is
written under the temporary folder, file by file, and ranked with `splitcrit rank` in a process of its own; the folder
is removed afterwards. FORMAT is parquet, the default, or csv. reproductions/studies/out_of_core.md gets a line for
each: seconds, rows a second and the peak memory of that process; lines of other formats and sizes stay as they are.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from splitcrit.atomic_files import write_text

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "out_of_core.md"
PER_FILE = 10**6
FEATURES = 10
SIZES = (10**6, 10**7, 10**8)
HEAD = [
    "| format | rows | files, MiB | as float32, MiB | seconds | processor seconds | rows a second | peak memory, MiB |",
    "|---|-:|-:|-:|-:|-:|-:|-:|",
]


def part(rows: int, rng: np.random.Generator) -> pa.Table:
    """Rows of normal features, of which one has few values, one gaps, and one tells something of the label."""
    label = rng.random(rows) < 0.3
    x = rng.standard_normal((FEATURES, rows), dtype=np.float32)
    x[0] = np.floor(4 * x[0])
    x[1][rng.random(rows) < 0.1] = np.nan
    x[2] += np.float32(0.01) * label
    names = ["few", "gaps", "telling", *(f"noise{i}" for i in range(FEATURES - 3))]
    return pa.table({**dict(zip(names, x, strict=True)), "label": np.where(label, "yes", "no")})


def generate(folder: Path, rows: int, form: str) -> None:
    """Write the files."""
    for i, start in enumerate(range(0, rows, PER_FILE)):
        table, path = part(min(PER_FILE, rows - start), np.random.default_rng(i)), folder / f"part-{i:04d}.{form}"
        if form == "csv":
            pyarrow.csv.write_csv(table, path)
        else:
            pq.write_table(table, path)


def ranked(folder: Path, out: Path) -> tuple[float, float, float]:
    """Rank a folder; return seconds, seconds of processor time and peak resident memory in MiB.

    The peak is that of the process alone, by `wait4`. A process starts with the peak of the one it is forked from, so
    this one must stay small: the rows are generated elsewhere.
    """
    command = [sys.executable, "-m", "splitcrit", "rank", str(folder), "--target", "label", "--json", str(out)]
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=HERE.parent, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0 and used.ru_maxrss > own, (status, used.ru_maxrss, own)
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def measured(rows: int, form: str) -> str:
    """The line of one size."""
    with tempfile.TemporaryDirectory(prefix="splitcrit-") as scratch:
        folder, out = Path(scratch, "rows"), Path(scratch, "ranking.json")
        folder.mkdir()
        needed = rows * FEATURES * (12 if form == "csv" else 5)
        if shutil.disk_usage(folder).free < 2 * needed:
            sys.exit(f"{rows:,} rows need some {needed / 2**30:.0f} GiB of the disk at {folder}; set TMPDIR")
        writer = multiprocessing.get_context("spawn").Process(target=generate, args=(folder, rows, form))
        writer.start()
        writer.join()
        assert writer.exitcode == 0
        size = sum(file.stat().st_size for file in folder.iterdir())
        seconds, busy, peak = ranked(folder, out)
        report = json.loads(out.read_text())
        assert report["rows"] == rows and report["features"][0]["feature"] == "telling", report
    mebibytes = [f"{x / 2**20:.0f}" for x in (size, rows * FEATURES * 4)]
    cells = [form, f"{rows:,}", *mebibytes, f"{seconds:.1f}", f"{busy:.1f}", f"{rows / seconds:,.0f}", f"{peak:.0f}"]
    return f"| {' | '.join(cells)} |"


def page(lines: list[str]) -> str:
    """The page of results: new lines take the place of old ones of the same format and size."""
    old = RESULTS.read_text().splitlines() if RESULTS.exists() else []
    by_size = {tuple(x.split(" | ")[:2]): x for x in (*old, *lines) if x.startswith(("| parquet |", "| csv |"))}
    ordered = sorted(by_size.values(), key=lambda x: (-ord(x[2]), int(x.split(" | ")[1].replace(",", ""))))
    about = (
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, pyarrow {pa.__version__}"
    )
    text = f"""Written by `python reproductions/studies/out_of_core.py` ({about}): folders of files with {FEATURES}
features of float32, a file for each {PER_FILE:,} rows, ranked by `splitcrit rank`; the peak resident memory of that
process. Where the seconds exceed those of the processor by far, other work or the disk took part of the time."""
    return "\n".join(["# Ranking folders of files", "", text, "", *HEAD, *ordered, ""])


def main() -> None:
    """Measure, and write the page after each size."""
    words = sys.argv[1:]
    form = words.pop(0) if words and words[0] in ("parquet", "csv") else "parquet"
    for rows in map(int, words) if words else SIZES:
        line = measured(rows, form)
        print(line, flush=True)
        write_text(RESULTS, page([line]))


if __name__ == "__main__":
    main()
