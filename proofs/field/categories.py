"""Categories of more than two classes: what a best division satisfies, and that it is not enough.

A division of categories into two children is best only if each category lies, by the tangents of the impurity, on the
side of its child: a half-space of class distributions. For Gini that is the nearer child.

Source: chou1991; coppersmith1999.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from typing import Any

from splitcrit.impurities import gini
from splitcrit.proof import All, Exhaustive, Induction, Law, NearMiss, Not, Premise, Smt, Theorem
from splitcrit.proofs.common import gini_decrease, kinds, of_values, score

Category = tuple[int, ...]
Case = tuple[Category, ...]
# Two classes apart in a category each, and a third class of two examples, by itself.
TRAP: Case = ((0, 1, 0), (0, 0, 1), (2, 0, 0))


def moving(strict: bool = True, tangent: bool = True) -> Smt:
    """Claim that a division gains if a category goes to the child whose tangent is lower at its distribution.

    ``n`` and ``k`` are the sizes of the children, ``w`` that of the category, now in the first; ``g, h`` the impurities
    of the children now, ``u, z`` then, ``a, b`` the tangents of both at the category, ``c, d`` at the children then.
    """

    def hypotheses(v: Any, m: Any) -> list[Any]:
        lower = v.b < v.a if strict else v.b <= v.a
        affine = [(v.n - v.w) * v.c == v.n * v.g - v.w * v.a, (v.k + v.w) * v.d == v.k * v.h + v.w * v.b]
        return [v.n > v.w, lower, *affine, v.u <= v.c, *([v.z <= v.d] if tangent else [])]

    def says(v: Any, m: Any) -> Any:
        before = of_values([v.n, v.k], [v.g, v.h, v.node], m)
        after = of_values([v.n - v.w, v.k + v.w], [v.u, v.z, v.node], m)
        return after > before

    return Smt(kinds("positive", *"nkw") | kinds("real", *"ghuzabcd", "node"), says, hypotheses)


def affine(sign: int = 1, mixed: int = 1) -> Induction:
    """Claim how a tangent moves from a child of size ``n`` at ``p`` as a category of size ``w`` at ``x`` comes or goes.

    The new size times the tangent there is ``n`` times its value at ``p`` and ``w`` times that at ``x``.
    """

    def sides(entries: Any, v: Any, m: Any) -> Any:
        size = v.n + sign * v.w
        there = v.c + sum(e.s * (v.n * e.p + sign * mixed * v.w * e.x) / size for e in entries)
        return size * there, v.n * (v.c + sum(e.s * e.p for e in entries)) + sign * v.w * (
            v.c + sum(e.s * e.x for e in entries)
        )

    def closed(sums: Any, v: Any, m: Any) -> Any:
        here, category = sums
        size = v.n + sign * v.w
        there = v.c + (v.n * here + sign * mixed * v.w * category) / size
        return size * there, v.n * (v.c + here) + sign * v.w * (v.c + category)

    entry = {"p": "rate", "x": "rate", "s": "real"}
    shared = {"c": "real", "n": "positive", "w": "positive"}
    terms = lambda e, v, m: [e.s * e.p, e.s * e.x]  # noqa: E731
    return Induction("K", entry, sides, terms, closed, "==", shared, where=lambda e, v, m: [v.n > v.w])


def nearer(factor: int = 2) -> Induction:
    """Claim that Gini's tangent at p, ``1 + |p|^2 - 2 <p, x>``, is above the impurity at x by ``|x - p|^2``."""

    def sides(entries: Any, v: Any, m: Any) -> Any:
        x, p = [e.x for e in entries], [e.p for e in entries]
        tangent = 1 + sum(y * y for y in p) - factor * sum(y * z for y, z in zip(p, x, strict=True))
        return tangent - gini.of(x, m), sum((z - y) ** 2 for y, z in zip(p, x, strict=True))

    def closed(sums: Any, v: Any, m: Any) -> Any:
        squares, products, own = sums
        return squares - factor * products + own, squares - 2 * products + own

    return Induction("K", {"x": "rate", "p": "rate"}, sides, lambda e, v, m: [e.p**2, e.p * e.x, e.x**2], closed)


def divisions(case: Case) -> Iterator[tuple[int, ...]]:
    """Yield the categories of the first child, the first category among them."""
    for size in range(1, len(case)):
        yield from (part for part in combinations(range(len(case)), size) if 0 in part)


def table(case: Case, part: tuple[int, ...]) -> tuple[Category, Category]:
    """The class counts of both children."""
    sides = [[case[i] for i in range(len(case)) if (i in part) == inside] for inside in (True, False)]
    left, right = (tuple(map(sum, zip(*side, strict=True))) for side in sides)
    return left, right


