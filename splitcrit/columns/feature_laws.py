"""The p-value of the best cut of one feature of a node: exact for two classes where it can be, else by permutations.

Main definitions: ``FeatureLaw``; ``exact_laws``, each a ``lattice_law`` or an ``enumerated_law``; ``drawn_law``, by
permutations; ``exact_tests`` of labels cut in two, and ``joined_law``, by which small p-values of permutations have no
floor.
Main results: each gives ``P(score >= seen)`` and ``P(score > seen)``, so that the mid p-value is their mean and
``P(score > seen) + U P(score = seen)``, ``U`` uniform on [0, 1], is uniform under the null; and ``F(t)``, the largest
p-value that can occur and is at most ``t``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from math import ceil, exp, floor, inf, log
from typing import NamedTuple

import numpy as np

from splitcrit.arguments import PATIENT, Array
from splitcrit.columns.best_cuts import NodeCut, Response, best_cut, levels_of, ordered_cuts
from splitcrit.columns.column_tests import CLASS, DRAWN, QUANTILE, VALUE, log_of_two
from splitcrit.columns.features import CATEGORIES, Feature
from splitcrit.compiling import reporting_compilation
from splitcrit.nulls.attained import attained
from splitcrit.nulls.best_cut import BestCut
from splitcrit.nulls.best_cut import best as best_of_two
from splitcrit.nulls.best_cut_pvalue import ends_by_paths
from splitcrit.nulls.dichotomies import PARTS, joined_pvalue, log_joined_pvalue, of_responses
from splitcrit.nulls.exact import fillings
from splitcrit.nulls.extremes import EXTREMES
from splitcrit.nulls.feature_counts import FeatureCounts
from splitcrit.nulls.permutation_pvalues import Attained, tallied

MOST_TABLES = 20_000  # tables of a feature that are listed
NEAR = 1e-9  # p-values closer than this, relatively, are equal


class FeatureLaw(NamedTuple):
    """``P(score >= seen)``, ``P(score > seen)``, the function ``F``, the method; by lattice paths the best cut as well.

    ``standard_error`` is the Monte Carlo error of the first, None where an exact test decides; ``log_reached`` its
    logarithm where that is known by itself.
    """

    reached: float
    above: float
    attained: Attained
    method: str
    best: BestCut | None = None
    standard_error: float | None = None
    log_reached: float | None = None

    @property
    def log_p(self) -> float:
        """The logarithm of the p-value, also where that is too small for a float."""
        if self.log_reached is not None:
            return self.log_reached
        return log(self.reached) if self.reached else -inf

    @property
    def mid(self) -> float:
        """The mid p-value."""
        return (self.reached + self.above) / 2

    def randomised(self, uniform: float) -> FeatureLaw:
        """Return the law with the randomised p-value, which is uniform, for a uniform number."""
        p = self.above + uniform * (self.reached - self.above)
        return self._replace(reached=p, attained=identity, log_reached=None)


def identity(t: float) -> float:
    """Return ``F(t) = t``: every p-value can occur."""
    return t


NO_CUT = FeatureLaw(1.0, 0.0, lambda t: float(t >= 1), "no cut")


def exact_laws(features: Sequence[Feature], response: Response) -> list[FeatureLaw | None]:
    """Return the exact laws of features for two classes, None where permutations are needed."""
    if response.statistic == "variance" or response.columns.shape[1] != 2:
        return [None] * len(features)
    shared: dict[bytes, Attained] = {}
    with reporting_compilation():  # once for all features
        return [
            enumerated_law(feature, response) if feature.kind == CATEGORIES else lattice_law(feature, response, shared)
            for feature in features
        ]


def lattice_law(feature: Feature, response: Response, shared: dict[bytes, Attained]) -> FeatureLaw:
    """Return the law of a feature with ordered values, by lattice paths; missing values are on the better side.

    ``F`` depends on how often each value occurs alone, so that features without ties share one.
    """
    statistic, least, gaps = response.statistic, response.min_leaf, feature.missing
    table = _counts(feature, response.columns[:, 1])
    if (key := feature.sizes.tobytes()) not in shared:  # what has no value is the rest of the same rows
        shared[key] = cache(partial(attained, table, statistic=statistic, min_leaf=least, missing="side"))
    counts, sizes = (table, np.append(feature.sizes, gaps)) if gaps else (table[:-1], feature.sizes)
    seen = FeatureCounts(counts, sizes, gaps > 0)
    best = best_of_two(seen, least, EXTREMES[statistic], PATIENT) if response.several else None
    above, reached = (inf, 0.0) if best is None else ends_by_paths(best, PATIENT)
    return FeatureLaw(exp(-reached), exp(-above), shared[key], "exact", best, log_reached=-reached)


def _counts(feature: Feature, second: Array) -> Array:
    """Return the table of values and two classes, given the rows of the second; its last row is missing values."""
    values = len(feature.levels)
    codes = np.where(feature.codes < 0, values, feature.codes) if feature.missing else feature.codes
    return np.bincount(2 * codes + second.astype(np.intp), minlength=2 * values + 2).reshape(-1, 2)


def enumerated_law(feature: Feature, response: Response) -> FeatureLaw | None:
    """Return the law of a feature with unordered categories, by listing the tables with its margins; None if many."""
    first = _counts(feature, response.columns[:, 1])[:-1, 0]
    if not fillings(int(first.sum()), feature.sizes.tolist()) <= MOST_TABLES:
        return None
    tables, chances = _tables(feature.sizes, int(first.sum()))
    tables = np.concatenate([first[None], tables])
    sums = np.stack([tables, feature.sizes - tables], axis=-1).astype(np.float64)
    best = [response.scores(c.left, c.m).max(axis=-1, initial=-np.inf) for c in ordered_cuts(feature.sizes, sums, True)]
    if max(scores[0] for scores in best) == -np.inf:
        return NO_CUT
    levels = levels_of(np.max(best, axis=0))
    weights = np.bincount(levels[1:], chances, minlength=levels.max() + 1)
    tails = np.append(np.cumsum(weights[::-1])[::-1], 0.0)

    def largest(t: float) -> float:
        return float(tails[np.searchsorted(-tails, -t * (1 + NEAR))])

    return FeatureLaw(min(float(tails[levels[0]]), 1.0), float(tails[levels[0] + 1]), largest, "exact")


def _tables(sizes: Array, ones: int) -> tuple[Array, Array]:
    """Return every way ``(t, r)`` to have ``ones`` of the first class among rows of these sizes, with its chance."""
    from scipy.special import gammaln

    tables, rest = np.zeros((1, 0), dtype=np.int64), np.array([ones])
    for size, later in zip(sizes.tolist(), (sizes.sum() - sizes.cumsum()).tolist(), strict=True):
        x = np.arange(size + 1)
        left = rest[:, None] - x
        at, taken = np.nonzero((left >= 0) & (left <= later))
        tables, rest = np.column_stack([tables[at], taken]), left[at, taken]
    logs = (gammaln(sizes + 1) - gammaln(tables + 1) - gammaln(sizes - tables + 1)).sum(axis=1)
    chances = np.exp(logs - logs.max())
    return tables, chances / chances.sum()


def drawn_law(scores: Array, permutations: int, enough: int) -> FeatureLaw:
    """Return the law by random permutations, given the observed score and theirs ``(1 + drawn,)``.

    Draws after exceedance number ``enough`` are not counted (Besag and Clifford); ``permutations + 1`` counts all.
    """
    levels = levels_of(scores)
    tally = tallied([levels[1:]], levels[0], enough)
    more = int((levels[1 : tally.drawn + 1] > levels[0]).sum())
    above = more / (tally.drawn if tally.stopped else tally.drawn + 1)
    reachable = partial(attained_by_draws, permutations=permutations, enough=enough)
    return FeatureLaw(tally.pvalue, above, reachable, DRAWN, None, tally.standard_error)


def exact_tests(feature: Feature, response: Response) -> tuple[list[float], str]:
    """Return logarithms of exact p-values of a feature against labels cut in two, and the name of these tests.

    They are one class against the rest for every class, or each column of responses above each of seven quantiles; two
    classes, whose law is not exact only for many categories, are the two themselves: one test.
    """
    variance = response.statistic == "variance"
    halves = np.concatenate(list(map(of_responses, response.columns.T))) if variance else response.columns.T > 0
    if not variance and len(halves) == 2:
        return [_exact_test(feature, halves[0], response)], VALUE
    return [_exact_test(feature, half, response) for half in halves], QUANTILE if variance else CLASS


def quantile_law(feature: Feature, response: Response) -> tuple[NodeCut, FeatureLaw]:
    """Return the best cut of responses above a quantile, that of the least of seven p-values, and seven times that."""
    tests, name = exact_tests(feature, response)
    half = of_responses(response.columns[:, 0])[int(np.argmin(tests))]
    two = np.stack([~half, half], axis=1).astype(float)
    cut = best_cut(feature, Response(two, "sgini", response.min_leaf))
    log_p = min(0.0, log(len(tests)) + min(tests))
    return cut, FeatureLaw(exp(log_p), exp(log_p), identity, name, log_reached=log_p)


def _exact_test(feature: Feature, half: Array, response: Response) -> float:
    """Return the logarithm of the p-value of a feature against labels that are in one half or not."""
    counts = _counts(feature, half)[: None if feature.missing else -1]
    statistic = "sgini" if response.statistic == "variance" else response.statistic
    ordered = feature.kind != CATEGORIES
    return log_of_two(counts, ordered, feature.missing > 0, PATIENT, response.min_leaf, statistic)


def decided(tests: list[float], permutations: int) -> bool:
    """Tell whether exact tests decide, whatever permutations would show."""
    return log(len(tests)) + min(tests) <= -log(1 + permutations)


def joined_law(law: FeatureLaw | None, tests: list[float], name: str) -> FeatureLaw:
    """Join the law of permutations, None if exact tests decide, with these; see ``nulls.dichotomies``."""
    p = joined_pvalue(1.0 if law is None else law.reached, map(exp, tests))
    if law is None or len(tests) * exp(min(tests)) < law.reached:
        return FeatureLaw(p, p, identity, name, log_reached=log_joined_pvalue(0.0, tests))
    above = min(1.0, PARTS * law.above)
    error = PARTS * (law.standard_error or 0.0) if p < 1 else 0.0
    return FeatureLaw(p, above, identity, law.method, None, error)


def attained_by_draws(t: float, permutations: int, enough: int) -> float:
    """Return the largest p-value of at most ``t`` that this number of permutations can give; see ``drawn_law``.

    Examples
    --------
    >>> attained_by_draws(0.0325, 99, 100), attained_by_draws(0.0325, 99, 2)
    (0.03, 0.03225806451612903)
    """
    t = min(t * (1 + NEAR), 1.0)
    if t * permutations >= enough:
        return enough / max(ceil(enough / t), enough)
    return min(floor(t * (1 + permutations)), enough) / (1 + permutations)
