"""The printed numbers of the papers, one CSV file a table.

``reproductions/data`` is a symbolic link to ``docs/data``.

Main definitions: ``printed``.
"""

from __future__ import annotations

import csv
from importlib.resources import files


def printed(name: str) -> list[dict[str, str]]:
    """The rows of the printed table ``name``, such as ``"ghosh2017_table1"``, cells as text."""
    with (files(__package__) / "data" / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))
