"""Whatever is passed to any parameter: a right answer, or one clear sentence; never a warning or a raw error.

The functions of robustness, vertices, chance, discretisation, data sets and metrics, each parameter in turn.
"""

from __future__ import annotations

import json
import math
import time
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from reproductions.datasets import checkerboard, load, names, uniform_halves, uniform_window
from splitcrit import (
    TreeClassifier,
    gini,
    gini_null,
    gini_pvalue,
    metrics,
    misclassification,
    optimal_vertex,
    pairwise_gain,
    selected_pvalue,
    sgini,
    sgini_scan,
    symmetric,
    tree_agreement,
    twoing,
    vertex_landscape,
)
from splitcrit.multiway import ChiMerge, GapClustering, clusterings
from splitcrit.noise import flipped, margin_rates, nearness_matrix
from splitcrit.nulls import null_distribution, selected_tail
from splitcrit.robustness import (
    corrected,
    estimated_rates,
    expected_gain,
    leaf_labels,
    leaf_threshold,
    majority_bounds,
    majority_failure,
    majority_failure_by_example,
    order_bounds,
    order_failure,
    phase_diagram,
    samples_needed,
    symmetric_flips,
    tolerance,
)
from splitcrit.vertices import fractional_optimum, near_ties

NAN, HUGE = math.nan, 10**400
ODD = [
    None, NAN, math.inf, -1, -1.5, 2.5, 10**30, 1e308, HUGE, 2**63, "a", "", b"x", True, 1j, object(), {}, {"a": 1},
    (), [], [[]], [1], [1, 2], [1, [2, 3]], [5], [[5], [3]], [[1, 2]], [0, 0], [[0, 0], [0, 0]], [NAN, 1], [None, 1],
    [[NAN, 1], [1, 2]], [[-1, 2], [3, 4]], [HUGE, 1], [[HUGE, 1], [1, 2]], [2**63, 1], [[1e308, 1e308], [1e308, 1]],
    [1e-320, 1], ["a", "b"], [["a", "b"], ["c", "d"]], [True, False], [[True, False], [False, True]], [1 + 1j, 2],
    [Fraction(1, 2), Fraction(1, 2)], range(3), {1, 2}, gini, symmetric(0.2), np.array(3),
    np.float16(0.25), np.uint8(3),
    np.zeros((0, 2)), np.zeros((2, 0)), np.array([3, 1], ">i4"), np.array([3, 1], np.float16), np.array([3, 1], object),
    np.array([[3, 1], [1, 2]], np.uint8), np.ma.array([1, 2], mask=[0, 1]),
    np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]]),
    pd.array([1, None], dtype="Int64"), pd.DataFrame({"a": [1, 2], "b": [3, 4]}), [1] + [1] * 999,
    np.array(["2020-01-01", "2021-01-01"], dtype="datetime64[D]"),
]  # fmt: skip
TABLE, CELLS, LEAF = [[3, 1], [1, 4]], [[[4, 1], [3, 2]], [[2, 3], [1, 4]]], [3, 1]
NOISE = symmetric(0.2)
POINTS, CODES = [[0.0], [2.0], [1.0], [3.0], [8.0], [10.0]], [0, 0, 1, 1, 2, 2]
X, TREE = [[1.0], [2.0]], TreeClassifier().fit([[0], [1]], [0, 1])


def small(call):
    """The call, unless its number asks for that much memory."""
    return lambda v: None if isinstance(v, int) and v >= 10**6 else call(v)


