"""Poisson deviance in compiled code: of a node, and how much a threshold lowers it.

Responses are by number, less the mean of their node and in units of it, so that -1 is a response of 0. A node costs a
pass and a logarithm a sample; a threshold costs two logarithms (``deviant``).

Main definitions: ``centred_at``, ``relative_deviance``, ``deviant``, ``between_positive``.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from splitcrit.compiling import called, inlined
from splitcrit.trees.scan import poisson_deviance
from splitcrit.trees.scan.records import POISSON

LEAST, NEAR = poisson_deviance.LEAST, poisson_deviance.NEAR
_near, _far = called(poisson_deviance.near), called(poisson_deviance.far)


@called
def _excess(u):
    """``poisson_deviance.excess`` of a number."""
    if u <= -1:
        return 1.0
    t = u / (2 + u)
    return _near(t) if abs(t) < NEAR else _far(u)


@inlined
def centred_at(y, mean, rest, error):
    """A response less the mean of its node, which has two parts; for Poisson deviance in units of it."""
    if error != POISSON:
        return (y - mean) - rest
    return max(((y - mean) - rest) / (mean + rest), LEAST) if y > 0 else -1.0


@called
def relative_deviance(responses, weights):
    """Half the mean Poisson deviance of responses in units of their mean."""
    total, excess = 0.0, 0.0
    for i in range(len(responses)):
        w = weights[i] if len(weights) else 1.0
        total += w
        excess += w * _excess(responses[i])
    return excess / total


@called
def deviant(s, heavy, total):
    """The decrease of Poisson deviance that ``gained`` bounds, of responses in units of their mean."""
    rest = total - heavy
    return (heavy * _excess(s / heavy) + rest * _excess(-s / rest)) / total


@called
def between_positive(responses, order, here, move):
    """The first place that has a response above 0 on its left, and the one after the last with one on its right.

    ``here`` is where the node starts, where its missing values start, which go left if ``move``, where it stops, and
    before which place the search does.
    """
    start, middle, stop, end = here
    first, last, lost = start, middle - 1, False
    while first < middle and responses[order[first] >> 1] <= -1:
        first += 1
    while last >= start and responses[order[last] >> 1] <= -1:
        last -= 1
    for i in range(middle, stop):
        lost = lost or responses[order[i] >> 1] > -1
    if lost and move:
        first = start
    return first, end if lost and not move else min(last, end)
