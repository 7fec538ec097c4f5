"""How often features are chosen, and p-values of their best thresholds, against literally all orders of the labels."""

import sys
from fractions import Fraction
from math import log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from executed_page import rows
from node_oracle import arrangements, best, cuts
from refusals import refused
from reproductions import verdicts
from reproductions.bias import chosen_shares, found_shares
from reproductions.roots import root_choices
from reproductions.selection import Picked, selection_bias
from splitcrit import agini, entropy, gini, normalised, sgini, twoing
from splitcrit.nulls import selected_pvalue, significance

TABLES = [[[1, 0], [2, 1], [0, 2], [0, 1]], [[2, 0], [0, 1], [1, 3]], [[1, 0], [0, 1], [1, 0], [0, 1], [0, 3]]]


@pytest.mark.parametrize("least", [1, 2, 3])
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_best_threshold_is_compared_with_that_of_every_order(table: list[list[int]], least: int) -> None:
    """By the mid p-value: larger scores count whole, equal ones half."""
    sides = cuts([i for i, row in enumerate(table) for _ in range(sum(row))], "numeric")
    labels = tuple(k for row in table for k, count in enumerate(row) for _ in range(count))
    mine = best(labels, sides, "sgini", least)
    every = [best(order, sides, "sgini", least) for order in arrangements(labels)]
    more = sum(score > mine for score in every) + Fraction(sum(score == mine for score in every), 2)
    found = selected_pvalue(table, min_leaf=least, mid=True)
    assert found.surprise == pytest.approx(-log(more / len(every)), rel=1e-9)


def test_shares_of_features_add_up_to_one_and_ties_are_shared() -> None:
    """Few labels tie often: each of the features that tie has its part of the sample."""
    found = root_choices([gini, sgini], (2, 2, 3), labels=(3, 2), samples=60, rng=4)
    for criterion in {x.criterion for x in found}:
        mine = [x for x in found if x.criterion == criterion]
        assert [x.values for x in mine] == [2, 2, 3]
        assert sum(x.chosen for x in mine) == pytest.approx(1, rel=1e-12)
    alike = root_choices([gini], (2, 2), labels=(1, 1), samples=500, rng=0)
    assert all(abs(x.chosen - 0.5) < 4 * x.chosen_error for x in alike)
    assert max(x.chosen_error for x in alike) < 0.5 / sqrt(499)  # ties are no draws of 0 or 1


def test_scores_by_chance_are_those_of_all_features() -> None:
    """The features of a sample are drawn alike for all criteria: a mean of 0 for a standardised gain."""
    found = root_choices([sgini], (2, 4), labels=(10, 10), samples=2000, rng=1)
    for x in found:
        assert abs(x.score) < 4 * x.score_error and x.score_error == pytest.approx(x.score_sd / sqrt(2000), rel=1e-12)
        assert x.score_sd == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: root_choices([gini], (2,)), r"two or more features compete, of two values or more; got \[2\]"),
        (lambda: root_choices([gini], (2, 1)), r"two or more features compete, of two values or more; got \[2, 1\]"),
        (lambda: root_choices([gini], labels=(9, 0)), r"labels are of two classes or more; got \[9, 0\]"),
        (lambda: root_choices([gini], labels=(9, 3, -1)), r"labels are integers from 0; got -1"),
        (lambda: root_choices([gini], samples=1), "samples is an integer from 2; got 1"),
        (lambda: root_choices([twoing], (2, 3), samples=2), "twoing is defined for tables of 2 rows; got 3"),
    ],
)
def test_choices_without_competition_or_labels_are_refused(call: Any, said: str) -> None:
    refused(said, call)


def test_errors_of_shares_are_binomial() -> None:
    for found in (chosen_shares((2, 9), n=12, ones=6, repetitions=30), found_shares((0.6,), n=12, repetitions=30)):
        for x in found:
            assert x.standard_error == pytest.approx(sqrt(x.share * (1 - x.share) / 30), rel=1e-12)
    chosen = chosen_shares((2, 9, 4), n=12, ones=6, repetitions=30)
    for chooser in {x.chooser for x in chosen}:
        assert sum(x.share for x in chosen if x.chooser == chooser) == pytest.approx(1)


# Noise of many values beside an informative feature: which criteria pick it; what the page on categories reports.

DOCS = Path(__file__).parents[2] / "docs"


