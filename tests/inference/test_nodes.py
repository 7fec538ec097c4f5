"""Tests of a node against every order of the labels, in Fractions; what each correction licenses, by exact figures."""

import math
from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.stats import binom

from node_oracle import arrangements, column_pvalues, cuts, pvalues
from refusals import refused
from splitcrit.columns import log_rank, rank_features
from splitcrit.columns.column_tests import DRAWN, EVIDENCE, HOPELESS, ColumnTest
from splitcrit.inference import split_test
from splitcrit.inference.selection import SplitSelector, selected_score
from validity import NEAR, valid

NAN = None
COLUMNS: dict[str, tuple[list[Any], str]] = {
    "apart": ([3, 1, 2, 6, 5, 4, 7], "numeric"),
    "tied": ([1, 1, 2, 2, 2, 3, 3], "numeric"),
    "binary": ([0, 1, 0, 0, 1, 0, 0], "numeric"),
    "gaps": ([2, NAN, 1, 3, NAN, 2, 4], "numeric"),
    "categories": (["a", "b", "c", "a", "b", "c", "a"], "categories"),
    "categories with gaps": (["a", NAN, "c", "a", "c", "c", NAN], "categories"),
}
LABELS = (0, 0, 0, 0, 1, 1, 1)


def frame(names: list[str]) -> pd.DataFrame:
    kinds = {"numeric": float, "categories": "category"}
    return pd.DataFrame({name: pd.Series(COLUMNS[name][0]).astype(kinds[COLUMNS[name][1]]) for name in names})


@pytest.mark.each_value
@pytest.mark.parametrize("missing", ["side", "row"])
@pytest.mark.parametrize("least", [1, 2])
@pytest.mark.parametrize("name", COLUMNS)
def test_two_classes_are_exact(name: str, least: int, missing: Any) -> None:
    values, kind = COLUMNS[name]
    for order, p in column_pvalues(LABELS, values, kind, "gini", least, missing).items():
        options = {"correction": None, "min_samples_leaf": least, "missing": missing}
        found = split_test(frame([name]), order, statistic="gini", **options)
        assert found.features[0].method == "exact"
        assert found.pvalue == pytest.approx(float(p), rel=1e-9)


MIXED = ["apart", "binary", "categories"]
WITH_GAPS = ["gaps", "binary", "categories with gaps"]
EVERY = arrangements(LABELS)


def law_of(correction: str | None, names: list[str] = MIXED, **options: Any) -> list[tuple[float, Fraction]]:
    """The corrected p-value of every order of the labels."""
    X = frame(names)
    found = [split_test(X, order, correction=correction, **options).pvalue for order in EVERY]  # type: ignore[arg-type]
    return [(p, Fraction(1, len(EVERY))) for p in found]


@pytest.mark.parametrize(
    "options",
    [{"statistic": "sgini"}, {"statistic": "gini"}, {"statistic": "pairwise_gain"},
     {"names": WITH_GAPS, "missing": "side"}, {"names": WITH_GAPS, "missing": "row"}],
    ids=str,
)  # fmt: skip
def test_corrected_pvalues_are_valid(options: dict[str, Any]) -> None:
    plain, finer, holm, none = (law_of(by, **options) for by in ("bonferroni", "discrete", "holm", None))
    assert valid(plain) and valid(finer) and valid(holm) and not valid(none)
    assert all(ours <= p * NEAR for (ours, _), (p, _) in zip(finer, plain, strict=True))
    assert sum(p for p, _ in finer) < sum(p for p, _ in plain)


THREE_ROWS = pd.DataFrame({"gaps": [1, None, 1], "kind": pd.Categorical(["a", "b", "b"])})


class Listed:
    """A generator whose random orders are those of a list."""

    def __init__(self, orders: list[tuple[int, ...]]) -> None:
        self.orders = orders

    def permuted(self, *_: Any, **__: Any) -> Any:
        return np.array(self.orders)


