"""Rows that are not independent: groups of rows, such as visits of patients, and strata in which labels change places.

Groups ``c = 1..C`` have ``m_c`` rows with values ``x_c`` and labels ``y_c``; groups are independent, rows of one group
are not. If, given the values and the sizes of the groups, the arrangements of the labels in the orbit of some moves are
equally likely, the rank of the observed one among random moves is a p-value, whatever the statistic. The moves are
chosen from the structure alone, the labels' and the column's, never from both together:

    constant in groups     null hypothesis                          what moves
    labels and column      label and value of a group unrelated     one row a group: observations
    column                 value unrelated to (size, labels)        one row a group, with the mean of its labels
    labels                 label unrelated to (size, values)        labels, over all groups
    neither                labels unrelated to (size, values)       the labels of a group together, in runs of sizes

A group has one vote: its rows weigh ``1/m_c``, which leaves every orbit and so the validity untouched. Moves stay
within strata, in which labels are centred; runs of groups of similar size, each cut to its smallest, are strata too.
Near-misses: labels permuted inside groups (another null hypothesis); whole vectors of labels moved between groups of
unequal size; the mean of p-values over draws of one row a group.

Where a column, such as the date of entry, drives how long rows are followed, no strata help: times cut back to one
follow-up are unrelated to it where survival is.

Main definitions: ``Dependence`` (of ``dependence_of``), what depends on what; ``MovedLabels`` (of ``moved``) and
``Moves``, how labels move against a column; ``check_arrangements``; ``cut_back``, times with a common follow-up.
Source: own; hothorn2006 for permutations within blocks; mantel1959 for the statistic within strata.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, fsum, inf, lgamma, log
from typing import Any, NamedTuple, final

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.columns import InMemoryColumn, coded, levels
from splitcrit.frozen import complaint

ARRANGEMENTS = 20  # fewer give no p-value up to .05
FEWEST = 8  # groups in a run of similar size
BLOCK, MOST = 2**20, 200  # labels moved at a time, and orders
ROUNDING, DIGITS = 1e-9, 12
GROUPED = "Rows come in {} groups: each has one vote, and its labels move together."
SHORTENED = "Of columns that vary within groups {} of {} rows count, the first of each: similar sizes change places."
FOLLOWED = "Followed up to {:g}: {} of {} rows count. Other censoring must be unrelated to the features."
STRATIFIED = "Labels move within {} strata."
REMEDY = "pass more groups, columns or labels that are constant within groups, or one row a group without groups="


@final
@dataclass(frozen=True, eq=False)
class Dependence:
    """Which rows belong together: codes ``(n,)`` from 0 of their groups, of their strata, or of both.

    Groups are numbered in the order of their first rows, and lie in one stratum each.
    """

    groups: Array | None = None
    strata: Array | None = None

    @cached_property
    def first(self) -> Array:
        """The first row of each group."""
        return np.unique(np.asarray(self.groups), return_index=True)[1]

    @cached_property
    def runs(self) -> tuple[Array, Array]:
        """The rows that count where whole groups of similar size change places, and the run of each, a stratum.

        Within strata the largest groups, eight or more, are a run, of which each keeps as many rows as its smallest
        has, the first ones; then the next. Sizes alone decide.

        Examples
        --------
        >>> rows, runs = Dependence(np.repeat(np.arange(12), [1, 2, 2, *[3] * 9])).runs
        >>> np.bincount(runs).tolist()  # nine groups of three rows, and one row of three groups
        [27, 3]
        """
        groups, sizes = np.asarray(self.groups), np.bincount(np.asarray(self.groups))
        run, keep = np.zeros((2, len(sizes)), np.int64)
        strata = run.copy() if self.strata is None else self.strata[self.first]
        order, number = np.lexsort((-sizes, strata)), 0
        while len(order):
            here = order[strata[order] == strata[order[0]]]
            here = here[sizes[here] >= sizes[here[:FEWEST]].min()]
            run[here], keep[here], number = number, sizes[here].min(), number + 1
            order = order[len(here) :]
        place, by = np.empty(len(groups), np.int64), np.argsort(groups, kind="stable")
        place[by] = np.arange(len(groups)) - np.repeat(sizes.cumsum() - sizes, sizes)
        rows = np.flatnonzero(place < keep[groups])
        return rows, run[groups[rows]]

    def take(self, rows: Array) -> Dependence:
        """That of some rows, codes numbered anew."""
        return Dependence(*(None if c is None else numbered(c[rows]) for c in (self.groups, self.strata)))

    def constant(self, values: Array) -> bool:
        """Whether values ``(n, ...)``, of which none is nan, are constant in every group; without groups they are."""
        return self.groups is None or bool((values == values[self.first][self.groups]).all())

    def labels(self, labels: Array) -> Array:
        """One label a group of classes ``(n,)`` or responses ``(n, q)`` that are constant in groups, else means.

        The means ``(C, q)`` are those of ``as_numbers``; they are the same in any order of the rows.
        """
        if self.constant(labels):
            return np.asarray(labels[self.first])
        vectors, groups = as_numbers(labels), np.asarray(self.groups)
        order, sizes = np.lexsort((*vectors.T, groups)), np.bincount(groups)
        return np.asarray(np.add.reduceat(vectors[order], sizes.cumsum() - sizes) / sizes[:, None])

    def remarks(self, labels: Array | None = None) -> tuple[str, ...]:
        """Sentences on what was taken for dependent, and given labels, on which rows count."""
        sentences = [] if self.groups is None else [GROUPED.format(len(self.first))]
        if labels is not None and not self.constant(labels) and len(self.runs[0]) < len(labels):
            sentences.append(SHORTENED.format(len(self.runs[0]), len(labels)))
        return (*sentences, *([] if self.strata is None else [STRATIFIED.format(int(self.strata.max()) + 1)]))

    def moves(self, codes: Array, labels: Array) -> Moves:
        """How labels move against a column with the places ``codes (n,)`` of its values.

        Blocks come in the order of the sizes and values of their units, and where these are equal, of how far their
        ``labels (n, q)`` are from the mean.
        """
        group = np.arange(len(codes)) if self.groups is None else self.groups
        order = np.argsort(group, kind="stable")  # groups one after the other, their rows in the order given
        sizes = np.bincount(group)
        ends, values = sizes.cumsum(), codes[order].astype(">i8").tobytes()
        blocks = np.zeros(len(sizes), np.int64) if self.strata is None else self.strata[order[ends - 1]]
        # Units and blocks come in an order of their own, which neither names nor the order of the rows change.
        keys = [(m, values[8 * (end - m) : 8 * end]) for m, end in zip(sizes.tolist(), ends.tolist(), strict=True)]
        units = np.array(sorted(range(len(keys)), key=lambda unit: (blocks[unit], keys[unit])))
        sums = np.stack([np.bincount(group, y) for y in labels.T], axis=1)

        def form(block: Array) -> Any:
            apart = ((sums[block] - sums[block].mean(axis=0)) ** 2).sum(axis=1).round(DIGITS - 3)
            return -sizes[block[-1]], [keys[unit] for unit in block.tolist()], np.sort(apart).tolist()

        parts = sorted(np.split(units, np.bincount(blocks).cumsum()[:-1]), key=form)
        units = np.concatenate(parts)
        size = sizes[units]
        place = np.arange(len(codes)) - np.repeat(size.cumsum() - size, size)
        rows = order[np.repeat(ends[units] - size, size) + place]
        numbers = np.repeat(np.arange(len(parts)), list(map(len, parts)))
        return Moves(rows, np.repeat(np.arange(len(units)), size), place, numbers)


class Moves(NamedTuple):
    """Units, groups or rows, whose labels change places within blocks.

    ``rows (n,)`` come unit after unit; ``unit (n,)`` and ``place (n,)`` are the unit of each and its place there;
    ``block (u,)`` that of each unit, in increasing order. Units of a block whose labels vary have as many rows.
    """

    rows: Array
    unit: Array
    place: Array
    block: Array

    @property
    def votes(self) -> Array:
        """The weight of each row ``(n,)``, a little more than 1/size, so that rounding takes none away."""
        return np.asarray((1 + ROUNDING) / np.bincount(self.unit)[self.unit])

    def keys(self, labels: Array) -> tuple[list[bytes], bool]:
        """A key of the labels ``(n, q)`` of each unit, equal where they are, and whether they are constant in units."""
        starts = np.flatnonzero(self.place == 0)
        constant = bool((labels == labels[starts][self.unit]).all())
        parts = labels[starts] + 0.0 if constant else np.split(labels + 0.0, starts[1:])
        return [part.tobytes() for part in parts], constant

    def orders(self, labels: Array, draws: int, seed: int) -> Iterator[Array]:
        """Yield from which rows ``(n, b)`` the labels come by random moves, some at a time, ``draws`` in all.

        They depend on which labels there are in a block, not on which unit has them now.
        """
        rng, many = np.random.default_rng(seed), len(self.block)
        starts, (keys, constant) = np.flatnonzero(self.place == 0), self.keys(labels)
        sorted_units = np.array(sorted(range(many), key=lambda u: (self.block[u], keys[u])))
        size = max(1, min(MOST, BLOCK // max(labels.size, 1)))
        for done in range(0, draws, size):
            shape = min(size, draws - done), many
            moved_units = sorted_units[np.argsort(rng.random(shape) + self.block, axis=1, kind="stable")]
            from_rows = starts[moved_units].T.take(self.unit, axis=0)
            yield from_rows if constant else from_rows + self.place[:, None]


class MovedLabels(NamedTuple):
    """The places ``at (n,)`` of a column, and labels ``z (n, q)`` less their means in blocks that move against it.

    ``flipped`` tells in which order the values of the column are.
    """

    at: Array
    moves: Moves
    z: Array
    flipped: bool

    def apart(self, places: Array, after: Array, more: Array) -> Array | None:
        """What divides the squared sum left of each cut of values in an order, by its variance within blocks.

        It stands for ``m (n - m)`` in ``best_split.cut_scores``, and is infinite where no order of single rows within
        blocks changes the sum. With one block there is None.
        """
        block, votes = self.moves.block[self.moves.unit], self.moves.votes
        if not block.any():
            return None
        squares, place = votes * (self.z * self.z).sum(axis=1), np.argsort(places)[self.at]
        ends, spread = np.flatnonzero(np.diff(block)) + 1, np.zeros(len(after))
        for rows in np.split(np.arange(len(block)), ends):
            n, sizes = float(votes[rows].sum()), np.bincount(place[rows], votes[rows], len(places))
            left = sizes.cumsum()[after] + more * sizes[-1]
            if n > 1.5:  # one unit alone stays where it is
                spread += float(squares[rows].sum()) / (n * (n - 1)) * left * (n - left)
        unit = round(votes.sum()) * (round(votes.sum()) - 1) / max(float(squares.sum()), ROUNDING)
        return np.asarray(np.where(spread > ROUNDING * spread.max(initial=0.0), spread * unit, inf))

    def drawn(self, places: Array, draws: int, seed: int) -> Iterator[Array]:
        """Yield the sums ``(b, r, q)`` by value, in an order, of random moves."""
        from scipy.sparse import csr_array

        n, r = len(self.at), len(places)
        by_value = csr_array((self.moves.votes, (np.argsort(places)[self.at], np.arange(n))), shape=(r, n))
        for rows in self.moves.orders(self.z, draws, seed):
            sums = by_value @ self.z.take(rows, axis=0).reshape(n, -1)  # the layout in which that is quickest
            yield sums.reshape(r, rows.shape[1], -1).transpose(1, 0, 2)


def moved(column: Array, vectors: Array, among: Dependence, ordered: bool, gaps: bool) -> MovedLabels:
    """How labels ``vectors (n, q)`` move against a column ``(n,)``, ``ordered`` or not; with ``gaps`` its last is none.

    Raises
    ------
    TooFewArrangements
    """
    known = int(column.max()) + 1 - gaps
    turns = [column, np.where(column < known, known - 1 - column, column)][: 1 + ordered]
    # The smaller of both forms, so that reversing the values changes nothing.
    move = min((_form(column, codes, among.moves(codes, vectors), vectors) for codes in turns), key=lambda x: x[0])[1]
    check_arrangements(move.moves.keys(move.z)[0], move.moves.block)
    return move


def _form(column: Array, codes: Array, moves: Moves, vectors: Array) -> tuple[Any, MovedLabels]:
    """What is compared with the reversed column, and moved labels, whatever their sign or the names of two classes.

    Rows of one value and block, which nothing but their order tells apart, count together.
    """
    at, z, votes, block = codes[moves.rows], vectors[moves.rows], moves.votes, moves.block[moves.unit]
    means = np.stack([np.bincount(block, votes * y) for y in z.T], axis=1) / np.bincount(block, votes)[:, None]
    z = (z - means[block]).round(DIGITS)
    value = np.unique(block * len(at) + at, return_inverse=True)[1]
    sums = np.stack([np.bincount(value, y) for y in z.T], axis=1).round(DIGITS - 3)
    sign = np.where(sums[(sums != 0).argmax(axis=0), np.arange(z.shape[1])] < 0, -1.0, 1.0)
    each = (sums * sign).T.tolist()
    z = (z * sign)[:, sorted(range(len(each)), key=lambda j: (each[j], (z[:, j] * sign[j]).tolist()))]
    return (at.astype(">i8").tobytes(), sorted(each)), MovedLabels(column[moves.rows], moves, z, codes is not column)


def as_numbers(labels: Array) -> Array:
    """Responses as they are, and of classes ``(n,)`` whether rows are of each, of two of them of the second one."""
    if labels.ndim == 2:
        return labels
    classes = np.arange(int(labels.max()) + 1)
    return np.asarray(labels[:, None] == (classes[1:] if len(classes) == 2 else classes)) * 1.0


class TooFewArrangements(ValueError):
    """No p-value of random moves can be up to .05."""


def check_arrangements(labels: Sequence[Any], block: Sequence[int] | Array | None = None) -> None:
    """Raise TooFewArrangements unless labels, which change places within blocks, have 20 arrangements.

    Examples
    --------
    >>> check_arrangements(["ill", "ill", "well", "well"])
    Traceback (most recent call last):
    ...
    splitcrit.nulls.groups.TooFewArrangements: a p-value up to 0.05 needs 20 arrangements of the labels of whole \
