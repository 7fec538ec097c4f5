"""What makers, constructors and vectors of weights are given: an answer in float64, or one sentence."""

import math
import warnings
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from splitcrit import agini, impurities, losses, noise, sgini
from splitcrit.arguments import real
from splitcrit.criteria import (
    Criterion,
    decrease,
    imprecise_gain_ratio,
    imprecise_information_gain,
    normalised,
    one_vs_rest_pairwise_gain,
    replace,
    twoing,
)
from splitcrit.criteria.facts import facts, known, plain
from splitcrit.frozen import is_ours
from splitcrit.importance import adjusted, gain_moments, standardised
from splitcrit.impurities import Impurity, NumericRisk, Risk, gini
from splitcrit.losses import Loss
from splitcrit.noise import Channel, class_conditional, compose, pair_flip, symmetric, transition_matrix

HALF = Fraction(1, 2)


@pytest.fixture(autouse=True)
def _no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def refused(act: Callable[[], Any]) -> None:
    """Assert that an error of the library is raised, with its rule, what was got, and a remedy."""
    with pytest.raises((TypeError, ValueError)) as caught:
        act()
    assert is_ours(caught.value), caught.value
    rule, got, remedy = (part.strip() for part in str(caught.value).split(";", 2))
    assert rule and got.startswith("got ") and remedy and "\n" not in str(caught.value)


# Parameters.

