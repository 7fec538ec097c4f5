"""Strictly concave impurities never stop early: entropy, generalised cross-entropy, roots, and the gain ratio.

The credal gain rejects small differences.
Source: wilton2024, Theorem 5 (b); beyond.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

from splitcrit import impurities
from splitcrit.arith import total
from splitcrit.criteria import Criterion, decrease, imprecise_information_gain, normalised
from splitcrit.proof import ALL, All, Certificate, Each, Exhaustive, Identity, NearMiss, Premise, Sign, Theorem
from splitcrit.proof.balls import BALL, Ball
from splitcrit.proofs.common import HALF, binary_splits, exactly, kinds, rows_of, up_to, vector
from splitcrit.proofs.given import LOGARITHM, Given
from splitcrit.proofs.stopping.equal_shares import equal_rows, sees, stops_early


def logarithms(v: Any, m: Any, classes: int) -> Given:
    """Logarithms of the node's shares; in the children ``log x - log y = 1 - y / x + s`` with ``s >= 0``."""
    rows = rows_of(v, classes)
    whole = [(x + y) / (total(rows[0]) + total(rows[1])) for x, y in zip(*rows, strict=True)]
    known = list(zip(whole, vector(v, "g", classes), strict=True))
    for row, slack in zip(rows, (vector(v, "s", classes), vector(v, "t", classes)), strict=True):
        for k, x in enumerate(row):
            known.append((x / total(row), getattr(v, f"g{k}") + 1 - whole[k] * total(row) / x + slack[k]))
    return Given(m, log=known)


def entropy_gap(classes: int) -> Certificate:
    """N times the entropy gain is the sum over children and classes of count times slack."""
    slacks = kinds("count", "s", "t", classes=classes) | kinds("real", "g", classes=classes)

    def gap(v: Any, m: Any) -> Any:
        rows = rows_of(v, classes)
        return sum(map(total, rows)) * decrease(impurities.entropy).score(rows, logarithms(v, m, classes))

    def atoms(v: Any, m: Any) -> dict[str, Any]:
        return {
            f"{a}{k}": getattr(v, f"{a}{k}") * getattr(v, f"{s}{k}") for a, s in ("ls", "rt") for k in range(classes)
        }

    return Certificate(
        kinds("positive", "l", "r", classes=classes) | slacks,
        gap,
        lambda v, m: [([], [name]) for name in atoms(v, m)],
        atoms,
        lambda v, m: logarithms(v, m, classes).distinct,
    )


def matushita_gap() -> Identity:
    """Of one class, in counts that are squares: the gap of its squares is ``(sqrt(ad) - sqrt(bc))^2``."""

    def gap(v: Any, m: Any) -> Any:
        left, right = [v.a**2, v.b**2], [v.c**2, v.d**2]
        node = [x + y for x, y in zip(left, right, strict=True)]
        root = [total(n) * impurities.matushita.of([x / total(n) for x in n], m) / 2 for n in (node, left, right)]
        return root[0] ** 2 - (root[1] + root[2]) ** 2

    return Identity(kinds("positive", "a", "b", "c", "d"), gap, lambda v, m: (v.a * v.d - v.b * v.c) ** 2)


def norm_gap(classes: int) -> Identity:
    """``|l|^2 |r|^2 - <l, r>^2``, whose sign is that of the decrease of gce(1/2), is a sum of squares."""

    def gap(v: Any, m: Any) -> Any:
        left, right = rows_of(v, classes)
        of = impurities.gce(HALF).of
        norms = [(total(n) * (1 - of([x / total(n) for x in n], m) / 2)) ** 2 for n in (left, right)]
        return norms[0] * norms[1] - total([x * y for x, y in zip(left, right, strict=True)]) ** 2

    def squares(v: Any, m: Any) -> Any:
        left, right = rows_of(v, classes)
        return total([(left[i] * right[j] - left[j] * right[i]) ** 2 for i, j in combinations(range(classes), 2)])

    return Identity(kinds("positive", "l", "r", classes=classes), gap, squares)


