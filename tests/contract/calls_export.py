"""How to call the exact statistics for compiled code, from Python."""

from __future__ import annotations

from typing import Any

from contract.entries import Entry, classes_reversed, rows_reversed
from contract.roles import counts, totals
from splitcrit.export import compiled


def of_margins(function: Any) -> Entry:
    """A moment of two margins."""
    roles = {"rows": totals(), "columns": totals(2)}
    laws = {name: (classes_reversed,) for name in roles}
    return Entry(function, roles, needed=("rows", "columns"), laws=laws, rounds=2)


ENTRIES = {
    "export.compiled.mean": of_margins(compiled.mean),
    "export.compiled.variance": of_margins(compiled.variance),
    "export.compiled.third_moment": of_margins(compiled.third_moment),
    "export.compiled.sgini": Entry(
        compiled.sgini, {"table": counts()}, laws={"table": (rows_reversed, classes_reversed)}, rounds=2
    ),
    "export.compiled.scan": Entry(compiled.scan, {"table": counts()}, laws={"table": (classes_reversed,)}, rounds=2),
}