NO_NUMBERS = (
    None, "a", "2", 1j, True, np.True_, [1], {}, object, Decimal("0.5"), np.array(0.5), pd.NA, np.ma.masked, gini,
)  # fmt: skip
NO_FINITE = (math.nan, math.inf, -math.inf, np.float32("nan"), 10**400, -(10**400))
MAKERS: dict[str, Callable[[Any], Any]] = {
    "gce": impurities.gce,
    "ne": impurities.ne,
    "shannon_entropy": impurities.shannon_entropy,
    "scaled impurity": lambda x: impurities.scaled(gini, x),
    "scaled loss": lambda x: losses.scaled(losses.square, x),
    "gce loss": losses.gce,
    "ne loss": losses.ne,
    "negative_exponential": losses.negative_exponential,
    "exponential_cdf": losses.exponential_cdf,
    "variance": lambda x: impurities.variance((0, x)),
    "absolute_deviation": lambda x: impurities.absolute_deviation((0, x)),
    "squared_error": lambda x: losses.squared_error((0, x)),
    "absolute_error": lambda x: losses.absolute_error((0, x)),
    "symmetric": symmetric,
    "pair_flip": pair_flip,
    "tau_pos": lambda x: class_conditional(tau_pos=x, tau_neg=0.1),
    "tau_neg": lambda x: class_conditional(tau_pos=0.1, tau_neg=x),
    "transition_matrix": lambda x: transition_matrix([[x, 0], [0, 1]]),
    "imprecise_information_gain": imprecise_information_gain,
    "imprecise_gain_ratio": imprecise_gain_ratio,
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_parameters_are_finite_real_numbers(make: Callable[[Any], Any]) -> None:
    for bad in (*NO_NUMBERS, *NO_FINITE):
        refused(lambda bad=bad: make(bad))  # type: ignore[misc]


OUTSIDE: dict[str, tuple[Any, ...]] = {
    "gce": (-1, -1e-300), "ne": (-0.1,), "shannon_entropy": (1, 0, -2), "scaled impurity": (0, -1),
    "scaled loss": (0, -1), "negative_exponential": (0, -1), "exponential_cdf": (0,), "symmetric": (-0.1, 1.1, 2),
    "imprecise_information_gain": (0, -1), "imprecise_gain_ratio": (0,), "transition_matrix": (-1, 2, 0.5),
}  # fmt: skip


@pytest.mark.parametrize("name", OUTSIDE)
def test_parameters_outside_their_range_are_refused(name: str) -> None:
    for bad in OUTSIDE[name]:
        refused(lambda bad=bad: MAKERS[name](bad))  # type: ignore[misc]


def test_numpy_numbers_are_numbers() -> None:
    assert repr(impurities.gce(np.float64(0.5))) == "gce(q=0.5)" == repr(impurities.gce(np.float32(0.5)))
    assert impurities.ne(np.int64(1)) == impurities.ne(1)
    assert repr(impurities.variance(np.array([0, 1]))) == "variance((0, 1))"
    assert real(HALF, "rule", "remedy") is HALF


SEVERAL = (None, 3, "12", [], {}, [None], ["1"], [True], [1, math.nan], np.array(0.5), [[1, 2]])


@pytest.mark.parametrize(
    "make", [impurities.variance, impurities.absolute_deviation, losses.squared_error, losses.absolute_error]
)
def test_responses_are_finite_real_numbers(make: Callable[[Any], Any]) -> None:
    for bad in SEVERAL:
        refused(lambda bad=bad: make(bad))  # type: ignore[misc]


# Values of the wrong kind.

KINDS: dict[str, Callable[[Any], Any]] = {
    "decrease": decrease,
    "normalised": normalised,
    "replace": lambda x: replace(x, q=2),
    "Impurity.from_loss": Impurity.from_loss,
    "Criterion.from_loss": Criterion.from_loss,
    "NumericRisk": NumericRisk,
    "Risk": Risk,
    "scaled impurity": lambda x: impurities.scaled(x, 2),
    "scaled loss": lambda x: losses.scaled(x, 2),
    "risk": lambda x: losses.risk(x, (1, 0), (1, 0), None),  # type: ignore[arg-type]
    "distribution_loss": losses.distribution_loss,
    "adjusted": adjusted,
    "standardised": standardised,
    "gain_moments": lambda x: gain_moments([1, 2], [2, 1], x),
    "compose": lambda x: compose(noise.identity, x),
    "compose first": lambda x: compose(x, noise.identity),
    "transition_matrix": transition_matrix,
    "matrix": noise.identity.matrix,
    "Loss.at": lambda x: Loss("x", x),
    "Impurity.of": lambda x: Impurity("x", x),
    "Criterion.score": lambda x: Criterion("x", x),
    "Channel.transition": lambda x: Channel("x", x),
    "known": lambda x: known(x, "concave", 2),
}


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_values_of_another_kind_are_refused(make: Callable[[Any], Any]) -> None:
    for bad in (None, 1j, [1], {}, True, math.nan, np.array([0.5]), pd.NA):
        refused(lambda bad=bad: make(bad))  # type: ignore[misc]


def test_one_kind_is_no_other() -> None:
    for act in (
        lambda: decrease(twoing), lambda: decrease(losses.square), lambda: Impurity.from_loss(gini),  # type: ignore[arg-type]
        lambda: normalised(losses.square), lambda: compose(gini, gini),  # type: ignore[arg-type]
        lambda: replace(gini, q=2), lambda: replace(gini, name=3), lambda: replace(agini, beta=2),
        lambda: losses.scaled(gini, 2), lambda: impurities.scaled(losses.square, 2),  # type: ignore[arg-type]
        lambda: replace(Criterion, name="x"),
    ):  # fmt: skip
        refused(act)


@pytest.mark.parametrize("kind", [Loss, Impurity, Criterion, Channel], ids=lambda kind: kind.__name__)
def test_names_are_texts(kind: Any) -> None:
    for bad in (None, 3, b"x", ["x"], pd.NA):
        refused(lambda bad=bad: kind(bad, len))  # type: ignore[misc]


def test_fields_are_checked() -> None:
    for bad in (3, "x", pd.NA, [len]):
        refused(lambda bad=bad: Loss("x", len, bad))  # type: ignore[misc]
        refused(lambda bad=bad: Loss("x", len, None, bad))  # type: ignore[misc]
        refused(lambda bad=bad: Impurity("x", len, bad))  # type: ignore[misc]
        refused(lambda bad=bad: Criterion("x", len, bad))  # type: ignore[misc]
        refused(lambda bad=bad: normalised(gini, guarded=bad))  # type: ignore[misc]
    for bad in (3, pd.NA, [len]):
        refused(lambda bad=bad: losses.distribution_loss(losses.logistic_cdf, name=bad))  # type: ignore[misc]
    for field in ("rows", "classes", "degree"):
        for bad in (-1, 1.5, "2", True, math.nan, pd.NA):
            refused(lambda field=field, bad=bad: Criterion("x", len, **{field: bad}))  # type: ignore[misc]


@pytest.mark.parametrize("make", [adjusted, standardised], ids=lambda make: make.__name__)
def test_seeds_and_numbers_are_integers(make: Any) -> None:
    for bad in (-1, 1.5, "1", True, math.nan, [1]):
        refused(lambda bad=bad: make(gini, seed=bad))  # type: ignore[misc]
        refused(lambda bad=bad: make(gini, samples=bad))  # type: ignore[misc]
    assert make(gini, seed=np.int64(3)) == make(gini, seed=3)


# Facts.


def test_facts_are_asked_for_by_name_and_number() -> None:
    for classes in (None, 1, 0, True, 2.0, math.nan, [2], "three", pd.NA):
        refused(lambda classes=classes: known(gini, "concave", classes))  # type: ignore[misc]
    for property in (None, 3, ["concave"]):
        refused(lambda property=property: known(gini, property, 2))  # type: ignore[misc]
    assert known(gini, "concave", np.int64(2)) == known(gini, "concave", 2)


NUMBERS = ("1/0", "Fraction(1, 0)", "1e999999999", "1.5e-999999999", "1" * 5000, "0." + "1" * 5000)


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_of_no_parameter_are_known_of_nothing(number: str) -> None:
    assert known(f"decrease(gce(q={number}))", "concave", 2) == "unknown"


def test_names_of_one_number_are_one() -> None:
    assert plain("gce(q=1.5e-3)") == plain("gce(q=Fraction(3, 2000))") == "gce(q=3/2000)"


def test_whoever_changes_a_fact_changes_a_copy() -> None:
    facts()[0]["verdict"] = "wrong"
    assert all(fact["verdict"] != "wrong" for fact in facts())


# Vectors of weights and tables of counts.

READ_ONLY = np.array([1.0, 3.0])
READ_ONLY.flags.writeable = False
GOOD: dict[str, Any] = {
    "uint8": np.array([1, 3], np.uint8), "float16": np.array([1, 3], np.float16), "big-endian": np.array([1, 3], ">f8"),
    "big-endian integers": np.array([1, 3], ">i4"), "read-only": READ_ONLY, "strided": np.array([1, 9, 3, 9.0])[::2],
    "masked without holes": np.ma.array([1.0, 3.0]), "nullable": pd.array([1, 3], dtype="Int64"),
    "nullable floats": pd.Series([1, 3], dtype="Float64"), "series": pd.Series([1.0, 3.0]),
    "long": np.array([1, 3], np.longdouble), "objects": np.array([1, 3], object),
    "halves": [np.float16(1), np.float16(3)],
}  # fmt: skip
BAD: dict[str, Any] = {
    "text": ["1", "2"], "truth values": [True, False], "numpy truth values": np.array([True, False]),
    "complex": [1, 3j], "objects with text": np.array([1, "a"], object), "ragged": [[1], [1, 2]],
    "masked": np.ma.array([1, 3], mask=[0, 1]),
    "missing": pd.array([1, None], dtype="Int64"), "empty": [], "no classes": np.zeros((2, 0)), "nan": [1, math.nan],
    "negative": [1, -1], "infinite": [1, math.inf], "scalar": 3, "None": None, "word": "12", "dictionary": {1: 2},
    "set": {1, 2}, "dates": np.array(["2020-01-01"], "M8[D]"), "times": np.array([1, 2], "m8[s]"), "zeros": [0, 0],
    "decimals": [Decimal(1), Decimal(3)], "None inside": [1, None], "nan among Fractions": [HALF, math.nan],
}  # fmt: skip
IMPURITIES = (
    gini, impurities.entropy, impurities.gce(0.7), impurities.ne(0.5), impurities.variance((0, 1)),
    Impurity.from_loss(losses.hinge), Impurity.from_loss(Loss("searched", losses.hinge.at, None, "line")),
)  # fmt: skip
ACTS: dict[str, Callable[[Any], Any]] = {
    **{i.name: i for i in IMPURITIES},
    **{c.name: lambda x, c=c: c(paired(x)) for c in (decrease(gini), twoing, one_vs_rest_pairwise_gain, sgini)},
    "exact": lambda x: decrease(gini).exact(paired(x)),
    "expected": lambda x: symmetric(0.2).expected(paired(x)),
    "random": lambda x: symmetric(0.2).random(paired(x), rng=0),
}


def paired(weights: Any) -> Any:
    """A table whose rows are both these weights."""
    if isinstance(weights, np.ma.MaskedArray):
        return np.ma.stack([weights, weights])
    return np.stack([weights, weights]) if isinstance(weights, np.ndarray) else [weights, weights]


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_weights_of_every_kind_of_array_are_answered_in_float64(act: Callable[[Any], Any]) -> None:
    true = act([1, 3])
    for name, weights in GOOD.items():
        found = act(weights)
        assert np.allclose(np.asarray(found, dtype=float), np.asarray(true, dtype=float), rtol=1e-14, atol=0), name
        assert isinstance(found, Fraction | int) or np.asarray(found).dtype in (np.float64, np.int64, object), name


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
@pytest.mark.parametrize("kind", BAD)
def test_weights_that_are_none_are_refused(kind: str, act: Callable[[Any], Any]) -> None:
    if kind == "zeros" and not isinstance(act, Impurity):
        assert np.isfinite(np.asarray(act([0, 0]), dtype=float)).all()  # a table may hold no counts
    else:
        refused(lambda: act(BAD[kind]))


def test_halves_are_computed_in_float64() -> None:
    thirds = np.array([[1, 2], [3, 4]], np.float16)
    assert symmetric(0.1).expected(thirds).tolist() == symmetric(0.1).expected(thirds.astype(float)).tolist()


def test_matrices_are_those_of_a_number_of_classes() -> None:
    for bad in (0, -1, 1.5, "2", None, True):
        refused(lambda bad=bad: noise.identity.matrix(bad))  # type: ignore[misc]
