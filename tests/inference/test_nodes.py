"""Tests of a node against every order of the labels, in Fractions; what each correction licenses, by exact figures."""

import math
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from node_oracle import arrangements, cuts, pvalues
from splitcrit.inference import split_test
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


@pytest.mark.parametrize("missing", ["side", "row"])
@pytest.mark.parametrize("least", [1, 2])
@pytest.mark.parametrize("name", COLUMNS)
def test_two_classes_are_exact(name: str, least: int, missing: Any) -> None:
    values, kind = COLUMNS[name]
    every = pvalues(LABELS, cuts(values, kind, missing), "gini", least)
    for order, p in every.items():
        found = split_test(
            frame([name]), order, correction=None, statistic="gini", min_samples_leaf=least, missing=missing
        )
        assert found.features[0].method == "exact"
        assert found.pvalue == pytest.approx(float(p), rel=1e-9)
        above = max((q for q in every.values() if q < p), default=Fraction(0))
        assert found.features[0].mid_p == pytest.approx(float((p + above) / 2), rel=1e-9)


@pytest.mark.parametrize("name", ["apart", "tied", "binary", "gaps"])
def test_two_classes_are_exact_by_sgini(name: str) -> None:
    every = pvalues(LABELS, cuts(*COLUMNS[name]), "sgini")
    for order, p in every.items():
        assert split_test(frame([name]), order, correction=None).pvalue == pytest.approx(float(p), rel=1e-9)


