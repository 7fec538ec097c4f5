"""Scores of responses against enumerations and R's survival package, and the law that they go with their rows."""

from __future__ import annotations

import pickle
import re
import shutil
import subprocess
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pandas
import pytest
from scipy.stats import binom

from refusals import refused
from splitcrit import rank_features
from splitcrit.columns import log_rank, ordinal, outputs, ranks
from splitcrit.columns.column_tests import RANKED
from splitcrit.columns.response_scores import scores_of, standardised
from splitcrit.inference import InferenceTreeClassifier, InferenceTreeRegressor, kaplan_meier, split_test

RNG = np.random.default_rng(6)
PAIRS = np.column_stack([RNG.integers(0, 7, 40), RNG.integers(0, 2, 40)]).astype(float)  # many ties of both kinds
LEVELS = ["low", "middle", "high"]
X = np.arange(40.0)[:, None]


def plain_log_rank(pairs: Any) -> list[Fraction]:
    """Observed events of each row less those that it could expect while it was at risk."""
    scores = []
    for time, event in pairs:
        expected = Fraction(0)
        for t in {s for s, d in pairs if d and s <= time}:
            expected += Fraction(sum(d and s == t for s, d in pairs), sum(s >= t for s, _ in pairs))
        scores.append(int(event) - expected)
    return scores


def test_log_rank_scores_are_observed_less_expected_events() -> None:
    pairs = [(int(t), bool(d)) for t, d in PAIRS]
    expected = plain_log_rank(pairs)
    assert sum(expected) == 0
    assert log_rank(PAIRS) == pytest.approx([float(s) for s in expected], abs=1e-14)


def test_survival_is_a_product_over_the_times_of_events() -> None:
    curve = kaplan_meier(PAIRS)
    for t in (-1.0, 0.0, 2.5, 6.0, 99.0):
        survival = Fraction(1)
        for at in {s for s, d in PAIRS if d and s <= t}:
            died, there = (PAIRS[:, 0] == at) & (PAIRS[:, 1] == 1), PAIRS[:, 0] >= at
            survival *= 1 - Fraction(int(died.sum()), int(there.sum()))
        assert curve([t])[0] == pytest.approx(float(survival), abs=1e-14)
    assert kaplan_meier([(1, 1), (2, 0), (3, 0)]).median == np.inf
    assert kaplan_meier([(4, 0)]).survival.tolist() == []


R = """
suppressMessages(library(survival))
d <- read.csv("{path}")
test <- survdiff(Surv(time, event) ~ group, data = d)
curve <- summary(survfit(Surv(time, event) ~ 1, data = d))
cat(test$obs - test$exp, "\\n", curve$time, "\\n", curve$surv, "\\n")
"""


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="no Rscript (apt-get install r-cran-survival)")
def test_scores_and_curves_are_those_of_survival(tmp_path: Any) -> None:
    group = RNG.integers(0, 3, 40)
    table = np.column_stack([PAIRS, group])
    np.savetxt(tmp_path / "pairs.csv", table, delimiter=",", header="time,event,group", comments="")
    script = R.format(path=tmp_path / "pairs.csv")
    done = subprocess.run(["Rscript", "-e", script], capture_output=True, text=True, timeout=120, check=False)
    if "no package called" in done.stderr:
        pytest.skip("R has no package survival (apt-get install r-cran-survival)")
    assert not done.returncode, done.stderr
    excess, times, survival = ([float(x) for x in line.split()] for line in done.stdout.strip().splitlines())
    assert np.bincount(group, log_rank(PAIRS)) == pytest.approx(excess, abs=1e-5)
    assert kaplan_meier(PAIRS).times.tolist() == times
    assert kaplan_meier(PAIRS).survival == pytest.approx(survival, abs=1e-6)


def test_built_in_scores_are_values() -> None:
    for function in (log_rank, ranks, outputs, ordinal(LEVELS)):
        assert pickle.loads(pickle.dumps(function)) == function


