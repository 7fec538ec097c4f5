"""The thresholds that may yet be a node's choice, while scores come in block by block.

A threshold can only be chosen if its score lies within ``width`` of the best of its node, and if no earlier threshold
of its feature has as high a score; the few that are left when all are scored decide, so that nothing is scored twice.

Main definitions: ``Contenders``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class Contenders:
    """The best score ``(d, m)`` of each feature in each node so far, and the thresholds that may be chosen."""

    def __init__(self, best: Array, width: Array) -> None:
        self.best, self.width = best, width
        self.top = best.max(axis=0)
        self.kept: list[tuple[Array, ...]] = []

    def add(self, scores: Array, feature: Array, moved: bool, node: Array, place: Array) -> None:
        """Take in thresholds of one feature each, in the order of features, then nodes, then places."""
        from splitcrit.search.column_loops import contend

        pair = feature * len(self.top) + node
        at = contend(scores, pair, node, self.best.reshape(-1), self.top, self.width)
        kept = pair[at], scores[at], place[at], np.full(len(at), moved)
        if len(at):
            self.kept.append(kept)

    def first(self, feature: Array, floor: Array) -> tuple[Array, Array]:
        """Return the first place on each node's feature whose score reaches the floor (-1: none), and what moved."""
        found, goes = np.full(len(feature), -1), np.zeros(len(feature), dtype=bool)
        if self.kept:
            pair, scores, place, moved = (np.concatenate(each)[::-1] for each in zip(*self.kept, strict=True))
            f, node = np.divmod(pair, len(feature))
            chosen = (feature[node] == f) & (scores >= floor[node])
            found[node[chosen]], goes[node[chosen]] = place[chosen], moved[chosen]
        return found, goes
