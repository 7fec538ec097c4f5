"""Trees of tested splits: what is kept, what is said of it, and the error rate that is promised."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import hypergeom
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from splitcrit import TreeClassifier, TreeRegressor
from splitcrit.inference import InferenceTreeClassifier, InferenceTreeRegressor, tested_trees
from splitcrit.inference.held_out import held_out
from splitcrit.inference.testing import TreeTestPlan, node_tests
from splitcrit.nulls import calibrated

IRIS, DIABETES = load_iris(return_X_y=True), load_diabetes(return_X_y=True)
CLASSES = InferenceTreeClassifier(random_state=0)
RESPONSES = InferenceTreeRegressor(random_state=0, n_permutations=199)


def noise(n: int, d: int = 3, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    return rng.random((n, d)), rng.integers(0, 2, n)


@pytest.mark.each_value
@parametrize_with_checks(
    [
        InferenceTreeClassifier(n_permutations=99),
        InferenceTreeClassifier(test="node"),
        InferenceTreeRegressor(n_permutations=99),
        InferenceTreeRegressor(test="node", correction="discrete", max_depth=2),
    ]
)
def test_scikit_learns_checks(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize(("tree", "data"), [(CLASSES, IRIS), (RESPONSES, DIABETES)])
@pytest.mark.parametrize("test", ["selective", "node"])
def test_what_is_said_is_aligned_with_the_tree(tree: Any, data: Any, test: str) -> None:
    fitted = clone(tree).set_params(test=test).fit(*data)
    inner = fitted.tree_.children_left >= 0
    assert inner.sum() > 1
    assert len(fitted.pvalues_) == fitted.tree_.node_count
    assert {said.node for said in fitted.verdicts_} == set(np.flatnonzero(~np.isnan(fitted.pvalues_)))
    assert {said.node for said in fitted.verdicts_ if said.verdict == "split"} == set(np.flatnonzero(inner))
    parents = {int(child): node for node in np.flatnonzero(inner)
               for child in (fitted.tree_.children_left[node], fitted.tree_.children_right[node])}  # fmt: skip
    for said in fitted.verdicts_:
        depth, node = 0, said.node
        while node:
            depth, node = depth + 1, parents[node]
        assert said.depth == depth
        assert said.level == (0.05 / 2**depth if test == "selective" else 0.05)
        assert said.pvalue == fitted.pvalues_[said.node]
        assert (said.pvalue <= said.level) == (said.verdict == "split")


@pytest.mark.parametrize(
    ("tree", "grown", "data"),
    [(CLASSES, TreeClassifier(max_depth=4), IRIS), (RESPONSES, TreeRegressor(max_depth=4), DIABETES)],
)
def test_the_tree_is_the_grown_one_cut_back(tree: Any, grown: Any, data: Any) -> None:
    fitted, whole = clone(tree).set_params(compare="gain").fit(*data).tree_, clone(grown).fit(*data).tree_
    both = [(0, 0)]
    while both:
        mine, other = both.pop()
        np.testing.assert_allclose(fitted.value[mine], whole.value[other], rtol=1e-13)
        assert fitted.n_node_samples[mine] == whole.n_node_samples[other]
        if fitted.children_left[mine] >= 0:
            assert fitted.threshold[mine] == whole.threshold[other]
            both.append((fitted.children_left[mine], whole.children_left[other]))
            both.append((fitted.children_right[mine], whole.children_right[other]))


def test_no_signal_gives_a_split_as_rarely_as_promised() -> None:
    runs, alpha = 150, 0.1
    kept = [InferenceTreeClassifier(alpha=alpha, n_permutations=99, max_exceedances=10, random_state=i)
            .fit(*noise(30, seed=i)).get_depth() > 0 for i in range(runs)]  # fmt: skip
    assert abs(np.mean(kept) - alpha) < 4 * np.sqrt(alpha * (1 - alpha) / runs)


@pytest.mark.parametrize(("tree", "data"), [(CLASSES, IRIS), (RESPONSES, DIABETES)])
def test_the_same_random_state_gives_the_same_tree(tree: Any, data: Any) -> None:
    one, same, other = (clone(tree).set_params(random_state=i).fit(*data) for i in (0, 0, 1))
    assert one.verdicts_ == same.verdicts_
    assert one.verdicts_ != other.verdicts_
    assert pickle.loads(pickle.dumps(one)).verdicts_ == one.verdicts_


def test_missing_values_go_with_a_side() -> None:
    x, y = noise(80)
    x[:, 0] = np.where(y == 1, np.nan, x[:, 0])
    fitted = InferenceTreeClassifier(random_state=0, n_permutations=99).fit(x, y)
    assert fitted.verdicts_[0].verdict == "split"
    assert fitted.score(x, y) == 1


@pytest.mark.parametrize("test", ["selective", "node"])
def test_too_few_permutations_are_not_testable(test: str) -> None:
    x, y = np.arange(40.0)[:, None], np.repeat([0, 1], 20)
    correction = "permutation" if test == "node" else None
    tree = InferenceTreeClassifier(n_permutations=18, max_exceedances=None, test=test, correction=correction)
    assert [each.verdict for each in tree.fit(x, y).verdicts_] == ["not testable"]
    said = tree.set_params(n_permutations=19).fit(x, y).verdicts_
    assert [(each.verdict, each.pvalue) for each in said] == [("split", 0.05)]


@pytest.mark.parametrize(("x", "y"), [([[1.0]], ["a"]), ([[1.0], [2.0]], ["a", "a"]), ([[1.0], [1.0]], ["a", "b"])])
def test_where_there_is_nothing_to_split(x: Any, y: Any) -> None:
    fitted = InferenceTreeClassifier().fit(x, y)
    assert fitted.verdicts_ == ()
    assert np.isnan(fitted.pvalues_).tolist() == [True]
    assert fitted.predict(x).tolist() == [y[0]] * len(x)


def test_a_fit_that_is_interrupted_leaves_the_tree_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted, new = (clone(CLASSES).fit(*IRIS) for _ in range(2))
    before, first, calls = dict(vars(fitted)), tested_trees.permuted_test, []

    def interrupted(*given: Any) -> Any:
        calls.append(given)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return first(*given)

    monkeypatch.setattr(tested_trees, "permuted_test", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fitted.fit(IRIS[0][::-1, :2], IRIS[1][::-1])
    assert vars(fitted) == before
    assert (fitted.predict(IRIS[0]) == new.predict(IRIS[0])).all()
    calls[:] = [()]
    unfitted = clone(CLASSES)
    with pytest.raises(KeyboardInterrupt):
        unfitted.fit(*IRIS)
    assert not [name for name in vars(unfitted) if name.endswith("_")]


def test_names_of_features_are_those_of_the_frame() -> None:
    frame = pd.DataFrame(IRIS[0], columns=["a", "b", "c", "d"])
    fitted = clone(CLASSES).fit(frame, IRIS[1])
    assert fitted.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert "|--- d <= 0.8 " in fitted.export_text()  # it ties with c <= 2.45, and is told apart by a key of its values


@pytest.mark.parametrize(
    ("parameters", "data", "said"),
    [
        ({"alpha": 0}, IRIS, "alpha is a number strictly between 0 and 1; got 0"),
        ({"n_permutations": 0}, IRIS, "n_permutations is an integer from 1; got 0"),
        ({"max_exceedances": 0}, IRIS, "max_exceedances is an integer from 1; got 0"),
        ({"correction": "permutation"}, IRIS, "needs no correction; got correction='permutation'; leave it None"),
        (
            {"test": "node", "correction": "bonferroni", "criterion": "entropy"},
            IRIS,
            "'bonferroni' is for criterion='gini', 'sgini' or 'squared_error'; got criterion='entropy'; pass",
        ),
        (
            {"test": "node", "correction": "westfall-young", "n_permutations": 18},
            IRIS,
            "pass n_permutations=19 or more",
        ),
        ({"criterion": calibrated()}, IRIS, "compares their laws; pass 'gini'"),
    ],
)
def test_bad_parameters_get_one_sentence(parameters: Any, data: Any, said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said.replace("(", r"\(")) as raised:
        InferenceTreeClassifier(**parameters).fit(*data)
    assert "\n" not in str(raised.value)


def test_an_absolute_error_has_no_law_of_a_feature() -> None:
    with pytest.raises(ValueError, match="got criterion='absolute_error'; pass correction='permutation'"):
        InferenceTreeRegressor(test="node", correction="discrete", criterion="absolute_error").fit(*noise(20))


def test_a_verbose_tree_prints_each_test(capsys: pytest.CaptureFixture[str]) -> None:
    fitted = InferenceTreeClassifier(random_state=0, verbose=1).fit(*IRIS)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(fitted.verdicts_)
    assert lines[0] == "depth 0: p = 0.001 (999 of 999 permutations kept), level 0.05: split"


# What a plan allows, and what the tests of a tree are by hand.

RNG = np.random.default_rng(1)
X, NEW = RNG.normal(size=(2, 120, 2))
Y, TRUE = (RNG.random(120) < np.where(x[:, 0] > 0, 0.85, 0.15) for x in (X, NEW))
GROWN = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, Y)


def by_hand(alpha: float) -> dict[int, tuple[float, float]]:
    """Level and p-value of each node that is tested, from the root down, with halves of the level."""
    tree, path, found = GROWN.tree_, GROWN.decision_path(NEW).toarray().astype(bool), {}
    waiting = [(0, alpha)]
    while waiting:
        node, level = waiting.pop()
        left, right = tree.children_left[node], tree.children_right[node]
        if left < 0:
            continue
        n, a, b = path[:, node].sum(), path[:, left].sum(), TRUE[path[:, node]].sum()
        law, x = hypergeom(n, b, a), TRUE[path[:, left]].sum()
        ways = np.arange(n + 1)
        far = np.abs(n * ways - a * b) >= abs(n * x - a * b)
        found[node] = level, 1.0 if 0 in (a, n - a, b, n - b) else law.pmf(ways[far]).sum()
        if found[node][1] <= level:
            waiting += [(left, level / 2), (right, level / 2)]
    return found


@pytest.mark.parametrize("alpha", [0.05, 0.6])
def test_levels_and_p_values_are_those_of_a_plain_loop(alpha: float) -> None:
    tests, expected = node_tests(held_out(GROWN, NEW, TRUE), TreeTestPlan(alpha)), by_hand(alpha)
    assert np.flatnonzero(~np.isnan(tests.p)).tolist() == sorted(expected)
    for node, (level, p) in expected.items():
        assert tests.level[node] == level
        assert tests.p[node] == pytest.approx(p, rel=1e-8)
        assert tests.rejected[node] == (p <= level)
    assert tests.rejected[0] and tests.rejected.sum() >= (2 if alpha > 0.5 else 1)


def test_the_same_seed_draws_the_same_orders() -> None:
    held = held_out(DecisionTreeRegressor(max_depth=2).fit(X, X[:, 1]), NEW, NEW[:, 0])
    found = [node_tests(held, TreeTestPlan(0.9, permutations=99, rng=seed)).p for seed in (0, 0, 1)]
    assert np.array_equal(found[0], found[1], equal_nan=True)
    assert not np.array_equal(found[0], found[2], equal_nan=True)
    assert float(found[0][0] * 95) == pytest.approx(round(found[0][0] * 95))


def test_a_share_of_nothing_is_not_rejected() -> None:
    shares = np.where(GROWN.tree_.children_left == 1, 1.0, 0.0)  # nothing goes to the root's children
    tests = node_tests(held_out(GROWN, NEW, TRUE), TreeTestPlan(0.05, shares))
    assert tests.rejected.tolist() == [True] + [False] * (len(shares) - 1)


def test_a_p_value_that_is_its_level_but_for_rounding_is_rejected() -> None:
    """A third of a little less than .15 is less than 1/20, the p of one row of twenty that has the other class."""
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    x, y = np.repeat(corners, [5, 5, 5, 1], axis=0), [0] * 10 + [1] * 5 + [0]
    grown = DecisionTreeClassifier(random_state=0).fit(x, y)
    assert grown.tree_.feature.tolist() == [0, -2, 1, -2, -2]
    third = np.array([1, 2, 1, 1, 1]) / [1, 3, 3, 2, 2]
    new = np.repeat(corners, [10, 10, 19, 1], axis=0)
    tests = node_tests(held_out(grown, new, [0] * 20 + [1] * 19 + [0]), TreeTestPlan(0.15 * (1 - 1e-14), third))
    assert (
        tests.level[2] < tests.p[2] == pytest.approx(0.05, rel=1e-12) and tests.rejected[2] and tests.why[2] == "kept"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"alpha": 0}, "alpha is a number strictly between 0 and 1"),
        ({"alpha": "0.05"}, "alpha is a number strictly between 0 and 1"),
        ({"nested": "yes"}, "nested is True or False"),
        ({"permutations": 0}, "permutations is an integer from 1"),
        ({"permutations": 2**31 + 1}, "permutations is an integer from 1"),
    ],
)
def test_no_other_plans(options: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        TreeTestPlan(**options)
