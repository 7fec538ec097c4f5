"""Large counts, tables without observations, and manifests of data sets that name no file.

Whatever is passed to any parameter of a public name is asked by `tests/contract`.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pytest

from reproductions.datasets import load
from splitcrit import gini_pvalue, optimal_vertex, selected_pvalue, symmetric, twoing
from splitcrit.robustness import (
    estimated_rates,
    leaf_labels,
    majority_bounds,
)

NOISE = symmetric(0.2)


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


@pytest.mark.parametrize("name", [None, 3, math.nan, ["a"], {}, "b"], ids=range(6))
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
