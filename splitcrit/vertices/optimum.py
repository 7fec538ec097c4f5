"""The best split of a node when every split is allowed, which for concave impurities divides no class.

Main definitions: ``optimal_vertex``, ``Vertex``.
Main results: Gini isolates a most frequent class (``vertex.gini_isolates_most_frequent_class``); entropy, twoing and
the one-against-rest gain balance the sides (``vertex.entropy_balances_sizes``, ``vertex.twoing_is_product_of_sizes``).
A shortcut is taken only where ``facts.json`` says that the best split is a vertex.
Source: breiman1996, Sections 2 and 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, Literal

from splitcrit.criteria import Criterion, as_criterion, decrease, one_vs_rest_pairwise_gain, twoing
from splitcrit.criteria.base import Decrease
from splitcrit.criteria.facts import Known, known
from splitcrit.impurities import entropy, gini
from splitcrit.impurities.base import Scaled
from splitcrit.values import complaint
from splitcrit.vertices.balance import Found, bitset, halves
from splitcrit.vertices.enumeration import MOST_CLASSES, best_by_enumeration
from splitcrit.vertices.karmarkar_karp import differencing
from splitcrit.vertices.node import Node

Method = Literal["auto", "closed_form", "bitset", "meet_in_the_middle", "karmarkar_karp", "brute_force"]

MOST_HALVED = 40  # classes whose subsets meet in the middle
MOST_WORDS = 2**28  # words that the bitset may go through
NAMES = {
    "closed_form": "closed form",
    "bitset": "bitset dynamic programme",
    "meet_in_the_middle": "meet in the middle",
    "karmarkar_karp": "complete Karmarkar-Karp",
    "brute_force": "brute force",
}
ISOLATES = (decrease(gini),)
BALANCES = (decrease(entropy), twoing, one_vs_rest_pairwise_gain)


@dataclass(frozen=True)
class Vertex:
    """A best split of a node among those that divide no class.

    A split and the same with its sides exchanged are listed once, the most frequent class (the first of them) on the
    left. Classes that are absent stand on neither side.

    Attributes
    ----------
    left, right : tuple of int
        The classes sent to each side.
    share : Fraction or float
        P_L, the part of the node sent left.
    value : Fraction or float
        The score; exact where the entries are and the score is rational.
    ties : tuple of tuple of int
        The left sides of the splits that are as good, ``left`` first; all of them if ``complete``.
    complete : bool
        Whether ``ties`` holds all.
    method : str
        What found it.
    proven : bool
        Whether no vertex is better; up to rounding where shares are floats.
    gap : Fraction or float
        At most so much nearer to 1/2 the ``share`` of a better vertex can be; 0 if ``proven``.
    best_of_all_splits : {"proved", "refuted", "unknown"}
        Whether the criterion's best split, classes divided or not, is known to be a vertex.
    """

    left: tuple[int, ...]
    right: tuple[int, ...]
    share: Any
    value: Any
    ties: tuple[tuple[int, ...], ...]
    complete: bool
    method: str
    proven: bool
    gap: Any
    best_of_all_splits: Known


def optimal_vertex(
    p: Any, criterion: Any, *, method: Method = "auto", most_ties: int = 64, steps: int = 100_000
) -> Vertex:
    """Return the classes sent left by the best split of a node, when every split is allowed.

    For a concave impurity the best of all splits divides no class. Gini isolates a most frequent class; entropy and
    twoing take a subset ``C`` with the least ``|P(C) - 1/2|``; any other criterion is scored on all subsets.

    Parameters
    ----------
    p
        Integer class counts, or class shares: Fractions or floats that sum to 1.
    criterion : Criterion or Impurity
        An impurity stands for its decrease.
    method : str
        ``"auto"`` or one of ``"closed_form"`` (Gini), ``"bitset"`` (integers), ``"meet_in_the_middle"`` (up to 40
        classes), ``"karmarkar_karp"`` (stops at any time, says how far it may be from the best) and ``"brute_force"``
        (up to 20 classes, any criterion).
    most_ties : int
        At most so many ties are listed.
    steps : int
        At most so many steps of the method of Karmarkar and Karp.

    Returns
    -------
    Vertex

    Raises
    ------
    ValueError
        If ``p`` is no class distribution or has fewer than two classes present, or the method does not fit.

    Notes
    -----
    Integers and Fractions are treated exactly. Of floats, sums that differ by less than ``J 2^-53`` are ties. Brute
    force calls scores that differ by less than 1e-11 of the node's impurity ties, unless it can decide exactly.

    Proved: vertex.best_split_of_concave_impurity, vertex.gini_isolates_most_frequent_class,
    vertex.entropy_balances_sizes, vertex.twoing_is_product_of_sizes

    References
    ----------
    breiman1996, Theorem 1, (3.3), (3.4) and the proposition.

    Examples
    --------
    >>> from splitcrit import entropy, gini, twoing
    >>> optimal_vertex([4, 3, 2, 1], gini).left
    (0,)
    >>> best = optimal_vertex([4, 3, 2, 1], twoing)
    >>> best.left, best.right, best.value, best.method
    ((0, 3), (1, 2), Fraction(1, 4), 'bitset dynamic programme')
    """
    node, criterion = Node.of(p), as_criterion(criterion)
    criterion.check(2, len(node.entries))
    chosen = _method(node, criterion, method)
    for what, number in (("most_ties", most_ties), ("steps", steps)):
        if number < 1:
            raise ValueError(complaint(f"{what} is at least 1", number, "ask for more"))
    found = _search(node, criterion, chosen, most_ties, steps)
    lefts, value = node.lefts(found.subsets), node.value(criterion, found.subsets[0])
    return Vertex(
        left=lefts[0],
        right=node.right(found.subsets[0]),
        share=node.share(found.subsets[0]),
        value=value,
        ties=lefts,
        complete=found.complete,
        method=NAMES[chosen],
        proven=found.proven,
        gap=node.number(0 if found.proven else Fraction(found.distance - node.total % 2, 2 * node.total)),
        best_of_all_splits=known(_origin(criterion), "vertex-optimal split", len(node.present)),
    )


def _search(node: Node, criterion: Criterion, method: str, most: int, steps: int) -> Found:
    if method == "brute_force":
        return best_by_enumeration(node, criterion, most)
    if method == "karmarkar_karp":
        return differencing(node, steps)
    exact: dict[str, Callable[[Node, int], Found]] = {"bitset": bitset, "meet_in_the_middle": halves}
    return exact.get(method, isolated)(node, most)


def isolated(node: Node, most: int) -> Found:
    """Return the subsets that isolate a most frequent class; where all are equally frequent, every subset."""
    top, bottom = node.weights[0], node.weights[-1]
    if top - bottom <= node.slack:
        subsets = list(islice(range(1, node.everything, 2), most + 1))
    else:
        ties = (i for i, w in enumerate(node.weights) if top - w <= node.slack)
        subsets = list(dict.fromkeys(node.anchored(1 << i) for i in islice(ties, most + 1)))
    return Found(tuple(subsets[:most]), len(subsets) <= most, True, 0)


# ---- which method ----


def _formula(criterion: Criterion) -> Any:
    """Return the formula behind a criterion, without a factor."""
    score = criterion.score
    of = score.impurity.of if isinstance(score, Decrease) else score
    while isinstance(of, Scaled):
        of = of.of
    return of


def _origin(criterion: Criterion) -> Criterion:
    """Return the criterion of the shortcuts that this one is a multiple of, or itself."""
    mine = _formula(criterion)
    return next((base for base in (*ISOLATES, *BALANCES) if _formula(base) is mine), criterion)


def shortcut_of(node: Node, criterion: Criterion) -> str | None:
    """Return what the best vertex does, if the vertex theorem is a recorded fact of the criterion."""
    base = _origin(criterion)
    if known(base, "vertex-optimal split", len(node.present)) != "proved":
        return None
    return "isolates" if base in ISOLATES else "balances" if base in BALANCES else None


def _words(node: Node) -> int:
    """Return how many words the bitset goes through."""
    return len(node.weights) * (node.total // 128 + 1)


def _method(node: Node, criterion: Criterion, method: str) -> str:
    """Return the method to use, or raise one sentence about why the one asked for does not fit."""
    shortcut, n = shortcut_of(node, criterion), len(node.present)
    if method == "auto":
        return _automatic(node, criterion, shortcut)
    if method not in NAMES:
        raise ValueError(complaint(f"method is 'auto' or one of {', '.join(NAMES)}", repr(method), "pass one of them"))
    needed = {"closed_form": "isolates", "brute_force": shortcut}.get(method, "balances")
    if shortcut != needed:
        which = "gini" if needed == "isolates" else "entropy, twoing and the one-against-rest gain"
        raise ValueError(complaint(f"{method} finds the best vertex of {which}", criterion.name, "use brute_force"))
    if method == "bitset" and (node.slack or _words(node) > MOST_WORDS):
        got = "floats" if node.slack else f"weights that sum to {node.total}"
        raise ValueError(complaint("the bitset needs integer counts of moderate sum", got, "use karmarkar_karp"))
    if method == "meet_in_the_middle" and n > MOST_HALVED:
        rule = f"subsets meet in the middle up to {MOST_HALVED} classes"
        raise ValueError(complaint(rule, n, "use bitset for small counts, karmarkar_karp for large ones"))
    return method


def _automatic(node: Node, criterion: Criterion, shortcut: str | None) -> str:
    n = len(node.present)
    if shortcut == "isolates":
        return "closed_form"
    if shortcut is None and n > MOST_CLASSES:
        rule = f"above {MOST_CLASSES} classes only the best vertex of gini, entropy, twoing and the like can be found"
        raise ValueError(complaint(rule, f"{n} for {criterion.name}", "merge rare classes, or use one of these"))
    if shortcut is None:
        return "brute_force"
    bits, sums = _words(node), n << (n + 1) // 2
    if not node.slack and bits <= (min(MOST_WORDS, 16 * sums) if n <= MOST_HALVED else MOST_WORDS):
        return "bitset"
    return "meet_in_the_middle" if n <= MOST_HALVED else "karmarkar_karp"
