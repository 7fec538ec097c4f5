"""Where the NE impurity is misclassification, and what follows for stopping, noise and small ``lam``.

A node lies in the *zone* if ``e <= lam sqrt(G (K - 1) / K)``, with ``e = 1 - max p`` and ``G = 1 - |p|^2``. Main
results: the zone by a test on integers; exactly when a split gains nothing; from which ``lam`` on uniform noise lets a
tree stop early; what remains as ``lam`` tends to 0.
Source: wilton2024, Section 4, which gives no rule for K classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from splitcrit import impurities, losses
from splitcrit.arith import EXACT
from splitcrit.criteria import decrease
from splitcrit.noise import symmetric
from splitcrit.proof import (
    BALL,
    All,
    Ball,
    Certificate,
    Erratum,
    Exhaustive,
    Fact,
    NearMiss,
    Sign,
    Smt,
    Theorem,
)
from splitcrit.proofs.common import binary_splits, count_vectors, distribution, exactly, kinds
from splitcrit.proofs.impurity.concave import LAMS, NE_NAMES
from splitcrit.proofs.impurity.several_classes import enclosed, ne_at
from splitcrit.proofs.wilton2024.stopping import Table, equal_rows, node, share_a_majority


def in_zone(counts: Any, lam: Fraction) -> bool:
    """``K (n - max)^2 <= lam^2 (K - 1)(n^2 - sum n_j^2)``, a test on integers."""
    n, K = sum(counts), len(counts)
    return bool(K * (n - max(counts)) ** 2 <= lam * lam * (K - 1) * (n * n - sum(x * x for x in counts)))


@cache
def gains() -> list[tuple[Fraction, Table, bool]]:
    """All small splits with the verdict whether the NE gain, enclosed, can be 0."""
    found = []
    for lam in LAMS:
        score = decrease(impurities.ne(lam)).score
        for most, classes in ((8, 2), (5, 3)):
            for table in binary_splits(most, classes):
                rows = [[Ball(x) for x in row] for row in exactly(table)]
                found.append((lam, table, bool(Ball(score(rows, BALL)).arb.contains(0))))
    return found


def ne_stops_when(condition: Callable[[Fraction, Table], bool]) -> Exhaustive:
    return Exhaustive(gains, lambda case: case[2] == condition(case[0], case[1]))


def stopping_rule(lam: Fraction, table: Table) -> bool:
    return equal_rows(table) or (share_a_majority(table) and all(in_zone(row, lam) for row in table))


def from_concavity(strict: bool = True) -> Smt:
    """With the values of the two parts at node and children as variables: when the minimum has no gain.

    f is misclassification, above its chord; g is the root, strictly above it for unequal rows.
    """

    def hypotheses(v: Any, m: Any) -> list[Any]:
        chord_f, chord_g = (v.t * v.f0 + (1 - v.t) * v.f1), (v.t * v.g0 + (1 - v.t) * v.g1)
        return [v.t > 0, v.t < 1, v.f >= chord_f, v.g > chord_g if strict else v.g >= chord_g]

    def conclusion(v: Any, m: Any) -> Any:
        gain = m.min((v.f, v.g)) - v.t * m.min((v.f0, v.g0)) - (1 - v.t) * m.min((v.f1, v.g1))
        linear = m.where(v.f == v.t * v.f0 + (1 - v.t) * v.f1, 1, 0)
        zone = m.where(v.f0 <= v.g0, 1, 0) * m.where(v.f1 <= v.g1, 1, 0)
        return m.where(gain == 0, 1, 0) == linear * zone

    return Smt({**dict.fromkeys(("f", "f0", "f1", "g", "g0", "g1"), "real"), "t": "rate"}, conclusion, hypotheses)


def zone_is_error(case: tuple[Fraction, tuple[int, ...]]) -> bool:
    """The integer test says whether the NE impurity is misclassification; the loss announces a vertex just then."""
    lam, counts = case
    p = [Fraction(x, sum(counts)) for x in counts]
    below = bool((impurities.misclassification.of(p, EXACT) - enclosed(ne_at(lam), counts)).arb > 0)
    act = losses.ne(lam).act
    assert act is not None
    return (not below) == in_zone(counts, lam) == bool(max(act(p, EXACT)) == 1)


def zone_cases() -> Iterator[tuple[Fraction, tuple[int, ...]]]:
    return ((lam, n) for lam in (*LAMS, Fraction(1)) for K in (2, 3) for n in count_vectors(7, K))


def minority_share(largest: Callable[[Fraction], Fraction]) -> Exhaustive:
    """With two classes the zone is where the minority share is at most the given one."""
    return Exhaustive(
        lambda: ((lam, n) for lam in LAMS for n in count_vectors(20, 2)),
        lambda case: in_zone(case[1], case[0]) == (min(case[1]) <= largest(case[0]) * sum(case[1])),
    )


# Noise.


def noise_gap(classes: int) -> Certificate:
    """For noisy shares with error e of one class: ``K e^2 (2 (K-1) - K eta) - K eta (K-1) G`` is a sum of products."""

    def shares(v: Any) -> list[Any]:
        return list(symmetric(v.eta).on_distribution(distribution(v, classes)))

    def gap(v: Any, m: Any) -> Any:
        p, K = shares(v), classes
        return K * (1 - p[0]) ** 2 * (2 * (K - 1) - K * v.eta) - K * v.eta * (K - 1) * impurities.gini.of(p, m)

    def atoms(v: Any, m: Any) -> dict[str, Any]:
        error = 1 - shares(v)[0]
        return {"error": 2 * classes * (classes - 1) * error * (error - v.eta), "eta": classes * (classes - 1) * v.eta}

    def terms(v: Any, m: Any) -> list[tuple[list[Any], list[str]]]:
        p = shares(v)
        return [([], ["error"]), *(([x - (1 - p[0]) / (classes - 1)], ["eta"]) for x in p[1:])]

    return Certificate(
        {**kinds("positive", "p", classes=classes), "eta": "rate"},
        gap,
        terms,
        atoms,
        lambda v, m: classes * v.eta <= classes - 1,
    )


def reachable(eta: Fraction, K: int) -> Fraction:
    """Return the square of the least lam whose zone a noisy node can reach."""
    return Fraction(K * eta, 2 * (K - 1) - K * eta)


def in_zone_squared(p: Any, squared: Fraction) -> bool:
    K = len(p)
    return bool(K * (1 - max(p)) ** 2 <= squared * (K - 1) * impurities.gini.of(p, EXACT))


def zone_needs(
    threshold: Callable[[Fraction, int], Fraction], rates: tuple[Fraction, ...] = (Fraction(1, 10), Fraction(2, 5))
) -> Exhaustive:
    """A pure node reaches the zone exactly from the threshold on, and no impure node reaches it below."""

    def holds(case: tuple[Fraction, tuple[int, ...]]) -> bool:
        eta, counts = case
        p = symmetric(eta).on_distribution([Fraction(x, sum(counts)) for x in counts])
        exact, below = threshold(eta, len(counts)), threshold(eta, len(counts)) * Fraction(999, 1000)
        return not in_zone_squared(p, below) and (max(counts) < sum(counts) or in_zone_squared(p, exact))

    return Exhaustive(lambda: ((eta, n) for eta in rates for K in (2, 3, 4) for n in count_vectors(5, K)), holds)


def printed_levels(m: Any) -> list[Any]:
    """Between the levels of K = 2 and K = 10 at eta = 0.1 ... 0.4 and their three printed digits."""
    known = {2: (333, 500, 655, 816), 10: (243, 354, 447, 535)}
    pairs = [(m.sqrt(m.number(reachable(Fraction(i + 1, 10), K))), x) for K in known for i, x in enumerate(known[K])]
    return [m.min([Fraction(6, 10000) - m.abs(level - Fraction(x, 1000)) for level, x in pairs])]


# lam tending to 0.


def limit_square(n: int, K: int) -> Fraction:
    """Return ``K / (2 (K - 1) n - K)``: 1 / (n - 1) for two classes."""
    return Fraction(K, 2 * (K - 1) * n - K)


def no_zone(square: Callable[[int, int], Fraction]) -> Exhaustive:
    """No impure set of at most n examples lies strictly inside the zone at that square of lam."""

    def holds(case: tuple[int, tuple[int, ...]]) -> bool:
        n, counts = case
        size, K = sum(counts), len(counts)
        outside = K * (size - max(counts)) ** 2 >= square(n, K) * (K - 1) * (size**2 - sum(x * x for x in counts))
        return max(counts) == size or bool(outside)

    cases = ((n, c) for K, most in ((2, 9), (3, 7), (4, 5)) for n in range(2, most + 1) for c in count_vectors(n, K))
    return Exhaustive(lambda: list(cases), holds)


TWO_CLASSES = Smt(
    {"a": "positive", "b": "positive", "n": "positive", "lam": "rate"},
    lambda v, m: v.b * v.b >= v.lam * v.lam * v.a * v.b,
    lambda v, m: [v.b <= v.a, v.a + v.b <= v.n, v.lam * v.lam * (v.n - 1) <= 1],
)


def zero_is_root(counts: tuple[int, ...]) -> bool:
    """The formula at lam = 0 is the square root of Gini (scaled)."""
    p = [Fraction(x, sum(counts)) for x in counts]
    return bool(ne_at(Fraction(0))(p, EXACT) == impurities.sqrt_gini.of(p, EXACT))


THEOREMS = [
    Theorem(
        key="ne.zone_is_decided_by_integers",
        statement="the NE impurity of class counts n_j is misclassification exactly if K (n - max n_j)^2 <= lam^2 (K "
        "- 1) (n^2 - sum n_j^2), for two classes exactly if the minority share is at most lam^2 / (1 + lam^2)",
        source="wilton2024, Theorem 8 and Section 4 (where the NE impurity is which)",
        scope="N <= 7 (K = 2, 3), lam = 1/4, 1/2, 3/4, 1; the share of two classes N <= 20",
        holds=All(Exhaustive(zone_cases, zone_is_error), minority_share(lambda lam: lam * lam / (1 + lam * lam))),
        fails=(
            NearMiss("the minority share is at most lam / 2", minority_share(lambda lam: lam / 2)),
            NearMiss("the minority share is at most lam^2", minority_share(lambda lam: lam * lam)),
        ),
    ),
    Theorem(
        key="ne.gain_is_zero_of_shared_majority_in_zone",
        statement="the NE gain of a split is 0 exactly if the children have equal class distributions, or share a "
        "majority class and both lie in the zone; the zone grows with lam, so larger lam stops more often",
        source="wilton2024, Section 4 (early stopping of the NE impurity, for which no rule is given)",
        scope="the step from concavity all K; all tables with N <= 8 (K = 2), N <= 5 (K = 3), lam = 1/4, 1/2, 3/4",
        premises=(
            "hand argument: the values of both parts at node and children are inserted into the step; equality of "
            "misclassification with its chord is Theorem 5 (a): stopping.conservative_gain_is_zero_of_shared_majority",
        ),
        holds=All(from_concavity(), ne_stops_when(stopping_rule)),
        fails=(
            NearMiss("whenever the children share a majority class", ne_stops_when(lambda lam, t: share_a_majority(t))),
            NearMiss("only if the children have equal distributions", ne_stops_when(lambda lam, t: equal_rows(t))),
            NearMiss(
                "it is enough that the node lies in the zone",
                ne_stops_when(lambda lam, t: equal_rows(t) or (share_a_majority(t) and in_zone(node(t), lam))),
            ),
            NearMiss("the root may be concave, not strictly so", from_concavity(strict=False), "hypothesis"),
        ),
        facts=tuple(Fact(name, "stops early", K, True) for name in NE_NAMES for K in ("2", ">2")),
    ),
    Theorem(
        key="ne.zone_is_reached_of_lam_above_noise_level",
        statement="under uniform noise of rate eta the expected distribution of a node lies in the zone only if lam >= "
        "sqrt(K eta / (2 (K - 1) - K eta)), and a pure node's does from there on; below it the NE impurity is "
        "lam sqrt_gini and stops nothing early",
        source="wilton2024, Section 4 (lam and the noise rate)",
        scope="every eta <= (K - 1) / K and distribution, K = 2, 3; N <= 5 at eta = 1/10, 2/5 for K <= 4",
        holds=All(*(noise_gap(K) for K in (2, 3)), zone_needs(reachable), Sign(printed_levels)),
        fails=(
            NearMiss(
                "the level is sqrt(K eta / (2 (K - 1)))", zone_needs(lambda eta, K: Fraction(K * eta, 2 * (K - 1)))
            ),
            NearMiss("the level is that of two classes", zone_needs(lambda eta, K: reachable(eta, 2))),
            NearMiss("also for eta > (K - 1) / K", zone_needs(reachable, (Fraction(4, 5),)), "hypothesis"),
        ),
        latex=r"\lambda \ge \sqrt{\frac{K\eta}{2(K-1)-K\eta}}",
    ),
    Theorem(
        key="ne.impurity_is_scaled_root_of_small_lam",
        statement="for lam^2 <= K / (2 (K - 1) n - K), which is 1 / (n - 1) for two classes, the NE impurity is lam "
        "sqrt_gini on every set of at most n examples; at lam = 0 the formula is 0, so it is NE / lam that tends to "
        "the square root of Gini",
        source="wilton2024, Section 4 (the limit lam = 0)",
        scope="n <= 9 (K = 2), n <= 7 (K = 3), n <= 5 (K = 4); every n for K = 2",
        added="the impurity is divided by lam",
        holds=All(no_zone(limit_square), TWO_CLASSES),
        fails=(
            NearMiss("up to twice that square of lam", no_zone(lambda n, K: 2 * limit_square(n, K)), "hypothesis"),
            NearMiss("up to 1 / (n - 1) for every K", no_zone(lambda n, K: Fraction(1, n - 1)), "hypothesis"),
            NearMiss("the formula at lam = 0 is sqrt_gini", Exhaustive(lambda: count_vectors(4, 2), zero_is_root)),
        ),
    ),
]

ERRATA = [
    Erratum("R-E12", Exhaustive(lambda: count_vectors(4, 2), zero_is_root), "ne.impurity_is_scaled_root_of_small_lam"),
]
