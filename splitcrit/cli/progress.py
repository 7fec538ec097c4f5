"""How far a command is, on a terminal.

Main definition: ``rows_counted``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager


@contextmanager
def rows_counted() -> Iterator[Callable[[int, int | None], None] | None]:
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
    with ExitStack() as stack:
        bar = Progress(*shown, console=Console(stderr=True), transient=True)
        at = bar.add_task("rows, pass 1", total=None)
        number, before = 1, 0

        def watch(rows: int, total: int | None) -> None:
            nonlocal number, before
            if rows != total and not bar.live.is_started:  # what is read in one part is not worth a bar
                stack.enter_context(bar)
            if rows < before:
                number += 1
                bar.reset(at, description=f"rows, pass {number}")
            before = rows
            bar.update(at, completed=rows, total=total)

        yield watch
