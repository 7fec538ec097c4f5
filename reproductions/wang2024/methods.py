"""The criteria that are compared, and the trees they grow for every ``minnum`` from 1 to 20.

Main definitions: ``METHODS``, ``ABLATION``, ``NodeAIR``, ``NodePValue``, ``measured``, ``PROTOCOL``.
Source: wang2024, Sections 5.1 and 5.2.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from splitcrit.columns import adjusted
from splitcrit.criteria import decrease
from splitcrit.impurities import gini
from splitcrit.nulls import agini, gini_null, sgini, significance
from splitcrit.nulls.gamma_tails import surprise
from splitcrit.nulls.monte_carlo import random_tables
from splitcrit.trees import MultiwayTreeClassifier, accuracy, pure_accuracy
from splitcrit.trees.multiway.classifier import Unseen

from ..results import Row
from .samples import AS_TABLES, Choices, Sample

Array = NDArray[Any]
MINNUM = tuple(range(1, 21))
PERMUTATIONS = 100  # of PIMP
MIN_GAIN = None  # Algorithm 1 stops at pure and at small nodes only
PROTOCOL: tuple[tuple[str, Any], ...] = (
    ("minnum", "1 to 20, the smallest of those with the largest validation accuracy"),
    ("pimp permutations", PERMUTATIONS),
    ("air", "of Gini; every feature permuted once at every node"),
    ("least score of a split", "none"),
    ("d_num", "all features branch on their values"),
    ("unseen values", "nearest; of categorical features the largest child"),
    ("ties", "of features and of classes the first"),
    ("nodes per layer", "inner nodes over depth"),
)


@dataclass(frozen=True)
class NodeAIR:
    """Gini gain of each feature of a node, less that of the feature with its values permuted once.

    References
    ----------
    wang2024, eq. (27).
    """

    seed: int = 0

    def __call__(self, tables: Sequence[Array]) -> Array:
        """The scores of tables with the same class totals."""
        rows, starts = _stacked(tables)
        sizes, totals = rows.sum(axis=1), tables[0].sum(axis=0)
        labels = np.tile(np.repeat(np.arange(len(totals)), totals), (len(tables), 1))
        rng = np.random.default_rng([self.seed, zlib.crc32(np.ascontiguousarray(rows, dtype=np.int64).tobytes())])
        drawn = rng.permuted(labels, axis=1).ravel()
        cells = np.repeat(np.arange(len(rows)), sizes) * len(totals) + drawn
        permuted = np.bincount(cells, minlength=rows.size).reshape(rows.shape)
        apart = (rows**2 - permuted**2).sum(axis=1) / sizes
        return np.asarray(np.add.reduceat(apart, starts) / totals.sum())


def _margins(table: Array) -> tuple[list[int], list[int]]:
    """Row totals, and class totals, of a table."""
    return table.sum(axis=1).tolist(), table.sum(axis=0).tolist()


@dataclass(frozen=True)
class NodeLessMean:
    """Gini gain of each feature of a node, less its exact mean: AIR averaged over all orders of the labels."""

    def __call__(self, tables: Sequence[Array]) -> Array:
        """The scores of tables with the same class totals."""
        means = [gini_null(*_margins(np.asarray(table))).mean for table in tables]
        return np.array([float(decrease(gini)(table)) - mean for table, mean in zip(tables, means, strict=True)])


@dataclass(frozen=True)
class NodePIMP:
    """``-log p`` of each Gini gain, under the normal law fitted to the gains of permuted labels.

    The mean spread of all features is the least spread of each, as printed.

    References
    ----------
    wang2024, Section 5.1.2, after altmann2010.
    """

    permutations: int

    def __call__(self, tables: Sequence[Array]) -> Array:
        """The scores of tables with the same class totals; 0 where no order of the labels changes the gain."""
        drawn = [self._drawn(np.asarray(table)) for table in tables]
        least = float(np.mean([gains.std() for gains in drawn]))
        observed = [float(decrease(gini)(table)) for table in tables]
        each = zip(tables, observed, drawn, strict=True)
        return np.array([self._surprise(np.asarray(table), gain, gains, least) for table, gain, gains in each])

    def _drawn(self, table: Array) -> Array:
        """The gains of a table with its labels permuted; they depend on the table alone."""
        used = table[table.any(axis=1)][:, table.any(axis=0)]
        rng = np.random.default_rng([0, *used.shape, *used.ravel().tolist()])
        drawn = random_tables(used.sum(axis=1), used.sum(axis=0), self.permutations, "permutation", rng)
        return np.asarray(decrease(gini).of_floats(np.moveaxis(drawn, 0, -1).astype(float)))

    def _surprise(self, table: Array, gain: float, drawn: Array, least: float) -> float:
        if gini_null(*_margins(table)).variance == 0:
            return 0.0
        spread = max(float(drawn.std()), least)
        return float(-log_ndtr((float(drawn.mean()) - gain) / spread)) if spread else 0.0


@dataclass(frozen=True)
class NodePValue:
    """``-log`` of the p-value of each Gini gain, under the gamma law with its exact mean and variance by chance."""

    def __call__(self, tables: Sequence[Array]) -> Array:
        """The scores of tables with the same class totals; 0 where a gain is constant."""
        rows, starts = _stacked(tables)
        totals = tables[0].sum(axis=0)
        concentration = np.add.reduceat((rows**2).sum(axis=1) / rows.sum(axis=1), starts)
        gain = (concentration - (totals**2).sum() / totals.sum()) / totals.sum()
        laws = [gini_null(table.sum(axis=1), totals) for table in tables]
        mean, variance = (np.array([float(getattr(law, name)) for law in laws]) for name in ("mean", "variance"))
        rate = mean / np.where(variance > 0, variance, np.inf)
        return np.asarray(surprise(np.where(variance > 0, mean * rate, 1.0), np.maximum(gain, 0.0) * rate))


def _stacked(tables: Sequence[Array]) -> tuple[Array, Array]:
    """The rows of all tables, and where each table begins."""
    return np.concatenate(tables), np.append(0, np.cumsum([len(table) for table in tables[:-1]])).astype(np.int64)


METHODS: dict[str, Any] = {
    "Gini": decrease(gini),
    "AIR": NodeAIR(),
    "PIMP": NodePIMP(PERMUTATIONS),
    "delta g_e": significance,
    "AGini": agini,
    "SGini": sgini,
}
ABLATION: dict[str, Any] = {
    "Gini": decrease(gini),
    "Gini - E": NodeLessMean(),
    "adjusted": adjusted(gini),
    "SGini": sgini,
    "p-value": NodePValue(),
}


def measured(sample: Sample, criterion: Any, choices: Choices = AS_TABLES) -> Row:
    """What a tree reaches on the test rows; they are looked at when everything else is settled."""
    start = time.perf_counter()
    grown = fitted(sample, criterion, choices, sample.grow)
    seconds = time.perf_counter() - start
    trees = [grown.truncated(number) for number in MINNUM]
    at = chosen(sample, trees, choices)
    tree = trees[at]
    if choices.refit:
        whole = fitted(sample, criterion, choices, np.concatenate([sample.grow, sample.choose]))
        tree = whole.truncated(MINNUM[at])
    truth, guess = sample.y[sample.test], predicted(tree, sample.x[sample.test], choices)
    nodes = tree.tree_
    used = nodes.feature[nodes.inner]
    noise = float(np.mean(used >= sample.real)) if len(used) and sample.x.shape[1] > sample.real else None
    row: Row = {
        "accuracy": accuracy(truth, guess), "pure accuracy": pure_accuracy(truth, guess),
        "nodes per layer": tree.nodes_per_layer_, "all nodes per layer": len(nodes.inner) / (tree.get_depth() + 1),
        "depth": tree.get_depth(), "minnum": MINNUM[at], "noise ratio": noise, "fit seconds": round(seconds, 4),
    }  # fmt: skip
    if choices != AS_TABLES:
        return row
    each = (predicted(one, sample.x[sample.test], choices) for one in trees)
    return row | {f"accuracy at {n}": accuracy(truth, predicted) for n, predicted in zip(MINNUM, each, strict=True)}


def fitted(sample: Sample, criterion: Any, choices: Choices, rows: Array) -> MultiwayTreeClassifier:
    """The tree of some rows, for the smallest ``minnum``."""
    child: Unseen = "largest" if sample.categorical else "nearest"
    tree = MultiwayTreeClassifier(
        criterion=criterion, minnum=MINNUM[0], min_gain=choices.least_gain,
        categorical_features=np.ones(sample.x.shape[1], dtype=bool),
        unseen=child if choices.unseen == "child" else "stop",
    )  # fmt: skip
    return tree.fit(sample.x[rows], sample.y[rows])


def predicted(tree: MultiwayTreeClassifier, x: Array, choices: Choices) -> Array:
    """The classes of rows; -1, which is no class, where an unseen value counts as an error."""
    guess = tree.predict(x)
    return np.where(tree.tree_.inner[tree.apply(x)], -1, guess) if choices.unseen == "wrong" else guess


def chosen(sample: Sample, trees: Sequence[MultiwayTreeClassifier], choices: Choices) -> int:
    """The place of the tree that is best on the validation rows, of equal ones the first or the last."""
    truth, x = sample.y[sample.choose], sample.x[sample.choose]
    scores = np.array([accuracy(truth, predicted(tree, x, choices)) for tree in trees])
    return int(np.flatnonzero(scores == scores.max())[-1 if choices.largest else 0])
