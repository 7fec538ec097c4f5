"""Audits of rows that come in groups or strata: whole groups vote, groups that grew the model are left out, levels."""

from itertools import combinations, permutations, product
from math import comb, exp
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier

import oracles
from refusals import refused
from splitcrit import ForestClassifier, rank_features
from splitcrit.audits import audit
from splitcrit.audits.node_moments import log_votes, shares_left
from splitcrit.columns import log_rank
from splitcrit.nulls.evalues import SIZES, WEIGHTS
from splitcrit.trees.tree_arrays import Structure

RNG = np.random.default_rng(2)
X = np.column_stack([RNG.normal(size=(800, 3)), RNG.integers(0, 2, 800)])
Y = (X[:, 0] + RNG.normal(size=800) > 0).astype(int)
FOREST = RandomForestClassifier(8, min_samples_leaf=8, random_state=0).fit(X[:400], Y[:400])
NEW, LABEL = X[400:], Y[400:]
TIMES = np.repeat(np.arange(400), RNG.integers(1, 5, 400))  # rows that are there one to four times


@pytest.mark.parametrize("kind", ["classes", "numbers", "two outputs"])
def test_rows_that_are_copies_of_each_other_count_once(kind: str) -> None:
    model: Any = FOREST
    y: Any = LABEL
    if kind != "classes":
        grown = X[:400, 0] + RNG.normal(size=400)
        y = NEW[:, 0] + RNG.normal(size=400)
        if kind == "two outputs":
            grown, y = (np.column_stack([part, RNG.normal(size=400)]) for part in (grown, y))
        model = RandomForestRegressor(5, min_samples_leaf=8, random_state=0).fit(X[:400], grown)
    twice, order = np.repeat(np.arange(400), 2), RNG.permutation(len(TIMES))
    once, copied = (audit(model, NEW[rows], y[rows], groups=rows) for rows in (twice, TIMES[order]))
    assert copied.evalues is not None and copied.evalues.tolist() == once.evalues.tolist()
    assert copied.most.tolist() == once.most.tolist() and once.features_passed.tolist()[0]
    assert copied.splits.pvalue.tolist() == once.splits.pvalue.tolist()
    assert copied.splits.tables[0].sum() == (len(TIMES))
    assert any("rows come in 400 groups: each has one vote" in said for said in copied.remarks)
    assert any("pass training_groups= to leave them out" in said for said in copied.remarks)


def test_rows_of_groups_that_grew_the_model_are_left_out_and_counted() -> None:
    names = np.array([f"patient {i}" for i in TIMES])
    grew = {f"patient {i}" for i in range(0, 400, 4)}
    kept = np.array([name not in grew for name in names])
    both = audit(FOREST, NEW[TIMES], LABEL[TIMES], groups=pd.Series(names), training_groups=sorted(grew))
    rest = audit(FOREST, NEW[TIMES][kept], LABEL[TIMES][kept], groups=names[kept], training_groups=sorted(grew))
    assert both.evalues == pytest.approx(rest.evalues, rel=1e-9)
    assert both.splits.tables.tolist() == rest.splits.tables.tolist()
    assert both.alone == pytest.approx(rest.alone, nan_ok=True)
    assert f"{(~kept).sum()} of {len(kept)} rows are of groups that grew the model: left out" in both.remarks
    assert f"0 of {kept.sum()} rows are of groups that grew the model: left out" in rest.remarks


def test_p_alone_is_that_of_the_ranking_of_the_groups_and_rows_without_a_label_are_left_out() -> None:
    y: Any = np.where(np.arange(400) % 7 == 0, None, LABEL)[TIMES]
    report = audit(FOREST, NEW[TIMES], y, groups=TIMES)
    ranking = rank_features(dict(enumerate(NEW[TIMES].T)), y, groups=TIMES)
    assert report.alone is not None
    assert [report.alone[int(f.name)] for f in ranking.features] == pytest.approx([f.p for f in ranking.features])
    assert any("left out, without a target" in said for said in report.remarks)


def of_patients(seed: int, patients: int = 80, visits: int = 5) -> tuple[Any, Any, Any]:
    """Patients with columns and a label of their own, which have nothing to do with each other."""
    rng = np.random.default_rng(seed)
    patient = np.repeat(np.arange(patients), visits)
    return rng.normal(size=(patients, 4))[patient], rng.integers(0, 2, patients)[patient], patient


