"""The names of ``proofs/null/laws.py``, until their readers have moved."""

from splitcrit.proofs.null.laws import (
    SQUARES as SQUARES,
)
from splitcrit.proofs.null.laws import (
    Counts as Counts,
)
from splitcrit.proofs.null.laws import (
    Margins as Margins,
)
from splitcrit.proofs.null.laws import (
    Totals as Totals,
)
from splitcrit.proofs.null.laws import (
    arrangements as arrangements,
)
from splitcrit.proofs.null.laws import (
    falling as falling,
)
from splitcrit.proofs.null.laws import (
    gain as gain,
)
from splitcrit.proofs.null.laws import (
    hypergeometric as hypergeometric,
)
from splitcrit.proofs.null.laws import (
    margins as margins,
)
from splitcrit.proofs.null.laws import (
    mean_of as mean_of,
)
from splitcrit.proofs.null.laws import (
    moment as moment,
)
from splitcrit.proofs.null.laws import (
    null as null,
)
from splitcrit.proofs.null.laws import (
    sgini_squared as sgini_squared,
)
from splitcrit.proofs.null.laws import (
    transposed as transposed,
)
from splitcrit.proofs.null.logarithms import (
    LOGS as LOGS,
)
from splitcrit.proofs.null.logarithms import (
    Logs as Logs,
)
from splitcrit.proofs.null.logarithms import (
    signed as signed,
)
