"""Trees of rows that come in groups: levels, halves, refusals, leaves; alarms; selections with groups in a pipeline."""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, binomtest
from sklearn import config_context
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from refusals import refused
from splitcrit import AdaptiveTreeClassifier, ForestClassifier, TreeClassifier
from splitcrit.inference import (
    HonestTreeClassifier,
    HonestTreeRegressor,
    InferenceTreeClassifier,
    InferenceTreeRegressor,
    SplitSelector,
    significant_subtree,
    split_test,
)
from splitcrit.inference.honest import divided
from splitcrit.inference.treatments import treatment_test

PATIENT = np.repeat(np.arange(60), 5)


def patients(seed: int, effect: float = 0.0) -> dict[str, Any]:
    """Sixty patients of five rows: columns, labels constant in groups, flipped, of three classes, and numbers."""
    rng = np.random.default_rng(seed)
    u = rng.normal(size=(60, 3))
    label = (rng.normal(size=60) + effect * u[:, 0] > 0).astype(int)[PATIENT]
    flipped = np.where(rng.random(300) < 0.1, 1 - label, label)
    three = np.where(rng.random(300) < 0.2, 2, flipped)
    numbers = (rng.normal(size=60) + effect * u[:, 0])[PATIENT] + rng.normal(size=300)
    return {"x": u[PATIENT], "label": label, "flipped": flipped, "three": three, "numbers": numbers}


def visits(seed: int, effect: float = 0.0) -> dict[str, Any]:
    """Patients whose columns vary a little between rows."""
    data = patients(seed, effect)
    return data | {"x": data["x"] + 0.3 * np.random.default_rng([seed, 1]).normal(size=data["x"].shape)}


TREES = {
    ("selective", "label"): InferenceTreeClassifier(random_state=0, n_permutations=199),
    ("selective", "flipped"): InferenceTreeClassifier(random_state=0, n_permutations=199),
    ("selective", "three"): InferenceTreeClassifier(random_state=0, n_permutations=99, max_depth=2),
    ("selective", "numbers"): InferenceTreeRegressor(random_state=0, n_permutations=199),
    ("honest", "label"): HonestTreeClassifier(random_state=0),
    ("honest", "flipped"): HonestTreeClassifier(random_state=0),
    ("honest", "three"): HonestTreeClassifier(random_state=0, permutations=199),
    ("honest", "numbers"): HonestTreeRegressor(random_state=0, permutations=199),
}


def grown(kind: str, labels: str, sets: int, effect: float, groups: Any) -> int:
    """How many trees of some data sets have a split."""
    each = ((visits if kind == "honest" else patients)(seed, effect) for seed in range(sets))
    return sum(TREES[kind, labels].fit(data["x"], data[labels], groups=groups).get_depth() > 0 for data in each)


@pytest.mark.parametrize(("kind", "labels"), TREES)
def test_trees_hold_their_level_under_groups_and_find_what_is_there(kind: str, labels: str) -> None:
    sets = 24 if kind == "honest" else 20
    assert binom.sf(grown(kind, labels, sets, 0.0, PATIENT) - 1, sets, 0.05) > 1e-3
    assert grown(kind, labels, 4, 3.0, PATIENT) >= 3


@pytest.mark.parametrize(("kind", "labels", "sets"), [("selective", "flipped", 12), ("honest", "label", 30)])
def test_without_groups_they_do_not(kind: str, labels: str, sets: int) -> None:
    assert binom.sf(grown(kind, labels, sets, 0.0, None) - 1, sets, 0.05) < 1e-3


def test_a_tree_of_groups_is_the_tree_of_one_row_a_group() -> None:
    data = patients(1, 2.0)
    by_groups = InferenceTreeClassifier(random_state=0).fit(data["x"], data["label"], groups=PATIENT)
    alone = InferenceTreeClassifier(random_state=0).fit(data["x"][::5], data["label"][::5])
    np.testing.assert_array_equal(by_groups.tree_.threshold, alone.tree_.threshold)
    np.testing.assert_array_equal(by_groups.pvalues_, alone.pvalues_)
    shares = InferenceTreeClassifier(random_state=0).fit(data["x"], data["flipped"], groups=PATIENT)
    leaf = shares.apply(data["x"])
    seen = [data["flipped"][leaf == at].mean() for at in leaf]  # equal sizes: votes are rows
    np.testing.assert_allclose(shares.predict_proba(data["x"])[:, 1], seen)
    assert "Rows come in 60 groups" in shares.export_text()


