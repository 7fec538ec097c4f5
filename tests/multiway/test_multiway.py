"""Multiway trees: node for node the tree of a plain recursion; what each parameter does; scikit-learn's contract."""

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.cluster.hierarchy import linkage
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.metrics import accuracy_score
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from splitcrit import (
    Criterion,
    Table,
    TreeClassifier,
    agini,
    decrease,
    entropy,
    gini,
    gini_gain,
    normalised,
    sgini,
    sqrt_gini,
    twoing,
)  # fmt: skip
from splitcrit.criteria import dkm, hellinger
from splitcrit.discretize import GapClustering
from splitcrit.importance import MEASURES
from splitcrit.impurities import Search
from splitcrit.metrics import accuracy, nodes_per_layer, pure_accuracy
from splitcrit.multiway import MultiwayRules, MultiwayTree, MultiwayTreeClassifier, grow_multiway
from splitcrit.multiway.as_text import _quoted
from splitcrit.nulls import gini_pvalue
from splitcrit.search.ties_and_scores import band

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
    """Every way to group different values that Algorithm 1 tries: arrays of neighbours, by scipy's linkage of rows."""
    distinct, first = np.unique(values, return_index=True)
    if by_value:
        return [[distinct[[i]] for i in range(len(distinct))]]
    ordered = np.sort(values)
    clusters = {i: [v] for i, v in enumerate(ordered.tolist())}
    found = {len(distinct): [distinct[[i]] for i in range(len(distinct))]}
    for i, (a, b, *_) in enumerate(linkage(ordered[:, None], rules.linkage)):
        clusters[len(ordered) + i] = clusters.pop(int(a)) + clusters.pop(int(b))
        kept = sorted((np.unique(c) for c in clusters.values()), key=lambda c: c[0])
        if len(kept) == len(np.unique([c[0] for c in kept])) and all(x[-1] < y[0] for x, y in pairwise(kept)):
            found.setdefault(len(kept), kept)
    most = rules.max_clusters or len(distinct)
    assert sorted(found) == list(range(1, len(distinct) + 1)) and len(first) == len(distinct)
    return [found[k] for k in range(2, len(distinct) + 1) if k <= most]


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
            table = np.array([np.bincount(y[np.isin(x[:, f], part)], minlength=classes) for part in parts])
            tried.append((f, by_value, parts, table, float(criterion(table))))
    width = band(criterion, node.counts[None].astype(float))[0]
    best = max((score for *_, score in tried), default=-np.inf)
    f, by_value, parts, table, score = next((t for t in tried if t[-1] >= best - width), (-1, False, [], None, np.nan))
    if not best > (-np.inf if rules.min_gain is None else max(rules.min_gain, width)):
        return node
    if rules.max_pvalue is not None and float(gini_pvalue(table)) > rules.max_pvalue:
        return node
    node.feature, node.by_value, node.score = f, by_value, score
    for part in parts:
        rows = np.isin(x[:, f], part)
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
        assert (tree.low[number], tree.high[number], tree.parent[number]) == (low, high, at)
        same(tree, child, number)


def sample(seed: int, n: int = 40) -> tuple[np.ndarray, np.ndarray, int]:
    """Rows with a continuous, a coarse, a discrete and a constant feature, and labels that depend on some of them."""
    rng = np.random.default_rng(seed)
    classes = int(rng.integers(2, 5))
    x = np.column_stack([rng.normal(size=n), rng.normal(size=n).round(1), rng.integers(0, 4, n), np.ones(n)])
    y = (np.abs(x[:, 0]) * 2 + x[:, 2] + rng.random(n)).astype(int) % classes
    return x, y, classes


