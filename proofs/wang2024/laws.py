"""Names of ``proofs/null``, until their readers have moved."""

from splitcrit.proofs.null.laws import Counts, Totals, arrangements, gain, margins, sgini_squared, transposed
from splitcrit.proofs.null.logarithms import LOGS, Logs, signed

__all__ = [
    "LOGS", "Counts", "Logs", "Totals", "arrangements", "gain", "margins", "sgini_squared", "signed", "transposed",
]  # fmt: skip
