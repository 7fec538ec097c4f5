"""Columns as a data frame of pandas, which the library does not need otherwise.

Main definitions: ``as_frame``.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from splitcrit.values import complaint


def as_frame(columns: dict[str, Any], instead: str) -> Any:
    """Return a pandas data frame of columns of equal length.

    Raises
    ------
    ImportError
        If there is no pandas; it says what to read instead.

    Examples
    --------
    >>> as_frame({"node": [0, 1], "rows": [9, 4]}, "columns()").shape
    (2, 2)
    """
    try:
        pandas = import_module("pandas")
    except ImportError:
        rule, remedy = "a data frame is one of pandas", f"install it, or read {instead}"
        raise ImportError(complaint(rule, "no module pandas", remedy)) from None
    return pandas.DataFrame(columns)
