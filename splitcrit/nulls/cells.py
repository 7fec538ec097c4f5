"""Is a criterion a sum over the cells of a table, once its margins are fixed? Its own formula says so, and of what.

The formula runs once, on numbers that are sums of functions of one cell each, ``c + sum_il (s_il n_il + h_il(n_il))``,
where every ``h`` is an array over the counts that a cell may have. Sums stay such sums; a whole row or column adds up
to its total; and a product, a logarithm or a maximum is taken count by count where only one cell is asked. A formula
that mixes cells in another way is no sum over cells, and raises ``NoSum``. Nothing is declared, so nothing is declared
wrong.

With two classes one cell says what is in a row, with two rows what is in a column: there every impurity, and more than
one maximum, is a sum over cells.

Main definitions: ``cell_functions``, ``NoSum``.
Source: none.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.arith import EXACT, FLOAT, shares
from splitcrit.criteria import Criterion
from splitcrit.data.counting import EXACT_FLOAT
from splitcrit.frozen import complaint
from splitcrit.losses.evaluation import check_batches
from splitcrit.nulls.corner import window

Cell = tuple[int, int]
Formula = Callable[[Any, Any], Any]


class NoSum(ArithmeticError):
    """A formula mixes cells in another way than by adding functions of one each."""


def cell_functions(
    criterion: Criterion, rows: Sequence[int], columns: Sequence[int], exact: bool = False, m: Any = None
) -> tuple[Any, list[list[Array]]]:
    """A constant and the functions of cells whose sum is the score of every table with these margins.

    Parameters
    ----------
    rows, columns
        Totals; empty rows and columns count as such, as they do in a table.
    exact
        Whether the formula is to run on Fractions.
    m
        Another arithmetic of single numbers, in place of that of Fractions.

    Returns
    -------
    constant, cells
        ``cells[i][l]`` has the values of ``g_il`` over the ``window`` of the cell, of rows and columns not empty.

    Raises
    ------
    NoSum
        If the score is no sum over cells.
    splitcrit.arith.Irrational
        If it is to be exact, and is not rational.

    Examples
    --------
    >>> from splitcrit import gini, decrease
    >>> constant, cells = cell_functions(decrease(gini), [3, 2], [1, 1, 3], exact=True)
    >>> constant, cells[0][2].tolist()  # counts 1, 2 and 3
    (Fraction(-11, 25), [Fraction(1, 15), Fraction(4, 15), Fraction(3, 5)])
    """
    m = m or (EXACT if exact else FLOAT)
    if m is FLOAT:
        if sum(rows) >= EXACT_FLOAT:
            raise ValueError(complaint("a law in float64 is of fewer than 2**53 labels", sum(rows), "take gini_null"))
        if criterion.impurity is None:
            check_batches(criterion, criterion.score, (len(rows), len(columns)))
        else:
            check_batches(criterion.impurity, criterion.impurity.of, (len(columns),))
    n, a, b = sum(rows), [i for i, total in enumerate(rows) if total], [j for j, total in enumerate(columns) if total]
    if criterion.impurity is None:
        grids = {(i, j): grid for i in a for j, grid in _grids(n, rows[i], columns, m).items()}
        constant, functions = _of_table(criterion.score, rows, columns, grids, m)
        cells = [[functions.get((i, j), 0 * grids[i, j]) for j in b] for i in a]
    else:  # rows of equal totals have one impurity, computed once; in floats one run is of all totals
        of, size, totals = criterion.impurity.of, m.number(n), sorted({rows[i] for i in a})
        runs = [totals] if m is FLOAT else [[total] for total in totals]
        known = {total: line for run in runs for total, line in _of_rows(of, run, n, columns, m)}
        node = of(shares([m.number(x) for x in columns], size, m), m)
        constant = node - sum(known[rows[i]][0] for i in a) / size
        cells = [list(known[rows[i]][1]) for i in a]
    if not exact and not np.isfinite(np.concatenate([values for row in cells for values in row])).all():
        raise NoSum
    return constant, cells


def _grids(n: int, a: Any, columns: Sequence[int], m: Any) -> dict[int, Array]:
    """The counts of the cells of a row, of columns that are not empty, in the numbers of an arithmetic.

    Of rows with totals ``a (r, 1)`` they are ``(r, w)``: behind the last count of a row comes that count again.
    """
    b = {j: total for j, total in enumerate(columns) if total}
    number: Any = np.float64 if m is FLOAT else np.frompyfunc(m.number, 1, 1)
    ends = (np.moveaxis(each, -1, 0)[..., None] for each in window(n, a, np.array([*b.values()]), m is not FLOAT))
    widest = ((low, high, int((high - low).max()) + 1) for low, high in zip(*ends, strict=True))
    return {j: number(np.minimum(low + np.arange(w), high)) for j, (low, high, w) in zip(b, widest, strict=True)}


def _of_rows(
    of: Formula, totals: Sequence[int], n: int, columns: Sequence[int], m: Any
) -> Iterator[tuple[int, tuple[Any, tuple[Array, ...]]]]:
    """Yield totals of rows, and impurity times size of each: a constant, and functions of cells, these over ``-n``.

    In floats one run of the formula is of many rows, in a first axis; elsewhere there is one.
    """
    a: Any = np.array(totals)[:, None] if m is FLOAT else totals[0]
    size = a.astype(float) if m is FLOAT else m.number(a)
    grids = {(0, j): grid for j, grid in _grids(n, a, columns, m).items()}

    def weighed(table: Any, m: Any) -> Any:
        return size * of([x / size for x in table[0]], m)

    constant, functions = _of_table(weighed, [size], columns, grids, m)
    lines = zip(*(np.atleast_2d(functions.get(cell, 0 * x) / -m.number(n)) for cell, x in grids.items()), strict=True)
    yield from zip(totals, zip(np.ravel(constant + 0 * size).tolist(), lines, strict=True), strict=True)


def _of_table(
    score: Formula, rows: Sequence[Any], columns: Sequence[int], grids: dict[Cell, Array], m: Any
) -> tuple[Any, dict[Cell, Array]]:
    """The score of a table as a constant and a function of each cell, if it is not 0."""
    a, b = (sorted({cell[side] for cell in grids}) for side in (0, 1))
    free = {(i, j) for i, j in grids if (i == a[0] or len(a) != 2) and (j == b[0] or len(b) != 2)}
    lines = [(rows[i], [(i, j) for j in b]) for i in a] * (len(b) > 2)
    lines += [(columns[j], [(i, j) for i in a]) for j in b] * (len(a) > 2)
    space = _Space(m, {cell: grids[cell] for cell in free}, lines)

    def count(i: int, j: int) -> Any:
        if (i, j) in free:
            return space.count((i, j))
        if (i, j) not in grids:
            return m.number(0)
        if len(a) == 2 and i == a[1]:
            return columns[j] - count(a[0], j)
        return rows[i] - count(i, b[0])

    table = [[count(i, j) for j in range(len(columns))] for i in range(len(rows))]
    if len(free) != 1:
        return space.run(score, table)
    (cell,) = free  # one count says all, and the formula may mix what it likes
    values = [x.value(cell) if isinstance(x, _Sum) else x + 0 * grids[cell] for row in table for x in row]
    wide = len(columns)
    return m.number(0), {cell: _each(lambda *t: score([t[i : i + wide] for i in range(0, len(t), wide)], m), values, m)}


def _each(formula: Callable[..., Any], values: Sequence[Any], m: Any) -> Array:
    """A formula of arrays of equal length, or of one number of each at a time in Fractions."""
    if m is not FLOAT:
        return np.array([m.number(formula(*each)) for each in zip(*values, strict=True)], dtype=object)
    with np.errstate(all="ignore"):
        return np.asarray(formula(*values) + np.zeros_like(values[0]), dtype=float)


@dataclass(frozen=True, eq=False)
class _Space:
    """The counts of cells, each free to be in its grid, and lines of cells that add up to a total."""

    m: Any
    grids: dict[Cell, Array]
    lines: list[tuple[int, list[Cell]]]

    def count(self, cell: Cell) -> Any:
        """The count of a cell, a number where the margins leave no other."""
        if (grid := self.grids[cell]).shape[-1] == 1:
            return grid if grid.ndim > 1 else grid[0]
        return _Sum(self, self.m.number(0), {cell: self.m.number(1)}, {})

    def run(self, formula: Formula, x: Any) -> tuple[Any, dict[Cell, Array]]:
        """The value of a formula of counts, as a constant and a function of each cell."""
        try:
            with np.errstate(all="ignore"):
                score = formula(x, _CellArithmetic(self.m))
        except (TypeError, AttributeError, ValueError) as error:  # it asks of numbers what these are not
            raise NoSum from error
        if not isinstance(score, _Sum):
            return score, {}
        return score.constant, {cell: score.value(cell) - score.constant for cell in {**score.slopes, **score.parts}}

    def each(self, function: Callable[..., Any], *numbers: Any) -> Any:
        """A function of numbers that depend on one cell at most, count by count."""
        cells = {cell for x in numbers if isinstance(x, _Sum) for cell in (*x.slopes, *x.parts)}
        if len(cells) > 1:
            raise NoSum
        if not cells:
            return function(*(x.constant if isinstance(x, _Sum) else x for x in numbers))
        (cell,) = cells
        one = 0 * self.grids[cell]
        values = [x.value(cell) if isinstance(x, _Sum) else one + x for x in numbers]
        part = function(*values) if self.m is FLOAT else np.frompyfunc(function, len(values), 1)(*values)
        return _Sum(self, self.m.number(0), {}, {cell: np.asarray(part)})


@dataclass(frozen=True, eq=False)
class _Sum:
    """``constant + sum (slope count + part(count))`` over cells."""

    space: _Space
    constant: Any
    slopes: dict[Cell, Any]
    parts: dict[Cell, Array]

    __array_ufunc__ = None  # numpy leaves the operators to this class

    def value(self, cell: Cell) -> Array:
        """The number by the count of the only cell that it depends on."""
        part = self.parts.get(cell)
        if part is not None and cell not in self.slopes and not np.any(self.constant):
            return part
        straight = self.constant + self.slopes.get(cell, 0) * self.space.grids[cell]
        return np.asarray(straight if part is None else straight + part)

    def _times(self, change: Callable[[Any], Any]) -> _Sum:
        """The number with a factor or divisor in all its terms."""
        slopes, parts = ({cell: change(x) for cell, x in terms.items()} for terms in (self.slopes, self.parts))
        return _Sum(self.space, change(self.constant), slopes, parts)

    def __neg__(self) -> _Sum:
        return self._times(operator.neg)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, _Sum):
            return _Sum(self.space, self.constant + other, self.slopes, self.parts)
        slopes, parts = ({**x, **{cell: x[cell] + z if cell in x else z for cell, z in y.items()}}
                         for x, y in ((self.slopes, other.slopes), (self.parts, other.parts)))  # fmt: skip
        constant = self.constant + other.constant
        slopes = {cell: x for cell, x in slopes.items() if np.any(x)}
        for total, line in self.space.lines:
            slope = slopes.get(line[0]) if len(slopes) >= len(line) else None
            if slope is not None and all(np.all(slopes.get(c) == slope) for c in line):
                constant = constant + slope * total
                slopes = {cell: x for cell, x in slopes.items() if cell not in line}
        return _Sum(self.space, constant, slopes, parts) if slopes or parts else constant

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, _Sum):
            return self.space.each(operator.mul, self, other)
        return self._times(lambda x: x * other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, _Sum):
            return self.space.each(operator.truediv, self, other)
        return self._times(lambda x: x / other)

    def __rtruediv__(self, other: Any) -> Any:
        return self.space.each(operator.truediv, other, self)

    def __abs__(self) -> Any:
        return self.space.each(operator.abs, self)

    def __bool__(self) -> bool:
        raise NoSum

    __hash__ = None  # type: ignore[assignment]


for _of in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge, operator.pow):
    setattr(_Sum, f"__{_of.__name__}__", lambda x, other, of=_of: x.space.each(of, x, other))


class _CellArithmetic:
    """The operations of an arithmetic on sums over cells."""

    def __init__(self, m: Any) -> None:
        self.m, self.name, self.number = m, m.name, m.number

    def _each(self, function: Callable[..., Any], *numbers: Any) -> Any:
        spaces = [x.space for x in numbers if isinstance(x, _Sum)]
        return spaces[0].each(function, *numbers) if spaces else function(*numbers)

    def power(self, x: Any, a: Any) -> Any:
        return self._each(lambda x: self.m.power(x, a), x)

    def max(self, items: Any) -> Any:
        return self._each(lambda *x: self.m.max(x), *items)

    def min(self, items: Any) -> Any:
        return self._each(lambda *x: self.m.min(x), *items)

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        if isinstance(condition, _Sum) or np.any(condition) != np.all(condition):
            return self._each(self.m.where, condition, a, b)
        return a if np.all(condition) else b


for _name in ("log", "xlogx", "exp", "sqrt", "abs"):
    setattr(_CellArithmetic, _name, lambda self, x, name=_name: self._each(getattr(self.m, name), x))
