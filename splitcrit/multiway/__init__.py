"""Many branches: trees that branch on the values or clusters of a feature, and transformers that find intervals.

Main definitions: ``MultiwayTreeClassifier``; ``MultiwayTree`` (its nodes as arrays), ``grow_multiway``,
``MultiwayRules``; ``ChiMerge``, ``GapClustering``; ``clusterings`` (one feature in every number of clusters, scored)
and its ``Clusterings``.
Source: wang2024, Algorithm 1 and Section 5.2.
"""

from splitcrit.frozen import extra

with extra(__name__):
    from splitcrit.multiway.classifier import MultiwayTreeClassifier
    from splitcrit.multiway.growing import MultiwayRules, grow_multiway
    from splitcrit.multiway.intervals import ChiMerge, Clusterings, GapClustering, clusterings
    from splitcrit.multiway.tree import MultiwayTree

__all__ = [
    "ChiMerge", "Clusterings", "GapClustering", "MultiwayRules", "MultiwayTree", "MultiwayTreeClassifier",
    "clusterings", "grow_multiway",
]  # fmt: skip
