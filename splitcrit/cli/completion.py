"""``splitcrit completion``: a script by which a shell completes commands, options and the names of files.

Main definitions: ``run``, ``script``.
"""

from __future__ import annotations

import argparse
from typing import Any

from splitcrit.cli.main import parser
from splitcrit.cli.spelling import path
from splitcrit.proofs.command import tell


def script(shell: str) -> str:
    """The script for a shell, written by shtab from the parser itself."""
    import shtab

    def marked(holder: argparse.ArgumentParser) -> None:
        for action in holder._actions:
            if action.type is path or action.dest == "json":
                action.complete = shtab.FILE  # type: ignore[attr-defined]
            subs: Any = action.choices if isinstance(action, argparse._SubParsersAction) else {}
            for inner in subs.values():
                marked(inner)

    top = parser()
    marked(top)
    return str(shtab.complete(top, shell))


def run(args: argparse.Namespace) -> int:
    """Run ``splitcrit completion`` and return the exit status."""
    text = script(args.shell)
    tell(args.json, lambda: {"shell": args.shell, "script": text}, text.rstrip("\n"))
    return 0
