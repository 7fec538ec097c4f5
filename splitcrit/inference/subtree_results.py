"""What became of the splits of a tree that were tested: a record, as text, as a table and as a picture.

Main definitions: ``SignificantSubtree``; ``names_of``, the columns of a tree.
"""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from importlib import import_module
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import between
from splitcrit.display import html_table, summary
from splitcrit.frames import as_frame
from splitcrit.frozen import complaint
from splitcrit.inference.held_out import HeldOut
from splitcrit.inference.intervals import medians, simultaneous
from splitcrit.inference.structures import Structure
from splitcrit.inference.testing import NodeTests

Array = NDArray[Any]


@final
@dataclass(frozen=True, eq=False, repr=False)
class SignificantSubtree:
    """The splits of a tree that are significant, and what became of the others; it prints as a tree.

    Parameters
    ----------
    estimator : estimator
        The tree with these splits only; it predicts, plots and exports like the one that was grown, whose values,
        sizes and impurities its nodes still have.
    held : HeldOut
        The testing rows at the nodes of the tree that was grown.
    tests : NodeTests
        Level, p-value, verdict and reason of each of its nodes; the method of the p-value and its standard error.
    kept : int array
        Which of its nodes the nodes of ``estimator.tree_`` are.
    alpha : float

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from splitcrit.inference import significant_subtree
    >>> x, y = np.arange(80.0)[:, None], np.arange(80) >= 40
    >>> grown = DecisionTreeClassifier().fit(x[::2], y[::2])
    >>> print(significant_subtree(grown, x[1::2], y[1::2]))
    x0 <= 39: 40 rows, p = 1.45e-11 at level 0.05, kept
      20 rows, leaf
      20 rows, leaf
    """

    estimator: Any
    held: HeldOut
    tests: NodeTests
    kept: Array
    alpha: float

    @property
    def structure(self) -> Structure:
        """The tree that was grown."""
        return self.held.structure

    @property
    def sizes(self) -> Array:
        """How many of the testing rows reach each of its nodes."""
        return self.held.sizes

    @property
    def values(self) -> Array:
        """Their class counts ``(nodes, K)``, or their mean response ``(nodes, 1)``."""
        return self.held.values

    @property
    def classes(self) -> Array | None:
        """The classes, in the order of the counts; None where responses are numbers."""
        return self.held.classes

    def intervals(self, delta: float = 0.05) -> tuple[Array, Array]:
        """Return the ends of intervals that hold together in all nodes of the grown tree, whichever are kept.

        Of classes they are of their probabilities ``(nodes, K)``. Of responses they are of the median ``(nodes, 1)``,
        infinite where rows are too few: without a law of the responses nothing bounds a mean, which one rare and
        large response may move as far as it likes.

        Raises
        ------
        ValueError
            If delta is not in (0, 1).
        """
        error = float(between(delta, "delta", 0, 1, ends=False, example=0.05))
        if self.classes is not None:
            return simultaneous(self.values, error)
        return medians([self.held.responses[rows] for rows in self.held.rows], error)

    def conditions(self, feature_names: Any = None, digits: int = 4) -> list[str]:
        """Return what sends rows left at each node of the grown tree, "" at a leaf."""
        names, features = names_of(self.estimator, feature_names), self.estimator.n_features_in_
        subsets = [left for left, _ in self.estimator.sides_of(names)] if len(names) > features else []
        nodes = zip(self.structure.left, self.structure.feature, self.structure.threshold, strict=True)
        said = (subsets[f - features] if f >= features else f"{names[f]} <= {cut:.{digits}g}" for _, f, cut in nodes)
        return [condition if child >= 0 else "" for child, condition in zip(self.structure.left, said, strict=True)]

    def columns(self, feature_names: Any = None) -> dict[str, Any]:
        """Return the columns of ``to_frame``: lists and arrays with an entry for each node of the grown tree."""
        place = np.full(len(self.tests.p), -1)
        place[self.kept] = np.arange(len(self.kept))
        return {
            "node": np.arange(len(place)),
            "depth": self.structure.depth,
            "split": self.conditions(feature_names),
            "rows": self.sizes,
            "level": self.tests.level,
            "p": self.tests.p,
            "method": list(self.tests.method),
            "standard_error": self.tests.error,
            "verdict": list(self.tests.why),
            "kept_as": place,
        }

    def to_frame(self, feature_names: Any = None) -> Any:
        """Return a pandas data frame with a row for each node of the grown tree.

        Column ``kept_as`` is the node's number in ``estimator.tree_``, -1 if it is not there.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return as_frame(self.columns(feature_names), "install it, or read result.columns()")

    def plot(self, *, ax: Any = None) -> Any:
        """Draw the grown tree and what became of it, as ``splitcrit.plots.plot_significant_subtree`` does."""
        return import_module("splitcrit.plots.significant").plot_significant_subtree(self, ax=ax)

    def to_text(self, feature_names: Any = None) -> str:
        """Return what became of the nodes of the tree that was grown, a line for each, indented by depth."""
        splits, sizes, depth = self.conditions(feature_names), self.sizes, self.structure.depth
        lines, waiting = [], [0]
        while waiting:
            node = waiting.pop()
            level, p = self.tests.level[node], self.tests.p[node]
            said = "" if np.isnan(p) else f"p = {p:.3g} at level {level:.3g}, "
            split = f"{splits[node]}: " if splits[node] else ""
            rows = "1 row" if sizes[node] == 1 else f"{sizes[node]} rows"
            lines.append(f"{'  ' * depth[node]}{split}{rows}, {said}{self.tests.why[node]}")
            if split:
                waiting += [int(self.structure.right[node]), int(self.structure.left[node])]
        return "\n".join(lines)

    def __repr__(self) -> str:
        kept, tested = int(self.tests.rejected.sum()), int((self.structure.left >= 0).sum())
        return summary(self, splits=tested, kept=kept, alpha=self.alpha, rows=int(self.sizes[0]))

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        columns = self.columns()
        return html_table(list(columns), zip(*columns.values(), strict=True), notes=[f"alpha = {self.alpha:g}"])


def names_of(tree: Any, feature_names: Any = None) -> list[str]:
    """Return names for the columns that a fitted tree divides by.

    Raises
    ------
    TypeError, ValueError
        If names are passed that are no list, or not one for each feature.
    """
    if hasattr(tree, "names_of_columns"):  # ours: columns for subsets of categories stand behind the features
        return list(tree.names_of_columns(feature_names))
    if feature_names is None:
        return list(getattr(tree, "feature_names_in_", [f"x{i}" for i in range(tree.n_features_in_)]))
    if np.ndim(feature_names) != 1:
        rule, got = "names of features are a list of words", reprlib.repr(feature_names)
        raise TypeError(complaint(rule, got, "pass one for each feature"))
    if len(feature_names) != tree.n_features_in_:
        rule = f"{tree.n_features_in_} features have a name each"
        raise ValueError(complaint(rule, f"{len(feature_names)}", "pass one for each"))
    return [str(name) for name in feature_names]
