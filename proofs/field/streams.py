"""Bounds for trees on streams: Hoeffding's does not hold of gains, McDiarmid's does, of their own mean; evidence.

A stream tree splits a leaf once the gain of the best feature leads by a bound. Three things stand between a sample's
gain and the population's: its deviation from its mean, the bias of that mean, and that it is looked at many times.
Evidence, a likelihood ratio, holds at all looks at once.

Source: domingos2000; rutkowski2013; mcdiarmid1989.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod
from typing import Any, NamedTuple

from splitcrit.arith import total
from splitcrit.criteria import decrease
from splitcrit.impurities import entropy
from splitcrit.proof import (
    ALL,
    BALL,
    All,
    Cases,
    Each,
    Exhaustive,
    Identity,
    Law,
    NearMiss,
    Premise,
    Sign,
    Smt,
    Theorem,
    upto,
)
from splitcrit.proofs.common import HALF, compositions, gini_decrease, kinds, score, up_to, vector
from splitcrit.proofs.given import LOGARITHM, Given
from splitcrit.proofs.two_class import two_classes

N, SHARE, DELTA = 100, Fraction(1, 10), Fraction(1, 20)
MCDIARMID = Premise(
    "McDiarmid's inequality: where one example changes f by at most c, P(f - E f >= e) <= exp(-2 e^2 / (n c^2))",
    widens={"N": ALL},
)
CELLS = kinds("positive", *"abcd")


def bits(x: Any, m: Any) -> Any:
    """The entropy of two classes in bits, the gain of a feature that equals the label."""
    return entropy.of([m.number(x), m.number(1 - x)], m) / m.log(m.number(2))


def misses(most: int, hoeffding: bool = True) -> Sign:
    """Claim that up to ``most`` of 100 examples of the rare class the gain is short by more than Hoeffding's bound."""

    def values(m: Any) -> list[Any]:
        bound = m.sqrt(m.log(m.number(1 / DELTA)) / (2 * N))
        short = [bits(SHARE, m) - bits(Fraction(j, N), m) for j in range(most + 1)]
        return [x - bound if hoeffding else bound - x for x in short]

    return Sign(values)


def chance(most: int) -> Fraction:
    """The chance of at most ``most`` examples of the rare class."""
    return sum((comb(N, j) * SHARE**j * (1 - SHARE) ** (N - j) for j in range(most + 1)), Fraction(0))


def chance_is_above(most: int, least: Fraction) -> Exhaustive:
    """Claim that the chance of it is above a number."""
    return Exhaustive(lambda: (most,), lambda j: chance(j) > least)


def one_more(high: int = 2) -> All:
    """Claim that an example more raises n times Gini's impurity by 0 to 2: n counts, S squares, a of its class."""

    def rise(v: Any) -> Any:
        return 1 - (v.S + 2 * v.a + 1) / (v.n + 1) + v.S / v.n

    def hypotheses(v: Any, m: Any) -> list[Any]:
        return [v.n >= 1, v.a <= v.n, v.a**2 <= v.S, v.n**2 >= v.S]

    variables = kinds("count", "n", "a", "S")
    least, most = (lambda v, m: rise(v) >= 0), (lambda v, m: rise(v) <= high)
    return All(least=Smt(variables, least, hypotheses), most=Smt(variables, most, hypotheses))


def moved(times: int = 2, same: bool = False) -> Smt:
    """Claim that one example that is another one changes ``F - A - B`` by at most ``times`` the largest rise, ``top``.

    Each of the three is n times the impurity, ``f, a, b`` of the node and the children without the example, ``F, A, B``
    with it before, ``G, C, D`` after: it leaves the first child and comes to the second, or to the same one.
    """

    def hypotheses(v: Any, m: Any) -> list[Any]:
        rises = [v.F - v.f, v.G - v.f, v.A - v.a, v.C - v.a if same else v.D - v.b]
        stay = v.D - v.B if same else v.C - v.a
        return [x for rise in rises for x in (rise >= 0, rise <= v.top)] + [stay == 0] + ([] if same else [v.b == v.B])

    def says(v: Any, m: Any) -> Any:
        return m.abs((v.G - v.C - v.D) - (v.F - v.A - v.B)) <= times * v.top

    return Smt(kinds("count", *"fabFABGCD", "top"), says, hypotheses)


