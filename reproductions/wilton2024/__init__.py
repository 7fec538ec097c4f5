"""The experiments of wilton2024: criteria that stop early, and whether they help trees against wrong labels.

Main definitions: ``EXPERIMENTS``.
Source: wilton2024, Experiments and Appendices J to M.
"""

from .claims import BUDGET, GCE
from .features import FEATURES
from .figure6 import FIGURE6, HALTED
from .released import FORESTS_PRINTED, TWOING
from .tables import FORESTS, TREES

__all__ = ["EXPERIMENTS"]

EXPERIMENTS = (TREES, FORESTS, FORESTS_PRINTED, TWOING, FIGURE6, HALTED, BUDGET, GCE, FEATURES)
