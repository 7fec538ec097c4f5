"""The search of thresholds by a loss of responses that a user wrote, in the compiled loop.

A loss with statistics is machine code: a node keeps the sums of the statistics on the left of a threshold, less their
means in the node, and asks for the risk of the means on both sides. The least mean of a loss without statistics is
sought in numpy (``user_loss_search``), which the loop calls back for all thresholds of a column at once.

Main definitions: ``describe_by_loss``, ``spend``.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import called
from splitcrit.trees.scan.pointers import call_formula
from splitcrit.trees.scan.records import BASE, LEAST_COST, LEAST_SPENT, NODE, PREDICTION, SIZE_OF_NODE
from splitcrit.trees.scan.scan_common import U


@called(_nrt=False)
def describe_by_loss(loss, weights, total, start, stop):
    """The best prediction of a node and its least mean loss."""
    loss.exchange[LEAST_SPENT] = np.inf
    if loss.sought != 0:
        loss.exchange[BASE], loss.exchange[SIZE_OF_NODE], loss.exchange[NODE] = start, stop - start, 1.0
        call_formula(loss.sought, loss.exchange)
        loss.exchange[NODE] = 0.0
        return loss.exchange[PREDICTION], loss.exchange[LEAST_COST]
    for t in range(len(loss.centre)):
        column, sum_of = loss.statistics[t], 0.0
        for i in range(start, stop):
            sum_of += (weights[U(i)] if len(weights) else 1.0) * column[U(loss.rows[U(i)])]
        loss.centre[t] = loss.means[t] = sum_of / total
    return call_formula(loss.act, loss.means), call_formula(loss.risk, loss.means)


@called(_nrt=False)
def _risk(loss, side):
    """The risk of a side whose sums of statistics, less their means, are ``running``, by its signed weight."""
    for t in range(len(loss.centre)):
        loss.means[t] = loss.centre[t] + loss.running[t] / side
    return call_formula(loss.risk, loss.means)


@called(_nrt=False)
def spend(loss, base, size, weights, total):
    """Set ``lefts`` and ``rights``, the least sums of costs on each side, of the thresholds that ``may`` marks."""
    # local (size,) lists places from 0, less than numbers by base, in the order that is searched.
    if loss.sought != 0:
        loss.exchange[BASE], loss.exchange[SIZE_OF_NODE] = base, size
        call_formula(loss.sought, loss.exchange)
        return
    heavy = 0.0
    for t in range(len(loss.centre)):
        loss.running[t] = 0.0
    for k in range(size):
        number = U(base + loss.local[U(k)])
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
