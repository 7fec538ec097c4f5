"""Permuted labels: what compiled loops score, and keep, is what other searches do, one by one."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from growing import grow_regression
from splitcrit import Criterion, decrease, entropy, gini, misclassification, sgini
from splitcrit.impurities import absolute_deviation, variance
from splitcrit.inference.selective import Trained, permuted_test
from splitcrit.losses import square
from splitcrit.trees.growth import GrowthOptions, Stopping, Training, grow
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.paths import Path
from splitcrit.trees.growth.permuted_paths import CriterionPath
from splitcrit.trees.growth.surprise_paths import PermutedNodes, SurpriseSearch
from splitcrit.trees.reference import LeafRules, reference_regression

CRITERIA = [decrease(gini), decrease(entropy), decrease(misclassification), sgini, Criterion.from_loss(square)]
KINDS = ["numbers", "missing", "categories", "both"]
LEAVES = Stopping(min_samples_leaf=3)


class Coded(NamedTuple):
    """A path whose labels are places among the responses that occur."""

    path: PermutedNodes
    values: Any

    @property
    def band(self) -> float:
        return self.path.band

    def scores(self, labels: Any) -> Any:
        return self.path.scores(np.searchsorted(self.values, labels))


Scored = CriterionPath | Coded


def features(kind: str, rng: np.random.Generator) -> tuple[Any, Any]:
    """Rows with ties, the first half of their columns numbers, and how many categories each column has."""
    n, d = int(rng.integers(20, 45)), 4
    x, levels = rng.integers(0, int(rng.integers(3, 9)), (n, d)).astype(np.float32), np.zeros(d, np.int64)
    if kind in ("missing", "both"):
        x[rng.random((n, d)) < rng.choice([0.05, 0.4])] = np.nan
        x[:, 0] = np.where(rng.random() < 0.2, np.nan, x[:, 0])
    if kind in ("categories", "both"):
        levels[2:] = rng.integers(2, 9, 2)
        x[:, 2:] = rng.integers(0, levels[2:], (n, 2))
    return x, levels


def signal(x: Any, rng: np.random.Generator) -> Any:
    """A side of every row that two columns tell, but for noise."""
    return (np.nan_to_num(x[:, 1], nan=9) > 2) ^ (np.nan_to_num(x[:, 2], nan=9) > 3) ^ (rng.random(len(x)) < 0.2)


def drawn(trained: Trained, node: int, rng: np.random.Generator) -> Any:
    y = trained.y[trained.rows[node]]
    return np.array([y, *(rng.permutation(y) for _ in range(8))])


def inner(trained: Trained) -> list[int]:
    return [int(node) for node in np.flatnonzero(trained.tree.left >= 0)]


class OneByOne:
    """A path whose labels are scored by the reference builder, one by one; of responses with trees of one split."""

    def __init__(self, path: Scored, above: Path, x: Any, y: Any, stopping: Stopping, impurity: Any = None) -> None:
        self.scored, self.band, self.path, self.x, self.y = path, path.band, above, x, y
        self.rules, self.impurity = LeafRules(1, 2, stopping.min_samples_leaf, 0.0, None), impurity

    def scores(self, labels: Any) -> Any:
        if self.impurity is None:
            return self.scored.by_reference(labels)
        return np.array([self.of_responses(each) for each in labels])

    def of_responses(self, labels: Any) -> float:
        y, score = self.path.relabelled(self.y[self.path.rows], labels), np.nan
        for node in [*self.path.nodes[1:], self.path.nodes[0]]:
            root = reference_regression(self.x[self.path.rows[node]], y[node], self.rules, impurity=self.impurity)
            if root.left is None:
                return np.nan if node.start else 0.0
            same = self.path.left[node][root.left.samples]
            whole = np.isin(np.arange(len(root.samples)), root.left.samples) == self.path.left[node]
            if node.start and (len(set(same.tolist())) > 1 or len(set(whole.tolist())) > 1):
                return np.nan
            score = root.score
        return float(score)


def alike(
    trained: Trained, node: int, path: Scored, rng: np.random.Generator, rtol: float, impurity: Any = None
) -> tuple[int, int]:
    """Compare both; return how many permutations are kept, and how many are not."""
    labels, stopping = drawn(trained, node, rng), getattr(path, "stopping", LEAVES)
    one_by_one = OneByOne(path, trained.path(node), trained.x, trained.y, stopping, impurity)
    found, expected = path.scores(labels), one_by_one.scores(labels)
    assert not np.isnan(found[0])
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol * path.band * 1e11)
    np.testing.assert_array_equal(found >= found[0] - path.band, expected >= expected[0] - path.band)
    tests = [permuted_test(labels[0], node, 0, 0.05, each, 9, 4, 3) for each in (path, one_by_one)]
    assert [(t.pvalue, t.drawn, t.consistent, t.exceeding) for t in tests[:1]] == [
        (t.pvalue, t.drawn, t.consistent, t.exceeding) for t in tests[1:]
    ]
    return int((~np.isnan(found)).sum()), int(np.isnan(found).sum())


@pytest.mark.each_value
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
def test_classes(criterion: Any, classes: int, kind: str) -> None:
    total = np.zeros(2, int)
    for seed in range(2):
        rng = np.random.default_rng([seed, classes])
        x, levels = features(kind, rng)
        y = np.where(signal(x, rng), 1, (classes - 1) * rng.integers(0, 2, len(x)))
        y[:classes] = np.arange(classes)
        stopping = Stopping(max_depth=3, min_samples_leaf=1 + 2 * (seed % 2), min_gain=0.0)
        recoding = Recoding(levels, (10, 3)[seed % 3 == 0]) if levels.any() else None
        columns, growing = Training(x, y, classes), GrowthOptions(stopping, recoding=recoding)
        trained = Trained.of(grow(columns, criterion, growing), x, y, recoding)
        for node in inner(trained):
            path = CriterionPath(trained.path(node), columns, criterion, stopping, recoding)
            assert path._data is not None
            total += alike(trained, node, path, rng, 1e-12)
    assert total[0] > 5 and (total[1] > 5 or criterion is CRITERIA[2])


@pytest.mark.each_value
@pytest.mark.parametrize("kind", KINDS[:2])
@pytest.mark.parametrize("error", ["squared_error", "absolute_error", "both searches"])
def test_responses(error: str, kind: str) -> None:
    """By trees of one split, and, of squared errors, by sums of vectors, too."""
    total, impurity = np.zeros(2, int), absolute_deviation if error == "absolute_error" else variance
    for seed in range(3):
        rng = np.random.default_rng([seed, 7])
        x, _ = features(kind, rng)
        y = np.round(1e3 + 2 * signal(x, rng) + rng.normal(size=len(x)), seed % 3)
        name = "squared_error" if error == "both searches" else error
        trained = Trained(grow_regression(x, y, None, name, GrowthOptions(Stopping(3, min_samples_leaf=3))), x, y)
        values, types = np.unique(y, return_inverse=True)
        search = SurpriseSearch(x, types, values, 0, None, 3, by_gain=True)
        for node in inner(trained):
            path: Any = CriterionPath(trained.path(node), Training(x, y), name, LEAVES)
            if error == "both searches":
                path = Coded(search.path(trained.path(node)), values)
            total += alike(trained, node, path, rng, 1e-9, impurity)
    assert total[0] > 25 and total[1] > 25


def test_a_criterion_that_is_no_data_is_scored_by_its_formula() -> None:
    rng = np.random.default_rng(0)
    x, _ = features("missing", rng)
    y = signal(x, rng).astype(np.int64)
    criterion = Criterion("mine", lambda table, a: np.abs(table[0][0] * table[1][1] - table[0][1] * table[1][0]))
    trained = Trained(grow(Training(x, y, 2), criterion, GrowthOptions(Stopping(2))), x, y)
    path = CriterionPath(trained.path(0), Training(x, y, 2), criterion, Stopping(2))
    assert path._data is None
    np.testing.assert_array_equal(path.scores(y[None]), [trained.tree.score[0]])
