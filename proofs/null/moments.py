"""Mean, variance and third moment of the Gini gain over all permutations of the labels, for every pair of margins.

Up to constants the gain is ``sum w_uv z_uv`` over ordered pairs of distinct examples, ``w_uv = 1/a_i`` if both lie in
row ``i`` and ``z_uv = 1`` if both are of one class. A product of such terms is a small multigraph on the examples. A
permutation sees its shape only, so that the moments are sums over shapes of a factor of the rows times one of the
classes.

Source: wang2024, eqs. (16), (19)-(26), (50)-(53).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import perm
from typing import Any

from splitcrit.nulls import formulas, third_moment
from splitcrit.proof import ALL, All, Each, Exhaustive, Identity, Law, NearMiss, Premise, Theorem
from splitcrit.proof.balls import fraction, ratio
from splitcrit.proofs.common import kinds, up_to, vector
from splitcrit.proofs.null.joint import JOINT, product_over_margins
from splitcrit.proofs.null.laws import Margins, falling, margins, moment, null
from splitcrit.proofs.null.shapes import COPIES_OF_PAIRS, PAIRS, SHAPES, order, pair_sums, placed


def by_shapes(n: Any, r: Any, h: Any, s2: Any, s3: Any) -> Any:
    """The variance of the gain as a sum over the three shapes of two pairs."""
    rows = pair_sums(n - r, r - h, n - 3 * r + 2 * h)
    classes = pair_sums(s2 - n, s2 - n, s3 - 3 * s2 + 2 * n)
    terms = zip(COPIES_OF_PAIRS, PAIRS, rows, classes, strict=True)
    second = sum(c * x * y / falling(n, order(shape)) for c, shape, x, y in terms)
    return (second - ((n - r) * (s2 - n) / (n * (n - 1))) ** 2) / n**2


def variance(n: Any, r: Any, h: Any, s2: Any, s3: Any) -> Any:
    """The library's variance of the gain in power sums; N >= 4."""
    of_rows, of_classes = formulas.uneven_rows(n, r, h), formulas.uneven_classes(n, s2, s3)
    thick = formulas.thick_weight(n, formulas.thick_classes(n, s2, of_classes))
    return formulas.variance(formulas.uneven_weight(n, of_classes), of_rows, thick, formulas.thick_rows(n, r, of_rows))


def of_margins(case: Margins) -> tuple[Any, ...]:
    """N, r, ``sum 1/a``, ``sum b^2`` and ``sum b^3``."""
    a, b = case
    n, r = Fraction(sum(a)), Fraction(len(a))
    return n, r, sum(Fraction(1, x) for x in a), Fraction(sum(x**2 for x in b)), Fraction(sum(x**3 for x in b))


def by_cells(a: list[Any], b: list[Any], n: Any) -> Any:
    """``E (sum_ij (n_ij)_2 / a_i)^2`` cell by cell; in one cell ``(n)_2^2 = (n)_4 + 4 (n)_3 + 2 (n)_2``."""
    places = list(product(range(len(a)), range(len(b))))
    whole: Any = 0
    for one, other in product(places, repeat=2):
        same = [(1, Counter({one: 4})), (4, Counter({one: 3})), (2, Counter({one: 2}))]
        for times, powers in same if one == other else [(1, Counter({one: 2, other: 2}))]:
            whole = whole + times * product_over_margins(powers, a, b, n) / (a[one[0]] * a[other[0]])
    return whole


def cells_are_shapes(size: tuple[int, int], independent: bool = False) -> Identity:
    """The claim that the sum over cells is that over shapes, for a number of rows and classes of any totals."""
    r, k = size

    def shapes(v: Any, m: Any) -> Any:
        rows, classes = [(x, 1 / x) for x in vector(v, "a", r)], [(x, 1) for x in vector(v, "b", k)]
        terms = zip(COPIES_OF_PAIRS, PAIRS, strict=True)
        by_shapes = sum(c * placed(g, rows) * placed(g, classes) / falling(v.n, order(g)) for c, g in terms)
        return by_shapes * (v.n - 2) * (v.n - 3) / (v.n * (v.n - 1)) if independent else by_shapes

    return Identity(
        {**kinds("positive", "a", classes=r), **kinds("positive", "b", classes=k), "n": "positive"},
        lambda v, m: by_cells(vector(v, "a", r), vector(v, "b", k), v.n),
        shapes,
        lambda v, m: v.n >= 4,
    )


def mean_is(less: int) -> Exhaustive:
    def printed(case: Margins) -> Fraction:
        a, b = case
        n = sum(b)
        return Fraction(len(a) - 1, n - less) * (1 - sum(Fraction(x, n) ** 2 for x in b)) if n > 1 else Fraction(0)

    return up_to(6, margins, lambda c: moment(c, 1) == printed(c))


