"""Categories, their groupings in two, and the cuts of an order, by enumeration.

A category is its class counts. Sets of categories stand in the order of their mean response where there are two
classes; a grouping is a bit mask of the categories on the left, the first always there, and a cut of the order if these
come first. A grouping that is no cut has a gap.

Main definitions: ``categories``, ``sides``, ``cuts_and_gaps``; ``shortcut``, ``strict_shortcut``, ``never_gap``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations

from splitcrit.criteria import Criterion
from splitcrit.proof import Ball, Cases, Claim, Exhaustive, Not, only, upto
from splitcrit.proof.balls import remembered
from splitcrit.proofs.common import score
from splitcrit.proofs.two_class import two_classes
from splitcrit.proofs.vertex.nodes import above, enclosed

Categories = tuple[tuple[int, ...], ...]


@cache
def categories(number: int, most: int) -> tuple[Categories, ...]:
    """All sets of categories (negatives, positives), in the order of their means, which all differ.

    Negatives are at least as many as positives: exchanging the classes changes no score.
    """
    cells = sorted(((n - a, a) for n in range(1, most) for a in range(n + 1)), key=mean)
    sets = []
    for chosen in combinations(cells, number):
        positives = sum(a for _, a in chosen)
        if 2 * positives <= sum(map(sum, chosen)) <= most and len(set(map(mean, chosen))) == number:
            sets.append(chosen)
    return tuple(sorted(sets, key=lambda t: (sum(map(sum, t)), t)))


@cache
def mean(cell: tuple[int, int]) -> Fraction:
    """The share of positives."""
    return Fraction(cell[1], sum(cell))


def impure(number: int, most: int) -> Iterator[Categories]:
    """Yield those with members of both classes."""
    yield from (t for t in categories(number, most) if all(map(sum, zip(*t, strict=True))))


def sides(t: Categories, mask: int) -> tuple[tuple[int, ...], ...]:
    """The two-way table of the categories of a bit mask against the others, of any number of classes."""
    return tuple(
        tuple(sum(c[k] for i, c in enumerate(t) if (mask >> i & 1) == side) for k in range(len(t[0])))
        for side in (1, 0)
    )


def masks(number: int) -> Iterator[tuple[int, bool]]:
    """Yield every grouping once, with the first category left, and whether it is a cut of the order."""
    for mask in range(1, 2**number - 1, 2):
        yield mask, (mask & (mask + 1)) == 0


def cut_is_best(criterion: Criterion, t: Categories) -> bool:
    """Tell, in exact rationals, whether some cut scores as much as every grouping."""
    scores = {(mask, cut): score(criterion, sides(t, mask)) for mask, cut in masks(len(t))}
    return bool(max(x for (_, cut), x in scores.items() if cut) == max(scores.values()))


@remembered
def cuts_and_gaps(criterion: Criterion, t: Categories) -> tuple[list[Ball], list[Ball]]:
    """Enclosures of the scores of all cuts, and of all groupings with a gap."""
    scores: tuple[list[Ball], list[Ball]] = ([], [])
    for mask, cut in masks(len(t)):
        scores[not cut].append(enclosed(criterion, sides(t, mask)))
    return scores


def only_cuts_are_best(criterion: Criterion, t: Categories) -> bool:
    """Whether every grouping with a gap surely scores less than some cut."""
    cuts, gaps = cuts_and_gaps(criterion, t)
    return all(any(above(cut, gap) for cut in cuts) for gap in gaps)


def gap_is_best(criterion: Criterion, t: Categories) -> bool:
    """Whether some grouping with a gap surely scores more than every cut."""
    cuts, gaps = cuts_and_gaps(criterion, t)
    return any(all(above(gap, cut) for cut in cuts) for gap in gaps)


def shortcut(criterion: Criterion, most: int = 8) -> Claim:
    """Claim that some best grouping is a cut."""
    return two_classes(Exhaustive(Cases(categories, J=only(3, 4), N=upto(most)), lambda t: cut_is_best(criterion, t)))


def strict_shortcut(criterion: Criterion, most: int = 8) -> Claim:
    """Claim that all best groupings are cuts."""
    return two_classes(
        Exhaustive(Cases(impure, J=only(3, 4), N=upto(most)), lambda t: only_cuts_are_best(criterion, t))
    )


def never_gap(criterion: Criterion, most: int) -> Claim:
    """Claim that of three categories no grouping with a gap is strictly best."""
    return two_classes(Exhaustive(Cases(impure, J=3, N=upto(most)), lambda t: not gap_is_best(criterion, t)))


def gap_is_best_at(criterion: Criterion, t: Categories) -> Claim:
    """Claim that a grouping with a gap is strictly best of these categories."""
    return Not(Exhaustive(lambda: [t], lambda one: not gap_is_best(criterion, one)))


def scores_are_negative(criterion: Criterion, t: Categories) -> Claim:
    return Exhaustive(lambda: [t], lambda t: all(x < 0 for part in cuts_and_gaps(criterion, t) for x in part))
