"""The best subset of the categories of a feature to send left, for many nodes at once.

A node is a table of additive statistics by category: class weights, or weight and sum of responses. Where it is proved
that some best subset is a cut of the order by mean response, the order is all a search of thresholds needs; elsewhere
all subsets are scored up to a stated number of categories, and beyond it the cuts of a few orders: by the share of each
class, and along the first principal component of the class proportions.

Main definitions: ``shortcut``, ``mean_response``, ``principal_response``, ``ranks``, ``best_order``, ``best_subsets``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.criteria.facts import known
from splitcrit.trees.scan.open_nodes import Limits
from splitcrit.trees.scan.records import LARGER, SQUARINGS
from splitcrit.trees.scan.ties_and_scores import at_least, formula_scores, guard

Scores = Callable[[Array, Array, Array], Array]
# Statistics of left sides looked at together.
BLOCK = 1 << 19


def shortcut(criterion: Criterion, classes: int) -> bool:
    """Whether some best subset is proved to be a cut of the order of categories by mean response.

    Proved: vertex.cut_is_best_of_convex_score, vertex.cut_is_best_of_gain_ratio.

    Examples
    --------
    >>> from splitcrit import decrease, gini, sgini
    >>> shortcut(decrease(gini), 2), shortcut(decrease(gini), 3), shortcut(sgini, 2)
    (True, False, False)
    """
    return classes == 2 and known(criterion, "ordering shortcut", 2) == "holds"


def simpler(criterion: Criterion, classes: int, binding: bool) -> tuple[bool, bool]:
    """Whether the ``shortcut`` holds, and whether a best subset parts no categories whose samples all have one class.

    A score that is convex in what goes left of these is largest where all go one way. Limits that bind permit neither.
    """
    free = not binding and classes > 1  # of one class no node is divided
    return free and shortcut(criterion, classes), free and known(criterion, "concave", classes) == "holds"


def joined(tables: Array, sizes: Array) -> tuple[Array, Array, Array]:
    """Tables ``(m, J, K)`` and sizes ``(m, J)`` with the categories of each class alone in the last of them.

    Last comes the category ``(m, J)`` that holds each one's samples then, mostly itself.

    Examples
    --------
    >>> tables = np.array([[[2, 0], [1, 1], [3, 0], [0, 1]]])
    >>> joined(tables, tables.sum(axis=2))[0].tolist(), joined(tables, tables.sum(axis=2))[2].tolist()
    ([[[0, 0], [1, 1], [5, 0], [0, 1]]], [[2, 1, 2, 3]])
    """
    alone = (tables == tables.sum(axis=2)[..., None]) & (tables > 0)
    codes, node = np.arange(sizes.shape[1]), np.arange(len(sizes))[:, None]
    last = codes[-1] - alone[:, ::-1].argmax(axis=1)
    leader = np.where(alone.any(axis=2), np.take_along_axis(last, alone.argmax(axis=2), axis=1), codes)
    together, rows = np.zeros_like(tables), np.zeros_like(sizes)
    np.add.at(together, (node, leader), tables)
    np.add.at(rows, (node, leader), sizes)
    return together, rows, leader


def mean_response(tables: Array) -> Array:
    """The share of the last of two statistics ``(m, J)``, for tables ``(m, J, 2)`` of class weights."""
    whole = tables.sum(axis=2)
    return np.asarray(tables[..., 1] / np.where(whole == 0, 1, whole))


def principal_response(tables: Array) -> Array:
    """The class proportions of categories along their first principal component ``(m, J)``.

    Categories count by their weight; the component points to the class with its largest entry. At two classes this is
    the order by mean response or its reverse.
    """
    weight = tables.sum(axis=2)
    shares = tables / np.where(weight == 0, 1, weight)[..., None]
    centre = tables.sum(axis=1) / weight.sum(axis=1)[:, None]
    apart = (shares - centre[:, None]) * (weight > 0)[..., None]
    covariance = np.einsum("mj,mjk,mjl->mkl", weight, apart, apart)
    for _ in range(SQUARINGS):
        trace = np.einsum("mkk->m", covariance)[:, None, None]
        covariance = covariance / np.where(trace == 0, 1, trace)
        covariance = covariance @ covariance
    along = np.einsum("mkk->mk", covariance)
    at = np.argmax(along * LARGER >= along.max(axis=1, keepdims=True), axis=1)
    axis = covariance[np.arange(len(covariance)), :, at]
    return np.asarray(np.einsum("mjk,mk->mj", apart, axis))


def ranks(response: Array, present: Array) -> Array:
    """The rank ``(m, J)`` of each category by response, from 0; ties by code, absent categories last.

    Examples
    --------
    >>> ranks(np.array([[0.5, 0.1, 0.5, 0.3]]), np.array([[True, False, True, True]])).tolist()
    [[1, 3, 2, 0]]
    """
    order = np.argsort(np.where(present, response, np.inf), axis=1, kind="stable")
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.broadcast_to(np.arange(order.shape[1]), order.shape), axis=1)
    return place


@lru_cache(maxsize=32)
def masks(categories: int) -> Array:
    """Every way to send some of the categories left, the last one right, as 0/1 rows in binary order.

    Examples
    --------
    >>> masks(3).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]
    """
    numbers = np.arange(1, 2 ** (categories - 1))
    return np.asarray((numbers[:, None] >> np.arange(categories)) & 1, dtype=float)


def class_scores(criterion: Criterion) -> Scores:
    """The scores ``(m, S)`` of left sides ``(m, S, K)`` against right ones, for nodes that may be guarded."""
    undivided = guard(criterion)

    def scores(left: Array, right: Array, allowed: Array) -> Array:
        m, s, k = left.shape
        sides = tuple(np.ascontiguousarray(side.reshape(-1, k).T) for side in (left, right))
        best = np.full(m * s, -np.inf)
        flat = allowed.reshape(-1)
        if flat.any():
            both = tuple(side[:, flat] for side in sides)
            best[flat] = formula_scores(criterion, *both)
            if undivided is not None:
                whole = np.zeros(m * s)
                whole[flat] = formula_scores(undivided, *both)
                average = whole.reshape(m, s).sum(axis=1) / np.maximum(allowed.sum(axis=1), 1)
                best[whole < np.repeat(at_least(average), s)] = -np.inf
        return best.reshape(m, s)

    return scores


def squared_scores(left: Array, right: Array, allowed: Array) -> Array:
    """The decrease of variance, times weight, by sides ``(m, S, C)`` of weight and sum of centred responses."""
    with np.errstate(divide="ignore", invalid="ignore"):
        each = left[..., 1] ** 2 / left[..., 0] + right[..., 1] ** 2 / right[..., 0]
    return np.where(allowed, each, -np.inf)


def orders(tables: Array) -> tuple[list[Array], Array]:
    """The keys by which categories are ordered, ``(m, J)`` each, and which of them are used ``(K + 1, m)``.

    The share of each class that occurs (of two the last) and, of more than two, the first principal component.
    """
    whole, occurs = tables.sum(axis=2), tables.any(axis=1).T
    shares = tables / np.where(whole == 0, 1, whole)[..., None]
    many = occurs.sum(axis=0) > 2
    last = np.cumsum(occurs, axis=0) == occurs.sum(axis=0)
    used = np.vstack([occurs & (many | last), many])
    return [*np.moveaxis(shares, 2, 0), principal_response(tables)], used


def best_order(tables: Array, sizes: Array, limits: Limits, scores: Scores, width: Array) -> Array:
    """The ranks ``(m, J)`` of categories in the first of the orders whose best cut ties with the best.

    Scores within ``width (m,)`` are ties.
    """
    responses, used = orders(tables)
    tried, last = [ranks(response, sizes > 0) for response in responses], (sizes > 0).sum(axis=1)
    tops = []
    for rank in tried:
        order = np.argsort(rank, axis=1)
        left = np.take_along_axis(tables, order[..., None], axis=1).cumsum(axis=1)[:, :-1]
        right = tables.sum(axis=1)[:, None] - left
        counts = np.take_along_axis(sizes, order, axis=1).cumsum(axis=1)[:, :-1]
        allowed = np.minimum(counts, sizes.sum(axis=1)[:, None] - counts) >= limits.least
        allowed &= np.minimum(left.sum(axis=2), right.sum(axis=2)) >= limits.lightest
        allowed &= np.arange(1, sizes.shape[1]) < last[:, None]
        tops.append(scores(left, right, allowed).max(axis=1))
    # No cut is allowed at all.
    with np.errstate(invalid="ignore"):
        best = np.where(used, tops, -np.inf)
        chosen = np.argmax(best >= best.max(axis=0) - width, axis=0)
    return np.asarray(np.stack(tried)[chosen, np.arange(len(chosen))])


class Comparison(NamedTuple):
    """How subsets are compared: by scores of both sides, those within ``width`` of the best in binary order.

    ``last`` is the statistic that holds the weight; by default it is the sum of all.
    """

    scores: Scores
    width: Array
    last: int = -1


def best_subsets(tables: Array, sizes: Array, limits: Limits, comparison: Comparison) -> Array:
    """The categories that a best subset sends left, ``(m, p)``, by scoring all subsets of nodes ``(m, p, C)``.

    Among subsets that score within ``width`` of the best the first in binary order is taken, the last category right;
    none is sent left where the limits allow no subset.
    """
    scores, width, last = comparison
    m, p, c = tables.shape
    on_right, ways = np.zeros((m, p), dtype=bool), masks(p)
    step = max(1, BLOCK // (len(ways) * c))
    for at in range(0, m, step):
        here = slice(at, at + step)
        left = np.einsum("sp,mpc->msc", ways, tables[here], optimize=True)
        right = tables[here].sum(axis=1)[:, None] - left
        counts = sizes[here] @ ways.T
        light = [side.sum(axis=2) if last < 0 else side[..., last] for side in (left, right)]
        allowed = np.minimum(counts, sizes[here].sum(axis=1)[:, None] - counts) >= limits.least
        allowed &= np.minimum(*light) >= limits.lightest
        values = scores(left, right, allowed)
        top = values.max(axis=1)
        reached = (values >= (top - width[here])[:, None]) & np.isfinite(values)
        on_right[here] = (ways[reached.argmax(axis=1)] > 0) & np.isfinite(top)[:, None]
    return on_right