groups within strata; got 6; pass more groups, columns or labels that are constant within groups, or one row a group \
without groups=
    """
    blocks = [0] * len(labels) if block is None else np.asarray(block).tolist()
    ways = 0.0
    for keys, sign in ((blocks, 1), (list(zip(blocks, labels, strict=True)), -1)):
        ways += sign * fsum(lgamma(many + 1) for many in Counter[Any](keys).values())
    if ways < log(ARRANGEMENTS) - ROUNDING:
        rule = f"a p-value up to 0.05 needs {ARRANGEMENTS} arrangements of the labels of whole groups within strata"
        raise TooFewArrangements(complaint(rule, f"{exp(ways):.0f}", REMEDY))


def dependence_of(
    groups: Any, strata: Any, rows: int, present: Array | None = None, weights: Any = None
) -> Dependence | None:
    """What depends on what, given the group and the stratum of every row; None where rows are independent.

    Parameters
    ----------
    groups, strata
        A vector ``(n,)`` of any kind, a column, or None.
    rows
        How many rows there are.
    present
        The rows that count; all by default.
    weights
        Weights of the rows, beside which there are neither groups nor strata.

    Raises
    ------
    ValueError
        If an entry is missing, if there is one group or as many as rows, or if a group lies in two strata.

    Examples
    --------
    >>> dependence_of(["ann", "ann", "bob"], None, 3).groups.tolist()
    [0, 0, 1]
    """
    if groups is None and strata is None:
        return None
    if weights is not None:
        raise ValueError(complaint("a group has one vote", "sample_weight= beside groups= or strata=", "leave one out"))
    named = (groups, "group"), (strata, "stratum")
    among = Dependence(*(None if v is None else _codes(v, noun, rows, present) for v, noun in named))
    if among.groups is not None:
        many, rule = len(among.first), "groups= needs two groups or more, some of several rows"
        none = f"{many} groups of {many} rows: no groups", "leave groups= out: rows are independent"
        if many in (1, len(among.groups)):
            got, remedy = ("1 group", "pass data of several groups") if many == 1 else none
            raise ValueError(complaint(rule, got, remedy))
    if among.strata is not None and not among.constant(among.strata):
        rule, remedy = "a group lies in one stratum", "leave out strata=, or let groups be finer"
        raise ValueError(complaint(rule, "a group in two", remedy))
    return among


def _codes(values: Any, noun: str, rows: int, present: Array | None) -> Array:
    """The codes of groups or strata, of which none is missing."""
    codes = (levels(values) if isinstance(values, InMemoryColumn) else coded(values, noun)).codes
    if len(codes) != rows:
        rule = f"{noun}= has one entry for each of {rows} rows"
        raise ValueError(complaint(rule, f"{len(codes)} entries", "pass as many as rows"))
    codes = codes if present is None else codes[present]
    if (codes < 0).any():
        rule, remedy = f"every row has a {noun}", "drop these rows, or give each one of its own"
        raise ValueError(complaint(rule, "a missing one", remedy))
    return numbered(codes)


def cut_back(time: Array, event: Array, follow_up: Array) -> tuple[Array, Array, tuple[str, ...]]:
    """Which rows could be followed up to a common time, their times and events up to there, and a remark.

    If survival is unrelated to how long rows could be followed, ``F``, which is known for all of them, it is so in rows
    of ``F >= c``, cut back to c, where nothing depends on F any more. c has the most time ``c #{F >= c}``, by F alone.

    Examples
    --------
    >>> here, y, _ = cut_back(np.array([1.0, 4.0, 5.0]), np.array([1.0, 1.0, 0.0]), np.array([2.0, 4.0, 5.0]))
    >>> here.tolist(), y.tolist()
    ([False, True, True], [[4.0, 1.0], [4.0, 0.0]])
    """
    if (short := follow_up < time).any():
        rule, remedy = "no row is seen for longer than it could be followed", "pass the time from entry to the end"
        raise ValueError(complaint(rule, f"{time[short][0]:g} of {follow_up[short][0]:g}", remedy))
    limits = np.sort(follow_up)
    common = float(limits[(limits * (np.arange(len(limits), 0, -1) / len(limits))).argmax()])
    y = np.column_stack([np.minimum(time, common), event * (time <= common)])[follow_up >= common]
    return follow_up >= common, y, (FOLLOWED.format(common, len(y), len(time)),)


def numbered(codes: Array) -> Array:
    """Codes from 0, in the order of their first rows.

    Examples
    --------
    >>> numbered(np.array([7, 2, 7, 3])).tolist()
    [0, 1, 0, 2]
    """
    _, first, places = np.unique(codes, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[places])