CALLS = {
    "majority_failure.counts": lambda v: majority_failure(v, NOISE),
    "majority_failure.channel": lambda v: majority_failure(LEAF, v),
    "majority_failure.ties": lambda v: majority_failure(LEAF, NOISE, ties=v),
    "majority_failure.limit": lambda v: majority_failure(LEAF, NOISE, limit=v),
    "majority_bounds.counts": lambda v: majority_bounds(v, NOISE),
    "majority_bounds.channel": lambda v: majority_bounds(LEAF, v),
    "by_example.labels": lambda v: majority_failure_by_example(v, [0.1, 0.2]),
    "by_example.rates": lambda v: majority_failure_by_example([1, 1], v),
    "samples_needed.counts": lambda v: samples_needed(v, NOISE, 0.1),
    "samples_needed.delta": lambda v: samples_needed(LEAF, NOISE, v),
    "samples_needed.ties": lambda v: samples_needed(LEAF, NOISE, 0.1, ties=v),
    "order_failure.cells": lambda v: order_failure(v, channel=NOISE, draws=100),
    "order_failure.second": lambda v: order_failure(TABLE, v, channel=NOISE, draws=100),
    "order_failure.channel": lambda v: order_failure(CELLS, channel=v),
    "order_failure.draws": small(lambda v: order_failure(CELLS, channel=NOISE, draws=v, limit=1e-6)),
    "order_failure.rng": lambda v: order_failure(CELLS, channel=NOISE, rng=v, draws=10, limit=1e-6),
    "order_bounds.cells": lambda v: order_bounds(v, channel=NOISE),
    "order_bounds.channel": lambda v: order_bounds(CELLS, channel=v),
    "expected_gain.table": lambda v: expected_gain(v, channel=NOISE),
    "expected_gain.pairwise": lambda v: expected_gain(v, channel=NOISE, criterion=pairwise_gain),
    "expected_gain.channel": lambda v: expected_gain(TABLE, channel=v),
    "expected_gain.criterion": lambda v: expected_gain(TABLE, channel=NOISE, criterion=v),
    "corrected.channel": lambda v: corrected(gini, v)(TABLE),
    "leaf_labels.counts": lambda v: leaf_labels(v, NOISE),
    "leaf_labels.channel": lambda v: leaf_labels(TABLE, v),
    "leaf_threshold": leaf_threshold,
    "estimated_rates.leaves": lambda v: estimated_rates(v, least=1),
    "estimated_rates.least": lambda v: estimated_rates(TABLE, least=v),
    "estimated_rates.confidence": lambda v: estimated_rates(TABLE, least=1, confidence=v),
    "margin_rates": margin_rates,
    "margin_rates.top": lambda v: margin_rates([1, 2], top=v),
    "margin_rates.scale": lambda v: margin_rates([1, 2], scale=v),
    "flipped.codes": lambda v: flipped(v, [0.1, 0.2]),
    "flipped.rates": lambda v: flipped([0, 1], v),
    "flipped.classes": lambda v: flipped([0, 1], [0.1, 0.2], classes=v),
    "flipped.rng": lambda v: flipped([0, 1], [0.1, 0.2], rng=v),
    "nearness_matrix.X": lambda v: nearness_matrix(v, CODES),
    "nearness_matrix.codes": lambda v: nearness_matrix(POINTS, v),
    "nearness_matrix.stay": lambda v: nearness_matrix(POINTS, CODES, stay=v),
    "nearness_matrix.ridge": lambda v: nearness_matrix(POINTS, CODES, ridge=v),
    "tolerance.noise": lambda v: tolerance(gini, v),
    "tolerance.classes": lambda v: tolerance(gini, "uniform", v),
    "phase_diagram.table": lambda v: phase_diagram(v, TABLE, points=5),
    "phase_diagram.sgini": lambda v: phase_diagram(v, TABLE, sgini, points=5),
    "phase_diagram.points": lambda v: phase_diagram(TABLE, TABLE, points=v),
    "symmetric_flips": lambda v: symmetric_flips(v, cells=4),
    "symmetric_flips.cells": small(lambda v: symmetric_flips(lambda rate: 1, cells=v)),
    "optimal_vertex.gini": lambda v: optimal_vertex(v, gini),
    "optimal_vertex.twoing": lambda v: optimal_vertex(v, twoing),
    "optimal_vertex.other": lambda v: optimal_vertex(v, misclassification),
    "optimal_vertex.method": lambda v: optimal_vertex([4, 3, 2, 1], twoing, method=v),
    "optimal_vertex.most_ties": lambda v: optimal_vertex([4, 3, 2, 1], twoing, most_ties=v),
    "optimal_vertex.steps": lambda v: optimal_vertex([4, 3, 2, 1], twoing, steps=v),
    "vertex_landscape.p": lambda v: vertex_landscape(v, twoing, best=2),
    "vertex_landscape.best": lambda v: vertex_landscape([4, 3, 2, 1], gini, best=v),
    "vertex_landscape.within": lambda v: vertex_landscape([4, 3, 2, 1], gini).within(v),
    "fractional_optimum.p": lambda v: fractional_optimum(v, gini, starts=20),
    "fractional_optimum.starts": lambda v: fractional_optimum([4, 3, 2, 1], gini, starts=v),
    "fractional_optimum.rng": lambda v: fractional_optimum([4, 3, 2, 1], gini, starts=3, rng=v),
    "near_ties.classes": lambda v: near_ties(v, 100),
    "near_ties.width": lambda v: near_ties(5, 100, width=v),
    "selected_pvalue": lambda v: selected_pvalue(v, samples=50, rng=0),
    "selected_pvalue.statistic": lambda v: selected_pvalue(TABLE, statistic=v),
    "selected_pvalue.min_leaf": lambda v: selected_pvalue(TABLE, min_leaf=v),
    "selected_pvalue.mid": lambda v: selected_pvalue(TABLE, mid=v),
    "selected_pvalue.method": lambda v: selected_pvalue(TABLE, method=v),
    "selected_pvalue.limit": lambda v: selected_pvalue(TABLE, limit=v),
    "selected_pvalue.rng": lambda v: selected_pvalue(TABLE, method="monte_carlo", samples=5, rng=v),
    "selected_tail.score": lambda v: selected_tail(v, 6, 3),
    "selected_tail.n": lambda v: selected_tail(1, v, 3),
    "selected_tail.ones": lambda v: selected_tail(1, 6, v),
    "selected_tail.cuts": lambda v: selected_tail(1, 6, 3, cuts=v),
    "null_distribution": lambda v: null_distribution(v, samples=50),
    "null_distribution.method": lambda v: null_distribution(TABLE, method=v),
    "null_distribution.samples": small(lambda v: null_distribution(TABLE, method="monte_carlo", samples=v)),
    "null_distribution.limit": lambda v: null_distribution(TABLE, method="exact", limit=v),
    "gini_null.order": lambda v: gini_null([3, 7], [4, 6], order=v),
    "gini_null.model": lambda v: gini_null([3, 7], [4, 6], model=v),
    "sgini_scan.codes": sgini_scan,
    "sgini_scan.n_classes": lambda v: sgini_scan([0, 0, 1, 1], v),
    "sgini_scan.values": lambda v: sgini_scan([0, 1], values=v),
    "ChiMerge.significance": lambda v: ChiMerge(v).fit_transform(X, [0, 1]),
    "ChiMerge.threshold": lambda v: ChiMerge(threshold=v).fit_transform(X, [0, 1]),
    "ChiMerge.max_intervals": lambda v: ChiMerge(max_intervals=v).fit_transform(X, [0, 1]),
    "ChiMerge.min_intervals": lambda v: ChiMerge(min_intervals=v).fit_transform(X, [0, 1]),
    "GapClustering.n_clusters": lambda v: GapClustering(v).fit_transform(X, [0, 1]),
    "GapClustering.linkage": lambda v: GapClustering(linkage=v).fit_transform(X, [0, 1]),
    "clusterings.feature": lambda v: clusterings(v, [0, 1]),
    "clusterings.label": lambda v: clusterings([1.0, 2.0], v),
    "checkerboard.n": small(checkerboard),
    "checkerboard.cells": lambda v: checkerboard(5, cells=v),
    "uniform_halves.positive": lambda v: uniform_halves(5, positive=v),
    "uniform_window.rng": lambda v: uniform_window(5, rng=v),
    "names": names,
    "accuracy": lambda v: metrics.accuracy(v, [0, 1]),
    "pure_accuracy": lambda v: metrics.pure_accuracy([0, 1], v),
    "nodes_per_layer": metrics.nodes_per_layer,
    "nodes_per_layer.layers": lambda v: metrics.nodes_per_layer(TREE, v),
    "tree_agreement": lambda v: tree_agreement(v, v, [[0], [1]], [0, 1]),
    "tree_agreement.y": lambda v: tree_agreement(TREE, TREE, [[0], [1]], v),
}