def changed(most: int, least: Fraction | int, classes: Any = (2, 3)) -> Exhaustive:
    """Claim that N times Gini's decrease changes by at most so much if one example is another one."""

    def cells(most: int, classes: int) -> Iterator[tuple[int, ...]]:
        for n in range(1, most + 1):
            yield from compositions(n, 2 * classes)

    def gain(flat: Any) -> Any:
        half = len(flat) // 2
        return sum(flat) * score(gini_decrease, (flat[:half], flat[half:]))

    def holds(flat: tuple[int, ...]) -> bool:
        here = gain(flat)
        for i, j in product(range(len(flat)), repeat=2):
            if i != j and flat[i]:
                other = [x - (k == i) + (k == j) for k, x in enumerate(flat)]
                if abs(gain(tuple(other)) - here) > least:
                    return False
        return True

    return up_to(most, cells, holds, sum, K=classes)


def entropy_rise(classes: int, factor: int = 1) -> Identity:
    """Claim that an example more raises n times the entropy by ``f(n) - f(a)``.

    ``f(t) = (t + 1) log(t + 1) - t log t``, and ``a`` examples of its class were there.
    """

    def whole(counts: list[Any], m: Any) -> Any:
        n = total(counts)
        return n * entropy.of([x / n for x in counts], m)

    def rise(v: Any, m: Any) -> Any:
        counts = vector(v, "n", classes)
        return whole([counts[0] + 1, *counts[1:]], m) - whole(counts, m)

    def claimed(v: Any, m: Any) -> Any:
        counts = vector(v, "n", classes)
        return factor * slope(total(counts), m) - slope(counts[0], m)

    return Identity(kinds("positive", "n", classes=classes), rise, claimed)


def slope(t: Any, m: Any) -> Any:
    """``f(t) = (t + 1) log(t + 1) - t log t``."""
    return (t + 1) * m.log(t + 1) - t * m.log(t)


def slope_grows(least: int = 0) -> Smt:
    """Claim that ``f(t + 1) - f(t)`` is not negative: with ``x, y, z`` for the logarithms of ``t, t + 1, t + 2``.

    ``log((t + 1)/(t + 2)) <= -1/(t + 2)`` and ``log((t + 1)/t) <= 1/t``.
    """

    def says(v: Any, m: Any) -> Any:
        return slope(v.t + 1, Given(m, logs=[v.z, v.y])) - slope(v.t, Given(m, logs=[v.y, v.x])) >= least

    return Smt(
        kinds("real", *"txyz"),
        says,
        lambda v, m: [v.t > 0, (v.y - v.z) * (v.t + 2) <= -1, (v.y - v.x) * v.t <= 1],
    )


def slope_is_below(extra: int = 1) -> Smt:
    """Claim that ``f(n)`` is at most ``extra + log(n + 1)``: ``log((n + 1)/n) <= 1/n``."""
    return Smt(
        kinds("real", *"txy"),
        lambda v, m: slope(v.t, Given(m, logs=[v.y, v.x])) <= extra + v.y,
        lambda v, m: [v.t > 0, (v.y - v.x) * v.t <= 1],
    )


def from_nothing() -> Smt:
    """Claim that ``f(1) >= f(0)``, which is ``1 log 1 - 0 log 0 = 0``: where ``log 2`` is not negative."""
    return Smt(
        kinds("real", "z", "y"),
        lambda v, m: slope(1, Given(m, logs=[v.z, v.y])) >= 0,
        lambda v, m: [v.z >= 0, v.y == 0],
    )