def law_of_draws(monkeypatch: pytest.MonkeyPatch, y: tuple[float, ...], missing: Any) -> list[tuple[float, Fraction]]:
    """The corrected p-value under every order of the labels and every pair of random orders of three rows."""
    found, orders = [], arrangements(y)
    pairs = list(product(permutations(range(3)), repeat=2))
    for order in orders:
        for pair in pairs:
            monkeypatch.setattr(np.random, "default_rng", lambda seed, pair=pair: Listed(list(pair)))
            how: dict[str, Any] = {"correction": "westfall-young", "n_permutations": 2, "alpha": 0.9}
            with monkeypatch.context() as patched:
                patched.setattr("splitcrit.inference.node_test.column_test", lambda *_, **__: FLAT)
                patched.setattr("splitcrit.inference.node_test.alarms", lambda *_: ())
                test = split_test(THREE_ROWS, order, missing=missing, **how)
            found.append((test.pvalue, Fraction(1, len(pairs) * len(orders))))
    monkeypatch.undo()
    return found


FLAT = ColumnTest(0.0, 0.0, 1.0, 0.0, DRAWN, cut=3, statistic="table")  # the test of a column draws orders of its own


@pytest.mark.parametrize(
    ("y", "missing"), [((0, 1, 2), "side"), ((0.5, 0.5, 2), "row"), ((0.5, 0.5, 2), "side"), ((0, 0, 1), "row")]
)
def test_pvalues_of_joint_orders_are_valid(monkeypatch: pytest.MonkeyPatch, y: tuple[float, ...], missing: str) -> None:
    assert valid(law_of_draws(monkeypatch, y, missing))


def test_random_orders_that_leave_out_the_observed_one_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "splitcrit.inference.node_test.westfall_young", lambda minima, p: np.mean(np.array(minima) <= p)
    )
    assert not valid(law_of_draws(monkeypatch, (0, 0, 1), "side"))


def test_the_discrete_correction_by_its_definition() -> None:
    """Of one cut, or of categories, what can occur; of cuts and ranks what the cut can have, and half of the level."""
    names = ["binary", "categories"]
    each = [column_pvalues(LABELS, *COLUMNS[name], "gini") for name in names]
    for order in EVERY:
        least = min(law[order] for law in each)
        expected = sum(max((p for p in law.values() if p <= least), default=Fraction(0)) for law in each)
        found = split_test(frame(names), order, correction="discrete", statistic="gini")
        assert found.pvalue == pytest.approx(min(1.0, float(expected)), rel=1e-9)


def test_westfall_and_young_nears_the_law_of_all_orders() -> None:
    names = ["binary", "categories"]
    each = [pvalues(LABELS, cuts(*COLUMNS[name]), "gini") for name in names]
    smallest = {order: min(law[order] for law in each) for order in EVERY}
    for order in EVERY[::6]:
        below = np.mean([q < smallest[order] for q in smallest.values()])
        up_to = np.mean([q <= smallest[order] for q in smallest.values()])  # chance orders equal p-values
        options = {"correction": "westfall-young", "n_permutations": 4000, "random_state": 1}
        found = split_test(frame(names), order, statistic="gini", **options)
        assert below - 0.03 < found.pvalue < up_to + 0.03


# What may be said: labels that are the exclusive or of two coins depend on neither alone.


def exclusive_or(n: int, correction: str) -> Counter[float]:
    """The law of the corrected p-value over all samples of two fair coins and their exclusive or."""
    law: Counter[float] = Counter()
    for counts in product(range(n + 1), repeat=4):
        if sum(counts) == n:
            one, other = np.repeat([0, 0, 1, 1], counts), np.repeat([0, 1, 0, 1], counts)
            found = split_test(np.stack([one, other], axis=1), one ^ other, correction=correction)  # type: ignore[arg-type]
            law[round(found.pvalue, 12)] += math.factorial(n) / math.prod(map(math.factorial, counts)) / 4**n
    return law


def test_bonferroni_names_no_coin_falsely_and_the_discrete_correction_may() -> None:
    plain, finer = exclusive_or(7, "bonferroni"), exclusive_or(7, "discrete")
    assert all(sum(c for q, c in plain.items() if q <= p) <= p * NEAR for p in plain)
    assert sum(c for q, c in finer.items() if q <= 1 / 7 * NEAR) == pytest.approx(413 / 2048)  # which is above 1/7