def test_refusals_name_the_column_and_the_remedy() -> None:
    data = patients(0)
    frame = pd.DataFrame(data["x"], columns=["a", "b", "c"]).assign(c=np.arange(300.0))
    with pytest.raises(ValueError, match="got c, which is not; leave it out, or pass one row a group"):
        InferenceTreeRegressor().fit(frame, data["numbers"], groups=PATIENT)


ROUTED: dict[str, tuple[Any, str, Any, Any]] = {  # an estimator, a parameter, its value, what depends on the groups
    "selection": (lambda: make_pipeline(SplitSelector(0.2).set_fit_request(groups=True), TreeClassifier(max_depth=1)),
                  "splitselector__alpha", 0.2, lambda model: model[0].pvalues_),
    "honest": (HonestTreeClassifier, "alpha", 0.2, lambda model: np.bincount(PATIENT[model.test_rows_], minlength=60)),
    "selective": (InferenceTreeClassifier, "alpha", 0.2, lambda model: model.tree_.n_node_samples),
    "forest": (lambda random_state: ForestClassifier(3, random_state=random_state), "max_depth", 3,
               lambda model: np.concatenate(model.estimators_samples_)),
    "adaptive": (lambda random_state: AdaptiveTreeClassifier(grid=(0,), random_state=random_state),
                 "validation_fraction", 0.2, lambda model: np.array(model.validation_curve_.leaves)),
}  # fmt: skip


@pytest.mark.parametrize("kind", ROUTED)
def test_a_search_of_parameters_routes_groups_to_folds_and_estimators(kind: str) -> None:
    data, (make, name, value, dependent) = patients(0, 2.0), ROUTED[kind]
    with config_context(enable_metadata_routing=True):
        estimator = make() if kind == "selection" else make(random_state=0).set_fit_request(groups=True)
        search = GridSearchCV(estimator, {name: [value]}, cv=GroupKFold(3))
        search.fit(data["x"], data["label"], groups=PATIENT)
        alone = clone(estimator).set_params(**search.best_params_).fit(data["x"], data["label"], groups=PATIENT)
        (estimator[0] if kind == "selection" else estimator).set_fit_request(groups=None)
        said = r"\[groups\] are passed but are not explicitly set"  # nothing is passed on unasked
        with pytest.raises(ValueError, match=said):  # of several lines
            search.fit(data["x"], data["label"], groups=PATIENT)
    assert np.array_equal(search.predict(data["x"]), alone.predict(data["x"]))
    unaware = clone(alone).fit(data["x"], data["label"])
    found, own, other = (dependent(model).tolist() for model in (search.best_estimator_, alone, unaware))
    assert found == own != other


def test_halves_keep_groups_whole_and_each_class_grows() -> None:
    rng = np.random.RandomState(0)
    for seed in range(60):
        source = np.random.default_rng(seed)
        groups = np.unique(source.integers(0, 12, 60), return_inverse=True)[1]
        codes = np.unique(source.choice(4, 60, p=[0.6, 0.3, 0.07, 0.03]), return_inverse=True)[1]
        grows, tests = divided(codes, 0.5, rng, groups)
        assert np.array_equal(np.sort(np.concatenate([grows, tests])), np.arange(60)) and len(tests)
        assert not set(groups[grows]) & set(groups[tests])
        assert set(codes[grows]) == set(codes)
    tree = HonestTreeClassifier(random_state=3).fit(visits(0)["x"], visits(0)["flipped"], groups=PATIENT)
    assert sorted(np.bincount(PATIENT[tree.test_rows_], minlength=60).tolist()) == [0] * 30 + [5] * 30


