"""Tested trees, of scores too: permuted paths against trees grown again, what is kept and said, error rates, plans."""

import pickle
import re
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, hypergeom
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from refusals import refused
from splitcrit import TreeClassifier, TreeRegressor, trees
from splitcrit.columns import log_rank, ordinal, outputs, ranks
from splitcrit.columns.response_scores import standardised
from splitcrit.inference import InferenceTreeClassifier, InferenceTreeRegressor, kaplan_meier, tested_trees
from splitcrit.inference.held_out import held_out
from splitcrit.inference.selective import NodeTest, Trained, grown_as_tested
from splitcrit.inference.testing import TreeTestPlan, node_tests
from splitcrit.nulls import calibrated
from splitcrit.trees.growth import GrownTree, Stopping
from splitcrit.trees.growth.surprise_paths import SurpriseSearch


def twice(y: Any) -> Any:
    """Two equal columns, which score as one does."""
    return np.column_stack([log_rank(y)] * 2)


def sample(seed: int, n: int = 150, *, gaps: bool = False) -> tuple[Any, Any]:
    """Times that depend on two of four features, censored whatever these are."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)).round(1).astype(np.float32)
    time = rng.exponential(size=n) / np.exp(1.5 * (X[:, 0] > 0.3) + 1.2 * (abs(X[:, 1]) > 1))
    ends = rng.exponential(2, size=n)
    if gaps:
        X[rng.random(X.shape) < 0.15] = np.nan
    return X, np.column_stack([np.minimum(time, ends), time <= ends])


@pytest.mark.parametrize("gaps", [False, True])
def test_one_column_is_grown_and_tested_as_two_equal_ones(gaps: bool) -> None:
    for seed in range(5):
        X, y = sample(seed, gaps=gaps)
        options: dict[str, Any] = {"random_state": 0, "n_permutations": 199, "max_depth": 3, "min_samples_leaf": 5}
        options |= {"test": "node", "alpha": 0.9999, "correction": "permutation", "max_exceedances": None}
        one = InferenceTreeRegressor(response_scores=log_rank, compare="gain", **options).fit(X, y)
        two = InferenceTreeRegressor(response_scores=twice, **options).fit(X, y)
        for name in ("feature", "children_left", "n_node_samples", "missing_go_to_left"):
            assert np.array_equal(getattr(one.tree_, name), getattr(two.tree_, name))
        assert one.tree_.threshold == pytest.approx(two.tree_.threshold)
        tests = [[(t.node, t.depth, t.verdict, t.score) for t in fitted.verdicts_] for fitted in (one, two)]
        assert [t[:3] for t in tests[0]] == [t[:3] for t in tests[1]]
        assert [t[3] for t in tests[0]] == pytest.approx([t[3] for t in tests[1]])
        assert one.pvalues_[0] == two.pvalues_[0]
        assert one.pvalues_ == pytest.approx(two.pvalues_, nan_ok=True)


def grown(search: SurpriseSearch) -> GrownTree:
    """The tree of a search, all of whose splits are kept."""

    def kept(node: int, depth: int, path: Any, feature: int) -> NodeTest:
        return NodeTest(node, depth, 1.0, 0.0, 0.0, "split")

    return grown_as_tested(search, Stopping(max_depth=2), kept)[0]


@pytest.mark.parametrize("at", ["root", "node"])
def test_a_permuted_path_is_that_of_a_tree_grown_again(at: str) -> None:
    """All orders of the rows of a node: what its ancestors choose, and its own best score."""
    rng = np.random.default_rng(1)
    n, checked = 11, 0
    for _ in range(4):
        x = rng.integers(0, 4, (n, 2)).astype(np.float32)
        x[rng.random(x.shape) < 0.1] = np.nan
        y = np.column_stack([rng.integers(0, 5, n) + 3.0 * (x[:, 0] > 1), rng.integers(0, 9, n)]).astype(float)

        def searched(responses: Any, x: Any = x) -> SurpriseSearch:
            whole = standardised(ranks(responses))

            def columns(here: Any) -> Any:
                return standardised(ranks(responses[here])) if at == "node" else whole[here] - whole[here].mean(axis=0)

            return SurpriseSearch(x, np.arange(n), whole[:, 0], 0, None, 1, by_gain=True, vectors=columns)

        search = searched(y)
        trained = Trained(grown(search), x, np.arange(n))
        for node in np.flatnonzero((trained.tree.left >= 0) & (trained.tree.depth == 1)):
            rows = trained.rows[node]
            if len(rows) > 6:
                continue
            orders = np.array(list(permutations(rows.tolist())))
            found = search.path(trained.path(int(node))).scores(orders)
            for order, score in zip(orders[::17], found[::17], strict=True):
                moved = y.copy()
                moved[rows] = y[order]
                again = Trained(grown(searched(moved)), x, np.arange(n))
                sides = {frozenset(again.rows[v].tolist()) for v in (again.tree.left[0], again.tree.right[0])}
                kept = frozenset(rows.tolist()) in sides
                assert kept == bool(score >= 0)
                if kept:
                    same = next(v for v in range(len(again.rows)) if set(again.rows[v].tolist()) == set(rows.tolist()))
                    own = searched(moved).best(again.rows[same])
                    assert score == pytest.approx(0.0 if own is None else own.score, abs=1e-12)
                checked += 1
    assert checked > 40


@pytest.mark.each_value
@pytest.mark.parametrize(("function", "at"), [(log_rank, "root"), (log_rank, "node"), (twice, "root"), (ranks, "node")])
def test_no_tree_of_null_data_is_split_more_often_than_the_level(function: Any, at: str) -> None:
    """The root is real, and below it nothing is: no split but the root's in at most a tenth."""
    sets, wrong, found = 36, 0, 0
    for seed in range(sets):
        rng = np.random.default_rng(seed)
        X = np.column_stack([rng.integers(0, 2, 40), rng.normal(size=(40, 2)).round(1)])
        time = rng.exponential(size=40) * np.where(X[:, 0] > 0, 12, 1)
        y = np.column_stack([np.minimum(time, 20.0), time <= 20.0])
        tree = InferenceTreeRegressor(
            response_scores=function, response_scores_at=at, alpha=0.1, n_permutations=39, max_depth=2,
            min_samples_leaf=4, random_state=seed,
        ).fit(X, y).tree_  # fmt: skip
        found += tree.feature[0] == 0
        wrong += bool((tree.feature[1:] >= 0).any()) or tree.feature[0] > 0
    assert found > sets / 2
    assert wrong <= binom.isf(1e-4, sets, 0.1)


