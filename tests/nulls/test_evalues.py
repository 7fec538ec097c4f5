"""Verdicts on the features of a model: e-values against loops and enumerations, levels, and where there are none."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from scripts import script
from splitcrit import ForestClassifier, rank_features
from splitcrit.audits import audit
from splitcrit.nulls import gini_pvalue
from splitcrit.nulls.evalues import bars, discovery_rates, evalue, least_pvalues, mean_evalues

ROWS = 400


def data(seed: int, rows: int = ROWS, signal: float = 1.0) -> tuple[Any, Any]:
    """Six columns: the first, of two values, and the second, a number, tell something, the others nothing."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 6))
    x[:, 0] = x[:, 0] > 0
    x[:, 4] = rng.integers(0, 5, rows)
    return x, (signal * (2 * x[:, 0] - 1 + x[:, 1]) + rng.normal(size=rows) > 0).astype(int)


def test_the_mean_of_an_evalue_of_a_uniform_pvalue_is_one() -> None:
    assert quad(evalue, 0, 1)[0] == pytest.approx(1, abs=1e-6)
    p = np.array([0.0, 1e-310, 1e-9, 0.3, 1.0])
    e = evalue(p)
    assert np.isfinite(e).all() and (np.diff(e) <= 0).all() and e[-1] == 0


def test_means_are_those_of_a_loop() -> None:
    rng = np.random.default_rng(0)
    p, weight, feature = rng.random(50), rng.random(50) - 0.2, rng.integers(0, 6, 50)
    weight[feature == 2], weight[7] = -1.0, np.nan
    for j, mean in enumerate(mean_evalues(p, weight, feature, 8)):
        here = feature == j
        w = np.nan_to_num(np.maximum(weight[here], 0))
        w = w if w.any() else np.ones(here.sum())
        expected = sum(w * (p[here] ** -0.5 - 1)) / sum(w) if here.any() else 0
        assert mean == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(5))
def test_features_pass_as_the_largest_number_with_large_enough_evalues(seed: int) -> None:
    rng = np.random.default_rng(seed)
    e = np.round(np.exp(rng.normal(2, 2, 12)) * (rng.random(12) < 0.8), 1)
    rates = np.array(discovery_rates(e.tolist()))
    for alpha in (0.01, 0.05, 0.1, 0.3, 0.9, *rates[rates < 1]):
        numbers = [k for k in range(1, 13) if np.sort(e)[-k] >= 12 / (alpha * k) * (1 - 1e-12)]
        assert set(np.flatnonzero(rates <= alpha)) == set(np.argsort(-e, kind="stable")[: max(numbers, default=0)])


def gains(model: Any) -> tuple[Any, Any]:
    """The feature and the recorded gain of every split, tree by tree, as the library gives them itself."""
    if hasattr(model, "estimators_"):
        found = []
        for tree in model.estimators_:
            t = tree.tree_
            share = t.weighted_n_node_samples / t.weighted_n_node_samples[0] * t.impurity
            found += [(t.feature[i], share[i] - share[t.children_left[i]] - share[t.children_right[i]])
                      for i in range(t.node_count) if t.children_left[i] >= 0]  # fmt: skip
        features, recorded = zip(*found, strict=True)
        return np.array(features), np.array(recorded)
    booster = model.booster_ if hasattr(model, "booster_") else model.get_booster()
    frame = booster.trees_to_dataframe()
    if "Gain" in frame:
        frame = frame[frame["Feature"] != "Leaf"]
        return frame["Feature"].str[1:].astype(int).to_numpy(), frame["Gain"].to_numpy()
    frame = frame[frame["split_gain"].notna()]
    return frame["split_feature"].str[7:].astype(int).to_numpy(), frame["split_gain"].to_numpy()


def lightgbm(**options: Any) -> Any:
    library = pytest.importorskip("lightgbm", reason="needs LightGBM")
    return library.LGBMClassifier(n_estimators=8, max_depth=3, verbose=-1, **options)


