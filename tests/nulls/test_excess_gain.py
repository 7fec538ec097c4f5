"""The gain of the best partition in boosting by chance, against permuted rows and against all partitions."""

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.stats import pearson3

from refusals import refused
from splitcrit import gini_null
from splitcrit.nulls import expected_excess_gain, response_moments
from splitcrit.nulls.response_law import invariants, mean_variance, response_weights


def sums(g: Any, h: Any) -> tuple[list[float], list[float]]:
    return [g.sum(), (g * g).sum()], [h.sum(), (h * h).sum(), (g * h).sum()]


def gain(left: Any, second: Any, g: Any, h: Any, lam: Any) -> Any:
    return left**2 / (second + lam) + (g - left) ** 2 / (h - second + lam) - g**2 / (h + lam)


def permuted(sizes: list[int], g: Any, h: Any, lam: float, orders: Any) -> Any:
    """The best gain of all partitions of the levels, of each order of the rows."""
    starts, levels, found = np.cumsum([0, *sizes[:-1]]), len(sizes), []
    masks = (np.arange(1, 2 ** (levels - 1))[:, None] >> np.arange(levels)) & 1
    for order in orders:
        grads, hessians = (np.add.reduceat(x[np.array(order)], starts) for x in (g, h))
        found.append(max(0.0, gain(masks @ grads, masks @ hessians, g.sum(), h.sum(), lam).max()))
    return np.array(found)


@pytest.mark.parametrize("lam", [0.0, 2.0])
def test_permuted_rows_are_those_of_all_orders(lam: float) -> None:
    rng = np.random.default_rng(1)
    g, h = rng.normal(size=6) + 1, rng.uniform(0.2, 1, 6)
    truth = permuted([2, 1, 3], g, h, lam, itertools.permutations(range(6)))
    found = expected_excess_gain([2, 1, 3], *sums(g, h), lam, rows=(g, h), method="rows", draws=4000)
    assert found.method == "rows" and found.standard_error is not None
    assert abs(found.gain - truth.mean()) < 5 * found.standard_error


CASES = {  # sizes, share of events, spread of the predictions
    "few levels": ([200] * 4, 0.5, 0.1),
    "uneven sizes": ([800, 300, 150, 100, 80, 60, 50, 40, 40], 0.4, 0.2),
    "a wrong mean": ([100] * 9, 0.2, 0.1),
}


def data(name: str) -> tuple[list[int], Any, Any]:
    sizes, share, spread = CASES[name]
    rng = np.random.default_rng(2)
    p = np.clip(0.5 + spread * rng.normal(size=sum(sizes)), 0.05, 0.95)
    return sizes, p - (rng.random(sum(sizes)) < share), p * (1 - p)


@pytest.mark.parametrize("lam", [0.0, 30.0])
@pytest.mark.parametrize("name", CASES)
def test_normal_sums_give_the_mean_of_permuted_rows(name: str, lam: float) -> None:
    sizes, g, h = data(name)
    rng = np.random.default_rng(3)
    truth = permuted(sizes, g, h, lam, [rng.permutation(len(g)) for _ in range(2000)])
    found = expected_excess_gain(sizes, *sums(g, h), lam, draws=2000)
    assert found.method == "draws" and found.draws == 2000
    assert abs(found.gain - truth.mean()) < 0.06 * truth.mean() + 0.02
    closed = expected_excess_gain(sizes, *sums(g, h), lam, method="closed")
    assert closed.method == ("draws" if lam and name != "few levels" else "closed")
    assert abs(closed.gain - truth.mean()) < 0.27 * truth.mean() + 0.02


SIZES = {
    "even": [100] * 30, "zipf": [int(3000 / k / 3.995) + 20 for k in range(1, 31)], "many": [40] * 100,
    "three": [1000] * 3,
}  # fmt: skip
LOSSES: dict[str, Any] = {  # gradients and second derivatives of a round
    "two classes": lambda rng, n, p: (p - (rng.random(n) < 0.3), p * (1 - p)),
    "one class of three": lambda rng, n, p: (p - (rng.integers(0, 3, n) == 0), 2 * p * (1 - p)),
    "numbers": lambda rng, n, p: (p - rng.normal(size=n), np.ones(n)),
    "heavy numbers": lambda rng, n, p: (p - np.exp(rng.normal(size=n)), np.ones(n)),
}


@pytest.mark.parametrize(
    ("shape", "loss", "lam"),
    [(shape, loss, (0.0, 1.0, 30.0)[(i + j) % 3]) for i, shape in enumerate(SIZES) for j, loss in enumerate(LOSSES)],
)
def test_the_mean_of_many_levels_is_that_of_prefixes_of_permuted_rows(shape: str, loss: str, lam: float) -> None:
    """Both directions of the search are one: a prefix of the levels, or what is left."""
    sizes, rng = SIZES[shape], np.random.default_rng(7)
    n, ends = sum(sizes), np.cumsum(sizes)
    g, h = LOSSES[loss](rng, n, np.clip(0.4 + 0.1 * rng.normal(size=n), 0.1, 0.9))
    best = []
    for _ in range(300):
        order = rng.permutation(n)
        grads, hessians = (np.diff(np.concatenate([[0.0], x[order].cumsum()])[[0, *ends]]) for x in (g, h))
        places = np.argsort(grads / (hessians + lam), kind="stable")[:-1]
        left, second = grads[places].cumsum(), hessians[places].cumsum()
        best.append(max(0.0, gain(left, second, g.sum(), h.sum(), lam).max()))
    found = expected_excess_gain(sizes, *sums(g, h), lam, rows=(g, h), draws=500)
    assert found.method == ("rows" if loss == "heavy numbers" and shape != "three" else "draws")
    error = math.hypot(np.std(best, ddof=1) / 300**0.5, found.standard_error or 0.0)
    assert abs(found.gain - np.mean(best)) < 0.03 * np.mean(best) + 4 * error
    if found.method == "rows" and shape == "many":  # sums that are taken for normal are too large
        assert expected_excess_gain(sizes, *sums(g, h), lam, draws=1000).gain > np.mean(best) + 2 * error


