"""One observation a group: levels over all orders of the values, what is refused, and one p by every entry."""

from itertools import permutations, product
from math import factorial
from typing import Any

import numpy as np
import pandas as pd
import pytest

from node_oracle import arrangements
from refusals import refused
from splitcrit import rank_features
from splitcrit.inference import SplitSelector, selected_score, split_test
from splitcrit.nulls.groups import Dependence, TooFewArrangements, as_numbers, check_arrangements, dependence_of, moved
from splitcrit.nulls.table_pvalues import refuse_class_weights

PATIENT = np.repeat(np.arange(40), 5)


def patients(seed: int, effect: float = 0.0) -> tuple[Any, Any, Any]:
    """Three columns and a label of forty patients, 10 % of whose five rows have another, and numbers."""
    rng = np.random.default_rng(seed)
    u = rng.normal(size=(40, 3))
    label = (rng.normal(size=40) + effect * u[:, 0] > 0).astype(int)[PATIENT]
    numbers = (rng.normal(size=40) + effect * u[:, 0])[PATIENT] + rng.normal(size=200)
    return u[PATIENT], np.where(rng.random(200) < 0.1, 1 - label, label), numbers


def test_labels_of_groups_are_theirs_or_their_means_in_any_order_of_the_rows() -> None:
    numbers = Dependence(np.zeros(6, dtype=int))
    y = np.array([0.1, 0.2, 0.3, 1e16, 1.0, -1e16])[:, None]
    refused("needs 20 arrangements", check_arrangements, [1, 2, 3])
    assert len({numbers.labels(y[list(order)]).item() for order in permutations(range(6))}) == 1
    many = Dependence(np.repeat(np.arange(8), 2))
    shares = many.labels(np.array([0, 1] * 4 + [1, 1] * 4))
    assert shares.tolist() == [[0.5]] * 4 + [[1.0]] * 4
    three = many.labels(np.array([0, 1] * 4 + [2, 2] * 4))
    assert three.tolist() == [[0.5, 0.5, 0.0]] * 4 + [[0.0, 0.0, 1.0]] * 4


def test_level_over_all_orders_of_the_values_of_five_groups() -> None:
    """Of all orders of the values, given sizes and labels, a share of at most t has p up to t; by rows it has more."""
    codes = np.repeat(np.arange(5), [1, 4, 2, 5, 3])
    label = np.array([0, 1, 1, 0, 1])[codes]
    refused("got 10;", split_test, np.arange(5.0)[codes][:, None], label, groups=codes)
    numbers = np.array([0.0, 0.4, 0.9, 1.5, 2.2])[codes]
    by_groups, by_rows = [], []
    for i, order in enumerate(permutations(range(5))):
        x = np.array(order, dtype=float)[codes][:, None]
        by_groups.append(split_test(x, numbers, groups=codes, response="numbers").pvalue)
        if i % 5 == 0:
            by_rows.append(split_test(x, numbers, response="numbers", n_permutations=99).pvalue)
    for t in (0.05, 0.1, 0.3):
        assert np.mean(np.array(by_groups) <= t) <= t
    assert np.mean(np.array(by_rows) <= 0.05) > 0.3


@pytest.mark.parametrize("kind", ["constant", "varying", "numbers", "three classes", "gaps", "strata"])
def test_one_p_by_every_entry(kind: str, tmp_path: Any) -> None:
    x, label, numbers = patients(5, 1)
    three = np.where(np.random.default_rng(0).random(200) < 0.2, 2, label)
    y: Any = {"constant": label[::5][PATIENT], "numbers": numbers, "three classes": three}.get(kind, label)
    if kind == "gaps":
        x[:10, 0], y = np.nan, np.where(np.arange(200) % 9 == 0, np.nan, y)
    frame = pd.DataFrame(x, columns=["a", "b", "c"]).assign(patient=[f"p{c}" for c in PATIENT], y=y)
    how, own = {"groups": "patient"}, {"groups": PATIENT}
    if kind == "strata":
        frame["c"] = x[:, 2] = x[:, 2] + np.random.default_rng(1).normal(size=200).round(3)
        frame["site"], how["strata"], own["strata"] = PATIENT % 3, "site", PATIENT % 3
    test = split_test(frame.drop(columns="y"), y, **how)
    p = {f.name: f.p for f in test.features}
    assert list(p) == ["a", "b", "c"]
    path = tmp_path / "rows.csv"
    frame.to_csv(path, index=False)
    for data in (frame, path):
        found = rank_features(data, "y", exact=True, **how)
        assert {f.name: f.p for f in found.features} == p
        assert "Rows come in 40 groups" in " ".join(found.remarks)
    assert selected_score(x, y, **own)[1].tolist() == list(p.values())
    if kind != "gaps":
        assert SplitSelector().fit(x, y, **own).pvalues_.tolist() == list(p.values())


