"""Selective permutation tests: all orders of the labels are looked at, and a tree in plain Python with fractions."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

from growing import grow_regression
from node_oracle import arrangements
from refusals import refused
from splitcrit import TreeClassifier, decrease, entropy, gini
from splitcrit.audits import audit
from splitcrit.inference import HonestTreeClassifier, InferenceTreeClassifier, InferenceTreeRegressor
from splitcrit.inference.selective import NodeTest, Trained, permuted_test, top_down
from splitcrit.trees.growth import GrowthOptions, Stopping, Training, grow
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.permuted_paths import CriterionPath

Rows = tuple[int, ...]
GINI = decrease(gini)
DEEP = Stopping(max_depth=2)


# A tree in plain Python, which shares nothing with the library.


def plain_worth(y: Any, side: Rows) -> Fraction:
    """Of classes: the sum of squared counts over the size; of both sides of a node, its gain but for constants."""
    return Fraction(sum(sum(y[i] == c for i in side) ** 2 for c in set(y.tolist())), len(side))


def plain_mean(y: Any, side: Rows) -> Fraction:
    """Of responses: the square of the sum over the size."""
    return Fraction(sum(int(y[i]) for i in side) ** 2, len(side))


def plain_best(x: Any, y: Any, rows: Rows, worth: Any = plain_worth) -> tuple[Fraction, Rows, Rows] | None:
    """The best score and the first split that has it, by feature, then by threshold."""
    best = None
    for f in range(x.shape[1]):
        for value in sorted({float(x[i, f]) for i in rows})[:-1]:
            left = tuple(i for i in rows if x[i, f] <= value)
            right = tuple(i for i in rows if x[i, f] > value)
            found = worth(y, left) + worth(y, right)
            if best is None or found > best[0]:
                best = found, left, right
    return best


def plain_kept(x: Any, y: Any, path: list[Rows], sides: list[set[Rows]], worth: Any = plain_worth) -> Fraction | None:
    """The best score of the first node of a path, None where an ancestor does not divide its rows into these sides."""
    for rows, those in zip(path[1:], sides[1:], strict=True):
        found = plain_best(x, y, rows, worth)
        if found is None or set(found[1:]) != those:
            return None
    found = plain_best(x, y, path[0], worth)
    return None if found is None else found[0]


def orders(zeros: int, ones: int) -> Iterator[Any]:
    """All orders of labels of two classes."""
    return map(np.array, arrangements((0,) * zeros + (1,) * ones))


def grown(x: Any, y: Any, stopping: Stopping = DEEP, criterion: Any = GINI) -> Trained:
    columns = Training(x, y, int(y.max()) + 1)
    return Trained(grow(columns, criterion, GrowthOptions(stopping)), x, y)


def class_path(trained: Trained, node: int, *, alone: bool = False, criterion: Any = GINI) -> CriterionPath:
    path, classes = trained.path(node), int(trained.y.max()) + 1
    columns = Training(trained.x, trained.y, classes)
    return CriterionPath(path.alone if alone else path, columns, criterion, DEEP)


def inner(trained: Trained) -> list[int]:
    return [int(node) for node in np.flatnonzero(trained.tree.left >= 0)]


def on_path(trained: Trained, node: int) -> tuple[list[Rows], list[set[Rows]]]:
    """The rows of a node and its ancestors, and those of their children."""
    path, sides, tree = [], [], trained.tree
    while node >= 0:
        path.append(tuple(trained.rows[node].tolist()))
        sides.append({tuple(trained.rows[child].tolist()) for child in (tree.left[node], tree.right[node])})
        node = int(trained.parent[node])
    return path, sides


def features(rng: np.random.Generator, n: int, d: int, values: int | None = None) -> Any:
    x = rng.random((n, d)) if values is None else rng.integers(0, values, (n, d))
    return x.astype(np.float32)


SQUARED, ABSOLUTE = "squared_error", "absolute_error"


@pytest.mark.each_value
@pytest.mark.parametrize(
    ("seed", "classes", "values", "error"),
    [(0, 2, None, ""), (1, 3, 4, ""), (2, 2, 3, ""), (3, 4, None, ""), (5, 0, None, SQUARED), (6, 0, None, ABSOLUTE)],
)
def test_kept_permutations_and_their_scores_are_those_of_a_plain_loop(seed, classes, values, error):
    rng = np.random.default_rng(seed)
    x = features(rng, 14, 2, values)
    y = rng.integers(-9, 9, 14).astype(float) if error else rng.integers(0, classes, 14)
    trained = Trained(grow_regression(x, y, None, error, GrowthOptions(DEEP)), x, y) if error else grown(x, y)
    worth = plain_mean if error else plain_worth
    assert len(inner(trained)) > 1
    for node in inner(trained):
        path, sides = on_path(trained, node)
        rows = np.array(path[0])
        labels = np.array([y[rows], *(rng.permutation(y[rows]) for _ in range(30))])
        own = CriterionPath(trained.path(node), Training(x, y), error, DEEP) if error else class_path(trained, node)
        found = own.scores(labels)
        assert found[0] == pytest.approx(trained.tree.score[node], rel=1e-9)
        for order, score in zip(labels, found, strict=True):
            changed = y.copy()
            changed[rows] = order
            if error == ABSOLUTE:
                stump = grow_regression(x[rows], order, None, error, GrowthOptions(Stopping(max_depth=1)))
                assert np.isnan(score) or score == pytest.approx(stump.score[0], rel=1e-9)
                continue
            expected = plain_kept(x, changed, path, sides, worth)
            assert (expected is None) == bool(np.isnan(score))
            if expected is not None:
                gain = float((expected - worth(changed, path[0])) / len(rows))
                assert score == pytest.approx(gain, rel=1e-9, abs=1e-12)


def pvalue(trained: Trained, node: int, alone: bool) -> float:
    """The p-value of all orders of a node's labels; alone, its ancestors' choices are not made again."""
    path = class_path(trained, node, alone=alone)
    y = trained.y[trained.rows[node]]
    scores = path.scores(np.array(arrangements(tuple(y.tolist()))))
    observed = path.scores(y[None])[0] - path.band
    return float((scores >= observed).sum() / (~np.isnan(scores)).sum())


def of_children(n: int, seed: int, alone: bool) -> list[tuple[Any, float]]:
    """The nodes below the root of the trees of all orders of the labels: what they are given, and their p-values."""
    x, found = features(np.random.default_rng(seed), n, 2), []
    for y in orders(n - n // 2, n // 2):
        trained = grown(x, y)
        for node in inner(trained)[1:]:
            rows = trained.rows[node]
            outside = tuple(np.delete(y, rows).tolist())
            found.append(((tuple(rows.tolist()), outside), pvalue(trained, node, alone)))
    return found


@pytest.mark.parametrize(("n", "seed"), [(8, 0), (9, 1)])
def test_given_the_selection_p_values_are_uniform_on_their_values(n: int, seed: int) -> None:
    given = defaultdict(list)
    for key, p in of_children(n, seed, alone=False):
        given[key].append(p)
    assert max(map(len, given.values())) > 5
    for values in given.values():
        for p in values:
            assert sum(other <= p + 1e-12 for other in values) == pytest.approx(p * len(values), abs=1e-9)


def test_without_the_ancestors_choices_p_values_are_too_small_given_the_selection() -> None:
    given = defaultdict(list)
    for key, p in of_children(10, 0, alone=True):
        given[key].append(p)
    assert max(np.mean(np.array(ps) <= a + 1e-12) / a for ps in given.values() for a in (0.1, 0.2, 0.3, 0.5)) > 1.5


def rejects(trained: Trained, level: Callable[[int], float]) -> list[int]:
    def test(node: int, at: float) -> NodeTest:
        p = pvalue(trained, node, alone=False)
        return NodeTest(node, 0, at, p, 0.0, "split" if p <= at + 1e-12 else "not significant")

    return [found.node for found in top_down(trained, test, level) if found.verdict == "split"]


@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.2, 0.4])
def test_family_wise_error_without_any_signal(alpha: float) -> None:
    x = features(np.random.default_rng(3), 9, 2)
    wrong = [bool(rejects(grown(x, y), lambda depth: alpha / 2**depth)) for y in orders(5, 4)]
    assert np.mean(wrong) <= alpha


def below_a_signal() -> Iterator[Any]:
    """All labels of ten rows whose first feature tells: class 1 has one in five, then four in five."""
    for i in range(5):
        for j in range(5):
            yield np.array([k == i for k in range(5)] + [k != j for k in range(5)]).astype(np.int64)


def error_below_the_signal(alpha: float, shared: bool) -> float:
    """How often a child is rejected, of all labels below a signal; the root, which is no true null, always is."""
    x = np.column_stack([np.repeat([0, 1], 5), np.tile(np.arange(5), 2)]).astype(np.float32)
    wrong = []
    for y in below_a_signal():
        trained = grown(x, y)
        assert trained.tree.feature[0] == 0
        nodes = rejects(trained, lambda depth: (alpha / 2**depth if shared else alpha) if depth else 1.0)
        wrong.append(any(node > 0 for node in nodes))
    return float(np.mean(wrong))


def test_the_level_must_be_shared_by_the_children() -> None:
    assert error_below_the_signal(0.4, shared=False) == pytest.approx(1 - 0.6**2)
    assert error_below_the_signal(0.8, shared=True) == pytest.approx(1 - 0.6**2)
    assert error_below_the_signal(0.4, shared=True) == 0


@pytest.mark.parametrize("most", [3, None])
def test_counts_are_those_of_a_plain_loop_over_the_same_permutations(most: int | None) -> None:
    rng = np.random.default_rng(8)
    x, y = features(rng, 24, 2), rng.integers(0, 2, 24)
    trained = grown(x, y)
    for node in inner(trained):
        path, sides = on_path(trained, node)
        rows = np.array(path[0])
        drawn, kept, exceeding = 0, 0, 0
        observed = plain_kept(x, y, path, sides)
        source = np.random.default_rng([7, node])
        while drawn < 80 and exceeding != most:
            changed = y.copy()
            changed[rows] = source.permuted(y[rows][None], axis=1)[0]
            drawn, score = drawn + 1, plain_kept(x, changed, path, sides)
            kept, exceeding = kept + (score is not None), exceeding + (score is not None and score >= observed)
        found = by_orders(trained, node, 80, most, 7)
        assert (found.drawn, found.consistent, found.exceeding) == (drawn, kept, exceeding)
        assert found.pvalue == (exceeding / kept if exceeding == most else (1 + exceeding) / (1 + kept))


def by_orders(trained: Trained, node: int, permutations: int, most: int | None, seed: int) -> NodeTest:
    labels, path = trained.y[trained.rows[node]], class_path(trained, node)
    return permuted_test(labels, node, 0, 0.05, path, permutations, most, seed)


def test_the_random_numbers_of_a_node_are_its_own() -> None:
    rng = np.random.default_rng(1)
    x, y = features(rng, 40, 3), rng.integers(0, 2, 40)
    trained = grown(x, y)
    made = [by_orders(trained, node, 99, 5, 7) for node in inner(trained)]
    again = [by_orders(trained, node, 99, 5, 7) for node in inner(trained)[::-1]]
    assert made == again[::-1]
    other = [by_orders(trained, node, 99, 5, 8) for node in inner(trained)]
    assert made != other


def test_an_impurity_that_is_not_gini() -> None:
    rng = np.random.default_rng(4)
    x, y = features(rng, 30, 3), rng.integers(0, 3, 30)
    criterion = decrease(entropy)
    trained = grown(x, y, criterion=criterion)
    for node in inner(trained):
        labels = np.array([rng.permutation(y[trained.rows[node]]) for _ in range(20)])
        path = class_path(trained, node, criterion=criterion)
        np.testing.assert_allclose(path.scores(labels), path.by_reference(labels), rtol=1e-9, atol=1e-12)


# Trees of tested splits over categories: all subsets in fractions, and what the estimators make of them.


def best_of_subsets(x: Any, y: Any, rows: Rows, worth: Any) -> tuple[Fraction, list[set[Rows]]]:
    """The best score of all subsets of one column and all thresholds of the other, and all sides that have it."""
    found = []
    for f, every in ((0, True), (1, False)):
        values = sorted({float(x[i, f]) for i in rows})
        kept = [set(c) for m in range(1, len(values)) for c in (combinations(values, m) if every else [values[:m]])]
        for some in kept:
            left = tuple(i for i in rows if x[i, f] in some)
            right = tuple(i for i in rows if x[i, f] not in some)
            found.append((worth(y, left) + worth(y, right), {left, right}))
    best = max((score for score, _ in found), default=Fraction(-1))
    return best, [sides for score, sides in found if score == best]


def sample(seed: int, n: int) -> Any:
    rng = np.random.default_rng(seed)
    return np.stack([rng.integers(0, 4, n), rng.integers(0, 5, n)], axis=1).astype(np.float32)


def grown_by_categories(x: Any, y: Any, error: str) -> tuple[Trained, Recoding]:
    recoding = Recoding(np.array([4, 0]), 6)
    growing = GrowthOptions(DEEP, recoding=recoding)
    tree = grow_regression(x, y, None, error, growing) if error else None
    tree = grow(Training(x, y, int(y.max()) + 1), GINI, growing) if tree is None else tree
    return Trained.of(tree, x, y, recoding), recoding


def sides(trained: Trained, node: int) -> set[Rows]:
    return {tuple(trained.rows[child].tolist()) for child in (trained.tree.left[node], trained.tree.right[node])}


@pytest.mark.each_value
@pytest.mark.parametrize(("classes", "error"), [(2, ""), (3, ""), (9, "squared_error")])
def test_permuted_labels_are_scored_and_kept_as_all_subsets_say(classes: int, error: str) -> None:
    kept = lost = 0
    for seed in range(4):
        x, rng = sample(seed, 16), np.random.default_rng(seed + 100)
        y = rng.integers(0, classes, 16)
        y = y.astype(float) if error else y
        (trained, recoding), worth = grown_by_categories(x, y, error), plain_mean if error else plain_worth
        for node in inner(trained):
            rows, above = tuple(trained.rows[node].tolist()), []
            while trained.parent[(above or [node])[-1]] >= 0:
                above.append(int(trained.parent[(above or [node])[-1]]))
            labels = np.array([y[list(rows)], *(rng.permutation(y[list(rows)]) for _ in range(20))])
            columns = Training(trained.x[:, :2], trained.y, *([] if error else [int(trained.y.max()) + 1]))
            scores = CriterionPath(trained.path(node), columns, error or GINI, DEEP, recoding).scores(labels)
            assert not np.isnan(scores[0])
            for order, score in zip(labels, scores, strict=True):
                changed = y.copy()
                changed[list(rows)] = order
                bests = [best_of_subsets(x, changed, tuple(trained.rows[v].tolist()), worth)[1] for v in above]
                alike = [sides(trained, v) in best for v, best in zip(above, bests, strict=True)]
                if np.isnan(score):
                    assert not all(alike) or any(len(best) > 1 for best in bests)
                    lost += 1
                    continue
                assert all(alike)
                constant = worth(changed, rows)
                expected = float((best_of_subsets(x, changed, rows, worth)[0] - constant) / len(rows))
                assert score == pytest.approx(expected, rel=1e-9, abs=1e-12)
                kept += 1
    assert kept > 50 and lost > 3


# The estimators.


def table(rows: int, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    colour = rng.choice(np.array(["red", "blue", "green", "pink", None], dtype=object), rows)
    frame = pd.DataFrame({"size": rng.normal(size=rows), "colour": colour})
    return frame, frame["colour"].isin(["red", "pink"]).to_numpy() ^ (rng.random(rows) < 0.15)


@pytest.mark.parametrize("test", ["selective", "node"])
@pytest.mark.parametrize("criterion", ["gini", "squared_error", "absolute_error"])
def test_a_tree_keeps_the_split_by_the_categories_that_tell(criterion: str, test: str) -> None:
    frame, y = table(120)
    kind: Any = InferenceTreeClassifier if criterion == "gini" else InferenceTreeRegressor
    tree = kind(categorical_features="from_dtype", criterion=criterion, test=test, n_permutations=199, random_state=0)
    tree.fit(frame, y if criterion == "gini" else y.astype(float))
    assert set(tree.splits_) == {0} and tree.pvalues_[0] <= 0.05 and tree.tree_.node_count == 3
    assert tree.correction_ in (None, "permutation")
    assert {frozenset(tree.splits_[0].left), frozenset(tree.splits_[0].right)} == {
        frozenset({"red", "pink"}), frozenset({"blue", "green", "(missing)"}),
    }  # fmt: skip
    for words in (tree.splits_[0].says(side, "colour") for side in ("left", "right")):
        assert words in tree.export_text()
    assert tree.predict(frame.assign(colour="new")).shape == (120,)


def test_laws_of_the_best_threshold_are_refused() -> None:
    frame, y = table(40)
    said = "correction='bonferroni' uses the law of the best threshold, which subsets of categories lack; got"
    tree = InferenceTreeClassifier(test="node", correction="bonferroni", categorical_features=["colour"])
    refused(said, tree.fit, frame, y)
    assert not hasattr(tree, "tree_")


def test_trees_and_forests_with_categories_are_tested_on_other_rows() -> None:
    frame, y = table(240)
    grower = TreeClassifier(categorical_features="from_dtype", max_depth=3)
    honest = HonestTreeClassifier(grower, random_state=0).fit(frame, y)
    assert honest.estimator_.tree_.node_count == 3 and set(honest.estimator_.splits_) == {0}
    (split,) = honest.estimator_.splits_.values()
    assert str(honest.result_).startswith(f"{split.says('left', 'colour')}: 120 rows, p = ")
    assert audit(grower.fit(frame[:120], y[:120]), frame[120:], y[120:]).splits.feature[0] == 1
