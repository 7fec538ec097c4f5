"""Trees of classes grown by the reference builder: small ones, so that nobody waits for a compiler; all without numba.

The reference builder needs no compiler; the compiled loops are faster once they are there. Work is counted, not timed:
steps of about a microsecond, from the sizes of the nodes. What a process has spent on small trees is added up, and
compiling begins when the sum reaches a quarter of what it costs. Both builders grow the same tree, bit for bit.

Main definitions: ``grown_small``, ``budget``.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from math import inf, log2

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import compiled_before, numba_is_installed, say_uncompiled
from splitcrit.criteria import Criterion
from splitcrit.growth.grown_tree import GrownTree
from splitcrit.growth.growth_options import GrowthOptions
from splitcrit.search.ties_and_scores import own_impurity
from splitcrit.trees.reference import Builder, steps_of

COMPILING, LOADING = 3_400_000, 650_000  # steps: with nothing compiled, and with loops on disk to be loaded
LOOP = "splitcrit.growth.grow_compiled"
_spent = [0.0]


def budget() -> float:
    """Return the steps that this process may still spend on small trees before it compiles, or loads, the loops.

    Without numba there is no limit; where numba must not compile, the loops are there to be stepped through.
    """
    if not numba_is_installed():
        say_uncompiled(False)
        return inf
    if LOOP in sys.modules or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return 0.0
    return (LOADING if compiled_before() else COMPILING) / 4 - _spent[0]


def grown_small(
    x: Array, codes: Array, classes: int, criterion: Criterion, growing: GrowthOptions, weights: Array | None
) -> GrownTree | None:
    """Return the tree of a small training set, None where compiled loops are to grow it.

    These are trees that are too much work; that look ahead, split by categories or compare features by p-values; with
    weights that are no integers, whose sums depend on their order; of formulas that minimise numerically; and of forms
    that a user declares, which the loops try against the formula.
    """
    if (most := budget()) <= 0 or growing.recoding is not None or growing.looks_ahead or growing.by_level:
        return None
    search, rounded = criterion.search, weights is not None and not (weights == np.rint(weights)).all()
    unlike = rounded or search.tested is not None or search.error or (search.form is not None and search.tried)
    if unlike and most < inf:
        return None
    if expected_steps(len(x), x.shape[1], classes, growing.stopping.max_depth) > most:
        return None
    builder = Builder.of(x, codes, classes, criterion, growing, weights)
    root = builder.grown(most)
    _spent[0] += builder.steps
    if root is None:
        return None
    tree = GrownTree.of(root)
    return tree if criterion.impurity is None else replace(tree, impurity=own_impurity(criterion, tree.weights))


def expected_steps(n: int, d: int, classes: int, max_depth: int | None) -> float:
    """Return about how many steps a tree takes that halves its nodes, down to the depth or to eight samples."""
    levels = min(max(log2(n / 8), 1), n if max_depth is None else max_depth)
    return sum(2.0**level * steps_of(n / 2.0**level, d, classes) for level in range(int(levels)))
