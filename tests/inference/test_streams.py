"""Trees on streams: evidence against products of fractions, the level of trees, splits, leaves, bad rows."""

import pickle
from fractions import Fraction
from math import exp, nan
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from refusals import refused

pytest.importorskip("river", reason="trees on streams are river's")

from river.tree.nodes.branch import DTBranch

from reproductions.studies.stream_levels import ALPHA, LEVELS, WARM_UP, crossing, parts, rates, split_at
from splitcrit.inference import AnytimeTreeClassifier
from splitcrit.inference.streams import log_evidence

Rows = list[tuple[dict[str, Any], Any]]


def evidence(sides: tuple[int, ...], labels: tuple[int, ...], classes: int) -> Fraction:
    """Label by label, each by the counts on its side before it; over the largest likelihood of one law."""
    above, seen = Fraction(1), np.zeros((max(sides) + 1, classes), dtype=int)
    for side, label in zip(sides, labels, strict=True):
        above *= (seen[side, label] + Fraction(1, 2)) / (int(seen[side].sum()) + Fraction(classes, 2))
        seen[side, label] += 1
    n = len(labels)
    for label in labels:
        above /= Fraction(labels.count(label), n)
    return above


def stream(rng: np.random.Generator, n: int, rates: Any, columns: int = 4) -> Rows:
    """Rows of normal numbers and a site, with labels of these rates given the number ``x0`` and the site."""
    x, sites = rng.normal(size=(n, columns)), rng.choice(["east", "north", "south"], n)
    y = rng.random(n) < np.broadcast_to(rates(x[:, 0], sites), n)
    named = [{f"x{j}": value for j, value in enumerate(row)} for row in x.tolist()]
    return [(row | {"site": s}, bool(k)) for row, s, k in zip(named, sites, y, strict=True)]


def learnt(rows: Rows, **options: Any) -> AnytimeTreeClassifier:
    tree = AnytimeTreeClassifier(**options)
    for x, y in rows:
        tree.learn_one(x, y)
    return tree


def leaves(node: Any) -> list[Any]:
    return [leaf for child in node.children for leaf in leaves(child)] if isinstance(node, DTBranch) else [node]


@pytest.mark.parametrize("classes", [2, 3])
def test_evidence_is_the_product_of_predictions_over_the_largest_likelihood(classes: int) -> None:
    rng = np.random.default_rng(classes)
    for _ in range(60):
        n, parts = int(rng.integers(1, 40)), int(rng.integers(2, 4))
        sides, labels = rng.integers(0, parts, n), rng.integers(0, classes, n)
        table = np.zeros((parts, classes))
        np.add.at(table, (sides, labels), 1)
        exact = evidence((*sides.tolist(), parts - 1)[:n], tuple(labels.tolist()), classes)
        assert exp(float(log_evidence(table))) == pytest.approx(float(exact), rel=1e-11)


@pytest.mark.parametrize(
    ("share", "streams", "n"),
    [(0.05, 12, 400), *(pytest.param(*case, marks=pytest.mark.slow)
      for case in ((0.5, 20, 400), (0.5, 100, 10_000), (0.1, 100, 10_000), (0.02, 100, 10_000)))],
)  # fmt: skip
def test_noise_is_split_at_the_level(share: float, streams: int, n: int) -> None:
    """With correlated and few-valued columns, and categories; under a look at every row, and in long streams."""
    split, (alpha, grace) = 0, (0.2, 1) if n == 400 else (0.05, 100)
    for seed in range(streams):
        rows = stream(np.random.default_rng(seed), n, lambda x, s: share)
        rows = [({**x, "same": x["x0"] + 0.1 * x["x1"], "few": round(x["x2"])}, y) for x, y in rows]
        split += learnt(rows, grace_period=grace, leaf_prediction="mc", alpha=alpha).n_leaves > 1
    assert binom.sf(split - 1, streams, alpha) > 0.001


@pytest.mark.parametrize("binary", [False, True])
def test_the_right_columns_are_split_and_levels_add_up_to_that_of_the_tree(binary: bool) -> None:
    def rates(x: Any, sites: Any) -> Any:
        return np.where(sites == "north", np.where(x > 0.5, 1.0, 0.9), np.where(sites == "east", 0.5, 0.05))

    tree = learnt(stream(np.random.default_rng(1), 6000, rates), binary_split=binary)
    root: Any = tree._root
    assert root.feature == "site" and root.max_branches() == (2 if binary else -1)
    (below,) = [child for child in root.children if isinstance(child, DTBranch)]
    assert below.feature == ("site" if binary else "x0")
    levels = [leaf.evidence.level for leaf in leaves(root)]
    assert sum(levels) + getattr(root, "left", 0.0) == pytest.approx(0.05)
    if not binary:
        for place in ("west", "there"):
            tree.learn_one({"x0": 1.0, "site": place}, True)
        late = [leaf.evidence.level for leaf in leaves(root)][-2:]
        assert late == pytest.approx([0.05 / 4 / 2, 0.05 / 4 / 4])
        assert sum(leaf.evidence.level for leaf in leaves(root)) < 0.05


