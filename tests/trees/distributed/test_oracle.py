"""Trees of partitions against a tree grown in plain Python: every threshold of every node enumerated, in Fractions.

The grower below knows nothing of bins, histograms or partitions, and shares no code with the package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isnan
from typing import Any
from zlib import crc32

import dask.array as da
import numpy as np
import pytest

import orders
from parts import few
from splitcrit.trees import DaskTreeClassifier, DaskTreeRegressor
from splitcrit.trees.distributed.sketch import Bins, Sketch
from splitcrit.trees.distributed.training_summary import TrainingSummary, summarised

Gain = Callable[[list[list[Fraction]]], Any]
Rows = list[int]


@pytest.fixture(autouse=True)
def few_rows(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the tests grow all nodes by histograms, the others have nodes of up to 12 rows finished by one worker."""
    few(monkeypatch, 12 * (crc32(request.node.name.encode()) % 2))


def twoing(table: list[list[Fraction]]) -> Fraction:
    left, right = map(sum, table)
    apart = sum(abs(a / left - b / right) for a, b in zip(*table, strict=True))
    return left * right * apart**2 / (4 * (left + right) ** 2)


def gain_of(impurity: Callable[[Any], Any]) -> Gain:
    """Return the gain of two rows of weights by an impurity."""
    return lambda table: orders.gain(table, impurity)  # type: ignore[arg-type]


GAINS: dict[str, Gain] = {
    "gini": gain_of(orders.gini),
    "misclassification": gain_of(orders.errors),
    "entropy": gain_of(orders.entropy),
    "twoing": twoing,
}


@dataclass(frozen=True)
class Grower:
    """A tree in plain Python, as nested tuples: rows, class weights; then feature, threshold, missing left, sides."""

    x: list[list[float]]
    y: list[int]
    weights: list[Fraction]
    classes: int
    gain: Gain
    least: int = 1
    lightest: Fraction = Fraction(0)
    depth: float = inf

    def counts(self, rows: Rows) -> list[Fraction]:
        return [sum((self.weights[i] for i in rows if self.y[i] == k), Fraction(0)) for k in range(self.classes)]

    def candidates(self, rows: Rows) -> Iterator[tuple[int, float, bool, Rows]]:
        """Yield feature, threshold, whether missing values go left, and the rows on the left, in the order of ties."""
        for f in range(len(self.x[0])):
            known = sorted({self.x[i][f] for i in rows if not isnan(self.x[i][f])})
            lost = [i for i in rows if isnan(self.x[i][f])]
            for moved in (False, True)[: 1 + bool(lost)]:
                ends = [*known[1:], inf] if lost and not moved else known[1:]
                for low, high in zip(known, ends, strict=False):
                    left = [i for i in rows if self.x[i][f] <= low] + lost * moved
                    way = moved if lost else 2 * len(left) > len(rows)
                    yield f, inf if high == inf else low / 2 + high / 2, way, left

    def fits(self, rows: Rows) -> bool:
        return len(rows) >= self.least and sum(self.counts(rows)) >= self.lightest

    def grown(self, rows: Rows, depth: int = 0) -> Any:
        node = self.counts(rows)
        mine = (len(rows), tuple(map(float, node)))
        if depth >= self.depth or sum(w > 0 for w in node) < 2:
            return mine
        scored = []
        for f, threshold, way, left in self.candidates(rows):
            inside = set(left)
            right = [i for i in rows if i not in inside]
            if self.fits(left) and self.fits(right):
                scored.append((self.gain([self.counts(left), self.counts(right)]), f, threshold, way, left, right))
        top = max((one[0] for one in scored), default=0)
        if top <= 1e-11:
            return mine
        _, f, threshold, way, left, right = next(one for one in scored if one[0] >= top - 1e-11)
        return (*mine, f, threshold, way, self.grown(sorted(left), depth + 1), self.grown(right, depth + 1))


def read(tree: Any, node: int = 0) -> Any:
    """Return a fitted tree as nested tuples."""
    one = tree.__getstate__()["nodes"][node]
    weights = tree.value[node, 0] * one["weighted_n_node_samples"]
    mine = (int(one["n_node_samples"]), tuple(np.round(weights, 9).tolist()))
    if one["left_child"] < 0:
        return mine
    children = read(tree, int(one["left_child"])), read(tree, int(one["right_child"]))
    return (*mine, int(one["feature"]), float(one["threshold"]), bool(one["missing_go_to_left"]), *children)


def leaf(tree: Any, row: list[float]) -> tuple[float, ...]:
    """Return the class weights of the leaf that a row reaches."""
    while len(tree) > 2:
        _, _, f, threshold, way, left, right = tree
        tree = left if (way if isnan(row[f]) else row[f] <= threshold) else right
    return tuple(tree[1])


