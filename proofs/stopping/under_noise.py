"""What label noise makes of a split without gain: in the expected table it has none, in a sample it soon has one.

Source: ghosh2017, Section 3.3; wilton2024, Section 3 and Theorem 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.criteria import Criterion, twoing
from splitcrit.noise import Channel, class_conditional, symmetric, transition_matrix
from splitcrit.proof import ALL, All, Cases, Erratum, Exhaustive, Law, NearMiss, Premise, Theorem, only, upto
from splitcrit.proofs.common import ROBUST, binary_splits, error_decrease, exactly, gini_decrease, noisy, score, up_to
from splitcrit.proofs.noise.flips import chance, flipped, outcomes

TENTH = Fraction(1, 10)
SOME = (TENTH, Fraction(3, 10), Fraction(4, 5))
SURE = ((20, 68), (100, 86), (1000, 95))  # sizes of a pure node, and hundredths that its chance exceeds at eta = 1/10
BOTH = only(2, 3)  # numbers of classes


def rates(K: int) -> list[Channel]:
    """Uniform noise of rates below (K - 1) / K, and above 1/2 for two classes."""
    below = (TENTH, Fraction(1, 4), Fraction(2, 5))
    return [symmetric(eta) for eta in below + (() if K > 2 else (Fraction(0), Fraction(3, 5), Fraction(1)))]


def flips_of_one_class(K: int) -> list[Channel]:
    """Half of the first class is labelled as the last."""
    rows = [[Fraction(int(j == k)) for k in range(K)] for j in range(K)]
    rows[0] = [Fraction(int(k in (0, K - 1)), 2) for k in range(K)]
    return [transition_matrix(rows)]


def zero_kept(
    channels: Callable[[int], list[Channel]], criteria: tuple[Criterion, ...] = ROBUST, classes: Any = BOTH
) -> Exhaustive:
    """A split has a gain exactly if it has one in the expected noisy table."""

    def cases(N: int, K: int) -> Iterator[Any]:
        yield from product(binary_splits(N, K), channels(K))

    def holds(case: Any) -> bool:
        table, channel = case
        after = noisy(exactly(table), channel)
        return all((score(c, table) == 0) == (c.score(after, EXACT) == 0) for c in criteria)

    return up_to(5, cases, holds, K=classes)


# Samples: a pure node of two halves, and a tied child beside a pure one.
def halves(half: int) -> list[list[int]]:
    return [[0, half], [0, half]]


def tied(size: int) -> list[list[int]]:
    return [[size, size], [0, 2 * size]]


@cache
def gains(split: Callable[[int], Any], size: int, eta: Fraction, criterion: Criterion = gini_decrease) -> Fraction:
    """The chance that the noisy gain is positive."""
    return sum((w for t, w in outcomes(split(size), eta) if score(criterion, t) > 0), Fraction(0))


def differ(half: int, eta: Fraction) -> Fraction:
    """The chance that two sets of given sizes have different numbers of flips."""
    return 1 - chance(sum(w * w for w in flipped(half, eta)), 2 * half, eta)


def pure_cases(half: int) -> Iterator[tuple[int, Fraction]]:
    yield from product(range(1, half + 1), SOME)


def of_pure(most: int, holds: Callable[[int, Fraction], bool]) -> Exhaustive:
    return Exhaustive(Cases(pure_cases, half=upto(most)), lambda case: bool(holds(*case)))


def mean_gain(value: Callable[[int, Fraction], Fraction]) -> Exhaustive:
    """The mean gain over the noise of a split of a pure node into halves is this."""

    def mean(half: int, eta: Fraction) -> Fraction:
        return sum((w * score(gini_decrease, t) for t, w in outcomes(halves(half), eta)), Fraction(0))

    return of_pure(6, lambda half, eta: mean(half, eta) == value(half, eta))


def grows(
    split: Callable[[int], Any], criterion: Criterion, most: int, etas: Any = (TENTH,), least: int = 1, step: int = 1
) -> Exhaustive:
    """The chance of a gain grows with the size of the children."""
    return Exhaustive(
        lambda: product(range(least, most + 1), etas),
        lambda case: gains(split, *case, criterion) < gains(split, case[0] + step, case[1], criterion),
    )


law = Law(zero_kept, channels=rates)
mean = Law(mean_gain, value=lambda half, eta: eta * (1 - eta) / half)
grown = Law(grows, split=tied, criterion=error_decrease, most=9)

THEOREMS = [
    Theorem(
        key="stopping.zero_gain_is_kept_of_uniform_noise",
        statement="for Gini, misclassification and twoing a split has no gain in the expected table after uniform noise"
        " of rate below (K - 1) / K, or for two classes of any rate but 1/2, if and only if it has none before: what"
        " stops a tree in the limit of large nodes stays",
        source="ghosh2017, Section 3.3; wilton2024, Section 3 (after Theorem 5) and Theorem 4",
        premises=(Premise("zero_gain_is_kept_of_uniform_noise", "kernel", {"K": ALL, "N": ALL}),),
        added="the expected table, that is the limit of large nodes",
        holds=law,
        fails=(
            law.but("at eta = 1/2 too", channels=lambda K: [symmetric(Fraction(1, 2))], classes=2, alters="hypothesis"),
            law.but("under noise with a diagonal of at least 1/2", channels=flips_of_one_class, alters="hypothesis"),
            law.but("for every eta < 1", channels=lambda K: [symmetric(1 - TENTH)], alters="hypothesis"),
            law.but(
                "for misclassification of two classes also under class-conditional noise with both rates below 1/2",
                channels=lambda K: [class_conditional(tau_pos=Fraction(2, 5), tau_neg=Fraction(1, 5))],
                criteria=(error_decrease,),
                classes=2,
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="stopping.pure_node_is_split_by_noise",
        statement="a pure node of n examples has no Gini or twoing gain, but after symmetric noise a split into halves"
        " gains 2 eta (1 - eta)/n on average, and gains with the chance 1 - sum_j P(Bin(n/2, eta) = j)^2, which grows"
        " with n (to n = 120): above 0.68, 0.86 and 0.95 at n = 20, 100 and 1000 for eta = 1/10",
        source="ghosh2017, Section 3.3",
        holds=All(
            chance=of_pure(
                6, lambda half, eta: gains(halves, half, eta) == differ(half, eta) == gains(halves, half, eta, twoing)
            ),
            mean=mean,
            growth=of_pure(60, lambda half, eta: 0 < differ(half, eta) < differ(half + 1, eta)),
            large=Exhaustive(lambda: SURE, lambda case: differ(case[0] // 2, TENTH) > Fraction(case[1], 100)),
        ),
        fails=(
            Law(grows, split=halves, criterion=gini_decrease, most=5).but(
                "for misclassification the chance grows too", criterion=error_decrease, alters="hypothesis"
            ),
            mean.but(
                "the mean gain is that of permuted labels, with n - 1 in place of n",
                value=lambda half, eta: 2 * eta * (1 - eta) / (2 * half - 1),
            ),
        ),
    ),
    Theorem(
        key="stopping.misclassification_tie_is_split_by_noise",
        statement="a split with a tied child and a pure child of the same size, 2, 4, ... or 20, has no"
        " misclassification gain, but at eta = 1/10 the chance of a gain after noise grows with the size, to above 1/3"
        " for children of 20 examples",
        source="ghosh2017, Section 3.3",
        holds=All(
            Exhaustive(lambda: range(1, 11), lambda s: score(error_decrease, tied(s)) == 0),
            grown,
            Exhaustive(lambda: (10,), lambda s: gains(tied, s, TENTH, error_decrease) > Fraction(1, 3)),
        ),
        fails=(
            grown.but("without the tie, in a pure node", split=halves, least=2, most=4, step=2, alters="hypothesis"),
            NearMiss(
                "the chance is that of a negative majority in the tied child, 1/2 for want of ties",
                Exhaustive(lambda: range(1, 11), lambda s: gains(tied, s, TENTH, error_decrease) >= Fraction(1, 2)),
            ),
        ),
    ),
]

NEVER = of_pure(3, lambda half, eta: gains(halves, half, eta) == 0)
ERRATA = [Erratum("G-E5", NEVER, "stopping.pure_node_is_split_by_noise")]
