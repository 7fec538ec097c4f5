"""Measurements that are kept as CSV in docs/data; the directive ``study`` shows their table in a page of docs.

Main definitions: ``Report``.
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from reproductions.results import stored
from splitcrit.atomic_files import write_text

DOCS = Path(__file__).parents[2] / "docs"
Row = dict[str, str]


@dataclass(frozen=True)
class Report:
    """Rows with these fields, which are kept under a name."""

    name: str
    fields: tuple[str, ...]

    @property
    def results(self) -> Path:
        """Where the rows are kept."""
        return stored(DOCS / "data" / f"{self.name}.csv")

    def text(self) -> str:
        """The rows that are kept, as CSV."""
        content = self.results.read_bytes()
        return (gzip.decompress(content) if self.results.suffix == ".gz" else content).decode()

    def rows(self) -> list[Row]:
        """The rows that are kept."""
        return list(csv.DictReader(self.text().splitlines()))

    def written(self, rows: Iterable[Row]) -> str:
        """Rows as CSV."""
        out = io.StringIO()
        writer = csv.DictWriter(out, self.fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return out.getvalue()

    def main(self, results: Callable[[], Iterable[Row]], table: Callable[[list[Row]], str]) -> None:
        """Measure, write the rows and print their table; with ``table`` on the command line print it alone."""
        if "table" not in sys.argv[1:]:
            write_text(self.results, self.written(results()))
        print(table(self.rows()))
