"""The experiments of ghosh2017: which learners survive wrong labels, and how many samples a tree then needs.

Main definitions: ``EXPERIMENTS`` (``table1``, ``figure1``, ``table2``, ``machines``,
``agreement``).
Source: ghosh2017, Section 4.
"""

from .agreement import AGREEMENT
from .machines import MACHINES
from .sizes import FIGURE1
from .tables import TABLE1, TABLE2

__all__ = ["EXPERIMENTS"]

EXPERIMENTS = (TABLE1, FIGURE1, TABLE2, MACHINES, AGREEMENT)
