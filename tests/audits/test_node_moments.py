"""Sums at nodes are those of a plain loop over the rows of scikit-learn's own paths."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from statistics import pvariance

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from splitcrit.audits.node_moments import NodeLabels, inner, levels, moments, node_sums
from splitcrit.trees.tree_arrays import Structure

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 3)).round(1)
Y = (X[:, 0] > 0) + RNG.integers(0, 2, 150)
TREE = DecisionTreeClassifier(max_depth=5, random_state=0).fit(X, Y)
NEW = RNG.normal(size=(80, 3)).round(1)
LABEL = RNG.integers(0, 3, 80)
PATH = TREE.decision_path(NEW).toarray().astype(bool)
STRUCTURE = Structure.of(TREE)


@pytest.mark.parametrize("times", [None, RNG.integers(0, 4, 80)])
def test_counts_are_those_of_a_loop_over_rows(times: np.ndarray | None) -> None:
    found = node_sums(STRUCTURE, TREE.apply(NEW), NodeLabels(LABEL, 3), times)
    for node in range(len(found)):
        counts = [0, 0, 0]
        for row in range(len(NEW)):
            if PATH[row, node]:
                counts[LABEL[row]] += 1 if times is None else int(times[row])
        assert found[node].tolist() == counts
    each = moments(found, NodeLabels(LABEL, 3))
    for node, counts in enumerate(found.round().astype(int).tolist()):
        shares = [Fraction(c, max(sum(counts), 1)) for c in counts]
        gini = sum(p * (1 - p) for p in shares)
        assert each.n[node] == sum(counts) and each.impurity[node] == pytest.approx(float(gini), rel=1e-13)


@pytest.mark.parametrize("centre", [0.0, 7.0])
def test_moments_of_numbers_are_those_of_a_loop_over_rows(centre: float) -> None:
    response = np.random.default_rng(1).integers(-9, 9, 80).astype(float)
    labels = NodeLabels(response - centre, None, centre)
    found = moments(node_sums(STRUCTURE, TREE.apply(NEW), labels), labels)
    for node in range(len(found.n)):
        mine = [Fraction(response[row]) for row in range(len(NEW)) if PATH[row, node]]
        assert found.n[node] == len(mine)
        if mine:
            assert found.mean[node, 0] == pytest.approx(float(sum(mine) / len(mine)), rel=1e-13, abs=1e-15)
            assert found.impurity[node] == pytest.approx(float(pvariance(mine)), rel=1e-12, abs=1e-12)


def test_levels_hold_every_split_once_below_its_parent() -> None:
    found = levels(STRUCTURE)
    assert sorted(np.concatenate(found).tolist()) == inner(STRUCTURE)[0].tolist()
    for above, below in pairwise(found):
        assert set(below.tolist()) <= {*STRUCTURE.left[above].tolist(), *STRUCTURE.right[above].tolist()}
