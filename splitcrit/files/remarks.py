"""What a reader of a ranking should know of how its columns became tables, in sentences.

Main definitions: ``remarks``.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

from splitcrit.files.passes import MANY
from splitcrit.files.sample import SAMPLE
from splitcrit.files.streamed import Tables
from splitcrit.files.texts import LIKE

SHOWN = 8  # names in a sentence
LEVELS = 20  # categories; as many or more in at most twice as many rows are one for nearly every row


def remarks(found: Tables, *, cut_in_two: Container[Any] = ()) -> tuple[str, ...]:
    """Return sentences about what was cut, sampled, taken for missing, treated as categories, or left out.

    Missing values of columns that are ``cut_in_two`` are on the better side of each cut; those of others are a row.

    Examples
    --------
    >>> for line in remarks(Tables.of({"size": ["1", "NA", "3"], "kind": list("aab"), "y": [0, 1, 1]}, "y", bins=2,
    ...                               missing="row")):
    ...     print(line)
    categories, a row for each value: kind.
    missing values are a row of their own in: size.
    taken for missing: 'NA' in size.
    """
    columns = found.columns
    spoilt = [(name, *column.spoiler) for name, column in columns.items() if column.spoiler]
    nearly = [f"{name} ({text!r} in row {row + 1} is no {kind}; name it as a missing value, or mend it)"
              for name, kind, row, text in spoilt if kind not in LIKE]  # fmt: skip
    commas, others = ([f"{name} ({text!r} in row {row + 1})" for name, kind, row, text in spoilt if kind == each]
                      for each in LIKE)  # fmt: skip
    marks = [f"{', '.join(map(repr, c.marks))} in {name}" for name, c in columns.items() if c.marks]
    rare = [f"{name} ({c.values} values in {found.rows} rows)" for name, c in columns.items()
            if c.kind == "category" and c.values >= LEVELS and 2 * c.values > found.rows]  # fmt: skip
    cut = [name for name, column in columns.items() if column.bins]
    most = max((column.bins for column in columns.values()), default=0)
    gaps = [name for name, column in columns.items() if column.missing]
    told = (
        (f"cut at quantiles into at most {most} bins without looking at the label: ", cut),
        (f"cut at the quantiles of a sample of {SAMPLE} values: ", found.sampled),
        ("categories, a row for each value: ", [n for n, c in columns.items() if c.kind == "category"]),
        ("categories that are nearly all numbers or dates: ", nearly),
        ("numbers with a decimal comma, taken for categories; write a point: ", commas),
        ("dates in another form than 2024-02-29, taken for categories: ", others),
        ("categories with a value for nearly every row: ", rare),
        ("missing values are on the better side of each cut in: ", [n for n in gaps if n in cut_in_two]),
        (
            f"missing values are a {'category' if cut_in_two else 'row'} of their own in: ",
            [n for n in gaps if n not in cut_in_two],
        ),
        ("taken for missing: ", marks),
        (f"left out, no numbers and more than {MANY} values: ", found.left_out),
    )
    return tuple(f"{words}{_listed(names)}." for words, names in told if names)


def _listed(names: Iterable[Any]) -> str:
    """Return names with commas between them, the first few of many."""
    texts = list(map(str, names))
    more = f" and {len(texts) - SHOWN} more" if len(texts) > SHOWN else ""
    return ", ".join(texts[:SHOWN]) + more
