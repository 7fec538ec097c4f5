"""How often noise takes a leaf's majority: bounds against exact laws.

Source: ghosh2017, Section 3.4; beyond. Tied labels are failures.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from splitcrit.proof import BALL, All, Cases, Exhaustive, Law, NearMiss, Not, Theorem, only, upto
from splitcrit.proofs.common import HALF, kinds, up_to
from splitcrit.proofs.noise.flips import below, chance, law
from splitcrit.proofs.noise.inequalities import HOEFFDING, KEARNS_SAUL
from splitcrit.proofs.noise.sums_of_labels import below_half, constant, eighth, exponent

RATES = tuple(Fraction(*x) for x in ((1, 20), (1, 10), (1, 5), (3, 10), (2, 5), (9, 20)))
Leaf = tuple[int, int, Fraction]  # examples, positives, rate


def leaves(most: int, eta: Fraction) -> Iterator[Leaf]:
    """Yield every leaf of up to ``most`` examples with a positive majority."""
    for n in range(1, most + 1):
        yield from ((n, positives, eta) for positives in range(n // 2 + 1, n + 1))


def sized(most: int) -> Cases:
    return Cases(leaves, N=upto(most), eta=only(*RATES))


def failure(leaf: Leaf, ties: bool = True) -> Fraction:
    """The chance that the noisy majority is not the clean one, ties counted as failures or not."""
    n, positives, eta = leaf
    last = n // 2 if ties else (n - 1) // 2
    return chance(sum(law(n - positives, positives, eta)[: last + 1]), n, eta)


def by_coin(leaf: Leaf) -> Fraction:
    return (failure(leaf) + failure(leaf, ties=False)) / 2


def without_ties(leaf: Leaf) -> Fraction:
    return failure(leaf, ties=False)


def hoeffding(eta: Fraction) -> Any:
    return (1 - 2 * eta) ** 2


def kearns_saul(eta: Fraction) -> Any:
    """``(1 - 2 eta) log((1 - eta)/eta)/2``, which takes the place of ``(1 - 2 eta)^2``."""
    x = BALL.number(eta)
    return (1 - 2 * x) * BALL.log((1 - x) / x) / 2


def without_margin(eta: Fraction) -> Any:
    return kearns_saul(eta) / (1 - 2 * eta)


def fails_rarely(chance_of: Any, strength: Any, factor: Any = 1, times: int = 1, most: int = 40) -> Exhaustive:
    """Claim that a chance is at most ``factor exp(-times n rho^2 strength(eta)/2)``."""

    def holds(leaf: Leaf) -> bool:
        n, positives, eta = leaf
        return below(chance_of(leaf), factor, times * n * Fraction(2 * positives - n, n) ** 2 / 2 * strength(eta))

    return Exhaustive(sized(most), holds)


def mean_of_flips(leaf: Leaf) -> bool:
    """Whether S, flips of positives less flips of negatives, has mean eta rho n, and 2 S is the loss of lead."""
    n, positives, eta = leaf
    lead = chance(sum(w * (2 * k - n) for k, w in enumerate(law(n - positives, positives, eta))), n, eta)
    return (2 * positives - n) - lead == 2 * eta * (2 * positives - n)


def grows(more: int, pure: bool = True, most: int = 40) -> Exhaustive:
    """Claim that more examples, all positive if pure, else one of each class, never make a failure more frequent."""

    def holds(leaf: Leaf) -> bool:
        n, positives, eta = leaf
        return failure((n + more, positives + (more if pure else 1), eta)) <= failure(leaf)

    def cases(n: int, eta: Fraction) -> Iterator[Leaf]:
        return (x for x in leaves(n - more, eta) if not pure or x[0] == x[1])

    return up_to(most, cases, holds, lambda leaf: leaf[0] + more, eta=RATES)


def of_leaf(strength: Any, c: Any = eighth) -> Any:
    """Claim that the exponent of a majority is ``n rho^2/2`` times a strength.

    Flips of positives less flips of negatives, of mean ``q rho n``, must be half the lead ``rho n`` or more.
    """
    variables = kinds("rate", "q", "rho") | kinds("positive", "n") | {"a": "real"}
    excess = lambda v: v.rho * v.n / 2 - v.q * v.rho * v.n  # noqa: E731
    claimed = lambda v: v.n * v.rho**2 * strength(v) / 2 + 0 * v.a  # noqa: E731
    return exponent(variables, excess, lambda v: v.n, claimed, c, below_half)


HOEFFDINGS = Law(fails_rarely, chance_of=failure, strength=hoeffding)
KEARNS_SAULS = Law(fails_rarely, chance_of=failure, strength=kearns_saul, most=20)
BY_HOEFFDING = Law(of_leaf, strength=lambda v: (1 - 2 * v.q) ** 2)
BY_KEARNS_SAUL = Law(of_leaf, strength=lambda v: (1 - 2 * v.q) * v.a / 2, c=constant)
COIN = Law(fails_rarely, chance_of=by_coin, strength=hoeffding, factor=HALF)

LEMMA_7 = "ghosh2017, Lemma 7"

THEOREMS = [
    Theorem(
        key="noise.majority_fails_rarely_of_symmetric",
        statement="in a leaf with n examples and majority rho > 0 the noisy majority is not the clean one, ties counted"
        " as failures, with a chance of at most exp(-n rho^2 (1 - 2 eta)^2 / 2) for eta < 1/2; so n >= 2 ln(1/delta) /"
        " (rho^2 (1 - 2 eta)^2) suffices for 1 - delta",
        source=LEMMA_7,
        premises=(HOEFFDING,),
        added="rho > 0",
        holds=All(bound=HOEFFDINGS, exponent=BY_HOEFFDING, mean=Exhaustive(sized(16), mean_of_flips)),
        fails=(
            HOEFFDINGS.but("the exponent is n rho^2 (1 - 2 eta)^2, without the 2", times=2),
            BY_HOEFFDING.but("the exponent has 1 - 2 eta itself", strength=lambda v: 1 - 2 * v.q),
            HOEFFDINGS.but("flips may depend on each other", chance_of=lambda leaf: leaf[2], alters="hypothesis"),
        ),
    ),
    Theorem(
        key="noise.majority_fails_rarely_of_kearns_saul",
        statement="n >= 4 log(1/delta)/(rho^2 (1 - 2 eta) log((1 - eta)/eta)) examples with margin rho keep their"
        " majority, ties counted as lost, except with probability delta, for 0 < eta < 1/2",
        source="beyond, sharp bound on the majority of a leaf",
        premises=(KEARNS_SAUL,),
        holds=All(bound=KEARNS_SAULS, exponent=BY_KEARNS_SAUL),
        fails=(
            KEARNS_SAULS.but("half as many examples are enough", times=2),
            BY_KEARNS_SAUL.but("with the constant 1/8 of Hoeffding's inequality", c=eighth, alters="hypothesis"),
            KEARNS_SAULS.but("log((1 - eta)/eta) without the factor 1 - 2 eta is enough", strength=without_margin),
        ),
    ),
    Theorem(
        key="noise.majority_fails_below_half_bound_of_coin",
        statement="if a coin decides ties, the chance that the noisy majority is not the clean one is at most half of"
        " Lemma 7's bound",
        source=LEMMA_7,
        holds=COIN,
        fails=(
            COIN.but(
                "at most 12/25 of it, even if ties count as successes", chance_of=without_ties, factor=Fraction(12, 25)
            ),
            COIN.but("half the bound if ties count as failures", chance_of=failure, alters="hypothesis"),
        ),
    ),
    Theorem(
        key="noise.majority_failure_is_not_monotone_in_size",
        statement="one more example can make the noisy majority of a pure leaf fail more often, ties counted as"
        " failures; two more never do",
        source=LEMMA_7,
        holds=All(one=Not(grows(1)), two=grows(2)),
        fails=(
            NearMiss("one more example never does", grows(1)),
            NearMiss("two more, one of each class, never do in any leaf", grows(2, False, 14), alters="hypothesis"),
        ),
    ),
]
