"""Trees of tested splits of responses that a function scores, by one column of scores or several.

One column made on all rows is grown and tested like numbers; several columns, or scores that are made again on the
rows of each node, by the search in numpy here. A selective test of these permutes rows: what an ancestor would have
scored is its own scores in the permuted order.

Main definitions: ``fit_scores`` (a ``ScoredFit``); ``ScoreSearch``, which grows; ``ScorePath``, which permutes.
Source: hothorn2006.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
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
from splitcrit.trees.growth.paths import Path
from splitcrit.trees.growth.surprise_paths import Division

TIE = 1e-11  # of the sum of squares of the scores of a node: gains closer than this are equal


class ColumnCuts(NamedTuple):
    """The cuts of a feature at a node: its rows in order, and how many of them each cut sends left."""

    feature: int
    missing_left: bool
    order: Array
    sizes: Array


def cuts_of_columns(x: Array, least: int) -> list[ColumnCuts]:
    """Return the cuts of the features ``x (n, d)`` with at least ``least`` rows on a side, missing values on either.

    Examples
    --------
    >>> cuts = cuts_of_columns(np.array([[2.0], [np.nan], [1.0], [2.0]]), 1)
    >>> [(cut.missing_left, cut.sizes.tolist()) for cut in cuts]
    [(False, [1, 3]), (True, [2])]
    """
    cuts = []
    for f, values in enumerate(x.T):
        order = np.argsort(values, kind="stable")  # missing values last
        ordered, gap = values[order], int(np.isnan(values).sum())
        sizes = np.flatnonzero(~np.isnan(ordered[:-1]) & (ordered[1:] != ordered[:-1])) + 1
        cuts.append(ColumnCuts(f, False, order, sizes))
        if gap:
            cuts.append(ColumnCuts(f, True, np.roll(order, gap), gap + sizes[:-1]))
    allowed = [(cut.sizes >= least) & (len(x) - cut.sizes >= least) for cut in cuts]
    return [cut._replace(sizes=cut.sizes[some]) for cut, some in zip(cuts, allowed, strict=True) if some.any()]


def best_cut_of(cuts: list[ColumnCuts], columns: Array, alike: list[Array] | None = None) -> tuple[Array, Array, Array]:
    """Return the best score for each of the permuted scores ``(b, n, k)``, its place among cuts and sizes ``(b, 2)``.

    The last is ``alike`` at that place. A later cut must score more than a tie higher.
    """
    b, n, _ = columns.shape
    best, place, same = np.zeros(b), np.full((b, 2), -1), np.zeros(b, dtype=bool)
    band = TIE * float((columns[0] ** 2).sum() / n)
    for i, cut in enumerate(cuts):
        left = columns[:, cut.order].cumsum(axis=1)[:, cut.sizes - 1]
        gains = (left * left).sum(axis=2) / (cut.sizes * (n - cut.sizes))
        here = gains.argmax(axis=1)
        better = (score := gains[np.arange(b), here]) > best + band
        best, place[better] = np.where(better, score, best), np.stack([np.full(b, i), here], axis=1)[better]
        if alike is not None:
            same = np.where(better, alike[i][here], same)
    return best, place, same


@dataclass(frozen=True, eq=False)
class ScoreSearch:
    """A training set ``x (n, d)``, and ``columns(rows)``: scores ``(m, k)`` of the rows of a node less their mean.

    Rows are labels of their own; ``values (n,)`` of them are what nodes show until their leaves are described.
    """

    x: Array
    columns: Callable[[Array], Array]
    least: int
    values: Array
    classes: int = 0

    @property
    def types(self) -> Array:
        """The labels that are permuted."""
        return np.arange(len(self.x))

    def path(self, path: Path) -> ScorePath:
        """Return a path of nodes whose first one is scored under permuted rows."""
        return ScorePath(path, self)

    def best(self, rows: Array) -> Division | None:
        """Return the best cut of some rows."""
        x, cuts = self.x[rows], cuts_of_columns(self.x[rows], self.least)
        best, ((i, j),), _ = best_cut_of(cuts, self.columns(rows)[None])
        if i < 0:
            return None
        cut, m, left = cuts[i], int(cuts[i].sizes[j]), np.zeros(len(rows), dtype=bool)
        left[cut.order[:m]] = True
        low, high = (x[side, cut.feature].astype(float) for side in (left, ~left))
        threshold = float("inf") if np.isnan(high).all() else (np.nanmax(low) + np.nanmin(high)) / 2
        missing_left = cut.missing_left if np.isnan(x[:, cut.feature]).any() else 2 * m > len(rows)
        return Division(left, cut.feature, threshold, missing_left, np.nan, float(best[0]))


@dataclass(frozen=True, eq=False)
class ScorePath:
    """A path of nodes whose first one is scored under permuted rows; see ``selective.PermutedPath``."""

    path: Path
    search: ScoreSearch

    @property
    def band(self) -> float:
        """The difference that rounding may make to two scores of the first node."""
        return TIE * float((self._nodes[0][1] ** 2).mean(axis=0).sum())

    def scores(self, labels: Array) -> Array:
        """Return the first node's best score for permuted rows ``(m, n)``, nan where an ancestor chooses otherwise."""
        best, kept, path = np.full(len(labels), np.nan), np.arange(len(labels)), self.path
        for here, (cuts, columns, alike) in list(zip(path.nodes, self._nodes, strict=True))[::-1]:
            rows, place = path.rows[here], path.place[here]
            number = np.empty(int(rows.max()) + 1, dtype=np.int64)
            number[rows] = np.arange(len(rows))
            permuted = np.where(place >= 0, labels[kept][:, place], rows)
            score, _, same = best_cut_of(cuts, columns[number[permuted]], alike)
            if here.start:
                kept = kept[same]
            else:
                best[kept] = score
        return best

    @cached_property
    def _nodes(self) -> list[tuple[list[ColumnCuts], Array, list[Array]]]:
        """The cuts and scores of each node, and which cuts divide it as the tree does."""
        found, search = [], self.search
        for here in self.path.nodes:
            rows, left = self.path.rows[here], self.path.left[here]
            cuts = cuts_of_columns(search.x[rows], search.least)
            alike = []
            for cut in cuts:
                below = left[cut.order].cumsum()[cut.sizes - 1]  # of those that the cut sends left
                alike.append(
                    ((below == cut.sizes) & (below == left.sum()))
                    | ((below == 0) & (len(left) - cut.sizes == left.sum()))
                )
            found.append((cuts, search.columns(rows), alike))
        return found


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
    found = among.labels(labels.values)
    if classes:
        found = np.hstack([1 - found, found]) if found.shape[1] == 1 else found
    return x[among.first], found, True


