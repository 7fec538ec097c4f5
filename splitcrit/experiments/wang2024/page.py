"""The page of the comparison, written from its results.

Main definitions: ``page``; ``write_page`` (a folder of results, the file to write).
"""

from __future__ import annotations

from pathlib import Path

from splitcrit.experiments.results import Row, rows_of
from splitcrit.experiments.tables import averaged, pivoted
from splitcrit.experiments.wang2024.beside import sentences
from splitcrit.experiments.wang2024.tables import EXPERIMENTS
from splitcrit.files import write_text
from splitcrit.plots.panels import distinct, grouped

ABSENT = "–"
TITLES = {
    "table5": "Table 5, Figures 4 and 5a: no noise",
    "table6": "Table 6, Figures 5b and 6: values exchanged",
    "table7_8": "Tables 7 and 8, Figures 5c and 7: noisy copies of features",
    "ablation": "Ablation: what of the correction matters",
}
OPENING = """\
# wang2024, Tables 5 to 8

Written by `splitcrit.experiments.wang2024.page` from the CSV files in [wang2024](wang2024/), which the commands
`splitcrit reproduce wang2024 table5 table6 table7_8 ablation --splits N --out docs/reproductions/wang2024` make; `N`
stands in each section (the paper has 50). Cells read: our mean, and in brackets the printed one. A dash: not run here,
or not printed. What the paper leaves open is listed in the manifests, `NAME.manifest.json`; the tree that is tested
has grown on the growing rows only, and ChiMerge has seen no others. PIMP ran on the four smallest sets (of fewest
cells). Nodes branch as long as they are large enough and not pure, whatever the score.
"""
TIMES = "Taken with other work on the same machine: to be compared within a line."
WINS = """\
Bars: how often a method is significantly better less how often it is worse, eqs. (32)-(34). As printed, eq. (34) counts
"not significantly better" as worse, and a method against itself, so that the bars are lower by construction.
"""


def page(folder: Path) -> str:
    """Return the page in Markdown, of those experiments whose results are in the folder."""
    parts = [OPENING]
    for experiment in EXPERIMENTS:
        if (folder / f"{experiment.name}_verdicts.csv").exists():
            parts += [f"## {TITLES[experiment.name]}", *_section(folder, experiment.name)]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def write_page(folder: str, path: str) -> None:
    """Write the page of a folder of results."""
    write_text(Path(path), page(Path(folder)))


def _section(folder: Path, name: str) -> list[str]:
    kinds = ("_verdicts", "_cells", "_ranks", "")
    verdicts, cells, ranks, rows = (rows_of(folder / f"{name}{kind}.csv") for kind in kinds)
    parts = ["\n".join(f"- {said}." for said in sentences(verdicts))]
    among = "; in brackets those of the printed means, among the same methods" if ranks[0]["printed rank"] else ""
    parts += [f"Average ranks of the methods that ran on all sets{among}:"]
    parts += [_grid(ranks, ("measure", "noise"), "rank", "printed rank, same methods")]
    for (measure, noise), mine in grouped(cells, "measure", "noise").items():
        parts += [f"### {measure}, {noise} noise", _grid(mine, ("set",), "mean", "printed mean")]
    marks = dict.fromkeys((c["set"], c["mark"].split("; ", 1)[-1]) for c in cells if "Table 4" in (c["mark"] or ""))
    marks = dict.fromkeys((s, m.removeprefix("not run here; ").removeprefix("no printed cell; ")) for s, m in marks)
    parts += ["Shapes that differ from Table 4: " + "; ".join(f"{s} ({m})" for s, m in marks) + "."] if marks else []
    parts += ["### Seconds to fit one tree, mean over splits", TIMES, _times(rows)]
    for noise in distinct(rows, "noise"):
        parts += [f"![accuracy against minnum, {noise} noise](wang2024/{name}_minnum_{noise}.png)"]
    return [*parts, WINS, f"![significantly better less worse](wang2024/{name}_wins.png)"]


def _grid(rows: list[Row], names: tuple[str, ...], ours: str, printed: str) -> str:
    """Return a table with a line for each name and a column for each method; printed numbers are in brackets."""
    shown = any(row[printed] is not None for row in rows)

    def cell(row: Row) -> str:
        first, second = (ABSENT if row[name] is None else f"{row[name]:.2f}" for name in (ours, printed))
        return f"{first} ({second})" if shown else first

    return pivoted(rows, names, "method", cell, absent=f"{ABSENT} ({ABSENT})" if shown else ABSENT)


def _times(rows: list[Row]) -> str:
    runs = [row | {"run": row["split"]} for row in rows]
    means = averaged(runs, ("set", "noise", "method"), ("fit seconds",))
    return pivoted(means, ("set", "noise"), "method", lambda row: f"{row['fit seconds']:.3f}", absent=ABSENT)