def test_leaves_of_survival_trees_have_curves() -> None:
    X, y = sample(0)
    fitted = InferenceTreeRegressor(response_scores=log_rank, random_state=0).fit(X, y)
    leaves, curves = fitted.apply(X), fitted.survival_curves_
    assert set(curves) == set(leaves.tolist()) == set(fitted.leaf_responses_)
    scores = log_rank(y)
    for leaf, curve in curves.items():
        assert curve.survival.tolist() == kaplan_meier(y[leaves == leaf]).survival.tolist()
        assert fitted.predict(X)[leaves == leaf] == pytest.approx(scores[leaves == leaf].mean())
    text = fitted.export_text()
    assert "\nTimes and events are tested together" in text
    assert f"median time: {curves[int(leaves[0])].median:.4g} ({(leaves == leaves[0]).sum()} rows" in text
    refused("got times and events; use a concordance index", fitted.score, X, y)
    one = InferenceTreeRegressor(response_scores=log_rank)
    assert "median time: 4" in one.fit([[1], [2]], [(3, 0), (4, 1)]).export_text()
    assert one.predict([[1]]).shape == (1,)
    assert "median time: not reached" in one.fit([[1], [2]], [(3, 0), (4, 0)]).export_text()
    assert pickle.loads(pickle.dumps(fitted)).predict(X).tolist() == fitted.predict(X).tolist()
    assert clone(fitted).get_params()["response_scores"] is log_rank
    plain = InferenceTreeRegressor(response_scores=ranks, random_state=0).fit(X, y[:, 0])
    refused("survival curves need response_scores=log_rank", lambda: plain.survival_curves_, error=AttributeError)


def test_means_of_responses_of_one_and_several_outputs() -> None:
    X, y = sample(1)
    one = InferenceTreeRegressor(response_scores=ranks, random_state=0).fit(X, y[:, 0])
    leaves = one.apply(X)
    assert one.predict(X) == pytest.approx([y[leaves == leaf, 0].mean() for leaf in leaves])
    assert one.tree_.impurity[leaves[0]] == pytest.approx(y[leaves == leaves[0], 0].var())
    assert one.score(X, y[:, 0]) > 0
    both = np.column_stack([y[:, 0], X[:, 3] + y[:, 1]])
    several = InferenceTreeRegressor(response_scores=outputs, random_state=0).fit(X, both)
    leaves = several.apply(X)
    assert several.predict(X).shape == (150, 2)
    assert several.predict(X) == pytest.approx(np.array([both[leaves == leaf].mean(axis=0) for leaf in leaves]))
    assert "values: " in several.export_text()
    assert several.n_outputs_ == 2
    assert trees.export_text(several).count("value: [") == len(set(leaves.tolist()))
    each = 1 - ((both - several.predict(X)) ** 2).sum(axis=0) / ((both - both.mean(axis=0)) ** 2).sum(axis=0)
    assert several.score(X, both) == pytest.approx(each.mean())
    refused("responses are a matrix", several.score, X, y[:, 0])