@pytest.mark.parametrize(("labels", "statistic"), [((0, 0, 1, 1, 2, 2), "gini"), ((1.5, 2, 4, 8, 8, 9.5), "variance")])
@pytest.mark.parametrize("name", ["apart", "gaps", "categories"])
def test_more_classes_and_numbers_are_near_what_every_order_gives(
    name: str, labels: tuple[Any, ...], statistic: str
) -> None:
    values, kind = COLUMNS[name]
    values = values[:6]
    exact: Any = tuple(Fraction(x) for x in labels) if statistic == "variance" else labels
    if statistic == "gini" and kind == "categories":
        pytest.skip("three classes have no order of categories that is best")
    every = pvalues(exact, cuts(values, kind), statistic)
    for order in arrangements(exact)[:: 1 + len(every) // 6]:
        y = [float(x) for x in order] if statistic == "variance" else order
        found = split_test(
            frame([name])[:6], y, correction="westfall-young", statistic="gini", n_permutations=2000, random_state=3
        )
        p = float(every[order])
        assert abs(found.features[0].p - p) < 5 * math.sqrt(p * (1 - p) / 2000) + 1e-3


MIXED = ["apart", "binary", "categories"]
EVERY = arrangements(LABELS)


def law_of(correction: str | None, **options: Any) -> list[tuple[float, Fraction]]:
    """The corrected p-value of every order of the labels."""
    X = frame(MIXED)
    found = [split_test(X, order, correction=correction, **options).pvalue for order in EVERY]  # type: ignore[arg-type]
    return [(p, Fraction(1, len(EVERY))) for p in found]


@pytest.mark.parametrize("statistic", ["sgini", "gini", "pairwise_gain"])
def test_corrected_pvalues_are_valid(statistic: str) -> None:
    plain, finer = law_of("bonferroni", statistic=statistic), law_of("discrete", statistic=statistic)
    assert valid(plain)
    assert valid(finer)
    assert valid(law_of("holm", statistic=statistic))
    assert all(ours <= p * NEAR for (ours, _), (p, _) in zip(finer, plain, strict=True))
    assert sum(p for p, _ in finer) < sum(p for p, _ in plain)
    assert not valid(law_of(None, statistic=statistic))


def test_the_discrete_correction_by_its_definition() -> None:
    each = [pvalues(LABELS, cuts(*COLUMNS[name]), "gini") for name in MIXED]
    for order in EVERY:
        least = min(law[order] for law in each)
        expected = sum(max((p for p in law.values() if p <= least), default=Fraction(0)) for law in each)
        found = split_test(frame(MIXED), order, correction="discrete", statistic="gini")
        assert found.pvalue == pytest.approx(min(1.0, float(expected)), rel=1e-9)


def test_westfall_and_young_nears_the_law_of_all_orders() -> None:
    each = [pvalues(LABELS, cuts(*COLUMNS[name]), "gini") for name in MIXED]
    smallest = {order: min(law[order] for law in each) for order in EVERY}
    for order in EVERY[::6]:
        ends = [
            sum(q < smallest[order] for q in smallest.values()),
            sum(q <= smallest[order] for q in smallest.values()),
        ]
        below, up_to = (
            end / len(EVERY) for end in ends
        )  # where p-values of two features are equal, chance orders them
        found = split_test(
            frame(MIXED), order, correction="westfall-young", statistic="gini", n_permutations=4000, random_state=1
        )
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


def smallest_ranks(X: np.ndarray, y: np.ndarray) -> float:
    """The limit of Westfall and Young's p-value, over all orders of the labels."""
    places, n = arrangements(tuple(y.tolist())), len(y)
    far = [[abs(n * int(x @ np.array(order)) - int(x.sum() * y.sum())) for order in places] for x in X.T]
    ranks = [[sum(other >= own for other in each) for own in each] for each in far]
    least = [min(own) for own in zip(*ranks, strict=True)]
    return sum(q <= least[places.index(tuple(y.tolist()))] for q in least) / len(least)


def test_westfall_and_young_finds_some_split_where_no_coin_may_be_named() -> None:
    chance = 0.0
    for counts in product(range(8), repeat=4):
        one, other = np.repeat([0, 0, 1, 1], counts), np.repeat([0, 1, 0, 1], counts)
        if sum(counts) == 7 and smallest_ranks(np.stack([one, other], axis=1), one ^ other) <= 1 / 7 * NEAR:
            chance += math.factorial(7) / math.prod(map(math.factorial, counts)) / 4**7
    assert chance == pytest.approx(413 / 2048)
    found = split_test([[0], [0], [0], [0], [1], [1], [1], [1]], [0] * 4 + [1] * 4, correction="westfall-young")
    assert found.rejected
    assert "none may be named" in found.licence


# Randomised p-values.


def test_randomised_pvalues_are_uniform() -> None:
    rng = np.random.default_rng(5)
    X, drawn = frame(["binary"]), []
    for order in EVERY * 8:
        found = split_test(X, order, correction=None, randomised=True, random_state=rng)
        plain = split_test(X, order, correction=None).features[0]
        above = 2 * plain.mid_p - plain.p
        assert above - 1e-9 <= found.pvalue <= plain.p + 1e-9
        assert found.features[0].mid_p == plain.mid_p
        drawn.append(found.pvalue)
    assert stats.kstest(drawn, "uniform").pvalue > 0.01


def test_under_the_null_features_are_chosen_equally_often_by_randomised_pvalues() -> None:
    rng = np.random.default_rng(8)
    chosen = {True: Counter[Any](), False: Counter[Any]()}
    for _ in range(250):
        X = np.stack([rng.integers(0, 2, 12), rng.permutation(12)], axis=1)
        y = rng.permutation([0] * 6 + [1] * 6)
        for randomised in chosen:
            found = split_test(X, y, correction=None, randomised=randomised, random_state=rng)
            chosen[randomised][found.feature] += 1
    assert abs(chosen[True][0] - 125) < 3 * math.sqrt(62.5)
    assert abs(chosen[False][0] - 125) > 4 * math.sqrt(62.5)


@pytest.mark.parametrize("correction", ["bonferroni", "discrete", "westfall-young"])
def test_randomised_pvalues_of_permutations_and_corrections(correction: Any) -> None:
    found = split_test(
        frame(MIXED), [0, 1, 2, 0, 1, 2, 0], correction=correction, randomised=True, n_permutations=199, random_state=0
    )
    assert found.permutations == 199
    assert 0 < found.pvalue <= 1
    one = found.features[0]
    assert abs(one.p - one.mid_p) < 0.2
    if correction != "westfall-young":
        assert found.pvalue == pytest.approx(min(1.0, 3 * min(f.p for f in found.features)))


# Permutations.


def test_drawing_stops_when_every_feature_has_been_reached() -> None:
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 3, 40)
    found = split_test(X, y, n_permutations=5000, random_state=0)
    assert found.permutations < 5000
    assert all(20 / f.p == pytest.approx(round(20 / f.p)) for f in found.features)
    assert split_test(X, y, n_permutations=5000, correction="westfall-young", random_state=0).permutations == 5000
    signal = split_test(np.where(y == 0, 5.0, X[:, 0])[:, None], y, n_permutations=500, random_state=0)
    assert signal.pvalue == pytest.approx(1 / 501)


def test_too_few_permutations_for_the_level_are_refused() -> None:
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(12, 10)), [0, 1, 2] * 4
    with pytest.raises(ValueError, match=r"10 feature.* at level 0.05 need at least 199 permutations"):
        split_test(X, y, n_permutations=198)
    assert split_test(X, y, n_permutations=199).pvalue > 0
    assert split_test(X, [0, 1] * 6, n_permutations=1).permutations == 0
    assert split_test(X, y, n_permutations=19, correction="westfall-young").permutations == 19
    with pytest.raises(ValueError, match="19 permutations"):
        split_test(X, y, n_permutations=18, correction="westfall-young")