# Permutations.


def test_drawing_stops_at_the_twentieth_order_that_scores_as_high() -> None:
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 3, 40)
    found = split_test(X, y, n_permutations=5000)
    assert found.permutations == 0 and {f.method for f in found.features} == {DRAWN}
    for f in found.features:  # 20 over the draws that it took, over .95
        assert f.p == 1 or 20 / f.p / 0.95 == pytest.approx(round(20 / f.p / 0.95))
    assert split_test(X, y, n_permutations=500, correction="westfall-young").permutations == 500
    signal = split_test(np.where(y == 0, 5.0, X[:, 0])[:, None], y, n_permutations=500)
    assert signal.pvalue < 1e-5 and signal.features[0].method == EVIDENCE
    ranked = split_test(X, y, n_permutations=500, correction="westfall-young")
    assert [f.p for f in ranked.features] == [f.p for f in split_test(X, y, n_permutations=500).features]
    assert min(f.adjusted for f in ranked.features) >= 1 / 501


def test_too_few_permutations_for_ranks_at_the_level_are_refused() -> None:
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(12, 10)), [0, 1, 2] * 4
    assert split_test(X, y, n_permutations=19).pvalue > 0  # evidence beside the orders has no floor
    assert split_test(X, [0, 1] * 6, n_permutations=1).permutations == 0
    assert split_test(X, y, n_permutations=19, correction="westfall-young").permutations == 19
    with pytest.raises(ValueError, match=r"18 permutations at level 0.05; pass n_permutations=19 or more$"):
        split_test(X, y, n_permutations=18, correction="westfall-young")


# Inputs.


def test_an_ordered_dtype_is_cut_in_its_order() -> None:
    sizes = pd.Categorical(["s", "m", "l", "s", "m", "l", None], ["s", "m", "l"], ordered=True)
    found = split_test(pd.DataFrame({"size": sizes}), [0, 0, 1, 0, 0, 1, 1])
    numbers = split_test([[0], [1], [2], [0], [1], [2], [None]], [0, 0, 1, 0, 0, 1, 1])
    assert found.pvalue == pytest.approx(numbers.pvalue)
    assert (found.features[0].kind, found.threshold, found.features[0].cut) == ("ordered", "m", "size <= m")


