"""Multiway trees: a node branches on all values of a feature, or on the best of all clusterings of them.

Main definitions: ``MultiwayTreeClassifier``; ``MultiwayTree`` (its nodes as arrays), ``grow_multiway``,
``MultiwayRules``. Source: wang2024, Algorithm 1.
"""

from splitcrit.frozen import extra

with extra(__name__):
    from splitcrit.multiway.classifier import MultiwayTreeClassifier
    from splitcrit.multiway.multiway_source import grow_multiway
    from splitcrit.multiway.segments import MultiwayRules
    from splitcrit.multiway.tree import MultiwayTree

__all__ = ["MultiwayRules", "MultiwayTree", "MultiwayTreeClassifier", "grow_multiway"]
