"""Breiman's little simulation, larger: writes docs/data/near_ties.csv.

Each line is one call of ``splitcrit.vertices.near_ties``; its arguments stand in the first four columns.
"""

from __future__ import annotations

import csv
import dataclasses
import io
from pathlib import Path

from splitcrit.files import write_text
from splitcrit.vertices import NearTies, near_ties

RESULTS = Path(__file__).parents[1] / "docs" / "data" / "near_ties.csv"
RUNS = (  # classes, nodes, width, seed: the two of the paper first
    (10, 100_000, 0.01, 1),
    (10, 100_000, 0.001, 2),
    (6, 100_000, 0.01, 3),
    (8, 100_000, 0.01, 4),
    (12, 20_000, 0.01, 5),
    (14, 5_000, 0.01, 6),
)


def line(found: NearTies, seed: int) -> dict[str, object]:
    """Return one result, with its seed and six digits of what was measured."""
    cells = dataclasses.asdict(found)
    numbers = {name: f"{x:.6g}" if isinstance(x, float) else x for name, x in cells.items()}
    return {"classes": numbers.pop("classes"), "nodes": numbers.pop("nodes"), "width": numbers.pop("width"),
            "seed": seed} | numbers  # fmt: skip


def main() -> None:
    lines = [line(near_ties(classes, nodes, width=width, rng=seed), seed) for classes, nodes, width, seed in RUNS]
    text = io.StringIO()
    writer = csv.DictWriter(text, lines[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    RESULTS.parent.mkdir(exist_ok=True)
    write_text(RESULTS, text.getvalue())
    print(text.getvalue(), end="")


if __name__ == "__main__":
    main()