@dataclass(frozen=True)
class Problem:
    """Rows with ties, perhaps missing values, labels and weights, all exact in binary."""

    x: np.ndarray
    y: np.ndarray
    weights: np.ndarray | None

    @staticmethod
    def drawn(seed: int, classes: int = 3, missing: bool = False, weights: Any = None, n: int = 48) -> Problem:
        rng = np.random.default_rng(seed)
        x = rng.integers(0, 7, (n, 3)).astype(np.float32) / 2 - 1
        y = (np.digitize(x[:, 0] + x[:, 1], [-0.5, 1.0])[:n] + (rng.random(n) < 0.3)) % classes
        y[:classes] = range(classes)
        if missing:
            x[rng.random(x.shape) < 0.2] = np.nan
        return Problem(x, y, None if weights is None else rng.choice(weights, n))

    def grower(self, criterion: str, **options: Any) -> Grower:
        """Return the plain grower of these rows without those of weight 0."""
        weights = np.ones(len(self.y)) if self.weights is None else self.weights
        kept = np.flatnonzero(weights > 0)
        x, y = self.x[kept].astype(float).tolist(), self.y[kept].tolist()
        classes = int(self.y.max()) + 1
        return Grower(x, y, [Fraction(float(w)) for w in weights[kept]], classes, GAINS[criterion], **options)

    def parted(self, sizes: list[int]) -> list[Any]:
        """Return Dask arrays in partitions of these sizes."""
        given = [a for a in (self.x, self.y, self.weights) if a is not None]
        return [da.from_array(a, chunks=(tuple(sizes), *a.shape[1:])) for a in given]


PARTS = {"one": [48], "several": [16, 16, 16], "uneven": [1, 30, 2, 15], "empty": [0, 20, 0, 0, 27, 1, 0]}


def check(problem: Problem, criterion: str, sizes: list[int], options: dict[str, Any], **limits: Any) -> Any:
    """Hold the tree of partitions against the plain one, node for node; return the latter."""
    model = DaskTreeClassifier(criterion=criterion, max_bins=64, **options).fit(*problem.parted(sizes))
    grower = problem.grower(criterion, **limits)
    expected = grower.grown(list(range(len(grower.y))))
    assert read(model.tree_) == expected
    leaves = [leaf(expected, row) for row in problem.x.astype(float).tolist()]
    found = model.predict_proba(problem.parted(sizes)[0]).compute()
    assert np.allclose(found, [[w / sum(one) for w in one] for one in leaves], rtol=1e-12)
    hits = np.array([one.index(max(one)) for one in leaves]) == problem.y
    assert model.score(*problem.parted(sizes)) == pytest.approx(np.average(hits, weights=problem.weights))
    return expected


@pytest.mark.each_value
@pytest.mark.parametrize("parts", PARTS)
@pytest.mark.parametrize("missing", [False, True], ids=["known", "missing"])
@pytest.mark.parametrize("criterion", GAINS)
def test_partitions_grow_the_plain_tree(criterion: str, missing: bool, parts: str) -> None:
    for seed, classes in ((0, 2), (1, 3)):
        found = check(Problem.drawn(seed, classes, missing), criterion, PARTS[parts], {})
        assert len(found) > 2


RESPONSES = [Fraction(value, 4) for value in (-6, -1, 0, 2, 9, 28)]  # of class codes


def spread(counts: Any) -> tuple[Fraction, Fraction, Fraction]:
    """Weight, mean and variance of the responses with these weights."""
    weights = [Fraction(w) for w in counts]
    heavy = sum(weights, Fraction(0))
    mean = sum((w * y for w, y in zip(weights, RESPONSES, strict=True)), Fraction(0)) / heavy
    return heavy, mean, sum((w * (y - mean) ** 2 for w, y in zip(weights, RESPONSES, strict=True)), Fraction(0)) / heavy


def variance_gain(table: list[list[Fraction]]) -> Fraction:
    (a, one, _), (b, other, _) = map(spread, table)
    return a * b * (one - other) ** 2 / (a + b) ** 2


def listed(tree: Any) -> list[Any]:
    """The nodes of a plain tree, depth first: rows, class weights, feature and threshold."""
    if len(tree) == 2:
        return [(*tree, -2, -2.0)]
    return [tree[:4], *listed(tree[5]), *listed(tree[6])]


