"""Compiled loops over the categories of one node, against exact arithmetic and the search by formulas."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from splitcrit import decrease, impurities
from splitcrit.criteria import Criterion
from splitcrit.trees.scan import Limits
from splitcrit.trees.scan.prepared_criterion import data_of, form_of
from splitcrit.trees.scan.subsets import Comparison, best_subsets, class_scores, mean_response, ranks
from splitcrit.trees.scan.ties_and_scores import band

GINI, ENTROPY = decrease(impurities.gini), decrease(impurities.entropy)


def node_of(table: np.ndarray, criterion: Criterion) -> tuple[object, tuple[np.ndarray, np.ndarray], float, float]:
    """Return a criterion as data, space and class counts of a node, and base and rate of its scores."""
    from splitcrit.trees.scan.scan_sums import numbers_of_sums

    counts = table.sum(axis=0)
    form = form_of(criterion, int(counts.sum()), len(counts))
    assert form is not None
    _, _, base, rate, _ = numbers_of_sums(data_of(form), counts, np.zeros(4))
    return data_of(form), (np.zeros(len(counts), np.int64), counts), base, rate


def test_the_order_is_by_exact_shares_and_ties_stay_in_order() -> None:
    from splitcrit.trees.scan.scan_subsets import by_response

    rng = np.random.default_rng(1)
    tied = 0
    for _ in range(200):
        table = rng.integers(0, 4, (6, 2)) + np.array([[0, 1]])
        there = np.flatnonzero(rng.random(6) < 0.8)
        shares = [Fraction(int(table[j, 1]), int(table[j].sum())) for j in there]
        tied += len(set(shares)) < len(shares)
        expected = [int(j) for _, j in sorted(zip(shares, there, strict=True))]
        found = there.copy()
        by_response(table, found, len(found))
        assert found.tolist() == expected
        response = mean_response(table[None, there].astype(float))
        assert there[np.argsort(ranks(response, np.ones((1, len(there)), bool))[0])].tolist() == expected
    assert tied > 50


@pytest.mark.each_value
@pytest.mark.parametrize("criterion", [GINI, ENTROPY], ids=repr)
@pytest.mark.parametrize("classes", [2, 3, 4])
def test_the_first_of_the_best_subsets_is_that_of_the_search_by_formulas(criterion: Criterion, classes: int) -> None:
    from splitcrit.trees.scan.scan_subsets import best_subset

    rng = np.random.default_rng(classes)
    for turn in range(100):
        p, row = int(rng.integers(2, 7)), rng.integers(1, 90, classes)
        table = rng.integers(0, 9, (p, classes)) + 1
        if turn % 2:  # subsets that tie but for the order in which classes are summed
            table = np.stack([np.roll(row, i) for i in range(classes)])
            p = classes
        data, node, base, rate = node_of(table, criterion)
        width = band(criterion, node[1][None].astype(float))
        comparison = Comparison(class_scores(criterion), width)
        least = 1 if turn % 2 else int(table.sum()) // 3
        expected = best_subsets(table[None].astype(float), table.sum(axis=1)[None], Limits(least), comparison)[0]
        subset, raw = best_subset(
            table, np.arange(p), p, data, *node, np.zeros(4), width[0] / rate, least, np.empty(2 ** (p - 1))
        )
        assert [bool(subset >> i & 1) for i in range(p)] == expected.tolist()
        left = table[expected].sum(axis=0)
        assert not subset or (raw - base) * rate == pytest.approx(
            float(criterion([left, node[1] - left])), rel=1e-9, abs=1e-13
        )
