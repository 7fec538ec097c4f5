"""Means of the comparison beside the printed ones: cells, sign tests, ranks, and the counts of Figure 5.

Main definitions: ``cells_of``, ``ranks_of``, ``wins_of``, ``MEASURES``.
Source: wang2024, Tables 5 to 8, eqs. (32)-(34).
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.experiments.comparing import average_ranks, sign_test
from splitcrit.experiments.printed import printed
from splitcrit.experiments.results import Row
from splitcrit.experiments.wang2024.samples import SETS
from splitcrit.plots.panels import grouped

Array = NDArray[Any]
MEASURES = {"accuracy": True, "pure accuracy": True, "nodes per layer": False, "noise ratio": False}  # larger is better
TABLES = {"table5": (5,), "table6": (6,), "table7_8": (7, 8)}
EXCHANGED = {"AIR": "PIMP", "PIMP": "AIR"}  # the header of the pure accuracies of Table 5
NORMAL = 1.96  # its 0.975 quantile
OURS = "SGini"


def _runs(rows: list[Row], measure: str) -> dict[tuple[Any, ...], Array]:
    """Return the results by noise, set and method, in the order of the splits."""
    measured = sorted((row for row in rows if row.get(measure) is not None), key=lambda row: row["split"])
    found = grouped(measured, "noise", "set", "method")
    return {key: np.array([row[measure] for row in runs], dtype=float) for key, runs in found.items()}


def _printed(name: str) -> dict[tuple[str, str, str], dict[str, str]]:
    """Return the printed cells by measure, set (or ``"average rank"``) and method; exchanged columns are put right."""
    found = {}
    for number in TABLES.get(name, ()):
        for row in printed(f"wang2024_table{number}"):
            wrong = number == 5 and row["measure"] == "pure accuracy"
            method = EXCHANGED.get(row["method"], row["method"]) if wrong else row["method"]
            known = SETS[int(row["set"]) - 1] if row["set"].isdigit() else row["set"]
            found[row["measure"], known, method] = row
    return found


def cells_of(name: str, rows: list[Row]) -> list[Row]:
    """Return one row for each measure, noise, set and method: our mean and the printed one, and what to know of it.

    The p-values are those of one-sided sign tests over the splits, against SGini.
    """
    shown, shapes, cells = _printed(name), _shapes(rows), []
    for measure, larger in MEASURES.items():
        runs, sign = _runs(rows, measure), 1 if larger else -1
        for noise, one in dict.fromkeys(key[:2] for key in sorted(runs, key=lambda key: (key[0], SETS.index(key[1])))):
            methods = dict.fromkeys([k[2] for k in runs if k[:2] == (noise, one)])
            extra = {k[2]: None for k in shown if k[:2] == (measure, one)}
            best = runs.get((noise, one, OURS))
            for method in methods | extra:
                mine, cell = runs.get((noise, one, method)), shown.get((measure, one, method))
                marks = [] if name not in TABLES else _marks(mine, cell, shapes[one])
                cells.append(
                    {"measure": measure, "noise": noise, "set": one, "method": method}
                    | _ours(mine, best, sign)
                    | _theirs(cell)
                    | {"mark": "; ".join(marks)}
                )
    return cells


def _ours(mine: Array | None, best: Array | None, sign: int) -> Row:
    if mine is None:
        return dict.fromkeys(("mean", "sd", "splits", "p SGini better", "p SGini worse"))
    better = worse = None
    if best is not None and len(best) == len(mine) and mine is not best:
        better, worse = sign_test(sign * best, sign * mine), sign_test(sign * mine, sign * best)
    sd = float(mine.std(ddof=1)) if len(mine) > 1 else 0.0
    return {"mean": float(mine.mean()), "sd": sd, "splits": len(mine), "p SGini better": better, "p SGini worse": worse}


def _theirs(cell: dict[str, str] | None) -> Row:
    if cell is None:
        return dict.fromkeys(("printed mean", "printed sd", "printed dot", "printed bold"))
    return {
        "printed mean": float(cell["mean"]), "printed sd": float(cell["sd"]),
        "printed dot": int(cell["dot"]), "printed bold": int(cell["bold"]),
    }  # fmt: skip


def _shapes(rows: list[Row]) -> dict[str, str]:
    """Return how the shape of each set differs from that of Table 4; empty where it does not."""
    known = {SETS[int(row["set"]) - 1]: row for row in printed("wang2024_table4")}
    found = {}
    for row in rows:
        differing = [
            f"{noun} {row[noun]}, in Table 4 {known[row['set']][noun]}"
            for noun in ("objects", "attributes", "classes")
            if row["set"] in known and str(row[noun]) != known[row["set"]][noun]
        ]
        found[row["set"]] = "; ".join(differing)
    return found


def _marks(mine: Array | None, cell: dict[str, str] | None, shape: str) -> list[str]:
    marks = ["not run here"] if mine is None else []
    marks += ["no printed cell"] if cell is None else []
    return [*marks, shape] if shape else marks


def complete(cells: list[Row], measure: str, noise: str) -> tuple[list[str], list[str], dict[tuple[str, str], Row]]:
    """Return the sets of a measure, the methods that ran on all of them, and their cells by set and method."""
    mine = {(c["set"], c["method"]): c for c in cells if (c["measure"], c["noise"]) == (measure, noise)}
    mine = {key: c for key, c in mine.items() if c["mean"] is not None}
    sets, methods = (list(dict.fromkeys(key[i] for key in mine)) for i in (0, 1))
    return sets, [m for m in methods if all((s, m) in mine for s in sets)], mine


def blocks(cells: list[Row]) -> list[tuple[str, str]]:
    """Return the measures and noises that have cells."""
    return [(measure, noise) for measure, noise in grouped(cells, "measure", "noise")]


def ranks_of(name: str, cells: list[Row]) -> list[Row]:
    """Return average ranks of the methods that ran on all sets, of ours and of the printed (rounded) means."""
    shown, found = _printed(name), []
    for measure, noise in blocks(cells):
        sets, methods, mine = complete(cells, measure, noise)
        ranks = []
        for column in ("mean", "printed mean"):
            grid = [[mine[s, m][column] for m in methods] for s in sets]
            known = all(value is not None for line in grid for value in line)
            ranks.append(average_ranks(np.array(grid), largest_first=MEASURES[measure]) if known else None)
        for i, method in enumerate(methods):
            ours, theirs = (None if r is None else round(float(r[i]), 4) for r in ranks)
            line = shown.get((measure, "average rank", method))
            given = {"printed rank, same methods": theirs, "printed rank": float(line["mean"]) if line else None}
            found.append(
                {"measure": measure, "noise": noise, "sets": len(sets), "method": method, "rank": ours} | given
            )
    return found


def wins_of(cells: list[Row]) -> list[Row]:
    """Return how often each method is significantly better and worse, counted as printed and as meant.

    As printed, eq. (34) counts "not significantly better" as "worse", and a method against itself.
    """
    found = []
    for measure, noise in blocks(cells):
        sets, methods, mine = complete(cells, measure, noise)
        low, high = {}, {}
        for key in product(sets, methods):
            cell, sign = mine[key], 1 if MEASURES[measure] else -1
            half = NORMAL * cell["sd"] / np.sqrt(cell["splits"])
            low[key], high[key] = sign * cell["mean"] - half, sign * cell["mean"] + half
        for a in methods:
            others = list(product(sets, methods))
            better = sum(low[s, a] > high[s, b] for s, b in others)
            literal = sum(low[s, a] <= high[s, b] for s, b in others)
            worse = sum(high[s, a] < low[s, b] for s, b in others)
            counts = {"better": better, "worse as printed": literal, "worse": worse}
            apart = {"difference as printed": better - literal, "difference": better - worse}
            found.append({"measure": measure, "noise": noise, "method": a} | counts | apart)
    return [{key: int(v) if isinstance(v, np.integer | bool) else v for key, v in row.items()} for row in found]