@pytest.mark.parametrize(
    ("groups", "strata", "said"),
    [
        ([1, 1, 1, 1], None, "got 1 group; pass data of several groups"),
        ([1, 2, 3, 4], None, "got 4 groups of 4 rows: no groups; leave groups= out"),
        ([1, 1, None, 2], None, "every row has a group; got a missing one"),
        ([1, 1, 2], None, "group= has one entry for each of 4 rows; got 3 entries"),
        ([1, 1, 2, 2], [1, 2, 1, 2], "a group lies in one stratum; got a group in two"),
        (None, [1, float("nan"), 2, 2], "every row has a stratum"),
    ],
)
def test_a_sentence_for_each_bad_input(groups: Any, strata: Any, said: str) -> None:
    refused(said, dependence_of, groups, strata, 4)


def test_what_is_refused_says_what_helps() -> None:
    x, label, _ = patients(0)
    refused("name a column of X", split_test, x, label, groups="patient")
    refused("a group has one vote", split_test, x, label, groups=PATIENT, sample_weight=np.ones(200, dtype=int))


Arrangements = set[tuple[float, ...]]


def drawn_labels(labels: Any, groups: Any, column: Any, strata: Any = None, draws: int = 4000) -> Arrangements:
    """All arrangements of the labels of the rows, in their order, that moves come to."""
    among = Dependence(None if groups is None else np.asarray(groups), None if strata is None else np.asarray(strata))
    found = moved(np.asarray(column), as_numbers(np.asarray(labels)), among, True, False)
    back = np.argsort(found.moves.rows)
    each = found.z[np.concatenate(list(found.moves.orders(found.z, draws, 0)), axis=1)][back, :, 0].T
    return {tuple(row) for row in each.round(9).tolist()}


def up_to_sign(found: Arrangements) -> Arrangements:
    return found | {tuple(-x for x in row) for row in found}


def test_labels_that_are_constant_in_groups_change_places_over_all_groups() -> None:
    groups, column = np.repeat(np.arange(4), [1, 3, 2, 2]), np.arange(8)
    refused("got 6", drawn_labels, np.array([0, 1, 1, 0])[groups], groups, column, error=TooFewArrangements)
    numbers = np.array([0.0, 1.0, 3.0, 7.0])
    expected = {tuple((numbers[list(order)][groups] - 2.75).round(9).tolist()) for order in permutations(range(4))}
    assert up_to_sign(drawn_labels(numbers[groups][:, None], groups, column)) == up_to_sign(expected)


def test_labels_that_vary_move_together_with_those_of_their_group_in_the_order_given() -> None:
    labels = np.array([0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 1, 1, 1, 0])
    found = drawn_labels(labels, np.repeat(np.arange(8), 2), np.arange(16), draws=2000)
    pairs = {tuple(sorted(zip(row[::2], row[1::2], strict=True))) for row in found}
    assert len(pairs) == 1  # of each arrangement the pairs are those seen, and 0, 1 stays apart from 1, 0
    assert len(found) > 1000


def test_rows_move_within_strata_alone() -> None:
    labels, strata = np.array([0, 0, 0, 0, 1, 1, 0, 1, 1, 1]), np.repeat([0, 1], 5)
    found = drawn_labels(labels, None, np.arange(10), strata)
    expected = set()
    for one in range(5):
        for zero in range(5, 10):
            row = (np.arange(10) >= 5) ^ np.isin(np.arange(10), [one, zero])
            expected.add(tuple((row - np.repeat([0.2, 0.8], 5)).round(9).tolist()))
    assert up_to_sign(found) == up_to_sign(expected)


