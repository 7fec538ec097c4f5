"""The best split of a categorical feature of two classes by pairwise gain.

Source: yang2019, Section V.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from splitcrit.criteria import pairwise_gain
from splitcrit.proof import Exhaustive, Fact, Identity, Induction, NearMiss, Theorem
from splitcrit.proofs.common import count_vectors, kinds, score, up_to
from splitcrit.proofs.two_class import two_classes


def prefix_exceeds(entries: Any, v: Any, m: Any) -> Any:
    """How much more ``ad - bc`` the categories above the node's share have than a group with the shares e."""
    above = sum(m.max((e.a * v.Q - e.b * v.P, 0)) for e in entries)
    return above - sum(e.e * e.a for e in entries) * v.Q + sum(e.e * e.b for e in entries) * v.P


prefix_is_best = Induction(
    "J",
    kinds("count", "a", "b") | {"e": "rate"},
    prefix_exceeds,
    lambda e, v, m: [m.max((e.a * v.Q - e.b * v.P, 0)), e.e * e.a, e.e * e.b],
    lambda s, v, m: s[0] - s[1] * v.Q + s[2] * v.P,
    relation=">=",
    shared=kinds("positive", "P", "Q"),
)
group_gains = Identity(
    kinds("positive", "a", "b", "P", "Q"),
    lambda v, m: pairwise_gain.score([[v.b, v.a], [v.Q - v.b, v.P - v.a]], m) ** 2,
    lambda v, m: ((v.a * v.Q - v.b * v.P) / 2) ** 2,
)


def categories(most: int, parts: int) -> Iterator[Any]:
    """Yield tables of several categories, none empty."""
    for flat in count_vectors(most, 2 * parts, parts):
        rows = tuple(zip(flat[::2], flat[1::2], strict=True))
        if all(map(sum, rows)):
            yield rows


def grouped(rows: Any, chosen: Any) -> Fraction:
    sides = [[sum(rows[i][k] for i in part) for k in (0, 1)] for part in (chosen, set(range(len(rows))) - set(chosen))]
    return Fraction(score(pairwise_gain, sides))


def best_groups(parts: int, groups: Callable[[Any], Any]) -> Exhaustive:
    """One of these groups of categories gains as much as any."""

    def holds(rows: Any) -> bool:
        everything = (g for size in range(1, parts) for g in combinations(range(parts), size))
        return max(grouped(rows, g) for g in everything) == max(grouped(rows, g) for g in groups(rows))

    return up_to(5, categories, holds, J=parts)


def prefixes_by_size(rows: Any) -> Any:
    places = sorted(range(len(rows)), key=lambda i: sum(rows[i]))
    return [places[:size] for size in range(1, len(rows))]


THEOREMS = [
    Theorem(
        key="gain.best_pairwise_grouping_is_prefix_of_shares",
        statement="no group of the categories of a feature has more pairwise gain than those whose share of positives"
        " exceeds the node's, a prefix of the categories in the order of their shares; the group of a positives and b"
        " negatives gains |a N_neg - b N_pos| / 2, and its complement as much",
        source="yang2019, Section V",
        holds=two_classes(prefix=prefix_is_best, group=group_gains),
        fails=(
            NearMiss(
                "one of the prefixes in the order of size is best",
                best_groups(3, prefixes_by_size),
                alters="hypothesis",
            ),
            NearMiss("the best group is always a single category", best_groups(4, lambda _: [(i,) for i in range(4)])),
        ),
        facts=(Fact("pairwise_gain", "ordering shortcut", "2", True),),
    )
]
