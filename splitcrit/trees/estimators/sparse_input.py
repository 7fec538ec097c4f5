"""What estimators ask of sparse features: rows of cells in float32 or float64, none twice and none 0.

Main definitions: ``is_sparse``, ``canonical``, ``refuse_missing``, ``refuse``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.data.training_inputs import numbers
from splitcrit.frozen import complaint
from splitcrit.trees.growth.training import Sparse

REMEDY = "pass X.toarray()"


def is_sparse(x: Any) -> bool:
    """Whether features are a sparse matrix or a sparse array of scipy, or its cells."""
    return hasattr(x, "tocsr") or isinstance(x, Sparse)


def canonical(x: Any) -> Any:
    """Sparse features as CSR of floats with sorted cells, none twice and none 0, and narrow indices.

    What has this form is returned as it is, or shares its arrays; nothing is changed.

    Raises
    ------
    ValueError, TypeError
        If they are no table of real numbers.

    Examples
    --------
    >>> from scipy.sparse import coo_array
    >>> canonical(coo_array(([1.5, 2.0, 0.0], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))).data
    array([3.5])
    """
    with numbers(x):
        rows = x.tocsr()
        if not (rows.data.all() and rows.has_canonical_format):
            rows = rows.copy()
            rows.sum_duplicates()
        if rows.dtype not in (np.float32, np.float64):
            rows = rows.astype(np.float64)
        if not rows.data.all():
            rows = rows.copy() if rows is x else rows
            rows.eliminate_zeros()
    if rows.indices.dtype != np.int32 and max(*rows.shape, rows.nnz) <= np.iinfo(np.int32).max:
        parts = rows.data, rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
        rows = type(rows)(parts, shape=rows.shape)
    return rows


def refuse_missing(x: Any, names: Any) -> None:
    """Raise ValueError unless the cells of canonical features are finite."""
    if np.isfinite(x.data).all():
        return
    place = int(np.flatnonzero(~np.isfinite(x.data))[0])
    row, value = int(np.searchsorted(x.indptr, place, side="right")) - 1, x.data[place]
    kind = "NaN (Input X contains NaN)" if np.isnan(value) else f"{value}"
    got = f"{kind} at row {row}, column {names[x.indices[place]]}"
    raise ValueError(
        complaint(f"sparse features are finite in {x.dtype}", got, f"drop, clip or rescale it, or {REMEDY}")
    )


def refuse(x: Any) -> None:
    """Raise TypeError for sparse features, where every value is needed."""
    if is_sparse(x):
        raise TypeError(complaint("features are dense", f"a sparse {type(x).__name__}", REMEDY))
