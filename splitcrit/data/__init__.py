"""What a column and a target are: values and their codes, files read, counts of columns.

``splitcrit.table`` offers what is public of it: ``Column`` (``counted_columns``), and ``Tables``, which counts many
columns.

To read in this order: ``values`` (which are equal), ``columns`` (what a vector is), ``formats`` and ``csv_files`` (what
the texts of a file are), ``row_parts``, ``sources`` (whatever holds columns), ``partial_counts``, ``counted_columns``
(their counts by the label), ``targets``; for estimators ``training_inputs`` and ``categories_input``.
"""

from typing import TYPE_CHECKING

from splitcrit.lazy import on_first_use

if TYPE_CHECKING:
    from splitcrit.data.categories_input import ManyLevelsWarning

__all__ = ["ManyLevelsWarning"]

__getattr__ = on_first_use(__name__)  # values and codes need no reader
