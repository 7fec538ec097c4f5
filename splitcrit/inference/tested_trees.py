"""Trees whose splits have all been tested on the rows that grew them, with scikit-learn's interface.

Main definitions: ``InferenceTreeClassifier``, ``InferenceTreeRegressor``, two ``TestedTree``, which holds their
parameters (``RULES``), tests the grown tree and cuts it back; ``as_text``, such a tree as text, with ``pvalue_label``,
``answer_of`` and ``branches`` of a node, which pictures show too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from math import inf, nan
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from sklearn.metrics import r2_score
from sklearn.utils.validation import check_is_fitted

from splitcrit.arguments import Array, between, finite, whole
from splitcrit.columns.response_scores import log_rank, notes_on, rows_of
from splitcrit.criteria import Criterion
from splitcrit.data import training_inputs
from splitcrit.display import visible_name
from splitcrit.frozen import complaint, visible
from splitcrit.inference.familywise import rejects
from splitcrit.inference.node_test import NodeTestPlan, pvalue_of_split, statistic_of
from splitcrit.inference.progress import Progress
from splitcrit.inference.score_trees import fit_scores, fit_shares, independent_rows
from splitcrit.inference.selective import (
    NodeTest,
    PermutedPath,
    Trained,
    grown_as_tested,
    permuted_test,
    top_down,
)
from splitcrit.inference.survival import SurvivalCurve, kaplan_meier
from splitcrit.nulls.table_pvalues import counts_of
from splitcrit.trees.estimators import sklearn_tree, sparse_input
from splitcrit.trees.estimators.classifier import TreeClassifier
from splitcrit.trees.estimators.criterion_argument import CriterionArgument, PlainError, criterion_of, probe
from splitcrit.trees.estimators.growing import class_nodes, finished, growing_of, response_nodes
from splitcrit.trees.estimators.regressor import TreeRegressor
from splitcrit.trees.estimators.weighing import weighed
from splitcrit.trees.growth import GrownTree, GrowthOptions, Training, grow
from splitcrit.trees.growth.grown_tree import numbered
from splitcrit.trees.growth.paths import Path
from splitcrit.trees.growth.permuted_paths import CriterionPath
from splitcrit.trees.growth.surprise_paths import SurpriseSearch
from splitcrit.trees.tree_arrays import nodes_kept

BAR, TURN = "|   ", "|--- "
PROMISES = {  # of a rule over data sets, not of the tree that is printed
    "selective": "In at most {percent:.4g} % of data sets such a tree splits where y is unrelated to the features "
    "jointly. p: {asks}?",
    "node": "In at most {percent:.4g} % of data sets such a tree splits its root where y is unrelated to {what}; its "
    "other splits have no such bound. p: {asks}?",
}
LAWFUL = ("gini", "variance")  # statistics by whose laws columns may be compared
ASKED = {"bonferroni": ("does y depend on this feature", "the feature of that split")}  # corrections that name one
TestedAs = Literal["selective", "node"]
Comparison = Literal["calibrated", "gain"]
ScoredAt = Literal["root", "node"]
TreeCorrection = Literal["bonferroni", "discrete", "westfall-young", "permutation"]
RULES: dict[str, list[Any]] = {
    "alpha": [Real],
    "n_permutations": [Integral],
    "max_exceedances": [Integral, None],
    "response_scores": [callable, None],
    "verbose": ["verbose"],
}


class TestedTree:
    """A tree that tests its splits from the root down and keeps those that are rejected with all their ancestors."""

    alpha: float
    test: str
    correction: str | None
    compare: str | None
    n_permutations: int
    max_exceedances: int | None
    response_scores: Any
    response_scores_at: str
    verbose: Any
    leaf_responses_: dict[int, Array]
    correction_: str | None
    compare_: str
    categories_: Any
    verdicts_: tuple[NodeTest, ...]
    n_outputs_: int
    pvalues_: Array
    remarks_: tuple[str, ...]

    def export_text(self, *, feature_names: Any = None, digits: int = 4) -> str:
        """The tree as text: the error rate of its tests, and the p-value of each split, kept or not.

        Parameters
        ----------
        feature_names : sequence of str, optional
            ``feature_names_in_`` by default.
        digits : int, default=4
            Of thresholds and responses.
        """
        check_is_fitted(self)
        return as_text(self, feature_names, whole(digits, "digits", 1, 17))

    def _check_tests(self, exact: bool, statistic: str | None) -> None:
        """Settle correction and comparison, or raise ValueError if parameters are out of range or do not fit.

        ``statistic`` is that of ``pvalue_of_split``, None without one; ``exact`` tells whether its laws are
        exact.
        """
        criterion = getattr(self, "criterion", None)
        if self.compare == "calibrated" and statistic not in LAWFUL:
            rule, remedy = "compare='calibrated' needs Gini gains or squared errors", "pass compare='gain'"
            raise ValueError(complaint(rule, f"criterion={criterion!r}", remedy))
        usual = "calibrated" if self.test == "selective" and statistic in LAWFUL else "gain"
        self.compare_ = self.compare or usual
        between(self.alpha, "alpha", 0, 1, ends=False, example=0.05)
        whole(self.n_permutations, "n_permutations", 1, 2**40)
        if self.max_exceedances is not None:
            whole(self.max_exceedances, "max_exceedances", 1)
        correction = self.correction
        if correction is not None and self.test == "selective":
            rule = "test='selective' tests the best split of all features and needs no correction"
            raise ValueError(complaint(rule, f"correction={correction!r}", "leave it None, or pass test='node'"))
        if correction not in (None, "permutation") and statistic is None:
            rule = f"correction={correction!r} is for criterion='gini', 'sgini' or 'squared_error'"
            got = f"criterion={self.criterion!r}"  # type: ignore[attr-defined]
            raise ValueError(complaint(rule, got, "pass correction='permutation'"))
        subsets = self.categories_ is not None
        if correction not in (None, "permutation") and subsets:
            rule = f"correction={correction!r} uses the law of the best threshold, which subsets of categories lack"
            raise ValueError(complaint(rule, "categorical features", "pass correction='permutation'"))
        best = "bonferroni" if exact and statistic is not None and not subsets else "permutation"
        self.correction_ = None if self.test == "selective" else correction or best

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = False
        return tags

    def _read(self, X: Any, y: Any, *others: Any, **named: Any) -> tuple[Array, Array]:
        sparse_input.refuse(X)
        return super()._read(X, y, *others, **named)  # type: ignore[misc, no-any-return]

    def _counted(self, x: Array, y: Array, sample_weight: Any) -> tuple[Array, Array]:
        """The rows with each repeated as often as its weight says, which is a count."""
        times, self.remarks_ = counts_of(sample_weight, y)
        rows = slice(None) if times is None else np.repeat(np.arange(len(x)), times)
        return x[rows], y[rows]

    def _fit_scores(self, X: Any, y: Any, *others: Any) -> Self:
        """Fit the tree to the scores of its responses."""
        grown = fit_scores(self, X, y, *others)
        self.leaf_responses_ = grown.leaf_responses
        self.remarks_ += notes_on(self.response_scores, y)
        self._take(grown.fitted, grown.classes)  # type: ignore[attr-defined]
        self.n_outputs_ = grown.outputs
        return self

    def _of_responses(
        self, x: Array, y: Array, criterion: str, growing: GrowthOptions, survival: Array | None = None
    ) -> GrownTree:  # fmt: skip
        """The tree of the splits that are kept of responses ``y (n,)``, of survival where these are its scores."""
        statistic = "variance" if criterion == "squared_error" else None
        by_gain = self.compare_ == "gain"
        subsets = growing.recoding is not None and growing.stopping.binds  # of which a tree tries all
        if not by_gain or (statistic is not None and not subsets):
            values, types = np.unique(y, return_inverse=True)
            search = SurpriseSearch(
                x,
                types,
                values,
                0,
                growing.recoding,
                growing.stopping.min_samples_leaf,
                by_gain=by_gain,
            )
            return self._grown_and_cut(search, y, growing, statistic, survival)

        return self._cut(Training(x, y), criterion, growing, statistic, survival)

    def _cut(
        self, training: Training, criterion: Criterion | str, growing: GrowthOptions, statistic: str | None,
        survival: Array | None = None,
    ) -> GrownTree:  # fmt: skip
        """Grow a tree, test its splits from the root down, keep the tests, and return the tree of what is kept."""
        tree, recoding = grow(training, criterion, growing), growing.recoding
        trained = Trained.of(tree, training.x, training.y, recoding)

        def permuted(path: Path) -> CriterionPath:
            return CriterionPath(path, training, criterion, growing.stopping, recoding)

        with Progress() as watch:
            of_path = self._test(trained.x, trained.y, trained.y, permuted, growing, statistic, survival, watch)

            def test(node: int, level: float) -> NodeTest:
                feature, score = int(tree.feature[node]), tree.score[node]
                return of_path(node, int(tree.depth[node]), trained.path(node), feature, score)

            return self._kept(tree, top_down(trained, test, self._level))

    def _grown_and_cut(
        self, search: Any, labels: Array, growing: GrowthOptions, statistic: str | None,
        survival: Array | None = None,
    ) -> GrownTree:  # fmt: skip
        """Grow the tree split by split as far as it is kept; see ``_cut``."""
        with Progress() as watch:
            test = self._test(search.x, labels, search.types, search.path, growing, statistic, survival, watch)
            return self._kept(*grown_as_tested(search, growing.stopping, test))

    def _test(
        self, x: Array, y: Array, labels: Array, permuted: Callable[[Path], PermutedPath], growing: GrowthOptions,
        statistic: str | None, survival: Array | None, watch: Progress,
    ) -> Callable[..., NodeTest]:  # fmt: skip
        """The test of a node, given its depth, path, feature and score: of this feature, or of permuted ``labels``."""
        correction, say = self._split_correction(growing, statistic), None if self.verbose else watch.say

        def test(node: int, depth: int, path: Path, feature: int, score: float = nan) -> NodeTest:
            level = self._level(depth)
            rows = path.rows[path.nodes[0]]
            if correction is not None:
                plain = self.response_scores is None
                p, drawn, floor = pvalue_of_split(correction, x, y, rows, feature, plain, survival)
                stopped = f"cannot pass (least p {floor:.2g})" if floor > level else "not significant"
                verdict = "split" if rejects(p, level) else stopped
                return self._said(NodeTest(node, depth, level, p, float(score), verdict, drawn, drawn))
            above = permuted(path.alone if self.test == "node" else path)
            how = self.n_permutations, self.max_exceedances, growing.seed, say
            return self._said(permuted_test(labels[rows], node, depth, level, above, *how))

        return test

    def _level(self, depth: int) -> float:
        return self.alpha / 2**depth if self.test == "selective" else self.alpha

    def _split_correction(self, growing: GrowthOptions, statistic: str | None) -> NodeTestPlan | None:
        if self.correction_ in (None, "permutation"):
            return None
        state = getattr(self, "random_state", None)
        how = (growing.stopping.min_samples_leaf, int(self.n_permutations))
        seed = int(state or 0) if state is None or isinstance(state, Integral) else growing.seed  # as split_test's
        return NodeTestPlan(self.correction_, str(statistic), *how, float(self.alpha), seed)

    def _said(self, tested: NodeTest) -> NodeTest:
        """Print a test if ``verbose``, and return it."""
        if self.verbose:
            counts = f" ({tested.consistent} of {tested.drawn} permutations kept)" if tested.drawn else ""
            print(f"depth {tested.depth}: p = {tested.pvalue:.4g}{counts}, level {tested.level:.4g}: {tested.verdict}")
        return tested

    def _kept(self, tree: GrownTree, tests: list[NodeTest]) -> GrownTree:
        """Keep the tests, and return the tree of the splits that are kept."""
        split = [each.node for each in tests if each.verdict == "split"]
        inner = np.isin(np.arange(len(tree.left)), split)
        nodes = nodes_kept(tree, inner)
        self.verdicts_ = tuple(replace(each, node=int(np.searchsorted(nodes, each.node))) for each in tests)
        self.pvalues_ = np.full(len(nodes), np.nan)
        for each in self.verdicts_:
            self.pvalues_[each.node] = each.pvalue
        return numbered(tree, inner)


def comparable(criterion: Criterion) -> Criterion:
    """A criterion that compares features by its scores.

    Raises
    ------
    ValueError
        If it compares them by the laws of their best splits.
    """
    if criterion.search.tested is not None:
        rule = "an inference tree needs a criterion whose scores compare features"
        raise ValueError(complaint(rule, f"{criterion!r}, which compares their laws", "pass 'gini'"))
    return criterion


def as_text(fitted: Any, feature_names: Any = None, digits: int = 4) -> str:
    """A fitted tree of tested splits as text: its error rate, then a line for each branch, with p-values."""
    asks, what = ASKED.get(fitted.correction_, ("is any split real", "the features jointly"))
    promise = PROMISES[fitted.test].format(percent=100 * fitted.alpha, asks=asks, what=what)
    remarks = []
    if fitted.correction_ in (None, "permutation"):
        compared = "how unlikely their best splits are" if fitted.compare_ == "calibrated" else "their best gains"
        most = fitted.n_permutations
        least = f"{1 / (1 + fitted.n_permutations):.2g}"
        remarks = [f"Columns are compared by {compared}; p is from up to {most} random orders, so {least} or more."]
    remarks += map(visible, fitted.remarks_)
    names = [visible_name(name) for name in fitted.names_of_columns(feature_names)]
    return "\n".join([promise, *remarks, *_lines(fitted, names, digits, 0, 0)])


def pvalue_label(fitted: Any, node: int) -> str:
    """The p-value of a node, and at which level its split was not kept; empty where it was not tested."""
    test = next((each for each in fitted.verdicts_ if each.node == node), None)
    if test is None:
        return ""
    return f"p = {test.pvalue:.3g}" + ("" if test.verdict == "split" else f", {test.verdict} at {test.level:.3g}")


def answer_of(fitted: Any, node: int, digits: int) -> str:
    """The prediction of a node, in words."""
    value = fitted.nodes_.value[node, 0]
    if fitted.response_scores is log_rank:
        median = fitted.survival_curves_[node].median
        return "median time: not reached" if median == inf else f"median time: {number_label(median, digits)}"
    if not hasattr(fitted, "classes_"):
        values = [number_label(each, digits) for each in fitted.nodes_.value[node, :, 0]]
        return f"value{'s' * (len(values) > 1)}: {', '.join(values)}"
    return f"class: {visible_name(fitted.classes_[value.argmax()])}"


def number_label(value: float, digits: int) -> str:
    """A number with a few digits, or as an integer if it has up to 16 before the point.

    Examples
    --------
    >>> number_label(-0.0037612, 3), number_label(755.0, 4), number_label(123456.7, 4), number_label(5e99, 4)
    ('-0.00376', '755', '123457', '5e+99')
    """
    return f"{value:.0f}" if 10**digits <= abs(value) < 1e16 else f"{value:.{digits}g}"


def branches(fitted: Any, node: int, digits: int) -> tuple[int, str, str]:
    """The feature that a node is split by, and the conditions on its values on the left and on the right."""
    if (split := fitted.splits_.get(node)) is not None:
        return split.feature, split.says("left", "").strip(), split.says("right", "").strip()
    cut = float(fitted.nodes_.threshold[node])
    threshold = number_label(cut, digits) if fitted.nodes_.in_float32[node] else repr(cut)
    return int(fitted.nodes_.feature[node]), *fitted.number_sides(threshold, fitted.missing_sides()[node])


def _lines(fitted: Any, names: list[str], digits: int, node: int, depth: int) -> Iterator[str]:
    tree, p = fitted.nodes_, pvalue_label(fitted, node)
    indent = BAR * depth + TURN
    if tree.children_left[node] < 0:
        rows = f"{tree.n_node_samples[node]} rows"
        yield f"{indent}{answer_of(fitted, node, digits)} ({'; '.join(filter(None, [rows, p]))})"
        return
    feature, left, right = branches(fitted, node, digits)
    yield f"{indent}{names[feature]} {left}  ({p})"
    yield from _lines(fitted, names, digits, int(tree.children_left[node]), depth + 1)
    yield f"{indent}{names[feature]} {right}"
    yield from _lines(fitted, names, digits, int(tree.children_right[node]), depth + 1)


@sklearn_tree.accepting(**RULES)
class InferenceTreeClassifier(TestedTree, TreeClassifier):
    """A decision tree that keeps a split only if a test finds it real.

    With ``test="selective"``, the default, such a tree keeps any split of a node whose labels do not depend on the
    features jointly in at most a share ``alpha`` of data sets. With ``test="node"`` this is so at the root alone: below
    it every node is tested at ``alpha`` as if it had not been chosen by the labels it is tested with, as conditional
    inference trees do; neither those p-values nor the number of false splits are controlled.

    The tree is grown on all rows by ``criterion`` to ``max_depth`` and tested from the root down; a node is a leaf
    where the test does not reject, or an ancestor's did not. The statistic of a permutation test is the best score over
    all features and thresholds, so that a split that is kept is about the features *jointly*: none need tell alone.
    Thresholds of a feature are compared by their scores, and so are features, or, by default with
    ``test="selective"``, by how unlikely their best scores are by chance, which favours none for its many values;
    thresholds then by their scores in standard deviations, so that a few rows of a rare class decide less. With
    ``test="node"`` and another ``correction`` the p-value is that of the feature with the best score, which splits the
    node, corrected as ``split_test`` does.

    Parameters
    ----------
    alpha : float, default=0.05
        The error rate: see above.
    test : {"selective", "node"}, default="selective"
        ``"selective"`` permutes the labels inside a node, makes its ancestors' choices again, and keeps the
        permutations in which each divides its rows alike. A node of depth ``v`` is tested at ``alpha / 2**v``.
    correction : {"bonferroni", "discrete", "westfall-young", "permutation"}, optional
        For ``test="node"``, how the p-value accounts for the search of all features. ``"bonferroni"``, the default for
        two classes and Gini or SGini: the p-value of the best threshold of the feature that splits, times the number of
        features; it names this feature. ``"discrete"``, ``"westfall-young"``: see ``split_test``. ``"permutation"``,
        the default for all else: permutations of the best score of all features. The p-value of a feature is exact for
        two classes and found by permutations for more.
    compare : {"calibrated", "gain"}, optional
        How features are compared: by ``h = -log P(best score >= s)`` of random labels, see `BestSplitLaw`, or by the
        best score ``s``. ``"calibrated"``, for Gini's impurity, is the default with ``test="selective"``, and
        ``"gain"`` all else. Of three and more classes the subsets tried are those in the order of one class's share.
    n_permutations : int, default=999
        How many permutations are drawn at a node at most. A node that keeps fewer than ``2**v / alpha - 1`` of
        them is ``"not testable"``, which makes it a leaf.
    max_exceedances : int or None, default=20
        A node's permutations stop once this many that are kept score as high as the data; its p-value is then this
        number over how many were kept, which is valid. None draws all.
    criterion : str, Impurity or Criterion, default="gini"
        As in ``TreeClassifier``, but for those that compare features by p-values.
    max_depth, min_samples_split, min_samples_leaf
        As in ``TreeClassifier``; of depth 4 by default.
    categorical_features, max_exact_categories
        As in ``TreeClassifier``. Permutations search all that the tree searches, subsets of categories too; the laws of
        the best threshold do not hold for the best subset, so that the other corrections are refused.
    random_state : int, RandomState or None
        What the permutations depend on; the tree that is grown does not.
    verbose : int, default=0
        Whether each test is printed as it is done.
    response_scores : callable, optional
        A function from the labels ``(n,)`` to scores ``(n,)`` or ``(n, k)``, such as ``ordinal([...])`` of classes that
        have an order. Splits are then searched and tested by the variance of the scores, each column scaled to the same
        variance; leaves still predict shares of the classes. It may go by the labels alone: scores of permuted rows
        must be the permuted scores, which is checked.
    response_scores_at : {"root", "node"}, default="root"
        Whether scores are made once, on all rows, or again on the rows of each node. Tests are valid for both. Several
        columns, and scores made at nodes, are of features that are numbers, and tested by permutations alone.

    Attributes
    ----------
    tree_ : sklearn.tree._tree.Tree
        The splits that are kept.
    pvalues_ : array (nodes,)
        Of each node of ``nodes_`` that was tested, leaves that the grown tree splits included; nan elsewhere.
    correction_ : str or None
        The correction that was used.
    compare_ : str
        How features were compared.
    verdicts_ : tuple of NodeTest
        What was said of each split tested, from the root down.
    remarks_ : tuple of str
        Sentences that go with these tests, which `export_text` prints.
    categories_, is_categorical_, splits_, split_names_
        As in ``TreeClassifier``.
    leaf_responses_ : dict
        With ``response_scores``, the responses of each leaf, by its place in ``nodes_``.
    classes_, n_classes_, n_features_in_, feature_names_in_, max_features_, n_outputs_
        As in scikit-learn.

    See Also
    --------
    HonestTreeClassifier : Tests on rows of its own: any tree, exact p-values.
    split_test : The test of a single node.
    TreeClassifier : A tree without tests.

    Notes
    -----
    The null of a node is that its labels are exchangeable given the features, and the labels of other rows. ``h`` is
    made of the values of a feature in the node and of how many labels of each class there are, by exact laws or by
    random orders of the sorted labels, and tabulated; it is the same for all orders of the labels inside the node, and
    for its ancestors, so that the test is exact whatever ``h`` is.

    Proved: inference.selective_pvalue_is_valid_for_any_function_of_columns_and_totals

    References
    ----------
    hothorn2006 (nodes tested one by one); strobl2007 (the law of the best threshold); besag1991 (stopping early).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.random((300, 5))
    >>> y = (x[:, 0] > 0.5) ^ (rng.random(300) < 0.1)
    >>> print(InferenceTreeClassifier(random_state=0).fit(x, y).export_text())
    In at most 5 % of data sets such a tree splits where y is unrelated to the features jointly. p: is any split real?
    Columns are compared by how unlikely their best splits are; p is from up to 999 random orders, so 0.001 or more.
    |--- x0 <= 0.5051  (p = 0.001)
    |   |--- class: False (142 rows; p = 0.202, not significant at 0.025)
    |--- x0 >  0.5051
    |   |--- class: True (158 rows; p = 0.0545, not significant at 0.025)
    """

    def __init__(
        self, *, alpha: float = 0.05, test: TestedAs = "selective", correction: TreeCorrection | None = None,
        compare: Comparison | None = None, n_permutations: int = 999, max_exceedances: int | None = 20,
        criterion: CriterionArgument = "gini", max_depth: int | None = 4, min_samples_split: Any = 2,
        min_samples_leaf: Any = 1, random_state: Any = None, verbose: int = 0, categorical_features: Any = None,
        max_exact_categories: int = 10, response_scores: Callable[[Any], Any] | None = None,
        response_scores_at: ScoredAt = "root",
    ) -> None:  # fmt: skip
        super().__init__()
        self._set(locals())

    @sklearn_tree.fitting
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, check_input: bool = True
    ) -> Self:  # fmt: skip
        """Grow the tree of a training set, test its splits and keep those that are real.

        Parameters
        ----------
        X : array (n, d), data frame or list
            Dense; NaN is a missing value.
        y : array (n,)
            Class labels of any kind.
        sample_weight : array (n,), optional
            How many equal observations each row stands for; one number for each class is refused.
        groups : array (n,), optional
            The group of each row, such as a patient, within which every column is constant: a group is then one row,
            with its label, or the shares of its labels.
        check_input : bool, default=True
            As in ``TreeClassifier.fit``.

        Raises
        ------
        ValueError, TypeError
            If an input, a parameter or the criterion is invalid, weights are no counts, or a correction needs more
            permutations; the estimator stays as it was.
        """
        if self.response_scores is not None:
            return self._fit_scores(X, y, sample_weight, groups, check_input)
        x, labels = self._counted(*self._read(X, y, check_input), sample_weight)
        classes = training_inputs.classes_of(labels)[0]
        x, labels, varies = independent_rows(self, x, labels, groups, sample_weight)
        if varies:
            return self._take(fit_shares(self, x, classes, labels).fitted, classes)
        codes = training_inputs.classes_of(labels)[1]
        criterion = comparable(criterion_of(self.criterion, len(classes)))
        statistic = statistic_of(criterion, len(classes))
        self._check_tests(len(classes) <= 2, statistic)
        probe(criterion, np.bincount(codes, minlength=len(classes)).astype(float))
        options = self._options()
        training = weighed(x, codes, None)
        growing = growing_of(options, training, self.categories_)

        if self.compare_ == "calibrated":
            least = growing.stopping.min_samples_leaf
            search = SurpriseSearch(x, codes, None, len(classes), growing.recoding, least)
            tree = self._grown_and_cut(search, codes, growing, statistic)
        else:
            tree = self._cut(Training(x, codes, len(classes)), criterion, growing, statistic)
        return self._take(finished(options, training, tree, partial(class_nodes, criterion), growing.recoding), classes)


@sklearn_tree.accepting(**RULES)
class InferenceTreeRegressor(TestedTree, TreeRegressor):
    """A regression tree that keeps a split only if a test finds it real.

    With ``test="selective"``, the default, such a tree keeps any split of a node whose responses do not depend on the
    features jointly in at most a share ``alpha`` of data sets. With ``test="node"`` this is so at the root alone: below
    it every node is tested at ``alpha`` as if its responses had not chosen it, and nothing is controlled.

    Parameters
    ----------
    alpha, test, compare, n_permutations, max_exceedances, max_depth, min_samples_split, min_samples_leaf, \
    random_state, verbose, categorical_features, max_exact_categories
        As in ``InferenceTreeClassifier``.
    correction : {"bonferroni", "discrete", "westfall-young", "permutation"}, optional
        For ``test="node"``, as in ``InferenceTreeClassifier``; ``"permutation"`` by default, and the only one for
        absolute errors. All are by permutations.
    criterion : {"squared_error", "absolute_error"}, default="squared_error"
        As in ``TreeRegressor``.
    response_scores : callable, optional
        A function from responses of any shape to scores, as in ``InferenceTreeClassifier``: ``log_rank``, ``ranks``,
        ``outputs``, ``ordinal([...])``, or one of yours. A leaf predicts the mean of each column of responses that are
        numbers, and otherwise the mean score. With ``log_rank`` that is the mean score too, high where events are
        early, and `survival_curves_` has the curve of each leaf.
    response_scores_at : {"root", "node"}, default="root"
        As in ``InferenceTreeClassifier``.

    Attributes
    ----------
    tree_, pvalues_, correction_, compare_, verdicts_, remarks_, leaf_responses_, n_features_in_, \
