"""Arrays on a GPU: ``python reproductions/studies/gpu.py [TABLES]`` tests and times them, and writes gpu.md.

The libraries that find a GPU among torch, jax and cupy run the tests of arrays there, and the benchmark of arrays
beside numpy. Nothing is installed: torch, jax or cupy must be there. Exit status: 0 if all tests pass, 1 if one fails,
3 without a GPU, and nothing is written then.

Main definitions: ``tested``, ``page``, ``main``.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from arrays import Device, devices, listed

from splitcrit.atomic_files import write_text

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "gpu.md"
TESTS = ("tests/arith/test_arrays.py", "tests/laws")
NO_GPU = 3
NONE = (
    "arrays on a GPU are tested by torch, jax or cupy; got none that finds one; run this where a GPU and one of them is"
)


class Tested(NamedTuple):
    """What came of the tests of one library."""

    library: str
    status: int
    summary: str

    @property
    def passed(self) -> bool:
        """Whether some tests ran, and none failed."""
        return self.status == 0 and re.search(r"\b[1-9]\d* passed", self.summary) is not None


def tested(library: str) -> Tested:
    """Run the tests of arrays of one library, whose arrays lie on the GPU."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", library, *TESTS]
    done = subprocess.run(command, cwd=HERE.parents[1], capture_output=True, text=True)
    lines = done.stdout.strip().splitlines() or done.stderr.strip().splitlines() or [""]
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n", file=sys.stderr)
    return Tested(library, done.returncode, lines[-1].strip("= "))


def page(each: Sequence[Tested], lines: Sequence[str]) -> str:
    """The page of results."""
    python = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    summaries = [f"- {tested.library}: {tested.summary}" for tested in each]
    about = [f"Written by `python reproductions/studies/gpu.py` ({python}); `arrays.py` says how times are taken."]
    tests = [f"Tests, `pytest -k LIBRARY {' '.join(TESTS)}`:"]
    return "\n\n".join(["# Arrays on a GPU", *about, *tests, "\n".join(summaries), "\n".join(lines)]) + "\n"


def main(measured: Sequence[Device] | None = None) -> int:
    """Test, measure and write, and return the exit status."""
    numpy, *others = devices() if measured is None else measured
    there = [device for device in others if device.gpu]
    if not there:
        print(NONE, file=sys.stderr)
        return NO_GPU
    each = [tested(device.name) for device in there]
    lines = listed(int(sys.argv[1]) if len(sys.argv) > 1 else None, [numpy, *there])
    write_text(RESULTS, page(each, lines))
    return 0 if all(result.passed for result in each) else 1


if __name__ == "__main__":
    sys.exit(main())
