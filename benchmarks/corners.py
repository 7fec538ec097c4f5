"""Rows of ``make bench`` about exact variances of sums over cells; as a script, the numbers of docs/chance-of-gains.md.

Peers: the variance of Romano, Bailey, Nguyen and Verspoor (2014), by three nested counts, written here from their
formula; and 1,000 random tables. ``python benchmarks/corners.py`` prints times at the margins of the page, and how far
the Pearson III tail of a decrease of variance is from that of 100,000 random orders.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from scipy.special import gammaln, xlogy
from timing import Row, compare

from splitcrit import decrease, entropy
from splitcrit.nulls import response_moments
from splitcrit.nulls.monte_carlo import random_tables
from splitcrit.nulls.score_moments import cell_moments, null_moments

NODES, ORDERS = 1000, 100_000
TEN = [500, 700, 800, 900, 1000, 1050, 1100, 1150, 1250, 1550]
MARGINS = {
    "[200]*5 by [100]*10": ([200] * 5, [100] * 10),
    "[50]*6 by [100, 90, 60, 50]": ([50] * 6, [100, 90, 60, 50]),
    "100 by 100, N = 1e5, ten distinct margins a side": (TEN * 10, TEN * 10),
    "2 by 2, N = 1e6": ([600_000, 400_000], [300_000, 700_000]),
    "3 by 3, N = 1e6": ([500_000, 300_000, 200_000], [100_000, 300_000, 600_000]),
}


def law(n: int, good: int, draws: int) -> tuple[np.ndarray, np.ndarray]:
    """The values of a hypergeometric number and their chances."""
    x = np.arange(max(0, draws + good - n), min(good, draws) + 1)
    top = gammaln([good + 1, n - good + 1, draws + 1, n - draws + 1]).sum() - gammaln(n + 1)
    logs = gammaln(x + 1) + gammaln(good - x + 1) + gammaln(draws - x + 1) + gammaln(n - good - draws + x + 1)
    return x, np.exp(top - logs)


def nested_variance(a: list[int], b: list[int]) -> float:
    """The variance of the mutual information by the sums of Romano et al. (2014), Theorem 1."""
    n = sum(a)

    def value(x: np.ndarray, i: int, j: int) -> np.ndarray:
        return xlogy(x / n, n * x / (a[i] * b[j]))

    def mean(room: int, good: int, draws: int, i: int, j: int) -> float:
        x, p = law(room, good, draws)
        return float(p @ value(x, i, j))

    first = sum(mean(n, b[j], a[i], i, j) for i in range(len(a)) for j in range(len(b)))
    second = 0.0
    for i in range(len(a)):
        for j in range(len(b)):
            for x, p in zip(*law(n, b[j], a[i]), strict=True):
                total = float(value(x, i, j))
                total += sum(mean(n - a[i], a[k], b[j] - x, k, j) for k in range(len(a)) if k != i)
                for other in range(len(b)):
                    if other == j:
                        continue
                    for y, q in zip(*law(n - b[j], b[other], a[i] - x), strict=True):
                        inner = float(value(y, i, other))
                        inner += sum(mean(n - a[i], a[k], b[other] - y, k, other) for k in range(len(a)) if k != i)
                        total += q * inner
                second += p * float(value(x, i, j)) * total
    return second - first**2


def exact(a: list[int], b: list[int]) -> object:
    """The law anew, whatever is remembered."""
    cell_moments.cache_clear()
    return cell_moments(decrease(entropy), tuple(a), tuple(b), 10**12)


def rows() -> Iterator[Row]:
    """Yield the variance of the information gain against nested sums and against random tables."""
    a, b = [8, 9, 10, 11, 12], [10, 10, 15, 15]
    where = "information gain, 5 by 4, N = 50"
    assert abs(nested_variance(a, b) / null_moments(entropy, a, b).variance - 1) < 1e-9
    yield compare(f"variance / nested sums, {where}", lambda: exact(a, b), lambda: nested_variance(a, b), 0.1, runs=3)
    for name in ("[200]*5 by [100]*10", "[50]*6 by [100, 90, 60, 50]"):
        a, b = MARGINS[name]
        rng = np.random.default_rng(0)

        def drawn(a: list[int] = a, b: list[int] = b, rng: np.random.Generator = rng) -> object:
            tables = random_tables(np.array(a), np.array(b), 1000, "permutation", rng)
            return decrease(entropy).of_floats(np.moveaxis(tables, 0, -1).astype(float)).var()

        yield compare(f"variance / 1,000 random tables, {name}", lambda a=a, b=b: exact(a, b), drawn, runs=3)


def times() -> Iterator[tuple[str, float]]:
    """Yield the seconds at each of the margins, compiled code ready."""
    for name, (a, b) in MARGINS.items():
        exact(a, b)
        start = time.perf_counter()
        exact(a, b)
        yield name, time.perf_counter() - start


def nodes(seed: int = 0, number: int = NODES, orders: int = ORDERS) -> np.ndarray:
    """Of random nodes of numbers, size, skewness, (variance - drawn) / error, and exact and Pearson III tails.

    A node has 10 to 300 responses, of a normal, an exponential or a log-normal law, and two to six rows.
    """
    rng, measured = np.random.default_rng(seed), []
    for i in range(number):
        n, r = int(rng.integers(10, 301)), int(rng.integers(2, 7))
        y = (rng.normal, rng.exponential, rng.lognormal)[i % 3](size=n)
        sizes = np.diff(np.concatenate([[0], np.sort(rng.choice(np.arange(1, n), r - 1, replace=False)), [n]]))
        moments = response_moments(y, sizes, order=3)
        y = y - y.mean()
        gains = np.concatenate([_gains(y, sizes, min(10_000, orders), rng) for _ in range(max(1, orders // 10_000))])
        apart = gains - moments.mean
        error = ((apart**2).std() or 1.0) / len(gains) ** 0.5
        limits = np.quantile(gains, [0.9, 0.99, 0.999])
        tails = [(gains >= g).mean() for g in limits]
        measured.append(
            [
                n,
                moments.skewness,
                ((apart**2).mean() - moments.variance) / error,
                *tails,
                *moments_tails(moments, limits),
            ]
        )
    return np.array(measured)


def moments_tails(moments: object, limits: np.ndarray) -> list[float]:
    """The Pearson III tails at some gains."""
    return [float(moments.approximate_pvalue(g)) for g in limits]  # type: ignore[attr-defined]


def _gains(y: np.ndarray, sizes: np.ndarray, orders: int, rng: np.random.Generator) -> np.ndarray:
    """The decreases of variance of random orders; a row is drawn from what the rows before it left."""
    drawn = rng.permuted(np.tile(y, (orders, 1)), axis=1)
    return (np.add.reduceat(drawn, sizes.cumsum() - sizes, axis=1) ** 2 / sizes).sum(axis=1) / len(y)


if __name__ == "__main__":
    for name, seconds in times():
        print(f"{name}: {seconds * 1e3:.1f} ms")
    measured = nodes()
    print(f"variance of {len(measured)} nodes: {np.abs(measured[:, 2]).max():.2f} standard errors at most, "
          f"{(np.abs(measured[:, 2]) < 2).mean():.1%} within two")  # fmt: skip
    for low, high in ((10, 30), (30, 100), (100, 301)):
        for least, most in ((-9, 1.5), (1.5, 3), (3, 99)):
            part = measured[
                (measured[:, 0] >= low) & (measured[:, 0] < high) & (measured[:, 1] >= least) & (measured[:, 1] < most)
            ]
            if len(part):
                ratio = np.median(part[:, 6:9] / part[:, 3:6], axis=0).round(2).tolist()
                print(f"{low} to {high - 1} responses, skewness {least} to {most} ({len(part)}): tail / drawn {ratio}")