def test_features_without_a_cut_are_never_chosen() -> None:
    found = split_test([[1, 5], [1, 6]], [0, 1])
    assert (found.features[0].p, found.features[0].method, found.features[0].cut) == (1.0, "no cut", "")
    assert (found.feature, found.pvalue) == (1, 1.0)
    nothing = split_test([[1.0], [1.0]], [0, 1])
    assert (nothing.pvalue, nothing.feature, nothing.name, nothing.score) == (1.0, None, None, None)
    assert nothing.rejected is False
    assert split_test([[1.0], [2.0]], ["a", "a"]).pvalue == 1.0
    assert split_test([[1.0], [2.0], [3.0]], [0.5, 0.5, 0.5]).pvalue == 1.0
    drawn = split_test([[1.0], [2.0], [3.0], [4.0]], [0.5, 1.0, 2.0, 3.0]).features[0]
    assert 0 < drawn.p < 1 and drawn.log_p == pytest.approx(math.log(drawn.p), rel=1e-12)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"min_samples_leaf": 0}, "min_samples_leaf is an integer from 1"),
        ({"sample_weight": [0.5, 1, 1, 1]}, "weights of a permutation test are counts of rows"),
        ({"X": {"a": [1, 2, 3, 4]}}, "got 0 axes; pass an array or a data frame, such as pandas"),
        ({"sample_weight": [1, 1], "y": [0, 1, None, 1]}, "sample weights are one number for each of 4 rows"),
        ({"categorical_features": [3]}, "categorical_features must be a mask"),
        ({"y": [0, 1]}, "y has one entry for each of 4 rows"),
        ({"y": [0, 1, 2, 3], "statistic": "pairwise_gain"}, "a pairwise gain is one of two classes"),
        ({"y": [0.5, 1, 2, 3], "statistic": "pairwise_gain"}, "a pairwise gain is one of two classes"),
        ({"y": [0.5, 1, 2, np.inf]}, "a numeric target must be finite"),
        ({"X": [[{}], [1], [2], [3]]}, "got dict in 0; leave the column out"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(options: dict[str, Any], said: str) -> None:
    chosen: dict[str, Any] = {"X": [[1], [2], [3], [4]], "y": [0, 1, 0, 1]} | options
    error = refused(said, split_test, chosen.pop("X"), chosen.pop("y"), error=(ValueError, TypeError), **chosen)
    assert str(error).count(";") >= 2


@pytest.mark.parametrize("gap", [None, float("nan"), np.datetime64("NaT")], ids=["None", "nan", "NaT"])
def test_rows_without_a_label_are_left_out_and_counted(gap: Any) -> None:
    x, y = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], ["no", "no", gap, "yes", gap, "yes"]
    whole = split_test([x[i] for i in (0, 1, 3, 5)], ["no", "no", "yes", "yes"])
    assert split_test(x, y).features == whole.features
    assert split_test(x, y).remarks == (HOPELESS.format("'x0' (0.17)"), "left out, without a target: 2 rows.")
    counted = split_test(x, y, sample_weight=[1, 2, 9, 1, 9, 1])
    assert counted.features == split_test([x[i] for i in (0, 1, 1, 3, 5)], ["no", "no", "no", "yes", "yes"]).features
    with pytest.warns(UserWarning, match="cannot pass"):
        assert selected_score(np.array(x), np.array(y, dtype=object))[1].tolist() == [whole.features[0].p]
    refused("y has no gaps; got a missing entry; drop the rows without one", SplitSelector().fit, x, y)


def test_counts_are_repeated_rows_and_rows_of_count_0_have_no_say() -> None:
    """Neither about bins of many values nor about whether labels are classes."""
    rng = np.random.default_rng(0)
    x, times = rng.normal(size=(3000, 2)), rng.integers(0, 3, 3000)
    y = np.where(times == 0, 0.5, x[:, 0] + rng.normal(size=3000) > 0)
    counted = split_test(x, y, sample_weight=times)
    assert counted.features == split_test(np.repeat(x, times, axis=0), np.repeat(y, times)).features


@pytest.mark.parametrize(("gap", "words"), [("no", "x0 <= 3.5 or missing"), ("yes", "x0 <= 3.5")])
def test_the_best_cut_says_where_missing_values_go(gap: str, words: str) -> None:
    test = split_test([[1], [2], [None], [5], [6], [None], [7]], ["no", "no", gap, "yes", "yes", gap, "yes"])
    assert (test.features[0].cut, test.features[0].missing_left) == (words, gap == "no")
    assert test.threshold == 3.5


# No order of the columns, no name and no call changes an answer.


def test_equal_pvalues_are_told_apart_by_the_score_and_then_by_name() -> None:
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1, 2], 40)
    strong, weak = y + 0.01 * rng.normal(size=120), y + 1.2 * rng.normal(size=120)
    x = pd.DataFrame({"a weak one": weak, "strong": strong, "and the same again": strong})
    for columns in (["a weak one", "strong", "and the same again"], ["strong", "and the same again", "a weak one"]):
        found = split_test(x[columns], y, correction="westfall-young", n_permutations=99)
        assert len({f.adjusted for f in found.features}) == 1 and found.name == "and the same again"


def test_the_feature_with_the_largest_share_of_the_variance_is_named() -> None:
    from sklearn.datasets import load_diabetes

    x, y = load_diabetes(return_X_y=True, as_frame=True)
    for columns in (x.columns, x.columns[::-1]):
        found = split_test(x[columns], y)
        assert found.name == "s5" and found.features[list(columns).index("s5")].method == EVIDENCE
        assert found.pvalue < 1e-15


