"""The printed cells of wang2024, as transcribed in ``docs/data`` of a checkout.

Main definitions: ``printed``.
"""

from __future__ import annotations

import csv
from pathlib import Path

FOLDER = Path(__file__).parents[3] / "docs" / "data"


def printed(table: int) -> list[dict[str, str]]:
    """Return the rows of a printed table; none where the package stands without its documentation."""
    path = FOLDER / f"wang2024_table{table}.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
