"""Studies in blocks that are kept in a CSV file of docs/data: an interrupted one goes on, and nothing is made twice.

Main definitions: ``seed_of``, ``study``; ``command``, the arguments of such a script.
"""

from __future__ import annotations

import argparse
import csv
import time
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

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
    rows = list(csv.DictReader(path.open())) if path.exists() else []
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


def command(main: Callable[[str, float, int], None], about: str | None, blocks: int) -> None:
    """Run a script of two studies, of levels and of power."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0] if about else None)
    parser.add_argument("study", choices=["levels", "power"])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--blocks", type=int, default=blocks, help="how many of a cell at most")
    options = parser.parse_args()
    main(options.study, options.minutes, options.blocks)
