"""Chance-corrected growth: scores of thresholds, p-values of splits, counts only, what a fixed split may err."""

from __future__ import annotations

import pickle
import re
from fractions import Fraction
from itertools import product
from math import comb

import mpmath
import numpy as np
import pytest
from scipy.stats import binom
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import splitcrit
from growing import difference, trees
from splitcrit import TreeClassifier, agini, decrease, gini, gini_null, gini_pvalue, ne, replace, sgini, significance
from splitcrit.arith import EXACT, FLOAT, Irrational
from splitcrit.estimators.weighing import weights_per_class
from splitcrit.growth import GrowthOptions, Stopping, grow
from splitcrit.nulls.gamma_tails import surprise
from splitcrit.search import Columns, Limits, OpenLevel, usable_form
from splitcrit.search.level_search import LevelSearch

CRITERIA = [sgini, agini, replace(agini, alpha=0.01), replace(agini, alpha=0.3, model="permutation"), significance]


def tables_of(rng, m: int, classes: int, most: int) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Return tables of two rows with a sample each at least."""
    found = rng.integers(0, most, (m, 2, classes)) * (rng.random((m, 2, classes)) < 0.8)
    found[:, :, 0] += found.sum(axis=2) == 0
    return found


# Scores.


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_significance_is_minus_log_of_dobra_and_gehrkes_p_value(classes: int) -> None:
    tables = tables_of(np.random.default_rng(classes), 2000, classes, 12)
    p = gini_pvalue(tables, method="gamma").value
    found = significance(tables)
    assert ((found == 0) == (p == 1)).all()
    np.testing.assert_allclose(found, -np.log(p), rtol=1e-12, atol=1e-15)
    classes_first = np.moveaxis(tables, 0, -1).astype(float)
    np.testing.assert_allclose(significance.score(classes_first, FLOAT), found, rtol=1e-11, atol=1e-12)
    assert significance(tables[0]) == pytest.approx(-np.log(gini_pvalue(tables[0], method="gamma").value), rel=1e-13)


@pytest.mark.parametrize("n", [50, 5000, 500_000])
def test_significance_tells_splits_apart_whose_p_value_is_no_float(n: int) -> None:
    scores = []
    for table in ([[n, 0], [0, n]], [[n, 1], [0, n]], [[n, 1], [1, n]]):
        law = gini_null(*[np.array(table).sum(axis=axis) for axis in (1, 0)], model="multinomial", exact=True)
        gain = Fraction(2 * (table[0][0] * table[1][1] - table[0][1] * table[1][0]) ** 2, 1)
        rows, total = np.array(table).sum(axis=1).tolist(), int(np.sum(table))
        gain /= rows[0] * rows[1] * total**2
        shape, reach = law.mean**2 / law.variance, gain * law.mean / law.variance
        with mpmath.workdps(40):
            numbers = [mpmath.mpf(x.numerator) / x.denominator for x in (shape, reach)]
            true = -mpmath.log(mpmath.gammainc(*numbers, mpmath.inf, regularized=True))
        assert significance(table) == pytest.approx(float(true), rel=1e-13)
        scores.append(significance(table))
    assert scores == sorted(scores, reverse=True) and len(set(scores)) == 3


def test_compiled_tails_and_their_bound() -> None:
    compiled = pytest.importorskip("splitcrit.search.formulas_compiled")
    rng = np.random.default_rng(0)
    shape = 10 ** rng.uniform(-3, 4, 3000)
    reach = shape * 10 ** rng.uniform(-3, 3, 3000)
    both = compiled.surprise, compiled.most_surprise
    found, most = ([f(a, x) for a, x in zip(shape, reach, strict=True)] for f in both)
    np.testing.assert_allclose(found, surprise(shape, reach), rtol=1e-10, atol=1e-14)
    assert (np.array(most) > np.array(found) * (1 - 1e-12)).all()
    close = (reach > 5 * shape) & (reach > 5)
    assert (np.array(most) < 1.5 * np.array(found) + 1)[close].all()  # else nothing would be passed over


def test_significance_has_no_exact_value() -> None:
    with pytest.raises(Irrational, match="EXACT has no incomplete gamma function; got significance; score it in FLOAT"):
        significance.score([[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]], EXACT)


@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
@pytest.mark.parametrize("classes", [2, 3, 7])
def test_every_threshold_is_scored_as_its_table(criterion: splitcrit.Criterion, classes: int) -> None:
    """The compiled scan, which knows the class totals as constants, against the function of whole tables."""
    rng = np.random.default_rng(classes)
    for n in (2, 3, 5, 30, 300):
        y = rng.integers(0, classes, n)
        hot = np.eye(classes, dtype=int)[y].cumsum(axis=0)
        expected = criterion(np.stack([hot[:-1], hot[-1] - hot[:-1]], axis=1)) if len(set(y)) > 1 else np.zeros(1)
        columns = Columns.of(np.arange(n, dtype=np.float32)[:, None], y, classes)
        form = usable_form(columns, criterion, Limits())
        search = LevelSearch(columns, OpenLevel(np.array([0, n]), hot[-1:].astype(float)), criterion, Limits(), form)
        best = search.best(np.ones((1, 1), dtype=bool))[0, 0]
        assert best == pytest.approx(expected.max(), rel=1e-10, abs=1e-12)
        place, _ = search.first(np.zeros(1, int), np.array([best - 1e-9]))
        assert expected[place[0]] == pytest.approx(best, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("rare", [0.5, 0.05])
@pytest.mark.parametrize("classes", [2, 3, 8])
def test_bounds_of_significance_pass_over_no_threshold(classes: int, rare: float) -> None:
    """Large nodes, of which one gain bounds most thresholds, with a trend or none, ties and least sizes."""
    rng = np.random.default_rng(classes)
    shares = np.append(np.full(classes - 1, rare / (classes - 1)), 1 - rare)
    for n, trend, least in product((40, 150, 3000), (0, 0.2, 1), (1, 9)):
        x = np.sort(rng.integers(0, n, n)).astype(np.float32)
        moved = rng.random(n) < trend * x / n
        y = np.where(moved, 0, rng.choice(classes, n, p=shares))
        hot = np.eye(classes, dtype=int)[y].cumsum(axis=0)
        cuts = np.flatnonzero(np.diff(x) > 0)
        cuts = cuts[(cuts + 1 >= least) & (n - cuts - 1 >= least)]
        left = hot[cuts]
        expected = significance(np.stack([left, hot[-1] - left], axis=1))
        columns, limits = Columns.of(x[:, None], y, classes), Limits(least)
        form = usable_form(columns, significance, limits)
        search = LevelSearch(columns, OpenLevel(np.array([0, n]), hot[-1:].astype(float)), significance, limits, form)
        best = search.best(np.ones((1, 1), dtype=bool))[0, 0]
        assert best == pytest.approx(expected.max(), rel=1e-10)
        for floor in (best * (1 - 1e-8), best * 0.9, best * 0.3):
            place, _ = search.first(np.zeros(1, int), np.array([floor]))
            assert place[0] == cuts[np.argmax(expected >= floor)]


# Significant splits.


def test_a_tree_of_significant_splits_is_cut_from_the_whole_tree() -> None:
    rng = np.random.default_rng(0)
    for classes in (2, 3):
        x, y = rng.normal(size=(120, 3)).astype(np.float32), rng.integers(0, classes, 120)
        y[x[:, 0] > 0] = 0
        for found in trees(x, y, classes, decrease(gini), Stopping(max_pvalue=0.01)):
            for i, (left, right) in enumerate(zip(found.left, found.right, strict=True)):
                if left >= 0:
                    assert gini_pvalue([found.weights[left], found.weights[right]]).value <= 0.01
                elif (found.weights[i] > 0).sum() > 1:
                    mine = np.flatnonzero(_leaf(found, x) == i)
                    stump = grow(
                        Columns.of(x[mine], y[mine], classes), decrease(gini), GrowthOptions(Stopping(max_depth=1))
                    )
                    assert gini_pvalue(stump.weights[1:]).value > 0.01


def _leaf(tree, x) -> np.ndarray:  # type: ignore[no-untyped-def]
    at = np.zeros(len(x), int)
    while (tree.left[at] >= 0).any():
        inner = tree.left[at] >= 0
        goes = x[np.arange(len(x)), tree.feature[at]] <= tree.threshold[at]
        at = np.where(inner, np.where(goes, tree.left[at], tree.right[at]), at)
    return at


def attained(ones: int, marked: int, n: int, alpha: float) -> Fraction:
    """Return how often a 2 x 2 table with fixed margins has a p-value of at most alpha, by enumeration."""
    weights = {}
    for a in range(max(0, ones + marked - n), min(ones, marked) + 1):
        weights[a] = comb(marked, a) * comb(n - marked, ones - a)
    total, distance = sum(weights.values()), {a: abs(n * a - ones * marked) for a in weights}
    found = 0
    for a in weights:
        if Fraction(sum(w for b, w in weights.items() if distance[b] >= distance[a]), total) <= Fraction(alpha):
            found += weights[a]
    return Fraction(found, total)


@pytest.mark.parametrize("alpha", [pytest.param(0.05, marks=pytest.mark.slow), 0.2])
def test_pure_noise_and_one_fixed_split_give_a_leaf_at_the_nominal_rate(alpha: float) -> None:
    """The exact test is discrete: it errs as often as enumeration says, here between half of alpha and alpha."""
    n, marked, ones, runs = 60, 25, 28, 2000
    rate = float(attained(ones, marked, n, alpha))
    assert alpha / 2 < rate <= alpha
    rng, x = np.random.default_rng(7), (np.arange(n) < marked).astype(np.float32)[:, None]
    labels, split = np.arange(n) < ones, 0
    for _ in range(runs):
        split += TreeClassifier(max_pvalue=alpha).fit(x, rng.permutation(labels)).tree_.node_count > 1
    low, high = binom.interval(1 - 1e-6, runs, rate)
    assert low <= split <= high


def test_choosing_the_best_of_many_thresholds_is_not_corrected_for() -> None:
    """With a hundred thresholds to choose from, noise is split far more often than alpha."""
    rng, alpha, split = np.random.default_rng(8), 0.05, 0
    for _ in range(100):
        x = rng.random((100, 1))
        split += TreeClassifier(max_pvalue=alpha).fit(x, rng.permutation(100) < 50).tree_.node_count > 1
    assert split > 100 * 4 * alpha


def test_extreme_levels() -> None:
    x, y = np.random.default_rng(1).normal(size=(80, 2)), np.arange(80) % 3
    assert TreeClassifier(max_pvalue=0).fit(x, y).tree_.node_count == 1
    plain, all_ = (TreeClassifier(max_pvalue=p).fit(x, y).tree_ for p in (None, 1))
    assert np.array_equal(plain.threshold, all_.threshold)


# Weights are counts.


@pytest.mark.parametrize("parameters", [{"criterion": c} for c in CRITERIA] + [{"max_pvalue": 0.5}], ids=str)
def test_integer_weights_are_counts_and_fractions_are_refused(parameters: dict) -> None:
    rng = np.random.default_rng(3)
    x, y, w = rng.normal(size=(60, 3)), rng.integers(0, 2, 60), rng.integers(1, 4, 60)
    y[x[:, 0] > 0.3] = 1
    weighted = TreeClassifier(**parameters).fit(x, y, w)
    repeated = TreeClassifier(**parameters).fit(np.repeat(x, w, axis=0), np.repeat(y, w))
    assert weighted.tree_.node_count > 1
    assert np.array_equal(weighted.tree_.threshold, repeated.tree_.threshold)
    which, other = ("max_pvalue", "None for it") if "max_pvalue" in parameters else (parameters["criterion"], "another")
    said = f"^{re.escape(str(which))} permutes .* needs weights that are counts; got 0.5; pass integers, or {other}"
    tree = TreeClassifier(**parameters)
    with pytest.raises(ValueError, match=said):
        tree.fit(x, y, np.where(np.arange(60) == 7, 0.5, 1.0))
    assert not hasattr(tree, "tree_")
    if "criterion" in parameters:
        with pytest.raises(ValueError, match="needs weights that are counts"):
            tree.set_params(class_weight="balanced").fit(x, y)
    with pytest.raises(ValueError, match="needs weights that are counts"):
        splitcrit.ForestClassifier(2, bootstrap=False, criterion=parameters.get("criterion", sgini)).fit(x, y, w / 2)


@pytest.mark.parametrize("class_weight", ["balanced", {0: 1e-3, 1: 700}, {0: 2, 1: 1}], ids=str)
@pytest.mark.parametrize("look_ahead", [None, 3])
def test_class_weights_choose_splits_whose_tables_hold_samples(class_weight: object, look_ahead: int | None) -> None:
    rng = np.random.default_rng(5)
    x, counts = rng.normal(size=(200, 3)).round(1), rng.integers(1, 3, 200)
    y = (x[:, 0] + rng.normal(size=200) > 0.8).astype(int)
    rules = {"class_weight": class_weight, "max_pvalue": 0.05, "look_ahead": look_ahead}
    tree = TreeClassifier(**rules).fit(x, y, counts)
    found, here = tree.tree_, tree.decision_path(x).toarray().astype(bool)
    tables = np.array([[counts[rows & (y == k)].sum() for k in (0, 1)] for rows in here.T])
    inner = np.flatnonzero(found.children_left >= 0)
    assert len(inner)
    for node in inner:
        assert gini_pvalue(tables[[found.children_left[node], found.children_right[node]]]).value <= 0.05
    if look_ahead is None:  # what it does not split, it would split otherwise
        stump, weights = TreeClassifier(max_depth=1), np.array(weights_per_class(class_weight, y))[y] * counts
        for node in np.flatnonzero((found.children_left < 0) & (tables > 0).all(axis=1)):
            rows = here[:, node]
            root = stump.fit(x[rows], y[rows], weights[rows])
            if root.get_depth():
                sides = [root.apply(x[rows]) == side for side in (1, 2)]
                table = [[counts[rows][side & (y[rows] == k)].sum() for k in (0, 1)] for side in sides]
                assert gini_pvalue(table).value > 0.05
    options = {"bootstrap": False, "max_features": None, **rules}
    again = splitcrit.ForestClassifier(1, **options).fit(x, y).estimators_[0]
    assert np.array_equal(again.tree_.threshold, TreeClassifier(**rules).fit(x, y).tree_.threshold)


def test_weights_that_are_no_multiples_of_those_of_the_class_are_refused() -> None:
    x, y = np.arange(8.0)[:, None], np.array([0, 1] * 4)
    for weights, class_weight in (([0.5] * 8, {0: 2, 1: 2}), ([1, 0.5] * 4, {0: 1, 1: 2})):
        with pytest.raises(ValueError, match=r"permutes samples and needs weights that are counts; got 0\.5"):
            TreeClassifier(max_pvalue=0.5, class_weight=class_weight).fit(x, y, weights)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"max_pvalue": 1.5}, r"'max_pvalue' parameter of TreeClassifier must be a float in the range \[0.0, 1.0\]"),
        ({"max_pvalue": -0.1}, r"must be a float in the range \[0.0, 1.0\] or None. Got -0.1"),
        ({"look_ahead": 0}, r"'look_ahead' parameter of TreeClassifier must be an int in the range \[1, inf\) or None"),
        ({"look_ahead": 2.5}, r"must be an int in the range \[1, inf\) or None. Got 2.5"),
        ({"min_difference": 2}, r"'min_difference' parameter of TreeClassifier must be a float in the range \[0.0, 1"),
        ({"look_ahead": 2, "splitter": "random"}, "look_ahead compares all thresholds; got random ones; pass look_ah"),
    ],
    ids=str,
)
def test_bad_parameters_are_one_sentence(parameters: dict, said: str) -> None:
    tree = TreeClassifier(**parameters)
    with pytest.raises(ValueError, match=said) as info:
        tree.fit([[0], [1], [2], [3]], [0, 1, 0, 1])
    assert "\n" not in str(info.value) and not hasattr(tree, "tree_")


def test_parameters_survive_cloning_pickling_and_grid_search() -> None:
    rng = np.random.default_rng(6)
    x, y = rng.normal(size=(90, 3)), rng.integers(0, 3, 90)
    y[x[:, 0] > 0] = 0
    tree = TreeClassifier(criterion="significance", max_pvalue=0.1, look_ahead=3, min_difference=0.1).fit(x, y)
    for again in (clone(tree).fit(x, y), pickle.loads(pickle.dumps(tree))):
        assert again.get_params() == tree.get_params()
        assert np.array_equal(again.tree_.threshold, tree.tree_.threshold)
    grid = {"max_pvalue": [None, 0.01], "look_ahead": [None, 1, 4], "min_difference": [0.05, 0.5]}
    search = GridSearchCV(TreeClassifier(), grid, cv=3).fit(x, y)
    assert len(search.cv_results_["mean_test_score"]) == 12
    assert np.isfinite(search.cv_results_["mean_test_score"]).all() and search.best_score_ > 0.5


def test_categories_may_be_significant_but_are_not_looked_ahead() -> None:
    rng = np.random.default_rng(9)
    x, y = rng.integers(0, 4, (80, 2)), rng.integers(0, 2, 80)
    y[x[:, 0] % 3 == 0] = 1
    options = {"categorical_features": [0, 1]}
    leaves = [TreeClassifier(max_pvalue=p, **options).fit(x, y).get_n_leaves() for p in (None, 1e-3, 0)]
    assert leaves[0] > leaves[1] > leaves[2] == 1
    with pytest.raises(
        ValueError, match="look_ahead takes numeric features only; got categorical features; leave look_"
    ):
        TreeClassifier(look_ahead=2, **options).fit(x, y)


def test_builders_agree_under_a_level_with_missing_values_and_weights() -> None:
    rng = np.random.default_rng(5)
    for criterion in (decrease(gini), decrease(ne(0.5)), sgini, significance):
        for _ in range(20):
            n, classes = int(rng.integers(2, 80)), int(rng.integers(2, 4))
            x, y = rng.integers(0, 12, (n, 3)).astype(np.float32), rng.integers(0, classes, n)
            y[x[:, 0] > 6] = 0
            x[rng.random(x.shape) < 0.1] = np.nan
            weights = rng.integers(1, 4, n).astype(float) if rng.random() < 0.5 else None
            first, *others = trees(x, y, classes, criterion, Stopping(max_pvalue=0.2), weights=weights)
            assert [difference(first, other) for other in others] == [""] * len(others)


@pytest.mark.parametrize("classes", [2, 10])
def test_trees_of_significant_splits_are_those_of_one_p_value_after_the_other(
    classes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(classes)
    x = rng.integers(0, 40, (1500, 4))
    y = np.where(x[:, 1] > 12, x[:, 0] // 9, x[:, 0] // 5) % classes
    y = np.where(rng.random(1500) < 0.3, rng.integers(0, classes, 1500), y)
    columns, growing = Columns.of(x.astype(np.float32), y, classes), GrowthOptions(Stopping(max_pvalue=0.01))
    together = grow(columns, decrease(gini), growing)
    one_by_one = lambda tables, level: np.array([gini_pvalue(t).value <= level for t in tables], dtype=bool)  # noqa: E731
    monkeypatch.setattr("splitcrit.growth.growth_options.significant", one_by_one)
    assert difference(together, grow(columns, decrease(gini), growing)) == ""
    assert len(together.left) > 10