def test_runs_are_of_similar_size_within_strata_and_cut_to_their_smallest() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        sizes = rng.integers(1, 12, 30)
        groups, stratum = np.repeat(np.arange(30), sizes), rng.integers(0, 3, 30)
        rows, runs = Dependence(groups, stratum[groups]).runs
        kept = np.bincount(groups[rows], minlength=30)
        run = dict(zip(groups[rows].tolist(), runs.tolist(), strict=True))
        assert (kept >= 1).all()
        for number in set(run.values()):
            some = [c for c in run if run[c] == number]
            assert len(set(kept[some].tolist())) == len(set(stratum[some].tolist())) == 1
            assert kept[some[0]] == sizes[some].min()
        first = np.concatenate([np.flatnonzero(groups == c)[: kept[c]] for c in range(30)])
        assert sorted(first.tolist()) == rows.tolist()


def test_the_spread_of_a_sum_within_strata_is_that_of_all_orders() -> None:
    rng = np.random.default_rng(1)
    strata, y = np.repeat([0, 1], [4, 3]), rng.normal(size=(7, 1))
    found = moved(rng.permutation(7), y, Dependence(None, strata), True, False)
    after = np.arange(6)
    apart = found.apart(np.arange(7), after, np.zeros(6, int))
    place, block = found.at, found.moves.block
    both = product(permutations(range(4)), permutations(range(3)))
    orders = [[*found.z[:4][list(a), 0], *found.z[4:][list(b), 0]] for a, b in both]
    assert block.tolist() == [0] * 4 + [1] * 3
    exact = [np.var([np.sum(np.array(z)[place <= cut]) for z in orders]) for cut in after]
    assert apart is not None
    ratio = apart / exact
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-6)


def test_arrangements_are_counted_within_blocks() -> None:
    check_arrangements("aabbb" * 2, [0] * 5 + [1] * 5)  # 10 x 10
    refused("got 10;", check_arrangements, "aabbb", error=TooFewArrangements)
    refused("got 16;", check_arrangements, "ab" * 4, [0, 0, 1, 1, 2, 2, 3, 3], error=TooFewArrangements)


# Counts of rows that look like weights of classes are refused, and rarely those that do not depend on the labels.


SIZES = [[7, 7], [3, 11], [1, 13], [4, 4, 3], [6, 5], [2, 2, 2], [1, 2, 3], [3, 3, 1, 1], [1, 1, 1, 1, 1]]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_counts_that_do_not_depend_on_the_labels_are_rarely_refused(sizes: list[int]) -> None:
    """All arrangements of weights that may look like those of these classes: at most K! are one number a class."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    for unequal in ({0: 1}, dict(enumerate(range(len(sizes))))):  # the weights of two classes, or of each, differ
        weights = [1 + unequal.get(label, 0) for label in labels.tolist()]
        every, by_class, refused, remarked = arrangements(tuple(weights)), 0, 0, 0
        rare = len(every) >= 1000 * factorial(len(sizes))
        for order in every:
            one = len(set(zip(labels.tolist(), order, strict=True))) == len(sizes)
            by_class += one
            try:
                remarked += len(refuse_class_weights(np.array(order), labels))
            except ValueError:
                refused += 1
            assert refused + remarked <= by_class
        assert by_class <= factorial(len(sizes))
        assert refused / len(every) <= 1 / 1000
        assert refused == (by_class if rare else 0)
        assert remarked == (by_class if factorial(len(sizes)) < len(every) and not rare else 0)


def test_any_column_of_responses_counts_as_labels() -> None:
    event = np.arange(30) % 3 == 0
    times, weights = np.random.default_rng(0).random(30), np.where(event, 4, 1)
    fields = np.zeros(30, dtype=[("event", bool), ("time", float)])
    fields["event"], fields["time"] = event, times
    objects = np.array([[t, bool(e)] for t, e in zip(times, event, strict=True)], dtype=object)
    for y in (fields, objects, np.column_stack([times, event])):
        refused("one weight for each class of y, from 1 to 4", refuse_class_weights, weights, y)
    assert refuse_class_weights(weights, times) == ()
    with pytest.raises(ValueError, match="one weight for each class"):  # the same of rows that are counted
        refuse_class_weights(np.array([4.0, 1.0]), np.array([1, 0]), np.array([10, 20]))