def xgboost() -> Any:
    return pytest.importorskip("xgboost", reason="needs XGBoost").XGBClassifier(n_estimators=8, max_depth=3)


MODELS: dict[str, Callable[[], Any]] = {
    "random forest": partial(RandomForestClassifier, 8, max_depth=4, random_state=0),
    "ours": partial(ForestClassifier, 8, max_depth=4, random_state=0), "LightGBM": lightgbm, "XGBoost": xgboost,
}  # fmt: skip


OTHERS = {
    "boosted": GradientBoostingClassifier(n_estimators=15, max_depth=2, random_state=0),
    "binned": HistGradientBoostingClassifier(max_iter=15, max_depth=3),
    "bagged": BaggingClassifier(DecisionTreeClassifier(max_depth=3), 8, max_features=4, random_state=0),
    "AdaBoost": AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=10, random_state=0),
    "pipeline": make_pipeline(StandardScaler(), RandomForestClassifier(8, max_depth=4, random_state=0)),
}


@cache
def audited(kind: str) -> tuple[Any, Any]:
    """A model of some rows, and its audit by others."""
    model = (OTHERS[kind] if kind in OTHERS else MODELS[kind]()).fit(*data(0))
    return model, audit(model, *data(1))


@pytest.mark.parametrize("kind", MODELS)
def test_evalues_of_features_are_means_of_their_splits_by_recorded_gain(kind: str) -> None:
    model, report = audited(kind)
    feature, weight = gains(model)
    s = report.splits
    order = range(len(feature))
    if kind == "LightGBM":  # its table of trees goes down the left side first: the sums do not depend on the order
        at = [tuple(sorted(np.flatnonzero(s.feature == j))) for j in range(6)]
        assert [len(x) for x in at] == np.bincount(feature, minlength=6).tolist()
        imp = report.importances.mdi * 8
        assert imp == pytest.approx(np.bincount(feature, weight, 6), rel=1e-5)
        return
    assert s.feature.tolist() == feature.tolist()
    for j in range(6):
        here = [i for i in order if feature[i] == j]
        e = sum(weight[i] * (s.pvalue[i] ** -0.5 - 1) for i in here) / sum(weight[i] for i in here) if here else 0
        assert report.evalues is not None and report.evalues[j] == pytest.approx(e, rel=1e-4)


@pytest.mark.parametrize("kind", [*MODELS, *OTHERS])
def test_features_that_tell_something_pass_and_no_others(kind: str) -> None:
    _, report = audited(kind)
    assert list(report.verdicts.values()) == [True, True, False, False, False, False]
    frame = report.to_frame()
    assert frame["verdict"].tolist() == list(report.verdicts.values())
    assert frame["finding"].tolist() == list(report.findings.values()) == ["shown"] * 2 + ["not shown"] * 4
    assert (frame["adjusted"] <= 0.05).tolist() == frame["verdict"].tolist()
    text = str(report).splitlines()
    assert text[0].endswith("; 2 of 6 features shown")
    assert text[1].split()[:5] == ["feature", "finding", "e-value", "p", "alone"]
    assert [line.split()[1] for line in text[2:8]] == ["shown"] * 2 + ["not"] * 4
    assert text[8] == "one more feature is shown from an e-value of 40."
    assert text[9].startswith("of the features that such a rule shows, at most 5 % are uninformative, on average")
    splits = f"{report.passed.sum()} of {len(report.passed)} splits pass, by a rule with a false discovery rate of"
    assert f"{splits} at most 5 %." in text
    assert "<td>shown</td>" in report._repr_html_() and "2 of 6 features shown" in repr(report)


