"""Statements of ghosh2017, Lemma 7: how many examples keep the majority label of a leaf.

Main results: the bound against the exact law of two binomials; half the bound if a coin decides ties.
Source: ghosh2017, Section 3.4 and Appendix A.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from splitcrit.proof import All, Erratum, Exhaustive, NearMiss, Not, Theorem
from splitcrit.proofs.ghosh2017.setting import HALF, below, chance, law

MOST = 40
LEAF_RATES = tuple(Fraction(*x) for x in ((1, 20), (1, 10), (1, 5), (3, 10), (2, 5), (9, 20)))


Leaf = tuple[int, int, Fraction]


def leaves(most: int = MOST) -> Iterator[Leaf]:
    """Yield every leaf of up to ``most`` examples with a positive majority, with every rate."""
    for n in range(1, most + 1):
        for positives in range(n // 2 + 1, n + 1):
            yield from ((n, positives, eta) for eta in LEAF_RATES)


def failure(leaf: Leaf, ties: bool = True) -> Fraction:
    """Return the chance that the noisy majority is not the clean one, ties counted as failures or not."""
    n, positives, eta = leaf
    last = n // 2 if ties else (n - 1) // 2
    return chance(sum(law(n - positives, positives, eta)[: last + 1]), n, eta)


def by_coin(leaf: Leaf) -> Fraction:
    """Return the chance of failure when a coin decides ties."""
    return (failure(leaf) + failure(leaf, ties=False)) / 2


def exponent(leaf: Leaf) -> Fraction:
    """Return ``n rho^2 (1 - 2 eta)^2 / 2``."""
    n, positives, eta = leaf
    rho = Fraction(2 * positives - n, n)
    return n * rho**2 * (1 - 2 * eta) ** 2 / 2


def mean_of_flips(leaf: Leaf) -> bool:
    """Tell whether S, flips of positives less flips of negatives, has mean eta rho n, and 2 S is the loss of lead."""
    n, positives, eta = leaf
    lead_ = sum(w * (2 * k - n) for k, w in enumerate(law(n - positives, positives, eta)))
    expected = chance(lead_, n, eta)
    return (2 * positives - n) - expected == 2 * eta * (2 * positives - n)


def common_fate(leaf: Leaf) -> bool:
    """Tell whether the bound survives flips that all happen together, each still at rate eta."""
    return below(leaf[2], 1, exponent(leaf))


THEOREMS = [
    Theorem(
        key="leaf.majority_failure_is_below_bound_of_symmetric",
        statement="in a leaf with n examples and majority rho > 0 the noisy majority is not the clean one, ties counted"
        " as failures, with a chance of at most exp(-n rho^2 (1 - 2 eta)^2 / 2); so n >= 2 ln(1/delta) /"
        " (rho^2 (1 - 2 eta)^2) suffices for 1 - delta",
        source="ghosh2017, Lemma 7",
        scope=f"every leaf with n <= {MOST}, rates 1/20, 1/10, 1/5, 3/10, 2/5, 9/20, exact law of two binomials against"
        " enclosures of exp; all n by Hoeffding",
        premises=("Hoeffding's inequality for independent variables in [0, 1]",),
        added="rho > 0",
        holds=All(
            Exhaustive(leaves, lambda leaf: below(failure(leaf), 1, exponent(leaf))),
            Exhaustive(lambda: leaves(16), mean_of_flips),
        ),
        fails=(
            NearMiss(
                "the exponent is n rho^2 (1 - 2 eta)^2, without the 2",
                Exhaustive(leaves, lambda leaf: below(failure(leaf), 1, 2 * exponent(leaf))),
            ),
            NearMiss(
                "flips may depend on each other",
                Exhaustive(leaves, common_fate),
                alters="hypothesis",
            ),
        ),
        latex=r"\Pr[\tilde n^+ \le \tilde n^-] \le \exp\bigl(-\tfrac12\rho^2 n(1-2\eta)^2\bigr)",
    ),
    Theorem(
        key="leaf.majority_failure_is_below_half_bound_of_coin",
        statement="if a coin decides ties, the chance that the noisy majority is not the clean one is at most half of"
        " Lemma 7's bound",
        source="ghosh2017, Lemma 7",
        scope=f"every leaf with n <= {MOST}, rates 1/20, 1/10, 1/5, 3/10, 2/5, 9/20, exact law",
        holds=Exhaustive(leaves, lambda leaf: below(by_coin(leaf), HALF, exponent(leaf))),
        fails=(
            NearMiss(
                "at most 12/25 of it, even if ties count as successes",
                Exhaustive(leaves, lambda leaf: below(failure(leaf, ties=False), Fraction(12, 25), exponent(leaf))),
            ),
            NearMiss(
                "half the bound if ties count as failures",
                Exhaustive(leaves, lambda leaf: below(failure(leaf), HALF, exponent(leaf))),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="leaf.majority_failure_is_not_monotone_in_size",
        statement="one more example can make the noisy majority of a pure leaf fail more often, ties counted as"
        " failures; two more never do",
        source="ghosh2017, Lemma 7",
        scope=f"pure leaves with n <= {MOST}, six rates, exact law",
        holds=All(
            Not(Exhaustive(lambda: pure(1), lambda c: failure(grown(c, 1)) <= failure(c))),
            Exhaustive(lambda: pure(2), lambda c: failure(grown(c, 2)) <= failure(c)),
        ),
        fails=(
            NearMiss(
                "one more example never does",
                Exhaustive(lambda: pure(1), lambda c: failure(grown(c, 1)) <= failure(c)),
            ),
            NearMiss(
                "two more, one of each class, never do in any leaf",
                Exhaustive(lambda: leaves(12), lambda c: failure((c[0] + 2, c[1] + 1, c[2])) <= failure(c)),
                alters="hypothesis",
            ),
        ),
    ),
]


def pure(more: int) -> Iterator[Leaf]:
    """Yield the pure leaves that can grow by ``more`` examples."""
    for n in range(1, MOST + 1 - more):
        yield from ((n, n, eta) for eta in LEAF_RATES)


def grown(leaf: Leaf, more: int) -> Leaf:
    """Return the leaf with more examples of the positive class."""
    return leaf[0] + more, leaf[1] + more, leaf[2]


ERRATA: list[Erratum] = []
