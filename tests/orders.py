"""Impurities and gains from definitions in plain Python; nothing of the package.

Main definitions: ``IMPURITIES`` (of counts), ``gain`` (of a table). Gini and the share of errors are Fractions, the
entropy is a float.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
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
