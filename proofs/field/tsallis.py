"""The family of Tsallis' entropies, ``(1 - sum x^q) / (q - 1)``: its members, and what is none.

Main definitions: ``tsallis`` (the member of a whole order, or with given powers).
Source: tsallis1988; wang2016, who call gain ratio a member.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from splitcrit.arith import total
from splitcrit.criteria import decrease, normalised
from splitcrit.impurities import Impurity, entropy, gini, matushita
from splitcrit.proof import All, Each, Exhaustive, Identity, Induction, Law, NearMiss, Not, Premise, Theorem
from splitcrit.proofs.common import HALF, binary_splits, distribution, error_decrease, kinds, score, up_to
from splitcrit.proofs.gain.identities import adds_up
from splitcrit.proofs.given import LOGARITHM, Given, sum_of_parts
from splitcrit.proofs.impurity.chords import mix

TANGENT = Premise(
    "x^q lies above its tangents on x >= 0 for q > 1, below them for 0 < q < 1, and touches them at one point only"
)


def tsallis(p: Any, q: Any, m: Any) -> Any:
    """Tsallis' entropy of order ``q``, which is not 1."""
    return (1 - total([m.power(x, q) for x in p])) / (q - 1)


def whole_order(q: int) -> Impurity:
    """The member of a whole order from 2 on, without powers that a field does not know."""
    return Impurity(f"tsallis({q})", lambda p, m: (1 - total([x**q for x in p])) / (q - 1))


def is_gini(q: int, classes: int, factor: Fraction = Fraction(1)) -> Identity:
    """Claim that a member is a multiple of Gini's impurity."""
    return Identity(
        kinds("positive", "p", classes=classes),
        lambda v, m: whole_order(q).of(distribution(v, classes), m),
        lambda v, m: factor * gini.of(distribution(v, classes), m),
    )


def half_order(factor: int = 2) -> Identity:
    """Claim that at two classes the square of half the member of order 1/2, plus 1, is 1 and DKM's impurity."""

    def square(v: Any, m: Any) -> Any:
        p = [v.a**2 / (v.a**2 + v.b**2), v.b**2 / (v.a**2 + v.b**2)]
        roots = total([m.sqrt(x) for x in p])
        member = (1 - roots) / (HALF - 1)
        return (member / 2 + 1) ** 2

    def root(v: Any, m: Any) -> Any:
        return 1 + factor * v.a * v.b / (v.a**2 + v.b**2)

    return Identity(kinds("positive", "a", "b"), square, root)


def is_dkm() -> Identity:
    """Claim that the member of order 1/2 is DKM's impurity, that of Matushita, at two classes."""

    def p(v: Any) -> list[Any]:
        return [v.a**2 / (v.a**2 + v.b**2), v.b**2 / (v.a**2 + v.b**2)]

    return Identity(
        kinds("positive", "a", "b"),
        lambda v, m: (1 - total([m.sqrt(x) for x in p(v)])) / (HALF - 1),
        lambda v, m: matushita.of(p(v), m),
    )


def below_entropy(factor: int = 1) -> Induction:
    """Claim that the entropy is at least the member of order q > 1, with ``X = x^(q - 1)`` and ``L = log x``."""

    def formula(entries: Any, v: Any, m: Any) -> Any:
        p = [e.x for e in entries]
        known = Given(m, log=[(e.x, e.L) for e in entries])
        # sum x = 1, so that 1 - sum x X is the sum of x (1 - X)
        member = sum(e.x * (1 - e.X) for e in entries) / v.h
        return entropy.of(p, known) - factor * member

    return sum_of_parts(
        {"x": "rate", "X": "rate", "L": "real"},
        formula,
        lambda e, v, m: e.x * (-e.L - (1 - e.X) / v.h),
        {"h": "positive"},
        where=lambda e, v, m: [v.h * e.L <= e.X - 1],
    )


def above_entropy() -> Induction:
    """Claim that the entropy is at most the member of order 2 - q, with ``Y = x^(1 - q)`` and ``L = log x``."""

    def formula(entries: Any, v: Any, m: Any) -> Any:
        known = Given(m, log=[(e.x, e.L) for e in entries])
        return sum(e.x * (e.Y - 1) for e in entries) / v.h - entropy.of([e.x for e in entries], known)

    return sum_of_parts(
        {"x": "rate", "Y": "positive", "L": "real"},
        formula,
        lambda e, v, m: e.x * ((e.Y - 1) / v.h + e.L),
        {"h": "positive"},
        where=lambda e, v, m: [-v.h * e.L <= e.Y - 1],
    )


