"""The labels of a node: classes or numbers, with multiplicities.

Main definitions: ``read_response``, ``read_counts``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import finite
from splitcrit.frozen import complaint
from splitcrit.inference.joint import Response
from splitcrit.training_inputs import classes_of, column, weights_of

Array = NDArray[Any]
MOST_CLASSES = 20  # more different numbers than these are no classes, unless it is said
MOST = 10**7  # observations that counted rows may stand for


def read_response(y: Any, kind: str, statistic: str, min_leaf: int, rows: int) -> Response:
    """Return the labels of ``rows`` rows.

    With ``kind="auto"`` numbers are a response to measure if some are no integers, or more than 20 are different.

    Raises
    ------
    ValueError, TypeError
        If there are more or fewer, if they are neither classes nor finite numbers, or do not fit the statistic.
    """
    labels = column(y)
    if len(labels) != rows:
        got = f"{len(labels)} for {rows} rows"
        raise ValueError(complaint("y has one entry for each row of X", got, "pass both of the same rows"))
    if kind == "numbers" or (kind == "auto" and _measured(labels)):
        if statistic == "pairwise_gain":
            remedy = "pass statistic='gini', or response='classes'"
            raise ValueError(complaint("a pairwise gain is one of two classes", "numbers", remedy))
        return Response(_standardised(finite(labels, "responses", 1)), "variance", min_leaf)
    classes, codes = classes_of(labels)
    if statistic == "pairwise_gain" and len(classes) > 2:
        remedy = "pass statistic='sgini' or 'gini'"
        raise ValueError(complaint("a pairwise gain is one of two classes", f"{len(classes)} classes", remedy))
    return Response((codes[:, None] == np.arange(len(classes))).astype(np.float64), statistic, min_leaf)


def _measured(labels: Array) -> bool:
    """Tell whether labels are numbers to measure, not classes."""
    if labels.dtype.kind not in "iuf":
        return False
    fractions = labels.dtype.kind == "f" and not bool((labels == np.floor(labels)).all())
    return fractions or len(np.unique(labels)) > MOST_CLASSES


def _standardised(numbers: Array) -> Array:
    """Return numbers less their mean, over their standard deviation, as a column; 0 where all are equal."""
    scale = np.abs(numbers).max(initial=0.0)
    centred = numbers / (scale or 1.0)
    centred = centred - centred.mean()
    spread = float(np.sqrt((centred**2).mean()))
    constant = len(numbers) == 0 or bool((numbers == numbers[0]).all())
    return np.zeros((len(numbers), 1)) if constant else (centred / spread)[:, None]


def read_counts(given: Any, rows: int) -> Array | None:
    """Return how many observations each row stands for, None where each is one.

    Raises
    ------
    ValueError, TypeError
        If weights are no counts, since only equal observations are interchangeable, or if they are too many.
    """
    if given is None:
        return None
    found = weights_of(given, rows)
    if not (found == np.floor(found)).all():
        rule, got = "weights of a test are counts of equal rows", f"{found[found != np.floor(found)][0]:g}"
        raise ValueError(complaint(rule, got, "pass integers, or no sample_weight"))
    if not (found <= MOST).all() or found.sum() > MOST:
        rule, got = f"weights of a test are counts of up to {MOST} observations in all", "more than that"
        raise ValueError(complaint(rule, got, "divide the counts, or test fewer rows"))
    return found.astype(np.int64)
