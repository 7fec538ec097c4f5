"""What a column and a target are: values and their codes, files read, counts of columns.

``splitcrit.table`` offers what is public of it: ``Column`` (``counted_columns``), and ``Tables``, which counts many
columns.

Main definitions: ``value_codes`` (which values are equal), ``texts`` (what a column of a file is), ``training_inputs``
(rows and targets of estimators), ``source_of`` (``sources``), which makes a source of whatever holds columns;
``ManyLevelsWarning``.
"""

from typing import TYPE_CHECKING

from splitcrit.lazy import on_first_use

if TYPE_CHECKING:
    from splitcrit.data.categories_input import ManyLevelsWarning

__all__ = ["ManyLevelsWarning"]

__getattr__ = on_first_use(__name__)  # values and codes need no reader
