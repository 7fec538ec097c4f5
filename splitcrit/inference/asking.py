"""What trees of tested splits share: the parameters of the tests, the tree cut back to what they keep, and what they say.

Main definitions: ``Inference``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.growth import Grown
from splitcrit.growth.arrays import numbered
from splitcrit.growth.paths import Path
from splitcrit.inference.bonferroni import best_gain_pvalue
from splitcrit.inference.selective import NodeTest, Permuted, Tested, permutation_test, top_down
from splitcrit.inference.shown import as_text
from splitcrit.values import complaint

Array = NDArray[Any]
Test = Callable[[int, float], NodeTest]


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

    def export_text(self, *, feature_names: Any = None, decimals: int = 2) -> str:
        """Return the tree as text, with the p-value of each split, and of what was tested and not kept.

        Parameters
        ----------
        feature_names : sequence of str, optional
            ``feature_names_in_`` by default.
        decimals : int, default=2
            Of thresholds and responses.
        """
        return as_text(self, feature_names, decimals)

    def _cut(self, tested: Tested, permuted: Callable[[Path], Permuted], seed: int, classes: int = 0) -> Grown:
        """Return the tree of the splits that are kept, and keep what was said of each."""
        selective = self.test == "selective"
        if self.correction is not None and selective:
            rule = "a selective test is of the best split of all features, which needs no correction"
            raise ValueError(complaint(rule, f"correction={self.correction!r}", "leave it None, or pass test='node'"))
        said = self._spoken(self._test(tested, permuted, seed, classes))
        found = top_down(tested, said, lambda depth: self.alpha / 2**depth if selective else self.alpha)
        split = [each.node for each in found if each.verdict == "split"]
        inner = np.isin(np.arange(len(tested.tree.left)), split)
        kept = np.sort(np.concatenate([[0], tested.tree.left[inner], tested.tree.right[inner]]))
        self.verdicts_ = tuple(replace(each, node=int(np.searchsorted(kept, each.node))) for each in found)
        self.pvalues_ = np.full(len(kept), np.nan)
        for each in self.verdicts_:
            self.pvalues_[each.node] = each.pvalue
        return numbered(tested.tree, inner)

    def _test(self, tested: Tested, permuted: Callable[[Path], Permuted], seed: int, classes: int) -> Test:
        if self.correction == "bonferroni":
            return self._bonferroni(tested, classes)

        def by_permutations(node: int, level: float) -> NodeTest:
            path = permuted(tested.path(node, alone=self.test == "node"))
            return permutation_test(tested, node, level, path, self.n_permutations, self.max_exceedances, seed)

        return by_permutations

    def _bonferroni(self, tested: Tested, classes: int) -> Test:
        if classes != 2 or self.criterion != "gini" or np.isnan(tested.x).any():  # type: ignore[attr-defined]
            rule = "correction='bonferroni' is for two classes, criterion='gini' and features without gaps"
            got = f"{classes} classes" if classes else "responses that are numbers"
            got = f"criterion={self.criterion!r}" if classes == 2 else got  # type: ignore[attr-defined]
            raise ValueError(complaint(rule, got, "pass correction='permutation'"))
        tree, least = tested.tree, int(self.min_samples_leaf)  # type: ignore[attr-defined]

        def by_bound(node: int, level: float) -> NodeTest:
            x = tested.x[tested.rows[node]]
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
