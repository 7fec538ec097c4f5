"""Weak splits boost: what a split that is a little better than chance takes away, by DKM, entropy and Gini.

A split is *weak of advantage g* if it errs on at most ``1/2 - g`` of the examples once both classes weigh the same:
``a - b >= 2g``, where ``a`` and ``b`` are the shares of the positive and of the negative class that go right (``tpr``
and ``fpr`` in code). ``q`` is
the share of the positive class in the node, ``t = qa + (1 - q)b`` the share of the examples that go right.

Source: kearns1996; dietterich1996.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from splitcrit.criteria import Criterion, decrease, dkm
from splitcrit.impurities import entropy, gini
from splitcrit.proof import Identity, Law, NearMiss, Premise, Sign, Smt, Theorem
from splitcrit.proofs.common import HALF, kinds
from splitcrit.proofs.gain.identities import COUNTS, table
from splitcrit.proofs.two_class import two_classes

SHARES = kinds("rate", "q", "tpr", "fpr")
INSIDE = lambda v, m: [v.q > 0, v.q < 1, v.tpr > 0, v.tpr < 1, v.fpr > 0, v.fpr < 1]  # noqa: E731
PINSKER = Premise("Pinsker's inequality of two outcomes: x log(x/t) + (1 - x) log((1 - x)/(1 - t)) >= 2 (x - t)^2")


def node(v: Any) -> list[list[Any]]:
    """The table of the split, the examples as shares: left row first, negatives first."""
    return [[(1 - v.q) * (1 - v.fpr), v.q * (1 - v.tpr)], [(1 - v.q) * v.fpr, v.q * v.tpr]]


def affinity(factor: int = 1) -> Identity:
    """Claim that DKM takes away its value times 1 less the affinity of both classes over the rows, in counts."""

    def fallen(v: Any, m: Any) -> Any:
        neg, pos = v.a + v.c, v.b + v.d
        same = m.sqrt(v.b / pos) * m.sqrt(v.a / neg) + m.sqrt(v.d / pos) * m.sqrt(v.c / neg)
        return 2 * m.sqrt(pos * neg) / (pos + neg) * (1 - factor * same)

    return Identity(COUNTS, lambda v, m: dkm.score(table(v), m), fallen, lambda v, m: [v.a + v.c > 0, v.b + v.d > 0])


# With the roots as variables: a = w^2, b = x^2, 1 - a = y^2, 1 - b = z^2.
UNIT = lambda v, m: [v.w**2 + v.y**2 == 1, v.x**2 + v.z**2 == 1]  # noqa: E731


def root_bound(strict: bool = False) -> Smt:
    """Claim that the square of the affinity is at most ``1 - (a - b)^2``."""

    def says(v: Any, m: Any) -> Any:
        root, most = (v.w * v.x + v.y * v.z) ** 2, 1 - (v.w**2 - v.x**2) ** 2
        return root < most if strict else root <= most

    return Smt(kinds("rate", *"wxyz"), says, UNIT)


def least_drop(least: int) -> Smt:
    """Claim that what is kept is at most ``1 - least g^2`` of the value: its square at most ``1 - 4 g^2``."""
    return Smt(
        kinds("rate", "k", "g"),
        lambda v, m: v.k <= 1 - least * v.g * v.g,
        lambda v, m: [v.k * v.k <= 1 - 4 * v.g * v.g, v.g <= HALF],
    )


def gini_drop(factor: int = 2) -> Identity:
    """Claim that Gini's decrease is ``2 (q (1 - q) (a - b))^2 / (t (1 - t))``."""

    def closed(v: Any, m: Any) -> Any:
        right = v.q * v.tpr + (1 - v.q) * v.fpr
        return factor * (v.q * (1 - v.q) * (v.tpr - v.fpr)) ** 2 / (right * (1 - right))

    return Identity(SHARES, lambda v, m: decrease(gini).score(node(v), m), closed, INSIDE)


def gini_bound(least: int, power: int = 2) -> Smt:
    """Claim that this is at least ``least g^2 (q (1 - q))^power`` where ``a - b >= 2g``, with ``s`` for t (1 - t)."""
    return Smt(
        kinds("rate", "u", "d", "g", "s"),
        lambda v, m: 2 * v.u**2 * v.d**2 >= least * v.g**2 * v.u**power * v.s,
        lambda v, m: [v.d >= 2 * v.g, v.g >= 0, v.s <= Fraction(1, 4), v.u <= Fraction(1, 4)],
    )


