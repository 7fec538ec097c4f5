"""Label noise with more than two classes: what is invariant, and for which noise Gini keeps its order.

Main results: every class against the rest rescales alike under uniform noise; the sum over pairs of classes does not,
unless the node is balanced; Gini keeps the order of all splits exactly if the transition matrix acts on sum-zero
vectors as a multiple of an isometry, so under pair-flip noise of three classes but not of four.
Source: beyond.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.criteria import one_vs_rest_pairwise_gain, pairwise_gain, twoing
from splitcrit.noise import Channel, class_conditional, pair_flip, symmetric, transition_matrix
from splitcrit.proof import All, Exhaustive, Identity, NearMiss, Theorem
from splitcrit.proofs.common import (
    binary_splits,
    compositions,
    exactly,
    gini_decrease,
    kinds,
    noisy,
    score,
    split,
    vector,
)

HALF = Fraction(1, 2)
RATES = (Fraction(1, 10), Fraction(2, 5), Fraction(2, 3), Fraction(1))


def lam(eta: Any, classes: int) -> Any:
    return eta * Fraction(classes, classes - 1)


# --- one class against the rest -----------------------------------------------------------------------------------

ONE_CLASS = kinds("positive", "a", "b", "c", "d") | {"eta": "rate", "more": "count"}


def one_class(v: Any, m: Any) -> Any:
    """Return the squared pairwise gain of one class against the rest under uniform noise of ``more + 2`` classes."""
    channel = class_conditional(tau_pos=v.eta, tau_neg=v.eta / (v.more + 1))
    return pairwise_gain.score([channel.on_distribution(row) for row in ([v.b, v.a], [v.d, v.c])], m) ** 2


def one_class_scaled(v: Any, m: Any) -> Any:
    factor = 1 - v.eta * (v.more + 2) / (v.more + 1)
    return factor**2 * pairwise_gain.score([[v.b, v.a], [v.d, v.c]], m) ** 2


def against_rest(table: Any, k: int) -> list[list[Any]]:
    return [[sum(row) - row[k], row[k]] for row in table]


def merged(v: Any, classes: int) -> Identity:
    """Claim that uniform noise acts on one class of ``classes`` as noise with rates eta and eta/(classes - 1)."""

    def left(v: Any, m: Any) -> Any:
        rows = [symmetric(v.eta).on_distribution(vector(v, side, classes)) for side in ("l", "r")]
        return pairwise_gain.score(against_rest(rows, 0), m) ** 2

    def right(v: Any, m: Any) -> Any:
        rows = against_rest([vector(v, side, classes) for side in ("l", "r")], 0)
        channel = class_conditional(tau_pos=v.eta, tau_neg=v.eta / (classes - 1))
        return pairwise_gain.score([channel.on_distribution(row) for row in rows], m) ** 2

    return Identity(kinds("positive", "l", "r", classes=classes) | {"eta": "rate"}, left, right)


def rescaled(power: int) -> Any:
    """Return the claim that a score of a case is multiplied by ``|1 - lam|^power``."""

    def holds(case: Any) -> bool:
        criterion, table, eta = case
        seen = criterion.score(noisy(exactly(table), symmetric(eta)), EXACT)
        return bool(seen == abs(1 - lam(eta, len(table[0]))) ** power * score(criterion, table))

    return holds


def triples(criterion: Any, classes: int = 3) -> Iterator[Any]:
    yield from ((criterion, t, eta) for t in binary_splits(4, classes) for eta in RATES)


# --- pairs of classes: the multiclass area under the curve of Hand and Till --------------------------------------


def crossing(table: Any, i: int, j: int) -> Any:
    """Return ``l_i r_j - l_j r_i``."""
    left, right = table
    return left[i] * right[j] - left[j] * right[i]


def all_pairs(table: Any) -> Any:
    """Return ``sum_{i<j} |l_i r_j - l_j r_i|``."""
    return sum(abs(crossing(table, i, j)) for i, j in combinations(range(len(table[0])), 2))


def weighted_pairs(table: Any) -> Any:
    """Return the same with each pair divided by the numbers of examples of its two classes."""
    totals = [x + y for x, y in zip(*table, strict=True)]
    pairs = combinations(range(len(totals)), 2)
    return sum(Fraction(abs(crossing(table, i, j))) / (totals[i] * totals[j]) for i, j in pairs)


PAIRS = kinds("positive", "l", "r", classes=3) | {"eta": "rate"}


def rows_of(v: Any) -> list[list[Any]]:
    return [vector(v, "l", 3), vector(v, "r", 3)]


def noisy_crossing(v: Any, m: Any) -> Any:
    return crossing(noisy(rows_of(v), symmetric(v.eta)), 0, 1)


def crossing_formula(v: Any, m: Any) -> Any:
    """Return ``(1 - lam)^2 D_ij + (1 - lam)(lam/K)(u_i - u_j)`` with ``u_k = l_k N_R - r_k N_L``."""
    left, right = rows_of(v)
    u = [x * sum(right) - y * sum(left) for x, y in zip(left, right, strict=True)]
    rest = 1 - lam(v.eta, 3)
    return rest**2 * crossing([left, right], 0, 1) + rest * lam(v.eta, 3) / 3 * (u[0] - u[1])


BALANCED = kinds("count", "x", "y", "z") | {"n": "positive", "eta": "rate"}


def balanced(v: Any) -> list[list[Any]]:
    return [[v.x, v.y, v.z], [v.n - v.x, v.n - v.y, v.n - v.z]]


TOTALS = (3, 2, 1)
FIRST, SECOND = split(TOTALS, (1, 2, 0)), split(TOTALS, (1, 2, 1))
WEIGHTED = split(TOTALS, (0, 0, 1)), split(TOTALS, (1, 2, 1))


def order_kept(measure: Any, pair: Any, eta: Fraction) -> bool:
    """Tell whether the first split is better in the clean and in the expected noisy table."""
    first, second = pair
    clean = measure(exactly(first)) > measure(exactly(second))
    return bool(
        clean and measure(noisy(exactly(first), symmetric(eta))) > measure(noisy(exactly(second), symmetric(eta)))
    )


def exchange(measure: Any, pair: Any, values: tuple[Any, ...]) -> bool:
    """Tell whether the first split is better clean and worse at eta = 1/2, with the values stated."""
    clean = [measure(exactly(t)) for t in pair]
    seen = [measure(noisy(exactly(t), symmetric(HALF))) for t in pair]
    return bool(clean[0] > clean[1] and seen[0] < seen[1] and (clean[0], *seen) == values)


def one_factor(criterion: Any, eta: Fraction) -> bool:
    """Tell whether pair-flip noise multiplies the scores of all small splits by one factor."""
    factors = {
        criterion.score(noisy(exactly(t), pair_flip(eta)), EXACT) / score(criterion, t)
        for t in binary_splits(3, 3)
        if score(criterion, t)
    }
    return len(factors) == 1


# --- which transition matrices -------------------------------------------------------------------------------------


def moved(T: Any, delta: Any) -> Any:
    """Return the squared length of ``T^t delta``."""
    return sum(x * x for x in transition_matrix(T).on_distribution(list(delta)))


def directions(classes: int) -> list[tuple[Fraction, ...]]:
    """Return sum-zero vectors that determine a quadratic form: differences of two units, and sums of two of these."""
    units = [tuple(Fraction((k == i) - (k == j)) for k in range(classes)) for i, j in combinations(range(classes), 2)]
    return units + [tuple(x + y for x, y in zip(a, b, strict=True)) for a, b in combinations(units, 2) if a != b]


def ratio(T: Any, delta: Any) -> Fraction:
    return Fraction(moved(T, delta) / sum(x * x for x in delta))


def isometric(T: Any) -> bool:
    """Tell whether ``T^t`` is a multiple of an isometry on sum-zero vectors."""
    return len({ratio(T, d) for d in directions(len(T)) if any(d)}) == 1


def node_split(delta: Any, scale: Fraction) -> list[list[Fraction]]:
    """Return the split of the uniform node into halves with shares ``1/K + delta`` and ``1/K - delta``, shrunk."""
    classes = len(delta)
    step = [x * scale / (4 * classes) for x in delta]
    return [[(Fraction(1, classes) + s * x) / 2 for x in step] for s in (1, -1)]


def exchanged(T: Any) -> bool:
    """Tell whether two splits of the uniform node, made from two directions of unequal ratio, change places."""
    found = sorted((ratio(T, d), d) for d in directions(len(T)) if any(d))
    (low, d1), (high, d2) = found[0], found[-1]
    length = Fraction(sum(x * x for x in d2)) / sum(x * x for x in d1)
    scale = next(s for s in steps() if length < s * s and s * s * low < length * high)
    first, second = node_split(d1, scale), node_split(d2, Fraction(1))
    seen = [gini_decrease.score(noisy(t, transition_matrix(T)), EXACT) for t in (first, second)]
    return bool(gini_decrease.score(first, EXACT) > gini_decrease.score(second, EXACT) and seen[0] < seen[1])


def steps() -> Iterator[Fraction]:
    """Yield candidates for a scale between 0 and 3, ever finer."""
    bottom = 1
    while bottom < 10**4:
        yield from (Fraction(i, bottom) for i in range(1, 3 * bottom) if i % 2 or bottom == 1)
        bottom *= 2


def matrices(bottom: int) -> Iterator[tuple[tuple[Fraction, ...], ...]]:
    """Yield every transition matrix of three classes with entries in multiples of ``1/bottom``."""
    rows = [tuple(Fraction(x, bottom) for x in row) for row in compositions(bottom, 3)]
    yield from product(rows, repeat=3)


def criterion_settles(T: Any) -> bool:
    """Tell whether gains rescale by one factor for an isometric T, and change places for any other."""
    if not isometric(T):
        return exchanged(T)
    factor = ratio(T, directions(3)[0])
    return all(
        gini_decrease.score(noisy(exactly(t), transition_matrix(T)), EXACT) == factor * score(gini_decrease, t)
        for t in SAMPLE
    )


SAMPLE = [split((2, 1, 1), (1, 1, 0)), split((2, 2, 1), (0, 2, 1)), split((1, 1, 3), (1, 0, 2))]


def flip_scaled(classes: int) -> Identity:
    """Claim that the Gini gain under pair-flip noise is ``1 - 3 eta + 3 eta^2`` times the clean gain."""
    return Identity(
        kinds("positive", "l", "r", classes=classes) | {"eta": "rate"},
        lambda v, m: gini_decrease.score(_flipped(v, classes), m),
        lambda v, m: (
            (1 - 3 * v.eta + 3 * v.eta**2) * gini_decrease.score([vector(v, "l", classes), vector(v, "r", classes)], m)
        ),
    )


def _flipped(v: Any, classes: int) -> Any:
    return noisy([vector(v, "l", classes), vector(v, "r", classes)], pair_flip(v.eta))


def flip_matrix(classes: int, eta: Fraction) -> Any:
    return pair_flip(eta).transition(classes)


def class_gap(v: Any, m: Any) -> Any:
    """Return ``a_L a_R |p_L - p_R|^2``."""
    left, right = rows_of(v)
    n = sum(left) + sum(right)
    distance = sum((x / sum(left) - y / sum(right)) ** 2 for x, y in zip(left, right, strict=True))
    return sum(left) * sum(right) * distance / n**2


CONFUSED: Channel = transition_matrix(((1, 0, 0), (0, 1, 0), (0, Fraction(2, 5), Fraction(3, 5))))

THEOREMS = [
    Theorem(
        key="noise.one_vs_rest_rescales_of_uniform",
        statement="under uniform noise l_k N_R - r_k N_L is multiplied by 1 - lam, lam = eta K/(K - 1), for every"
        " class: so one-vs-rest pairwise gain rescales by |1 - lam| and multiclass twoing and Gini by (1 - lam)^2",
        source="beyond, multiclass invariants",
        scope="one class against the rest: all K, counts and rates, merged for K = 3, 4; the scores: K = 3, n <= 4",
        holds=All(
            Identity(ONE_CLASS, one_class, one_class_scaled),
            *(merged(None, classes) for classes in (3, 4)),
            Exhaustive(lambda: triples(one_vs_rest_pairwise_gain), rescaled(1)),
            Exhaustive(lambda: [*triples(twoing), *triples(gini_decrease)], rescaled(2)),
        ),
        fails=(
            NearMiss(
                "the factor is 1 - 2 eta for every number of classes",
                Exhaustive(
                    lambda: triples(one_vs_rest_pairwise_gain),
                    lambda c: (
                        c[0].score(noisy(exactly(c[1]), symmetric(c[2])), EXACT)
                        == abs(1 - 2 * c[2]) * score(c[0], c[1])
                    ),
                ),
            ),
            NearMiss(
                "the same for pair-flip noise of three classes, with any one factor for one rate",
                Exhaustive(lambda: [one_vs_rest_pairwise_gain], lambda c: one_factor(c, Fraction(1, 4))),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="noise.hand_till_reorders_of_uniform",
        statement="D_ij = l_i r_j - l_j r_i becomes (1 - lam)^2 D_ij + (1 - lam)(lam/K)(u_i - u_j), so sum |D_ij| does"
        " not keep its order: with class totals (3, 2, 1) and lam = 3/4 the lefts (1, 2, 0) and (1, 2, 1) go from 7 > 6"
        " to 25/16 < 13/8; nor does the sum of |D_ij|/(n_i n_j)",
        source="beyond, multiclass invariants",
        scope="K = 3, the formula for all positive counts and rates, the order at the splits shown",
        holds=All(
            Identity(PAIRS, noisy_crossing, crossing_formula),
            Exhaustive(
                lambda: [(FIRST, 7, Fraction(25, 16)), (SECOND, 6, Fraction(13, 8))],
                lambda c: all_pairs(c[0]) == c[1] and all_pairs(noisy(exactly(c[0]), symmetric(HALF))) == c[2],
            ),
            Exhaustive(
                lambda: [WEIGHTED], lambda pair: exchange(weighted_pairs, pair, (2, Fraction(22, 63), Fraction(7, 18)))
            ),
        ),
        fails=(
            NearMiss(
                "D_ij is multiplied by (1 - lam)^2 and no more",
                Identity(PAIRS, noisy_crossing, lambda v, m: (1 - lam(v.eta, 3)) ** 2 * crossing(rows_of(v), 0, 1)),
            ),
            NearMiss(
                "the sum over pairs keeps its order where one-vs-rest does",
                Exhaustive(lambda: [(FIRST, SECOND)], lambda pair: order_kept(all_pairs, pair, HALF)),
            ),
        ),
    ),
    Theorem(
        key="noise.hand_till_rescales_of_balanced_node",
        statement="in a node with equally many examples of every class each D_ij is multiplied by 1 - lam under uniform"
        " noise: there the sum over pairs keeps its order",
        source="beyond, multiclass invariants",
        scope="K = 3, all counts and rates",
        holds=Identity(
            BALANCED,
            lambda v, m: crossing(noisy(balanced(v), symmetric(v.eta)), 0, 1),
            lambda v, m: (1 - lam(v.eta, 3)) * crossing(balanced(v), 0, 1),
        ),
        fails=(
            NearMiss(
                "in every node",
                Identity(PAIRS, noisy_crossing, lambda v, m: (1 - lam(v.eta, 3)) * crossing(rows_of(v), 0, 1)),
                alters="hypothesis",
            ),
            NearMiss(
                "by (1 - lam)^2",
                Identity(
                    BALANCED,
                    lambda v, m: crossing(noisy(balanced(v), symmetric(v.eta)), 0, 1),
                    lambda v, m: (1 - lam(v.eta, 3)) ** 2 * crossing(balanced(v), 0, 1),
                ),
            ),
        ),
    ),
    Theorem(
        key="noise.gini_keeps_order_iff_transition_is_isometric",
        statement="the Gini gain of a binary split is a_L a_R |p_L - p_R|^2; noise with transition T keeps the order of"
        " all small splits exactly if T^t is a multiple of an isometry on sum-zero vectors: otherwise two splits of the"
        " uniform node change places",
        source="beyond, multiclass invariants",
        scope="K = 3, every transition matrix in thirds (1000), the splits constructed; the formula for all counts",
        holds=All(
            Identity(
                kinds("positive", "l", "r", classes=3), lambda v, m: gini_decrease.score(rows_of(v), m), class_gap
            ),
            Exhaustive(lambda: matrices(3), criterion_settles),
        ),
        fails=(
            NearMiss(
                "every T that can be inverted keeps the order (it does for two classes)",
                Exhaustive(lambda: [CONFUSED.transition(3)], lambda T: not exchanged(T)),
                alters="hypothesis",
            ),
            NearMiss(
                "every T whose columns sum to 1 too keeps the order",
                Exhaustive(
                    lambda: (T for T in matrices(3) if all(sum(column) == 1 for column in zip(*T, strict=True))),
                    lambda T: isometric(T),
                ),
            ),
        ),
        premises=(
            "hand argument: a quadratic form with one ratio on all the listed directions is a multiple of the norm",
        ),
    ),
    Theorem(
        key="noise.gini_rescales_of_pair_flip_of_three_classes",
        statement="under pair-flip noise of three classes the Gini gain is multiplied by 1 - 3 eta + 3 eta^2 > 0: its"
        " order is kept, since turning three classes round is a rotation; of four classes it is not",
        source="beyond, multiclass invariants",
        scope="K = 3: all positive counts, all rates; K = 4: two splits at eta = 1/4",
        holds=All(
            flip_scaled(3),
            Exhaustive(lambda: [flip_matrix(4, Fraction(1, 4))], lambda T: bool(exchanged(T) and not isometric(T))),
        ),
        fails=(
            NearMiss("the same factor for four classes", flip_scaled(4), alters="hypothesis"),
            NearMiss(
                "twoing rescales by one factor under pair-flip noise of three classes too",
                Exhaustive(lambda: [twoing], lambda c: one_factor(c, Fraction(1, 4))),
            ),
        ),
    ),
]
