"""The search of one column of a node, whatever the criterion: the best score, or the first place that reaches a floor.

Functions with the options ``BORROWING`` only borrow arrays and make none, so that numba need not count references to
them (``_nrt``): for small nodes that would take as long as the search.

Main definitions: ``searched``, ``BORROWING``.
"""

from __future__ import annotations

from typing import Any

import numba

from splitcrit.search.records import LOOKED_UP
from splitcrit.search.scans_compiled import by_table, scored

BORROWING: Any = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}


@numba.njit(**BORROWING)
def searched(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """Return the best raw score (``floor`` is infinite), or the first place whose raw score reaches ``floor``.

    ``segment``, ``node`` (``Totals``), ``data`` and ``scratch`` are the named tuples of ``records``.
    """
    order, column, start, stop, bits, least = segment
    if data.kind == LOOKED_UP:
        return by_table(order, column, start, stop, node.counts, data.sides, bits, least, floor)
    return scored(
        order, column, start, stop, node.counts, node.sums, data.steps, data.table, data.kind, bits, least,
        node.constants, data.power, floor, scratch.seen, scratch.behind,
    )  # fmt: skip
