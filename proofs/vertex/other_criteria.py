"""Criteria that are no decrease of an impurity: where their best splits are.

Source: breiman1996, Sections 2 and 3.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from splitcrit.criteria import Criterion, normalised, one_vs_rest_pairwise_gain, pairwise_gain, sum_minority
from splitcrit.impurities import entropy, gini
from splitcrit.proof import All, Claim, Each, Exhaustive, Fact, Identity, Induction, NearMiss, Smt, Theorem, upto
from splitcrit.proofs.common import error_decrease, exactly, gini_decrease, lefts, node_size, score, split, up_to
from splitcrit.proofs.logs import LOGS
from splitcrit.proofs.noise.misclassification import minority
from splitcrit.proofs.vertex import nodes
from splitcrit.proofs.vertex.concavity import convex_gain
from splitcrit.proofs.vertex.premises import bauer, by_definition, by_kernel, by_theorem
from splitcrit.proofs.vertex.twoing import FOUR, Split, of_plain, small_splits

VERTEX = "vertex-optimal split"

SHARES = {"p0": "positive", "p1": "positive", "alpha0": "rate", "alpha1": "rate"}
CELLS = dict.fromkeys("abc", "rate")


def pairwise(v: Any, m: Any) -> Any:
    """The pairwise gain of the split that sends the shares alpha0 and alpha1 of two classes left."""
    left = [v.alpha0 * v.p0, v.alpha1 * v.p1]
    return pairwise_gain.score([left, [v.p0 - left[0], v.p1 - left[1]]], m)


def sum_is_convex() -> Claim:
    """Claim that a sum of values, each at most the mixture of two others, is at most the mixture of their sums."""
    return Induction(
        "K",
        dict.fromkeys("fgh", "real"),
        lambda entries, v, m: sum(v.t * e.f + (1 - v.t) * e.g - e.h for e in entries),
        lambda e, v, m: [e.f, e.g, e.h],
        lambda sums, v, m: v.t * sums[0] + (1 - v.t) * sums[1] - sums[2],
        relation=">=",
        shared={"t": "rate"},
        where=lambda e, v, m: [e.h <= v.t * e.f + (1 - v.t) * e.g],
    )


def node_errors(t: Split) -> Any:
    """The misclassification impurity of the node of a split."""
    node = [x + y for x, y in zip(*t, strict=True)]
    return 1 - Fraction(max(node), sum(node))


def symmetric(criterion: Criterion) -> Claim:
    """Claim that a decrease is the same of a table and of its transpose."""

    return Identity(
        dict.fromkeys("abcd", "positive"),
        lambda v, m: criterion.score([[v.a, v.b], [v.c, v.d]], m),
        lambda v, m: criterion.score([[v.a, v.c], [v.b, v.d]], m),
    )


def is_one(counts: nodes.Counts, left: nodes.Counts) -> bool:
    """Tell, by exact logarithms, whether entropy's decrease is the entropy of the sizes."""
    table = exactly(split(counts, left))
    sizes = [sum(row) / sum(counts) for row in table]
    return bool(nodes.entropy_decrease.score(table, LOGS) == entropy.of(sizes, LOGS))


def one_at_vertices_only(counts: nodes.Counts) -> bool:
    inner = [left for left in lefts(counts) if not nodes.is_vertex(counts, left)]
    below = all(nodes.enclosed(nodes.gain_ratio, split(counts, left)) < 1 for left in inner)
    return below and all(is_one(counts, left) for left in nodes.vertices(counts))


def gini_ratio_is_constant(counts: nodes.Counts) -> bool:
    scores = [nodes.enclosed(normalised(gini), split(counts, left)) for left in nodes.vertices(counts)]
    return not any(nodes.above(x, y) for x in scores for y in scores)


