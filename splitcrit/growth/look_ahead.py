"""Two-step look-ahead: of the best splits of a node, the one whose children split best.

The ``count`` best sufficiently different splits of a node are found one after the other, each by the tie rule among
what is left. Two splits of one feature are sufficiently different if a share ``min_difference`` of the node's samples
changes side; splits of different features always are. Of these splits, with ``w`` for weights, the one is made that has
the largest ::

    total = w score + w_L (best score of the left child) + w_R (best score of the right child)

where a child that would stay a leaf adds nothing; among totals within ``w`` times a tie, the one found first: a split
that does alone what others do in two steps is preferred. Whether a node is split is still asked of its best split.

Main definitions: ``look_ahead``.
Source: breiman1996, Section 4, which leaves open when splits of one variable are sufficiently different.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from splitcrit.arguments import Array
from splitcrit.growth.driver import Draws, open_nodes
from splitcrit.growth.growth_options import LookAhead
from splitcrit.search.level_search import LevelSearch, carried_out
from splitcrit.search.open_nodes import LevelSplits
from splitcrit.search.records import NodeSplits

if TYPE_CHECKING:
    from splitcrit.growth.presorted import LevelColumnsSource


def look_ahead(source: LevelColumnsSource, splits: LevelSplits, pays: Array, draws: Draws) -> LevelSplits:
    """Return the splits of the nodes that pay, chosen by what their children gain; mark who goes left."""
    level, rule, look, drawn = source.level, source.rule, source.growing.look_ahead, source.drawn(draws)
    assert look is not None
    search = LevelSearch(source.columns, level, rule.criterion, rule.limits, None)
    ranks = np.tile(np.arange(len(source.columns.values)), (len(pays), 1)) if drawn is None else drawn
    found = _Candidates.of(search, pays[:, None] & (ranks >= 0), ranks)
    rounds, scores = found.rounds(look, search.width), (splits.score, search.width)
    weight = level.totals.sum(axis=1)
    totals = np.full(rounds.shape, -np.inf)
    for chosen, total in zip(rounds, totals, strict=True):
        tried = carried_out(source.columns, level, found.cuts(chosen), scores, source.side)
        made = rule.stopping.significant(tried.left, level.totals - tried.left, chosen >= 0)
        if made.any():
            total[made] = (weight * found.score[chosen] + _below(source, tried, made, draws))[made]
    reached = totals >= totals.max(axis=0) - weight * search.width
    first = rounds[reached.argmax(axis=0), np.arange(len(pays))]
    return carried_out(source.columns, level, found.cuts(np.where(pays, first, -1)), scores, source.side)


def _below(source: LevelColumnsSource, tried: LevelSplits, made: Array, draws: Draws) -> Array:
    """Return the gain of the best splits of the children of each node, times their weights."""
    step = source.rule.step(source.open, tried, made)
    opened = open_nodes(source.rule.stopping, step.children, source.depth + 1)
    if not opened.any():
        return np.zeros(len(made))
    best, pays = source.divide(step, opened).best(draws.below(made, opened))
    gains = np.where(pays, step.children.weights[opened].sum(axis=1) * best.score, 0.0)
    return np.bincount(np.repeat(np.flatnonzero(made), 2)[opened], gains, len(made))


@dataclass(frozen=True, eq=False)
class _Candidates:
    """Every threshold of a level, sorted by node and in the order of the tie rule."""

    search: LevelSearch
    node: Array
    feature: Array
    place: Array
    moved: Array
    score: Array

    @staticmethod
    def of(search: LevelSearch, wanted: Array, ranks: Array) -> _Candidates:
        """Return the thresholds of the nodes and features that are wanted, ``(m, d)``."""
        if search.undivided is not None:
            search.average = search.averages(wanted)
        parts = [
            (node.copy(), np.full(len(node), f), place.copy(), np.full(len(node), move), scores)
            for f, move in search.candidates.each(wanted)
            for scores, node, place in search.scored(f, move, wanted[:, f])
        ]
        node, feature, place, moved, score = (np.concatenate(each) for each in zip(*parts, strict=True))
        at = np.lexsort((place, moved, ranks[node, feature], node))
        return _Candidates(search, node[at], feature[at], place[at], moved[at], score[at])

    def rounds(self, look: LookAhead, width: Array) -> Array:
        """Return the indices ``(count, m)`` of the best different candidates of each node, best first; -1: none."""
        level, lost = self.search.level, self.search.level.sizes - self.search.known
        first = np.flatnonzero(np.diff(self.node, prepend=-1))
        nodes, alive = self.node[first], self.score.copy()
        apart = look.min_difference * level.sizes[self.node]
        found = np.full((look.count, len(level.sizes)), -1)
        for chosen in found:
            top = np.full(len(level.sizes), -np.inf)
            top[nodes] = np.maximum.reduceat(alive, first)
            ties = np.flatnonzero((alive >= (top - width)[self.node]) & (alive > -np.inf))
            if not len(ties):
                break
            chosen[self.node[ties[::-1]]] = ties[::-1]
            theirs = chosen[self.node]
            moves = lost[self.feature, self.node] * (self.moved != self.moved[theirs])
            near = np.abs(self.place - self.place[theirs]) + moves < apart
            same = (self.feature == self.feature[theirs]) & (theirs >= 0)
            alive[same & near | (np.arange(len(alive)) == theirs)] = -np.inf
        return found

    def cuts(self, chosen: Array) -> NodeSplits:
        """Return one candidate a node, -1 for none."""
        none, search = chosen < 0, self.search
        feature, place = np.where(none, -1, self.feature[chosen]), np.where(none, -1, self.place[chosen])
        return NodeSplits(feature, place, self.moved[chosen], search.level.starts, search.known)
