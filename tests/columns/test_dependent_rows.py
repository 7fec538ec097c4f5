"""The one test of a column where rows come in groups or strata: levels, what changes nothing, and one p everywhere."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from splitcrit import rank_features
from splitcrit.columns.column_tests import ColumnTest, LabelledRows, PermutedTarget, column_test
from splitcrit.inference import SplitSelector, selected_score, split_test
from splitcrit.nulls.groups import Dependence, TooFewArrangements, numbered

SIZES = {"40 x 5": [5] * 40, "30 x 20": [20] * 30, "1 to 30": [1, 2, 2, 3, 4, 5, 6, 8, 9, 11, 13, 16, 20, 25, 30] * 2}


def design(rng: np.random.Generator, sizes: list[int], constant: str, effect: float = 0.0) -> tuple[Any, Any, Any]:
    """A column, labels of two classes and groups; ``constant`` in these are "both", "column", "labels" or "neither"."""
    g = np.repeat(np.arange(len(sizes)), sizes)
    u, v = rng.normal(size=len(sizes)), rng.normal(size=len(sizes))
    v = (v + effect * u) / np.hypot(1, effect)
    x = u[g] if constant in ("both", "column") else u[g] + 0.7 * rng.normal(size=len(g))
    y = (v > 0)[g]
    if constant in ("column", "neither"):
        y = rng.random(len(g)) < 1 / (1 + np.exp(-2 * v[g]))
    return x, y.astype(int), g


def asked(x: Any, y: Any, groups: Any = None, strata: Any = None, **how: Any) -> ColumnTest:
    """The test of one column."""
    codes, among = (
        np.unique(x, return_inverse=True)[1],
        Dependence(None if groups is None else numbered(groups), strata),
    )
    rows, labels = LabelledRows(np.asarray(y), among=among).observed(codes)
    codes = codes if rows is None else np.unique(codes[rows], return_inverse=True)[1]
    return column_test(labels.column(codes), labels.target, **how)


def p_of(x: Any, y: Any, groups: Any = None, strata: Any = None, question: Any = "cut") -> float:
    """The p-value of one column."""
    return asked(x, y, groups, strata, question=question).p


@pytest.mark.parametrize("constant", ["both", "column", "labels", "neither"])
@pytest.mark.parametrize("sizes", ["40 x 5", "1 to 30"])
def test_level_under_groups(sizes: str, constant: str) -> None:
    rejected, number = 0, 80
    for seed in range(number):
        x, y, g = design(np.random.default_rng(seed), SIZES[sizes], constant)
        rejected += p_of(x, y, g) <= 0.05
    assert binom.sf(rejected - 1, number, 0.05) > 1e-3


def test_rows_taken_for_independent_reject_wrongly() -> None:
    """The oracle of the level sees a wrong test: the same columns without groups."""
    rejected = 0
    for seed in range(40):
        x, y, _ = design(np.random.default_rng(seed), SIZES["40 x 5"], "column")
        codes, y = np.unique(x, return_inverse=True)[1], y
        table = np.bincount(2 * codes + y, minlength=2 * (codes.max() + 1)).reshape(-1, 2)
        rejected += column_test(table, PermutedTarget.of_classes(table.sum(axis=0))).p <= 0.05
    assert binom.sf(rejected - 1, 40, 0.05) < 1e-6


def test_level_over_all_arrangements_of_six_groups() -> None:
    """Every assignment of six groups' labels to six groups' rows: at most a share t of them has p up to t."""
    rng = np.random.default_rng(0)
    g = np.repeat(np.arange(6), [1, 2, 3, 2, 1, 3])
    x, label = rng.normal(size=len(g)), np.array([0.0, 0.4, 0.9, 1.5, 2.2, 3.0])
    found = []
    for i, order in enumerate(permutations(range(6))):
        labels = label[list(order)][g][:, None]
        found.append(asked(x, labels, g, seed=i, draws=99).p)  # orders drawn anew: p is valid on average
    for t in (0.02, 0.05, 0.1, 0.3):
        assert np.mean(np.array(found) <= t) <= t + 3 * (t * (1 - t) / len(found)) ** 0.5


def share_of_arrangements(left: Any, labels: Any, groups: Any, strata: Any) -> float:
    """The share of all arrangements of groups' labels in strata whose votes on the left are as far from their mean."""
    units = [np.flatnonzero(groups == c) for c in np.unique(groups)]
    votes = [Fraction(int(left[rows].sum()), len(rows)) for rows in units]
    of = [int(labels[rows[0]]) for rows in units]
    site = [int(strata[rows[0]]) for rows in units]
    each: list[list[Fraction]] = []
    middle = Fraction(0)
    for s in set(site):
        here = [c for c in range(len(units)) if site[c] == s]
        some = sum(of[c] for c in here)
        each.append([sum((votes[c] for c in chosen), Fraction(0)) for chosen in combinations(here, some)])
        middle += some * sum((votes[c] for c in here), Fraction(0)) / len(here)
    seen = abs(sum((vote for vote, one in zip(votes, of, strict=True) if one), Fraction(0)) - middle)
    totals = [abs(sum(parts, Fraction(0)) - middle) >= seen for parts in product(*each)]
    return sum(totals) / len(totals)


