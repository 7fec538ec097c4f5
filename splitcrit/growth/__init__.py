"""Growing a tree: level by level, or in one compiled loop, and the plain recursion that both are compared with.

Main definitions: ``build`` (the reference), ``grow``, ``grow_regression``, ``purely_random``, ``Stopping`` (when a node
stays a leaf), ``LookAhead`` (how a split is chosen by those of the children).
"""

from __future__ import annotations

from splitcrit.growth.driver import grow
from splitcrit.growth.look_ahead import LookAhead
from splitcrit.growth.purely_random import purely_random
from splitcrit.growth.reference import build
from splitcrit.growth.regression import grow_regression
from splitcrit.growth.stopping import Stopping

__all__ = ["LookAhead", "Stopping", "build", "grow", "grow_regression", "purely_random"]