def test_a_drawn_pvalue_says_its_error_and_two_calls_agree() -> None:
    rng = np.random.default_rng(0)
    x = pd.DataFrame({"word": pd.Categorical(rng.choice(list("abcdefgh"), 90))})
    y = rng.normal(size=90) + (x["word"] == "a") * 0.7
    first, second = (split_test(x, y, random_state=seed).features[0] for seed in (7, np.int64(7)))
    assert first == second and first.method == "permutations" and 0 < (first.standard_error or 0) < 0.2
    assert "permutations (+- " in str(split_test(x, y))
    other = split_test(x, y, random_state=1, n_permutations=4999).features[0]
    assert abs(first.p - other.p) < 4 * math.hypot(first.standard_error or 0, other.standard_error or 0)


# What is missing.


def left_out(kind: str, rng: np.random.Generator, ill: np.ndarray, effect: float = 0.0) -> Any:
    """A column that is missing more often among the ill; its values depend on the illness by ``effect``."""
    values = rng.normal(size=len(ill)).round(1) + effect * ill
    gone = rng.random(len(ill)) < np.where(ill, 0.5, 0.1)
    if kind == "numeric":
        return np.where(gone, np.nan, values)
    names = np.select([values < -0.5, values < 0.5], ["a", "b"], "c").astype(object)
    names[gone] = None
    return pd.Categorical(names, ["a", "b", "c"], ordered=kind == "ordered")


@pytest.mark.parametrize(
    ("kind", "missing", "labels"),
    [
        ("numeric", "side", "two"), ("numeric", "row", "three"), ("ordered", "side", "numbers"),
        ("ordered", "row", "numbers"), ("categories", "side", "three"), ("categories", "row", "two"),
    ],
)  # fmt: skip
def test_a_column_that_tells_by_what_is_missing_alone_is_remarked(kind: str, missing: Any, labels: str) -> None:
    rng = np.random.default_rng(2)
    ill = rng.random(300) < 0.4
    y = {"two": ill, "three": ill + (rng.random(300) < 0.3)}.get(labels, 2.0 * ill + rng.normal(size=300))
    other = rng.normal(size=300)
    for effect, said in ((0.0, True), (1.5, False)):
        X = pd.DataFrame({"lab": left_out(kind, rng, ill, effect), "other": other})
        found = split_test(X, y, missing=missing)
        assert found.rejected and found.name == "lab"
        assert [remark.split(":")[0] for remark in found.remarks] == ["lab"] * said
        assert all(remark in str(found) and remark in found._repr_html_() for remark in found.remarks)


def test_the_two_pvalues_of_what_is_missing_are_those_of_the_exact_table_and_of_the_rows_that_are_there() -> None:
    rng = np.random.default_rng(3)
    ill = (rng.random(300) < 0.4).astype(int)
    lab = left_out("numeric", rng, ill)
    there = ~np.isnan(lab)
    (remark,) = split_test(lab[:, None], ill).remarks
    law, both = stats.hypergeom(300, there.sum(), ill.sum()), (there & (ill > 0)).sum()
    counts = np.arange(ill.sum() + 1)
    tails = law.pmf(counts[np.abs(counts - law.mean()) >= abs(both - law.mean()) - 1e-9]).sum()
    own = split_test(lab[there][:, None], ill[there]).pvalue
    assert f"p = {tails:.2g})" in remark and f"(p = {own:.2g})" in remark
    assert f"in the {there.sum()} rows" in remark


def test_nothing_is_remarked_where_no_column_is_rejected_or_none_is_missing() -> None:
    rng = np.random.default_rng(4)
    ill = rng.random(200) < 0.4
    lab = left_out("numeric", rng, ill)
    assert split_test(lab[:, None], rng.permutation(ill)).remarks == ()
    assert split_test(np.isnan(lab)[:, None], ill).remarks == ()


@pytest.mark.parametrize("y", [[None] * 4, np.full(4, np.nan), np.ma.masked_all(4)])
def test_rows_without_any_label_are_no_test(y: Any) -> None:
    refused("a test needs labels; got none; pass rows that have one", split_test, np.arange(4.0)[:, None], y)


