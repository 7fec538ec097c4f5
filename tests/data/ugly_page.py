"""What a ranking makes of the ugly files, beside what an earlier version made of them, and what the clean tables are.

``python -m tests.data.ugly_page OLD`` ranks the files by this version and by that of a checkout OLD, in a process of
its own, and writes `docs/data/ugly_files.csv`.

Main definitions: ``SHOWN`` (ten of the files), ``rows_now``, ``written``.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
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
OTHER = "import json, sys; from splitcrit import rank_features; from tests.data.ugly_page import answer; " \
    "print(json.dumps([answer(path, label, name) for path, label, name in json.load(sys.stdin)]))"  # fmt: skip


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
    except Exception as error:  # an earlier version may fail in any way
        return f"{type(error).__name__}: {str(error).partition(';')[0].strip()}"
    return f"{found[name].kind}, p = {found[name].p:.2g}" if name in found else f"no column {name}"


def rows_now(names: Any, folder: Path) -> list[dict[str, str]]:
    """What this version makes of files, and of their clean tables."""
    rows = []
    for place, name in enumerate(names):
        label, column = looked_at(FILES[name])
        (path := folder / f"{place}.csv").write_bytes(FILES[name].written.data)
        clean = answer(*columns_and_target(FILES[name].table, FILES[name].names), column)
        rows.append({"file": name, "column": column, "now": answer(path, label, column), "clean": clean})
    return rows


def written() -> list[dict[str, str]]:
    """The rows as they were written."""
    with WRITTEN.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main(old: str) -> None:
    """Write what both versions make of all files."""
    with tempfile.TemporaryDirectory() as folder:
        rows = rows_now(FILES, Path(folder))
        asked = [(f"{folder}/{i}.csv", *looked_at(ugly)) for i, ugly in enumerate(FILES.values())]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([old, str(ROOT)])}
        done = subprocess.run([sys.executable, "-c", OTHER], input=json.dumps(asked), env=environment, cwd=old,
                              capture_output=True, text=True, check=True)  # fmt: skip
    before = [text.replace(f"{folder}/", "") for text in json.loads(done.stdout)]
    with WRITTEN.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, HEAD, lineterminator="\n")
        table.writeheader()
        table.writerows({**row, "before": text} for row, text in zip(rows, before, strict=True))


if __name__ == "__main__":
    for given in sys.argv[1:]:
        main(given)