def picked(rows: list[Picked]) -> dict[str, float]:
    return {row.chooser: row.share for row in rows}


def test_gini_picks_noise_of_many_values_and_corrected_gains_do_not() -> None:
    found = picked(selection_bias([gini, sgini, agini, significance], [20], trials=600))
    assert found["gini"] > 0.8
    assert max(found["sgini"], found["agini"], found["significance"]) < 0.15


def test_between_two_features_that_tell_nothing_only_a_corrected_gain_is_fair() -> None:
    criteria = [gini, normalised(entropy), sgini, agini, significance]
    found = picked(selection_bias(criteria, [20], effect=0.0, trials=600))
    assert found["gini"] > 0.95 and found["normalised(entropy)"] > 0.85
    assert 0.4 < found["sgini"] < 0.62 and 0.4 < found["significance"] < 0.6
    assert found["agini"] < 0.1  # it avoids many values


def test_noise_of_two_values_is_picked_alike() -> None:
    for split in ("multiway", "subset"):
        found = picked(selection_bias([gini, sgini, agini], [2], split=split, trials=400))
        assert len(set(found.values())) == 1 and found["gini"] < 0.15


def test_the_best_subset_of_noise_fools_every_criterion() -> None:
    found = picked(selection_bias([gini, sgini, significance], [10], split="subset", trials=400))
    assert min(found.values()) > 0.25


def test_a_split_of_another_kind_is_refused() -> None:
    refused("a split is 'multiway' or 'subset'; got 'binary'", selection_bias, [gini], [4], split="binary")


def test_a_tie_counts_as_half_and_the_error_is_binomial() -> None:
    (row,) = selection_bias([gini], [2], samples=2, trials=100)
    assert 0 < row.share < 1
    assert Picked("x", "multiway", 2, 100, 0.5).standard_error == pytest.approx(0.05)


def test_the_page_shows_the_sizes_that_were_measured() -> None:
    sys.path.insert(0, str(DOCS.parent / "benchmarks"))
    try:
        from categories import START, STOP, summary
    finally:
        sys.path.pop(0)
    block = (DOCS / "categories.md").read_text().partition(START)[2].partition(STOP)[0]
    lines = list(summary(rows(DOCS / "data/categories.csv")))
    assert block.split("\n")[2:-2] == lines and len(lines) == 5


def test_the_case_of_the_page_is_what_was_measured() -> None:
    page, found = (DOCS / "categories.md").read_text(), rows(DOCS / "data/categories.csv")
    case = page.partition("| leaves, at most |")[2].partition("\n\n")[0].splitlines()[2:]
    assert len(case) == 4
    for line in case:
        leaves, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        for encoding, cell in zip(("categories", "one-hot"), cells, strict=True):
            asked = {"data": "mushrooms", "encoding": encoding, "max_leaf_nodes": leaves}
            (row,) = (row for row in found if asked.items() <= row.items())
            assert cell == f"{float(row['accuracy']):.4f} +- {float(row['standard_error']):.4f}"


def test_no_tree_of_the_table_is_ahead_of_a_pruned_one() -> None:
    said = "none of these trees is more accurate than scikit-learn's pruned tree by two standard errors"
    assert said in " ".join((DOCS / "categories.md").read_text().split())
    found = rows(DOCS / "data/categories.csv")
    pruned = {row["data"]: row for row in found if row["encoding"] == "scikit-learn, pruned"}
    assert len(pruned) == 3 and len(found) > 90
    for row in found:
        peer = pruned[row["data"]]
        gap = float(row["accuracy"]) - float(peer["accuracy"])
        assert gap <= 2 * np.hypot(float(row["standard_error"]), float(peer["standard_error"])), row


# Verdicts, the reasons that the data must bear out, and bootstrap intervals.


def test_one_grammar_for_all_papers() -> None:
    cases: dict[str, list[tuple[Any, ...]]] = {
        "holds": [(True,), (True, np.True_)],
        "holds in part": [(True, False), (None, True), (True, None, False)],
        "does not hold": [(False,), (np.False_, None)],
        "undecided": [(None,), (None, None), ()],
    }
    for word, all_parts in cases.items():
        assert [verdicts.verdict(parts) for parts in all_parts] == [word] * len(all_parts)