NOT_BY_ROW: dict[str, Callable[[Any], Any]] = {
    "position": lambda y: y[:, 0] + np.arange(len(y)) / 100,
    "chance": lambda y: np.random.default_rng().random(len(y)),
    "features": lambda y: y[:, 0] - 0.1 * X[:, 0],  # residuals of a fit that was held fixed while rows move
    "groups": lambda y: np.ones((len(y), 1 + int(y[0, 0]))),  # as many columns as the first row says
}


@pytest.mark.parametrize("function", NOT_BY_ROW.values(), ids=NOT_BY_ROW)
def test_scores_that_do_not_go_with_the_rows_are_refused(function: Any) -> None:
    refused("got different scores after permuting the rows; use no", split_test, X, PAIRS, response_scores=function)


def test_several_columns_have_variance_one_together() -> None:
    columns = standardised(np.column_stack([PAIRS[:, 0] * 1e300, PAIRS[:, 0] * 1e-300, np.full(40, 7.0)]))
    assert (columns**2).mean(axis=0) == pytest.approx([1 / 3, 1 / 3, 0])
    assert columns[:, 0] == pytest.approx(columns[:, 1])


@pytest.mark.parametrize(
    ("y", "said"),
    [
        ([(-1, 1), (2, 0)], "times are not negative; got -1; drop or correct these rows"),
        ([(1, 1), (2, 2)], "events are 1, or 0 if the time is censored; got 2; pass time first, then event, recoded"),
        ([(1, 0.5), (2, 1)], "events are 1, or 0 if the time is censored; got 0.5"),
        ([(np.nan, 1), (2, 0)], "times are finite; got nan"),
        ([(1, np.nan), (2, 0)], "events are finite; got nan"),
        ([(np.inf, 1), (2, 0)], "times are finite; got inf"),
        ([1, 2], "responses are times and events; got shape (2,); pass two columns"),
        ([(1, 1, 1), (2, 0, 1)], "responses are times and events; got shape (2, 3)"),
        ([("soon", 1), ("late", 0)], "times are real numbers; got"),
        ([(1, 1), (2,)], "y has one entry for each row; got rows of several lengths"),
        (None, "y has one entry for each row; got None"),
        (np.ma.masked_less(PAIRS, 1), "labels have no masked entries; got 25 of them; fill them with numbers"),
    ],
)
@pytest.mark.parametrize("call", [log_rank, kaplan_meier])
def test_bad_times_and_events_get_one_sentence(call: Any, y: Any, said: str) -> None:
    refused(re.escape(said), call, y, error=(ValueError, TypeError))


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda y: y[:3], "response_scores returns an array (n,) or (n, k); got shape (3, 2) for n = 40; return one"),
        (lambda y: 1.0, "got shape () for n = 40"),
        (lambda y: np.zeros((40, 0)), "got shape (40, 0) for n = 40"),
        (lambda y: np.zeros((40, 1, 1)), "got shape (40, 1, 1) for n = 40"),
        (lambda y: np.full(40, np.inf), "response scores are finite; got inf"),
        (lambda y: np.array(["a"] * 40), "response scores are real numbers"),
        ("log_rank", "response_scores is a function of responses; got 'log_rank'; pass log_rank, ranks or your own"),
    ],
)
def test_bad_scores_get_one_sentence(function: Any, said: str) -> None:
    refused(re.escape(said), split_test, X, PAIRS, response_scores=function, error=(ValueError, TypeError))


def test_what_does_not_fit_is_said() -> None:
    refused("one entry for each of 3 rows; got 40 entries", split_test, X[:3], PAIRS, response_scores=log_rank)
    refused("response_scores makes numbers", split_test, X, PAIRS, response_scores=log_rank, response="classes")
    refused("labels are levels of ordinal; got 'none'; name every level", ordinal(LEVELS), ["low", "none"])
    for levels in (["a"], ["a", "a", "b"], [], "abc", {"a", "b"}, 3, [["a"], "b"]):
        refused("levels must be distinct classes, lowest first", ordinal, levels, error=(TypeError, ValueError))


