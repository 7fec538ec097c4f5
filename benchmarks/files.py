"""A CSV file of a million rows ranked, against pyarrow's reading of it alone, and without pyarrow.

``python benchmarks/files.py --sizes`` prints the table of docs/large-data.md in place of that. Both sides have the
file in the cache of the system. In a process of its own the ranking is timed without the imports of the command, but
with those of the readers; its peak memory is that of the whole process.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
from timing import Row, compare

from splitcrit import rank_features as ranking

ROWS, FEATURES = 10**6, 10
SIZES = (10**4, 10), (2 * 10**5, 10), (ROWS, FEATURES), (800, 5000)
SECONDS, MEGABYTES = 4.5, 500  # of the processor without pyarrow; at the peak
ALONE = """
import resource, sys, time
sys.modules.update(dict.fromkeys(sys.argv[3:]))
from pathlib import Path
from splitcrit import rank_features as ranking
start = time.process_time()
ranking(Path(sys.argv[1]), sys.argv[2])
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@contextmanager
def written(digits: int, rows: int = ROWS, features: int = FEATURES) -> Iterator[Path]:
    """Write numbers with some digits behind the point, and a label with two classes, which the first one tells."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(features, rows))
    label = np.where(x[0] + rng.normal(size=rows) > 0, "yes", "no")
    columns = {f"x{j}": column.round(digits) for j, column in enumerate(x)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        pyarrow.csv.write_csv(pa.table({**columns, "y": label}), path)
        yield path


def rows() -> Iterator[Row]:
    """Yield the ranking of a file against pyarrow's reading of it, on one thread and on all."""
    for digits in (6, 17):
        with written(digits) as path:
            for threads, gate in ((False, 3.0), (True, None)):
                options = pyarrow.csv.ReadOptions(use_threads=threads)
                what = f"splitcrit rank, CSV of 10^6 x 10, {digits} decimals / pyarrow reads it"
                yield compare(
                    f"{what}, {'all threads' if threads else 'one thread'}",
                    lambda path=path: ranking(path, "y"),  # type: ignore[misc]
                    lambda path=path, options=options: pyarrow.csv.read_csv(path, options),  # type: ignore[misc]
                    gate,
                    runs=5,
                )


def alone(path: Path, *absent: str) -> tuple[float, float]:
    """Seconds of the processor and peak megabytes of a ranking in a new process, without some modules."""
    behind = ("sh", "-c", '"$0" "$@"; exit $?')  # a process inherits the peak of the one that starts it: here a shell's
    command = (sys.executable, "-c", ALONE, str(path), "y", *absent)
    done = subprocess.run([*behind, *command], capture_output=True, check=True)
    seconds, peak = map(float, done.stdout.split())
    return seconds, peak / (2**20 if sys.platform == "darwin" else 2**10)


def lines() -> Iterator[str]:
    """Yield what a ranking in a process of its own takes, with pyarrow and without."""
    with written(6) as path:
        for absent in ((), ("pyarrow",)):
            seconds, peak = alone(path, *absent)
            goal = f" (goal {SECONDS} s: {'met' if seconds <= SECONDS else 'MISSED'})" if absent else ""
            memory = f"{peak:.0f} MB (goal {MEGABYTES} MB: {'met' if peak <= MEGABYTES else 'MISSED'})"
            what = f"splitcrit rank, CSV of 10^6 x 10, {'without' if absent else 'with'} pyarrow, a new process"
            yield f"{what}: {seconds:.3g} s of the processor{goal}, peak memory {memory}."


def sizes() -> Iterator[str]:
    """Yield the rows of a table: what files of several sizes take, each in a process of its own, with pyarrow."""
    for count, features in SIZES:
        with written(6, count, features) as path:
            start = time.process_time()
            pyarrow.csv.read_csv(path, pyarrow.csv.ReadOptions(use_threads=False))
            reading, size = time.process_time() - start, path.stat().st_size / 1e6
            seconds, peak = alone(path)
        yield f"| {count:,} x {features:,} | {size:.3g} | {reading:.2g} | {seconds:.2g} | {peak:.0f} |"


if __name__ == "__main__":
    if "--sizes" in sys.argv:
        print(*sizes(), sep="\n")
        sys.exit()
    for row in rows():
        print(f"{row.what}: {row.ours:.3g} s, {row.ratio:.3g} ({row.low:.3g} to {row.high:.3g}) {row.verdict}")
    for line in lines():
        print(line)
