"""What a feature to divide may be, and that nothing is transformed before it is fitted."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from splitcrit.discretize import ChiMerge, GapClustering, clusterings


def test_truth_values_are_divided_as_zeros_and_ones() -> None:
    feature, label = np.array([True, False, True, True, False]), [1, 0, 1, 0, 0]
    found, numbers = clusterings(feature, label), clusterings(feature.astype(int), label)
    assert found.scores.tolist() == numbers.scores.tolist() and len(found.scores) == 1
    assert found.hierarchy.values.tolist() == [0, 1]
    with pytest.raises(TypeError, match="the values of a feature are real numbers"):
        clusterings(["a", "b", "a", "a", "b"], label)


@pytest.mark.parametrize("binning", [ChiMerge(), GapClustering()], ids=lambda binning: type(binning).__name__)
def test_what_is_not_fitted_transforms_nothing(binning: ChiMerge | GapClustering) -> None:
    with pytest.raises(NotFittedError):
        binning.transform([[0.0], [1.0]])
