"""Names of ``proofs/null/laws.py``, until their readers have moved."""

from splitcrit.proofs.null.laws import by_shape, lively, still, tables_of

__all__ = ["by_shape", "lively", "still", "tables_of"]
