"""What makers are given: numbers in their range, of one kind, asked for by name; the rest is asked by the contract."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from splitcrit import agini, impurities, losses
from splitcrit.arguments import real
from splitcrit.criteria import (
    Criterion,
    decrease,
    imprecise_gain_ratio,
    imprecise_information_gain,
    normalised,
    replace,
    twoing,
)
from splitcrit.criteria.facts import facts, known
from splitcrit.frozen import is_ours
from splitcrit.impurities import Impurity, gini
from splitcrit.noise import compose, symmetric, transition_matrix

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
