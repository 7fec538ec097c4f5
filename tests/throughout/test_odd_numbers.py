"""Numbers of unusual kinds in arithmetics, proofs and makers: read as what they are, or refused in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import splitcrit as sc
from splitcrit import agini, gini_pvalue, impurities, losses, optimal_vertex, selected_pvalue, symmetric, twoing
from splitcrit.arguments import real
from splitcrit.arith import EXACT, FLOAT, Irrational
from splitcrit.criteria import (
    Criterion,
    decrease,
    imprecise_gain_ratio,
    imprecise_information_gain,
    normalised,
    replace,
)
from splitcrit.criteria.facts import facts, known
from splitcrit.frozen import is_ours, printable, shown
from splitcrit.impurities import Impurity, gini
from splitcrit.noise import compose, transition_matrix
from splitcrit.proof import BALL, Ball, Fact, Field, Status, enclosed_flips
from splitcrit.robustness import (
    estimated_rates,
    leaf_labels,
    majority_bounds,
)

TABLE = [[90, 10], [50, 50]]
READERS: dict[str, Callable[[Any], Any]] = {
    "EXACT.number": EXACT.number,
    "EXACT.log": EXACT.log,
    "EXACT.power": lambda x: EXACT.power(Fraction(1, 2), x),
    "BALL.number": BALL.number,
    "Ball": Ball,
    "an exponent": lambda x: Ball(2) ** x,
    "Field": Field,
    "Fact": lambda x: Fact("gini", "concave", "all", True, x),
    "a direction": lambda x: enclosed_flips(TABLE, TABLE, sc.gini, direction=(1, x)),
}
HUGE = {"an integer": 10**5000, "a negative one": -(10**5000), "a fraction": Fraction(10**5000 + 1, 10**5000)}
TAKEN = {"EXACT.number", "BALL.number", "Ball", "Fact", "a direction"}  # they have numbers of any size


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", HUGE)
def test_what_cannot_be_printed_ends_in_one_sentence(reader: str, kind: str) -> None:
    try:
        READERS[reader](HUGE[kind])
    except (TypeError, ValueError, Irrational) as refused:
        assert is_ours(refused)
    else:
        assert reader in TAKEN or kind == "a fraction"


def test_huge_numbers_are_shown_by_their_kind() -> None:
    assert shown(10**5000) == "int of more than 4300 digits" and not printable(Fraction(1, 10**5000))
    with pytest.raises(ValueError, match="got int of more than 4300 digits; use s = 1"):
        sc.imprecise_gain_ratio(10**5000)
    with pytest.raises(ValueError, match="class counts have at most 4300 digits; got one of more at row 0, column 1"):
        sc.Table.of([[1, 10**5000], [2, 3]])


def test_a_power_that_no_memory_holds_is_refused() -> None:
    with pytest.raises(Irrational, match="EXACT stays in the rationals; got power 9223372036854775808 of 1/2"):
        EXACT.power(Fraction(1, 2), 2**63)
    assert EXACT.power(Fraction(1, 2), 100) == Fraction(1, 2**100)


def test_parameters_of_formulas_are_numbers() -> None:
    assert FLOAT.number(Fraction(1, 4)) == 0.25
    with pytest.raises(TypeError, match="a parameter of a formula is a number; got NaT"):
        FLOAT.number(pd.NaT)


def test_an_unknown_status_is_named() -> None:
    assert Status("settled") is Status.PROVED
    with pytest.raises(ValueError, match="a status must be one of settled, refuted, unknown; got 'maybe'"):
        Status("maybe")


# Large counts, and tables without observations.

NOISE = symmetric(0.2)


def test_a_table_without_observations_has_p_value_one():
    for nothing in ([[0, 0], [0, 0]], np.zeros((3, 2), int)):
        assert selected_pvalue(nothing).value == gini_pvalue(nothing).value == 1
        assert selected_pvalue(nothing, method="exact").value == Fraction(1)


def test_large_counts_are_counted_in_integers():
    n = 10**15
    assert estimated_rates([[9 * n // 10, n // 10], [n // 10, 9 * n // 10]]).tau_neg == 0.1
    assert leaf_labels([[10**400, 1], [1, 10**400]], NOISE).tolist() == [0, 1]
    assert optimal_vertex([3 * n, 2 * n, n], twoing).left == (0,)
    assert majority_bounds([n, 2 * n], NOISE).lemma7 > 0


# What makers are given: numbers in their range, of one kind, asked for by name; the rest is asked by the contract.

HALF = Fraction(1, 2)


def refused(act: Callable[[], Any]) -> None:
    """Assert that an error of the library is raised, with its rule, what was got, and a remedy."""
    with pytest.raises((TypeError, ValueError)) as caught:
        act()
    assert is_ours(caught.value), caught.value
    rule, got, remedy = (part.strip() for part in str(caught.value).split(";", 2))
    assert rule and got.startswith("got ") and remedy and "\n" not in str(caught.value)


# Parameters.

OUTSIDE: dict[str, tuple[Callable[[Any], Any], tuple[Any, ...]]] = {
    "gce": (impurities.gce, (-1, -1e-300)),
    "ne": (impurities.ne, (-0.1,)),
    "shannon_entropy": (impurities.shannon_entropy, (1, 0, -2)),
    "scaled impurity": (lambda x: impurities.scaled(gini, x), (0, -1)),
    "scaled loss": (lambda x: losses.scaled(losses.square, x), (0, -1)),
    "negative_exponential": (losses.negative_exponential, (0, -1)),
    "exponential_cdf": (losses.exponential_cdf, (0,)),
    "symmetric": (symmetric, (-0.1, 1.1, 2)),
    "transition_matrix": (lambda x: transition_matrix([[x, 0], [0, 1]]), (-1, 2, 0.5)),
    "imprecise_information_gain": (imprecise_information_gain, (0, -1)),
    "imprecise_gain_ratio": (imprecise_gain_ratio, (0,)),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_parameters_outside_their_range_are_refused(name: str) -> None:
    make, values = OUTSIDE[name]
    for bad in values:
        refused(lambda bad=bad: make(bad))  # type: ignore[misc]


def test_numpy_numbers_are_numbers() -> None:
    assert repr(impurities.gce(np.float64(0.5))) == "gce(q=0.5)" == repr(impurities.gce(np.float32(0.5)))
    assert impurities.ne(np.int64(1)) == impurities.ne(1)
    assert repr(impurities.variance(np.array([0, 1]))) == "variance((0, 1))"
    assert real(HALF, "rule", "remedy") is HALF


def test_one_kind_is_no_other() -> None:
    for act in (
        lambda: decrease(twoing), lambda: decrease(losses.square), lambda: Impurity.from_loss(gini),  # type: ignore[arg-type]
        lambda: normalised(losses.square), lambda: compose(gini, gini),  # type: ignore[arg-type]
        lambda: replace(gini, q=2), lambda: replace(gini, name=3), lambda: replace(agini, beta=2),
        lambda: losses.scaled(gini, 2), lambda: impurities.scaled(losses.square, 2),  # type: ignore[arg-type]
        lambda: replace(Criterion, name="x"),
    ):  # fmt: skip
        refused(act)


# Facts.


def test_facts_are_asked_for_by_name_and_number() -> None:
    for property in (None, 3, ["concave"]):
        refused(lambda property=property: known(gini, property, 2))  # type: ignore[misc]
    assert known(gini, "concave", np.int64(2)) == known(gini, "concave", 2)


def test_whoever_changes_a_fact_changes_a_copy() -> None:
    facts()[0]["verdict"] = "wrong"
    assert all(fact["verdict"] != "wrong" for fact in facts())


def test_halves_are_computed_in_float64() -> None:
    thirds = np.array([[1, 2], [3, 4]], np.float16)
    assert symmetric(0.1).expected(thirds).tolist() == symmetric(0.1).expected(thirds.astype(float)).tolist()