RULES = [
    MultiwayRules(d_num=5),
    MultiwayRules(d_num=0, linkage="average"),
    MultiwayRules(minnum=8, d_num=20, max_depth=3),
    MultiwayRules(d_num=3, max_clusters=3, linkage="complete"),
    MultiwayRules(d_num=5, min_gain=None, max_depth=2),
    MultiwayRules(d_num=5, max_pvalue=0.2),
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


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y, classes = sample(5, 200)
    rules, by_tables = MultiwayRules(), replace(sgini, search=replace(sgini.search, form=None))
    whole = grow_multiway(x, y, classes, by_tables, rules)
    monkeypatch.setattr("splitcrit.multiway.multiway_source.BLOCK", 1)
    for name, values in vars(grow_multiway(x, y, classes, by_tables, rules)).items():
        assert_allclose(values, getattr(whole, name), rtol=1e-12)


@dataclass(frozen=True)
class AboveAverage:
    """The Gini gain above the average over the features of the node: a score that no single table has."""

    def __call__(self, t: Any, m: Any) -> Any:
        return decrease(gini).score(t, m)


def above_average(tables: list[np.ndarray]) -> np.ndarray:
    """The scores of the tables of a node."""
    gains = np.array([gini_gain(table) for table in tables])
    return gains - gains.mean()


ABOVE = Criterion("above", AboveAverage(), search=Search(of_node=above_average))


def test_a_criterion_may_see_all_features_of_a_node() -> None:
    x, y, classes = sample(2, 200)
    x[:, :2] = x[:, :2].round()
    declared = np.ones(4, dtype=bool)
    plain = grow_multiway(x, y, classes, decrease(gini), MultiwayRules(min_gain=None), declared)
    above = grow_multiway(x, y, classes, ABOVE, MultiwayRules(min_gain=None), declared)
    assert_array_equal(above.feature, plain.feature)
    assert_array_equal(above.counts, plain.counts)
    root = [gini_gain(Table.of(column, y)) for column in x.T]
    assert_allclose(above.score[0], max(root) - np.mean(root[:3]))
    estimator = MultiwayTreeClassifier(criterion=MEASURES["pvalue"], d_num=50, minnum=30).fit(x, y)
    root = [Table.of(column, y) for column in x[:, :3].T]
    assert_allclose(estimator.tree_.score[0], MEASURES["pvalue"](root).max())
    with pytest.raises(ValueError, match="above compares the features of a node, each by one table"):
        grow_multiway(x, y, classes, ABOVE, MultiwayRules(d_num=2))


# The estimator.


CHECKED = [
    MultiwayTreeClassifier(),
    MultiwayTreeClassifier(criterion="gini", d_num=0, linkage="average", minnum=3),
    MultiwayTreeClassifier(criterion=agini, linkage="complete", max_clusters=5),
    MultiwayTreeClassifier(clustering="once", gaps="left"),
    MultiwayTreeClassifier(criterion="gain_ratio", count_values="data", max_pvalue=0.5),
]


@pytest.mark.each_value
@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(CHECKED)
def test_contract_of_scikit_learn(estimator, check) -> None:  # type: ignore[no-untyped-def]
    check(estimator)


def fitted(seed: int = 3, **parameters: Any) -> tuple[MultiwayTreeClassifier, np.ndarray, np.ndarray]:
    x, y, _ = sample(seed, 300)
    return MultiwayTreeClassifier(**parameters).fit(x, y), x, y


def test_training_rows_end_in_the_leaves_that_counted_them() -> None:
    tree, x, y = fitted()
    for policy in ({"gaps": "stop", "unseen": "stop"}, {"gaps": "left", "unseen": "largest"}, {"gaps": "right"}):
        nodes = clone(tree).set_params(**policy).fit(x, y).apply(x)
        assert_array_equal(nodes, tree.apply(x))
    nodes = tree.apply(x)
    for leaf in np.unique(nodes):
        assert tree.tree_.width[leaf] == 0
        assert_array_equal(np.bincount(y[nodes == leaf], minlength=len(tree.classes_)), tree.tree_.counts[leaf])
    assert_array_equal(tree.predict(x), tree.classes_[tree.predict_proba(x).argmax(axis=1)])


@pytest.mark.each_value
@pytest.mark.parametrize("minnum", [2, 5, 20, 1000])
@pytest.mark.parametrize("parameters", [{}, {"max_pvalue": 0.3, "ties": "parent"}, {"clustering": "once"}], ids=str)
def test_truncated_trees_are_the_trees_of_larger_minnum(minnum: int, parameters: dict[str, Any]) -> None:
    tree, x, y = fitted(**parameters)
    cut, grown = tree.truncated(minnum), clone(tree).set_params(minnum=minnum).fit(x, y)
    for name, values in vars(grown.tree_).items():
        assert_array_equal(getattr(cut.tree_, name), values)
    assert_array_equal(cut.labels_, grown.labels_)
    assert cut.nodes_per_layer_ == grown.nodes_per_layer_
    assert tree.minnum == 1


def test_minnum_cannot_be_lowered_afterwards() -> None:
    with pytest.raises(ValueError, match="a tree grown with minnum=5 holds those of larger ones; got 2; fit with the"):
        fitted(minnum=5)[0].truncated(2)


X = np.array([[1.0], [2.0], [10.0], [11.0], [50.0], [51.0]])
Y = np.array([0, 0, 1, 1, 2, 2])


@pytest.mark.parametrize(
    ("gaps", "ends"),
    [("nearest", [0, 0, 0, 1, 1, 2]), ("left", [0, 0, 0, 0, 1, 2]), ("right", [0, 1, 1, 1, 2, 2]),
     ("stop", [0, -1, -1, -1, -1, 2])],
)  # fmt: skip
def test_values_between_clusters(gaps: str, ends: list[int]) -> None:
    tree = MultiwayTreeClassifier(d_num=2, gaps=gaps).fit(X, Y)
    assert tree.tree_.width.tolist() == [3, 0, 0, 0]
    assert (tree.apply([[-5.0], [3.0], [6.0], [7.0], [30.0], [99.0]]) - 1).tolist() == ends


@pytest.mark.parametrize(
    ("unseen", "ends"), [("nearest", [0, 0, 0, 1, 2]), ("largest", [1, 1, 0, 1, 1]), ("stop", [-1, -1, 0, -1, -1])]
)
def test_values_that_no_child_has(unseen: str, ends: list[int]) -> None:
    x = np.array([[1.0], [1.0], [3.0], [3.0], [3.0], [6.0]])
    tree = MultiwayTreeClassifier(unseen=unseen).fit(x, [0, 0, 1, 1, 1, 2])
    assert (tree.apply([[0.0], [2.0], [1.0], [4.0], [9.0]]) - 1).tolist() == ends
    stopped = tree.predict_proba([[9.0]])[0]
    assert_allclose(stopped, {"nearest": [0, 0, 1], "largest": [0, 1, 0], "stop": [1 / 3, 1 / 2, 1 / 6]}[unseen])


def test_ties_of_classes() -> None:
    x, y = np.array([[0.0], [0.0], [1.0], [1.0], [1.0]]), [0, 1, 1, 1, 1]
    assert MultiwayTreeClassifier().fit(x, y).predict([[0.0]]).tolist() == [0]
    assert MultiwayTreeClassifier(ties="parent").fit(x, y).predict([[0.0]]).tolist() == [1]


def test_the_largest_child_is_the_one_of_most_rows_of_all_classes() -> None:
    x = np.repeat([1.0, 3.0, 6.0], [4, 6, 6])[:, None]
    y = [0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2]
    tree = MultiwayTreeClassifier(criterion="gini", unseen="largest").fit(x, y)
    assert tree.tree_.counts[1:4].tolist() == [[4, 0, 0], [2, 2, 2], [2, 2, 2]]
    assert (tree.apply([[0.0], [2.0], [9.0]]) - 1).tolist() == [1, 1, 1]  # the first of two that are as large


def told(tree: MultiwayTree, node: int) -> int:
    """The class that is first by its counts here, then at the parent, and so on up to the root."""
    up = [node]
    while tree.parent[up[-1]] >= 0:
        up.append(int(tree.parent[up[-1]]))
    return max(range(tree.counts.shape[1]), key=lambda k: tree.counts[up, k].tolist())


def test_ties_are_told_apart_by_the_parent_or_whoever_is_above_it() -> None:
    far = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        x, y = rng.integers(0, 3, (60, 4)), rng.integers(0, 4, 60)
        tree = grow_multiway(x.astype(float), y, 4, sgini, MultiwayRules(min_gain=None))
        assert tree.labels(by_parent=True).tolist() == [told(tree, node) for node in range(len(tree.width))]
        assert tree.labels().tolist() == [row.index(max(row)) for row in tree.counts.tolist()]
        most = tree.counts == tree.counts.max(axis=1, keepdims=True)
        far += sum((most[n] & most[tree.parent[n]]).sum() > 1 for n in range(1, len(most)))
    assert far > 10  # where the parent does not tell either


def test_declared_features_branch_on_values() -> None:
    x, y = load_iris(return_X_y=True)
    frame = pd.DataFrame(x, columns=list("abcd"))
    for declared in ([0, 1, 2, 3], [True] * 4, list("abcd")):
        tree = MultiwayTreeClassifier(d_num=0, categorical_features=declared).fit(frame, y).tree_
        assert tree.by_value[tree.inner].all()
        assert_array_equal(tree.low[1:], tree.high[1:])
    none = MultiwayTreeClassifier(d_num=0).fit(frame, y).tree_
    assert not none.by_value.any()


def test_values_are_counted_at_the_node_or_in_the_data() -> None:
    x, y, _ = sample(0, 200)
    at_node = MultiwayTreeClassifier(d_num=6).fit(x, y).tree_
    in_data = MultiwayTreeClassifier(d_num=6, count_values="data").fit(x, y).tree_
    assert set(in_data.feature[in_data.by_value]) <= {2}
    assert at_node.by_value[np.isin(at_node.feature, [0, 1])].any()


def test_clustered_once_is_clustered_at_the_root() -> None:
    tree, x, y = fitted(clustering="once", d_num=5)
    assert tree.edges_[2] is None and tree.edges_[3] is None
    codes = np.column_stack([x[:, f] if e is None else np.searchsorted(e, x[:, f]) for f, e in enumerate(tree.edges_)])
    again = MultiwayTreeClassifier(categorical_features=[0, 1, 2, 3]).fit(codes, y)
    assert_array_equal(tree.predict(x), again.predict(codes))
    assert_array_equal(tree.tree_.counts, again.tree_.counts)


@pytest.mark.parametrize("max_clusters", [None, 3])
def test_clusters_at_the_root_are_those_asked_for(max_clusters: int | None) -> None:
    x, y, _ = sample(5, 120)
    seen = set()
    for linkage_ in ("single", "complete", "average"):
        options: dict[str, Any] = {"linkage": linkage_, "max_clusters": max_clusters}
        tree = MultiwayTreeClassifier(clustering="once", d_num=5, **options).fit(x, y)
        expected = GapClustering(criterion="sgini", **options).fit(x[:, :2], tree.classes_.searchsorted(y)).edges_
        assert [edges.tolist() for edges in tree.edges_[:2]] == [edges.tolist() for edges in expected]
        seen.add(str(expected))
    assert len(seen) == 3  # each linkage has clusters of its own


def test_declared_features_branch_on_values_wherever_values_are_counted() -> None:
    x, y, _ = sample(0, 60)
    x = x[:, :1].round()
    for count_values in ("node", "data"):
        options: dict[str, Any] = {"count_values": count_values, "d_num": 0, "min_gain": None}
        tree = MultiwayTreeClassifier(categorical_features=[0], **options).fit(x, y).tree_
        assert tree.by_value[0] and tree.width[0] == len(np.unique(x)) > 3


def test_a_p_value_at_its_bound_branches() -> None:
    x, y = np.repeat([0.0, 1.0], [4, 5])[:, None], [0, 0, 0, 1, 1, 1, 1, 1, 0]
    p = float(gini_pvalue([[3, 1], [1, 4]]))
    for bound, leaves in ((p, 2), (np.nextafter(p, 0), 1)):
        assert MultiwayTreeClassifier(max_pvalue=bound, max_depth=1).fit(x, y).get_n_leaves() == leaves


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"criterion": "ginny"}, "a criterion has a known name; got 'ginny'"),
        ({"criterion": twoing}, "a split into many rows needs a criterion for any number of them; got twoing, for 2"),
        ({"minnum": 0}, "minnum is an integer from 1; got 0"),
        ({"d_num": 1.5}, "d_num is an integer from 0; got 1.5"),
        ({"max_clusters": 1}, "max_clusters is an integer from 2; got 1"),
        ({"linkage": "ward"}, "a linkage has a known name; got 'ward'"),
        ({"clustering": "twice"}, "clustering is one of 'node', 'once'; got 'twice'; pass one of them"),
        ({"gaps": "middle"}, "gaps is one of 'nearest', 'left', 'right', 'stop'; got 'middle'"),
        ({"min_gain": -1}, "min_gain is a number from 0, or None; got -1"),
        ({"max_pvalue": 2}, "max_pvalue is a number from 0 to 1, or None; got 2"),
        ({"categorical_features": [9]}, "categorical_features are names or places of the 1 features"),
        ({"categorical_features": [1]}, "categorical_features are names or places of the 1 features"),
    ],
)
def test_refusals(parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        MultiwayTreeClassifier(**parameters).fit(X, Y)


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
    graph = tree.to_graphviz()
    assert graph.startswith("digraph tree {") and graph.count("->") == 3
    assert '0 -> 2 [label="[10, 11]"];' in graph and 'label="size\\nscore ' in graph


# Measures.


def test_measures_of_agreement() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        y, guess = rng.integers(0, 3, (2, 30))
        n = len(y)
        both = np.array([[((y == i) & (guess == j)).sum() for j in range(3)] for i in range(3)])
        chance = float(both.sum(axis=0) @ both.sum(axis=1)) / n**2
        assert accuracy(y, guess) == np.trace(both) / n
        assert_allclose(pure_accuracy(y, guess), (np.trace(both) / n - chance) / (1 - chance), rtol=1e-12, atol=1e-15)
        assert pure_accuracy(y, guess) <= accuracy(y, guess)
    assert pure_accuracy([1, 1], [1, 1]) == 0.0
    assert pure_accuracy([1, 1], [2, 2]) == 0.0


def test_nodes_per_layer_of_any_tree() -> None:
    x, y = load_iris(return_X_y=True)
    for tree in (DecisionTreeClassifier(random_state=0), TreeClassifier(), MultiwayTreeClassifier()):
        tree.fit(x, y)
        inner = (
            (tree.tree_.children_left >= 0).sum() if hasattr(tree.tree_, "children_left") else tree.tree_.inner.sum()
        )
        assert nodes_per_layer(tree) == inner / tree.get_depth()
        assert nodes_per_layer(tree, "all") == inner / (tree.get_depth() + 1)
    assert MultiwayTreeClassifier().fit(x, y).nodes_per_layer_ == nodes_per_layer(MultiwayTreeClassifier().fit(x, y))
    assert nodes_per_layer(MultiwayTreeClassifier(max_depth=0).fit(x, y)) == 0.0
    with pytest.raises(ValueError, match="layers is one of 'inner', 'all'; got 'some'"):
        nodes_per_layer(tree, "some")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="nodes_per_layer takes a fitted tree"):
        nodes_per_layer(DecisionTreeClassifier())


