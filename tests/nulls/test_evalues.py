"""Verdicts on the features of a model: e-values against loops and enumerations, levels, and where there are none."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import combinations, permutations, product
from math import comb, prod
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, hypergeom, nchypergeom_fisher
from sklearn import ensemble
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import oracles
from scripts import script
from splitcrit import ForestClassifier, rank_features
from splitcrit.audits import audit
from splitcrit.audits.model_formats import read_model
from splitcrit.audits.models import FittedTree
from splitcrit.nulls.evalues import SIZES, bars, discovery_rates, log_pair_ratios, log_ratios, mean_evalues
from splitcrit.trees.tree_arrays import Structure

ROWS = 400


def data(seed: int, rows: int = ROWS, signal: float = 1.0) -> tuple[Any, Any]:
    """Six columns: the first, of two values, and the second, a number, tell something, the others nothing."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 6))
    x[:, 0] = x[:, 0] > 0
    x[:, 4] = rng.integers(0, 5, rows)
    return x, (signal * (2 * x[:, 0] - 1 + x[:, 1]) + rng.normal(size=rows) > 0).astype(int)


def ways(table: Any) -> Any:
    """Every table with the margins, and how many orders of the labels have it."""
    totals, left = table.sum(axis=0), int(table[0].sum())
    for way in product(*(range(b + 1) for b in totals)):
        if sum(way) == left:
            yield np.stack([way, totals - way]), prod(comb(int(b), a) for a, b in zip(way, totals, strict=True))


def by_definition(table: Any, signs: Any, size: float) -> float:
    """The logarithm of E of one table: class by class against those after it."""
    found, m, n = 0.0, int(table[0].sum()), int(table.sum())
    for k, sign in enumerate(signs):
        x, b = int(table[0, k]), int(table[:, k].sum())
        if sign and 0 < m < n and 0 < b < n:
            found += oracles.log_tilted(x, n, b, m, float(sign) * size)
        m, n = m - x, n - b
    return float(found)


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_ratios_are_those_of_the_noncentral_law(classes: int) -> None:
    rng = np.random.default_rng(classes)
    tables, signs = rng.integers(0, 9, (40, 2, classes)), rng.integers(-1, 2, (40, classes - 1))
    tables[0, 1], tables[1, :, 0] = 0, 0
    found = log_ratios(tables, signs)[0]
    for table, sign, logs in zip(tables, signs, found, strict=True):
        assert logs == pytest.approx([by_definition(table, sign, size) for size in SIZES], abs=1e-9)
    large = np.array([[[3000, 2000], [2800, 2200]]])
    law = nchypergeom_fisher(10_000, 5800, 5000, np.exp(SIZES[:3]))  # of larger ones SciPy's chance is 0
    expected = law.logpmf(3000) - hypergeom(10_000, 5800, 5000).logpmf(3000)
    assert log_ratios(large, np.array([[1]]))[0][0, :3] == pytest.approx(expected, abs=1e-6)


def by_pairs(left: Any, right: Any, sign: float, size: float) -> float:
    """The logarithm of E of responses on either side: pair by pair, over Gauss's binomial coefficient."""
    n, m = len(left) + len(right), len(left)
    if not sign or not 0 < m < n:
        return 0.0
    wrong = sum(float(np.sum((a < right) if sign > 0 else (a > right)) + np.sum(a == right) / 2) for a in left)
    t = 4 * size / 2 ** (n - 1).bit_length()
    mean = sum(np.log(np.expm1(-t * (n - m + j)) / np.expm1(-t * j) * j / (n - m + j)) for j in range(1, m + 1))
    return float(-t * wrong - mean)


@pytest.mark.parametrize("values", [[1, 2, 3, 4, 5, 6], [1, 1, 2, 3, 3, 3], [1, 1, 1, 1, 2, 2]])
def test_the_mean_over_all_orders_of_numbers_is_one_and_less_with_ties(values: list[int]) -> None:
    for m in range(1, 6):
        orders = [(np.array(order[:m]), np.array(order[m:])) for order in set(permutations(values))]
        pairs = np.array([(one[:, None] < other).sum() + (one[:, None] == other).sum() / 2 for one, other in orders])
        logs, most = log_pair_ratios(pairs, np.full(len(pairs), m), np.full(len(pairs), 6))
        expected = [[by_pairs(one, other, 1, size) for size in SIZES] for one, other in orders]
        assert logs == pytest.approx(np.array(expected), abs=1e-12) and (logs <= most + 1e-12).all()
        mean = np.exp(logs).mean(axis=0)
        assert mean == pytest.approx(1) if len(set(values)) == 6 else (mean < 1).all()


