"""How much a split lowers an impurity, as a formula of the class counts of its rows.

Main definitions: ``Decrease``; ``ResponseDecrease`` (by a loss of responses).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from splitcrit.arith import Arithmetic, shares, total
from splitcrit.frozen import complaint
from splitcrit.impurities import Impurity
from splitcrit.losses import ResponseLoss


@dataclass(frozen=True)
class Decrease:
    """``phi(p) - sum_i (n_i / N) phi(p_i)``; 0 for a table without counts."""

    impurity: Impurity

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        of = self.impurity.of
        sizes = [total(row) for row in t]
        whole = total(sizes)
        below = total([n * of(shares(row, n, m), m) for row, n in zip(t, sizes, strict=True)])
        node = [total([row[k] for row in t]) for k in range(len(t[0]))]
        return (whole * of(shares(node, whole, m), m) - below) / m.where(whole == 0, 1, whole)


@dataclass(frozen=True)
class ResponseDecrease:
    """How much a split lowers the least mean loss of responses, for which the names of classes stand.

    Raises ValueError about a score of counts, which have no names.
    """

    loss: ResponseLoss

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        rule = f"{self.loss.name} scores tables whose classes are named by responses"
        remedy = f"pass Criterion.from_loss({self.loss.name}.of(values)), or grow a TreeRegressor"
        raise ValueError(complaint(rule, "counts without names", remedy))
