"""Counts of rows that look like weights of classes are refused, and rarely those that do not depend on the labels."""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest

from splitcrit.nulls.table_pvalues import refuse_class_weights


def arrangements(weights: list[int]) -> list[tuple[int, ...]]:
    """All different orders of some weights."""
    if not weights:
        return [()]
    each = [(w, arrangements([*weights[: weights.index(w)], *weights[weights.index(w) + 1 :]])) for w in set(weights)]
    return [(w, *rest) for w, later in each for rest in later]


SIZES = [[7, 7], [3, 11], [1, 13], [4, 4, 3], [6, 5], [2, 2, 2], [1, 2, 3], [3, 3, 1, 1], [1, 1, 1, 1, 1]]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_counts_that_do_not_depend_on_the_labels_are_rarely_refused(sizes: list[int]) -> None:
    """All arrangements of weights that may look like those of these classes: at most K! are one number a class."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    for unequal in ({0: 1}, dict(enumerate(range(len(sizes))))):  # the weights of two classes, or of each, differ
        weights = [1 + unequal.get(label, 0) for label in labels.tolist()]
        every, by_class, refused, remarked = arrangements(weights), 0, 0, 0
        rare = len(every) >= 1000 * factorial(len(sizes))
        for order in every:
            one = len(set(zip(labels.tolist(), order, strict=True))) == len(sizes)
            by_class += one
            try:
                remarked += len(refuse_class_weights(np.array(order), labels))
            except ValueError:
                refused += 1
            assert refused + remarked <= by_class
        assert by_class <= factorial(len(sizes))
        assert refused / len(every) <= 1 / 1000
        assert refused == (by_class if rare else 0)
        assert remarked == (by_class if factorial(len(sizes)) < len(every) and not rare else 0)


def test_any_column_of_responses_counts_as_labels() -> None:
    event = np.arange(30) % 3 == 0
    times, weights = np.random.default_rng(0).random(30), np.where(event, 4, 1)
    fields = np.zeros(30, dtype=[("event", bool), ("time", float)])
    fields["event"], fields["time"] = event, times
    objects = np.array([[t, bool(e)] for t, e in zip(times, event, strict=True)], dtype=object)
    for y in (fields, objects, np.column_stack([times, event])):
        with pytest.raises(ValueError, match="one weight for each class of y, from 1 to 4"):
            refuse_class_weights(weights, y)
    assert refuse_class_weights(weights, times) == ()
    with pytest.raises(ValueError, match="one weight for each class"):  # the same of rows that are counted
        refuse_class_weights(np.array([4.0, 1.0]), np.array([1, 0]), np.array([10, 20]))
