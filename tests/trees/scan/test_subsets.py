"""The best subset of categories against all of them, and the orders in which cuts are tried."""

import itertools
from typing import Any

import numpy as np
import pytest

import splitcrit as sc
from growing import CUBES
from splitcrit import Criterion, Impurity, TreeClassifier, decrease, entropy, gini, standardised
from splitcrit.impurities.search_declaration import STANDARDISED
from splitcrit.nulls.score_moments import threshold_moments
from splitcrit.trees.scan import Limits, scan_subsets, subsets
from splitcrit.trees.scan import scan_standardised as module
from splitcrit.trees.scan.records import CategoryTable, Data


def tables(classes: int, p: int, seed: int) -> Any:
    """Class counts of the categories of five nodes, some of them absent."""
    counts = np.random.default_rng(seed).integers(0, 7, (5, p, classes)).astype(float)
    counts[0, 1] = 0
    return counts


def test_no_subset_where_the_limits_allow_none() -> None:
    counts = tables(2, 3, 0)
    comparison = subsets.Comparison(subsets.class_scores(decrease(gini)), np.zeros(5))
    assert not subsets.best_subsets(counts, counts.sum(axis=2), Limits(100, 0.0), comparison).any()


def test_the_order_is_the_one_whose_best_cut_scores_most() -> None:
    for seed, limits in itertools.product(range(12), (Limits(), Limits(4, 6.0), Limits(20, 0.0), Limits(1, 20.0))):
        counts = tables(3, 6, seed)
        sizes = counts.sum(axis=2).astype(int)
        scores = subsets.class_scores(decrease(gini))
        found = subsets.best_order(counts, sizes, limits, scores, np.zeros(5))
        best = []
        for response, used in zip(*subsets.orders(counts), strict=True):
            rank = subsets.ranks(response, sizes > 0)
            best.append([top(counts[i], sizes[i], rank[i], limits) if used[i] else -np.inf for i in range(5)])
        chosen = [top(counts[i], sizes[i], found[i], limits) for i in range(5)]
        assert chosen == pytest.approx(np.max(best, axis=0), rel=1e-12)


def top(counts: Any, sizes: Any, rank: Any, limits: Limits) -> float:
    """The best gain of a cut of an order of categories."""
    order, scores = np.argsort(rank), [-np.inf]
    for cut in range(1, int((sizes > 0).sum())):
        left, right = counts[order[:cut]].sum(axis=0), counts[order[cut:]].sum(axis=0)
        if min(left.sum(), right.sum()) >= max(limits.least, limits.lightest):
            scores.append(float(decrease(gini)(np.array([left, right]))))
    return max(scores)


def test_responses_order_categories_by_shares_and_by_their_principal_component() -> None:
    wide = tables(3, 4, 5)
    (*shares, principal), used = subsets.orders(wide)
    assert used.all()
    lacking = wide * np.array([[[1, 0, 1]]])
    assert subsets.orders(lacking)[1].tolist() == [[False] * 5, [False] * 5, [True] * 5, [False] * 5]
    np.testing.assert_allclose(np.stack(shares, axis=2), wide / np.maximum(wide.sum(axis=2), 1)[..., None])
    np.testing.assert_array_equal(principal, subsets.principal_response(wide))


# Trees by standardised gains: what compiled scans find is what the formula scores, threshold by threshold.


SUMS = [entropy, sc.shannon_entropy(2), sc.scaled(gini, 3), CUBES]


def data(n: int, levels: int, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, levels, (n, 4)).astype(float)
    return x, (x[:, 0] + rng.normal(size=n) * levels / 2 > levels / 2).astype(int)


@pytest.mark.parametrize("impurity", SUMS, ids=repr)
@pytest.mark.parametrize(("n", "levels"), [(300, 1000), (300, 6), (40, 40)])
def test_compiled_trees_are_those_of_the_formula(impurity: Impurity, n: int, levels: int) -> None:
    x, y = data(n, levels)
    criterion = standardised(impurity)
    assert criterion.search.form is not None and criterion.search.form(n, 2).kind == STANDARDISED
    plain = Criterion("plain", lambda t, m: criterion.score(t, m), scale=criterion.scale)
    found, formula = (TreeClassifier(criterion=c, random_state=0).fit(x, y).tree_ for c in (criterion, plain))
    assert np.array_equal(found.feature, formula.feature) and np.array_equal(found.threshold, formula.threshold)


