"""The files that a command reads: standard input among them, and what separates the cells of CSV files.

Main definitions: ``at_hand``, ``tell_separators``, ``STANDARD_INPUT``.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

from splitcrit.data.csv_files import COMMA, NAMES, layout_of
from splitcrit.data.sources import format_of, listed
from splitcrit.frozen import complaint, visible

STANDARD_INPUT = Path("-")


@contextmanager
def at_hand(paths: Sequence[Path], resume: Path | None = None) -> Iterator[list[Path]]:
    """Give the paths, and those of copies of standard input (``-``) and of pipes, since files are read more than once.

    Errors that name a copy name what it is of.

    Raises
    ------
    ValueError
        If counts are to be resumed, which a later run of a pipe cannot.
    """
    names = {path: path.name for path in paths if path.is_fifo()}
    names |= {path: "standard input" for path in paths if path == STANDARD_INPUT}
    if not names:
        yield list(paths)
        return
    if resume is not None:
        got = " and ".join(names.values())
        raise ValueError(complaint("--resume needs files", got, "write it to a file first"))
    with TemporaryDirectory() as folder:
        copies = {path: Path(folder) / str(i) / name for i, (path, name) in enumerate(names.items())}
        for path, copy in copies.items():
            copy.parent.mkdir()
            with copy.open("wb") as out, path.open("rb") if path.is_fifo() else nullcontext(sys.stdin.buffer) as source:
                shutil.copyfileobj(source, out)
        try:
            yield [copies.get(path, path) for path in paths]
        except (OSError, ValueError) as error:
            if folder not in str(error):
                raise
            raise ValueError(re.sub(rf"{re.escape(folder)}.\d+.", "", str(error))) from None


def tell_separators(paths: Sequence[Path]) -> None:
    """Say on standard error by what the cells of CSV files are separated, where it is not by commas.

    Raises
    ------
    OSError, ValueError
        If a file cannot be read.
    """
    files = [file for file in listed(paths) if format_of(file) == "csv"]
    kinds = {file: kind for file in files if (kind := layout_of(file).separator) != COMMA}
    parts = []
    for kind in dict.fromkeys(kinds.values()):
        names = [file.name for file in kinds if kinds[file] == kind]
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        parts.append(f"{NAMES[kind]} in {visible(names[0])}{more}")
    if parts:
        print(f"splitcrit: cells are separated by {', by '.join(parts)}", file=sys.stderr)
