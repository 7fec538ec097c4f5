"""The tables and figures of wang2024, run again.

Main definitions: ``EXPERIMENTS``.
Source: wang2024.
"""

from splitcrit.experiments.wang2024 import bagged, design, null, tables, tendency

EXPERIMENTS = (*null.EXPERIMENTS, *tendency.EXPERIMENTS, *design.EXPERIMENTS, *bagged.EXPERIMENTS, *tables.EXPERIMENTS)

__all__ = ["EXPERIMENTS"]