@pytest.mark.each_value
@pytest.mark.parametrize("rows", [0, 20])
@pytest.mark.parametrize("missing", [False, True], ids=["known", "missing"])
@pytest.mark.parametrize("weights", [None, [0.25, 1.0, 3.0], [0.0, 1.0]], ids=str)
def test_partitions_grow_the_plain_tree_of_responses(weights: Any, missing: bool, rows: int, monkeypatch: Any) -> None:
    few(monkeypatch, rows)
    for seed, shift in ((0, 0.0), (1, 2.0**30)):
        drawn = Problem.drawn(seed, 3, missing, weights, n=60)
        drawn.y[:] = 2 * drawn.y + np.random.default_rng(seed).integers(0, 2, 60)
        plain = Grower(
            drawn.x.astype(float).tolist(), drawn.y.tolist(),
            [Fraction(float(w)) for w in (np.ones(60) if drawn.weights is None else drawn.weights)],
            len(RESPONSES), variance_gain, depth=5,
        )  # fmt: skip
        expected = listed(plain.grown([i for i in range(60) if plain.weights[i] > 0]))
        x, _, *given = drawn.parted([19, 30, 0, 11])
        y = da.from_array(np.array([float(RESPONSES[k]) for k in drawn.y]) + shift, chunks=((19, 30, 0, 11),))
        tree = DaskTreeRegressor(max_bins=99, max_depth=5).fit(x, y, *given).tree_
        found = zip(tree.n_node_samples.tolist(), tree.feature.tolist(), tree.threshold.tolist(), strict=True)
        assert list(found) == [(size, f, threshold) for size, _, f, threshold in expected] and len(expected) > 9
        told = [spread(counts) for _, counts, *_ in expected]
        means, variances = [float(mean + Fraction(shift)) for _, mean, _ in told], [float(v) for *_, v in told]
        assert np.allclose(tree.value.ravel(), means, rtol=1e-15) and np.allclose(tree.impurity, variances, rtol=1e-9)
        assert rows or (tree.value.ravel() == means).all()  # rounded once


@pytest.mark.each_value
@pytest.mark.parametrize("parts", PARTS)
@pytest.mark.parametrize("missing", [False, True], ids=["known", "missing"])
@pytest.mark.parametrize("weights", [[0.25, 1.0, 5.0], [0.0, 1.0, 2.0], [3.0]], ids=str)
def test_weights_weigh_and_rows_of_weight_0_are_no_rows(weights: list[float], missing: bool, parts: str) -> None:
    for seed in (2, 3):
        assert len(check(Problem.drawn(seed, 3, missing, weights), "gini", PARTS[parts], {})) > 2


@pytest.mark.parametrize("first", [True, False])
def test_one_partition_of_equal_weights_does_not_stand_for_all(first: bool) -> None:
    """All weights of a partition are 1, those of the other are not."""
    drawn = Problem.drawn(4, 2)
    weights = np.where((np.arange(48) < 24) == first, 1.0, np.where(drawn.y == 0, 8.0, 0.25))
    problem = Problem(drawn.x, drawn.y, weights)
    assert check(problem, "gini", [24, 24], {}) != check(drawn, "gini", [24, 24], {})


@pytest.mark.each_value
@pytest.mark.parametrize("missing", [False, True], ids=["known", "missing"])
@pytest.mark.parametrize("weighted", [False, True], ids=["even", "weighted"])
@pytest.mark.parametrize(
    ("options", "limits"),
    [
        ({"min_samples_leaf": 5}, {"least": 5}),
        ({"min_samples_leaf": 0.17}, {"least": 9}),
        ({"max_depth": 2}, {"depth": 2}),
        ({"min_samples_leaf": 3, "max_depth": 3}, {"least": 3, "depth": 3}),
        ({"min_weight_fraction_leaf": 0.125}, {"lightest": Fraction(1, 8)}),
    ],
    ids=str,
)
def test_limits_bind_as_in_the_plain_tree(
    options: dict[str, Any], limits: dict[str, Any], weighted: bool, missing: bool
) -> None:
    problem = Problem.drawn(5 + missing, 3, missing, [0.25, 1.0, 4.0] if weighted else None)
    mine = dict(limits)
    if "lightest" in mine:
        mine["lightest"] *= Fraction(48 if problem.weights is None else float(problem.weights.sum()))
    for sizes in (PARTS["several"], PARTS["empty"]):
        assert len(check(problem, "gini", sizes, options, **mine)) > 2


def test_one_missing_value_is_missing() -> None:
    problem = Problem.drawn(10, 3)
    problem.x[17, 1] = np.nan
    for parts in ("one", "uneven"):
        assert len(check(problem, "gini", PARTS[parts], {})) > 2