def fit_shares(tree: Any, x: Array, classes: Array, shares: Array) -> ScoredFit:
    """Fit a tree of tested splits to the shares ``(C, K)`` of the classes in groups, of two classes those of one."""
    return _fit(tree, x, classes, shares[:, 1:] if len(classes) == 2 else shares, shares)


def _fit(tree: Any, x: Array, responses: Array, scores: Array, shares: Array | None = None) -> ScoredFit:
    """Fit a tree to scores ``(n, k)``; leaves predict their responses, or the mean shares of the classes."""
    plain = scores.shape[1] == 1 and (tree.response_scores_at == "root" or shares is not None)
    _check(tree, scores.shape[1], plain)
    options, training = tree._options(), weighed(x, scores[:, 0], None)
    growing = growing_of(options, training, tree.categories_)
    survival, z = survival_of(tree.response_scores, responses), standardised(scores)
    if plain:
        y = np.ascontiguousarray(z[:, 0])
        grown = tree._of_responses(x, y, "squared_error", growing, survival)
    else:
        search = ScoreSearch(x, _columns(tree, responses, z), growing.stopping.min_samples_leaf, z[:, 0])
        grown = tree._grown_and_cut(search, search.types, growing, "variance", survival)
    rows = Trained.of(grown, x, scores, growing.recoding).rows
    return _taught(tree, options, training, growing.recoding, grown, rows, responses, scores, shares)


def _taught(
    tree: Any, options: Options, training: WeighedTraining, recoding: Recoding | None, grown: GrownTree,
    rows: list[Array], responses: Array, scores: Array, shares: Array | None,
) -> ScoredFit:  # fmt: skip
    """Return the fitted tree with the predictions of its leaves, given the rows of its nodes."""
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
    """Return the function from rows of a node to its scores."""

    def once(rows: Array) -> Array:
        return np.asarray(scores[rows] - scores[rows].mean(axis=0))

    def again(rows: Array) -> Array:
        made = scored(tree.response_scores, responses[rows])
        if made.shape[1] != scores.shape[1]:
            rule, got = "response_scores makes as many columns at each node", f"{made.shape[1]} after {scores.shape[1]}"
            remedy = "pass response_scores_at='root', or a function whose columns are fixed"
            raise ValueError(complaint(rule, got, remedy))
        return standardised(made)

    return once if tree.response_scores_at == "root" else again


def _check(tree: Any, columns: int, plain: bool) -> None:
    """Raise ValueError if parameters do not fit scores."""
    usual = "gini" if hasattr(tree, "predict_proba") else "squared_error"
    if tree.criterion != usual:
        rule, remedy = "with response_scores, splits lower the variance of the scores", "leave criterion at its default"
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
