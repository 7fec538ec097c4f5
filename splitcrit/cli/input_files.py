"""The files that a command reads: standard input among them, and what separates the cells of CSV files.

Main definitions: ``at_hand``, ``separators``, ``STANDARD_INPUT``.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from splitcrit.files.arrow_files import format_of, listed
from splitcrit.files.csv_files import COMMA, NAMES, separator
from splitcrit.frozen import visible

STANDARD_INPUT = Path("-")


@contextmanager
def at_hand(paths: Sequence[Path]) -> Iterator[list[Path]]:
    """Give the paths, and that of a copy of standard input, which is read more than once, for every ``-``.

    Errors that name the copy name standard input.
    """
    if STANDARD_INPUT not in paths:
        yield list(paths)
        return
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "standard input"
        with copy.open("wb") as out:
            shutil.copyfileobj(sys.stdin.buffer, out)
        try:
            yield [copy if path == STANDARD_INPUT else path for path in paths]
        except (OSError, ValueError) as error:
            if str(copy) not in str(error):
                raise
            raise ValueError(str(error).replace(str(copy), copy.name)) from None


def separators(paths: Sequence[Path]) -> str:
    """Return a sentence about the CSV files whose cells are not separated by commas, nothing if there are none.

    Raises
    ------
    OSError, ValueError
        If a file cannot be read.
    """
    found = [file for file in listed(paths) if format_of(file) == "csv"]
    kinds = {file: kind for file in found if (kind := separator(file)) != COMMA}
    told = []
    for kind in dict.fromkeys(kinds.values()):
        names = [file.name for file in kinds if kinds[file] == kind]
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        told.append(f"{NAMES[kind]} in {visible(names[0])}{more}")
    return f"splitcrit: cells are separated by {', by '.join(told)}" if told else ""