def test_shares_of_ordered_classes() -> None:
    X, y = sample(2)
    levels = ["low", "middle", "high"]
    labels = np.array(levels)[np.digitize(y[:, 0], [0.2, 0.8])]
    fitted = InferenceTreeClassifier(response_scores=ordinal(levels), random_state=0).fit(X, labels)
    leaves = fitted.apply(X)
    assert fitted.classes_.tolist() == sorted(levels)
    for leaf in set(leaves.tolist()):
        shares = [(labels[leaves == leaf] == c).mean() for c in fitted.classes_]
        assert fitted.predict_proba(X)[leaves == leaf] == pytest.approx(np.tile(shares, ((leaves == leaf).sum(), 1)))
    assert len(fitted.tree_.feature) > 1
    assert fitted.score(X, labels) > 0.4


def test_categories() -> None:
    rng = np.random.default_rng(0)
    letters = rng.choice(list("abcd"), 120).astype(object)
    time = rng.exponential(size=120) * np.where(np.isin(letters, ["b", "d"]), 5, 1)
    y = np.column_stack([time, np.ones(120)])
    X = np.column_stack([letters, rng.normal(size=120).astype(object)])
    options: dict[str, Any] = {"response_scores": log_rank, "random_state": 0, "categorical_features": [0]}
    fitted = InferenceTreeRegressor(**options).fit(X, y)
    assert fitted.splits_[0].left in {("b", "d"), ("a", "c")}
    assert set(fitted.predict(X)) == set(fitted.tree_.value[fitted.apply(X), 0, 0])
    refused("got response_scores_at='node'", InferenceTreeRegressor(**options, response_scores_at="node").fit, X, y)


def changing(y: Any) -> Any:
    """Two columns of sixty rows, three of others."""
    return np.column_stack([log_rank(y)] * (2 if len(y) == 60 else 3))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"criterion": "absolute_error"}, "lower the variance of the scores; got criterion='absolute_error'"),
        ({"response_scores": twice, "test": "node", "correction": "bonferroni"}, "at the root; got 2 columns; pass"),
        ({"test": "selective", "correction": "bonferroni"}, "needs no correction"),
        ({"response_scores": lambda y: y[:, 0] + np.arange(len(y))}, "must depend on the responses alone"),
        ({"response_scores": lambda y: log_rank(y)[: len(y) // 2]}, "return one row of scores for each response"),
        ({"response_scores": changing, "response_scores_at": "node", "alpha": 0.99}, "at each node; got 3 after 2"),
    ],
)
def test_parameters_that_do_not_fit_get_one_sentence(options: dict[str, Any], said: str) -> None:
    X, y = sample(0, 60)
    tree = InferenceTreeRegressor(**{"response_scores": log_rank} | options)
    refused(re.escape(said), tree.fit, X, y, error=(ValueError, TypeError))


# Trees of tested splits: what is kept, what is said of it, and the error rate that is promised.

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
    ("parameters", "said"),
    [
        ({"n_permutations": 0}, "n_permutations is an integer from 1; got 0"),
        ({"max_exceedances": 0}, "max_exceedances is an integer from 1; got 0"),
        ({"correction": "permutation"}, "needs no correction; got correction='permutation'; leave it None"),
        ({"test": "node", "correction": "bonferroni", "criterion": "entropy"},
         "'bonferroni' is for criterion='gini', 'sgini' or 'squared_error'; got criterion='entropy'; pass"),
        ({"test": "node", "correction": "westfall-young", "n_permutations": 18}, "pass n_permutations=19 or more"),
        ({"criterion": calibrated()}, "compares their laws; pass 'gini'"),
    ],
)  # fmt: skip
def test_bad_parameters_get_one_sentence(parameters: Any, said: str) -> None:
    refused(re.escape(said), InferenceTreeClassifier(**parameters).fit, *IRIS, error=(ValueError, TypeError))


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
    assert tests.level[2] < tests.p[2] == pytest.approx(0.05, rel=1e-12)
    assert tests.rejected[2] and tests.why[2] == "kept"
