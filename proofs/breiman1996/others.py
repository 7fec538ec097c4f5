"""Criteria that are no decrease of an impurity: where their best splits are.

Main results: twoing is the best two-group Gini decrease, P_L P_R at a vertex; the gain ratio is 1 at every vertex; the
imprecise information gain can be largest inside.
Source: breiman1996, Sections 2 and 3 (twoing in its form of 1984, with the square outside the sum).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from splitcrit.criteria import (
    Criterion,
    decrease,
    imprecise_information_gain,
    normalised,
    one_vs_rest_pairwise_gain,
    pairwise_gain,
    replace,
    sum_minority,
    twoing,
    twoing_superclasses,
)
from splitcrit.impurities import entropy, gini, misclassification
from splitcrit.nulls import agini, sgini
from splitcrit.proof import BALL, All, Ball, Claim, Exhaustive, Fact, Identity, NearMiss, Sign, Smt, Theorem
from splitcrit.proofs.breiman1996.concave import convex_gain
from splitcrit.proofs.breiman1996.nodes import (
    Counts,
    balanced_vertices,
    best_vertices,
    formal,
    is_vertex,
    isolating_vertices,
    nodes,
    rational,
    vertices,
)
from splitcrit.proofs.common import binary_splits, gini_decrease, lefts, score, split

Split = tuple[Counts, Counts]
FOUR = dict.fromkeys("abcd", "positive")
SHARES = {"p0": "positive", "p1": "positive", "alpha0": "rate", "alpha1": "rate"}
gain_ratio, credal = normalised(entropy), imprecise_information_gain(1)
entropy_decrease = decrease(entropy)

# ---- twoing ----


def groups(classes: int) -> Iterator[tuple[int, ...]]:
    """Yield every choice of classes for the first of two groups, neither empty."""
    for mask in range(1, 2**classes - 1):
        yield tuple(k for k in range(classes) if mask >> k & 1)


def grouped(t: Split, group: tuple[int, ...]) -> list[list[int]]:
    """Return the table of two classes in which the first holds the classes of a group."""
    inside = [sum(row[k] for k in group) for row in t]
    return [[x, sum(row) - x] for x, row in zip(inside, t, strict=True)]


def half_best_grouping(t: Split) -> Any:
    return max(score(gini_decrease, grouped(t, group)) for group in groups(len(t[0]))) / 2


def superclasses_attain(t: Split) -> bool:
    return bool(score(gini_decrease, grouped(t, twoing_superclasses(t)[0])) == 2 * score(twoing, t))


def more_counted_attain(t: Split) -> bool:
    """Tell whether the classes with at least as many members left as right would do as the first group."""
    group = tuple(k for k, (x, y) in enumerate(zip(*t, strict=True)) if x >= y)
    return bool(score(gini_decrease, grouped(t, group)) == 2 * score(twoing, t))


def printed_twoing(t: Any, m: Any) -> Any:
    """Return (2.2) as printed, with the squares inside the sum."""
    left, right = sum(t[0]), sum(t[1])
    apart = sum((x / left - y / right) ** 2 for x, y in zip(*t, strict=True))
    return left * right / (left + right) ** 2 / 4 * apart


printed = Criterion("twoing as printed", printed_twoing, rows=2)


def small_splits() -> Iterator[Split]:
    yield from binary_splits(6, 3)
    yield from binary_splits(4, 4)


def plain(v: Any) -> list[list[Any]]:
    return [[v.a, v.b], [v.c, v.d]]


def of_plain(criterion: Criterion) -> Callable[[Any, Any], Any]:
    return lambda v, m: criterion.score(plain(v), m)


DEVIATIONS = dict.fromkeys(("positive", "negative", "chosen", "against"), "count")


def any_choice_gets_half(v: Any, m: Any) -> Any:
    """State that any choice of positive and negative deviations sums to at most half of all absolute ones."""
    return m.abs(v.chosen - v.against) <= (v.positive + v.negative) / 2


def deviations(v: Any, m: Any) -> list[Any]:
    return [v.positive == v.negative, v.chosen <= v.positive, v.against <= v.negative]


def is_product_of_sizes(case: tuple[Counts, Counts]) -> bool:
    counts, left = case
    n, first = sum(counts), sum(left)
    return bool(score(twoing, split(counts, left)) == Fraction(first * (n - first), n * n))


def node_vertices(most: int) -> Iterator[tuple[Counts, Counts]]:
    yield from ((counts, left) for counts in nodes(most) for left in vertices(counts))


# ---- pairwise gains and errors ----


def shared(v: Any) -> list[list[Any]]:
    """Return the split that sends the shares alpha0 and alpha1 of two classes left."""
    left = [v.alpha0 * v.p0, v.alpha1 * v.p1]
    return [left, [v.p0 - left[0], v.p1 - left[1]]]


def pairwise_squared(v: Any, m: Any) -> Any:
    return pairwise_gain.score(shared(v), m) ** 2


def difference_squared(v: Any, m: Any) -> Any:
    return (v.p0 * v.p1 * (v.alpha0 - v.alpha1) / 2) ** 2


def shares_of_row(v: Any) -> list[Any]:
    return [x / (v.x + v.y + v.z) for x in (v.x, v.y, v.z)]


def node_errors(t: Split) -> Any:
    """Return the misclassification impurity of the node of a split."""
    node = [x + y for x, y in zip(*t, strict=True)]
    return 1 - Fraction(max(node), sum(node))


# ---- gain ratio ----

CELLS = dict.fromkeys("abc", "rate")


def cells(v: Any) -> list[list[Any]]:
    return [[v.a, v.b], [v.c, 1 - v.a - v.b - v.c]]


def all_cells(v: Any, m: Any) -> list[Any]:
    return [x > 0 for row in cells(v) for x in row]


def information(v: Any, m: Any) -> Any:
    return entropy_decrease.score(cells(v), formal(m))


def transposed_information(v: Any, m: Any) -> Any:
    return entropy_decrease.score([list(row) for row in zip(*cells(v), strict=True)], formal(m))


def ball_scores(criterion: Criterion, counts: Counts) -> dict[Counts, Ball]:
    """Return enclosures of the scores of all splits of a node."""
    return {left: Ball(criterion.score(rational(split(counts, left), BALL), BALL)) for left in lefts(counts)}


def one_at_vertices_only(counts: Counts) -> bool:
    return all(
        bool((found - 1).arb.contains(0)) if is_vertex(counts, left) else found < 1
        for left, found in ball_scores(gain_ratio, counts).items()
    )


def one_at_balanced_only(counts: Counts) -> bool:
    chosen = balanced_vertices(counts)
    scores = ball_scores(gain_ratio, counts)
    return all(left in chosen or not (scores[left] - 1).arb.contains(0) for left in vertices(counts))


def gini_ratio_is_constant(counts: Counts) -> bool:
    scores = ball_scores(normalised(gini), counts)
    found = [scores[left] for left in vertices(counts)]
    return all(bool((x - found[0]).arb.contains(0)) for x in found)


# ---- credal and chance-corrected gains ----


def halved(counts: Counts, left: Any) -> Any:
    """Return a split that may send fractions of an example left."""
    return left, [n - x for n, x in zip(counts, left, strict=True)]


def inside_beats_vertices(left: tuple[Fraction, ...], counts: Counts) -> Claim:
    """Claim that sending ``left`` scores more than every vertex of the node, for the imprecise information gain."""

    def values(m: Any) -> list[Any]:
        scores = [credal.score(rational(halved(counts, side), m), m) for side in (left, *vertices(counts))]
        return [scores[0] - x for x in scores[1:]]

    return Sign(values)


def vertex_beats_all(criterion: Criterion) -> Callable[[Counts], bool]:
    """Return the statement that at a node some vertex scores strictly more than every split that is none."""

    def holds(counts: Counts) -> bool:
        found = {left: Ball(criterion.score(split(counts, left), BALL)) for left in lefts(counts)}
        top = [found[left] for left in vertices(counts)]
        return all(any(best > x for best in top) for left, x in found.items() if not is_vertex(counts, left))

    return holds


def some_vertex_beats_all(criterion: Criterion, most: int = 8) -> Claim:
    return Exhaustive(lambda: (n for n in nodes(most) if len(n) <= 3), vertex_beats_all(criterion))


def isolating_is_best(counts: Counts) -> bool:
    """Tell whether no vertex scores more SGini than each that isolates a most frequent class."""
    found = {left: Ball(sgini.score(split(counts, left), BALL)) for left in vertices(counts)}
    return not any(bool((found[left] - found[alone]).arb > 0) for alone in isolating_vertices(counts) for left in found)


HALF = Fraction(1, 2)

THEOREMS = [
    Theorem(
        key="vertex.twoing_is_half_best_grouped_gini",
        statement="twoing, (P_L P_R / 4)(sum_j |p_jL - p_jR|)^2, is half of the largest Gini decrease over all"
        " groupings of the classes in two, reached by those with p_jL >= p_jR against the others; so it is convex in"
        " alpha and largest at a vertex",
        source="breiman1996, eq. (2.2)",
        scope="all K: any choice among deviations that sum to 0; enumerated at K = 3, N <= 6 and K = 4, N <= 4",
        holds=All(
            Identity(FOUR, of_plain(twoing), lambda v, m: gini_decrease.score(plain(v), m) / 2),
            Smt(
                dict.fromkeys(("positive", "negative", "chosen", "against"), "count"), any_choice_gets_half, deviations
            ),
            Exhaustive(small_splits, lambda t: score(twoing, t) == half_best_grouping(t) and superclasses_attain(t)),
            convex_gain(twoing),
        ),
        fails=(
            NearMiss(
                "the same with the squares inside the sum, as printed",
                Exhaustive(small_splits, lambda t: score(printed, t) == half_best_grouping(t)),
            ),
            NearMiss(
                "the superclasses are the classes with more members left than right, not relatively more",
                Exhaustive(small_splits, more_counted_attain),
            ),
            NearMiss(
                "it is the largest Gini decrease itself",
                Exhaustive(small_splits, lambda t: score(twoing, t) == 2 * half_best_grouping(t)),
            ),
        ),
        premises=("vertex.best_split_of_concave_impurity", "the largest of several convex functions is convex"),
        added="the square stands outside the sum",
        latex=r"\tfrac{P_LP_R}{4}\Bigl(\sum_j|p_{jL}-p_{jR}|\Bigr)^2 = \tfrac12\max_C\Delta\mathrm{Gini}_{C,C^c}",
        facts=(Fact(repr(twoing), "vertex-optimal split", "all", True),),
    ),
    Theorem(
        key="vertex.twoing_is_product_of_sizes",
        statement="at a vertex twoing is P_L P_R, so that its best vertices are those with |P_L - 1/2| least",
        source="breiman1996, Section 3",
        scope="all K: at a vertex every absolute deviation is n_k times the other side's size; enumerated at N <= 8",
        holds=All(
            Smt(
                {"left": "positive", "right": "positive"},
                lambda v, m: twoing.score([[v.left, 0], [0, v.right]], m) * (v.left + v.right) ** 2 == v.left * v.right,
            ),
            Exhaustive(lambda: node_vertices(8), is_product_of_sizes),
            Exhaustive(lambda: nodes(8), lambda n: best_vertices(twoing, n) == balanced_vertices(n)),
        ),
        fails=(
            NearMiss(
                "it is P_L P_R / 4",
                Exhaustive(
                    lambda: node_vertices(8),
                    lambda c: score(twoing, split(*c)) * 4 == Fraction(sum(c[1]) * sum(split(*c)[1]), sum(c[0]) ** 2),
                ),
            ),
            NearMiss(
                "the form printed has its best vertices there too",
                Exhaustive(lambda: nodes(8), lambda n: best_vertices(printed, n) == balanced_vertices(n)),
            ),
        ),
    ),
    Theorem(
        key="vertex.printed_twoing_is_quarter_of_gini",
        statement="(2.2) as printed, with the squares inside the sum, is a quarter of Gini's decrease, so that its best"
        " vertices isolate a most frequent class",
        source="breiman1996, eq. (2.2)",
        scope="two classes for all counts; K = 3, N <= 6 and K = 4, N <= 4",
        holds=All(
            Identity(FOUR, of_plain(printed), lambda v, m: gini_decrease.score(plain(v), m) / 4),
            Exhaustive(small_splits, lambda t: 4 * score(printed, t) == score(gini_decrease, t)),
        ),
        fails=(
            NearMiss("it is twoing itself at two classes", Identity(FOUR, of_plain(printed), of_plain(twoing))),
            NearMiss(
                "it orders splits of three classes as twoing does",
                Exhaustive(lambda: nodes(7), lambda n: bool(best_vertices(printed, n) & best_vertices(twoing, n))),
            ),
        ),
    ),
    Theorem(
        key="vertex.pairwise_gains_are_convex",
        statement="the pairwise gain is (N_pos N_neg / 2)|alpha_pos - alpha_neg|, and its one-vs-rest sum is the sum of"
        " absolute values of linear functions of alpha: both are convex and largest at a vertex, where the sum is"
        " N_L N_R / 2",
        source="breiman1996, Section 2",
        scope="K = 2 for the pairwise gain; all K for the sum, enumerated at K = 3, N <= 5",
        holds=All(
            Identity(SHARES, pairwise_squared, difference_squared),
            Identity(FOUR, of_plain(one_vs_rest_pairwise_gain), of_plain(pairwise_gain)),
            Smt(
                {"x": "real", "y": "real", "t": "rate"},
                lambda v, m: m.abs(v.t * v.x + (1 - v.t) * v.y) <= v.t * m.abs(v.x) + (1 - v.t) * m.abs(v.y),
            ),
            convex_gain(one_vs_rest_pairwise_gain),
            Exhaustive(
                lambda: node_vertices(7),
                lambda c: 2 * score(one_vs_rest_pairwise_gain, split(*c)) == sum(c[1]) * sum(split(*c)[1]),
            ),
        ),
        fails=(
            NearMiss(
                "the one-vs-rest sum isolates a most frequent class",
                Exhaustive(
                    lambda: nodes(7), lambda n: best_vertices(one_vs_rest_pairwise_gain, n) <= isolating_vertices(n)
                ),
            ),
            NearMiss(
                "the pairwise gain is (N_pos N_neg / 2)(alpha_pos - alpha_neg)^2",
                Identity(
                    SHARES,
                    lambda v, m: pairwise_gain.score(shared(v), m),
                    lambda v, m: v.p0 * v.p1 * (v.alpha0 - v.alpha1) ** 2 / 2,
                ),
            ),
        ),
        premises=("hand argument: l_k N_R - r_k N_L = l_k N - n_k N_L is linear in the counts sent left",),
        facts=(
            Fact(repr(pairwise_gain), "vertex-optimal split", "2", True),
            Fact(repr(one_vs_rest_pairwise_gain), "vertex-optimal split", "all", True),
        ),
    ),
    Theorem(
        key="vertex.sum_minority_is_error_decrease",
        statement="sum_minority is the decrease of misclassification less the node's own error, hence orders the splits"
        " of a node alike and is largest at a vertex",
        source="breiman1996, Theorem 1",
        scope="all K and any rows, row by row; K = 3 over the reals; tables of K = 3 for N <= 6, K = 4 for N <= 4",
        holds=All(
            Smt(
                dict.fromkeys(("x", "y", "z"), "positive"),
                lambda v, m: sum_minority.score([[v.x, v.y, v.z]], m) == -misclassification.of(shares_of_row(v), m),
            ),
            Exhaustive(
                small_splits,
                lambda t: score(sum_minority, t) == score(decrease(misclassification), t) - node_errors(t),
            ),
        ),
        fails=(
            NearMiss(
                "it is the decrease of misclassification",
                Exhaustive(small_splits, lambda t: score(sum_minority, t) == score(decrease(misclassification), t)),
            ),
            NearMiss(
                "every split that separates anything makes fewer errors than the node",
                Exhaustive(
                    small_splits, lambda t: score(sum_minority, t) > -node_errors(t) or score(gini_decrease, t) == 0
                ),
            ),
        ),
        premises=("vertex.best_split_of_concave_impurity", "impurity.misclassification_is_concave"),
        facts=(Fact(repr(sum_minority), "vertex-optimal split", "all", True),),
    ),
    Theorem(
        key="vertex.gain_ratio_is_one_at_every_vertex",
        statement="the gain ratio, entropy's decrease over the entropy of the sizes, is 1 at every vertex and less"
        " elsewhere: the decrease is symmetric in sides and classes, hence the entropy of the sizes less that of the"
        " sides within each class",
        source="breiman1996, eq. (3.3)",
        scope="the symmetry at K = 2 for all shares, at all K cell by cell; enumerated for at most 3 classes, N <= 6",
        holds=All(
            Identity(CELLS, information, transposed_information, all_cells),
            Exhaustive(lambda: (n for n in nodes(6) if len(n) <= 3), one_at_vertices_only),
        ),
        fails=(
            NearMiss(
                "it is 1 at the balanced vertices only",
                Exhaustive(lambda: nodes(5), one_at_balanced_only),
            ),
            NearMiss(
                "Gini's decrease over the entropy of the sizes is also the same at every vertex",
                Exhaustive(lambda: nodes(5), gini_ratio_is_constant),
            ),
            NearMiss(
                "Gini's decrease is symmetric in sides and classes as well",
                Identity(
                    CELLS,
                    lambda v, m: gini_decrease.score(cells(v), m),
                    lambda v, m: gini_decrease.score([list(row) for row in zip(*cells(v), strict=True)], m),
                    all_cells,
                ),
            ),
        ),
        premises=("vertex.entropy_gain_is_entropy_of_sizes", "impurity.zero_only_at_pure_nodes"),
        facts=(Fact(repr(gain_ratio), "vertex-optimal split", "all", True),),
    ),
    Theorem(
        key="vertex.imprecise_gain_can_be_best_inside",
        statement="the imprecise information gain with s = 1 is larger when a node of counts 2, 2, 1 sends (0, 2, 1/2)"
        " left than at any of its vertices; among splits of whole examples some vertex is best in small nodes",
        source="breiman1996, Theorem 1",
        scope="the node 2, 2, 1, by enclosures; whole examples for at most 3 classes, N <= 8",
        holds=All(
            inside_beats_vertices((Fraction(0), Fraction(2), HALF), (2, 2, 1)),
            some_vertex_beats_all(credal),
        ),
        fails=(
            NearMiss(
                "so it is at (0, 3/2, 1)",
                inside_beats_vertices((Fraction(0), 3 * HALF, Fraction(1)), (2, 2, 1)),
            ),
            NearMiss(
                "so it is in a node of two classes, of counts 2, 1, at (0, 1/2)",
                inside_beats_vertices((Fraction(0), HALF), (2, 1)),
                alters="hypothesis",
            ),
        ),
        facts=(Fact(repr(credal), "vertex-optimal split", ">2", False),),
    ),
    Theorem(
        key="vertex.chance_corrected_gain_is_best_at_a_vertex",
        statement="in small nodes some vertex scores strictly more SGini, and strictly more AGini, than every split"
        " that divides a class",
        source="breiman1996, Theorem 1",
        scope="at most 3 classes, N <= 8",
        holds=All(some_vertex_beats_all(sgini), some_vertex_beats_all(agini)),
        fails=(
            NearMiss(
                "the same for AGini under the law of permutations",
                some_vertex_beats_all(replace(agini, model="permutation"), 5),
                alters="hypothesis",
            ),
            NearMiss(
                "SGini's best vertices isolate a most frequent class, as Gini's do",
                Exhaustive(lambda: nodes(7), isolating_is_best),
            ),
        ),
    ),
]
