"""What an arithmetic of proofs refuses: a comparison that it cannot settle, and numbers that have been rounded.

Main definitions: ``Undecided``, ``exact``, ``truth``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.frozen import complaint


class Undecided(BaseException):
    """An arithmetic cannot decide a comparison, or a formula asks for what it must not know of a term.

    It is no Exception: code that catches exceptions would take one of two branches in silence.
    """


def exact(value: Any) -> Any:
    """A value of an exact check; raise TypeError if it is a float, which has been rounded."""
    if isinstance(value, float | np.floating):
        remedy = "write constants as Fractions, and quotients as those of Fractions"
        raise TypeError(complaint("values in an exact check must be exact", f"the float {value}", remedy))
    return value


def truth(value: Any, what: str = "a conclusion") -> bool:
    """Whether an exact check holds; refuse other values than bool, since nearly all count as true."""
    if type(exact(value)) is not bool:
        rule = f"{what} must be true or false"
        remedy = "compare it with a number, or write all(...)"
        raise Undecided(complaint(rule, f"a value of type {type(value).__name__}", remedy))
    return bool(value)
