"""Means of the comparison beside the printed ones: cells, sign tests, ranks, and the counts of Figure 5.

Main definitions: ``cells_of``, ``ranks_of``, ``wins_of``, ``verdicts``, ``finished``, ``MEASURES``.
Source: wang2024, Tables 5 to 8, eqs. (32)-(34).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..comparing import TIE, average_ranks, sign_test
from ..plots.panels import grouped
from ..printed import printed
from ..results import Row, save_summary
from ..runner import Options
from .samples import SETS

Array = NDArray[Any]
MEASURES = {  # larger is better
    "accuracy": True, "pure accuracy": True, "nodes per layer": False, "all nodes per layer": False,
    "noise ratio": False,
}  # fmt: skip
AS_PRINTED = {"all nodes per layer": "nodes per layer"}  # two definitions of one printed measure
TABLES = {"table5": (5,), "table6": (6,), "table7_8": (7, 8)}
EXCHANGED = {"AIR": "PIMP", "PIMP": "AIR"}  # the header of the pure accuracies of Table 5
NORMAL = 1.96  # its 0.975 quantile
OURS = "SGini"
PRINTED_SPLITS = 50
ALPHA = 0.1


def _runs(rows: list[Row], measure: str) -> dict[tuple[Any, ...], Array]:
    """The results by noise, set and method, in the order of the splits."""
    measured = sorted((row for row in rows if row.get(measure) is not None), key=lambda row: row["split"])
    groups = grouped(measured, "noise", "set", "method")
    return {key: np.array([row[measure] for row in runs], dtype=float) for key, runs in groups.items()}


def _printed(name: str) -> dict[tuple[str, str, str], dict[str, str]]:
    """The printed cells by measure, set (or ``"average rank"``) and method; exchanged columns are put right."""
    cells = {}
    for number in TABLES.get(name, ()):
        for row in printed(f"wang2024_table{number}"):
            wrong = number == 5 and row["measure"] == "pure accuracy"
            method = EXCHANGED.get(row["method"], row["method"]) if wrong else row["method"]
            known = SETS[int(row["set"]) - 1] if row["set"].isdigit() else row["set"]
            cells[row["measure"], known, method] = row
    return cells


def cells_of(name: str, rows: list[Row]) -> list[Row]:
    """Return one row for each measure, noise, set and method: our mean and the printed one, and what to know of it.

    The difference is ours less the printed; its standard error is ``sqrt(s^2 / J + t^2 / 50)`` for our deviation ``s``
    over ``J`` splits and the printed ``t`` over 50, which takes splits as independent draws of one data set. The
    p-values are those of one-sided sign tests over the splits, against SGini.
    """
    shown, cells = _printed(name), []
    for measure, larger in MEASURES.items():
        runs, sign = _runs(rows, measure), 1 if larger else -1
        known = AS_PRINTED.get(measure, measure)
        for noise, one in dict.fromkeys(key[:2] for key in sorted(runs, key=lambda key: (key[0], SETS.index(key[1])))):
            methods = dict.fromkeys([k[2] for k in runs if k[:2] == (noise, one)])
            extra = {k[2]: None for k in shown if k[:2] == (known, one)}
            best = runs.get((noise, one, OURS))
            for method in methods | extra:
                about = {"measure": measure, "noise": noise, "set": one, "method": method}
                ours = _ours(runs.get((noise, one, method)), best, sign)
                cells.append(about | _beside(ours | _theirs(shown.get((known, one, method)))))
    return cells


def _ours(mine: Array | None, best: Array | None, sign: int) -> Row:
    if mine is None:
        return dict.fromkeys(("mean", "sd", "splits", "p SGini better", "p SGini worse"))
    better = worse = None
    if best is not None and len(best) == len(mine) and mine is not best:
        better, worse = sign_test(sign * best, sign * mine), sign_test(sign * mine, sign * best)
    sd = float(mine.std(ddof=1)) if len(mine) > 1 else None
    return {"mean": float(mine.mean()), "sd": sd, "splits": len(mine), "p SGini better": better, "p SGini worse": worse}


def _theirs(cell: dict[str, str] | None) -> Row:
    if cell is None:
        return dict.fromkeys(("printed", "printed sd", "printed dot", "printed bold"))
    return {
        "printed": float(cell["mean"]), "printed sd": float(cell["sd"]),
        "printed dot": int(cell["dot"]), "printed bold": int(cell["bold"]),
    }  # fmt: skip


def _beside(cell: Row) -> Row:
    """A cell with ours less the printed mean, and the standard error of that; None where one is missing."""
    both = None not in (cell["mean"], cell["printed"])
    apart = cell["mean"] - cell["printed"] if both else None
    variances = None
    if both and cell["sd"] is not None:
        variances = cell["sd"] ** 2 / cell["splits"] + cell["printed sd"] ** 2 / PRINTED_SPLITS
    return cell | {"difference": apart, "standard error": None if variances is None else float(np.sqrt(variances))}


def complete(cells: list[Row], measure: str, noise: str) -> tuple[list[str], list[str], dict[tuple[str, str], Row]]:
    """The sets of a measure, the methods that ran on all of them, and their cells by set and method."""
    mine = {(c["set"], c["method"]): c for c in cells if (c["measure"], c["noise"]) == (measure, noise)}
    mine = {key: c for key, c in mine.items() if c["mean"] is not None}
    sets, methods = (list(dict.fromkeys(key[i] for key in mine)) for i in (0, 1))
    return sets, [m for m in methods if all((s, m) in mine for s in sets)], mine


def blocks(cells: list[Row]) -> list[tuple[str, str]]:
    """The measures and noises that have cells."""
    return [(measure, noise) for measure, noise in grouped(cells, "measure", "noise")]


def ranks_of(cells: list[Row]) -> list[Row]:
    """Average ranks of the methods that ran on all sets, of ours and of the printed (rounded) means."""
    rank_rows = []
    for measure, noise in blocks(cells):
        sets, methods, mine = complete(cells, measure, noise)
        ranks = []
        for column in ("mean", "printed"):
            grid = [[mine[s, m][column] for m in methods] for s in sets]
            known = all(value is not None for line in grid for value in line)
            ranks.append(average_ranks(np.array(grid), largest_first=MEASURES[measure]) if known else None)
        for i, method in enumerate(methods):
            ours, theirs = (None if r is None else float(r[i]) for r in ranks)
            about = {"measure": measure, "noise": noise, "sets": len(sets), "method": method}
            rank_rows.append(about | {"rank": ours, "printed": theirs})
    return rank_rows


def wins_of(cells: list[Row]) -> list[Row]:
    """How often each method is significantly better and worse, counted as printed and as meant.

    As printed, eq. (34) counts "not significantly better" as "worse", and a method against itself.
    """
    wins = []
    for measure, noise in blocks(cells):
        sets, methods, mine = complete(cells, measure, noise)
        low, high = {}, {}
        for key in product(sets, methods):
            cell, sign = mine[key], 1 if MEASURES[measure] else -1
            half = NORMAL * (cell["sd"] or 0.0) / np.sqrt(cell["splits"])
            low[key], high[key] = sign * cell["mean"] - half, sign * cell["mean"] + half
        for a in methods:
            others = list(product(sets, methods))
            better = sum(low[s, a] > high[s, b] for s, b in others)
            literal = sum(low[s, a] <= high[s, b] for s, b in others)
            worse = sum(high[s, a] < low[s, b] for s, b in others)
            counts = {"better": better, "worse as printed": literal, "worse": worse}
            apart = {"difference as printed": better - literal, "difference": better - worse}
            wins.append({"measure": measure, "noise": noise, "method": a} | counts | apart)
    return [{key: int(v) if isinstance(v, np.integer | bool) else v for key, v in row.items()} for row in wins]


def verdicts(cells: list[Row]) -> list[Row]:
    """For each measure on how many sets SGini has the best mean, and wins or loses sign tests."""
    rows = []
    for measure, noise in blocks(cells):
        sets, methods, mine = complete(cells, measure, noise)
        sign = 1 if MEASURES[measure] else -1
        rivals = [m for m in methods if m != OURS]
        first = [s for s in sets if all(sign * (mine[s, OURS]["mean"] - mine[s, m]["mean"]) >= -TIE for m in rivals)]
        beats = [s for s in sets if all(_low(mine[s, m]["p SGini better"]) for m in rivals)]
        loses = [s for s in sets if any(_low(mine[s, m]["p SGini worse"]) for m in rivals)]
        bold = [mine[s, OURS]["printed bold"] for s in sets]
        splits = min(mine[s, m]["splits"] for s in sets for m in methods)
        counts: Row = {"sets": len(sets), "splits": splits, "best mean": len(first), "beats all": len(beats)}
        counts |= {"beaten by one": len(loses), "printed best": None if None in bold else sum(bold)}
        rows.append({"measure": measure, "noise": noise} | counts | {"beaten on": " ".join(loses)})
    return rows


def _low(pvalue: float | None) -> bool:
    return pvalue is not None and pvalue <= ALPHA


def sentences(rows: Iterable[Row]) -> list[str]:
    """A sentence for each verdict."""
    return [_sentence(v) for v in rows]


def _sentence(v: Row) -> str:
    shown = "" if v["printed best"] is None else f" (printed: {v['printed best']})"
    where = f" ({v['beaten on'].replace(' ', ', ')})" if v["beaten on"] else ""
    return (
        f"{v['measure']} ({v['noise']} noise, {v['splits']} splits): SGini has the best mean on {v['best mean']} of"
        f" {v['sets']} sets{shown}, beats every other method in sign tests at {ALPHA} on {v['beats all']}, and is"
        f" beaten by at least one on {v['beaten by one']}{where}"
    )


def finished(name: str, rows: list[Row], options: Options) -> str:
    """Write the cells, printed and ours side by side, and return what to say of them."""
    cells = cells_of(name, rows)
    save_summary(cells, options.out / f"{name}_cells.csv", ".6g")
    compared = [v for v in verdicts(cells) if v["measure"] != "all nodes per layer"] if name != "pimp" else []
    return "\n".join(sentences(compared)) or f"{len(cells)} cells in {name}_cells.csv"
