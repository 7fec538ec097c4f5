"""Multiway trees and discretisation, which ``splitcrit.trees`` offers.

A node of a multiway tree branches on all values of a feature, or on the best of all clusterings of them. Discretisation
is by transformers: ChiMerge and gap clustering.

Main definitions: ``MultiwayTreeClassifier``; ``MultiwayTree`` (its nodes as arrays), ``grow_multiway``,
``MultiwayRules``; ``ChiMerge``, ``GapClustering``; ``clusterings`` (one feature in every number of clusters,
scored) and its ``Clusterings``. Source: wang2024, Algorithm 1 and Section 5.2.
"""
