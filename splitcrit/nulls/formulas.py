"""The formulas of the null law of the Gini gain: each stands here once, for every kind of number.

A formula is a plain function of numbers that uses ``+ - * /`` and whole powers only. Fractions, floats, arrays of any
library, balls, symbols and pairs of floats run it as it stands, numba compiles it, and a printer can write it in
another language. Other operations are around it: sums over rows and classes, roots, and what holds for a table
of one, two or three observations, where a denominator is 0 (``LEAST``).

With ``n`` observations, ``r`` rows of totals ``a`` and classes of totals ``b``, the sums are ``h = sum 1/a``,
``s2 = sum b^2``, ``s3 = sum b^3``, and ``unlike = sum b (n - b)``, the ordered pairs of observations of two classes.
``w`` is the reciprocal of ``a``. Totals are even if all are equal: then A or B is 0. They are thin if there is one, if
all are 1, or if they are n - 1 and 1: then U or V is 0.

Main definitions: ``mean``, ``variance``; its factors ``uneven_rows``, ``thick_rows``, ``uneven_classes``,
``thick_classes`` and their weights; ``signed_square``; ``independent_*`` (the multinomial model); ``third_moment``.
Main results: a factor in power sums cancels in floats. Its pair is a term (``uneven_row``, ``thick_row``,
``uneven_class``, ``thick_class``) that is never negative and whose sum over rows or classes is the same number.
Proved: null.gini_mean_of_permutation, null.gini_variance_of_permutation, null.gini_third_moment_of_permutation,
null.gini_variance_has_four_nonnegative_factors, null.gini_moments_of_multinomial.
Source: wang2024, eqs. (12), (15), (16), (21)-(26), the latter in O(r + k); for the third moment none.
"""

from __future__ import annotations

from typing import Any

# Below these numbers of observations what is divided is 0 too, and so is the quotient.
LEAST = {"mean": 2, "uneven": 3, "thick": 4}


def mean(n: Any, r: Any, unlike: Any) -> Any:
    """The mean of the gain over all permutations of the labels, for ``n >= 2``."""
    return (r - 1) * unlike / ((n - 1) * n**2)


def uneven_rows(n: Any, r: Any, h: Any) -> Any:
    """A, how uneven the rows are."""
    return n**2 * h - n * r**2


def uneven_row(n: Any, r: Any, a: Any, w: Any) -> Any:
    """The term of a row in A."""
    return (n - r * a) ** 2 * w


def thick_rows(n: Any, r: Any, uneven: Any) -> Any:
    """U, how far the rows are from thin, given A."""
    return (n - 2) * (n - r) * (r - 1) - (n - 1) * uneven / n


def thick_row(n: Any, r: Any, a: Any, w: Any) -> Any:
    """The term of a row in U."""
    return (a - 1) * ((n - a) * (n - a - 1) * w + ((n - r) - (a - 1)))


def uneven_classes(n: Any, s2: Any, s3: Any) -> Any:
    """B, how uneven the classes are."""
    return s3 - s2**2 / n


def uneven_class(b: Any, apart: Any) -> Any:
    """The term of a class in B, with ``apart = b - s2/n``."""
    return b * apart**2


def thick_classes(n: Any, s2: Any, uneven: Any) -> Any:
    """V, how far the classes are from thin, given B."""
    return (n - 2) * (s2 - n) * (n**2 - s2) / n - 2 * (n - 1) * uneven


def thick_class(n: Any, b: Any, others: Any) -> Any:
    """The term of a class in V, with ``others`` the sum of ``b (b - 1)`` over the other classes."""
    return b * (b - 1) * ((n - b) * (n - b - 1) + others)


def uneven_weight(n: Any, uneven: Any) -> Any:
    """The factor of A in the variance, given B, for ``n >= 3``."""
    return 4 * uneven / ((n - 1) * (n - 2) ** 2) / n**4


def thick_weight(n: Any, thick: Any) -> Any:
    """The factor of U in the variance, given V, for ``n >= 4``."""
    return 2 * (thick / (n * (n - 1) * (n - 2) * (n - 3))) / ((n - 1) * (n - 2)) / n**2


def variance(uneven_weight: Any, uneven: Any, thick_weight: Any, thick: Any) -> Any:
    """The variance of the gain: permutation weights with A and U, or multinomial ones with theirs."""
    return uneven_weight * uneven + thick_weight * thick


def signed_square(above: Any, variance: Any) -> Any:
    """The square of the standardised gain of a table whose gain is ``above`` its mean (or below: negative)."""
    return above**2 / variance


# Rows drawn independently from the class proportions of the table; ``permutation`` defines C and D.


def independent_mean(n: Any, r: Any, unlike: Any) -> Any:
    """The mean of the gain under the multinomial model, for ``n >= 1``."""
    return (r - 1) * unlike / n**3


def independent_uneven(n: Any, r: Any, uneven: Any) -> Any:
    """``A + n (r - 1)^2``."""
    return uneven + n * (r - 1) ** 2


def independent_row(n: Any, a: Any, w: Any) -> Any:
    """The term of a row in ``n D``, beside the ``r - 1`` that belong to no row."""
    return (a - 1) * (n - a) * w


def independent_class(n: Any, b: Any, others: Any) -> Any:
    """The term of a class in ``n^4 C``, with ``others`` the sum of ``b^2`` over the other classes."""
    return b**2 * ((n - b) ** 2 + others)


