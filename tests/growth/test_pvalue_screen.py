"""Which of many tables have a p-value up to a level: against ``gini_pvalue`` of each, and against all fillings."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, prod

import numpy as np
import pytest

from splitcrit import compiling, gini_pvalue
from splitcrit.growth import pvalue_screen as module
from splitcrit.growth.pvalue_screen import fewest, significant
from splitcrit.nulls import PValue
from splitcrit.nulls.exact import fillings
from splitcrit.nulls.pvalue import QUICK


def tables_of(rng: np.random.Generator, classes: int, scale: int) -> np.ndarray:
    """Return 30 tables of two rows, of like or unlike shares of the classes and unlike sizes."""
    shares = rng.dirichlet(np.full(classes, rng.choice([0.1, 0.5, 5.0])), 2)[[0, int(rng.integers(2))]]
    sizes = rng.integers(1, scale * classes + 2, (30, 2)) * rng.choice([1, 1, 20], (30, 2))
    return np.array([[rng.multinomial(n, p) for n, p in zip(pair, shares, strict=True)] for pair in sizes])


@pytest.mark.parametrize("scale", [1, 3, 10, 40])
def test_decisions_are_those_of_the_p_value_of_each_table(scale: int) -> None:
    rng = np.random.default_rng(scale)
    methods = set()
    for _ in range(4):
        tables = tables_of(rng, int(rng.integers(1, 9)), scale)
        found = [gini_pvalue(table) for table in tables]
        p = np.array([each.value for each in found])
        methods |= {each.method for each in found}
        ties = rng.choice(p, 3)
        for level in (0.0, 1e-300, 1e-8, 0.01, 0.5, 0.99, 1.0, *ties, *np.nextafter(ties, 0)):
            assert (significant(tables, level) == (p <= level)).all()
    assert scale == 1 or methods == {"exact", "pearson3"}


def tail(table: np.ndarray) -> Fraction:
    """Return the chance of a gain at least that of a table of two rows, over all fillings of the first."""
    b, a, n = table.sum(axis=0).tolist(), int(table[0].sum()), int(table.sum())

    def gain(row: tuple[int, ...]) -> Fraction:
        other = [y - x for x, y in zip(row, b, strict=True)]
        return Fraction(sum(x * x for x in row), a) + Fraction(sum(x * x for x in other), n - a)

    seen, found = gain(tuple(table[0].tolist())), 0
    for row in product(*(range(x + 1) for x in b)):
        if sum(row) == a and gain(row) >= seen:
            found += prod(comb(x, y) for x, y in zip(b, row, strict=True))
    return Fraction(found, comb(n, a))


def test_exact_tails_are_those_of_all_fillings() -> None:
    pytest.importorskip("numba")
    rng = np.random.default_rng(0)
    for classes in (2, 3, 5):
        tables = rng.integers(0, 4, (20, 2, classes)) + np.eye(2, classes, dtype=int)
        found, fillings, limits = module._exact(tables, 2.0)
        assert (fillings <= limits).all()
        np.testing.assert_allclose(found, [float(tail(table)) for table in tables], rtol=1e-12)


def test_the_law_of_two_rows_is_exact_up_to_as_many_fillings_as_steps_are_tried() -> None:
    rng, seen = np.random.default_rng(3), set()
    for table in rng.integers(1, 5, (60, 2, 7)):
        exact = fillings(int(table[0].sum()), table.sum(axis=0)) <= QUICK // (1 + int(table.sum()) // 64)
        assert gini_pvalue(table).method == ("exact" if exact else "pearson3")
        seen.add(exact)
    assert seen == {True, False}


def test_few_tables_are_asked_for_their_own_p_value(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    asked = []

    def counted(table: np.ndarray) -> PValue:
        asked.append(table)
        return gini_pvalue(table)

    monkeypatch.setattr(module, "gini_pvalue", counted)
    rng = np.random.default_rng(1)
    for classes in (2, 3, 8):
        for scale in (3, 30, 300):
            significant(tables_of(rng, classes, scale), 0.05)
    assert len(asked) <= 2


def test_without_compiled_code_every_table_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    tables = tables_of(rng, 3, 10)
    expected = significant(tables, 0.1)
    monkeypatch.setattr(compiling, "compiles", lambda: False)
    assert (significant(tables, 0.1) == expected).all()
    assert 0 < expected.sum() < len(expected)


@pytest.mark.parametrize(("classes", "number"), [(70, 6), (3, 600)])
def test_many_classes_and_many_tables(classes: int, number: int) -> None:
    rng = np.random.default_rng(classes)
    tables = rng.integers(0, 12, (number, 2, classes)) * (rng.random((number, 2, classes)) < 0.7)
    p = np.array([gini_pvalue(table).value for table in tables])
    level = float(np.median(p))
    assert (significant(tables, level) == (p <= level)).all()


def test_large_and_empty_tables() -> None:
    rows = [[70_000, 70_000], [69_000, 71_000]], [[10**12, 1], [1, 10**12]], [[3, 0], [4, 0]], [[0, 0], [0, 0]]
    tables = np.array(rows)
    p = np.array([gini_pvalue(table).value for table in tables])
    for level in (1e-5, 0.01, 0.999):
        assert (significant(tables, level) == (p <= level)).all()
    assert significant(np.empty((0, 2, 3), int), 0.1).tolist() == []


def test_fractions_are_refused() -> None:
    with pytest.raises(ValueError, match=r"got 0\.5"):
        significant([[[1, 0.5], [1, 1]]], 0.1)


@pytest.mark.parametrize("level", [0.4, 0.1, 1 / 3, 0.05, 0.029, 0.0286, 0.01])
def test_a_table_of_fewer_samples_is_not_significant(level: float) -> None:
    least = fewest(level)
    for n in range(2, least):
        for a in range(1, n):  # the smallest p-values are those of one class a row
            assert gini_pvalue([[a, 0], [0, n - a]]).value > level
            assert gini_pvalue(np.eye(2, dtype=int).repeat([a, n - a], axis=1)).value > level
    found = [gini_pvalue([[a, 0], [0, n - a]]).value for n in (least, least + 1) for a in range(1, n)]
    assert min(found) <= level


def test_a_law_that_bounds_the_samples_is_exact() -> None:
    for n in range(2, fewest(0)):
        for classes in range(2, n + 1):
            table = np.diff(np.linspace(0, n, classes + 1).round().astype(int))
            half = np.minimum(np.cumsum(table), n // 2)
            left = np.diff(half, prepend=0)
            assert gini_pvalue([left, table - left]).method == "exact"
