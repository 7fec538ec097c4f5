"""Which classes the best split of a node sends left when every split is allowed.

Main definitions: ``optimal_vertex`` (a ``Vertex``: the best subset of classes, its value, its ties),
``vertex_landscape`` (a ``Landscape`` of all subsets, or of the best), ``fractional_optimum`` (the best split that may
divide classes, found numerically), ``near_ties`` (how many vertices are nearly balanced, by simulation).
Source: breiman1996.
"""

from splitcrit.vertices.fractional import FractionalSplit, fractional_optimum
from splitcrit.vertices.landscape import Landscape, vertex_landscape
from splitcrit.vertices.optimum import Vertex, optimal_vertex
from splitcrit.vertices.simulation import NearTies, near_ties

__all__ = ["fractional_optimum", "near_ties", "optimal_vertex", "vertex_landscape"]
