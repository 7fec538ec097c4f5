"""One line to the user while loops are compiled, which happens once; later runs load them from disk.

Main definitions: ``reporting_compilation``.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
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
    if not _REPORTING.acquire(blocking=False):
        yield
        return
    with ExitStack() as stack:
        stack.callback(_REPORTING.release)
        event = _events()
        for kind in ((_pause, _line) if aloud else (_pause,)) if event else ():
            listener = kind(event)()
            stack.callback(listener.close)
            stack.enter_context(event.install_listener("numba:compile", listener))
        yield


@cache
def _events() -> Any:
    """Return the module by which numba tells what it compiles, None without numba."""
    try:
        from numba.core import event
    except ModuleNotFoundError:
        return None
    return event


@cache
def _pause(event: Any) -> Any:
    """Return the class of listeners that let garbage wait."""

    class Pause(event.Listener):  # type: ignore[misc]
        """How deep compilations are nested, and whether garbage is to be collected after the outermost."""

        def __init__(self) -> None:
            self.depth, self.collects = 0, False

        def on_start(self, event: Any) -> None:
            """Collect no garbage from the first compilation on."""
            if self.depth == 0:
                self.collects = gc.isenabled()
                gc.disable()
            self.depth += 1

        def on_end(self, event: Any) -> None:
            """Collect garbage again after the last one."""
            self.depth -= 1
            if self.depth == 0:
                self.close()

        def close(self) -> None:
            """Collect garbage again, even if another thread still compiles."""
            if self.collects:
                gc.enable()
            self.collects = False

    return Pause


@cache
def _line(event: Any) -> Any:
    """Return the class of listeners that write the line."""
    from splitcrit.jit import Keyed, parts

    class Line(event.Listener):  # type: ignore[misc]
        """The loops that are compiled, one after the other, how many functions they have, and the time spent."""

        def __init__(self) -> None:
            self.depth, self.since, self.spent, self.done, self.total = 0, 0.0, 0.0, 0, 0

        def on_start(self, event: Any) -> None:
            """Open the line at the first compilation; name each loop that is compiled."""
            made = event.data["dispatcher"]
            if self.depth == 0:
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

        def close(self) -> None:
            """Finish the line."""
            if self.total:
                damaged = ", ".join(sorted({str(Path(path).parent) for path in Keyed.damaged}))
                damaged = damaged and f"; damaged files made again: {len(Keyed.damaged)} in {damaged}"
                self._write(f" ... {self.spent:.1f} s{damaged}\n")
                Keyed.damaged.clear()

        def _write(self, text: str) -> None:
            print(text, end="", file=sys.stderr, flush=True)

    return Line
