"""The values of features at nodes, as segments behind one another, and what is tried on each.

Main definitions: ``MultiwayRules``, ``RankedTraining``, ``Segments``, ``SegmentBlock`` and ``parts``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from splitcrit.arguments import Array, as_float, is_number, whole
from splitcrit.criteria import Criterion
from splitcrit.discretize.gaps import one_linkage
from splitcrit.discretize.hierarchy_scores import cut_scores
from splitcrit.discretize.linkage_tree import Hierarchy
from splitcrit.display import shortened
from splitcrit.frozen import complaint, shown

WHOLE = {"minnum": (1, False), "d_num": (0, False), "max_clusters": (2, True), "max_depth": (0, True)}
NUMBERS = {"min_gain": np.inf, "max_pvalue": 1.0}  # from 0 to this


@dataclass(frozen=True, repr=False)
class MultiwayRules:
    """The rules for a node; see the estimator's parameters of the same names.

    Raises
    ------
    ValueError
        About the first parameter that is invalid.

    Examples
    --------
    >>> MultiwayRules(max_clusters=0)
    Traceback (most recent call last):
    ValueError: max_clusters is an integer from 2; got 0; pass 2 for instance
    """

    minnum: int = 1
    d_num: int = 10
    max_depth: int | None = None
    max_clusters: int | None = None
    min_gain: float | None = 0.0
    max_pvalue: float | None = None
    linkage: str = "single"

    __repr__ = shortened

    def __post_init__(self) -> None:
        """Check the values that loops of machine code rely on."""
        one_linkage(self.linkage)
        for name, (least, absent) in WHOLE.items():
            if not (absent and getattr(self, name) is None):
                object.__setattr__(self, name, whole(getattr(self, name), name, least))
        for name, most in NUMBERS.items():
            if (value := getattr(self, name)) is not None:
                found = as_float(value) if is_number(value) else np.nan
                if not 0 <= found <= most or (found == np.inf and value < np.inf):  # an integer above all floats
                    rule = f"{name} is a number {'from 0' if most == np.inf else f'from 0 to {most:g}'}, or None"
                    raise ValueError(complaint(rule, shown(value), "pass one in this range"))
                object.__setattr__(self, name, found)


@dataclass(frozen=True, eq=False)
class RankedTraining:
    """A training set by column: ``ranks[f]`` are places in ``levels``, the values of all features in a row.

    ``order[f]`` are the samples by value, equal ones by number.
    """

    order: Array
    ranks: Array
    levels: Array
    codes: Array
    classes: int
    categorical: Array

    @staticmethod
    def of(x: Array, codes: Array, classes: int, categorical: Array | None = None) -> RankedTraining:
        """Return the training set of ``x (n, d)``."""
        columns, none = np.ascontiguousarray(x.T), np.zeros(x.shape[1], dtype=bool)
        order = np.stack([_order(column) for column in columns]).astype(np.int32)
        values = np.take_along_axis(columns, order, axis=1)
        new = np.ones(values.shape, dtype=bool)
        new[:, 1:] = values[:, 1:] != values[:, :-1]
        ranks = np.empty_like(order)
        np.put_along_axis(ranks, order, np.cumsum(new).reshape(new.shape) - 1, axis=1)
        return RankedTraining(order, ranks, values[new], codes, classes, none if categorical is None else categorical)


def _order(values: Array) -> Array:
    """Return the order of values, equal ones as they stand; different values are sorted sooner."""
    found = np.argsort(values)
    risen = values[found]
    return found if (risen[1:] > risen[:-1]).all() else np.argsort(values, kind="stable")


@dataclass(frozen=True, eq=False)
class Segments:
    """The different values, with class counts, of several pairs of a feature and a node: one segment each.

    ``entry`` is the entry of each of the ``samples``; the samples of one segment stand together, sorted by value.
    """

    values: Array
    counts: Array
    starts: Array
    by_value: Array
    samples: Array
    entry: Array

    @staticmethod
    def of(training: RankedTraining, rules: MultiwayRules, samples: Array, feature: Array, begin: Array) -> Segments:
        """Return the segments that begin at ``begin`` among the sorted ``samples``; ``feature`` is that of each."""
        sizes = np.diff(np.append(begin, len(samples)))
        ranks = training.ranks[np.repeat(feature, sizes), samples]
        new = np.ones(len(samples), dtype=bool)
        new[1:] = ranks[1:] != ranks[:-1]
        new[begin] = True
        entry = np.cumsum(new) - 1
        size, k = int(new.sum()), training.classes
        counts = np.bincount(entry * k + training.codes[samples], minlength=size * k).reshape(size, k)
        starts = np.append(entry[begin], size)
        by_value = training.categorical[feature] | (np.diff(starts) <= rules.d_num)
        return Segments(training.levels[ranks[new]], counts, starts, by_value, samples, entry)


@dataclass(frozen=True, eq=False)
class SegmentBlock:
    """Some of the segments under one hierarchy: which segments and entries they are, and the scores of the cuts.

    ``scores`` is -inf where a table is not to be taken.
    """

    segment: Array
    entries: Array
    hierarchy: Hierarchy
    scores: Array

    @property
    def cut_segment(self) -> Array:
        """The segment of each cut, counted among all segments."""
        return np.asarray(self.segment[self.hierarchy.segment])

    def tops(self) -> Array:
        """Return the best score of each segment of the part."""
        return np.asarray(np.maximum.reduceat(self.scores, self.hierarchy.cut_starts[:-1]))


def parts(
    segments: Segments, criterion: Criterion, rules: MultiwayRules, clusters_only: bool = False
) -> Iterator[SegmentBlock]:
    """Yield the segments that branch on values, then those that branch on clusters, scored; constant ones are left out.

    Of a segment that branches on its values only the table of all values is taken.
    """
    several = np.diff(segments.starts)
    for by_value in (False,) if clusters_only else (True, False):
        chosen = np.flatnonzero((segments.by_value == by_value) & (several > 1))
        if len(chosen) == 0:
            continue
        sizes = several[chosen]
        starts = np.append(0, np.cumsum(sizes))
        entries = np.arange(starts[-1]) + np.repeat(segments.starts[chosen] - starts[:-1], sizes)
        values, counts = segments.values[entries], segments.counts[entries]
        if by_value:
            found = Hierarchy.apart(values, counts, starts)
            wanted = found.clusters == np.repeat(sizes, sizes - 1)
        else:
            found = Hierarchy.of(values, counts, starts, rules.linkage)
            wanted = found.clusters <= (rules.max_clusters or len(values))
        scores = np.where(wanted, cut_scores(criterion, found, wanted), -np.inf)
        yield SegmentBlock(chosen, entries, found, scores)
