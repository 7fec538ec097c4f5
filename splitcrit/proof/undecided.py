"""What an arithmetic of proofs refuses: a comparison that it cannot settle, and numbers that have been rounded.

Main definitions: ``Undecided``, ``exact``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.frozen import complaint


class Undecided(ArithmeticError):
    """An arithmetic cannot say which way a comparison goes."""


def exact(value: Any) -> Any:
    """Return a value of an exact check; raise TypeError if it is a float, which has been rounded."""
    if isinstance(value, float | np.floating):
        remedy = "write constants as Fractions, and quotients as those of Fractions"
        raise TypeError(complaint("an exact check has exact values", f"the float {value}", remedy))
    return value