@pytest.mark.parametrize("classes", [2, 3])
def test_the_mean_over_all_orders_is_one_and_none_exceeds_the_largest(classes: int) -> None:
    rng = np.random.default_rng(classes)
    for table in rng.integers(0, 4, (20, 2, classes)):
        each, orders = zip(*ways(table), strict=True)
        signs = np.tile(rng.choice([-1, 1], classes - 1), (len(each), 1))
        found, most = log_ratios(np.array(each), signs)
        assert np.exp(found).T @ orders == pytest.approx(sum(orders))
        top = found.max(axis=0)
        assert (top <= most[0] + 1e-9).all() and (classes > 2 or top == pytest.approx(most[0]))


def test_the_e_value_of_a_feature_is_the_mean_over_trees_of_products() -> None:
    rng = np.random.default_rng(0)
    trees = [(rng.normal(size=(n, len(SIZES))), rng.integers(0, 4, n)) for n in (7, 1, 12)]
    shares, weights = [1 / 16, 1 / 16, 12 / 16, 1 / 16, 1 / 16], np.outer([1, 2, 5], [1, 0, 1, 1, 1])
    for j, (e, weighed) in enumerate(zip(mean_evalues(trees, 5), mean_evalues(trees, 5, weights), strict=True)):
        each = [shares @ np.exp(ratios[feature == j].sum(axis=0)) for ratios, feature in trees]
        assert e == pytest.approx(sum(each) / 3)
        assert weighed == pytest.approx(e if j == 1 else (each[0] + 2 * each[1] + 5 * each[2]) / 8)
    assert np.isfinite(mean_evalues([(np.full((3, 5), 400.0), np.zeros(3, dtype=int))], 1)).all()


@pytest.mark.parametrize("seed", range(5))
def test_features_pass_as_the_largest_number_with_large_enough_evalues(seed: int) -> None:
    rng = np.random.default_rng(seed)
    e = np.round(np.exp(rng.normal(2, 2, 12)) * (rng.random(12) < 0.8), 1)
    rates = np.array(discovery_rates(e.tolist()))
    for alpha in (0.01, 0.05, 0.1, 0.3, 0.9, *rates[rates < 1]):
        numbers = [k for k in range(1, 13) if np.sort(e)[-k] >= 12 / (alpha * k) * (1 - 1e-12)]
        assert set(np.flatnonzero(rates <= alpha)) == set(np.argsort(-e, kind="stable")[: max(numbers, default=0)])


def lightgbm(**options: Any) -> Any:
    library = pytest.importorskip("lightgbm", reason="needs LightGBM")
    return library.LGBMClassifier(n_estimators=8, max_depth=3, verbose=-1, **options)


def xgboost() -> Any:
    return pytest.importorskip("xgboost", reason="needs XGBoost").XGBClassifier(n_estimators=8, max_depth=3)


MODELS: dict[str, Callable[[], Any]] = {
    "random forest": partial(ensemble.RandomForestClassifier, 8, max_depth=4, random_state=0),
    "ours": partial(ForestClassifier, 8, max_depth=4, random_state=0), "LightGBM": lightgbm, "XGBoost": xgboost,
}  # fmt: skip


OTHERS = {
    "boosted": ensemble.GradientBoostingClassifier(n_estimators=15, max_depth=2, random_state=0),
    "binned": ensemble.HistGradientBoostingClassifier(max_iter=15, max_depth=3),
    "bagged": ensemble.BaggingClassifier(DecisionTreeClassifier(max_depth=3), 8, max_features=4, random_state=0),
    "AdaBoost": ensemble.AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=10, random_state=0),
    "pipeline": make_pipeline(StandardScaler(), ensemble.RandomForestClassifier(8, max_depth=4, random_state=0)),
}


