"""Importances measured against permuted labels: actual impurity reduction, and the p-values of PIMP.

Main definitions: ``air``, ``pimp`` (makers of criteria), ``PermutationScore``, ``permuted_gains``; ``fitted_surprise``,
``gamma_fit``, ``normal_surprise`` (laws fitted to the gains of permuted labels).
Main results: a permuted feature has the table of a random one with the same margins, so that both need tables only.
Without permutations, in the limit of many, both have formulas: AIR is the gain less its mean, and the normal p-value
of PIMP is that of the gain's exact mean and variance.
Source: wang2024, eq. (27), Sections 1 and 5.1.2, after nembrini2018 and altmann2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from splitcrit.arguments import Array, one_of, whole
from splitcrit.arith import FLOAT, Arithmetic
from splitcrit.criteria import Criterion, decrease
from splitcrit.frozen import complaint
from splitcrit.importance.chance_moments import arranged, drawn_gains, seeded_moments
from splitcrit.importance.one_by_one import checked, gains, integer_tables, on_counts, seeded
from splitcrit.impurities import Impurity, gini
from splitcrit.nulls.gamma_tails import surprise
from splitcrit.nulls.margin_totals import compact, constant
from splitcrit.table import Table
from splitcrit.table.array_counts import as_floats

Law = Literal["normal", "lognormal", "gamma", "ks"]
LAWS: tuple[Law, ...] = ("normal", "lognormal", "gamma")


@dataclass(frozen=True)
class PermutationScore:
    """The gain among those of permuted labels.

    Without a law the gain less their mean, AIR; with one ``-log p`` under the law fitted to them, PIMP, and 0 where the
    gain is constant. The moments are exact where ``permutations`` is None.
    """

    impurity: Impurity
    permutations: int | None
    law: Law | None
    seed: int

    def __post_init__(self) -> None:
        if self.permutations is not None:  # None stands for all
            least = 1 if self.law is None else 2
            whole(self.permutations, "a number of permutations that is not None", least, 2**31 - 1)

    @property
    def evaluations(self) -> int:
        """How many tables are scored for one."""
        return 1 + (self.permutations or 0)

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        counts, shape = integer_tables(t, m, "AIR" if self.law is None else "PIMP")
        each = zip(counts, gains(counts, self.impurity).tolist(), strict=True)
        return np.array([self.one(table, gain) for table, gain in each]).reshape(shape)[()]

    def one(self, counts: Array, gain: float, least_spread: float = 0.0) -> float:
        """Return the score of one table; a normal law has at least this spread."""
        if self.law is None:
            return gain - self.by_chance(counts)[0]
        if not counts.any() or self._constant(counts):
            return 0.0
        if self.permutations is None:
            mean, spread = self.by_chance(counts)
            return normal_surprise(gain, mean, max(spread, least_spread), 1)
        drawn = permuted_gains(counts, self.impurity, self.permutations, self.seed)
        return fitted_surprise(gain, drawn, self.law, least_spread)

    def by_chance(self, counts: Array) -> tuple[float, float]:
        """Return mean and standard deviation of the gains of permuted labels."""
        if not counts.any():
            return 0.0, 0.0
        if self.permutations is None:
            law = seeded_moments(counts, self.impurity, seed=self.seed)
            return law.mean, float(np.sqrt(law.variance))
        drawn = permuted_gains(counts, self.impurity, self.permutations, self.seed)
        return float(drawn.mean()), float(drawn.std())

    def _constant(self, counts: Array) -> bool:
        """Tell whether no order of the labels changes the gain: the margins say so if classes are all alike to it."""
        if not constant(counts.sum(axis=1), counts.sum(axis=0)):
            return False
        law = seeded_moments(counts, self.impurity, seed=self.seed)
        return law.variance == 0 or law.method == "monte_carlo"

    def of_table(self, table: Table) -> Any:
        """Return the score of counts."""
        return on_counts(self, table)

    def of_features(self, tables: Sequence[Table]) -> Array:
        """Return the scores of features together: the mean spread of all is the least spread of each normal law."""
        counts = [integer_tables(as_floats(table.integers())[..., None], FLOAT, "PIMP")[0][0] for table in tables]
        found = [float(decrease(self.impurity)(table)) for table in tables]
        shared = self.law == "normal" and counts
        least = float(np.mean([self.by_chance(table)[1] for table in counts])) if shared else 0.0
        return np.array([self.one(table, gain, least) for table, gain in zip(counts, found, strict=True)])


def _criterion(score: PermutationScore, name: str = "") -> Criterion:
    return Criterion(name, score, of_table=PermutationScore.of_table, evaluations=score.evaluations,
                     of_features=PermutationScore.of_features, remake=_criterion)  # fmt: skip


def air(impurity: Impurity = gini, *, permutations: int | None = 1, seed: int = 0) -> Criterion:
    """Return the actual impurity reduction: the gain less that of the feature with its values permuted.

    Parameters
    ----------
    impurity : Impurity
    permutations : int or None
        How many permuted copies are averaged. None means all: the gain less its exact mean, without a seed.
    seed : int
        What the permutations depend on, with the table.

    Raises
    ------
    ValueError
        If ``permutations`` is below 1.

    See Also
    --------
    adjusted : The exact mean instead of one permutation.
    pimp : A p-value instead of a difference.

    References
    ----------
    wang2024, eq. (27).

    Examples
    --------
    >>> round(float(air(permutations=None)([[3, 0], [1, 6]])), 6)  # 54/175 - 4/75
    0.255238
    """
    score = PermutationScore(impurity, permutations, None, checked(impurity, seed))
    return _criterion(score, f"air({impurity.name}, permutations={permutations}, seed={score.seed})")


def pimp(impurity: Impurity = gini, *, permutations: int | None = 100, law: Law = "normal", seed: int = 0) -> Criterion:
    """Return ``-log p`` in nats of the gain under a law that is fitted to the gains of permuted labels.

    Parameters
    ----------
    impurity : Impurity
    permutations : int or None
        How many. None means all: a normal law with the exact mean and variance, without a seed.
    law : {"normal", "lognormal", "gamma", "ks"}
        The law, fitted by maximum likelihood; ``"ks"`` takes that of the three with the least Kolmogorov distance.
        Log-normal and gamma laws have no zeros: gains of 0 count as half the least positive one.
    seed : int
        What the permutations depend on, with the table.

    Raises
    ------
    ValueError
        If ``permutations`` is below 2, the law is unknown, or None goes with a law that is not normal.

    See Also
    --------
    air : A difference instead of a p-value.
    selected_pvalue : Exact, for the best cut.

    Notes
    -----
    The printed method takes the mean spread of all features as the least spread of each; `rank_features` does so, a
    criterion of one table cannot.

    References
    ----------
    wang2024, Section 5.1.2.

    Examples
    --------
    >>> round(float(pimp(permutations=None)([[3, 0], [1, 6]])), 4)
    9.4096
    """
    score = PermutationScore(impurity, permutations, law, checked(impurity, seed))
    one_of(law, (*LAWS, "ks"), "law")
    if permutations is None and law != "normal":
        rule = "the limit of many permutations is known for a normal law"
        raise ValueError(complaint(rule, f"law={law!r}", "pass a number of permutations"))
    more = f"permutations={permutations}, law={law!r}, seed={score.seed}"
    return _criterion(score, f"pimp({impurity.name}, {more})")


def permuted_gains(counts: Array, impurity: Impurity, permutations: int, seed: int) -> Array:
    """Return the gains of a table that is not empty, with its labels permuted."""
    kept, classes = compact(counts), np.flatnonzero(counts.any(axis=0))
    a, b = tuple(kept.sum(axis=1).tolist()), tuple(kept.sum(axis=0).tolist())
    return drawn_gains(a, b, arranged(impurity, classes, counts.shape[1]), permutations, seeded(seed, kept))


def fitted_surprise(gain: float, drawn: Array, law: Law = "normal", least_spread: float = 0.0) -> float:
    """Return ``-log`` of the upper tail at ``gain`` of a law fitted to the gains that were drawn.

    Examples
    --------
    >>> round(fitted_surprise(0.0, np.array([-1.0, 0.0, 1.0])), 4)  # log 2
    0.6931
    """
    if np.ptp(drawn) == 0 and not least_spread:
        return float(np.log(1 + len(drawn))) if gain > drawn[0] else 0.0
    raised = np.where(drawn > 0, drawn, drawn[drawn > 0].min(initial=np.inf) / 2)
    if law == "ks":
        law = min(LAWS, key=lambda name: kolmogorov_distance(name, drawn if name == "normal" else raised))
    if law == "normal":
        return normal_surprise(gain, float(drawn.mean()), max(float(drawn.std()), least_spread), len(drawn))
    if law == "lognormal":
        logs = np.log(raised)
        return normal_surprise(
            float(np.log(gain)) if gain > 0 else -np.inf, float(logs.mean()), float(logs.std()), len(drawn)
        )
    shape, scale = gamma_fit(raised)
    return float(surprise(np.array([shape]), np.array([max(gain, 0.0) / scale]))[0])


def normal_surprise(gain: float, mean: float, spread: float, size: int) -> float:
    """Return ``-log`` of a normal tail; without spread what ``size`` draws can say, ``log(1 + size)`` or 0."""
    from scipy.special import log_ndtr

    if spread == 0:
        return float(np.log(1 + size)) if gain > mean else 0.0
    return float(-log_ndtr((mean - gain) / spread))


def gamma_fit(values: Array) -> tuple[float, float]:
    """Return shape and scale of the gamma law of greatest likelihood for positive values that are not all equal.

    Examples
    --------
    >>> shape, scale = gamma_fit(np.array([1.0, 2.0, 4.0]))
    >>> round(shape, 4), round(shape * scale, 4)
    (3.4012, 2.3333)
    """
    from scipy.stats import gamma

    shape, _, scale = gamma.fit(values, floc=0)
    return float(shape), float(scale)


def kolmogorov_distance(law: str, values: Array) -> float:
    """Return the Kolmogorov distance of values and the law fitted to them."""
    from scipy.stats import gamma, ks_1samp, lognorm, norm

    known, fixed = {"normal": (norm, {}), "lognormal": (lognorm, {"floc": 0}), "gamma": (gamma, {"floc": 0})}[law]
    return float(ks_1samp(values, known(*known.fit(values, **fixed)).cdf, method="asymp").statistic)