def concave() -> Induction:
    """Claim that a member is concave, with ``X = x^q``, ``Y = y^q``, ``Z = z^q`` at the mixture, ``D = q z^(q - 1)``.

    ``h`` is ``q - 1``, not 0; the tangents lie below where it is positive, and above where it is negative.
    """

    def formula(entries: Any, v: Any, m: Any) -> Any:
        p, q = [e.x for e in entries], [e.y for e in entries]
        z, order = [mix(v, x, y) for x, y in zip(p, q, strict=True)], 1 + v.h
        before = Given(m, powers=[e.X for e in entries]), Given(m, powers=[e.Y for e in entries])
        both = tsallis(z, order, Given(m, powers=[e.Z for e in entries]))
        return both - mix(v, tsallis(p, order, before[0]), tsallis(q, order, before[1]))

    def gaps(e: Any, v: Any, m: Any) -> list[Any]:
        z = mix(v, e.x, e.y)
        return [(e.X - e.Z - e.D * (e.x - z)) / v.h, (e.Y - e.Z - e.D * (e.y - z)) / v.h]

    return sum_of_parts(
        {"x": "rate", "y": "rate", "X": "rate", "Y": "rate", "Z": "rate", "D": "real"},
        formula,
        lambda e, v, m: mix(v, *gaps(e, v, m)),
        {"t": "rate", "h": "real"},
        where=lambda e, v, m: [v.h != 0, *(x >= 0 for x in gaps(e, v, m))],
    )


def never_loses(q: int) -> Exhaustive:
    """Claim that no split loses by a member of a whole order, which may be negative."""
    return up_to(
        6,
        lambda most, classes: (t for t in binary_splits(most, classes) if all(map(all, t))),
        lambda t: score(decrease(whole_order(q)), t) >= 0,
        K=(2,),
    )


# Two splits of the node (3, 1) that misclassification scores alike, 0, although the rows of one differ.
ALIKE = (((1, 0), (2, 1)), ((0, 0), (3, 1)))


def tells_apart(score_of: Callable[[Any], Any]) -> Exhaustive:
    """Claim that a criterion scores a split whose rows differ above one that leaves a row empty."""
    return Exhaustive(lambda: (ALIKE,), lambda pair: score_of(pair[0]) > score_of(pair[1]))


GINI, RATIO = Law(is_gini, q=2, classes=3), normalised(entropy)
ADDS = Law(adds_up, criterion=decrease(gini))

THEOREMS = [
    Theorem(
        key="field.tsallis_members_are_gini_and_entropy",
        statement="of Tsallis' entropies that of order 2 is Gini's impurity, at two classes that of order 3 is 3/4 of"
        " it, so the same criterion, and 1 plus half of that of order 1/2, squared, is 1 plus DKM's impurity; the"
        " entropy in nats lies between the members of the orders q and 2 - q for every 1 < q < 2, and is their limit",
        source="tsallis1988",
        holds=All(
            two=Each("K", (2, 3, 4), lambda K: is_gini(2, K)),
            three=is_gini(3, 2, Fraction(3, 4)),
            half=half_order(),
            below=below_entropy(),
            above=above_entropy(),
        ),
        premises=(LOGARITHM,),
        fails=(
            NearMiss(
                "that of order 3 is 3/4 of Gini's at three classes too", is_gini(3, 3, Fraction(3, 4)), "hypothesis"
            ),
            NearMiss("that of order 1/2 is DKM's impurity", is_dkm()),
            GINI.but("that of order 3 is Gini's impurity", q=3),
        ),
    ),
    Theorem(
        key="field.tsallis_entropies_are_strictly_concave",
        statement="every Tsallis entropy of an order q > 0 other than 1 is strictly concave, for any number of"
        " classes: no split loses, and one whose rows differ gains",
        source="tsallis1988",
        holds=concave(),
        premises=(TANGENT,),
        fails=(
            NearMiss("so it is with the order -1, of rows with every class", never_loses(-1), "hypothesis"),
            NearMiss(
                "a row that differs gains by misclassification too", tells_apart(lambda t: score(error_decrease, t))
            ),
        ),
    ),
    Theorem(
        key="field.tsallis_members_are_not_misclassification_or_gain_ratio",
        statement="no Tsallis entropy of an order above 0 orders all splits as misclassification, which gains nothing"
        " by some splits whose rows differ; and the gain ratio is the decrease of no impurity at all, since decreases"
        " of three rows are sums of those of two: it is a quotient of two members of the family",
        source="wang2016, where the gain ratio is unified with them, as a quotient",
        holds=All(
            misclassification=Not(tells_apart(lambda t: score(error_decrease, t))),
            ratio=Not(adds_up(RATIO)),
        ),
        premises=(
            Premise("field.tsallis_entropies_are_strictly_concave", "theorem"),
            Premise("gain.refinement_adds_the_gain_of_the_row", "theorem"),
        ),
        fails=(
            NearMiss("so it is with Gini, the member of order 2", Not(ADDS.claim)),
            NearMiss(
                "Gini's decrease, too, scores both splits alike",
                Not(tells_apart(lambda t: score(decrease(gini), t))),
            ),
        ),
    ),
]
