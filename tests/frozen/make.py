"""Freeze the answers of the library as it stands: python tests/frozen/make.py, from the root of a checkout.

They are those of the commit that ``made.json`` names, with the versions there; it takes some five minutes. Answers are
frozen once: a merge that changes some names them in ``differences.toml``, and freezes nothing. ``columns.csv.gz`` holds
kinds, scores and exact p-values of the best cut, by four laws that are one now, and is not made again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from frozen import fits, store
from frozen.structures import answers

STRUCTURES = 2_000


def of_commit() -> str:
    """The last commit that changed the library; there are no other changes."""
    if subprocess.run(["git", "diff", "--quiet", "HEAD", "--", "splitcrit"]).returncode:
        raise SystemExit("answers are frozen of a commit; got changes of splitcrit; commit them")
    return subprocess.run(
        ["git", "log", "-1", "--format=%H", "--", "splitcrit"], capture_output=True, text=True, check=True
    ).stdout.strip()


def laws() -> None:
    """The laws of the best split."""
    found = np.array([answers(number) for number in range(STRUCTURES)], np.float32)
    store.write_laws(found)


def trees(folder: Path) -> None:
    """The trees of the builders' fits."""
    made = fits.fits() | fits.real_fits(folder)
    store.write_rows("fits.csv.gz", [(name, *fits.digest(fit())) for name, fit in made.items()])


if __name__ == "__main__":
    data = Path(os.environ["SPLITCRIT_DATA"])
    made = {"commit": of_commit(), "structures": STRUCTURES, **{p: version(p) for p in ("numpy", "scipy", "numba")}}
    laws()
    trees(data)
    (store.HERE / "made.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
