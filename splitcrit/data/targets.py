"""What a target is: classes, numbers, or times and events; one rule for vectors, columns and counted values.

With ``response="auto"`` numbers are measured if some are fractions, or more than 20 differ; others are classes.

Main definitions: ``read_target`` (a ``Target``), ``response_of`` (of distinct values and their counts),
``MeasuredTarget``.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, NamedTuple

import numpy as np

from splitcrit.arguments import Array, one_of
from splitcrit.data.columns import InMemoryColumn, read_column
from splitcrit.data.value_codes import in_order
from splitcrit.frozen import complaint, shown

Response = Literal["classes", "numbers", "times"]
MOST_CLASSES = 20  # different whole numbers that are classes
LONGEST = 10_000  # characters of a class
SHOWN = 4  # classes in a remark
REMEDY = "cut it into classes, say at its quantiles, or fit a TreeRegressor"


class MeasuredTarget(ValueError):
    """A label holds measured numbers, and no classes."""


class Target(NamedTuple):
    """What a target is.

    Parameters
    ----------
    kind
        ``"classes"``; ``"numbers"``; or ``"times"``, with events, of a structured array of two fields, one boolean.
    values
        For each row the place of its class, its number, or time and event; anything where it has none.
    classes
        The names of the classes in order; none of another kind.
    present
        Which rows have a target.
    remarks
        Sentences about what a reader may not expect.
    """

    kind: Response
    values: Array
    classes: tuple[Any, ...]
    present: Array
    remarks: tuple[str, ...]


def read_target(y: Any, response: str = "auto", label: Any = "y") -> Target:
    """Return what a vector, or a column of a table, is as a target.

    Raises
    ------
    ValueError, TypeError
        If it is no vector, or holds other values than ``response`` insists on.

    Examples
    --------
    >>> read_target(["no", "yes", None])[:3]
    ('classes', array([0, 1, 0]), ('no', 'yes'))
    >>> read_target([0.5, 2]).kind, read_target(range(21)).kind, read_target(range(20)).kind
    ('numbers', 'numbers', 'classes')
    """
    one_of(response, ("auto", "classes", "numbers"), "a response")
    fields = getattr(getattr(y, "dtype", None), "names", None)
    if fields and len(fields) == 2:
        return Target("times", y, (), np.ones(len(y), dtype=bool), ())
    column = y if isinstance(y, InMemoryColumn) else read_column(list(y) if isinstance(y, range) else y, label)
    names, codes = column.encoded()
    kind, remarks = response_of(names[:-1], np.bincount(codes, minlength=len(names))[:-1], response, label)
    if kind == "numbers":
        return Target(kind, np.where(column.present, column.values, np.nan).astype(float), (), column.present, remarks)
    classes = tuple(names[:-1]) if column.declared else in_order(names[:-1])
    places = {name: place for place, name in enumerate(classes)}
    return Target(kind, np.array([places.get(name, 0) for name in names])[codes], classes, column.present, remarks)


def response_of(names: Sequence[Any], counts: Any, response: str, label: Any) -> tuple[Response, tuple[str, ...]]:
    """Return whether distinct values are classes or numbers, by how many rows have each, and remarks.

    Raises
    ------
    MeasuredTarget
        If ``response`` insists on classes, and there are fractions.
    ValueError
        If it insists on numbers, and there are others; or the name of a class is too long to be one.

    Examples
    --------
    >>> response_of(["ja", "Ja", "nein"], [90, 2, 80], "auto", "sold")
    ('classes', ("classes of 'sold' that differ only by case or blanks: 'ja', 'Ja'.",))
    """
    longest = max((len(name) for name in names if isinstance(name, str)), default=0)
    if longest > LONGEST:
        rule, got = f"a class has a name of at most {LONGEST} characters", f"{longest} in column {label!r}"
        raise ValueError(complaint(rule, got, "look for a lost quote, or choose another target"))
    numeric = bool(len(names)) and all(map(_is_number, names))
    fraction = next((name for name in names if numeric and (name in (np.inf, -np.inf) or name != int(name))), None)
    if response == "numbers" and not numeric:
        raise no_numbers(label)
    if response == "numbers" or (
        response == "auto" and numeric and (fraction is not None or len(names) > MOST_CLASSES)
    ):
        return "numbers", ()
    if fraction is not None:
        raise MeasuredTarget(complaint("a label is a class", f"numbers such as {fraction} in {label!r}", REMEDY))
    alike: dict[str, list[Any]] = {}
    for name in names:
        alike.setdefault(" ".join(str(name).split()).casefold(), []).append(name)
    spelt = [name for each in alike.values() for name in each if len(each) > 1]
    single = [name for name, count in zip(names, counts, strict=True) if count == 1]
    said = (
        (
            f"{len(names)} whole numbers in {label!r} are taken for classes; response='numbers' measures them",
            numeric and len(names) > 2,
        ),
        (f"classes of {label!r} that differ only by case or blanks: {_some(spelt)}", spelt),
        (f"classes of {label!r} with one row: {_some(single)}", single),
    )
    return "classes", tuple(f"{words}." for words, holds in said if holds)


def no_numbers(label: Any) -> ValueError:
    """Return the error about a target of numbers that holds other values."""
    rule, remedy = "a numeric target must hold only numbers", "leave out response='numbers', or correct the column"
    return ValueError(complaint(rule, f"other values in {label!r}", remedy))


def _some(names: list[Any]) -> str:
    return ", ".join(map(shown, names[:SHOWN])) + f" and {len(names) - SHOWN} more" * (len(names) > SHOWN)


def _is_number(name: Any) -> bool:
    return isinstance(name, int | float | np.number | Fraction | Decimal) and not isinstance(
        name, bool | np.bool_ | np.timedelta64
    )