def test_the_p_value_of_a_root_is_the_share_of_orders_of_whole_groups() -> None:
    """Seven groups of unequal size whose labels are constant; votes on the left, by all 35 orders."""
    sizes, ones, rng = [1, 2, 2, 3, 3, 4, 5], (4, 5, 6), np.random.default_rng(3)
    groups = np.repeat(np.arange(7), sizes)
    tree = DecisionTreeClassifier(max_depth=1).fit([[0.0], [1.0]], [0, 1])
    x = (rng.random(len(groups)) < 0.2 + 0.6 * np.isin(groups, ones)).astype(float)
    share = np.bincount(groups, x) / sizes

    def score(labels: Any) -> float:
        return abs(float(share[list(labels)].sum() - share.sum() * 3 / 7))

    every = [score(labels) >= score(ones) - 1e-12 for labels in combinations(range(7), 3)]
    found = significant_subtree(tree, x[:, None], np.isin(groups, ones).astype(int), groups=groups, alpha=0.5, rng=0)
    assert found.tests.method[0] == "exact"
    assert found.tests.p[0] == pytest.approx(sum(every) / 35, rel=1e-12)


def test_the_p_value_of_a_root_within_strata_is_the_share_of_orders_within_them() -> None:
    """Two sites of eight and six rows: the sum of labels on the left, by all 70 x 20 orders."""
    rng, site = np.random.default_rng(1), np.array([0] * 8 + [1] * 6)
    tree = DecisionTreeClassifier(max_depth=1).fit([[0.0], [1.0]], [0, 1])
    for _ in range(5):
        x, y = (rng.random(14) < 0.2 + 0.4 * site).astype(float), np.array([0, 1] * 7)
        y[rng.permutation(8)], y[8 + rng.permutation(6)] = y[:8].copy(), y[8:].copy()
        middle = sum(x[site == s].mean() * y[site == s].sum() for s in (0, 1))
        each = [
            abs(x[list(a)].sum() + x[list(b)].sum() - middle) >= abs(x @ y - middle) - 1e-9
            for a in combinations(range(8), int(y[:8].sum()))
            for b in combinations(range(8, 14), int(y[8:].sum()))
        ]
        found = significant_subtree(tree, x[:, None], y, strata=site, alpha=0.5)
        assert found.tests.method[0] == "exact"
        assert found.tests.p[0] == pytest.approx(np.mean(each), rel=1e-9)
    assert "Labels move within 2 strata." in str(found)


