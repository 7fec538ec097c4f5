"""Equation (1): a loss makes an impurity, and the impurity's decrease is what a split saves of the loss.

Source: yang2019, eq. (1).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from splitcrit.arith import EXACT, total
from splitcrit.criteria import decrease
from splitcrit.impurities import Impurity, entropy, gini
from splitcrit.losses import Loss, absolute_error, exponential, hinge, logistic, risk, squared_error
from splitcrit.proof import All, Erratum, Identity, Induction, Law, NearMiss, Premise, Smt, Theorem, same
from splitcrit.proof.cases import Each, Exhaustive, Sign
from splitcrit.proof.curvature import Atoms
from splitcrit.proofs.common import HALF, binary_splits, exactly, kinds, rows_of, vector
from splitcrit.proofs.given import LOGARITHM, Given, best_risk, costs
from splitcrit.proofs.noise.inequalities import EXPONENTIAL

PURE = Fraction(0), Fraction(1)
WEIGHTS = kinds("positive", "x", "y")

# The gain is not negative and the impurity is concave: x and y are 1 and 1, or sum to 1.
any_action = Smt(
    kinds("real", "A", "B", "least_A", "least_B") | kinds("count", "x", "y"),
    lambda v, m: v.x * v.A + v.y * v.B >= v.x * v.least_A + v.y * v.least_B,
    lambda v, m: [v.least_A <= v.A, v.least_B <= v.B],
)


def mixed_risk(entries: Any, v: Any, m: Any) -> Any:
    """The risk of an action in two nodes together, with weights, less the weighted sum of its risks."""
    w, left, right = ([getattr(e, name) for e in entries] for name in ("w", "l", "r"))
    both = [v.x * a + v.y * b for a, b in zip(left, right, strict=True)]
    return risk(costs, w, both, m) - v.x * risk(costs, w, left, m) - v.y * risk(costs, w, right, m)


def of_actions(node: int, children: int, best: str = "min", strict: bool = False) -> Smt:
    """The least risk of a node is at least the children's, where they choose from the first few actions."""

    def conclusion(v: Any, m: Any) -> Any:
        A, B = vector(v, "A", node), vector(v, "B", node)
        choose = getattr(m, best)
        gap = choose([v.x * a + v.y * b for a, b in zip(A, B, strict=True)])
        gap = gap - v.x * choose(A[:children]) - v.y * choose(B[:children])
        return gap > 0 if strict else gap >= 0

    differ = (lambda v, m: [v.A0 <= v.A1, v.B1 <= v.B0, v.A0 != v.B0]) if strict else None
    return Smt(WEIGHTS | kinds("real", "A", "B", classes=node), conclusion, differ)


def saving_by(loss: Loss, rule: Loss) -> Exhaustive:
    """Eq. (1) is not negative when every node takes the action that is best for another loss."""

    def holds(table: Any) -> bool:
        left, right = exactly(table)
        nodes = [x + y for x, y in zip(left, right, strict=True)], left, right
        act: Any = rule.act
        of_node, *of_children = (risk(loss, act([x / sum(n) for x in n], EXACT), n, EXACT) for n in nodes)
        return bool(of_node >= sum(of_children))

    return Exhaustive(lambda: binary_splits(6, 3), holds)


def with_node(t: Any) -> list[list[Any]]:
    return [[x + y for x, y in zip(*t, strict=True)], *t]


def any_loss(v: Any, classes: int) -> Impurity:
    """The impurity of a loss whose actions in node and children are any lists of costs."""
    known = [
        (total(n), n, vector(v, name, classes)) for n, name in zip(with_node(rows_of(v, classes)), "uvw", strict=True)
    ]

    def act(p: Any, m: Any) -> Any:
        return next(cost for size, n, cost in known if same([x / size for x in n], list(p)))

    return Impurity.from_loss(Loss("any", costs.at, act, costs.space))


