"""A command or an option that is not known is answered with the one that it nearly is.

Main definitions: ``Parser``, ``check``, ``check_options``, ``left_over`` (arguments that nothing takes), ``path``.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import takewhile
from pathlib import Path
from typing import NoReturn

from splitcrit.frozen import complaint, visible

OPTION = re.compile(r"-+(?=[^-\d])")  # what a number or a file of standard input does not begin with


class Parser(argparse.ArgumentParser):
    """A parser whose errors show characters that do not print."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and a message, and exit with status 2."""
        super().error(visible(message))


def check(top: Parser, commands: Mapping[str, argparse.ArgumentParser], words: Sequence[str]) -> None:
    """Exit with a sentence if the first word is no command, or a word is no option of its command.

    argparse would speak first of what is required, and name no option that was meant.
    """
    given = list(takewhile("--".__ne__, words))
    at = next((i for i, word in enumerate(given) if not word.startswith("-")), len(given))
    check_options(top, given[:at])
    if at == len(given):
        return
    name = given[at]
    if name not in commands:
        top.error(complaint(f"a command is one of {', '.join(commands)}", repr(name), _near(name, commands)))
    check_options(commands[name], given[at + 1 :])


def check_options(parser: argparse.ArgumentParser, words: Iterable[str]) -> None:
    """Exit with a sentence if a word is no option of the command."""
    known = [option for action in parser._actions for option in action.option_strings]
    for word in words:
        name = word.partition("=")[0]
        if OPTION.match(name) and not any(option.startswith(name) for option in known):
            near = _near(f"--{name.lstrip('-')}", known)
            parser.error(complaint(f"{parser.prog} has options that --help lists", repr(name), near))


def left_over(top: Parser, left: Sequence[str], words: Sequence[str]) -> None:
    """Exit with a sentence if there are arguments that nothing takes, such as a file of JSON that is not named so."""
    if left:
        more = "; the FILE of --json has a name that ends in .json" if "--json=-" in words else ""
        top.error(f"unrecognized arguments: {' '.join(left)}{more}")


def path(text: str) -> Path:
    """Return the path of a text that is not empty, which would be the current folder."""
    if not text:
        rule, remedy = "a file or folder needs a name", "name it, and check that shell variables are set"
        raise argparse.ArgumentTypeError(complaint(rule, "an empty text", remedy))
    return Path(text)


def _near(word: str, known: Iterable[str]) -> str:
    """Return a question about the nearest of some words, or where to look."""
    near = get_close_matches(word, list(known), 1, 0.5)
    return f"did you mean {near[0]}?" if near else "splitcrit --help lists the commands, COMMAND --help their options"
