"""The law of the best split of one column, for comparing columns of every kind: numbers, categories, missing values.

Let ``y_u`` be centred responses (of a class: its unit vector less the shares), ``SS = sum |y_u|^2``. A split of n
objects that puts m on its left scores ::

    G = |sum_left y|^2 n (n - 1) / (m (n - m) SS),

which is the Gini gain, or the decrease of variance, over its mean by chance: over all orders of the responses E G = 1
for every split fixed beforehand. The best of many splits has a larger mean, which depends on how many there are.

Main definitions: ``best_subset_law``, ``best_cut_law``; ``BestSplitLaw`` (``score``, ``pvalue``, ``surprise``);
``SplitTail``; ``best_subsets``, ``best_cuts`` (the largest score of many tables); ``draws_for``.
Main results: let S be the score of the whole table of a category, ``S = (n - 1) gain / impurity``, with mean V - 1 of V
levels. For normal responses ``max G = S rho``; length and direction of a normal vector are independent, so that rho,
which depends on the sizes of the levels alone, is independent of S, and ::

    P(max G >= g) = E P(S >= g / rho),

a smooth tail from few draws of rho; S has a gamma law of its exact mean and variance. Two near-misses: the variance of
S from the draws, and the largest score as a gamma law of its two moments, are off by more far out.
Source: own; lewis1984 for the variance of S, which is that of wang2024, eq. (26), here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from math import ceil, exp, inf, log, nan
from typing import Any, final

import numpy as np

from splitcrit.arguments import Array, finite, whole
from splitcrit.display import shortened
from splitcrit.frozen import complaint, shown
from splitcrit.nulls.extremes import EXTREMES, Bar, inside
from splitcrit.nulls.gamma_tails import surprise as gamma_surprise
from splitcrit.nulls.margin_totals import margins, present
from splitcrit.nulls.margin_totals import whole as totals_of
from splitcrit.nulls.monte_carlo import permutation_pvalue, random_tables
from splitcrit.nulls.paths import surprise_of_leaving
from splitcrit.nulls.permutation import exact_variance
from splitcrit.nulls.response_law import Invariants, mean_variance
from splitcrit.nulls.standardisation import counted

TIE = 1e-9  # of 1 + score: scores closer than this are equal
EXPECTED = 10  # members of the rarest class that the smallest level, or side, holds on average where a tail is smooth
BEYOND = 20  # draws beyond which the tail is the smooth one's
FEWEST_DRAWS, MOST_DRAWS = 100, 2000
ALL_SUBSETS = 10  # levels up to which all subsets are searched, where the best one need not be a prefix of an order
CELLS = 2**21  # numbers at a time
MOST = 2**31


def draws_for(columns: int) -> int:
    """Return the number of draws that comparing some columns needs, at most 2000.

    Columns of d are decided near the quantile 1 - 1/d of their laws. Ranks shall speak there, not the shape of the
    tail, which speaks beyond the last 20 draws: half of these lie beyond 1 - 1/d.

    Examples
    --------
    >>> [draws_for(d) for d in (2, 10, 1000)]
    [100, 400, 2000]
    """
    return min(max(FEWEST_DRAWS, 2 * BEYOND * columns), MOST_DRAWS)


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
    structure: tuple[Any, ...] = field(repr=False)
    ratios: Array = field(repr=False)  # of the smooth tail: E Q(shape, rate g / ratio), Q the upper gamma function
    shape: float = field(repr=False)
    rate: float = field(repr=False)

    __repr__ = shortened

    def score(self, table: Any) -> float:
        """Return the largest score of a table, searched as the random ones were.

        Examples
        --------
        >>> law = best_subset_law([3, 2, 3], [4, 4])
        >>> round(law.score([[3, 0], [1, 1], [0, 3]]), 6), float(law.pvalue(law.score([[3, 0], [1, 1], [0, 3]])))
        (4.2, 0.22857142857142856)
        """
        kind, sizes, classes, gaps, least = self.structure
        if classes is None:
            raise ValueError(complaint("a table is one of classes", "a law of responses", "pass a score to pvalue"))
        counts = counted(table)
        rows, columns = (sorted(present(side)) for side in (counts.sum(axis=-1).ravel(), counts.sum(axis=-2).ravel()))
        ordered = [x for x in counts.sum(axis=-1).ravel().tolist() if x] == list(sizes)
        if (
            counts.ndim != 2
            or columns != sorted(classes)
            or (rows != sorted(sizes) if kind == "subset" else not ordered)
        ):
            got = f"row totals {shown(rows)} and class totals {shown(columns)}"
            raise ValueError(
                complaint("a table has the margins of the law", got, "take the law of the table's margins")
            )
        counts = counts[counts.any(axis=1)][None].astype(np.int64)
        found = best_subsets(counts, least) if kind == "subset" else best_cuts(counts, gaps, least)
        return float(found[0])

    def pvalue(self, score: float) -> SplitTail:
        """Return the chance that the largest score is as high, ties within 1e-9 included.

        With ``method="mixture"`` it is approximate beyond the last 20 draws; with ``"ranks"`` it is at least
        ``1 / (1 + draws)``, and valid whatever the responses.
        """
        return self._tail(float(score), smooth=self.method == "mixture")

    def surprise(self, score: float) -> float:
        """Return ``-log`` of the chance of a higher score, one as high counted half: columns are compared by it.

        It goes on beyond the draws by the smooth tail, whatever the method. It is no p-value: where the smooth tail is
        wrong, by orders of magnitude for a rare class, it still orders scores of one column.
        """
        return self._tail(float(score), smooth=True, half=True).surprise

    def _tail(self, score: float, smooth: bool, half: bool = False) -> SplitTail:
        if not score > TIE or not len(self.scores) or self.scores[-1] <= TIE:
            return SplitTail(1.0, 0.0, self.method)
        if self.method == "lattice":
            return self._of_paths(score, half)
        high, low = (score + sign * TIE * (1 + score) for sign in (1, -1))
        above, reached = (float(self.chances[np.searchsorted(self.scores, s) :].sum()) for s in (high, low))
        share = (above + reached) / 2 if half else reached
        if self.method == "exact":
            return SplitTail(min(share, 1.0), -log(share) if share > 0 else inf, "exact")
        beyond = len(self.scores) - min(BEYOND, len(self.scores) // 2)
        limit = float(self.scores[beyond])
        if smooth and score > limit and (tail := self._surprises(np.array([limit, score]))) is not None:
            start = permutation_pvalue(len(self.scores) - beyond, self.draws)
            fall, spread = tail[0] - tail[1], tail[2]
            value = exp(log(start) + fall)
            error = value * ((1 - start) / (start * (1 + self.draws)) + spread**2) ** 0.5
            return SplitTail(value, -log(start) - fall, "mixture", error)
        p = (share * self.draws + (0.5 if half else 1.0)) / (1 + self.draws)
        return SplitTail(p, -log(p), "ranks", (p * (1 - p) / (1 + self.draws)) ** 0.5)

    def _surprises(self, scores: Array) -> tuple[float, float, float] | None:
        """Return ``-log`` of the smooth tail at two scores, and the relative error of their ratio; None without one."""
        if not self.shape > 0:
            return None
        reach = self.rate * scores[:, None] / self.ratios
        logs = -gamma_surprise(np.full(reach.shape, self.shape), reach)
        tops = logs.max(axis=1)
        weights = np.exp(logs - tops[:, None])
        means = weights.mean(axis=1)
        relative = weights / means[:, None]
        spread = float((relative[1] - relative[0]).std() / len(self.ratios) ** 0.5)
        first, second = (-float(top + log(mean)) for top, mean in zip(tops, means, strict=True))
        return first, second, spread

    def _of_paths(self, score: float, half: bool) -> SplitTail:
        _, sizes, classes, _, least = self.structure
        n, ones = sum(sizes), classes[0]
        unit = 2 * (ones / n) * (1 - ones / n) / (n - 1)  # the mean Gini gain of a cut
        extreme, logs = EXTREMES["gini"], []
        for s in (score * (1 - TIE), score * (1 + TIE))[: 2 if half else 1]:
            key = extreme.key_of(s * unit)
            bar = Bar(extreme, n, ones, extreme.score_of(key), key)
            logs.append(surprise_of_leaving(n, ones, *inside(bar, _cuts(np.array(sizes), least))))
        found = float(-np.logaddexp.reduce(-np.array(logs)) + log(len(logs)))
        return SplitTail(exp(-found), found, "lattice")


def best_subset_law(
    level_sizes: Any, class_totals: Any = None, *, responses: Any = None, min_leaf: int = 1, draws: int = 1600,
    seed: int = 0, limit: int = 200_000,
) -> BestSplitLaw:  # fmt: skip
    """Return the law of the best score over the subsets of the levels of a category, for labels in random order.

    Parameters
    ----------
    level_sizes, class_totals
        How many observations each level has, and each class; their order changes nothing.
    responses
        Instead of classes, the numbers ``(n,)`` of a node, in any order; the method is then ``"ranks"``.
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
    least, draws, seed = whole(min_leaf, "min_leaf", 1), whole(draws, "draws", 99, 10**7), whole(seed, "seed", 0)
    _classes_or_responses(class_totals, responses)
    if responses is not None:
        return _of_responses("subset", sorted(_sizes(level_sizes), reverse=True), responses, False, least, draws, seed)
    sizes, classes = _structure(level_sizes, class_totals)
    sizes, classes = sorted(sizes, reverse=True), sorted(classes)
    structure = ("subset", tuple(sizes), tuple(classes), False, least)
    if len(sizes) < 2 or len(classes) < 2:
        return _nothing(structure)
    if (every := _all_tables(sizes, classes, whole(limit, "limit", 0))) is not None:
        tables, weights = every
        return _listed(structure, best_subsets(tables, least), weights)
    n = sum(sizes)
    impurity = 1 - sum((b / n) ** 2 for b in classes)
    mean, variance = len(sizes) - 1.0, float(exact_variance(sizes, classes)) * ((n - 1) / impurity) ** 2
    found, whole_table = [], []
    for part in _drawn(sizes, classes, draws, seed):
        found.append(best_subsets(part, least))
        whole_table.append(_of_table(part))
    scores, sums = np.concatenate(found), np.concatenate(whole_table)
    ratios = np.maximum(scores, TIE) / np.maximum(sums, TIE)
    safe = sizes[-1] * classes[0] >= EXPECTED * n and variance > 0
    shape, rate = (mean**2 / variance, mean / variance) if variance > 0 else (0.0, 0.0)
    return _of_draws(structure, scores, safe, ratios, shape, rate)