def logarithms(v: Any, m: Any, classes: int) -> Any:
    """The arithmetic in which the logarithms of all class shares of a split are variables."""
    parts = [x / total(n) for n in with_node(rows_of(v, classes)) for x in n]
    return Given(m, log=list(zip(parts, vector(v, "g", 3 * classes), strict=True)))


def drop(impurity: Impurity, t: Any, m: Any) -> Any:
    return total([total(row) for row in t]) * decrease(impurity).score(t, m)


def unweighted_drop(impurity: Impurity, t: Any, m: Any) -> Any:
    node, left, right = (impurity.of([x / total(n) for x in n], m) for n in with_node(t))
    return total(with_node(t)[0]) * (node - (left + right) / 2)


def saves(
    impurity: Callable[[Any, int], Impurity], classes: int, saved: Callable[..., Any] = drop, more: Any = None
) -> Identity:
    """Eq. (1), with the impurity's own loss at the actions it names, is what is saved."""
    logs = logarithms if more and "g0" in more else lambda v, m, classes: m

    def equation_one(v: Any, m: Any) -> Any:
        loss: Any = impurity(v, classes).loss
        node, *children = (best_risk(loss, n, logs(v, m, classes)) for n in with_node(rows_of(v, classes)))
        return node - total(children)

    return Identity(
        kinds("positive", "l", "r", classes=classes) | (more or {}),
        equation_one,
        lambda v, m: saved(impurity(v, classes), rows_of(v, classes), logs(v, m, classes)),
    )


def falls(loss: Loss, p: Any, w: int, sign: int = 1) -> Sign:
    """The risk falls from the action w to the next."""
    return Sign(lambda m: [sign * (risk(loss, m.number(w), p, m) - risk(loss, m.number(w + 1), p, m))])


def small(loss: Loss, base: int, w: int) -> Sign:
    """The risk of a pure node is positive and below ``base ** -w``."""
    return Sign(lambda m: [x for r in [risk(loss, m.number(w), PURE, m)] for x in (r, Fraction(1, base**w) - r)])


def not_attained(w: int) -> All:
    return All(*(claim for loss in (exponential, logistic) for claim in (falls(loss, PURE, w), small(loss, 2, w))))


def one_more(loss: Loss, most: Fraction = HALF) -> All:
    """Claim for every action w > 0 of a pure node that the next one costs less, and both more than 0.

    ``e`` is ``exp(-w)``, and ``e q`` with ``q = exp(-1)`` that of the next action: if ``e`` is below a bound, then
    ``e q`` is below ``most`` of it, and the cost is at most that. ``x, y`` are the logarithms of ``1 + e`` and
    ``1 + e q``, which the softmax loss asks for.
    """

    def cost(v: Any, m: Any, action: Any, *values: Any) -> Any:
        return loss.at(action, 1, Atoms(m, values))

    def hypotheses(v: Any, m: Any) -> list[Any]:
        logs = [v.y <= v.e * v.q, v.y * (1 + v.e * v.q) >= v.e * v.q, (v.x - v.y) * (1 + v.e) >= v.e * (1 - v.q)]
        return [v.w > 0, v.e > 0, v.e < v.b, v.q > 0, v.q <= HALF, *logs]

    def falls(v: Any, m: Any) -> Any:
        here, there = cost(v, m, v.w, v.e, v.x), cost(v, m, v.w + 1, v.e * v.q, v.y)
        return m.min((here - there, there, most * v.b - v.e * v.q)) > 0

    variables = kinds("real", *"weqbxy")
    most_of_it = Smt(variables, lambda v, m: cost(v, m, v.w + 1, v.e * v.q, v.y) <= v.e * v.q, hypotheses)
    return All(falls=Smt(variables, falls, hypotheses), at_most=most_of_it)


linear = Induction(
    "K",
    kinds("positive", "l", "r") | {"w": "real"},
    mixed_risk,
    lambda e, v, m: [e.w * (v.x * e.l + v.y * e.r), e.w * e.l, e.w * e.r],
    lambda s, v, m: s[0] - v.x * s[1] - v.y * s[2],
    shared=WEIGHTS,
)
ONE_MORE = Law(one_more, loss=exponential)
actions = Law(of_actions, node=3, children=3)
gini_law = Law(saves, impurity=lambda v, classes: gini, classes=2)

