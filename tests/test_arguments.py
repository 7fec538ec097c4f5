"""Arguments that are no tables are read, or refused in one sentence: at the ends of every range too."""

from __future__ import annotations

import math
from collections.abc import Callable
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

MASKED = np.ma.array(99, mask=True)
NO_NUMBERS = (MASKED, np.ma.masked, pd.NaT, pd.NA, np.datetime64("NaT"), Decimal(3), 10**5000)
Refused = tuple[Callable[[Any], Any], tuple[Any, ...], type[Exception], str]
REFUSED: dict[str, Refused] = {
    "an integer below": (lambda x: whole(x, "points", 2, 4), (1, 2.5, True, "3"), ValueError, "integer from 2; got"),
    "an integer above": (lambda x: whole(x, "points", 2, 4), (5,), ValueError, "integer from 2 to 4; got 5"),
    "what an integer may be": (lambda x: whole(x, "it", 2, 4), (True,), ValueError, "it .* from 2; got True; pass 2"),
    "no integer": (lambda x: whole(x, "points"), (None,), ValueError, "is an integer; got None; pass 1 for instance"),
    "a long text": (lambda x: whole(x, "points"), ("x" * 80,), ValueError, r"got 'x{56}\.\.\.; pass"),
    "a text as long as may be": (lambda x: whole(x, "points"), ("x" * 58,), ValueError, f"got '{'x' * 58}'; pass"),
    "an infinite number": (lambda x: real(x, "rule", "mend"), (math.inf, -math.inf, math.nan, 10**400, -(10**400)),
                           ValueError, r"^rule; got .*; mend$"),
    "a number that does not": (lambda x: real(x, "rule", "mend", lambda x: x > 0), (0,), ValueError, r"^rule; got 0"),
    "no number": (lambda x: real(x, "rule", "mend"), ("1", True, 1j, None), TypeError, r"^rule; got"),
    "an end": (lambda x: between(x, "share", 0, 1, ends=False), (0, 1, Fraction(1, 10**400), 1 - Fraction(1, 10**40)),
               ValueError, "share is a number strictly between 0 and 1"),
    "outside": (lambda x: between(x, "share", 0, 1), (-0.1, 1.1, math.nan, "a", True, [0.5]), ValueError,
                r"share is a number in \[0, 1\]; got .*; pass 0.5 for instance"),
    "one number of several": (lambda x: reals(x, "rule", "mend"), (3,), TypeError, "got 3"),
    "no order": (lambda x: reals(x, "rule", "mend"), ({1},), TypeError, "no order"),
    "none of several": (lambda x: reals(x, "rule", "mend"), ([],), ValueError, "none"),
    "an infinite one of several": (lambda x: reals(x, "rule", "mend"), ([1, math.inf],), ValueError, "rule"),
    "no truth value": (lambda x: truth(x, "it"), (1, "True", None), TypeError, "it is True or False"),
    "no name": (lambda x: one_of(x, ("a", "b"), "kind"), ("c", 1, ["a"]), ValueError, "kind is one of 'a', 'b'; got"),
    "no counts": (lambda x: wholes([0, x], "counts"), (-1, 0.5, 2.0**53), ValueError, "are integers from 0; got"),
    "no source": (generator, (-1, "a", 0.5), ValueError, "rng must be a seed or a Generator"),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_refused(kind: str) -> None:
    read, values, error, words = REFUSED[kind]
    for bad in values:
        with pytest.raises(error, match=words):
            read(bad)


@pytest.mark.parametrize("bad", NO_NUMBERS, ids=lambda bad: type(bad).__name__)
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


def test_what_is_read() -> None:
    assert [whole(n, "points", 2, 4) for n in (2, np.int8(3), 4)] == [2, 3, 4] and whole(-5, "points") == -5
    assert real(np.float32(0.5), "rule", "mend") == 0.5 and type(real(np.float64(1), "rule", "mend")) is float
    assert type(real(Fraction(1, 3), "rule", "mend")) is Fraction and type(real(np.int64(2), "rule", "mend")) is int
    assert real(1.7e308, "rule", "mend") == 1.7e308 and real(-1.7e308, "rule", "mend") == -1.7e308
    assert [between(x, "share", 0, 1) for x in (0, 0.5, 1, Fraction(1, 3))] == [0, 0.5, 1, Fraction(1, 3)]
    assert between(np.array(0.25), "share", 0, 1, ends=False) == 0.25
    assert reals([1, 0.5], "rule", "mend") == (1, 0.5)
    assert truth(np.True_, "it") is True and truth(False, "it") is False and one_of("a", ("a", "b"), "kind") == "a"
    assert wholes([0, 3.0], "counts").tolist() == [0, 3] and codes([1, 0], "classes").dtype == np.int64
    assert wholes([2.0**53 - 1], "counts").tolist() == [2**53 - 1]
    source = np.random.default_rng(1)
    assert generator(source) is source and generator(3).random() == np.random.default_rng(3).random()


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


def test_what_is_a_number_and_what_is_masked() -> None:
    assert is_number(1) and is_number(np.float32(1)) and is_number(Fraction(1, 2))
    assert not is_number(True) and not is_number(np.True_) and not is_number("1") and not is_number(1j)
    assert masked(np.ma.masked_array([1, 2], [False, True]))
    assert not masked(np.ma.masked_array([1, 2], [False, False])) and not masked(np.array([1]))
    assert as_float(10**400) == math.inf and as_float(Fraction(1, 2)) == 0.5
