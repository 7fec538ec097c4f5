"""Losses that are scaled, and losses at a margin of exactly 0."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from splitcrit import impurities, losses
from splitcrit.arith import EXACT, FLOAT
from splitcrit.losses import Loss, margin_zero_one, scaled, step_cdf

ALL = sorted({x for x in vars(losses).values() if isinstance(x, Loss)}, key=repr)


@pytest.mark.parametrize("loss", ALL, ids=repr)
def test_a_scaled_loss_is_on_the_same_space_with_the_same_best_point(loss: Loss) -> None:
    found = scaled(loss, 2)
    assert (found.space, found.act, found.name) == (loss.space, loss.act, f"scaled({loss.name}, 2)")


def test_a_scaled_loss_costs_as_many_times_more() -> None:
    for w in (-2.0, -0.5, 0.0, 0.5, 3.0):
        for k in (0, 1):
            assert scaled(losses.hinge, 3).at(w, k, FLOAT) == 3 * losses.hinge.at(w, k, FLOAT)
    w = (Fraction(1, 4), Fraction(3, 4))
    assert losses.square.at(w, 0, EXACT) == 2 * Fraction(9, 16)
    assert scaled(losses.square, Fraction(1, 3)).at(w, 0, EXACT) == Fraction(3, 8)


def test_a_loss_on_the_line_without_a_best_point_is_searched_there_when_scaled() -> None:
    """At half of each class the hinge costs 1 wherever between -1 and 1."""
    bare = Loss("bare", losses.hinge.at, None, "line")
    for factor in (1, 5):
        found = impurities.Impurity.from_loss(scaled(bare, factor) if factor > 1 else bare)
        assert [float(found(p)) for p in ([1, 1], [1, 3])] == pytest.approx([factor, factor / 2], rel=1e-5)


def test_a_margin_of_exactly_0_is_an_error_for_both_classes() -> None:
    smallest = np.nextafter(0.0, 1.0)
    assert [margin_zero_one.at(0.0, k, FLOAT) for k in (0, 1)] == [1, 1]
    assert [margin_zero_one.at(w, 1, FLOAT) for w in (-1.0, -smallest, smallest, 1.0)] == [1, 1, 0, 0]
    assert [margin_zero_one.at(w, 0, FLOAT) for w in (-1.0, -smallest, smallest, 1.0)] == [0, 0, 1, 1]
    assert [step_cdf(Fraction(x), EXACT) for x in (-1, 0, 1)] == [0, 1, 1]
    assert step_cdf(np.array([-1.0, -0.0, 0.0, 2.0]), FLOAT).tolist() == [0, 1, 1, 1]
