"""The test of one relative effect for everyone: its level, its near-misses, its intervals, what it refuses."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, binomtest

from splitcrit.inference import split_test
from splitcrit.inference.treatments import treatment_test

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
    sets, rejected, covered = 120, 0, 0
    for seed in range(sets):
        x, treated, y, *_ = trial(np.random.default_rng(seed), 500, "one ratio", 0.3)
        found = treatment_test(x, treated, y, probability=0.3, min_samples_leaf=5)
        rejected += found.rejected
        covered += all(effect.low <= 1.5 <= effect.high for effect in found.effects)
    assert binom.sf(rejected - 1, sets, 0.05) > 0.001
    assert binom.cdf(covered, sets, 0.95) > 0.001


def test_intervals_cover_the_ratios_of_their_leaves() -> None:
    sets, covered = 60, 0
    for seed in range(sets):
        rng = np.random.default_rng(seed)
        x, treated, y, *_ = trial(rng, 900, "x1 decides")
        found = treatment_test(x, treated, y, probability=0.5)
        new, _, _, without, rates = trial(rng, 20_000, "x1 decides")
        leaf = leaf_of(found, new)
        true = [rates[leaf == i].sum() / without[leaf == i].sum() for i in range(len(found.effects))]
        covered += all(e.low <= t <= e.high for e, t in zip(found.effects, true, strict=True))
    assert binom.cdf(covered, sets, 0.95) > 0.001


def leaf_of(found: object, x: np.ndarray) -> np.ndarray:
    """The place of each row among the effects, by their words alone."""
    place = np.full(len(x), -1)
    for i, effect in enumerate(found.effects):  # type: ignore[attr-defined]
        inside = np.ones(len(x), dtype=bool)
        for part in () if effect.who == "all" else effect.who.split(" and "):
            name, sign, threshold = part.split(" ")
            below = x[:, int(name[1:])] <= float(threshold)
            inside &= below if sign == "<=" else ~below
        assert (place[inside] == -1).all()
        place[inside] = i
    assert (place >= 0).mean() > 0.999  # thresholds are printed with four digits
    return place


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
    found = treatment_test(x, treated, y, probability=0.4, max_depth=1)
    for effect in found.effects:
        level = 1 - 0.05 / len(found.effects)
        ends = binomtest(effect.treated, effect.responders).proportion_ci(level)
        odds = [p / (1 - p) * 0.6 / 0.4 for p in (effect.treated / effect.responders, ends.low, ends.high)]
        assert np.allclose([effect.ratio, effect.low, effect.high], odds, rtol=1e-9)
    turned = treatment_test(x, 1 - treated, y, probability=0.6, max_depth=1)
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
    sets, plain, within, split, kept = 40, 0, 0, 0, 0
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
    assert plain > 15 and split > 8
    assert min(binom.sf(np.array([within, kept]) - 1, sets, 0.05)) > 0.001
    assert "change places within strata" in str(found)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"treated": np.arange(40) % 3}, "a treatment is 0 or 1; got 2; pass treated == 'drug'"),
        ({"y": ["cured", "ill"] * 20}, "an outcome is 0 or 1; got 'cured'; pass y == 'cured'"),
        ({"treated": np.zeros(40, dtype=int), "probability": 0.5}, "responders are of both arms; got"),
        ({"y": np.zeros(40, dtype=int)}, "responders are of both arms; got 0 of one arm or none"),
        ({"probability": 1.0}, "probability is a number strictly between 0 and 1; got 1.0"),
        ({"max_depth": 0}, "max_depth is an integer from 1; got 0"),
        ({"treated": np.zeros(39, dtype=int)}, "39|40"),
        ({"strata": np.zeros(39, dtype=int)}, "39|40"),
    ],
)
def test_what_is_no_trial_is_refused(change: dict[str, object], sentence: str) -> None:
    given = {"X": np.arange(80).reshape(40, 2), "treated": np.arange(40) % 2, "y": np.arange(40) // 2 % 2} | change
    with pytest.raises(ValueError, match=sentence):
        treatment_test(**given)  # type: ignore[arg-type]


def test_what_declares_its_categories_may_say_so() -> None:
    x, y = np.arange(40.0).reshape(20, 2), np.arange(20) % 2
    assert split_test(x, y, categorical_features="from_dtype").pvalue == split_test(x, y).pvalue
    with pytest.raises(ValueError, match="categorical_features must be a mask, positions or names of features; got 't"):
        split_test(x, y, categorical_features="texts")
