"""Selective trees whose columns are compared by how unlikely their best splits are: their choices and level."""

from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from refusals import refused
from splitcrit import TreeClassifier, rank_features
from splitcrit.audits import audit
from splitcrit.audits.node_moments import Moments, NodeLabels, gains_apart, moments, node_sums, split_gains
from splitcrit.inference import InferenceTreeClassifier, InferenceTreeRegressor
from splitcrit.nulls import gini_gain
from splitcrit.trees.tree_arrays import Structure

ROWS = 50


def columns(rng: Any) -> Any:
    """A flag, a category of ten levels, a number with missing values and ties, and a number."""
    gaps = np.where(rng.random(ROWS) < 0.3, np.nan, np.round(4 * rng.random(ROWS)))
    return np.column_stack([np.arange(ROWS) % 2, rng.integers(0, 10, ROWS), gaps, rng.normal(size=ROWS)])


def labels(kind: str, rng: Any, shift: Any) -> Any:
    noise = rng.normal(size=ROWS) + shift
    if kind == "numbers":
        return np.exp(noise)
    return np.digitize(noise, [0.5] if kind == "two" else [0.0, 1.0])


def fitted(kind: str, x: Any, y: Any, **how: Any) -> Any:
    tree = InferenceTreeRegressor if kind == "numbers" else InferenceTreeClassifier
    return tree(categorical_features=[1], n_permutations=99, alpha=0.1, **how).fit(x, y)


@pytest.mark.each_value
@pytest.mark.parametrize("kind", ["two", "three", "numbers"])
@pytest.mark.parametrize("told", [False, True])
def test_a_false_split_is_kept_as_rarely_as_promised(kind: str, told: bool) -> None:
    """With ``told`` the flag tells, and a split of rows that have one value of the flag is false."""
    sets, wrong, split = 40, 0, 0
    for i in range(sets):
        rng = np.random.default_rng([7, i])
        x = columns(rng)
        tree = fitted(kind, x, labels(kind, rng, 2.0 * x[:, 0] * told), random_state=i)
        ends = tree.decision_path(x).toarray().astype(bool)
        inner = np.flatnonzero(tree.tree_.children_left >= 0)
        wrong += any(not told or len(np.unique(x[ends[:, node], 0])) == 1 for node in inner)
        split += len(inner) > 0
    assert binom.sf(wrong - 1, sets, 0.1) > 0.001
    assert split > sets / 2 if told else split < sets / 2


def test_the_tree_the_audit_and_the_ranking_name_the_flag() -> None:
    rng = np.random.default_rng(3)
    n = 600
    x = pd.DataFrame({
        "id": rng.integers(0, 60, n).astype(str), "flag": rng.integers(0, 2, n), "size": rng.normal(size=n),
    })  # fmt: skip
    y = rng.random(n) < np.where(x["flag"] > 0, 0.61, 0.39)
    how: dict[str, Any] = {"categorical_features": "from_dtype", "max_depth": 1, "random_state": 0}
    fair, raw = InferenceTreeClassifier(**how).fit(x, y), TreeClassifier(**how).fit(x, y)
    assert fair.compare_ == "calibrated" and fair.tree_.feature[0] == 1 and fair.pvalues_[0] == 0.001
    assert raw.splits_[0].feature == 0
    assert not InferenceTreeClassifier(compare="gain", **how).fit(x, y).splits_  # a split of the id is no surprise
    trees = [InferenceTreeRegressor(compare=compare, **how).fit(x, y.astype(float)) for compare in (None, "gain")]
    assert [tree.nodes_.feature[0] for tree in trees] == [1, -1] and fair.nodes_.feature[0] == 1
    own = {feature.name: feature.p for feature in rank_features(x, y).features}
    alone = [audit(tree, x, y, "training").alone for tree in (raw, fair)]  # of the column that splits
    assert [p[j] for p, j in zip(alone, (0, 1), strict=True)] == [own["id"], own["flag"]]
    assert own["flag"] < 0.001 < 0.05 < own["id"]


@pytest.mark.filterwarnings("ignore:a category should occur in several rows")
@pytest.mark.parametrize("kind", ["two", "three", "numbers"])
def test_columns_that_cannot_be_split_are_passed_over(kind: str) -> None:
    rng = np.random.default_rng(0)
    y = labels(kind, rng, 3.0 * (np.arange(ROWS) % 2))
    x = np.column_stack([np.ones(ROWS), np.zeros(ROWS), np.full(ROWS, np.nan), np.arange(ROWS) % 2])
    tree = fitted(kind, x, y, random_state=0)
    assert tree.tree_.feature[0] == 3 and tree.tree_.node_count == 3
    single = np.column_stack([np.ones(ROWS), np.arange(ROWS)])
    assert fitted(kind, single, y, random_state=0).tree_.node_count == 1  # all levels single: no surprise


