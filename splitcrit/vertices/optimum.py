"""The best split of a node when every split is allowed, which for concave impurities divides no class.

Main definitions: ``optimal_vertex``, ``Vertex``.
Main results: Gini isolates a most frequent class (``vertex.gini_isolates_most_frequent_class``); entropy, twoing and
the one-against-rest gain balance the sides (``vertex.entropy_balances_sizes``, ``vertex.twoing_is_product_of_sizes``).
Source: breiman1996, Sections 2 and 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from splitcrit.arguments import PATIENT, microseconds, of_kind, whole
from splitcrit.criteria import Criterion, as_criterion
from splitcrit.criteria.facts import Facts, Known, known
from splitcrit.display import described, shortened
from splitcrit.vertices.balance import BalancedSubsets, bitset, differencing, halves
from splitcrit.vertices.methods import NAMES, Method, best_by_enumeration, method_for, origin
from splitcrit.vertices.node import NodeShares

MOST_LISTED = 2**31  # ties
PASSED = "pass properties(criterion).facts, or None"


@dataclass(frozen=True, repr=False)
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
        How much nearer to 1/2 the ``share`` of a better vertex can be at most; 0 if ``proven``.
    best_of_all_splits : {"holds", "refuted", "unknown"}
        Whether the criterion's best split into whole examples, classes divided or not, is known to be a vertex.

    Examples
    --------
    >>> from splitcrit import gini
    >>> best = optimal_vertex([4, 3, 2, 1], gini)
    >>> best.left, best.right, best.share, best.proven
    ((0,), (1, 2, 3), Fraction(2, 5), True)
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

    __repr__ = shortened
    _repr_html_ = described


def optimal_vertex(
    p: Any, criterion: Any, *, method: Method = "auto", most_ties: int = 64, steps: int = 100_000,
    limit: float = PATIENT, facts: Facts | None = None,
) -> Vertex:  # fmt: skip
    """The classes sent left by the best split of a node, when every split is allowed.

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
        How many ties are listed at most.
    steps : int
        How many steps at most of the method of Karmarkar and Karp, each of which goes over the classes.
    limit : float
        How many seconds the search may take, as counted for one processor; ``"auto"`` leaves what takes more to
        Karmarkar and Karp.
    facts : Facts, optional
        What is settled about your own criterion, as ``properties(criterion).facts`` of `splitcrit.proof`.

    Returns
    -------
    Vertex

    Raises
    ------
    ValueError
        If ``p`` is no class distribution or has fewer than two classes present, the method does not fit, or it would
        take more than ``limit`` seconds.

    See Also
    --------
    vertex_landscape : All vertices rather than the best.
    fractional_optimum : Splits that may divide a class.
    best_subset_law : The p-value of a best subset of categories.

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
    node, criterion = NodeShares.of(p), as_criterion(criterion)
    criterion.check(2, len(node.entries))
    chosen = method_for(node, criterion, method, limit)
    most, wanted = whole(most_ties, "most_ties", 1, MOST_LISTED), whole(steps, "steps", 1)
    best = _search(node, criterion, chosen, most, min(wanted, 8 * microseconds(limit) // len(node.present)))
    lefts, value = tuple(map(node.left, best.subsets)), node.value(criterion, best.subsets[0])
    return Vertex(
        left=lefts[0],
        right=node.right(best.subsets[0]),
        share=node.share(best.subsets[0]),
        value=value,
        ties=lefts,
        complete=best.complete,
        method=NAMES[chosen],
        proven=best.proven,
        gap=node.number(0 if best.proven else Fraction(best.distance - node.total % 2, 2 * node.total)),
        best_of_all_splits=_is_best(criterion, len(node.present), facts),
    )


def _is_best(criterion: Criterion, classes: int, facts: Facts | None) -> Known:
    """Whether the best split is known to be a vertex, by a theorem or by facts that were passed."""
    passed = of_kind(facts, Facts | None, "facts are those of a row of properties", PASSED)
    verdict = known(origin(criterion), "vertex-optimal split", classes)
    return verdict if verdict != "unknown" or passed is None else passed.known("vertex-optimal split", classes)


def _search(node: NodeShares, criterion: Criterion, method: str, most: int, steps: int) -> BalancedSubsets:
    if method == "brute_force":
        return best_by_enumeration(node, criterion, most)
    if method == "karmarkar_karp":
        return differencing(node, steps)
    exact: dict[str, Callable[[NodeShares, int], BalancedSubsets]] = {"bitset": bitset, "meet_in_the_middle": halves}
    return exact.get(method, isolated)(node, most)


def isolated(node: NodeShares, most: int) -> BalancedSubsets:
    """The subsets that isolate a most frequent class; where all are equally frequent, every subset."""
    top, bottom = node.weights[0], node.weights[-1]
    if top - bottom <= node.slack:
        subsets = list(islice(range(1, node.everything, 2), most + 1))
    else:
        ties = (i for i, w in enumerate(node.weights) if top - w <= node.slack)
        subsets = list(dict.fromkeys(node.anchored(1 << i) for i in islice(ties, most + 1)))
    return BalancedSubsets(tuple(subsets[:most]), len(subsets) <= most, True, 0)
