"""Verdicts, the reasons that the data must bear out, and bootstrap intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reproductions.verdicts import (
    CELLS,
    Claim,
    Interval,
    Reason,
    bootstrap_interval,
    cell_counts,
    cell_verdict,
    verdict,
)


def test_one_grammar_for_all_papers() -> None:
    cases: dict[str, list[tuple[Any, ...]]] = {
        "holds": [(True,), (True, np.True_)],
        "holds in part": [(True, False), (None, True), (True, None, False)],
        "does not hold": [(False,), (np.False_, None)],
        "undecided": [(None,), (None, None), ()],
    }
    for word, all_parts in cases.items():
        assert [verdict(parts) for parts in all_parts] == [word] * len(all_parts)


def test_a_number_beside_the_printed_one_gets_one_of_six_verdicts() -> None:
    spread = (3.0, None, 4.0)  # 5 together
    assert [cell_verdict(x, 80.0, *spread) for x in (81.0, 81.01, 90.0, 90.01)] == [
        "agrees", "within spread", "within spread", "differs",
    ]  # fmt: skip
    assert cell_verdict(0.81, 0.8, near=0.01) == "agrees"  # floats put them 0.010000000000000009 apart
    assert cell_verdict(82.0, 80.0) == cell_verdict(82.0, 80.0, None) == "differs"  # no spread is known
    assert cell_verdict(80.0, 80.0, comparable=False) == "not comparable"
    assert cell_verdict(None, None) == cell_verdict(80.0, None, comparable=False) == "not printed"
    assert cell_verdict(None, 80.0, comparable=False) == "not run"
    assert cell_counts({"a": CELLS, "b": ["differs"] * 2}).splitlines()[2:] == [
        "| a | 1 | 1 | 1 | 1 | 1 | 1 |", "| b | 0 | 0 | 2 | 0 | 0 | 0 |",
    ]  # fmt: skip


def test_a_claim_says_for_which_parts_it_holds() -> None:
    def words(**parts: bool | None) -> str:
        return Claim("it is so", "in each part", parts).words

    assert words(a=True, b=True) == "**holds**"
    assert words(a=True, b=False, c=None, d=True) == "**holds in part**: not for b; undecided for c"
    assert words(a=False, b=False, c=True) == "**holds in part**: for c only"
    assert words(a=False, b=None) == "**does not hold**"


def test_a_reason_is_said_only_while_the_figures_bear_it_out() -> None:
    def reason(lost: float) -> Reason:
        said = "forests lose {lost:.1f} points on {board}"
        return Reason(said, lambda lost, board: lost > 5, {"lost": lost, "board": "2x2"})

    assert reason(8.31).text == "forests lose 8.3 points on 2x2"
    with pytest.raises(ValueError, match=r"only while the data bear it out.*forests lose"):
        _ = reason(4.9).text


def test_a_figure_typed_in_a_reason_is_refused() -> None:
    for sentence in ("forests lose 8 points", "at {noise} % they lose 8.3"):
        with pytest.raises(ValueError, match="takes its figures from the data; got 8"):
            Reason(sentence, lambda **_: True, {"noise": 40})
    for sentence in ("`noise.of_2`", "[more](page2.md#part-3)", "{won[0]} of {of:.2f}"):
        Reason(sentence, lambda **_: True, {})


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [((1, 9), True), ((2, 8), True), ((9, 20), False), ((0, 1), False), ((5, 9), None), ((3, 4), None)],
)
def test_a_part_is_open_where_a_bound_divides_the_interval(bounds: tuple[float, float], expected: bool | None) -> None:
    assert Interval(4.0, 2.0, 8.0).within(*bounds) is expected


def test_the_interval_of_a_mean_is_that_of_the_normal_law() -> None:
    sample = np.random.default_rng(1).normal(size=400)
    found = bootstrap_interval(np.mean, sample)
    half = 1.96 * sample.std() / 20
    assert found.estimate == sample.mean()
    assert abs(found.low - (sample.mean() - half)) < 0.1 * half > abs(found.high - (sample.mean() + half))


def test_draws_are_of_whole_runs_and_independent_between_samples() -> None:
    ones = np.arange(1.0, 7.0)
    paired = bootstrap_interval(lambda both: both[:, 0].mean() / both[:, 1].mean(), np.column_stack([2 * ones, ones]))
    alone = bootstrap_interval(lambda a, b: a.mean() / b.mean(), 2 * ones, ones)
    assert (paired.low, paired.estimate, paired.high) == (2, 2, 2)
    assert alone.low < 1.6 and alone.high > 2.5
    assert alone == bootstrap_interval(lambda a, b: a.mean() / b.mean(), 2 * ones, ones)  # the seed is fixed


def test_what_is_never_reached_is_larger_than_any_number() -> None:
    found = bootstrap_interval(np.max, np.array([1.0, 2.0, np.inf]))
    assert found.high == np.inf and found.within(0, 100) is None
    with pytest.raises(ValueError, match="a bootstrap draws from two runs at least; got 1"):
        bootstrap_interval(np.mean, np.ones(1))