def test_sketches_that_are_merged_are_those_of_the_whole_column() -> None:
    """Values that lie in several partitions are counted in all of them."""
    column = Problem.drawn(11, missing=True).x[:, 0]
    whole, ends = Sketch.of(column, 50), np.cumsum(PARTS["empty"])[:-1]
    merged = Sketch.merged([Sketch.of(part, 50) for part in np.split(column, ends)], 50)
    known = column[~np.isnan(column)].tolist()
    for found in (whole, merged):
        assert found.values.tolist() == sorted(set(known)) and found.missing == len(column) - len(known)
        assert found.counts.tolist() == [known.count(value) for value in sorted(set(known))]


def test_a_side_of_exactly_the_least_weight_is_allowed() -> None:
    """Two rows of 1/2 beside eight of 7/8: an eighth of the whole."""
    x, y = np.arange(10, dtype=np.float32)[:, None], (np.arange(10) > 1).astype(int)
    problem = Problem(x, y, np.array([0.5] * 2 + [0.875] * 8))
    for share, rows in ((0.125, 2), (0.126, 3)):
        found = check(problem, "gini", [5, 5], {"min_weight_fraction_leaf": share}, lightest=Fraction(share) * 8)
        assert found[5][0] == rows


def test_an_empty_partition_says_nothing_of_the_kind_of_labels() -> None:
    """It may hold numbers where the others hold words; two filled ones may not."""
    x, words = np.zeros((4, 2), np.float32), np.array(["no", "yes", "no", "no"])
    empty, filled = summarised(x[:0], np.empty(0), None, 9), summarised(x, words, None, 9)
    for parts in ([empty, filled], [filled, empty, empty]):
        found = TrainingSummary.merged(parts, 9)
        assert (found.target.labels.tolist(), found.target.rows.tolist(), found.ones) == (["no", "yes"], [3, 1], True)
    assert TrainingSummary.merged([empty, empty], 9).target.labels.tolist() == []
    with pytest.raises(TypeError, match="labels must be of one type; got strings and numbers"):
        TrainingSummary.merged([filled, summarised(x, np.arange(4), None, 9)], 9)


@pytest.mark.parametrize("weights", [None, [0.5, 1.0, 2.0]], ids=["even", "weighted"])
def test_weights_of_classes_multiply_those_of_rows(weights: Any) -> None:
    drawn, factors = Problem.drawn(7, 3, weights=weights), {0: 4.0, 1: 0.25, 2: 0.5}
    model = DaskTreeClassifier(max_bins=64, class_weight=factors).fit(*drawn.parted(PARTS["uneven"]))
    own = np.ones(48) if drawn.weights is None else drawn.weights
    both = own * [factors[k] for k in drawn.y.tolist()]
    together = Problem(drawn.x, drawn.y, both)
    assert read(model.tree_) == together.grower("gini").grown(list(range(48)))
    for share in (0.0625, 0.125, 0.25, 0.375):
        model.set_params(min_weight_fraction_leaf=share).fit(*drawn.parted(PARTS["uneven"]))
        grower = together.grower("gini", lightest=Fraction(share) * Fraction(sum(both.tolist())))
        assert read(model.tree_) == grower.grown(list(range(48)))


@pytest.mark.each_value
@pytest.mark.parametrize("bins", [2, 3, 5])
@pytest.mark.parametrize("missing", [False, True], ids=["known", "missing"])
def test_few_bins_are_columns_of_few_values(bins: int, missing: bool) -> None:
    """Thresholds lie between the largest value of a bin and the least of the next that the node has."""
    problem = Problem.drawn(8, 3, missing)
    edges = Bins.of([Sketch.of(column, 8 * bins) for column in problem.x.T], bins)
    codes, known, thresholds = edges.codes(problem.x), ~np.isnan(problem.x.T), {}
    for f, column in enumerate(problem.x.T):
        low, high = edges.low[f], edges.high[f]
        inside, place = column[known[f]], codes[f][known[f]]
        assert (low[place] <= inside).all() and (inside <= high[place]).all()
        assert (high[:-1] < low[1:]).all() and len(low) <= bins
        for i in range(len(low)):  # a bin is a power of 2, so that half a sum of two tells which
            later = {(2.0**i + 2.0**j) / 2: float(high[i]) / 2 + float(low[j]) / 2 for j in range(i + 1, len(low))}
            thresholds |= {(f, between): value for between, value in later.items()}
    binned = np.where(known, 2.0**codes, np.nan).T
    expected = Problem(binned, problem.y, None).grower("gini").grown(list(range(48)))

    def unbinned(tree: Any) -> Any:
        if len(tree) == 2:
            return tree
        rows, weights, f, between, way, left, right = tree
        return rows, weights, f, thresholds.get((f, between), inf), way, unbinned(left), unbinned(right)

    for sizes in ([48], [0, 48]):
        model = DaskTreeClassifier(max_bins=bins).fit(*problem.parted(sizes))
        assert read(model.tree_) == unbinned(expected) and len(expected) > 2