def holds_nan(found):
    if found is None or isinstance(found, str):
        return False
    if isinstance(found, list | tuple):
        return any(map(holds_nan, found))
    if hasattr(found, "__dataclass_fields__"):
        return any(holds_nan(getattr(found, name)) for name in found.__dataclass_fields__)
    try:
        return bool(np.isnan(np.asarray(found, dtype=float)).any())
    except (TypeError, ValueError, OverflowError):
        return False


@pytest.mark.parametrize("name", CALLS)
def test_whatever_is_passed_is_answered_or_refused_in_one_sentence(name):
    """Warnings are errors here; a refusal has a rule, the value and a remedy, in one line."""
    for value in ODD:
        start = time.process_time()
        try:
            assert not holds_nan(CALLS[name](value)) or name.startswith("near_ties"), repr(value)[:80]
        except (ValueError, TypeError, FileNotFoundError) as error:
            said = str(error)
            assert "; got " in said and said.count("; ") >= 2 and "\n" not in said, (repr(value)[:80], said)
        assert time.process_time() - start < 20, repr(value)[:80]


SAME = [
    lambda a: np.array(a, np.uint8),
    lambda a: np.array(a, ">i4"),
    lambda a: np.array(a, np.float16),
    lambda a: np.array(a, object),
    lambda a: np.ma.array(a),
    lambda a: np.asfortranarray(a),
    lambda a: np.array(a, float),
]


