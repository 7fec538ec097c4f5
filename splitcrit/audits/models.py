"""A fitted model of any library as an audit sees it: its trees, its features and classes, and where rows end.

Main definitions: ``FittedModel``, ``FittedTree``, ``TreeSums``, ``Boosting``; ``labels_of``, ``coded`` (labels as codes
of classes); ``walk``; ``same_columns``, ``same_names``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array, finite
from splitcrit.audits import node_moments
from splitcrit.audits.node_moments import Moments, NodeLabels, inner
from splitcrit.columns.response_scores import log_rank, rows_of, scores_of, times_and_events
from splitcrit.data.training_inputs import classes_of, column, numbers
from splitcrit.frozen import complaint
from splitcrit.nulls.evalues import SIZES, log_pair_ratios, log_ratios
from splitcrit.trees.tree_arrays import Structure


class TreeSums(NamedTuple):
    """Sums of rows at the nodes of a tree; of survival the tables of those at risk, of numbers in memory the pairs.

    Of dependent rows ``logs (2, m, sizes)`` are what ``FittedTree.evidence`` says of independent ones.
    """

    sums: Array
    at_risk: tuple[Array, Array] | None = None
    pairs: Array | None = None
    logs: tuple[Array, ...] = ()


class FittedTree(NamedTuple):
    """A tree, the gain that its library recorded at each node, and moments of the rows that grew it if it keeps them.

    ``rows (nodes,)`` is how many rows reached each node when it was grown, None where the library does not say;
    ``shares (nodes,)`` the share of the rows that reached each node, if none was weighted or left out, where the
    library says no more. ``values (nodes,)`` is what the tree predicts at its leaves, output or score of
    class number ``scored``, or ``(nodes, K)`` shares of classes or their scores, None where it is not read;
    ``weights`` those of leaves.
    """

    structure: Structure
    recorded: Array
    grown: Moments | None = None
    rows: Array | None = None
    values: Array | None = None
    shares: Array | None = None
    weights: Array | None = None
    scored: int = 0

    def sums(self, ends: Array, labels: NodeLabels, counts: Array | None = None, whole: bool = True) -> TreeSums:
        """The sums of rows at the nodes: a column for each class, or for the powers of numbers.

        Of rows that count once two columns more are, for survival, the rows without an event and with one; for numbers
        the rows up to a cut of the parent and above, if one is known: the quantile that the model predicts, else half
        way between the means of its sides in growth, else, of the ``whole`` of the rows, their mean at the parent. If a
        mean is predicted, the whole is also compared in pairs, unless it has two values, of which the table says all.
        """
        from splitcrit.audits.passing_compiled import pass_rows

        sums = node_moments.node_sums(self.structure, ends, labels, counts)
        s = self.structure
        if labels.n_classes is not None or counts is not None or not (self.grown or whole):
            return TreeSums(sums)
        key = labels.values if labels.times is None else -labels.times
        order = np.argsort(key) if labels.order is None else labels.order
        labels, ends = labels.of(order), ends[order]
        if labels.times is not None and labels.events is not None:
            sums = np.column_stack([sums, node_moments.node_sums(s, ends, NodeLabels(labels.events, 2))])
            return TreeSums(sums, node_moments.risk_tables(s, ends, labels.times, labels.events))
        cuts = sums[:, 1] / np.maximum(sums[:, 0], 1)
        places = np.zeros(len(sums), dtype=np.intp)
        if labels.level is not None:
            cuts, places = cuts + np.inf, np.ceil(labels.level * sums[:, 0]).clip(1).astype(np.intp)
        elif self.grown:
            cuts = (self.grown.mean[s.left, 0] + self.grown.mean[s.right, 0]) / 2 - labels.centre
        tree = node_moments.parents(s), s.left.astype(np.intp)
        twice, sides, above = pass_rows(*tree, ends, labels.values, cuts, places)
        pairs = np.stack([twice, sides[:, 0], sides.sum(axis=1)])[:, inner(s)[0]]
        compared = whole and labels.level is None and (np.diff(labels.values) > 0).sum() > 1
        return TreeSums(np.column_stack([sums, above]), pairs=pairs if compared else None)

    # A damaged file may hold anything.
    @np.errstate(all="ignore")
    def directions(self, tables: Array) -> tuple[Array, Array]:
        """Tables of the splits, and on which side rows in growth had more of a class; see ``log_ratios``.

        A tree of numbers or scores of one class is about those above the cut, or of the class, and all others.
        """
        (_, left, right), w, k = inner(self.structure), self.structure.left < 0, tables.shape[2]
        values = np.zeros((len(w), k)) if self.values is None else self.values.reshape(len(w), -1)
        if values.shape[1] > 1 and self.grown is None:
            # Scores become ratios of shares.
            values = np.exp(np.clip(values, -500, 500))
        if values.shape[1] != k:
            about = tables[..., [1 if k == 2 else self.scored]]
            tables = np.concatenate([about, tables.sum(axis=2, keepdims=True) - about], axis=2)
            values = np.stack([values[:, 0], np.ones(len(w))], axis=1)
        # The values of all nodes are means.
        if self.grown is not None:
            sums = values * self.grown.n[:, None]
        else:
            w = w if self.weights is None else w * self.weights
            sums = node_moments.below(self.structure, values * w[:, None])
        one, other = ((side[:, :-1], side[:, ::-1].cumsum(axis=1)[:, -2::-1]) for side in (sums[left], sums[right]))
        return tables, np.nan_to_num(np.sign(one[0] * other[1] - other[0] * one[1]))

    def evidence(self, tables: Array, rows: TreeSums) -> tuple[Array, Array]:
        """The logarithms ``(m, sizes)`` of the likelihood ratios of the splits, and of the largest they allow.

        Numbers are compared in pairs where these are known.

        Of survival, the table of a split is one of each time of an event among the rows of its node, ``risk_tables``:
        their ratios are multiplied, which is a ratio of partial likelihoods. No factor is above that of an event on
        the side where more are expected if all others were on the other one, ``exp(size)``.
        """
        about, signs = self.directions(tables)
        if rows.pairs is not None:
            twice, left, of = rows.pairs
            wrong = np.where(signs[:, 0] > 0, 2 * left * (of - left) - twice, twice) / 2
            ratios, most = log_pair_ratios(wrong, left, of)
            return ratios * (signs != 0), most * (signs != 0)
        if rows.at_risk is None:
            return log_ratios(about, signs)
        place = np.searchsorted(inner(self.structure)[0], rows.at_risk[1])
        each = log_ratios(rows.at_risk[0], signs[place])[0]
        logs = np.stack([np.bincount(place, of_size, len(tables)) for of_size in each.T], axis=1)
        sides, events = tables.sum(axis=2), tables[..., 1].sum(axis=1)
        most = np.minimum(np.where(signs[:, 0] > 0, sides[:, 0], sides[:, 1]), events) * (sides > 0).all(axis=1)
        return logs, most[:, None] * SIZES * (signs != 0)

    def votes(self, ends: Array, labels: NodeLabels, groups: Array) -> Array:
        """The logarithms of ``evidence`` by the votes of groups all of whose rows reach a split.

        A class is expected left or right of those after it, which scores half as much as of the class before; numbers
        score their ranks, survival those of log-rank scores.
        """
        groups, k, y = np.unique(groups, return_inverse=True)[1], labels.n_classes or 2, labels.values
        about, signs = self.directions(np.stack([np.eye(k, dtype=np.int64)] * 2, axis=1))
        split, group, left = node_moments.shares_left(self.structure, ends, groups)
        scores = [np.unique(y, return_inverse=True)[1]] if labels.n_classes is None else about[y, 0, :-1].T
        means = np.reshape([np.bincount(groups, of) for of in scores], (-1, groups.max() + 1)) / np.bincount(groups)
        means = means[:, group] / np.max(scores, initial=1)
        votes = (means * signs.T[:, split] / 2.0 ** np.arange(len(means))[:, None]).sum(axis=0)
        return node_moments.log_votes(split, left, votes, len(signs))


class Boosting(NamedTuple):
    """How a boosted model grew: its objective and parameters as it writes them, and its first prediction.

    ``start`` is a share of the second class or a mean, None where it is that of the rows and part of the first tree's
    values; ``levels`` holds the codes that a column's splits may list,
    by its place, where the model says.
    """

    objective: str
    parameters: Mapping[str, str]
    start: float | None
    levels: Mapping[int, frozenset[int]]


@dataclass(frozen=True, eq=False)
class FittedModel:
    """The trees of a model.

    Parameters
    ----------
    library : str
    trees : tuple of FittedTree
    features : tuple of str
    ends : callable
        Of features ``(n, d)``: for each tree in turn, the node at which each row ends.
    n_classes : int, optional
        None where the model predicts numbers.
    classes : array, optional
        The classes, sorted, where the model holds them.
    boosted : bool
        Whether a tree was grown on the residuals of those before it.
    drawn : callable, optional
        Returns the rows that each tree drew; None where they are not known, ``why_not`` then says why.
    why_not : str
    columns : tuple of str, optional
        The columns of the rows, where the model makes its features from them; else they are its features.
    boosting : Boosting, optional
        Of XGBoost and LightGBM.
    numbers : callable, optional
        Of a model from a file: returns features as numbers ``(n, d)``, categories as codes.
    survival : bool
        Whether it predicts how early events are; its values are higher where they are earlier.
    outputs : int
        How many numbers it predicts. A tree stands once for each, one after the other.
    scores : callable, optional
        The function of responses by whose scores it was grown.
    quantiles : tuple of float
        The levels of the quantiles that it predicts, one for each output.
    prepare : callable
        Returns the columns that the trees split, of the rows as they come.
    notes : tuple of str
        What the report says of it.
    """

    library: str
    trees: tuple[FittedTree, ...]
    features: tuple[str, ...]
    ends: Callable[[Any], Iterable[Array]]
    n_classes: int | None
    classes: Array | None = None
    boosted: bool = False
    drawn: Callable[[], Sequence[Array]] | None = None
    why_not: str = "the model keeps no draws of rows"
    columns: tuple[str, ...] | None = None
    boosting: Boosting | None = None
    numbers: Callable[[Any], Array] = np.asarray
    survival: bool = False
    outputs: int = 1
    scores: Callable[[Any], Any] | None = None
    quantiles: tuple[float, ...] = ()
    prepare: Callable[[Any], Any] = lambda data: data
    notes: tuple[str, ...] = ()


def walk(trees: Iterable[FittedTree], read: Callable[[Any], Any]) -> Callable[[Any], Iterator[Array]]:
    """What tells where rows end, ``(n,)`` for each tree in turn; ``read`` makes numbers ``(n, d)`` of them.

    Examples
    --------
    >>> stump = Structure(*map(np.array, ([1, -1, -1], [2, -1, -1], [0, -1, -1], [0.5, 0, 0], [False] * 3)))
    >>> list(walk([FittedTree(stump, np.zeros(3))], np.asarray)([[0.0], [1.0], [0.5]]))
    [array([1, 2, 1])]
    """

    def ends(data: Any) -> Iterator[Array]:
        x = read(data)
        return (tree.structure.leaves(tree.structure.rows(x), len(x)) for tree in trees)

    return ends


def known_columns(features: int, shape: tuple[int, ...]) -> None:
    """Raise ValueError unless an array has the number of features of the model."""
    if len(shape) != 2 or shape[1] != features:
        rule, got = f"the model was fitted on {features} features", f"an array of shape {'x'.join(map(str, shape))}"
        raise ValueError(complaint(rule, got, "pass the columns it was fitted on"))


def same_columns(model: Any, data: Any) -> None:
    """Raise ValueError unless features have the number, and the names if any, of those of a model of scikit-learn."""
    # Only here: a picture of a report needs no learner.
    from splitcrit.data.categories_input import names_of

    with numbers(data):
        known_columns(model.n_features_in_, () if isinstance(data, type) else np.shape(data))
    if (names := names_of(data)) is not None and hasattr(model, "feature_names_in_"):
        same_names(names, [str(name) for name in model.feature_names_in_])


def same_names(names: Iterable[Any], features: Sequence[str]) -> None:
    """Raise ValueError unless the columns of a frame have the names of the model's features, in their order."""
    texts = [str(name) for name in names]
    if [name.replace(" ", "_") for name in texts] != [name.replace(" ", "_") for name in features]:
        absent = next((name for name in features if name not in texts), None)
        rule = f"the columns are those the model was fitted on: {', '.join(features[:3])}, ..."
        remedy = "pass them alone, in this order" if absent is None else f"pass a column {absent!r} in its place"
        raise ValueError(complaint(rule, f"{', '.join(texts[:3])}, ...", remedy))


