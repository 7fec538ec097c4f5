"""What is written of the comparison: cells, ranks and counts as CSV files, pictures, and a few sentences.

Main definitions: ``finished``, ``verdicts``.
Source: wang2024, Section 5.
"""

from __future__ import annotations

from collections.abc import Iterable

from splitcrit.experiments.pictures import saved
from splitcrit.experiments.results import Row, save_summary
from splitcrit.experiments.runner import Options
from splitcrit.experiments.wang2024.cells import MEASURES, OURS, blocks, cells_of, complete, ranks_of, wins_of
from splitcrit.plots.panels import grouped
from splitcrit.plots.wang2024_tables import minnum_panels, win_bars

ALPHA = 0.1


def finished(name: str, rows: list[Row], options: Options) -> str:
    """Write everything that follows from the rows, and return what to say."""
    cells = cells_of(name, rows)
    ranks, wins, said = ranks_of(name, cells), wins_of(cells), verdicts(cells)
    for kind, listed in (("cells", cells), ("ranks", ranks), ("wins", wins), ("verdicts", said)):
        save_summary(listed, options.out / f"{name}_{kind}.csv", ".6g")
    for (noise,), mine in grouped(rows, "noise").items():
        saved(minnum_panels(mine), options, f"{name}_minnum_{noise}")
    saved(win_bars(wins), options, f"{name}_wins")
    return "\n".join(sentences(said))


def verdicts(cells: list[Row]) -> list[Row]:
    """Return for each measure on how many sets SGini has the best mean, and wins or loses sign tests."""
    found = []
    for measure, noise in blocks(cells):
        sets, methods, mine = complete(cells, measure, noise)
        sign = 1 if MEASURES[measure] else -1
        rivals = [m for m in methods if m != OURS]
        first = [s for s in sets if all(sign * (mine[s, OURS]["mean"] - mine[s, m]["mean"]) >= 0 for m in rivals)]
        beats = [s for s in sets if all(_low(mine[s, m]["p SGini better"]) for m in rivals)]
        loses = [s for s in sets if any(_low(mine[s, m]["p SGini worse"]) for m in rivals)]
        bold = [mine[s, OURS]["printed bold"] for s in sets]
        splits = min(mine[s, m]["splits"] for s in sets for m in methods)
        counts: Row = {"sets": len(sets), "splits": splits, "best mean": len(first), "beats all": len(beats)}
        counts |= {"beaten by one": len(loses), "printed best": None if None in bold else sum(bold)}
        found.append({"measure": measure, "noise": noise} | counts | {"beaten on": " ".join(loses)})
    return found


def _low(pvalue: float | None) -> bool:
    return pvalue is not None and pvalue <= ALPHA


def sentences(found: Iterable[Row]) -> list[str]:
    """Return a sentence for each verdict."""
    return [_sentence(v) for v in found]


def _sentence(v: Row) -> str:
    shown = "" if v["printed best"] in (None, "") else f" (printed: {v['printed best']})"
    where = f" ({v['beaten on'].replace(' ', ', ')})" if v["beaten on"] else ""
    return (
        f"{v['measure']} ({v['noise']} noise, {v['splits']} splits): SGini has the best mean on {v['best mean']} of"
        f" {v['sets']} sets{shown}, beats every other method in sign tests at {ALPHA} on {v['beats all']}, and is"
        f" beaten by at least one on {v['beaten by one']}{where}"
    )
