"""The law of the best split of one column, for comparing columns of every kind: numbers, categories, missing values.

Let ``y_u`` be centred responses (of a class: its unit vector less the shares), ``SS = sum |y_u|^2``. A split of n
objects that puts m on its left scores ::

    G = |sum_left y|^2 n (n - 1) / (m (n - m) SS),

which is the Gini gain, or the decrease of variance, over its mean by chance: over all orders of the responses E G = 1
for every split fixed beforehand. The best of many splits has a larger mean, which depends on how many there are.

Main definitions: ``best_subset_law``, ``best_cut_law``, and ``split_law`` of a structure and ``Labels``;
``BestSplitLaw`` (``score``, ``pvalue``, ``surprise``); ``SplitTail``; ``best_scores`` (of many tables).
Main results: let S be the score of the whole table of a category, ``S = (n - 1) gain / impurity``, with mean V - 1 of V
levels. For normal responses ``max G = S rho``; length and direction of a normal vector are independent, so that rho,
which depends on the sizes of the levels alone, is independent of S, and ::

    P(max G >= g) = E P(S >= g / rho),

a smooth tail from few draws of rho; S has a gamma law of its exact mean and variance. Two near-misses: the variance of
S from the draws, and the largest score as a gamma law of its two moments, are off by more far out.
Source: own; lewis1984 for the variance of S, which is that of wang2024, eq. (26), here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from math import ceil, exp, inf, log, nan
from typing import Any, NamedTuple, final

import numpy as np

from splitcrit.arguments import Array, finite, whole
from splitcrit.display import shortened
from splitcrit.frozen import complaint, shown
from splitcrit.nulls.exact import filled, ways_to_fill
from splitcrit.nulls.gamma_tails import label_moments, tail_of
from splitcrit.nulls.gamma_tails import surprise as gamma_surprise
from splitcrit.nulls.margin_totals import compact, margins, present
from splitcrit.nulls.margin_totals import whole as totals_of
from splitcrit.nulls.monte_carlo import BEYOND, TIE, random_orders, random_tables
from splitcrit.nulls.null import null_law
from splitcrit.nulls.paths import surprise_of_leaving
from splitcrit.nulls.standardisation import counted

EXPECTED = 10  # members of the rarest class that the smallest level, or side, holds on average where a tail is smooth
ALL_SUBSETS = 10  # levels up to which all subsets are searched, where the best one need not be a prefix of an order
CELLS = 2**21  # numbers at a time
ONE_MEAN = 1e-12  # of the range of the means of levels: what rounding alone tells apart
Cuts = tuple[Array, Array, Array]  # what ``sides`` returns


class Labels(NamedTuple):
    """The labels of a node in any order: centred ``vectors (T, q)`` of its kinds, and ``counts (T,)`` of each.

    A class is its unit vector less the shares, of two classes the first coordinate of that; a response is itself.
    Classes come in the order of their counts.
    """

    vectors: Array
    counts: Array
    classes: bool

    @staticmethod
    def of_classes(totals: Any) -> Labels:
        """The labels of classes with these totals, in any order; those that are empty count for nothing.

        Examples
        --------
        >>> Labels.of_classes([3, 2]).vectors.ravel().round(6).tolist()  # two classes are one coordinate
        [0.6, -0.4]
        """
        counts = np.sort(np.asarray(totals, dtype=np.int64))
        counts = counts[counts > 0]
        vectors = np.eye(len(counts)) - counts / max(counts.sum(), 1)
        return Labels(vectors[:, :1] if len(counts) == 2 else vectors, counts, True)

    @staticmethod
    def of_responses(responses: Array) -> Labels:
        """The labels of responses that are numbers ``(n,)``, or vectors ``(n, q)``, in units of the largest.

        Those of y and -y are the same.

        Examples
        --------
        >>> [Labels.of_responses(np.array(y)).vectors.ravel().tolist() for y in ([0.0, 1.0, 8.0], [0.0, -1.0, -8.0])]
        [[-0.625, 0.25, 0.375], [-0.625, 0.25, 0.375]]
        """
        y = np.asarray(responses, dtype=float).reshape(len(responses), -1).T
        y = in_one_form(y / (np.abs(y).max(initial=0.0) or 1.0))
        y = y[np.lexsort(y.T[::-1])]
        return Labels(y - y.mean(axis=0), np.ones(len(y), np.int64), False)

    @property
    def square(self) -> float:
        """The sum of the squared lengths; 0 where rounding alone tells labels apart."""
        total = float(self.counts @ (self.vectors * self.vectors).sum(axis=1))
        return total if total >= 1e-24 * self.counts.sum() else 0.0


@final
@dataclass(frozen=True, repr=False)
class SplitTail:
    """The p-value of a score under a law of the best split.

    Parameters
    ----------
    value, surprise
        The p-value, and ``-log`` of it in nats.
    method
        ``"exact"``, ``"lattice"``, ``"ranks"``: ``(1 + c) / (1 + draws)``; ``"mixture"`` beyond the last 20 draws.
    standard_error
        Of drawing; None where nothing was drawn. The smooth tail has an error of its own beside it.

    Examples
    --------
    >>> tail = best_subset_law([3, 2, 3], [4, 4]).pvalue(4.2)
    >>> round(float(tail), 4), tail.method
    (0.2286, 'exact')
    """

    value: float
    surprise: float
    method: str
    standard_error: float | None = None

    __repr__ = shortened

    def __float__(self) -> float:
        return self.value


@final
@dataclass(frozen=True, repr=False, eq=False)
class BestSplitLaw:
    """The law of the largest score over the splits of a column, given its structure and the totals of a node.

    Parameters
    ----------
    method
        ``"exact"``: all tables; ``"lattice"``: paths of two classes; ``"mixture"``: random orders, and beyond the last
        20 of them a smooth tail; ``"ranks"``: random orders alone, where the smooth tail is not to be trusted.
    draws
        How many random orders were drawn.
    mean, mean_error
        Of the largest score, and the standard error of that; 0 where all tables are listed, both nan for ``"lattice"``.
    scores, chances
        The values in increasing order, and their probabilities; of random orders all are equal.

    Examples
    --------
    >>> law = best_subset_law([3, 2, 3], [4, 4])
    >>> law.method, law.scores.size, round(float(law.chances.sum()), 12)
    ('exact', 10, 1.0)
    """

    method: str
    draws: int
    mean: float
    mean_error: float
    scores: Array
    chances: Array
    structure: ColumnStructure = field(repr=False)
    ratios: Array = field(repr=False)  # of the smooth tail: E Q(shape, rate g / ratio), Q the upper gamma function
    shape: float = field(repr=False)
    rate: float = field(repr=False)

    __repr__ = shortened

    def score(self, table: Any) -> float:
        """The largest score of a table, searched as the random ones were.

        Examples
        --------
        >>> law = best_subset_law([3, 2, 3], [4, 4])
        >>> round(law.score([[3, 0], [1, 1], [0, 3]]), 6), float(law.pvalue(law.score([[3, 0], [1, 1], [0, 3]])))
        (4.2, 0.22857142857142856)
        """
        s = self.structure
        if not s.labels.classes:
            raise ValueError(complaint("a table is one of classes", "a law of responses", "pass a score to pvalue"))
        counts = counted(table)
        counts = compact(counts.reshape(-1, counts.shape[-1])).astype(np.int64)
        counts = counts[:, np.argsort(counts.sum(axis=0), kind="stable")]
        rows, totals = counts.sum(axis=1), counts.sum(axis=0).tolist()
        order = np.argsort(-rows, kind="stable") if s.subset else rising(rows, s.gaps)
        if totals != s.labels.counts.tolist() or rows[order].tolist() != s.sizes.tolist():
            rule = "a table has the margins of the law"
            got = f"row totals {shown(rows.tolist())} and class totals {shown(totals)}"
            raise ValueError(complaint(rule, got, "take the law of the table's margins"))
        return float(best_scores((counts[order] @ s.labels.vectors)[None], s)[0])

    def pvalue(self, score: float) -> SplitTail:
        """The chance that the largest score is as high, ties within 1e-9 included.

        With ``method="mixture"`` it is approximate beyond the last 20 draws; with ``"ranks"`` it is at least
        ``1 / (1 + draws)``, and valid whatever the responses.
        """
        if not score > TIE or self.scores[-1] <= TIE:
            return SplitTail(1.0, 0.0, self.method)
        if self.method == "lattice":
            surprise = self._leaving(float(score) * (1 - TIE))
            return SplitTail(exp(-surprise), surprise, "lattice")
        places = self._places(np.array([float(score)]), smooth=self.method == "mixture", half=False)
        p, fall, spread = (float(each[0]) for each in places)
        if self.method == "exact":
            return SplitTail(p, 0.0 - log(p) if p > 0 else inf, "exact")
        value, error = p * exp(-fall), (1 - p) / (p * (1 + self.draws))
        return SplitTail(value, fall - log(p), "mixture" if fall else "ranks", value * (error + spread**2) ** 0.5)

    def surprise(self, score: float) -> float:
        """``-log`` of the chance of a higher score, one as high counted half: columns are compared by it.

        It is 0 where every order has the same score. It goes on beyond the draws by the smooth tail, whatever the
        method. It is no p-value: where the smooth tail is wrong, by orders of magnitude for a rare class, it still
        orders scores of one column.
        """
        return float(self.surprises(np.array([float(score)]))[0])

    def surprises(self, scores: Array) -> Array:
        """The surprises of many scores ``(s,)``."""
        surprises = np.zeros(len(scores))
        some = np.flatnonzero(scores > TIE)
        if self.method == "lattice":
            surprises[some] = self._of_paths(scores[some])
        elif self.scores[-1] - self.scores[0] > TIE:
            share, fall, _ = self._places(scores[some], smooth=True, half=True)
            with np.errstate(divide="ignore"):  # of a score that cannot occur
                surprises[some] = fall - np.log(share)
        return surprises

    def _places(self, scores: Array, smooth: bool, half: bool) -> tuple[Array, Array, Array]:
        """Chances by rank, of scores beyond the last 20 draws that of the first of these; from there, how far
        ``-log`` of the smooth tail falls, and its relative error.
        """
        limit = float(self.scores[-min(BEYOND, len(self.scores) // 2)]) if self.draws else inf
        far, fall, spread = scores > limit, np.zeros(len(scores)), np.zeros(len(scores))
        if smooth and far.any() and limit > TIE and self.shape > 0:
            reach = self.rate * np.append(limit, scores[far])[:, None] / self.ratios
            logs = -gamma_surprise(np.full(reach.shape, self.shape), reach)
            tops = logs.max(axis=1)
            weights = np.exp(logs - tops[:, None])
            means = weights.mean(axis=1)
            tails, relative = tops + np.log(means), weights / means[:, None]
            fall[far] = tails[0] - tails[1:]
            spread[far] = (relative[1:] - relative[0]).std(axis=1) / len(self.ratios) ** 0.5
            scores = np.where(far, limit, scores)
        wide = TIE * (1 + scores)
        beyond = np.append(self.chances[::-1].cumsum()[::-1].clip(max=1.0), 0.0)  # roundings add up to more than 1
        above, reached = beyond[np.searchsorted(self.scores, [scores + wide, scores - wide])]
        share = (above + reached) / 2 if half else reached
        if self.draws:
            share = (share * self.draws + (0.5 if half else 1.0)) / (1 + self.draws)
        return share, fall, spread

    def _of_paths(self, scores: Array) -> Array:
        """Exact surprises of cuts of two classes; 0 where every order has one score."""
        ends = np.array([[self._leaving(g * (1 - TIE)), self._leaving(g * (1 + TIE))] for g in scores]).reshape(-1, 2)
        varies = (ends[:, 0] > TIE) | (ends[:, 1] < inf)
        return np.where(varies, log(2) - np.logaddexp(*-ends.T), 0.0)

    def _leaving(self, score: float) -> float:
        """``-log`` of the chance that a path leaves the region of lower scores."""
        s = self.structure
        n, ones, (m, _, _) = int(s.sizes.sum()), int(s.labels.counts[0]), sides(s.sizes, False, s.least)
        slope, less = cut_lines(m, s)
        m, slope, less = m[slope > 0], slope[slope > 0], less[slope > 0]
        reach, middle = np.sqrt(np.maximum(score + less, 0.0) / slope), m * (ones / n)
        lower, upper = np.zeros(n + 1, np.int64), np.full(n + 1, n)
        lower[m], upper[m] = np.floor(middle - reach) + 1, np.ceil(middle + reach) - 1
        return surprise_of_leaving(n, ones, lower, upper)


class ColumnStructure(NamedTuple):
    """What the law of the best split of a column depends on: sizes of its levels, and the labels of the node.

    ``sizes (V,)`` are those of the levels of a ``subset``, the largest first, or of values in increasing order, the
    missing ones last if there are ``gaps``. No side has fewer observations than ``least``. Of levels only ``prefixes``
    of an order may be searched, as trees do. Cuts of classes may be ``standardised``: each score less 1, over its
    standard deviation, in units of that of many rows, plus 1; so that no cut beats others by the spread of its gain.
    """

    sizes: Array
    labels: Labels
    subset: bool
    gaps: bool
    least: int
    prefixes: bool = False
    standardised: bool = False


def best_subset_law(
    level_sizes: Any, class_totals: Any = None, *, responses: Any = None, min_leaf: int = 1, draws: int = 1600,
    seed: int = 0, limit: int = 200_000,
) -> BestSplitLaw:  # fmt: skip
    """The law of the best score over the subsets of the levels of a category, for labels in random order.

    Parameters
    ----------
    level_sizes, class_totals
        How many observations each level has, and each class; their order changes nothing.
    responses
        Instead of classes, the numbers ``(n,)`` of a node, in any order; the method is then ``"ranks"``. Their law is
        that of -y, draws included.
    min_leaf
        The fewest observations on a side. Above the size of the smallest level it forbids some subsets; see the notes.
    draws
        How many random tables are drawn where there are too many to list.
    seed
        What they depend on, with the totals: one law for one structure.
    limit
        How many numbers the list of all tables may hold.

    Returns
    -------
    BestSplitLaw
        ``"exact"`` where all tables are listed. Else ``"mixture"``, if the smallest level holds ten of the rarest class
        on average. Of 3 to 300 even levels and two equal classes of 50,000 the root mean square error of log10 of the
        p-value is at most .06 at p = .05, .11 at .01 and .17 at 1e-4 with 1,600 draws, and .10, .12 and .17 with 400.
        Else ``"ranks"``.

    Raises
    ------
    ValueError
        If totals are no counts, or their sums differ; if there are both classes and responses, or none.

    See Also
    --------
    best_cut_law : Numbers and ordered categories.
    expected_excess_gain : The mean rather than the law, for boosting.

    Notes
    -----
    For two classes, and for numbers, the best subset is a prefix of the levels in order of the share of one class, or
    of their means, where ``min_leaf`` is at most the size of the smallest level. For more classes, or a larger
    ``min_leaf``, all subsets of up to ten levels are searched. Of more levels it is the law of the best *prefix*, by
    the share of each class or by the means, which a better subset may beat: in tables and draws alike.

    References
    ----------
    lewis1984; breiman1984, Theorem 4.5 (the best subset of two classes).

    Examples
    --------
    >>> law = best_subset_law([30] * 30, [450, 450])
    >>> law.method, law.draws, round(law.mean, 1)  # a division fixed beforehand has the mean 1
    ('mixture', 1600, 19.6)
    >>> best_subset_law([2, 3, 3], [4, 4]).method
    'exact'
    """
    sizes, labels = _column(level_sizes, 0, class_totals, responses, 1)
    draws, seed = whole(draws, "draws", 99, 10**7), whole(seed, "seed", 0)
    how: dict[str, Any] = {"subset": True, "least": whole(min_leaf, "min_leaf", 1)}
    return split_law(sizes, labels, **how, draws=draws, seed=seed, limit=whole(limit, "limit", 0))


def best_cut_law(
    value_sizes: Any, class_totals: Any = None, *, responses: Any = None, missing: int = 0, min_leaf: int = 1,
    draws: int = 400, seed: int = 0, limit: int = 10**6,
) -> BestSplitLaw:  # fmt: skip
    """The law of the best score over the cuts of a column of numbers, for labels in random order.

    Parameters
    ----------
    value_sizes
        How many observations each value has, from the least value to the largest; the other way round it is one law.
    class_totals
        How many observations each class has; their order changes nothing.
    responses
        Instead of classes, the numbers ``(n,)`` or vectors ``(n, q)`` of a node, in any order; the law is that of -y,
        draws included.
    missing
        How many observations have no value; at every cut they are put on the better side.
    min_leaf
        The fewest observations on a side.
    draws, seed
        Of random orders, as in `best_subset_law`.
    limit
        How many steps the law of paths may take for two classes; beyond that orders are drawn.

    Returns
    -------
    BestSplitLaw
        ``"lattice"`` for two classes without missing values. Else ``"mixture"``, with a tail of chi-square of as many
        degrees of freedom as the responses have, one more from 3 cuts and two more from 9, at the rate of the direction
        in which they vary most, if the smallest side holds ten of the rarest class on average. The root mean square
        error of log10 of the p-value is then .1 at p = .05, .15 at .01 and up to .35 at 1e-4, where it is too large.
        Else, and for responses, ``"ranks"``.

    Raises
    ------
    ValueError
        If totals are no counts of equal sums, or there are both classes and responses, or none.

    See Also
    --------
    selected_pvalue : Two classes without missing values, in one call.
    best_subset_law : Categories without an order.

    References
    ----------
    miller1982 (the tail of a scan).

    Examples
    --------
    >>> best_cut_law([1] * 40, [20, 20]).method
    'lattice'
    >>> law = best_cut_law([1] * 50, responses=np.arange(50.0), missing=0)
    >>> law.method, round(law.mean, 1), float(law.pvalue(40.0)) == 1 / 401
    ('ranks', 4.2, True)
    """
    gaps = whole(missing, "missing", 0)
    sizes, labels = _column(value_sizes, gaps, class_totals, responses, 2)
    draws, seed = whole(draws, "draws", 99, 10**7), whole(seed, "seed", 0)
    how: dict[str, Any] = {"gaps": gaps > 0, "least": whole(min_leaf, "min_leaf", 1)}
    return split_law(sizes, labels, **how, draws=draws, seed=seed, limit=whole(limit, "limit", 0))


def split_law(
    sizes: Any, labels: Labels, *, subset: bool = False, gaps: bool = False, least: int = 1, prefixes: bool = False,
    standardised: bool = False, draws: int = 400, seed: int = 0, limit: int = 0,
) -> BestSplitLaw:  # fmt: skip
    """The law of the best score of a ``ColumnStructure``: a table that stays, whatever labels are asked about.

    Up to ``limit`` steps it is exact where it can be: listed for levels and classes, by paths for cuts of two classes.

    Examples
    --------
    >>> law = split_law([1] * 40, Labels.of_classes([20, 20]), limit=10**6)
    >>> [round(law.surprise(score), 4) for score in (2.0, 10.0)]
    [0.0758, 4.5571]
    """
    widths = np.asarray(sizes, dtype=np.int64)
    widths = np.sort(widths)[::-1] if subset else widths[rising(widths, gaps)]
    structure = ColumnStructure(widths, labels, subset, gaps, least, prefixes, standardised)
    square, m, n = labels.square, sides(widths, gaps, least)[0], int(widths.sum())
    none = structure, np.ones(1), 0.0, 0.0
    if len(widths) < 2 or not square or not (subset or len(m)):
        return BestSplitLaw("exact", 0, 0.0, 0.0, np.zeros(1), np.ones(1), *none)
    if (law := listed_law(structure, limit)) is not None:
        return law
    if labels.classes and len(labels.counts) == 2 and not (subset or gaps) and n * min(n, 30 * ceil(n**0.5)) <= limit:
        return BestSplitLaw("lattice", 0, nan, nan, np.array([inf]), np.ones(1), *none)
    parts = [
        (best_scores(sums, structure), (sums * sums / widths[:, None]).sum(axis=(1, 2)))
        for sums in drawn_sums(structure, draws, seed)
    ]
    scores, wholes = (np.concatenate(each) for each in zip(*parts, strict=True))
    ratios, (shape, rate) = np.ones(1), tail_of(widths, subset, len(m), label_moments(labels.vectors, labels.counts))
    if subset:
        ratios = np.maximum(scores, TIE) / np.maximum(wholes * ((n - 1) / square), TIE)
    side = widths[-1] if subset else min(m.min(), n - m.max())
    safe = labels.classes and side * labels.counts[0] >= EXPECTED * n and shape > 0
    error, chances = float(scores.std(ddof=1)) / draws**0.5, np.full(draws, 1 / draws)
    method, mean = "mixture" if safe else "ranks", float(scores.mean())
    return BestSplitLaw(method, draws, mean, error, np.sort(scores), chances, structure, ratios, shape, rate)


def listed_law(structure: ColumnStructure, limit: int) -> BestSplitLaw | None:
    """The law of the best subset by the list of all tables of classes; None if they have more than ``limit`` cells."""
    sizes, labels, subset = structure[:3]
    listed = all_tables(sizes.tolist(), labels.counts.tolist(), limit) if subset and labels.classes else None
    if listed is None:
        return None
    tables, chances = listed[0] @ labels.vectors, listed[1]
    scores = best_scores(tables, structure)
    order, mean, none = np.argsort(scores, kind="stable"), float(scores @ chances), (np.ones(1), 0.0, 0.0)
    return BestSplitLaw("exact", 0, mean, 0.0, scores[order], chances[order], structure, *none)


def best_scores(sums: Array, structure: ColumnStructure) -> Array:
    """The largest score of a structure for levels with sums ``(t, V, q)`` of centred labels.

    Examples
    --------
    >>> sums, labels = np.array([[[2.0], [-2.0], [0.0]]]), Labels.of_responses(np.array([1.0, 1.0, -2.0, 0.0]))
    >>> both = [ColumnStructure(np.array([2, 1, 1]), labels, subset, False, 1) for subset in (False, True)]
    >>> [best_scores(sums / 2, each).round(3).tolist() for each in both]
    [[2.0], [2.667]]
    """
    sizes, labels, subset, gaps, least, prefixes, _ = structure
    n, best = int(sizes.sum()), np.zeros(len(sums))
    if not subset:
        slope, less = cut_lines((cuts := sides(sizes, gaps, least))[0], structure)
        lengths = _lengths(sums, cuts)
        return np.asarray(np.subtract(np.multiply(lengths, slope, lengths), less, lengths).max(axis=1, initial=0.0))
    for left, m, _ in _divisions(sums, sizes, least, prefixes):
        allowed = (m >= least) & (m <= n - least)
        weights = np.where(allowed, n * (n - 1.0) / (np.where(allowed, m * (n - m), 1) * labels.square), 0.0)
        best = np.maximum(best, (np.einsum("tcq,tcq->tc", left, left) * weights).max(axis=1, initial=0.0))
    return best


def cut_scores(
    sums: Array, cuts: Cuts, labels: Labels, moments: tuple[Array, Array] | None = None, apart: Any = None
) -> Array:  # fmt: skip
    """The scores ``(t, c)`` of the ``sides`` of cuts of levels with sums ``(t, V, q)`` of centred labels.

    With the ``moments`` of their gains it is these in standard deviations above the mean, 0 of a gain that is constant.
    ``apart`` takes the place of ``m (n - m)`` in the score.

    Examples
    --------
    >>> labels, cuts = Labels.of_classes([2, 2]), sides(np.array([2, 2]), False, 1)
    >>> cut_scores(np.array([[[1.0], [-1.0]]]), cuts, labels).tolist()
    [[3.0]]
    """
    (m, _, _), n = cuts, int(labels.counts.sum())
    apart = m * (n - m) if apart is None else apart
    scores = np.asarray(_lengths(sums, cuts) * (n * (n - 1.0) / (apart * labels.square)))
    if moments is None:
        return scores
    mean, spread = moments
    return np.asarray(np.where(spread > 0, (scores - 1) * mean / np.where(spread > 0, spread, 1.0), 0.0))


def _lengths(sums: Array, cuts: Cuts) -> Array:
    """The squared lengths ``(t, c)`` of what lies left of cuts."""
    _, after, more = cuts
    left = sums.cumsum(axis=1)
    # Without missing values the cuts are neighbours, and a slice makes no copy.
    some = slice(after.min(initial=left.shape[1]), after.max(initial=-1) + 1)
    left = left[:, after] + more[:, None] * sums[:, -1:] if more.any() else left[:, some]
    return np.asarray(np.einsum("tcq,tcq->tc", left, left))


def cut_moments(m: Array, labels: Labels) -> tuple[Array, Array]:
    """Mean and standard deviation by chance of the Gini gains of cuts with ``m (c,)`` of the labels left."""
    n = int(labels.counts.sum())
    law = null_law(np.stack([m, n - m], -1), np.broadcast_to(labels.counts, (len(m), len(labels.counts))))
    return np.asarray(law.mean), np.sqrt(np.asarray(law.variance))


def cut_lines(m: Array, structure: ColumnStructure) -> tuple[Array, Array]:
    """``slope (c,)`` and ``less (c,)`` of cuts: ``slope |sum|^2 - less`` is the score of that on the left."""
    n, labels = int(structure.sizes.sum()), structure.labels
    slope = n * (n - 1.0) / (m * (n - m) * labels.square)
    if not structure.standardised:
        return slope, np.zeros(len(m))
    mean, spread = cut_moments(m, labels)
    times = mean / np.where(spread > 0, spread, inf) * (2 / (len(labels.counts) - 1)) ** 0.5
    return slope * times, (times - 1) * (spread > 0)


def best_subset(sums: Array, sizes: Array, least: int = 1) -> Array:
    """Which levels ``(V,)``, with sums ``(V, q)`` of centred labels, lie left of the best division; none without one.

    Examples
    --------
    >>> best_subset(np.array([[2.0], [-2.0], [0.0]]), np.array([2, 1, 1])).tolist()
    [False, True, False]
    """
    n, best, chosen = int(sizes.sum()), -1.0, np.zeros(len(sizes), dtype=bool)
    for left, m, levels in _divisions(sums[None], sizes, least, False):
        m = np.broadcast_to(m, left.shape[:2])[0]
        allowed = (m >= least) & (m <= n - least)
        gains = np.where(allowed, (left[0] ** 2).sum(axis=1) / np.where(allowed, m * (n - m), 1), -1.0)
        at = int(gains.argmax())
        if gains[at] > best + TIE * abs(best):
            best, chosen = float(gains[at]), np.zeros(len(sizes), dtype=bool)
            chosen[levels[at] if levels.dtype == bool else levels[0, : at + 1]] = True
    return chosen


def _divisions(sums: Array, sizes: Array, least: int, prefixes: bool) -> Iterator[tuple[Array, Array, Array]]:
    """Yield sums ``(t, c, q)`` and numbers left of the divisions among which the best one is, and their levels.

    These are the left levels ``(c, V)`` of each, or the order ``(t, V)`` whose prefixes are on the left.

    Of one coordinate the best subset is a prefix of the levels in order of their means, unless a side of one level may
    be too small for a leaf. Of more it may be any, and prefixes are searched where subsets are too many. None of these
    parts levels of one mean, among which only their names could choose: its left side counts as empty.
    """
    _, v, q = sums.shape
    if v <= ALL_SUBSETS and not prefixes and (q > 1 or least > sizes.min()):
        subsets = (np.arange(1, 2 ** (v - 1))[:, None] >> np.arange(v)) & 1  # 0 and 1 of each level
        yield np.moveaxis(np.tensordot(sums, subsets, axes=(1, 1)), 1, 2), subsets @ sizes, subsets > 0
    else:
        for j in range(q):
            order = np.argsort(means := sums[:, :, j] / sizes, axis=1, kind="stable")
            apart = np.diff(np.sort(means, axis=1)) > ONE_MEAN * np.ptp(means, axis=1, keepdims=True) if q > 1 else 1
            left = np.take_along_axis(sums, order[:, :, None], axis=1).cumsum(axis=1)[:, :-1]
            yield left, sizes[order].cumsum(axis=1)[:, :-1] * apart, order


def in_one_form(outputs: Iterable[Array]) -> Array:
    """Responses ``(n, q)`` of some outputs, each in the smaller of its two signs, and these in an order of their own.

    What lies far from the mean is then below it, whatever is added to all.

    Examples
    --------
    >>> in_one_form([np.array([3.0, 0.0, 0.0]), np.array([4.0, 4.0, 3.0])]).tolist()
    [[-3.0, 4.0], [-0.0, 4.0], [-0.0, 3.0]]
    """

    def apart(z: Array) -> Any:
        return (np.sort(z) - np.sort(z).mean()).tolist()

    return np.array(sorted((min(z, -z, key=apart) for z in outputs), key=lambda z: (apart(z), z.tolist()))).T


def rising(sizes: Array, gaps: bool, turned: bool | None = None) -> Array:
    """The places ``(V,)`` of values in the smaller of their orders by how often they occur; the missing ones stay last.

    They are ``turned`` if that is said.

    Examples
    --------
    >>> rising(np.array([3, 2, 1]), False).tolist(), rising(np.array([3, 2, 1]), True).tolist()
    ([2, 1, 0], [1, 0, 2])
    """
    places, known = np.arange(len(sizes)), len(sizes) - gaps
    if turned is None:
        turned = sizes[:known][::-1].tolist() < sizes[:known].tolist()
    return np.concatenate([places[:known][::-1], places[known:]]) if turned else places


def sides(sizes: Array, gaps: bool, least: int) -> Cuts:
    """Of each cut how many lie on its left, after which row it is, and whether missing values lie there too.

    Missing values are the last row; alone on one side they are counted once.
    """
    ends, n = sizes.cumsum(), int(sizes.sum())
    after = np.arange(len(sizes) - 1)
    more = np.zeros(len(after), np.int64)
    if gaps:
        after, more = np.concatenate([after, after[:-1]]), np.concatenate([more, np.ones_like(after[:-1])])
    m = ends[after] + more * sizes[-1:]
    allowed = (m >= least) & (m <= n - least)
    return m[allowed], after[allowed], more[allowed]


def drawn_sums(structure: ColumnStructure, draws: int, seed: int, most: int = CELLS) -> Iterator[Array]:
    """Yield sums ``(t, V, q)`` of the levels for labels in random order, at most ``most`` orders at a time."""
    sizes, (vectors, counts, classes) = structure.sizes, structure.labels
    rng = np.random.default_rng([seed, len(sizes), *sizes.tolist(), *(counts.tolist() if classes else [])])
    some = 2 ** min(len(sizes), ALL_SUBSETS) if structure.subset else 1
    width = max(4 * len(sizes) * len(counts) if classes else vectors.size, some * vectors.shape[1])
    size = max(1, min(most, CELLS // width))
    for orders in () if classes else random_orders(np.arange(len(vectors)), draws, rng, size):
        by_row = (column[orders] for column in vectors.T)
        yield np.stack([np.add.reduceat(each, sizes.cumsum() - sizes, axis=1) for each in by_row], axis=2)
    for start in range(0, draws * classes, size):
        number = min(size, draws - start)
        if len(counts) > 2 or sizes.sum() >= 10**9:  # of two classes numpy draws fewer
            yield random_tables(sizes, counts, number, "permutation", rng) @ vectors
        else:
            # Of fewer than four observations a level on average it is quicker to draw these one by one.
            how: Any = "count" if sizes.sum() < 4 * len(sizes) else "marginals"
            ones = rng.multivariate_hypergeometric(sizes, counts[0], size=number, method=how)
            yield np.stack([ones, sizes - ones], axis=2) @ vectors


def _column(level_counts: Any, missing: int, class_totals: Any, responses: Any, axes: int) -> tuple[list[int], Labels]:
    """Return the sizes of a column that are not 0, those without a value last, and its labels; or raise ValueError.

    Responses may have up to so many axes.
    """
    level_sizes = totals_of(level_counts, "sizes")
    if level_sizes.ndim != 1:
        got = f"sizes of shape {level_sizes.shape}"
        raise ValueError(complaint("a law is that of one column", got, "pass a vector of counts"))
    sizes = present(np.append(level_sizes, missing))
    if (class_totals is None) == (responses is None):
        got = "neither" if responses is None else "both"
        raise ValueError(complaint("a law is one of classes or of responses", got, "pass one of the two"))
    if responses is None:
        rows, columns = margins(sizes, class_totals)
        if columns.ndim != 1 or sum(sizes) >= 2**31:
            got = f"class totals of shape {columns.shape}" if columns.ndim != 1 else f"{sum(sizes)} observations"
            raise ValueError(complaint("a law is that of one column of fewer than 2^31 observations", got, "pass one"))
        return present(rows), Labels.of_classes(columns)
    dimensions = 1
    with suppress(ValueError):  # of ragged ones, about which there is a sentence
        dimensions = np.ndim(responses)
    y = finite(responses, "responses", 2 if dimensions == axes == 2 else 1)
    if len(y) != sum(sizes) or not y.size:
        got = f"{len(y)} responses and {sum(sizes)} observations"
        raise ValueError(complaint("every observation has a response", got, "pass as many responses as there are"))
    return sizes, Labels.of_responses(y)


def all_tables(sizes: list[int], classes: list[int], limit: int) -> tuple[Array, Array] | None:
    """All tables with these margins and their probabilities, None if they have more than ``limit`` cells."""
    from scipy.special import gammaln

    left, logs, rows = np.array([classes]), np.zeros(1), np.zeros((1, 0, len(classes)), np.int64)
    n = sum(classes)
    for i, a in enumerate(sizes):
        # A row and what it leaves are chosen in as many ways: more than the size, or than half of all but one class.
        # The last takes all that is left.
        size = min(a, n - a) if i < len(sizes) - 1 else 0
        few = min(size, (n - max(classes)) / 2) < limit
        if not (few and ways_to_fill(size, np.array([classes]))[0] * len(left) <= limit):
            return None
        place, taken = filled(a, left)
        logs, left = logs[place] - gammaln(taken + 1).sum(axis=1), left[place] - taken
        rows = np.concatenate([rows[place], taken[:, None]], axis=1)
        if rows.size > limit:
            return None
    weights = np.exp(logs - logs.max())
    return rows, weights / weights.sum()
