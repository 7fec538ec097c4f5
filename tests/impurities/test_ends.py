"""The least risk of a loss that costs something, and not the same, where one class is alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from splitcrit import Criterion, Impurity
from splitcrit.losses import Loss

BASE = (1.0, 3.0)


def uneven(w: Any, k: int, m: Any) -> Any:
    """Return a cost that is least, and still 1 or 3, for a sure and right action."""
    return BASE[k] + (1 - w[k]) ** 2


UNEVEN = Impurity.from_loss(Loss("uneven", uneven))


def least_risk(p: float) -> float:
    """Return ``(1-p)(1 + u^2) + p (3 + (1-u)^2)`` at its minimum ``u = p``: ``1 + 2 p + p (1-p)``."""
    return (1 - p) * (BASE[0] + p * p) + p * (BASE[1] + (1 - p) ** 2)


def test_pure_nodes_keep_the_cost_of_their_class() -> None:
    assert [float(UNEVEN(p)) for p in ([1, 0], [0, 1])] == pytest.approx(list(BASE), rel=1e-12)
    assert [float(UNEVEN(p)) for p in ([7, 0], [0, 1e-9])] == pytest.approx(list(BASE), rel=1e-12)


@pytest.mark.parametrize("p", [1e-12, 1e-3, 0.1, 0.25, 0.5, 0.7, 0.999, 1 - 1e-12])
def test_mixed_nodes_have_the_least_risk(p: float) -> None:
    assert float(UNEVEN([1 - p, p])) == pytest.approx(least_risk(p), rel=1e-9)


def test_a_batch_with_pure_nodes_is_scored_one_by_one() -> None:
    p = np.array([0.0, 1e-300, 1e-17, 0.3, 1 - 1e-16, 1.0])
    found = UNEVEN(np.stack([1 - p, p], axis=-1))
    assert found.tolist() == pytest.approx([least_risk(x) for x in p], rel=1e-9)
    assert (np.diff(found[:4]) >= 0).all()


def test_a_split_into_pure_rows_gains_what_is_mixed() -> None:
    """The costs of the classes stay: of ``1 + 2 p + p (1 - p)`` only ``p (1 - p)`` is gained."""
    gain = Criterion.from_loss(Loss("uneven", uneven))
    for a, b in ((3, 1), (1, 3), (2, 2)):
        p = b / (a + b)
        assert float(gain([[a, 0], [0, b]])) == pytest.approx(p * (1 - p), rel=1e-8)
        assert float(gain([[a, 0], [b, 0]])) == pytest.approx(0, abs=1e-12)


def certain(w: Any, k: int, m: Any) -> Any:
    """Return a cost that only a sure and right action escapes."""
    return m.where(w[k] >= 1, 0.0, 1.0)


@pytest.mark.parametrize("weights", [(5, 3, 2), (1, 1, 6), (1, 2, 3, 4)])
def test_a_best_action_at_a_vertex_alone_is_found(weights: tuple[int, ...]) -> None:
    found = Impurity.from_loss(Loss("certain", certain))(weights)
    assert float(found) == pytest.approx(1 - max(weights) / sum(weights), rel=1e-12)
