"""The tables and figures of wang2024, run again.

Main definitions: ``EXPERIMENTS``.
Source: wang2024.
"""

from . import bagged, design, null, shapes, tables, tendency

EXPERIMENTS = tuple(one for module in (null, tendency, shapes, design, bagged, tables) for one in module.EXPERIMENTS)

__all__ = ["EXPERIMENTS"]
