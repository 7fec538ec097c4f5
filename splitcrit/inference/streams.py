"""Trees on streams that split noise at a known rate, whenever one looks: river's trees with another rule of splitting.

Labels of the rows of a leaf have K classes, and a split divides the rows by their features. With ``N_sk`` labels of
class k on side s, ``N_k`` in all, the evidence of the split is ::

    E = prod over sides of KT(N_s) / prod_k (N_k/N)^N_k,    KT(c) = B(c + 1/2) / B(1/2),

``B`` the multivariate beta function and KT the mixture of Krichevsky and Trofimov of all laws of labels.

Main definitions: ``AnytimeTreeClassifier``; ``EvidenceLeaf``, with the ``LeafEvidence`` of its splits; ``log_evidence``
(of tables).
Main results: if each label that reaches the leaf has one fixed unknown law q, given the past and all features, E is at
most the likelihood ratio of a mixture to q, so that ``P(E >= 1/a at some time) <= a`` (ville1939). Means over splits
and columns keep that if these are fixed before the labels that count: the first rows of a leaf fix them, and their
labels do not count. A child gets the level of its parent over the number of branches. Of the leaves whose labels have
one law take the topmost: none is below another, so that their levels add up to at most alpha (Kraft's inequality), and
the probability that any of them is ever split is at most alpha.
Near-misses: alpha over 2^depth where a split has more than two branches; alpha in each leaf; labels whose law drifts
along with a column.
Source: krichevsky1981 for the mixture, ville1939; domingos2000 for trees on streams.
"""

from __future__ import annotations

from bisect import bisect_left
from copy import deepcopy
from math import inf, log, nextafter
from numbers import Number
from typing import Any, NamedTuple

import numpy as np
from river.tree import HoeffdingTreeClassifier
from river.tree.nodes.htc_nodes import LeafMajorityClass
from river.tree.utils import BranchFactory, do_naive_bayes_prediction

from splitcrit.arguments import Array, between, whole
from splitcrit.frozen import complaint, shown


def log_evidence(tables: Array) -> Array:
    """The logarithm of the evidence of tables ``(..., sides, K)`` of counts.

    Examples
    --------
    >>> log_evidence(np.array([[[30, 0], [0, 30]], [[15, 15], [15, 15]]])).round(2)
    array([37.03, -3.87])
    """
    from scipy.special import gammaln, xlogy

    k, n, totals = tables.shape[-1], tables.sum(axis=-1), tables.sum(axis=-2)
    kt = (gammaln(tables + 0.5) - gammaln(0.5)).sum(axis=-1) - gammaln(n + k / 2) + gammaln(k / 2)
    most = xlogy(totals, totals).sum(axis=-1) - xlogy(n.sum(axis=-1), n.sum(axis=-1))
    return np.asarray(kt.sum(axis=-1) - most)


class ShownSplit(NamedTuple):
    """The best split of a leaf, with the logarithm of the mean evidence of all its splits."""

    log_e: float
    column: Any
    at: Any  # a threshold, a value, or the values of all branches
    children: list[dict[Any, float]]  # counts of labels
    numeric: bool
    many: bool