def information() -> Identity:
    """Claim that the entropy gain is the mean over the classes of the divergence of their rates from the node's."""

    def mean(v: Any, m: Any) -> Any:
        sizes = [v.a + v.b, v.c + v.d]
        n, entropy_sum = sum(sizes), 0
        for x, y in ((v.a, v.c), (v.b, v.d)):
            rest = m.log((x + y) / n)
            for count, size in zip((x, y), sizes, strict=True):
                entropy_sum += m.xlogx(count / n) - count / n * (m.log(size / n) + rest)
        return entropy_sum

    return Identity(
        COUNTS,
        lambda v, m: decrease(entropy).score(table(v), m),
        mean,
        lambda v, m: [v.a + v.b > 0, v.c + v.d > 0, v.a + v.c > 0, v.b + v.d > 0],
    )


def spread(factor: int = 2) -> Identity:
    """Claim that the mean of twice the squared distances from ``t`` is ``2 q (1 - q) (a - b)^2``."""

    def mean(v: Any, m: Any) -> Any:
        right = v.q * v.tpr + (1 - v.q) * v.fpr
        return 2 * (v.q * (v.tpr - right) ** 2 + (1 - v.q) * (v.fpr - right) ** 2)

    return Identity(SHARES, mean, lambda v, m: factor * v.q * (1 - v.q) * (v.tpr - v.fpr) ** 2)


def drop_at(criterion: Criterion, q: Fraction, a: Fraction, b: Fraction, least: Fraction) -> Sign:
    """Claim that of one split a criterion takes away more than a share of its value."""

    def values(m: Any) -> list[Any]:
        left, right = [(1 - q) * (1 - b), q * (1 - a)], [(1 - q) * b, q * a]
        value = criterion.impurity.of([m.number(1 - q), m.number(q)], m)  # type: ignore[union-attr]
        return [criterion.score([[m.number(x) for x in row] for row in (left, right)], m) - m.number(least) * value]

    return Sign(values)


def falls(least: str = "L >= E / t") -> Smt:
    """Claim that splitting the leaf of the largest share of the potential leaves at most ``E (1 - c/t)`` of it."""

    def hypotheses(v: Any, m: Any) -> list[Any]:
        leaf = v.L * v.t >= v.E if least else v.L >= 0
        return [leaf, v.n <= v.E - v.c * v.L, v.t >= 1, v.c >= 0]

    return Smt(kinds("count", "E", "L", "n", "c", "t"), lambda v, m: v.n * v.t <= v.E * (v.t - v.c), hypotheses)


def induction(shrinks: bool = True) -> Smt:
    """Claim that one split more keeps ``E <= (t + 1)^-c``: of ``E <= b`` before, ``n <= E (1 - c/t)`` after.

    ``b`` and ``d`` are the bounds before and after, ``d >= b (1 - c/t)`` by Bernoulli's inequality, for t leaves.
    """

    def hypotheses(v: Any, m: Any) -> list[Any]:
        bernoulli = [v.d * v.t >= v.b * (v.t - v.c)]
        return [v.t >= 1, v.c <= HALF, v.b >= v.E, v.n * v.t <= v.E * (v.t - v.c if shrinks else v.t), *bernoulli]

    return Smt(kinds("real", *"Enbdct"), lambda v, m: v.n <= v.d, hypotheses)


def root(most: Fraction = Fraction(1)) -> Smt:
    """Claim that the root, one leaf, begins with ``E = 2 sqrt(q (1 - q)) <= 1``."""
    return Smt(kinds("rate", "q"), lambda v, m: 2 * m.sqrt(v.q * (1 - v.q)) <= most)


TINY, WEAK = Fraction(1, 1000), (Fraction(3, 5), Fraction(2, 5))  # a node almost pure; a split of advantage 1/10
DROP, GINI, GINI_BOUND, SPREAD = (
    Law(affinity, factor=1),
    Law(gini_drop, factor=2),
    Law(gini_bound, least=32),
    Law(spread),
)
ROOT, ONE_MORE = Law(root), Law(induction)
ERROR = Smt(kinds("rate", "x"), lambda v, m: m.min((v.x, 1 - v.x)) ** 2 <= v.x * (1 - v.x))

