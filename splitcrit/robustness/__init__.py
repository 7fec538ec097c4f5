"""Label noise at finite samples: exact probabilities, the published bounds beside them, and corrections.

Main definitions: ``majority_failure``, ``samples_needed``; ``order_failure``; ``expected_gain``; ``corrected``,
``leaf_labels``, ``estimated_rates``; ``tolerance``, ``phase_diagram``; ``tree_agreement``.
"""

from splitcrit.robustness.agreement import TreeAgreement, tree_agreement
from splitcrit.robustness.expectation import ExpectedGain, expected_gain
from splitcrit.robustness.majority import majority_failure, majority_failure_by_example
from splitcrit.robustness.noise_corrections import (
    EstimatedRates,
    corrected,
    estimated_rates,
    leaf_labels,
    leaf_threshold,
)
from splitcrit.robustness.order import OrderFailure, order_failure
from splitcrit.robustness.phases import PhaseDiagram, phase_diagram, symmetric_flips
from splitcrit.robustness.published_bounds import MajorityBounds, majority_bounds
from splitcrit.robustness.sample_sizes import SamplesNeeded, samples_needed
from splitcrit.robustness.tolerances import Tolerance, tolerance

__all__ = [
    "corrected", "estimated_rates", "expected_gain", "leaf_labels", "majority_failure", "majority_failure_by_example",
    "order_failure", "phase_diagram", "samples_needed", "tolerance", "tree_agreement",
]  # fmt: skip
