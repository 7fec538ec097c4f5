"""The test of a node: is there a split at all, and by which feature?

Every feature has one test, ``columns.column_tests.column_test``, whose p-value accounts for the choice of its cut, and
is then corrected for the number of features. The null hypothesis is that, given the rows of the node, all orders of
their labels are equally likely.

Main definitions: ``split_test`` (a ``SplitTest``, by a ``NodeTestPlan``); ``pvalue_of_split``, that of the feature by
which a tree splits a node, as if its labels had not chosen the node.
Main results: a tree splits by the feature ``j`` of the best score; with Bonferroni, ``d p_j`` is at least ``d`` times
the smallest p-value of any feature, so that some feature on which the labels do not depend is named in at most that
share of data sets, however ``j`` is chosen.
Source: strobl2007 (the law of the best cut); westfall1993 (corrections).
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np

from splitcrit.arguments import Array, between, finite, generator, one_of, whole
from splitcrit.columns.column_counts import cut_words, on_left
from splitcrit.columns.column_tests import (
    DRAWS,
    NO_CUT,
    RANKED,
    CategoryQuestion,
    ColumnScores,
    ColumnTest,
    LabelledRows,
    Question,
    column_test,
    too_coarse,
)
from splitcrit.columns.effects import ColumnEffect, column_effect
from splitcrit.columns.features import CATEGORIES, NUMERIC, Feature, read_features
from splitcrit.columns.response_scores import ResponseScores, notes_on, rows_of, scores_of, survival_of
from splitcrit.criteria import Criterion
from splitcrit.data.categories_input import names_of
from splitcrit.data.columns import columns_of
from splitcrit.data.targets import ResponseChoice, read_target, target_column, without_target
from splitcrit.data.training_inputs import one_for_each
from splitcrit.frozen import complaint
from splitcrit.inference.joint_corrections import attained_by, joint_ranks, permuted
from splitcrit.inference.split_results import FeatureTest, SplitTest
from splitcrit.nulls.alarms import alarms
from splitcrit.nulls.extremes import Statistic
from splitcrit.nulls.groups import Dependence, cut_back, dependence_of
from splitcrit.nulls.monte_carlo import discrete_bonferroni, westfall_young
from splitcrit.nulls.multiple import bonferroni, holm
from splitcrit.nulls.table_pvalues import counts_of, enough
from splitcrit.trees.estimators.criterion_argument import criterion_of

Correction = Literal["bonferroni", "discrete", "holm", "westfall-young"]
Gaps = Literal["side", "row"]
SCORED = ("gini", "sgini")  # criteria that are statistics of ``split_test``
MOST = 10**7  # observations that counted rows may stand for


class NodeTestPlan(NamedTuple):
    """How the p-values of a node are found and corrected."""

    correction: str | None
    statistic: str
    min_leaf: int
    permutations: int
    alpha: float
    seed: int = 0
    categories: CategoryQuestion = "division"
    effects: bool = False

    def asked(self, feature: Feature) -> dict[str, Any]:
        """What is asked of a feature."""
        question: Question = self.categories if feature.kind == CATEGORIES else "cut"
        return {
            "question": question,
            "gaps": bool((feature.codes < 0).any()),
            "min_leaf": self.min_leaf,
            "statistic": self.statistic,
        }


def split_test(
    X: Any, y: Any, *, correction: Correction | None = "bonferroni",
    statistic: Statistic = "sgini", categorical_features: Any = None,
    missing: Gaps = "side", min_samples_leaf: int = 1, n_permutations: int = DRAWS,
    alpha: float = 0.05, response: ResponseChoice = "auto", sample_weight: Any = None,
    random_state: Any = None, response_scores: ResponseScores | None = None,
    categories: CategoryQuestion = "division", groups: Any = None, strata: Any = None,
    follow_up: Any = None,
) -> SplitTest:  # fmt: skip
    """Test whether the labels of a node depend on its features, one by one.

    Two classes: ``p_j = min(1, 2 p_cut, 2 p_scores)``, the exact law of the best cut and the test of normal scores of
    ranks; ``p_cut`` alone of one cut. Else ``p_j = min(1, p_orders / .95, 1 / (.05 E))``, of random orders and of
    evidence.

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
        What cuts of classes are scored by. Cuts of numbers are scored by the share of the variance that they explain;
        of their ranks where their kurtosis exceeds 6, and a few would outweigh the others. Divisions of categories are
        scored by the Gini gain.
    categorical_features
        A mask, places or names of unordered categories; by default the columns of a data frame whose dtype is
        categorical or text. A categorical dtype of a declared order is cut in its order.
    missing
        ``"side"``: missing values go to the better side of every cut, or stand alone on the right. ``"row"``: they are
        a last value above all others. In unordered categories they are a category in either case.
    min_samples_leaf
        The fewest observations on a side of a cut, or of a division of categories.
    n_permutations
        The most random orders of a feature, ``B``, beside a first batch of 200; drawing stops at the 20th that scores
        as high. With ``"westfall-young"`` as many joint permutations of all features.
    alpha
        The level.
    response
        ``"classes"``, ``"numbers"``, or ``"auto"``: numbers if some are fractions, or more than 20 are different.
    sample_weight
        How many equal observations every row stands for, which the result says; other weights are refused, and so are
        those that are one number for each class.
    random_state
        What ``numpy.random.default_rng`` takes; None is 0, so that two calls agree.
    response_scores
        A function from y, whose rows may be of any kind, to scores ``(n,)`` or ``(n, k)``, such as ``log_rank`` of
        times and events, ``ranks``, ``outputs`` or ``ordinal([...])``. A cut is scored by the share of their variance
        that it explains, on average over columns. Scores of permuted rows must be permuted scores, which is checked.
    categories
        What is asked of unordered categories: whether a ``"division"`` in two pays, as a tree divides them, or whether
        they matter at all, by their ``"table"``, as rankings and selections ask.
    groups, strata
        A vector ``(n,)``, or the name of a column of X, which is then no feature. Rows of one group (a patient, a
        household) are not independent: a group has one vote, and whole groups change places. Where column and labels
        vary within groups, the first row of one meets that of another, so that the order of its rows counts. Labels are
        exchangeable within strata (sites, matched sets) alone: they change places there. Without ``sample_weight``;
        ``min_samples_leaf`` counts votes, and corrections by joint orders need columns that are constant in groups.
    follow_up
        With ``response_scores=log_rank``, how long each row could be followed ``(n,)``, such as the time from its entry
        to the end of the study, where a feature drives that. Rows with less than a common follow-up, chosen from these
        times alone, are left out, and the others end there: the test is then valid if survival, and other censoring,
        are unrelated to the features.

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
    A p-value is that of `rank_features` and `SplitSelector`: it depends on the data and the seed alone. The laws of
    divisions and tables of categories are listed where that is short. The cut is that of the largest gain, whatever
    decided, and has no p-value of its own. Numbers with more than 1024 different values are cut at quantiles into 1024
    bins. Features with equal p are ordered by their score, then by name.

    References
    ----------
    strobl2007; besag1991; westfall1993.

    Examples
    --------
    >>> X = [[1, 7], [2, 3], [3, 5], [4, 1], [5, 8], [6, 2], [7, 6], [8, 4]]
    >>> found = split_test(X, ["no", "no", "no", "no", "yes", "yes", "yes", "yes"], alpha=0.2)
    >>> print(found)  # doctest: +NORMALIZE_WHITESPACE
    feature  kind     cut        score  effect [95 %]               p  adjusted  method
    x0       numeric  x0 <= 4.5  4.472  AUC 1.00 [.40, 1.00]  0.05714    0.1143  exact
    x1       numeric  x1 <= 1.5      0  AUC .62 [.19, .92]          1         1  exact
    p = 0.1143 (bonferroni). The labels depend on x0. A rule like this names an unrelated feature in at most 20 % of \