def test_a_child_predicts_at_birth_as_its_parent_did() -> None:
    rows = stream(np.random.default_rng(2), 4000, lambda x, s: np.where(x > 0, 0.8, 0.2))
    tree, before = AnytimeTreeClassifier(leaf_prediction="nb"), {}
    for x, y in rows:
        before = tree.predict_proba_one(rows[0][0])
        tree.learn_one(x, y)
        if tree.n_leaves == 2:
            break
    after = tree.predict_proba_one(rows[0][0])
    assert after.keys() == before.keys() == {False, True} and tree.n_leaves == 2
    assert after[True] == pytest.approx(before[True], abs=0.01)  # the row that split it was learnt in between


def test_classes_and_columns_that_come_late_are_learnt_and_missing_values_are_left_out() -> None:
    rng = np.random.default_rng(4)
    rows: Rows = []
    for i in range(4000):
        x: dict[str, Any] = {"a": rng.normal(), "b": None if i % 3 else nan}
        y = str(rng.integers(2))
        if i > 1500:
            x["late"] = rng.normal()
            y = "new" if x["late"] > 0 else y
        rows.append((x, y))
    tree = learnt(rows)
    assert tree.n_leaves == 1  # the column had no place in the first rows of the root
    assert tree.predict_one({"a": 0.0, "late": 2.0}) == "new"
    split = learnt(rows[1501:])
    assert split._root.feature == "late"
    assert split.predict_one({"a": 0.0}) in ("0", "1", "new") and split.predict_proba_one({}) is not None


def test_weights_are_for_the_leaves_and_no_evidence() -> None:
    rows = stream(np.random.default_rng(5), 500, lambda x, s: 0.5)
    heavy = AnytimeTreeClassifier(alpha=0.2)
    for x, y in rows:
        heavy.learn_one(x, y, w=20)
        heavy.learn_one(x, y, w=0)
    plain = learnt(rows, alpha=0.2)
    ours, theirs = (tree._root.evidence.best(False) for tree in (heavy, plain))
    assert ours.log_e == theirs.log_e and heavy.n_leaves == plain.n_leaves == 1


def test_trees_are_kept_and_cloned() -> None:
    rows = stream(np.random.default_rng(6), 3000, lambda x, s: np.where(x > 0, 0.9, 0.1))
    whole, half = learnt(rows), learnt(rows[:1500])
    again = pickle.loads(pickle.dumps(half))
    for x, y in rows[1500:]:
        again.learn_one(x, y)
    assert [again.predict_proba_one(x) for x, _ in rows[:50]] == [whole.predict_proba_one(x) for x, _ in rows[:50]]
    assert again.n_leaves == whole.n_leaves > 1
    fresh = AnytimeTreeClassifier(alpha=0.01, nominal_attributes=["x0"]).clone()
    assert fresh.alpha == 0.01 and fresh.nominal_attributes == ["x0"] and fresh.n_nodes is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"alpha": 0}, "alpha is a number strictly between 0 and 1; got 0"),
        ({"grace_period": 0}, "grace_period"),
        ({"warm_up": 2.5}, "warm_up"),
        ({"cuts": True}, "cuts"),
        ({"leaf_prediction": "best"}, "leaf_prediction is 'nba', 'nb' or 'mc'; got 'best'"),
    ],
)
def test_parameters_out_of_range_are_refused(options: dict[str, Any], said: str) -> None:
    refused(said, AnytimeTreeClassifier, **options)


def test_rows_that_cannot_be_learnt_are_refused_and_change_nothing() -> None:
    tree = learnt([({"a": 1.0, "b": "u"}, 0)])
    for x, y, said in (
        ({"a": "one"}, 1, "a column of a stream has numbers or other values; got 'one' in 'a'; name it in nominal"),
        ({"b": 2}, 1, "got 2 in 'b'"),
        ({"a": float("inf")}, 1, "numbers of a stream are finite; got inf in 'a'; pass None"),
        ({"a": 1.0}, None, "a row has a label to learn from; got None; leave out rows without a label"),
    ):
        refused(said, tree.learn_one, x, y)
    assert tree._root.total_weight == 1 and tree.classes == {0}


# The evidence that the study of levels adds up label by label is the estimator's, at every row.


@pytest.mark.parametrize("name", LEVELS)
def test_evidence_of_the_study_is_that_of_the_estimator(name: str) -> None:
    shares, columns = LEVELS[name]
    rng, n = np.random.default_rng(5), 220
    x, y = columns(rng, n), rng.choice(len(shares), n, p=shares)
    tree = AnytimeTreeClassifier(grace_period=10_000, leaf_prediction="mc")
    for i in range(n):
        tree.learn_one(dict(enumerate(x[i].tolist())), int(y[i]))
        if i >= WARM_UP and i % 9 == 0:
            part, label, *more = parts(x[: i + 1], y[: i + 1])
            assert crossing(part, label, *more, np.inf)[2] == pytest.approx(tree._root.evidence.best(False).log_e)


@pytest.mark.parametrize("seed", range(3))
def test_the_study_splits_when_and_by_what_the_estimator_does(seed: int) -> None:
    x, y = rates(np.random.default_rng(seed), 0.3, 600)
    tree = AnytimeTreeClassifier(grace_period=1, leaf_prediction="mc", alpha=ALPHA)
    for i in range(len(x)):
        tree.learn_one(dict(enumerate(x[i].tolist())), int(y[i]))
        if tree.n_leaves > 1:
            break
    assert (i + 1, tree._root.feature) == split_at(x, y)
