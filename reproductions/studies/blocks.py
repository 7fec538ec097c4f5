"""Studies in blocks that are kept in a CSV file of docs/data: an interrupted one goes on, and nothing is made twice.

Main definitions: ``seed_of``, ``study``; ``made_again``, blocks that today's code makes otherwise; ``command``, the
arguments of such a script.
"""

from __future__ import annotations

import argparse
import csv
import random
import time
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from reports import Report

TIMES = {"seconds": ""}  # what differs from run to run
DATA = Path(__file__).parents[2] / "docs" / "data"


def seed_of(*names: object) -> int:
    """A seed that depends on every name."""
    return zlib.crc32(repr(names).encode())


def study(
    name: str, keys: tuple[str, ...], cells: Iterable[tuple[str, ...]], blocks: int, minutes: float,
    make: Callable[..., dict[str, Any]],
) -> None:  # fmt: skip
    """Add rows to a file until the time is up, block 0 of every cell first: cell, block and ``make(*cell, block)``."""
    path, cells, until = DATA / f"{name}.csv", list(cells), time.monotonic() + 60 * minutes
    rows = list(csv.DictReader(path.read_text().splitlines())) if path.exists() else []
    done = {tuple(row[key] for key in (*keys, "block")) for row in rows}
    with path.open("a", newline="") as file:
        for block in range(blocks):
            for cell in cells:
                if (*cell, str(block)) in done:
                    continue
                if time.monotonic() > until:
                    return
                row = dict(zip(keys, cell, strict=True)) | {"block": block} | make(*cell, block)
                out = csv.DictWriter(file, list(row), lineterminator="\n")
                if not done:
                    out.writeheader()
                done.add((*cell, str(block)))
                out.writerow(row)
                file.flush()


def made_again(name: str, keys: tuple[str, ...], make: Callable[..., dict[str, Any]], some: int) -> list[Any]:
    """Some recorded blocks of a study, the same each time, and what is made of them now, where that differs."""
    drawn = random.Random(0).sample(Report(name, ()).rows(), some)
    today = [{key: str(x) for key, x in make(*(row[key] for key in keys), int(row["block"])).items()} for row in drawn]
    return [(row, now) for row, now in zip(drawn, today, strict=True) if row | now | TIMES != row | TIMES]


def command(main: Callable[[str, float, int], None], about: str | None, blocks: int) -> None:
    """Run a script of two studies, of levels and of power."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0] if about else None)
    parser.add_argument("study", choices=["levels", "power"])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--blocks", type=int, default=blocks, help="how many of a cell at most")
    options = parser.parse_args()
    main(options.study, options.minutes, options.blocks)
