"""Look-ahead against a slow recursion that tries everything, and what it promises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from growing import BY_FORMULA, WITH_FORM, difference
from splitcrit.arith import FLOAT
from splitcrit.criteria import Criterion, decrease, twoing
from splitcrit.growth import GrownTree, GrowthOptions, LookAhead, Stopping, grow
from splitcrit.impurities import gini
from splitcrit.search import Columns
from splitcrit.search.ties_and_scores import band
from splitcrit.trees import ReferenceNode as Node

CRITERIA = [*WITH_FORM[:4], twoing, BY_FORMULA[0], BY_FORMULA[3]]


def scored(x, hot, rows, criterion: Criterion, least: int):  # type: ignore[no-untyped-def]
    """Return (score, feature, threshold, rows left) of every split of a node, in the order of the tie rule."""
    found = []
    for f in range(x.shape[1]):
        values = np.unique(x[rows, f])
        for cut in (values[:-1] + values[1:]) / 2:
            goes = x[rows, f] <= cut
            if min(goes.sum(), (~goes).sum()) >= least:
                sides = hot[rows[goes]].sum(axis=0), hot[rows[~goes]].sum(axis=0)
                score = float(criterion.score(tuple(side[:, None] for side in sides), FLOAT)[0])
                found.append((score, f, cut, goes))
    return found


def first_of_ties(splits, width: float):  # type: ignore[no-untyped-def]
    return next(s for s in splits if s[0] >= max(t[0] for t in splits) - width)


def slow(x, y, classes: int, criterion: Criterion, stopping: Stopping, look: LookAhead) -> GrownTree:  # type: ignore[no-untyped-def]
    """Grow a tree with look-ahead, by its definition."""
    hot = (y[:, None] == np.arange(classes)).astype(float)

    def best(rows, depth: int):  # type: ignore[no-untyped-def]
        """Return the splits of a node and its best one, None if the node stays a leaf."""
        open_ = (hot[rows].sum(axis=0) > 0).sum() > 1 and stopping.open(len(rows), depth)
        splits = scored(x, hot, rows, criterion, stopping.min_samples_leaf) if open_ else []
        width = band(criterion, hot[rows].sum(axis=0)[None])[0]
        top = first_of_ties(splits, width) if splits else None
        return splits, top if splits and stopping.pays(max(s[0] for s in splits), width) else None, width

    def gain(rows, depth: int) -> float:  # type: ignore[no-untyped-def]
        splits, top, _ = best(rows, depth)
        return 0.0 if top is None else len(rows) * max(s[0] for s in splits)

    def grown(rows, depth: int) -> Node:  # type: ignore[no-untyped-def]
        node = Node(rows, hot[rows].sum(axis=0), depth)
        splits, top, width = best(rows, depth)
        if top is None:
            return node
        tried, left = [], splits
        while left and len(tried) < look.count:
            chosen = first_of_ties(left, width)
            tried.append(chosen)
            share = look.min_difference * len(rows)
            left = [s for s in left if s is not chosen and (s[1] != chosen[1] or (s[3] != chosen[3]).sum() >= share)]
        totals = [
            (len(rows) * s[0] + gain(rows[s[3]], depth + 1) + gain(rows[~s[3]], depth + 1), *s[1:]) for s in tried
        ]
        _, node.feature, node.threshold, goes = first_of_ties(totals, len(rows) * width)
        node.score = next(s[0] for s in tried if s[3] is goes)
        node.missing_left = bool(goes.sum() > (~goes).sum())
        node.left, node.right = grown(rows[goes], depth + 1), grown(rows[~goes], depth + 1)
        return node

    return GrownTree.of(grown(np.arange(len(y)), 0))


@st.composite
def problems(draw):  # type: ignore[no-untyped-def]
    n, d, classes = draw(st.integers(2, 30)), draw(st.integers(1, 3)), draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    x = rng.integers(0, draw(st.integers(2, 20)), (n, d)).astype(np.float64)
    stopping = Stopping(
        max_depth=draw(st.sampled_from([None, 2])),
        min_samples_leaf=draw(st.integers(1, 3)),
        min_gain=draw(st.sampled_from([0.0, None])),
    )
    look = LookAhead(draw(st.integers(1, 6)), draw(st.sampled_from([0.0, 0.05, 0.3])))
    return x, rng.integers(0, classes, n), classes, stopping, look


@given(problems(), st.sampled_from(CRITERIA[:-1]))
def test_look_ahead_is_what_its_definition_says(problem, criterion: Criterion) -> None:  # type: ignore[no-untyped-def]
    x, y, classes, stopping, look = problem
    known = slow(x, y, classes, criterion, stopping, look)
    found = grow(Columns.of(x, y, classes), criterion, GrowthOptions(stopping, look_ahead=look))
    assert difference(known, found) == "", criterion


@pytest.mark.each_value
@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
@pytest.mark.parametrize("options", [{}, {"max_features": 2, "seed": 3}, {"max_leaf_nodes": 9}], ids=str)
def test_one_split_ahead_is_the_plain_tree(criterion: Criterion, options: dict) -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(150, 5)).astype(np.float32), rng.integers(0, 3, 150)
    x[rng.random(x.shape) < 0.05] = np.nan
    columns = Columns.of(x, y, 3, rng.integers(1, 3, 150).astype(float))
    plain, one = (grow(columns, criterion, GrowthOptions(look_ahead=a, **options)) for a in (None, LookAhead(1)))
    assert difference(plain, one) == ""
    if "max_features" not in options:  # where all thresholds count as one, there is one candidate a feature
        alone = Columns.of(x[:, :1], y, 3)
        trees = [
            grow(alone, criterion, GrowthOptions(Stopping(max_depth=1), look_ahead=a))
            for a in (None, LookAhead(9, 1.0))
        ]
        assert difference(*trees) == ""


def test_the_first_round_is_the_tie_rules_choice() -> None:
    """With one candidate a feature and children that cannot be split, the best of many is the plain split."""
    rng = np.random.default_rng(2)
    for _ in range(30):
        x, y = rng.integers(0, 6, (40, 4)).astype(np.float32), rng.integers(0, 3, 40)
        x[rng.random(x.shape) < 0.1] = np.nan
        columns, stopping = Columns.of(x, y, 3), Stopping(max_depth=1)
        trees = [grow(columns, twoing, GrowthOptions(stopping, look_ahead=a)) for a in (None, LookAhead(7))]
        assert difference(*trees) == ""


def test_two_steps_find_what_one_step_cannot() -> None:
    """On a checkerboard the line between two fields gains next to nothing by itself, and all in two steps."""
    leaves = np.zeros(2, int)
    for seed in range(10):
        x = np.random.default_rng(seed).random((300, 3))
        columns = Columns.of(x, ((x[:, 0] > 0.5) != (x[:, 1] > 0.5)).astype(int), 2, None)
        leaves += [
            (grow(columns, decrease(gini), GrowthOptions(look_ahead=LookAhead(n))).left < 0).sum() for n in (1, 30)
        ]
    assert leaves[1] < 0.7 * leaves[0], leaves


def test_every_split_made_is_significant() -> None:
    from splitcrit import gini_pvalue

    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(300, 4)).astype(np.float32), rng.integers(0, 2, 300)
    y[x[:, 0] + x[:, 1] > 0.5] = 1
    tree = grow(Columns.of(x, y, 2), decrease(gini), GrowthOptions(Stopping(max_pvalue=0.01), look_ahead=LookAhead(5)))
    inner = np.flatnonzero(tree.left >= 0)
    assert len(inner) > 1
    for i in inner:
        assert gini_pvalue([tree.weights[tree.left[i]], tree.weights[tree.right[i]]]).value <= 0.01


@pytest.mark.parametrize(("options", "got"), [({"splitter": "random"}, "random ones")])
def test_look_ahead_compares_thresholds(options: dict, got: str) -> None:
    columns = Columns.of(np.arange(6.0)[:, None], np.array([0, 1, 0, 1, 1, 0]), 2)
    with pytest.raises(ValueError, match=f"look_ahead compares all thresholds; got {got}; pass look_ahead=None"):
        grow(columns, decrease(gini), GrowthOptions(look_ahead=LookAhead(2), **options))