def test_a_number_beside_the_printed_one_gets_one_of_six_verdicts() -> None:
    spread = (3.0, None, 4.0)  # 5 together
    assert [verdicts.cell_verdict(x, 80.0, *spread) for x in (81.0, 81.01, 90.0, 90.01)] == [
        "agrees", "within spread", "within spread", "differs",
    ]  # fmt: skip
    assert verdicts.cell_verdict(0.81, 0.8, near=0.01) == "agrees"  # floats put them 0.010000000000000009 apart
    assert (
        verdicts.cell_verdict(82.0, 80.0) == verdicts.cell_verdict(82.0, 80.0, None) == "differs"
    )  # no spread is known
    assert verdicts.cell_verdict(80.0, 80.0, comparable=False) == "not comparable"
    assert verdicts.cell_verdict(None, None) == verdicts.cell_verdict(80.0, None, comparable=False) == "not printed"
    assert verdicts.cell_verdict(None, 80.0, comparable=False) == "not run"
    assert verdicts.cell_counts({"a": verdicts.CELLS, "b": ["differs"] * 2}).splitlines()[2:] == [
        "| a | 1 | 1 | 1 | 1 | 1 | 1 |", "| b | 0 | 0 | 2 | 0 | 0 | 0 |",
    ]  # fmt: skip


def test_a_claim_says_for_which_parts_it_holds() -> None:
    def words(**parts: bool | None) -> str:
        return verdicts.Claim("it is so", "in each part", parts).words

    assert words(a=True, b=True) == "**holds**"
    assert words(a=True, b=False, c=None, d=True) == "**holds in part**: not for b; undecided for c"
    assert words(a=False, b=False, c=True) == "**holds in part**: for c only"
    assert words(a=False, b=None) == "**does not hold**"


def test_a_reason_is_said_only_while_the_figures_bear_it_out() -> None:
    def reason(lost: float) -> verdicts.Reason:
        said = "forests lose {lost:.1f} points on {board}"
        return verdicts.Reason(said, lambda lost, board: lost > 5, {"lost": lost, "board": "2x2"})

    assert reason(8.31).text == "forests lose 8.3 points on 2x2"
    with pytest.raises(ValueError, match=r"only while the data bear it out.*forests lose"):
        _ = reason(4.9).text


def test_a_figure_typed_in_a_reason_is_refused() -> None:
    for sentence in ("forests lose 8 points", "at {noise} % they lose 8.3"):
        refused("takes its figures from the data; got 8", verdicts.Reason, sentence, lambda **_: True, {"noise": 40})
    for sentence in ("`noise.of_2`", "[more](page2.md#part-3)", "{won[0]} of {of:.2f}"):
        verdicts.Reason(sentence, lambda **_: True, {})


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [((1, 9), True), ((2, 8), True), ((9, 20), False), ((0, 1), False), ((5, 9), None), ((3, 4), None)],
)
def test_a_part_is_open_where_a_bound_divides_the_interval(bounds: tuple[float, float], expected: bool | None) -> None:
    assert verdicts.Interval(4.0, 2.0, 8.0).within(*bounds) is expected


def test_the_interval_of_a_mean_is_that_of_the_normal_law() -> None:
    sample = np.random.default_rng(1).normal(size=400)
    found = verdicts.bootstrap_interval(np.mean, sample)
    half = 1.96 * sample.std() / 20
    assert found.estimate == sample.mean()
    assert abs(found.low - (sample.mean() - half)) < 0.1 * half > abs(found.high - (sample.mean() + half))


def test_draws_are_of_whole_runs_and_independent_between_samples() -> None:
    ones = np.arange(1.0, 7.0)
    paired = verdicts.bootstrap_interval(
        lambda both: both[:, 0].mean() / both[:, 1].mean(), np.column_stack([2 * ones, ones])
    )
    alone = verdicts.bootstrap_interval(lambda a, b: a.mean() / b.mean(), 2 * ones, ones)
    assert (paired.low, paired.estimate, paired.high) == (2, 2, 2)
    assert alone.low < 1.6 and alone.high > 2.5
    assert alone == verdicts.bootstrap_interval(lambda a, b: a.mean() / b.mean(), 2 * ones, ones)  # the seed is fixed


def test_what_is_never_reached_is_larger_than_any_number() -> None:
    found = verdicts.bootstrap_interval(np.max, np.array([1.0, 2.0, np.inf]))
    assert found.high == np.inf and found.within(0, 100) is None
    refused("a bootstrap draws from two runs at least; got 1", verdicts.bootstrap_interval, np.mean, np.ones(1))
