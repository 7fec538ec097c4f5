"""How surprising the Gini gain of a table is: minus the logarithm of its p-value, also where no float is so small.

Main definitions: ``gain_surprise``.
"""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from splitcrit.nulls.exact import exact_surprise
from splitcrit.nulls.gamma_tails import surprise
from splitcrit.nulls.margin_totals import compact
from splitcrit.nulls.pvalue import QUICK, gini_pvalue, pearson3_law
from splitcrit.nulls.standardisation import counted

SMALLEST = 1e-290  # p-values below it are compared by their logarithms


def gain_surprise(table: Any) -> float:
    """Return ``-log`` of the p-value of one table by ``method="auto"``, also where no float is so small.

    Examples
    --------
    >>> round(gain_surprise([[3, 0], [1, 6]]), 6)  # -log(1/30)
    3.401197
    """
    counts = counted(table)
    found = gini_pvalue(counts)
    if found.value > SMALLEST:
        return max(-log(found.value), 0.0)
    if found.method == "exact":
        return exact_surprise(compact(counts).tolist(), QUICK)
    z, skew, _ = pearson3_law(counts)
    shape = 4 / float(skew) ** 2
    return float(surprise(np.array([shape]), np.array([shape + 2 * float(z) / abs(float(skew))]))[0])
