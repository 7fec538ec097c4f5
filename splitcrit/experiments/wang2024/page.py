"""The page of the comparison, written from its results.

Main definitions: ``page``; ``write_page`` (a folder of results, the file to write).
"""

from __future__ import annotations

import csv
from pathlib import Path
from statistics import mean
from typing import Any

from splitcrit.experiments.wang2024.beside import sentences
from splitcrit.experiments.wang2024.tables import EXPERIMENTS
from splitcrit.files import write_text

Rows = list[dict[str, str]]
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
    verdicts, cells, ranks, rows = (_read(folder, name + kind) for kind in ("_verdicts", "_cells", "_ranks", ""))
    parts = ["\n".join(f"- {said}." for said in sentences(verdicts))]
    among = "; in brackets those of the printed means, among the same methods" if ranks[0]["printed rank"] else ""
    parts += [f"Average ranks of the methods that ran on all sets{among}:"]
    parts += [_grid(ranks, ("measure", "noise"), "rank", "printed rank, same methods", ".2f")]
    for measure, noise in dict.fromkeys((c["measure"], c["noise"]) for c in cells):
        mine = [c for c in cells if (c["measure"], c["noise"]) == (measure, noise)]
        parts += [f"### {measure}, {noise} noise", _grid(mine, ("set",), "mean", "printed mean", ".2f")]
    marks = dict.fromkeys((c["set"], c["mark"].split("; ", 1)[-1]) for c in cells if "Table 4" in c["mark"])
    marks = dict.fromkeys((s, m.removeprefix("not run here; ").removeprefix("no printed cell; ")) for s, m in marks)
    parts += ["Shapes that differ from Table 4: " + "; ".join(f"{s} ({m})" for s, m in marks) + "."] if marks else []
    parts += ["### Seconds to fit one tree, mean over splits", TIMES, _times(rows)]
    for noise in dict.fromkeys(row["noise"] for row in rows):
        parts += [f"![accuracy against minnum, {noise} noise](wang2024/{name}_minnum_{noise}.png)"]
    return [*parts, WINS, f"![significantly better less worse](wang2024/{name}_wins.png)"]


def _read(folder: Path, name: str) -> Rows:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _grid(rows: Rows, names: tuple[str, ...], ours: str, printed: str, form: str) -> str:
    """Return a table with a line for each name and a column for each method."""
    methods = list(dict.fromkeys(row["method"] for row in rows))
    known = {(*(row[n] for n in names), row["method"]): row for row in rows}
    lines = list(dict.fromkeys(key[:-1] for key in known))
    shown = any(row[printed] for row in rows)

    def cell(row: Any) -> str:
        first, second = (f"{float(row[k]):{form}}" if row and row[k] else "–" for k in (ours, printed))
        return f"{first} ({second})" if shown else first

    body = [[*line, *(cell(known.get((*line, m))) for m in methods)] for line in lines]
    return _table([*names, *methods], body)


def _times(rows: Rows) -> str:
    sets, noises, methods = (list(dict.fromkeys(row[key] for row in rows)) for key in ("set", "noise", "method"))
    body = []
    for one, noise in ((s, n) for s in sets for n in noises):
        line = [one, noise]
        for method in methods:
            mine = [
                float(r["fit seconds"]) for r in rows if (r["set"], r["noise"], r["method"]) == (one, noise, method)
            ]
            line.append(f"{mean(mine):.3f}" if mine else "–")
        body.append(line)
    return _table(["set", "noise", *methods], body)


def _table(head: list[str], body: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
