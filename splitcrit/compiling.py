"""One line to the user while the loops are compiled, which happens once; later runs load them from disk.

Main definitions: ``reporting_compilation``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

_REPORTING = Lock()


@contextmanager
def reporting_compilation() -> Iterator[None]:
    """Say on standard error, in one line, that loops are being compiled and how long it took, if they are.

    Inside another such block, in any thread, it says nothing of its own.

    Examples
    --------
    >>> with reporting_compilation():
    ...     print("nothing was compiled here")
    nothing was compiled here
    """
    try:
        from numba.core import event
    except ModuleNotFoundError:
        yield
        return
    if not _REPORTING.acquire(blocking=False):
        yield
        return
    clock = _clock(event)()
    try:
        with event.install_listener("numba:compile", clock):
            yield
    finally:
        clock.close()
        _REPORTING.release()


@cache
def _clock(event: Any) -> Any:
    """Return the class of listeners that sum the time of compilations, nested ones counted once."""

    class Clock(event.Listener):  # type: ignore[misc]
        """The time spent, and the line about it."""

        def __init__(self) -> None:
            self.depth, self.since, self.spent, self.spoken = 0, 0.0, 0.0, False

        def on_start(self, event: Any) -> None:
            """Open the line at the first compilation."""
            if not self.spoken:
                why = "splitcrit: no compiled loops in numba's cache yet; compiling them once ..."
                print(why, end="", file=sys.stderr, flush=True)
            if self.depth == 0:
                self.since = time.perf_counter()
            self.spoken, self.depth = True, self.depth + 1

        def on_end(self, event: Any) -> None:
            """Stop the clock."""
            self.depth -= 1
            if self.depth == 0:
                self.spent += time.perf_counter() - self.since

        def close(self) -> None:
            """Finish the line."""
            if self.spoken:
                print(f" {self.spent:.1f} s", file=sys.stderr, flush=True)

    return Clock
