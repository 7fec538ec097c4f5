"""Trees of tested splits over categories: all subsets in fractions, and the law over all orders of labels."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

from growing import grow_regression
from inference.test_selective import DEEP, GINI, Rows, inner, plain_mean, plain_worth
from refusals import refused
from splitcrit import TreeClassifier
from splitcrit.audits import audit
from splitcrit.inference import HonestTreeClassifier, InferenceTreeClassifier, InferenceTreeRegressor
from splitcrit.inference.selective import Trained
from splitcrit.trees.growth import GrowthOptions, Training, grow
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.permuted_paths import CriterionPath


def plain_best(x: Any, y: Any, rows: Rows, worth: Any) -> tuple[Fraction, list[set[Rows]]]:
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


def grown(x: Any, y: Any, error: str = "") -> tuple[Trained, Recoding]:
    recoding = Recoding(np.array([4, 0]), 6)
    growing = GrowthOptions(DEEP, recoding=recoding)
    tree = grow_regression(x, y, None, error, growing) if error else None
    tree = grow(Training(x, y, int(y.max()) + 1), GINI, growing) if tree is None else tree
    return Trained.of(tree, x, y, recoding), recoding


def path_of(trained: Trained, recoding: Recoding, node: int, error: str = "") -> Any:
    path, x, y = trained.path(node), trained.x[:, :2], trained.y
    if error:
        return CriterionPath(path, Training(x, y), error, DEEP, recoding)
    return CriterionPath(path, Training(x, y, int(y.max()) + 1), GINI, DEEP, recoding)


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
        (trained, recoding), worth = grown(x, y, error), plain_mean if error else plain_worth
        for node in inner(trained):
            rows, above = tuple(trained.rows[node].tolist()), []
            while trained.parent[(above or [node])[-1]] >= 0:
                above.append(int(trained.parent[(above or [node])[-1]]))
            labels = np.array([y[list(rows)], *(rng.permutation(y[list(rows)]) for _ in range(20))])
            scores = path_of(trained, recoding, node, error).scores(labels)
            assert not np.isnan(scores[0])
            for order, score in zip(labels, scores, strict=True):
                changed = y.copy()
                changed[list(rows)] = order
                bests = [plain_best(x, changed, tuple(trained.rows[v].tolist()), worth)[1] for v in above]
                alike = [sides(trained, v) in best for v, best in zip(above, bests, strict=True)]
                if np.isnan(score):
                    assert not all(alike) or any(len(best) > 1 for best in bests)
                    lost += 1
                    continue
                assert all(alike)
                constant = worth(changed, rows)
                expected = float((plain_best(x, changed, rows, worth)[0] - constant) / len(rows))
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