@cache
def audited(kind: str) -> tuple[Any, Any]:
    """A model of some rows, and its audit by others."""
    model = (OTHERS[kind] if kind in OTHERS else MODELS[kind]()).fit(*data(0))
    return model, audit(model, *data(1))


def splits_of(model: Any, x: Any, output: int = 0) -> Any:
    """Per tree: feature, rows on either side, what they predict there, and the gain, as the library tells it itself."""
    if hasattr(model, "estimators_"):
        for tree in model.estimators_:
            t, path = tree.tree_, tree.decision_path(x).toarray() > 0
            value = t.value[:, output] * (1 if t.value.shape[2] == 1 else t.weighted_n_node_samples[:, None])
            spread = t.weighted_n_node_samples / t.weighted_n_node_samples[0] * t.impurity
            sides = enumerate(zip(t.children_left, t.children_right, t.feature, strict=True))
            yield [
                (f, path[:, a], path[:, b], value[a], value[b], spread[v] - spread[a] - spread[b])
                for v, (a, b, f) in sides
                if a >= 0
            ]
        return
    frame = (model.booster_ if hasattr(model, "booster_") else model.get_booster()).trees_to_dataframe()
    columns = {"tree_index": "Tree", "node_index": "ID", "left_child": "Yes", "right_child": "No", "threshold": "Split",
               "split_feature": "Feature", "value": "Gain", "count": "Cover"}  # fmt: skip
    frame = frame.rename(columns=columns)
    for _, tree in frame.groupby("Tree"):
        rows = {row["ID"]: row for _, row in tree.iterrows()}
        found: list[Any] = []

        def below(name: str, here: Any, rows: Any = rows, found: Any = found) -> tuple[float, float]:
            row = rows[name]
            if not isinstance(row["Yes"], str):
                return float(row["Gain"]), float(row["Cover"])
            j = int("".join(filter(str.isdigit, row["Feature"])))
            goes = x[:, j] <= row["Split"] if "-S" in name else x[:, j].astype(np.float32) < row["Split"]
            (a, n), (b, m) = below(row["Yes"], here & goes), below(row["No"], here & ~goes)
            gain = row["split_gain" if "split_gain" in row else "Gain"]
            found.append((j, here & goes, here & ~goes, np.array([a]), np.array([b]), gain))
            return (a * n + b * m) / (n + m), n + m

        below(tree["ID"].iloc[0], np.ones(len(x), dtype=bool))
        yield found


def looped(
    model: Any, x: Any, labels: Any, numbers: bool = False, kept: Any = None, of: Any = None, output: int = 0
) -> Any:
    """E-values of features by loops over the splits; ``kept`` rows of each tree, which is ``of`` a class.

    A tree weighs the gains of its splits by the feature, but alike where each has rows of its own.
    """
    each, weights = list[Any](), np.zeros((0, x.shape[1]))
    for i, tree in enumerate(splits_of(model, x, output)):
        logs = np.zeros((x.shape[1], len(SIZES)))
        there = np.ones(len(x), dtype=bool) if kept is None else kept[i]
        weights = np.vstack([weights, np.zeros(x.shape[1])])
        for feature, left, right, one, other, gain in tree:
            weights[-1, feature] += gain
            classes = len(np.unique(labels)) if len(one) > 1 else 2
            left, right = left & there, right & there
            if numbers:
                sign = np.sign(one - other)[0]
                logs[feature] += [by_pairs(labels[left], labels[right], sign, size) for size in SIZES]
                continue
            y = labels if of is None else labels == of[i]
            table = np.array([np.bincount(y[side].astype(int), minlength=classes) for side in (left, right)])
            if len(one) == 1:
                table, signs = table[:, ::-1], np.sign(one - other)
            else:
                odds = [[v[k] / v[k + 1 :].sum() if v[k + 1 :].sum() else np.inf for k in range(classes - 1)]
                        for v in (one, other)]  # fmt: skip
                signs = np.where(np.isnan(odds).any(axis=0), 0, np.array(odds[0]) > odds[1]) * 2 - 1
                signs = np.where(np.array(odds[0]) == odds[1], 0, signs)
            logs[feature] += [by_definition(table, signs, size) for size in SIZES]
        each.append(np.exp(logs) @ np.array([1, 1, 12, 1, 1]) / 16)
    weighed = weights.any(axis=0) & (kept is None)
    return np.average(each, axis=0, weights=np.where(weighed, weights, 1.0))


