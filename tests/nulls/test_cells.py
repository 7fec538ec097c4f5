"""Which criteria are sums over cells, and of what: their formulas on every table with given margins."""

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.stats import hypergeom

import cell_sums
import splitcrit as sc
from splitcrit.arith import EXACT, Arithmetic, Irrational, total
from splitcrit.criteria import chi_square, g_statistic
from splitcrit.impurities import by_sums
from splitcrit.losses import square
from splitcrit.nulls import null_moments, score_moments
from splitcrit.nulls.cells import NoSum, cell_functions
from splitcrit.nulls.corner import window
from splitcrit.nulls.score_moments import likely_counts, threshold_moments


def _tsallis(p: Any, m: Arithmetic) -> Any:
    return (1 - total([x**3 for x in p])) / 2


def _in_numpy(p: Any, m: Arithmetic) -> Any:
    return 1 - np.sum(np.square(np.stack(p)), axis=0)


def _logs(p: Any, m: Arithmetic) -> Any:
    return -np.sum(p * np.log(p), axis=0)  # of numpy's own numbers alone


tsallis = sc.Impurity("tsallis", _tsallis)
mine = sc.Impurity("mine", _tsallis, search=by_sums(lambda n: n**3, times=lambda n: n**-2.0))
SUMS = [
    *map(sc.decrease, (sc.gini, sc.entropy, sc.matushita, sc.bayes_sum, tsallis, mine, sc.shannon_entropy(2))),
    sc.decrease(sc.scaled(sc.bayes_sum, 3)), chi_square, g_statistic, sc.normalised(sc.entropy),
    sc.decrease(sc.Impurity("numpy", _in_numpy)), sc.Criterion("linear", lambda t, m: t[0][0] * 3 - t[-1][-1] / 2),
]  # fmt: skip
TWO_CLASSES = [*map(sc.decrease, (sc.misclassification, sc.sqrt_gini, sc.ne(Fraction(1, 2)), sc.gce(0.5))),
               *map(sc.decrease, (sc.variance((0, 3)), sc.Impurity.from_loss(square))), sc.sum_minority]  # fmt: skip
ONE_COUNT = [sc.twoing, sc.pairwise_gain, sc.imprecise_information_gain(1), sc.normalised(sc.misclassification)]
EXACTLY = [
    *map(sc.decrease, (sc.gini, sc.bayes_sum, tsallis)),
    chi_square,
    sc.sum_minority,
    sc.one_vs_rest_pairwise_gain,
]


def shapes(source: random.Random, rows: tuple[int, ...], classes: tuple[int, ...]) -> tuple[Any, Any]:
    """Random margins with these numbers of rows and classes that occur."""
    while True:
        n = source.randint(3, 8)
        a, b = (cell_sums.margins(source, source.choice(k), n) for k in (rows, classes))
        if all(a) and all(b):
            return a, b


def check(criterion: sc.Criterion, a: Any, b: Any) -> None:
    """Compare the sum over cells with the score of every table; what is empty has no cells."""
    constant, cells = cell_functions(criterion, a, b)
    there = np.ix_(np.flatnonzero(a), np.flatnonzero(b))
    first = [[window(sum(a), x, y, False)[0] for y in b if y] for x in a if x]
    for table, _ in cell_sums.tables(a, b):
        inside = np.array(table)[there] - first
        found = constant + sum(cells[i][j][x] for (i, j), x in np.ndenumerate(inside))
        assert found == pytest.approx(float(criterion(np.array(table))), rel=1e-12, abs=1e-12), (a, b, table)


SHAPES = [  # criteria, and the numbers of rows and of classes at which they are sums
    *((criterion, (1, 2, 3), (1, 2, 3, 4)) for criterion in SUMS),
    *((criterion, (2, 3, 4), (2,)) for criterion in TWO_CLASSES), (sc.one_vs_rest_pairwise_gain, (2,), (2, 3, 4)),
    *((criterion, (2,), (2,)) for criterion in [*ONE_COUNT, *TWO_CLASSES, *SUMS]),
]  # fmt: skip


@pytest.mark.parametrize(("criterion", "rows", "classes"), SHAPES, ids=repr)
def test_a_sum_over_cells_is_the_score_of_every_table(criterion, rows, classes):
    source = random.Random(1)
    for _ in range(12 if max(rows) > 2 or max(classes) > 2 else 4):
        check(criterion, *shapes(source, rows, classes))


