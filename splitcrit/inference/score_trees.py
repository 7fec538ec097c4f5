"""Trees of tested splits of responses that a function scores, by one column of scores or several.

One column made on all rows is grown and tested like numbers. Of several columns, or scores that are made again on the
rows of each node, rows are the labels: a selective test permutes rows, and what an ancestor would have scored is its
own scores in the permuted order.

Main definitions: ``fit_scores``, ``fit_shares`` (a ``ScoredFit``); ``independent_rows``.
Source: hothorn2006.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.columns.column_tests import LabelledRows
from splitcrit.columns.response_scores import log_rank, rows_of, scored, scores_of, standardised, survival_of
from splitcrit.data import training_inputs
from splitcrit.frozen import complaint
from splitcrit.inference.selective import Trained
from splitcrit.nulls.alarms import alarms
from splitcrit.nulls.groups import GROUPED, dependence_of
from splitcrit.trees.estimators.criterion_argument import criterion_of
from splitcrit.trees.estimators.growing import Fitted, Options, class_nodes, finished, growing_of
from splitcrit.trees.estimators.weighing import WeighedTraining, weighed
from splitcrit.trees.growth import GrownTree
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.surprise_paths import SurpriseSearch


class ScoredFit(NamedTuple):
    """What a tree learns, with the responses of each leaf, how many numbers it predicts, and the classes, if any."""

    fitted: Fitted
    leaf_responses: dict[int, Array]
    outputs: int
    classes: Array | None = None


def fit_scores(tree: Any, X: Any, y: Any, sample_weight: Any, groups: Any, check_input: bool) -> ScoredFit:
    """Fit a tree of tested splits to the scores of its responses.

    Leaves predict shares of classes, means of responses that are numbers, and otherwise mean scores.

    Raises
    ------
    ValueError, TypeError
        If responses, scores or parameters are invalid or do not fit each other.
    """
    responses = rows_of(y)
    x, _ = tree._read(X, np.zeros(len(responses)), check_input)
    x, responses = tree._counted(x, responses, sample_weight)
    if groups is not None:
        rule, got = "groups= of a tree are for its labels themselves", "response_scores"
        raise ValueError(complaint(rule, got, "leave one of the two out, or pass one row a group"))
    scores = scores_of(tree.response_scores, responses)
    independent_rows(tree, x, scores, None, sample_weight)  # for its alarms
    return _fit(tree, x, responses, scores)


def independent_rows(
    tree: Any, x: Array, y: Array, groups: Any, sample_weight: Any
) -> tuple[Array, Array, bool]:  # fmt: skip
    """One row for each group of columns that are constant in groups, its label or their means, and whether it is these.

    Of K classes means are shares ``(C, K)`` in the order of their names. A divided group would tell its label on the
    other side of a split, so that columns that vary within groups are refused.
    """
    columns = (np.unique(column, return_inverse=True)[1] for column in x.T)
    among = dependence_of(groups, None, len(x), weights=sample_weight)
    if among is None:
        tree.remarks_ += () if sample_weight is not None else alarms(columns, y)
        return x, y, False
    classes = hasattr(tree, "predict_proba")
    labels = LabelledRows(np.unique(y, return_inverse=True)[1] if classes else y[:, None], among=among)
    for name, column in zip(getattr(tree, "feature_names_in_", range(x.shape[1])), columns, strict=True):
        if labels.observed(column)[0] is not among.first:
            rule, got = "a selective tree takes columns that are constant within groups", f"{name!s}, which is not"
            raise ValueError(complaint(rule, got, "leave it out, or pass one row a group without groups="))
    tree.remarks_ += (GROUPED.format(len(among.first)),)
    if among.constant(labels.values):
        return x[among.first], y[among.first], False
    shares = among.labels(labels.values)
    if classes:
        shares = np.hstack([1 - shares, shares]) if shares.shape[1] == 1 else shares
    return x[among.first], shares, True


def fit_shares(tree: Any, x: Array, classes: Array, shares: Array) -> ScoredFit:
    """Fit a tree of tested splits to the shares ``(C, K)`` of the classes in groups, of two classes those of one."""
    return _fit(tree, x, classes, shares[:, 1:] if len(classes) == 2 else shares, shares)


def _fit(tree: Any, x: Array, responses: Array, scores: Array, shares: Array | None = None) -> ScoredFit:
    """Fit a tree to scores ``(n, k)``; leaves predict their responses, or the mean shares of the classes."""
    plain = scores.shape[1] == 1 and (tree.response_scores_at == "root" or shares is not None)
    _check(tree, scores.shape[1], plain)
    options = tree._options()
    training = weighed(x, scores[:, 0], None)
    growing = growing_of(options, training, tree.categories_)
    survival = survival_of(tree.response_scores, responses)
    z = standardised(scores)
    if plain:
        y = np.ascontiguousarray(z[:, 0])
        grown = tree._of_responses(x, y, "squared_error", growing, survival)
    else:
        search = SurpriseSearch(
            x,
            np.arange(len(x)),
            z[:, 0],
            0,
            None,
            growing.stopping.min_samples_leaf,
            by_gain=True,
            vectors=_columns(tree, responses, z),
        )
        grown = tree._grown_and_cut(search, search.types, growing, "variance", survival)
    rows = Trained.of(grown, x, scores, growing.recoding).rows
    return _taught(tree, options, training, growing.recoding, grown, rows, responses, scores, shares)


def _taught(
    tree: Any, options: Options, training: WeighedTraining, recoding: Recoding | None, grown: GrownTree,
    rows: list[Array], responses: Array, scores: Array, shares: Array | None,
) -> ScoredFit:  # fmt: skip
    """The fitted tree with the predictions of its leaves, given the rows of its nodes."""
    leaves = {int(leaf): responses[rows[leaf]] for leaf in np.flatnonzero(grown.left < 0)} if shares is None else {}
    if hasattr(tree, "predict_proba"):
        classes = responses
        if shares is None:
            classes, codes = training_inputs.classes_of(training_inputs.column(responses))
            shares = np.eye(len(classes))[codes]
        counts = np.array([shares[here].sum(axis=0) for here in rows])
        nothing = np.full(len(rows), np.nan)
        grown = replace(grown, weights=counts, value=nothing, impurity=nothing)
        describe = partial(class_nodes, criterion_of(tree.criterion, len(classes)))
        return ScoredFit(finished(options, training, grown, describe, recoding), leaves, 1, classes)
    target = responses if responses.dtype.kind in "iufb" and tree.response_scores is not log_rank else scores
    target = target.reshape(len(target), -1).astype(float)
    means = np.array([target[here].mean(axis=0) for here in rows])
    spread = np.array([target[here].var(axis=0).sum() for here in rows])
    fitted = finished(options, training, grown, lambda _: (means[:, :, None], spread), recoding)
    return ScoredFit(fitted, leaves, means.shape[1])


def _columns(tree: Any, responses: Array, scores: Array) -> Callable[[Array], Array]:
    """The function from rows of a node to its scores."""

    def once(rows: Array) -> Array:
        return np.asarray(scores[rows] - scores[rows].mean(axis=0))

    def again(rows: Array) -> Array:
        anew = scored(tree.response_scores, responses[rows])
        if anew.shape[1] != scores.shape[1]:
            rule = "response_scores makes as many columns at each node"
            got = f"{anew.shape[1]} after {scores.shape[1]}"
            remedy = "pass response_scores_at='root', or a function whose columns are fixed"
            raise ValueError(complaint(rule, got, remedy))
        return standardised(anew)

    return once if tree.response_scores_at == "root" else again


def _check(tree: Any, columns: int, plain: bool) -> None:
    """Raise ValueError if parameters do not fit scores."""
    usual = "gini" if hasattr(tree, "predict_proba") else "squared_error"
    if tree.criterion != usual:
        rule = "with response_scores, splits lower the variance of the scores"
        remedy = "leave criterion at its default"
        raise ValueError(complaint(rule, f"criterion={tree.criterion!r}", remedy))
    if not plain:
        remedy = "pass response_scores_at='root' and one column"
        got = f"{columns} columns" if columns > 1 else "response_scores_at='node'"
        if tree.categories_ is not None:
            raise ValueError(complaint("categorical features need one column of scores, made at the root", got, remedy))
        if tree.correction not in (None, "permutation"):
            rule = f"correction={tree.correction!r} needs one column of scores, made at the root"
            raise ValueError(complaint(rule, got, "pass correction='permutation'"))
    tree._check_tests(False, "variance" if plain else None)
