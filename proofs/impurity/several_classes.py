"""The NE impurity of K classes, ``min(1 - max p, lam sqrt((1 - |p|^2)(K - 1) / K))``, and a loss that has it.

Main definitions: ``ne_at``, ``enclosed``. Notation: ``M = max p``, ``e = 1 - M`` the error, ``G = 1 - |p|^2``.
Source: wilton2024, Section 4 (the extension to K classes).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from splitcrit import impurities, losses
from splitcrit.arith import EXACT, Irrational
from splitcrit.losses import risk
from splitcrit.proof import BALL, All, Ball, Exhaustive, Induction, Law, NearMiss, Premise, Smt, Theorem
from splitcrit.proof.points import raises
from splitcrit.proofs.common import HALF, count_vectors, up_to
from splitcrit.proofs.given import Given, tuned
from splitcrit.proofs.impurity.concave import LAMS

error, gini, sqrt_gini = impurities.misclassification, impurities.gini, impurities.sqrt_gini


def ne_at(lam: Any) -> Any:
    """The NE impurity's formula at any parameter, also a symbolic one or 0."""
    return tuned(impurities.ne(HALF).of, lam=lam)


def enclosed(impurity: Any, counts: Any) -> Ball:
    """An enclosure of an impurity's formula at class counts."""
    return Ball(impurity([Ball(Fraction(x, sum(counts))) for x in counts], BALL))


# Sums of p (M - p) and of M - p, over shares p of which M is the largest.
def below_top(formula: Callable[[Any, Any, Any], Any], closed: Callable[[Any, Any], Any]) -> Induction:
    """Claim that a gap is ``closed``, of the sums of p (M - p) and of M - p and the number of classes, and >= 0."""
    return Induction(
        "K",
        {"p": "rate"},
        lambda entries, v, m: formula([e.p for e in entries], v, Given(m, top=v.M)),
        lambda e, v, m: [e.p * (v.M - e.p), v.M - e.p, m.number(1)],
        lambda s, v, m: closed(s, v),
        ">=",
        {"M": "rate"},
        where=lambda e, v, m: [e.p <= v.M],
        keeps=lambda s, v, m: [s[0] >= 0, s[1] >= 0, s[2] >= 1],
    )


def at_most(roof: Callable[[Any], Any]) -> Smt:
    return Smt(
        SIZES,
        lambda v, m: m.min((v.e, v.lam * v.s)) <= roof(v),
        lambda v, m: [v.s * v.s == v.c * v.G, v.e <= v.G, v.c >= v.G, v.lam <= 1],
    )


ABOVE_ERROR = below_top(lambda p, v, m: gini.of(p, m) - error.of(p, m) + v.M * (sum(p) - 1), lambda s, v: s[0])
ZONE = below_top(
    lambda p, v, m: (len(p) - 1) * gini.of(p, m) - len(p) * error.of(p, m) ** 2 + (sum(p) - 1) * (len(p) * v.M - 1),
    lambda s, v: (s[2] - 1) * s[0] + (1 - v.M) * s[1],
)

# c = (K - 1) / K, s the value of sqrt_gini, whose square is c G.
SIZES = dict.fromkeys(("e", "G", "c", "s"), "rate") | {"lam": "count"}
AT_MOST = Law(at_most, roof=lambda v: v.lam * v.c)
REACHED = Smt(SIZES, lambda v, m: m.min((v.c, v.lam * v.c)) == v.lam * v.c, lambda v, m: v.lam <= 1)
FROM_ONE = Smt(
    SIZES,
    lambda v, m: m.min((v.e, v.lam * v.s)) == v.e,
    lambda v, m: [v.s * v.s == v.c * v.G, v.c * v.G >= v.e * v.e, v.lam >= 1],
)
BELOW_ONE = Smt(SIZES, lambda v, m: m.min((v.c, v.lam * v.c)) < v.c, lambda v, m: [v.c > 0, v.lam < 1])


def vanishes_where_empty(counts: Any) -> bool:
    return bool(min(counts) > 0 or enclosed(ne_at(HALF), counts) == 0)


def error_wins(lam: Fraction, factor: Callable[[int], Fraction]) -> Exhaustive:
    """Claim ``e^2 <= lam^2 factor(K) G``: the impurity is misclassification."""

    def holds(counts: tuple[int, ...]) -> bool:
        p = [Fraction(x, sum(counts)) for x in counts]
        return bool(error.of(p, EXACT) ** 2 <= lam * lam * factor(len(p)) * gini.of(p, EXACT))

    return up_to(6, count_vectors, holds, K=(2, 3, 4))


def inside_cost(entries: Any, v: Any, m: Any) -> Any:
    """The squared cost in the first class, and lam^2 (1 - w)^2 (K - 1) / (K G(w))."""
    size = v.a + sum(e.u for e in entries)
    w = [x / size for x in (v.a, *(e.u for e in entries))]
    cost = tuned(losses.ne(HALF).at, lam=v.lam)(w, 0, Given(m, top=HALF))
    return cost**2, v.lam**2 * (len(w) - 1) * (1 - w[0]) ** 2 / (len(w) * gini.of(w, m))


def squared(s: Any, v: Any) -> Any:
    size = v.a + s[0]
    return v.lam**2 * s[2] * (size - v.a) ** 2 / ((s[2] + 1) * (size**2 - v.a**2 - s[1]))


WINS = Law(error_wins, lam=Fraction(1), factor=lambda K: Fraction(K - 1, K))