def independent_uneven_weight(n: Any, uneven: Any) -> Any:
    """The factor of ``A + n (r - 1)^2`` in the variance, given B."""
    return 4 * (uneven / n**3) / n**4


def independent_thick_weight(n: Any, thick: Any) -> Any:
    """The factor of ``n D`` in the variance, given ``n^4 C``."""
    return 2 * (thick / n**4) / n**3


# The third central moment: sums over eight shapes of three pairs, or, without cancelling, over invariants of a matrix N
# of row sums 0 and a vector f (``third_moment``).


def row_sums(n: Any, r: Any, h: Any, h2: Any) -> tuple[Any, ...]:
    """``sum (a)_m / a^e`` for (m, e) = (2, 1), (2, 2), (3, 2), (2, 3), (3, 3), (4, 3); ``h2 = sum 1/a^2``."""
    return n - r, r - h, n - 3 * r + 2 * h, h - h2, r - 3 * h + 2 * h2, n - 6 * r + 11 * h - 6 * h2


def class_sums(n: Any, s2: Any, s3: Any, s4: Any) -> tuple[Any, ...]:
    """``sum (b)_m`` for the same m, where every weight is 1."""
    two, three = s2 - n, s3 - 3 * s2 + 2 * n
    return two, two, three, two, three, s4 - 6 * s3 + 11 * s2 - 6 * n


def shapes(x: Any, s22: Any, s32: Any, s23: Any, s33: Any, s43: Any) -> tuple[Any, ...]:
    """The sums of the eight shapes from those of ``row_sums`` or ``class_sums``."""
    return (
        s23,
        s33,
        s33,
        s43,
        s43,
        s22 * x - 4 * s33 - 2 * s23,
        s32 * x - 6 * s43 - 6 * s33,
        x**3 - x * (12 * s32 + 6 * s22) + 40 * s43 + 64 * s33 + 8 * s23,
    )


def third_moment(n: Any, raw: Any, first: Any, variance: Any) -> Any:
    """The third central moment from the third and first moments of the sum over pairs."""
    return (raw - first * (3 * n**2 * variance + first**2)) / n**3


def row_block(n: Any, r: Any, a: Any, w: Any) -> tuple[Any, Any]:
    """An entry within a row of the matrix of row sums 0, and the row's part of the rest, for ``n >= 3``."""
    return ((n - 1) * (n - a) * w - (r - 1)) / ((n - 1) * (n - 2)), (r * a - n) * w / (n * (n - 2))


def row_across(n: Any, r: Any, w: Any, other: Any) -> Any:
    """An entry between two rows, given their reciprocals."""
    return ((n - 1) * (w + other) - (n - 2 + r)) / ((n - 1) * (n - 2))


def class_block(n: Any, b: Any, others: Any) -> Any:
    """An entry within a class, with ``others`` the sum of ``b (b - 1)`` over the other classes."""
    return (n - b) / (n - 1) * ((n - b - 1) / (n - 2)) + others / ((n - 1) * (n - 2))


def class_across(n: Any, b: Any, other: Any, rest: Any) -> Any:
    """An entry between two classes, with ``rest`` the sum of ``b (b - 1)`` over all but these."""
    return (rest - 2 * (b - 1) * (other - 1) - (n - b - other) * (b + other - 2)) / ((n - 1) * (n - 2))


def invariant_terms(a: Any, same: Any, squares: Any, cubes: Any, apart: Any) -> tuple[Any, ...]:
    """The terms of a row or class of ``a`` in ``sum N^3``, ``tr N^3``, ``sum N^2 f``, ``f'Nf``, ``sum f^3``.

    ``same`` is the entry of N within it, ``apart`` its part of f; ``squares`` and ``cubes`` are the sums of the entries
    between it and the others, squared and cubed. Products of two or three rows are left out.
    """
    within = (a - 1) * same
    return (
        a * (within * same * same + cubes),
        a * (within * ((a - 2) * same * same + 3 * squares)),
        a * apart * (within * same + squares),
        a * within * apart * apart,
        a * apart**3,
    )


def third_by_invariants(n: tuple[Any, ...], c: Any, t: Any, d: Any, p: Any, f: Any) -> Any:
    """The third central moment from the invariants of rows and of classes, each a pair of numbers.

    ``n`` holds ``n``, ``n - 1``, ..., ``n - 5``, those below 1 replaced by 1.
    """
    four = n[0] * n[1] * n[2] * n[3]
    apart = (2 * c[0] - t[0]) * ((2 * c[1] - t[1]) / four)
    straight = (
        4 * c[0] * c[1] / (n[0] * n[1])
        + (24 * c[0] * c[1] + 8 * t[0] * t[1]) / (n[0] * n[1] * n[2])
        + (56 * c[0] * c[1] + 24 * (c[0] - t[0]) * (c[1] - t[1])) / four
        + 48 * apart / n[4]
        + 64 * apart / (n[4] * n[5])
    )
    mixed = d[0] * (d[1] / (n[1] * n[3] * n[4])) + p[0] * (p[1] / (n[0] * n[3]))
    return (straight + n[2] ** 2 * (24 * mixed + 8 * f[0] * (f[1] * n[0] / n[1]))) / n[0] ** 3
