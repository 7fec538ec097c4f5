"""How far a command is, on a terminal.

Main definitions: ``rows_counted``, ``each_shown``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec


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


def each_shown(steps: Sequence[str], what: str) -> Iterator[str]:
    """Yield the names of steps with a bar beside them on a terminal where rich is installed, else a line for each."""
    if sys.stderr.isatty() and find_spec("rich"):
        from rich.console import Console
        from rich.progress import track

        yield from track(steps, what, console=Console(stderr=True), transient=True)
        return
    for number, step in enumerate(steps, 1):
        print(f"{what} {number} of {len(steps)}: {step}", file=sys.stderr, flush=True)
        yield step
