"""What a learner is given: features that are numbers, labels that are classes, weights that weigh; or one sentence.

Main definitions: ``numbers``, ``column``, ``classes_of``, ``class_weights``, ``weights_of``;
``all_or_nothing``; ``Parameters``, ``ClassScore``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import isfinite
from typing import Any

import numpy as np

from splitcrit.arguments import Array, a_table, dense_frame, is_number, masked
from splitcrit.data.columns import ordered
from splitcrit.data.counting import as_array
from splitcrit.data.values import is_missing
from splitcrit.frozen import complaint

NOT_CAST = ("could not convert string to float", "must be a string or a real number", "inhomogeneous shape",
            "Complex data not supported", "could not be promoted",
            "setting an array element with a sequence", "int too large to convert to float")  # fmt: skip


@contextmanager
def all_or_nothing(estimator: Any) -> Iterator[None]:
    """Leave an estimator as it was if its ``fit`` fails: unfitted, or fitted as before."""
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise


def unmasked(value: Any, what: str) -> None:
    """Raise ValueError if some entries of a masked array are masked: nobody knows what lies under the mask."""
    if masked(value):
        remedy = f"fill them with {'nan or ' * (what == 'features')}numbers, or drop these rows"
        raise ValueError(complaint(f"{what} have no masked entries", f"{np.sum(value.mask)} of them", remedy))


@contextmanager
def numbers(value: Any, what: str = "features") -> Iterator[None]:
    """Cast a value inside: what is masked or no number is named; what overflows is infinite, and no warning."""
    unmasked(value, what)
    dtype = getattr(value, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind in "mMV":
        raise TypeError(complaint(f"{what} are numbers", f"dtype {dtype}", "encode them first"))
    if isinstance(dtype, np.dtype) and dtype.kind == "c":
        got = f"dtype {dtype} (Complex data not supported)"
        raise ValueError(complaint(f"{what} are real numbers", got, "pass real and imaginary parts apart"))
    if what == "features":
        a_table(value, sparse=True)
        dense_frame(value)
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            yield
    except (TypeError, ValueError, OverflowError) as error:
        why = str(error).partition("\n")[0]
        if not any(words in why for words in NOT_CAST):
            raise
        got = re.sub(r"^np\.str_\((.*)\)$", r"\1", why.rpartition(": ")[2]) if why.startswith(NOT_CAST[0]) else why
        got = "rows of several lengths" if NOT_CAST[2] in why else got
        got = "columns of numbers and of dates" if NOT_CAST[4] in why else got
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(complaint(f"{what} are numbers", got, "encode or drop them first")) from error


def dense(value: Any, noun: str, remedy: str) -> Array:
    """The array of ``y``; what is masked, sparse or ragged is refused, with a ``remedy`` for the last."""
    unmasked(value, "labels")
    if hasattr(value, "tocsr"):
        raise TypeError(complaint("y is dense", f"a sparse {type(value).__name__}", "pass y.toarray().ravel()"))
    try:
        return as_array(value, noun)
    except ValueError as error:
        raise ValueError(complaint("y has one entry for each row", "rows of several lengths", remedy)) from error


def one_for_each(y: Array, rows: int) -> None:
    """Raise ValueError unless y has one entry for each row."""
    if len(y) != rows:
        rule = f"y has one entry for each of {rows} rows"
        raise ValueError(complaint(rule, f"{len(y)} entries", "pass as many labels as rows"))


def column(value: Any) -> Array:
    """Labels or responses as an array ``(n,)``, which may have been a column.

    Raises
    ------
    ValueError, TypeError
        If there are several columns, none at all, masked entries or complex numbers, or it is sparse.
    """
    y = dense(value, "labels", "pass a list of numbers or words")
    if not y.ndim:
        got = "None" if value is None else f"a single {type(value).__name__}"
        raise ValueError(complaint("y has one entry for each row", got, "pass a list of numbers or words"))
    if y.dtype.kind in "OMm" and any(map(is_missing, y.ravel())):
        raise ValueError(complaint("y has no gaps", "a missing entry", "drop the rows without one"))
    if y.dtype.kind in "cV":
        rule, got = "y holds words or real numbers", f"dtype {y.dtype} (Complex data not supported)"
        raise ValueError(complaint(rule, got, "encode them first; of times and events, by response_scores=log_rank"))
    if len(y.shape) > 1 and y.shape[1:] != (1,):
        got, remedy = f"shape {y.shape}", "fit one estimator for each output, or pass X before y"
        raise ValueError(complaint("y has one output", got, remedy))
    return y.reshape(-1)


def classes_of(y: Array) -> tuple[Array, Array]:
    """The sorted classes and the class code of each row.

    Raises
    ------
    ValueError
        If labels are numbers that are no integers, or of several kinds.

    Examples
    --------
    >>> classes_of(np.array([0.5, 1.0, 2.0]))
    Traceback (most recent call last):
    ...
    ValueError: Unknown label type: a class is a word or an integer; got 3 different numbers such as 0.5; pass them to \