THEOREMS = [
    Theorem(
        key="gain.is_nonnegative_and_impurity_concave_of_any_loss",
        statement="for every loss and all x, y >= 0 the least risk of x L + y R, inf_w sum_k n_k l(w, k), is at least x"
        " times that of L plus y times that of R: x = y = 1 says that no split has a negative gain, x + y = 1 that the"
        " impurity is concave; for x inf L + y inf R is a lower bound of the risk of every action",
        source="yang2019, eq. (1)",
        holds=All(lower_bound=any_action, linear=linear, finite=actions),
        fails=(
            actions.but(
                "the same when the children have fewer actions to choose from than the node",
                children=2,
                alters="hypothesis",
            ),
            NearMiss(
                "the same when every node acts by its mean under the absolute loss",
                saving_by(absolute_error((-3, 0, 3)), squared_error((-3, 0, 3))),
                alters="hypothesis",
            ),
            actions.but("the worst risk sup_w sum_k p_k l(w, k) is concave too", best="max"),
            actions.but("it is strictly so whenever the children want different actions", strict=True),
        ),
        premises=(Premise("an infimum is the greatest of all lower bounds"),),
    ),
    Theorem(
        key="gain.of_loss_is_n_times_decrease_of_its_impurity",
        statement="t(s) of eq. (1) is N times the decrease of the impurity that the loss makes: for any loss, whatever"
        " its actions in node and children, and for the library's Gini and entropy with the losses they name; so a"
        " risk reduction, t(s) of a node of n examples over all N in training, is n / N times the decrease",
        source="yang2019, eq. (1); wilton2024, eq. (1) and Appendix M",
        added="the factor n / N",
        holds=All(
            any_loss=Each("K", (2, 3, 4), lambda K: saves(any_loss, K, more=kinds("real", "u", "v", "w", classes=K))),
            gini=Each("K", (2, 3, 4), lambda K: saves(lambda v, classes: gini, K)),
            entropy=Each(
                "K", (2, 3, 4), lambda K: saves(lambda v, _: entropy, K, more=kinds("real", "g", classes=3 * K))
            ),
        ),
        fails=(
            gini_law.but("t(s) is the decrease itself, per sample", saved=lambda of, t, m: decrease(of).score(t, m)),
            gini_law.but("t(s) is N times the decrease with both children counted alike", saved=unweighted_drop),
        ),
    ),
    Theorem(
        key="gain.minimum_of_loss_is_not_attained_of_pure_node",
        statement="on a pure node of two classes the exponential and the softmax loss fall with every step of the"
        " action w = 1, 2, ... and lie below 2^-w without reaching 0: the minimum of eq. (1) is an infimum",
        source="yang2019, eq. (1)",
        holds=All(first=not_attained(1), exponential=ONE_MORE, logistic=one_more(logistic), enclosed=not_attained(8)),
        fails=(
            NearMiss(
                "the exponential loss falls with every step on a mixed node too",
                falls(exponential, (Fraction(1, 4), Fraction(3, 4)), 1),
                alters="hypothesis",
            ),
            NearMiss(
                "every margin loss falls with every step on a pure node (the hinge loss reaches 0 at 1)",
                falls(hinge, PURE, 1),
                alters="hypothesis",
            ),
            NearMiss("the softmax loss of action w is below 3^-w", small(logistic, 3, 2)),
            ONE_MORE.but("each action costs at most a third of the one before", most=Fraction(1, 3)),
        ),
        premises=(EXPONENTIAL, LOGARITHM),
        added="an infimum in place of the minimum",
    ),
]

ERRATA = [Erratum("Y-E4c", falls(exponential, PURE, 8, -1), "gain.minimum_of_loss_is_not_attained_of_pure_node")]
