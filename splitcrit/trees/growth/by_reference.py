"""Trees of classes grown by the reference builder: what has no machine code, and small trees, compiled or not.

Formulas that look at numbers and guarded ratios are searched here, node by node, with the rules and the draws of the
compiled loop; so is the formula that gave it no number, to say for which split.

Small trees are grown here too, so that nobody waits for a compiler, and without numba all trees. Work is counted, not
timed: steps of about a microsecond, from the sizes of the nodes. What a process has spent on small trees is added up,
and compiling begins when the sum reaches a quarter of what it costs. Both builders grow the same tree, bit for bit.

Main definitions: ``grown_by_reference``; ``grown_small``, ``budget``; ``builder_of`` and ``reference_of`` (the
reference builder with the rules and draws of the loops), ``LoopDraws``, ``NodeColumns``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from math import inf, log2

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import compiled_before, is_installed, say_uncompiled
from splitcrit.criteria import Criterion
from splitcrit.trees.growth.grown_tree import GrownTree, with_scores
from splitcrit.trees.growth.growth_options import GrowthOptions
from splitcrit.trees.growth.training import Training
from splitcrit.trees.growth.weights import scale_of
from splitcrit.trees.reference import Builder, ColumnDraws, Cuts, Draw, LeafRules, ReferenceNode
from splitcrit.trees.scan.random_keys import drawn_ranks, random_thresholds, side_keys
from splitcrit.trees.scan.ties_and_scores import own_impurity

COMPILING, LOADING = 3_400_000, 650_000  # steps: with nothing compiled, and with loops on disk to be loaded
LOOP = "splitcrit.trees.growth.grow_compiled"
_spent = [0.0]


def budget() -> float:
    """The steps that this process may still spend on small trees before it compiles, or loads, the loops.

    Without numba there is no limit; where numba must not compile, the loops are there to be stepped through.
    """
    if not is_installed("numba"):
        say_uncompiled()
        return inf
    if LOOP in sys.modules or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return 0.0
    return (LOADING if compiled_before() else COMPILING) / 4 - _spent[0]


def grown_small(
    x: Array, codes: Array, classes: int, criterion: Criterion, growing: GrowthOptions, weights: Array | None
) -> GrownTree | None:
    """The tree of a small training set, None where compiled loops are to grow it.

    These are trees that are too much work; that split by categories or compare features by their laws; with
    weights that are no integers, whose sums depend on their order; of formulas that minimise numerically; and of forms
    that a user declares, which the loops try against the formula.
    """
    if (most := budget()) <= 0 or growing.recoding is not None:
        return None
    search, rounded = criterion.search, weights is not None and not (weights == np.rint(weights)).all()
    unlike = rounded or search.error or (search.form is not None and search.tried)
    steps = expected_steps(len(x), x.shape[1], classes, growing.stopping.max_depth)
    if search.tested is not None or (unlike and most < inf) or steps > most:
        return None
    draws = LoopDraws(growing, classes, most)
    try:
        tree = GrownTree.of(reference_of(x, codes, classes, criterion, growing, weights=weights, draws=draws), x)
    except TooMuchWork:
        return None
    finally:
        _spent[0] += draws.steps
    return tree if criterion.impurity is None else replace(tree, impurity=own_impurity(criterion, tree.weights))


def reference_of(
    x: Array, codes: Array, classes: int, criterion: Criterion, growing: GrowthOptions = GrowthOptions(),  # noqa: B008
    *, weights: Array | None = None, draws: ColumnDraws | None = None,
) -> ReferenceNode:  # fmt: skip
    """The tree of the reference builder with the rules, draws and unit of weights of the compiled loops."""
    scale = scale_of(weights, criterion.degree)
    growing = replace(growing, stopping=scale.stopping(growing.stopping))
    heavy = None if weights is None else scale.weights(weights)
    root = builder_of(x, codes, classes, criterion, growing, heavy, draws).grown()
    for node in root.walk():
        node.weights, node.score = scale.restored(node.weights, node.score)
    return root


def grown_by_reference(training: Training, criterion: Criterion, growing: GrowthOptions) -> GrownTree:
    """The tree of a training set; splits by categories are splits by subsets."""
    builder = builder_of(training.x, training.y, training.classes, criterion, growing, training.weights)
    root, columns = builder.grown(), builder.prepared
    assert isinstance(columns, NodeColumns)
    if (recoding := growing.recoding) is not None:
        split = [node for node in root.walk() if node.left is not None and recoding.levels[node.feature]]
        for node in sorted(split, key=lambda node: node.depth):
            f, left, right, sides = node.feature, node.left, node.right, np.full(int(recoding.levels[node.feature]), -1)
            assert left is not None and right is not None
            sides[training.x[left.samples, f].astype(int)] = 0
            sides[training.x[right.samples, f].astype(int)] = 1
            others_left, method = left.weights.sum() > right.weights.sum(), columns.methods[node.number, f]
            node.feature, node.threshold = int(recoding.column(f, sides, others_left, method)[0]), 0.5
    return with_scores(GrownTree.of(root, training.x), criterion)


def builder_of(
    x: Array, codes: Array, classes: int, criterion: Criterion, growing: GrowthOptions, weights: Array | None = None,
    draws: ColumnDraws | None = None,
) -> Builder:  # fmt: skip
    """The reference builder of a training set, with the rules and draws of the compiled loops."""
    x, heavy, stopping = x + x.dtype.type(0), np.ones(len(codes)) if weights is None else weights, growing.stopping
    hot = (codes[:, None] == np.arange(classes)) * heavy[:, None]
    node_columns = NodeColumns(hot, criterion, growing)

    def pays(score: float, width: float, left: Array, right: Array) -> bool:
        one = np.array([score]), np.array([width]), left[None], right[None]
        return bool(stopping.splits(criterion, *one)[0])

    rules = LeafRules(*(getattr(stopping, rule.name) for rule in fields(LeafRules)))
    drawn = LoopDraws(growing, classes) if draws is None else draws
    if isinstance(drawn, LoopDraws):
        node_columns.keys = drawn.keys
    return Builder(x, hot, criterion, rules, drawn, pays=pays, prepared=node_columns)


@dataclass(eq=False)
class NodeColumns:
    """What the thresholds of a node are searched in: categories by their ranks; ``keys`` of the nodes by number.

    ``methods`` tell by node and column how categories were ranked.
    """

    hot: Array
    criterion: Criterion
    growing: GrowthOptions
    keys: Mapping[int, Array] = field(default_factory=dict)
    methods: dict[tuple[int, int], int] = field(default_factory=dict)

    def __call__(self, node: ReferenceNode, x: Array, drawn: Draw) -> tuple[Array, Draw]:
        """The columns of a node ``(n, d)``, and those that are searched."""
        recoding, hot = self.growing.recoding, self.hot[node.samples]
        if recoding is None:
            return x, drawn
        x, limits = x.copy(), self.growing.stopping.limits
        for f in {f for f, _ in drawn if recoding.levels[f]}:
            code, table = x[:, f].astype(int), np.zeros((1, int(recoding.levels[f]), hot.shape[1]))
            np.add.at(table[0], code, hot)
            sizes = np.bincount(code, minlength=table.shape[1])[None]
            if self.growing.random:
                ranked = recoding.at_random(f, table.sum(axis=2), self.keys[node.number][None])
            else:
                ranked = recoding.by_class(table, sizes, self.criterion, limits)
            x[:, f], self.methods[node.number, f] = ranked.ranks[0, code], int(ranked.method[0])
        return x, drawn


class TooMuchWork(Exception):
    """A tree takes more steps than it may."""


class LoopDraws:
    """What compiled loops draw at each node, for the reference builder; ``steps`` counts the work, up to ``most``."""

    def __init__(self, growing: GrowthOptions, classes: int, most: float = inf) -> None:
        self.growing, self.classes, self.most, self.steps = growing, classes, most, 0.0
        self.keys = {1: growing.root_key}  # of nodes by their numbers: a child's follows from its parent's and its side

    def __call__(self, number: int, x: Array) -> list[tuple[int, Cuts | None]]:
        """The columns that are tried at a node, in order, and their thresholds where these are drawn."""
        growing = self.growing
        self.steps += steps_of(len(x), growing.max_features or x.shape[1], self.classes)
        if self.steps > self.most:
            raise TooMuchWork
        if number > 1:
            self.keys[number] = side_keys(self.keys[number // 2][None])[number % 2][0]
        key, order = self.keys[number][None], np.arange(x.shape[1])
        if growing.max_features is not None:
            ranks = drawn_ranks(key, _constant(x)[None], growing.max_features, growing.least_varying)[0]
            order = np.argsort(ranks, kind="stable")[(ranks < 0).sum() :]
        if growing.random and growing.recoding is not None:
            x = x.copy()
            for f in growing.recoding.columns:  # a random cut is among the ranks of the categories that are there
                x[:, f] = np.unique(x[:, f], return_inverse=True)[1]
        cuts = _random_thresholds(key, x) if growing.random else [None] * x.shape[1]
        return [(int(f), cuts[f]) for f in order]


def _constant(x: Array) -> Array:
    """Tell which columns hold one value; a missing value is a value of its own."""
    return np.asarray([(column == column[0]).all() or np.isnan(column).all() for column in x.T])


def _random_thresholds(key: Array, x: Array) -> list[Cuts | None]:
    """The one random threshold of each column, none where it is constant, and the side of missing values."""
    ordered, lost = np.sort(x, axis=0), np.isnan(x)
    last = np.maximum((~lost).sum(axis=0) - 1, 0)
    low, high = ordered[:1], ordered[last, np.arange(x.shape[1])][None]
    cuts, goes = random_thresholds(key, low, high)
    varies = (low[0] < high[0]) | ((low[0] == high[0]) & lost.any(axis=0))
    return [(cuts[0, f : f + one], goes[0, f : f + one]) for f, one in enumerate(varies.astype(int))]


def steps_of(samples: float, features: int, classes: int) -> float:
    """The cost of splitting a node, in microseconds or so: calls of numpy a feature, samples a class."""
    return features * (40 + samples * (0.4 + 0.05 * classes))


def expected_steps(n: int, d: int, classes: int, max_depth: int | None) -> float:
    """About how many steps a tree takes that halves its nodes, down to the depth or to eight samples."""
    levels = min(max(log2(n / 8), 1), n if max_depth is None else max_depth)
    return sum(2.0**level * steps_of(n / 2.0**level, d, classes) for level in range(int(levels)))
