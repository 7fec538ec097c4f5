"""Class distributions as they are given: numbers, symbols or arrays, one for each class.

Main definitions: ``shares_of``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import masked, of_kind, real
from splitcrit.arith import of_other_library
from splitcrit.data.counting import as_array
from splitcrit.frozen import complaint, shown

RULE, REMEDY = "a distribution holds a finite number for each class", "pass a list, a tuple or an array"


def shares_of(p: Any) -> Any:
    """A list or tuple as it is, numbers in an array as float64; symbols and arrays of classes are trusted.

    Raises
    ------
    TypeError
        If an entry is no real number, or there is no sequence.
    ValueError
        If an entry is not finite or masked, or if there are no classes.
    """
    if masked(p):
        raise ValueError(complaint(RULE, "a masked entry", REMEDY))
    if isinstance(p, list | tuple) and p and all(isinstance(entry, list | tuple) for entry in p):
        p = as_array(p, "a batch of distributions")
    array = isinstance(p, memoryview) or (hasattr(p, "__array__") and not isinstance(p, type))
    listed = np.asarray(p) if array else p
    of_kind(listed, list | tuple | np.ndarray, RULE, REMEDY)
    if not (listed.ndim if isinstance(listed, np.ndarray) else True) or not len(listed):
        raise ValueError(complaint(RULE, "none", REMEDY))
    if isinstance(listed, np.ndarray) and listed.dtype.kind in "iuf":
        if (bad := ~np.isfinite(listed)).any():
            raise ValueError(complaint(RULE, shown(listed[bad][0].item()), REMEDY))
        return listed.astype(np.float64)
    for entry in listed.ravel().tolist() if isinstance(listed, np.ndarray) else listed:
        if not isinstance(entry, np.ndarray) and not of_other_library(entry):
            real(entry, RULE, REMEDY)
    return listed
