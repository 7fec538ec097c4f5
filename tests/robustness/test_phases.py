"""Where noise flips an order: the data, the certain intervals, the picture, and the study of whole trees."""

import csv
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import oracles
from refusals import refused
from splitcrit import (
    ForestClassifier,
    TreeClassifier,
    decrease,
    entropy,
    gini,
    misclassification,
    pairwise_gain,
    symmetric,
    tree_agreement,
    twoing,
)
from splitcrit.proof import enclosed_flips
from splitcrit.robustness import phase_diagram

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

import matplotlib.pyplot as plt  # noqa: E402

from splitcrit.plots import plot_phases  # noqa: E402

F = Fraction
DOCS = Path(__file__).parents[2] / "docs"
REMARK4 = [[90, 10], [50, 50]], [[2079, 21], [2821, 2079]]  # ghosh2017, Remark 4, as counts
PAIR = [[20, 7], [0, 13]], [[17, 3], [3, 17]]


@pytest.mark.parametrize("pair", [REMARK4, PAIR], ids=["remark 4", "pair"])
def test_the_grid_of_gini_is_that_of_fractions(pair):
    found = phase_diagram(*pair, gini, points=11)
    for j in range(11):
        for i in range(11):
            pos, neg = F(i, 10), F(j, 10)
            noisy = ([(n - n * neg + p * pos, n * neg + p - p * pos) for n, p in table] for table in pair)
            one, two = map(oracles.gain, noisy)
            assert found.order[j, i] == (one > two) - (one < two), (i, j)


@pytest.mark.parametrize("criterion", [gini, twoing, pairwise_gain], ids=str)
def test_no_flip_on_a_fine_grid_where_none_is_proved(criterion):
    assert not phase_diagram(*PAIR, criterion, points=101).flipped.any()


@pytest.mark.parametrize("criterion", [gini, entropy, twoing, pairwise_gain], ids=str)
@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_the_unit_of_weights_changes_nothing(criterion, unit):
    """Ties are as wide as the scores, whatever these are measured in."""
    expected, found = (phase_diagram(*(u * np.array(t) for t in PAIR), criterion, points=21) for u in (1, unit))
    assert (found.order == expected.order).all() and len(np.unique(expected.order)) > 1


def test_a_tie_is_a_tie_and_flips_nowhere():
    found = phase_diagram(*REMARK4, misclassification, points=21)
    assert found.clean == 0 and not found.flipped.any()  # both splits gain exactly nothing without noise
    assert {-1, 0, 1} >= set(found.order.ravel()) > {0}


@pytest.mark.parametrize("direction", [(1, 1), (2, 0), (1, F(1, 2))], ids=str)
def test_intervals_hold_flips_of_the_float_scores(direction):
    flips = enclosed_flips(*PAIR, entropy, direction=direction)
    assert len(flips) == 1
    ((low, high),) = flips
    assert 0 < high - low < F(1, 2**45)
    signs = []
    for eta in (float(low) - 1e-6, float(high) + 1e-6):
        tau_pos, tau_neg = (eta * float(part) for part in direction)
        noisy = [[[n * (1 - tau_neg) + p * tau_pos, n * tau_neg + p * (1 - tau_pos)] for n, p in t] for t in PAIR]
        signs.append(np.sign(decrease(entropy)(noisy[0]) - decrease(entropy)(noisy[1])))
    assert signs[0] == -signs[1] != 0


def test_the_flip_of_remark_4_is_enclosed():
    ((low, high),) = enclosed_flips(*REMARK4, entropy)
    assert low < F("0.08939539194580367760507660315") < high
    found = phase_diagram(*REMARK4, entropy, points=41)
    np.testing.assert_array_equal(np.diag(found.flipped)[:20], found.tau_pos[:20] > low)


def test_misclassification_flips_off_the_diagonal_only():
    assert enclosed_flips(*PAIR, misclassification) == []
    ((low, high),) = enclosed_flips(*PAIR, misclassification, direction=(2, 0))  # positives only
    # at rate t the first has sides (20 + 7t, 7 - 7t) and (13t, 13 - 13t), the second (17 + 3t, 3 - 3t) and
    # (3 + 17t, 17 - 17t); as many err by both, 7 - 7t + 13t = 3 - 3t + 3 + 17t, at t = 1/8
    assert 2 * low < F(1, 8) < 2 * high and high - low < F(1, 2**40)


def test_gini_and_twoing_are_never_seen_to_flip():
    for direction in ((1, 1), (2, 0), (0, 2), (F(1, 3), 1)):
        assert enclosed_flips(*PAIR, gini, direction=direction) == []
        assert enclosed_flips(*PAIR, twoing, direction=direction) == []


def test_flips_are_of_two_classes():
    refused(r"two classes; got shape \(2, 3\)", enclosed_flips, [[1, 2, 3], [3, 4, 5]], PAIR[1], gini)


