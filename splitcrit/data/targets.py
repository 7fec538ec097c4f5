"""What a target is: classes or numbers; one rule for vectors, columns and counted values.

With ``response="auto"`` numbers are measured if some are fractions, or more than 20 differ; others are classes.

Main definitions: ``read_target`` (a ``Target``), ``response_of`` (of distinct values and their counts),
``without_target`` (the remark on rows that are left out), ``MeasuredTarget``.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, NamedTuple

import numpy as np

from splitcrit.arguments import Array, one_of
from splitcrit.data.columns import NONE, InMemoryColumn, NaValues, levels, magnitudes, read_column
from splitcrit.data.training_inputs import column as one_output
from splitcrit.data.values import in_order, is_beyond
from splitcrit.display import many
from splitcrit.frozen import complaint, shown

Response = Literal["classes", "numbers"]
ResponseChoice = Literal["auto", Response]
MOST_CLASSES = 20  # different whole numbers that are classes
CLASSES = 1000  # a column with more values is no class
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
        ``"classes"`` or ``"numbers"``.
    values
        For each row that has a target the place of its class, or its number.
    classes
        The names of the classes in order; none of numbers.
    present
        Which rows have a target.
    remarks
        Sentences about what a reader may not expect.
    label
        The name of the target.
    """

    kind: Response
    values: Array
    classes: tuple[Any, ...]
    present: Array
    remarks: tuple[str, ...]
    label: Any = "y"

    @property
    def responses(self) -> Array:
        """The numbers as floats; of integers that floats do not keep apart, how far each lies above the least.

        Raises
        ------
        ValueError
            If one is infinite, or too large for a float.
        """
        values = self.values
        if len(values) and is_beyond(values):  # a variance does not see the least one
            values = values.astype(object) - min(values.tolist())
        try:
            floats = values.astype(np.float64)
        except OverflowError:
            rule, remedy = "a numeric target must fit a float", "divide it, or take logarithms"
            raise ValueError(complaint(rule, f"larger ones in {self.label!r}", remedy)) from None
        if not np.isfinite(floats).all():
            rule, got = "a numeric target must be finite", f"{floats[~np.isfinite(floats)][0]:g} in {self.label!r}"
            raise ValueError(complaint(rule, got, "drop these rows"))
        return floats


def read_target(y: Any, response: ResponseChoice = "auto", label: Any = "y", na_values: NaValues = NONE) -> Target:
    """What a vector, or a column of a table, is as a target.

    Raises
    ------
    ValueError, TypeError
        If it is no vector, or holds other values than ``response`` insists on.

    Examples
    --------
    >>> read_target(["no", "yes", None])[:4]
    ('classes', array([0, 1]), ('no', 'yes'), array([ True,  True, False]))
    >>> read_target([0.5, 2]).kind, read_target(range(21)).kind, read_target(range(20)).kind
    ('numbers', 'numbers', 'classes')
    """
    one_of(response, ResponseChoice, "a response")
    column = target_column(y, label)
    how = response if column.kind == "number" else "declared"
    values, present = (np.empty(0, int), column.present) if how == "declared" else magnitudes(column, na_values)
    measured = values.dtype.kind == "f" and not (values == np.floor(values)).all()  # most often
    if response == "numbers" and how == "declared" and present.any():
        rule, remedy = "a numeric target must hold only numbers", "leave out response='numbers', or correct the column"
        raise ValueError(complaint(rule, f"other values in {label!r}", remedy))
    if response == "classes" or not (measured or response == "numbers"):
        names, codes = levels(column, na_values)
        kind, remarks = response_of(names, np.bincount(codes[codes >= 0], minlength=len(names)), how, label)
        if kind == "classes":
            return Target(kind, codes[codes >= 0], names, codes >= 0, remarks, label)
    return Target("numbers", values, (), present, (), label)


def target_column(y: Any, label: Any) -> InMemoryColumn:
    """A target as a column; a table of one column is one."""
    if isinstance(y, InMemoryColumn):
        return y
    odd = getattr(getattr(y, "dtype", None), "kind", "") in ("c", "V") or hasattr(y, "tocsr")
    if odd or (not isinstance(y, type) and len(getattr(y, "shape", ())) == 2):
        y = one_output(y)  # or a sentence
    return read_column(list(y) if isinstance(y, range) else y, label)


def response_of(names: Sequence[Any], counts: Any, response: str, label: Any) -> tuple[Response, tuple[str, ...]]:
    """Whether distinct values are classes or numbers, by how many rows have each, and remarks.

    Names of a column of categories are classes, numbers too: their ``response`` is "declared".

    Raises
    ------
    MeasuredTarget
        If ``response`` insists on classes, and there are fractions, or more numbers than there may be classes.
    ValueError
        If there are more of others, or the name of a class is too long to be one.

    Examples
    --------
    >>> response_of(["ja", "Ja", "nein"], [90, 2, 80], "auto", "sold")
    ('classes', ("classes of 'sold' that differ only by case or blanks: 'Ja', 'ja'.",))
    """
    rows, names = dict(zip(names, counts, strict=True)), in_order(names)
    longest = max((len(name) for name in names if isinstance(name, str)), default=0)
    if longest > LONGEST:
        rule, got = f"a class has a name of at most {LONGEST} characters", f"{longest} in column {label!r}"
        raise ValueError(complaint(rule, got, "look for a lost quote, or choose another target"))
    numeric = bool(names) and response != "declared" and all(map(_is_number, names))
    fraction = next((name for name in names if numeric and (name in (np.inf, -np.inf) or name != int(name))), None)
    if response == "auto" and numeric and (fraction is not None or len(names) > MOST_CLASSES):
        return "numbers", ()
    if fraction is not None:
        raise MeasuredTarget(complaint("a label is a class", f"numbers such as {fraction} in {label!r}", REMEDY))
    if len(names) > CLASSES:
        raise too_many_classes(label, names)
    alike: dict[str, list[Any]] = {}
    for name in names:
        alike.setdefault(" ".join(str(name).split()).casefold(), []).append(name)
    spelt = [name for each in alike.values() for name in each if len(each) > 1]
    single = [name for name in names if rows[name] == 1]
    remarks = (
        (
            f"{len(names)} whole numbers in {label!r} are taken for classes; response='numbers' measures them",
            numeric and len(names) > 2,
        ),
        (f"classes of {label!r} that differ only by case or blanks: {_some(spelt)}", spelt),
        (f"classes of {label!r} with one row: {_some(single)}", single),
    )
    return "classes", tuple(f"{words}." for words, holds in remarks if holds)


def too_many_classes(label: Any, names: Sequence[Any]) -> ValueError:
    """The error about a label with so many values that they are no classes."""
    rule, got = f"a label has at most {CLASSES} values", f"more in {label!r}"
    kind = MeasuredTarget if all(_is_number(name) for name in names if name is not None) else ValueError
    return kind(complaint(rule, got, f"choose a column of classes; of this one, {REMEDY}"))


def without_target(rows: int) -> tuple[str, ...]:
    """A remark on rows that were left out because they have no target, if there are some."""
    return (f"left out, without a target: {many(rows, 'row')}.",) if rows else ()


def _some(names: list[Any]) -> str:
    return ", ".join(map(shown, names[:SHOWN])) + f" and {len(names) - SHOWN} more" * (len(names) > SHOWN)


def _is_number(name: Any) -> bool:
    return isinstance(name, int | float | np.number | Fraction | Decimal) and not isinstance(
        name, bool | np.bool_ | np.timedelta64
    )
