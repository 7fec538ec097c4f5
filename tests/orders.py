"""Gains over literally all orders of the labels, from definitions in plain Python; nothing of the package.

Main definitions: ``IMPURITIES`` (of counts), ``gain`` (of a table), ``gains_of_all_orders``, ``mean_and_variance``.
Gini and the share of errors are Fractions, the entropy is a float.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations
from math import fsum, log
from typing import Any

Table = Sequence[Sequence[int]]


def gini(counts: Sequence[int]) -> Fraction:
    n = sum(counts)
    return 1 - sum(Fraction(c, n) ** 2 for c in counts)


def errors(counts: Sequence[int]) -> Fraction:
    return 1 - Fraction(max(counts), sum(counts))


def entropy(counts: Sequence[int]) -> float:
    n = sum(counts)
    return -fsum(c / n * log(c / n) for c in counts if c)


IMPURITIES: dict[str, Callable[[Sequence[int]], Any]] = {
    "gini": gini,
    "misclassification": errors,
    "entropy": entropy,
}


def gain(table: Table, impurity: Callable[[Sequence[int]], Any]) -> Any:
    """The impurity of the node less the mean impurity of its rows; empty rows count nothing."""
    node = [sum(column) for column in zip(*table, strict=True)]
    n = sum(node)
    return impurity(node) - sum(Fraction(sum(row), n) * impurity(row) for row in table if sum(row))


def gains_of_all_orders(table: Table, impurity: Callable[[Sequence[int]], Any]) -> list[Any]:
    """The gain of each of the ``n!`` orders of the labels."""
    feature = [i for i, row in enumerate(table) for _ in range(sum(row))]
    labels = [k for row in table for k, count in enumerate(row) for _ in range(count)]
    classes, seen = len(table[0]), Counter(permutations(labels))
    found: list[Any] = []
    for order, times in seen.items():
        cells = [[0] * classes for _ in table]
        for i, k in zip(feature, order, strict=True):
            cells[i][k] += 1
        found += [gain(cells, impurity)] * times
    return found


def mean_and_variance(values: Sequence[Any]) -> tuple[Any, Any]:
    """The mean and the variance of equally likely values."""
    mean = sum(values) / Fraction(len(values))
    return mean, sum((v - mean) ** 2 for v in values) / Fraction(len(values))
