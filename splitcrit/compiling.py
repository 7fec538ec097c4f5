"""One line to the user while loops are compiled, which happens once; later runs load them from disk.

Main definitions: ``reporting_compilation``.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

_REPORTING = Lock()


@contextmanager
def reporting_compilation(*, aloud: bool = True) -> Iterator[None]:
    """Say on standard error, in one line, which loops are being compiled, how far that is and how long it took.

    Inside another such block, in any thread, it says nothing of its own; nor where nothing is compiled. Unless
    ``aloud``, nothing is said at all. Garbage is collected after compiling, not in its course, which takes a tenth of
    the time.

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
    line = _line(event)(aloud)
    try:
        with event.install_listener("numba:compile", line):
            yield
    finally:
        line.close()
        _REPORTING.release()


@cache
def _line(event: Any) -> Any:
    """Return the class of listeners that write the line."""
    from splitcrit.jit import parts

    class Line(event.Listener):  # type: ignore[misc]
        """The loops that are compiled, one after the other, how many functions they have, and the time spent."""

        def __init__(self, aloud: bool) -> None:
            self.depth, self.since, self.spent, self.done, self.total = 0, 0.0, 0.0, 0, 0
            self.aloud, self.collects = aloud, False

        def on_start(self, event: Any) -> None:
            """Open the line at the first compilation; name each loop that is compiled."""
            made = event.data["dispatcher"]
            if self.depth == 0:
                self.collects = gc.isenabled()
                gc.disable()
                self.since, self.total = time.perf_counter(), self.total + parts(made)
                if not sys.stderr.isatty():
                    opened = "," if self.done else "splitcrit: compiling once, to be loaded from disk later:"
                    self._write(f"{opened} {made.py_func.__name__}")
            self.depth += 1
            if made.py_func.__module__.startswith("splitcrit."):
                self.done += 1
                if sys.stderr.isatty():
                    self._write(
                        f"\rsplitcrit: compiling once, function {self.done} of at most {max(self.done, self.total)}"
                    )

        def on_end(self, event: Any) -> None:
            """Stop the clock."""
            self.depth -= 1
            if self.depth == 0:
                self.spent += time.perf_counter() - self.since
                if self.collects:
                    gc.enable()

        def close(self) -> None:
            """Finish the line."""
            if self.total:
                self._write(f" ... {self.spent:.1f} s\n")

        def _write(self, text: str) -> None:
            if self.aloud:
                print(text, end="", file=sys.stderr, flush=True)

    return Line