def test_under_the_null_the_mean_evalue_is_at_most_one_over_all_labels() -> None:
    """Seven held-out rows, each label 1 with probability 0.4: all 128 ways to label them, by their probability.

    Rows that are all of one class are refused; nothing could be rejected there, so that the e-values are 0.
    """
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 3, (60, 2)), rng.integers(0, 2, 60)
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(x, y)
    new, mean, largest = rng.integers(0, 3, (7, 2)), np.zeros(2), 0.0
    for labels in product((0, 1), repeat=7):
        if 0 < sum(labels) < 7:
            found = audit(tree, new, labels).evalues
            assert found is not None
            mean += 0.4 ** sum(labels) * 0.6 ** (7 - sum(labels)) * found
            largest = max(largest, found.max())
    assert (np.bincount(tree.tree_.feature[tree.tree_.children_left >= 0], minlength=2) >= 2).all()
    assert (mean > 0.02).all() and (mean <= 1).all() and largest > 1


def test_splits_that_cannot_reject_count_with_an_evalue_of_zero() -> None:
    x, y = data(0)
    tree = DecisionTreeClassifier(max_depth=6, random_state=0).fit(x, y)
    report = audit(tree, *data(1, rows=60))
    certain = report.splits.method == "cannot reject"
    weight = tree.tree_.weighted_n_node_samples * tree.tree_.impurity
    left, right = tree.tree_.children_left, tree.tree_.children_right
    weight = (weight - weight[left] - weight[right])[report.splits.node]
    here = report.splits.feature == 1
    assert certain[here].any() and not certain[here].all() and report.evalues is not None
    of_all, e = weight[here].sum(), report.splits.pvalue[here] ** -0.5 - 1
    assert report.evalues[1] == pytest.approx((weight[here] * e)[~certain[here]].sum() / of_all)


def test_every_feature_of_the_model_counts() -> None:
    """Columns that split nothing have an e-value of 0, and make it harder for the others to pass."""
    x, y = data(0)
    new, label = data(1)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    few = audit(tree.fit(x, y), new, label)
    wide = [np.hstack([z, np.zeros((len(z), 94))]) for z in (x, new)]
    many = audit(tree.fit(wide[0], y), wide[1], label)
    assert few.evalues is not None and many.evalues is not None
    assert many.evalues.tolist() == pytest.approx([*few.evalues, *[0] * 94])
    one, other = few.columns()["adjusted"], many.columns()["adjusted"]
    assert other[0] == pytest.approx(one[0] * 100 / 6)


def test_out_of_bag_and_training_rows_get_no_verdict_and_say_why() -> None:
    x, y = data(0)
    new, label = data(1)
    forest = RandomForestClassifier(5, max_depth=4, random_state=0).fit(x, y)
    numbers = RandomForestRegressor(3, max_depth=3, random_state=0).fit(x, x[:, 1])
    held_out = "features get no verdict, which needs p-values of held-out rows."
    for report, got, said in (
        (audit(forest, x, y, "out-of-bag"), "out-of-bag rows", "the labels that test one tree chose the splits and"),
        (audit(forest, x, y, "training"), "training rows", "descriptive and have no p-values"),
        (audit(forest, new, label, sample_weight=np.full(ROWS, 2)), "splits without p-values", held_out),
        (audit(numbers, new, new[:, 1]), "splits without p-values", held_out),
    ):
        assert report.evalues is None and not report.features_passed.any()
        assert said in str(report) and "shown" not in str(report)
        assert not {"verdict", "finding", "evalue", "adjusted", "p_alone"} & set(report.columns())
        with pytest.raises(ValueError, match="verdicts on features need p-values of held-out rows") as refused:
            _ = report.findings
        assert f"got {got}; pass held-out rows" in str(refused.value)


def test_features_pass_in_few_null_models_of_every_design() -> None:
    """At most alpha of the models; docs/audit.md counts more of them."""
    study, some, models = script("audit_features"), 0, 0
    study.LEVELS = 6
    for design in study.DESIGNS:
        if "LightGBM" in design:
            pytest.importorskip("lightgbm", reason="needs LightGBM")
        if "XGBoost" in design:
            pytest.importorskip("xgboost", reason="needs XGBoost")
        row = study.level_block(design, 0)
        some, models = some + row["some"], models + row["models"]
    assert some <= binom.isf(1e-4, models, 0.05)


