"""The experiments of wilton2024: criteria that stop early, and whether they help trees against wrong labels.

Main definitions: ``EXPERIMENTS``.
Source: wilton2024, Experiments and Appendices J to M.
"""

from splitcrit.experiments.wilton2024.claims import BUDGET, GCE
from splitcrit.experiments.wilton2024.features import FEATURES
from splitcrit.experiments.wilton2024.figure6 import FIGURE6, HALTED
from splitcrit.experiments.wilton2024.released import FORESTS_PRINTED, TWOING
from splitcrit.experiments.wilton2024.tables import FORESTS, TREES

__all__ = ["EXPERIMENTS"]

EXPERIMENTS = (TREES, FORESTS, FORESTS_PRINTED, TWOING, FIGURE6, HALTED, BUDGET, GCE, FEATURES)