@pytest.mark.parametrize("lam", [0.0, 0.2])
@pytest.mark.parametrize("name", CASES)
def test_the_closed_form(name: str, lam: float) -> None:
    sizes, g, h = data(name)
    r = g - g.sum() / (h.sum() + lam) * h
    expected = 2 / math.pi * r.var(ddof=1) * sum(map(math.sqrt, sizes)) ** 2 - lam * g.sum() ** 2 / (h.sum() + lam)
    found = expected_excess_gain(sizes, *sums(g, h), lam, method="closed")
    assert found.method == "closed" and found.standard_error is None
    assert float(found) == pytest.approx(expected / (h.sum() + 2 * lam), rel=1e-9)


def test_levels_with_few_events_need_their_rows() -> None:
    rng = np.random.default_rng(5)
    p = np.full(400, 0.02)
    g, h = p - (rng.random(400) < 0.02), p * (1 - p)
    with pytest.raises(ValueError, match=r"at least 5 expected events.*got 0\.784 in the smallest level; pass rows"):
        expected_excess_gain([40] * 10, *sums(g, h))
    truth = permuted([40] * 10, g, h, 1.0, [rng.permutation(400) for _ in range(400)])
    found = expected_excess_gain([40] * 10, *sums(g, h), 1.0, rows=(g, h), draws=400)
    error = math.hypot(found.standard_error or 0, truth.std() / 20)
    assert found.method == "rows" and abs(found.gain - truth.mean()) < 5 * error


def test_a_node_where_no_partition_gains_counts_as_0() -> None:
    """The mean of max(0, gain) over all orders of the rows, in fractions; the mean of the gain itself is below 0."""
    g, h = ([Fraction(x, 100) for x in xs] for xs in ((-30, 70, 50, 70, 70), (25, 21, 25, 21, 25)))
    whole = sum(g) ** 2 / (sum(h) + 1)
    sides = [(one, [i for i in range(5) if i not in one]) for one in itertools.combinations(range(5), 3)]
    gains = [sum(sum(g[i] for i in side) ** 2 / (sum(h[i] for i in side) + 1) for side in both) for both in sides]
    truth, mean = (float(sum(x) / len(gains)) for x in ([max(0, x - whole) for x in gains], [x - whole for x in gains]))
    rows = np.array([g, h], dtype=float)
    found = expected_excess_gain([3, 2], *sums(*rows), 1.0, rows=rows, method="rows", draws=2000)
    assert mean < -0.4 < 0 < truth
    assert abs(found.gain - truth) < 5 * (found.standard_error or 0)


def test_sizes_are_what_it_depends_on() -> None:
    sizes, g, h = data("uneven sizes")
    found = expected_excess_gain(sizes, *sums(g, h))
    assert found.gain == expected_excess_gain([*sizes, 0], *sums(g, h)).gain
    assert found.gain != expected_excess_gain(sizes, *sums(g, h), seed=1).gain
    assert float(expected_excess_gain([1600], *sums(g, h))) == 0.0
    assert float(expected_excess_gain(sizes, *sums(3 * g, 3 * h))) == pytest.approx(3 * found.gain)


def test_bad_input_is_told_in_a_sentence() -> None:
    good: tuple[Any, ...] = ([10, 10], [1.0, 20.0], [20.0, 20.0, 1.0])
    for given, sentence in [
        (([[10, 10]], *good[1:]), r"in levels of some sizes; got 20 rows in sizes of shape \(1, 2\)"),
        (([1], *good[1:]), "got 1 rows"),
        ((good[0], [1.0], good[2]), "got 1 and 3 numbers"),
        ((good[0], good[1], [0.0, 20.0, 1.0]), "a sum above 0; got 0"),
        ((good[0], [100.0, 20.0], good[2]), "sums of squares and products are those of rows"),
    ]:
        refused(sentence, expected_excess_gain, *given)
    refused("expected events, the sum of h, or rows are permuted", expected_excess_gain, *good, method="rows")
    refused(r"got shape \(2, 3\) for 20 rows", expected_excess_gain, *good, method="rows", rows=[[1, 2, 3], [1, 1, 1]])
    refused("got sums 20 and 20 for 1 and 20", expected_excess_gain, *good, method="rows", rows=[[1] * 20, [1] * 20])


# The law of a decrease of variance against literally all orders of the responses, in Fractions.

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
        (lambda: response_moments([1, 2, 4], [1, 2]).approximate_pvalue(1), "three moments; got two; ask for order=3"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(call: Any, sentence: str) -> None:
    refused(sentence, call)
