"""Which numbers a call was given: symbols of sympy, numbers of mpmath, or neither.

Neither library is imported here: a value can only be theirs if somebody else has imported them.

Main definitions: ``other_numbers``.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from splitcrit.arith.mpmath_numbers import MPMATH, is_mpf
from splitcrit.arith.other_numbers import OtherNumbers
from splitcrit.arith.sympy_numbers import SYMPY, is_symbolic
from splitcrit.frozen import complaint, shown


def listed(values: Any) -> Any:
    """Return nested lists, an array of objects or a matrix of sympy as an array of objects; None for anything else."""
    if isinstance(values, np.ndarray):
        return values if values.dtype == object else None
    if type(values).__module__.startswith("sympy.matrices"):
        values = values.tolist()
    if not isinstance(values, list | tuple):
        return None
    try:
        return np.array(values, dtype=object)
    except ValueError:  # ragged: validation has a sentence about it
        return None


def other_numbers(*values: Any) -> tuple[OtherNumbers, list[Any]] | None:
    """Return the arithmetic for symbols of sympy or numbers of mpmath among these, and each as an array of objects.

    None where there are no such numbers, which costs no more than a look at the modules that are loaded.

    Raises
    ------
    TypeError
        If there are both.

    Examples
    --------
    >>> other_numbers([1, 2]) is None
    True
    """
    if "mpmath" not in sys.modules:  # which sympy imports
        return None
    arrays = [listed(x) for x in values]
    if all(x is None for x in arrays):
        return None
    entries = [x for array in arrays if array is not None for x in array.ravel().tolist()]
    symbols, floats = [x for x in entries if is_symbolic(x)], [x for x in entries if is_mpf(x)]
    if symbols and floats:
        got = f"the symbol {shown(symbols[0])} and the mpf {shown(floats[0])}"
        raise TypeError(
            complaint("numbers are symbols of sympy or numbers of mpmath, not both", got, "pass numbers of one library")
        )
    if not symbols and not floats:
        return None
    m: OtherNumbers = SYMPY if symbols else MPMATH(max((type(x).context for x in floats), key=lambda c: c.prec))
    return m, [np.array(x, dtype=object) if array is None else array for x, array in zip(values, arrays, strict=True)]
