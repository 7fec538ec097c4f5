"""The experiments of ghosh2017: which learners survive wrong labels, and how many samples a tree then needs.

Main definitions: ``EXPERIMENTS`` (``table1``, ``figure1``, ``table2``, ``machines``,
``agreement``).
Source: ghosh2017, Section 4.
"""

from splitcrit.experiments.ghosh2017.agreement import AGREEMENT
from splitcrit.experiments.ghosh2017.machines import MACHINES
from splitcrit.experiments.ghosh2017.sizes import FIGURE1
from splitcrit.experiments.ghosh2017.tables import TABLE1, TABLE2

__all__ = ["EXPERIMENTS"]

EXPERIMENTS = (TABLE1, FIGURE1, TABLE2, MACHINES, AGREEMENT)
