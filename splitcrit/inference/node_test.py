"""The test of a node: is there a split at all, and by which feature?

Every feature has a best cut, whose p-value accounts for the choice of the cut, and is then corrected for the number of
features. The null hypothesis is that, given the rows of the node, all orders of their labels are equally likely.

Main definitions: ``split_test`` (a ``SplitTest``, by a ``NodeTestPlan``); ``SplitCorrection``, the p-value of the
feature by which a tree splits a node, as if its labels had not chosen the node.
Main results: two classes are exact: lattice paths for ordered values, all tables for unordered categories; more classes
and numbers are compared with joint permutations of the labels, as many as it takes. A tree splits by the feature ``j``
of the best score; with Bonferroni, ``d p_j`` is at least ``d`` times the smallest p-value of any feature, so that some
feature on which the labels do not depend is named in at most that share of data sets, however ``j`` is chosen.
Source: strobl2007 (the law of the best cut); besag1991; westfall1993 (corrections).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from splitcrit.arguments import PATIENT, Array, between, generator, one_of, truth, whole
from splitcrit.columns.best_cuts import (
    Response,
    best_cut,
    best_scores,
    joint_scores,
    levels_of,
    read_response,
)
from splitcrit.columns.feature_laws import (
    NO_CUT,
    FeatureLaw,
    decided,
    drawn_law,
    exact_laws,
    exact_tests,
    joined_law,
    quantile_law,
)
from splitcrit.columns.features import NUMERIC, Feature, of_codes, read_features
from splitcrit.columns.response_scores import ResponseScores, may_be_cut, notes_on, outputs, rows_of, standardised
from splitcrit.criteria import Criterion
from splitcrit.data.targets import read_target, without_target
from splitcrit.frozen import complaint
from splitcrit.inference.split_results import FeatureTest as FeatureTest
from splitcrit.inference.split_results import SplitTest as SplitTest
from splitcrit.nulls.best_cut_pvalue import by_paths
from splitcrit.nulls.feature_counts import FeatureCounts
from splitcrit.nulls.permutation_pvalues import bonferroni, discrete_bonferroni, holm, rank_pvalues, westfall_young
from splitcrit.nulls.table_pvalues import Counts, counts_of, enough
from splitcrit.trees.estimators.criterion_argument import criterion_of

Correction = Literal["bonferroni", "discrete", "holm", "westfall-young"]
CORRECTIONS = ("bonferroni", "discrete", "holm", "westfall-young")
STATISTICS = ("sgini", "gini", "pairwise_gain", "quantiles")
SCORED = ("gini", "sgini")  # criteria that are statistics of ``split_test``
MOST = 10**7  # observations that counted rows may stand for
ENOUGH = 20  # permutations as extreme as the observed order, at which drawing stops


@dataclass(frozen=True)
class NodeTestPlan:
    """A plan to find and correct the p-values of a node."""

    correction: str | None
    permutations: int
    alpha: float
    randomised: bool
    rng: np.random.Generator
    quantiles: bool = False

    @property
    def joint(self) -> bool:
        """True if every feature is compared with the same permutations."""
        return self.correction == "westfall-young"

    @property
    def enough(self) -> int:
        """At how many exceedances drawing stops; never, where ranks or randomised p-values need all."""
        return self.permutations + 1 if self.joint or self.randomised else ENOUGH


def split_test(
    X: Any, y: Any, *, correction: Correction | None = "bonferroni",
    statistic: Literal["sgini", "gini", "pairwise_gain", "quantiles"] = "sgini", categorical_features: Any = None,
    missing: Literal["side", "row"] = "side", min_samples_leaf: int = 1, n_permutations: int = 999, alpha: float = 0.05,
    response: Literal["auto", "classes", "numbers"] = "auto", sample_weight: Any = None, randomised: bool = False,
    random_state: Any = None, response_scores: ResponseScores | None = None,
) -> SplitTest:  # fmt: skip
    """Test whether the labels of a node depend on its features, by the best cut of each.

    For feature ``j`` of best score ``s_j``, ``p_j = P(best score over its cuts >= s_j)`` over all orders of the labels.

    Parameters
    ----------
    X
        Features ``(n, d)``: a data frame, an array, a sparse matrix, nested lists; nan, None and what is masked are
        missing. Numbers and dates have an order; truth values are 0 and 1.
    y
        Labels ``(n,)``. Rows without one are left out, and a remark says how many.
    correction
        ``"bonferroni"``: ``d min p_j``. ``"discrete"``: ``sum_j F_j(min p)``, ``F_j(t)`` the largest p-value of feature
        ``j`` that can occur and is at most ``t``. ``"holm"``: an adjusted p-value for every feature, to list several.
        ``"westfall-young"``: by the ranks of joint permutations. This and ``"discrete"`` speak of the features jointly
        and license no name. None: no correction.
    statistic
        What cuts of classes are scored by. Cuts of numbers are scored by the share of the variance that they explain,
        or with ``"quantiles"`` by SGini of responses above each of seven quantiles against the others: seven exact
        tests, ``p = min(1, 7 min p)``, without permutations. It sees shifts that a few large responses hide.
    categorical_features
        A mask, places or names of unordered categories; by default the columns of a data frame whose dtype is
        categorical or text. A categorical dtype of a declared order is cut in its order.
    missing
        ``"side"``: missing values go to the better side of every cut, or stand alone on the right. ``"row"``: they are
        a last value above all others. In unordered categories they are a category in either case.
    min_samples_leaf
        The fewest observations on a side. Of categories the cuts of an order that keep it are searched, by chance too:
        p-values hold, but where a category is smaller than a leaf, the best of the allowed subsets may be missed.
    n_permutations
        The most joint permutations, ``B``. Where they need not be ranked, drawing stops when every feature has been
        reached 20 times, and their p-values are joined with exact ones of each class against the rest, or of responses
        above each of seven quantiles: ``p = min(1, 2 min(p of permutations, m min of m exact p))``, without a floor.
    alpha
        The level.
    response
        ``"classes"``, ``"numbers"``, or ``"auto"``: numbers if some are fractions, or more than 20 are different.
    sample_weight
        How many equal observations every row stands for, which the result says; other weights are refused, and so are
        those that are one number for each class.
    randomised
        Whether p-values are randomised, which makes them uniform under the null.
    random_state
        What ``numpy.random.default_rng`` takes; None is 0, so that two calls agree.
    response_scores
        A function from y, whose rows may be of any kind, to scores ``(n,)`` or ``(n, k)``, such as ``log_rank`` of
        times and events, ``ranks``, ``outputs`` or ``ordinal([...])``. A cut is scored by the share of their variance
        that it explains, on average over columns. Scores of permuted rows must be permuted scores, which is checked.
        Only one column of ``ranks`` or ``ordinal`` has exact tests above quantiles; all others have permutations alone.

    Returns
    -------
    SplitTest

    Raises
    ------
    ValueError, TypeError
        If an argument is none of those above, X and y do not fit, or there are too few permutations for the level.

    See Also
    --------
    rank_features : A p-value for each feature.
    InferenceTreeClassifier : A tree of such tests.
    selected_pvalue : A single feature.

    Notes
    -----
    Two classes are exact: ordered values by lattice paths, with missing values on either side; unordered categories by
    the list of their tables, where these are at most 20 000. Everything else is compared with permutations. Features of
    features with equal p are ordered by their standardised score, then by name.

    References
    ----------
    strobl2007; besag1991; westfall1993.

    Examples
    --------
    >>> X = [[1, 7], [2, 3], [3, 5], [4, 1], [5, 8], [6, 2], [7, 6], [8, 4]]
    >>> found = split_test(X, ["no", "no", "no", "no", "yes", "yes", "yes", "yes"], alpha=0.1)
    >>> print(found)  # doctest: +NORMALIZE_WHITESPACE
    feature  kind     cut        score        p    mid p  adjusted  method
    x0       numeric  x0 <= 4.5  4.472  0.02857  0.01429   0.05714  exact
    x1       numeric  x1 <= 1.5      0        1   0.8857         1  exact
    p = 0.05714 (bonferroni). The labels depend on x0. A rule like this names an unrelated feature in at most
    10 % of data sets.
    """
    if correction is not None:
        one_of(correction, CORRECTIONS, "a correction")
    one_of(statistic, STATISTICS, "a statistic")
    kind = one_of(response, ("auto", "classes", "numbers"), "a response")
    least = whole(min_samples_leaf, "min_samples_leaf", 1)
    present, target = None, None
    if response_scores is None:
        target = read_target(y, kind)
        present, y = target.present, target.values
        if not present.any():
            raise ValueError(complaint("a test needs labels", "none", "pass rows that have one"))
        if sample_weight is not None and not present.all():
            sample_weight = np.broadcast_to(sample_weight, len(present))[present]
    features = read_features(X, categorical_features, one_of(missing, ("side", "row"), "missing"), present)
    rows = len(features[0].codes)
    quantiles = statistic == "quantiles"
    counts, remarks = Counts() if sample_weight is None else counts_of(sample_weight, rows_of(y), MOST)
    labels = read_response(target or y, kind, "sgini" if quantiles else statistic, least, rows, response_scores, counts)
    if quantiles and not (labels.statistic == "variance" and labels.may_be_cut):
        rule, got, remedy = "statistic='quantiles' is of responses that are numbers", "classes", "response='numbers'"
        if response_scores is not None:
            rule, got, remedy = f"{rule}, or one column of their ranks", "other scores", "response_scores=ranks"
        raise ValueError(complaint(rule, got, f"pass {remedy}"))
    if labels.statistic == "variance" and not quantiles:
        remarks += notes_on(response_scores, labels.columns[:, 0])
    if quantiles and correction == "westfall-young":
        rule, remedy = "statistic='quantiles' draws no permutations, which correction='westfall-young' ranks", "'holm'"
        raise ValueError(complaint(rule, "both", f"pass correction='bonferroni' or {remedy}"))
    if counts is not None:
        features = [feature.repeated(counts) for feature in features]
    plan = NodeTestPlan(
        correction, whole(n_permutations, "n_permutations", 1, 2**31),
        float(between(alpha, "alpha", 0, 1, ends=False, example=0.05)), truth(randomised, "randomised"),
        generator(0 if random_state is None else random_state), quantiles,
    )  # fmt: skip
    tested = _tested(features, labels, plan)
    left_out = () if present is None else without_target(int((~present).sum()))
    return replace(tested, remarks=(*tested.remarks, *remarks, *labels.remarks, *left_out))


def _tested(features: list[Feature], response: Response, plan: NodeTestPlan) -> SplitTest:
    """Find the law of the best cut of every feature, correct its p-value, and name the feature of the least."""
    if plan.quantiles:
        cuts, exact = map(list, zip(*(quantile_law(feature, response) for feature in features), strict=True))
    else:
        exact = exact_laws(features, response)
        each = zip(features, exact, strict=True)
        cuts = [best_cut(feature, response, law.best if law else None) for feature, law in each]
    exact = [law if cut.score > -np.inf else NO_CUT for law, cut in zip(exact, cuts, strict=True)]
    # the law of permutations is needed as it is, not joined with exact tests
    alone = plan.joint or plan.randomised or not response.may_be_cut
    if alone:
        drawn = [j for j, law in enumerate(exact) if law is None or (plan.joint and law is not NO_CUT)]
        if drawn:
            _check(plan, len(features), sum(law is None for law in exact))
    else:
        halves = {j: exact_tests(features[j], response) for j, law in enumerate(exact) if law is None}
        drawn = [j for j, (logs, _) in halves.items() if not decided(logs, plan.permutations)]
    scores = np.zeros((1, 0))
    if drawn:
        scores = joint_scores([features[j] for j in drawn], response, plan.permutations, plan.rng, plan.enough)
    random = {j: drawn_law(scores[:, i], plan.permutations, plan.enough) for i, j in enumerate(drawn) if not exact[j]}
    laws = [law or (random[j] if alone else joined_law(random.get(j), *halves[j])) for j, law in enumerate(exact)]
    used = laws
    if plan.randomised:
        uniforms = plan.rng.random(len(laws)).tolist()
        used = [law if law is NO_CUT else law.randomised(u) for law, u in zip(laws, uniforms, strict=True)]
    adjusted = _joint(scores, drawn, len(laws), plan) if plan.joint else _adjusted(used, plan.correction)
    tests = tuple(
        FeatureTest(
            feature.name, feature.kind, p=own.reached, mid_p=law.mid, adjusted=p, method=law.method,
            standard_error=own.standard_error, log_p=own.log_p, **cut._asdict(),
        )
        for feature, cut, own, law, p in zip(features, cuts, used, laws, adjusted, strict=True)
    )  # fmt: skip
    best = _best([j for j, law in enumerate(laws) if law is not NO_CUT], tests, features, response)
    pvalue = 1.0 if best is None else tests[best].adjusted
    remarks = tuple(_only_missing(tests, features, response, plan))
    return SplitTest(pvalue, best, tests, plan.correction, plan.alpha, len(scores) - 1, remarks)


def _only_missing(
    tests: tuple[FeatureTest, ...], features: list[Feature], response: Response, plan: NodeTestPlan
) -> Iterator[str]:
    """Yield a sentence on each rejected feature of which only the pattern of missing values is shown to matter."""
    alone = replace(plan, correction=None, randomised=False, rng=np.random.default_rng(0))
    level = plan.alpha / len(features)  # Bonferroni's, so that the sentence may name a feature
    for test, feature in zip(tests, features, strict=True):
        present = ~feature.absent
        if test.adjusted > plan.alpha or present.all():
            continue
        pattern = Feature(feature.name, NUMERIC, np.array([0.0, 1.0]), present.astype(np.intp))
        values = of_codes(feature.name, feature.kind, feature.levels, feature.codes[present])
        columns = response.columns[present]
        there = replace(response, columns=standardised(columns) if response.statistic == "variance" else columns)
        of_pattern, of_values = (_tested([x], y, alone).pvalue for x, y in ((pattern, response), (values, there)))
        if of_pattern <= level < of_values:
            yield (
                f"{feature.name}: the labels are shown to depend on whether it is missing (p = {of_pattern:.2g}), not "
                f"on its values in the {present.sum()} rows that have one (p = {of_values:.2g})."
            )


def _best(cut: list[int], tests: tuple[FeatureTest, ...], features: list[Feature], response: Response) -> int | None:
    """Return the feature of the least p-value; of equal ones, that of the larger standardised score, then by name."""
    least = min(((tests[j].adjusted, tests[j].p) for j in cut), default=None)
    tied = [j for j in cut if (tests[j].adjusted, tests[j].p) == least]
    if len(tied) < 2:
        return tied[0] if tied else None
    scale = response if response.statistic == "variance" else replace(response, statistic="sgini")
    scores = {j: float(best_scores(features[j], scale, scale.columns[None])[0]) for j in tied}
    return min(tied, key=lambda j: (-scores[j], tests[j].name))


def _adjusted(laws: list[FeatureLaw], correction: str | None) -> list[float]:
    """Return the p-value of every feature, corrected for their number."""
    p = [law.reached for law in laws]
    if correction == "holm":
        return holm(p)
    if correction == "discrete":
        return [discrete_bonferroni([law.attained for law in laws], t) for t in p]
    return [bonferroni(t, len(p)) for t in p] if correction else p


def _joint(scores: Array, places: list[int], features: int, plan: NodeTestPlan) -> list[float]:
    """Return the p-value of every feature by the smallest rank of any under the same permutation."""
    adjusted = [1.0] * features
    if not places:
        return adjusted
    levels = np.stack([levels_of(column) for column in scores.T], axis=1).astype(float)
    if plan.randomised:
        levels += plan.rng.random(levels.shape)
    ranks = np.stack([rank_pvalues(column) for column in levels.T], axis=1)
    minima = ranks.min(axis=1)[1:].tolist()
    for j, rank in zip(places, ranks[0].tolist(), strict=True):
        adjusted[j] = westfall_young(minima, rank)
    return adjusted


def _check(plan: NodeTestPlan, features: int, drawn: int) -> None:
    """Raise ValueError if the permutations are too few to reject at the level."""
    times = {"bonferroni": features, "holm": features, "discrete": drawn}.get(plan.correction or "", 1)
    remedy = "n_permutations={} or more" + (f" for {times} features at level {plan.alpha:g}" if times > 1 else "")
    enough(plan.permutations, plan.alpha / times, remedy)


class SplitCorrection(NamedTuple):
    """A correction of the p-value of a node's split; ``split_test`` says more.

    Parameters
    ----------
    correction : {"bonferroni", "discrete", "westfall-young"}
    statistic : {"gini", "sgini", "variance", "quantiles"}
        What scores cuts; the last two of responses that are numbers.
    min_leaf : int
        The fewest rows on a side.
    permutations : int
        How many are drawn at most, where the law is not exact.
    alpha : float
        The level that they must be enough for.
    scores : callable, optional
        What made the responses, which decides about exact tests beside the permutations; see ``may_be_cut``.
    """

    correction: Any
    statistic: Any
    min_leaf: int
    permutations: int
    alpha: float
    scores: ResponseScores | None = None

    def pvalue(self, x: Array, y: Array, rows: Array, feature: int, rng: np.random.Generator) -> tuple[float, int]:
        """Return the corrected p-value of a feature at a node with some rows, and how many permutations were drawn.

        Raises
        ------
        ValueError
            If there are too few permutations for the level.

        Examples
        --------
        >>> x, y = np.array([[1, 5], [2, 3], [3, 9], [4, 1], [5, 2], [6, 4]]), np.array([0, 0, 0, 1, 1, 1])
        >>> how = SplitCorrection("bonferroni", "gini", min_leaf=1, permutations=99, alpha=0.05)
        >>> p, drawn = how.pvalue(x, y, np.arange(6), 0, np.random.default_rng(0))
        >>> round(p, 12), drawn
        (0.2, 0)
        """
        numbers, labels = self.statistic in ("variance", "quantiles"), y[rows]
        if not numbers and self.correction == "bonferroni" and np.bincount(labels).astype(bool).sum() == 2:
            counts = counts_by_value(x[rows, feature], labels)  # no other feature is tested
            own = by_paths(counts, self.min_leaf, self.statistic, "lattice", False, PATIENT)
            return bonferroni(float(own), x.shape[1]), 0
        tested = split_test(
            x[rows], labels, correction=self.correction, 
            statistic="gini" if self.statistic == "variance" else self.statistic,
            response="numbers" if numbers else "classes", min_samples_leaf=self.min_leaf,
            n_permutations=self.permutations, alpha=self.alpha, random_state=rng,
            response_scores=None if may_be_cut(self.scores, 1) else outputs,
        )  # fmt: skip
        return tested.features[feature].adjusted, tested.permutations


def counts_by_value(column: Array, labels: Array) -> FeatureCounts:
    """Count the rows with each value and each of the two labels that occur, those without a value last.

    Examples
    --------
    >>> counts_by_value(np.array([2.0, 1.0, np.nan, 1.0]), np.array([0, 1, 1, 0]))
    FeatureCounts(counts=array([[1, 1],
           [1, 0],
           [0, 1]]), sizes=array([2, 1, 1]), gaps=True)
    """
    levels, codes = np.unique(column, return_inverse=True)  # all nan are one, the last
    counts = np.bincount(2 * codes + (labels == labels.max()), minlength=2 * len(levels)).reshape(-1, 2)
    return FeatureCounts(counts, counts.sum(axis=1), bool(np.isnan(levels[-1])))


def statistic_of(criterion: Criterion, classes: int) -> str | None:
    """Return the statistic of ``split_test`` that scores as a criterion does, else None.

    Examples
    --------
    >>> [statistic_of(criterion_of(name, 3), 3) for name in ("sgini", "entropy")]
    ['sgini', None]
    """
    return next((name for name in SCORED if criterion == criterion_of(name, classes)), None)
