"""The thinnest whole path: a loss as a user writes it, to a tree of ten lines, and through every arithmetic."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np

from splitcrit import Criterion, Loss, gini
from splitcrit.arith import EXACT, FLOAT
from splitcrit.proof import Identity, NearMiss, Theorem, settle


def at(w, k, m):  # type: ignore[no-untyped-def]
    """Return the squared distance between the action and the true class."""
    return sum((x - (j == k)) * (x - (j == k)) for j, x in enumerate(w))


def act(p, m):  # type: ignore[no-untyped-def]
    return p


brier = Loss("brier", at, act)
criterion = Criterion.from_loss(brier)


def grow(x, y, depth):  # type: ignore[no-untyped-def]
    """Return a tree as nested tuples (feature, threshold, left, right), leaves as class counts."""
    counts = np.bincount(y, minlength=2)
    best = (1e-12, None)
    for j in range(x.shape[1]) if depth else ():
        order = np.argsort(x[:, j], kind="stable")
        left = np.cumsum(np.eye(2)[y[order]], axis=0)[:-1].T
        scores = np.where(np.diff(x[order, j]) > 0, criterion.score((left, counts[:, None] - left), FLOAT), -1)
        if scores.size and scores.max() > best[0]:
            i = int(scores.argmax())
            best = (scores[i], (j, x[order[i : i + 2], j].mean()))
    if best[1] is None:
        return counts.tolist()
    (j, cut), low = best[1], x[:, best[1][0]] <= best[1][1]
    return j, cut, grow(x[low], y[low], depth - 1), grow(x[~low], y[~low], depth - 1)


def test_a_ten_line_tree_grows_with_the_criterion() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 3))
    y = ((x[:, 1] > 0.3) & (x[:, 2] < 0)).astype(int)
    feature, cut, left, right = grow(x, y, 2)
    assert {feature, right[0], left[0] if isinstance(left, tuple) else 1} <= {1, 2}
    assert sorted([feature, (right if isinstance(right, tuple) else left)[0]]) == [1, 2]
    assert isinstance(cut, float)


def test_one_formula_in_every_arithmetic() -> None:
    p = [Fraction(1, 5), Fraction(3, 10), Fraction(1, 2)]
    exact = criterion.impurity.of(p, EXACT)  # type: ignore[union-attr]
    assert exact == gini(p) == Fraction(31, 50)
    assert np.isclose(criterion.impurity([0.2, 0.3, 0.5]), float(exact))  # type: ignore[misc]
    assert criterion.exact([[2, 0], [1, 3]]) == Fraction(1, 4)


def test_it_pickles_and_prints() -> None:
    again = pickle.loads(pickle.dumps(criterion))
    assert again == criterion and repr(criterion) == "Criterion.from_loss(brier)"


def test_a_theorem_about_it() -> None:
    def distribution(v):  # type: ignore[no-untyped-def]
        return [v.a / (v.a + v.b), v.b / (v.a + v.b)]

    impurity = criterion.impurity
    assert impurity is not None
    variables = {"a": "positive", "b": "positive"}

    def found(v, m):  # type: ignore[no-untyped-def]
        return impurity.of(distribution(v), m)

    def half(v, m):  # type: ignore[no-untyped-def]
        return v.a * v.b / (v.a + v.b) ** 2

    unnormalised = Identity(variables, lambda v, m: impurity.of([v.a, v.b], m), found)
    theorem = Theorem(
        "slice.brier_impurity_is_gini",
        "the minimised risk of the squared distance is 2 p (1 - p) at two classes",
        "yang2019, Table I",
        Identity(variables, found, lambda v, m: 2 * half(v, m)),
        (
            NearMiss("it is p (1 - p)", Identity(variables, found, half)),
            NearMiss("for weights that are not normalised", unnormalised, "hypothesis"),
        ),
    )
    assert settle(theorem).settled
