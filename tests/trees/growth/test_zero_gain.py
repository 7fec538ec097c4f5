"""Gains of 0 in integers against exact rationals, where floating point is in doubt too."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from growing import trees
from splitcrit import Criterion, TreeClassifier, decrease, entropy, gce, gini, misclassification, ne, scaled, twoing
from splitcrit.losses import mae
from splitcrit.trees.growth.growth_options import Stopping
from splitcrit.trees.growth.zero_gain import zero_gain

CONSERVATIVE = [
    decrease(misclassification), decrease(ne(1)), decrease(ne(2.5)), decrease(gce(1)), decrease(gce(Fraction(3, 2))),
    decrease(scaled(misclassification, 7)), Criterion.from_loss(mae),
]  # fmt: skip
LAMS = [
    Fraction(1, 4),
    Fraction(3, 5),
    Fraction(99, 100),
    0.3,
    0.6,
    math.nextafter(0.6, 0),
    math.nextafter(1.0, 0),
    1e-9,
]


def squared(counts: list[int], lam: Fraction) -> Fraction:
    """Return the square of ``n`` times the NE impurity, which is rational."""
    n, classes = sum(counts), len(counts)
    root = lam * lam * Fraction(classes - 1, classes) * (n * n - sum(x * x for x in counts))
    return min(Fraction((n - max(counts)) ** 2), root)


def gains_nothing(left: list[int], right: list[int], lam: Fraction) -> bool:
    """Tell whether ``sqrt(a) = sqrt(b) + sqrt(c)`` for the squares of node and sides, in rationals alone."""
    a, b, c = (squared(counts, lam) for counts in ([x + y for x, y in zip(left, right, strict=True)], left, right))
    return a >= b + c and (a - b - c) ** 2 == 4 * b * c


def random_splits(rng, m: int, classes: int) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[no-untyped-def]
    """Return splits of many sizes; some have equal rows, some share a majority, some have a pure side."""
    most = 10 ** rng.integers(1, 5, (m, 1))
    left, right = (rng.integers(0, most, (m, classes)) for _ in range(2))
    kind = rng.integers(0, 5, m)
    right[kind == 1] = left[kind == 1] * rng.integers(1, 9, ((kind == 1).sum(), 1))
    for side in (left, right):
        side[kind == 2, 0] += side[kind == 2].sum(axis=1)
        side[kind == 3, 1:] = 0
        side[:, 0] += side.sum(axis=1) == 0
    return left, right


@pytest.mark.parametrize("lam", LAMS, ids=repr)
def test_ne_gains_nothing_where_exact_rationals_say_so(lam: float | Fraction) -> None:
    rng = np.random.default_rng(1)
    for classes in (2, 3, 6):
        left, right = random_splits(rng, 600, classes)
        found = zero_gain(left, right, decrease(ne(lam)))
        known = [gains_nothing(*split, Fraction(lam)) for split in zip(left.tolist(), right.tolist(), strict=True)]
        assert found is not None and found.tolist() == known
        assert 0 < found.sum() < len(found)


def on_the_edge(rng, lam: Fraction, size: int) -> list[list[int]]:  # type: ignore[no-untyped-def]
    """Return counts of three classes just inside and just outside the zone of ``ne(lam)``."""
    a, b = (int(x) for x in rng.integers(1, size, 2))
    c = (Fraction(3 * (a + b) ** 2) / (4 * lam * lam) - a * b) / (a + b)
    return [[a, b, largest] for largest in (math.floor(c), math.ceil(c)) if largest >= max(a, b)]


@pytest.mark.parametrize("size", [100, 10**6, 10**9, 10**13])
def test_near_ties_of_the_zone(size: int) -> None:
    """At the edge of the zone, where float64 cannot tell the two parts of the impurity apart."""
    rng, doubted = np.random.default_rng(size % 2**32), 0
    for lam in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 5), Fraction(0.6)):
        sides = [counts for _ in range(100) for counts in on_the_edge(rng, lam, size)]
        pure = [[0, 0, 1 + int(n)] for n in rng.integers(0, size, len(sides))]
        found = zero_gain(np.array(sides), np.array(pure), decrease(ne(lam)))
        assert found is not None and found.tolist() == [gains_nothing(*s, lam) for s in zip(sides, pure, strict=True)]
        assert 0.2 < found.mean() < 0.8
        for counts in sides:
            n, root = sum(counts), float(lam) * math.sqrt(2 / 3 * (sum(counts) ** 2 - sum(x * x for x in counts)))
            doubted += abs(n - max(counts) - root) <= 1e-11 * root
    assert doubted > 0 or size < 10**9


def test_a_rational_lam_is_exact_and_a_float_is_what_it_is() -> None:
    """A minority share of 9/34 is the edge of the zone of 3/5; the float 0.6 is a little less than 3/5."""
    for k in (1, 10**3, 10**8, 10**14):
        sides = np.array([[9 * k, 25 * k]]), np.array([[0, k]])
        verdicts = [zero_gain(*sides, decrease(ne(lam))) for lam in (Fraction(3, 5), 0.6, math.nextafter(0.6, 1))]
        assert [bool(v[0]) for v in verdicts if v is not None] == [True, False, True]
    assert Fraction(0.6) < Fraction(3, 5)


@pytest.mark.parametrize("criterion", CONSERVATIVE, ids=repr)
def test_conservative_gains(criterion: Criterion) -> None:
    rng = np.random.default_rng(2)
    for classes in (2, 3, 6):
        left, right = random_splits(rng, 500, classes)
        found = zero_gain(left, right, criterion)
        assert found is not None and 0 < found.sum() < len(found)
        exact = decrease(misclassification).exact
        tables = zip(left.tolist(), right.tolist(), strict=True)
        assert found.tolist() == [exact([*table]) == 0 for table in tables]
    big = 10**15
    splits = np.array([[[big, big], [big + 1, big]], [[big, big + 1], [big + 1, big]], [[big, 7], [big - 1, big - 1]]])
    found = zero_gain(splits[:, 0], splits[:, 1], criterion)
    assert found is not None and found.tolist() == [True, False, True]


def test_other_criteria_have_no_integer_test() -> None:
    sides = np.array([[1, 2]]), np.array([[2, 4]])
    for criterion in (decrease(gini), decrease(entropy), decrease(gce(0.5)), decrease(scaled(gini, 2)), twoing):
        assert zero_gain(*sides, criterion) is None


@pytest.mark.parametrize(("lam", "nodes"), [(Fraction(3, 5), 1), (0.6, 3), (math.nextafter(0.6, 1), 1)], ids=repr)
def test_every_builder_asks_integers(lam: float | Fraction, nodes: int) -> None:
    """A gain of some 1e-17, far below a tie, is a gain; floating point alone would not split."""
    y = np.repeat([0, 1, 1], [9, 25, 1])
    x = np.repeat([0.0, 0.0, 1.0], [9, 25, 1])[:, None].astype(np.float32)
    for weights in (None, np.full(35, 3.0)):
        found = trees(x, y, 2, decrease(ne(lam)), Stopping(), weights=weights)
        assert [len(tree.left) for tree in found] == [nodes] * len(found)
    assert TreeClassifier(criterion=ne(lam)).fit(x, y).tree_.node_count == nodes
    assert TreeClassifier(criterion=ne(lam)).fit(x, y, np.full(35, 0.3)).tree_.node_count == 1  # no counts: floats


def test_and_of_two_bits_stops_a_conservative_tree_at_its_root() -> None:
    x = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    y = x.all(axis=1)
    assert [TreeClassifier(criterion=c).fit(x, y).tree_.node_count for c in (misclassification, gini)] == [1, 5]