def entropy_changes(most: int, extra: int = 1) -> Exhaustive:
    """Claim that N times the entropy gain changes by at most ``2 (extra + log N)`` if one example is another one."""

    def holds(flat: tuple[int, ...]) -> bool:
        bound = 2 * (extra + BALL.log(BALL.number(sum(flat))))
        here = entropy_gain(flat)
        for i, j in product(range(4), repeat=2):
            if i != j and flat[i]:
                other = [x - (k == i) + (k == j) for k, x in enumerate(flat)]
                if not (bound - BALL.abs(entropy_gain(tuple(other)) - here)).surely_positive():
                    return False
        return True

    return up_to(most, lambda most: (t for n in range(2, most + 1) for t in compositions(n, 4)), holds, sum)


def entropy_gain(flat: tuple[int, ...]) -> Any:
    """N times the entropy gain of a table of two rows and classes, enclosed."""
    rows = [[BALL.number(x) for x in row] for row in (flat[:2], flat[2:])]
    return sum(flat) * decrease(entropy).score(rows, BALL)


def samples(n: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the counts of the four cells of a sample, and in how many orders they come."""
    for a, b, c, d in compositions(n, 4):
        yield (a, b, c, d), comb(n, a) * comb(n - a, b) * comb(n - a - b, c)


def expected(n: int, biased: bool = True) -> Identity:
    """Claim that the mean of Gini's gain of a sample is the population's and ``(sum (1 - (1 - P_j)^n) G_j - G) / n``.

    ``P_j`` are the shares of the rows, ``G_j`` their impurities and ``G`` that of the node.
    """

    def shares(v: Any) -> list[Any]:
        whole = v.a + v.b + v.c + v.d
        return [v.a / whole, v.b / whole, v.c / whole, v.d / whole]

    def mean(v: Any, m: Any) -> Any:
        p = shares(v)
        return sum(
            times * p[0] ** t[0] * p[1] ** t[1] * p[2] ** t[2] * p[3] ** t[3] * score(gini_decrease, (t[:2], t[2:]))
            for t, times in samples(n)
        )

    def claimed(v: Any, m: Any) -> Any:
        a, b, c, d = shares(v)
        rows = [(a + b, 2 * a * b / (a + b) ** 2), (c + d, 2 * c * d / (c + d) ** 2)]
        node = 2 * (a + c) * (b + d)
        population = node - sum(share * impurity for share, impurity in rows)
        seen = sum((1 - (1 - share) ** n) * impurity for share, impurity in rows)
        return population + (seen - node) / n if biased else population

    return Identity(CELLS, mean, claimed)


@cache
def reaches(counts: tuple[int, ...], least: Fraction) -> bool:
    """Whether the gain of a table of two rows, given cell by cell, reaches a bound."""
    return bool(score(gini_decrease, (counts[:2], counts[2:])) >= least)


@cache
def looks(first: int, last: int, least: Fraction) -> tuple[int, int]:
    """In how many sequences of a useless feature and a label the gain reaches a bound: ever, and at last."""
    ever = final = 0
    for sequence in product(range(4), repeat=last):
        counts = [0, 0, 0, 0]
        reached = []
        for n, cell in enumerate(sequence, 1):
            counts[cell] += 1
            if n >= first:
                reached.append(reaches(tuple(counts), least))
        ever += any(reached)
        final += reached[-1]
    return ever, final


def looked(times: tuple[int, int]) -> Exhaustive:
    """Claim how many of the 4^6 sequences reach a gain of 1/4 at one of the looks from 4 to 6, and at the last."""
    return Exhaustive(lambda: (times,), lambda case: looks(4, 6, Fraction(1, 4)) == case)


@cache
def evidence(table: tuple[tuple[int, ...], ...]) -> Fraction:
    """KT of each side, label by label, over the largest likelihood of one law for both."""
    one = Fraction(1)
    predicted = prod((j + HALF for side in table for count in side for j in range(count)), start=one)
    rows = prod((j + HALF * len(side) for side in table for j in range(sum(side))), start=one)
    totals = [sum(column) for column in zip(*table, strict=True)]
    return predicted / rows / prod((Fraction(x, sum(totals)) ** x for x in totals), start=one)


@cache
def largest_ratio(table: tuple[tuple[int, ...], ...]) -> Fraction:
    """The largest likelihood of a law for each side over that of one law for both."""

    def largest(counts: tuple[int, ...]) -> Fraction:
        return prod((Fraction(x, sum(counts)) ** x for x in counts if x), start=Fraction(1))

    return prod(map(largest, table), start=Fraction(1)) / largest(tuple(map(sum, zip(*table, strict=True))))


Score = Callable[[tuple[tuple[int, ...], ...]], Fraction]


def highest(sides: tuple[int, ...], labels: tuple[int, ...], classes: int, score: Score) -> Fraction:
    """The largest score after any number of labels."""
    table, best = [[0] * classes for _ in range(2)], Fraction(0)
    for side, label in zip(sides, labels, strict=True):
        table[side][label] += 1
        best = max(best, score(tuple(map(tuple, table))))
    return best


class Fallen(NamedTuple):
    """Sides on which labels fall one by one, and the laws that they have."""

    sides: tuple[int, ...]
    laws: tuple[tuple[Fraction, ...], ...]  # of each label

    def __str__(self) -> str:
        return f"sides {' '.join(map(str, self.sides))}, laws {'; '.join(' '.join(map(str, q)) for q in self.laws)}"


LAWS = {
    2: tuple((q, 1 - q) for q in (HALF, Fraction(1, 5), Fraction(9, 10))),
    3: ((Fraction(1, 3),) * 3, (HALF, Fraction(2, 5), Fraction(1, 10))),
}


def of_one_law(most: int, classes: int) -> Iterator[Fallen]:
    """Yield the sides of up to so many labels, the first on side 0, with laws that all of them have."""
    for n in range(1, most + 1):
        for sides in product((0, 1), repeat=n - 1):
            yield from (Fallen((0, *sides), (q,) * n) for q in LAWS[classes])


def drifting(most: int, classes: int) -> Iterator[Fallen]:
    """Yield sides and laws that change together."""
    far = (Fraction(9, 10), Fraction(1, 10))
    yield from (Fallen((0,) * n + (1,) * n, (far,) * n + (far[::-1],) * n) for n in range(1, most // 2 + 1))


def seldom_large(case: Fallen, score: Score) -> bool:
    """True if for every e the score is at least e at some time with probability at most 1/e."""
    classes, chances = len(case.laws[0]), defaultdict[Fraction, Fraction](Fraction)
    for labels in product(range(classes), repeat=len(case.sides)):
        chances[highest(case.sides, labels, classes, score)] += prod(
            q[k] for q, k in zip(case.laws, labels, strict=True)
        )
    reached = Fraction(0)
    for e in sorted(chances, reverse=True):
        reached += chances[e]
        if e * reached > 1:
            return False
    return True


def is_seldom_large(
    most: int, classes: int, cases: Callable[[int, int], Iterator[Fallen]] = of_one_law, score: Score = evidence
) -> Exhaustive:
    """Claim it of up to ``most`` labels."""
    fallen = Cases(lambda most: cases(most, classes), size=lambda case: len(case.sides), N=upto(most))
    return Exhaustive(fallen, lambda case: seldom_large(case, score))


def predictions_add_up(classes: int) -> Identity:
    """Claim that the weight of labels so far is divided among those that may come next, as KT predicts them."""
    names = [f"c{k}" for k in range(classes)]

    def total_weight(v: Any, m: Any) -> Any:
        counts = [getattr(v, name) for name in names]
        return sum(v.weight * (x + HALF) / (sum(counts) + HALF * classes) for x in counts)

    return Identity(kinds("count", *names) | {"weight": "rate"}, total_weight, lambda v, m: v.weight)


Branches = tuple[Any, ...]  # a tree: the children of its root; a leaf has none


def grown(leaves: int) -> Iterator[Branches]:
    """Yield the trees of so many leaves whose splits have two branches or three."""
    if leaves == 1:
        yield ()
    for branches in (2, 3):
        for rest in compositions(leaves - branches, branches) if leaves >= branches else ():
            yield from product(*(grown(x + 1) for x in rest))


def spent(tree: Branches, share: Callable[[int], Fraction]) -> Fraction:
    """The levels of all leaves together, when a child gets a share of its parent's level."""
    return sum((share(len(tree)) * spent(child, share) for child in tree), Fraction(0)) if tree else Fraction(1)


def levels_add_up(most: int, share: Callable[[int], Fraction] = lambda branches: Fraction(1, branches)) -> Exhaustive:
    """Claim that the levels of the leaves of every tree are together at most that of the root."""
    trees = Cases(lambda most: (t for n in range(1, most + 1) for t in grown(n)), size=None, leaves=upto(most))
    return Exhaustive(trees, lambda tree: spent(tree, share) <= 1)


ONE_MORE, MOVED, EXPECTED = Law(one_more, high=2), Law(moved, times=2), Law(expected, n=2)
GROWS, MOST = Law(slope_grows, least=0), Law(slope_is_below, extra=1)

THEOREMS = [
    Theorem(
        key="field.hoeffding_bound_fails_of_gains",
        statement="Hoeffding's inequality does not hold of gains, which are no means of independent terms of range R:"
        " of 100 examples and a feature that equals the label, with a class of share 1/10, the gain in bits is short"
        " of the population's by more than sqrt(R^2 log(1/delta) / 2N), with R = 1 and delta = 1/20, with a chance"
        " above 11/100",
        source="rutkowski2013 against domingos2000",
        holds=two_classes(short=misses(6), chance=chance_is_above(6, Fraction(11, 100))),
        fails=(
            NearMiss("so it is with one example more of the rare class", misses(7)),
            NearMiss("with a chance above 3/25", chance_is_above(6, Fraction(3, 25))),
            NearMiss("the gain is never short by so much", misses(6, hoeffding=False)),
        ),
    ),
    Theorem(
        key="field.mcdiarmid_bounds_gini_gain_about_its_mean",
        statement="an example more raises n times Gini's impurity by 0 to 2, in the node and in its child, whatever"
        " the numbers of classes and children: one example that is another one changes N times the gain by at most 4,"
        " so that the gain of a sample is above its own mean by e with a chance of at most exp(-N e^2 / 8)",
        source="rutkowski2013, the theorem on the Gini index, as it is commonly quoted; for one feature, not for two",
        holds=All(one_more=ONE_MORE, moved=MOVED, stays=moved(same=True), small=changed(5, 4)),
        premises=(MCDIARMID,),
        fails=(
            MOVED.but("it changes by at most one rise", times=1),
            ONE_MORE.but("by at most 1", high=1),
            NearMiss("one example changes N times the gain by at most 1", changed(5, 1)),
        ),
    ),
    Theorem(
        key="field.mcdiarmid_bounds_entropy_gain_about_its_mean",
        statement="an example more of a class with a examples among n raises n times the entropy in nats by f(n) -"
        " f(a) with f(t) = (t + 1) log(t + 1) - t log t, so by 0 to 1 + log(n + 1): one example that is another one"
        " changes N times the gain by at most 2 (1 + log N), and the gain of a sample is above its own mean by e with"
        " a chance of at most exp(-N e^2 / (2 (1 + log N)^2))",
        source="rutkowski2013, the theorem on information gain, with the constant derived here",
        holds=All(
            rise=Each("K", (2, 3), entropy_rise),
            grows=GROWS,
            first=from_nothing(),
            most=MOST,
            moved=MOVED,
            stays=moved(same=True),
            small=entropy_changes(6),
        ),
        premises=(MCDIARMID, LOGARITHM),
        fails=(
            GROWS.but("f grows by 1 or more", least=1),
            MOST.but("f(n) <= log(n + 1)", extra=0),
            Law(entropy_rise, classes=2).but("by twice f(n) less f(a)", factor=2),
            NearMiss("one example changes N times the gain by at most 2 log N", entropy_changes(6, extra=0)),
        ),
    ),
    Theorem(
        key="field.mean_gini_gain_of_a_sample_is_biased",
        statement="the mean of Gini's gain of a sample of n examples is the population's and (sum_j (1 - (1 - P_j)^n)"
        " G_j - G) / n, with P_j and G_j the shares and impurities of the children: a feature of r values that tells"
        " nothing gains about (r - 1) G / n, at most r (1 - 1/K) / n too much",
        source="rutkowski2013, beyond it",
        holds=two_classes(Each("n", (2, 3, 4), expected)),
        premises=(
            Premise(
                "for every n, K and r: given its size the impurity of a child is low by field.gini_of_a_sample_is_"
                "low_by_one_nth, so that n_j times it has the mean P_j n G_j less G_j where the child is not empty",
                "hand",
            ),
        ),
        fails=(
            EXPECTED.but("it is that of the population", biased=False),
            NearMiss(
                "a useless feature gains nothing in the mean",
                Exhaustive(
                    lambda: (2, 3),
                    lambda n: sum(times * score(gini_decrease, (t[:2], t[2:])) for t, times in samples(n)) == 0,
                ),
            ),
        ),
    ),
    Theorem(
        key="field.looking_again_raises_the_chance_of_a_gain",
        statement="of a useless binary feature and a label, all four pairs equally likely, Gini's gain reaches 1/4 at"
        " 6 examples in 364 of 4,096 sequences, and at 4, 5 or 6 in 628: a bound for one look errs more often over"
        " several. A bound for all: at T looks at m features the gain of n examples is within sqrt(8 log(2Tm/delta) /"
        " n) of its mean, and within r (1 - 1/K) / n more of the population's, but for a chance of delta",
        source="rutkowski2013, beyond it",
        holds=two_classes(looked((628, 364))),
        premises=(
            Premise("field.mcdiarmid_bounds_gini_gain_about_its_mean", "theorem"),
            Premise("field.mean_gini_gain_of_a_sample_is_biased", "theorem"),
            Premise("Boole's inequality: the chance of some of several events is at most the sum of theirs"),
        ),
        fails=(
            NearMiss("the chance at the last look is that over all", looked((364, 364))),
            NearMiss("the chance of some look is the sum of those of each", looked((1332, 444))),
        ),
    ),
    Theorem(
        key="field.evidence_of_labels_of_one_law_is_seldom_large_at_any_time",
        statement="labels come one by one to a leaf, each on a side of a split, and have one law given the sides and"
        " what came before: the evidence of the split, the product over sides of the Krichevsky-Trofimov mixture of"
        " its labels over the largest likelihood of one law for all, is at least e at some time with a chance of at"
        " most 1/e, for every e; so is a mean over splits with weights that add up to 1",
        source="krichevsky1981; ville1939",
        holds=All(
            mixture=Each("K", (2, 3), predictions_add_up),
            large=Each("K", (2, 3), lambda classes: is_seldom_large(8 - classes, classes)),
        ),
        premises=(Premise("evidence_is_seldom_large", "kernel", {"N": ALL, "K": ALL}),),
        fails=(
            NearMiss("so it is where laws change together with the sides", is_seldom_large(6, 2, drifting)),
            NearMiss("so is the largest likelihood of each side over that", is_seldom_large(4, 2, score=largest_ratio)),
        ),
    ),
    Theorem(
        key="field.levels_divided_among_branches_add_up_to_that_of_the_root",
        statement="if a child gets the level of its parent over the number of branches, the levels of nodes that are"
        " not below one another are together at most that of the root: a tree on a stream that splits a leaf once the"
        " evidence exceeds the inverse of its level ever splits some leaf whose labels have one law with a chance of at"
        " most the level of the root",
        source="ville1939; the levels are those of a prefix code",
        holds=levels_add_up(6),
        premises=(
            Premise("field.evidence_of_labels_of_one_law_is_seldom_large_at_any_time", "theorem"),
            Premise("levels_add_up_to_that_of_the_root", "kernel", {"leaves": ALL}),
            Premise("Boole's inequality: the chance of some of several events is at most the sum of theirs"),
        ),
        fails=(
            NearMiss("a child may have half the level of its parent", levels_add_up(6, lambda _: HALF)),
            NearMiss("each leaf may have the level of the root", levels_add_up(6, lambda _: Fraction(1))),
        ),
    ),
]
