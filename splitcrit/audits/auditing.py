"""Which features of a fitted model, and which of its splits, are more than chance on other rows.

Main definitions: ``audit``; ``notes``, the sentences that go with its figures.
Main results: for rows apart from those that grew a tree each split is fixed, and if the label of a row at its node is
independent of the side, the p-value of its table is at most t with probability at most t. For the rows that chose the
split it is no p-value, and none is given. Trees share rows, so that splits pass by Benjamini and Yekutieli's rule,
which holds whatever their dependence, and counts every split: none is left out by what the labels are. Features pass by
e-values (``splitcrit.nulls.evalues``): likelihood ratios, multiplied over the splits of a feature within a tree and
averaged over trees; where rows depend on each other, by the groups all of whose rows reach a split, and stratum by
stratum. The rows that grew the trees fix the directions, the point above which a response counts and, where
they are apart from the audited ones, the weights of the trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, Literal, NamedTuple

import numpy as np

from splitcrit.arguments import Array, between, generator, of_kind, one_of, real, whole
from splitcrit.audits.model_formats import read_model
from splitcrit.audits.models import FittedModel, FittedTree, TreeSums, labels_of
from splitcrit.audits.node_moments import POWERS, NodeLabels, gains_apart, inner, moments, split_gains
from splitcrit.audits.partial_sums import sums_of_parts
from splitcrit.audits.recognition import Recognition
from splitcrit.audits.reports import AuditedSplits, AuditReport, Importances
from splitcrit.columns.features import with_target
from splitcrit.columns.ranking import rank_features
from splitcrit.columns.response_scores import log_rank
from splitcrit.data.columns import coded, columns_of, read_columns
from splitcrit.data.csv_files import Watch
from splitcrit.data.targets import without_target
from splitcrit.data.training_inputs import weights_of
from splitcrit.frozen import complaint
from splitcrit.nulls.alarms import alarms, shared_rows
from splitcrit.nulls.evalues import SIZES, mean_evalues
from splitcrit.nulls.groups import Dependence, dependence_of
from splitcrit.nulls.multiple import benjamini_yekutieli
from splitcrit.nulls.table_pvalues import CERTAIN, JOINED, Chances, Counts, chances, counts_of

Rows = Literal["held-out", "out-of-bag", "training"]
ALIKE = 1e-9  # relative: the variance of equal responses, rounded
DESCRIPTIVE = "training rows chose the splits, so the figures are descriptive and have no p-values, UFI and MDI-oob"
MOST = 2**53  # rows that weights may stand for
TRAINED = "these rows match those that grew the trees in every leaf: if they are those, no p-value and no finding holds"
PARTIAL, DEPENDENT = "partial likelihood", "evidence of groups or strata"
FOLLOWED = "times are cut where every row is still followed, so that censoring takes no part"
ORDERS = "p alone and e-values of groups are approximate where censoring depends on the column"
SOME_NODE = "a feature that is shown is informative at some node; one that is not shown may be informative too"
NO_VERDICT = "no p-values and no verdicts: rows count several times, or in parts no cut of the responses is known"
GIVEN = "p-values of splits take as given how many independent rows at the node are on each side and of each class"
SHARED = "trees share rows, so splits pass by Benjamini and Yekutieli's rule, valid under any dependence"
NULL = "null: at every split of the feature, in every tree, the response is independent of the side among the {} it"
ONE_OVER = "p-values of splits are 1/E, and tables count rows that depend on each other"
UNTOLD = "rows of groups that grew the model void every verdict: pass training_groups= to leave them out"
WHOLE = "fit ForestClassifier or ForestRegressor with groups=, or pass rows apart"
OTHERS = "a row left out of one tree grew others: the rate of false splits is that of a list fixed beforehand"


class AuditRows(NamedTuple):
    """Labels, one for each output, and weights (None: all 1) of the rows of an audit, and which rows they are.

    Rows may depend on each other: ``among`` says which, and labels move within ``blocks (n,)``, see ``_dependent``.
    """

    kind: str
    labels: tuple[NodeLabels, ...]
    weights: Array | None
    among: Dependence = Dependence()
    blocks: Array | None = None

    def of(self, tree: FittedTree) -> NodeLabels:
        """The labels that a tree is about."""
        return self.labels[tree.scored if len(self.labels) > 1 else 0]

    def sums(self, tree: FittedTree, ends: Array, weights: Array | None) -> TreeSums:
        """The sums of weighted rows at the nodes of a tree; ``ends`` is where each row ends."""
        if weights is None:
            return tree.sums(ends, self.of(tree))
        counted = np.flatnonzero(weights)
        ends, labels = ends[counted], self.of(tree).of(counted)
        sums = tree.sums(ends, labels, None if weights.max(initial=0) <= 1 else weights[counted])
        if self.blocks is None:
            return sums
        logs = np.zeros((2, len(inner(tree.structure)[0]), len(SIZES)))
        for block in np.unique(self.blocks[counted]):
            rows = np.flatnonzero(self.blocks[counted] == block)
            part = ends[rows], labels.of(rows)
            if self.among.groups is None:
                logs += tree.evidence(_tables(tree, (at := tree.sums(*part)).sums, self), at)
            else:
                logs += tree.votes(*part, self.among.groups[counted][rows])
        return sums._replace(logs=tuple(logs))


def audit(
    model: Any, X: Any, y: Any, rows: str | None = None, *, sample_weight: Any = None,
    response_scores: Callable[[Any], Any] | None = None, follow_up: float | None = None, groups: Any = None,
    training_groups: Any = None, strata: Any = None, alpha: float = 0.05, samples: int = 999, rng: Any = 0,
    training: Any = None, watch: Watch | None = None, resume: Any = None,
) -> AuditReport:  # fmt: skip
    """Test the features and splits of a fitted model on rows that did not grow it.

    Parameters
    ----------
    model
        A fitted tree, forest, bagged or boosted ensemble of trees of scikit-learn or of this library; a model of
        XGBoost, LightGBM or CatBoost, the path of its file (JSON, LightGBM's text), or what its JSON holds; or a
        ``Pipeline`` whose last step is one of these, which is audited on the columns that the other steps make. After
        early stopping the trees that predict are audited.
    X, y
        Rows with the columns of the training set, and their classes or responses; held-out rows without one are left
        out and counted. Or files, or other data that are read
        in parts (see `Tables.of`), and the name of the column that holds the label: rows apart, each of which counts
        once.
    rows : {"held-out", "out-of-bag", "training"}, optional
        What the rows are: apart from the training set, which is believed; the training set in its order, of which each
        tree sees the rows that its bootstrap sample leaves out; or the training set, whose figures are descriptive. By
        default they are held out, and refused where the trees recognise the rows that grew them.
    sample_weight : array (n,), optional
        How often each row counts, an integer; with a count above 1 there are no p-values. One number for each class is
        refused.
    response_scores : callable, optional
        Of responses, such as ``log_rank``, by whose scores they are compared.
    follow_up : float, optional
        Of survival, a time before which no row is censored, at which all times are cut.
    groups : array (n,), optional
        The group of each row, such as a patient: rows of one group depend on each other.
    strata : array (n,), optional
        The stratum of each row, such as a site: labels are exchangeable within strata alone.
    training_groups : sequence, optional
        Groups of rows that grew the model; audited rows of these are left out, and counted.
    training : tuple (X, y), optional
        The rows that grew the model. Exact copies of them among the tested ones raise an alarm, if they are more than
        chance and few values explain.
    alpha : float
        The false discovery rate of the features that are shown, and that of the splits that pass.
    samples : int
        How many random tables are drawn at most for the p-value of a table of three or more classes that is too large
        for the exact law, beside evidence.
    rng
        What ``numpy.random.default_rng`` takes, for those, and for rows of groups.
    watch, resume
        For files: a callback for progress, and a folder from which an interrupted run goes on; see `Tables.of`.

    Returns
    -------
    AuditReport

    Raises
    ------
    ValueError
        If the rows are not those of the model: other columns, unseen classes, weights that are no counts, draws that
        cannot be known; if they are all of one class or have one response; if ``rows`` is not given, and they are
        recognised as those that grew the trees; if trees drew some rows of a group and left out others.
    TypeError
        If the model is none of those named, or stands after the rows.

    See Also
    --------
    significant_subtree : The splits of one tree, with a family-wise error rate.
    category_gains : The categorical splits of a booster.
    rank_features : Columns of data, without a model.

    Notes
    -----
    Rows are recognised as those that grew the trees by the numbers at the leaves, with a probability of at most .001
    if they are new: drawn independently, or with given numbers of each class (of numbers, each tenth). Stumps and other
    trees of few leaves tell too little; where rows match those of growth nevertheless, the report says so.

    Rows are independent, or ``groups=`` and ``strata=`` say which are not. A group has one vote at each split that all
    of its rows reach, by the share of them on the left: its labels are independent of its number of rows and that
    share, by the null hypothesis. Labels that vary within groups move between groups of similar size, of which as many
    rows count as the smallest has. Within strata labels are exchangeable, and ratios of strata are multiplied. P-values
    of splits are then ``1/E``, and tables and gains count all of these rows.
    The null hypothesis of a split: given that a row reaches its node, its label is independent
    of the side it takes. Given the numbers of rows on each side and of each class there, all orders of the labels are
    then equally likely, and the p-value is the probability of a Gini gain at least that of the split; a node with rows
    on one side or of one class has 1. A large table of three or more classes has ``min(1, p/.95, 1/(.05 E))``, with
    ``p`` of random tables and evidence ``E``, see ``nulls.evidence``. Every split of the trees counts in the
    correction, for which of them have rows of several classes depends on the labels. Out of bag each p-value is valid,
    but the list of splits depends on the rows, since one that a tree left out grew others; the false discovery rate is
    that of a list that is fixed beforehand. A response counts as above a cut or not: the middle of what the model keeps
    as the means of both sides in growth, or where it keeps none, as boosted trees, the mean of the audited rows at the
    node; where it predicts a quantile, theirs.

    The null hypothesis of a feature is that of all its splits: at every split of the feature, in every tree, the
    response is independent of the side among the rows that reach it. A feature that is shown is informative at some
    node, which it may share with others; one that is not shown may be informative as well, and the report says where
    the rows were too few to show it. Each split has a likelihood ratio: of its table given the margins, by Fisher's
    noncentral law over the central one, class by class against those after it; responses of more than two values in
    memory are compared in pairs of rows left and right, unless a quantile is predicted (Mann and Whitney's U). The rows
    that grew the tree tell on which side a class, or more, is expected; log odds of .125, .25, .5, 1 and 2 are mixed in
    each tree, those of .5 with a weight of 3/4; of pairs the log of odds that neighbours in rank change places is 4/N
    times that, N the power of two from the number of rows on. The e-value is the product over the splits of the feature
    in a tree, of which the mean is taken over all trees: of held-out rows a tree weighs as much as its splits by the
    feature gained in growth, if the model says so; out of bag all weigh alike. Of the model's ``d`` features, also
    those that split nothing, the k with the largest e-values are shown, k the largest number for which the k-th is at
    least ``d / (alpha k)``.

    Proved: inference.product_over_splits_of_a_tree_is_evalue, inference.ratio_of_pairs_is_evalue,
    inference.product_over_splits_of_whole_groups_is_evalue, inference.evalues_err_at_most_alpha_of_discoveries

    References
    ----------
    wang2024, eqs. (8), (11), (16); zhou2021; li2019; benjamini2001; vovk2021; wangramdas2022.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(400, 3))
    >>> y = (x[:, 0] + rng.normal(size=400) > 0).astype(int)
    >>> forest = RandomForestClassifier(20, max_depth=3, random_state=0).fit(x, y)
    >>> report = audit(forest, x, y, rows="out-of-bag")
    >>> report.importances.mdi.round(3).tolist(), report.importances.ufi.round(3).tolist()
    ([0.099, 0.017, 0.017], [0.087, -0.001, -0.001])
    """
    kind = "held-out" if rows is None else one_of(rows, Rows, "rows")
    alpha = float(between(alpha, "alpha", 0, 1, ends=False, example=0.05))
    samples = whole(samples, "samples", 1, 2**31)
    source = generator(rng)
    if follow_up is not None:
        follow_up = float(real(follow_up, "follow_up is a time above 0", "pass 2.5 for instance", lambda t: t > 0))
    fitted = read_model(model, X, y)
    lines: tuple[str, ...] = ()
    scores = _scores(fitted, response_scores)
    if isinstance(y, str):
        odd = {
            f"rows={kind!r}": kind != "held-out", "sample_weight": sample_weight is not None,
            "groups": groups is not None, "strata": strata is not None, "training": training is not None,
            "survival, scores or several outputs": scores is not None or fitted.outputs > 1,
        }  # fmt: skip
        if passed := [words for words, there in odd.items() if there]:
            rule = "rows read in parts are held out, with one label each, and have neither weights nor groups"
            raise ValueError(complaint(rule, passed[0], "pass features and labels in memory, or rows='held-out' alone"))
        in_parts, labels, classes, unlabelled = sums_of_parts(model, fitted, X, y, watch, resume)
        here = AuditRows(kind, (labels,), None)
        recognition = Recognition(fitted, labels)
        sums = [TreeSums(of_tree) for of_tree in in_parts]
        for of_tree in in_parts:
            recognition.add(of_tree, None)
    else:
        if resume is not None:
            rule, remedy = "resume= needs an audit of files", "pass paths and the name of the label, or no resume="
            raise TypeError(complaint(rule, "a vector of labels", remedy))
        independent = groups is None and strata is None
        if (kind == "training" and not independent) or (groups is None and training_groups is not None):
            rule, got = "groups= are of rows that are tested", "training rows" if kind == "training" else "none"
            raise ValueError(complaint(rule, got, "pass the group of each such row, or no training_groups="))
        # All rows that grew trees have a label.
        plain = kind == "held-out" and scores is None and fitted.outputs == 1
        X, y, present = with_target(X, y, fitted.n_classes is None) if plain else (X, y, None)
        each_output, classes = labels_of(fitted, y, scores, follow_up)
        # Values in growth have other ranks.
        if scores is not None:
            fitted = replace(fitted, trees=tuple(tree._replace(grown=None) for tree in fitted.trees))
        present = np.ones(len(each_output[0].values), dtype=bool) if present is None else present
        unlabelled = int((~present).sum())
        counts = _weights(sample_weight if independent else None, present, each_output[0].values, fitted, kind)
        here, lines = AuditRows(kind, each_output, counts.times), counts.remarks
        if not independent:
            here, lines = _dependent(here, groups, strata, training_groups, present, sample_weight)
        first = replace(fitted, trees=fitted.trees[:: fitted.outputs]) if kind == "held-out" else fitted
        recognition = Recognition(first, each_output[0])
        sums = list(_tree_by_tree(fitted, X, here, recognition))
    each = [_of_tree(i, tree, sums[i].sums, here, fitted) for i, tree in enumerate(fitted.trees)]
    if not each or not sum(len(splits.node) for splits, _ in each):
        raise ValueError(complaint("an audited model needs splits", "trees of one leaf", "fit one that splits"))
    splits = AuditedSplits(*(np.concatenate(column) for column in zip(*(of for of, _ in each), strict=True)))
    _at_least_two(sum(at.sums[0] for at in sums), classes)
    if rows is None and recognition.recognised:
        rule, got = "held-out rows grew no tree", "rows that agree with the training rows in all nodes of the model"
        remedy = "pass others, or rows='training', 'out-of-bag', or 'held-out' if you know that they are"
        raise ValueError(complaint(rule, got, remedy))
    tested = splits.tables.shape[2] > 1 and kind != "training" and (here.weights is None or here.weights.max() <= 1)
    judged: list[Any] = [None, None, None]
    if tested:
        logs = [
            (*(at.logs or tree.evidence(_tables(tree, at.sums, here), at)), of.feature)
            for tree, (of, _), at in zip(fitted.trees, each, sums, strict=True)
        ]
        # Trees weigh what they gained in growth; out of bag alike, for rows of one tree grew others.
        weights = np.nan_to_num([part.mdi for _, part in each]).clip(0, 1e300) * (kind == "held-out")
        judged[:2] = (mean_evalues([(of[i], of[2]) for of in logs], len(fitted.features), weights) for i in range(2))
    if tested and (scores is log_rank or here.blocks is not None):
        ratios = np.concatenate([of[0] for of in logs])
        named = PARTIAL if here.blocks is None else DEPENDENT
        method = np.where(ratios.any(axis=1), named, CERTAIN).astype(object)
        pvalue = 1 / np.maximum(mean_evalues([(ratios, np.arange(len(ratios)))], len(ratios)), 1.0)
        law = Chances(splits.sgini, pvalue, 0 * pvalue, method)
    else:
        law = chances(splits.tables, samples, source, tested=tested)
    adjusted = np.array(benjamini_yekutieli(law.pvalue.tolist())) if tested else splits.adjusted
    splits = splits._replace(**law._asdict(), adjusted=adjusted)
    data = X if isinstance(y, str) else fitted.prepare(X)
    columns = cache(lambda: read_columns(data))
    if not isinstance(y, str) and (here.weights is None or here.blocks is not None):
        judged[2] = partial(_alone, data, here, splits.feature, len(fitted.features))
        if tested and here.blocks is None and not hasattr(data, "tocsr"):  # which stays sparse, unseen
            lines = alarms((column.coded()[1] for column in columns().values()), here.labels[0].values)
    if training is not None:
        rule = "training= is (X, y), the rows that grew the model"
        of_kind(training, tuple, rule, "pass both")
        grew = [read_columns(fitted.prepare(rows)) for rows in training[:-1]]
        if len(grew) != 1 or (len(columns()), len(training[1])) != (len(grew[0]), grew[0].rows):
            raise ValueError(complaint(rule, f"{len(training)} parts, of {[x.rows for x in grew]} rows", "pass both"))
        lines += shared_rows(zip(columns().values(), grew[0].values(), strict=True), y, training[1])
    about = notes(fitted, splits, here, follow_up is not None, recognition.matches)
    remarks = tuple(sentence for sentence, holds in about if holds) + fitted.notes
    lines = (*lines, *without_target(unlabelled))
    remarks += tuple(line[0].lower() + line[1:].rstrip(".") for line in lines)
    many, *figures = zip(*(part for _, part in each), strict=True)
    means = (sum(figure) / len(each) for figure in figures)
    importances = Importances(sum(many), *(None if np.isnan(mean).any() else mean for mean in means))
    return AuditReport(kind, fitted.library, fitted.features, classes, splits, importances, alpha, remarks, *judged)


def _dependent(
    here: AuditRows, groups: Any, strata: Any, training: Any, present: Array, weights: Any
) -> tuple[AuditRows, tuple[str, ...]]:
    """The rows, which are the ``present`` of all, with what depends on what, and remarks.

    A block is one in which labels move: a stratum, or all rows, where labels are constant within groups, else a run
    of groups of similar size. Rows that do not count have -1, those of groups that grew the model, ``training``, -2.

    Raises
    ------
    ValueError
        As ``dependence_of``; if no row is left.
    """
    among = dependence_of(groups, strata, len(present), present, weights) or Dependence()
    tested = np.arange(present.sum())
    if among.groups is not None:
        (names, place), grew = coded(groups, "group"), set(() if training is None else coded(training, "group").names)
        tested = np.flatnonzero(np.array([name not in grew for name in names])[place[present]])
        if not len(tested):
            rule, got = "tested rows are of groups that grew no tree", f"{len(present)} rows of groups that did"
            raise ValueError(complaint(rule, got, "pass rows of other groups"))
    apart = among.take(tested)
    labels = np.stack([of.values for of in here.labels], axis=1)[tested]
    counted, block = (..., 0 if strata is None else apart.strata) if apart.constant(labels) else apart.runs
    blocks = np.full(present.sum(), -2)
    blocks[tested] = -1
    blocks[tested[counted]] = block
    left = f"{len(blocks) - len(tested)} of {len(blocks)} rows are of groups that grew the model: left out"
    of_training = [UNTOLD if training is None else left] * (groups is not None)
    here = here._replace(weights=(blocks >= 0) * 1, among=among, blocks=blocks)
    return here, (*apart.remarks(labels), *of_training)


def _scores(fitted: FittedModel, response_scores: Callable[[Any], Any] | None) -> Callable[[Any], Any] | None:
    """The function that scores responses: the one that is passed, or by which the model was grown."""
    if response_scores is not None:
        remedy = "pass log_rank, ranks or your own"
        of_kind(response_scores, Callable, "response_scores is a function of responses", remedy)
    scores = response_scores or fitted.scores or (log_rank if fitted.survival else None)
    if scores is not None and fitted.n_classes is not None:
        rule, got = "response_scores are for models of numbers or of survival", "one of classes"
        raise ValueError(complaint(rule, got, "leave them out, or fit a model of the scores"))
    if fitted.survival and scores is not log_rank:
        raise ValueError(complaint("a model of survival is audited by log_rank", "other scores", "leave them out"))
    return scores


def _at_least_two(at_roots: Array, classes: Array | None) -> None:
    """Raise ValueError if all rows at the roots of the trees are of one class, or have one response."""
    if classes is None:
        n, total, squares = at_roots[:3]
        if n * squares - total**2 <= ALIKE * n * squares and n > 0:
            raise ValueError(complaint("an audit needs responses that differ", "a single value", "pass other rows"))
    elif len(occurring := np.flatnonzero(at_roots)) == 1:
        got = f"rows of class {classes[occurring[0]]!s} alone"
        raise ValueError(complaint("an audit needs rows of two classes", got, "pass rows of two classes or more"))


def _tree_by_tree(fitted: FittedModel, X: Any, here: AuditRows, recognition: Recognition) -> Iterator[TreeSums]:
    """Yield the sums of the rows at the nodes of each tree.

    A tree is held against all rows that are apart from the training set, else against those that it left out or drew.

    Raises
    ------
    ValueError
        If the rows are not what they are called.
    """
    for i, (tree, ends) in enumerate(zip(fitted.trees, fitted.ends(X), strict=True)):
        if len(ends) != (n := len(here.labels[0].values)):
            rule, got = "y has one label for each row of X", f"{n} labels of {len(ends)} rows"
            raise ValueError(complaint(rule, got, "pass the labels of these rows"))
        seen = here.weights
        sums = here.sums(tree, ends, here.weights if here.kind == "held-out" else None)
        if here.kind != "held-out":
            recognition.add(sums.sums, ends)
            if not recognition.in_order:
                rule = "training and out-of-bag audits need the rows that the model was fitted on, in the same order"
                got = f"rows, or labels, that are not those at the nodes of tree {i // fitted.outputs}"
                raise ValueError(complaint(rule, got, "pass them, or rows='held-out'"))
            if fitted.drawn is not None:
                times = np.bincount(fitted.drawn()[i], minlength=len(ends))
                seen = times if here.kind == "training" else (times == 0) * (1 if seen is None else seen)
                of = here.among.groups
                if of is not None and np.isin(of[seen > 0], of[times > 0]).any():
                    raise ValueError(complaint("out of bag, trees draw whole groups", "some rows of one", WHOLE))
                sums = here.sums(tree, ends, seen)
        elif i % fitted.outputs == 0:
            recognition.add(sums.sums, ends, seen)
        yield sums


def _tables(tree: FittedTree, sums: Array, here: AuditRows) -> Array:
    """The table ``(2, K)`` of each split, of classes, or of responses not above a cut and above it."""
    _, left, right = inner(tree.structure)
    classes = here.labels[0].n_classes
    of = slice(classes or 1) if classes or sums.shape[1] == POWERS else slice(POWERS, None)
    return np.stack([sums[left, of], sums[right, of]], axis=1).round().astype(np.int64)


def _of_tree(
    i: int, tree: FittedTree, sums: Array, here: AuditRows, fitted: FittedModel
) -> tuple[AuditedSplits, Importances]:
    """The splits of a tree, and what they add to the importances."""
    structure, features = tree.structure, len(fitted.features)
    nodes = inner(structure)[0]
    seen = moments(sums, here.of(tree))
    feature = structure.feature[nodes]
    tables = _tables(tree, sums, here)
    gain, chance = split_gains(structure, seen)
    share = seen.n[nodes] / max(seen.n[0], 1)
    empty = np.full(len(nodes), np.nan)
    splits = AuditedSplits(
        np.full(len(nodes), i // fitted.outputs), nodes, feature, structure.threshold[nodes], tables, share, gain,
        chance, empty, empty, empty, empty, np.full(len(nodes), "", dtype=object),
    )  # fmt: skip

    def by_feature(scores: Array) -> Array:
        return np.bincount(feature, scores, features)

    grown = None if here.kind == "training" else tree.grown
    apart = np.full((2, features), np.nan) if grown is None else map(by_feature, gains_apart(structure, grown, seen))
    return splits, Importances(
        np.bincount(feature, minlength=features), by_feature(tree.recorded[nodes]), by_feature(share * gain),
        by_feature(share * chance), *apart,
    )  # fmt: skip


def _alone(data: Any, here: AuditRows, splits: Array, features: int) -> Array | None:
    """The p-value of each column that splits, as a column of its own; nan of others, None where none is read.

    Of several outputs it is the least, times their number.
    """
    labels, groups, strata = here.labels, here.among.groups, here.among.strata
    pvalues = np.full((len(labels), features), np.nan)
    try:
        columns = list(data.values()) if isinstance(data, Mapping) else columns_of(data)
        used = {i: columns[i] for i in np.unique(splits).tolist()}
        for output, of in zip(pvalues, labels, strict=True):
            y = of.values if here.blocks is None else np.where(here.blocks < -1, np.nan, of.values)  # not of the tested
            response = "numbers" if of.n_classes is None else "classes"
            ranking = rank_features(used, y, response=response, groups=groups, strata=strata)  # type: ignore[arg-type]
            output[[int(str(feature.name)) for feature in ranking.features]] = [each.p for each in ranking.features]
    # Sparse features, or no column that varies.
    except (ValueError, TypeError):
        return None
    return np.asarray(np.minimum(1.0, len(labels) * pvalues.min(axis=0)))


def _weights(sample_weight: Any, present: Array, values: Array, fitted: FittedModel, kind: str) -> Counts:
    """Counts of the rows that are present, None where each counts once."""
    if sample_weight is None:
        if kind == "out-of-bag" and fitted.drawn is None:
            rule = "out-of-bag rows need trees grown on bootstrap samples"
            raise ValueError(complaint(rule, fitted.why_not, "pass rows apart, and rows='held-out'"))
    elif kind != "held-out":
        rule = "sample_weight is for held-out rows; training rows keep the weights they were drawn with"
        raise ValueError(complaint(rule, f"sample_weight and rows={kind!r}", "leave sample_weight out"))
    return counts_of(None if sample_weight is None else weights_of(sample_weight, len(present))[present], values, MOST)


def notes(
    fitted: FittedModel, splits: AuditedSplits, here: AuditRows, followed: bool, as_grown: bool
) -> tuple[tuple[str, bool], ...]:
    """The sentences that may go with an audit, each with whether it holds."""
    tested, of, shared = bool((splits.method != "").all()), len(splits.node), len(fitted.trees) > 1
    drawn, certain = int((splits.method == JOINED).sum()), int((splits.method == CERTAIN).sum())
    kind, survival, by_group = here.kind, here.labels[0].times is not None, here.among.groups is not None
    numbers = here.labels[0].n_classes is None and not survival
    unreached = int((~splits.tables.any(axis=(1, 2))).sum())
    return (
        (TRAINED, kind == "held-out" and as_grown),
        (DESCRIPTIVE, kind == "training"),
        ("tables count a response as above a cut or not: the middle of training means, the mean here, or the quantile "
         "predicted; else, in memory, e-values compare rows in pairs, groups by mean ranks", numbers and tested),
        ("of survival this holds where, among the rows of a node, the times of the event and of censoring are "
         "independent given the side: where another column moves both, no rate is bounded; follow_up= is the remedy",
         tested and survival and not followed),
        (FOLLOWED, tested and survival and followed),
        (ORDERS, tested and survival and not followed),
        ("a boosted tree fits the residuals of those before it: its table and p-value are about the label itself,"
         " which is not what the split claimed", fitted.boosted),
        (NULL.format("groups all of whose rows reach" if by_group else "rows that reach"), tested),
        (SOME_NODE, tested),
        (NO_VERDICT, kind != "training" and not tested),
        (GIVEN if here.blocks is None else ONE_OVER, tested and (here.blocks is not None or not survival)),
        (SHARED, tested and shared),
        (OTHERS, tested and shared and kind == "out-of-bag"),
        (f"{certain} of {of} splits have rows on one side or of one class: they cannot reject (p = 1) and still count",
         tested and certain > 0),
        (f"{drawn} of {of} p-values combine random tables with evidence: their Monte Carlo standard error is at "
         f"most {splits.error.max():.2g}", drawn > 0),
        ("no UFI and MDI-oob: the model keeps no class counts or variances of the rows that grew it",
         kind != "training" and any(tree.grown is None for tree in fitted.trees)),
        (f"no row reaches {unreached} of {of} splits: their gain is 0", unreached > 0),
    )  # fmt: skip
