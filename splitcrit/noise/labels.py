"""Labels of any dtype and the classes that a channel knows: the places of the first among the second.

Main definitions: ``classes_of``, ``codes_of``.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import Array
from splitcrit.frozen import complaint, shown


def classes_of(values: Array, classes: Any) -> Array:
    """The classes in an array that can hold every one of them and every label."""
    if classes is None:
        try:
            return np.unique(values)
        except TypeError:
            rule, remedy = "labels must be comparable to be sorted", "pass classes= in order"
            raise ValueError(complaint(rule, "labels of several types", remedy)) from None
    rule, remedy = "classes must be a list of distinct values", "name every class once"
    if not hasattr(classes, "__iter__") or isinstance(classes, str | bytes | type) or getattr(classes, "ndim", 1) != 1:
        raise TypeError(complaint(rule, shown(classes), remedy))
    listed = list(classes)
    if not all(isinstance(name, Hashable) for name in listed):
        raise TypeError(complaint(rule, shown(listed), remedy))
    known = np.fromiter(listed, dtype=object, count=len(listed)) if values.dtype == object else np.asarray(listed)
    if len(set(known.tolist())) != len(listed):
        raise ValueError(complaint("classes must be distinct", f"{listed}", "name every class once"))
    if values.dtype.kind in "US" and known.dtype.kind == values.dtype.kind:
        return known.astype(np.promote_types(known.dtype, values.dtype))
    try:
        with np.errstate(invalid="ignore"):
            cast = known.astype(values.dtype) if known.dtype.kind != "c" else known
    except (TypeError, ValueError, OverflowError):
        cast = known[:0]
    if cast.tolist() != known.tolist():
        rule = f"classes must fit the labels' dtype {values.dtype}"
        remedy = "give both one dtype"
        raise ValueError(complaint(rule, shown(listed), remedy))
    return cast


def codes_of(values: Array, known: Array) -> NDArray[np.intp]:
    """The place of every label among the classes."""
    place = {name: i for i, name in enumerate(known.tolist())}
    codes = np.fromiter((place.get(x, -1) for x in values.tolist()), dtype=np.intp, count=len(values))
    if (codes < 0).any():
        at = int(np.argmax(codes < 0))
        rule = "labels must be among the classes"
        remedy = "add it to classes, or drop the observation"
        raise ValueError(complaint(rule, f"{values[at]!r} at position {at}", remedy))
    return codes
