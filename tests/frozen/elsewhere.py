"""Answers of a new process, with the full install, or with the base one: numpy and scipy alone.

    python tests/frozen/elsewhere.py base|full PART FOLDER NAME ...

prints them as JSON by name. Main definitions: ``elsewhere``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

OPTIONAL = (
    "numba", "sklearn", "pandas", "polars", "pyarrow", "sympy", "mpmath", "flint", "z3", "matplotlib", "rich", "dask",
    "array_api_compat", "hypothesis",
)  # fmt: skip


def elsewhere(install: str, part: str, folder: Path, names: Sequence[str]) -> dict[str, Any]:
    """The answers of a part by name: "laws" (those of numpy, by number), "columns" or "fits"."""
    command = [sys.executable, __file__, install, part, str(folder), *names]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def answered(part: str, folder: Path, name: str) -> Any:
    """What the library says, as it is installed here."""
    if part == "laws":
        from frozen.structures import answers

        return answers(int(name), compiled=False)
    if part == "columns":
        from frozen.columns import ranked

        return ranked(folder, name)
    from frozen.fits import digest, fits

    return digest(fits()[name]())


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    _, install, part, folder, *names = sys.argv
    if install == "base":
        sys.modules.update(dict.fromkeys(OPTIONAL))
    json.dump({name: answered(part, Path(folder), name) for name in names}, sys.stdout)
