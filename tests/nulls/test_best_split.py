"""The law of the best split of a column against the list of all orders, and its smooth tail against many draws."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from nulls import best_split_lists as lists
from oracles import compositions
from refusals import refused
from splitcrit.nulls import best_cut_law, best_split, best_subset_law, selected_tail


def labels_of(classes: Any) -> list[int]:
    return [k for k, b in enumerate(classes) for _ in range(b)]


def tail(law: dict[Fraction, Fraction], g: Any) -> Fraction:
    return sum((p for score, p in law.items() if score >= g), Fraction(0))


STRUCTURES: list[tuple[list[int], list[int], int]] = [  # sizes, classes, least
    ([1, 3, 1], [3, 2], 2), ([1, 2, 1, 3], [3, 4], 3), ([1, 1, 1, 1, 3], [2, 5], 3), ([2, 2, 3], [4, 3], 3),
    ([1, 3, 2], [2, 2, 2], 2), ([2, 1, 1, 2], [2, 1, 3], 3), ([5, 1, 1], [3, 4], 3), ([2, 3], [4, 1], 1),
    ([1, 1, 1, 2, 2], [3, 4], 1), ([1, 2, 4], [2, 2, 3], 1), ([3, 1, 2], [1, 5], 1), ([1] * 5, [1, 1, 3], 1),
]  # fmt: skip


@pytest.mark.parametrize(("sizes", "classes", "least"), STRUCTURES)
def test_the_law_of_subsets_is_that_of_all_that_a_least_leaf_allows(sizes, classes, least):
    """The best of them need not be a prefix of the levels in order of their shares, of two classes neither."""
    splits = list(lists.subsets(sizes, least))
    truth = lists.law(lists.unit_vectors(labels_of(classes)), splits) if splits else {Fraction(0): Fraction(1)}
    law = best_subset_law(sizes, classes, min_leaf=least)
    assert law.method == "exact" and law.mean == pytest.approx(float(sum(g * p for g, p in truth.items())), rel=1e-12)
    for g in truth:
        found = law.pvalue(float(g))
        assert float(found) == pytest.approx(float(tail(truth, g)), rel=1e-12) and found.standard_error is None
        assert found.surprise >= 0  # of a sum of chances above 1 there would be p-values above 1
        half = tail(truth, g) - truth[g] / 2
        assert law.surprise(float(g)) == pytest.approx(-np.log(float(half)) if len(truth) > 1 else 0.0, abs=1e-11)


def test_of_more_than_ten_levels_the_best_prefix_is_searched_as_it_says() -> None:
    """One division is allowed, a level in the middle of the order against the others: no prefix."""
    for levels, searched in ((10, True), (11, False)):
        table = np.array([[7, 5], *[[1, 0]] * 2, *[[0, 1]] * (levels - 3)])
        sizes, least = table.sum(axis=1).tolist(), levels - 1
        y = lists.unit_vectors([k for row in table for k, x in enumerate(row) for _ in range(x)])
        (only,) = lists.subsets(sizes, least)
        found = best_subset_law(sizes, table.sum(axis=0), min_leaf=least, draws=99).score(table)
        assert found == pytest.approx(float(lists.score(y, only)) if searched else 0.0) and lists.score(y, only) > 1


@pytest.mark.parametrize(("sizes", "least"), [([1] * 7, 1), ([1] * 7, 2), ([2, 1, 3, 1], 1), ([1, 1, 2, 2, 1], 3)])
def test_the_law_of_cuts_of_two_classes_is_that_of_the_list(sizes: list[int], least: int) -> None:
    truth = lists.law(lists.unit_vectors([0, 0, 0, 1, 1, 1, 1]), list(lists.cuts(sizes, False, least)))
    law = best_cut_law(sizes, [4, 3], min_leaf=least)
    for g in truth:
        assert law.method == "lattice" and float(law.pvalue(float(g))) == pytest.approx(float(tail(truth, g)), rel=1e-9)
        assert law.surprise(float(g)) == pytest.approx(-np.log(float(tail(truth, g) - truth[g] / 2)), abs=1e-9)


# Scores that random tables reach with the chance p, by a million of them, another generator and other code; at the last
# the standard error of log10 p is .04. Scores of one value weigh up to .009, so these stand here without rounding.
TRUTH = {
    (10, 30, 0.5): ((0.056271, 12.458333), (0.010979, 16.199788), (0.000104, 25.727289)),
    (30, 30, 0.5): ((0.050039, 28.941352), (0.010706, 34.202695), (0.000106, 46.394821)),
    (100, 30, 0.5): ((0.05054, 81.311776), (0.010331, 89.098538), (0.000104, 107.303109)),
    (10, 100, 0.2): ((0.05804, 12.5915625), (0.011883, 16.259765625), (0.000112, 26.64)),
    (30, 50, 0.25): ((0.053624, 28.952934), (0.010504, 34.277133), (0.000102, 46.635556)),
}


def law_of(case: Any) -> Any:
    levels, size, share = case
    return best_subset_law([size] * levels, [round(levels * size * share), round(levels * size * (1 - share))])


@pytest.mark.parametrize("case", TRUTH)
def test_the_smooth_tail_is_near_that_of_many_tables(case: Any) -> None:
    law = law_of(case)
    assert law.method == "mixture"
    for (p, score), most in zip(TRUTH[case], (0.1, 0.12, 0.2), strict=True):
        found = law.pvalue(score)
        assert abs(np.log10(float(found) / p)) < most, (p, found)
        assert found.surprise == pytest.approx(-np.log(found.value)) and found.standard_error is not None


def test_the_tail_of_cuts_of_unlike_classes_falls_as_their_largest_eigenvalue_says() -> None:
    """Against 400,000 random orders; chi-square of one rate for all directions is too light."""
    law = best_cut_law([1] * 300, [150, 100, 50], min_leaf=60)
    assert law.method == "mixture"
    for p, score in ((0.05, 5.88966), (0.01, 8.13807), (0.001, 11.29473)):
        assert -0.15 < np.log10(float(law.pvalue(score)) / p) < 0.35
    steeper = replace(law, rate=1.0)  # of two directions that vary alike
    assert np.log10(float(steeper.pvalue(11.29473)) / 0.001) < -0.15


def test_where_the_smooth_tail_is_wrong_ranks_decide() -> None:
    for law in (best_subset_law([20] * 50, [50, 950]), best_cut_law([1] * 30, responses=np.arange(30.0) ** 3),
                best_cut_law([1] * 200, [20, 90, 90]), best_subset_law([1] * 30 + [200], [115, 115])):  # fmt: skip
        assert law.method == "ranks"
        far = law.pvalue(1e4)
        assert float(far) == 1 / (1 + law.draws) and far.method == "ranks"
        assert law.surprise(80.0) > law.surprise(60.0) and law.surprise(1e4) > far.surprise
    assert best_cut_law([30] * 6, [60, 60, 60], min_leaf=30).method == "mixture"


def test_a_law_is_one_of_a_structure() -> None:
    law = best_subset_law([40, 20, 30, 60], [90, 60], limit=0)
    same = best_subset_law([60, 20, 0, 40, 30], [60, 90, 0], limit=0)
    assert np.array_equal(law.scores, same.scores) and law.mean == same.mean
    assert not np.array_equal(law.scores, best_subset_law([40, 20, 30, 60], [90, 60], seed=1, limit=0).scores)
    a, b = best_cut_law([1, 2, 3] * 4, [8, 8, 8]), best_cut_law([1, 3, 2] * 4, [8, 8, 8])
    assert not np.array_equal(a.scores, b.scores)  # the order of values matters


@pytest.mark.parametrize("missing", [0, 3])
def test_a_law_is_that_of_reversed_values_and_negative_responses(missing: int) -> None:
    """Draws included, and so are p-values of tables whose rows are reversed and whose classes have other names."""
    rng, sizes = np.random.default_rng(5), [3, 1, 4, 2, 5]
    for outputs in (1, 2):
        y = rng.gamma(1, size=(15 + missing, outputs))
        first = best_cut_law(sizes, responses=y, missing=missing)
        assert np.allclose(first.scores, best_cut_law(sizes, responses=3 * y + 5, missing=missing).scores)
        back = sizes[::-1]
        for values, responses in ((sizes, -y), (back, y), (back, -y[::-1]), (sizes, y * [1, -1][:outputs])):
            law = best_cut_law(values, responses=responses, missing=missing)
            assert np.array_equal(law.scores, first.scores) and law.mean == first.mean
    subsets = [best_subset_law(values, responses=z[:15, 0]) for values in (sizes, sizes[::-1]) for z in (y, -y)]
    assert all(np.array_equal(law.scores, subsets[0].scores) for law in subsets)
    for classes in (2, 3):
        table = rng.integers(1, 9, (5 + (missing > 0), classes))
        turned = np.concatenate([table[:5][::-1], table[5:]])[:, ::-1]
        laws = [best_cut_law(t[:5].sum(axis=1), t.sum(axis=0), missing=t[5:].sum()) for t in (table, turned)]
        p = [law.pvalue(law.score(t)).value for law, t in zip(laws, (table, turned), strict=True)]
        assert p[0] == p[1]


def test_scores_of_tables_are_searched_as_the_draws_were() -> None:
    source = np.random.default_rng(3)
    for classes in (2, 3):
        table = source.integers(0, 3, (4, classes)) + np.eye(4, classes, dtype=int)
        sizes, totals = table.sum(axis=1), table.sum(axis=0)
        rows = [k for row in table for k, x in enumerate(row) for _ in range(x)]
        y = lists.unit_vectors(rows)
        subset = max(lists.score(y, split) for split in lists.subsets(sizes))
        cut = max(lists.score(y, split) for split in lists.cuts(sizes, False, 1))
        assert best_subset_law(sizes, totals).score(table) == pytest.approx(float(subset))
        assert best_subset_law(sizes, totals).score(table[::-1]) == pytest.approx(float(subset))
        assert best_cut_law(sizes, totals).score(table) == pytest.approx(float(cut))
    two = best_cut_law([10] * 10, [50, 50])
    tail_of_paths = selected_tail(9.0 * 0.5 / 99, 100, 50, cuts=range(10, 100, 10), statistic="gini")
    assert float(two.pvalue(9.0)) == pytest.approx(tail_of_paths)


def test_a_column_without_a_split_says_nothing() -> None:
    for law in (best_subset_law([5], [2, 3]), best_subset_law([2, 3], [5]), best_cut_law([4, 4], [4, 4], min_leaf=5),
                best_cut_law([1, 1, 1], responses=[2, 2, 2]), best_cut_law([3], [1, 2], missing=0)):  # fmt: skip
        assert float(law.pvalue(1.0)) == 1 and law.surprise(1.0) == 0 and law.mean == 0
    assert float(best_subset_law([3, 3], [3, 3]).pvalue(0.0)) == 1


def test_bad_input_is_told_in_a_sentence() -> None:
    law = best_subset_law([2, 3], [2, 3])
    for call, sentence in [
        (lambda: best_subset_law([2, 3], [2, 2]), "must have the same sum; got 5 and 4"),
        (lambda: best_subset_law([[2, 3]], [2, 3]), r"one column; got sizes of shape \(1, 2\)"),
        (lambda: best_subset_law([2, 3], [[2, 3]]), r"class totals of shape \(1, 2\)"),
        (lambda: best_subset_law([2, 3], [2, 3], draws=10), "draws"),
        (lambda: best_cut_law([2, 3]), "of classes or of responses; got neither"),
        (lambda: best_cut_law([2, 3], [2, 3], responses=[1, 2, 3, 4, 5]), "got both"),
        (lambda: best_cut_law([2, 3], responses=[1, 2]), "every observation has a response; got 2 responses and 5"),
        (lambda: law.score([[1, 2], [1, 0]]), "a table has the margins of the law"),
        (lambda: best_cut_law([1] * 5, responses=[1, 2, 3, 4, 5]).score([[1, 1]]), "a table is one of classes"),
    ]:
        refused(sentence, call)


def test_random_tables_of_many_levels_have_their_margins() -> None:
    for classes in ([30, 70], [20, 30, 50]):
        labels = best_split.Labels.of_classes(classes)
        structure = best_split.ColumnStructure(np.full(20, 5), labels, True, False, 1, False)
        (sums,) = best_split.drawn_sums(structure, 50, 0)
        first = sums[:, :, 0] + 5 * labels.counts[0] / 100  # of the rarest class
        assert np.allclose(first, first.round()) and np.allclose(first.sum(axis=1), labels.counts[0])
        assert first.min() > -0.1 and first.max() < 5.1 and len(sums) == 50


@pytest.mark.parametrize("others", [(4,), (2, 1, 1)])
def test_tables_of_large_totals_are_listed_where_they_are_few_and_else_cost_little(
    others: tuple[int, ...],
) -> None:
    large = 2**40  # no array of as many numbers fits in memory
    rows, shares = best_split.all_tables([large, 3], [large - 1, *others], 500) or pytest.fail("none are listed")
    assert sorted(map(tuple, rows[:, 1])) == sorted(compositions(3, (3, *others)))
    assert (rows.sum(axis=1) == [large - 1, *others]).all() and (rows[:, 1, 1:].sum(axis=1) == 0)[shares.argmax()]
    assert best_split.all_tables([large, large], [large, *(large // 2,) * 2], 5_000) is None
