"""Tests and intervals that hold their error rates: one p-value, the best of several, the nodes of a tree."""
