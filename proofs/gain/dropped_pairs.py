"""The pairs that the lower bound of the ranking loss drops, and what they would change.

Source: yang2019, Section V.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.losses import pairwise
from splitcrit.proof import Exhaustive, Identity, Induction, Law, NearMiss, Not, Smt, Theorem
from splitcrit.proofs.common import compositions, count_vectors, kinds, lefts
from splitcrit.proofs.gain.pairwise import Leaf, ranking_loss
from splitcrit.proofs.two_class import two_classes

OUTSIDE = kinds("count", "a", "b", "c", "d", "p", "q")


def pairs(leaves: list[Leaf]) -> Any:
    return sum(p for p, _ in leaves) * sum(n for _, n in leaves)


def dropped(both_outside: int = 1) -> Identity:
    """The pairs that are not inside the node, by their number."""

    def number(v: Any, m: Any) -> Any:
        leaves = [(v.a, v.b), (v.c, v.d), (v.p, v.q)]
        return pairs(leaves) - pairs(leaves[:2])

    return Identity(OUTSIDE, number, lambda v, m: (v.a + v.c) * v.q + v.p * (v.b + v.d) + both_outside * v.p * v.q)


def loss_of_pairs(sign: int) -> Induction:
    """Pairs of leaves of which each example pair costs 0 to 1 lose 0 or more, or at most their number."""

    def one(e: Any, v: Any, m: Any) -> list[Any]:
        return [e.p * e.n * (e.lost if sign > 0 else 1 - e.lost)]

    return Induction(
        "pairs of leaves",
        kinds("count", "p", "n") | {"lost": "rate"},
        lambda entries, v, m: sum(one(e, v, m)[0] for e in entries),
        one,
        lambda sums, v, m: sums[0],
        relation=">=",
        least=1,
    )


def scored_trees(most: int) -> Iterator[Any]:
    """Yield the two leaves of a split and one leaf outside, all present, with scores 0, 1, 2."""
    for flat in count_vectors(most, 6, 3):
        leaves = list(zip(flat[::2], flat[1::2], strict=True))
        if all(map(sum, leaves)):
            yield from ((leaves, list(scores)) for scores in product(map(Fraction, range(3)), repeat=3))


def omitted(case: Any) -> Fraction:
    """The loss of the pairs that the lower bound leaves out."""
    leaves, scores = case
    return Fraction(ranking_loss(leaves, scores, EXACT) - ranking_loss(leaves[:2], scores[:2], EXACT))


def twice_least_loss(leaves: Any) -> int:
    """Return twice the least ranking loss over all scores of the leaves, by pairs of leaves."""
    own = sum(p * n for p, n in leaves)
    return int(own + 2 * sum(min(p * y, x * n) for (p, n), (x, y) in combinations(leaves, 2)))


def between_leaves(by_share: bool) -> Smt:
    """Two leaves lose at least ``min(p y, x n)`` to each other; with their shares of positives as scores just that."""
    leaves = kinds("count", "p", "n", "x", "y")

    def conclusion(v: Any, m: Any) -> Any:
        scores = [v.p / (v.p + v.n), v.x / (v.x + v.y)] if by_share else [v.w0, v.w1]
        own = v.p * v.n / 2 + v.x * v.y / 2
        lost, least = ranking_loss([(v.p, v.n), (v.x, v.y)], scores, m) - own, m.min((v.p * v.y, v.x * v.n))
        return lost == least if by_share else lost >= least

    present = lambda v, m: [v.p + v.n > 0, v.x + v.y > 0]  # noqa: E731
    return Smt(leaves if by_share else leaves | kinds("real", "w0", "w1"), conclusion, present)


def outside(n: int, largest: Leaf | None = None) -> Iterator[tuple[Leaf, ...]]:
    """Yield the ways to put ``n`` examples into leaves outside the node, each multiset once."""
    if n == 0:
        yield ()
    for size in range(n, 0, -1):
        for leaf in ((p, size - p) for p in range(size, -1, -1)):
            if largest is None or (size, leaf) <= (sum(largest), largest):
                yield from ((leaf, *rest) for rest in outside(n - size, leaf))


def searches(most: int, least: int = 2, root: bool = False) -> Iterator[Any]:
    """Yield pairs of splits of one node, and the leaves outside it, of a total size."""
    for n in range(least, most + 1):
        for size in [n] if root else range(2, n + 1):
            for node in compositions(size, 2):
                halves = [(left, (node[0] - left[0], node[1] - left[1])) for left in lefts(node)]
                for others in outside(n - size):
                    yield from ((s, u, others) for s in halves for u in halves)


def gain_of(s: Any) -> int:
    (a, b), (c, d) = s
    return int(abs(a * d - b * c))


def same_choice(case: Any) -> bool:
    """State that the split with more pairwise gain does not have the larger least total loss."""
    s, u, others = case
    return not (gain_of(s) > gain_of(u) and twice_least_loss((*s, *others)) > twice_least_loss((*u, *others)))


between = Smt(kinds("real", "x", "y"), lambda v, m: m.min((pairwise(v.x, v.y, m), 1 - pairwise(v.x, v.y, m))) >= 0)
WITNESS = (((0, 2), (2, 1)), ((1, 0), (1, 3)), ((2, 1),))
number = Law(dropped)

THEOREMS = [
    Theorem(
        key="gain.dropped_pairs_bound_ranking_loss",
        statement="the ranking loss is at least that of the pairs inside the node; left out are N_pos Q + P N_neg + P Q"
        " pairs, P positive and Q negative examples being outside in any number of leaves, and at most that much loss",
        source="yang2019, Section V",
        holds=two_classes(number=number, pair=between, loss=loss_of_pairs(1), at_most_their_number=loss_of_pairs(-1)),
        fails=(
            number.but("left out are N_pos Q + P N_neg pairs", both_outside=0),
            NearMiss(
                "it is greater whenever there are pairs outside",
                Exhaustive(lambda: scored_trees(5), lambda c: omitted(c) > 0 or pairs(c[0]) == pairs(c[0][:2])),
            ),
            NearMiss(
                "what is left out does not depend on the scores of the children",
                Exhaustive(
                    lambda: scored_trees(4),
                    lambda case: omitted(case) == omitted((case[0], [Fraction(0), Fraction(0), case[1][2]])),
                ),
            ),
        ),
    ),
    Theorem(
        key="gain.greedy_ranking_choice_depends_on_dropped_pairs",
        statement="a greedy search on the whole ranking loss can choose another of two splits than one on the lower"
        " bound: outside a leaf with 2 positives, 1 negative, splits (0+ 2- | 2+ 1-) and (1+ 0- | 1+ 3-); with less"
        " than 8 examples in all it cannot, nor at a root of up to 9",
        source="yang2019, Section V",
        holds=two_classes(
            between_leaves(by_share=False),
            between_leaves(by_share=True),
            Exhaustive(lambda: searches(7), same_choice),
            Exhaustive(lambda: searches(9, root=True), same_choice),
            Exhaustive(lambda: [WITNESS], lambda case: not same_choice(case)),
        ),
        fails=(
            NearMiss("both searches choose alike whatever is outside", Exhaustive(lambda: searches(8, 8), same_choice)),
            NearMiss(
                "they can differ at the root, where no pair is dropped",
                Not(Exhaustive(lambda: searches(8, root=True), same_choice)),
                alters="hypothesis",
            ),
        ),
    ),
]
