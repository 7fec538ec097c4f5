"""The same numbers in any array give the same answer, large counts too; what is missing or absent is refused.

Whatever is passed to any parameter of a public name is asked by `tests/contract`.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pytest

from reproductions.datasets import load
from splitcrit import gini_pvalue, optimal_vertex, selected_pvalue, sgini_scan, symmetric, twoing
from splitcrit.noise import flipped, margin_rates, nearness_matrix
from splitcrit.robustness import (
    estimated_rates,
    expected_gain,
    leaf_labels,
    majority_bounds,
    majority_failure,
    majority_failure_by_example,
    order_bounds,
    order_failure,
    phase_diagram,
    samples_needed,
)
from splitcrit.trees import metrics

NAN = math.nan
TABLE, CELLS = [[3, 1], [1, 4]], [[[4, 1], [3, 2]], [[2, 3], [1, 4]]]
NOISE = symmetric(0.2)
POINTS, CODES = [[0.0], [2.0], [1.0], [3.0], [8.0], [10.0]], [0, 0, 1, 1, 2, 2]
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
