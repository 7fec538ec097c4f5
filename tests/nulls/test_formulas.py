"""The formulas of the null law: one value from every kind of number that runs them, and as C where it is compiled."""

import ctypes
import inspect
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import splitcrit
from splitcrit.arith.exact_numbers import Ratio
from splitcrit.export.c_header import FRAME
from splitcrit.export.printed_formulas import printed_formula
from splitcrit.nulls import formulas

FORMULAS = {n: f for n, f in vars(formulas).items() if getattr(f, "__module__", "") == formulas.__name__}
NUMBERS = [Fraction(x) for x in (13, 5, 7, 3, 11, 2)]  # what the parameters are, in their order
TUPLES = {"n": 6, "c": 2, "t": 2, "d": 2, "p": 2, "f": 2}  # of third_by_invariants


def arguments(name: str) -> list[Any]:
    """Fractions for the parameters of a formula."""
    names = list(inspect.signature(FORMULAS[name]).parameters)
    if name == "third_by_invariants":
        return [tuple(Fraction(20 - i) for i in range(TUPLES[each])) for each in names]
    return NUMBERS[: len(names)]


def each(found: Any, kind: Callable[[Any], Any]) -> list[Any]:
    """What a formula returns, one number or several, as numbers of one kind."""
    return [kind(x) for x in (found if isinstance(found, tuple) else (found,))]


def given(name: str, kind: Callable[[Fraction], Any]) -> list[Any]:
    """The arguments of a formula as numbers of one kind."""
    return [tuple(map(kind, x)) if isinstance(x, tuple) else kind(x) for x in arguments(name)]


@pytest.mark.parametrize("name", FORMULAS)
def test_every_kind_of_number_runs_a_formula(name: str) -> None:
    flint, sympy = pytest.importorskip("flint"), pytest.importorskip("sympy")
    formula = FORMULAS[name]
    exact = each(formula(*arguments(name)), Fraction)
    assert each(formula(*given(name, lambda x: Ratio(int(x)))), lambda x: x.fraction()) == exact
    assert each(formula(*given(name, lambda x: sympy.Integer(int(x)))), lambda x: Fraction(int(x.p), int(x.q))) == exact
    for ball, true in zip(each(formula(*given(name, lambda x: flint.arb(int(x)))), lambda x: x), exact, strict=True):
        assert ball.contains(flint.fmpq(true.numerator, true.denominator))
    floats = each(formula(*given(name, float)), float)
    assert floats == pytest.approx([float(x) for x in exact], rel=1e-14)
    arrays = each(formula(*given(name, lambda x: np.array([float(x)] * 2))), lambda x: np.asarray(x).tolist())
    assert arrays == [[x, x] for x in floats]


@pytest.mark.slow  # loops of the package compile those that they use
@pytest.mark.parametrize("name", FORMULAS)
def test_numba_compiles_a_formula(name: str) -> None:
    numba = pytest.importorskip("numba")
    found = numba.njit(FORMULAS[name])(*given(name, float))
    assert each(found, float) == pytest.approx(
        [float(x) for x in each(FORMULAS[name](*arguments(name)), Fraction)], rel=1e-14
    )


def printed_as_c(name: str) -> list[str]:
    """A formula as C, and a function that calls it with doubles and sets pairs of them."""
    formula = printed_formula(FORMULAS[name])
    flat = sum(len(x) if isinstance(x, tuple) else 1 for x in arguments(name))
    given = ", ".join(f"splitcrit_small(x[{i}], 0)" for i in range(flat))
    parts = [f"results.part[{i}]" for i in range(formula.results)] or ["results"]
    call = f"splitcrit_{'several' if formula.results else 'real'} results = {formula.name}({given});"
    lines = " ".join(f"y[{i}] = {x}.high; y[{i + 8}] = {x}.low;" for i, x in enumerate(parts))
    return [formula.text, f"void call_{name}(const double *x, double *y) {{ {call} {lines} }}"]


def test_formulas_printed_as_c_give_the_same_numbers(tmp_path: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler is installed")
    source, library = tmp_path / "formulas.c", tmp_path / "formulas.so"
    arithmetic = FRAME.read_text().partition("$functions")[0]
    source.write_text("\n".join([arithmetic, *(line for name in FORMULAS for line in printed_as_c(name)), "#endif"]))
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-lm"], check=True)
    loaded = ctypes.CDLL(str(library))
    for name, formula in FORMULAS.items():
        flat = [float(y) for x in arguments(name) for y in (x if isinstance(x, tuple) else (x,))]
        found = (ctypes.c_double * 16)()
        loaded[f"call_{name}"]((ctypes.c_double * len(flat))(*flat), found)
        for i, true in enumerate(each(formula(*arguments(name)), Fraction)):
            assert abs(Fraction(found[i]) + Fraction(found[i + 8]) - true) <= abs(true) / 10**29


# An edit of one formula of the null law reaches every user of it, compiled loops with an old cache included.

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
    assert EDITS.keys() == FORMULAS.keys()


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
