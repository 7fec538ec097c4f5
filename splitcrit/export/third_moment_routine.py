"""The loops around the formula of the third moment; see ``moments`` for what a routine may do.

Main definitions: ``third_moment``, which the header offers; ``third_of``, which does not round.
Main results: time is O(r^3 + k^3), for the invariants do not cancel as the sums over shapes do.
Source: none in the literature the library follows; see ``splitcrit.nulls.third_moment``.
"""

from __future__ import annotations

from splitcrit.export.moments import NAN, Counts, Real, agreed, occurring, real, same_pairs, value, variance_of
from splitcrit.nulls import formulas


def block(total: int, n: int, present: int, pairs: int, classes: bool) -> tuple[Real, Real]:
    """Return an entry within a row or a class of the matrix of row sums 0, and its part of the rest."""
    if classes:
        rest = real(n * total - pairs - n) / real(n) / real(n - 2)
        return formulas.class_block(real(n), real(total), real(pairs - total * (total - 1))), rest
    return formulas.row_block(real(n), real(present), real(total), 1 / real(total))


def across(total: int, other: int, n: int, present: int, pairs: int, classes: bool) -> Real:
    """Return an entry between two rows or two classes."""
    if classes:
        rest = pairs - total * (total - 1) - other * (other - 1)
        return formulas.class_across(real(n), real(total), real(other), real(rest))
    return formulas.row_across(real(n), real(present), 1 / real(total), 1 / real(other))


def triangles(totals: Counts, length: int, n: int, classes: bool) -> Real:
    """Return the sum over triples of observations of three rows or three classes, each triple once."""
    found, present, pairs = real(0), occurring(totals, length), same_pairs(totals, length)
    for h in range(length):
        for i in range(h):
            for j in range(i):
                if totals[h] > 0 and totals[i] > 0 and totals[j] > 0:
                    one = across(totals[h], totals[i], n, present, pairs, classes)
                    two = across(totals[i], totals[j], n, present, pairs, classes)
                    three = across(totals[h], totals[j], n, present, pairs, classes)
                    found = found + real(totals[h]) * real(totals[i]) * real(totals[j]) * (one * two * three)
    return found


def invariants(totals: Counts, length: int, n: int, classes: bool) -> tuple[Real, Real, Real, Real, Real]:
    """Return sum N^3, tr N^3, sum N^2 f, f'Nf and sum f^3 of the matrix N of row sums 0 and the rest f."""
    present, pairs = occurring(totals, length), same_pairs(totals, length)
    c, t, d, p, f = real(0), 6 * triangles(totals, length, n, classes), real(0), real(0), real(0)
    for i in range(length):
        if totals[i] > 0:
            a = real(totals[i])
            same, apart = block(totals[i], n, present, pairs, classes)
            squares, cubes, products = real(0), real(0), real(0)
            for j in range(length):
                if j != i and totals[j] > 0:
                    b = real(totals[j])
                    x = across(totals[i], totals[j], n, present, pairs, classes)
                    _, other = block(totals[j], n, present, pairs, classes)
                    squares = squares + b * x * x
                    cubes = cubes + b * x * x * x
                    products = products + b * x * other
            more_c, more_t, more_d, more_p, more_f = formulas.invariant_terms(a, same, squares, cubes, apart)
            c = c + more_c
            t = t + more_t
            d = d + more_d
            p = p + more_p + a * apart * products
            f = f + more_f
    return c, t, d, p, f


def third_of(rows: Counts, r: int, columns: Counts, k: int, n: int) -> Real:
    """Return the third central moment of the Gini gain."""
    if value(variance_of(rows, r, columns, k, n)) == 0.0:
        return real(0)
    c, t, d, p, f = invariants(rows, r, n, False)
    cc, tt, dd, pp, ff = invariants(columns, k, n, True)
    three, four, five = n - 3 if n > 3 else 1, n - 4 if n > 4 else 1, n - 5 if n > 5 else 1
    return formulas.third_by_invariants(
        (real(n), real(n - 1), real(n - 2), real(three), real(four), real(five)),
        (c, cc), (t, tt), (d, dd), (p, pp), (f, ff),
    )  # fmt: skip


def third_moment(rows: Counts, r: int, columns: Counts, k: int) -> float:
    """Return the third central moment of the Gini gain over all permutations of the labels; NaN as for the mean.

    Its error is relative to the larger of itself and the variance to the power 1.5. Time is O(r^3 + k^3).
    """
    n = agreed(rows, r, columns, k)
    return value(third_of(rows, r, columns, k, n)) if n >= 0 else NAN