@pytest.mark.parametrize("criterion", EXACTLY, ids=repr)
def test_cells_are_fractions_where_the_formula_is_rational(criterion: sc.Criterion) -> None:
    source = random.Random(5)
    for _ in range(8):
        a, b = shapes(source, (2,), (2, 3) if criterion is not sc.sum_minority else (2,))
        constant, cells = cell_functions(criterion, a, b, exact=True)
        for table, _ in cell_sums.tables(a, b):
            first = [[max(0, x + y - sum(a)) for y in b] for x in a]
            each = [cells[i][j][x - first[i][j]] for i, row in enumerate(table) for j, x in enumerate(row)]
            assert constant + sum(each) == criterion.score([[Fraction(x) for x in row] for row in table], EXACT)


def test_empty_rows_and_classes_count_as_they_do_in_a_table() -> None:
    """The root of Gini's impurity has a factor of the number of classes, those that do not occur among them."""
    check(sc.decrease(sc.sqrt_gini), (3, 0, 4), (0, 2, 5))


@pytest.mark.parametrize(
    "criterion",
    [*map(sc.decrease, (sc.misclassification, sc.sqrt_gini, sc.ne(0.5), sc.gce(0.5), sc.variance((0, 1, 5)))),
     *map(sc.decrease, (sc.Impurity.from_loss(square), sc.Impurity("logs", _logs))), sc.twoing, sc.sum_minority,
     sc.imprecise_information_gain(1)],
    ids=repr,
)  # fmt: skip
def test_what_mixes_cells_is_no_sum(criterion: sc.Criterion) -> None:
    rows = (4, 5) if criterion.rows == 2 else (4, 3, 2)
    with pytest.raises(NoSum):
        cell_functions(criterion, rows, (3, 3, 3))


def test_a_formula_that_is_irrational_has_no_fractions() -> None:
    with pytest.raises(Irrational, match="EXACT stays in the rationals"):
        cell_functions(sc.decrease(sc.entropy), (4, 5), (3, 6), exact=True)


# Moments of very many thresholds of two classes: those of their margins, one by one.

CRITERIA = [*map(sc.decrease, (sc.entropy, sc.matushita, sc.misclassification, sc.gce(0.5))), chi_square, sc.twoing]


def thresholds(seed: int, most: int) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    n = rng.integers(2, most, 40)
    return n, rng.integers(0, n + 1), rng.integers(0, n + 1)


@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
@pytest.mark.parametrize("most", [12, 400])
def test_moments_are_those_of_the_margins(criterion: Any, most: int) -> None:
    n, ones, sizes = thresholds(1, most)
    means, spreads = threshold_moments(criterion, n, ones, sizes)
    for size, b, m, mean, spread in zip(*(x.tolist() for x in (n, ones, sizes, means, spreads)), strict=True):
        if 0 < m < size and 0 < b < size:
            law = null_moments(criterion, [m, size - m], [b, size - b])
            assert mean == pytest.approx(law.mean, rel=1e-9, abs=1e-14)
            assert spread == pytest.approx(law.variance**0.5, rel=1e-9, abs=1e-12)
        else:
            assert spread == 0


def test_moments_do_not_depend_on_what_else_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, criterion = thresholds(2, 100), sc.decrease(sc.entropy)
    first = threshold_moments(criterion, *asked)
    again = threshold_moments(criterion, *(each[::-1] for each in asked))
    assert all(np.array_equal(x, y[::-1]) for x, y in zip(first, again, strict=True))
    score_moments._at_thresholds.cache_clear()
    monkeypatch.setattr(score_moments, "PAIRS", 50)
    few = threshold_moments(criterion, *asked)
    assert all(np.array_equal(x, y) for x, y in zip(first, few, strict=True))


def test_likely_counts_are_all_that_matter() -> None:
    n, ones, sizes = (x.astype(np.int64) for x in thresholds(3, 300))
    inside = (sizes > 0) & (sizes < n) & (ones > 0) & (ones < n)
    asked = [each[inside] for each in (n, ones, sizes)]
    starts, counts, chances = likely_counts(*asked)
    for i, (size, b, m) in enumerate(zip(*(each.tolist() for each in asked), strict=True)):
        x, p = (part[starts[i] : starts[i + 1]] for part in (counts, chances))
        np.testing.assert_allclose(p, hypergeom(size, b, m).pmf(x), rtol=1e-10)
        assert abs(p.sum() - 1) < 1e-12
