"""How often does an audit let a split pass if no split tells anything? Designs that lead astray, 10,000 runs each.

``python reproductions/studies/audit_levels.py [RUNS]`` writes a line for each design: in how many runs some split
passes at a false discovery rate of .05; in how many one would if splits that cannot reject were left out of the
correction, which the labels decide; and the probability P of at least as many if the rate were .05. Its exit status is
1 if P of the first number is below .001 anywhere.

Labels are in random order among rows whose leaves are given, or rows and labels are independent draws; so every null
hypothesis is true. A chain sends away, split by split, a share of the rows that is just small enough to pass if the
splits below it are not counted: those that a rare label, once it is gone, leaves with one class.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import binom
from sklearn.ensemble import RandomForestClassifier

from splitcrit.audits import audit
from splitcrit.audits.models import FittedModel, FittedTree
from splitcrit.nulls.multiple import benjamini_yekutieli
from splitcrit.nulls.table_pvalues import CERTAIN, ROUNDING
from splitcrit.trees.tree_arrays import Structure

ALPHA, RUNS, LEAST = 0.05, 10_000, 0.001
ROWS, DRAWN, RARE = 200_000, 40_000, 0.3  # RARE: the mean number of rare labels among draws
Run = Callable[[np.random.Generator], tuple[bool, bool]]


class Tree(NamedTuple):
    """A tree, the leaves that have rows, and how many."""

    structure: Structure
    leaves: np.ndarray
    sizes: np.ndarray

    @property
    def ends(self) -> np.ndarray:
        """The leaf of each row."""
        return np.repeat(self.leaves, self.sizes)


def structure(left: np.ndarray) -> Structure:
    """A tree whose right children follow the left ones, by its left children."""
    right = np.where(left < 0, -1, left + 1)
    return Structure(left, right, np.where(left < 0, -1, 0), np.zeros(len(left)), np.zeros(len(left), dtype=bool))


def share(tested: int, alike: int = 1) -> float:
    """The largest p-value that passes if ``alike`` of that many splits have it, and the others 1."""
    return float(ALPHA * alike / (tested * (1 / np.arange(1, tested + 1)).sum()))


def chain(splits: int, copies: int = 1, slack: float = 1.0) -> Tree:
    """A chain whose split ``i`` sends away as many rows as let it pass if those below do not count."""
    left = np.full(2 * splits + 1, -1)
    left[::2][:splits] = 2 * np.arange(splits) + 1
    sizes = [0]
    for i in range(1, splits + 1):
        sizes.append(int((ROWS - sum(sizes)) * share(copies * i, copies) * slack))
    leaves = np.append(2 * np.arange(splits) + 1, 2 * splits)
    return Tree(structure(left), leaves, np.array([*sizes[1:], ROWS - sum(sizes)]))


def fork(splits: int) -> Tree:
    """A tree whose root has two equal chains below it, in which split ``i`` is number ``i + 1`` that counts."""
    first = np.array([1, 3, 5])  # the left children of the root and of the first split of either chain
    left = np.full(4 * splits + 3, -1)
    left[:3] = first
    left[np.arange(4, 4 * splits, 2)] = np.arange(7, 4 * splits + 3, 2)
    sizes, rest = [], ROWS // 2
    for i in range(1, splits + 1):
        sizes.append(int(rest * share(i + 1)))
        rest -= sizes[-1]
    leaves = np.append(np.arange(3, 4 * splits + 2, 2), [4 * splits, 4 * splits + 2])
    return Tree(structure(left), leaves, np.append(np.repeat(sizes, 2), [rest, rest]))


def model(tree: Tree, copies: int = 1) -> FittedModel:
    """A model of some copies of a tree, whose feature is the leaf itself."""
    trees = (FittedTree(tree.structure, np.zeros(len(tree.structure.left))),) * copies
    return FittedModel("made up", trees, ("x",), lambda leaves: [leaves[:, 0]] * copies, 2, np.arange(2))


def passes(fitted: Any, x: np.ndarray, labels: np.ndarray, rows: str = "held-out") -> tuple[bool, bool]:
    """Whether some split passes, and whether one would if those that cannot reject were left out."""
    report = audit(fitted, x, labels, rows)
    pvalues = report.splits.pvalue[report.splits.method != CERTAIN]
    left_out = len(pvalues) > 0 and min(benjamini_yekutieli(pvalues.tolist())) <= ALPHA * (1 + ROUNDING)
    return bool(report.passed.any()), bool(left_out)


def one_rare_label(tree: Tree, copies: int = 1) -> Run:
    """One label of the second class, in random order among rows whose leaves are given."""
    fitted, last = model(tree, copies), np.cumsum(tree.sizes)

    @cache
    def outcome_of(leaf: int) -> tuple[bool, bool]:
        labels = np.zeros(len(tree.ends), dtype=int)
        labels[last[leaf] - 1] = 1
        return passes(fitted, tree.ends[:, None], labels)

    return lambda rng: outcome_of(int(np.searchsorted(last, rng.integers(last[-1]), side="right")))


def independent_draws(tree: Tree) -> Run:
    """Rows are independent draws of a leaf and of a label, which is rare; drawn again if all are of one class."""
    fitted, shares = model(tree), tree.sizes / tree.sizes.sum()

    def run(rng: np.random.Generator) -> tuple[bool, bool]:
        rare, labels = 0, np.zeros(DRAWN, dtype=int)
        while not rare:
            rare = int(rng.binomial(DRAWN, RARE / DRAWN))
        labels[rng.choice(DRAWN, rare, replace=False)] = 1
        return passes(fitted, np.repeat(tree.leaves, rng.multinomial(DRAWN, shares))[:, None], labels)

    return run


def forests_of_noise(rng: np.random.Generator) -> tuple[bool, bool]:
    """Ten trees on noise, each held against the rows that it left out; their splits depend on the other rows."""
    x, labels = rng.normal(size=(40, 2)), rng.permutation(np.arange(40) < 4).astype(int)
    forest = RandomForestClassifier(10, max_depth=2, random_state=int(rng.integers(2**31)))
    return passes(forest.fit(x, labels), x, labels, "out-of-bag")


DESIGNS: dict[str, Run] = {
    "one rare label in a chain of 20 splits": one_rare_label(chain(20)),
    "one rare label in three equal chains of 60 splits": one_rare_label(chain(60, copies=3), 3),
    "one rare label in one of two chains of 100 splits": one_rare_label(fork(100)),
    "independent draws of leaves and of rare labels, a chain of 20 splits": independent_draws(chain(20, slack=0.9)),
    "forests of noise, four rare labels in 40, out-of-bag": forests_of_noise,
}


def counts(design: str, runs: int, seed: int = 0) -> tuple[int, int]:
    """In how many runs some split passes, and in how many one would with splits left out."""
    rng = np.random.default_rng(seed)
    now, left_out = np.sum([DESIGNS[design](rng) for _ in range(runs)], axis=0)
    return int(now), int(left_out)


def surprise(count: int, runs: int) -> float:
    """The probability of at least as many runs at a rate of .05."""
    return float(binom.sf(count - 1, runs, ALPHA))


def main(runs: int = RUNS) -> int:
    odd = 0
    for design in DESIGNS:
        now, left_out = counts(design, runs)
        counted, without = (f"{count}, P = {surprise(count, runs):.2g}" for count in (now, left_out))
        print(f"{design}: {counted}; with splits left out: {without}; of {runs} runs", flush=True)
        odd += surprise(now, runs) < LEAST
    return int(odd > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