def test_structured_arrays_and_frames_are_read() -> None:
    fields = np.array([(bool(d), t) for t, d in PAIRS], dtype=[("event", bool), ("time", float)])
    frame = pandas.DataFrame({"time": PAIRS[:, 0], "event": PAIRS[:, 1].astype(bool)})
    for y in (fields, frame, [(t, bool(d)) for t, d in PAIRS]):
        assert np.array_equal(log_rank(y), log_rank(PAIRS))
        assert split_test(X, y, response_scores=log_rank) == split_test(X, PAIRS, response_scores=log_rank)
    refused("got fields a", log_rank, np.zeros(3, dtype=[("a", float)]))


def test_the_best_cut_of_several_columns() -> None:
    """Plain sums over thresholds, and over all subsets of categories that one column orders."""
    y = RNG.normal(size=(40, 2)) @ np.array([[1.0, 0.4], [0.0, 2.0]])
    columns = (y - y.mean(axis=0)) / y.std(axis=0)

    def share(left: Any) -> float:
        parts = [left.mean() * columns[left].mean(axis=0) ** 2, (~left).mean() * columns[~left].mean(axis=0) ** 2]
        return float(np.sum(parts) / 2)

    found = split_test(X, y, response_scores=outputs)
    assert share(X[:, 0] <= found.threshold) == pytest.approx(max(share(X[:, 0] <= c) for c in range(39)))
    letters = np.array(list("abcde"))[RNG.integers(0, 5, 40)]
    columns[:, 1] += 2 * np.isin(letters, ["b", "d"])
    y = columns = (columns - columns.mean(axis=0)) / columns.std(axis=0)
    best = {s: share(np.isin(letters, s)) for m in range(1, 5) for s in combinations("abcde", m)}
    found = split_test(letters[:, None].astype(object), y, response_scores=outputs, categorical_features=[0])
    assert found.best is not None and best[found.best.left] == pytest.approx(max(best.values()))
    assert found.best.method != "exact"  # two columns of numbers are not two classes


def own(y: Any) -> Any:
    """A score that nobody knows, and that has an order."""
    return np.asarray(y, dtype=float).reshape(len(y), -1)[:, 0] ** 3


RISING = np.arange(40.0)
CENSORED = np.column_stack([RISING + 1, np.ones(40)])
ANY: dict[str, tuple[Any, Any]] = {
    "log_rank": (log_rank, CENSORED),
    "own": (own, CENSORED),
    "ranks of somebody": (lambda y: ranks(y), RISING),
    "outputs": (outputs, RISING),
    "ranks of times and events": (ranks, CENSORED),
    "outputs of several": (outputs, CENSORED),
    "ranks": (ranks, RISING),
    "ordinal": (ordinal(LEVELS), np.repeat(LEVELS, [14, 13, 13])),
}


@pytest.mark.parametrize("name", ANY)
@pytest.mark.parametrize("correction", ["bonferroni", "westfall-young"])
def test_scores_of_every_function_have_random_orders_and_evidence(name: str, correction: Any) -> None:
    """A column that orders the rows perfectly: no order of 99 scores as high, and evidence goes on below 1/100."""
    function, y = ANY[name]
    found = split_test(X, y, response_scores=function, correction=correction, n_permutations=99)
    assert found.features[0].method == "evidence" and found.features[0].p < 1 / 100
    assert found.pvalue == (1 / 100 if correction == "westfall-young" else found.features[0].p)
    if scores_of(function, np.asarray(y)).shape[1] == 1:
        how: dict[str, Any] = {"test": "node", "correction": correction, "max_depth": 1, "n_permutations": 99}
        kind = InferenceTreeClassifier if name == "ordinal" else InferenceTreeRegressor
        tree = kind(response_scores=function, random_state=0, **how).fit(X, y)
        assert tree.pvalues_[0] == pytest.approx(found.pvalue, rel=1e-9)


