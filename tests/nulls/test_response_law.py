"""The law of a decrease of variance against literally all orders of the responses, in Fractions."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.stats import pearson3

from splitcrit import gini_null
from splitcrit.nulls import response_moments
from splitcrit.nulls.response_law import invariants, mean_variance, response_weights

Vector = Sequence[Any]


def divisions(objects: tuple[int, ...], sizes: Sequence[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield every way to divide objects into rows of these sizes; each is as likely as any other."""
    if not sizes:
        yield ()
        return
    for row in itertools.combinations(objects, sizes[0]):
        for rest in divisions(tuple(u for u in objects if u not in row), sizes[1:]):
            yield (row, *rest)


def enumerated(y: Sequence[Vector], sizes: Sequence[int]) -> list[Fraction]:
    """The first three moments of the decrease of variance, from the definition."""
    n, outputs = len(y), range(len(y[0]))

    def variance(rows: Sequence[int]) -> Fraction:
        means = [sum((Fraction(y[u][j]) for u in rows), Fraction(0)) / len(rows) for j in outputs]
        return sum(((Fraction(y[u][j]) - means[j]) ** 2 for u in rows for j in outputs), Fraction(0))

    whole = variance(range(n))
    gains = [(whole - sum(variance(row) for row in rows)) / n for rows in divisions(tuple(range(n)), sizes)]
    mean = sum(gains, Fraction(0)) / len(gains)
    return [mean, *(sum((g - mean) ** k for g in gains) / len(gains) for k in (2, 3))]


def random_case(source: random.Random, most: int) -> tuple[list[list[int]], list[int]]:
    n, outputs = source.randint(1, most), source.randint(1, 3)
    cuts = sorted(source.sample(range(1, n), source.randint(1, min(n, 4)) - 1)) if n > 1 else []
    sizes = [y - x for x, y in itertools.pairwise([0, *cuts, n])]
    return [[source.randint(-3, 6) for _ in range(outputs)] for _ in range(n)], sizes


@pytest.mark.parametrize("seed", range(6))
def test_three_moments_are_those_of_all_orders(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(10):
        y, sizes = random_case(source, 7)
        truth = enumerated(y, sizes)
        found = response_moments(y, sizes, order=3, exact=True)
        assert [found.mean, found.variance, found.third] == truth, (y, sizes)
        floats = response_moments(y, sizes, order=3)
        scale = float(truth[0]) or 1.0
        for k, (x, exact) in enumerate(zip((floats.mean, floats.variance, floats.third), truth, strict=True), 1):
            assert x == pytest.approx(float(exact), rel=1e-10, abs=1e-13 * scale**k), (y, sizes)


def test_eight_numbers() -> None:
    for y, sizes in (
        ((0, 1, 1, 2, 5, 9, -4, 3), (3, 5)),
        ((1, 0, 0, 0, 0, 0, 0, 7), (2, 2, 2, 2)),
        (range(8), (1, 3, 4)),
    ):
        found = response_moments(list(y), sizes, order=3, exact=True)
        assert [found.mean, found.variance, found.third] == enumerated([[x] for x in y], sizes)


def test_classes_are_unit_vectors() -> None:
    for rows, columns in (([3, 7], [4, 6]), ([2, 2, 3], [1, 3, 3]), ([1, 1, 9], [5, 5, 1]), ([4, 4], [2, 6])):
        units = np.repeat(np.eye(len(columns), dtype=int), columns, axis=0)
        truth = gini_null(rows, columns, order=3, exact=True)
        assert response_moments(units.tolist(), rows, order=3, exact=True) == truth
        found = response_moments(units, rows, order=3)
        assert found.mean == pytest.approx(float(truth.mean)) and found.variance == pytest.approx(float(truth.variance))
        assert found.third == pytest.approx(float(truth.third), rel=1e-9, abs=1e-15)


def test_large_samples_agree_with_gini() -> None:
    rows, columns = [500, 1200, 3, 297], [900, 600, 500]
    found = response_moments(np.repeat(np.eye(3), columns, axis=0), rows, order=3)
    truth = gini_null(rows, columns, order=3)
    for name, digits in (("mean", 1e-12), ("variance", 1e-11), ("third", 1e-8)):
        assert getattr(found, name) == pytest.approx(getattr(truth, name), rel=digits)
    for above in (-1.0, 0.5, 3.0):  # standard deviations
        law = pearson3(found.third / found.variance**1.5)
        pvalue = found.approximate_pvalue(found.mean + above * found.variance**0.5)
        assert pvalue == pytest.approx(law.sf(above), rel=1e-9)


def test_many_partitions_at_a_time() -> None:
    y = np.random.default_rng(0).exponential(size=40)
    sizes = np.array([[1, 39, 0], [20, 20, 0], [5, 5, 30]], dtype=float).T
    centred = (y - y.mean())[:, None]
    means, variances = mean_variance(sizes, *response_weights(np.float64(40), *invariants(centred)))
    for rows, mean, variance in zip(sizes.T, means, variances, strict=True):
        alone = response_moments(y, rows.astype(int))
        assert (mean, variance) == pytest.approx((alone.mean, alone.variance), rel=1e-11)


@pytest.mark.parametrize(
    ("y", "sizes"), [([3, 3, 3], [1, 2]), ([0, 0, 0, 5], [2, 2]), ([1, -1, 1, -1], [1, 3]), ([4], [1])]
)
def test_what_no_order_changes_has_no_variance(y: list[int], sizes: list[int]) -> None:
    law = response_moments(y, sizes, order=3)
    assert (law.variance, law.third) == (0, 0) and law.approximate_pvalue(law.mean) == 1


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: response_moments([1, 2, 3], [1, 1]), "every response is in one row of the partition; got 3 responses"),
        (lambda: response_moments([1, np.nan], [1, 1]), "responses are finite; got nan"),
        (lambda: response_moments([1, 2], [0.5, 1.5]), "row totals must be integers; got 0.5"),
        (lambda: response_moments([1, 2], [[1, 1]]), "every response is in one row"),
        (lambda: response_moments([1, 2], [1, 1], order=4), "order is an integer from 2 to 3; got 4"),
        (lambda: response_moments([1, 2, 4], [1, 2]).approximate_pvalue(1), "three moments; got two; ask for order=3"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(call: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()