# Real data.


def test_it_learns() -> None:
    for load, least in ((load_iris, 0.9), (load_breast_cancer, 0.85)):
        x, y = load(return_X_y=True)
        assert cross_val_score(MultiwayTreeClassifier(minnum=10), x, y, cv=3).mean() > least


def test_spambase_needs_few_levels(data) -> None:  # type: ignore[no-untyped-def]
    """4601 rows of 57 continuous features: every row ends at a leaf of its own training counts."""
    frame = pd.read_csv(data / "spambase.csv.gz")
    x, y = frame.iloc[:, :-1], frame.iloc[:, -1]
    tree = MultiwayTreeClassifier().fit(x, y)
    assert tree.get_depth() < 60
    assert_array_equal(tree.tree_.counts[tree.tree_.width == 0].sum(axis=0), np.unique(y, return_counts=True)[1])
    assert accuracy_score(y, tree.predict(x)) > 0.99


DAY = pd.Series(pd.date_range("2024-01-01", periods=6))
ODD: dict[str, Any] = {
    "words": (list("uvwxyz"), "got 'u' in column 'a'; encode or drop it first"),
    "dates": (DAY, "got dates or times in column 'a'; turn them into days"),
    "durations": (DAY - DAY[0], "got dates or times in column 'a'; turn them into days"),
    "objects": (DAY.dt.date, "got dates or times in column 'a'; turn them into days"),
}