@pytest.mark.parametrize("kind", MODELS)
def test_e_values_of_features_are_those_of_a_loop(kind: str) -> None:
    model, report = audited(kind)
    assert report.evalues == pytest.approx(looped(model, *data(1)), rel=1e-6)
    assert (report.most >= report.evalues * (1 - 1e-9)).all()


@pytest.mark.parametrize("kind", ["random forest", "LightGBM", "XGBoost", "XGBoost, two trees a class"])
def test_a_boosted_tree_of_three_classes_is_about_its_own_and_another_about_all(kind: str) -> None:
    (x, y), (new, label) = data(0), data(1)
    y, label, of = y + (x[:, 2] > 0.7), label + (new[:, 2] > 0.7), None
    if kind == "random forest":
        model = ensemble.RandomForestClassifier(3, max_depth=4, min_samples_leaf=8, random_state=0).fit(x, y)
    elif kind == "LightGBM":
        model, of = lightgbm().set_params(n_estimators=4).fit(x, y), [i % 3 for i in range(12)]
    else:
        library = pytest.importorskip("xgboost", reason="needs XGBoost")
        more = {"num_parallel_tree": 2, "subsample": 0.8} if "two" in kind else {}
        model = library.XGBClassifier(n_estimators=4, max_depth=3, **more).fit(x, y)
        whole = json.loads(model.get_booster().save_raw("json"))
        of = whole["learner"]["gradient_booster"]["model"]["tree_info"]
    assert audit(model, new, label).evalues == pytest.approx(looped(model, new, label, of=of), rel=1e-6)


def test_directions_of_scores_of_three_classes_are_those_of_their_odds() -> None:
    stump = Structure(*map(np.array, ([1, -1, -1], [2, -1, -1], [0, -1, -1], [0.5, 0, 0], [False] * 3)))
    scores = np.array([[9.0, 9.0, 9.0], [0.0, 1.0, -1.0], [0.1, -2.0, 2.0]])
    signs = FittedTree(stump, np.zeros(3), values=scores).directions(np.ones((1, 2, 3), dtype=int))[1]
    first, second = np.exp(scores[1]), np.exp(scores[2])
    odds = [each[0] / each[1:].sum() for each in (first, second)]
    assert signs.tolist() == [[1 if odds[0] > odds[1] else -1, 1]]


def responses(seed: int) -> tuple[Any, Any]:
    x, _ = data(seed)
    return x, x[:, 0] + x[:, 1] + np.random.default_rng(seed + 100).standard_t(3, ROWS)


@pytest.mark.parametrize("decimals", [None, 0])
def test_e_values_of_numbers_compare_all_pairs_of_rows_and_tables_are_about_the_middle_of_the_means(decimals):
    model, (x, y) = ensemble.RandomForestRegressor(5, max_depth=4, random_state=0).fit(*responses(0)), responses(1)
    y = y if decimals is None else y.round(decimals)
    report = audit(model, x, y)
    assert report.evalues == pytest.approx(looped(model, x, y, numbers=True), rel=1e-6)
    assert (report.most >= report.evalues * (1 - 1e-9)).all()
    t = model.estimators_[0].tree_
    sides, cut = model.estimators_[0].decision_path(x).toarray()[:, [t.children_left[0], t.children_right[0]]] > 0, 0.0
    cut = (t.value[t.children_left[0], 0, 0] + t.value[t.children_right[0], 0, 0]) / 2
    expected = [[(y[side] <= cut).sum(), (y[side] > cut).sum()] for side in sides.T]
    assert report.splits.tables[0].tolist() == expected
    assert list(report.verdicts.values()) == [True, True, False, False, False, False]
    assert report.splits.tables.shape[1:] == (2, 2) and (report.splits.method != "").all()


@pytest.mark.parametrize("gain", [np.nan, np.inf, -1.0, 1e300])
def test_gains_that_are_none_leave_trees_their_weights(gain: float) -> None:
    """Of a file that may hold anything, and of libraries that record no gains."""
    model = read_model(ensemble.RandomForestClassifier(8, max_depth=4, random_state=0).fit(*data(0)))

    def recorded(gain: float) -> Any:
        trees = tuple(tree._replace(recorded=np.full(len(tree.recorded), gain)) for tree in model.trees)
        return audit(replace(model, trees=trees), *data(1))

    alike, equal = recorded(gain), recorded(0.0)
    assert np.isfinite(alike.evalues).all() and alike.verdicts == equal.verdicts
    if not gain > 0:
        assert alike.evalues.tolist() == equal.evalues.tolist()


