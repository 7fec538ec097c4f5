"""Rankings of columns by p-values or by a dozen measures, and chance-corrected split criteria.

Main definitions: `rank_features` (a `Ranking` of `RankedFeature`), `Measure`, `MEASURES`; the criteria `standardised`
and `adjusted`; `gain_moments`, mean and variance of any gain by chance.
Source: wang2024, Sections 3 and 5.1.
"""

from splitcrit.importance.chance_moments import GainMoments, gain_moments
from splitcrit.importance.corrected_gains import adjusted, standardised
from splitcrit.importance.measures import MEASURES, Measure, measure_of
from splitcrit.importance.ranking import RankedFeature, Ranking, feature_tables, rank_features

__all__ = [
    "MEASURES", "GainMoments", "Measure", "RankedFeature", "Ranking", "adjusted", "feature_tables", "gain_moments",
    "measure_of", "rank_features", "standardised",
]  # fmt: skip