def test_the_picture_draws_the_diagram_and_the_flips():
    figure, ax = plt.subplots()
    assert plot_phases(*PAIR, entropy, points=21, flips=[(F(1, 5), F(1, 4))], ax=ax) is ax
    found = phase_diagram(*PAIR, entropy, points=21)
    np.testing.assert_array_equal(ax.collections[0].get_array().reshape(21, 21), found.order * found.clean)
    (mark,) = (line for line in ax.lines if line.get_gid() == "flips")
    assert mark.get_xydata().tolist() == [[0.225, 0.225]]
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == ["kept", "tied", "flipped"] and ax.get_title() == found.criterion
    plt.close(figure)


def test_the_picture_of_a_tie_names_both_orders():
    ax = plot_phases(*REMARK4, misclassification, points=21)
    assert "kept" not in [text.get_text() for text in ax.get_legend().get_texts()]
    plt.close(ax.figure)


def test_the_code_of_the_page_draws_its_picture():
    code = re.search(r"```python\n(.*?)```", (DOCS / "robustness.md").read_text(encoding="utf-8"), re.S)[1]
    names: dict = {}
    exec(code, names)
    marks = [next(line for line in ax.lines if line.get_gid() == "flips").get_xdata() for ax in names["panels"]]
    assert [len(x) for x in marks] == [0, 1, 0]
    assert (DOCS / "figures" / "phases.png").stat().st_size > 10_000
    plt.close(names["figure"])


def test_what_the_page_says_of_whole_trees_is_what_was_measured():
    with open(DOCS / "reproductions" / "ghosh2017" / "agreement_means.csv", encoding="utf-8", newline="") as file:
        found = {(r["criterion"], r["rule"], int(r["noise"]), int(r["n"])): r for r in csv.DictReader(file)}
    assert {r["runs"] for r in found.values()} == {"20"}
    most = max(n for *_, n in found)
    last = {key[:3]: {k: float(v) for k, v in row.items() if k not in ("criterion", "rule")}
            for key, row in found.items() if key[3] == most}  # fmt: skip
    added = {key: row["noisy_error"] - row["clean_error"] for key, row in last.items()}
    assert min(row["root"] for row in last.values()) >= 0.95
    for criterion in ("gini", "entropy"):
        for noise in (10, 20, 30, 40):
            assert last[criterion, "depth 2", noise]["share"] >= 0.95
            assert last[criterion, "leaves of n/16", noise]["share"] < 0.25
            assert added[criterion, "leaves of n/16", noise] < 0.002
            assert last[criterion, "zero gain", noise]["share"] < 0.01
            assert added[criterion, "zero gain", noise] == pytest.approx(noise / 100, abs=0.015)
        small = float(found[criterion, "leaves of 25", 30, 800]["noisy_error"])
        assert added[criterion, "leaves of 25", 30] > 0.04 and small < 0.1  # eight times the samples do not remove it
    assert min(last["misclassification", "zero gain", noise]["share"] for noise in (10, 20, 30, 40)) > 0.8


# What two trees share: against their printed rules, on trees where the answer is known, and in the study.


def sample(n, rng):
    X = rng.integers(0, 6, (n, 3)).astype(float)
    return X, ((X[:, 0] > 2) & (X[:, 1] > 1)).astype(int)


def rules(tree, node=0, path=()):
    """Every node as the path of what was asked above it, with what is asked or said there."""
    t = tree.tree_
    if t.children_left[node] < 0:
        return {(path, "leaf", tree.classes_[t.value[node, 0].argmax()])}
    asked = (t.feature[node], t.threshold[node])
    left = rules(tree, t.children_left[node], (*path, (*asked, "left")))
    return {(path, *asked)} | left | rules(tree, t.children_right[node], (*path, (*asked, "right")))


@pytest.mark.each_value
@pytest.mark.parametrize("kind", [TreeClassifier, DecisionTreeClassifier])
@pytest.mark.parametrize("limits", [{"max_depth": 2}, {"min_samples_leaf": 10}, {}], ids=str)
def test_equal_nodes_are_equal_rules(kind, limits):
    shares = set()
    for seed in range(25):
        rng = np.random.default_rng(seed)
        X, y = sample(150, rng)
        seen = symmetric(0.15).flip(y, rng=rng)
        clean, noisy = (kind(**limits, random_state=0).fit(X, labels) for labels in (y, seen))
        found = tree_agreement(clean, noisy, *sample(200, rng))
        ours, theirs = rules(clean), rules(noisy)
        assert (found.clean_nodes, found.noisy_nodes) == (len(ours), len(theirs))
        assert found.equal == len(ours & theirs)
        assert found.share == len(ours & theirs) / len(ours | theirs)
        assert found.kept == len(ours & theirs) / len(ours)
        assert found.root == any(rule[0] == () for rule in ours & theirs)
        shares.add(found.share)
    assert len(shares) > 1


