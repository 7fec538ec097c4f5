"""Discretisation, by transformers: ChiMerge, gap clustering, intervals of equal width or frequency.

Main definitions: ``ChiMerge``, ``GapClustering``, ``equal_width``, ``equal_frequency``; ``clusterings`` (one feature in
every number of clusters, scored) and its ``Clusterings``.
Source: wang2024, Algorithm 1 and Section 5.2.
"""

from splitcrit.frozen import extra

with extra(__name__):
    from splitcrit.discretize.binning import equal_frequency, equal_width
    from splitcrit.discretize.chimerge import ChiMerge
    from splitcrit.discretize.gaps import Clusterings, GapClustering, clusterings

__all__ = ["ChiMerge", "Clusterings", "GapClustering", "clusterings", "equal_frequency", "equal_width"]