# The loss: inside the simplex (no share is 1) lam sqrt((K - 1) / K) (1 - w_k) / sqrt(1 - |w|^2); w is proportional to a
# and the u.
COST = Induction(
    "K",
    {"u": "positive"},
    inside_cost,
    lambda e, v, m: [e.u, e.u**2, m.number(1)],
    lambda s, v, m: (squared(s, v), squared(s, v)),
    shared={"a": "positive", "lam": "positive"},
    least=1,
    keeps=lambda s, v, m: [s[0] > 0, s[0] ** 2 >= s[1], s[2] >= 1],
)


def products(entries: Any, v: Any, m: Any) -> Any:
    """(1 - p.w)^2 - G(p) G(w), and |p - w|^2 G(p) and (p.(p - w))^2."""
    p, w = [e.x for e in entries], [e.y for e in entries]
    inner = sum(x * y for x, y in zip(p, w, strict=True))
    apart = sum((x - y) ** 2 for x, y in zip(p, w, strict=True))
    along = sum(x * (x - y) for x, y in zip(p, w, strict=True))
    return (1 - inner) ** 2 - gini.of(p, m) * gini.of(w, m), apart * gini.of(p, m) + along**2


def products_closed(s: Any, v: Any, m: Any) -> Any:
    P, W, X = s
    return (1 - X) ** 2 - (1 - P) * (1 - W), (P - 2 * X + W) * (1 - P) + (P - X) ** 2


def rational_roots(most: int, classes: int) -> Iterator[tuple[Fraction, tuple[int, ...]]]:
    """Yield parameters and class counts whose NE impurity is rational."""
    for counts in count_vectors(most, classes):
        if not raises(Irrational, sqrt_gini.of, [Fraction(x, sum(counts)) for x in counts], EXACT):
            yield from ((lam, counts) for lam in (*LAMS, Fraction(1)))


def attains(act: Callable[[Any, Any], Any]) -> Exhaustive:
    """Claim that an action has the impurity as its risk."""

    def holds(case: tuple[Fraction, tuple[int, ...]]) -> bool:
        lam, counts = case
        p = [Fraction(x, sum(counts)) for x in counts]
        return bool(risk(losses.ne(lam), act(losses.ne(lam), p), p, EXACT) == impurities.ne(lam).of(p, EXACT))

    return up_to(9, rational_roots, holds, K=(2, 3))


PRODUCTS = Induction(
    "K", {"x": "rate", "y": "rate"}, products, lambda e, v, m: [e.x**2, e.y**2, e.x * e.y], products_closed
)
TWO_PARTS = Smt(
    dict.fromkeys("rab", "real"), lambda v, m: v.r >= m.min((v.a, v.b)), lambda v, m: (v.r >= v.a) | (v.r >= v.b)
)
ATTAINS = Law(attains, act=lambda loss, p: loss.act(p, EXACT))
ROOT = Premise("impurity.sqrt_gini_is_strictly_concave", "theorem")

THEOREMS = [
    Theorem(
        key="impurity.ne_is_at_most_lam_times_error_at_equal_shares",
        statement="for 0 < lam <= 1 the NE impurity is at most lam (K - 1) / K, which equal shares reach: 1 - max p is"
        " at most Gini's impurity, as G - e = sum p_j (M - p_j), and both parts are (K - 1) / K there at lam = 1",
        source="wilton2024, Section 4 (NE impurity of K classes)",
        holds=All(above_error=ABOVE_ERROR, at_most=AT_MOST, reached=REACHED),
        fails=(
            AT_MOST.but("it is at most lam / 2 for every K", roof=lambda v: v.lam / 2),
            NearMiss("it vanishes wherever a class is empty", up_to(5, count_vectors, vanishes_where_empty, K=3)),
        ),
        premises=(ROOT, Premise("impurity.largest_at_equal_shares", "theorem")),
    ),
    Theorem(
        key="impurity.ne_is_misclassification_of_lam_from_one",
        statement="for every K the NE impurity is misclassification exactly if lam >= 1: (K - 1) G - K e^2 = "
        "(K - 1) sum p_j (M - p_j) + e sum (M - p_j), and below lam = 1 it is smaller at equal shares",
        source="wilton2024, Section 4 (NE impurity of K classes)",
        holds=All(zone=ZONE, from_one=FROM_ONE, below_one=BELOW_ONE),
        fails=(
            WINS.but("from lam = 9/10 on", lam=Fraction(9, 10), alters="hypothesis"),
            WINS.but("with the factor 1/2 of two classes for every K", factor=lambda K: HALF),
        ),
        premises=(ROOT,),
    ),
    Theorem(
        key="impurity.ne_is_least_risk_of_ne_loss",
        statement="lam sqrt((K - 1) / K) (1 - w_k) / sqrt(1 - |w|^2) inside the simplex with the 0-1 loss at its "
        "vertices has the NE impurity as least risk: inside, where the risk is a multiple of 1 - p.w, p itself is "
        "best, as (1 - p.w)^2 - G(p) G(w) = |p - w|^2 G(p) + (p.(p - w))^2; in the zone where 1 - max p is the "
        "smaller, the action is a majority class instead, and the least risk is the smaller of the two",
        source="wilton2024, Section 4 (NE impurity of K classes, for which no loss is given)",
        holds=All(cost=COST, inside=PRODUCTS, two_parts=TWO_PARTS, library_action=ATTAINS),
        fails=(
            ATTAINS.but("p itself is always best", act=lambda loss, p: p),
            ATTAINS.but("a majority class is always best", act=lambda loss, p: losses.majority(p, EXACT)),
        ),
        premises=(ROOT, Premise("impurity.misclassification_is_least_risk_of_standard_losses", "theorem")),
    ),
]