def best_cut_law(
    value_sizes: Any, class_totals: Any = None, *, responses: Any = None, missing: int = 0, min_leaf: int = 1,
    draws: int = 400, seed: int = 0, limit: int = 10**6,
) -> BestSplitLaw:  # fmt: skip
    """Return the law of the best score over the cuts of a column of numbers, for labels in random order.

    Parameters
    ----------
    value_sizes
        How many observations each value has, from the least value to the largest.
    class_totals
        How many observations each class has; their order changes nothing.
    responses
        Instead of classes, the numbers ``(n,)`` or vectors ``(n, q)`` of a node, in any order.
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
    least, draws, seed = whole(min_leaf, "min_leaf", 1), whole(draws, "draws", 99, 10**7), whole(seed, "seed", 0)
    gaps, limit = whole(missing, "missing", 0), whole(limit, "limit", 0)
    _classes_or_responses(class_totals, responses)
    given = [*_sizes(value_sizes), *([gaps] if gaps else [])]
    if responses is not None:
        return _of_responses("cut", given, responses, gaps > 0, least, draws, seed)
    sizes, classes = _structure(given, class_totals)
    classes = sorted(classes)
    structure = ("cut", tuple(sizes), tuple(classes), gaps > 0, least)
    (m, _, _), n = _sides(np.array(sizes), gaps > 0, least), sum(sizes)
    if not len(m) or len(classes) < 2:
        return _nothing(structure)
    if len(classes) == 2 and not gaps and n * min(n, 30 * ceil(n**0.5)) <= limit:
        top = np.array([inf])
        return BestSplitLaw("lattice", 0, nan, nan, top, np.ones(1), structure, np.ones(1), 0.0, 0.0)
    scores = np.concatenate([best_cuts(part, gaps > 0, least) for part in _drawn(sizes, classes, draws, seed)])
    safe = min(m.min(), n - m.max()) * classes[0] >= EXPECTED * n
    p = np.array(classes) / n
    return _of_draws(structure, scores, bool(safe), *_of_scan(np.diag(p) - np.outer(p, p), len(m)))


def best_subsets(tables: Array, least: int = 1) -> Array:
    """Return the largest score over subsets of the rows of each table ``(t, V, K)``, all of the same margins.

    Examples
    --------
    >>> best_subsets(np.array([[[3, 0], [1, 1], [0, 3]]])).round(6).tolist()
    [4.2]
    """
    t, _, k = tables.shape
    sizes = tables[0].sum(axis=1)
    if (subsets := _all_subsets(sizes, k, least)) is not None:
        left = np.moveaxis(np.tensordot(tables, subsets, axes=(1, 1)), 1, 2)
        return _largest(left, np.broadcast_to(subsets @ sizes, left.shape[:2]), tables[0].sum(axis=0), least)
    found = np.zeros(t)
    for j in range(1 if k == 2 else k):
        order = np.argsort(tables[:, :, j] / sizes, axis=1, kind="stable")
        left = np.take_along_axis(tables, order[:, :, None], axis=1).cumsum(axis=1)[:, :-1]
        found = np.maximum(found, _largest(left, sizes[order].cumsum(axis=1)[:, :-1], tables[0].sum(axis=0), least))
    return found


def best_cuts(tables: Array, gaps: bool = False, least: int = 1) -> Array:
    """Return the largest score over cuts of the rows of each table, the last of which has missing values if ``gaps``.

    Examples
    --------
    >>> best_cuts(np.array([[[3, 0], [1, 1], [0, 3]]])).round(6).tolist()
    [4.2]
    """
    sizes = tables[0].sum(axis=1)
    m, after, more = _sides(sizes, gaps, least)
    sums = tables.cumsum(axis=1)[:, after] + more[:, None] * tables[:, -1:]
    return _largest(sums, np.broadcast_to(m, sums.shape[:2]), tables[0].sum(axis=0), 1)


def best_subsets_of_sums(sums: Array, sizes: Array, square: float, least: int = 1) -> Array:
    """Return the largest score over subsets of levels with sums ``(t, V)`` of centred responses of that sum of squares.

    Examples
    --------
    >>> best_subsets_of_sums(np.array([[2.0, -2.0, 0.0]]), np.array([2, 1, 1]), 6.0).round(3).tolist()  # of 1, 1, -2, 0
    [2.667]
    """
    n = int(sizes.sum())
    if (subsets := _all_subsets(sizes, 2, least)) is not None:
        left, m = sums @ subsets.T, subsets @ sizes
    else:
        order = np.argsort(sums / sizes, axis=1, kind="stable")
        left = np.take_along_axis(sums, order, axis=1).cumsum(axis=1)[:, :-1]
        m = sizes[order].cumsum(axis=1)[:, :-1]
    allowed = (m >= least) & (m <= n - least)
    scores = left * left * (n * (n - 1.0)) / (np.where(allowed, m * (n - m), 1) * square)
    return np.asarray(np.where(allowed, scores, 0.0).max(axis=1, initial=0.0))


def best_cuts_of_sums(sums: Array, sizes: Array, square: float, gaps: bool = False, least: int = 1) -> Array:
    """Return the largest score over cuts of values with sums ``(t, V, q)`` of centred responses, as `best_cuts` does.

    Examples
    --------
    >>> best_cuts_of_sums(np.array([[[2.0], [-2.0], [0.0]]]), np.array([2, 1, 1]), 6.0).tolist()  # of 1, 1, -2, 0
    [2.0]
    """
    m, after, more = _sides(sizes, gaps, least)
    n, left = int(sizes.sum()), sums.cumsum(axis=1)[:, after] + more[:, None] * sums[:, -1:]
    scores = (left * left).sum(axis=2) * (n * (n - 1.0)) / (m * (n - m) * square)
    return np.asarray(scores.max(axis=1, initial=0.0))


def _all_subsets(sizes: Array, classes: int, least: int) -> Array | None:
    """Return each division of levels in two, 0 and 1 of each level; None if prefixes do, or levels are too many.

    Of two classes, and of numbers, they do unless a side of one level may be too small for a leaf.
    """
    v = len(sizes)
    if v > ALL_SUBSETS or (classes == 2 and least <= sizes.min()):
        return None
    return (np.arange(1, 2 ** (v - 1))[:, None] >> np.arange(v)) & 1


def _largest(left: Array, m: Array, totals: Array, least: int) -> Array:
    """Return the largest score of splits with class counts ``(t, c, K)`` and ``m (t, c)`` on their left."""
    n = int(totals.sum())
    apart = left - m[..., None] * (totals / n)
    allowed = (m >= least) & (m <= n - least)
    scale = n - (totals / n * totals).sum()
    scores = (apart * apart).sum(axis=-1) * (n * (n - 1.0)) / (np.where(allowed, m * (n - m), 1) * scale)
    return np.asarray(np.where(allowed, scores, 0.0).max(axis=1, initial=0.0))


def _of_table(tables: Array) -> Array:
    """Return the score of each whole table ``(t, V, K)``."""
    sizes, totals = tables[0].sum(axis=1), tables[0].sum(axis=0)
    n = int(sizes.sum())
    apart = tables - sizes[:, None] * (totals / n)
    scale = n - (totals / n * totals).sum()
    return np.asarray((apart * apart / sizes[:, None]).sum(axis=(1, 2)) * ((n - 1.0) / scale))


def _cuts(sizes: Array, least: int) -> Array:
    """Count the observations left of each cut that leaves enough on both sides."""
    ends = sizes.cumsum()
    return np.asarray(ends[:-1][(ends[:-1] >= least) & (ends[:-1] <= ends[-1] - least)])


def _sides(sizes: Array, gaps: bool, least: int) -> tuple[Array, Array, Array]:
    """Return of each cut how many lie on its left, after which row it is, and whether missing values lie there too.

    Missing values are the last row; alone on one side they are counted once.
    """
    ends, n = sizes.cumsum(), int(sizes.sum())
    after = np.arange(len(sizes) - 1)
    more = np.zeros(len(after), np.int64)
    if gaps:
        after, more = np.concatenate([after, after[:-1]]), np.concatenate([more, np.ones(len(after) - 1, np.int64)])
    m = ends[after] + more * sizes[-1]
    allowed = (m >= least) & (m <= n - least)
    return m[allowed], after[allowed], more[allowed]


def _of_scan(covariance: Array, number: int) -> tuple[Array, float, float]:
    """Return ratios, shape and rate of the smooth tail of the largest of a number of cuts.

    The responses have this covariance, but for a factor. Far out its largest eigenvalue decides.
    """
    found = np.linalg.eigvalsh(covariance)
    dimensions = int((found > TIE * found[-1]).sum())
    freedom = dimensions + (2 if number > 8 else 1 if number > 2 else 0)
    return np.ones(1), freedom / 2, float(found.sum() / found[-1] / 2)


def _classes_or_responses(class_totals: Any, responses: Any) -> None:
    """Raise ValueError unless one of the two is given."""
    if (class_totals is None) == (responses is None):
        got = "neither" if responses is None else "both"
        raise ValueError(complaint("a law is one of classes or of responses", got, "pass one of the two"))


def _of_responses(
    kind: str, sizes: list[int], responses: Any, gaps: bool, least: int, draws: int, seed: int
) -> BestSplitLaw:
    """Return the law of cuts or subsets for responses, by random orders of the sorted ones."""
    axes = 1
    with suppress(ValueError):  # of ragged ones, about which there is a sentence
        axes = np.ndim(responses)
    y = finite(responses, "responses", 2 if axes == 2 and kind == "cut" else 1)
    if len(y) != sum(sizes) or not y.size:
        got = f"{len(y)} responses and {sum(sizes)} observations"
        raise ValueError(complaint("every observation has a response", got, "pass as many responses as there are"))
    y = y.reshape(len(y), -1)
    structure = (kind, tuple(sizes), None, gaps, least)
    y = y[np.lexsort(y.T[::-1])]
    y = y / (np.abs(y).max(initial=0.0) or 1.0)
    y = y - y.mean(axis=0)
    n, square, widths = len(y), float((y * y).sum()), np.array(sizes)
    m = _sides(widths, gaps, least)[0]
    if len(sizes) < 2 or square < 1e-24 * n or (kind == "cut" and not len(m)):
        return _nothing(structure)
    rng, found, wholes = _generator(seed, sizes, []), [], []
    ends, size = np.cumsum(sizes), max(1, CELLS // max(y.size, 2 ** min(len(sizes), ALL_SUBSETS)))
    for start in range(0, draws, size):
        places = rng.permuted(np.tile(np.arange(n), (min(size, draws - start), 1)), axis=1)
        sums = np.stack([np.add.reduceat(column[places], ends - widths, axis=1) for column in y.T], axis=2)
        if kind == "subset":
            found.append(best_subsets_of_sums(sums[:, :, 0], widths, square, least))
            wholes.append((sums[:, :, 0] ** 2 / widths).sum(axis=1) * ((n - 1) / square))
        else:
            found.append(best_cuts_of_sums(sums, widths, square, gaps, least))
    best = np.concatenate(found)
    if kind == "cut":
        return _of_draws(structure, best, False, *_of_scan(y.T @ y, len(m)))
    mean, variance = len(sizes) - 1.0, float(mean_variance(widths.astype(float), Invariants.of(y))[1])
    variance *= (n * (n - 1) / square) ** 2
    ratios = np.maximum(best, TIE) / np.maximum(np.concatenate(wholes), TIE)
    return _of_draws(
        structure, best, False, ratios, *((mean**2 / variance, mean / variance) if variance > 0 else (0.0, 0.0))
    )


def _structure(level_sizes: Any, class_totals: Any) -> tuple[list[int], list[int]]:
    """Return sizes and class totals of one table, without empty ones."""
    rows, columns = margins(_sizes(level_sizes), class_totals)
    if columns.ndim != 1 or sum(rows.tolist()) >= MOST:
        got = f"class totals of shape {columns.shape}" if columns.ndim != 1 else f"{sum(rows.tolist())} observations"
        raise ValueError(complaint("a law is that of one column of fewer than 2^31 observations", got, "pass one"))
    return present(rows), present(columns)


def _sizes(given: Any) -> list[int]:
    """Return the sizes of levels or values, without empty ones."""
    found = totals_of(given, "sizes")
    if found.ndim != 1:
        got = f"sizes of shape {found.shape}"
        raise ValueError(complaint("a law is that of one column", got, "pass a vector of counts"))
    return present(found)


def _generator(seed: int, sizes: list[int], classes: list[int]) -> np.random.Generator:
    """Return the generator of a structure."""
    return np.random.default_rng([seed, len(sizes), *sizes, *classes])


def _drawn(sizes: list[int], classes: list[int], draws: int, seed: int) -> Iterator[Array]:
    """Yield random tables ``(t, V, K)`` with these margins."""
    rng = _generator(seed, sizes, classes)
    size = max(1, CELLS // (4 * len(sizes) * len(classes)))
    for start in range(0, draws, size):
        number = min(size, draws - start)
        if len(classes) > 2:
            yield random_tables(np.array(sizes), np.array(classes), number, "permutation", rng)
        else:
            ones = rng.multivariate_hypergeometric(sizes, classes[0], size=number, method="marginals")
            yield np.stack([ones, np.array(sizes) - ones], axis=2)


def _all_tables(sizes: list[int], classes: list[int], limit: int) -> tuple[Array, Array] | None:
    """Return all tables with these margins and their probabilities, None if they have more than ``limit`` cells."""
    from scipy.special import gammaln

    left, logs, rows = np.array([classes]), np.zeros(1), np.zeros((1, 0, len(classes)), np.int64)
    for i, a in enumerate(sizes):
        if i == len(sizes) - 1:
            fillings = left[:, None]
        else:
            ways = _compositions(a, classes, limit)
            if ways is None or len(ways) * len(left) > limit:
                return None
            fillings = np.broadcast_to(ways, (len(left), *ways.shape))
        fits = (fillings <= left[:, None]).all(axis=2)
        parent, chosen = np.repeat(np.arange(len(left)), fits.sum(axis=1)), fillings[fits]
        logs = logs[parent] - gammaln(chosen + 1).sum(axis=1)
        rows = np.concatenate([rows[parent], chosen[:, None]], axis=1)
        left = left[parent] - chosen
        if rows.size > limit:
            return None
    weights = np.exp(logs - logs.max())
    return rows, weights / weights.sum()


def _compositions(a: int, classes: list[int], limit: int) -> Array | None:
    """Return the ways to fill a row of ``a`` observations."""
    found = np.zeros((1, 0), np.int64)
    for k, b in enumerate(classes):
        rest = a - found.sum(axis=1)
        if k == len(classes) - 1:
            return np.asarray(np.concatenate([found, rest[:, None]], axis=1)[rest <= b])
        each = np.minimum(rest, b) + 1
        if each.sum() * len(classes) > limit:
            return None
        parent = np.repeat(np.arange(len(found)), each)
        values = np.arange(len(parent)) - np.repeat(each.cumsum() - each, each)
        found = np.concatenate([found[parent], values[:, None]], axis=1)
    return found


def _nothing(structure: tuple[Any, ...]) -> BestSplitLaw:
    """Return the law of a column without a split."""
    return BestSplitLaw("exact", 0, 0.0, 0.0, np.zeros(1), np.ones(1), structure, np.ones(1), 0.0, 0.0)


def _listed(structure: tuple[Any, ...], scores: Array, weights: Array) -> BestSplitLaw:
    order = np.argsort(scores, kind="stable")
    mean = float(scores @ weights)
    return BestSplitLaw("exact", 0, mean, 0.0, scores[order], weights[order], structure, np.ones(1), 0.0, 0.0)


def _of_draws(
    structure: tuple[Any, ...], scores: Array, safe: bool, ratios: Array, shape: float, rate: float
) -> BestSplitLaw:
    draws, method = len(scores), "mixture" if safe else "ranks"
    error = float(scores.std(ddof=1)) / draws**0.5
    chances = np.full(draws, 1 / draws)
    return BestSplitLaw(
        method, draws, float(scores.mean()), error, np.sort(scores), chances, structure, ratios, shape, rate
    )
