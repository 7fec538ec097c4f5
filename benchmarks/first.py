"""Lines of ``make bench`` about what comes first: the CPU time of new processes, with nothing compiled and with all.

Each number is the CPU time of a process of its own, user and system, threads and children included, as medians of
processes in turn. Compiling everything is done once, in a process per core, and timed by the clock. The bytecode of all
modules is there, as pip leaves it.
"""

from __future__ import annotations

import compileall
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import splitcrit

HERE = Path(__file__).parent
IMPORTS = "import numba, numpy as np, sklearn.ensemble, sklearn.tree"
OWN = f"""{IMPORTS}
from first_loop import total
total(np.ones(3))
"""
FIT = f"""{IMPORTS}
from splitcrit import TreeClassifier
x = np.random.default_rng(0).normal(size=(1000, 5)).astype(np.float32)
TreeClassifier().fit(x, x[:, 0] > 0)
"""
FOREST = FIT + "from splitcrit import ForestClassifier; ForestClassifier(10).fit(x, x[:, 0] > 0)"
COMPILE = ["-c", "from splitcrit.cli import main; main(['doctor', '--compile'])"]


def cpu(arguments: list[str], folder: str) -> float:
    """The CPU time of a process of Python that keeps what it compiles in a folder."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "NUMBA_CACHE_DIR": folder, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
                   "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])}  # fmt: skip
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def fresh(arguments: list[str], runs: int = 5) -> float:
    """The median CPU time of processes with nothing compiled."""
    seconds = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            seconds.append(cpu(arguments, folder))
    return statistics.median(seconds)


def cached(codes: list[str], folder: str, runs: int = 9) -> list[float]:
    """The median CPU time of processes of each code, one after the other, that find everything compiled."""
    times = [[cpu(["-c", code], folder) for code in codes] for _ in range(1 + runs)]
    return [statistics.median(part) for part in zip(*times[1:], strict=True)]


def verdict(seconds: float, gate: float) -> str:
    return f"(gate {gate:g} s: {'met' if seconds <= gate else 'MISSED'})"


def lines() -> Iterator[str]:
    """Yield the first minute of a new environment, and the first fit of a new process."""
    compileall.compile_dir(Path(splitcrit.__file__).parent, quiet=1)
    fit = fresh(["-c", FIT])
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        cpu(COMPILE, folder)  # less what its workers take, which are not its children
        waited = time.perf_counter() - start
        imports, own, tree, forest = cached([IMPORTS, OWN, FIT, FOREST], folder)
    yield (
        f"Nothing compiled: a process with a first Gini fit takes {fit:.1f} s of CPU {verdict(fit, 5)}, "
        f"{fit - imports:.1f} s beyond importing scikit-learn and numba; `splitcrit doctor --compile` takes "
        f"{waited:.1f} s on the clock of {os.cpu_count()} cores {verdict(waited, 25)}."
    )
    yield (
        f"Everything compiled: a process takes {imports:.2f} s of CPU to import scikit-learn and numba, "
        f"{own - imports:.2f} s more for a loop of one line that numba has cached, and {tree - imports:.2f} s more for "
        f"`import splitcrit` and a first Gini fit, {tree - own:.2f} s beyond numba's own start "
        f"{verdict(tree - own, 0.25)}; with a forest after it, {forest - imports:.2f} s."
    )


if __name__ == "__main__":
    for line in lines():
        print(line, flush=True)
