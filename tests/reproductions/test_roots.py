"""How often features are chosen, and p-values of their best thresholds, against literally all orders of the labels."""

from __future__ import annotations

from fractions import Fraction
from math import log, sqrt
from typing import Any

import pytest

from node_oracle import arrangements, best, cuts
from reproductions.bias import chosen_shares, found_shares
from reproductions.roots import root_choices
from splitcrit import gini, sgini, twoing
from splitcrit.nulls import selected_pvalue

TABLES = [[[1, 0], [2, 1], [0, 2], [0, 1]], [[2, 0], [0, 1], [1, 3]], [[1, 0], [0, 1], [1, 0], [0, 1], [0, 3]]]


@pytest.mark.parametrize("least", [1, 2, 3])
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_best_threshold_is_compared_with_that_of_every_order(table: list[list[int]], least: int) -> None:
    """By the mid p-value: larger scores count whole, equal ones half."""
    sides = cuts([i for i, row in enumerate(table) for _ in range(sum(row))], "numeric")
    labels = tuple(k for row in table for k, count in enumerate(row) for _ in range(count))
    mine = best(labels, sides, "sgini", least)
    every = [best(order, sides, "sgini", least) for order in arrangements(labels)]
    more = sum(score > mine for score in every) + Fraction(sum(score == mine for score in every), 2)
    found = selected_pvalue(table, min_leaf=least, mid=True)
    assert found.surprise == pytest.approx(-log(more / len(every)), rel=1e-9)


def test_shares_of_features_add_up_to_one_and_ties_are_shared() -> None:
    """Few labels tie often: each of the features that tie has its part of the sample."""
    found = root_choices([gini, sgini], (2, 2, 3), labels=(3, 2), samples=60, rng=4)
    for criterion in {x.criterion for x in found}:
        mine = [x for x in found if x.criterion == criterion]
        assert [x.values for x in mine] == [2, 2, 3]
        assert sum(x.chosen for x in mine) == pytest.approx(1, rel=1e-12)
    alike = root_choices([gini], (2, 2), labels=(1, 1), samples=500, rng=0)
    assert all(abs(x.chosen - 0.5) < 4 * x.chosen_error for x in alike)
    assert max(x.chosen_error for x in alike) < 0.5 / sqrt(499)  # ties are no draws of 0 or 1


def test_scores_by_chance_are_those_of_all_features() -> None:
    """The features of a sample are drawn alike for all criteria: a mean of 0 for a standardised gain."""
    found = root_choices([sgini], (2, 4), labels=(10, 10), samples=2000, rng=1)
    for x in found:
        assert abs(x.score) < 4 * x.score_error and x.score_error == pytest.approx(x.score_sd / sqrt(2000), rel=1e-12)
        assert x.score_sd == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: root_choices([gini], (2,)), r"two or more features compete, of two values or more; got \[2\]"),
        (lambda: root_choices([gini], (2, 1)), r"two or more features compete, of two values or more; got \[2, 1\]"),
        (lambda: root_choices([gini], labels=(9, 0)), r"labels are of two classes or more; got \[9, 0\]"),
        (lambda: root_choices([gini], labels=(9, 3, -1)), r"labels are integers from 0; got -1"),
        (lambda: root_choices([gini], samples=1), "samples is an integer from 2; got 1"),
        (lambda: root_choices([twoing], (2, 3), samples=2), "twoing is defined for tables of 2 rows; got 3"),
    ],
)
def test_choices_without_competition_or_labels_are_refused(call: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        call()


def test_errors_of_shares_are_binomial() -> None:
    for found in (chosen_shares((2, 9), n=12, ones=6, repetitions=30), found_shares((0.6,), n=12, repetitions=30)):
        for x in found:
            assert x.standard_error == pytest.approx(sqrt(x.share * (1 - x.share) / 30), rel=1e-12)
    chosen = chosen_shares((2, 9, 4), n=12, ones=6, repetitions=30)
    for chooser in {x.chooser for x in chosen}:
        assert sum(x.share for x in chosen if x.chooser == chooser) == pytest.approx(1)