def labels_of(
    model: FittedModel, y: Any, scores: Callable[[Any], Any] | None, follow_up: float | None
) -> tuple[tuple[NodeLabels, ...], Array | None]:
    """The labels of rows in memory, one for each output, and the classes, None of numbers and survival.

    Raises
    ------
    ValueError, TypeError
        As ``coded``; if outputs are not as many as the model has; if times and events, or a time of follow-up, are not
        what they should be, or nothing has happened to anyone.
    """
    if follow_up is not None and scores is not log_rank:
        rule, remedy = "follow_up= is of survival", "pass response_scores=log_rank, or leave follow_up out"
        raise ValueError(complaint(rule, f"a model of {model.library} of other responses", remedy))
    if scores is log_rank:
        times, events = times_and_events(y)
        if follow_up is not None:
            if (early := times[(events == 0) & (times < follow_up)]).size:
                rule = f"every row is followed up to follow_up={follow_up:g}, or to its event"
                raise ValueError(complaint(rule, f"one to {early[0]:g}", "pass a time before which no row is censored"))
            times, events = np.minimum(times, follow_up), events * (times <= follow_up)
        if not events.any():
            remedy = "pass rows that were followed longer"
            raise ValueError(complaint("an audit of survival needs events", "none", remedy))
        ranks = log_rank(np.stack([times, events], axis=1))
        return (NodeLabels(ranks, None, 0.0, times, events.astype(np.int64), order=np.argsort(-times)),), None
    if scores is None and model.outputs == 1:
        values, classes = coded(model, y)
        if classes is not None:
            return (NodeLabels(values, len(classes)),), classes
        columns = values[:, None]
    else:
        columns = (np.asarray(rows_of(y)) if scores is None else scores_of(scores, rows_of(y))).reshape(len(y), -1)
    if len(model.quantiles) == model.outputs:  # all of one response
        columns = np.repeat(columns[:, :1], model.outputs, axis=1)
    if columns.shape[1] != model.outputs:
        rule, got = f"responses have a column for each of {model.outputs} outputs", f"{columns.shape[1]}"
        raise ValueError(complaint(rule, got, "pass those that the model predicts"))
    columns = finite(columns, "responses", 2)
    levels = model.quantiles or (None,) * model.outputs
    each_output = []
    for each, level in zip(columns.T, levels, strict=True):
        centre = each.mean()
        values = each - centre  # whose squares do not cancel
        each_output.append(NodeLabels(values, None, float(centre), level=level, order=np.argsort(values)))
    return tuple(each_output), None


def coded(model: FittedModel, y: Any) -> tuple[Array, Array | None]:
    """The code of each label and the classes, or responses and None where the model predicts numbers.

    Raises
    ------
    ValueError
        If a label is none of the model's classes, or a response no number.
    """
    labels = column(y)
    if not len(labels):
        raise ValueError(complaint("an audit needs rows", "none", "pass some"))
    if model.n_classes is None:
        return finite(labels, "responses", 1), None
    present, codes = classes_of(labels)
    if model.classes is None:
        if len(present) > model.n_classes:
            rule = f"the model knows {model.n_classes} classes"
            raise ValueError(complaint(rule, f"{len(present)} in y", "pass the rows of the classes it was fitted on"))
        return codes, present
    unseen = present[~np.isin(present, model.classes)]
    if len(unseen):
        rule = f"labels are classes of the model: {', '.join(map(str, model.classes[:5]))}"
        raise ValueError(complaint(rule, repr(unseen.tolist()[0]), "drop rows of classes that it was not fitted on"))
    return np.searchsorted(model.classes, present)[codes], model.classes
