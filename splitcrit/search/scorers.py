"""The compiled functions of each kind of criterion that is data; only those in use are compiled.

Main definitions: ``scorer``, ``functions``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from splitcrit.impurities.search_declaration import (
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
    STANDARDISED,
    TAIL,
    TAPED,
)
from splitcrit.search.records import CompiledCriterion, Data, Orders


def scorer(data: Data, orders: Orders) -> CompiledCriterion:
    """Return a criterion as compiled loops over these orders take it."""
    return CompiledCriterion(data, *_addresses(data.kind, orders.orders.dtype, orders.columns.dtype))


def functions(kind: int) -> tuple[Any, Any, Any]:
    """Return the compiled functions of a kind: numbers of a node, what is prepared (None: nothing), and the scan."""
    if kind in (RATIO, DIFFERENCE, ROOT):
        from splitcrit.search import scan_sums as sums

        return sums.numbers_of_sums, None, sums.by_sums
    if kind in (SGINI, AGINI, AGINI_PERMUTED):
        from splitcrit.search import scan_sgini as chance

        return chance.numbers_by_chance, chance.prepared, chance.by_chance
    if kind == STANDARDISED:
        from splitcrit.search import scan_standardised as standardised

        return standardised.numbers_of_standardised, standardised.prepared, standardised.by_standardised
    if kind == TAIL:
        from splitcrit.search import scan_pvalues as tails

        return tails.numbers_by_chance, None, tails.by_tails
    if kind == ERRORS:
        from splitcrit.search import scan_errors as errors

        return errors.numbers_of_errors, None, errors.by_errors
    if kind == POWER:
        from splitcrit.search import scan_powers as powers

        return powers.numbers_of_powers, None, powers.by_powers
    if kind == CROSSINGS:
        from splitcrit.search import scan_differences as crossings

        return crossings.numbers_of_crossings, None, crossings.by_crossings
    if kind == LEVEL:
        from splitcrit.search import scan_credal as levels

        return levels.numbers_of_levels, None, levels.by_levels
    if kind == TAPED:
        from splitcrit.search import scan_tapes as taped

        return taped.numbers_of_taped, None, taped.by_taped
    assert kind == LOOKED_UP
    from splitcrit.search import scan_lookup as sides

    return sides.numbers_of_sides, None, sides.by_sides


@cache
def _addresses(kind: int, order: Any, column: Any) -> tuple[int, int, int]:
    from splitcrit.search.pointers import address

    numbers, prepared, scan = functions(kind)
    return (
        address(numbers, "numbers"),
        0 if prepared is None else address(prepared, "prepared"),
        address(scan, "scan", order, column),
    )
