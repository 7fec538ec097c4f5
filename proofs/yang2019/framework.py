"""Equation (1): a loss makes an impurity, and the impurity's decrease is what a split saves of the loss.

Main results: the saving is never negative and the impurity concave, for every loss and any number of classes, since a
node's risk is linear in its counts and a minimum of sums is at least the sum of minima; eq. (1) is ``N`` times the
library's decrease; the minimum is an infimum that pure nodes may not attain.
Source: yang2019, eq. (1).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit.arith import EXACT, total
from splitcrit.criteria import Criterion, decrease
from splitcrit.impurities import Impurity, absolute_deviation, entropy, gini, misclassification, variance
from splitcrit.losses import Loss, absolute_error, exponential, hinge, logistic, risk, square, squared_error
from splitcrit.proof import All, Exhaustive, Identity, NearMiss, Sign, Smt, Theorem
from splitcrit.proofs.common import binary_splits, exactly, kinds, score, vector
from splitcrit.proofs.yang2019.terms import Known, announced, best_risk, priced

LINEAR = "hand argument: an infimum over any set of announcements behaves as a minimum over finite ones does"
PURE = Fraction(0), Fraction(1)


# The gain is not negative and the impurity is concave.


def risks(announcements: int) -> dict[str, str]:
    """Return the variables ``A0, ...`` and ``B0, ...``: the risks of each announcement in two nodes."""
    return {f"{node}{w}": "real" for node in "AB" for w in range(announcements)}


def joint(v: Any, announcements: int, share: Any = None) -> list[Any]:
    """Return the risk of each announcement in both nodes together, or in their mixture."""
    x, y = (1, 1) if share is None else (share, 1 - share)
    return [x * a + y * b for a, b in zip(vector(v, "A", announcements), vector(v, "B", announcements), strict=True)]


def saving(v: Any, m: Any, node: int, children: int) -> Any:
    """Return eq. (1) in risks, where node and children choose from the first so many announcements."""
    left, right = (m.min(vector(v, letter, children)) for letter in "AB")
    return m.min(joint(v, max(node, children))[:node]) - left - right


def risk_of_both(v: Any, m: Any) -> Any:
    left, right = vector(v, "l", 4), vector(v, "r", 4)
    return risk(priced, vector(v, "w", 4), [x + y for x, y in zip(left, right, strict=True)], m)


def sum_of_risks(v: Any, m: Any) -> Any:
    return sum(risk(priced, vector(v, "w", 4), vector(v, letter, 4), m) for letter in "lr")


NODES = kinds("positive", "l", "r", classes=4) | kinds("real", "w", classes=4)
additive = Identity(NODES, risk_of_both, sum_of_risks)


def risk_of_mixture(v: Any, m: Any) -> Any:
    mixed = [v.t * x + (1 - v.t) * y for x, y in zip(vector(v, "l", 4), vector(v, "r", 4), strict=True)]
    return risk(priced, vector(v, "w", 4), mixed, m)


def mixture_of_risks(v: Any, m: Any) -> Any:
    left, right = (risk(priced, vector(v, "w", 4), vector(v, letter, 4), m) for letter in "lr")
    return v.t * left + (1 - v.t) * right


affine = Identity(NODES | {"t": "rate"}, risk_of_mixture, mixture_of_risks, lambda v, m: [v.t > 0, v.t < 1])


@dataclass(frozen=True)
class Cheapest:
    """The announcement of least risk among finitely many, each the tuple of its costs."""

    menu: tuple[tuple[int, ...], ...]

    def __call__(self, p: Any, m: Any) -> Any:
        return min(self.menu, key=lambda w: risk(priced, w, p, m))


def menus(classes: int, announcements: int) -> Iterator[Loss]:
    """Yield every loss with so many announcements that cost 0, 1 or 3."""
    for menu in product(product((0, 1, 3), repeat=classes), repeat=announcements):
        yield Loss(f"menu{menu}", priced.at, Cheapest(menu), priced.space)


def menu_cases() -> Iterator[tuple[Any, Loss]]:
    for loss in menus(2, 2):
        yield from ((t, loss) for t in binary_splits(4))


def from_menu(case: tuple[Any, Loss]) -> Any:
    return score(Criterion.from_loss(case[1]), case[0])


def menu_impurity_is_concave(case: tuple[Any, Loss]) -> bool:
    (p, q), of = map(exactly_shares, case[0]), Impurity.from_loss(case[1]).of
    middle = [(x + y) / 2 for x, y in zip(p, q, strict=True)]
    return bool(2 * of(middle, EXACT) >= of(p, EXACT) + of(q, EXACT))


def exactly_shares(row: Any) -> list[Fraction]:
    return [Fraction(x, sum(row)) for x in row]


def saving_with(loss: Loss, rule: Loss, table: Any) -> Fraction:
    """Return eq. (1) when every node announces what another loss would."""
    left, right = exactly(table)
    node = [x + y for x, y in zip(left, right, strict=True)]
    costs = [risk(loss, announced(rule, [x / sum(n) for x in n], EXACT), n, EXACT) for n in (node, left, right)]
    return Fraction(costs[0] - costs[1] - costs[2])


def concave(v: Any, m: Any, best: Any) -> Any:
    left, right = (best(vector(v, letter, 3)) for letter in "AB")
    return best(joint(v, 3, v.t)) >= v.t * left + (1 - v.t) * right


def strictly_concave(v: Any, m: Any) -> Any:
    left, right = (m.min(vector(v, letter, 2)) for letter in "AB")
    return m.min(joint(v, 2, Fraction(1, 2))) > (left + right) / 2


ANY_LOSS = [
    Theorem(
        key="framework.gain_is_nonnegative_of_any_loss",
        statement="for every loss the least risk of a node is at least the sum of the least risks of its children:"
        " one announcement for both is a restriction",
        source="yang2019, eq. (1)",
        scope="any number of classes and any data, up to 4 announcements; more by the premise",
        holds=All(
            Smt(risks(4), lambda v, m: saving(v, m, 4, 4) >= 0),
            additive,
            Exhaustive(menu_cases, lambda case: from_menu(case) >= 0),
        ),
        fails=(
            NearMiss(
                "the same when the children have fewer announcements to choose from than the node",
                Smt(risks(3), lambda v, m: saving(v, m, 3, 2) >= 0),
                alters="hypothesis",
            ),
            NearMiss(
                "the same when every node announces its mean under the absolute loss",
                Exhaustive(
                    lambda: binary_splits(6, 3),
                    lambda t: saving_with(absolute_error((-3, 0, 3)), squared_error((-3, 0, 3)), t) >= 0,
                ),
                alters="hypothesis",
            ),
            NearMiss(
                "the saving is positive whenever the children want different announcements at some cost",
                Smt(
                    risks(2),
                    lambda v, m: saving(v, m, 2, 2) > 0,
                    lambda v, m: [v.A0 <= v.A1, v.B1 <= v.B0, v.A0 != v.B0],
                ),
            ),
        ),
        premises=(LINEAR,),
        latex=r"\inf_w \sum_i l(w, y_i) \ge \inf_u \sum_{i \in L} l(u, y_i) + \inf_v \sum_{i \in R} l(v, y_i)",
    ),
    Theorem(
        key="framework.impurity_is_concave_of_any_loss",
        statement="the least risk inf_w sum_k p_k l(w, k) is concave in p, an infimum of functions linear in p",
        source="yang2019, eq. (1)",
        scope="any number of classes, up to 3 announcements; more by the premise",
        holds=All(
            Smt(risks(3) | {"t": "rate"}, lambda v, m: concave(v, m, m.min)),
            affine,
            Exhaustive(menu_cases, menu_impurity_is_concave),
        ),
        fails=(
            NearMiss(
                "the worst risk sup_w sum_k p_k l(w, k) is concave too",
                Smt(risks(3) | {"t": "rate"}, lambda v, m: concave(v, m, m.max)),
            ),
            NearMiss(
                "it is strictly concave between nodes with different risks",
                Smt(risks(2), strictly_concave, lambda v, m: [v.A0 < v.B0, v.A1 != v.B1]),
            ),
            NearMiss(
                "the squared error of the median, a rule that is not the best one, is concave too",
                Exhaustive(
                    lambda: binary_splits(4, 3),
                    lambda t: saving_with(squared_error((0, 2, 3)), absolute_error((0, 2, 3)), t) >= 0,
                ),
                alters="hypothesis",
            ),
        ),
        premises=(LINEAR,),
        latex=r"\phi_l(p) = \inf_w \sum_k p_k\, l(w, k)",
    ),
]


# Equation (1) is N times the decrease of the impurity.


def rows(v: Any, classes: int) -> list[list[Any]]:
    return [vector(v, "l", classes), vector(v, "r", classes)]


def node_of(t: Any) -> list[Any]:
    return [x + y for x, y in zip(*t, strict=True)]


def equation_one(impurity: Impurity, t: Any, m: Any) -> Any:
    """Return eq. (1) with the impurity's own loss, at the announcements the loss names."""
    assert impurity.loss is not None
    return best_risk(impurity.loss, node_of(t), m) - sum(best_risk(impurity.loss, row, m) for row in t)


