"""A name of ``proofs/null/moments.py``, until its readers have moved."""

from splitcrit.proofs.null.moments import variance as in_factors

__all__ = ["in_factors"]
