"""What the statements share; it stands in ``splitcrit.proofs.given``."""

from splitcrit.proofs.given import (
    BERNOULLI,
    HALF,
    LOGARITHM,
    POWERS,
    Given,
    costs,
    majority_set,
    marked,
    names,
    on_simplex,
    simplex,
    tuned,
    unit,
)

__all__ = ["BERNOULLI", "HALF", "LOGARITHM", "POWERS", "Given", "costs", "majority_set", "marked", "names"]
__all__ += ["on_simplex", "simplex", "tuned", "unit"]