THEOREMS = [
    Theorem(
        key="vertex.pairwise_gains_are_convex",
        statement="the pairwise gain is (N_pos N_neg / 2)|alpha_pos - alpha_neg|, and its one-vs-rest sum is the sum of"
        " absolute values of l_k N_R - r_k N_L = l_k N - n_k N_L, linear in what is sent left: both are convex and"
        " largest at a vertex, where the sum is N_L N_R / 2",
        source="breiman1996, Section 2",
        holds=All(
            Identity(
                SHARES, lambda v, m: pairwise(v, m) ** 2, lambda v, m: (v.p0 * v.p1 * (v.alpha0 - v.alpha1) / 2) ** 2
            ),
            Identity(FOUR, of_plain(one_vs_rest_pairwise_gain), of_plain(pairwise_gain)),
            Identity(
                dict.fromkeys("lLnN", "count"),
                lambda v, m: v.l * (v.N - v.L) - (v.n - v.l) * v.L,
                lambda v, m: v.l * v.N - v.n * v.L,
            ),
            Smt(
                {"x": "real", "y": "real", "t": "rate"},
                lambda v, m: m.abs(v.t * v.x + (1 - v.t) * v.y) <= v.t * m.abs(v.x) + (1 - v.t) * m.abs(v.y),
            ),
            sum_is_convex(),
            convex_gain(one_vs_rest_pairwise_gain),
            up_to(
                7,
                nodes.node_vertices,
                lambda c: 2 * score(one_vs_rest_pairwise_gain, split(*c)) == sum(c[1]) * sum(split(*c)[1]),
                node_size,
            ),
        ),
        fails=(
            NearMiss(
                "the one-vs-rest sum isolates a most frequent class",
                nodes.of_nodes(
                    lambda n: nodes.best_vertices(one_vs_rest_pairwise_gain, n) <= nodes.isolating_vertices(n), 7
                ),
            ),
            NearMiss(
                "the pairwise gain is (N_pos N_neg / 2)(alpha_pos - alpha_neg)^2",
                Identity(SHARES, pairwise, lambda v, m: v.p0 * v.p1 * (v.alpha0 - v.alpha1) ** 2 / 2),
            ),
        ),
        premises=(by_kernel("py_one_vs_rest_best_split_divides_no_class", "K", "N"), bauer()),
        facts=(
            Fact(repr(pairwise_gain), VERTEX, "2", True),
            Fact(repr(one_vs_rest_pairwise_gain), VERTEX, "all", True),
        ),
    ),
    Theorem(
        key="vertex.sum_minority_is_error_decrease",
        statement="sum_minority is the decrease of misclassification less the node's own error, row by row, hence"
        " orders the splits of a node alike and is largest at a vertex",
        source="breiman1996, Theorem 1",
        holds=All(
            Each("K", (2, 3, 4), minority),
            Exhaustive(small_splits, lambda t: score(sum_minority, t) == score(error_decrease, t) - node_errors(t)),
        ),
        fails=(
            NearMiss(
                "it is the decrease of misclassification",
                Exhaustive(small_splits, lambda t: score(sum_minority, t) == score(error_decrease, t)),
            ),
            NearMiss(
                "every split that separates anything makes fewer errors than the node",
                Exhaustive(
                    small_splits, lambda t: score(sum_minority, t) > -node_errors(t) or score(gini_decrease, t) == 0
                ),
            ),
        ),
        premises=(
            by_kernel("py_misclassification_gain_is_sum_minority", "K"),
            by_theorem("vertex.best_split_of_concave_impurity"),
            by_theorem("impurity.misclassification_is_concave"),
        ),
        facts=(Fact(repr(sum_minority), VERTEX, "all", True),),
    ),
    Theorem(
        key="vertex.gain_ratio_is_one_at_every_vertex",
        statement="the gain ratio, entropy's decrease over the entropy of the sizes, is 1 at every vertex and less"
        " elsewhere: the decrease is symmetric in sides and classes, hence the entropy of the sizes less that of the"
        " sides within each class",
        source="breiman1996, eq. (3.3)",
        holds=All(symmetric(nodes.entropy_decrease), up_to(6, nodes.nodes, one_at_vertices_only, K=upto(3))),
        fails=(
            NearMiss(
                "it is 1 at the balanced vertices only",
                nodes.of_nodes(
                    lambda n: (
                        not any(is_one(n, left) for left in nodes.vertices(n) if left not in nodes.balanced_vertices(n))
                    ),
                    5,
                ),
            ),
            NearMiss(
                "Gini's decrease over the entropy of the sizes is also the same at every vertex",
                Exhaustive(lambda: nodes.nodes(5), gini_ratio_is_constant),
            ),
            NearMiss("Gini's decrease is symmetric in sides and classes as well", symmetric(gini_decrease)),
        ),
        premises=(
            by_definition("K", "N"),
            by_theorem("vertex.entropy_gain_is_entropy_of_sizes"),
            by_theorem("impurity.zero_only_at_pure_nodes"),
        ),
        facts=(Fact(repr(nodes.gain_ratio), VERTEX, "all", True),),
    ),
]
