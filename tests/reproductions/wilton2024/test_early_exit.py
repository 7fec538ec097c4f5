"""The search for twoing that ends early, against exact fractions, and the library where it does not end early."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from reproductions.wilton2024.early_exit import EarlyExit, Tree, search
from splitcrit import twoing


def exact(X, y, rows, order, features, enough):
    """The split that a search in this order makes, in fractions: its gain, feature and threshold."""
    best, found, tried = Fraction(0), (-1, None), 0
    n, share = len(rows), Fraction(sum(int(y[i]) for i in rows), len(rows))
    for f in order:
        values = sorted({int(X[i, f]) for i in rows})
        if len(values) == 1 or tried == features:
            continue
        tried += 1
        for low, high in pairwise(values):
            left = [int(y[i]) for i in rows if X[i, f] <= low]
            part = Fraction(len(left), n)
            # twoing of two classes is the variance that the split takes from the share of class 1
            gain = part / (1 - part) * (Fraction(sum(left), len(left)) - share) ** 2
            if gain > best:
                best, found = gain, (int(f), Fraction(low + high, 2))
            if enough is not None and best >= enough:
                return best, *found
    return best, *found


def gain_of(X, y, rows, f, cut):
    """The twoing gain of a split, in fractions."""
    if f < 0:
        return Fraction(0)
    sides = [[int(y[i]) for i in rows if (X[i, f] <= cut) == side] for side in (True, False)]
    left, right = (Fraction(sum(side), len(side)) for side in sides)
    return Fraction(len(sides[0]) * len(sides[1]), len(rows) ** 2) * (left - right) ** 2


@pytest.mark.parametrize("early", [True, False])
def test_the_search_is_the_one_in_fractions(early):
    rng, ended = np.random.default_rng(0), 0
    for _ in range(100):
        n, d = int(rng.integers(2, 12)), int(rng.integers(1, 6))
        X, y = rng.integers(0, 4, (n, d)), rng.integers(0, 2, n)
        rows, order, features = np.flatnonzero(rng.random(n) < 0.8), rng.permutation(d), int(rng.integers(1, d + 1))
        if not 0 < y[rows].sum() < len(rows):
            continue
        errors = int(min(y[rows].sum(), (1 - y[rows]).sum()))
        enough = Fraction(2 * errors, 10 * n)  # there are ten times as many rows in all
        levels = [np.unique(column, return_inverse=True) for column in X.T]
        many = np.array([len(values) for values, _ in levels])
        places = np.stack([place for _, place in levels])
        f, low, high = search(places, many, y, rows, order, features, float(enough) if early else np.inf)
        cut = Fraction(int(levels[f][0][low] + levels[f][0][high]), 2)
        gain, *split = exact(X, y, rows, order, features, enough if early else None)
        assert gain_of(X, y, rows, f, cut) == gain
        assert gain < enough or not early or [f, cut] == split  # where the search ended there is no tie
        ended += gain < exact(X, y, rows, order, features, None)[0]
    assert (ended > 10) == early  # it does end early, and only if asked to


@pytest.mark.slow
def test_without_the_early_end_every_split_is_the_best_by_the_criterion_of_the_library():
    rng = np.random.default_rng(1)
    X, y = rng.random((80, 3)), rng.integers(0, 2, 80)
    (tree,) = EarlyExit(early=False).fit(X, y).estimators_
    rows = {0: np.arange(80)}
    for node, f in enumerate(tree.feature):
        mine = rows.pop(node)
        tables = [
            [np.bincount(y[mine][side], minlength=2) for side in (X[mine, g] <= cut, X[mine, g] > cut)]
            for g in range(3)
            for cut in np.sort(X[mine, g])[:-1]
        ]
        if f < 0:
            assert len(set(y[mine])) == 1 and tree.share[node] == y[mine[0]]
            continue
        goes = X[mine, f] <= tree.threshold[node]
        made = [np.bincount(y[mine][side], minlength=2) for side in (goes, ~goes)]
        assert float(twoing(made)) == pytest.approx(twoing(np.array(tables)).max(), rel=1e-12)
        rows |= dict(zip(tree.children[node].tolist(), (mine[goes], mine[~goes]), strict=True))
    assert not rows


def test_in_a_node_of_few_rows_the_first_gain_ends_the_search():
    X, y = np.zeros((100, 3)), np.zeros(100, dtype=int)
    X[:4, 0], y[:3] = 1, 1  # feature 0 makes a node of four rows, three of class 1: a risk of 2/100
    X[:3, 1], X[:2, 2], X[4:52, 1], X[52:, 2] = 1, 1, 1, 1  # there, feature 1 parts the classes and feature 2 does not
    second = {early: set() for early in (True, False)}
    for early, found in second.items():
        for seed in range(20):
            (tree,) = EarlyExit(early=early, random_state=seed).fit(X, y).estimators_
            assert tree.feature[0] == 0
            found.add(int(tree.feature[tree.children[0, 1]]))
    assert second == {True: {1, 2}, False: {1}}


def test_a_forest_averages_the_leaves_of_its_trees():
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 2, (60, 6)).astype(float), rng.integers(0, 2, 60)
    model = EarlyExit(trees=7, features=2, random_state=3).fit(X, y)
    mean = sum(tree.shares(X) for tree in model.estimators_) / 7
    assert np.array_equal(model.predict(X), mean > 0.5) and len({t.get_n_leaves() for t in model.estimators_}) > 1
    again = EarlyExit(trees=7, features=2, random_state=3).fit(X, y)
    assert np.array_equal(model.predict(X), again.predict(X))


def test_depth_and_leaves_of_a_tree_by_hand():
    children = np.array([[1, 2], [0, 0], [3, 4], [0, 0], [0, 0]])
    tree = Tree(
        np.array([0, -1, 1, -1, -1]), np.array([0.5, 0, 0.5, 0, 0]), children, np.array([0.5, 0.1, 0.6, 0.2, 0.9])
    )
    assert (tree.get_n_leaves(), tree.get_depth()) == (3, 2)
    assert tree.shares(np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])).tolist() == [0.1, 0.2, 0.9]
