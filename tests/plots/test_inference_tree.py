"""The pictures of a tree of tested splits and of a significant subtree: their words, bars, intervals and places."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from refusals import refused
from splitcrit import TreeClassifier
from splitcrit.columns import log_rank, outputs
from splitcrit.inference import InferenceTreeClassifier, InferenceTreeRegressor, significant_subtree
from splitcrit.plots import plot_inference_tree, plot_significant_subtree
from splitcrit.plots.inference_tree import HIGH, WIDE, places

X = np.arange(40.0)[:, None]
WORDS = np.repeat(["no", "yes"], 20)


def words(ax):
    return [text.get_text() for text in ax.texts]


def test_p_values_in_inner_nodes_and_class_bars_in_leaves(ax):
    labels = np.where(np.arange(40) == 3, "yes", WORDS)
    fitted = InferenceTreeClassifier(random_state=0, max_depth=2).fit(X, labels)
    assert plot_inference_tree(fitted, feature_names=["dose"], ax=ax) is ax
    said = fitted.verdicts_[1]
    assert words(ax)[:2] == ["≤ 19.5", "> 19.5"]
    assert {"dose\np = 0.001", "n = 20\nclass: yes"} <= set(words(ax))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["no", "yes"]
    assert f"n = 20\nclass: no\np = {said.pvalue:.3g}\nnot significant\nat 0.025" in words(ax)
    assert sorted(bar.get_height() / HIGH for bar in ax.patches) == pytest.approx([0, 0.05, 0.95, 1])


def test_means_of_responses(ax):
    fitted = InferenceTreeRegressor(random_state=0, max_depth=1).fit(X, np.repeat([1.0, 5.0], 20) + X[:, 0] % 2)
    plot_inference_tree(fitted, ax=ax)
    lines = [line.get_xydata() for line in ax.lines if line.get_linewidth() == 2]
    (low, high), (bottom, top) = (line[:, 1] for line in lines)
    assert bottom - low == pytest.approx(top - high)  # equal spreads
    assert (bottom - low) / (high - low) == pytest.approx(4.0)  # means 4 apart, spread 1 from end to end
    assert {"n = 20\nvalue: 1.5", "n = 20\nvalue: 5.5"} <= set(words(ax))


def test_survival_curves_on_one_axis_of_time(ax):
    y = np.column_stack([np.where(X[:, 0] < 20, 1 + X[:, 0] % 4, 8 + X[:, 0] % 3), X[:, 0] != 38])
    fitted = InferenceTreeRegressor(response_scores=log_rank, random_state=0, max_depth=1).fit(X, y)
    plot_inference_tree(fitted, ax=ax)
    curves = [line.get_xydata() for line in ax.lines if line.get_linewidth() == 1.5]
    for curve, here, leaf in zip(curves, (-WIDE / 2, 1 - WIDE / 2), (1, 2), strict=True):
        own = y[fitted.apply(X) == leaf]
        events = np.unique(own[own[:, 1] > 0, 0])
        assert (curve[:, 0] - here) * 10 / WIDE == pytest.approx([0, *events, own[:, 0].max()])
        assert np.diff(curve[:, 1]).max() <= 0
        assert curve[0, 1] == -1  # all alive: the top of the frame
    assert curves[0][-1, 1] == pytest.approx(-1 - HIGH)
    assert curves[1][-1, 1] > -1 - HIGH  # the last is censored
    assert {"n = 20\nmedian time: 2", "n = 20\nmedian time: 9"} <= set(words(ax))


def test_leaves_of_several_outputs_say_their_means(ax):
    y = np.column_stack([np.repeat([1.0, 5.0], 20), X[:, 0]])
    plot_inference_tree(InferenceTreeRegressor(response_scores=outputs, random_state=0, max_depth=1).fit(X, y), ax=ax)
    assert {"n = 20\nvalues: 1, 9.5", "n = 20\nvalues: 5, 29.5"} <= set(words(ax))


def test_places_of_an_uneven_tree_and_of_one_whose_nodes_are_numbered_in_another_order():
    left, right = np.array([1, -1, 3, -1, -1]), np.array([2, -1, 4, -1, -1])
    assert places(left, right).tolist() == [[0.75, 0], [0, -1], [1.5, -1], [1, -2], [2, -2]]
    left, right = np.array([1, 3, 5, -1, -1, -1, -1]), np.array([2, 4, 6, -1, -1, -1, -1])
    assert places(left, right)[3:, 0].tolist() == [0, 1, 2, 3]


def test_a_tree_of_one_leaf_and_new_axes():
    ax = plot_inference_tree(InferenceTreeClassifier().fit([[1], [2]], ["a", "a"]))
    assert words(ax) == ["n = 2\nclass: a"]


def test_what_is_no_tree_of_tested_splits():
    with pytest.raises(TypeError, match="this plot takes an inference tree; got TreeClassifier; fit an Inference"):
        plot_inference_tree(TreeClassifier().fit(X, WORDS))
    with pytest.raises(ValueError, match="digits is an integer from 1; got 0"):
        plot_inference_tree(InferenceTreeClassifier().fit(X, WORDS), digits=0)


# ---- significant subtrees ----

ROWS = np.arange(80.0)[:, None]
CROSSED = np.where((ROWS[:, 0] >= 40) ^ (ROWS[:, 0] % 11 == 3), "yes", "no")
GROWN = DecisionTreeClassifier(max_depth=2, random_state=0).fit(ROWS[::2], CROSSED[::2])


def test_levels_verdicts_and_intervals_of_classes(ax):
    found = significant_subtree(GROWN, ROWS[1::2], CROSSED[1::2])
    assert found.estimator.tree_.node_count == 3
    first, second = found.nodes[1:]
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
    y = kinds[np.digitize(ROWS[:, 0], (30, 50))]
    grown = DecisionTreeClassifier(max_depth=3, random_state=0).fit(ROWS[::2], y[::2])
    tested = InferenceTreeClassifier(n_permutations=99, random_state=0, test="node").fit(ROWS, y)
    for axes in (
        plot_significant_subtree(significant_subtree(grown, ROWS[1::2], y[1::2])),
        plot_inference_tree(tested),
    ):
        axes.figure.canvas.draw()
        boxes = [text.get_window_extent() for text in axes.texts]
        assert len(boxes) > 3 and not any(one.overlaps(two) for one, two in combinations(boxes, 2))


def test_medians_and_means_of_responses(ax):
    y = np.repeat([0.0, 10.0], 40) + ROWS[:, 0] % 3
    found = significant_subtree(DecisionTreeRegressor(max_depth=1).fit(ROWS[::2], y[::2]), ROWS[1::2], y[1::2], rng=0)
    plot_significant_subtree(found, ax=ax)
    low, high = found.intervals()
    drawn = [line.get_ydata() for line in ax.lines if line.get_linewidth() == 3]
    expected = [[low[node, 0], high[node, 0]] for node in (1, 2)]
    assert np.allclose((np.array(drawn) + 1 + HIGH) / HIGH * 12, expected)  # responses lie between 0 and 12
    means = [line.get_ydata()[0] for line in ax.lines if line.get_linewidth() == 2]
    assert np.allclose((np.array(means) + 1 + HIGH) / HIGH * 12, found.values[1:, 0])


def test_a_tree_of_which_nothing_is_kept_and_new_axes():
    ax = significant_subtree(GROWN, ROWS[:4], ["no"] * 4).plot()
    assert words(ax) == ["0", "1", f"4 rows\nx0 ≤ {GROWN.tree_.threshold[0]:.3g}\nrows on one side only"]


def test_what_is_no_significant_subtree():
    with pytest.raises(TypeError, match=r"takes a significant subtree; got .*; pass what significant_subtree returned"):
        plot_significant_subtree(GROWN)
    found = significant_subtree(GROWN, ROWS[1::2], CROSSED[1::2])
    refused("delta is a number strictly between 0 and 1", plot_significant_subtree, found, delta=1)
    refused("1 features need one name each; got 0", plot_significant_subtree, found, feature_names=[])