def distance(category: Category, child: Category) -> Fraction:
    """The squared distance of two class distributions."""
    one, other = sum(category), sum(child)
    return sum(
        ((Fraction(x, one) - Fraction(y, other)) ** 2 for x, y in zip(category, child, strict=True)), Fraction(0)
    )


def at_home(case: Case, part: tuple[int, ...]) -> bool:
    """Whether every category is nearer to its own child than to the other one, or as near."""
    left, right = table(case, part)
    return all(
        (distance(x, left) <= distance(x, right)) if i in part else (distance(x, right) <= distance(x, left))
        for i, x in enumerate(case)
    )


def small(categories: int, classes: int) -> Iterator[Case]:
    """Yield lists of categories with at most two examples each, all classes taken."""
    pool = [x for x in _counts(2, classes) if sum(x)]
    for case in combinations_with_replacement(pool, categories):
        if all(map(sum, zip(*case, strict=True))):
            yield case


def _counts(most: int, classes: int) -> Iterator[Category]:
    if classes == 0:
        yield ()
        return
    for x in range(most + 1):
        yield from ((x, *rest) for rest in _counts(most - x, classes - 1))


def best_is_at_home(case: Case) -> bool:
    """Whether in every best division every category is nearer to its own child."""
    gains = {part: score(gini_decrease, table(case, part)) for part in divisions(case)}
    return all(at_home(case, part) for part, x in gains.items() if x == max(gains.values()))


def at_home_is_best(case: Case) -> bool:
    """Whether every division in which all are at home is a best one."""
    gains = {part: score(gini_decrease, table(case, part)) for part in divisions(case)}
    return all(x == max(gains.values()) for part, x in gains.items() if at_home(case, part))


MOVING, NEARER, AFFINE = Law(moving, strict=True), Law(nearer, factor=2), Law(affine, mixed=1)

THEOREMS = [
    Theorem(
        key="field.best_division_puts_categories_on_the_side_of_their_tangent",
        statement="for any number of classes and any concave impurity with tangents, affine functions that meet it at a"
        " distribution and are nowhere below it, a division of categories into two children, of more than one category"
        " each, is best only if no category has a lower tangent of the other child: moving it would gain. The tangents"
        " differ by an affine function, so that the children are divided by a hyperplane of class distributions",
        source="chou1991, the nearest-neighbour condition; coppersmith1999, the hyperplane",
        holds=All(moving=MOVING, comes=AFFINE, goes=affine(-1)),
        fails=(
            MOVING.but("so it is where both tangents are equal", strict=False, alters="hypothesis"),
            MOVING.but(
                "so it is if only one child's impurity is below its tangent", tangent=False, alters="hypothesis"
            ),
            AFFINE.but("a category moves the tangent twice as far", mixed=2),
        ),
    ),
    Theorem(
        key="field.best_division_puts_categories_with_the_nearer_child_of_gini",
        statement="by Gini's decrease each category of a best division is nearer to its own child than to the other,"
        " in squared distance of class distributions: the tangent at p is above the impurity at x by |x - p|^2,"
        " whatever the number of classes",
        source="chou1991, for the squared error",
        holds=All(tangent=NEARER, small=Exhaustive(lambda: small(3, 3), best_is_at_home)),
        premises=(Premise("field.best_division_puts_categories_on_the_side_of_their_tangent", "theorem"),),
        fails=(
            NEARER.but("the tangent is steeper", factor=3),
            NearMiss(
                "so it is in every division",
                Exhaustive(lambda: small(3, 3), lambda case: all(at_home(case, part) for part in divisions(case))),
            ),
        ),
    ),
    Theorem(
        key="field.nearer_children_are_not_enough_of_three_classes",
        statement="the condition is not sufficient: of the categories with class counts 0-1-0, 0-0-1 and 2-0-0 the"
        " division of the first from the others has every category nearer to its own child, and gains less than that"
        " of the last from the others. So iterating the condition, as k-means does, can end at a worse division",
        source="chou1991, whose algorithm is said to find a local optimum; coppersmith1999",
        holds=Not(Exhaustive(lambda: (TRAP,), at_home_is_best)),
        fails=(
            NearMiss(
                "for two categories it is not enough either", Not(Exhaustive(lambda: small(2, 3), at_home_is_best))
            ),
            NearMiss("the best division breaks the condition", Not(Exhaustive(lambda: small(3, 3), best_is_at_home))),
        ),
    ),
]
