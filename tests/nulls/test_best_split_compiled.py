"""The compiled law of the best split of a column against the list of all orders, and against the one drawn by numpy."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.special import gammaincc
from scipy.stats import binom, ks_2samp

from nulls import best_split_lists as lists
from nulls.drawn_law import class_totals, column_law, log_factorials, response_totals
from splitcrit.nulls import best_cut_law, best_split, best_split_compiled, best_subset_law, paths, response_moments

TWO, THREE, NUMBERS = [0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 2, 2], [0.0, 1.0, 1.0, 4.0, 9.0, -3.0]
PAIRS = [[0, 1], [1, 1], [5, 0], [2, 2], [0, 9], [3, 3]]
LISTED: list[tuple[list[int], Any, str, int]] = [  # sizes, the last a gap's; classes or responses; the least leaf
    ([1] * 7, THREE, "cuts", 1), ([2, 1, 2, 2], THREE, "gaps", 1), ([2, 1, 2, 2], THREE, "gaps", 2),
    ([1, 3, 2, 1], TWO, "cuts", 2), ([1, 1, 1, 1, 1, 2], TWO, "gaps", 2), ([1, 3, 2, 1], TWO, "subsets", 1),
    ([3, 2, 2], THREE, "subsets", 1), ([1, 3, 1], NUMBERS[:5], "subsets", 2), ([1, 2, 1, 2], NUMBERS, "subsets", 3),
    *((sizes, y, kind, least) for y in (NUMBERS, PAIRS)
      for sizes, kind, least in (([1] * 6, "cuts", 1), ([1, 1, 1, 1, 2], "gaps", 1), ([1, 1, 1, 1, 2], "gaps", 2))),
]  # fmt: skip


@pytest.mark.parametrize(("sizes", "y", "kind", "least"), LISTED)
def test_draws_have_the_law_of_the_list_of_all_orders(sizes: list[int], y: Any, kind: str, least: int) -> None:
    """Of numpy and compiled: how many draws reach each score is binomial."""
    subset, gaps, named, many = kind == "subsets", kind == "gaps", y in (TWO, THREE), 4000
    splits = list(lists.subsets(sizes, least) if subset else lists.cuts(sizes, gaps, least))
    vectors = lists.unit_vectors(y) if named else [tuple(map(Fraction, np.ravel(v).tolist())) for v in y]
    truth = lists.law(vectors, splits)
    how: dict[str, Any] = {"class_totals" if named else "responses": np.bincount(y) if named else y, "draws": many}
    how |= {"min_leaf": least, "limit": 0}
    known, missing = (sizes[:-1], sizes[-1]) if gaps else (sizes, 0)
    law = best_subset_law(sizes, **how) if subset else best_cut_law(known, missing=missing, **how)
    assert law.method == "ranks" and abs(law.mean - float(sum(g * p for g, p in truth.items()))) < 5 * law.mean_error
    found = [(law.scores, law.chances)]
    if y is not PAIRS and (named or not subset):  # of several columns, and of prefixes of levels alone
        totals = class_totals(np.bincount(y)) if named else response_totals(y)
        compiled = column_law(sizes, totals, subset=subset, gaps=gaps, min_leaf=least, draws=many, limit=0)
        found.append((compiled.scores, np.full(many, 1 / many)))
    for g in truth:
        p = float(sum((w for score, w in truth.items() if score >= g), Fraction(0)))
        counts = [round(chances[scores > float(g) - 1e-9].sum() * many) for scores, chances in found]
        assert all(binom.ppf(1e-6, many, p) <= count <= binom.ppf(1 - 1e-6, many, p) for count in counts), (g, p)
        assert float(law.pvalue(float(g))) == pytest.approx((1 + counts[0]) / (1 + many))


def test_the_exact_law_is_that_of_paths_with_and_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    """No surprise depends on what is installed; trees, which need numba, have the same ones but for rounding."""
    scores = np.array([0.0, 0.3, 1.0, 3.7, 6.0, 12.0, 1e3])
    many = [1, 2, 1, 5, 3, 8, 1]
    for sizes, classes in ((many, [9, 12]), ([1, 1], [1, 1]), ([2, 1, 1], [1, 3]), ([1] * 90, [30, 60])):
        law = best_cut_law(sizes, classes, min_leaf=1)
        with_numba = law.surprises(scores)
        with monkeypatch.context() as patch:
            patch.setattr(paths, "_compiled", lambda: None)
            assert law.surprises(scores).tolist() == with_numba.tolist()
        assert with_numba[0] == 0 and [law.surprise(g) for g in scores] == with_numba.tolist()
        assert best_split_compiled.surprises_of_cuts(law.structure, scores) == pytest.approx(with_numba, rel=1e-9)
    assert best_cut_law([1, 1], [1, 1]).surprise(1.0) == 0  # both orders have this score


CASES = [
    ([40, 20, 10, 8, 5, 5, 4, 3, 2, 1, 1, 1], [50, 30, 20], True, 0),
    ([90, 60, 30, 20, 20, 10, 10, 10], [80, 170], True, 0),
    ([1] * 50, [30, 30], False, 10),
    ([20, 10, 30, 20, 5, 5], [40, 30, 20], False, 0),
]


@pytest.mark.parametrize(("sizes", "classes", "subset", "missing"), CASES)
def test_draws_and_tail_are_those_of_the_law_that_numpy_draws(sizes, classes, subset, missing):
    cells = [*sizes, missing] if missing else sizes
    law = column_law(cells, class_totals(classes), subset=subset, gaps=missing > 0, draws=5000)
    other = best_subset_law(sizes, classes, draws=5000) if subset else None
    other = other or best_cut_law(sizes, classes, missing=missing, draws=5000, limit=0)
    assert ks_2samp(law.scores.round(9), other.scores.round(9)).pvalue > 1e-5
    assert law.shape == pytest.approx(other.shape) and law.rate == pytest.approx(other.rate)
    for score in np.quantile(other.scores, [0.3, 0.9, 0.99]).tolist():
        assert law.surprise(score)[0] == pytest.approx(other.surprise(score), abs=0.35)
    assert law.surprise(60.0)[0] == pytest.approx(other.surprise(60.0), rel=0.15)


def test_draws_of_responses_are_those_of_the_law_that_numpy_draws() -> None:
    y = np.random.default_rng(1).lognormal(size=60)
    law = column_law([1] * 50 + [10], response_totals(y), gaps=True, draws=5000)
    other = best_cut_law([1] * 50, responses=y, missing=10, draws=5000)
    assert ks_2samp(law.scores.round(9), other.scores.round(9)).pvalue > 1e-5
    assert (law.shape, law.rate) == pytest.approx((other.shape, other.rate))


def test_the_variance_of_the_whole_table_is_that_of_responses() -> None:
    y, sizes = np.arange(30.0) ** 2, [10, 5, 5, 4, 4, 1, 1]
    totals, unit = response_totals(y), 29 / y.var()
    shape, rate = best_split.tail_of(np.array(sizes), True, 0, totals.moments)
    assert shape / rate**2 == pytest.approx(float(response_moments(y, sizes).variance) * unit**2, rel=1e-9)
    assert shape / rate == pytest.approx(len(sizes) - 1)
    law = column_law(sizes, totals, subset=True)
    assert len(law.ratios) == 200 and 0 < law.ratios.min() <= law.ratios.max() <= 1 + 1e-9


def test_a_law_is_a_function_of_structure_and_totals() -> None:
    rng = np.random.default_rng(0)
    y, sizes, mixed = rng.normal(size=40), [12, 3, 9, 5, 11], rng.permutation
    laws = [column_law(mixed(sizes), response_totals(mixed(y)), subset=True).scores for _ in range(3)]
    assert (laws[0] == laws[1]).all() and (laws[0] == laws[2]).all()
    classes = [column_law(sizes, class_totals(mixed([10, 12, 18]))).scores for _ in range(3)]
    assert (classes[0] == classes[1]).all() and (classes[0] == classes[2]).all()
    assert (column_law(sizes, class_totals([10, 12, 18]), seed=1).scores != classes[0]).any()


@pytest.mark.parametrize(("sizes", "classes", "subset", "missing"), CASES)
def test_surprises_grow_with_the_score(sizes: list[int], classes: list[int], subset: bool, missing: int) -> None:
    cells = [*sizes, missing] if missing else sizes
    law = column_law(cells, class_totals(classes), subset=subset, gaps=missing > 0, draws=100)
    grid = np.concatenate([law.scores, np.geomspace(0.01, 500, 200)])
    grid.sort()
    assert all(a <= b + 1e-9 for a, b in pairwise(law.surprise(grid).tolist()))


def test_the_tail_is_that_of_the_gamma_law() -> None:
    for shape, x in ((0.5, 0.2), (0.5, 9.0), (14.5, 3.0), (14.5, 40.0), (200.0, 150.0), (200.0, 260.0)):
        assert best_split_compiled.log_upper_gamma(shape, x) == pytest.approx(np.log(gammaincc(shape, x)), rel=1e-9)
    far = best_split_compiled.log_upper_gamma(1.0, 3000.0)
    assert far == pytest.approx(-3000.0)


@np.errstate(over="ignore")
def test_a_score_that_is_given_up_is_below_the_bar_and_any_other_has_its_surprise() -> None:
    sizes, totals = np.array([10, 8, 6, 4, 2]), class_totals([10, 10, 10])
    law = column_law(sizes, totals, subset=True, draws=200)
    key = best_split_compiled.structure_key(sizes, True, False, 1, totals.counts, 0)
    given_up = 0
    for score in (0.5, 2.0, 4.0, 5.0, 6.0, 9.0, 20.0):
        whole = float(law.surprise(score)[0])
        for bar in (0.05, 1.0, 2.0, 4.0):
            found = best_split_compiled.surprise_of(
                sizes, True, False, 1, np.zeros(31), *totals, totals.moments, score, 200, key, log_factorials(30), bar
            )
            given_up += found == -1.0
            assert found == pytest.approx(whole) or (found == -1.0 and whole < bar)
    assert given_up >= 6


def test_names_of_levels_and_classes_change_no_division_by_prefixes() -> None:
    """Where means tie, names, or rounding by the order of rows, would choose between prefixes that part the levels."""
    rng = np.random.default_rng(3)
    for _ in range(600):
        sizes = np.sort(rng.integers(1, 4, 12))[::-1]
        counts = np.array([rng.multinomial(m, [1 / 3] * 3) for m in sizes])
        levels, labels = np.lexsort((rng.random(12), -sizes)), best_split.Labels.of_classes(counts.sum(axis=0))
        both = [counts @ labels.vectors, (counts @ labels.vectors)[levels][:, rng.permutation(3)]]
        law = best_split.ColumnStructure(sizes, labels, True, False, 1)
        scores = best_split.best_scores(np.array(both), law).tolist()
        space = [(np.empty(25, np.int64), np.empty(15)) for _ in both]
        unit = 1 / best_split_compiled.best_of_subsets(sizes, both[0].T.copy(), 1, *space[0], np.inf)[0]
        scores += [scores[0] * unit * best_split_compiled.best_of_subsets(sizes, z.T.copy(), 1, *each, np.inf)[0]
                   for z, each in zip(both, space, strict=True)]  # fmt: skip
        assert scores == pytest.approx([scores[0]] * 4, rel=1e-12)


def test_a_column_without_a_split_is_no_surprise() -> None:
    assert column_law([5], class_totals([2, 3])).surprise(1.0) == 0.0
    assert column_law([1] * 6, class_totals([3, 3]), subset=True).surprise(5.0) == 0.0
    assert column_law([1] * 2, class_totals([1, 1])).surprise(1.0) == 0.0
    assert column_law([3, 3], class_totals([6])).surprise(1.0) == 0.0
