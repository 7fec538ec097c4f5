"""Which source grows a tree: one compiled loop, over samples that lie in one way or another, or the reference builder.

One loop serves criteria that are data (``criterion_data``), whatever the weights, values known or missing; where
this holds it grows the tree of the reference builder, node for node, and sooner. ``source_of`` is the one place
where that is decided, and where what no source serves is refused.

Main definitions: ``source_of``, ``SampleLayout``; ``is_expandable``.
"""

from __future__ import annotations

from enum import Enum

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.frozen import complaint
from splitcrit.losses.response_losses import ResponseLoss
from splitcrit.nulls.calibration import Calibrated
from splitcrit.trees.growth.growth_options import GrowthOptions, refuse_fractions, refuse_untested
from splitcrit.trees.growth.training import Training
from splitcrit.trees.growth.weights import unit_of
from splitcrit.trees.scan.prepared_criterion import formula_data
from splitcrit.trees.scan.records import ERRORS, Data
from splitcrit.trees.scan.ties_and_scores import guard

EXPANDED = 8  # a sample counts this often on average at most: a scan takes a step for every count
FEW = 0.5  # of the features: up to this share, sorting at nodes takes less than keeping all sorted


class SampleLayout(Enum):
    """How the samples of open nodes lie; all but the last are grown by one compiled loop."""

    PRESORTED = "columns sorted once"
    LISTED = "samples in a list: columns are sorted, cut at random or tabulated at each node that tries them"
    CELLS = "cells of sparse columns"
    REFERENCE = "node by node, by the reference builder"


Error = str | ResponseLoss | Calibrated
Choice = tuple[SampleLayout, Data | None]


def source_of(training: Training, criterion: Criterion | Error, options: GrowthOptions) -> Choice:
    """How the samples of a tree lie, and its criterion as the data of the loop.

    These are None of responses, of a form, whose tables wait until columns are sorted, and for the reference builder.

    Raises
    ------
    ValueError
        If no source serves the request: one sentence a case.
    """
    refuse_unserved(training, criterion, options)
    listed = options.random or options.recoding is not None
    if isinstance(criterion, Criterion):
        return _of_classes(training, criterion, options, listed)
    if training.sparse:
        return SampleLayout.CELLS, None
    error = criterion.error or "" if isinstance(criterion, Calibrated) else criterion
    if not isinstance(error, ResponseLoss) and error not in ERRORS:
        raise ValueError(complaint(f"the error is one of {', '.join(ERRORS)}", repr(error), "pick one"))
    few = (options.max_features or training.features) <= FEW * training.features
    return SampleLayout.LISTED if listed or few or isinstance(criterion, Calibrated) else SampleLayout.PRESORTED, None


def _of_classes(training: Training, criterion: Criterion, options: GrowthOptions, listed: bool) -> Choice:
    tested, data = criterion.search.tested, None
    weights, classes = training.weights, training.classes
    if not training.size:
        return SampleLayout.REFERENCE, None
    copied = is_expandable(weights)
    cut = criterion if tested is None else tested.cut
    form = cut.search.form if copied else None
    if form is None or form(1, classes) is None:
        data = formula_data(cut, classes, 1.0 if weights is None or copied else unit_of(weights))
        if data is None and tested is not None:
            rule = "calibrated compares columns where splits are scored by machine code"
            remedy = "pass it alone, or one of + - * /, powers and functions of m, without a guard"
            raise ValueError(complaint(rule, repr(cut), remedy))
        if data is None and training.sparse:
            rule = f"{criterion!r}, which compiled loops do not score, is searched in dense features"
            raise ValueError(complaint(rule, "sparse features", "pass X.toarray()"))
        if data is None:
            return SampleLayout.REFERENCE, None
    if training.sparse:
        return SampleLayout.CELLS, data
    counted = copied and (weights is not None or options.stopping.min_weight_leaf > 0)
    listed = listed or counted or tested is not None or training.ranks is not None
    return SampleLayout.LISTED if listed else SampleLayout.PRESORTED, data


def refuse_unserved(
    training: Training, criterion: Criterion | Error, options: GrowthOptions
) -> None:  # fmt: skip
    """Raise ValueError for what no source serves."""
    random = options.random
    if isinstance(criterion, ResponseLoss) and training.sparse:
        rule = "a loss of responses is searched in dense features"
        raise ValueError(complaint(rule, "sparse features", "pass X.toarray()"))
    selection = criterion if isinstance(criterion, Calibrated) else None
    if isinstance(criterion, Criterion):
        selection = criterion.search.tested
    refuse_untested(selection, {"random thresholds": random, "sparse features": training.sparse})
    if selection is not None:
        if isinstance(criterion, Criterion):
            refuse_fractions(criterion, training.weights)
        selection.warn_of_few(options.max_features or training.features)
    if random and isinstance(criterion, Criterion) and guard(criterion) is not None:
        rule = f"{criterion!r} compares all thresholds of a node"
        raise ValueError(complaint(rule, "splitter='random'", "pass splitter='best', or leave the guard out"))


def is_expandable(counts: Array | None) -> bool:
    """Whether weights are counts, and few enough that each may take a step of a scan."""
    if counts is None:
        return True
    whole = bool((np.floor(counts) == counts).all() and (counts >= 0).all())
    return whole and counts.sum() <= EXPANDED * np.count_nonzero(counts)