def shown(seed: int) -> tuple[bool, bool]:
    """Whether a false feature is shown, with groups and without, by forty patients of five rows that grew no tree."""
    x, y, patient = of_patients(seed)
    forest = RandomForestClassifier(5, max_depth=3, random_state=seed).fit(x[:200], y[:200])
    with_groups = audit(forest, x[200:], y[200:], "held-out", groups=patient[200:], training_groups=patient[:200])
    alone = audit(forest, x[200:], y[200:], "held-out")
    return bool(with_groups.features_passed.any()), bool(alone.features_passed.any())


@pytest.mark.parametrize("models", [24, pytest.param(1000, marks=pytest.mark.slow)])
def test_forty_patients_with_five_rows_each_keep_the_level_with_groups_and_without_they_do_not(models: int) -> None:
    found = np.array([shown(seed) for seed in range(models)]).sum(axis=0)
    assert found[0] <= binom.isf(0.001, models, 0.05) < found[1]


class OfGroups(RandomForestClassifier):  # type: ignore[misc]
    """A forest whose trees draw whole groups."""

    def fit(self, x: Any, y: Any, groups: Any) -> Any:
        super().fit(x, y)
        rng, each = np.random.default_rng(0), np.unique(groups)
        picked = [rng.choice(each, len(each)) for _ in self.estimators_]
        self.rows_ = [np.concatenate([np.flatnonzero(groups == g) for g in of]) for of in picked]
        times = [np.bincount(rows, minlength=len(y)) for rows in self.rows_]
        self.estimators_ = [DecisionTreeClassifier(max_depth=3, random_state=0).fit(x, y, w) for w in times]
        return self

    @property
    def estimators_samples_(self) -> Any:
        return self.rows_


def test_forests_of_ours_that_draw_whole_groups_are_audited_out_of_bag() -> None:
    x, y, patient = of_patients(0)
    forest = ForestClassifier(20, max_depth=3, random_state=0).fit(x, y, groups=patient)
    report = audit(forest, x, y, "out-of-bag", groups=patient)
    assert not any(report.verdicts.values()) and any("rows come in 80 groups" in said for said in report.remarks)