def listed(order: int, turned: bool = False) -> Exhaustive:
    """The library's moment is that of the list of all tables; ``turned``: with feature and label exchanged."""

    def holds(c: Margins) -> bool:
        return bool(
            (null(c).mean, null(c).variance, null(c, 3).third)[order - 1] == moment(c[::-1] if turned else c, order)
        )

    return up_to(6, margins, holds)


MEAN_IS = Law(mean_is, less=1)
MEAN = Theorem(
    key="null.gini_mean_of_permutation",
    statement="over all permutations of the labels the Gini gain has mean (r - 1)/(N - 1) (1 - sum_j (b_j/N)^2), which"
    " the library returns",
    source="wang2024, eq. (16)",
    holds=All(
        from_pairs=Identity(
            {"n": "positive", "r": "positive", "s": "positive"},
            lambda v, m: (v.r + (v.n - v.r) * (v.s - v.n) / (v.n * (v.n - 1))) / v.n - v.s / v.n**2,
            lambda v, m: formulas.mean(v.n, v.r, v.n**2 - v.s),
            lambda v, m: v.n >= 2,
        ),
        printed=MEAN_IS,
        library=listed(1),
    ),
    premises=(Premise("py_exact_mean_is_mean_at_every_size", "kernel", {"N": ALL}),),
    fails=(
        MEAN_IS.but("the same with N in place of N - 1, the mean for multinomial labels", less=0),
        NearMiss("feature and label may be exchanged", listed(1, turned=True), "hypothesis"),
    ),
)
VARIANCE = Theorem(
    key="null.gini_variance_of_permutation",
    statement="the O(r + k) variance of the library is that of the Gini gain over all permutations of the labels; for"
    " N >= 4 by its formula in N, r, h = sum 1/a, s = sum b^2 and t = sum b^3, for N <= 3 as listed",
    source="wang2024, eqs. (19)-(26)",
    holds=All(
        shapes=Identity(
            kinds("positive", *"nrhst"),
            lambda v, m: by_shapes(v.n, v.r, v.h, v.s, v.t),
            lambda v, m: variance(v.n, v.r, v.h, v.s, v.t),
            lambda v, m: v.n >= 4,
        ),
        library=listed(2),
    ),
    premises=(Premise("py_exact_variance_is_variance_at_every_size", "kernel", {"N": ALL}),),
    fails=(
        NearMiss(
            "the variance is 0 only if there is one row, one class, or N <= 2",
            up_to(6, margins, lambda c: null(c).variance > 0 or min(map(len, c)) == 1 or sum(c[0]) <= 2),
        ),
        NearMiss("the variance is the same with feature and label exchanged", listed(2, turned=True), "hypothesis"),
    ),
)
CELLS = Law(cells_are_shapes, size=(2, 2))
BY_CELLS = Theorem(
    key="null.square_by_cells_is_sum_over_shapes",
    statement="the mean of (sum (n_ij)_2/a_i)^2 over permutations, cell by cell from joint factorial moments, is the"
    " sum over the three shapes of two pairs",
    source="wang2024, eqs. (21)-(22)",
    holds=Each("(r, K)", ((1, 2), (2, 1), (2, 2)), cells_are_shapes),
    premises=(Premise(JOINT.key, kind="theorem"),),
    fails=(
        CELLS.but("two pairs in different cells multiply their means", independent=True),
        NearMiss("of one row too", cells_are_shapes((1, 2), independent=True), "hypothesis"),
    ),
)


def from_three(most: int) -> Iterator[Margins]:
    return margins(most, 3)


def third_by_shapes(case: Margins) -> Fraction:
    """The third central moment from the direct sums over all placings of the eight shapes."""
    a, b = case
    n, r = sum(a), len(a)
    rows, classes = [(x, 1 / ratio(x)) for x in a], [(x, 1) for x in b]
    terms = zip(SHAPES, third_moment._COPIES, strict=True)
    sums = (c * placed(g, rows) * placed(g, classes) / perm(n, order(g)) for g, c in terms if order(g) <= n)
    raw = fraction(sum(sums))
    first = Fraction((n - r) * (sum(x * x for x in b) - n), n * (n - 1))
    return Fraction(raw - 3 * first * n * n * null(case).variance - first**3) / n**3


THIRD = Theorem(
    key="null.gini_third_moment_of_permutation",
    statement="the O(r + k) third central moment of the library is that of the gain over all permutations",
    source="wang2024",
    holds=All(library=listed(3), shapes=up_to(7, from_three, lambda c: null(c, 3).third == third_by_shapes(c))),
    premises=(Premise("py_exact_third_is_third_moment", "kernel", {"N": ALL}),),
    fails=(
        NearMiss("the gain is never skewed to the left", up_to(6, margins, lambda c: null(c, 3).third >= 0)),
        NearMiss(
            "the gain has the skewness of a gamma law with its mean and variance",
            up_to(6, from_three, lambda c: null(c, 3).third * null(c).mean == 2 * null(c).variance ** 2),
        ),
    ),
)

THEOREMS = [MEAN, VARIANCE, BY_CELLS, THIRD]
