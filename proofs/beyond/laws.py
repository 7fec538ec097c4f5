"""The names of ``proofs/null/noisy.py``, until its readers have moved."""

from splitcrit.proofs.null.noisy import (
    Split as Split,
)
from splitcrit.proofs.null.noisy import (
    by_moments as by_moments,
)
from splitcrit.proofs.null.noisy import (
    expected_score as expected_score,
)
from splitcrit.proofs.null.noisy import (
    flips_by_number as flips_by_number,
)
from splitcrit.proofs.null.noisy import (
    keeps as keeps,
)
from splitcrit.proofs.null.noisy import (
    nodes as nodes,
)
from splitcrit.proofs.null.noisy import (
    noisy_positives as noisy_positives,
)
from splitcrit.proofs.null.noisy import (
    reorders as reorders,
)
from splitcrit.proofs.null.noisy import (
    splits as splits,
)
from splitcrit.proofs.null.noisy import (
    splits_of as splits_of,
)
