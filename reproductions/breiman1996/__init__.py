"""The simulation of breiman1996, larger, its optimal splits at random nodes, and two levels at once, as it suggests.

Main definitions: ``EXPERIMENTS`` (``near_ties``, ``vertices``, ``two_levels``).
Source: breiman1996, Sections 2 to 4.
"""

from .near import NEAR_TIES
from .optima import VERTICES
from .two_levels import TWO_LEVELS

__all__ = ["EXPERIMENTS"]

EXPERIMENTS = (NEAR_TIES, VERTICES, TWO_LEVELS)