def test_a_criterion_without_a_law_compares_gains() -> None:
    rng = np.random.default_rng(0)
    x = columns(rng)
    y = labels("two", rng, 2.0 * x[:, 0])
    assert fitted("two", x, y, criterion="entropy", random_state=0).compare_ == "gain"
    assert fitted("two", x, y, test="node", random_state=0).compare_ == "gain"
    said = "compare='calibrated' needs Gini gains or squared errors; got criterion='entropy'; pass compare='gain'"
    assert str(refused("needs", fitted, "two", x, y, criterion="entropy", compare="calibrated")) == said


# UFI, MDI-oob, gains and their means by chance: by fractions on small trees, and by enumeration under the null.

LEAF = float("nan")


def stump(threshold: float) -> Structure:
    columns = ([1, -1, -1], [2, -1, -1], [0, -1, -1], [threshold, LEAF, LEAF], [False] * 3)
    return Structure(*map(np.array, columns))


THREE = Structure(
    np.array([1, 3, -1, -1, -1]), np.array([2, 4, -1, -1, -1]), np.array([0, 0, -1, -1, -1]),
    np.array([2.5, 1.5, LEAF, LEAF, LEAF]), np.zeros(5, dtype=bool),
)  # fmt: skip


def seen(structure: Structure, x: list[float], y: list[int], classes: int | None = 2) -> Moments:
    labels = NodeLabels(np.array(y, dtype=float if classes is None else int), classes)
    ends = np.zeros(len(x), dtype=int)
    for node, rows in enumerate(structure.rows(np.array(x)[:, None])):
        if structure.left[node] < 0:
            ends[rows] = node
    return moments(node_sums(structure, ends, labels), labels)


class Node:
    """The rows at a node, in lists; shares and means as fractions."""

    def __init__(self, structure: Structure, node: int, x: Any, y: Any) -> None:
        self.y = [label for value, label in zip(x, y, strict=True) if node in path(structure, value)]

    def __len__(self) -> int:
        return len(self.y)

    def share(self, label: int) -> Fraction:
        return Fraction(self.y.count(label), len(self.y))

    @property
    def mean(self) -> Fraction:
        return Fraction(sum(self.y), len(self.y))

    def square_about(self, centre: Fraction) -> Fraction:
        return sum(((y - centre) ** 2 for y in self.y), Fraction(0)) / len(self.y)


def path(structure: Structure, row: Any) -> list[int]:
    found = [0]
    while structure.left[found[-1]] >= 0:
        goes = np.ravel(row)[structure.feature[found[-1]]] <= structure.threshold[found[-1]]
        found.append(int((structure.left if goes else structure.right)[found[-1]]))
    return found


def printed_ufi(structure: Structure, grown: tuple, apart: tuple, numbers: bool) -> list[Fraction]:  # type: ignore[type-arg]
    """UFI split by split: of classes by products of shares, of numbers by mean squares about the in-bag mean."""

    def kept(node: int) -> Fraction:
        inside, outside = Node(structure, node, *grown), Node(structure, node, *apart)
        weight = Fraction(len(inside), len(grown[0]))
        if numbers:
            return weight * (inside.square_about(inside.mean) + outside.square_about(inside.mean)) / 2
        return -weight * sum((inside.share(k) * outside.share(k) for k in range(2)), Fraction(0))

    return [
        kept(t) - kept(left) - kept(right) if reached(structure, left, right, apart) else Fraction(0)
        for t, left, right in splits(structure)
    ]


def printed_mdi_oob(structure: Structure, grown: tuple, apart: tuple, numbers: bool) -> list[Fraction]:  # type: ignore[type-arg]
    def part(node: int, parent: int) -> Fraction:
        (a, b), (c, d) = ([Node(structure, v, *rows) for v in (node, parent)] for rows in (grown, apart))
        weight = Fraction(len(a), len(grown[0]))
        if numbers:
            return weight * (a.mean - b.mean) * (c.mean - d.mean)
        return weight * sum(((a.share(k) - b.share(k)) * (c.share(k) - d.share(k)) for k in range(2)), Fraction(0))

    return [
        part(left, t) + part(right, t) if reached(structure, left, right, apart) else Fraction(0)
        for t, left, right in splits(structure)
    ]