@pytest.mark.parametrize("classes", [2, 3])
def test_least_pvalues_are_those_of_all_tables_with_the_margins(classes: int) -> None:
    """Of two classes exactly, of three a lower bound."""
    rng = np.random.default_rng(classes)
    for table in rng.integers(0, 5, (30, 2, classes)):
        totals, left = table.sum(axis=0), table[0].sum()
        ways = (np.array(way) for way in product(*(range(b + 1) for b in totals)) if sum(way) == left)
        least = min(float(gini_pvalue(np.stack([way, totals - way]), method="exact")) for way in ways)
        found = float(least_pvalues(table[None])[0])
        assert found == pytest.approx(least, rel=1e-9) if classes == 2 else found <= least * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_an_e_value_at_its_bar_passes_and_below_it_does_not(seed: int) -> None:
    rng = np.random.default_rng(seed)
    e = np.exp(rng.normal(3, 1.5, 9))
    for j in np.flatnonzero(np.array(discovery_rates(e.tolist())) > 0.05):
        at = bars(e, 0.05)[j]
        assert at > e[j]
        for value, passes in ((at * (1 + 1e-9), True), (at * (1 - 1e-9), False)):
            e_with = [*e[:j], value, *e[j + 1 :]]
            assert (discovery_rates(e_with)[j] <= 0.05) == passes


def test_a_feature_has_too_few_rows_where_no_labels_could_show_it() -> None:
    """Ten rows, all orders of their labels: a feature is called "too few rows" where no order shows it."""
    x = np.repeat(np.arange(10), 20)[:, None] % [10, 2]
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(x, (x[:, 0] > 4) ^ (x[:, 1] * (x[:, 0] < 2)))
    for new, some in ((x[::20], False), (np.repeat(x[::20], 3, axis=0), True)):
        labels = np.arange(len(new)) % 2
        found = [audit(tree, new, y, alpha=0.2) for y in (labels, np.sort(labels), np.roll(labels, 1), 1 - labels)]
        assert any(report.verdicts["x0"] for report in found) == some
        words = {report.findings["x0"] for report in found}
        assert words == ({"shown", "not shown"} if some else {"too few rows to show it"})
    assert "x0       too few rows" in str(audit(tree, x[::20], np.arange(10) % 2))


def test_a_feature_that_splits_nothing_is_not_short_of_rows() -> None:
    x, y = data(0)
    report = audit(DecisionTreeClassifier(max_depth=1).fit(x, y), *data(1))
    assert set(report.findings.values()) == {"shown", "not shown"}


@pytest.mark.parametrize("form", ["array", "frame", "pipeline", "mapping"])
def test_p_alone_is_that_of_the_ranking_of_the_same_rows(form: str) -> None:
    (x, y), (new, label) = data(0), data(1)
    model: Any = RandomForestClassifier(5, max_depth=3, random_state=0)
    new_rows: Any = new
    if form == "frame":
        pandas = pytest.importorskip("pandas")
        x, new_rows = (pandas.DataFrame(z, columns=list("abcdef")) for z in (x, new))
    elif form == "pipeline":
        model = make_pipeline(StandardScaler(), model)
    elif form == "mapping":
        model = lightgbm(n_jobs=1)
    model.fit(x, y)
    if form == "mapping":
        new_rows = {f"Column_{i}": new[:, i] for i in range(6)}
    report, expected = audit(model, new_rows, label), rank_features({i: new[:, i] for i in range(6)}, label)
    p, split = report.columns()["p_alone"], report.importances.splits > 0
    assert np.isnan(p[~split]).all() and split[:2].all()
    for feature in expected.features:
        if split[int(feature.name)]:
            assert p[int(feature.name)] == pytest.approx(feature.p, rel=1e-6)
    assert "p alone is of the column by itself on these rows" in str(report)


def test_no_result_calls_a_feature_noise() -> None:
    report = audit(DecisionTreeClassifier(max_depth=3).fit(*data(0, signal=0.0)), *data(1, signal=0.0))
    assert "noise" not in str(report) + report._repr_html_() and not any(report.verdicts.values())
