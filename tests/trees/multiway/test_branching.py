"""Growing multiway trees: node for node the tree of a plain recursion, and what no estimator has checked."""

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.cluster.hierarchy import linkage
from sklearn.base import clone
from sklearn.datasets import load_iris

from refusals import refused
from splitcrit import Criterion, Table, agini, decrease, entropy, gini, normalised, sgini, sqrt_gini, twoing
from splitcrit.columns import MEASURES
from splitcrit.criteria import hellinger
from splitcrit.nulls.standardisation import exact_score
from splitcrit.trees import MultiwayRules, MultiwayTree, MultiwayTreeClassifier, grow_multiway
from splitcrit.trees.multiway.hierarchy import Hierarchy, Linkage, entries, state_scores
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
    children: list[tuple[float, float, "Node"]] = field(default_factory=list)


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
    fine = np.rint(rng.normal(size=n) * SCALE) / SCALE
    x = np.column_stack([fine, rng.normal(size=n).round(1), rng.integers(0, 4, n), np.ones(n)])
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
        {"max_clusters": 0}, {"max_clusters": 1}, {"minnum": 0}, {"linkage": "ward"},
    ],
    ids=str,
)  # fmt: skip
def test_rules_that_no_estimator_has_are_refused_as_it_refuses_them(wrong: dict[str, Any]) -> None:
    ours = refused(r"^[^;]*; got .*; .*$", MultiwayRules, **wrong)
    assert str(ours) == str(refused(".", MultiwayTreeClassifier(**wrong).fit, X, Y))


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
    refused(said, grow_multiway, error=(ValueError, TypeError), **GROWN | wrong)


# The multiway tree with the interface of scikit-learn: its contract, what each parameter does, real data.


def fitted(seed: int = 3, **parameters: Any) -> tuple[MultiwayTreeClassifier, np.ndarray, np.ndarray]:
    x, y, _ = sample(seed, 300)
    return MultiwayTreeClassifier(**parameters).fit(x, y), x, y


def test_training_rows_end_in_the_leaves_that_counted_them() -> None:
    tree, x, y = fitted()
    for unseen in ("stop", "largest"):
        nodes = clone(tree).set_params(unseen=unseen).fit(x, y).apply(x)
        assert_array_equal(nodes, tree.apply(x))
    nodes = tree.apply(x)
    for leaf in np.unique(nodes):
        assert tree.tree_.width[leaf] == 0
        assert_array_equal(np.bincount(y[nodes == leaf], minlength=len(tree.classes_)), tree.tree_.counts[leaf])
    assert_array_equal(tree.predict(x), tree.classes_[tree.predict_proba(x).argmax(axis=1)])


@pytest.mark.each_value
@pytest.mark.parametrize("minnum", [2, 5, 20, 1000])
@pytest.mark.parametrize("parameters", [{}, {"linkage": "average", "max_clusters": 4}], ids=str)
def test_truncated_trees_are_the_trees_of_larger_minnum(minnum: int, parameters: dict[str, Any]) -> None:
    tree, x, y = fitted(**parameters)
    cut, grown = tree.truncated(minnum), clone(tree).set_params(minnum=minnum).fit(x, y)
    for name, values in vars(grown.tree_).items():
        assert_array_equal(getattr(cut.tree_, name), values)
    assert_array_equal(cut.labels_, grown.labels_)
    assert cut.nodes_per_layer_ == grown.nodes_per_layer_
    assert tree.minnum == 1
    if minnum > 2:
        refused(f"a tree grown with minnum={minnum} holds those of larger ones; got 2; fit with", grown.truncated, 2)


def test_values_between_clusters_belong_to_the_nearer_and_in_the_middle_to_the_left() -> None:
    tree = MultiwayTreeClassifier(d_num=2).fit(X, Y)
    assert tree.tree_.width.tolist() == [3, 0, 0, 0]
    assert (tree.apply([[-5.0], [3.0], [6.0], [7.0], [30.0], [99.0]]) - 1).tolist() == [0, 0, 0, 1, 1, 2]


@pytest.mark.parametrize(
    ("unseen", "ends"), [("nearest", [0, 0, 0, 1, 2]), ("largest", [1, 1, 0, 1, 1]), ("stop", [-1, -1, 0, -1, -1])]
)
def test_values_that_no_child_has(unseen: str, ends: list[int]) -> None:
    x = np.array([[1.0], [1.0], [3.0], [3.0], [3.0], [6.0]])
    tree = MultiwayTreeClassifier(unseen=unseen).fit(x, [0, 0, 1, 1, 1, 2])
    assert (tree.apply([[0.0], [2.0], [1.0], [4.0], [9.0]]) - 1).tolist() == ends
    refused(
        "unseen is one of 'nearest', 'largest', 'stop'; got 'middle'", MultiwayTreeClassifier(unseen="middle").fit, X, Y
    )
    stopped = tree.predict_proba([[9.0]])[0]
    assert_allclose(stopped, {"nearest": [0, 0, 1], "largest": [0, 1, 0], "stop": [1 / 3, 1 / 2, 1 / 6]}[unseen])


