"""What travels: histograms of smaller children only while nodes are large, and each row once when they are small."""

from fractions import Fraction
from threading import Lock
from typing import Any

import numpy as np
import pytest

from parts import few, parted, problem, same
from splitcrit import Criterion, TreeClassifier, TreeRegressor, gini
from splitcrit.trees import DaskTreeClassifier, DaskTreeRegressor
from splitcrit.trees.distributed import finishing
from splitcrit.trees.distributed import histogram_source as growth
from splitcrit.trees.distributed.sums import ResponseSums, digits, whole


@pytest.mark.parametrize("kind", [DaskTreeClassifier, DaskTreeRegressor])
def test_of_two_siblings_the_smaller_is_counted(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One histogram moves for each node that was split and has an open child, and at most half its rows are counted."""
    few(monkeypatch, 0)
    source_of = growth.HistogramSource
    histograms, travelling = source_of.histograms, source_of._travelling

    def counting(source: Any) -> Any:
        found = histograms(source)
        if source.parents is not None:
            sizes = source.nodes.sizes.reshape(-1, 2)[sorted({node // 2 for node in source.which.tolist()})]
            assert (len(asked), source.nodes.sizes[asked].sum()) == (len(sizes), sizes.min(axis=1).sum())
            moved.append((len(asked), len(source.which)))
        asked.clear()
        return found

    asked, moved = [], []
    monkeypatch.setattr(source_of, "histograms", counting)
    monkeypatch.setattr(source_of, "_travelling", lambda s, a: asked.extend(a.tolist()) or travelling(s, a))
    x, y = problem(600, 3)
    kind(max_bins=40).fit(*parted(x, y))
    assert len(moved) > 5 and any(one < nodes for one, nodes in moved)


@pytest.mark.parametrize("most", [1, 25, 150, 600])
def test_each_row_of_a_small_node_moves_once(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, most)
    together, sizes = finishing.grown_together, list[int]()

    def watched(pieces: Any, held: Any) -> Any:
        sizes.append(sum(len(rows.target) for rows, _ in pieces))
        assert sizes[-1] == sum(size for size, _ in held[0].values()) <= most
        return together(pieces, held)

    monkeypatch.setattr(finishing, "grown_together", watched)
    asked, travelling = list[int](), growth.HistogramSource._travelling
    monkeypatch.setattr(growth.HistogramSource, "_travelling", lambda s, a: asked.append(len(a)) or travelling(s, a))
    x, y = problem(600, 3)
    mine = DaskTreeClassifier(max_bins=40).fit(*parted(x, y))
    assert same(mine, TreeClassifier().fit(x, y)) and sum(sizes) <= len(x)
    open_nodes = (mine.tree_.n_node_samples > most) & (mine.tree_.impurity > 0)
    assert sum(asked) <= open_nodes.sum() and (most < 600 or not asked)
    assert bool(sizes) == (most > 1)  # what was tried in vain is not tried again
    assert len(sizes) <= 1 + 2 * len(x) // most


@pytest.mark.each_value
@pytest.mark.parametrize("bins", [5, 16])
@pytest.mark.parametrize("missing", [False, True])
def test_trees_of_few_bins_do_not_depend_on_who_finishes_them(bins: int, missing: bool, monkeypatch) -> None:
    x, y = problem(400, 3)
    if missing:
        x[np.random.default_rng(3).random(x.shape) < 0.2] = np.nan
    for kind, rounded in ((DaskTreeClassifier, ()), (DaskTreeRegressor, ("impurity", "value"))):
        trees = []
        for most in (0, 50, 400):
            few(monkeypatch, most)
            options = {"max_bins": bins, "max_features": 2, "random_state": 4, "max_depth": 9, "draw": "varying"}
            trees.append(kind(**options).fit(*parted(x, y)))
        assert all(same(trees[0], other, rounded) for other in trees[1:]) and trees[0].tree_.node_count > 40


def test_a_criterion_that_cannot_travel_is_scored_by_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, 600)
    held = Lock()  # which no worker can be sent
    mine = Criterion("mine", lambda t, m: gini.of(t[0], m) * 0 + abs(t[0][0] - t[1][0]) / 100 * (1 - held.locked()))
    monkeypatch.setattr(finishing, "grown_together", None)
    x, y = problem(100, 3)
    found = DaskTreeClassifier(criterion=mine, max_depth=2, max_bins=100).fit(*parted(x, y))
    assert same(found, TreeClassifier(criterion=mine, max_depth=2).fit(x, y))


def test_rows_of_a_leaf_that_are_not_those_counted_are_no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, 100)
    piece = finishing.piece

    def fewer(binned: Any, landed: Any, leaves: Any) -> Any:
        rows, at = piece(binned, landed, leaves)
        return rows.take(np.arange(1, len(at))) if len(at) else rows, at[1:]

    monkeypatch.setattr(finishing, "piece", fewer)
    with pytest.raises(RuntimeError, match="the same rows each time they are read; got other rows in a leaf"):
        DaskTreeClassifier().fit(*parted(*problem(600, 3)))


def test_how_many_rows_are_few_depends_on_the_data_alone() -> None:
    assert growth.few(10**5, 2) == 6250 and growth.few(10**9, 2**14) == max(growth.LEAST, growth.MOST >> 14)
    x, y = problem(600, 3)
    assert same(DaskTreeRegressor(max_bins=40).fit(*parted(x, y)), TreeRegressor().fit(x, y))


# Sums of digits are exact, whatever their order.


@pytest.mark.parametrize("bits", [22, 32, 45])
def test_digits_put_together_are_the_number_but_for_the_last_digit(bits: int) -> None:
    values = np.random.default_rng(0).normal(size=500) * np.logspace(-9, 0, 500)
    exponent = int(np.frexp(np.abs(values).max())[1])
    found = digits(values, exponent, bits, 2)
    assert all((each == np.round(each)).all() and np.abs(each).max() <= 2**bits for each in found)
    unit = Fraction(2) ** (exponent - 2 * bits)
    for value, integer in zip(values.tolist(), whole(np.stack(found, axis=1), bits), strict=True):
        assert abs(Fraction(value) - integer * unit) <= unit / 2


@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 5.0], [0.25, 0.5]], ids=str)
def test_means_and_centred_sums_are_rounded_once(weights: Any) -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(-(2**20), 2**20, 300) * 2.0**-30 + 1e3
    w = None if weights is None else rng.choice(weights, 300)
    most, unit = (None, 0) if w is None else (float(w.max()), -2)
    sums = ResponseSums.of(float(y.min()), float(y.max()), 300, most, unit)
    cell, held = rng.integers(0, 5, 300), sums.held(y, w)
    found = sums.added(cell, 5, held)
    backwards = sums.added(cell[::-1], 5, sums.held(y[::-1], None if w is None else w[::-1]))
    assert np.array_equal(found, backwards)
    heavy = [Fraction(1) if w is None else Fraction(float(w[i])) for i in range(300)]
    total, means, apart = found.sum(axis=0)[None], sums.means(found), sums.centred(found, found.sum(axis=0)[None])
    mean = sum(a * Fraction(float(b)) for a, b in zip(heavy, y, strict=True)) / sum(heavy)
    assert sums.means(total)[0] == float(mean)
    for j in range(5):
        mine = [i for i in range(300) if cell[i] == j]
        assert means[j] == float(sum(heavy[i] * Fraction(float(y[i])) for i in mine) / sum(heavy[i] for i in mine))
        assert apart[j] == float(sum(heavy[i] * (Fraction(float(y[i])) - mean) for i in mine))
