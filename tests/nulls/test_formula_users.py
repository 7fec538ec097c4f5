"""An edit of one formula of the null law reaches every user of it, compiled loops with an old cache included.

The package is copied, one formula is edited in the copy, and a fresh process answers with the cache of the formulas as
they were. Who answers otherwise must be exactly who uses the formula: no more copies, and nothing stale.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import splitcrit
from splitcrit.nulls import formulas

pytest.importorskip("numba")
PACKAGE = Path(splitcrit.__file__).parent
HELPERS = Path(__file__).parents[1]

EXACT = {"exact variance", "exact third", "score of a table", "exact score of a cut", "Pearson p-value"}
FLOATS = {"batch variance", "scores of a batch", "selected score", "search sgini", "search permuted"}
CLUSTERS = {"clusters"}
MULTINOMIAL = {"independent variance", "gamma p-value", "search agini", "search significance"}
MOMENTS = {"exact variance", "exact third", "batch variance"}
SELECTED = "selected p-value"  # a probability, which an edit may leave as it was

OF_MEAN = EXACT | FLOATS | CLUSTERS | {"exact mean", "batch mean", "scan"}
OF_MEAN -= MOMENTS

EDITS: dict[str, tuple[str, str, set[str]]] = {
    "mean": ("/ ((n - 1)", "/ ((n + 1)", OF_MEAN),
    "uneven_rows": ("- n * r**2", "- n * (r**2 - 1)", EXACT | CLUSTERS),
    "uneven_row": ("* w", "* w * 2", FLOATS | MULTINOMIAL | {"scan"}),
    "thick_rows": ("(r - 1)", "(r + 1)", EXACT | CLUSTERS),
    "thick_row": ("- (a - 1))", "+ (a - 1))", FLOATS | {"scan"}),
    "uneven_classes": ("s2**2 / n", "s2**2 / (2 * n)", EXACT | {"scan"}),
    "uneven_class": ("b * apart", "2 * b * apart", FLOATS | MULTINOMIAL | CLUSTERS),
    "thick_classes": ("2 * (n - 1)", "(n - 1)", EXACT | {"scan"}),
    "thick_class": ("+ others", "+ 2 * others", FLOATS | CLUSTERS),
    "uneven_weight": ("4 * uneven", "2 * uneven", EXACT | FLOATS | CLUSTERS | {"scan"}),
    "thick_weight": ("2 * (thick", "3 * (thick", EXACT | FLOATS | CLUSTERS | {"scan"}),
    "variance": ("+ thick", "+ 2 * thick", EXACT | FLOATS | CLUSTERS | MULTINOMIAL | {"scan"}),
    "signed_square": ("/ variance", "/ (2 * variance)", {"exact score of a cut"}),
    "independent_mean": ("(r - 1)", "r", {"independent mean", "gamma p-value", "search agini", "search significance"}),
    "independent_uneven": ("uneven + n", "uneven + 2 * n", MULTINOMIAL),
    "independent_row": ("(a - 1)", "(a + 1)", MULTINOMIAL),
    "independent_class": ("+ others", "+ 2 * others", MULTINOMIAL),
    "independent_uneven_weight": ("4 * (uneven", "2 * (uneven", MULTINOMIAL),
    "independent_thick_weight": ("2 * (thick", "3 * (thick", MULTINOMIAL),
    "row_sums": ("r - 3 * h + 2 * h2", "r - 3 * h - 2 * h2", {"exact third", "Pearson p-value"}),
    "class_sums": ("- 6 * s3", "- 5 * s3", {"exact third", "Pearson p-value"}),
    "shapes": ("+ 40 * s43", "- 40 * s43", {"exact third", "Pearson p-value"}),
    "third_moment": ("3 * n**2", "2 * n**2", {"exact third", "Pearson p-value"}),
    "row_block": ("(r * a - n)", "(r * a + n)", {"batch third"}),
    "row_across": ("- (n - 2 + r)", "- (n + 2 + r)", {"batch third"}),
    "class_block": ("(n - b - 1)", "(n - b + 1)", {"batch third"}),
    "class_across": ("rest - 2", "rest + 2", {"batch third"}),
    "invariant_terms": ("(a - 2)", "(a + 2)", {"batch third"}),
    "third_by_invariants": ("24 * mixed", "12 * mixed", {"batch third"}),
}

FAST = ("uneven_row", "row_block")  # of floats, of a third moment


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package whose kernels have been compiled."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(PACKAGE, folder / "splitcrit", ignore=shutil.ignore_patterns("proofs", "__pycache__"))
    shutil.copy(HELPERS / "formula_users.py", folder)
    return folder


@pytest.fixture(scope="module")
def before(copy: Path) -> dict[str, Any]:
    """The answers of the formulas as they are."""
    return answers(copy)


def answers(folder: Path) -> dict[str, Any]:
    """What the users of a copy answer in a fresh process."""
    apart = {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}  # the digest tells edited kernels apart
    command = [sys.executable, "formula_users.py"]
    done = subprocess.run(command, cwd=folder, env=os.environ | apart, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_every_formula_is_edited() -> None:
    public = {name for name, value in vars(formulas).items() if getattr(value, "__module__", "") == formulas.__name__}
    assert set(EDITS) == public


@pytest.mark.slow
def test_answers_are_the_same_without_an_edit(copy: Path, before: dict[str, Any]) -> None:
    assert answers(copy) == before


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n not in FAST)) for n in EDITS])
def test_an_edit_reaches_every_user(name: str, copy: Path, before: dict[str, Any]) -> None:
    old, new, users = EDITS[name]
    path = copy / "splitcrit" / "nulls" / "formulas.py"
    source = path.read_text()
    start = source.index(f"def {name}(")
    end = source.find("\ndef ", start + 1)
    body = source[start:end] if end > 0 else source[start:]
    head, told, code = body.partition('"""\n')
    assert code.count(old) == 1, (name, code)
    path.write_text(source.replace(body, head + told + code.replace(old, new)))
    try:
        after = answers(copy)
    finally:
        path.write_text(source)
    assert {user for user in before if after[user] != before[user]} - {SELECTED} == users
