"""Statements of ghosh2017: decision trees under symmetric label noise.

Main results: ``equations`` and ``splits`` (which criteria keep the order of splits), ``class_conditional`` (which need
no rates), ``entropy_flip`` (entropy keeps neither), ``leaves`` and ``leaf_samples`` (majority labels), ``forests``,
``stopping`` (when a node becomes a leaf), ``tails``, ``steps`` and ``samples`` (how many examples keep the order).
Source: ghosh2017.
"""