def test_the_largest_child_is_the_one_of_most_rows_of_all_classes() -> None:
    x = np.repeat([1.0, 3.0, 6.0], [4, 6, 6])[:, None]
    y = [0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2]
    tree = MultiwayTreeClassifier(criterion="gini", unseen="largest").fit(x, y)
    assert tree.tree_.counts[1:4].tolist() == [[4, 0, 0], [2, 2, 2], [2, 2, 2]]
    assert (tree.apply([[0.0], [2.0], [9.0]]) - 1).tolist() == [1, 1, 1]  # the first of two that are as large


def test_declared_features_branch_on_values() -> None:
    x, y = load_iris(return_X_y=True)
    frame = pd.DataFrame(x, columns=list("abcd"))
    for declared in ([0, 1, 2, 3], [True] * 4, list("abcd")):
        tree = MultiwayTreeClassifier(d_num=0, categorical_features=declared).fit(frame, y).tree_
        assert tree.by_value[tree.inner].all()
        assert_array_equal(tree.low[1:], tree.high[1:])
    assert not MultiwayTreeClassifier(d_num=0).fit(frame, y).tree_.by_value.any()


def test_exports_say_the_tree() -> None:
    tree = MultiwayTreeClassifier(d_num=2).fit(pd.DataFrame({"size": X[:, 0]}), np.array(["s", "m", "l"])[Y])
    assert tree.to_text() == (
        "|--- size in [1, 2]: class s [0, 0, 2]\n"
        "|--- size in [10, 11]: class m [0, 2, 0]\n"
        "|--- size in [50, 51]: class l [2, 0, 0]\n"
    )
    assert MultiwayTreeClassifier(max_depth=0).fit(X, Y).to_text() == "class 0 [2, 2, 2]\n"
    deep, _, _ = fitted()
    assert len(deep.to_text().splitlines()) == len(deep.tree_.width) - 1
    assert all("..." in line or "class" in line for line in deep.to_text(max_depth=1).splitlines())


# Hierarchies against scipy's linkage, and the scores of all states against the score of each table.

MANY_ROWED = [decrease(gini), decrease(entropy), normalised(entropy), agini]