def times_n(impurity: Impurity, t: Any, m: Any) -> Any:
    return total([total(row) for row in t]) * decrease(impurity).score(t, m)


def reduction_of(impurity: Impurity, classes: int) -> Identity:
    return Identity(
        kinds("positive", "l", "r", classes=classes),
        lambda v, m: equation_one(impurity, rows(v, classes), m),
        lambda v, m: times_n(impurity, rows(v, classes), m),
    )


def logarithms(v: Any, m: Any) -> Known:
    """Return the arithmetic in which the logarithms of all class shares of a split are variables."""
    left, right = rows(v, 2)
    parts = [x / sum(n) for n in (left, right, node_of([left, right])) for x in n]
    return Known(m, log=[(x, getattr(v, f"g{i}")) for i, x in enumerate(parts)])


entropy_reduction = Identity(
    kinds("positive", "l", "r", classes=2) | kinds("real", "g", classes=6),
    lambda v, m: equation_one(entropy, rows(v, 2), logarithms(v, m)),
    lambda v, m: times_n(entropy, rows(v, 2), logarithms(v, m)),
)


def reduces(impurity: Impurity, classes: int, most: int) -> Exhaustive:
    return Exhaustive(
        lambda: binary_splits(most, classes),
        lambda t: equation_one(impurity, exactly(t), EXACT) == times_n(impurity, exactly(t), EXACT),
    )


