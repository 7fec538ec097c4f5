"""Rows that come in groups, such as visits of patients: one observation a group, where columns are constant in groups.

Groups ``c = 1..C`` have ``m_c`` rows with one value ``x_c`` of each column, and labels ``y_c``; groups are independent,
rows of one group are not. If the value of a group is unrelated to its size and its labels, all orders of the values
over the groups are equally likely, given sizes and labels. So are then all orders of one label a group, or of the means
of the labels of each: C observations, of one vote each, that any test of independent rows may take.

A column that varies within groups needs other moves, of whole groups, and is refused.
Near-misses: labels of single rows that move; labels that move inside groups; a group in two halves of the rows.

Main definitions: ``Groups`` (of ``groups_of``), ``one_a_group`` (of columns in memory), ``check_arrangements``.
Source: own; hothorn2006 for permutations within blocks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import exp, fsum, lgamma, log
from typing import Any, final

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.columns import InMemoryColumn, coded, levels
from splitcrit.data.counted_columns import ReadingOptions
from splitcrit.data.row_parts import ColumnSource, in_memory
from splitcrit.data.targets import read_target
from splitcrit.frozen import complaint

ARRANGEMENTS = 20  # fewer give no p-value up to .05
ROUNDING = 1e-9
GROUPED = "Rows come in {} groups: each is one observation, of one label or the mean of its labels."


@final
@dataclass(frozen=True, eq=False)
class Groups:
    """The groups of rows: codes ``(n,)`` from 0 in the order of their first rows."""

    codes: Array

    @property
    def first(self) -> Array:
        """The first row of each group."""
        return np.unique(self.codes, return_index=True)[1]

    @property
    def remark(self) -> str:
        """A sentence on what was taken for dependent."""
        return GROUPED.format(len(self.first))

    def constant(self, values: Array) -> bool:
        """Whether values ``(n, ...)``, of which none is nan, are constant in every group."""
        return bool((values == values[self.first][self.codes]).all())

    def check(self, values: Array, name: object) -> None:
        """Raise ValueError if the values of a column vary within groups."""
        if not self.constant(values):
            rule, got = "with groups= columns are constant within groups", f"{name!s}, which is not"
            raise ValueError(complaint(rule, got, "leave it out, or pass one row a group without groups="))

    def labels(self, labels: Array) -> Array:
        """One label a group of classes ``(n,)`` or responses ``(n, q)`` that are constant in groups, else means.

        The means ``(C, q)`` are of responses, or of whether rows are of each class, of two classes of the second; they
        are the same in any order of the rows.

        Raises
        ------
        ValueError
            If no p-value up to .05 can come out.
        """
        if self.constant(labels):
            found = labels[self.first]
        else:
            vectors = labels
            if labels.ndim == 1:
                classes = np.arange(int(labels.max()) + 1)
                vectors = (labels[:, None] == (classes[1:] if len(classes) == 2 else classes)) * 1.0
            order, sizes = np.lexsort((*vectors.T, self.codes)), np.bincount(self.codes)
            found = np.add.reduceat(vectors[order], sizes.cumsum() - sizes) / sizes[:, None]
        if len(np.unique(found, axis=0)) > 1:
            check_arrangements([tuple(row) for row in found.reshape(len(found), -1).tolist()])
        return np.asarray(found)


def check_unweighted(weights: Any) -> None:
    """Raise ValueError if rows that come in groups have weights."""
    if weights is not None:
        raise ValueError(complaint("a group is one observation", "sample_weight= beside groups=", "leave out one"))


def check_arrangements(labels: Sequence[Hashable]) -> None:
    """Raise ValueError unless labels have 20 orders.

    Examples
    --------
    >>> check_arrangements(["ill", "ill", "well", "well"])
    Traceback (most recent call last):
    ...
    ValueError: a p-value up to 0.05 needs 20 orders of the labels of groups; got 6; pass more groups
    """
    each = [len(labels)], Counter(labels).values()
    ways = fsum(sign * lgamma(many + 1) for sign, times in zip((1, -1), each, strict=True) for many in times)
    if ways < log(ARRANGEMENTS) - ROUNDING:
        rule = f"a p-value up to 0.05 needs {ARRANGEMENTS} orders of the labels of groups"
        raise ValueError(complaint(rule, f"{exp(ways):.0f}", "pass more groups"))


def groups_of(values: Any, rows: int, present: Array | None = None) -> Groups:
    """The groups of rows, given a vector ``(n,)`` of any kind, or a column of one; of those that are ``present``.

    Raises
    ------
    ValueError
        If an entry is missing, or if there is one group, or as many as rows.

    Examples
    --------
    >>> groups_of(["ann", "ann", "bob"], 3).codes.tolist()
    [0, 0, 1]
    """
    codes = (levels(values) if isinstance(values, InMemoryColumn) else coded(values, "group")).codes
    if len(codes) != rows:
        rule = f"groups have one entry for each of {rows} rows"
        raise ValueError(complaint(rule, f"{len(codes)} entries", "pass as many as rows"))
    codes = codes if present is None else codes[present]
    if (codes < 0).any():
        rule, remedy = "every row has a group", "drop these rows, or give each a group of its own"
        raise ValueError(complaint(rule, "a missing one", remedy))
    _, first, places = np.unique(codes, return_index=True, return_inverse=True)
    found = Groups(np.argsort(np.argsort(first))[places])  # in the order of their first rows
    many, rule = len(found.first), "groups= needs two groups or more, some of several rows"
    if many == 1:
        raise ValueError(complaint(rule, "1 group", "pass data of several groups"))
    if many == len(codes):
        got = f"{many} groups of {many} rows: no groups"
        raise ValueError(complaint(rule, got, "leave groups= out: rows are independent"))
    return found


def one_a_group(
    source: ColumnSource, label: Any, wanted: list[Any], groups: Any, reading: ReadingOptions
) -> tuple[ColumnSource, Any]:
    """One row a group of columns in memory, with its label or the mean of its labels; and whether these are classes."""
    if not source.columns:
        raise ValueError(complaint("groups= needs columns in memory", "parts", "pass a frame, or smaller files"))
    target = read_target(source.columns[label], reading.response, label, reading.na_values)
    by = source.columns[groups] if isinstance(groups, str) else groups
    among, kept = groups_of(by, len(target.present), target.present), np.flatnonzero(target.present)
    columns = {name: source.columns[name].take(kept) for name in wanted}
    for name, column in columns.items():
        among.check(levels(column).codes, name)
    found = among.labels(target.values if target.kind == "classes" else target.responses[:, None])
    kept, columns = kept[among.first], {name: column.take(among.first) for name, column in columns.items()}
    if found.ndim == 1 or among.constant(target.values):
        columns[label], kind = source.columns[label].take(kept), target.kind
    elif found.shape[1] > 1:
        rule, got = "a ranking by groups needs two classes, numbers, or labels that are constant in groups", "others"
        raise ValueError(complaint(rule, got, "pass a frame to split_test, or one row a group"))
    else:
        columns[label], kind = InMemoryColumn("number", found[:, 0], np.ones(len(found), bool)), "numbers"
    return in_memory(columns, columns, len(kept), (*source.remarks, among.remark)), kind
