"""A criterion for searches: cuts of a feature are compared by their score, features by the p-value of their best cut.

Main definitions: ``max_selected``, its score ``MaxSelected``.
Main results: comparing features by the largest score favours those with many values, since they have more cuts;
comparing them by the p-value of the largest score does not.
Proved: null.selected_pvalue_is_uniform_on_its_values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import one_of, whole
from splitcrit.arith import Arithmetic
from splitcrit.criteria import Criterion, decrease, pairwise_gain
from splitcrit.criteria.library import size_of_node
from splitcrit.impurities import gini
from splitcrit.impurities.search_declaration import Search
from splitcrit.nulls.chance_criteria import sgini
from splitcrit.nulls.extremes import Statistic
from splitcrit.nulls.selected import SelectedPValue, selected_pvalue
from splitcrit.nulls.standardisation import counted
from splitcrit.table import Table

CUTS: dict[str, Criterion] = {"sgini": sgini, "gini": decrease(gini), "pairwise_gain": pairwise_gain}


@dataclass(frozen=True)
class MaxSelected:
    """The score of a cut by SGini or a Gini gain; ``tested`` gives the p-value that features are compared by.

    ``samples`` random tables are drawn where a node has more than two classes.
    """

    statistic: Statistic = "sgini"
    samples: int = 999
    seed: int = 0

    def __post_init__(self) -> None:
        one_of(self.statistic, tuple(CUTS), "a statistic")
        whole(self.samples, "samples", 1, 2**40)
        whole(self.seed, "seed", 0)

    @property
    def cut(self) -> Criterion:
        """The criterion that cuts of one feature are compared by."""
        return CUTS[self.statistic]

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        return self.cut.score(t, m)

    def of_table(self, table: Table) -> Any:
        """Return the score of one cut."""
        return self.cut(table)

    def tested(self, counts: Any, min_leaf: int = 1, *, mid: bool = True) -> SelectedPValue:
        """Return the p-value of the best cut of a feature with counts ``(r, k)`` in its order.

        For two classes it is the mid p-value, unless that is not wanted. A table has one p-value for a seed.
        """
        counts = counted(counts)
        two = int(counts.any(axis=0).sum()) <= 2
        rng = None if two else np.random.default_rng([self.seed, *counts.ravel().tolist()])
        chosen = {"statistic": self.statistic, "min_leaf": min_leaf, "samples": self.samples, "rng": rng}
        return selected_pvalue(counts, mid=mid and two, **chosen)  # type: ignore[arg-type]


def _max_selected(score: MaxSelected) -> Criterion:
    return Criterion("max_selected", score, rows=2, scale=size_of_node, search=Search(tested=score),
                     of_table=MaxSelected.of_table, remake=_max_selected)  # fmt: skip


#: Features compared by the p-value of their best cut, cuts of one feature by SGini.
#:
#: A criterion of trees for numeric features: a feature with many thresholds has no advantage. `calibrated` also serves
#: categories and missing values; `selected_pvalue` gives the p-value of one feature. References: `strobl2007`.
max_selected = _max_selected(MaxSelected())
