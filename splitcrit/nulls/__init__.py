"""The exact null law of the Gini gain, and what follows from it: standardised gains and p-values.

Main definitions: `gini_gain`, `gini_null` (its moments, `NullMoments`), `sgini`, `agini`, `significance`, `gini_pvalue`
(a `PValue`), `null_distribution`, `sgini_scan` (every threshold of a sorted feature), `selected_pvalue` (the
best); `best_subset_law` and `best_cut_law` (the best split of a column of any kind), and
`calibrated`, which compares columns by it; `null_moments` and `null_covariance` of any sum over cells;
`response_moments`, the law of a decrease of variance; `expected_excess_gain` of a partition, or of no split, in
boosting; `holm`, `benjamini_hochberg`, `benjamini_yekutieli` and `bonferroni`, which correct p-values for their number.
Source: wang2024.
"""

from typing import TYPE_CHECKING

from splitcrit.lazy import on_first_use

if TYPE_CHECKING:
    from splitcrit.nulls.best_split import BestSplitLaw, SplitTail, best_cut_law, best_subset_law
    from splitcrit.nulls.calibration import calibrated
    from splitcrit.nulls.chance_criteria import agini, sgini, significance
    from splitcrit.nulls.distribution import NullDistribution, null_distribution
    from splitcrit.nulls.excess_gain import ExcessGain, expected_excess_gain
    from splitcrit.nulls.multiple import benjamini_hochberg, benjamini_yekutieli, bonferroni, holm
    from splitcrit.nulls.null import NullMoments, gini_null
    from splitcrit.nulls.pvalue import PValue, gini_pvalue
    from splitcrit.nulls.response_law import response_moments
    from splitcrit.nulls.scan import sgini_scan
    from splitcrit.nulls.score_moments import null_covariance, null_moments
    from splitcrit.nulls.selected import SelectedPValue, selected_pvalue, selected_tail
    from splitcrit.nulls.standardisation import gini_gain

__all__ = [
    "NullMoments", "agini", "benjamini_hochberg", "benjamini_yekutieli", "best_cut_law", "best_subset_law",
    "bonferroni", "calibrated", "expected_excess_gain", "gini_gain", "gini_null", "gini_pvalue", "holm",
    "null_covariance", "null_distribution", "null_moments", "response_moments", "selected_pvalue", "selected_tail",
    "sgini", "sgini_scan", "significance",
]  # fmt: skip

__getattr__ = on_first_use(__name__)  # a score of tables needs no law of the best threshold