def test_honest_trees_within_strata_hold_their_level_where_rate_and_columns_differ_by_site() -> None:
    within = pooled = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        site = np.repeat([0, 1], 150)
        x, y = rng.normal(size=(300, 2)) + 2.0 * site[:, None], (rng.random(300) < 0.2 + 0.6 * site).astype(int)
        tree = HonestTreeClassifier(random_state=seed)
        within += tree.fit(x, y, strata=site).get_depth() > 0
        pooled += tree.fit(x, y).get_depth() > 0
    assert pooled > 25
    assert binom.sf(within - 1, 40, 0.05) > 1e-3
    x = rng.normal(size=(300, 2))
    y = (x[:, 0] + rng.normal(size=300) > site).astype(int)
    assert HonestTreeClassifier(random_state=0).fit(x, y, strata=site).get_depth() > 0
    numbers = x[:, 0] + 2 * site + rng.normal(size=300)
    assert HonestTreeRegressor(random_state=0).fit(x, numbers, strata=site, groups=np.arange(300) // 2).get_depth() > 0


def test_honest_refusals_and_remarks() -> None:
    data = visits(0)
    fitted = HonestTreeClassifier(random_state=0).fit(data["x"], data["label"], groups=PATIENT)
    assert "Rows come in 60 groups" in str(fitted.result_)
    refused("a group has one vote", HonestTreeClassifier().fit, data["x"], data["label"], np.ones(300), groups=PATIENT)
    with pytest.raises(ValueError, match="two groups or more, some of several rows; got 1 group"):
        HonestTreeClassifier().fit(data["x"], data["label"], groups=np.zeros(300))
    new = visits(1)
    tree = TreeClassifier(max_depth=2).fit(data["x"], data["label"])
    refused("one entry for each of 300 rows", significant_subtree, tree, new["x"], new["label"], groups=PATIENT[:-1])
    few = significant_subtree(tree, new["x"][:15], new["label"][:15], groups=PATIENT[:15], alpha=0.9)
    assert not few.tests.rejected.any() and few.tests.method[0] in ("", "cannot reject")


ALARMED = {"honest": HonestTreeClassifier, "selective": InferenceTreeClassifier}


@pytest.mark.parametrize("kind", list(ALARMED))
def test_trees_print_alarms_unless_they_are_told_of_groups(kind: str) -> None:
    data, said = patients(0), "rows repeat the features of others"
    alone, told = (ALARMED[kind](random_state=0).fit(data["x"], data["flipped"], groups=g) for g in (None, PATIENT))
    texts = [str(tree.result_) if kind == "honest" else tree.export_text() for tree in (alone, told)]
    assert [said in text for text in texts] == [True, False]
    quiet = ALARMED[kind](random_state=0).fit(data["x"][::5], data["flipped"][::5])
    assert "pass groups=" not in (str(quiet.result_) if kind == "honest" else quiet.export_text())


def test_trees_of_scores_print_alarms() -> None:
    data = patients(0)
    fitted = InferenceTreeRegressor(response_scores=lambda y: y, max_depth=1).fit(data["x"], data["label"] * 1.0)
    assert any("exact copies" in remark for remark in fitted.remarks_)


# The test of one relative effect for everyone: its level, its near-misses, its intervals, what it refuses.

Trial = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def trial(rng: np.random.Generator, n: int, effect: str, share: float = 0.5) -> Trial:
    """Features, treatments, outcomes, and each person's rates without and with treatment; x0 is prognostic."""
    x = rng.normal(size=(n, 3))
    without = np.where(x[:, 0] > 0, 0.4, 0.1)
    rates = {
        "one ratio": without * 1.5,
        "one difference": without + 0.1,
        "x1 decides": without * np.where(x[:, 1] > 0.3, 2.2, 1.0),
    }[effect]
    treated = (rng.random(n) < share).astype(int)
    return x, treated, (rng.random(n) < np.where(treated == 1, rates, without)).astype(int), without, rates


def test_level_and_coverage_where_the_ratio_is_one_number() -> None:
    """A prognostic feature and unequal arms move neither; all intervals hold together in 95 % of trials."""
    sets, rejected, covered = 50, 0, 0
    for seed in range(sets):
        x, treated, y, *_ = trial(np.random.default_rng(seed), 500, "one ratio", 0.3)
        found = treatment_test(x, treated, y, probability=0.3, min_samples_leaf=5)
        rejected += found.rejected
        covered += all(effect.low <= 1.5 <= effect.high for effect in found.effects)
    assert binom.sf(rejected - 1, sets, 0.05) > 0.001
    assert binom.cdf(covered, sets, 0.95) > 0.001


def test_another_null_is_rejected_and_the_right_column_is_named() -> None:
    x, treated, y, *_ = trial(np.random.default_rng(0), 6000, "one difference")
    assert treatment_test(x, treated, y, probability=0.5).test.name == "x0"  # equal differences are unequal ratios
    x, treated, y, *_ = trial(np.random.default_rng(1), 3000, "x1 decides")
    found = treatment_test(x, treated == 1, y == 1)
    assert found.rejected and found.test.name == "x1" and found.pvalue == split_test(x[y == 1], treated[y == 1]).pvalue
    assert f"Probability of treatment: {treated.mean():.4g}" in str(found) and "one ratio for everyone" in str(found)
    assert "<td" in found._repr_html_() and "effects=" in repr(found)


def test_ratios_are_those_of_binomial_intervals_and_arms_can_be_exchanged() -> None:
    x, treated, y, *_ = trial(np.random.default_rng(2), 2000, "x1 decides", 0.4)
    found = treatment_test(x, treated, y, probability=0.4)
    fresh = np.flatnonzero(y)[divided(treated[y == 1], 0.5, np.random.default_rng(0))[1]]
    for effect in found.effects:
        conditions = [condition.split(" ") for condition in effect.who.split(" and ")]
        sides = [(x[fresh, int(name[1:])] <= float(at)) == (sign == "<=") for name, sign, at in conditions]
        treatments = treated[fresh][np.all(sides, axis=0)]
        assert (effect.responders, effect.treated) == (len(treatments), treatments.sum())
        level = 1 - 0.05 / len(found.effects)
        ends = binomtest(effect.treated, effect.responders).proportion_ci(level)
        odds = [p / (1 - p) * 0.6 / 0.4 for p in (effect.treated / effect.responders, ends.low, ends.high)]
        assert np.allclose([effect.ratio, effect.low, effect.high], odds, rtol=1e-9)
    turned = treatment_test(x, 1 - treated, y, probability=0.6)
    assert turned.pvalue == found.pvalue
    assert sum(e.responders for e in turned.effects) == sum(e.responders for e in found.effects)


def test_conditions_are_those_of_their_columns() -> None:
    """A name may hold signs of its own, and categories say what each side holds."""
    rng = np.random.default_rng(3)
    dose, site = rng.normal(size=600), rng.choice(["a", "b"], 600)
    by_dose, by_site = (rng.random(600) < np.where(high, 0.8, 0.2) for high in (dose > 0, site == "a"))
    found = treatment_test(pd.DataFrame({"dose <= 3": dose}), by_dose, np.ones(600), max_depth=1)
    threshold = f"{found.subtree.estimator.tree_.threshold[0]:.4g}"
    assert [effect.who for effect in found.effects] == [f"dose <= 3 {sign} {threshold}" for sign in ("<=", ">")]
    frame = pd.DataFrame({"site": pd.Categorical(site)})
    found = treatment_test(frame, by_site, np.ones(600), max_depth=1, categorical_features="from_dtype")
    assert [effect.who for effect in found.effects] == ["site in {a}", "site in {b}"]


def test_sites_that_are_randomised_at_different_rates_are_strata() -> None:
    """The rate of treatment is one thing in one site and another in the other, and a feature tells the sites apart."""
    sets, plain, within, split, kept = 20, 0, 0, 0, 0
    for seed in range(sets):
        rng = np.random.default_rng(seed)
        site = rng.integers(0, 2, 300)
        x = np.column_stack([site + rng.normal(size=300), rng.normal(size=300)])
        treated = (rng.random(300) < np.where(site == 1, 0.75, 0.25)).astype(int)
        y = rng.random(300) < 0.5
        alone = treatment_test(x, treated, y, probability=0.5, max_depth=1)
        plain, split = plain + alone.rejected, split + alone.subtree.tests.rejected[0]
        sites = np.array(["north", "south"])[site]
        found = treatment_test(x, treated, y, probability=0.5, strata=sites, max_depth=1)
        within, kept = within + found.rejected, kept + found.subtree.tests.rejected[0]
    assert plain > 9 and split > 3
    assert min(binom.sf(np.array([within, kept]) - 1, sets, 0.05)) > 0.001
    assert "change places within strata" in str(found)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"treated": np.arange(40) % 3}, "a treatment is 0 or 1; got 2; pass treated == 'drug'"),
        ({"y": ["cured", "ill"] * 20}, "an outcome is 0 or 1; got 'cured'; pass y == 'cured'"),
        ({"treated": np.zeros(40, dtype=int), "probability": 0.5}, "responders are of both arms; got"),
        ({"y": np.zeros(40, dtype=int)}, "responders are of both arms; got 0 of one arm or none"),
        ({"treated": np.zeros(39, dtype=int)}, "39|40"),
        ({"strata": np.zeros(39, dtype=int)}, "39|40"),
    ],
)
def test_what_is_no_trial_is_refused(change: dict[str, object], sentence: str) -> None:
    given = {"X": np.arange(80).reshape(40, 2), "treated": np.arange(40) % 2, "y": np.arange(40) // 2 % 2} | change
    refused(sentence, treatment_test, **given)


def test_what_declares_its_categories_may_say_so() -> None:
    x, y = np.arange(40.0).reshape(20, 2), np.arange(20) % 2
    assert split_test(x, y, categorical_features="from_dtype").pvalue == split_test(x, y).pvalue
    with pytest.raises(ValueError, match="categorical_features must be a mask, positions or names of features; got 't"):
        split_test(x, y, categorical_features="texts")
