"""How much a split lowers an impurity, as a formula of the class counts of its rows.

Main definitions: ``Decrease``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from splitcrit.arith import Arithmetic, shares, total
from splitcrit.impurities import Impurity


@dataclass(frozen=True)
class Decrease:
    """``phi(p) - sum_i (n_i / N) phi(p_i)``; 0 for a table without counts."""

    impurity: Impurity

    def __call__(self, t: Any, m: Arithmetic) -> Any:
        of = self.impurity.of
        sizes = [total(row) for row in t]
        whole = total(sizes)
        kept = total([n * of(shares(row, n, m), m) for row, n in zip(t, sizes, strict=True)])
        node = [total([row[k] for row in t]) for k in range(len(t[0]))]
        return (whole * of(shares(node, whole, m), m) - kept) / m.where(whole == 0, 1, whole)
