"""The picture of a significant subtree: its words, intervals and places."""

from itertools import combinations

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

import matplotlib.pyplot as plt  # noqa: E402
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor  # noqa: E402

from splitcrit.inference import InferenceTreeClassifier, significant_subtree  # noqa: E402
from splitcrit.plots import plot_inference_tree, plot_significant_subtree  # noqa: E402
from splitcrit.plots.inference_tree import HIGH, places  # noqa: E402

X = np.arange(80.0)[:, None]
WORDS = np.where((X[:, 0] >= 40) ^ (X[:, 0] % 11 == 3), "yes", "no")
GROWN = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X[::2], WORDS[::2])


def words(ax):
    return [text.get_text() for text in ax.texts]


def test_levels_verdicts_and_intervals_of_classes(ax):
    found = significant_subtree(GROWN, X[1::2], WORDS[1::2])
    assert found.estimator.tree_.node_count == 3
    first, second = found.kept[1:]
    assert plot_significant_subtree(found, feature_names=["dose"], ax=ax, delta=0.1) is ax
    tests = found.tests
    assert f"dose ≤ {GROWN.tree_.threshold[0]:.3g}\np = {tests.p[0]:.2g} ≤ 0.05" in words(ax)
    for node in (first, second):
        threshold = f"dose ≤ {GROWN.tree_.threshold[node]:.3g}"
        assert f"{found.sizes[node]} rows\n{threshold}\np = {tests.p[node]:.2g} > 0.025" in words(ax)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["no", "yes"]
    low, high = found.intervals(0.1)
    drawn = [line.get_ydata() for line in ax.lines if line.get_linewidth() == 3]
    expected = [[low[node, i], high[node, i]] for node in (first, second) for i in (0, 1)]
    assert np.allclose((np.array(drawn) + 1 + HIGH) / HIGH, expected)
    shares = [(line.get_ydata()[0] + 1 + HIGH) / HIGH for line in ax.lines if line.get_marker() == "o"]
    assert np.allclose(shares, (found.values / found.sizes[:, None])[[first, second]].ravel())


def test_words_do_not_overlap():
    kinds = np.array(["a class with a long name", "another class with one", "the third"])
    y = kinds[np.digitize(X[:, 0], (30, 50))]
    grown = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X[::2], y[::2])
    tested = InferenceTreeClassifier(n_permutations=99, random_state=0, test="node").fit(X, y)
    for axes in (plot_significant_subtree(significant_subtree(grown, X[1::2], y[1::2])), plot_inference_tree(tested)):
        axes.figure.canvas.draw()
        boxes = [text.get_window_extent() for text in axes.texts]
        assert len(boxes) > 3 and not any(one.overlaps(two) for one, two in combinations(boxes, 2))
        plt.close(axes.figure)


def test_medians_and_means_of_responses(ax):
    y = np.repeat([0.0, 10.0], 40) + X[:, 0] % 3
    found = significant_subtree(DecisionTreeRegressor(max_depth=1).fit(X[::2], y[::2]), X[1::2], y[1::2], rng=0)
    plot_significant_subtree(found, ax=ax)
    low, high = found.intervals()
    drawn = [line.get_ydata() for line in ax.lines if line.get_linewidth() == 3]
    expected = [[low[node, 0], high[node, 0]] for node in (1, 2)]
    assert np.allclose((np.array(drawn) + 1 + HIGH) / HIGH * 12, expected)  # responses lie between 0 and 12
    means = [line.get_ydata()[0] for line in ax.lines if line.get_linewidth() == 2]
    assert np.allclose((np.array(means) + 1 + HIGH) / HIGH * 12, found.values[1:, 0])


def test_a_tree_of_which_nothing_is_kept_and_new_axes():
    found = significant_subtree(GROWN, X[:4], ["no"] * 4)
    ax = found.plot()
    assert words(ax) == ["0", "1", f"4 rows\nx0 ≤ {GROWN.tree_.threshold[0]:.3g}\nrows on one side only"]
    plt.close(ax.figure)


def test_leaves_stand_from_left_to_right_in_whatever_order_nodes_are_numbered():
    left, right = np.array([1, 3, 5, -1, -1, -1, -1]), np.array([2, 4, 6, -1, -1, -1, -1])
    assert places(left, right)[3:, 0].tolist() == [0, 1, 2, 3]


def test_what_is_no_significant_subtree():
    with pytest.raises(TypeError, match=r"takes a significant subtree; got .*; pass what significant_subtree returned"):
        plot_significant_subtree(GROWN)
    found = significant_subtree(GROWN, X[1::2], WORDS[1::2])
    with pytest.raises(ValueError, match="delta is a number strictly between 0 and 1"):
        plot_significant_subtree(found, delta=1)
    with pytest.raises(ValueError, match="1 features need one name each; got 0"):
        plot_significant_subtree(found, feature_names=[])