THEOREMS = [
    Theorem(
        key="field.dkm_falls_by_a_share_of_weak_splits",
        statement="at two classes a split whose classes go right with shares a and b takes away from 2 sqrt(q (1 - q))"
        " its value times 1 - sqrt(ab) - sqrt((1 - a)(1 - b)); where a - b >= 2g that is at least 1 - sqrt(1 - 4 g^2),"
        " so at least 2 g^2, of the value, however skewed the node is",
        source="kearns1996, Lemma of 2 sqrt(q (1 - q)), with the constant derived here",
        holds=two_classes(value=DROP, affinity=root_bound(), least=least_drop(2)),
        fails=(
            DROP.but("what is kept is twice the affinity", factor=2),
            NearMiss("at least 3 g^2 of the value", least_drop(3)),
            NearMiss("the bound is never attained", root_bound(strict=True)),
        ),
    ),
    Theorem(
        key="field.gini_falls_by_a_vanishing_share_of_weak_splits",
        statement="at two classes Gini's decrease is 2 (q (1 - q) (a - b))^2 / (t (1 - t)), with t the share that goes"
        " right; where a - b >= 2g it is at least 32 (g q (1 - q))^2, a share of the value that vanishes with q",
        source="kearns1996, the criterion of CART",
        holds=two_classes(value=GINI, least=GINI_BOUND),
        fails=(
            GINI.but("without the factor 2", factor=1),
            GINI_BOUND.but("at least 33 times it", least=33),
            GINI_BOUND.but("at least 2 g^2 times q (1 - q), as DKM", least=2, power=1),
            NearMiss(
                "with g = 1/10 it takes away at least 2 g^2 of the value at q = 1/1000",
                drop_at(decrease(gini), TINY, *WEAK, Fraction(1, 50)),
            ),
        ),
    ),
    Theorem(
        key="field.entropy_falls_by_eight_squared_advantages_of_weak_splits",
        statement="at two classes the entropy gain in nats is the mean over the classes of the divergence of their"
        " rates from those of the node; where a - b >= 2g it is at least 8 g^2 q (1 - q), a share of the value that"
        " vanishes with q, as 1/log(1/q) does",
        source="kearns1996, the criterion of C4.5, with the constant derived here",
        holds=two_classes(value=information(), least=SPREAD),
        premises=(PINSKER,),
        fails=(
            SPREAD.but("with the factor 3", factor=3),
            NearMiss(
                "with g = 1/10 it takes away at least 2 g^2 of the value at q = 1/1000",
                drop_at(decrease(entropy), TINY, *WEAK, Fraction(1, 50)),
            ),
        ),
    ),
    Theorem(
        key="field.error_is_at_most_a_power_of_the_splits_of_weak_splits",
        statement="a tree that splits each time the leaf with the largest share of 2 sqrt(q (1 - q)), by splits of two"
        " classes and of advantage g, has after t splits an error of at most (t + 1)^-c / 2 with c = 2 g^2: the number"
        " of splits that an error of e needs is polynomial in 1/e",
        source="kearns1996, Theorem of 2 sqrt(q (1 - q)), with the constant derived here",
        holds=two_classes(first=ROOT, step=falls(), one_more=ONE_MORE, error=ERROR),
        premises=(
            Premise("field.dkm_falls_by_a_share_of_weak_splits", kind="theorem"),
            Premise("1 - c/t <= (t/(t + 1))^c for t >= 1 and c >= 0: Bernoulli's inequality of (1 + 1/t)^-c"),
        ),
        fails=(
            ROOT.but("the root begins with E <= 9/10", most=Fraction(9, 10)),
            ONE_MORE.but("so it is if a split does not lower E", shrinks=False, alters="hypothesis"),
            NearMiss("so it is if any leaf is split", falls(least=""), "hypothesis"),
            NearMiss(
                "the error is at most q (1 - q)",
                Smt(kinds("rate", "x"), lambda v, m: m.min((v.x, 1 - v.x)) <= v.x * (1 - v.x)),
            ),
        ),
    ),
]
