"""The search of thresholds by a loss of responses that a user wrote, in the compiled loop.

A loss with statistics is machine code: a node keeps the sums of the statistics on the left of a threshold, less their
means in the node, and asks for the risk of the means on both sides. The least mean of a loss without statistics is
sought in numpy (``user_loss``), which the loop calls back for all thresholds of a column at once.

Layout: ``local (m,)`` lists the numbers of the samples of a node in the order that is searched; ``may (m,)`` tells
after which of them a threshold may stand, and there ``lefts`` and ``rights`` get the least sums of costs of both sides.

Main definitions: ``describe_by_loss``, ``spend``, ``by_loss``, ``loss_of_sides``.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import called
from splitcrit.trees.scan.pointers import call_formula
from splitcrit.trees.scan.records import BASE, LEAST_COST, LEAST_SPENT, NODE, PREDICTION, SIZE_OF_NODE
from splitcrit.trees.scan.scan_absolute import allowed
from splitcrit.trees.scan.scan_common import U


@called(_nrt=False)
def describe_by_loss(loss, weights, total, start, stop):
    """Return the best prediction of a node and its least mean loss."""
    loss.told[LEAST_SPENT] = np.inf
    if loss.sought != 0:
        loss.told[BASE], loss.told[SIZE_OF_NODE], loss.told[NODE] = start, stop - start, 1.0
        call_formula(loss.sought, loss.told)
        loss.told[NODE] = 0.0
        return loss.told[PREDICTION], loss.told[LEAST_COST]
    for t in range(len(loss.centre)):
        column, found = loss.statistics[t], 0.0
        for i in range(start, stop):
            found += (weights[U(i)] if len(weights) else 1.0) * column[U(loss.rows[U(i)])]
        loss.centre[t] = loss.means[t] = found / total
    return call_formula(loss.act, loss.means), call_formula(loss.risk, loss.means)


@called(_nrt=False)
def _risk(loss, side):
    """Return the risk of a side whose sums of statistics, less their means, are ``running``, by its signed weight."""
    for t in range(len(loss.centre)):
        loss.means[t] = loss.centre[t] + loss.running[t] / side
    return call_formula(loss.risk, loss.means)


@called(_nrt=False)
def spend(loss, base, size, weights, total):
    """Set the least sums of costs on both sides of the thresholds that may be."""
    if loss.sought != 0:
        loss.told[BASE], loss.told[SIZE_OF_NODE] = base, size
        call_formula(loss.sought, loss.told)
        return
    heavy = 0.0
    for t in range(len(loss.centre)):
        loss.running[t] = 0.0
    for k in range(size):
        number = U(loss.local[U(k)])
        w, row = weights[number] if len(weights) else 1.0, U(loss.rows[number])
        heavy += w
        for t in range(len(loss.centre)):
            loss.running[t] += w * (loss.statistics[t, row] - loss.centre[t])
        if loss.may[U(k)]:
            # The sums of the right side are those of the left one with the other sign.
            left, right = heavy * _risk(loss, heavy), (total - heavy) * _risk(loss, heavy - total)
            if np.isnan(left + right):
                loss.undefined[0] = 1.0
            loss.lefts[U(k)], loss.rights[U(k)] = left, right


@called(_nrt=False)
def by_loss(loss, scan, front, centred, rule):
    """Do what ``squared`` does for an own loss, in one node and one order."""
    order, start, stop, weights, total = (
        front.orders[0],
        front.starts[0],
        front.starts[1],
        centred.weights,
        centred.weight[0],
    )
    middle, top, size = start + front.known[0, 0], scan.bound[0], stop - start
    for move in range(1 if middle == stop else 2):
        # Missing values that go left stand before all others, since they are on the left of every threshold.
        extra, heavy = (stop - middle) * move, 0.0
        for i in range(start, stop):
            k = i - start + extra if i < stop - extra else i - stop + extra
            loss.local[U(k)], loss.may[U(k)] = order[U(i)] >> 1, 0
        for k in range(size - rule.least):
            heavy += weights[U(loss.local[U(k)])] if len(weights) else 1.0
            i = start + k - extra
            if extra <= k and i < middle:
                loss.may[U(k)] = allowed(order, i, k + 1, heavy, total, rule)
        spend(loss, front.bases[0], size, weights, total)
        for k in range(size):
            score = centred.spread[0] - (loss.lefts[U(k)] + loss.rights[U(k)]) / total if loss.may[U(k)] else -np.inf
            if score > -np.inf and score >= top:
                top = score
                if scan.only:
                    scan.place[0], scan.missing_left[0] = start + k - extra, move == 1
                    break
        if scan.only and scan.place[0] >= 0:
            break
    scan.bound[0] = top


@called(_nrt=False)
def loss_of_sides(loss, goes, base, size, on_left, weights, total):
    """Return the least sum of costs where the samples that ``goes`` marks are on the left, ``on_left`` of them."""
    left, right = 0, on_left
    for i in range(size):
        s = goes[U(i)]
        loss.local[U(left if s else right)], loss.may[U(i)] = base + i, 0
        left += s
        right += 1 - s
    loss.may[U(on_left - 1)] = 1
    spend(loss, base, size, weights, total)
    return loss.lefts[U(on_left - 1)] + loss.rights[U(on_left - 1)] if loss.may[U(on_left - 1)] else np.inf
