"""``splitcrit rank`` of more rows than memory: parquet and Arrow files, counted batch by batch.

Main definitions: ``ranking``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from splitcrit.cli.scored import Ranked, Ranking, in_order, scored
from splitcrit.table import Tables
from splitcrit.table.levels import MISSING
from splitcrit.values import complaint


def ranking(path: Path, target: str, *, null: str, by: str, bins: int, drop: list[str]) -> Ranking:
    """Return the features of a file or a folder of files in order of what they tell about the target, best first.

    Raises
    ------
    OSError
        If a file cannot be read.
    ValueError
        If the target is absent, missing somewhere or has one class only, or a column cannot be counted.
    """
    try:
        with _bar() as watch:
            found = Tables.of(path, target, drop=drop, missing="row", bins=bins, watch=watch)
    except (TypeError, NotImplementedError) as error:
        raise ValueError(str(error)) from None
    classes = next((table.dropped().class_names for table in found.tables.values()), ())
    if len(classes) == 1:
        rule = "a ranking needs at least two classes"
        raise ValueError(complaint(rule, f"only {classes[0]!r} in {target!r}", "choose another target"))
    return Ranking(
        found.rows, tuple(in_order((_ranked(found, name, null) for name in found.tables), by)), found.left_out
    )


def _ranked(found: Tables, name: str, null: str) -> Ranked:
    table = found.tables[name].dropped()
    gap = table.row_names[-1] == MISSING
    missing = int(table.row_totals[-1]) if gap else 0
    bins = len(table.row_names) - gap if name in found.cuts else 0
    return scored(name, table, null, values=found.distinct[name], bins=bins, missing=missing,
                  sampled=name in found.sampled)  # fmt: skip


@contextmanager
def _bar() -> Iterator[Callable[[int, int | None], None] | None]:
    """Show how far a pass is, on a terminal and where rich is installed."""
    if not sys.stderr.isatty():
        yield None
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    except ModuleNotFoundError:
        yield None
        return
    shown = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*shown, console=Console(stderr=True), transient=True) as bar:
        at = bar.add_task("rows counted", total=None)
        before = 0

        def watch(rows: int, total: int | None) -> None:
            nonlocal before
            if rows < before:
                bar.reset(at, description="rows binned")
            before = rows
            bar.update(at, completed=rows, total=total)

        yield watch