def test_out_of_bag_trees_have_to_draw_whole_groups() -> None:
    patient = np.repeat(np.arange(160), 5)
    forest = OfGroups(12, max_depth=3).fit(X, Y, patient)
    report = audit(forest, X, Y, "out-of-bag", groups=patient)
    assert report.verdicts["x0"] and not any(list(report.verdicts.values())[1:])
    left = [160 - len(np.unique(patient[rows])) for rows in forest.rows_]
    assert report.splits.tables[report.splits.node == 0].sum(axis=(1, 2)).tolist() == [5 * groups for groups in left]
    with pytest.raises(ValueError, match="out of bag, trees draw whole groups; got some rows of one; fit ForestClassi"):
        audit(RandomForestClassifier(3, random_state=0).fit(X, Y), X, Y, "out-of-bag", groups=patient)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"groups": np.arange(400)}, "400 groups of 400 rows: no groups; leave groups= out"),
        ({"groups": np.zeros(400)}, "some of several rows; got 1 group; pass data of several groups"),
        ({"groups": [None, *[1] * 199, *[2] * 200]}, "every row has a group; got a missing one"),
        ({"groups": [1, 2]}, "group= has one entry for each of 400 rows; got 2 entries"),
        ({"groups": np.arange(400) // 4, "training_groups": range(100)}, "got 400 rows of groups that did; pass"),
        ({"training_groups": [1]}, "groups= are of rows that are tested; got none; pass the group of each such row"),
        ({"groups": np.arange(400) // 4, "rows": "training"}, "of rows that are tested; got training rows"),
        ({"groups": np.arange(400) // 4, "sample_weight": np.ones(400)}, "a group has one vote; got sample_weight="),
    ],
)  # fmt: skip
def test_what_are_no_groups_is_said_in_a_sentence(options: dict[str, Any], said: str) -> None:
    refused(said, audit, FOREST, NEW, LABEL, **options)


def test_a_group_votes_at_the_splits_that_all_of_its_rows_reach() -> None:
    tree = DecisionTreeClassifier(max_depth=5, random_state=0).fit(X, Y)
    near = np.repeat(NEW[:60], 3, axis=0) + 0.3 * RNG.normal(size=(180, 4))
    groups, paths = RNG.permutation(np.repeat(np.arange(60), 3)), tree.decision_path(near.astype(np.float32)).toarray()
    expected = []
    for place, node in enumerate(np.flatnonzero(tree.tree_.children_left >= 0).tolist()):
        for group in range(60):
            rows = np.flatnonzero(groups == group)
            if paths[rows, node].all():
                expected.append((place, group, paths[rows, tree.tree_.children_left[node]].mean()))
    votes = shares_left(Structure.of(tree), tree.apply(near.astype(np.float32)), groups)
    assert sorted(zip(*(each.tolist() for each in votes), strict=True)) == sorted(expected)


def by_all_subsets(left: Any, scores: Any, size: float) -> float:
    """E by its definition: the mean of both ways to say which of a group's share and score is above the mean."""
    each = []
    for sums, other in ((left, scores), (scores, left)):
        high = other > other.mean() + 1e-9
        subsets = [exp(4 * size * sum(some)) for some in combinations(sums.tolist(), int(high.sum()))]
        each.append(exp(4 * size * sums[high].sum()) / np.mean(subsets))
    return float(np.mean(each))


def test_votes_are_ratios_to_the_mean_over_all_subsets_but_for_a_bound_of_it() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        left, scores = rng.integers(0, 6, 12) / 5, rng.integers(0, 3, 12) / 2.0
        ratios, most = np.exp(log_votes(np.zeros(12, int), left, scores, 1))[:, 0]
        exact = np.array([by_all_subsets(left, scores, size) for size in SIZES])
        assert (ratios <= exact * (1 + 1e-9)).all() and (ratios >= 0.75 * exact).all()
        assert (ratios <= most * (1 + 1e-9)).all()
        order = rng.permutation(12)
        again = log_votes(np.repeat([0, 2], 12), np.append(left, left[order]), np.append(scores, scores[order]), 3)
        assert np.exp(again)[0].tolist() == [ratios.tolist(), [1.0] * 5, ratios.tolist()]


def grown_apart(depth: int = 3) -> tuple[Any, Any, Any]:
    """A tree of other rows, and nine groups of one to three rows that are alike."""
    rng = np.random.default_rng(5)
    x, groups = rng.normal(size=(300, 2)), np.repeat(np.arange(9), [1, 2, 3] * 3)
    tree = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(x, x[:, 0] + x[:, 1] + rng.normal(size=300) > 0)
    return tree, rng.normal(size=(9, 2))[groups] + 0.4 * rng.normal(size=(len(groups), 2)), groups


def test_over_all_orders_of_the_labels_of_groups_the_mean_evalue_is_at_most_one_and_by_rows_it_is_not() -> None:
    tree, x, groups = grown_apart()
    found, by_rows = [], []
    for ones in combinations(range(9), 4):
        y = np.isin(groups, ones)
        found.append(audit(tree, x, y, "held-out", groups=groups).evalues)
        by_rows.append(audit(tree, x, y, "held-out").evalues)
    assert (np.mean(found, axis=0) <= 1).all() and (np.mean(found, axis=0) > 0.4).all()
    assert np.mean(by_rows, axis=0).max() > 1.3


def test_labels_that_vary_move_between_groups_cut_to_one_size() -> None:
    groups, y = np.repeat(np.arange(9), [2, 3, 4] * 3), np.tile([0, 1, 1], 9)
    tree, rng = grown_apart()[0], np.random.default_rng(1)
    x = rng.normal(size=(9, 2))[groups] + 0.4 * rng.normal(size=(27, 2))
    report = audit(tree, x, y, "held-out", groups=groups)
    assert report.splits.tables[0].sum() == 18 and any("18 of 27 rows count" in said for said in report.remarks)
    kinds, found = ([0, 0], [1, 1], [0, 1]), []
    for order in set(permutations([0, 0, 0, 1, 1, 1, 2, 2, 2])):
        labels = np.concatenate([[*kinds[kind], *[0] * (m - 2)] for kind, m in zip(order, [2, 3, 4] * 3, strict=True)])
        if len(found) < 120:
            found.append(audit(tree, x, labels, "held-out", groups=groups).evalues)
    assert (np.mean(found, axis=0) <= 1.05).all() and (np.mean(found, axis=0) > 0.3).all()


def test_within_strata_the_evalue_is_the_product_of_ratios_and_its_mean_over_all_orders_is_one() -> None:
    tree, x, _ = grown_apart(1)
    strata, found, pooled = np.array(list("aaaabbbbbccc")), [], []
    x = x[:12] + np.where(strata == "a", 0.9, 0.0)[:, None]  # a column that differs by stratum, as the rate does
    left = tree.apply(x.astype(np.float32)) == 1
    ways = [[np.isin(range(n), ones) for ones in combinations(range(n), b)] for n, b in ((4, 3), (5, 2), (3, 1))]
    side = 1 if tree.tree_.value[1, 0, 1] > tree.tree_.value[2, 0, 1] else -1
    for labels in product(*ways):
        y = np.concatenate(labels)
        report = audit(tree, x, y, "held-out", strata=strata)
        each = []
        for size in SIZES:
            parts = [[int(of[strata == s].sum()) for of in (left & y, left | True, y, left)] for s in "abc"]
            each.append(exp(sum(oracles.log_tilted(*part, side * size) for part in parts)))
        assert report.evalues is not None
        found.append(report.evalues[tree.tree_.feature[0]])
        assert found[-1] == pytest.approx(np.exp(WEIGHTS) @ each)
        assert report.splits.pvalue[0] == pytest.approx(min(1, 1 / found[-1]))
        pooled.append(audit(tree, x, y, "held-out").evalues[tree.tree_.feature[0]])  # type: ignore[index]
    assert len(found) == 4 * comb(5, 2) * 3 and np.mean(found) == pytest.approx(1)
    assert np.mean(pooled) > 1.1


@pytest.mark.parametrize("kind", ["three classes", "numbers", "survival"])
@pytest.mark.parametrize("dependent", ["groups", "strata", "both"])
def test_what_tells_is_shown_whatever_the_response(kind: str, dependent: str) -> None:
    rng = np.random.default_rng(3)
    group = np.repeat(np.arange(240), 4)
    u, own = rng.normal(size=(240, 3)), rng.normal(size=240)
    x = u[group] + 0.5 * rng.normal(size=(960, 3))
    z = (2 * u[:, 0] + own)[group] + 0.2 * rng.normal(size=960)
    y: Any = np.digitize(z, [-1, 1])
    model: Any = RandomForestClassifier(10, max_depth=3, random_state=0)
    how: dict[str, Any] = {"groups": group[480:]} if dependent != "strata" else {}
    if dependent != "groups":
        how["strata"] = (group[480:] % 3).astype(str)
    if kind != "three classes":
        model, y = RandomForestRegressor(10, max_depth=3, random_state=0), z
    if kind == "survival":
        y, how["response_scores"] = np.stack([np.exp(-z), rng.random(960) < 0.8], axis=1), log_rank
    model.fit(x[:480], log_rank(y[:480]) if kind == "survival" else y[:480])
    report = audit(model, x[480:], y[480:], "held-out", **how)
    assert report.features_passed.tolist() == [True, False, False]
    assert ("groups" in how) == any("groups all of whose rows reach it" in said for said in report.remarks)
    assert ("strata" in how) == ("labels move within 3 strata" in report.remarks)
    assert set(report.splits.method) <= {"evidence of groups or strata", "cannot reject"}


def oversampled(seed: int, first: bool, values: int = 0) -> tuple[Any, Any, Any, Any]:
    """Features and labels of both halves, where rows of the rare class were copied before they were divided, or not."""
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(400, 5)), rng.integers(0, 8, 400) == 0
    x = x if not values else rng.integers(0, values, size=(400, 5)) * 1.0
    rows = np.append(np.arange(400), rng.choice(np.flatnonzero(y), 250)) if first else np.arange(400)
    x, y, half = x[order := rng.permutation(rows)], y[order], len(order) // 2
    return x[:half], y[:half], x[half:], y[half:]


def among_both(seed: int, first: bool, values: int = 0, **how: Any) -> list[str]:
    old, label, new, later = oversampled(seed, first, values)
    tree = DecisionTreeClassifier(max_depth=3).fit(old, label)
    report = audit(tree, new, later, "held-out", training=(pd.DataFrame(old).to_numpy(), label), **how)
    return [said for said in report.remarks if "rows grew the model, too: split before you oversample" in said]


def test_copies_of_training_rows_raise_an_alarm_and_new_rows_and_few_values_do_not() -> None:
    assert all(among_both(seed, True) for seed in range(5))
    assert not any(among_both(seed, False) or among_both(seed, False, values=3) for seed in range(6))
    old, label, new, later = oversampled(0, True)
    shared = {row.tobytes() for row in old} & {row.tobytes() for row in new}
    assert among_both(0, True)[0].startswith(f"{len(shared)} rows grew the model, too")
    assert among_both(0, True, strata=np.arange(len(later)) % 2)
    tree = DecisionTreeClassifier(max_depth=2).fit(old, label)
    for parts, got in (((old[:3], label), r"2 parts, of \[3\]"), ((old,), "1 parts, of"), ((), r"0 parts, of \[\]")):
        with pytest.raises(ValueError, match=rf"training= is \(X, y\), the rows that grew the model; got {got}"):
            audit(tree, new, later, "held-out", training=parts)
    refused(r"training= is \(X, y\)", audit, tree, new, later, "held-out", training=old, error=TypeError)
