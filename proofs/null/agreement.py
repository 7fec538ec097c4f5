"""Agreement by chance: pure accuracy is Cohen's kappa, 0 on average over permutations and never above accuracy.

Source: wang2024, Section 1 (the answer sheets), eqs. (30), (31).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit.arith import total
from splitcrit.proof import ALL, All, Certificate, Exhaustive, Identity, Induction, Law, NearMiss, Premise, Theorem
from splitcrit.proofs.common import exactly, kinds, ratios, up_to, vector
from splitcrit.proofs.null.hypergeometric import CELL
from splitcrit.proofs.null.laws import Counts, Margins, margins, mean_of, tables_of

KEY = "ABACCCCDAB"
ALL_C, ALTERNATING = "C" * 10, "AB" * 5


def confusion(guesses: str) -> list[list[Fraction]]:
    """The table of guesses (rows) and right answers (columns)."""
    pairs = list(zip(guesses, KEY, strict=True))
    return [[Fraction(pairs.count((g, t))) for t in "ABCD"] for g in "ABCD"]


def accuracy(t: Any) -> Any:
    return total([t[i][i] for i in range(len(t))]) / total([total(row) for row in t])


def chance_accuracy(t: Any) -> Any:
    """The sum over classes of the product of both shares."""
    n = total([total(row) for row in t])
    return total([total(row) * total([other[i] for other in t]) for i, row in enumerate(t)]) / n**2


def pure_accuracy(t: Any) -> Any:
    """Eq. (31)."""
    return (accuracy(t) - chance_accuracy(t)) / (1 - chance_accuracy(t))


def disagreement(t: Any) -> Any:
    """1 minus observed over expected disagreement, cell by cell."""
    n, columns = total([total(row) for row in t]), [total(list(column)) for column in zip(*t, strict=True)]
    away = [(i, j) for i, j in product(range(len(t)), repeat=2) if i != j]
    return 1 - total([t[i][j] for i, j in away]) * n / total([total(t[i]) * columns[j] for i, j in away])


def fourfold(t: Any) -> Any:
    """Kappa of a 2 x 2 table in its usual closed form."""
    (a, b), (c, d) = t
    return 2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d))


def informedness(t: Any) -> Any:
    """The sum of the accuracies on each of two classes, minus 1."""
    (a, b), (c, d) = t
    return a / (a + c) + d / (b + d) - 1


def pure_accuracy_is(of: Callable[[Any], Any], classes: int = 2) -> Identity:
    def square(v: Any) -> list[list[Any]]:
        return [vector(v, letter, classes) for letter in "xyz"[:classes]]

    variables = kinds("positive", *"xyz"[:classes], classes=classes)
    return Identity(variables, lambda v, m: pure_accuracy(square(v)), lambda v, m: of(square(v)))


def disagreements(times: int = 1) -> Induction:
    """Claim for every number of classes what disagrees: ``n^2 (1 - RAcc)``, and n times that ``n (1 - Acc)``, in cells.

    An entry is a class with ``d`` examples on the diagonal, ``a`` in its row and ``b`` in its column.
    """

    def sides(entries: Any, v: Any, m: Any) -> Any:
        n, right = sum(e.a for e in entries), sum(e.d for e in entries)
        expected, observed = sum(e.a * (n - e.b) for e in entries), sum(e.a - e.d for e in entries)
        return n * n - sum(e.a * e.b for e in entries) + v.w * (n - right), times * expected + v.w * observed

    def closed(sums: Any, v: Any, m: Any) -> Any:
        right, n, both = sums
        rest = v.w * (n - right)
        return n * n - both + rest, times * (n * n - both) + rest

    entry, terms = kinds("real", "d", "a", "b"), lambda e, v, m: [e.d, e.a, e.a * e.b]
    return Induction("K", entry, sides, terms, closed, shared={"w": "real"})


QUOTIENT = Identity(
    kinds("rate", "acc", "chance"),
    lambda v, m: (v.acc - v.chance) / (1 - v.chance),
    lambda v, m: 1 - (1 - v.acc) / (1 - v.chance),
    lambda v, m: v.chance < 1,
)


def square_margins(most: int) -> Iterator[Margins]:
    """Yield margins with as many rows as classes, in every order of the classes."""
    for a, b in margins(most, 2):
        if len(a) == len(b) > 1:
            yield from ((a, b), (a, b[::-1]))


def square_tables(most: int) -> Iterator[Counts]:
    return tables_of(square_margins(most))


def scores(which: Callable[[Any], Any], **expected: str) -> Exhaustive:
    """The claim that answer sheets, C throughout and A, B in turn, score as said."""
    sheets = [({"constant": ALL_C, "alternating": ALTERNATING}[name], Fraction(x)) for name, x in expected.items()]
    return Exhaustive(lambda: sheets, lambda c: which(confusion(c[0])) == c[1])


ANSWERS = Theorem(
    key="null.guesses_score_by_chance",
    statement="against the ten answers ABACCCCDAB the guess C throughout has accuracy 4/10 and A, B in turn 5/10; their"
    " pure accuracies are 0 and 1/3",
    source="wang2024, Section 1",
    holds=All(
        accuracy=scores(accuracy, constant="4/10", alternating="5/10"),
        pure_accuracy=scores(pure_accuracy, constant="0", alternating="1/3"),
    ),
    fails=(
        NearMiss("pure accuracy takes all credit from both", scores(pure_accuracy, constant="0", alternating="0")),
        NearMiss(
            "any constant guess has accuracy 4/10",
            Exhaustive(lambda: "CABD", lambda g: accuracy(confusion(g * 10)) == Fraction(4, 10)),
            "hypothesis",
        ),
    ),
)
SUMS = Law(disagreements, times=1)
FOURFOLD = Law(pure_accuracy_is, of=fourfold)
KAPPA = Theorem(
    key="null.pure_accuracy_is_kappa",
    statement="pure accuracy is Cohen's kappa, 1 minus observed over expected disagreement, and 2(ad - bc)/((a + b)"
    "(b + d) + (a + c)(c + d)) for two classes; over permutations of the labels its mean is 0",
    source="wang2024, eqs. (30), (31)",
    holds=All(
        two_classes=FOURFOLD,
        quotient=QUOTIENT,
        sums=SUMS,
        disagreement=All(*(pure_accuracy_is(disagreement, k) for k in (2, 3))),
        mean=up_to(6, square_margins, lambda c: mean_of(c, lambda t: pure_accuracy(ratios(t))) == 0),
    ),
    premises=(Premise(CELL.key, "theorem", {"N": ALL}),),
    fails=(
        SUMS.but("what is expected to disagree counts twice", times=2),
        FOURFOLD.but("for two classes it is the sum of the accuracies on each of them, minus 1", of=informedness),
        FOURFOLD.but("it is the accuracy above 1/K, rescaled", of=lambda t: 2 * accuracy(t) - 1),
    ),
)
BELOW = Theorem(
    key="null.pure_accuracy_never_exceeds_accuracy",
    statement="pure accuracy is Acc - RAcc (1 - Acc)/(1 - RAcc), hence at most accuracy (a = Acc, r = RAcc < 1)",
    source="wang2024, eqs. (30), (31)",
    holds=Certificate(
        {"a": "rate", "r": "rate"},
        lambda v, m: v.a - (v.a - v.r) / (1 - v.r),
        lambda v, m: [([], ["chance", "wrong"])],
        lambda v, m: {"chance": v.r / (1 - v.r), "wrong": 1 - v.a},
        lambda v, m: v.r < 1,
    ),
    fails=(
        NearMiss(
            "it is at least accuracy minus RAcc",
            up_to(
                4,
                square_tables,
                lambda t: pure_accuracy(exactly(t)) >= accuracy(exactly(t)) - chance_accuracy(exactly(t)),
            ),
        ),
        NearMiss("it is not negative", up_to(4, square_tables, lambda t: pure_accuracy(exactly(t)) >= 0)),
    ),
)

THEOREMS = [ANSWERS, KAPPA, BELOW]
