"""What uniform noise makes of the largest share of a node, and so of misclassification and its relatives.

An increasing affine map moves the largest share as it moves every share.
Source: wilton2024, Section 5; ghosh2017, Theorem 3.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit.criteria import decrease, sum_minority
from splitcrit.impurities import Impurity, bayes_sum, misclassification
from splitcrit.noise import symmetric
from splitcrit.proof import ALL, All, Each, Erratum, Exhaustive, Identity, Law, NearMiss, Premise, Smt, Theorem, same
from splitcrit.proofs.common import HALF, binary_splits, error_decrease, kinds, rows_of, score, shaken, vector
from splitcrit.proofs.noise.scaling import two_class_factor, uniform_factor

CLASSES = (2, 3, 4)


def once(eta: Any) -> Any:
    return eta


def shares_of(v: Any, classes: int) -> list[Any]:
    """Probabilities of which the last is what the others leave."""
    first = vector(v, "p", classes - 1)
    return [*first, 1 - sum(first)]


def affine(
    classes: tuple[int, ...],
    impurity: Impurity = misclassification,
    factor: Any = uniform_factor,
    shift: Any = once,
    least: Any = 0,
    most: Any = None,
) -> Each:
    """Claim that uniform noise turns the impurity I into ``factor I + shift``, for eta from ``least`` to ``most``."""

    def law(size: int) -> Smt:
        last = Fraction(size - 1, size) if most is None else most
        return Smt(
            kinds("rate", "p", classes=size - 1) | {"eta": "rate"},
            lambda v, m: (
                impurity.of(symmetric(v.eta).on_distribution(shares_of(v, size)), m)
                == factor(v, size) * impurity.of(shares_of(v, size), m) + shift(v.eta)
            ),
            lambda v, m: [sum(vector(v, "p", size - 1)) <= 1, v.eta >= least, v.eta <= last],
        )

    return Each("K", classes, law)


def decrease_is_linear() -> Identity:
    """Claim that the decrease of ``k I + s`` is k times that of I, whatever an impurity I says of three nodes."""

    def lowered(v: Any, m: Any, values: tuple[Any, ...]) -> Any:
        table = [[v.a, v.b], [v.c, v.d]]
        nodes = [*table, [v.a + v.c, v.b + v.d]]
        known = [([x / sum(node) for x in node], value) for node, value in zip(nodes, values, strict=True)]
        impurity = Impurity("any", lambda p, m: next(value for q, value in known if same(q, list(p))))
        return decrease(impurity).score(table, m)

    return Identity(
        kinds("positive", "a", "b", "c", "d") | kinds("real", "left", "right", "node", "k", "s"),
        lambda v, m: lowered(v, m, tuple(v.k * x + v.s for x in (v.left, v.right, v.node))),
        lambda v, m: v.k * lowered(v, m, (v.left, v.right, v.node)),
    )


def larger_of_two() -> Smt:
    """Claim that an increasing affine map moves the larger of two numbers as it moves both."""
    return Smt(
        kinds("real", "x", "y", "scale", "shift"),
        lambda v, m: m.max([v.scale * v.x + v.shift, v.scale * v.y + v.shift]) == v.scale * m.max([v.x, v.y]) + v.shift,
        lambda v, m: [v.scale >= 0],
    )


def minority(classes: int, letter: str = "n") -> Smt:
    """Claim that the sum of minorities of one node is minus its misclassification impurity."""

    def of_node(v: Any, m: Any) -> Any:
        node = vector(v, letter, classes)
        return sum_minority.score([node], m) == -misclassification.of([x / sum(node) for x in node], m)

    return Smt(kinds("positive", letter, classes=classes), of_node)


def minorities(classes: int) -> All:
    """Claim it, and that the sum is a mean over the rows."""

    def of_rows(v: Any, m: Any) -> Any:
        rows = rows_of(v, classes)
        whole = sum(map(sum, rows))
        return whole * sum_minority.score(rows, m) == sum(sum(row) * sum_minority.score([row], m) for row in rows)

    return All(minority(classes, "l"), Smt(kinds("positive", "l", "r", classes=classes), of_rows))


def gain_is_multiplied(factor: Callable[[Fraction], Fraction], *rates: Fraction) -> Exhaustive:
    """Claim of all small splits of two classes that noise at some rates multiplies the gain by the factor."""
    return Exhaustive(
        lambda: product(binary_splits(4), rates),
        lambda case: score(error_decrease, shaken(*case)) == factor(case[1]) * score(error_decrease, case[0]),
    )


LOW, HIGH = Fraction(3, 10), Fraction(3, 4)
below = Law(affine, classes=(2,))
above = Law(affine, classes=(2,), factor=lambda v, K: 2 * v.eta - 1, shift=lambda eta: 1 - eta, least=HALF, most=1)
bayes = Law(affine, classes=(2,), impurity=bayes_sum, shift=lambda eta: 2 * eta)

THEOREMS = [
    Theorem(
        key="noise.misclassification_gain_rescales_of_uniform",
        statement="for eta <= (K - 1) / K uniform noise multiplies the misclassification impurity by "
        "f = 1 - K eta / (K - 1) and adds eta, and so multiplies the gain of every split by f; the sum of minorities "
        "is that gain less the impurity of the node",
        source="wilton2024, Section 5",
        holds=All(
            impurity=affine(CLASSES),
            larger_of_two=larger_of_two(),
            decrease=decrease_is_linear(),
            minorities=Each("K", CLASSES, minorities),
        ),
        fails=(
            Law(affine, classes=(3,)).but("it does so at every rate", alters="hypothesis", most=1),
            Law(affine, classes=(3,)).but("the factor is 1 - 2 eta for every K", factor=two_class_factor),
            NearMiss(
                "the sum of minorities is the gain itself",
                Exhaustive(lambda: binary_splits(3), lambda t: score(error_decrease, t) == score(sum_minority, t)),
            ),
        ),
        premises=(Premise("misclassification_gain_rescales_of_symmetric_noise", "kernel", {"K": ALL}),),
    ),
    Theorem(
        key="noise.misclassification_gain_rescales_of_symmetric",
        statement="with two classes min(p, q) becomes (1 - 2 eta) min(p, q) + eta under symmetric noise if eta <= 1/2, "
        "and (2 eta - 1) min(p, q) + 1 - eta if eta >= 1/2: the gain of every split is multiplied by |1 - 2 eta|",
        source="ghosh2017, Theorem 3",
        holds=All(to_one_half=below, from_one_half=above, decrease=decrease_is_linear()),
        fails=(
            below.but("the first formula for every eta", alters="hypothesis", most=1),
            above.but("beyond 1/2 only the factor changes sign", shift=once),
            NearMiss("the factor is (1 - 2 eta)^2, as Gini's", gain_is_multiplied(lambda eta: (1 - 2 * eta) ** 2, LOW)),
            NearMiss(
                "the factor is 1 - 2 eta on both sides of 1/2", gain_is_multiplied(lambda eta: 1 - 2 * eta, LOW, HIGH)
            ),
        ),
    ),
    Theorem(
        key="noise.bayes_sum_gain_rescales_of_symmetric",
        statement="with two classes bayes_sum is twice the misclassification impurity: symmetric noise of rate "
        "eta <= 1/2 multiplies it by 1 - 2 eta and adds 2 eta, and so multiplies its gain by 1 - 2 eta",
        source="wilton2024, Section 5",
        holds=All(impurity=bayes, decrease=decrease_is_linear()),
        fails=(
            bayes.but("the same of uniform noise on three classes", alters="hypothesis", classes=(3,)),
            bayes.but("the same at every rate", alters="hypothesis", most=1),
        ),
    ),
]

ERRATA = [
    Erratum(
        "G-E9a", gain_is_multiplied(lambda eta: 1 - 2 * eta, HIGH), "noise.misclassification_gain_rescales_of_symmetric"
    )
]