def test_other_impurities_are_scored_by_their_formula() -> None:
    x, y = data(80, 1000)
    for impurity in (sc.matushita, sc.misclassification):
        make = standardised(impurity).search.form
        assert make is None or make(80, 2) is None
        assert TreeClassifier(criterion=standardised(impurity), max_depth=2).fit(x, y).tree_.node_count > 1
    assert standardised(gini).search == sc.sgini.search
    assert standardised(entropy).search.form(50, 3) is None


def moments(criterion: Criterion, n: int, ones: int, period: int = 1) -> tuple[Any, Any, Data]:
    """Mean and rate that a node is given, and the data; a term of this period is added to the sums."""
    form = criterion.search.form(n, 2)  # type: ignore[misc]
    phi = form.phi + 3.0 * (np.arange(len(form.phi)) % period)
    data = Data(form.kind, form.power, form.unit, form.tie, phi, form.table, 0, 0)
    behind = np.full(2 * n, np.nan)
    module.prepared(data, 0, n, np.array([ones, 0.0, 0.0, 0.0]), behind)
    return behind[: n - 1], behind[n:-1], data


@pytest.mark.parametrize("impurity", SUMS, ids=repr)
@pytest.mark.parametrize(("n", "ones"), [(700, 350), (1200, 40), (801, 785)])
def test_moments_between_sizes_are_those_of_the_law(impurity: Impurity, n: int, ones: int) -> None:
    mean, rate, data = moments(standardised(impurity), n, ones)
    counts, sizes = np.array([[ones, n - ones]]), np.arange(1, n)
    node = module.combined(int(data.power), data.phi[counts].sum(), 0.0, n, 0, data.table, 0.0)
    law = threshold_moments(decrease(impurity), np.full(n - 1, n), np.full(n - 1, ones), sizes)
    varies = law[1] > 0
    assert np.array_equal(rate > 0, varies) and varies.sum() > n - 9
    scale = (law[1] * rate)[varies]  # of the compiled score, whose sums have another unit
    assert np.allclose(scale, scale[0], rtol=1e-8, atol=0)
    standard = law[0][varies] / law[1][varies]
    assert np.abs(((mean - node) * rate)[varies] - standard).max() < 1e-8 * max(1, standard.max())


def test_few_sizes_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, added_up = [], module._added_up
    monkeypatch.setattr(module, "_added_up", lambda *given: calls.append(given[1]) or added_up(*given))
    moments(standardised(entropy), 4000, 2000)
    assert len(set(calls)) == len(calls) < 600 and max(calls) == 2000


@pytest.mark.parametrize(("n", "period"), [(600, 2), (601, 3), (600, 4)])
def test_sums_that_are_not_smooth_are_not_interpolated(n: int, period: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def errors() -> float:
        mean, rate, data = moments(standardised(entropy), n, 4, period)
        true = np.array([module._added_up(data, m, 4, n) for m in range(1, 300)])
        apart = np.abs((mean[:299] - true[:, 0]) * true[:, 1]), np.abs(rate[:299] / true[:, 1] - 1)
        return float(np.max(apart))

    assert errors() < 1e-9
    monkeypatch.setattr(module, "CLOSE", np.inf)
    assert errors() > 0.1


def test_a_principal_component_is_that_of_the_covariance() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        table = rng.integers(0, 9, (6, 4))
        table[rng.random(6) < 0.2] = 0
        space, there = CategoryTable.of(*table.shape, False, False, 8), table.sum(axis=1) > 0
        space.table[:], space.rows[:-1], space.weights[:-1] = table, table.sum(axis=1), table.sum(axis=1)
        p = scan_subsets.occurring.py_func(space)
        scan_subsets._principal.py_func(space, p, table.sum(axis=0))
        own = table[there] / table[there].sum(axis=1, keepdims=True)
        rows = np.repeat(own, table[there].sum(axis=1), axis=0)
        _, sizes, axes = np.linalg.svd(rows - rows.mean(axis=0))
        axis = axes[0] * np.sign(axes[0][np.abs(axes[0]).argmax()])
        if sizes[1] < 0.9 * sizes[0]:
            along, keys = (own - rows.mean(axis=0)) @ axis, space.keys[:p]
            np.testing.assert_allclose(keys / np.linalg.norm(keys), along / np.linalg.norm(along), atol=1e-9)
            np.testing.assert_allclose(
                subsets.principal_response(table[None] * 1.0)[0][there], keys, rtol=1e-7, atol=1e-12
            )