a regression tree, or cut them into classes with numpy.digitize
    """
    labels = labels_of(y)
    if labels.dtype.kind in "iu":
        return ordered(labels, np.ones(len(labels), dtype=bool)).coded()
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.reshape(-1)


def labels_of(y: Array) -> Array:
    """Labels that are classes, integers among objects as integers; see ``classes_of``."""
    rule = "Unknown label type: a class is a word or an integer"
    if y.dtype.kind == "O" and len(y) and all(isinstance(label, int | np.integer) for label in y):
        y = np.array(y.tolist())  # of Python integers, also those of nullable columns
    if y.dtype.kind == "f" and len(broken := y[~(y == np.floor(y)) | (abs(y.astype(float)) >= 2.0**63)]):
        got = f"{len(np.unique(y))} different numbers such as {broken[0]:g}"
        remedy = "pass them to a regression tree, or cut them into classes with numpy.digitize"
        raise ValueError(complaint(rule, got, remedy))
    if y.dtype.kind == "O" and (kinds := {type(label).__name__ for label in y}) - {"str"}:
        got = f"objects of type {', '.join(sorted(kinds))}"
        raise ValueError(complaint(rule, got, "pass y.astype(str), and drop rows without a label"))
    if y.dtype.kind not in "biufSUOM":
        raise ValueError(complaint(rule, f"dtype {y.dtype}", "encode the labels first"))
    return y


def class_weights(class_weight: Any) -> None:
    """Raise ValueError unless the weights of a mapping from classes are finite numbers from 0.

    Examples
    --------
    >>> class_weights({0: -1})
    Traceback (most recent call last):
    ...
    ValueError: class weights must be finite and not negative; got -1 for class 0; correct class_weight
    """
    for name, weight in class_weight.items() if isinstance(class_weight, Mapping) else ():
        if not (is_number(weight) and abs(weight) < 2**1023 and isfinite(weight) and weight >= 0):
            rule = "class weights must be finite and not negative"
            raise ValueError(complaint(rule, f"{weight!r:.40} for class {name!r}", "correct class_weight"))


def finite_weights(value: Any) -> Array:
    """Weights in float64; raise ValueError or TypeError unless they are finite numbers from 0."""
    with numbers(value, "sample weights"):
        weights = np.asarray(value, dtype=float)
    if len(bad := weights[~(np.isfinite(weights) & (weights >= 0))]):
        raise ValueError(complaint("sample weights are finite and not negative", f"{bad[0]:g}", "drop or correct them"))
    return weights


def weights_of(value: Any, rows: int) -> Array:
    """Sample weights as float64 ``(n,)``; a single number stands for all.

    Raises
    ------
    ValueError, TypeError
        If they are not finite numbers from 0, one for each row, some of them positive.
    """
    weights = finite_weights(value)
    weights = np.full(rows, float(weights)) if weights.ndim == 0 else weights
    if weights.shape != (rows,):
        rule, got = f"sample weights are one number for each of {rows} rows", f"shape {weights.shape}"
        raise ValueError(complaint(rule, got, "pass as many as there are rows"))
    if not weights.any():
        raise ValueError(complaint("some weight must be positive", "only zeros", "correct sample_weight"))
    return weights


class Parameters:
    """An estimator that keeps the parameters of its constructor as attributes of the same names."""

    def _set(self, passed: dict[str, Any]) -> None:
        """Set the parameters of a constructor, given its ``locals()``."""
        vars(self).update({name: value for name, value in passed.items() if name not in ("self", "__class__")})


class ClassScore:
    """A classifier whose ``score`` is the accuracy."""

    classes_: Array

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows, or of their weight, whose class is predicted.

        Raises
        ------
        ValueError, TypeError
            If an input is invalid, or labels are words where numbers were fitted, or the reverse.
        """
        predicted, labels = self.predict(X), compared(self.classes_, y)  # type: ignore[attr-defined]
        if labels.shape != predicted.shape:
            rule, got = f"y has one label for each of {len(predicted)} rows", f"shape {labels.shape}"
            raise ValueError(complaint(rule, got, "pass as many labels as rows"))
        weights = None if sample_weight is None else scaled(weights_of(sample_weight, len(labels)))
        return float(np.average(predicted == labels, weights=weights))


def compared(classes: Array, y: Any, where: str = "in fit") -> Array:
    """Labels to compare with predicted ones, or with others that are told ``where``.

    Raises
    ------
    ValueError
        If they are no classes, or words where the classes are numbers, or the reverse.
    """
    labels = labels_of(column(y))
    kinds = [_kind(array) for array in (classes, labels)]
    if kinds[0] != kinds[1]:
        raise ValueError(complaint(f"labels are {kinds[0]}, as {where}", kinds[1], "convert y first"))
    return labels


def _kind(labels: Array) -> str:
    return {"S": "bytes", "M": "dates", "U": "words", "O": "words"}.get(labels.dtype.kind, "numbers")


def scaled(values: Array, *others: Array) -> Any:
    """Arrays divided by the power of two near the largest value of all, so that sums do not overflow."""
    each = (values, *others)
    exponent = max(int(np.frexp(np.abs(part).max())[1]) for part in each)
    parts = tuple(np.ldexp(part, -exponent) for part in each)
    return parts if others else parts[0]
