"""Names of ``proofs/null/noisy.py``, until their readers have moved."""

from splitcrit.proofs.null import noisy

Split = noisy.Split
by_moments, expected_score, flips_by_number = noisy.by_moments, noisy.expected_score, noisy.flips_by_number
keeps, nodes, noisy_positives, reorders = noisy.keeps, noisy.nodes, noisy.noisy_positives, noisy.reorders
second_difference, splits, splits_of = noisy.second_difference, noisy.splits, noisy.splits_of
