"""The experiments of yang2019: pairwise gain against Gini and information gain under wrong labels.

Main definitions: ``EXPERIMENTS`` (``table3``, ``sampled``, ``exchanged``, ``symmetric``, ``figure1``, ``figure2``,
``variants``).
Source: yang2019, Section VI.
"""

from .grids import (
    EXCHANGED,
    FIGURE1,
    FIGURE2,
    SAMPLED,
    SYMMETRIC_FORESTS,
    TABLE3,
    VARIANTS,
)  # fmt: skip

__all__ = ["EXPERIMENTS"]

EXPERIMENTS = (TABLE3, SAMPLED, EXCHANGED, SYMMETRIC_FORESTS, FIGURE1, FIGURE2, VARIANTS)
