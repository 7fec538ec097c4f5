"""What the tests of the builders share: the criteria, one tree per builder, and when two trees are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from splitcrit import criteria, impurities, losses
from splitcrit.arith import total
from splitcrit.criteria import Criterion, decrease
from splitcrit.impurities import Impurity, by_sums
from splitcrit.losses import Loss, ResponseLoss
from splitcrit.nulls import agini, sgini, significance
from splitcrit.trees.growth import GrownTree, GrowthOptions, Stopping, Training, grow, one_loop
from splitcrit.trees.growth.by_reference import reference_of
from splitcrit.trees.growth.source_choice import SampleLayout

WITH_FORM = [
    *map(decrease, (impurities.gini, impurities.entropy, impurities.sqrt_gini, impurities.misclassification)),
    *map(decrease, (impurities.ne(0.5), impurities.gce(0.7))),
    criteria.twoing,
    criteria.one_vs_rest_pairwise_gain,
    sgini,
    criteria.imprecise_information_gain(1),
    agini,
    criteria.replace(agini, alpha=0.3, model="permutation"),
    significance,
]
BY_FORMULA = [
    decrease(impurities.matushita),
    criteria.sum_minority,
    criteria.normalised(impurities.entropy),
    criteria.normalised(impurities.entropy, guarded=True),
    criteria.imprecise_information_gain(1.5),
    criteria.normalised(sgini),
    Criterion.from_loss(losses.square),
]


def cost(k: int) -> int:
    """What it costs not to see class ``k``: five times as much for the first class as for any other."""
    return 5 if k == 0 else 1


def missed(w: Any, k: int, m: Any) -> Any:
    return cost(k) * (1 - w[k])


def dearest(p: Any, m: Any) -> Any:
    return losses.majority([cost(k) * x for k, x in enumerate(p)], m)


def curved(w: Any, k: int, m: Any) -> Any:
    return 5 + 2 * total([cost(j) * x * x * x for j, x in enumerate(w)]) - 3 * cost(k) * w[k] * w[k]


def itself(p: Any, m: Any) -> Any:
    return p


ASYMMETRIC = [  # the risks sum c p - max c p and 5 - sum c p^3 for costs c: the classes may not be exchanged
    Criterion.from_loss(Loss("costs 5:1", missed, dearest)),
    Criterion.from_loss(Loss("cubes 5:1", curved, itself)),
]


def squared(w: Any, y: Any, m: Any) -> Any:
    return (w - y) * (w - y)


def squares(y: Any, m: Any) -> Any:
    return y, y * y


def mean(t: Any, m: Any) -> Any:
    return t[0]


def variance(t: Any, m: Any) -> Any:
    return t[1] - t[0] * t[0]


SQUARED = ResponseLoss("squared", squared, squares, mean, variance)  # squared error, as a user writes it


def cubes(p: Any, m: Any) -> Any:
    return 1 - sum(x * x * x for x in p)


CUBES = Impurity("cubes", cubes, search=by_sums(lambda n: n**3, times=lambda n: n**-2.0))  # declared by a user
COUNTS_ONLY = (sgini, *WITH_FORM[-3:], BY_FORMULA[-2])


def trees(x: Any, y: Any, classes: int, criterion: Criterion, stopping: Stopping, **options: Any) -> list[GrownTree]:
    """The tree of the reference builder and of one loop."""
    weights, growing = options.pop("weights", None), GrowthOptions(stopping, **options)
    root = reference_of(x, y, classes, criterion, growing, weights=weights)
    root.check()
    return [GrownTree.of(root), grow(Training(x, y, classes, weights), criterion, growing)]


def grow_regression(
    x: Any, y: Any, weights: Any = None, error: Any = "squared_error", growing: GrowthOptions = GrowthOptions(),  # noqa: B008
    ranks: Any = None,
) -> GrownTree:  # fmt: skip
    """The tree of responses that are numbers."""
    return grow(Training(x, y, 0, weights, ranks), error, growing)


def grow_drawn(
    ranks: Any, y: Any, classes: int, criterion: Criterion, growing: GrowthOptions = GrowthOptions(),  # noqa: B008
    counts: Any = None,
) -> GrownTree:  # fmt: skip
    """The tree of classes whose features, by their ranks, are shared by trees."""
    return grow(Training(ranks.values.T, y, classes, counts, ranks), criterion, growing)


def grow_sparse(
    features: Any, y: Any, classes: int, criterion: Criterion, growing: GrowthOptions = GrowthOptions(),  # noqa: B008
    weights: Any = None,
) -> GrownTree:  # fmt: skip
    """The tree of classes whose features are cells."""
    return grow(Training(features, y, classes, weights), criterion, growing)


def by_reference(training: Training, criterion: Criterion, growing: GrowthOptions) -> GrownTree:
    """The tree that the reference builder grows, whatever the loop serves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(one_loop, "source_of", lambda *given: (SampleLayout.REFERENCE, None))
        return grow(training, criterion, growing)


def responses_by(layout: SampleLayout) -> Any:
    """What grows trees of responses with columns sorted once, or at each node, whichever would be chosen."""

    def grown(*given: Any, **options: Any) -> GrownTree:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(one_loop, "source_of", lambda *_: (layout, None))
            return grow_regression(*given, **options)

    return grown


def difference(one: GrownTree, other: GrownTree) -> str:
    """The name of the first field in which two trees differ, empty if they are the same node for node."""
    for name in ("feature", "left", "right", "depth", "size", "missing_left"):
        if not np.array_equal(getattr(one, name), getattr(other, name)):
            return name
    if not np.array_equal(one.threshold, other.threshold, equal_nan=True):
        return "threshold"
    close = {"rtol": 1e-9, "atol": 1e-12, "equal_nan": True}
    return "" if np.allclose(one.score, other.score, **close) and np.allclose(one.weights, other.weights) else "score"


def splitmix64(z: int) -> int:
    """The finaliser of splitmix64 of a Python integer, modulo 2^64."""
    z %= 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31
