"""Statements of ghosh2017: decision trees under symmetric label noise.

Main results: ``splits`` (which criteria keep the order of splits), ``entropy_flip`` (entropy does not), ``leaves``
(majority labels), ``stopping`` (when a node becomes a leaf), ``samples`` (how many examples that takes).
Source: ghosh2017.
"""

from splitcrit.proofs.ghosh2017 import entropy_flip, splits

_TOPICS = (splits, entropy_flip)
THEOREMS = [theorem for topic in _TOPICS for theorem in topic.THEOREMS]
ERRATA = [erratum for topic in _TOPICS for erratum in topic.ERRATA]
