"""The rates of majority bounds from their definition; ties in estimates; labels of leaves."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from splitcrit import class_conditional, decrease, gini, symmetric
from splitcrit.robustness import leaf_labels, majority_bounds, order, order_failure, splits
from splitcrit.robustness.published_bounds import ENDLESS, exponents

HALF = Fraction(1, 2)


def even(eta: Fraction, K: int) -> tuple[tuple[Fraction, ...], ...]:
    """The transition matrix of symmetric noise."""
    return tuple(tuple(1 - eta if i == j else eta / (K - 1) for j in range(K)) for i in range(K))


def test_three_classes_have_the_bound_of_theorem_4_alone() -> None:
    leaf, eta = [5, 3, 2], Fraction(1, 5)
    noisy = [x * (1 - eta) + (10 - x) * eta / 2 for x in leaf]
    gamma = (noisy[0] - max(noisy[1:])) / 10
    found = exponents(leaf, even(eta, 3))
    assert (found.theorem4, found.kearns_saul, found.symmetric) == (gamma**2 / 2, None, False)
    bounds = majority_bounds(leaf, symmetric(0.2))
    assert bounds.lemma7 is None and bounds.kearns_saul is None
    assert bounds.theorem4 == pytest.approx(2 * math.exp(-10 * float(gamma) ** 2 / 2), rel=1e-12)


@pytest.mark.parametrize("rates", [(0.0, 0.3), (0.3, 0.0), (0.1, 0.3), (0.2, 0.5), (0.2, 0.2)])
def test_two_classes_have_the_bound_of_kearns_and_saul(rates: tuple[float, float]) -> None:
    """``rates`` are those of flips of the positives and of the negatives, of which there are 30 and 10."""
    pos, neg = rates
    right = [neg] * 10 + [1 - pos] * 30  # each label's chance to be the majority's
    lead = sum(right) - 20
    spread = sum(0 if q in (0, 1) else 1 / 8 if q == 0.5 else (1 - 2 * q) / (4 * math.log((1 - q) / q)) for q in right)
    found = majority_bounds([10, 30], class_conditional(tau_pos=pos, tau_neg=neg)).kearns_saul
    assert found == pytest.approx(math.exp(-(lead**2) / (4 * spread)), rel=1e-9)


def test_a_majority_that_noise_never_changes() -> None:
    still = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
    assert exponents([3, 7], still).kearns_saul == ENDLESS
    assert majority_bounds([3, 7], symmetric(0)).kearns_saul == 0
    assert exponents([5, 4], even(HALF, 2)).theorem4 is None


@pytest.mark.parametrize("ties", ["fail", "keep", "split"])
def test_a_tie_in_an_estimate_counts_as_said(ties: Any) -> None:
    cells, channel = np.array([[[2, 1], [0, 2]], [[1, 1], [1, 2]]]), symmetric(0.3)
    exact = order_failure(cells, channel=channel, ties=ties)
    scorer, draws = splits.SplitComparison(decrease(gini), cells), np.random.default_rng(3)
    found = order._estimated(cells, channel, scorer, ties, 40_000, draws)
    assert abs(found.probability - exact.probability) < 5 * found.standard_error < 0.02


def test_leaf_labels_of_one_leaf_and_of_no_leaf() -> None:
    channel = class_conditional(tau_pos=0.1, tau_neg=0.3)
    assert [int(leaf_labels(counts, channel)) for counts in ([9, 1], [1, 9])] == [0, 1]
    assert leaf_labels([[9, 1], [1, 9]], channel).tolist() == [0, 1]
    with pytest.raises(ValueError, match="leaves are counts"):
        leaf_labels(3, channel)
