"""The exact null law of the Gini gain, and what follows from it: standardised gains and p-values.

Main definitions: `gini_gain`, `gini_null` (its moments, `NullMoments`), `sgini`, `agini`, `significance`, `gini_pvalue`
(a `PValue`), `null_distribution`, `sgini_scan` (every threshold of a sorted feature), `selected_pvalue` and
`max_selected` (the best).
Source: wang2024.
"""

from splitcrit.moments.distribution import NullDistribution, null_distribution
from splitcrit.moments.null import NullMoments, gini_null
from splitcrit.moments.pvalue import PValue, gini_pvalue
from splitcrit.moments.scan import sgini_scan
from splitcrit.moments.searched import MaxSelected, max_selected
from splitcrit.moments.selected import SelectedPValue, selected_pvalue, selected_tail
from splitcrit.moments.standardised import gini_gain
from splitcrit.moments.values import agini, sgini, significance

__all__ = [
    "MaxSelected", "NullDistribution", "NullMoments", "PValue", "SelectedPValue", "agini", "gini_gain", "gini_null",
    "gini_pvalue", "max_selected", "null_distribution", "selected_pvalue", "selected_tail", "sgini",
    "sgini_scan", "significance",
]  # fmt: skip