def entering(seed: int, most: float = 8.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Entry into a study that closes at ten, survival that it does not drive, and how long rows are followed."""
    rng = np.random.default_rng(seed)
    entry, life = rng.uniform(0, most, 200), rng.exponential(1 / 0.15, 200)
    return entry, np.column_stack([np.minimum(life, 10 - entry), life <= 10 - entry]), 10 - entry


def test_survival_that_is_cut_back_is_that_of_the_rows_with_enough_follow_up() -> None:
    entry, y, limits = entering(1)
    found = split_test(entry[:, None], y, response_scores=log_rank, follow_up=limits)
    times = [(c * (limits >= c).sum(), c) for c in limits]
    common = max(times)[1]
    here = limits >= common
    cut = np.column_stack([np.minimum(y[:, 0], common), y[:, 1] * (y[:, 0] <= common)])[here]
    alone = split_test(entry[here, None], cut, response_scores=log_rank)
    assert found.features == alone.features
    said = f"Followed up to {common:g}: {here.sum()} of 200 rows count."
    assert found.remarks == (f"{said} Other censoring must be unrelated to the features.",)
    times = 1 + 9 * (limits < 3)
    twice = split_test(entry[:, None], y, response_scores=log_rank, follow_up=limits, sample_weight=times)
    entry, y, limits = (np.repeat(each, times, axis=0) for each in (entry, y, limits))
    assert twice.features == split_test(entry[:, None], y, response_scores=log_rank, follow_up=limits).features


def test_entry_that_drives_follow_up_alone_is_named_at_most_as_often_as_the_level_says() -> None:
    """With cuts of the score by quantiles of time, which nothing cut back, entry would be named nearly always."""
    named = {"cut back": 0, "died before 5": 0}
    for seed in range(60):
        entry, y, limits = entering(seed)
        named["cut back"] += split_test(entry[:, None], y, response_scores=log_rank, follow_up=limits).rejected
        seen = (y[:, 0] < 5) & (y[:, 1] == 1)  # a label that follow-up drives
        named["died before 5"] += split_test(entry[:, None], seen).rejected
    assert binom.sf(named["cut back"] - 1, 60, 0.05) > 1e-3
    assert binom.sf(named["died before 5"] - 1, 60, 0.05) < 1e-3


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"follow_up": [9.0] * 200}, "follow_up= is of survival; got other responses"),
        ({"follow_up": [1.0] * 200, "response_scores": log_rank}, "no row is seen for longer than it could be"),
        ({"follow_up": [9.0] * 199, "response_scores": log_rank}, "one .* for each"),
        ({"follow_up": [np.nan] * 200, "response_scores": log_rank}, "follow-up"),
    ],
)
def test_no_other_follow_up(given: dict[str, Any], said: str) -> None:
    entry, y, _ = entering(0)
    with pytest.raises((ValueError, TypeError), match=said):
        split_test(entry[:, None], y if "response_scores" in given else y[:, 1], **given)


@pytest.mark.parametrize(
    "x",
    [
        [1000000.1] * 4 + [1000000.2] * 4, [1.0] * 4 + [float(np.nextafter(1.0, 2.0))] * 4,
        np.linspace(1e6, 1e6 + 1, 2_000), np.repeat(np.array(["2020-01-01", "2020-01-02"], "M8[us]"), 4),
    ],
    ids=["close", "neighbours", "bins", "days"],
)  # fmt: skip
def test_a_printed_cut_divides_the_rows_as_it_says_in_tests_and_rankings(x: Any) -> None:
    x, y = np.asarray(x), np.arange(len(x)) >= len(x) // 2
    test, ranked = split_test(pd.DataFrame({"x": x}), y).features[0], rank_features({"x": x}, y).features[0]
    assert test.cut == f"x {ranked.cut}"
    cut = x.dtype.type(ranked.cut.removeprefix("<= "))
    assert ((x <= cut) == (x <= test.threshold)).all() and (x > cut).any()


def test_a_feature_without_any_value_is_none_to_a_target_of_numbers() -> None:
    x = np.arange(40.0)
    empty, full = split_test(np.column_stack([np.full(40, np.nan), x]), x).features
    assert (empty.p, empty.cut, empty.effect) == (1.0, "", None) and full.p < 0.001