def test_out_of_bag_each_tree_is_tested_by_the_rows_that_it_left_out() -> None:
    x, y = data(0)
    model = ensemble.RandomForestClassifier(5, max_depth=4, random_state=0).fit(x, y)
    kept = [np.bincount(rows, minlength=ROWS) == 0 for rows in model.estimators_samples_]
    found = audit(model, x, y, "out-of-bag")
    assert found.evalues == pytest.approx(looped(model, x, y, kept=kept), rel=1e-6)
    assert list(found.verdicts.values()) == [True, True, False, False, False, False]


@pytest.mark.parametrize("kind", ["boosted", "binned", "LightGBM", "XGBoost"])
def test_boosted_numbers_are_about_the_mean_of_the_rows_at_the_node(kind: str) -> None:
    makes: dict[str, Any] = {
        "boosted": lambda: ensemble.GradientBoostingRegressor(n_estimators=10, max_depth=2, random_state=0),
        "binned": lambda: ensemble.HistGradientBoostingRegressor(max_iter=10, max_depth=3),
        "LightGBM": lambda: pytest.importorskip("lightgbm").LGBMRegressor(n_estimators=10, max_depth=3, verbose=-1),
        "XGBoost": lambda: pytest.importorskip("xgboost").XGBRegressor(n_estimators=10, max_depth=3),
    }
    new, y = responses(1)
    model = makes[kind]().fit(*responses(0))
    report = audit(model, new, y)
    assert list(report.verdicts.values()) == [True, True, False, False, False, False]
    root = report.splits.tables[(report.splits.tree == 0) & (report.splits.node == 0)][0]
    assert root.sum(axis=0).tolist() == [(y <= y.mean()).sum(), (y > y.mean()).sum()]


@pytest.mark.parametrize("kind", [*MODELS, *OTHERS])
def test_features_that_tell_something_pass_and_no_others(kind: str) -> None:
    _, report = audited(kind)
    assert list(report.verdicts.values()) == [True, True, False, False, False, False]
    frame = report.to_frame()
    assert frame["verdict"].tolist() == list(report.verdicts.values())
    assert frame["finding"].tolist() == list(report.findings.values())
    assert set(list(report.findings.values())[2:]) <= {"not shown", "too few rows to show it"}
    assert (frame["adjusted"] <= 0.05).tolist() == frame["verdict"].tolist()
    text = str(report).splitlines()
    assert text[0].endswith("; 2 of 6 features shown")
    assert text[1].split()[:8] == ["feature", "finding", "e-value", "needed", "at", "most", "p", "alone"]
    assert np.isnan(frame["needed"]).tolist() == frame["verdict"].tolist()
    assert (frame["largest"] >= frame["evalue"] * (1 - 1e-9)).all()
    assert [line.split()[1] == "shown" for line in text[2:8]] == [True] * 2 + [False] * 4
    assert text[8].startswith("needed: the e-value from which a feature is shown, the others being as they are")
    assert text[9].startswith("of the features that such a rule shows, at most 5 % are uninformative, on average")
    splits = f"{report.passed.sum()} of {len(report.passed)} splits pass, by a rule with a false discovery rate of"
    assert f"{splits} at most 5 %." in text
    assert "<td>shown</td>" in report._repr_html_() and "2 of 6 features shown" in repr(report)


def test_every_feature_of_the_model_counts() -> None:
    """Columns that split nothing have an e-value of 1, and make it harder for the others to pass."""
    x, y = data(0)
    new, label = data(1)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    few = audit(tree.fit(x, y), new, label)
    wide = [np.hstack([z, np.zeros((len(z), 94))]) for z in (x, new)]
    many = audit(tree.fit(wide[0], y), wide[1], label)
    assert few.evalues is not None and many.evalues is not None
    assert many.evalues.tolist() == pytest.approx([*few.evalues, *[1] * 94])
    one, other = few.columns()["adjusted"], many.columns()["adjusted"]
    assert other[0] == pytest.approx(one[0] * 100 / 6)