class StreamColumn:
    """The splits of a column of a leaf, and the counts ``(parts, K + 1)`` of labels by the part of its values.

    Parts of numbers end at thresholds, the last has all above; other parts are one value each, and the last all others.
    The last class is that of labels which the tree had not seen when the splits were fixed.
    """

    def __init__(self, values: list[Any], numeric: bool, cuts: int, classes: int) -> None:
        self.numeric = numeric
        if numeric:
            x = sorted(values)
            inner = {x[i * len(x) // cuts] for i in range(1, cuts)}
            self.parts: list[Any] = sorted({nextafter(x[0], -inf), *inner, x[-1]})
        else:
            self.parts = sorted(set(values), key=lambda value: (str(type(value)), value))
            self.places = {value: i for i, value in enumerate(self.parts)}
        self.counts = np.zeros((len(self.parts) + 1, classes + 1))

    def add(self, value: Any, label: int) -> None:
        """Count a label."""
        at = bisect_left(self.parts, value) if self.numeric else self.places.get(value, len(self.parts))
        self.counts[at, label] += 1

    def tables(self) -> Array:
        """The tables ``(splits, 2, K + 1)`` of the splits in two: up to a threshold, or of one value."""
        left = self.counts.cumsum(axis=0)[:-1] if self.numeric else self.counts[:-1]
        return np.stack([left, self.counts.sum(axis=0) - left], axis=1)


class LeafEvidence:
    """The evidence of the splits of a leaf, whose first rows fix what the splits are."""

    def __init__(self, level: float) -> None:
        self.level = level
        self.first: list[dict[Any, Any]] | None = []
        self.columns: dict[Any, StreamColumn] = {}
        self.classes: dict[Any, int] = {}

    def update(self, x: dict[Any, Any], y: Any, tree: AnytimeTreeClassifier) -> None:
        """Take in a row; the labels of the first ones do not count."""
        if self.first is None:
            label = self.classes.get(y, len(self.classes))
            for name, value in x.items():
                if (column := self.columns.get(name)) is not None:
                    column.add(value, label)
            return
        self.first.append(x)
        if len(self.first) >= tree.warm_up:
            self.classes = {label: i for i, label in enumerate(sorted(tree.classes, key=str))}
            names = sorted({name for row in self.first for name in row}, key=str)
            for name in names:
                values = [row[name] for row in self.first if name in row]
                self.columns[name] = StreamColumn(values, tree._kinds[name], tree.cuts, len(self.classes))
            self.first = None

    def best(self, binary: bool) -> ShownSplit | None:
        """The split with the most evidence, with the mean over splits and columns; None before any label counts."""
        best = ShownSplit(-inf, None, None, [], True, False)
        means = []
        for name, column in self.columns.items():
            tables = column.tables()
            each = log_evidence(tables)
            if each.max() > best.log_e:
                at = int(each.argmax())
                split = float(each[at]), name, column.parts[at], self._stats(tables[at])
                best = ShownSplit(*split, column.numeric, False)
            if not column.numeric and not binary and len(column.parts) > 2:
                every = float(log_evidence(column.counts))
                if every > best.log_e:
                    best = ShownSplit(every, name, column.parts, self._stats(column.counts[:-1]), False, True)
                each = np.append(each, every)
            means.append(np.logaddexp.reduce(each) - log(len(each)))
        return best._replace(log_e=float(np.logaddexp.reduce(means)) - log(len(means))) if means else None

    def _stats(self, table: Array) -> list[dict[Any, float]]:
        return [{label: float(row[i]) for label, i in self.classes.items() if row[i]} for row in table]


class EvidenceLeaf(LeafMajorityClass):
    """A leaf that is split by its evidence, and that predicts by its majority or by one of two naive Bayes models.

    One model is of its own rows; the other was its parent's, which goes on learning, and is as good as that at birth.
    """

    def __init__(self, stats: dict[Any, float], depth: int, splitter: Any, level: float, parent: Any = None) -> None:
        super().__init__(stats, depth, splitter)
        self.evidence = LeafEvidence(level)
        self.shares: list[float] = []  # the levels of its children, once it is split
        self.inherited = None if parent is None else deepcopy(parent.model("nba"))
        self.right = [0.0, 0.0, 0.0]  # weight of the rows that the majority and each of the models predicted

    def learn_one(self, x: dict[Any, Any], y: Any, *, w: float = 1.0, tree: Any = None) -> None:
        """Learn a row; whatever its weight, it counts once as evidence."""
        if tree.leaf_prediction == "nba" and self.is_active():
            for i, votes in enumerate((self.stats, *(_bayes(x, model) for model in self.models()))):
                self.right[i] += w * bool(votes and max(votes, key=votes.__getitem__) == y)
        super().learn_one(x, y, w=w, tree=tree)
        if self.inherited is not None:
            stats, splitters = self.inherited
            stats[y] = stats.get(y, 0.0) + w
            for name in x.keys() & splitters.keys():
                splitters[name].update(x[name], y, w)
        if w > 0:
            self.evidence.update(x, y, tree)

    def models(self) -> list[Any]:
        """The naive Bayes models: the parent's, if there is one, and its own."""
        own = self.stats, self.splitters
        return [own] if self.inherited is None else [self.inherited, own]

    def model(self, leaf_prediction: str) -> Any:
        """The model that predicts, by the rows of the leaf so far; None for the majority."""
        if leaf_prediction == "mc" or not self.is_active():
            return None
        majority, first, second = self.right
        if leaf_prediction == "nba" and majority > max(first, second):
            return None
        return self.models()[second > first]

    def prediction(self, x: dict[Any, Any], *, tree: Any = None) -> Any:
        """The probabilities of the classes."""
        model = self.model(tree.leaf_prediction)
        return super().prediction(x) if model is None else _bayes(x, model)

    def best_split_suggestions(self, criterion: Any, tree: Any) -> list[Any]:
        """The one split that the evidence shows, which river then makes; none if it shows none."""
        best = self.evidence.best(tree.binary_split)
        if best is None or best.log_e < -log(self.evidence.level):
            return []
        branches = len(best.children) + best.many  # of many values later ones may come
        self.shares = [self.evidence.level / branches] * branches
        return [BranchFactory(best.log_e, best.column, best.at, best.children, best.numeric, best.many)]


def _bayes(x: dict[Any, Any], model: Any) -> Any:
    return do_naive_bayes_prediction(x, *model)


class AnytimeTreeClassifier(HoeffdingTreeClassifier):
    """A classifier for streams, in river, that splits noise with probability at most alpha over its whole life.

    It takes the place of ``river.tree.HoeffdingTreeClassifier``. A leaf is split once the mean evidence of its splits
    exceeds the inverse of its level, at whichever of the looks, so that ::

        P(a leaf whose labels have one law, given the past and all features, is ever split) <= alpha.

    Parameters
    ----------
    grace_period : int, default=100
        How many rows a leaf learns between looks at its evidence.
    alpha : float, default=0.05
        The level of the tree; a child has that of its parent over the number of branches.
    max_depth : int, optional
        Leaves at this depth are not split.
    leaf_prediction : {"nba", "nb", "mc"}
        Majority class (``"mc"``), naive Bayes (``"nb"``), or what has been right more often in the leaf (``"nba"``).
        The parent's naive Bayes model goes on in its children, beside one of their own rows.
    nominal_attributes : list, optional
        Columns of numbers that are names of categories; values that are no numbers always are.
    binary_split : bool, default=False
        Whether categories are split in two alone, one value against the others.
    warm_up : int, default=100
        How many first rows of a leaf fix its columns, thresholds, values and classes; their labels are no evidence.
    cuts : int, default=16
        Thresholds of a column are at so many quantiles of these rows, and at their ends.

    Raises
    ------
    ValueError
        About a parameter out of range, or a row: a label that is None, a number that is infinite, a column that has
        numbers and other values.

    Notes
    -----
    What a split shows is that labels depend on the column given the way to the leaf, not that no other column would do.
    Labels whose law drifts are not of one law, and a column that drifts along may be split. A row counts once, whatever
    its weight.

    References
    ----------
    ville1939 for the bound at all times, krichevsky1981 for the mixture, domingos2000 for trees on streams.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> real, noise = AnytimeTreeClassifier(), AnytimeTreeClassifier()
    >>> for u, age, site in zip(rng.random(2000), rng.normal(50, 9, 2000), rng.choice(["north", "south"], 2000)):
    ...     row = {"age": age, "site": site}
    ...     real.learn_one(row, bool(u < (0.2 if site == "north" else 0.4)))
    ...     noise.learn_one(row, bool(u < 0.3))
    >>> real.n_leaves, noise.n_leaves
    (2, 1)
    """

    def __init__(
        self, grace_period: int = 100, alpha: float = 0.05, max_depth: int | None = None, leaf_prediction: str = "nba",
        nominal_attributes: list[Any] | None = None, binary_split: bool = False, warm_up: int = 100, cuts: int = 16,
    ) -> None:  # fmt: skip
        if leaf_prediction not in ("nba", "nb", "mc"):
            rule = "leaf_prediction is 'nba', 'nb' or 'mc'"
            raise ValueError(complaint(rule, shown(leaf_prediction), "pass 'nba' for instance"))
        super().__init__(
            grace_period=whole(grace_period, "grace_period", 1), max_depth=max_depth, leaf_prediction=leaf_prediction,
            nominal_attributes=nominal_attributes, binary_split=binary_split, merit_preprune=False,
        )  # fmt: skip
        self.alpha = between(alpha, "alpha", 0, 1, ends=False, example=0.05)
        self.warm_up, self.cuts = whole(warm_up, "warm_up", 1), whole(cuts, "cuts", 1)
        self._kinds: dict[Any, bool] = {}  # whether a column has numbers

    def learn_one(self, x: dict[Any, Any], y: Any, *, w: float = 1.0) -> None:
        """Learn a row ``x``, column by column, of class ``y``; None and nan are missing values."""
        if y is None:
            raise ValueError(complaint("a row has a label to learn from", "None", "leave out rows without a label"))
        row = self._present(x)
        self._kinds |= {name: self._is_number(name, value) for name, value in row.items()}
        super().learn_one(row, y, w=w)

    def predict_proba_one(self, x: dict[Any, Any], **kwargs: Any) -> Any:
        """The probabilities of the classes that the leaf of a row has seen."""
        return super().predict_proba_one(self._present(x))

    def _present(self, x: dict[Any, Any]) -> dict[Any, Any]:
        """The values that are there, of the kinds that their columns had so far."""
        row = {name: value for name, value in x.items() if value is not None and value == value}
        for name, value in row.items():
            number = self._is_number(name, value)
            if number is not self._kinds.get(name, number):
                rule, got = "a column of a stream has numbers or other values", f"{shown(value)} in {shown(name)}"
                raise ValueError(complaint(rule, got, f"name it in nominal_attributes=[{shown(name)}]"))
            if number and abs(value) == inf:
                got = f"{value} in {shown(name)}"
                raise ValueError(complaint("numbers of a stream are finite", got, "pass None for a missing value"))
        return row

    def _is_number(self, name: Any, value: Any) -> bool:
        return isinstance(value, Number) and name not in (self.nominal_attributes or ())

    def _new_leaf(self, initial_stats: Any = None, parent: Any = None) -> Any:
        """A leaf with its level: the root's, a share of its parent's, or half of what is left for values to come."""
        if parent is None:
            return EvidenceLeaf({}, 0, self.splitter, self.alpha)
        if isinstance(parent, EvidenceLeaf):
            return EvidenceLeaf(initial_stats, parent.depth + 1, self.splitter, parent.shares.pop(), parent)
        parent.left /= 2
        return EvidenceLeaf({}, parent.depth + 1, self.splitter, parent.left)

    def _attempt_to_split(self, leaf: Any, parent: Any, parent_branch: Any, **kwargs: Any) -> None:
        super()._attempt_to_split(leaf, parent, parent_branch, **kwargs)
        if leaf.shares:  # what no branch has taken yet
            branch: Any = self._root if parent is None else parent.children[parent_branch]
            branch.left = leaf.shares.pop()