def test_ranks_are_those_that_heavy_numbers_have() -> None:
    y = np.sinh(np.random.default_rng(0).normal(size=60) * 3)
    x = np.argsort(np.argsort(y))[:, None] % 23
    one, other = split_test(x, y), split_test(x, y, response_scores=ranks)
    assert one.features[0].p == other.features[0].p and one.remarks and not other.remarks


def test_results_of_survival_times_say_that_they_are_approximate() -> None:
    said = (
        "Times and events are tested together, so a split may also be due to censoring that depends on a feature.",
        "Where it does, p by permutations is approximate; p by evidence holds if no other column moves both.",
    )
    found = split_test(X, PAIRS, response_scores=log_rank, n_permutations=99)
    assert found.remarks == said and str(found).endswith("\n".join(said))
    assert all(line in found._repr_html_() for line in said)
    for at in ("root", "node"):
        for test in ("selective", "node"):
            how: Any = {"response_scores_at": at, "test": test, "n_permutations": 39, "max_depth": 1}
            tree = InferenceTreeRegressor(response_scores=log_rank, **how).fit(X, PAIRS)
            assert "\n".join(said) in tree.export_text()
    for function in (outputs, ranks, own):
        assert split_test(X, PAIRS, response_scores=function, n_permutations=99).remarks == ()


def test_follow_up_that_differs_is_hardly_taken_for_survival_that_differs() -> None:
    """Entry at any time of eight years, a constant hazard, and the study closes after ten.

    Cut at quantiles, the scores of all these data sets were found to depend on the first column.
    """
    rng, sets, named, split = np.random.default_rng(0), 40, 0, 0
    for _ in range(sets):
        entry, time = rng.uniform(0, 8, 300).round(2), rng.exponential(1 / 0.15, 300)
        x = np.column_stack([entry, rng.normal(size=300)])
        y = np.column_stack([np.minimum(time, 10 - entry), time <= 10 - entry])
        named += split_test(x, y, response_scores=log_rank, n_permutations=99).rejected
        how: Any = {"test": "node", "correction": "bonferroni", "n_permutations": 99, "max_depth": 1}
        split += InferenceTreeRegressor(response_scores=log_rank, **how).fit(x, y).get_depth()
    assert max(named, split) <= binom.isf(1e-4, sets, 0.07)


HEAVY = np.random.default_rng(4).standard_t(1.5, 200)
HINT = "response_scores=ranks gives each row its say."


def test_a_few_responses_that_outweigh_the_others_are_told() -> None:
    x = np.random.default_rng(5).normal(size=(200, 2))
    found = split_test(x, HEAVY)
    assert found.remarks == (RANKED,) and RANKED in str(found) and RANKED in rank_features(x, HEAVY).remarks
    assert split_test(x[::-1] ** 2, HEAVY).remarks == split_test(x, 7 - 3e9 * HEAVY[::-1]).remarks == found.remarks
    assert HINT in InferenceTreeRegressor(n_permutations=39).fit(x, HEAVY).export_text()
    assert split_test(x, HEAVY, response_scores=ranks).remarks == ()
    assert HINT not in InferenceTreeRegressor(n_permutations=39, response_scores=ranks).fit(x, HEAVY).export_text()
    absolute = InferenceTreeRegressor(n_permutations=39, criterion="absolute_error", max_depth=1)
    assert HINT not in absolute.fit(x, HEAVY).export_text()


@pytest.mark.parametrize("name", ["normal", "uniform", "two numbers", "one number"])
def test_other_responses_are_tested_as_they_are(name: str) -> None:
    rng = np.random.default_rng(6)
    y = {"normal": rng.normal(size=200), "uniform": rng.random(200), "two numbers": np.arange(200) % 2 / 2,
         "one number": np.full(200, 0.5)}[name]  # fmt: skip
    assert split_test(np.arange(200.0)[:, None], y, n_permutations=99).remarks == ()
