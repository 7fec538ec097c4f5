"""What trees of tested splits share: their parameters, the tests, and the tree cut back to what these keep.

Main definitions: ``Inference``; ``RULES``, what its parameters may be; ``comparable``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from splitcrit.arguments import between, whole
from splitcrit.criteria import Criterion
from splitcrit.estimators import sparse
from splitcrit.frozen import complaint
from splitcrit.growth import Growing, Grown
from splitcrit.growth.arrays import numbered
from splitcrit.growth.paths import Path
from splitcrit.inference.corrected import Corrected
from splitcrit.inference.held_out import counts_of
from splitcrit.inference.selective import NodeTest, Permuted, Trained, permutation_test, top_down
from splitcrit.inference.shown import as_text
from splitcrit.inference.subtrees import nodes_kept

Array = NDArray[Any]
Test = Callable[[int, float], NodeTest]
RULES: dict[str, list[Any]] = {
    "alpha": [Real],
    "test": [{"selective", "node"}],
    "correction": [{"bonferroni", "discrete", "westfall-young", "permutation"}, None],
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
    correction_: str | None
    categories_: Any
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

    def _check_tests(self, exact: bool, statistic: str | None) -> None:
        """Settle the correction, or raise ValueError if the parameters of the tests are out of range or do not fit.

        ``statistic`` is that of ``Corrected``, None where there is none; ``exact`` says whether its laws are.
        """
        between(self.alpha, "alpha", 0, 1, ends=False, example=0.05)
        whole(self.n_permutations, "n_permutations", 1, 2**40)
        if self.max_exceedances is not None:
            whole(self.max_exceedances, "max_exceedances", 1)
        given = self.correction
        if given is not None and self.test == "selective":
            rule = "a selective test is of the best split of all features, which needs no correction"
            raise ValueError(complaint(rule, f"correction={given!r}", "leave it None, or pass test='node'"))
        if given not in (None, "permutation") and statistic is None:
            rule = f"correction={given!r} is for criterion='gini', 'sgini' or 'squared_error'"
            got = f"criterion={self.criterion!r}"  # type: ignore[attr-defined]
            raise ValueError(complaint(rule, got, "pass correction='permutation'"))
        subsets = self.categories_ is not None
        if given not in (None, "permutation") and subsets:
            rule = f"correction={given!r} goes by the law of the best threshold, which the best subset does not have"
            raise ValueError(complaint(rule, "categorical features", "pass correction='permutation'"))
        best = "bonferroni" if exact and statistic is not None and not subsets else "permutation"
        self.correction_ = None if self.test == "selective" else given or best

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = False
        return tags

    def _read(self, X: Any, y: Any, *given: Any, **named: Any) -> tuple[Array, Array]:
        sparse.refuse(X)
        return super()._read(X, y, *given, **named)  # type: ignore[misc, no-any-return]

    def _counted(self, x: Array, y: Array, sample_weight: Any) -> tuple[Array, Array]:
        """Return the rows with each repeated as often as its weight says, which is a count."""
        if sample_weight is None:
            return x, y
        rows = np.repeat(np.arange(len(x)), counts_of(sample_weight, len(x)))
        return x[rows], y[rows]

    def _cut(
        self, trained: Trained, permuted: Callable[[Path], Permuted], growing: Growing, statistic: str | None
    ) -> Grown:
        """Return the tree of the splits that are kept, and keep what was said of each."""
        selective, test = self.test == "selective", self._test(trained, permuted, growing, statistic)
        found = top_down(trained, self._spoken(test), lambda depth: self.alpha / 2**depth if selective else self.alpha)
        split = [each.node for each in found if each.verdict == "split"]
        inner = np.isin(np.arange(len(trained.tree.left)), split)
        kept = nodes_kept(trained.tree, inner)
        self.verdicts_ = tuple(replace(each, node=int(np.searchsorted(kept, each.node))) for each in found)
        self.pvalues_ = np.full(len(kept), np.nan)
        for each in self.verdicts_:
            self.pvalues_[each.node] = each.pvalue
        return numbered(trained.tree, inner)

    def _test(
        self, trained: Trained, permuted: Callable[[Path], Permuted], growing: Growing, statistic: str | None
    ) -> Test:
        if self.correction_ not in (None, "permutation"):
            least, most = growing.stopping.min_samples_leaf, int(self.n_permutations)
            asked = Corrected(self.correction_, statistic, least, most, float(self.alpha))
            return partial(corrected_test, trained, asked, growing.seed)

        def by_permutations(node: int, level: float) -> NodeTest:
            path = permuted(trained.path(node, alone=self.test == "node"))
            return permutation_test(trained, node, level, path, self.n_permutations, self.max_exceedances, growing.seed)

        return by_permutations

    def _spoken(self, test: Test) -> Test:
        """Return a test that prints what it finds, if the estimator is verbose."""

        def spoken(node: int, level: float) -> NodeTest:
            found = test(node, level)
            if self.verbose:
                counts = f" ({found.kept} of {found.drawn} permutations kept)" * (found.drawn > 0)
                print(f"depth {found.depth}: p = {found.pvalue:.4g}{counts}, level {level:.4g}: {found.verdict}")
            return found

        return spoken


def corrected_test(trained: Trained, asked: Corrected, seed: int, node: int, level: float) -> NodeTest:
    """Return the test of a node by the p-value of the feature that it is split by."""
    tree, rng = trained.tree, np.random.default_rng([seed, node])
    p, drawn = asked.pvalue(trained.x, trained.y, trained.rows[node], int(tree.feature[node]), rng)
    verdict = "split" if p <= level else "not significant"
    return NodeTest(node, int(tree.depth[node]), level, p, float(tree.score[node]), verdict, drawn, drawn)


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
