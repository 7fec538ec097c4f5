"""Audits of rows that come in groups or strata: whole groups vote, groups that grew the model are left out, levels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier

from splitcrit import ForestClassifier, rank_features
from splitcrit.audits import audit

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
    return bool(with_groups.features_passed.any()), bool(
        audit(forest, x[200:], y[200:], "held-out").features_passed.any()
    )


@pytest.mark.parametrize("models", [60, pytest.param(1000, marks=pytest.mark.slow)])
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
    with pytest.raises(ValueError, match=said):
        audit(FOREST, NEW, LABEL, **options)
