"""The formulas of the null law: one value from every kind of number that runs them, and as C where it is compiled."""

from __future__ import annotations

import ctypes
import inspect
import shutil
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

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
