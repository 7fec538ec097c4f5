"""One line to the user while loops are compiled, which happens once; later runs load them from disk.

Main definitions: ``reporting_compilation``; ``say_uncompiled``; ``numba_is_installed`` and ``compiled_before``, which
import no numba; ``numba_is_here``.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

_REPORTING = Lock()
_OPEN: list[Callable[[], None]] = []  # what begins to listen in the open block, once there is something to hear
_COMPILER: dict[str, Any] = {}  # what `numba_is_here` was given


@contextmanager
def reporting_compilation(*, aloud: bool = True) -> Iterator[None]:
    """Say on standard error, in one line, which loops are being compiled, how far that is and how long it took.

    Inside another such block, in any thread, it says nothing of its own; nor where nothing is compiled. Unless
    ``aloud``, no line appears. Garbage is collected after compiling, not in its course, which takes a tenth of
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
        stack.callback(_OPEN.clear)
        _OPEN.append(lambda: _listen(stack, aloud))
        if _COMPILER:
            _listen(stack, aloud)
        yield


def numba_is_here(parts: Callable[[Any], int], damaged: dict[str, None]) -> None:
    """Take note that loops can be compiled from now on; `splitcrit.jit` says so when it is first imported.

    ``parts`` counts what is compiled with a function, ``damaged`` holds files of the cache that are no good. Until
    then nothing here imports numba, so that a call which compiles nothing does not wait for it.
    """
    _COMPILER.update(parts=parts, damaged=damaged)
    for listen in _OPEN:
        listen()


def _listen(stack: ExitStack, aloud: bool) -> None:
    """Listen to numba until the block ends."""
    from numba.core import event

    for kind in (_pause, _line) if aloud else (_pause,):
        listener = kind(event)()
        stack.callback(listener.close)
        stack.enter_context(event.install_listener("numba:compile", listener))


@cache
def numba_is_installed() -> bool:
    """Tell whether numba can be imported, without importing it."""
    try:
        return find_spec("numba") is not None
    except ImportError:
        return False


@cache
def say_uncompiled(installed: bool) -> None:
    """Say once, in one line, that loops run in Python, and what makes them fast."""
    said = "NUMBA_DISABLE_JIT is set; loops run in Python, many times slower than compiled; unset it"
    if not installed:
        said = "numba is not installed; trees of classes are grown in numpy, all else by loops in Python, many times "
        said += "slower than compiled; pip install numba"
    print(f"splitcrit: {said}", file=sys.stderr)


@cache
def compiled_before(loop: str = "grow_whole") -> bool:
    """Tell whether some version of a loop lies where numba keeps what it compiled; numba is not imported.

    A version of other code counts, too: whoever asks wants to know about how long a wait would be.
    """
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "numba"
    place = Path(os.environ.get("NUMBA_CACHE_DIR") or user)
    return next(place.glob(f"**/*{loop}-*.nbi"), None) is not None


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
    parts, files = _COMPILER["parts"], _COMPILER["damaged"]

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
                damaged = ", ".join(sorted({str(Path(path).parent) for path in files}))
                damaged = damaged and f"; damaged files made again: {len(files)} in {damaged}"
                self._write(f" ... {self.spent:.1f} s{damaged}\n")
                files.clear()

        def _write(self, text: str) -> None:
            print(text, end="", file=sys.stderr, flush=True)

    return Line
