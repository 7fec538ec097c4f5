"""Measurements that are kept as CSV in docs/data, and shown as a table in a page.

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
END = "<!-- end of table -->\n"
Row = dict[str, str]


@dataclass(frozen=True)
class Report:
    """Rows with these fields, written by the script ``name`` (or another), and the page of docs that shows them."""

    name: str
    page_name: str
    fields: tuple[str, ...]
    script: str = ""

    @property
    def results(self) -> Path:
        """Where the rows are kept."""
        return stored(DOCS / "data" / f"{self.name}.csv")

    def text(self) -> str:
        """The rows that are kept, as CSV."""
        kept = self.results.read_bytes()
        return (gzip.decompress(kept) if self.results.suffix == ".gz" else kept).decode()

    @property
    def page(self) -> Path:
        """The page with the table."""
        return DOCS / self.page_name

    def written(self, rows: Iterable[Row]) -> str:
        """Return rows as CSV."""
        out = io.StringIO()
        writer = csv.DictWriter(out, self.fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return out.getvalue()

    def paged(self, page: str, found: str) -> str:
        """Return a page with its table replaced."""
        start = f"<!-- table: python reproductions/studies/{self.script or self.name}.py table -->\n"
        head, _, rest = page.partition(start)
        return head + start + "\n" + found + "\n" + END + rest.partition(END)[2]

    def main(self, results: Callable[[], Iterable[Row]], table: Callable[[list[Row]], str]) -> None:
        """Measure and write both files; with ``table`` on the command line write the table alone."""
        if "table" not in sys.argv[1:]:
            write_text(self.results, self.written(results()))
        self.show(table)

    def show(self, table: Callable[[list[Row]], str]) -> None:
        """Write the table of the rows that are kept into the page."""
        rows = list(csv.DictReader(self.text().splitlines()))
        write_text(self.page, self.paged(self.page.read_text(encoding="utf-8"), table(rows)))