feature_names_in_, max_features_, n_outputs_
        As in ``InferenceTreeClassifier``.

    See Also
    --------
    InferenceTreeClassifier : Class labels.
    HonestTreeRegressor : Tests on rows of its own.

    Notes
    -----
    The null of a node is that its responses are exchangeable: equal laws, not equal means. Of survival times it is that
    time and event *together* are independent of the features: censoring that depends on one may be a reason as well.

    References
    ----------
    hothorn2006 (trees of nodes tested one by one); besag1991 (permutations that stop early).

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(60.0)[:, None]
    >>> tree = InferenceTreeRegressor(random_state=0).fit(x, np.repeat([0.0, 5.0], 30) + np.arange(60) % 7)
    >>> tree.tree_.threshold[0], tree.pvalues_[0]
    (np.float64(29.5), np.float64(0.001))
    """

    def __init__(
        self, *, alpha: float = 0.05, test: TestedAs = "selective", correction: TreeCorrection | None = None,
        compare: Comparison | None = None, n_permutations: int = 999,
        max_exceedances: int | None = 20, criterion: PlainError = "squared_error", max_depth: int | None = 4,
        min_samples_split: Any = 2, min_samples_leaf: Any = 1, random_state: Any = None, verbose: int = 0,
        categorical_features: Any = None, max_exact_categories: int = 10,
        response_scores: Callable[[Any], Any] | None = None, response_scores_at: ScoredAt = "root",
    ) -> None:  # fmt: skip
        super().__init__()
        self._set(locals())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True  # where there are too few rows to tell
        return tags

    @property
    def survival_curves_(self) -> dict[int, SurvivalCurve]:
        """The Kaplan-Meier curve of each leaf, by its place in ``nodes_``, of a tree by ``log_rank``.

        Raises
        ------
        AttributeError
            If responses are scored by another function, or by none.
        """
        check_is_fitted(self)
        if self.response_scores is not log_rank:
            rule, got = "survival curves need response_scores=log_rank", f"{self.response_scores!r}"
            raise AttributeError(complaint(rule, got, "fit InferenceTreeRegressor(response_scores=log_rank)"))
        return {leaf: kaplan_meier(rows) for leaf, rows in self.leaf_responses_.items()}

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The coefficient of determination, of several outputs its mean.

        Raises
        ------
        ValueError, TypeError
            If an input is invalid, or responses are survival times.
        """
        if self.response_scores is log_rank:
            rule, remedy = "R squared needs numeric responses", "use a concordance index of predict(X)"
            raise ValueError(complaint(rule, "times and events", remedy))
        predicted = self.predict(X)
        if predicted.ndim > 1:
            return float(r2_score(finite(rows_of(y), "responses", 2), predicted, sample_weight=sample_weight))
        return super().score(X, y, sample_weight)

    @sklearn_tree.fitting
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, check_input: bool = True
    ) -> Self:  # fmt: skip
        """Grow the tree of a training set, test its splits and keep those that are real.

        Parameters
        ----------
        X, sample_weight, groups, check_input
            As in ``InferenceTreeClassifier.fit``; of numbers a group has their mean.
        y : array (n,)
            Finite numbers; with ``response_scores``, what it takes, in rows.

        Raises
        ------
        ValueError, TypeError
            As in ``InferenceTreeClassifier.fit``.
        """
        if self.response_scores is not None:
            return self._fit_scores(X, y, sample_weight, groups, check_input)
        statistic = "variance" if self.criterion == "squared_error" else None
        x, y = self._counted(*self._read(X, y, check_input, numeric=True), sample_weight)
        x, y, _ = independent_rows(self, x, y, groups, sample_weight)
        y = y.reshape(-1)
        self.remarks_ += notes_on(None, y) if statistic == "variance" else ()
        self._check_tests(False, statistic)
        options = self._options()
        training = weighed(x, y, None)
        growing = growing_of(options, training, self.categories_)

        tree = self._of_responses(x, y, self.criterion, growing)
        return self._take(finished(options, training, tree, response_nodes, growing.recoding))
