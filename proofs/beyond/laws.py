"""Names of ``proofs/null/noisy.py``, until their readers have moved."""

from splitcrit.proofs.null.noisy import (
    Split,
    by_moments,
    expected_score,
    flips_by_number,
    keeps,
    nodes,
    noisy_positives,
    reorders,
    second_difference,
    splits,
    splits_of,
)  # fmt: skip

__all__ = [
    "Split", "by_moments", "expected_score", "flips_by_number", "keeps", "nodes", "noisy_positives", "reorders",
    "second_difference", "splits", "splits_of",
]  # fmt: skip
