"""What a ranking makes of the ugly files, beside what an earlier version made of them, and what the clean tables are.

``python -m tests.data.ugly_page`` ranks the files by this version and writes `docs/data/ugly_files.csv`; what the
earlier version made of them stays as it was written.

Main definitions: ``SHOWN`` (ten of the files), ``rows_now``, ``written``.
"""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path
from typing import Any

from splitcrit import rank_features
from tests.data.ugly_files import FILES, TARGET, Ugly, columns_and_target

ROOT = Path(__file__).parents[2]
WRITTEN = ROOT / "docs" / "data" / "ugly_files.csv"
HEAD = ("file", "column", "before", "now", "clean")
SHOWN = ("German export", "UTF-16, decimal commas, trailing tabs", "month first", "a unit behind a blank", "no header",
         "NULL, n/a, a dash and a point", "parentheses for a minus", "targets that are missing", "dollars",
         "commas between thousands")  # fmt: skip


def looked_at(ugly: Ugly) -> tuple[str, str]:
    """The label of a file, and the column that tells of it and is spelt in the oddest way: its days, or its number."""
    first, *_ = ugly.table.columns
    days = any(not text[:4].isdigit() for text in ugly.written.texts["day"] if text)
    name = "day" if days and all(map(is_number, ugly.written.texts[first])) else first
    return ugly.options.get("label", ugly.names.get(TARGET, TARGET)), ugly.names.get(name, name)


def is_number(text: str) -> bool:
    return text.replace(".", "").isdigit()


def answer(data: Any, label: Any, name: str) -> str:
    """The kind and the p-value of a column, or why there are none."""
    try:
        found = {str(f.name): f for f in rank_features(data, label).features}
    except ValueError as error:
        return f"{type(error).__name__}: {str(error).partition(';')[0].strip()}"
    return f"{found[name].kind}, p = {found[name].p:.2g}" if name in found else f"no column {name}"


def rows_now(names: Any, folder: Path) -> list[dict[str, str]]:
    """What this version makes of files, and of their clean tables, beside what was written of the earlier one."""
    before, rows = {row["file"]: row["before"] for row in written()}, []
    for place, name in enumerate(names):
        label, column = looked_at(FILES[name])
        (path := folder / f"{place}.csv").write_bytes(FILES[name].written.data)
        clean = answer(*columns_and_target(FILES[name].table, FILES[name].names), column)
        now = answer(path, label, column)
        rows.append(dict(zip(HEAD, (name, column, before[name], now, clean), strict=True)))
    return rows


def written() -> list[dict[str, str]]:
    """The rows as they were written."""
    with WRITTEN.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        ranked = rows_now(FILES, Path(scratch))
    with WRITTEN.open("w", encoding="utf-8", newline="") as page:
        table = csv.DictWriter(page, HEAD, lineterminator="\n")
        table.writeheader()
        table.writerows(ranked)
