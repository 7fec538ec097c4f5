"""The expected score of a sample whose labels are noisy, at every number of examples, not only in the limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, product
from math import factorial, prod
from typing import Any

from splitcrit.arith import total
from splitcrit.impurities import gini
from splitcrit.noise import symmetric
from splitcrit.proof import All, Exhaustive, Identity, Induction, NearMiss, Theorem
from splitcrit.proofs.common import compositions, error_decrease, gini_decrease, kinds, of_values, score
from splitcrit.proofs.noise.inequalities import MOMENTS
from splitcrit.proofs.null.noisy import by_moments, keeps, reorders
from splitcrit.proofs.two_class import clean

SPLIT = kinds("positive", "a", "b", "c", "d")
RATE_3 = Fraction(3, 10)


# Uniform noise: the impurity of one node with any number of classes, then the gain with any number of children.
def expected_node(bias: int = 1) -> Induction:
    """n^2 (K - 1)^2 times: E gini = (1 - lam)^2 gini + (1 - (1 - lam)^2)(K - 1)/K - eta (2 - lam)/n of a noisy node."""

    def formula(entries: Any, v: Any, m: Any) -> Any:
        row, K = [e.n for e in entries], len(entries)
        n, other = total(row), v.eta / (K - 1)
        spread = total([x * v.eta * (1 - v.eta) + (n - x) * other * (1 - other) for x in row])
        noisy = gini.of([x / n for x in symmetric(v.eta).on_distribution(row)], m) - spread / n**2
        lam = K * v.eta / (K - 1)
        constant = (1 - (1 - lam) ** 2) * Fraction(K - 1, K) - bias * v.eta * (2 - lam) / n
        return (noisy - (1 - lam) ** 2 * gini.of([x / n for x in row], m) - constant) * n**2 * (K - 1) ** 2

    def closed(sums: Any, v: Any, m: Any) -> Any:
        K, n, squares = sums
        eta, rest = v.eta, sums[0] - 1
        factor = rest - K * eta  # (K - 1)(1 - lam)
        noisy = factor**2 * squares + 2 * factor * eta * n**2 + K * eta**2 * n**2
        spread = n * eta * (1 - eta) * rest**2 + rest * n * eta * (rest - eta)
        constant = (2 * rest - K * eta) * eta * rest * n**2 - bias * n * eta * (2 * rest - K * eta) * rest
        return rest**2 * n**2 - noisy - spread - factor**2 * (n**2 - squares) - constant

    return Induction(
        "K",
        {"n": "positive"},
        formula,
        lambda e, v, m: [m.number(1), e.n, e.n**2],
        closed,
        shared={"eta": "rate"},
    )


def children_affine(per_child: bool = True) -> Induction:
    """n times: where the impurity of n examples becomes c phi + d - w/n the gain becomes c gain + (r - 1) w/n."""

    def formula(entries: Any, v: Any, m: Any) -> Any:
        sizes, values = [e.n for e in entries], [*(e.g for e in entries), v.node]
        n = total(sizes)
        after = [v.c * g + v.d - v.w / size for size, g in zip([*sizes, n], values, strict=True)]
        more = (len(sizes) - 1 if per_child else 1) * v.w
        return n * (of_values(sizes, after, m) - v.c * of_values(sizes, values, m)) - more

    def closed(sums: Any, v: Any, m: Any) -> Any:
        r, n, inside = sums
        after = n * (v.c * v.node + v.d) - v.w - (v.c * inside + v.d * n - r * v.w)
        return after - v.c * (n * v.node - inside) - (r - 1 if per_child else 1) * v.w

    def adds(e: Any, v: Any, m: Any) -> list[Any]:
        return [m.number(1), e.n, e.n * e.g]

    entry = {"n": "positive", "g": "real"}
    return Induction("r", entry, formula, adds, closed, shared=kinds("real", "node", "c", "d", "w"))


@cache
def row_law(row: tuple[int, ...], eta: Fraction) -> dict[tuple[int, ...], Fraction]:
    """The law of a noisy row of counts, by multinomial laws of its classes."""
    law = {(0,) * len(row): Fraction(1)}
    for count, chances in zip(row, symmetric(eta).transition(len(row)), strict=True):
        bigger: dict[tuple[int, ...], Fraction] = {}
        for seen, (known, weight) in product(compositions(count, len(row)), law.items()):
            ways = Fraction(factorial(count), prod(map(factorial, seen)))
            chance = ways * prod((x**y for x, y in zip(chances, seen, strict=True)), start=Fraction(1))
            now = tuple(x + y for x, y in zip(known, seen, strict=True))
            bigger[now] = bigger.get(now, Fraction(0)) + weight * chance
        law = bigger
    return law


def tables_and_rates(most: int, classes: int, rows: int) -> Iterator[tuple[tuple[tuple[int, ...], ...], Fraction]]:
    """Yield tables, at as many rates as determine a polynomial of degree n in the rate."""
    for n in range(rows, most + 1):
        for flat in compositions(n, classes * rows):
            t = tuple(flat[classes * i : classes * (i + 1)] for i in range(rows))
            if all(map(sum, t)) and list(t) == sorted(t):
                yield from ((t, Fraction(i, 6)) for i in range(n + 1))


def uniform_law(case: tuple[tuple[tuple[int, ...], ...], Fraction]) -> bool:
    """Whether the exact mean over all noisy tables is the affine function of the clean gain."""
    t, eta = case
    K = len(t[0])
    lam, mean = eta * Fraction(K, K - 1), Fraction(0)
    for choice in product(*(row_law(row, eta).items() for row in t)):
        mean += prod((w for _, w in choice), start=Fraction(1)) * score(gini_decrease, [row for row, _ in choice])
    return bool(mean == (1 - lam) ** 2 * score(gini_decrease, t) + (len(t) - 1) * eta * (2 - lam) / sum(map(sum, t)))


def symmetric_mean(rest: Callable[[Any], Any] | None = None) -> Identity:
    """The expected gain of two children at equal rates: (1 - 2 eta)^2 gain and what is left."""
    return Identity(
        SPLIT | {"eta": "rate"},
        lambda v, m: by_moments(clean(v), v.eta, v.eta, m),
        lambda v, m: (1 - 2 * v.eta) ** 2 * gini_decrease.score(clean(v), m) + (rest(v) if rest else 0),
    )


def unbalanced(v: Any) -> Any:
    return v.eta * (1 - v.eta) * (1 / (v.a + v.b) + 1 / (v.c + v.d)) / 2


THEOREMS = [
    Theorem(
        key="noise.expected_gini_gain_is_affine_of_uniform",
        statement="with K classes and r children the Gini gain of a sample whose labels flip independently by uniform"
        " noise has expectation (1 - lam)^2 gain + (r - 1) eta (2 - lam)/n with lam = eta K/(K - 1), for two classes"
        " and children (1 - 2 eta)^2 gain + 2 eta (1 - eta)/n: at every n the expected order of splits with equally"
        " many children is the clean order, but for lam = 1; n E gini of one node is n ((1 - lam)^2 gini + a constant)"
        " less eta (2 - lam)",
        source="beyond, exact expectation under noise",
        holds=All(
            expected_node(),
            children_affine(),
            Exhaustive(lambda: chain(tables_and_rates(3, 3, 2), tables_and_rates(3, 3, 3)), uniform_law),
            Exhaustive(lambda: tables_and_rates(6, 2, 2), uniform_law),
        ),
        fails=(
            NearMiss("the expectation is (1 - 2 eta)^2 gain, as it is in the limit", symmetric_mean()),
            NearMiss(
                "the additive term grows for unbalanced splits: eta (1 - eta) (1/n_L + 1/n_R)/2",
                symmetric_mean(unbalanced),
            ),
            NearMiss("the additive term does not depend on the number of children", children_affine(False)),
            NearMiss(
                "misclassification, whose population gain rescales too, keeps its order in expectation",
                keeps(error_decrease, RATE_3, RATE_3, 6),
                alters="hypothesis",
            ),
            NearMiss(
                "splits into two and into three children keep their order in expectation",
                Exhaustive(
                    lambda: [(((0, 3), (1, 0)), ((1, 1), (0, 1), (0, 1)))],
                    lambda pair: not reorders(gini_decrease, pair, RATE_3, RATE_3),
                ),
                alters="hypothesis",
            ),
        ),
        premises=(MOMENTS,),
    )
]