def splits(structure: Structure) -> list[tuple[int, int, int]]:
    return [(t, int(structure.left[t]), int(structure.right[t])) for t in np.flatnonzero(structure.left >= 0).tolist()]


def reached(structure: Structure, left: int, right: int, apart: tuple) -> bool:  # type: ignore[type-arg]
    return len(Node(structure, left, *apart)) > 0 and len(Node(structure, right, *apart)) > 0


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_ufi_and_mdi_oob_are_the_published_sums(seed: int, numbers: bool) -> None:
    rng = np.random.default_rng(seed)
    label = (lambda n: rng.integers(-5, 9, n)) if numbers else (lambda n: rng.integers(0, 2, n))
    grown = [1.0, 1.0, 2.0, 2.0, 3.0, 4.0, 4.0, *rng.integers(1, 5, 4).astype(float)], label(11).tolist()
    apart = rng.integers(1, 5, 6).astype(float).tolist(), label(6).tolist()
    classes = None if numbers else 2
    inside, outside = seen(THREE, *grown, classes), seen(THREE, *apart, classes)
    for found, printed in zip(gains_apart(THREE, inside, outside), (printed_ufi, printed_mdi_oob), strict=True):
        expected = [float(x) for x in printed(THREE, grown, apart, numbers)]
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-13)


def test_a_constant_added_to_responses_changes_nothing() -> None:
    grown, apart = ([1.0, 1, 2, 3, 4], [3, 1, 4, 1, 5]), ([1.0, 2, 3, 3], [9, 2, 6, 5])
    one, other = (
        np.array(gains_apart(THREE, *(seen(THREE, x, [y + more for y in ys], None) for x, ys in (grown, apart))))
        for more in (0, 1000)
    )
    assert one == pytest.approx(other, rel=1e-9)


@pytest.mark.parametrize("place", [0, 1, None], ids=["UFI", "MDI-oob", "gain"])
def test_under_the_null_the_mean_is_zero_whatever_chose_the_split(place: int | None) -> None:
    """All labels of four rows that grow a stump, and of three rows apart, each label 1 with probability 1/3."""
    x, new = [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 4.0]
    mean = 0.0
    for label in product((0, 1), repeat=4):
        best = max((stump(t) for t in (1.5, 2.5, 3.5)), key=lambda s: split_gains(s, seen(s, x, list(label)))[0][0])
        inside = seen(best, x, list(label))
        for other in product((0, 1), repeat=3):
            ones = sum(label) + sum(other)
            chance = (1 / 3) ** ones * (2 / 3) ** (7 - ones)
            apart = gains_apart(best, inside, seen(best, new, list(other)))
            mean += chance * (split_gains(best, inside)[0] if place is None else apart[place])[0]
    assert mean > 0.15 if place is None else abs(mean) < 1e-15


@pytest.mark.parametrize("y", [[0, 0, 1, 1, 1], [0, 1, 2, 1, 0], [3, 1, 4, 1, 5]])
def test_the_mean_by_chance_is_that_of_all_orders_of_the_labels(y: list[int]) -> None:
    x, classes = [1.0, 1.0, 2.0, 3.0, 4.0], None if max(y) > 2 else 3
    each = [split_gains(THREE, seen(THREE, x, list(order), classes))[0][0] for order in permutations(y)]
    assert split_gains(THREE, seen(THREE, x, y, classes))[1][0] == pytest.approx(np.mean(each), rel=1e-12)


def test_gains_are_those_of_the_tables_and_an_empty_child_has_none() -> None:
    rows = seen(THREE, [1.0, 2, 2, 2, 3, 4, 4], [0, 1, 1, 0, 1, 1, 0])
    assert split_gains(THREE, rows)[0] == pytest.approx([gini_gain([[2, 2], [1, 2]]), gini_gain([[1, 0], [1, 2]])])
    one_sided = seen(THREE, [1.0, 1.0], [0, 1])
    assert [each.tolist() for each in split_gains(THREE, one_sided)[:2]] == [[0, 0], [0, 0]]
    none = seen(THREE, [3.0], [1])
    assert split_gains(THREE, none)[0].tolist() == [0, 0]
    for apart in (one_sided, none):
        assert [each.tolist() for each in gains_apart(THREE, rows, apart)] == [[0, 0], [0, 0]]
