"""The null law of the Gini gain for symbols of sympy and numbers of mpmath, one table at a time.

Totals that are symbols are positive, and large enough that no denominator is 0: at least four observations for a
variance, six for a third moment. A row whose total is 0 is left out. Numbers of mpmath must be integers; their law is
exact before it is rounded once, and that of integers of sympy is exact.

Main definitions: ``other_law`` (the moments of given margins), ``gain_and_law`` (of one table, inside a formula).
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from splitcrit.arith import EXACT, total
from splitcrit.arith.symbolic import MPMATH, exact_value
from splitcrit.criteria.gain import Decrease
from splitcrit.frozen import complaint, shown
from splitcrit.impurities import gini
from splitcrit.nulls import formulas
from splitcrit.nulls.permutation import exact_mean, exact_variance, multinomial_mean_variance
from splitcrit.nulls.third_moment import _COPIES, _VERTICES, exact_third


def integers(entries: list[Any], m: Any) -> list[int]:
    """Numbers of mpmath, or integers of sympy, that are counts as integers."""
    counts = [exact_value(x.inner) if isinstance(m, MPMATH) else EXACT.number(int(x.inner)) for x in entries]
    if odd := [x for x, value in zip(entries, counts, strict=True) if value.denominator != 1]:
        rule = "a permutation null needs counts"
        raise ValueError(complaint(rule, shown(odd[0]), "pass integers, not weights or expected counts"))
    return [int(x) for x in counts]


def other_law(rows: list[Any], columns: list[Any], m: Any, model: str, order: int) -> tuple[Any, ...]:
    """Mean, variance and, for order 3, the third central moment of the gain for totals inside a formula."""
    if not m.is_zero(total(rows) - total(columns)):
        got, remedy = f"{shown(total(rows))} and {shown(total(columns))}", "write one total as what the others leave"
        raise ValueError(complaint("row totals and column totals must have the same sum", got, remedy))
    if isinstance(m, MPMATH) or all(x.inner.is_Integer for x in (*rows, *columns)):
        a, b = ([x for x in integers(side, m) if x] for side in (rows, columns))
        if model == "multinomial":
            sides = [np.array([EXACT.number(x) for x in side or [0]], dtype=object) for side in (a, b)]
            return tuple(np.asarray(x).item() for x in multinomial_mean_variance(*sides))
        return tuple(kind(a, b).fraction() for kind in (exact_mean, exact_variance, exact_third)[:order])
    rows = [a for a in rows if not m.is_zero(a)]
    n, r, (s2, s3, s4) = total(rows), len(rows), (total([b**i for b in columns]) for i in (2, 3, 4))
    h, uneven = total([1 / a for a in rows]), formulas.uneven_classes(n, s2, s3)
    if model == "multinomial":
        thick = total([formulas.independent_class(n, b, s2 - b**2) for b in columns])
        spread = total([formulas.independent_row(n, a, 1 / a) for a in rows]) + r - 1
        weights = formulas.independent_uneven_weight(n, uneven), formulas.independent_thick_weight(n, thick)
        inner = formulas.independent_uneven(n, r, formulas.uneven_rows(n, r, h))
        variance = formulas.variance(weights[0], inner, weights[1], spread)
        return formulas.independent_mean(n, r, n**2 - s2), variance
    first = formulas.uneven_weight(n, uneven)
    second = formulas.thick_weight(n, formulas.thick_classes(n, s2, uneven))
    of_rows = formulas.uneven_rows(n, r, h)
    variance = formulas.variance(first, of_rows, second, formulas.thick_rows(n, r, of_rows))
    moments = formulas.mean(n, r, n**2 - s2), variance
    return moments if order == 2 else (*moments, _third(n, r, rows, h, (s2, s3, s4), variance))


def _third(n: Any, r: int, rows: list[Any], h: Any, sums: tuple[Any, ...], variance: Any) -> Any:
    """The third central moment from the sums over eight shapes of three pairs, see `third_moment`."""
    of_rows = formulas.row_sums(n, r, h, total([1 / a**2 for a in rows]))
    of_classes = formulas.class_sums(n, *sums)
    shapes = zip(_COPIES, _VERTICES, formulas.shapes(*of_rows), formulas.shapes(*of_classes), strict=True)
    raw = total([x * (c * y) / prod([n - i for i in range(v)]) for c, v, x, y in shapes])
    return formulas.third_moment(n, raw, of_rows[0] * of_classes[0] / (n * (n - 1)), variance)


def gain_and_law(t: list[list[Any]], m: Any, model: str) -> tuple[Any, Any, Any]:
    """The Gini gain of a table inside a formula, and its mean and variance."""
    rows, columns = [total(row) for row in t], [total([row[k] for row in t]) for k in range(len(t[0]))]
    mean, variance = other_law(rows, columns, m, model, 2)
    return m.short(Decrease(gini)(t, m)), m.short(mean), m.short(variance)
