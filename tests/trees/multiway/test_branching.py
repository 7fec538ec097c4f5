"""Growing multiway trees: node for node the tree of a plain recursion, and what no estimator has checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from splitcrit import Criterion, Table, agini, decrease, entropy, gini, normalised, sgini, sqrt_gini, twoing
from splitcrit.columns import MEASURES
from splitcrit.criteria import hellinger
from splitcrit.trees import MultiwayRules, MultiwayTree, MultiwayTreeClassifier, grow_multiway
from splitcrit.trees.scan.ties_and_scores import band

SCALE = 1000  # values are integers of this unit
X = np.array([[1.0], [2.0], [10.0], [11.0], [50.0], [51.0]])
Y = np.array([0, 0, 1, 1, 2, 2])
CRITERIA = [sgini, decrease(gini), normalised(entropy), decrease(sqrt_gini), agini]


@dataclass
class Node:
    """A node of the reference: its class counts and depth, and its split, with one (low, high, node) for each child."""

    counts: np.ndarray
    depth: int
    feature: int = -1
    by_value: bool = False
    score: float = np.nan
    children: list[tuple[float, float, Node]] = field(default_factory=list)


def groups(values: np.ndarray, rules: MultiwayRules, by_value: bool) -> list[list[np.ndarray]]:
    """Every way to group different values that Algorithm 1 tries: arrays of neighbours, merged step by step.

    Integers are compared, so that equal distances are equal; of these all pairs with the fewest rows are merged.
    """
    distinct, rows = np.unique(np.rint(values * SCALE), return_counts=True)
    if by_value:
        return [[np.array([x]) / SCALE for x in distinct]]
    clusters = [[(int(x), int(w))] for x, w in zip(distinct, rows, strict=True)]
    found = []
    while len(clusters) > 1:
        if len(clusters) <= (rules.max_clusters or len(distinct)):
            found.append([np.array([x for x, _ in cluster]) / SCALE for cluster in clusters])
        keys = [(apart(a, b, rules.linkage), sum(w for _, w in a + b)) for a, b in pairwise(clusters)]
        joined = [clusters[0]]
        for key, cluster in zip(keys, clusters[1:], strict=True):
            joined[-1:] = [joined[-1] + cluster] if key == min(keys) else [joined[-1], cluster]
        clusters = joined
    return found[::-1]


def apart(a: list[tuple[int, int]], b: list[tuple[int, int]], linkage: str) -> Fraction:
    """How far two clusters of values with numbers of rows are apart."""
    if linkage == "average":
        means = [Fraction(sum(x * w for x, w in c), sum(w for _, w in c)) for c in (a, b)]
        return means[1] - means[0]
    return Fraction(b[0][0] - a[-1][0] if linkage == "single" else b[-1][0] - a[0][0])


def inside(column: np.ndarray, part: np.ndarray) -> np.ndarray:
    """Which rows have a value from the first to the last of a group."""
    return np.isin(np.rint(column * SCALE), np.rint(part * SCALE))


def reference(
    x: Any, y: Any, classes: int, criterion: Criterion, rules: MultiwayRules, categorical: Any, depth: int = 0
) -> Node:
    """Algorithm 1 as it is told."""
    node = Node(np.bincount(y, minlength=classes), depth)
    if len(y) < rules.minnum or (node.counts > 0).sum() < 2 or depth == rules.max_depth:
        return node
    tried = []
    for f in range(x.shape[1]):
        distinct = np.unique(x[:, f])
        by_value = bool(categorical[f] or len(distinct) <= rules.d_num)
        for parts in groups(x[:, f], rules, by_value) if len(distinct) > 1 else []:
            table = np.array([np.bincount(y[inside(x[:, f], part)], minlength=classes) for part in parts])
            tried.append((f, by_value, parts, table, float(criterion(table))))
    width = band(criterion, node.counts[None].astype(float))[0]
    best = max((score for *_, score in tried), default=-np.inf)
    f, by_value, parts, table, score = next((t for t in tried if t[-1] >= best - width), (-1, False, [], None, np.nan))
    if not best > (-np.inf if rules.min_gain is None else max(rules.min_gain, width)):
        return node
    node.feature, node.by_value, node.score = f, by_value, score
    for part in parts:
        rows = inside(x[:, f], part)
        child = reference(x[rows], y[rows], classes, criterion, rules, categorical, depth + 1)
        node.children.append((part[0], part[-1], child))
    return node


def same(tree: MultiwayTree, node: Node, at: int = 0) -> None:
    """Fail where a tree differs from the reference."""
    assert_array_equal(tree.counts[at], node.counts)
    assert (tree.depth[at], tree.feature[at], tree.by_value[at]) == (node.depth, node.feature, node.by_value)
    assert_allclose(tree.score[at], node.score, rtol=1e-9, atol=1e-12)
    children = tree.children(at)
    assert len(children) == len(node.children)
    for number, (low, high, child) in zip(children, node.children, strict=True):
        assert_allclose([tree.low[number], tree.high[number], tree.parent[number]], [low, high, at], rtol=1e-12)
        same(tree, child, number)


def sample(seed: int, n: int = 40) -> tuple[np.ndarray, np.ndarray, int]:
    """Rows with a continuous, a coarse, a discrete and a constant feature, and labels that depend on some of them."""
    rng = np.random.default_rng(seed)
    classes = int(rng.integers(2, 5))
    x = np.column_stack(
        [np.rint(rng.normal(size=n) * SCALE) / SCALE, rng.normal(size=n).round(1), rng.integers(0, 4, n), np.ones(n)]
    )
    y = (np.abs(x[:, 0]) * 2 + x[:, 2] + rng.random(n)).astype(int) % classes
    return x, y, classes


RULES = [
    MultiwayRules(d_num=5),
    MultiwayRules(d_num=0, linkage="average"),
    MultiwayRules(minnum=8, d_num=20, max_depth=3),
    MultiwayRules(d_num=3, max_clusters=3, linkage="complete"),
    MultiwayRules(d_num=5, min_gain=None, max_depth=2),
]


@pytest.mark.each_value
@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"rules {RULES.index(rules)}")
def test_the_tree_is_the_one_of_the_plain_recursion(criterion: Criterion, rules: MultiwayRules) -> None:
    for seed in range(3):
        x, y, classes = sample(seed)
        categorical = np.array([False, False, seed == 1, False])
        expected = reference(x, y, classes, criterion, rules, categorical)
        same(grow_multiway(x, y, classes, criterion, rules, categorical), expected)


def test_a_criterion_may_see_all_features_of_a_node() -> None:
    x, y, classes = sample(2, 200)
    x[:, :2] = x[:, :2].round()
    pvalue, rules = MEASURES["pvalue"], MultiwayRules(min_gain=None)

    def measure(tables: Any) -> Any:
        return np.array([pvalue(table) for table in tables])

    tree = grow_multiway(x, y, classes, measure, rules, np.ones(4, dtype=bool))
    scores = measure([Table.of(column, y) for column in x[:, :3].T])
    assert tree.feature[0] == scores.argmax()
    assert_allclose(tree.score[0], scores.max())
    alone = grow_multiway(x, y, classes, pvalue, rules, np.ones(4, dtype=bool))
    assert alone.feature.tolist() == tree.feature.tolist()
    assert_allclose(alone.score, tree.score)
    with pytest.raises(ValueError, match="compares the features of a node, each by one table"):
        grow_multiway(x, y, classes, measure, MultiwayRules(d_num=2))


# What grows a tree without the estimator.


GROWN: dict[str, Any] = {"x": X, "codes": Y, "classes": 3, "criterion": sgini, "rules": MultiwayRules(d_num=2)}


@pytest.mark.parametrize(
    "wrong",
    [
        *({name: value} for name in ("minnum", "d_num", "max_depth", "max_clusters") for value in (-1, 2.5, "3", True)),
        *({"min_gain": value} for value in (-1, np.nan, np.inf, 10**400)),
        {"max_clusters": 0},
        {"max_clusters": 1},
        {"minnum": 0},
        {"linkage": "ward"},
    ],
    ids=str,
)
def test_rules_that_no_estimator_has_are_refused_as_it_refuses_them(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^[^;]*; got .*; .*$") as ours:
        MultiwayRules(**wrong)
    with pytest.raises(ValueError, match=r".") as estimators:
        MultiwayTreeClassifier(**wrong).fit(X, Y)
    assert str(ours.value) == str(estimators.value)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"x": np.where(X > 40, np.nan, X)}, "features are finite; got nan"),
        ({"x": X[:, 0]}, "features are a matrix; got shape"),
        ({"x": X[:0], "codes": []}, "rows have features and one class code each; got shape"),
        ({"x": X[:, :0]}, "rows have features and one class code each; got shape"),
        ({"codes": Y[:-1]}, "rows have features and one class code each; got shape .* and 5 codes"),
        ({"codes": Y - 1}, "class codes are integers from 0; got -1"),
        ({"codes": Y + 0.5}, "class codes are integers from 0; got 0.5"),
        ({"classes": 0}, "classes is an integer from 1; got 0"),
        ({"classes": 2}, "class codes are below classes=2; got 2; pass classes=3"),
        ({"classes": 10**12}, "classes is an integer from 1 to 10000; got 1000000000000"),
        ({"criterion": twoing}, "a split into many rows needs a criterion for any number of them"),
        ({"criterion": hellinger}, "hellinger is defined for tables of 2 classes; got 3"),
        ({"categorical": [7]}, "categorical_features must be a mask, positions or names of features; got 7"),
    ],
)
def test_what_no_estimator_has_checked_is_checked(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        grow_multiway(**GROWN | wrong)