def positive(criteria: list[Criterion]) -> Exhaustive:
    """The score of every split of different children is positive, by enclosures."""

    def holds(table: Any) -> bool:
        rows = [[Ball(x) for x in row] for row in exactly(table)]
        return equal_rows(table) or all(Ball(criterion.score(rows, BALL)) > 0 for criterion in criteria)

    return up_to(4, binary_splits, holds, K=(2, 3))


def worst(criterion: Criterion) -> Sign:
    """The least score of a split of two classes and up to 5 examples whose children differ is positive."""
    tables = [t for t in binary_splits(5) if not equal_rows(t)]
    return Sign(lambda m: [m.min([criterion.score(exactly(t), m) for t in tables])])


def rejects(*tables: Any, times: int = 1) -> Sign:
    """The credal gain of these splits, with a multiple of their counts, is negative."""
    many = [[[times * x for x in row] for row in exactly(t)] for t in tables]
    return Sign(lambda m: [-credal.score(t, m) for t in many])


gain_ratio = normalised(impurities.entropy)
STRICT = [
    *(decrease(of) for of in (impurities.entropy, impurities.sqrt_gini, impurities.matushita)),
    *(decrease(impurities.gce(q)) for q in (Fraction(1, 10), HALF, Fraction(9, 10))),
    gain_ratio,
]

LISTED = (STRICT[0], STRICT[2], STRICT[4], gain_ratio)
credal = imprecise_information_gain(1)
CREDAL = ((0, 1), (1, 2)), ((0, 0, 1), (0, 1, 2))

THEOREMS = [
    Theorem(
        key="stopping.strictly_concave_gains_are_zero_of_equal_shares_only",
        statement="the gains of entropy, sqrt_gini, matushita and generalised cross-entropy for 0 < q < 1, and the gain"
        " ratio, are zero exactly if both children have the same class shares: N times the entropy gain is the sum of"
        " n_k (y - 1 - log y) over children and classes, y the ratio of the node's share to the child's; the gaps of"
        " matushita (each class) and gce(1/2) have the signs of (sqrt(ad) - sqrt(bc))^2 and |l|^2 |r|^2 - <l, r>^2",
        source="wilton2024, Theorem 5 (b)",
        holds=All(
            entropy=Each("K", (2, 3), entropy_gap),
            matushita=matushita_gap(),
            norms=Each("K", (2, 3), norm_gap),
            enclosed=positive(STRICT),
        ),
        premises=(
            LOGARITHM,
            Premise("entropy and t -> sqrt(t (1 - t)) are strictly concave", widens={"K": ALL, "N": ALL}),
            Premise(
                "Minkowski's inequality, with equality of proportional vectors only: q N times the gain of gce is"
                " |l| + |r| - |l + r| in the norm of order 1 / (1 - q)",
                widens={"q": ALL},
            ),
            Premise("impurity.sqrt_gini_is_strictly_concave", kind="theorem"),
        ),
        fails=(
            NearMiss("the same at q = 1", sees(decrease(impurities.gce(1))), "hypothesis"),
            NearMiss("the credal gain is positive wherever the children differ", worst(credal)),
        ),
        facts=tuple(fact for criterion in LISTED for fact in stops_early(criterion, False)),
    ),
    Theorem(
        key="stopping.credal_gain_rejects_small_differences",
        statement="the imprecise information gain with s = 1 is negative for some splits of different children,"
        " [0 1 | 1 2] and [0 0 1 | 0 1 2]",
        source="beyond, which criteria stop early",
        holds=rejects(*CREDAL),
        fails=(
            NearMiss("it is negative for [2 0 | 2 2], where information gain is below 1/5", rejects(((2, 0), (2, 2)))),
            NearMiss("ten times as many examples are still rejected", rejects(CREDAL[0], times=10), "hypothesis"),
        ),
        facts=stops_early(credal, True),
    ),
]
