"""The scores of a level: the best of each feature in each node, then the first threshold that ties with the best.

Criteria that are data are scanned twice; what a formula scores, it scores once, and only where bounds leave a chance.

Main definitions: ``LevelSearch``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion
from splitcrit.impurities.search_declaration import Form
from splitcrit.search.bounding import bounded
from splitcrit.search.contenders import Contenders
from splitcrit.search.open_nodes import EVERYWHERE, CandidateThresholds, Limits, OpenLevel
from splitcrit.search.prepared_criterion import SideScores, counted, data_of, undefined
from splitcrit.search.pruning import Bounds
from splitcrit.search.random_thresholds import Places
from splitcrit.search.records import Scratch, Thresholds
from splitcrit.search.scorers import scorer
from splitcrit.search.sorted_columns import Columns
from splitcrit.search.ties_and_scores import at_least, band, formula_scores, guard, own_impurity, replayed

Array = NDArray[Any]


class LevelSearch:
    """The search of the open nodes of a level: by ``form`` where the criterion is data, by its formula elsewhere."""

    def __init__(
        self, columns: Columns, level: OpenLevel, criterion: Criterion, limits: Limits, form: Form | SideScores | None
    ) -> None:
        self.columns, self.level, self.criterion, self.limits = columns, level, criterion, limits
        self.sides = form if isinstance(form, SideScores) else None
        self.candidates = CandidateThresholds(columns, level, limits)
        self.known = self.candidates.known
        self.impurity = None if criterion.impurity is None else own_impurity(criterion, level.totals)
        self.width = band(criterion, level.totals, self.impurity)
        self.undivided, self.average = guard(criterion), np.empty(0)
        self._serve(form)

    def _serve(self, form: Form | SideScores | None) -> None:
        """Set which nodes are scanned as data, and what turns a raw score into a score: ``(raw - base) * rate``."""
        level = self.level
        self.served = level.sizes <= (self.sides.most if self.sides is not None else np.inf if form else -1)
        self.scorer = None
        if form is not None and (self.served.any() or self._bounds is not None):
            self.scorer = scorer(data_of(form), self.columns.packed)
            found = counted(self.scorer, level.starts, level.totals.astype(np.int64), int(self.limits.least))
            self.counted, self.base, self.rate = found
        if self.sides is not None and not self.sides.scanned and self.impurity is not None:
            self.base, self.rate = -self.impurity * level.sizes, 1 / level.sizes

    @property
    def _bounds(self) -> Bounds | None:
        return None if self.sides is None else self.sides.bounds

    def best(self, wanted: Array, only: Places | None = None) -> Array:
        """Return the best score ``(d, m)`` of each feature in each node, -inf where there is none.

        A feature that cannot come within a tie of the node's best may be given less. With ``only`` one threshold a
        feature and node is tried.
        """
        from splitcrit.search.column_loops import scan

        found = np.full((len(self.columns.values), len(self.level.sizes)), -np.inf)
        wanted = np.broadcast_to(wanted, found.T.shape).copy()
        known = wanted & ~self.columns.missing
        if self.undivided is not None:
            self.average = self.averages(wanted)
        if self.scorer is not None and self.served.any():
            scanned = known & self.served[:, None]
            scan(self.columns.packed, self.counted, self.scorer, scanned, found, self._scratch())
            if undefined(self.scorer.data):  # the formula itself will name the split
                assert self.sides is not None
                self.sides = replace(self.sides, scanned=False)
                self._serve(self.sides)
                return self.best(wanted, only)
            found[:, self.served] = ((found - self.base) * self.rate)[:, self.served]
            wanted = wanted & ~scanned
        self.contenders = Contenders(found, self.width)
        if self._bounds is not None and (wanted & known).any():
            bounded(self, wanted & known, self._bounds)
            wanted = wanted & ~known
        each = self.candidates.each(wanted)
        if only is None:
            parts = [(EVERYWHERE, wanted[:, f]) for f, _ in each]
        else:
            n = int(self.level.starts[-1])
            parts = [(only.alive(f, n), wanted[:, f] & (only.goes[:, f] == move)) for f, move in each]
        for (f, move), (alive, nodes) in zip(each, parts, strict=True):
            for scores, node, place in self.scored(f, move, nodes, alive):
                self.contenders.add(scores, np.asarray(f), move, node, place)
        return found

    def scores(self, candidates: Thresholds) -> Array:
        """Return the scores of candidate thresholds, by the tape of the formula where it has one."""
        left, right, node = candidates.left, candidates.right, candidates.node
        whole = None if self.impurity is None else self.impurity[node]
        if self.sides is not None and self.sides.tape is not None and whole is not None:
            scores = replayed(self.sides.tape, left, right, whole)
            if not np.isnan(scores).any():
                return scores
        return formula_scores(self.criterion, left, right, whole)

    def first(self, feature: Array, floor: Array) -> tuple[Array, Array]:
        """Return the first place on each node's chosen feature whose score reaches the floor, and where missing go."""
        from splitcrit.search.column_loops import first

        found, goes = self.contenders.first(feature, floor)
        scanned = ~self.columns.missing[feature] & (feature >= 0) & self.served
        if self.scorer is not None and scanned.any():
            chosen, raw = np.where(scanned, feature, -1), floor / self.rate + self.base
            first(self.columns.packed, self.counted, self.scorer, chosen, raw, found, self._scratch())
        return found, goes

    def _scratch(self) -> Scratch:
        return Scratch.of(self.columns.classes, self.level.starts[-1])

    def scored(
        self, f: int, move: bool, wanted: Array, alive: Array = EVERYWHERE
    ) -> Iterator[tuple[Array, Array, Array]]:
        """Yield scores, node and place of the thresholds of one feature, block by block."""
        for block in self.candidates.of(f, move, wanted, alive):
            scores = self.scores(block)
            if self.undivided is not None:
                enough = formula_scores(self.undivided, block.left, block.right) >= at_least(self.average[block.node])
                scores = np.where(enough, scores, -np.inf)
            yield scores, block.node, block.place

    def averages(self, wanted: Array) -> Array:
        """Return the average undivided score of all thresholds of each node, for a guarded ratio."""
        sums, counts = np.zeros(len(self.level.sizes)), np.zeros(len(self.level.sizes))
        assert self.undivided is not None
        for f, move in self.candidates.each(wanted):
            for block in self.candidates.of(f, move, wanted[:, f]):
                sums += np.bincount(block.node, formula_scores(self.undivided, block.left, block.right), len(sums))
                counts += np.bincount(block.node, minlength=len(sums))
        return np.asarray(sums / np.maximum(counts, 1))
