"""Arithmetics in which one formula runs: floats, fractions, symbols, array libraries.

A formula is written once, as ``of(p, m)``, with ``p`` indexed by class first; ``m`` is the arithmetic.
``max`` and ``min`` reduce over the first axis of an array, or over a tuple of items.

Main definitions: ``Arithmetic`` (the operations), ``FLOAT`` (numpy arrays of any shape behind the
class axis), ``EXACT`` (``fractions.Fraction``; a formula that leaves the rationals raises ``Irrational``),
``ARRAY(xp)`` (the arrays of any library with the array API, on their device).
"""

from splitcrit.arith.array_libraries import (
    ARRAY,
    arithmetic_of,
    is_lazy,
    library,
    namespace,
    of_other_library,
    on_device_of,
)
from splitcrit.arith.base import Arithmetic, Irrational, shares, total
from splitcrit.arith.exact_numbers import EXACT, rational
from splitcrit.arith.floats import FLOAT

__all__ = ["arithmetic_of", "shares", "total"]
