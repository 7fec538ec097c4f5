"""A command or an option that is not known is answered with the one that it nearly is.

Main definitions: ``Parser``, ``path``.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import takewhile
from pathlib import Path
from typing import Any, NoReturn

from splitcrit.frozen import complaint, visible

OPTION = re.compile(r"-+(?=[^-\d])")  # what a number or a file of standard input does not begin with


class Parser(argparse.ArgumentParser):
    """A parser that names the nearest option or command, and whose errors show characters that do not print."""

    def parse_known_args(self, args: Sequence[str], namespace: Any = None) -> Any:  # type: ignore[override]
        """Ask for what is near an unknown word; argparse would speak first of what is required."""
        known = [option for action in self._actions for option in action.option_strings]
        commands = next((x.choices for x in self._actions if isinstance(x, argparse._SubParsersAction)), None)
        for word in takewhile("--".__ne__, args):
            name = word.partition("=")[0]
            if OPTION.match(name):
                if not any(option.startswith(name) for option in known):
                    near = _near(f"--{name.lstrip('-')}", known)
                    rule = f"{self.prog} has options that --help lists"
                    self.error(complaint(rule, repr(name), near))
            elif commands is not None:
                if word not in commands:
                    near = _near(word, commands)
                    rule = f"a command is one of {', '.join(commands)}"
                    self.error(complaint(rule, repr(word), near))
                break  # the words behind are those of the command
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Print the usage and a message, and exit with status 2."""
        super().error(visible(message))


def path(text: str) -> Path:
    """The path of a text that is not empty, which would be the current folder."""
    if not text:
        rule = "a file or folder needs a name"
        remedy = "name it, and check that shell variables are set"
        raise argparse.ArgumentTypeError(complaint(rule, "an empty text", remedy))
    return Path(text)


def _near(word: str, known: Iterable[str]) -> str:
    """A question about the nearest of some words, or where to look."""
    near = get_close_matches(word, list(known), 1, 0.5)
    return f"did you mean {near[0]}?" if near else "splitcrit --help lists the commands, COMMAND --help their options"