def test_errors_are_those_on_the_rows_given():
    rng = np.random.default_rng(0)
    X, y = sample(120, rng)
    seen = symmetric(0.3).flip(y, rng=rng)
    clean, noisy = TreeClassifier().fit(X, y), TreeClassifier().fit(X, seen)
    rows, truth = sample(500, rng)
    found = tree_agreement(clean, noisy, rows, truth)
    assert found.clean_error == 1 - clean.score(rows, truth)
    assert found.noisy_error == pytest.approx(1 - noisy.score(rows, truth), rel=1e-12)
    assert found.excess == found.noisy_error - found.clean_error > 0
    assert found.alike == np.mean(clean.predict(rows) == noisy.predict(rows)) < 1


def test_a_tree_that_goes_on_below_keeps_the_nodes_above():
    X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 0]
    stump, tree = TreeClassifier(max_depth=1).fit(X, y), TreeClassifier().fit(X, y)
    found = tree_agreement(stump, tree, X, y)
    assert found.root and (found.equal, found.clean_nodes, found.noisy_nodes) == (2, 3, 5)  # root and the pure leaf
    back = tree_agreement(tree, stump, X, y)
    assert (back.share, back.kept) == (found.share, 2 / 5) and found.share == 2 / 6


def test_leaves_of_other_classes_differ():
    one, other = (TreeClassifier(min_samples_leaf=2).fit([[1], [2], [3]], y) for y in ([0, 0, 1], [1, 1, 0]))
    found = tree_agreement(one, other, [[1]], [0])
    assert (found.equal, found.root, found.clean_error, found.noisy_error) == (0, False, 0.0, 1.0)


def test_categories_are_compared_by_subset():
    colours = np.array(["red", "green", "blue", "grey"])[np.random.default_rng(1).integers(0, 4, 200)]
    X = pd.DataFrame({"colour": pd.Categorical(colours)})
    y, other = np.isin(colours, ["red", "blue"]).astype(int), np.isin(colours, ["red", "grey"]).astype(int)
    grown = [TreeClassifier(categorical_features="from_dtype", max_depth=1).fit(X, labels) for labels in (y, y, other)]
    assert tree_agreement(grown[0], grown[1], X, y).share == 1
    found = tree_agreement(grown[0], grown[2], X, y)
    assert not found.root and found.equal == 0


def test_a_category_that_one_tree_sends_right_and_the_other_never_saw_tells_them_apart():
    colours = np.repeat(["red", "green", "blue", "grey"], 20)
    X = pd.DataFrame({"colour": pd.Categorical(colours)})
    y, some = np.isin(colours, ["red", "blue"]).astype(int), colours != "red"
    tree = TreeClassifier(categorical_features="from_dtype", max_depth=1).fit(X, y)
    other = TreeClassifier(categorical_features="from_dtype", max_depth=1).fit(X[some], y[some])
    assert tree.splits_[0].left == other.splits_[0].left and tree.splits_[0].right != other.splits_[0].right
    found = tree_agreement(tree, other, X, y)
    assert not found.root and found.equal == 0


def test_missing_values_on_other_sides_tell_trees_apart():
    X = [[1.0], [2.0], [3.0], [4.0], [np.nan], [np.nan]]
    left, right = (TreeClassifier().fit(X, [0, 0, 1, 1, gap, gap]) for gap in (0, 1))
    assert left.tree_.threshold[0] == right.tree_.threshold[0] == 2.5
    found = tree_agreement(left, right, X, [0, 0, 1, 1, 0, 0])
    assert not found.root and found.equal == 0 and (found.clean_error, found.noisy_error) == (0, 2 / 6)
    assert tree_agreement(left, left, X, [0, 0, 1, 1, 0, 0]).share == 1


def test_what_cannot_be_compared_is_refused():
    X, y = sample(60, np.random.default_rng(0))
    tree = TreeClassifier().fit(X, y)
    refused("the same features; got 3 and 2", tree_agreement, tree, TreeClassifier().fit(X[:, :2], y), X, y)
    with pytest.raises(ValueError, match=r"the same classes; got \[0, 1\] and \[0, 1, 2\]"):
        tree_agreement(tree, TreeClassifier().fit(X, np.arange(60) % 3), X, y)
    refused("one true label for each row; got 60 rows", tree_agreement, tree, tree, X, y[1:])
    for other in (TreeClassifier(), DecisionTreeRegressor().fit(X, y), ForestClassifier(2, random_state=0).fit(X, y)):
        refused(f"classification trees; got {type(other).__name__}", tree_agreement, tree, other, X, y, error=TypeError)
