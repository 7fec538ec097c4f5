"""A criterion for trees: splits of a column are compared by an impurity, columns by how surprising their best split is.

Main definitions: ``calibrated``, its score ``Calibrated``; ``of_score``.
Main results: see ``best_split`` for the laws. The surprise of a column is a function of the column and the totals of
the node, so that equal columns are equal whatever their place, and a permutation of the labels changes no law.
Comparing columns by the largest score favours those with many values, since they have more cuts; comparing them by the
p-value of the largest score does not.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

import numpy as np

from splitcrit.arguments import of_kind, one_of, whole
from splitcrit.arith import Arithmetic
from splitcrit.criteria import Criterion, as_criterion, decrease
from splitcrit.criteria.library import size_of_node
from splitcrit.frozen import complaint
from splitcrit.impurities import Impurity, gini
from splitcrit.impurities.search_declaration import Search
from splitcrit.losses.response_losses import ResponseLoss
from splitcrit.nulls.best_split import Labels, SplitTail, split_law
from splitcrit.nulls.monte_carlo import check_total, draws_for
from splitcrit.nulls.standardisation import counted
from splitcrit.table import Table

ResponseError = Literal["squared_error", "absolute_error", "poisson"]
Weights = Literal["counts", "rows"]
GINI = decrease(gini)


@dataclass(frozen=True)
class Calibrated:
    """The score of a split; features are compared by the laws of their best splits. See ``calibrated``."""

    within: Any = None
    draws: int | None = None
    seed: int = 0
    weights: Weights = "counts"

    def __post_init__(self) -> None:
        if isinstance(self.within, str):
            one_of(self.within, ResponseError, "an error")
        elif self.within is not None:
            rule = "calibrated takes an impurity, a criterion or a regression error"
            remedy = f"pass a value such as splitcrit.entropy, or one of {', '.join(get_args(ResponseError))}"
            of_kind(self.within, Impurity | Criterion | ResponseLoss, rule, remedy)
            tested = isinstance(self.within, Criterion) and self.within.search.tested is not None
            if tested:
                remedy = "pass the criterion inside it"
                raise ValueError(complaint("calibrated takes a criterion that scores splits", self.within, remedy))
        if self.draws is not None:
            whole(self.draws, "draws", 20, 10**6)
        whole(self.seed, "seed", 0, 2**62)
        one_of(self.weights, Weights, "what weights are")

    @property
    def error(self) -> str | ResponseLoss | None:
        """The error of responses by which splits of a feature are compared, None if that is a criterion of classes."""
        if self.within is None:
            return "squared_error"
        loss = self.within.response_loss if isinstance(self.within, Criterion) else self.within
        return loss if isinstance(loss, str | ResponseLoss) else None

    @property
    def cut(self) -> Criterion:
        """The criterion that splits of one feature are compared by."""
        if self.within is None:
            return GINI
        if self.error is not None:
            rule, remedy = "a classification tree needs a criterion for classes", "grow a TreeRegressor"
            raise ValueError(complaint(rule, f"responses in calibrated({self.within!r})", remedy))
        return as_criterion(self.within)

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        return self.cut.score(t, m)

    def of_table(self, table: Table) -> Any:
        """The score of one split."""
        return self.cut(table)

    def tested(self, counts: Any, min_leaf: int = 1) -> SplitTail:
        """The surprise of the best cut of a feature with counts ``(r, k)`` in its order."""
        counts = counted(counts)
        check_total(counts, "divide the counts by a common factor")
        counts = counts[counts.any(axis=1)]
        if len(counts) < 2 or counts.any(axis=0).sum() < 2:
            return SplitTail(1.0, 0.0, "exact")
        how: dict[str, Any] = {"least": min_leaf, "draws": self.samples, "seed": self.seed, "limit": 10**7}
        law = split_law(counts.sum(axis=1), Labels.of_classes(counts.sum(axis=0)), **how)
        surprise = law.surprise(law.score(counts))
        return SplitTail(float(np.exp(-surprise)), surprise, law.method)

    @property
    def samples(self) -> int:
        """How many tables are drawn for a feature, where that does not depend on the number of features."""
        return self.draws or draws_for(10)

    def warn_of_few(self, columns: int) -> None:
        """Warn that there are fewer draws than comparing some columns needs."""
        if self.draws is not None and columns > 1 and self.draws < draws_for(columns):
            text = f"{self.draws} draws for {columns} features, which need {draws_for(columns)}: features with few"
            text += " values may be chosen less often by chance than others; pass draws=None for as many as are needed"
            warnings.warn(text, UserWarning, stacklevel=2)


def of_score(comparison: Calibrated) -> Criterion:
    """The criterion that compares columns so."""
    changed = [(f.name, value) for f in fields(comparison) if (value := getattr(comparison, f.name)) != f.default]
    text = ", ".join(repr(value) if name == "within" else f"{name}={value!r}" for name, value in changed)
    return Criterion(f"calibrated({text})", comparison, rows=2, scale=size_of_node, search=Search(tested=comparison),
                     of_table=Calibrated.of_table, remake=of_score)  # fmt: skip


def calibrated(
    impurity: Any = None, *, draws: int | None = None, seed: int = 0, weights: Weights = "counts"
) -> Criterion:  # fmt: skip
    """A criterion of trees that compares features fairly, however many splits each of them has.

    A node is split by the feature whose best split is the least to be expected by chance. In a node of n rows with
    centred responses y (of a class: its unit vector less the shares), a split that sends m rows left scores ::

        G = |sum_left y|^2 n (n - 1) / (m (n - m) sum |y|^2),

    and features are compared by ``h = -log P(G_best >= g)``, where ``G_best`` is the largest score that the feature has
    by a random order of the responses, and g the largest one that it has. Numbers, categories and missing values are
    compared alike. In the feature that is chosen, the split is the one that the impurity prefers.

    Parameters
    ----------
    impurity : Impurity, Criterion, ResponseLoss or str, optional
        What finds the split in the feature that is chosen: an impurity, or a criterion of two rows, by default that of
        Gini; of responses that are numbers ``"squared_error"``, which is the default, ``"absolute_error"``,
        ``"poisson"`` or a loss. Features are compared by G, whatever it is.
    draws : int, optional
        Random orders for each structure of a feature in a node. By default 40 for each of the features that are
        compared, from 100 to 2000: the law of a feature is then known from ranks up to where the best of them is by
        chance, and beyond the last 20 orders from the shape of its tail. With fewer, of which a fit warns, or more than
        50 features, the shape decides sooner: of responses with heavy tails or a rare class a feature of two values
        wins by chance as little as .6 of the times that it should.
    seed : int
        What the random orders depend on, with the structure of the feature and the totals of the node, and the choice
        among features that are equally surprising.
    weights : {"counts", "rows"}
        A row of weight w is w rows, or one with w times its response. Forests on bootstrap samples take ``"rows"``.
        In neither case are weights other than counts allowed. With ``"rows"``, h only compares features.

    Returns
    -------
    Criterion

    Raises
    ------
    TypeError, ValueError
        If splits cannot be compared by the first argument, or another is out of its range.

    See Also
    --------
    selected_pvalue : The p-value of the best threshold of one feature.
    sgini : A score that ignores the choice of the cut.

    Notes
    -----
    Trees are equal after rows, features or names of categories and classes are permuted, but for the numbers of
    features, and so are those of y and -y; a feature is chosen as its reverse would be. Stopping rules are those of the
    impurity: h decides which feature splits a node, never whether. Of two classes, or two values of a response, and
    numbers without missing values h is exact, ties counted half; elsewhere it is approximate beyond the last 20 draws.
    The largest score of a category is that of a prefix of its levels in order of the share of each class, observed and
    by chance: of three classes, or where a level is smaller than a leaf may be, another subset can score more. Columns
    of numbers of which fewer than one row in 50 shares its value with another count as having no such rows.

    Proved: null.score_of_fixed_split_has_mean_one

    References
    ----------
    loh1997 (selection without bias by tests of a table).

    Examples
    --------
    Labels depend on a column of two values, but by Gini a category of 60 levels, which is noise, splits the root:

    >>> import numpy as np
    >>> from splitcrit.trees.estimators.classifier import TreeClassifier
    >>> rng = np.random.default_rng(0)
    >>> x = np.column_stack([rng.integers(0, 60, 400), rng.integers(0, 2, 400), rng.normal(size=400)])
    >>> y = rng.random(400) < np.where(x[:, 1] == 1, 0.6, 0.4)
    >>> def root(criterion):
    ...     tree = TreeClassifier(criterion=criterion, max_depth=1, categorical_features=[0]).fit(x, y)
    ...     return tree.split_names_[tree.tree_.feature[0]][:2]
    >>> root("gini"), root(calibrated())
    ('x0', 'x1')
    """
    return of_score(Calibrated(impurity, draws, seed, weights))
