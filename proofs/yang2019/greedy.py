"""Section V: the pairs that the lower bound of the ranking loss drops, and what they would change.

Main results: the dropped pairs and their loss, counted; the smallest data on which a greedy search with those pairs
chooses another of two splits than one without.
Source: yang2019, Section V.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.proof import All, Exhaustive, Identity, NearMiss, Not, Smt, Theorem
from splitcrit.proofs.common import compositions, count_vectors, kinds, lefts
from splitcrit.proofs.yang2019.pairwise import Leaf, one_by_one, ranking_loss
from splitcrit.proofs.yang2019.terms import SPLIT

OUTSIDE = SPLIT | kinds("count", "p", "q")


def pairs(leaves: list[Leaf]) -> Any:
    return sum(p for p, _ in leaves) * sum(n for _, n in leaves)


def of_split(v: Any) -> list[Leaf]:
    return [(v.a, v.b), (v.c, v.d), (v.p, v.q)]


def dropped(v: Any, m: Any) -> Any:
    return pairs(of_split(v)) - pairs(of_split(v)[:2])


def crossing(v: Any, m: Any) -> Any:
    return (v.a + v.c) * v.q + v.p * (v.b + v.d) + v.p * v.q


def scored_trees(size: int, most: int) -> Iterator[Any]:
    """Yield the two leaves of a split and one leaf outside, all present, with scores 0, 1, 2."""
    for flat in count_vectors(most, 6, size):
        leaves = list(zip(flat[::2], flat[1::2], strict=True))
        if all(map(sum, leaves)):
            yield from ((leaves, list(scores)) for scores in product(range(3), repeat=3))


def omitted(case: Any) -> Fraction:
    """Return the loss of the pairs that the lower bound leaves out."""
    leaves, scores = case
    exact = list(map(Fraction, scores))
    return Fraction(ranking_loss(leaves, exact, EXACT) - ranking_loss(leaves[:2], exact[:2], EXACT))


def between(case: Any) -> bool:
    leaves, _ = case
    return bool(0 <= omitted(case) <= pairs(leaves) - pairs(leaves[:2]))


def counted(case: Any) -> bool:
    leaves, scores = case
    return bool(one_by_one(leaves, scores) == ranking_loss(leaves, [Fraction(w) for w in scores], EXACT))


def omitted_of_any(v: Any, m: Any) -> Any:
    """Return the omitted loss as a sum over the pairs of leaves that are not both in the node."""
    scores, leaves = [v.w_left, v.w_right, v.w_out], of_split(v)
    return ranking_loss(leaves, scores, m) - ranking_loss(leaves[:2], scores[:2], m)


LOWER_BOUND = [
    Theorem(
        key="pairwise.loss_of_node_is_lower_bound",
        statement="the ranking loss is at least that of the pairs inside the node; left out are N_pos Q + P N_neg + P Q"
        " pairs, P positive and Q negative examples being outside, and at most that much loss",
        source="yang2019, Section V",
        scope="the number for all counts; one leaf outside: all counts and scores, pair by pair for N <= 4",
        holds=All(
            Identity(OUTSIDE, dropped, crossing),
            Smt(
                OUTSIDE | kinds("real", "w_left", "w_right", "w_out"),
                lambda v, m: m.min((omitted_of_any(v, m), crossing(v, m) - omitted_of_any(v, m))) >= 0,
            ),
            Exhaustive(lambda: scored_trees(3, 5), between),
            Exhaustive(lambda: scored_trees(3, 4), counted),
        ),
        fails=(
            NearMiss(
                "left out are N_pos Q + P N_neg pairs",
                Identity(OUTSIDE, dropped, lambda v, m: crossing(v, m) - v.p * v.q),
            ),
            NearMiss(
                "it is greater whenever there are pairs outside",
                Exhaustive(
                    lambda: scored_trees(3, 5),
                    lambda case: omitted(case) > 0 or pairs(case[0]) == pairs(case[0][:2]),
                ),
            ),
            NearMiss(
                "what is left out does not depend on the scores of the children",
                Exhaustive(
                    lambda: scored_trees(3, 4),
                    lambda case: omitted(case) == omitted((case[0], [0, 0, case[1][2]])),
                ),
            ),
        ),
        premises=("hand argument: several leaves outside add terms of the same kind, one per pair of leaves",),
        latex=r"0 \le L - \hat L \le N_+ Q + P N_- + P Q",
    ),
]


# Greedy search with and without them.


def twice_least_loss(leaves: Any) -> int:
    """Return twice the least ranking loss over all scores of the leaves, by pairs of leaves."""
    own = sum(p * n for p, n in leaves)
    return int(own + 2 * sum(min(p * y, x * n) for (p, n), (x, y) in combinations(leaves, 2)))


def over_all_scores(leaves: Any) -> bool:
    places = [Fraction(i) for i in range(len(leaves))]
    found = (ranking_loss(list(leaves), list(scores), EXACT) for scores in product(places, repeat=len(leaves)))
    return bool(twice_least_loss(leaves) == 2 * min(found))


def leaves_of(size: int) -> Iterator[Leaf]:
    return ((p, size - p) for p in range(size, -1, -1))


def outside(n: int, largest: Leaf | None = None) -> Iterator[tuple[Leaf, ...]]:
    """Yield the ways to put ``n`` examples into leaves outside the node, each multiset once."""
    if n == 0:
        yield ()
    for size in range(n, 0, -1):
        for leaf in leaves_of(size):
            if largest is None or (size, leaf) <= (sum(largest), largest):
                yield from ((leaf, *rest) for rest in outside(n - size, leaf))


def searches(most: int, least: int = 2, root: bool = False) -> Iterator[Any]:
    """Yield pairs of splits of one node, and the leaves outside it, with so many examples in all."""
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


def three_leaves() -> Iterator[Any]:
    for flat in count_vectors(5, 6, 3):
        leaves = tuple(zip(flat[::2], flat[1::2], strict=True))
        if all(map(sum, leaves)) and list(leaves) == sorted(leaves):
            yield leaves


WITNESS = (((0, 2), (2, 1)), ((1, 0), (1, 3)), ((2, 1),))


def flips_choice(case: Any) -> bool:
    return not same_choice(case) and over_all_scores((*case[0], *case[2])) and over_all_scores((*case[1], *case[2]))


GREEDY = [
    Theorem(
        key="pairwise.greedy_choice_depends_on_dropped_pairs",
        statement="a greedy search on the whole ranking loss can choose another of two splits than one on the lower"
        " bound: outside a leaf with 2 positives, 1 negative, splits (0+ 2- | 2+ 1-) and (1+ 0- | 1+ 3-); smaller"
        " data allow none",
        source="yang2019, Section V",
        scope="N <= 7 none, with any leaves outside; N = 8 the witness; at the root none for N <= 9",
        holds=All(
            Exhaustive(three_leaves, over_all_scores),
            Exhaustive(lambda: searches(7), same_choice),
            Exhaustive(lambda: searches(9, root=True), same_choice),
            Exhaustive(lambda: [WITNESS], flips_choice),
        ),
        fails=(
            NearMiss(
                "the two searches choose alike whatever is outside",
                Exhaustive(lambda: searches(8, 8), same_choice),
            ),
            NearMiss(
                "they can differ at the root, where no pair is dropped",
                Not(Exhaustive(lambda: searches(8, root=True), same_choice)),
                alters="hypothesis",
            ),
        ),
        premises=("hand argument: sorting leaves by their share of positives attains every pairwise minimum at once",),
    ),
]

THEOREMS = [*LOWER_BOUND, *GREEDY]
