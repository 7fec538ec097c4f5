"""Rankings of columns by p-values or by other measures, chance-corrected split criteria, scores of responses.

Main definitions: `rank_features` (a `Ranking` of `RankedFeature`), `MEASURES`; the criteria `standardised`
and `adjusted`; `log_rank`, `ranks`, `outputs` and `ordinal`, the scores of other responses.
Source: wang2024, Sections 3 and 5.1.
"""

from splitcrit.columns.corrected_gains import adjusted, standardised
from splitcrit.columns.measures import MEASURES
from splitcrit.columns.ranking import rank_features
from splitcrit.columns.ranking_results import RankedFeature, Ranking
from splitcrit.columns.response_scores import log_rank, ordinal, outputs, ranks

__all__ = [
    "MEASURES", "adjusted", "log_rank", "ordinal", "outputs", "rank_features", "ranks",
    "standardised",
]  # fmt: skip
