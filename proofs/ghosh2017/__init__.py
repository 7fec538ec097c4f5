"""Statements of ghosh2017: decision trees under symmetric label noise.

Main results: ``equations`` and ``splits`` (which criteria keep the order of splits), ``class_conditional`` (which need
no rates), ``entropy_flip`` (entropy keeps neither), ``leaves`` and ``leaf_samples`` (majority labels), ``forests``,
``stopping`` (when a node becomes a leaf), ``tails``, ``steps`` and ``samples`` (how many examples keep the order).
Source: ghosh2017.
"""

from splitcrit.proofs.ghosh2017 import (
    class_conditional,
    entropy_flip,
    equations,
    forests,
    leaf_samples,
    leaves,
    samples,
    splits,
    steps,
    stopping,
    tails,
)

_TOPICS = (
    equations,
    splits,
    entropy_flip,
    leaves,
    stopping,
    class_conditional,
    leaf_samples,
    tails,
    steps,
    samples,
    forests,
)
THEOREMS = [theorem for topic in _TOPICS for theorem in topic.THEOREMS]
ERRATA = [erratum for topic in _TOPICS for erratum in topic.ERRATA]
