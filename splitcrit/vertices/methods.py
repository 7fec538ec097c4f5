"""Which method finds the best vertex of a node, and what it costs; every vertex scored, where the classes are few.

Main definitions: ``method_for`` (the one asked for, or the quickest that fits), ``origin``, ``shortcut_of``,
``steps_of``; ``vertex_scores``, ``best_by_enumeration``, ``MOST_CLASSES``.
Main results: a shortcut is taken only where ``facts.json`` says that the best split is a vertex.
Source: breiman1996, Section 3.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from splitcrit.arguments import Array, affordable, microseconds, one_of
from splitcrit.arith import FLOAT, Irrational
from splitcrit.criteria import Criterion, as_criterion, decrease, one_vs_rest_pairwise_gain, twoing
from splitcrit.criteria.facts import known
from splitcrit.frozen import complaint
from splitcrit.impurities import entropy, gini
from splitcrit.vertices.balance import BalancedSubsets
from splitcrit.vertices.node import NodeShares

Method = Literal["auto", "closed_form", "bitset", "meet_in_the_middle", "karmarkar_karp", "brute_force"]

MOST_CLASSES = 20
BLOCK = 2**14
TIE = 1e-11  # scores closer than this, times the scale of the node, are ties, as in a search
DECIDED = 4096  # near-ties at most that are compared again in exact rationals
MOST_HALVED = 40  # classes whose subsets meet in the middle
WIDE = 2**61  # sums from which on integers of Python are needed
NAMES = {
    "closed_form": "closed form",
    "bitset": "bitset dynamic programme",
    "meet_in_the_middle": "meet in the middle",
    "karmarkar_karp": "complete Karmarkar-Karp",
    "brute_force": "brute force",
}
ISOLATES = (decrease(gini),)
BALANCES = (decrease(entropy), twoing, one_vs_rest_pairwise_gain)


def origin(criterion: Criterion) -> Criterion:
    """The criterion that this one is a multiple of, or itself."""
    base = criterion.search.multiple_of
    return criterion if base is None else as_criterion(base)


def shortcut_of(node: NodeShares, criterion: Criterion) -> str | None:
    """The best vertex, if the vertex theorem is a recorded fact of the criterion."""
    base = origin(criterion)
    if known(base, "vertex-optimal split", len(node.present)) != "holds":
        return None
    return "isolates" if base in ISOLATES else "balances" if base in BALANCES else None


def steps_of(node: NodeShares, method: str) -> int:
    """The steps of a method; those of Karmarkar and Karp until it has found a first subset."""
    n = len(node.present)
    halved = n << (n + 1) // 2
    return {
        "closed_form": 60 * n + n * n // 1000,
        "bitset": len(node.weights) * (node.total // 128 + 1) // 50,  # a step goes through 50 words
        "meet_in_the_middle": halved // (25 if node.total < WIDE else 2),
        "karmarkar_karp": n * n // 8,
        "brute_force": n << min(n, MOST_CLASSES) >> 4,
    }[method]


def method_for(node: NodeShares, criterion: Criterion, method: Any, limit: float) -> str:
    """Return the method to use, or raise one sentence about why none, or the one asked for, does not fit."""
    shortcut = shortcut_of(node, criterion)
    chosen: str = one_of(method, Method, "method")
    if chosen == "auto":
        chosen = _automatic(node, criterion, shortcut, limit)
    else:
        _demand(node, criterion, chosen, shortcut)
    remedy = "use karmarkar_karp" if shortcut == "balances" and chosen != "karmarkar_karp" else "merge rare classes"
    affordable(steps_of(node, chosen), limit, f"the best vertex by {chosen}", remedy)
    return chosen


def _demand(node: NodeShares, criterion: Criterion, method: str, shortcut: str | None) -> None:
    """Refuse a method that does not find the best vertex of this criterion at this node."""
    needed = {"closed_form": "isolates", "brute_force": shortcut}.get(method, "balances")
    if shortcut != needed:
        which = "gini" if needed == "isolates" else "entropy, twoing and the one-against-rest gain"
        raise ValueError(complaint(f"{method} finds the best vertex of {which}", criterion.name, "use brute_force"))
    if method == "bitset" and node.slack:
        raise ValueError(complaint("the bitset needs integer counts of moderate sum", "floats", "use karmarkar_karp"))
    if method == "meet_in_the_middle" and len(node.present) > MOST_HALVED:
        rule = f"subsets meet in the middle up to {MOST_HALVED} classes"
        raise ValueError(complaint(rule, len(node.present), "use bitset for small counts, karmarkar_karp for large"))


def _automatic(node: NodeShares, criterion: Criterion, shortcut: str | None, limit: float) -> str:
    n = len(node.present)
    if shortcut == "isolates":
        return "closed_form"
    if shortcut is None and n > MOST_CLASSES:
        rule = f"above {MOST_CLASSES} classes only the best vertex of gini, entropy, twoing and the like can be found"
        raise ValueError(complaint(rule, f"{n} for {criterion.name}", "merge rare classes, or use one of these"))
    if shortcut is None:
        return "brute_force"
    exact = [] if node.slack else ["bitset"]
    exact += ["meet_in_the_middle"] if n <= MOST_HALVED else []
    quickest = min(exact, key=lambda method: steps_of(node, method), default="karmarkar_karp")
    return "karmarkar_karp" if steps_of(node, quickest) > microseconds(limit) else quickest


# ---- every vertex ----


def memberships(node: NodeShares, places: Array) -> Array:
    """The classes ``(..., J)`` that the subsets at some places hold."""
    members = np.zeros((len(places), len(node.entries)), dtype=bool)
    members[:, node.present] = (2 * places[:, None] + 1) >> np.arange(len(node.present)) & 1
    return members


def vertex_scores(node: NodeShares, criterion: Criterion) -> Array:
    """The scores of all ``2^(J - 1) - 1`` splits that divide no class, for J classes present.

    Raises
    ------
    ValueError
        If more than 20 classes are present, or the criterion is not defined for such tables.
    """
    n = len(node.present)
    if n > MOST_CLASSES:
        rule = f"the splits of a node are enumerated up to {MOST_CLASSES} classes"
        raise ValueError(complaint(rule, n, "merge rare classes, or leave brute force"))
    integral = all(isinstance(x, int) for x in node.entries) and sum(node.entries) < 2**62
    entries = np.array([int(x) if integral else float(x) for x in node.entries])
    return np.concatenate([
        _block(criterion, entries, memberships(node, np.arange(start, min(start + BLOCK, 2 ** (n - 1) - 1))))
        for start in range(0, 2 ** (n - 1) - 1, BLOCK)
    ])  # fmt: skip


def _block(criterion: Criterion, entries: Array, left: Array) -> Array:
    return np.asarray(criterion(np.stack([entries * left, entries * ~left], axis=1)), dtype=float)


def tie_width(node: NodeShares, criterion: Criterion) -> float:
    """The width of ties of scores in floating point."""
    scale = criterion.scale
    if scale is not None:
        return TIE * float(scale(np.array(node.entries, dtype=float), FLOAT))
    return TIE * (1.0 if criterion.impurity is None else float(criterion.impurity([float(x) for x in node.entries])))


def best_by_enumeration(node: NodeShares, criterion: Criterion, most: int) -> BalancedSubsets:
    """The best of all vertices, with up to ``most`` ties.

    Ties are decided in exact rationals where entries are exact, the score is rational and the near-ties are few.
    """
    scores = vertex_scores(node, criterion)
    places = np.flatnonzero(scores >= scores.max() - tie_width(node, criterion))
    subsets = (2 * places + 1).tolist()  # bit 0, the most frequent class, is in every subset
    if not node.slack and 1 < len(subsets) <= DECIDED:
        subsets = _decided(node, criterion, subsets)
    return BalancedSubsets(tuple(subsets[:most]), len(subsets) <= most, True, 0)


def _decided(node: NodeShares, criterion: Criterion, subsets: list[int]) -> list[int]:
    try:
        values = [criterion.exact(node.table(subset)) for subset in subsets]
    except Irrational:
        return subsets
    top = max(values)
    return [subset for subset, value in zip(subsets, values, strict=True) if value == top]
