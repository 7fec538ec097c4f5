"""The contingency table: frozen counts, rows by classes, with their names.

Main definitions: ``Table``, whose maker ``Table.of`` is validates: counts, or two vectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from splitcrit.arguments import Array, listed, of_kind, one_of
from splitcrit.arith import library, namespace, of_other_library
from splitcrit.data.counting import cell, count_array, demand, narrowed, widened
from splitcrit.data.crossing import Missing, crossed
from splitcrit.data.values import union
from splitcrit.display import html_table
from splitcrit.frozen import complaint, shown
from splitcrit.table.array_counts import device_counts, on_host, summed

LONG = 24  # tables with more cells print as a summary


@final
@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Counts of shape ``(..., r, k)``: rows are children or feature values, columns are classes.

    The counts are int64, float64 (weights) or exact Python numbers (dtype object), and read-only; or the array of
    another library, on its device. Two tables are equal if counts and names are. ``Table(...)`` takes an array of
    counts as it is, if none is negative or nan; ``Table.of(...)`` reads and checks whatever it is given.

    Parameters
    ----------
    counts
        Array of shape ``(..., r, k)``; leading axes are a batch.
    row_names, class_names
        The ``r`` and ``k`` names; the places 0, 1, ... where none are known.

    Examples
    --------
    >>> Table.of(["a", "a", "b"], ["yes", "no", "yes"])
    Table.of([[1, 1], [0, 1]], row_names=('a', 'b'), class_names=('no', 'yes'))
    """

    counts: Any
    row_names: tuple[Any, ...]
    class_names: tuple[Any, ...]

    def __post_init__(self) -> None:
        if of_other_library(self.counts):
            return
        counts = np.asarray(self.counts).view()
        counts.flags.writeable = False
        object.__setattr__(self, "counts", counts)
        if not (counts >= 0).all():
            raise ValueError(complaint("counts are from 0", shown(counts.tolist()), "pass them to Table.of(...)"))

    @staticmethod
    def of(
        data: Any, label: Any = None, *, weights: Any = None, missing: Missing = "error", row_names: Any = None,
        class_names: Any = None, feature: str | None = None,
    ) -> Table:  # fmt: skip
        """The table of counts, of two vectors ``(feature, label)``, or of two columns of data read in parts.

        Parameters
        ----------
        data
            Counts of shape ``(..., r, k)``: nested lists, an array of any library (those of torch, cupy, jax and Dask
            stay where they are), a data frame, a table (returned as it is).
            With a label: the feature, a vector of strings, numbers, booleans or categories.
        label
            The class of every observation.
        weights
            The weight of every observation, 1 by default.
        missing
            ``"row"`` gives missing feature values a last row named ``(missing)``; ``"error"`` refuses them.
        row_names, class_names
            Names for a table given as counts.
        feature
            A column of data that is read in parts, a parquet folder, Dask frame or Arrow stream; see `Tables.of`.

        Raises
        ------
        ValueError
            If counts are negative, not finite, ragged, empty or without rows and columns; if vectors differ in
            length or a value is missing; if names do not fit the counts.
        TypeError
            If counts are not real numbers, or are a tuple of two vectors, which are two arguments.

        Notes
        -----
        Rows and columns are sorted; declared categories keep their order and stay if unobserved (see ``dropped``).

        Examples
        --------
        >>> Table.of([[3, 1], [0, 2]]).total
        6
        >>> Table.of([0.5, None, 0.5], ["no", "no", "yes"], missing="row").counts.tolist()
        [[1, 1], [1, 0]]
        """
        one_of(missing, Missing, "missing")
        in_parts = feature is not None or (hasattr(label, "to_delayed") and hasattr(label, "to_frame"))
        if weights is not None and (in_parts or label is None):
            got = "columns read in parts" if in_parts else "counts alone"
            raise TypeError(complaint("weights belong to two vectors", got, "pass a label, or weigh counts"))
        if in_parts:
            from splitcrit.data.counted_columns import ReadingOptions, counted_source, named_counts, source_for

            if feature is None:  # two columns of a Dask data frame
                data, feature, label = data.to_frame(name="feature").assign(label=label), "feature", "label"
            reading = ReadingOptions()
            counted = counted_source(*source_for(data, label, reading), [feature], (), reading)
            return Table(*named_counts(feature, counted.counts[feature], counted.classes, missing))
        if label is not None:
            for part, noun in ((data, "counting a feature"), (label, "counting a label")):
                on_host(part, noun)
            return Table(*crossed(data, label, weights, missing))
        _no_pair(data)
        if isinstance(data, Table) and row_names is None and class_names is None:
            return data
        entries = data.counts if isinstance(data, Table) else data
        counts = device_counts(entries) if of_other_library(entries) else count_array(data)
        found_rows, found_classes = _names_of(data)
        rows = _distinct_names(found_rows if row_names is None else row_names, counts.shape[-2], "row")
        classes = _distinct_names(found_classes if class_names is None else class_names, counts.shape[-1], "class")
        return Table(counts, rows, classes)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape ``(..., r, k)`` of the counts."""
        return tuple(self.counts.shape)

    @property
    def cells(self) -> Any:
        """The counts as a view ``(r, k, ...)``: rows, then classes, then the batch."""
        return namespace(self.counts).moveaxis(self.counts, (-2, -1), (0, 1))

    @property
    def row_totals(self) -> Any:
        """The sums over classes, of shape ``(..., r)``; exact for integers of any size."""
        return summed(self.counts, -1)

    @property
    def column_totals(self) -> Any:
        """The sums over rows, of shape ``(..., k)``; exact for integers of any size."""
        return summed(self.counts, -2)

    @property
    def total(self) -> Any:
        """The number (or weight) of observations: a Python number for one table, an array for a batch."""
        total = summed(self.counts, (-2, -1))
        return total.item() if total.ndim == 0 and isinstance(total, np.ndarray) else total

    @property
    def T(self) -> Table:
        """The table with rows and classes exchanged."""
        return Table(namespace(self.counts).moveaxis(self.counts, -2, -1), self.class_names, self.row_names)

    def integers(self) -> Any:
        """The counts as integers: int64, or Python integers where that is too small for them or their total.

        Raises
        ------
        ValueError
            If a count is fractional.
        """
        if of_other_library(self.counts):
            return device_counts(self.counts, whole=True)
        if self.counts.dtype == np.int64:
            return widened(self.counts)
        counts = self.counts.astype(object)
        whole = np.asarray(counts == counts // 1, dtype=bool)
        rule, remedy = "counts must be integers for an exact null law", "pass counts, not weights or proportions"
        demand(whole, self.counts, ValueError, rule, cell, remedy)
        return widened(narrowed(np.vectorize(int, otypes=[object])(counts)))

    def exact(self) -> list[list[Fraction]]:
        """One table as lists of Fractions; a weight is taken at its exact binary value."""
        self._single("exact()")
        return [[Fraction(x) for x in row] for row in self.counts.tolist()]

    def dropped(self) -> Table:
        """One table without its empty rows and columns; a table of zeros becomes one of shape (0, 0)."""
        self._single("dropped()")
        rows, columns = (self.counts != 0).any(axis=1), (self.counts != 0).any(axis=0)
        if rows.all() and columns.all():
            return self
        return Table(
            self.counts[np.ix_(rows, columns)],
            tuple(name for name, occurs in zip(self.row_names, rows, strict=True) if occurs),
            tuple(name for name, occurs in zip(self.class_names, columns, strict=True) if occurs),
        )

    def merged(self, other: Table) -> Table:
        """The sum of two tables by row and class names, so that partial tables of parts of the data add up.

        Examples
        --------
        >>> Table.of(["a", "b"], [0, 1]).merged(Table.of(["c", "a"], [1, 1]))
        Table.of([[1, 1], [0, 1], [0, 1]], row_names=('a', 'b', 'c'))
        """
        of_kind(other, Table, "a table is merged with a table", "pass Table.of(...)")
        rows = union(self.row_names, other.row_names)
        classes = union(self.class_names, other.class_names)
        ours, theirs = (_on_grid(t.counts, (t.row_names, t.class_names), rows, classes) for t in (self, other))
        return Table(narrowed(ours + theirs), rows, classes)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(on_host(self.counts, "numpy.asarray"), dtype=dtype, copy=copy)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def __reduce__(self) -> tuple[Any, ...]:
        return Table, (self.counts, self.row_names, self.class_names)

    def __repr__(self) -> str:
        if of_other_library(self.counts):
            return f"<Table of shape {self.shape} in {library(self.counts)}>"
        if self.counts.size > LONG:
            return f"<Table of shape {self.shape} and total {summed(self.counts, None)}>"
        names = {"row_names": self.row_names, "class_names": self.class_names}
        named = [f", {what}={each!r}" for what, each in names.items() if each != tuple(range(len(each)))]
        return f"Table.of({self.counts.tolist()}{''.join(named)})"

    def _repr_html_(self) -> str | None:
        """The rows, classes and totals of a single table; None of a batch, or of an array that is elsewhere.

        Examples
        --------
        >>> Table.of([[1, 0], [2, 3]])._repr_html_().count("<tr>"), Table.of([[[1, 2]]])._repr_html_()
        (4, None)
        """
        if of_other_library(self.counts) or self.counts.ndim != 2:
            return None
        totals = zip(self.row_names, self.counts.tolist(), self.row_totals.tolist(), strict=True)
        rows = ([name, *counts, total] for name, counts, total in totals)
        foot = ["total", *self.column_totals.tolist(), self.total]
        return html_table(["", *self.class_names, "total"], rows, foot=foot)

    def _content(self) -> tuple[Any, ...]:
        listed = on_host(self.counts, "comparing or hashing a table").ravel().tolist()
        return self.shape, self.row_names, self.class_names, tuple(listed)

    def _single(self, method: str) -> None:
        on_host(self.counts, method)
        if self.counts.ndim != 2:
            rule = f"{method} takes a single table"
            raise ValueError(complaint(rule, f"a batch of shape {self.shape}", "call it on one table of the batch"))


def _no_pair(data: Any) -> None:
    """Refuse a tuple of two vectors where one table is expected: numpy would read them as a table of two rows."""
    if isinstance(data, tuple) and len(data) == 2 and all(_vector(part) for part in data):
        rule, got = "a feature and its label are two arguments", "one tuple of two vectors"
        raise TypeError(complaint(rule, got, "pass f(feature, label), not f((feature, label))"))


def _vector(part: Any) -> bool:
    """Whether a value is a one-dimensional array or series of some library; lists and tuples are rows."""
    shape = getattr(part, "shape", None)
    return hasattr(part, "to_numpy") and not hasattr(part, "columns") if shape is None else len(shape) == 1


def _distinct_names(passed: Any, size: int, noun: str) -> tuple[Any, ...]:
    """Distinct names, the places 0, 1, ... if none are given."""
    names = tuple(range(size)) if passed is None else tuple(passed if isinstance(passed, str) else listed(passed, noun))
    rule, remedy = f"{noun} names must be distinct, one for each {noun}", f"pass {size} distinct names"
    try:
        if not len(set(names)) == len(names) == size:
            raise ValueError(complaint(rule, f"{shown(names)} for {size}", remedy))
    except TypeError as error:
        raise TypeError(complaint(rule, error, remedy)) from None
    return names


def _names_of(data: Any) -> tuple[Any, Any]:
    """The row and class names that a table or a data frame with an index brings along."""
    if hasattr(data, "row_names"):
        return data.row_names, data.class_names
    named: list[Any] = [getattr(getattr(data, axis, None), "tolist", list)() for axis in ("index", "columns")]
    return tuple(named) if all(named) else (None, None)


def _on_grid(counts: Array, names: tuple[Any, Any], rows: Any, classes: Any) -> Array:
    """Counts, whose rows and classes have these names, on a larger grid of names, ready to be added."""
    counts = widened(on_host(counts, "merged()"))
    grid = np.zeros((*counts.shape[:-2], len(rows), len(classes)), dtype=counts.dtype)
    at_rows = {name: i for i, name in enumerate(rows)}
    at_classes = {name: i for i, name in enumerate(classes)}
    grid[..., [[at_rows[x]] for x in names[0]], [at_classes[x] for x in names[1]]] = counts
    return grid
