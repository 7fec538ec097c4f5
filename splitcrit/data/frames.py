"""Columns as a data frame of pandas, which the library does not need otherwise.

Main definitions: ``as_frame``.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from splitcrit.frozen import complaint


def as_frame(data: Any, remedy: str) -> Any:
    """Return a pandas data frame of columns of equal length, or of rows.

    Raises
    ------
    ImportError
        If there is no pandas; the remedy says what to read instead.

    Examples
    --------
    >>> as_frame({"node": [0, 1], "rows": [9, 4]}, "install it").shape
    (2, 2)
    """
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise ImportError(complaint("a data frame is one of pandas", "no module pandas", remedy)) from None
    return pandas.DataFrame(data)