def of_one(rng: np.random.Generator, size: int, classes: int, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Different rising values, with gaps that tie or not, and class counts, in which a value may be pure or single."""
    steps = rng.integers(1, 5, size) if kind == "tied" else rng.random(size) + 0.01
    counts = rng.integers(0, 4, (size, classes))
    if kind == "single":
        counts = np.eye(classes, dtype=int)[rng.integers(0, classes, size)]
    counts[counts.sum(axis=1) == 0, 0] = 1
    return np.cumsum(steps).astype(float), counts


def several(rng: np.random.Generator, kind: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Some segments behind one another."""
    sizes, classes = rng.integers(1, 14, rng.integers(1, 5)), int(rng.integers(2, 5))
    parts = [of_one(rng, int(size), classes, kind) for size in sizes]
    values, counts = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
    return values, counts, np.append(0, np.cumsum(sizes))


def linked(values: np.ndarray, counts: np.ndarray, method: str, starts: Any = None) -> Hierarchy:
    """The hierarchy of one segment, or of some; by the method "apart" one step parts all values."""
    starts = np.array([0, len(values)]) if starts is None else starts
    apart = np.full(len(starts) - 1, method == "apart")
    return Hierarchy.of(values, counts, starts, "single" if method == "apart" else method, apart)


def tables(hierarchy: Hierarchy) -> list[np.ndarray]:
    """The table of each state, counted from where its clusters begin."""
    counts = np.diff(hierarchy.running, axis=0)
    firsts = map(hierarchy.first, range(len(hierarchy.segment)))
    return [np.array([counts[a:b].sum(axis=0) for a, b in pairwise(first)]) for first in firsts]


@pytest.mark.parametrize("method", get_args(Linkage))
def test_states_undo_the_merges_of_scipy(method: str) -> None:
    """For every number of clusters; scipy sees every observation, so that averages weigh values by their counts."""
    rng = np.random.default_rng(7)
    for _ in range(25):
        values, counts = of_one(rng, int(rng.integers(2, 12)), 2, "plain")
        hierarchy, observed = linked(values, counts, method), np.repeat(values, counts.sum(axis=1))
        assert hierarchy.clusters.tolist() == list(range(1, len(values) + 1))
        clusters = {i: [i] for i in range(len(observed))}
        for i, (a, b, *_) in enumerate(linkage(observed[:, None], method)):
            clusters[len(observed) + i] = clusters.pop(int(a)) + clusters.pop(int(b))
            if len(clusters) < len(values):
                first = [values.searchsorted(observed[min(members)]) for members in clusters.values()]
                assert_array_equal(np.sort(first), hierarchy.first(len(clusters) - 1)[:-1])


@pytest.mark.parametrize("kind", ["plain", "tied", "single"])
@pytest.mark.parametrize("method", [*get_args(Linkage), "apart"])
def test_segments_do_not_see_each_other_and_mirrored_rows_have_the_same_scores(kind: str, method: str) -> None:
    """And the score of each state is that of its table."""
    rng = np.random.default_rng(3)
    for case in range(10):
        values, counts, starts = several(rng, kind)
        there = linked(values, counts, method, starts)
        alone = [linked(values[a:b], counts[a:b], method) for a, b in pairwise(starts)]
        scores = np.concatenate([state_scores(sgini, one) for one in alone])
        assert_array_equal(there.clusters, np.concatenate([one.clusters for one in alone]))
        assert_array_equal(there.step[:-1], np.concatenate([one.step[:-1] for one in alone]))
        assert_allclose(state_scores(sgini, there), scores, rtol=1e-12, atol=1e-13)
        if case < 4:
            agree(there, sgini, exact_score, 1e-11)
            agree(there, criterion := MANY_ROWED[case], criterion, 1e-9)
            assert [len(table) for table in tables(there)] == there.clusters.tolist()
        back = linked(-values[::-1], counts[::-1], method, starts[-1] - starts[::-1])
        assert_array_equal(back.step[1:-1], there.step[1:-1][::-1])
        for criterion in (sgini, *MANY_ROWED[:3]):
            mirrored = np.split(state_scores(criterion, back), back.state_starts[1:-1])[::-1]
            assert_array_equal(np.concatenate(mirrored), state_scores(criterion, there))


def agree(hierarchy: Hierarchy, criterion: Criterion, exact: Any, rtol: float) -> None:
    """The score of each state is that of its table; of one cluster there is none."""
    known = [float(exact(table)) if len(table) > 1 else -np.inf for table in tables(hierarchy)]
    assert_allclose(state_scores(criterion, hierarchy), known, rtol=rtol, atol=1e-12)
    wanted = hierarchy.clusters == 2
    assert_array_equal(np.isfinite(state_scores(criterion, hierarchy, wanted)), wanted)


def test_sgini_of_large_counts_loses_few_digits() -> None:
    """Beyond 3.3e5 rows the products of three sizes are no longer exact in float64."""
    counts = np.random.default_rng(6).integers(1, 400_000, (9, 3))
    agree(linked(np.arange(9.0) ** 2, counts, "single"), sgini, exact_score, 1e-12)


def test_sgini_of_many_clusters_loses_few_digits() -> None:
    """Near one cluster a value the mean is a thousand standard deviations."""
    values, counts = of_one(np.random.default_rng(5), 1500, 3, "single")
    hierarchy = linked(values, counts, "single")
    scores = state_scores(sgini, hierarchy)
    for k in (2, 3, 30, 700, 1400, 1490, 1498, 1499, 1500):
        assert_allclose(scores[k - 1], sgini(hierarchy.table(k - 1)), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("method", get_args(Linkage))
def test_a_hierarchy_of_more_values_than_a_narrow_integer_counts(method: str) -> None:
    """Each cut divides a cluster that an earlier one left, or all."""
    m = 40_000
    hierarchy = linked(np.cumsum(np.random.default_rng(0).random(m)), np.ones((m, 1), dtype=np.int64), method)
    assert hierarchy.clusters.tolist()[-1] == m and len(hierarchy.begin) == m + hierarchy.divided.astype(bool).sum()
    inside = [(a, b, d) for a, b, d in zip(hierarchy.begin, hierarchy.end, hierarchy.divided, strict=True) if d][:500]
    assert all(hierarchy.step[a + 1 : b].min() == d for a, b, d in inside)
    assert all(max(hierarchy.step[a], hierarchy.step[b]) < d for a, b, d in inside)


def test_entries_are_the_different_values_of_each_column_with_their_classes() -> None:
    rng = np.random.default_rng(10)
    x, y = rng.integers(0, 5, (3, 40)), rng.integers(0, 3, 40)
    values, counts, starts = entries(x, y, 3)
    for column, a, b in zip(x, starts, starts[1:], strict=False):
        assert_array_equal(values[a:b], np.unique(column))
        truth = [[int(((column == v) & (y == c)).sum()) for c in range(3)] for v in values[a:b]]
        assert counts[a:b].tolist() == truth
