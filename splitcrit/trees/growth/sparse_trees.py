"""Trees of sparse features, of which only the values that are not 0 are kept: the trees of the same features, dense.

Main definitions: ``grow_sparse``, ``grow_sparse_regression``; ``Sparse`` (the features).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.trees.growth.grown_tree import GrownTree, finished, root_rows
from splitcrit.trees.growth.growth_options import GrowthOptions
from splitcrit.trees.growth.one_loop import ListedSamples, grown_of, no_number
from splitcrit.trees.growth.records import (
    CellResponsesSource,
    Cells,
    CellsSource,
    NodeResponses,
    Sorting,
    SparseColumns,
    TriedFeatures,
    Workspace,
)
from splitcrit.trees.growth.response_source import Error, tree_of_responses, with_decreases
from splitcrit.trees.growth.source_choice import TrainingShape, source_of
from splitcrit.trees.growth.weights import scale_of
from splitcrit.trees.scan.records import ERRORS, Samples, Scratch, apart


@dataclass(frozen=True, eq=False)
class Sparse:
    """Features of which the cells are kept, row by row, and how many rows and columns there are."""

    cells: Cells
    shape: tuple[int, int]

    @staticmethod
    def of(x: Any) -> Sparse:
        """Return the features of a sparse matrix of float32, each cell once and none of them 0; ``Sparse`` as it is.

        Examples
        --------
        >>> from scipy.sparse import csr_array
        >>> Sparse.of(csr_array(np.array([[0, 1.5], [-1, 0]], np.float32))).cells.features
        array([1, 0], dtype=int32)
        """
        if isinstance(x, Sparse):
            return x
        x = x.tocsr()
        words = np.ascontiguousarray(x.data, dtype=np.float32).view(np.int32)
        keys = words ^ ((words >> 31) & np.int32(0x7FFFFFFF))
        return Sparse(Cells(x.indptr.astype(np.int64), x.indices, keys), x.shape)


def grow_sparse(
    features: Sparse, codes: Array, classes: int, criterion: Criterion, growing: GrowthOptions = GrowthOptions(),  # noqa: B008
    weights: Array | None = None,
) -> GrownTree:  # fmt: skip
    """Return the tree that ``grow`` grows of the same features, dense.

    Parameters
    ----------
    features : Sparse
        They are not changed, and may be shared by threads.
    codes : int array (n,)
    classes : int
    criterion : Criterion
    growing : GrowthOptions
        Without categorical columns and look-ahead.
    weights : float array (n,), optional
        Of the samples, 0 to leave one out; 1 by default.

    Raises
    ------
    ValueError
        If the criterion is one that no compiled loop scores, or its formula gives no number.
    """
    n, d = features.shape
    scale = scale_of(weights if weights is None else weights[weights > 0], criterion.degree)
    heavy = np.ones(n) if weights is None else scale.weights(weights)
    growing = replace(growing, stopping=scale.stopping(growing.stopping))
    _, data = source_of(TrainingShape(n, d, classes, heavy, sparse=True), criterion, growing)
    assert data is not None
    listed, columns = ListedSamples.of(codes, classes, data, heavy), SparseColumns.of(features.cells, d)
    entries, low = listed.entries.astype(np.int64), listed.low
    columns.marks[entries >> low] = entries & ((1 << low) - 1)
    space = Workspace.of(Scratch(*(apart(classes, np.int64) for _ in range(2))), d, entries)
    none = np.empty((0, 1), np.int64)  # cells have no ranks
    sorting = Sorting(entries, none, none[:, 0], none, low, listed.bits, none, none[:, 0], listed.units)
    source = CellsSource(features.cells, columns, sorting, growing.random, data, space)
    root = root_rows(listed.totals, len(entries), growing.root_key)
    if (tree := grown_of(source, data, root, criterion, growing)) is None:
        raise no_number(criterion, "pass X.toarray() to see for which")
    return finished(tree, growing, scale)


def grow_sparse_regression(
    features: Sparse, y: Array, weights: Array | None = None, error: Error = "squared_error",
    growing: GrowthOptions = GrowthOptions(),  # noqa: B008
) -> GrownTree:  # fmt: skip
    """Return the tree that ``grow_regression`` grows of the same features, dense; see there, and ``grow_sparse``."""
    source_of(TrainingShape(*features.shape, 0, sparse=True), error, growing)
    assert isinstance(error, str)
    scale, d = scale_of(weights if weights is None else weights[weights > 0], 0), features.shape[1]
    growing = replace(growing, stopping=scale.stopping(growing.stopping))
    rows = np.argsort(y, kind="stable")
    rows = rows if weights is None else rows[weights[rows] > 0]
    heavy = np.empty(0) if weights is None else scale.weights(weights)[rows]
    columns = SparseColumns.of(features.cells, d)
    samples = Samples(rows, np.asarray(y, dtype=float)[rows], heavy)
    listed = NodeResponses.of(samples, rows[:0], rows[:0], columns.column[None], ERRORS.index(error))
    source = CellResponsesSource(listed, features.cells, columns, growing.random, TriedFeatures.of(d))
    return finished(with_decreases(tree_of_responses(source, len(rows), growing), error), growing, scale)
