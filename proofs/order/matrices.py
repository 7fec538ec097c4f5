"""Three classes: which transition matrices let the Gini gain keep its order, and the sum over pairs of classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from splitcrit.noise import Channel, symmetric, transition_matrix
from splitcrit.proof import All, Cases, Claim, Exhaustive, Identity, Law, NearMiss, Smt, Theorem, only
from splitcrit.proofs.common import HALF, compositions, exactly, gini_decrease, kinds, noisy, rows_of, score, split
from splitcrit.proofs.vertex.premises import of_classes


def crossing(table: Any, i: int = 0, j: int = 1) -> Any:
    """``D_ij = l_i r_j - l_j r_i``."""
    left, right = table
    return left[i] * right[j] - left[j] * right[i]


def all_pairs(table: Any) -> Any:
    """``sum_{i<j} |D_ij|``."""
    return sum(abs(crossing(table, i, j)) for i, j in combinations(range(3), 2))


def weighted_pairs(table: Any) -> Any:
    """The same with each pair divided by the numbers of examples of its two classes."""
    totals = [x + y for x, y in zip(*table, strict=True)]
    return sum(Fraction(abs(crossing(table, i, j))) / (totals[i] * totals[j]) for i, j in combinations(range(3), 2))


def rest(v: Any) -> Any:
    """``1 - lam`` with ``lam = 3 eta / 2``."""
    return 1 - Fraction(3, 2) * v.eta


def general(v: Any) -> list[list[Any]]:
    return rows_of(v, 3)


def balanced(v: Any) -> list[list[Any]]:
    return [[v.x, v.y, v.z], [v.n - v.x, v.n - v.y, v.n - v.z]]


def mixed(v: Any, table: Any) -> Any:
    """``(1 - lam)^2 D_01 + (1 - lam)(lam/3)(u_0 - u_1)`` with ``u_k = l_k N_R - r_k N_L``."""
    left, right = table
    u = [x * sum(right) - y * sum(left) for x, y in zip(left, right, strict=True)]
    return rest(v) ** 2 * crossing(table) + rest(v) * (1 - rest(v)) / 3 * (u[0] - u[1])


def times(power: int) -> Callable[[Any, Any], Any]:
    return lambda v, table: rest(v) ** power * crossing(table)


def crossing_becomes(formula: Callable[[Any, Any], Any], node: Any) -> Claim:
    """Claim what uniform noise on three classes makes of ``D_01`` in splits of a kind of node."""
    law = Identity(
        NODES[node] | {"eta": "rate"},
        lambda v, m: crossing(noisy(node(v), symmetric(v.eta))),
        lambda v, m: formula(v, node(v)),
    )
    return of_classes(3, law)


def values(measure: Any, pair: Any) -> tuple[Any, ...]:
    """The scores of two splits without noise, and in expectation at eta = 1/2."""
    return (*(measure(exactly(t)) for t in pair), *(measure(noisy(exactly(t), symmetric(HALF))) for t in pair))


def reorders(measure: Any, pair: Any, *expected: Any) -> Exhaustive:
    """Claim the four values of a measure, of which the first two and the last two are in opposite orders."""
    one, two, noisy_one, noisy_two = expected
    return Exhaustive(
        lambda: [pair], lambda pair: values(measure, pair) == expected and one > two and noisy_one < noisy_two
    )


NODES = {general: kinds("positive", "l", "r", classes=3), balanced: kinds("count", "x", "y", "z") | {"n": "positive"}}
TOTALS = (3, 2, 1)
PAIR = split(TOTALS, (1, 2, 0)), split(TOTALS, (1, 2, 1))
WEIGHTED = split(TOTALS, (0, 0, 1)), split(TOTALS, (1, 2, 1))
general_law, balanced_law = (
    Law(crossing_becomes, formula=formula, node=node) for formula, node in ((mixed, general), (times(1), balanced))
)
PAIRS = [
    Theorem(
        key="order.sum_over_pairs_is_lost_of_uniform",
        statement="under uniform noise on three classes D_ij = l_i r_j - l_j r_i becomes (1 - lam)^2 D_ij + (1 - lam)"
        "(lam/3)(u_i - u_j), so sum |D_ij| does not keep its order: with class totals (3, 2, 1) and lam = 3/4 the lefts"
        " (1, 2, 0) and (1, 2, 1) go from 7 > 6 to 25/16 < 13/8; nor does the sum of |D_ij|/(n_i n_j)",
        source="beyond, multiclass invariants",
        holds=All(
            general_law,
            reorders(all_pairs, PAIR, 7, 6, Fraction(25, 16), Fraction(13, 8)),
            reorders(weighted_pairs, WEIGHTED, 2, Fraction(4, 3), Fraction(22, 63), Fraction(7, 18)),
        ),
        fails=(
            general_law.but("D_ij is multiplied by (1 - lam)^2 and no more", formula=times(2)),
            NearMiss(
                "the sum over pairs keeps its order where one-vs-rest does",
                Exhaustive(lambda: [values(all_pairs, PAIR)], lambda x: (x[0] > x[1]) == (x[2] > x[3])),
            ),
        ),
    ),
    Theorem(
        key="order.sum_over_pairs_is_kept_of_balanced_node",
        statement="in a node with equally many examples of each of three classes every D_ij is multiplied by 1 - lam "
        "under uniform noise: there the sum over pairs keeps its order",
        source="beyond, multiclass invariants",
        holds=balanced_law,
        fails=(
            balanced_law.but("in every node", alters="hypothesis", node=general),
            balanced_law.but("by (1 - lam)^2", formula=times(2)),
        ),
    ),
]

DIRECTIONS = [tuple(Fraction((k == i) - (k == j)) for k in range(3)) for i, j in combinations(range(3), 2)]


def ratios(T: Channel) -> list[tuple[Fraction, Any]]:
    """For each direction the squared length of ``T^t delta`` over that of delta, the lowest ratio first."""
    moved = [(T.on_distribution(list(d)), d) for d in DIRECTIONS]
    return sorted((sum((x * x for x in seen), Fraction(0)) / 2, d) for seen, d in moved)


def form(v: Any, x: Any, y: Any) -> Any:
    return v.a * x**2 + v.b * x * y + v.c * y**2


def node_split(delta: Any, scale: Fraction) -> list[list[Fraction]]:
    """The split of the uniform node into halves with shares ``1/3 + delta`` and ``1/3 - delta``, shrunk."""
    step = [x * scale / 12 for x in delta]
    return [[(Fraction(1, 3) + s * x) / 2 for x in step] for s in (1, -1)]


def exchanged(T: Channel) -> bool:
    """Whether two splits of the uniform node, made from two directions of unequal ratio, change places."""
    (low, first), *_, (high, second) = ratios(T)
    scale = next(s for s in scales() if s * s > 1 and s * s * low < high)
    before = node_split(first, scale), node_split(second, Fraction(1))
    leads = [
        score(gini_decrease, one) - score(gini_decrease, two) for one, two in (before, [noisy(t, T) for t in before])
    ]
    return bool(leads[0] > 0 > leads[1])


def scales() -> Iterator[Fraction]:
    """Yield candidates for a scale between 1 and 3, ever finer."""
    for bottom in (2**k for k in range(14)):
        yield from (Fraction(i, bottom) for i in range(bottom + 1, 3 * bottom) if i % 2 or bottom == 1)


def matrices(denominator: int) -> Iterator[Channel]:
    """Yield every transition matrix of three classes with entries in multiples of one over the denominator."""
    rows = [tuple(Fraction(x, denominator) for x in row) for row in compositions(denominator, 3)]
    yield from map(transition_matrix, product(rows, repeat=3))


def isometric(T: Channel) -> bool:
    """Whether ``T^t`` is a multiple of an isometry on sum-zero vectors."""
    (low, _), *_, (high, _) = ratios(T)
    return low == high


def settled(T: Channel) -> bool:
    """Whether gains rescale by one factor for an isometric T, and change places for any other."""
    if not isometric(T):
        return exchanged(T)
    factor = ratios(T)[0][0]
    return all(score(gini_decrease, noisy(t, T)) == factor * score(gini_decrease, t) for t in SAMPLE)


def doubly_stochastic(T: Channel) -> bool:
    return all(sum(column) == 1 for column in zip(*T.transition(3), strict=True))


def class_gap(v: Any, m: Any) -> Any:
    """``a_L a_R |p_L - p_R|^2``."""
    left, right = rows_of(v, 3)
    distance = sum((x / sum(left) - y / sum(right)) ** 2 for x, y in zip(left, right, strict=True))
    return sum(left) * sum(right) * distance / (sum(left) + sum(right)) ** 2


SAMPLE = [exactly(split((2, 1, 1), (1, 1, 0))), exactly(split((2, 2, 1), (0, 2, 1)))]
CONFUSED = transition_matrix(((1, 0, 0), (0, 1, 0), (0, Fraction(2, 5), Fraction(3, 5))))
MATRICES = Theorem(
    key="order.gini_gain_is_kept_iff_transition_is_isometric",
    statement="the Gini gain of a split in two is a_L a_R |p_L - p_R|^2; noise on three classes whose transition "
    "matrix T has entries of the given denominator keeps the order of all small splits exactly if T^t is a multiple of "
    "an isometry on sum-zero vectors: otherwise two splits of the uniform node change places",
    source="beyond, multiclass invariants",
    holds=of_classes(
        3,
        All(
            gain=Identity(NODES[general], lambda v, m: gini_decrease.score(rows_of(v, 3), m), class_gap),
            directions=Smt(
                kinds("real", "a", "b", "c", "r", "x", "y"),
                lambda v, m: form(v, v.x, v.y) == v.r * (v.x**2 + v.y**2 + (v.x + v.y) ** 2),
                lambda v, m: [form(v, x, y) == 2 * v.r for x, y in ((1, -1), (1, 0), (0, 1))],
            ),
            matrices=Exhaustive(Cases(matrices, denominator=only(3)), settled),
        ),
    ),
    fails=(
        NearMiss(
            "every T that can be inverted keeps the order (it does for two classes)",
            Exhaustive(lambda: [CONFUSED], lambda T: not exchanged(T)),
            "hypothesis",
        ),
        NearMiss(
            "every T whose columns sum to 1 too keeps the order",
            Exhaustive(lambda: filter(doubly_stochastic, matrices(3)), isometric),
        ),
    ),
)

THEOREMS = [*PAIRS, MATRICES]
