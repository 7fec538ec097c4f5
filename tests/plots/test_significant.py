"""The picture of a significant subtree: its words, intervals and places."""

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

import matplotlib.pyplot as plt  # noqa: E402
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor  # noqa: E402

from splitcrit.inference import significant_subtree  # noqa: E402
from splitcrit.plots import plot_significant_subtree  # noqa: E402
from splitcrit.plots.inference_tree import HIGH, places  # noqa: E402

X = np.arange(80.0)[:, None]
WORDS = np.where((X[:, 0] >= 40) ^ (X[:, 0] % 11 == 3), "yes", "no")
GROWN = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X[::2], WORDS[::2])


@pytest.fixture
def ax():
    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


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
        assert f"\n{found.sizes[node]} rows\n{threshold}\np = {tests.p[node]:.2g} > 0.025" in words(ax)
    assert sorted(words(ax))[-4:] == ["no", "no", "yes", "yes"]
    low, high = found.intervals(0.1)
    drawn = [line.get_ydata() for line in ax.lines if line.get_linewidth() == 3]
    expected = [[low[node, i], high[node, i]] for node in (first, second) for i in (0, 1)]
    assert np.allclose((np.array(drawn) + 1 + HIGH) / HIGH, expected)
    shares = [(line.get_ydata()[0] + 1 + HIGH) / HIGH for line in ax.lines if line.get_marker() == "o"]
    assert np.allclose(shares, (found.values / found.sizes[:, None])[[first, second]].ravel())


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
    assert words(ax) == ["no", "yes", f"\n4 rows\nx0 ≤ {GROWN.tree_.threshold[0]:.3g}\nrows on one side only"]
    plt.close(ax.figure)


def test_leaves_stand_from_left_to_right_in_whatever_order_nodes_are_numbered():
    left, right = np.array([1, 3, 5, -1, -1, -1, -1]), np.array([2, 4, 6, -1, -1, -1, -1])
    assert places(left, right)[3:, 0].tolist() == [0, 1, 2, 3]


def test_what_is_no_significant_subtree():
    with pytest.raises(TypeError, match=r"takes that; got .*; pass what significant_subtree returned"):
        plot_significant_subtree(GROWN)
    found = significant_subtree(GROWN, X[1::2], WORDS[1::2])
    with pytest.raises(ValueError, match="delta is a number strictly between 0 and 1"):
        plot_significant_subtree(found, delta=1)
    with pytest.raises(ValueError, match="1 features have a name each; got 0"):
        plot_significant_subtree(found, feature_names=[])
