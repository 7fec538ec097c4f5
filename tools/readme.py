"""Run the blocks of README as they are printed: ``python tools/readme.py README.md [--bare]``; splitcrit is installed.

A block of Python with prompts is a doctest of its own; of a ``console`` block each command behind a dollar sign is run
by bash, all of them in one empty folder, and gives the output shown. Seconds may differ. The paragraph directly above a
block names the extras that it needs (``the extra `trees```): with ``--bare``, on an installation without extras, those
blocks must fail and the others run.

Main definitions: ``blocks``, ``failure``, ``main``.
"""

from __future__ import annotations

import argparse
import doctest
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXTRA = re.compile(r"extras? `(\w+)`(?: and `(\w+)`)?")
SECONDS = re.compile(r"\d+\.\d+ s\b")
FLAGS = doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the line it begins at and the extras that it needs."""

    kind: str
    text: str
    line: int
    extras: tuple[str, ...]


def blocks(page: str) -> list[Block]:
    """The blocks of a page that are run: Python with prompts, and sessions."""
    run = []
    for part in FENCE.finditer(page):
        above = page[: part.start()].rstrip().rpartition("\n\n")[2]
        extras = tuple(name for pair in EXTRA.findall(" ".join(above.split())) for name in pair if name)
        if part[1] == "console" or (part[1] == "python" and ">>>" in part[2]):
            run.append(Block(part[1], part[2], page.count("\n", 0, part.start()) + 1, extras))
    return run


def sessions(text: str) -> list[tuple[str, str]]:
    """The commands of a session, a line each, with the output shown."""
    pairs = []
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        pairs.append((command, output))
    return pairs


def failure(block: Block, folder: Path) -> str:
    """What is wrong with a block when it is run in a folder; nothing if it gives what is shown."""
    return _doctest(block, folder) if block.kind == "python" else _session(block, folder)


def _doctest(block: Block, folder: Path) -> str:
    """Run a block of Python in a process of its own."""
    (folder / "block.txt").write_text(block.text, encoding="utf-8")
    code = f"import doctest, sys; sys.exit(doctest.testfile('block.txt', False, optionflags={FLAGS}).failed)"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=600)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def _session(block: Block, folder: Path) -> str:
    """Run the commands of a session, with the interpreter's own folder first on the path."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    settings = {**os.environ, "PATH": path, "SPLITCRIT_VERIFIED": str(folder / "verified")}  # nothing is settled yet
    for command, shown in sessions(block.text):
        call = ["bash", "-c", command]
        done = subprocess.run(call, cwd=folder, capture_output=True, text=True, timeout=600, env=settings)
        got, shown = (SECONDS.sub("(seconds)", text) for text in (done.stdout, shown))
        if done.returncode or not doctest.OutputChecker().check_output(shown, got, FLAGS):
            return f"$ {command}\nexpected:\n{shown}got, with status {done.returncode}:\n{got}{done.stderr}"
    return ""


def main(arguments: list[str] | None = None) -> int:
    """Run the blocks of a page, say which did what, and return how many were wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=Path)
    parser.add_argument("--bare", action="store_true", help="blocks that name an extra must fail")
    options = parser.parse_args(arguments)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for block in blocks(options.page.read_text(encoding="utf-8")):
            problem, refused = failure(block, Path(folder)), options.bare and bool(block.extras)
            good = bool(problem) == refused
            wrong += not good
            needs = "needs " + " and ".join(block.extras) if block.extras else "needs no extra"
            print(
                f"{options.page.name}, line {block.line}: {needs}: {'as said' if good else 'NOT as said'}", flush=True
            )
            if not good:
                print(problem or "it runs although the extra is missing")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