@pytest.mark.parametrize("made", SAME, ids=range(len(SAME)))
def test_the_same_numbers_give_the_same_answer(made):
    def still(a):
        found = made(a)
        found.setflags(write=False)
        return found

    assert majority_failure(still([9, 4]), NOISE) == majority_failure([9, 4], NOISE)
    assert samples_needed(still([2, 3]), NOISE, 0.1) == samples_needed([2, 3], NOISE, 0.1)
    assert order_failure(still(CELLS), channel=NOISE) == order_failure(CELLS, channel=NOISE)
    assert order_bounds(still(CELLS), channel=NOISE) == order_bounds(CELLS, channel=NOISE)
    assert expected_gain(still(TABLE), channel=NOISE) == expected_gain(TABLE, channel=NOISE)
    assert leaf_labels(still(TABLE), NOISE).tolist() == leaf_labels(TABLE, NOISE).tolist()
    assert estimated_rates(still(TABLE), least=1) == estimated_rates(TABLE, least=1)
    assert margin_rates(still([1, 2, 5])).tolist() == margin_rates([1, 2, 5]).tolist()
    assert flipped(still([0, 1, 1]), [1.0, 1.0, 0.0]).tolist() == [1, 0, 1]
    assert majority_failure_by_example(still([1, 1, 0]), [0.1] * 3) == majority_failure_by_example([1, 1, 0], [0.1] * 3)
    assert np.array_equal(nearness_matrix(POINTS, still(CODES)), nearness_matrix(POINTS, CODES))
    found, same = (phase_diagram(f(TABLE), f([[2, 3], [2, 2]])).order for f in (still, list))
    assert (found == same).all()
    assert selected_pvalue(still(TABLE)) == selected_pvalue(TABLE)
    assert sgini_scan(still([0, 1, 1])).tolist() == sgini_scan([0, 1, 1]).tolist()
    assert metrics.pure_accuracy(still([0, 1, 1]), [0, 1, 0]) == metrics.pure_accuracy([0, 1, 1], [0, 1, 0])


def test_a_masked_count_is_no_count():
    for call in (lambda leaf: majority_failure(leaf, NOISE), lambda leaf: leaf_labels(leaf, NOISE)):
        with pytest.raises(ValueError, match="must be present; got a masked entry"):
            call(np.ma.array([5, 1], mask=[True, False]))


def test_a_table_without_observations_has_p_value_one():
    for nothing in ([[0, 0], [0, 0]], np.zeros((3, 2), int)):
        assert selected_pvalue(nothing).value == gini_pvalue(nothing).value == 1
        assert selected_pvalue(nothing, method="exact").value == Fraction(1)


def test_large_counts_are_counted_in_integers():
    n = 10**15
    assert estimated_rates([[9 * n // 10, n // 10], [n // 10, 9 * n // 10]]).tau_neg == 0.1
    assert leaf_labels([[10**400, 1], [1, 10**400]], NOISE).tolist() == [0, 1]
    assert optimal_vertex([3 * n, 2 * n, n], twoing).left == (0,)
    assert majority_bounds([n, 2 * n], NOISE).lemma7 > 0


@pytest.mark.parametrize("name", [None, 3, NAN, ["a"], {}, "b"], ids=range(6))
def test_data_sets_are_named_by_text(tmp_path, name):
    (tmp_path / "manifest.json").write_text(json.dumps({"datasets": [{"name": "a", "file": "a.csv"}]}))
    with pytest.raises(ValueError, match="must be in the manifest; got"):
        load(name, tmp_path)


def test_manifests_that_name_no_file_are_refused(tmp_path):
    (tmp_path / "manifest.json").write_text(json.dumps({"datasets": [{"name": "a"}, {"name": "b", "file": "b.csv"}]}))
    (tmp_path / "b.csv").write_text("class\nx\ny\n")
    with pytest.raises(ValueError, match="a data set of a manifest has a file; got None for a"):
        load("a", tmp_path)
    with pytest.raises(ValueError, match="features before its class; got one column in b"):
        load("b", tmp_path)
