"""A user's loss of responses: what it is, and what it refuses to be."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from typing import Any

import pytest

from growing import mean, squares, variance
from growing import squared as at
from splitcrit import Impurity, losses
from splitcrit.arith import EXACT, FLOAT
from splitcrit.losses import ResponseLoss


def test_with_values_it_is_a_loss_of_classes() -> None:
    ours, theirs = ResponseLoss("mine", at, squares, mean, variance).of((0, 1, 5)), losses.squared_error((0, 1, 5))
    p = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
    assert ours.act is not None and theirs.act is not None
    assert ours.act(p, EXACT) == theirs.act(p, EXACT) == Fraction(7, 6)
    assert Impurity.from_loss(ours)(p) == Impurity.from_loss(theirs)(p)
    alone = ResponseLoss("mine", at).of((0, 1, 5))
    found = float(Impurity.from_loss(alone)([3, 2, 1]))
    assert alone.act is None and found == pytest.approx(float(Impurity.from_loss(theirs)([3, 2, 1])), rel=1e-9)


def test_it_is_a_value() -> None:
    loss = ResponseLoss("mine", at)
    assert repr(loss) == "mine" and copy.deepcopy(loss) is loss and loss == ResponseLoss("mine", at)
    assert pickle.loads(pickle.dumps(loss)) == loss
    with pytest.raises(pickle.PicklingError, match="only if its functions have a name in a module"):
        pickle.dumps(ResponseLoss("mine", lambda w, y, m: w - y))
    assert float(loss.at(2.0, 5.0, FLOAT)) == 9


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"name": 3}, TypeError, "a loss has a text as its name; got 3"),
        ({"at": 3}, TypeError, r"has a function at\(w, y, m\); got 3"),
        ({"risk": 3}, TypeError, "risk of a loss of responses is a function; got 3"),
        ({"act": mean}, ValueError, "act and risk, or none of them; got no statistics and no risk; pass all three"),
    ],
)
def test_what_it_cannot_be_is_said_in_a_sentence(given: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        ResponseLoss(**({"name": "mine", "at": at} | given))
