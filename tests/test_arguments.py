"""Arguments that are no tables are read, or refused in one sentence: at the ends of every range too."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from splitcrit.arguments import (
    as_float,
    between,
    codes,
    finite,
    generator,
    is_number,
    masked,
    one_of,
    real,
    reals,
    truth,
    whole,
    wholes,
)
from splitcrit.frozen import is_ours


def repr_of(value: Any) -> str:
    return type(value).__name__


def test_integers_between_two_ends() -> None:
    assert [whole(n, "points", 2, 4) for n in (2, np.int8(3), 4)] == [2, 3, 4]
    assert whole(-5, "points") == -5
    told = [(1, "2;"), (5, "2 to 4; got 5"), (2.5, "2; got 2.5"), (True, "2; got True; pass 2"), ("3", "2; got '3'")]
    for bad, words in told:
        with pytest.raises(ValueError, match=f"points is an integer from {words}"):
            whole(bad, "points", 2, 4)
    with pytest.raises(ValueError, match="points is an integer; got None; pass 1 for instance"):
        whole(None, "points")


def test_real_numbers_are_finite_and_within_their_range() -> None:
    assert real(np.float32(0.5), "rule", "mend") == 0.5 and type(real(np.float64(1), "rule", "mend")) is float
    assert type(real(Fraction(1, 3), "rule", "mend")) is Fraction and type(real(np.int64(2), "rule", "mend")) is int
    assert real(1.7e308, "rule", "mend") == 1.7e308 and real(-1.7e308, "rule", "mend") == -1.7e308
    for bad in (math.inf, -math.inf, math.nan, 10**400, -(10**400)):
        with pytest.raises(ValueError, match=r"^rule; got .*; mend$"):
            real(bad, "rule", "mend")
    with pytest.raises(ValueError, match=r"^rule; got 0"):
        real(0, "rule", "mend", lambda x: x > 0)
    for bad in ("1", True, 1j, None):
        with pytest.raises(TypeError, match=r"^rule; got"):
            real(bad, "rule", "mend")


def test_numbers_between_two_ends_that_count_or_do_not() -> None:
    assert [between(x, "share", 0, 1) for x in (0, 0.5, 1)] == [0, 0.5, 1]
    assert between(np.array(0.25), "share", 0, 1, ends=False) == 0.25
    assert between(Fraction(1, 3), "share", 0, 1) == Fraction(1, 3)
    for bad in (0, 1, Fraction(1, 10**400), 1 - Fraction(1, 10**40)):
        with pytest.raises(ValueError, match="share is a number strictly between 0 and 1"):
            between(bad, "share", 0, 1, ends=False)
    for bad in (-0.1, 1.1, math.nan, "a", True, [0.5]):
        with pytest.raises(ValueError, match=r"share is a number in \[0, 1\]; got .*; pass 0.5 for instance"):
            between(bad, "share", 0, 1)


def test_several_numbers_are_a_tuple() -> None:
    assert reals([1, 0.5], "rule", "mend") == (1, 0.5)
    for bad, error, words in [(3, TypeError, "got 3"), ({1}, TypeError, "no order"), ([], ValueError, "none")]:
        with pytest.raises(error, match=words):
            reals(bad, "rule", "mend")
    with pytest.raises(ValueError, match="rule"):
        reals([1, math.inf], "rule", "mend")


def test_truth_values_and_names() -> None:
    assert truth(np.True_, "it") is True and truth(False, "it") is False
    for bad in (1, "True", None):
        with pytest.raises(TypeError, match="it is True or False"):
            truth(bad, "it")
    assert one_of("a", ("a", "b"), "kind") == "a"
    for bad in ("c", 1, ["a"]):
        with pytest.raises(ValueError, match="kind is one of 'a', 'b'; got"):
            one_of(bad, ("a", "b"), "kind")


@pytest.mark.parametrize(
    ("values", "axes", "error", "words"),
    [
        (np.ma.masked_array([1, 2], [0, 1]), 1, ValueError, "are present"),
        ([[1], [2, 3]], 2, ValueError, "have one shape"),
        (np.array([[1], [2, 3]], dtype=object), 1, ValueError, "have one shape"),
        (["a"], 1, TypeError, "real numbers; got an array of <U1"),
        (np.array(["a", 1], dtype=object), 1, TypeError, "real numbers; got 'a'"),
        ([True], 1, TypeError, "real numbers"),
        ([[1]], 1, ValueError, r"a vector; got shape \(1, 1\); pass one number each"),
        ([1], 2, ValueError, r"a matrix; got shape \(1,\); pass rows"),
        ([1, math.inf], 1, ValueError, "are finite; got inf"),
        ([10**400], 1, ValueError, "are finite; got inf"),
    ],
)
def test_arrays_of_finite_numbers(values: Any, axes: int, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        finite(values, "weights", axes)


def test_arrays_are_fresh_floats() -> None:
    given = np.array([1.0, 2.0])
    found = finite(given, "weights", 1)
    assert found is not given and not np.shares_memory(found, given) and found.tolist() == [1, 2]
    assert finite([Fraction(1, 2), 1], "weights", 1).tolist() == [0.5, 1]
    assert finite(np.array([[1, 2.5]], dtype=object), "weights", 2).tolist() == [[1, 2.5]]


def test_vectors_of_integers_from_0() -> None:
    assert wholes([0, 3.0], "counts").tolist() == [0, 3] and codes([1, 0], "classes").dtype == np.int64
    for bad in (-1, 0.5, 2.0**53):
        with pytest.raises(ValueError, match="counts are integers from 0; got"):
            wholes([0, bad], "counts")
    assert wholes([2.0**53 - 1], "counts").tolist() == [2**53 - 1]


def test_sources_of_random_numbers() -> None:
    source = np.random.default_rng(1)
    assert generator(source) is source and generator(3).random() == np.random.default_rng(3).random()
    for bad in (-1, "a", 0.5):
        with pytest.raises(ValueError, match="rng must be a seed or a Generator"):
            generator(bad)


def test_what_is_a_number_and_what_is_masked() -> None:
    assert is_number(1) and is_number(np.float32(1)) and is_number(Fraction(1, 2))
    assert not is_number(True) and not is_number(np.True_) and not is_number("1") and not is_number(1j)
    assert masked(np.ma.masked_array([1, 2], [False, True]))
    assert not masked(np.ma.masked_array([1, 2], [False, False])) and not masked(np.array([1]))
    assert as_float(10**400) == math.inf and as_float(Fraction(1, 2)) == 0.5


def test_what_is_long_is_cut_short() -> None:
    with pytest.raises(ValueError, match=r"got 'x{56}\.\.\.; pass"):
        whole("x" * 80, "points")
    with pytest.raises(ValueError, match=f"got '{'x' * 58}'; pass"):
        whole("x" * 58, "points")


MASKED = np.ma.array(99, mask=True)


@pytest.mark.parametrize(
    "bad", [MASKED, np.ma.masked, pd.NaT, pd.NA, np.datetime64("NaT"), Decimal(3), 10**5000], ids=repr_of
)
def test_what_is_no_number_is_refused_in_one_sentence(bad: Any) -> None:
    for read in (
        lambda: whole(bad, "points", 0, 10),
        lambda: real(bad, "a rate is positive", "pass 1"),
        lambda: between(bad, "a rate", 0, 1),
        lambda: reals([bad], "rates are positive", "pass 1"),
    ):
        with pytest.raises((TypeError, ValueError)) as refused:
            read()
        assert is_ours(refused.value) and len(str(refused.value)) < 200
