"""The compiled functions of each kind of criterion that is data; only those in use are compiled.

Main definitions: ``scorer``, ``functions``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from splitcrit.impurities.forms import (
    AGINI,
    AGINI_PERMUTED,
    CROSSINGS,
    DIFFERENCE,
    ERRORS,
    LEVEL,
    LOOKED_UP,
    POWER,
    RATIO,
    ROOT,
    SGINI,
    TAIL,
)
from splitcrit.search.records import Data, Orders, Scorer

FUNCTIONS = {
    **dict.fromkeys((RATIO, DIFFERENCE, ROOT), ("sums", "numbers_of_sums", "", "by_sums")),
    **dict.fromkeys((SGINI, AGINI, AGINI_PERMUTED), ("chance", "numbers_by_chance", "prepared", "by_chance")),
    TAIL: ("tails", "numbers_by_chance", "", "by_tails"),
    ERRORS: ("errors", "numbers_of_errors", "", "by_errors"),
    POWER: ("powers", "numbers_of_powers", "", "by_powers"),
    CROSSINGS: ("crossings", "numbers_of_crossings", "", "by_crossings"),
    LEVEL: ("levels", "numbers_of_levels", "", "by_levels"),
    LOOKED_UP: ("sides", "numbers_of_sides", "", "by_sides"),
}  # by kind: the module, its numbers of a node, what it prepares, and its scan


def scorer(data: Data, orders: Orders) -> Scorer:
    """Return a criterion as compiled loops over these orders take it."""
    return Scorer(data, *_addresses(data.kind, orders.orders.dtype, orders.columns.dtype))


def functions(kind: int) -> tuple[Any, Any, Any]:
    """Return the compiled functions of a kind: numbers of a node, what is prepared (None: nothing), and the scan."""
    module, *names = FUNCTIONS[kind]
    found = import_module(f"splitcrit.search.{module}_compiled")
    numbers, prepared, scan = (getattr(found, name, None) for name in names)
    return numbers, prepared, scan


@cache
def _addresses(kind: int, order: Any, column: Any) -> tuple[int, int, int]:
    from splitcrit.search.pointers import address

    numbers, prepared, scan = functions(kind)
    return (
        address(numbers, "numbers"),
        0 if prepared is None else address(prepared, "prepared"),
        address(scan, "scan", order, column),
    )