def test_training_rows_and_rows_that_count_twice_get_no_verdict_and_say_why() -> None:
    x, y = data(0)
    new, label = data(1)
    forest = ensemble.RandomForestClassifier(5, max_depth=4, random_state=0).fit(x, y)
    numbers = ensemble.RandomForestRegressor(3, max_depth=3, random_state=0).fit(x, x[:, 1])
    twice = np.full(ROWS, 2)
    for report, got, said in (
        (audit(forest, x, y, "training"), "training rows", "descriptive and have no p-values"),
        (audit(forest, new, label, sample_weight=twice), "splits without p-values", "rows count several times"),
        (audit(numbers, new, new[:, 1], sample_weight=twice), "splits without p-values", "rows count several times"),
    ):
        assert report.evalues is None and not report.features_passed.any()
        assert said in str(report) and "shown" not in str(report)
        assert not {"verdict", "finding", "evalue", "adjusted", "needed"} & set(report.columns())
        with pytest.raises(ValueError, match="verdicts on features need rows that grew nothing") as refused:
            _ = report.findings
        assert f"got {got}; pass held-out rows" in str(refused.value)


def test_features_pass_in_few_null_models_of_every_design() -> None:
    """At most alpha of the models; docs/audit.md counts more of them."""
    study, some, models = script("audit_features"), 0, 0
    study.LEVELS = 1
    for design in study.DESIGNS:
        if "LightGBM" in design:
            pytest.importorskip("lightgbm", reason="needs LightGBM")
        if "XGBoost" in design:
            pytest.importorskip("xgboost", reason="needs XGBoost")
        row = study.level_block(design, 0)
        if study.DESIGNS[design].proved:
            some, models = some + row["some"], models + row["models"]
    assert some <= binom.isf(1e-4, models, 0.05)


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
    """Eight rows, all orders of their labels: a feature has too few rows where no order of as many ones shows it."""
    x = np.repeat(np.arange(8), 20)[:, None]
    tree = DecisionTreeClassifier(max_depth=1, random_state=0).fit(x, x[:, 0] > 3)
    for ones, some in ((3, False), (4, True)):
        labels = [np.isin(np.arange(8), places).astype(int) for places in combinations(range(8), ones)]
        words = {audit(tree, x[::20], label, alpha=0.4).findings["x0"].partition(",")[0] for label in labels}
        assert words - {"related alone"} == ({"shown", "not shown"} if some else {"too few rows to show it"})
    assert "x0       too few rows" in str(audit(tree, x[::20], np.arange(8) % 2))


def test_a_feature_that_splits_nothing_is_not_short_of_rows() -> None:
    x, y = data(0)
    report = audit(DecisionTreeClassifier(max_depth=1).fit(x, y), *data(1))
    assert set(report.findings.values()) == {"shown", "not shown"}


@pytest.mark.parametrize("form", ["pipeline", "mapping"])
def test_p_alone_is_that_of_the_ranking_of_the_same_rows(form: str) -> None:
    (x, y), (new, label) = data(0), data(1)
    forest = ensemble.RandomForestClassifier(5, max_depth=3, random_state=0)
    model = (make_pipeline(StandardScaler(), forest) if form == "pipeline" else lightgbm(n_jobs=1)).fit(x, y)
    rows: Any = new if form == "pipeline" else {f"Column_{i}": new[:, i] for i in range(6)}
    report, expected = audit(model, rows, label), rank_features({i: new[:, i] for i in range(6)}, label)
    p, split = report.columns()["p_alone"], report.importances.splits > 0
    assert np.isnan(p[~split]).all() and split[:2].all()
    for feature in expected.features:
        if split[int(feature.name)]:
            assert p[int(feature.name)] == pytest.approx(feature.p, rel=1e-6)
    assert "p alone is of the column by itself on these rows" in str(report)


def test_no_result_calls_a_feature_noise() -> None:
    report = audit(DecisionTreeClassifier(max_depth=3).fit(*data(0, signal=0.0)), *data(1, signal=0.0))
    assert "noise" not in str(report) + report._repr_html_() and not any(report.verdicts.values())