@pytest.mark.parametrize("case", ODD)
def test_words_and_dates_are_named_with_their_column(case: str) -> None:
    values, said = ODD[case]
    frame, y = pd.DataFrame({"b": range(6), "a": values}), [0, 1, 0, 1, 0, 1]
    with pytest.raises((TypeError, ValueError), match=f"features are numbers; {said}"):
        MultiwayTreeClassifier().fit(frame, y)
    tree = MultiwayTreeClassifier().fit(frame.assign(a=1.0), y)
    for asked in (tree.predict, tree.predict_proba, tree.apply):
        with pytest.raises((TypeError, ValueError), match=f"features are numbers; {said}"):
            asked(frame)


def test_words_with_quotes_and_lines_are_read_by_graphviz() -> None:
    assert _quoted('a "b" \\ c\nd') == '"a \\"b\\" \\\\ c\\nd"'


# What grows a tree without the estimator.


GROWN: dict[str, Any] = {"x": X, "codes": Y, "classes": 3, "criterion": sgini, "rules": MultiwayRules(d_num=2)}


@pytest.mark.parametrize(
    "wrong",
    [
        *({name: value} for name in ("minnum", "d_num", "max_depth", "max_clusters") for value in (-1, 2.5, "3", True)),
        *({name: value} for name in ("min_gain", "max_pvalue") for value in (-1, np.nan, "3", True)),
        {"max_clusters": 0},
        {"max_clusters": 1},
        {"minnum": 0},
        {"max_pvalue": 1.5},
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
        ({"x": np.where(X > 40, np.inf, X)}, "features are finite; got inf"),
        ({"x": X[:, 0]}, "features are a matrix; got shape"),
        ({"x": X[:0], "codes": []}, "rows have features and one class code each; got shape"),
        ({"x": X[:, :0]}, "rows have features and one class code each; got shape"),
        ({"codes": Y[:-1]}, "rows have features and one class code each; got shape .* and 5 codes"),
        ({"codes": Y - 1}, "class codes are integers from 0; got -1"),
        ({"codes": Y + 0.5}, "class codes are integers from 0; got 0.5"),
        ({"classes": 2}, "class codes are below classes=2; got 2; pass classes=3"),
        ({"classes": 0}, "classes is an integer from 1; got 0"),
        ({"classes": 10**12}, "classes is an integer from 1 to 10000; got 1000000000000"),
        ({"criterion": twoing}, "a split into many rows needs a criterion for any number of them"),
        ({"criterion": hellinger}, "hellinger is defined for tables of 2 classes; got 3"),
        ({"criterion": dkm}, "dkm is defined for tables of 2 classes; got 3"),
        ({"criterion": 3}, "a criterion or an impurity is expected; got 3"),
        ({"rules": {"minnum": 3}}, "rules are MultiwayRules; got"),
        ({"categorical": [7]}, "categorical_features are names or places of the 1 features"),
        ({"categorical": np.ones(2, dtype=bool)}, "categorical_features are names or places of the 1 features"),
    ],
)
def test_what_no_estimator_has_checked_is_checked(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        grow_multiway(**GROWN | wrong)


def test_what_numpy_reads_as_the_same_grows_the_same_tree() -> None:
    plain = grow_multiway(**GROWN)
    for same_one in (
        {"x": X.tolist(), "codes": Y.tolist()},
        {"x": X.astype(np.float32), "codes": Y.astype(np.uint8), "classes": np.int16(3)},
        {"criterion": "sgini", "rules": MultiwayRules(d_num=np.int8(2), min_gain=0)},
        {"categorical": np.zeros(1, dtype=bool)},
    ):
        for name, values in vars(grow_multiway(**GROWN | same_one)).items():
            assert_array_equal(values, getattr(plain, name))
