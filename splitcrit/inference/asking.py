"""What trees of tested splits share: their parameters, the tests, and the tree cut back to what these keep.

Main definitions: ``Inference``; ``RULES``, what its parameters may be; ``comparable``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from splitcrit.arguments import between, whole
from splitcrit.criteria import Criterion
from splitcrit.growth import Grown
from splitcrit.growth.arrays import numbered
from splitcrit.growth.paths import Path
from splitcrit.inference.bonferroni import best_gain_pvalue
from splitcrit.inference.selective import NodeTest, Permuted, Trained, permutation_test, top_down
from splitcrit.inference.shown import as_text
from splitcrit.inference.subtrees import nodes_kept
from splitcrit.values import complaint

Array = NDArray[Any]
Test = Callable[[int, float], NodeTest]
RULES: dict[str, list[Any]] = {
    "alpha": [Real],
    "test": [{"selective", "node"}],
    "correction": [{"bonferroni", "permutation"}, None],
    "n_permutations": [Integral],
    "max_exceedances": [Integral, None],
    "verbose": ["verbose"],
}


class Inference:
    """A tree that tests its splits from the root down and keeps those that are rejected with all their ancestors."""

    alpha: float
    test: str
    correction: str | None
    n_permutations: int
    max_exceedances: int | None
    verbose: Any
    verdicts_: tuple[NodeTest, ...]
    pvalues_: Array

    def export_text(self, *, feature_names: Any = None, digits: int = 4) -> str:
        """Return the tree as text: what its tests promise, and the p-value of each split, kept or not.

        Parameters
        ----------
        feature_names : sequence of str, optional
            ``feature_names_in_`` by default.
        digits : int, default=4
            Of thresholds and responses.
        """
        check_is_fitted(self)
        return as_text(self, feature_names, whole(digits, "digits", 1, 17))

    def _check_tests(self, classes: int = 0) -> None:
        """Raise ValueError if the parameters of the tests are out of range or do not fit each other."""
        between(self.alpha, "alpha", 0, 1, ends=False, example=0.05)
        whole(self.n_permutations, "n_permutations", 1, 2**40)
        if self.max_exceedances is not None:
            whole(self.max_exceedances, "max_exceedances", 1)
        if self.correction is not None and self.test == "selective":
            rule = "a selective test is of the best split of all features, which needs no correction"
            raise ValueError(complaint(rule, f"correction={self.correction!r}", "leave it None, or pass test='node'"))
        if self.correction == "bonferroni" and (classes != 2 or self.criterion != "gini"):  # type: ignore[attr-defined]
            got = f"{classes or 'no'} classes and criterion={self.criterion!r}"  # type: ignore[attr-defined]
            rule = "correction='bonferroni' is for two classes and criterion='gini'"
            raise ValueError(complaint(rule, got, "pass correction='permutation'"))

    def _cut(self, trained: Trained, permuted: Callable[[Path], Permuted], seed: int) -> Grown:
        """Return the tree of the splits that are kept, and keep what was said of each."""
        selective = self.test == "selective"
        said = self._spoken(self._test(trained, permuted, seed))
        found = top_down(trained, said, lambda depth: self.alpha / 2**depth if selective else self.alpha)
        split = [each.node for each in found if each.verdict == "split"]
        inner = np.isin(np.arange(len(trained.tree.left)), split)
        kept = nodes_kept(trained.tree, inner)
        self.verdicts_ = tuple(replace(each, node=int(np.searchsorted(kept, each.node))) for each in found)
        self.pvalues_ = np.full(len(kept), np.nan)
        for each in self.verdicts_:
            self.pvalues_[each.node] = each.pvalue
        return numbered(trained.tree, inner)

    def _test(self, trained: Trained, permuted: Callable[[Path], Permuted], seed: int) -> Test:
        if self.correction == "bonferroni":
            return self._bonferroni(trained)

        def by_permutations(node: int, level: float) -> NodeTest:
            path = permuted(trained.path(node, alone=self.test == "node"))
            return permutation_test(trained, node, level, path, self.n_permutations, self.max_exceedances, seed)

        return by_permutations

    def _bonferroni(self, trained: Trained) -> Test:
        if np.isnan(trained.x).any():
            rule, remedy = "correction='bonferroni' is for features without gaps", "pass correction='permutation'"
            raise ValueError(complaint(rule, "nan", remedy))
        tree, least = trained.tree, int(self.min_samples_leaf)  # type: ignore[attr-defined]

        def by_bound(node: int, level: float) -> NodeTest:
            x = trained.x[trained.rows[node]]
            sides = (tuple(tree.weights[side[node]].astype(int).tolist()) for side in (tree.left, tree.right))
            p = best_gain_pvalue(*sides, int((x.min(axis=0) < x.max(axis=0)).sum()), least)
            verdict = "split" if p <= level else "not significant"
            return NodeTest(node, int(tree.depth[node]), level, p, float(tree.score[node]), verdict)

        return by_bound

    def _spoken(self, test: Test) -> Test:
        """Return a test that prints what it finds, if the estimator is verbose."""

        def spoken(node: int, level: float) -> NodeTest:
            found = test(node, level)
            if self.verbose:
                counts = f" ({found.kept} of {found.drawn} permutations kept)" * (found.drawn > 0)
                print(f"depth {found.depth}: p = {found.pvalue:.4g}{counts}, level {level:.4g}: {found.verdict}")
            return found

        return spoken


def comparable(criterion: Criterion) -> Criterion:
    """Return a criterion that compares features by its scores.

    Raises
    ------
    ValueError
        If it compares them by p-values.
    """
    if criterion.search.tested is not None:
        rule = "the best score of a tree of tested splits is one over all features"
        raise ValueError(complaint(rule, f"{criterion!r}, which compares features by p-values", "pass 'gini'"))
    return criterion
