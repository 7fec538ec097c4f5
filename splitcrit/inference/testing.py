"""The splits of one tree, tested from the root down on rows that did not grow it.

Main definitions: ``TreeTestPlan``, ``NodeTests``, ``node_tests``.
Main results: the levels of ``hierarchy`` meet the p-values of ``tables``. Which nodes can be tested, and their levels,
are decided by the numbers of rows on each side and of each class, before it is known how the labels fall; given those,
the p-value of a true null is still at most t with probability at most t.

Levels that go down a tree: which nodes may be tested, each at its level, so that one error rate holds for all.

Main definitions: ``shares_of``, ``levels``, ``rejects``, ``pvalues_down``.
Main results: the root is tested at level alpha; a node is tested only if all its ancestors were rejected, at its share
of the level of its parent; the shares of two siblings sum to at most 1. Then the probability of rejecting any true null
is at most alpha, whatever the dependence between the p-values. *Proof.* The first false rejection on its path from
the root is at a true null without an ancestor whose null is true. No two such nodes lie on one path, so that, by
induction from the leaves, their levels sum to at most alpha; and each is rejected with probability at most its level.
The truth of the nulls must not depend on the rows that test: the tree was grown on others. A share may depend on the
other rows, and in the region of the node on how many rows each side and each class has, because given those the
p-value of a true null is still at most t with probability at most t; not on how the labels fall.
Source: goeman2010 on sequential rejection, of which this is the case without recycling: the level of a rejected leaf,
and of a node that was not rejected, is not passed on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import between, generator, truth, whole
from splitcrit.inference.familywise import levels, pvalues_down, rejects, shares_of
from splitcrit.inference.held_out import HeldOut
from splitcrit.inference.table_pvalues import DRAWS, SplitPValue, enough, table_pvalue, variance_pvalue
from splitcrit.nulls.dichotomies import PARTS

Array = NDArray[Any]
MOST = 10**6  # random orders, unless said otherwise; below a level of 2e-6 exact tests alone can reject
HALF = "permutations={} or more, or None: half of a level is for random orders, half for exact tests"


@dataclass(frozen=True, eq=False)
class TreeTestPlan:
    """How the splits of a tree are tested; fixed before the rows that test it are seen.

    Parameters
    ----------
    alpha : float
        The probability of keeping any split whose null hypothesis is true.
    shares : {"halves", "testable", "rows"} or array (nodes,)
        The share of each node in the level of its parent; see ``shares_of``.
    nested : bool
        Whether the null hypothesis of a node is that the response is independent of the leaf, not only of the side.
    permutations : int or None
        Random orders for each test that is not exact; by default 20/level, a million at most.
    rng
        What ``numpy.random.default_rng`` takes.
    """

    alpha: float = 0.05
    shares: Any = "halves"
    nested: bool = False
    permutations: int | None = None
    rng: Any = None

    def __post_init__(self) -> None:
        between(self.alpha, "alpha", 0, 1, ends=False, example=0.05)
        truth(self.nested, "nested")
        if self.permutations is not None:
            whole(self.permutations, "permutations", 1, 2**31)


class NodeTests(NamedTuple):
    """What came of each node: arrays ``(nodes,)``, and words.

    ``level``, ``p`` and its standard ``error`` are nan, and ``method`` is empty, where there was no test; ``why`` says
    what decided.
    """

    level: Array
    p: Array
    rejected: Array
    why: tuple[str, ...]
    method: tuple[str, ...]
    error: Array


def node_tests(held: HeldOut, plan: TreeTestPlan) -> NodeTests:
    """Return what comes of each node of a tree."""
    obstacles = [held.obstacle(node) for node in range(len(held.rows))]
    testable = np.array([not found for found in obstacles])
    level = levels(held.structure, float(plan.alpha), shares_of(held.structure, plan.shares, held.sizes, testable))
    possible = testable & (level > 0)
    if plan.permutations is not None and possible.any() and not _is_two_by_two(held, plan):
        enough(plan.permutations, float(level[possible].min()) / PARTS, HALF)
    rng, done = generator(plan.rng), [SplitPValue(np.nan, "", np.nan)] * len(level)

    def pvalue(node: int) -> float:
        done[node] = SplitPValue(1.0, "cannot reject")
        if possible[node]:
            done[node] = _tested(held, node, float(level[node]), plan, rng)
        return done[node].p

    p = pvalues_down(held.structure, level, pvalue)
    rejected = rejects(p, level)
    why = tuple(map(partial(_why, rejected, p), range(len(p)), obstacles))
    level, error = np.where(np.isnan(p), np.nan, level), np.array([test.error for test in done])
    return NodeTests(level, p, rejected, why, tuple(test.method for test in done), error)


def _is_two_by_two(held: HeldOut, plan: TreeTestPlan) -> bool:
    """Return whether every test is that of a table of two sides and two classes, which no test draws."""
    return held.classes is not None and len(held.classes) == 2 and not plan.nested


def _tested(held: HeldOut, node: int, level: float, plan: TreeTestPlan, rng: np.random.Generator) -> SplitPValue:
    samples = plan.permutations or ceil(min(DRAWS / level, MOST))
    if held.classes is None:
        groups = held.groups(node, plan.nested)
        return variance_pvalue(groups, held.responses[held.rows[node]], samples, rng)
    return table_pvalue(held.table(node, plan.nested), samples, rng)


def _why(rejected: Array, p: Array, node: int, obstacle: str) -> str:
    """Return what decided about a node."""
    if obstacle == "leaf":
        return obstacle
    if np.isnan(p[node]):
        return "not tested: a split above it was not kept"
    return obstacle or ("kept" if rejected[node] else "not kept")
