"""Tables of many features, counted in one pass.

Data may be in memory, in a file or in parts; the same rule reads, counts and cuts them.

Main definitions: ``Tables``; ``remarks`` (what a reader should know of how columns became tables).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from typing import Any, final

from splitcrit.arguments import one_of, whole
from splitcrit.data.columns import NaValues, listed
from splitcrit.data.counted_columns import MANY, Column, ReadingOptions, counted_source, named_counts, source_for
from splitcrit.data.crossing import Missing
from splitcrit.data.csv_files import Watch
from splitcrit.data.formats import AS_WRITTEN, FileOptions
from splitcrit.data.partial_counts import CELLS
from splitcrit.data.resume import ResumeFolder
from splitcrit.data.targets import without_target
from splitcrit.display import NAME, html_table, visible_name
from splitcrit.frozen import visible
from splitcrit.table.contingency import Table

SHOWN, LINES = 8, 4  # names in a sentence, and lines of one kind
EXAMPLES = re.compile(r"(['\"]).*?\1|\S+\.\w+|\d+")  # in which the notes differ of what was read alike
LEVELS = 20  # categories; as many or more in at most twice as many rows are one for nearly every row


@final
@dataclass(frozen=True, eq=False, repr=False)
class Tables:
    """The contingency tables of many features against one label, counted without holding the rows.

    Parameters
    ----------
    rows
        The number of rows counted.
    tables
        The table of every feature by its name.
    cuts
        For every feature that was binned the largest value of each bin but the last.
    left_out
        Features with too many values that are no numbers.
    columns
        How every feature became the rows of its table.
    unlabelled
        How many rows were left out, because they have no label.
    remarks
        What was guessed about the label and about files.

    Examples
    --------
    >>> counted = Tables(rows=4, tables={"colour": Table.of([[2, 0], [0, 2]])})
    >>> counted.rows, list(counted.tables), counted.left_out
    (4, ['colour'], ())
    """

    rows: int
    tables: dict[Any, Table]
    cuts: dict[Any, tuple[Any, ...]] = field(default_factory=dict)
    left_out: tuple[Any, ...] = ()
    columns: dict[Any, Column] = field(default_factory=dict)
    unlabelled: int = 0
    remarks: tuple[str, ...] = ()

    @staticmethod
    def of(
        data: Any, label: Any, *, features: Iterable[Any] | None = None, drop: Iterable[Any] = (),
        missing: Missing = "error", bins: int | None = None, na_values: Iterable[Any] = (), max_values: int = MANY,
        watch: Watch | None = None, resume: Any = None, files: FileOptions = AS_WRITTEN,
    ) -> Tables:  # fmt: skip
        """The table of every feature against the label.

        Parameters
        ----------
        data
            With the name of the label: the path of a CSV file (gzipped or not), of a parquet or Arrow file or of a
            folder of such files, or a list of paths; a data frame of pandas, polars or Dask; a mapping from names to
            vectors; a pyarrow dataset; or anything with ``__arrow_c_stream__``, as tables of pyarrow and DuckDB have.
            With a vector of labels: a data frame, a mapping, or an array ``(n, d)``, whose columns are named 0, 1, ...
        label
            The name of a column, or the class of every row.
        features
            Names of columns; all columns but the label by default.
        drop
            Columns that are no features.
        missing
            ``"row"`` gives missing feature values a last row named ``(missing)``; ``"error"`` refuses them.
        bins
            Cut numbers, dates and times with more distinct values into this many bins at quantiles.
        na_values
            Texts and numbers that stand for a missing value in every column.
        max_values
            A column with more distinct values, which is not cut, is refused if it stands in ``features``, and
            left out if not.
        watch
            Called after every part with the rows read so far and the rows there are, None if unknown, an estimate
            while a CSV file is read.
        resume
            A folder, made if it is not there, that keeps the counts of files while they are read: a run that was
            interrupted goes on from there, with the same tables.
        files
            How CSV files are written, where their texts do not tell.

        Raises
        ------
        ValueError
            If a column is absent, the label has more than 1000 values or is a measured number, or
            files differ in their columns.
        TypeError
            If a column holds lists, structs or maps, or data is nothing that has columns.

        Notes
        -----
        The cuts are the quantiles of all rows where a column has up to 65536 different values. Where more differ,
        neighbours are counted as one: those whose float64 agrees in all but its lowest bits, as few bits as leave at
        most 65536 such cells (of more than 64 classes fewer, 2^22 counts in all). Cuts are the largest values of cells.
        They depend on the set of values and on how many rows have each, and on no label, order of rows, or division
        into files. Dask partitions are counted where they lie; only counts travel.

        Examples
        --------
        >>> found = Tables.of({"size": [1.5, 2.5, 1.5], "sold": ["no", "yes", "no"]}, "sold")
        >>> found.tables["size"]
        Table.of([[2, 0], [0, 1]], row_names=(1.5, 2.5), class_names=('no', 'yes'))
        >>> Tables.of([[1.5], [2.5], [1.5]], ["no", "yes", "no"]).tables[0] == found.tables["size"]
        True
        """
        one_of(missing, Missing, "missing")
        bins = None if bins is None else whole(bins, "the number of bins", 2)
        most, folder = whole(max_values, "max_values", 1), ResumeFolder.of(resume)
        reading = ReadingOptions(bins, most, NaValues.of(na_values), watch, folder, files=files)
        counted = counted_source(*source_for(data, label, reading), features, drop, reading)
        tables = {name: Table(*named_counts(name, c, counted.classes, missing)) for name, c in counted.counts.items()}
        cuts = {name: listed(c.cuts) for name, c in counted.counts.items() if len(c.cuts)}
        return Tables(counted.rows, tables, cuts, *counted[3:])

    def __repr__(self) -> str:
        return f"<Tables of {len(self.tables)} features and {self.rows} rows>"

    def _repr_html_(self) -> str:
        rows = [(name, *table.shape, table.total) for name, table in self.tables.items()]
        notes = [f"left out: {first_of(self.left_out)}"] if self.left_out else []
        return html_table(["feature", "rows", "classes", "total"], rows, notes=notes)


def remarks(tables: Tables, *, cut_in_two: Container[Any] = ()) -> tuple[str, ...]:
    """Sentences about what was cut, merged, taken for missing, treated as categories, or left out.

    Missing values of columns that are ``cut_in_two`` are on the better side of each cut; those of others are a row.

    Examples
    --------
    >>> data = {"size": [1, None, 3, 5], "kind": list("aabb"), "y": [0, 1, 1, 0]}
    >>> print(*remarks(Tables.of(data, "y", bins=2, missing="row")), sep="\\n")
    cut at quantiles into at most 2 bins without looking at the label: size.
    treated as categories: kind.
    missing values are a row of their own in: size.
    """
    columns = tables.columns
    marks = [f"{', '.join(map(repr, c.marks))} in {visible_name(name)}" for name, c in columns.items() if c.marks]
    rare = [f"{visible_name(name)} ({c.values} values in {tables.rows} rows)" for name, c in columns.items()
            if c.kind == "category" and c.values >= LEVELS and 2 * c.values > tables.rows]  # fmt: skip
    cut, merged = ([name for name, c in columns.items() if getattr(c, what)] for what in ("bins", "merged"))
    most = max((column.bins for column in columns.values()), default=0)
    gaps, own = [name for name, column in columns.items() if column.missing], "category" if cut_in_two else "row"
    groups = (
        (f"cut at quantiles into at most {most} bins without looking at the label: ", cut),
        (f"neighbours are counted as one, since more than {CELLS} values differ: ", merged),
        ("treated as categories: ", [n for n, c in columns.items() if c.kind == "category"]),
        ("categories with nearly as many values as rows: ", rare),
        ("missing values are on the better side of each cut in: ", [n for n in gaps if n in cut_in_two]),
        (f"missing values are a {own} of their own in: ", [n for n in gaps if n not in cut_in_two]),
        ("treated as missing: ", marks),
        (f"left out, no numbers and more than {MANY} values: ", tables.left_out),
    )
    notes = ((f"{visible_name(name)}: ", f"{column.note}.") for name, column in columns.items() if column.note)
    of_columns = _few_of_a_kind(notes, "columns like these; --json, or columns, has each")
    of_files = _few_of_a_kind((("", line) for line in tables.remarks), "files like these")
    read = (f"{words}{first_of(names)}." for words, names in groups if names)
    return (*of_files, *without_target(tables.unlabelled), *read, *of_columns)


def _few_of_a_kind(lines: Iterable[tuple[str, str]], others: str) -> list[str]:
    """Lines, name and words each, of each kind of words the first few, and how many ``others`` there are."""
    alike = dict[str, list[str]]()
    for name, words in lines:
        alike.setdefault(EXAMPLES.sub("", words), []).append(name + words)
    for each in alike.values():
        if len(each) > LINES + 1:
            each[LINES:] = [f"and {len(each) - LINES} more {others}."]
    return [line for each in alike.values() for line in each]


def first_of(names: Iterable[Any], most: int = SHOWN) -> str:
    """Names with commas between them, the first few of many."""
    texts = [visible(name, 3 * NAME) for name in names]
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more
