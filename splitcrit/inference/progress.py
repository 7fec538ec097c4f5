"""How far a command, or a tree of tested splits, is: on one line of a terminal, and seldom elsewhere.

Main definition: ``Progress``.
"""

from __future__ import annotations

import sys
from time import monotonic

from splitcrit.compiling import Notice

QUICK, OFTEN = 1.0, 0.1  # seconds before a terminal shows anything, and between two lines of it
SELDOM = 10.0  # seconds between two lines elsewhere, in a log say


class Progress:
    """What is called with the rows read in a pass, and the rows there are; ``say`` with anything else that is counted.

    A terminal shows one line, which the next one covers, and which is gone at the end.
    """

    def __init__(self) -> None:
        self.terminal = sys.stderr.isatty()
        self.next = monotonic() + (QUICK if self.terminal else SELDOM)
        self.passes, self.before, self.shown = 1, 0, 0

    def __call__(self, rows: int, total: int | None) -> None:
        """Say how many rows of how many are read."""
        self.passes += rows < self.before
        self.before = rows
        if rows != total or self.shown:  # what is read in one part is not worth a line
            self.say(f"rows, pass {self.passes}", rows, total)

    def columns(self, done: int, total: int) -> None:
        """Say how many columns of how many are judged."""
        self.say("columns", done, total)

    def say(self, what: str, done: int, total: int | None) -> None:
        """Say how many of how many are done."""
        if (now := monotonic()) < self.next:
            return
        self.next = now + (OFTEN if self.terminal else SELDOM)
        line = f"splitcrit: {what}: {done}" + (f" of {total}" if total is not None else "")
        if Notice.seconds and not self.shown:
            print(file=sys.stderr)  # below the line that names what was compiled
        print("\r" + line.ljust(self.shown) if self.terminal else line, end="" if self.terminal else "\n",
              file=sys.stderr, flush=True)  # fmt: skip
        self.shown = len(line)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        if self.terminal and self.shown:
            print("\r" + " " * self.shown, end="\r", file=sys.stderr, flush=True)
