"""How much a partition of many levels gains by chance in gradient boosting.

A row has a gradient g and a second derivative h; G and H are the sums of a node, lam the penalty. A partition gains ::

    gain = G_L^2 / (H_L + lam) + G_R^2 / (H_R + lam) - G^2 / (H + lam),

as XGBoost and LightGBM report it, without a factor of 1/2. With ``w = G / (H + lam)``, ``r = g - w h`` and X the sum of
r on the left this is, without remainder, ::

    gain = (X - w lam)^2 / (H_L + lam) + X^2 / (H_R + lam) - w^2 lam.

Permute the pairs (g, h) over the rows. The sums of r over levels of ``a_i`` rows then are nearly normal, with the
variance ``sigma^2 a_i (n - a_i) / n``, sigma^2 that of r, and H_L is nearly ``H m / n`` for m rows on the left. So the
mean of the best gain is that over normal directions, which need no rows. A node where no partition gains is not split
and counts as 0: it is the mean of max(0, best gain), which is no mean of best gains where the penalty of the node's own
value, ``w^2 lam``, is large. For one half on either side it has the form ::

    gain = (2 / pi  sigma^2 (sum sqrt a_i)^2 - lam G^2 / (H + lam)) / (H + 2 lam),

which is a few percent too large for three levels of equal size, right for many, and 10 to 25 % too small for levels of
very unequal sizes. Where its last term matters, unequal halves gain more, and it is not used.

Main definitions: ``expected_excess_gain``, ``ExcessGain``; ``closed_excess_gain``, which the header of C prints;
``normal_sums``, ``sums_of_rows`` (what chance makes of the sums of levels), ``best_partitions``.
Main results: near-misses are the variance of g in the place of that of r, and no penalty: see the tests.
Source: own.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isnan, nan, pi
from math import sqrt as root
from typing import Any, Literal, final

import numpy as np

from splitcrit.arguments import Array, between, finite, one_of, whole
from splitcrit.display import shortened
from splitcrit.frozen import complaint
from splitcrit.nulls.margin_totals import present
from splitcrit.nulls.margin_totals import whole as totals_of

Counts = Any  # integers that are read
NAN, LARGEST, TWO_OVER_PI = nan, 2**31 - 1, 2 / pi
GainMethod = Literal["draws", "closed", "rows"]
SLIGHT = 0.1  # of the closed form, by which a node's own value may lower it
TAIL = 0.01  # by which the tails of r may change the mean of |r| of the smallest level
EVENTS = 5.0  # the least expected sum of h in a level: below it sums are not normal, and gains 20 to 55 % larger


@final
@dataclass(frozen=True, repr=False)
class ExcessGain:
    """The mean gain of the best partition by chance, or of no split, which counts as 0.

    Parameters
    ----------
    gain
        The mean of max(0, best gain), in the unit of the gains that XGBoost and LightGBM report.
    method
        ``"draws"`` of normal sums, ``"closed"``, or ``"rows"``, which were permuted.
    draws, standard_error
        How many, and what they leave uncertain; 0 and None for the closed form.

    Examples
    --------
    >>> found = ExcessGain(19.6, "draws", 1000, 0.1)
    >>> float(found)
    19.6
    """

    gain: float
    method: str
    draws: int = 0
    standard_error: float | None = None

    __repr__ = shortened

    def __float__(self) -> float:
        return self.gain


def expected_excess_gain(
    level_sizes: Any, grad_sums: Any, hess_sums: Any, lam: float = 0.0, *, rows: Any = None,
    method: GainMethod = "draws", draws: int = 400, seed: int = 0,
) -> ExcessGain:  # fmt: skip
    """The mean gain of the best partition of a category's levels, or of no split, by chance.

    By chance: where the levels are unrelated to the label.

    Parameters
    ----------
    level_sizes
        How many rows of the node each level has.
    grad_sums
        The sums of g and of g^2 over the rows of the node.
    hess_sums
        The sums of h, of h^2 and of g h.
    lam
        The penalty of squared leaf values: ``reg_lambda`` of XGBoost, ``lambda_l2`` or ``cat_l2`` of LightGBM.
    rows
        Gradients and second derivatives ``(2, n)`` of the rows, which are permuted where a level is too small for sums
        that are nearly normal: of fewer than five expected events, or of numbers with a tail that is heavy for it.
    method
        ``"draws"``; ``"rows"``; ``"closed"``, which the C header has as ``splitcrit_closed_excess_gain``: where that is
        NaN, draws are taken.
    draws, seed
        How many normal directions or orders of the rows, and what they depend on, with the sizes.

    Returns
    -------
    ExcessGain
        Partitions are searched as prefixes of the levels in order of their leaf values ``G_i / (H_i + lam)``. Where
        none gains, the node is not split: its gain counts as 0.

    Raises
    ------
    ValueError
        If no rows have these sums; or if a level has fewer than five expected events, the sum of h, and no rows are
        given.

    See Also
    --------
    best_subset_law : The law of the best subset of a classification tree.
    category_gains : The splits of a fitted booster.

    Notes
    -----
    A mean of max(0, best gain), not a bound: the best of many columns gains more. Without rows it is too large for
    numbers with heavy tails, by a share of about ``(excess - skewness^2) / (12 a)`` for levels of ``a`` rows.

    References
    ----------
    chen2016, eq. (7) (the gain).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> p = np.full(3000, 0.5)  # a first round of a logistic loss
    >>> g, h = p - (rng.random(3000) < 0.5), p * (1 - p)
    >>> sums = [g.sum(), (g * g).sum()], [h.sum(), (h * h).sum(), (g * h).sum()]
    >>> found = expected_excess_gain([100] * 30, *sums, lam=1.0)
    >>> round(found.gain, 1), round(float(expected_excess_gain([100] * 30, *sums, lam=1.0, method="closed")), 1)
    (19.6, 19.0)
    """
    one_of(method, GainMethod, "a method")
    lam = between(lam, "lam", 0, 1e300, example=1.0)
    draws, seed = whole(draws, "draws", 2, 10**6), whole(seed, "seed", 0)
    totals = totals_of(level_sizes, "level sizes")
    sizes = sorted(present(totals.ravel()), reverse=True)
    grads, hessians = (finite(x, noun, 1) for x, noun in ((grad_sums, "grad_sums"), (hess_sums, "hess_sums")))
    n = sum(sizes)
    if totals.ndim != 1 or not 2 <= n <= LARGEST:
        got = f"{n} rows in sizes of shape {totals.shape}"
        raise ValueError(complaint("a node has 2 to 2^31 - 1 rows, in levels of some sizes", got, "pass its counts"))
    if len(grads) != 2 or len(hessians) != 3:
        rule = "grad_sums are of g and g^2, hess_sums of h, h^2 and g h"
        got = f"{len(grads)} and {len(hessians)} numbers"
        raise ValueError(complaint(rule, got, "pass two and three"))
    (g, gg), (h, hh, gh) = grads.tolist(), hessians.tolist()
    _check(n, g, gg, h, hh, gh)
    if len(sizes) < 2:
        return ExcessGain(0.0, "closed")
    if method == "closed" and not isnan(gain := closed_excess_gain(sizes, len(sizes), g, gg, h, hh, gh, lam)):
        return ExcessGain(gain, "closed")
    both = None if rows is None else _read_rows(rows, n, g, h)
    if method == "rows" or needs_rows(sizes, h, both, g / (h + lam)):
        if both is None:
            rule = f"a level has at least {EVENTS:g} expected events, the sum of h, or rows are permuted"
            got = "no rows" if method == "rows" else f"{min(sizes) * h / n:.3g} in the smallest level"
            raise ValueError(complaint(rule, got, "pass rows=(g, h), or join rare levels"))
        method, sums = "rows", sums_of_rows(sizes, both, draws, seed)
    else:
        method, sums = "draws", normal_sums(sizes, g, gg, h, hh, gh, lam, draws, seed)
    gains = best_partitions(*sums, g, h, lam)
    return ExcessGain(float(gains.mean()), method, draws, float(gains.std(ddof=1)) / draws**0.5)


def closed_excess_gain(sizes: Counts, r: int, g: float, gg: float, h: float, hh: float, gh: float, lam: float) -> float:
    """The mean gain by chance of the best partition, or of no split, of r levels of a category in boosting.

    A node where no partition gains is not split and counts as 0. g, gg, h, hh and gh are the sums of g, g^2, h, h^2 and
    g h over the rows of the node, lam is the penalty. NaN where sizes are negative or sum to less than 2 or more than
    2^31 - 1, where h is not positive or lam negative, where a level has fewer than five expected events, and where the
    penalty of the node's own value lowers the gain by more than a tenth, which the closed form overstates. The gain has
    no factor of 1/2.
    """
    n, least, roots = 0, LARGEST, 0.0
    for i in range(r):
        if sizes[i] < 0 or sizes[i] > LARGEST - n:
            return NAN
        n += sizes[i]
        if sizes[i] > 0:
            roots += root(value(real(sizes[i])))
        if sizes[i] > 0 and sizes[i] < least:
            least = sizes[i]
    total = value(real(n))
    if n < 2 or h <= 0.0 or lam < 0.0 or value(real(least)) * h < EVENTS * total:
        return NAN
    w = g / (h + lam)
    rest = g - w * h
    variance = (gg - 2.0 * w * gh + w * w * hh - rest * rest / total) / (total - 1.0)
    spread = TWO_OVER_PI * variance * roots * roots
    if lam * g * w > SLIGHT * spread:
        return NAN
    return (spread - lam * g * w) / (h + 2.0 * lam)


def real(x: int) -> int:
    """An integer as a number of the header."""
    return x


def value(x: int) -> float:
    """Such a number as a float."""
    return float(x)


def _check(n: int, g: float, gg: float, h: float, hh: float, gh: float) -> None:
    """Raise ValueError if sums are none of n rows."""
    near = 1 + 1e-9
    if not h > 0:
        raise ValueError(complaint("second derivatives have a sum above 0", f"{h:g}", "pass the sums of a convex loss"))
    if g * g > n * gg * near or h * h > n * hh * near or gh * gh > gg * hh * near:
        rule, got = "sums of squares and products are those of rows", f"{n} rows, {gg:g}, {hh:g} and {gh:g}"
        raise ValueError(complaint(rule, got, "pass the sums of g^2, h^2 and g h"))


def needs_rows(sizes: list[int], h: float, rows: Array | None, w: float) -> bool:
    """Whether a level is too small for sums that are nearly normal: by its expected events, or by the tails of r.

    Of a sum of a rows, with the skewness and the excess of r, ``E |sum| ~ (1 - (excess - skewness^2) / (24 a))`` times
    that of a normal one.
    """
    least = min(sizes)
    if least * h < EVENTS * sum(sizes) or rows is None:
        return bool(least * h < EVENTS * sum(sizes))
    r = rows[0] - w * rows[1]
    r = r - r.mean()
    variance = (r * r).mean()
    excess = (r**4).mean() - 3 * variance**2 - (r**3).mean() ** 2 / variance if variance > 0 else 0.0
    return bool(excess > 24 * least * TAIL * variance**2)


def normal_sums(
    sizes: list[int], g: float, gg: float, h: float, hh: float, gh: float, lam: float, draws: int, seed: int
) -> tuple[Array, Array]:
    """Sums of g and of h over levels ``(draws, V)``, those of g nearly normal and those of h by their sizes."""
    n, w, a = sum(sizes), g / (h + lam), np.array(sizes, dtype=float)
    variance = max((gg - 2 * w * gh + w * w * hh - (g - w * h) ** 2 / n) / (n - 1), 0.0)
    r = np.random.default_rng([seed, *sizes]).normal(size=(draws, len(a))) * np.sqrt(a)
    r = (r - a / n * r.sum(axis=1, keepdims=True)) * variance**0.5 + a / n * w * lam
    second = np.broadcast_to(a * (h / n), r.shape)
    return r + w * second, second


def sums_of_rows(sizes: list[int], rows: Array, draws: int, seed: int) -> tuple[Array, Array]:
    """Sums of g and of h over levels ``(draws, V)``, for rows ``(2, n)`` in random order."""
    rng, starts = np.random.default_rng([seed, *sizes]), np.cumsum([0, *sizes[:-1]])
    orders = (rng.permutation(rows.shape[1]) for _ in range(draws))
    sums = np.array([np.add.reduceat(rows[:, order], starts, axis=1) for order in orders])
    return sums[:, 0], sums[:, 1]


def best_partitions(grads: Array, hessians: Array, g: float, h: float, lam: float) -> Array:
    """The largest gain over prefixes of the levels in order of their leaf values, of sums ``(t, V)``; from 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.argsort(grads / (hessians + lam), axis=1, kind="stable")
        left, second = (np.take_along_axis(x, order, axis=1).cumsum(axis=1)[:, :-1] for x in (grads, hessians))
        gains = left**2 / (second + lam) + (g - left) ** 2 / (h - second + lam) - g * g / (h + lam)
    gains = np.where((second + lam > 0) & (h - second + lam > 0), gains, -inf)
    return np.asarray(gains.max(axis=1, initial=0.0))


def _read_rows(rows: Any, n: int, g: float, h: float) -> Array:
    """Gradients and second derivatives ``(2, n)`` with these sums."""
    both = finite(rows, "rows", 2)
    rule, remedy = "rows are the gradients and second derivatives of the node's rows, whose sums are given", "pass both"
    if both.shape != (2, n):
        raise ValueError(complaint(rule, f"shape {both.shape} for {n} rows", remedy))
    sums = both.sum(axis=1)
    if np.any(np.abs(sums - (g, h)) > 1e-6 * np.abs(both).sum(axis=1)):
        raise ValueError(complaint(rule, f"sums {sums[0]:g} and {sums[1]:g} for {g:g} and {h:g}", remedy))
    return both