data sets.
    AUC: how often a value of the second class exceeds one of the first.
    """
    if correction is not None:
        one_of(correction, Correction, "a correction")
    one_of(statistic, Statistic, "a statistic")
    one_of(categories, CategoryQuestion, "a question")
    kind = one_of(response, ResponseChoice, "a response")
    least = whole(min_samples_leaf, "min_samples_leaf", 1)
    scored = response_scores is not None
    target = None
    remarks: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    y = rows_of(y) if scored else target_column(y, "y")
    rows = np.arange(len(y))  # each as often as it counts
    if sample_weight is not None:
        times, remarks = counts_of(sample_weight, y if scored else y.coded()[1], MOST)
        rows = np.repeat(rows, 1 if times is None else times)
    here = y[rows] if scored else y.take(rows)
    if follow_up is not None:
        survival = survival_of(response_scores, here)
        limits = finite(follow_up, "follow-up", 1)
        if survival is None:
            rule, remedy = "follow_up= is of survival", "pass response_scores=log_rank, or leave follow_up out"
            raise ValueError(complaint(rule, "other responses", remedy))
        one_for_each(limits, len(y))
        present, here, left_out = cut_back(survival[:, 0], survival[:, 1], limits[rows])
        rows = rows[present]
    elif not scored:
        target = read_target(here, kind)
        rows = rows[target.present]
        if not len(rows):
            raise ValueError(complaint("a test needs labels", "none", "pass rows that have one"))
        left_out = without_target(int((~target.present).sum()))
    times = np.bincount(rows, minlength=len(y))
    features = read_features(X, categorical_features, one_of(missing, Gaps, "missing"), times)
    labels, notes = _labels(target or here, kind, statistic, response_scores)
    notes = notes if follow_up is None else ()  # of what follow-up may depend on
    if groups is not None or strata is not None:
        features, among = _apart(features, X, groups, strata, times > 0, sample_weight)
        labels = replace(labels, among=among)
        notes += among.remarks(labels.values)
    elif sample_weight is None:
        notes += alarms((feature.codes for feature in features), labels.values)
    plan = NodeTestPlan(
        correction, statistic, least, whole(n_permutations, "n_permutations", 1, 2**31),
        float(between(alpha, "alpha", 0, 1, ends=False, example=0.05)), _seed(random_state), categories, effects=True,
    )  # fmt: skip
    tested = _tested(features, labels, plan)
    return replace(tested, remarks=(*tested.remarks, *remarks, *notes, *left_out))


def _apart(
    features: list[Feature], X: Any, groups: Any, strata: Any, present: Array, weights: Any
) -> tuple[list[Feature], Dependence]:
    """The features that are not named as groups or strata, and what these are."""
    names = names_of(X) or []
    own = [by for by in (groups, strata) if isinstance(by, str)]
    for by in own:
        if by not in names:
            raise ValueError(complaint("groups= and strata= name a column of X, or are vectors", repr(by), "pass one"))
    g, s = (columns_of(X)[names.index(by)] if isinstance(by, str) else by for by in (groups, strata))
    features = [feature for feature in features if feature.name not in own]
    if not features:
        raise ValueError(complaint("a test needs a feature beside groups and strata", "none", "pass other columns"))
    return features, dependence_of(g, s, len(present), present, weights) or Dependence()


def _seed(random_state: Any) -> int:
    """The seed of random orders: a whole number itself, 0 for None, else one that a generator draws."""
    if random_state is None or isinstance(random_state, int | np.integer):
        return whole(random_state or 0, "random_state", 0)
    return int(generator(random_state).integers(2**32))


def _labels(
    y: Any, kind: ResponseChoice, statistic: str, function: ResponseScores | None
) -> tuple[LabelledRows, tuple[str, ...]]:
    """The labels of a target that was read, or scores of responses by a function.

    Raises
    ------
    ValueError, TypeError
        If they are neither classes nor finite numbers, or do not fit the statistic.
    """
    if function is not None:
        if kind == "classes":
            rule, got = "response_scores makes numbers", "response='classes'"
            raise ValueError(complaint(rule, got, "leave out one of the two"))
        labels = LabelledRows(scores_of(function, y), plain=False, survival=survival_of(function, y))
        return labels, notes_on(function, np.zeros(1))
    numbers, classes = y.kind == "numbers", len(y.classes)
    if statistic == "pairwise_gain" and (numbers or classes > 2):
        rule, remedy = "a pairwise gain is one of two classes", "pass statistic='gini'"
        raise ValueError(complaint(rule, "numbers" if numbers else f"{classes} classes", remedy))
    return LabelledRows(y.responses[:, None] if numbers else y.values), y.remarks


def _test(feature: Feature, labels: LabelledRows, plan: NodeTestPlan) -> ColumnTest:
    """The test of one feature."""
    how = {**plan.asked(feature), "draws": plan.permutations, "seed": plan.seed}
    return column_test(labels.column(feature.places), labels.target, **how)


def _tested(each: list[Feature], rows: LabelledRows, plan: NodeTestPlan) -> SplitTest:
    """Test every feature, correct its p-value, and name the feature of the least."""
    observed = [feature.observed(rows) for feature in each]
    raw = [_test(feature, labels, plan) for feature, labels in observed]
    adjusted, drawn = _adjusted(observed, raw, plan)
    tests = tuple(
        FeatureTest(
            feature.name, feature.kind, p=test.p, adjusted=p, method=test.method, standard_error=test.standard_error,
            log_p=test.log_p, statistic=test.statistic, floor=test.floor, **_cut(feature, test),
            effect=_effect(feature, labels, plan) if plan.effects else None,
        )
        for (feature, labels), test, p in zip(observed, raw, adjusted, strict=True)
    )  # fmt: skip
    cut = [j for j, test in enumerate(raw) if test.method != NO_CUT]
    best = min(cut, key=lambda j: (tests[j].adjusted, tests[j].log_p, -tests[j].score, tests[j].name), default=None)
    pvalue = 1.0 if best is None else tests[best].adjusted
    ranked = any(labels.target.ranked for _, labels in observed)
    share = plan.correction in ("bonferroni", "holm")
    coarse = too_coarse({test.name: test.floor for test in tests}, plan.alpha / (len(tests) if share else 1))
    remarks = (*coarse, *_only_missing(tests, observed, plan), *[RANKED] * ranked)
    return SplitTest(pvalue, best, tests, plan.correction, plan.alpha, drawn, remarks)


def _effect(feature: Feature, labels: LabelledRows, plan: NodeTestPlan) -> ColumnEffect | None:
    """The effect of a feature, of categories that of their table."""
    asked = plan.asked(feature)
    return column_effect(labels.column(feature.places), labels.target, asked["question"], asked["gaps"])


def _cut(feature: Feature, test: ColumnTest) -> dict[str, Any]:
    """The best cut of a feature, or division of its categories: its score, in words, and by what it is made."""
    if test.method == NO_CUT:
        return {"score": -np.inf, "cut": ""}
    if feature.kind == CATEGORIES:
        left = tuple(sorted(feature.levels[list(test.left)].tolist(), key=str))
        asked = f" in {{{reprlib.repr(list(left))[1:-1]}}}" if left else ": its table"
        return {"score": test.score, "cut": feature.name + asked, "left": left}
    read = feature.counted()
    sides = on_left(test, read)
    threshold = feature.threshold(int(sides[: len(feature.levels)].sum()))
    side = cut_words(sides, read, feature.kind == NUMERIC)
    words = f"{feature.name} {'is ' * (side == 'present')}{side}"
    return {"score": test.score, "cut": words, "threshold": threshold, "missing_left": test.missing_left}


def _only_missing(
    tests: tuple[FeatureTest, ...], observed: list[tuple[Feature, LabelledRows]], plan: NodeTestPlan
) -> Iterator[str]:
    """Yield a sentence on each rejected feature of which only the pattern of missing values is shown to matter."""
    level = plan.alpha / len(tests)  # Bonferroni's, so that the sentence may name a feature
    for test, (feature, labels) in zip(tests, observed, strict=True):
        present = ~feature.absent
        if test.adjusted > plan.alpha or present.all() or labels.among is not None:
            continue
        pattern = Feature(feature.name, NUMERIC, np.array([0.0, 1.0]), present.astype(np.intp))
        each = (pattern, labels), (feature.take(present), labels.take(present))
        of_pattern, of_values = (_test(x, y, plan).p for x, y in each)
        if of_pattern <= level < of_values:
            yield (
                f"{feature.name}: the labels are shown to depend on whether it is missing (p = {of_pattern:.2g}), not "
                f"on its values in the {present.sum()} rows that have one (p = {of_values:.2g})."
            )


def _adjusted(
    observed: list[tuple[Feature, LabelledRows]], tests: Sequence[ColumnTest], plan: NodeTestPlan
) -> tuple[list[float], int]:
    """The p-value of every feature, corrected for their number, and how many joint permutations that took."""
    p = [test.p for test in tests]
    if plan.correction == "holm":
        return holm(p), 0
    if plan.correction in (None, "bonferroni"):
        return [bonferroni(t, len(p)) for t in p] if plan.correction else p, 0
    features = [feature for feature, _ in observed]
    labels = observed[0][1]
    if labels.among is not None or any(other is not labels for _, other in observed):
        rule, got = "corrections by joint orders need columns that are constant in groups", "others, or strata="
        raise ValueError(complaint(rule, got, "pass correction='holm'"))
    some = [j for j, test in enumerate(tests) if test.method != NO_CUT]
    places = [features[j].places for j in some]
    asked = [ColumnScores(np.bincount(x.places), labels.target, **plan.asked(x)) for x in (features[j] for j in some)]
    if plan.correction == "discrete":
        tables = [None if labels.measured else labels.column(features[j].places) for j in some]
        laws = [attained_by(a, table) for a, table in zip(asked, tables, strict=True)]
        return [discrete_bonferroni(laws, t) if j in some else 1.0 for j, t in enumerate(p)], 0
    adjusted = [1.0] * len(p)
    if some:
        enough(plan.permutations, plan.alpha, "n_permutations={} or more")
        ranks = joint_ranks(asked, places, permuted(labels), plan.permutations, np.random.default_rng(plan.seed))
        minima = ranks.min(axis=1)[1:].tolist()
        for j, rank in zip(some, ranks[0].tolist(), strict=True):
            adjusted[j] = westfall_young(minima, rank)
    return adjusted, plan.permutations if some else 0


def pvalue_of_split(
    plan: NodeTestPlan, x: Array, y: Array, rows: Array, feature: int, plain: bool = True, survival: Array | None = None
) -> tuple[float, int, float]:
    """The corrected p-value of the feature by which a tree splits a node, how many permutations were drawn, and
    what that p-value is not below, however labels fall.

    Parameters
    ----------
    plan
        Of ``"bonferroni"``, ``"discrete"`` or ``"westfall-young"``; its statistic is ``"variance"`` where ``y (n,)``
        are numbers, of which few outweigh the others unless they are not ``plain``, but scores of a function.
    x, y, rows, feature
        The training set, the rows of the node, and the feature.
    survival : array (n, 2), optional
        Time and event of each row of y, which holds their log-rank scores.

    Raises
    ------
    ValueError
        If there are too few permutations for the level.

    Examples
    --------
    >>> x, y = np.array([[1, 5], [2, 3], [3, 9], [4, 1], [5, 2], [6, 4]]), np.array([0, 0, 0, 1, 1, 1])
    >>> how = NodeTestPlan("bonferroni", "gini", min_leaf=1, permutations=99, alpha=0.05)
    >>> p, drawn, floor = pvalue_of_split(how, x, y, np.arange(6), 0)
    >>> round(p, 12), drawn, round(floor, 12)  # twice that of the best cut, and twice for two features
    (0.4, 0, 0.1)
    """
    numbers = plan.statistic == "variance"
    alone = plan.correction == "bonferroni"
    values = x[rows][:, [feature]] if alone else x[rows]
    here = y[rows] if numbers else np.unique(y[rows], return_inverse=True)[1]
    labels = LabelledRows(here[:, None] if numbers else here, plain, None if survival is None else survival[rows])
    plan = plan._replace(statistic="gini") if numbers else plan
    tested = _tested(read_features(values, None, "side"), labels, plan._replace(correction=None) if alone else plan)
    test = tested.features[0 if alone else feature]
    columns = x.shape[1] if alone else 1
    p = test.p if alone else test.adjusted
    return bonferroni(p, columns), tested.permutations, bonferroni(test.floor or 0.0, columns)


def statistic_of(criterion: Criterion, classes: int) -> str | None:
    """The statistic of ``split_test`` that scores as a criterion does, else None.

    Examples
    --------
    >>> [statistic_of(criterion_of(name, 3), 3) for name in ("sgini", "entropy")]
    ['sgini', None]
    """
    return next((name for name in SCORED if criterion == criterion_of(name, classes)), None)
