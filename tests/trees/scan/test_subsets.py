"""The best subset of categories against all of them, and the orders in which cuts are tried."""

import itertools
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

import splitcrit as sc
from growing import CUBES
from splitcrit import Criterion, Impurity, TreeClassifier, criteria, decrease, entropy, gini, impurities, standardised
from splitcrit.compiling import kernel
from splitcrit.impurities.search_declaration import STANDARDISED
from splitcrit.nulls import null_moments
from splitcrit.nulls.score_moments import threshold_moments
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.scan import Limits, subsets
from splitcrit.trees.scan import scan_standardised as module
from splitcrit.trees.scan.prepared_criterion import criterion_data, scorer
from splitcrit.trees.scan.records import CONSTANTS, CategoryTable, Data, SideLimits
from splitcrit.trees.scan.subsets import mean_response, principal_response, ranks, simpler


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


def test_the_root_has_the_threshold_of_the_largest_score() -> None:
    """Every threshold scored by itself, with the law of its own margins."""
    x, y = data(120, 1000, seed=3)
    best = []
    for f in range(x.shape[1]):
        values = np.unique(x[:, f])
        for low, high in itertools.pairwise(values):
            left = x[:, f] <= low
            table = [[int((y[side] == k).sum()) for k in (0, 1)] for side in (left, ~left)]
            law = null_moments(entropy, np.sum(table, axis=1), np.sum(table, axis=0))
            gain = float(decrease(entropy)(table))
            spread = law.variance**0.5
            best.append(((gain - law.mean) / spread if spread else 0.0, f, (low + high) / 2))
    score, feature, threshold = max(best)
    tree = TreeClassifier(criterion=standardised(entropy), max_depth=1).fit(x, y).tree_
    assert tree.feature[0] == feature and tree.threshold[0] == pytest.approx(threshold)
    left = x[:, feature] <= threshold
    table = [[int((y[side] == k).sum()) for k in (0, 1)] for side in (left, ~left)]
    assert float(standardised(entropy)(table)) == pytest.approx(score, rel=1e-9)


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


# Compiled loops over the categories of one node, against exact arithmetic and the search by formulas.


CRITERIA = [decrease(impurities.gini), decrease(impurities.entropy), decrease(impurities.matushita), criteria.twoing]


def space_of(table: Any, ordered: bool = False, joins: bool = False, most: int = 8) -> CategoryTable:
    """A node with a table of class counts, a row for each count."""
    space = CategoryTable.of(*table.shape, ordered, joins, most)
    space.table[:], space.rows[:-1], space.weights[:-1] = table, table.sum(axis=1), table.sum(axis=1)
    return space


def test_an_order_is_by_exact_shares_and_ties_stay_in_order() -> None:
    from splitcrit.trees.scan import scan_subsets

    rng, tied = np.random.default_rng(1), 0
    for _ in range(200):
        table = rng.integers(0, 4, (6, 2)) + np.array([[0, 1]])
        table[rng.random(6) < 0.2] = 0
        there = np.flatnonzero(table.sum(axis=1))
        shares = [Fraction(int(table[j, 1]), int(table[j].sum())) for j in there]
        tied += len(set(shares)) < len(shares)
        expected = [int(j) for _, j in sorted(zip(shares, there, strict=True))]
        space = space_of(table)
        p = scan_subsets.occurring.py_func(space)
        scan_subsets._shares.py_func(space, p, 1)
        scan_subsets.sort_by_key.py_func(space, p)
        assert space.order[:p].tolist() == expected
        response = mean_response(table[None, there].astype(float))
        assert there[np.argsort(ranks(response, np.ones((1, len(there)), bool))[0])].tolist() == expected
    assert tied > 50


@pytest.mark.each_value
@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("most", [8, 3])
def test_the_first_best_division_is_that_of_the_search_by_formulas(criterion, classes, most):
    """Of all divisions, or of the cuts of several orders, under a limit or none."""
    rng, divide = np.random.default_rng(classes), dividing()
    for turn in range(60):
        p, row = int(rng.integers(2, 7)), rng.integers(1, 90, classes)
        table = rng.integers(0, 9, (p, classes)) + 1
        if turn % 2:  # divisions that tie but for the order in which classes are summed
            table = np.stack([np.roll(row, i) for i in range(classes)])
            p = classes
        elif turn % 4:  # categories of one class alone, which are joined
            alone = np.eye(classes, dtype=np.int64)[[0, 1, *rng.integers(0, classes, 6)]] * rng.integers(1, 5, (8, 1))
            table, p = alone + (rng.random((8, 1)) < 0.3) * rng.integers(0, 3, (8, classes)), 8
        counts, least = table.sum(axis=0), 1 if turn % 3 else int(table.sum()) // 3
        data, limits = criterion_data(criterion, int(counts.sum()), classes), Limits(least)
        recoding, sizes = Recoding(np.array([p]), most), table.sum(axis=1)
        expected = recoding.by_class(table[None].astype(float), sizes[None], criterion, limits).ranks[0]
        space = space_of(table, *simpler(criterion, classes, least > 1), min(most, p))
        n = int(counts.sum())
        divide(scorer(data), counts, table, space, SideLimits(n, n, least, 0.0), np.zeros(CONSTANTS))
        assert space.ranks[:-1].tolist() == expected.tolist() or not best(criterion, table, expected, least), turn


@cache
def dividing() -> Any:
    """A kernel that ranks categories by the first best division, 0 without one."""
    from splitcrit.trees.scan.pointers import call_numbers
    from splitcrit.trees.scan.scan_subsets import best_division, occurring

    @kernel
    def divide(scorer, counts, table, space, limits, constants):  # type: ignore[no-untyped-def]
        data = scorer.data
        _, _, _, rate, width = call_numbers(scorer.numbers, data, counts, constants)
        p = occurring(space)
        top = best_division(space, p, data, counts, constants, limits, np.inf)
        space.ranks[:] = 0
        if top > -np.inf:  # categories have been joined
            space.table[:], space.rows[:-1], space.weights[:-1] = table, table.sum(axis=1), table.sum(axis=1)
            p = occurring(space)
            best_division(space, p, data, counts, constants, limits, top - width / rate)

    return divide


def best(criterion: Criterion, table: Any, rank: Any, least: int) -> bool:
    """Whether ranks have an allowed cut."""
    sides = [(table[rank <= cut].sum(), table[rank > cut].sum()) for cut in range(rank.max())]
    return any(min(each) >= least for each in sides)


def test_a_principal_component_is_that_of_the_covariance() -> None:
    from splitcrit.trees.scan import scan_subsets

    rng = np.random.default_rng(0)
    for _ in range(50):
        table = rng.integers(0, 9, (6, 4))
        table[rng.random(6) < 0.2] = 0
        space, there = space_of(table), table.sum(axis=1) > 0
        p = scan_subsets.occurring.py_func(space)
        scan_subsets._principal.py_func(space, p, table.sum(axis=0))
        own = table[there] / table[there].sum(axis=1, keepdims=True)
        rows = np.repeat(own, table[there].sum(axis=1), axis=0)
        _, sizes, axes = np.linalg.svd(rows - rows.mean(axis=0))
        axis = axes[0] * np.sign(axes[0][np.abs(axes[0]).argmax()])
        if sizes[1] < 0.9 * sizes[0]:
            along, keys = (own - rows.mean(axis=0)) @ axis, space.keys[:p]
            np.testing.assert_allclose(keys / np.linalg.norm(keys), along / np.linalg.norm(along), atol=1e-9)
            np.testing.assert_allclose(principal_response(table[None] * 1.0)[0][there], keys, rtol=1e-7, atol=1e-12)
