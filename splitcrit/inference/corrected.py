"""The p-value of the feature that a node is split by, as if its labels had not chosen the node.

Main definitions: ``Corrected``.
Main results: the tree splits by the feature ``j`` of the best score, and ``p_j`` is the p-value of its best cut,
corrected as ``split_test`` corrects it. With Bonferroni, ``d p_j`` is at least ``d`` times the smallest p-value of any
feature, so that some feature on which the labels do not depend is named with a probability of at most the level,
however ``j`` is chosen.
Source: strobl2007 (the law of the best cut); westfall1993 (corrections).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import PATIENT
from splitcrit.criteria import Criterion
from splitcrit.estimators.names import criterion_of
from splitcrit.inference.corrections import bonferroni
from splitcrit.inference.nodes import split_test
from splitcrit.nulls.best_cut_pvalue import by_paths
from splitcrit.nulls.feature_counts import FeatureCounts

Array = NDArray[Any]
SCORED = ("gini", "sgini")  # criteria that are statistics of ``split_test``


class Corrected(NamedTuple):
    """How the p-value of a node's split is found and corrected: ``split_test`` says more.

    Parameters
    ----------
    correction : {"bonferroni", "discrete", "westfall-young"}
    statistic : {"gini", "sgini", "variance"}
        What scores cuts; the last of responses that are numbers.
    min_leaf : int
        The fewest rows on a side.
    permutations : int
        How many are drawn at most, where the law is not exact.
    alpha : float
        The level that they must be enough for.
    """

    correction: Any
    statistic: Any
    min_leaf: int
    permutations: int
    alpha: float

    def pvalue(self, x: Array, y: Array, rows: Array, feature: int, rng: np.random.Generator) -> tuple[float, int]:
        """Return the p-value of a feature of a node with some rows, corrected, and how many permutations were drawn.

        Raises
        ------
        ValueError
            If there are too few permutations for the level.

        Examples
        --------
        >>> x, y = np.array([[1, 5], [2, 3], [3, 9], [4, 1], [5, 2], [6, 4]]), np.array([0, 0, 0, 1, 1, 1])
        >>> asked = Corrected("bonferroni", "gini", min_leaf=1, permutations=99, alpha=0.05)
        >>> p, drawn = asked.pvalue(x, y, np.arange(6), 0, np.random.default_rng(0))
        >>> round(p, 12), drawn
        (0.2, 0)
        """
        numbers, labels = self.statistic == "variance", y[rows]
        if not numbers and self.correction == "bonferroni" and np.bincount(labels).astype(bool).sum() == 2:
            found = counts_by_value(x[rows, feature], labels)
            own = by_paths(found, self.min_leaf, self.statistic, "lattice", False, PATIENT)  # no other feature is asked
            return bonferroni(float(own), x.shape[1]), 0
        tested = split_test(
            x[rows], labels, correction=self.correction, statistic="gini" if numbers else self.statistic,
            response="numbers" if numbers else "classes", min_samples_leaf=self.min_leaf,
            n_permutations=self.permutations, alpha=self.alpha, random_state=rng,
        )  # fmt: skip
        return tested.features[feature].adjusted, tested.permutations


def counts_by_value(column: Array, labels: Array) -> FeatureCounts:
    """Return how many rows with each value have each of the two labels that occur, those without a value last.

    Examples
    --------
    >>> counts_by_value(np.array([2.0, 1.0, np.nan, 1.0]), np.array([0, 1, 1, 0]))
    FeatureCounts(counts=array([[1, 1],
           [1, 0],
           [0, 1]]), sizes=array([2, 1, 1]), gaps=True)
    """
    order = np.argsort(column, kind="stable")
    ranked = column[order]
    gaps = bool(np.isnan(ranked[-1]))
    changes = (ranked[1:] > ranked[:-1]) | (np.isnan(ranked[1:]) & ~np.isnan(ranked[:-1]))
    codes = np.concatenate([[0], np.cumsum(changes)])
    counts = np.bincount(2 * codes + (labels[order] == labels.max()), minlength=2 * int(codes[-1]) + 2).reshape(-1, 2)
    return FeatureCounts(counts, counts.sum(axis=1), gaps)


def statistic_of(criterion: Criterion, classes: int) -> str | None:
    """Return the name of the statistic of ``split_test`` that a criterion is, None if it is none.

    Examples
    --------
    >>> [statistic_of(criterion_of(name, 3), 3) for name in ("sgini", "entropy")]
    ['sgini', None]
    """
    return next((name for name in SCORED if criterion == criterion_of(name, classes)), None)
