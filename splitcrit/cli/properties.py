"""``splitcrit properties``: the row of the properties table for an impurity, a loss or a criterion in a user's file.

Main definitions: ``run``, ``value_of``. The file is the user's own code and is run, as Python runs what it imports.
"""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path
from typing import Any

from splitcrit.frozen import complaint
from splitcrit.proof.property_rows import PropertyRow, properties
from splitcrit.proofs.command import tell

RULE = "splitcrit properties takes FILE.py:NAME"


def value_of(text: str) -> Any:
    """The value that ``FILE.py:NAME`` names; the file is imported.

    Raises
    ------
    ValueError
        If there is no such file or name, or the file fails.
    """
    file, _, name = text.rpartition(":")
    path = Path(file)
    if not file.endswith(".py") or not name.isidentifier():
        raise ValueError(complaint(RULE, repr(text), "write it like mine.py:cubic"))
    if not path.is_file():
        raise ValueError(complaint(RULE, f"no file {file}", "check the path"))
    try:
        names = runpy.run_path(file, run_name=path.stem)
    except Exception as error:
        raise ValueError(complaint(RULE, f"{type(error).__name__}: {error} in {file}", "correct the file")) from error
    if name not in names:
        known = ", ".join(x for x in names if not x.startswith("_")) or "nothing"
        raise ValueError(complaint(RULE, f"no {name} in {file}", f"use one of {known}"))
    return names[name]


def as_json(row: PropertyRow) -> dict[str, Any]:
    """A row as plain data."""
    findings = [{part: value for part, value in vars(x).items() if part != "table"} for x in row.findings]
    return {"name": row.name, "findings": findings}


def run(args: argparse.Namespace) -> int:
    """Run ``splitcrit properties`` and return the exit status."""
    watch = (lambda words: print(words, file=sys.stderr)) if sys.stderr.isatty() else None
    row = properties(value_of(args.value), work=args.work, progress=watch)
    words = str(row)
    if args.explain:
        words = "\n".join(row.explain(name) for name in dict.fromkeys(x.property for x in row.findings))
    tell(args.json, lambda: as_json(row), words)
    return 0
