"""Sums of digits are exact, whatever their order."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from splitcrit.trees.distributed.sums import ResponseSums, digits, whole


@pytest.mark.parametrize("bits", [22, 32, 45])
def test_digits_put_together_are_the_number_but_for_the_last_digit(bits: int) -> None:
    values = np.random.default_rng(0).normal(size=500) * np.logspace(-9, 0, 500)
    exponent = int(np.frexp(np.abs(values).max())[1])
    found = digits(values, exponent, bits, 2)
    assert all((each == np.round(each)).all() and np.abs(each).max() <= 2**bits for each in found)
    unit = Fraction(2) ** (exponent - 2 * bits)
    for value, integer in zip(values.tolist(), whole(np.stack(found, axis=1), bits), strict=True):
        assert abs(Fraction(value) - integer * unit) <= unit / 2


@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 5.0], [0.25, 0.5]], ids=str)
def test_means_and_centred_sums_are_rounded_once(weights: Any) -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(-(2**20), 2**20, 300) * 2.0**-30 + 1e3
    w = None if weights is None else rng.choice(weights, 300)
    sums = ResponseSums.of(
        float(y.min()), float(y.max()), 300, None if w is None else float(w.max()), 0 if w is None else -2
    )
    cell, held = rng.integers(0, 5, 300), sums.held(y, w)
    found = sums.added(cell, 5, held)
    backwards = sums.added(cell[::-1], 5, sums.held(y[::-1], None if w is None else w[::-1]))
    assert np.array_equal(found, backwards)
    heavy = [Fraction(1) if w is None else Fraction(float(w[i])) for i in range(300)]
    total, means, apart = found.sum(axis=0)[None], sums.means(found), sums.centred(found, found.sum(axis=0)[None])
    mean = sum(a * Fraction(float(b)) for a, b in zip(heavy, y, strict=True)) / sum(heavy)
    assert sums.means(total)[0] == float(mean)
    for j in range(5):
        mine = [i for i in range(300) if cell[i] == j]
        assert means[j] == float(sum(heavy[i] * Fraction(float(y[i])) for i in mine) / sum(heavy[i] for i in mine))
        assert apart[j] == float(sum(heavy[i] * (Fraction(float(y[i])) - mean) for i in mine))
