"""Trees of scores: permuted paths against trees grown again, one column both ways, error rates, leaves, ctree."""

from __future__ import annotations

import pickle
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.base import clone

from splitcrit import trees
from splitcrit.columns import log_rank, ordinal, outputs, ranks
from splitcrit.columns.response_scores import standardised
from splitcrit.inference import InferenceTreeClassifier, InferenceTreeRegressor, kaplan_meier
from splitcrit.inference.selective import NodeTest, Trained, grown_as_tested
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
            for order, score in zip(orders[::7], found[::7], strict=True):
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
    assert checked > 100


@pytest.mark.each_value
@pytest.mark.parametrize(("function", "at"), [(log_rank, "root"), (log_rank, "node"), (twice, "root"), (ranks, "node")])
def test_no_tree_of_null_data_is_split_more_often_than_the_level(function: Any, at: str) -> None:
    """The root is real, and below it nothing is: no split but the root's in at most a tenth."""
    sets, wrong, found = 60, 0, 0
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
    with pytest.raises(ValueError, match="got times and events; use a concordance index"):
        fitted.score(X, y)
    one = InferenceTreeRegressor(response_scores=log_rank)
    assert "median time: 4" in one.fit([[1], [2]], [(3, 0), (4, 1)]).export_text()
    assert one.predict([[1]]).shape == (1,)
    assert "median time: not reached" in one.fit([[1], [2]], [(3, 0), (4, 0)]).export_text()
    assert pickle.loads(pickle.dumps(fitted)).predict(X).tolist() == fitted.predict(X).tolist()
    assert clone(fitted).get_params()["response_scores"] is log_rank
    plain = InferenceTreeRegressor(response_scores=ranks, random_state=0).fit(X, y[:, 0])
    with pytest.raises(AttributeError, match="survival curves need response_scores=log_rank"):
        _ = plain.survival_curves_


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
    with pytest.raises(ValueError, match="responses are a matrix"):
        several.score(X, y[:, 0])


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
    with pytest.raises(ValueError, match="need one column of scores, made at the root; got response_scores_at='node'"):
        InferenceTreeRegressor(**options, response_scores_at="node").fit(X, y)


def changing(y: Any) -> Any:
    """Two columns of sixty rows, three of others."""
    return np.column_stack([log_rank(y)] * (2 if len(y) == 60 else 3))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"criterion": "absolute_error"}, "lower the variance of the scores; got criterion='absolute_error'"),
        (
            {"response_scores": twice, "test": "node", "correction": "bonferroni"},
            "made at the root; got 2 columns; pass",
        ),
        ({"test": "selective", "correction": "bonferroni"}, "needs no correction"),
        ({"response_scores": lambda y: y[:, 0] + np.arange(len(y))}, "must depend on the responses alone"),
        ({"response_scores": lambda y: log_rank(y)[: len(y) // 2]}, "return one row of scores for each response"),
        (
            {"response_scores": changing, "response_scores_at": "node", "alpha": 0.99},
            "as many columns at each node; got 3 after 2",
        ),
    ],
)
def test_parameters_that_do_not_fit_get_one_sentence(options: dict[str, Any], said: str) -> None:
    X, y = sample(0, 60)
    with pytest.raises((ValueError, TypeError)) as refused:
        InferenceTreeRegressor(**{"response_scores": log_rank} | options).fit(X, y)
    assert said in str(refused.value)


def test_bad_responses_leave_a_tree_as_it_was() -> None:
    X, y = sample(0, 60)
    fitted = InferenceTreeRegressor(response_scores=log_rank, random_state=0).fit(X, y)
    before = fitted.predict(X).tolist()
    sentences = "times are not negative", "inconsistent numbers of samples", "one entry for each row"
    for wrong, said in zip((-y, y[:5], 3), sentences, strict=True):
        with pytest.raises(ValueError, match=said):
            fitted.fit(X, wrong)
    assert fitted.predict(X).tolist() == before
