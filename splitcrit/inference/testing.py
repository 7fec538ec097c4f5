"""The splits of one tree, tested from the root down on rows that did not grow it.

Main definitions: ``TreeTestPlan``, ``TreeTests``, ``node_tests``.
Main results: the levels of ``familywise`` meet the p-values of ``columns.column_tests``, of the side of a split as a
column. Which nodes can be tested, and their levels, are decided by the numbers of rows on each side and of each class,
before it is known how the labels fall; given those, the p-value of a true null is still at most t with probability at
most t. Where rows come in groups, labels move as ``nulls.groups`` says over the groups that have rows at a node.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, isnan
from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array, between, generator, truth, whole
from splitcrit.columns.column_tests import ColumnTest, LabelledRows, Question, column_test
from splitcrit.inference.familywise import levels, pvalues_down, rejects, shares_of
from splitcrit.inference.held_out import HeldOut
from splitcrit.nulls.evidence import SHARE
from splitcrit.nulls.groups import Dependence, TooFewArrangements
from splitcrit.nulls.table_pvalues import CERTAIN, DRAWS, enough

MOST = 10**6  # random orders, unless said otherwise; below a level of 1e-6 evidence alone can reject
CANNOT = ColumnTest(0.0, 0.0, 1.0, 0.0, CERTAIN)  # of a node whose labels are alike, or cannot move
REST = "permutations={} or more, or None: .95 of a level are for random orders, .05 for evidence"


@dataclass(frozen=True, eq=False)
class TreeTestPlan:
    """A plan to test the splits of a tree, fixed before the rows that test it are seen.

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
    among : Dependence, optional
        Groups and strata of the rows that test.
    """

    alpha: float = 0.05
    shares: Any = "halves"
    nested: bool = False
    permutations: int | None = None
    rng: Any = None
    among: Dependence | None = None

    def __post_init__(self) -> None:
        between(self.alpha, "alpha", 0, 1, ends=False, example=0.05)
        truth(self.nested, "nested")
        if self.permutations is not None:
            object.__setattr__(self, "permutations", whole(self.permutations, "permutations", 1, 2**31))


class TreeTests(NamedTuple):
    """The test of each node: arrays ``(nodes,)``, and words.

    ``level``, ``p`` and its standard ``error`` are nan, and ``method`` is empty, where there was no test; ``why`` says
    what decided.
    """

    level: Array
    p: Array
    rejected: Array
    why: tuple[str, ...]
    method: tuple[str, ...]
    error: Array


def node_tests(fresh: HeldOut, plan: TreeTestPlan) -> TreeTests:
    """Test the nodes of a tree from the root down, each at its level if its ancestors were all rejected."""
    obstacles = [fresh.obstacle(node) for node in range(len(fresh.rows))]
    testable = np.array([not obstacle for obstacle in obstacles])
    level = levels(fresh.structure, float(plan.alpha), shares_of(fresh.structure, plan.shares, fresh.sizes, testable))
    possible = testable & (level > 0)
    exact = fresh.classes is not None and len(fresh.classes) == 2 and not plan.nested  # tables of two sides and classes
    if plan.permutations is not None and possible.any() and not (exact and plan.among is None):
        enough(plan.permutations, float(level[possible].min()) * (1 - SHARE), REST)
    rng = generator(plan.rng)
    tests = dict[int, ColumnTest]()

    def pvalue(node: int) -> float:
        tests[node] = _test(fresh, node, plan, float(level[node]), rng) if possible[node] else CANNOT
        return tests[node].p

    p = pvalues_down(fresh.structure, level, pvalue)
    rejected = rejects(p, level)
    why = tuple(map(_why, obstacles, p.tolist(), rejected.tolist()))
    methods = tuple(tests[node].method if node in tests else "" for node in range(len(level)))
    error = np.array([tests[node].standard_error or 0.0 if node in tests else np.nan for node in range(len(level))])
    return TreeTests(np.where(np.isnan(p), np.nan, level), p, rejected, why, methods, error)


def _test(fresh: HeldOut, node: int, plan: TreeTestPlan, level: float, rng: np.random.Generator) -> ColumnTest:
    """The test of the side, or with ``plan.nested`` the leaf, as a column of the rows of a node.

    Responses stay as they are, whose variance the split is about; a cut of two classes is exact whatever their number.
    """
    here = fresh.responses[fresh.rows[node]]
    sides = fresh.sides(node, plan.nested)
    values = here[:, None] if fresh.classes is None else np.unique(here, return_inverse=True)[1]
    among = None if plan.among is None else plan.among.take(fresh.rows[node])
    try:
        rows, labels = LabelledRows(values, plain=False, among=among).observed(sides)
        sides = sides if rows is None else np.unique(sides[rows], return_inverse=True)[1]
        cut = sides.max() == 1 and (labels.target.two or labels.target.dependent is not None)
        question: Question = "cut" if cut else "table"
        draws = plan.permutations or ceil(min(DRAWS / level, MOST))
        how: dict[str, Any] = {"min_leaf": 0, "statistic": "gini", "draws": draws, "seed": int(rng.integers(2**32))}
        return column_test(labels.column(sides), labels.target, question=question, **how)
    except TooFewArrangements:
        return CANNOT


def _why(obstacle: str, p: float, rejected: bool) -> str:
    """Say what decided about a node."""
    if obstacle != "leaf" and isnan(p):
        return "not tested: a split above it was not kept"
    return obstacle or ("kept" if rejected else "not kept")
