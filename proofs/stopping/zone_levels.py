"""How large ``lam`` must be for the zone of the NE impurity: under uniform noise, and for sets of few examples.

Source: wilton2024, Section 4, which gives no rule for K classes.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from splitcrit import impurities
from splitcrit.arith import EXACT, total
from splitcrit.noise import symmetric
from splitcrit.proof import All, Certificate, Erratum, Exhaustive, Induction, Law, NearMiss, Sign, Smt, Theorem
from splitcrit.proofs.common import count_vectors, kinds
from splitcrit.proofs.impurity.several_classes import ne_at
from splitcrit.proofs.stopping.zone import zone_gap


# Noise: the class of weight w, and one entry for every other class.
def spread(values: Any) -> Any:
    """The sum of squared distances from the mean."""
    mean = total(values) / len(values)
    return total([(x - mean) ** 2 for x in values])


def noise_gap(entries: Any, v: Any, m: Any) -> Any:
    """``K e^2 (2 (K-1) - K eta) - K eta (K-1) G`` of noisy shares, less two products (see `not_negative`)."""
    K, weights = len(entries) + 1, [v.w, *(e.x for e in entries)]
    p = list(symmetric(v.eta).on_distribution([x / total(weights) for x in weights]))
    error, other = 1 - p[0], 1 - v.w / total(weights)
    gap = K * error**2 * (2 * (K - 1) - K * v.eta) - K * v.eta * (K - 1) * impurities.gini.of(p, m)
    mean = error / (K - 1)  # of the other shares, whose spread is that of all about it less the first one's distance
    apart = total([(x - mean) ** 2 for x in p]) - (p[0] - mean) ** 2
    return gap - 2 * K * error * other * (K - 1 - K * v.eta) - K * v.eta * (K - 1) * apart


def noise_gap_in_sums(sums: Any, v: Any, m: Any) -> Any:
    rest, others, squares = sums
    K, whole = others + 1, v.w + rest
    slope, step = 1 - v.eta - v.eta / others, v.eta / others
    first, second = slope * rest / whole + v.eta, slope**2 * squares / whole**2 + 2 * slope * step * rest / whole
    second = second + v.eta * step
    error = 1 - slope * v.w / whole - step
    gap = K * error**2 * (2 * (K - 1) - K * v.eta) - K * v.eta * (K - 1) * (1 - (1 - error) ** 2 - second)
    gap = gap - 2 * K * error * rest / whole * (K - 1 - K * v.eta)
    return gap - K * v.eta * (K - 1) * (second - first**2 / others)


def of_others(formula: Any, closed: Any, shared: dict[str, str]) -> Induction:
    """An equation of the counts x of all classes but one, for any number of them."""
    sums: Any = lambda e, v, m: [e.x, m.number(1), e.x * e.x]  # noqa: E731
    keeps: Any = lambda s, v, m: [s[0] > 0, s[1] >= 1]  # noqa: E731
    entry = {"x": "positive"}
    return Induction("K", entry, formula, sums, closed, shared=shared, least=1, keeps=keeps, compared=True)


def not_negative() -> Certificate:
    """The two products are not negative for K eta <= K - 1."""

    def products(v: Any, m: Any) -> dict[str, Any]:
        error, noise = v.e * v.other * (v.K - 1 - v.K * v.eta), v.eta * (v.K - 1) * v.spread
        return {"error": 2 * v.K * error, "noise": v.K * noise}

    return Certificate(
        kinds("count", "e", "spread") | kinds("rate", "eta", "other") | {"K": "real"},
        lambda v, m: sum(products(v, m).values()),
        lambda v, m: [([], [name]) for name in products(v, m)],
        products,
        lambda v, m: [v.K >= 2, v.K * v.eta <= v.K - 1],
    )


def reachable(eta: Fraction, K: int) -> Fraction:
    """The square of the least lam whose zone a noisy node can reach."""
    return Fraction(K * eta, 2 * (K - 1) - K * eta)


def zone_needs(
    threshold: Callable[[Fraction, int], Fraction], rates: tuple[Fraction, ...] = (Fraction(1, 10), Fraction(2, 5))
) -> Exhaustive:
    """A pure node reaches the zone exactly from the threshold on, and no impure node reaches it below."""

    def holds(case: tuple[Fraction, tuple[int, ...]]) -> bool:
        eta, counts = case
        p = symmetric(eta).on_distribution([Fraction(x, sum(counts)) for x in counts])
        exact, below = threshold(eta, len(counts)), threshold(eta, len(counts)) * Fraction(999, 1000)
        return zone_gap(p, below) < 0 and (max(counts) < sum(counts) or zone_gap(p, exact) >= 0)

    return Exhaustive(lambda: ((eta, n) for eta in rates for K in (2, 3, 4) for n in count_vectors(5, K)), holds)


def printed_levels(m: Any) -> list[Any]:
    """Between the levels of K = 2 and K = 10 at eta = 0.1 ... 0.4 and their three printed digits."""
    known = {2: (333, 500, 655, 816), 10: (243, 354, 447, 535)}
    pairs = [(m.sqrt(m.number(reachable(Fraction(i + 1, 10), K))), x) for K in known for i, x in enumerate(known[K])]
    return [m.min([Fraction(6, 10000) - m.abs(level - Fraction(x, 1000)) for level, x in pairs])]


# lam tending to 0: N is the largest number of examples, M the count of a class.
def limit_square(N: Any, K: Any) -> Any:
    """``K / (2 (K - 1) N - K)``: 1 / (N - 1) for two classes."""
    return Fraction(K) / (2 * (K - 1) * N - K)


def size_gap(entries: Any, v: Any, m: Any) -> Any:
    """``(2 (K-1) N - K) d^2 - (K-1)(n^2 - sum n_j^2)`` of d examples not in a class, less two products."""
    K, others = len(entries) + 1, [e.x for e in entries]
    d, squares = total(others), total([x * x for x in [v.M, *others]])
    gap = (2 * (K - 1) * v.N - K) * d**2 - (K - 1) * ((v.M + d) ** 2 - squares)
    return gap - 2 * (K - 1) * d * (v.N * d - v.M - d) - (K - 1) * spread(others)


def size_gap_in_sums(sums: Any, v: Any, m: Any) -> Any:
    d, others, squares = sums
    gap = (2 * others * v.N - others - 1) * d**2 - others * ((v.M + d) ** 2 - v.M**2 - squares)
    return gap - 2 * others * d * (v.N * d - v.M - d) - others * (squares - d**2 / others)


def large_enough(impure: int = 1) -> Smt:
    """The first product is not negative where examples of another class are among at most N."""
    variables = kinds("count", "N", "M", "d")
    return Smt(variables, lambda v, m: v.N * v.d >= v.M + v.d, lambda v, m: [v.d >= impure, v.M + v.d <= v.N])


def twice(N: Any, K: Any) -> Any:
    return 2 * limit_square(N, K)


def no_zone(square: Callable[[Any, Any], Any]) -> Exhaustive:
    """No impure set of at most n examples lies strictly inside the zone at that square of lam."""
    cases = ((n, c) for K, most in ((2, 9), (3, 7), (4, 5)) for n in range(2, most + 1) for c in count_vectors(n, K))
    listed = list(cases)
    return Exhaustive(
        lambda: listed,
        lambda case: max(case[1]) == sum(case[1]) or zone_gap(case[1], square(case[0], len(case[1]))) <= 0,
    )


def zero_is_root(counts: tuple[int, ...]) -> bool:
    """The formula at lam = 0 is the square root of Gini (scaled)."""
    p = [Fraction(x, sum(counts)) for x in counts]
    return bool(ne_at(Fraction(0))(p, EXACT) == impurities.sqrt_gini.of(p, EXACT))


level, small = Law(zone_needs, threshold=reachable), Law(no_zone, square=limit_square)
AT_ZERO = Exhaustive(lambda: count_vectors(4, 2), zero_is_root)

THEOREMS = [
    Theorem(
        key="stopping.ne_zone_is_reached_of_lam_above_noise_level",
        statement="under uniform noise of rate eta <= (K - 1) / K the expected distribution of a node lies in the zone"
        " only if lam >= sqrt(K eta / (2 (K - 1) - K eta)), and a pure node's does from there on; below it the NE"
        " impurity is lam sqrt_gini and stops nothing early; for K e^2 (2 (K - 1) - K eta) - K eta (K - 1) G is"
        " 2 K e (1 - p) (K - 1 - K eta) + K eta (K - 1) V, with p the clean share of a class, e its noisy error and V"
        " the sum of squared deviations of the other noisy shares from their mean",
        source="wilton2024, Section 4 (lam and the noise rate)",
        holds=All(
            of_others(noise_gap, noise_gap_in_sums, {"w": "positive", "eta": "rate"}),
            not_negative(),
            level,
            Sign(printed_levels),
        ),
        fails=(
            level.but("the level is sqrt(K eta/(2 (K - 1)))", threshold=lambda eta, K: Fraction(K * eta, 2 * (K - 1))),
            level.but("the level is that of two classes", threshold=lambda eta, K: reachable(eta, 2)),
            level.but("also for eta > (K - 1) / K", rates=(Fraction(4, 5),), alters="hypothesis"),
        ),
    ),
    Theorem(
        key="stopping.ne_impurity_is_scaled_root_of_small_lam",
        statement="for lam^2 <= K / (2 (K - 1) N - K), which is 1 / (N - 1) for two classes, the NE impurity is lam "
        "sqrt_gini on every set of at most N examples: (2 (K - 1) N - K) d^2 - (K - 1) (n^2 - sum n_j^2) is"
        " 2 (K - 1) d (N d - n) + (K - 1) V, with d the examples not in one class and V the squared deviations of their"
        " counts from the mean; at lam = 0 the formula is 0, so it is NE / lam that tends to the square root",
        source="wilton2024, Section 4 (the limit lam = 0)",
        added="the impurity is divided by lam",
        holds=All(of_others(size_gap, size_gap_in_sums, kinds("positive", "M", "N")), large_enough(), small),
        fails=(
            small.but("up to twice that square of lam", square=twice, alters="hypothesis"),
            small.but("up to 1 / (n - 1) for every K", square=lambda n, K: Fraction(1, n - 1), alters="hypothesis"),
            NearMiss("the formula at lam = 0 is sqrt_gini", AT_ZERO),
        ),
    ),
]
ERRATA = [Erratum("R-E12", AT_ZERO, "stopping.ne_impurity_is_scaled_root_of_small_lam")]
