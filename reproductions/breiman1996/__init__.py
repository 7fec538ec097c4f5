"""The simulation of breiman1996, larger, its optimal splits at random nodes, and the look-ahead that it suggests.

Main definitions: ``EXPERIMENTS`` (``near_ties``, ``vertices``, ``look_ahead``).
Source: breiman1996, Sections 2 to 4.
"""

from .ahead import LOOK_AHEAD
from .near import NEAR_TIES
from .optima import VERTICES

__all__ = ["EXPERIMENTS"]

EXPERIMENTS = (NEAR_TIES, VERTICES, LOOK_AHEAD)