@pytest.mark.parametrize("kind", ["groups", "strata", "groups in strata", "missing values"])
def test_one_cut_of_labels_that_are_constant_in_groups_has_the_law_of_all_arrangements(kind: str) -> None:
    rng = np.random.default_rng(len(kind))
    for _ in range(12):
        sizes = np.ones(12, int) if kind == "strata" else rng.integers(1, 5, 12 if "strata" in kind else 9)
        g = np.repeat(np.arange(len(sizes)), sizes)
        site = g % 2 if "strata" in kind else np.zeros(len(g), int)
        labels, x = (g // 2 % 3 == 0).astype(int), rng.random(len(g)) < 0.4
        column = np.where(x, np.nan, 1.0) if kind == "missing values" else x * 1.0
        groups, strata = None if kind == "strata" else g, site if "strata" in kind else None
        found = split_test(column[:, None], labels, groups=groups, strata=strata, missing="side").features[0]
        if found.method != "no cut":
            assert found.method == "exact"
            assert found.p == pytest.approx(share_of_arrangements(x, labels, g, site), rel=1e-9)
        numbers = split_test(column[:, None], labels * 2.5, groups=groups, strata=strata, response="numbers")
        assert numbers.features[0].p == pytest.approx(found.p, rel=1e-9)


def test_power_at_least_that_of_one_row_a_group() -> None:
    by_groups = one_row = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        x, y, g = design(rng, SIZES["30 x 20"], "neither", effect=0.8)
        by_groups += p_of(x, y, g) <= 0.05
        first = np.unique(g, return_index=True)[1]
        one = PermutedTarget.of_responses(y[first].astype(float), as_they_are=True)
        one_row += column_test(np.unique(x[first], return_inverse=True)[1], one).p <= 0.05
    assert by_groups > one_row + 15


@pytest.mark.parametrize("constant", ["both", "column", "labels", "neither"])
def test_names_signs_and_orders_change_nothing(constant: str) -> None:
    rng = np.random.default_rng(3)
    x, y, g = design(rng, [3, 3, 4, 4, 5, 5, 5, 6] * 3, constant, effect=0.7)
    p = p_of(x, y, g)
    assert p_of(-x, y, g) == p
    assert p_of(x, 1 - y, g) == p
    names = rng.permutation(int(g.max()) + 1)
    assert p_of(x, y, names[g]) == p
    order = np.concatenate([np.flatnonzero(g == c) for c in rng.permutation(int(g.max()) + 1)])
    assert p_of(x[order], y[order], g[order]) == p
    numbers = (rng.normal(size=len(y)) + y)[:, None]
    assert p_of(x, -numbers, g) == p_of(x, numbers, g)


def test_a_column_and_labels_that_are_constant_in_groups_are_one_row_a_group() -> None:
    x, y, g = design(np.random.default_rng(1), SIZES["40 x 5"], "both", effect=1)
    first = np.unique(g, return_index=True)[1]
    alone = split_test(x[first][:, None], y[first]).features[0]
    found = split_test(x[:, None], y, groups=g).features[0]
    assert (found.p, found.method, found.threshold, found.score) == (alone.p, "exact", alone.threshold, alone.score)


def test_evidence_has_no_floor_under_groups() -> None:
    g = np.repeat(np.arange(120), 4)
    rng = np.random.default_rng(0)
    u = rng.normal(size=120)
    y = (u > 0).astype(int)[g]
    x = u[g] + 0.05 * rng.normal(size=480)
    assert p_of(x, y, g) < 1e-8
    assert p_of(x, y, None, np.arange(480) % 4) < 1e-8


def test_strata_where_rate_and_column_differ_by_site() -> None:
    pooled = within = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        site = rng.integers(0, 5, 200)
        x = rng.normal(size=200) + 0.8 * site
        y = (rng.random(200) < 1 / (1 + np.exp(-0.8 * (site - 2)))).astype(int)
        within += p_of(x, y, None, site) <= 0.05
        pooled += p_of(x, y, None, np.zeros(200, int)) <= 0.05
    assert pooled > 50
    assert binom.sf(within - 1, 60, 0.05) > 1e-3


def test_a_column_that_is_constant_within_strata_has_no_cut() -> None:
    site = np.repeat([0, 1, 2], 20)
    y = np.random.default_rng(0).integers(0, 2, 60)
    found = asked(site, y, None, site)
    assert (found.method, found.p) == ("no cut", 1.0)


@pytest.mark.parametrize("constant", ["column", "neither"])
def test_one_p_by_every_entry(constant: str, tmp_path: Any) -> None:
    x, y, g = design(np.random.default_rng(5), SIZES["40 x 5"], constant, effect=0.9)
    site = g % 3
    frame = pd.DataFrame({"x": x, "patient": [f"p{c}" for c in g], "site": site, "y": y})
    test = split_test(frame[["x", "patient", "site"]], y, groups="patient", strata="site")
    assert [f.name for f in test.features] == ["x"]
    p = test.features[0].p
    ranked = rank_features(frame, "y", groups="patient", strata="site", exact=True).features
    assert [(f.name, f.p) for f in ranked] == [("x", p)]
    path = tmp_path / "rows.csv"
    frame.to_csv(path, index=False)
    assert rank_features(path, "y", groups="patient", strata="site", exact=True).features[0].p == p
    selector = SplitSelector().fit(x[:, None], y, groups=g, strata=site)
    assert selector.pvalues_.tolist() == [p]
    assert selected_score(x[:, None], y, groups=g, strata=site)[1].tolist() == [p]


def test_cuts_are_in_rows_of_the_data() -> None:
    g = np.repeat(np.arange(40), 5)
    u = np.random.default_rng(0).permutation(40).astype(float)
    x, y = u[g], (u > 9).astype(int)[g]
    assert split_test(x[:, None], y, groups=g).threshold == 9.5
    assert rank_features({"x": x}, y, groups=g).features[0].cut == "<= 9.5"
    varying = x + np.tile([0, 0.1, 0.2, 0.3, 0.4], 40)
    assert split_test(varying[:, None], y, groups=g).threshold == pytest.approx(9.7)


def test_a_cut_lies_between_its_bins_where_other_bins_lose_their_rows() -> None:
    """Of 1,390 values in 1,024 bins half count, so that many a bin before the cut is empty."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(9), [60, 80, 100, 120, 140, 160, 180, 250, 300])
    x = rng.normal(size=len(groups))
    found = rank_features({"x": x}, x > 1, groups=groups).features[0]
    assert 0.95 < float(found.cut.removeprefix("<= ")) < 1.05


def test_remarks_say_what_was_taken_for_dependent_and_which_rows_count() -> None:
    x, y, g = design(np.random.default_rng(0), SIZES["1 to 30"], "neither")
    said = rank_features({"x": x}, y, groups=g).remarks
    assert said[0] == "Rows come in 30 groups: each has one vote, and its labels move together."
    assert "rows count, the first of each" in said[1]
    assert "Labels move within 3 strata." in split_test(x[:, None], y, groups=g, strata=g % 3).remarks


def test_categories_and_missing_values_under_groups() -> None:
    rng = np.random.default_rng(0)
    rejected = 0
    for _ in range(60):
        g = np.repeat(np.arange(40), 5)
        kind, label = rng.integers(0, 4, 40)[g], rng.integers(0, 2, 40)[g]
        kind = np.where(rng.random(200) < 0.2, rng.integers(0, 4, 200), kind)
        x = np.where(rng.random(200) < 0.3, np.nan, rng.normal(size=40)[g] + rng.normal(size=200))
        frame = pd.DataFrame({"kind": pd.Series(list("abcd"))[kind].to_numpy(), "x": x})
        found = split_test(frame, label, groups=g, correction="holm")
        rejected += found.rejected
        assert all(0 < f.p <= 1 for f in found.features)
    assert binom.sf(rejected - 1, 60, 0.05) > 1e-3


def test_refusals_are_sentences() -> None:
    rng = np.random.default_rng(0)
    x, y, g = design(rng, [5] * 3, "neither")
    with pytest.raises(TooFewArrangements, match="labels of whole groups within strata; got 6;"):
        p_of(x, y, g)
    with pytest.raises(ValueError, match="corrections by joint orders need columns that are constant in groups"):
        split_test(
            rng.normal(size=(40, 1)), rng.integers(0, 2, 40), groups=np.arange(40) // 2, correction="westfall-young"
        )
    with pytest.raises(ValueError, match="name a column of X"):
        split_test(x[:, None], y, groups="patient")


@pytest.mark.parametrize("kind", ["strata", "groups in strata", "equal columns"])
def test_the_order_of_rows_changes_nothing_within_strata(kind: str) -> None:
    """Strata were numbered by their first rows, and random moves with them: p was .110 or .061, by the order."""
    rng = np.random.default_rng(0)
    g = np.arange(90) // (2 if kind == "groups in strata" else 1)
    site = rng.integers(0, 3, 90)[g]
    x, y = rng.normal(size=90) + 0.3 * site, (rng.random(90) < 0.3 + 0.2 * site).astype(int)
    if kind == "equal columns":
        x, site = np.tile(rng.integers(0, 9, 30), 3), np.repeat([0, 1, 2], 30)
    groups = g if kind == "groups in strata" else None
    found = split_test(x[:, None], y, groups=groups, strata=site).features[0]
    assert found.method == "permutations"
    for seed in range(3):
        order = np.concatenate([np.flatnonzero(g == c) for c in np.random.default_rng(seed).permutation(g[-1] + 1)])
        some = None if groups is None else g[order]
        again = split_test(x[order, None], y[order], groups=some, strata=2 - site[order]).features[0]
        assert again.p == found.p and again.score == pytest.approx(found.score, rel=1e-12)
        turned = split_test(-x[order, None], 1 - y[order], groups=some, strata=site[order]).features[0]
        assert turned.p == found.p
