"""What holds of every loss: its least risk is concave, and a risk reduction is the mean excess risk of the children.

Source: wilton2024, eq. (1) and Theorem 5; breiman1996, Section 2; beyond.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from splitcrit import impurities
from splitcrit.criteria import decrease
from splitcrit.impurities import absolute_deviation, poisson, variance
from splitcrit.losses import risk
from splitcrit.proof import All, Fact, Identity, Induction, Law, NearMiss, Premise, Sign, Smt, Theorem
from splitcrit.proofs.common import compositions, vector
from splitcrit.proofs.given import costs, names
from splitcrit.proofs.impurity.chords import mix, of_two

# Equation (1): x, y are the partial risks of an action in the left and the right child, X, Y the least ones.
TWO_CHILDREN = {**names("x", 4, "real"), **names("y", 4, "real")}


def saved(v: Any, m: Any) -> Any:
    """The risk reduction with four actions."""
    x, y = vector(v, "x", 4), vector(v, "y", 4)
    return m.min([a + b for a, b in zip(x, y, strict=True)]) - m.min(x) - m.min(y)


def excess_pairs(v: Any, m: Any) -> list[tuple[Any, Any]]:
    """What each action costs beyond the best, in the left and in the right child."""
    x, y = vector(v, "x", 4), vector(v, "y", 4)
    return [(a - m.min(x), b - m.min(y)) for a, b in zip(x, y, strict=True)]


def children(v: Any, cost: Any, left: Any, right: Any, m: Any) -> tuple[Any, Any]:
    """The excess risk of an action in the node, and those in its children summed with their sizes n, r."""
    node = [(v.n * x + v.r * y) / (v.n + v.r) for x, y in zip(left, right, strict=True)]
    whole = risk(costs, cost, node, m) * (v.n + v.r) - v.i * v.n - v.j * v.r
    return whole, v.n * (risk(costs, cost, left, m) - v.i) + v.r * (risk(costs, cost, right, m) - v.j)


MEAN_EXCESS = Induction(
    "K",
    {"p": "positive", "w": "positive", "l": "real"},
    lambda entries, v, m: children(v, [e.l for e in entries], [e.p for e in entries], [e.w for e in entries], m),
    lambda e, v, m: [e.p * e.l, e.w * e.l],
    lambda s, v, m: (v.n * s[0] + v.r * s[1] - v.i * v.n - v.j * v.r, v.n * (s[0] - v.i) + v.r * (s[1] - v.j)),
    shared={"n": "positive", "r": "positive", "i": "real", "j": "real"},
)
ONE_ACTION = Smt(
    dict.fromkeys("xyXY", "real"),
    lambda v, m: (v.x + v.y - v.X - v.Y >= 0) & ((v.x + v.y == v.X + v.Y) == ((v.x == v.X) & (v.y == v.Y))),
    lambda v, m: [v.x >= v.X, v.y >= v.Y],
)


# Every least risk is concave: an action risks in a mixture of distributions the mixture of its risks.
def linear(entries: Any, v: Any, m: Any) -> Any:
    """The risk in the mixture, in the shares a, b of two measures, and the mixture of the risks."""
    cost, x, y = ([getattr(e, name) for e in entries] for name in "lxy")
    mixture = [(v.a * i + v.b * j) / (v.a + v.b) for i, j in zip(x, y, strict=True)]
    apart = v.a * risk(costs, cost, x, m) + v.b * risk(costs, cost, y, m)
    return risk(costs, cost, mixture, m), apart / (v.a + v.b)


LINEAR = Induction(
    "K",
    {"l": "real", "x": "positive", "y": "positive"},
    linear,
    lambda e, v, m: [e.l * e.x, e.l * e.y],
    lambda s, v, m: ((v.a * s[0] + v.b * s[1]) / (v.a + v.b), (v.a * s[0] + v.b * s[1]) / (v.a + v.b)),
    shared={"a": "positive", "b": "positive"},
)
LEAST = Law(
    lambda least: Smt(
        {"t": "rate", **dict.fromkeys("abfg", "real")},
        lambda v, m: mix(v, v.a, v.b) >= mix(v, v.f, v.g),
        lambda v, m: [v.a >= v.f, v.b >= v.g] if least else [v.a <= v.f, v.b <= v.g],
    ),
    least=True,
)
THIRDS = [[Fraction(x, 3) for x in c] for c in compositions(3, 3)]


def above_chords(of: Any, strict: bool = True) -> Sign:
    """Claim that a function lies above its chord half-way between any two points of the grid of thirds."""

    def values(m: Any) -> list[Any]:
        heights = []
        for one, other in ((p, q) for p in THIRDS for q in THIRDS if p < q):
            p, q = ([m.number(x) for x in point] for point in (one, other))
            middle = of([(x + y) / 2 for x, y in zip(p, q, strict=True)], m)
            heights.append(middle - (of(p, m) + of(q, m)) / 2 + (0 if strict else Fraction(1, 1000)))
        return heights

    return Sign(values)


def about_the_mean(p: Any, m: Any) -> Any:
    """The mean absolute deviation from the mean of responses 0, 1, 2."""
    return sum(x * m.abs(w - p[1] - 2 * p[2]) for w, x in enumerate(p))


def half_norm(p: Any, m: Any) -> Any:
    """1 less the norm of order 1/2, which is no norm."""
    return 1 - sum(m.sqrt(x) for x in p) ** 2


def families(property: str) -> tuple[Fact, ...]:
    """A property as a fact of each family; that of responses for as many classes as there are responses."""
    names = ["decrease(gce(q)) for 0 < q < 1", "decrease(shannon_entropy(base=2))"]
    facts = [Fact(name, property, "all", True) for name in names]
    for values in ((0, 1), (0, 1, 2)):
        for of in (variance(values), absolute_deviation(values), poisson(values)):
            facts.append(Fact(repr(decrease(of)), property, "2" if len(values) == 2 else ">2", True))
    return tuple(facts)


SPREAD = Identity(
    {"t": "rate", **dict.fromkeys("abcd", "real")},
    lambda v, m: mix(v, v.c, v.d) - mix(v, v.a, v.b) ** 2 - mix(v, v.c - v.a**2, v.d - v.b**2),
    lambda v, m: v.t * (1 - v.t) * (v.a - v.b) ** 2,
)

THEOREMS = [
    Theorem(
        key="impurity.risk_reduction_is_nonnegative_of_any_loss",
        statement="for every loss the risk reduction of a split is at least 0, so that halting when none is positive "
        "means halting when all are 0; it is the least over the actions of their excess summed over the "
        "children, so 0 exactly if one action is best in both (any number of actions, as the node takes one)",
        source="wilton2024, eq. (1) and Theorem 5 (the halting rule)",
        holds=All(
            of_the_nodes_action=ONE_ACTION,
            least_excess=Smt(TWO_CHILDREN, lambda v, m: saved(v, m) == m.min([a + b for a, b in excess_pairs(v, m)])),
            mean_excess=MEAN_EXCESS,
        ),
        fails=(
            NearMiss(
                "it is positive unless every action costs the same",
                Smt(TWO_CHILDREN, lambda v, m: saved(v, m) > 0, lambda v, m: [v.x0 < v.x1, v.x1 < v.x2, v.y0 < v.y1]),
            ),
            NearMiss(
                "it is the least of the children's excesses, not of their sums",
                Smt(TWO_CHILDREN, lambda v, m: saved(v, m) == m.min([m.max(pair) for pair in excess_pairs(v, m)])),
            ),
        ),
    ),
    Theorem(
        key="impurity.families_are_concave",
        statement="the least risk of any loss is concave, because an action risks in a mixture the mixture of its"
        " risks; so are gce(q) for every q between 0 and 1, entropy in any base, the variance of any responses, whose"
        " excess over a chord is t (1 - t) times a squared difference of means, the deviation about the median, and"
        " half the Poisson deviance of any responses of 0 or more",
        source="breiman1996, Section 2, and concavity of families",
        holds=All(linear=LINEAR, least=LEAST, variance=SPREAD),
        fails=(
            LEAST.but("so is the largest risk", least=False),
            NearMiss("the larger of two concave impurities is concave", of_two("max")),
            NearMiss("a norm of order 1/2 will do", above_chords(half_norm), "hypothesis"),
            NearMiss("the mean deviation about the mean is concave", above_chords(about_the_mean, False)),
        ),
        premises=tuple(
            Premise(f"impurity.{key}", "theorem")
            for key in (
                "gce_is_least_risk_of_q_below_one",
                "entropy_is_least_risk_of_softmax_loss",
                "variance_is_least_squared_error",
                "median_has_least_absolute_error",
                "poisson_is_least_deviance",
            )
        ),
        facts=(*families("concave"), Fact(repr(decrease(impurities.gce(Fraction(1, 2)))), "concave", "all", True)),
    ),
]