def gini_saving(v: Any, m: Any) -> Any:
    return equation_one(gini, rows(v, 2), m)


REDUCTION = [
    Theorem(
        key="framework.reduction_is_decrease_of_impurity",
        statement="t(s) of eq. (1) is N times the decrease of the impurity that the loss makes",
        source="yang2019, eq. (1)",
        scope="square loss K = 2, 3; softmax loss K = 2; squared error with 3 values; 0-1 and absolute loss N <= 7",
        holds=All(
            reduction_of(gini, 2),
            reduction_of(gini, 3),
            reduction_of(variance((0, 1, 5)), 3),
            entropy_reduction,
            reduces(misclassification, 2, 7),
            reduces(misclassification, 3, 5),
            reduces(absolute_deviation((0, 1, 5)), 3, 5),
        ),
        fails=(
            NearMiss(
                "t(s) is the decrease itself, per sample",
                Identity(
                    kinds("positive", "l", "r", classes=2),
                    gini_saving,
                    lambda v, m: decrease(gini).score(rows(v, 2), m),
                ),
            ),
            NearMiss(
                "t(s) is N times the decrease with both children counted alike",
                Identity(
                    kinds("positive", "l", "r", classes=2),
                    gini_saving,
                    lambda v, m: (
                        best_risk(square, node_of(rows(v, 2)), m)
                        - sum(map(sum, rows(v, 2))) * sum(gini.of([x / sum(n) for x in n], m) for n in rows(v, 2)) / 2
                    ),
                ),
            ),
        ),
        latex=r"t(s) = N \Bigl(\phi(p) - \tfrac{N_L}{N} \phi(p_L) - \tfrac{N_R}{N} \phi(p_R)\Bigr)",
    ),
]


# The minimum is an infimum.


def falls(loss: Loss, p: Any, announcements: range) -> Any:
    """Return, as values to be positive, how much each announcement gains by going one step further."""
    return lambda m: [risk(loss, m.number(w), p, m) - risk(loss, m.number(w + 1), p, m) for w in announcements]


def small(loss: Loss, base: int, announcements: range) -> Any:
    """Return, as values to be positive, the risks of a pure node and what is left below ``base ** -w``."""
    found = [(w, Fraction(1, base**w)) for w in announcements]
    return lambda m: [
        x for w, bound in found for x in (risk(loss, m.number(w), PURE, m), bound - risk(loss, m.number(w), PURE, m))
    ]


steps = range(1, 9)

INFIMUM = [
    Theorem(
        key="framework.minimum_is_not_attained_of_pure_node",
        statement="on a pure node the exponential and the softmax loss fall with every step of the announcement and"
        " tend to 0 without reaching it: the minimum of eq. (1) is an infimum",
        source="yang2019, eq. (1)",
        scope="two classes, announcements 1 to 8; all by the premise",
        holds=All(
            Sign(falls(exponential, PURE, steps)),
            Sign(falls(logistic, PURE, steps)),
            Sign(small(exponential, 2, steps)),
            Sign(small(logistic, 2, steps)),
        ),
        fails=(
            NearMiss(
                "the exponential loss falls with every step on a mixed node too",
                Sign(falls(exponential, (Fraction(1, 4), Fraction(3, 4)), range(2))),
                alters="hypothesis",
            ),
            NearMiss(
                "every margin loss falls with every step on a pure node (the hinge loss reaches 0 at 1)",
                Sign(falls(hinge, PURE, range(3))),
                alters="hypothesis",
            ),
            NearMiss("the softmax loss of announcement w is below 3^-w", Sign(small(logistic, 3, range(1, 3)))),
        ),
        premises=("exp(-w) and log(1 + exp(-w)) are positive, decrease and tend to 0",),
        added="an infimum in place of the minimum",
    ),
]

THEOREMS = [*ANY_LOSS, *REDUCTION, *INFIMUM]