def test_a_seed_decides() -> None:
    X, y = frame(MIXED), [0, 1, 2, 0, 1, 2, 0]
    assert split_test(X, y, random_state=4) == split_test(X, y, random_state=4)


# Inputs.


def test_an_ordered_dtype_is_cut_in_its_order() -> None:
    sizes = pd.Categorical(["s", "m", "l", "s", "m", "l", None], ["s", "m", "l"], ordered=True)
    found = split_test(pd.DataFrame({"size": sizes}), [0, 0, 1, 0, 0, 1, 1])
    numbers = split_test([[0], [1], [2], [0], [1], [2], [None]], [0, 0, 1, 0, 0, 1, 1])
    assert found.pvalue == pytest.approx(numbers.pvalue)
    assert (found.features[0].kind, found.threshold, found.features[0].cut) == ("ordered", "m", "size <= m")


def test_counts_stand_for_equal_rows() -> None:
    X, y, counts = [[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"], [2, 1, 3, 0]
    repeated = np.repeat(X, counts, axis=0)
    assert split_test(X, y, sample_weight=counts) == split_test(repeated, np.repeat(y, counts))


def test_features_without_a_cut_are_never_chosen() -> None:
    found = split_test([[1, 5], [1, 6]], [0, 1])
    assert (found.features[0].p, found.features[0].method, found.features[0].cut) == (1.0, "no cut", "")
    assert split_test([[1, 5], [1, 6]], [0, 1], randomised=True, random_state=1).features[0].p == 1.0
    nothing = split_test([[1.0], [1.0]], [0, 1])
    assert (nothing.pvalue, nothing.feature, nothing.name, nothing.score, nothing.rejected) == (
        1.0,
        None,
        None,
        None,
        False,
    )
    assert split_test([[1.0], [2.0]], ["a", "a"]).pvalue == 1.0
    assert split_test([[1.0], [2.0], [3.0]], [0.5, 0.5, 0.5]).pvalue == 1.0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"correction": "sidak"}, "a correction is one of"),
        ({"statistic": "entropy"}, "a statistic is one of"),
        ({"missing": "error"}, "missing is one of"),
        ({"response": "ranks"}, "a response is one of"),
        ({"alpha": 1.0}, "alpha is a number strictly between 0 and 1"),
        ({"alpha": 0}, "alpha is a number strictly between 0 and 1"),
        ({"n_permutations": 0}, "n_permutations is an integer from 1"),
        ({"min_samples_leaf": 0}, "min_samples_leaf is an integer from 1"),
        ({"randomised": 1}, "randomised is True or False"),
        ({"random_state": "x"}, "rng is what numpy.random.default_rng takes"),
        ({"sample_weight": [0.5, 1, 1, 1]}, "weights of a test are counts"),
        ({"categorical_features": [3]}, "categorical_features is a mask"),
        ({"y": [0, 1]}, "y has one entry for each row"),
        ({"y": [0, 1, 2, 3], "statistic": "pairwise_gain"}, "a pairwise gain is one of two classes"),
        ({"y": [0.5, 1, 2, 3], "statistic": "pairwise_gain"}, "a pairwise gain is one of two classes"),
        ({"y": [0.5, 1, 2, np.nan]}, "responses are finite"),
        ({"X": [[np.inf], [1], [2], [3]]}, "features are finite numbers"),
        ({"X": [["a"], ["b"], ["a"], ["c"]]}, "features are numbers"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(options: dict[str, Any], said: str) -> None:
    chosen: dict[str, Any] = {"X": [[1], [2], [3], [4]], "y": [0, 1, 0, 1]} | options
    with pytest.raises((ValueError, TypeError), match=said) as caught:
        split_test(chosen.pop("X"), chosen.pop("y"), **chosen)
    assert str(caught.value).count(";") >= 2


@pytest.mark.parametrize(("gap", "words"), [("no", "x0 <= 3.5 or missing"), ("yes", "x0 <= 3.5")])
def test_the_best_cut_says_where_missing_values_go(gap: str, words: str) -> None:
    test = split_test([[1], [2], [None], [5], [6], [None], [7]], ["no", "no", gap, "yes", "yes", gap, "yes"])
    assert (test.features[0].cut, test.features[0].missing_left) == (words, gap == "no")
    assert test.threshold == 3.5
