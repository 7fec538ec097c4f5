"""Answers of a new process with the base install: numpy and scipy alone.

    python tests/frozen/elsewhere.py FOLDER < NAMES

prints them as JSON by part and name, for a list of names by part. Main definitions: ``elsewhere``.
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


def elsewhere(folder: str, names: dict[str, Sequence[str]]) -> dict[str, dict[str, Any]]:
    """The answers by part and name; parts are "laws" (those of numpy, by number), "columns" and "fits"."""
    command = [sys.executable, __file__, folder]
    answer = subprocess.run(command, input=json.dumps(names), capture_output=True, text=True, check=True)
    found: dict[str, dict[str, Any]] = json.loads(answer.stdout)
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
    sys.modules.update(dict.fromkeys(OPTIONAL))
    folder, parts = Path(sys.argv[1]), json.load(sys.stdin).items()
    json.dump({part: {name: answered(part, folder, name) for name in names} for part, names in parts}, sys.stdout)
