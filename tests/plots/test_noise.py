"""The picture of a validation curve shows what the estimator keeps."""

import matplotlib.pyplot as plt

from splitcrit import plots
from splitcrit.trees import ValidationCurve


def test_accuracy_leaves_and_the_best_are_drawn(ax):
    curve = ValidationCurve((0.0, 0.5, 1.0), (0.7, 0.9, 0.8), (9.0, 5.0, 3.0))
    assert plots.validation_curve(curve, ax=ax) is ax
    accuracy, ring = ax.lines
    leaves = next(side for side in ax.figure.axes if side is not ax).lines[0]
    assert accuracy.get_xydata().tolist() == [[0, 0.7], [0.5, 0.9], [1, 0.8]]
    assert leaves.get_xydata().tolist() == [[0, 9], [0.5, 5], [1, 3]]
    assert ring.get_xydata().tolist() == [[0.5, 0.9]]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0", "0.5", "1"]


def test_a_grid_of_names_and_new_axes():
    ax = plots.validation_curve(ValidationCurve(("gini", "sgini"), (0.7, 0.9), (9.0, 5.0)))
    assert [label.get_text() for label in ax.get_xticklabels()] == ["gini", "sgini"]
    plt.close(ax.figure)
