"""The page of the reproduction, written from its results alone: ``python -m splitcrit.experiments.yang2019.page``.

Main definitions: ``page``, ``redrawn``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from splitcrit.experiments.results import Row, rows_of
from splitcrit.experiments.runner import Options
from splitcrit.experiments.yang2019 import EXPERIMENTS
from splitcrit.experiments.yang2019 import shown as text_of
from splitcrit.experiments.yang2019.findings import Found, findings
from splitcrit.experiments.yang2019.problems import KNOWN, PROBLEMS
from splitcrit.experiments.yang2019.stopping import DEPTH, INNER_TREES, SIZES, TREES
from splitcrit.files import write_text

HEAD = f"""# yang2019: pairwise gain under label noise

Accuracy on true labels, in percent, after learning from noisy ones; printed means are in brackets, noise is written as
in the paper, (tau_-, tau_+): the rates at which negatives and positives change. This page is written from the CSV files
of [its folder](yang2019), which `splitcrit reproduce yang2019` makes, by
`python -m splitcrit.experiments.yang2019.page docs/reproductions/yang2019`; no result in it is typed.

## What was run

A run is a 5-fold cross-validation; wrong labels are drawn anew for every training part, and tests are on true labels,
to which nothing else has access. Forests have {TREES} trees, the square root of the features at a node, depths of at
most {DEPTH}; trees see all features. The smallest node that is split is one of {", ".join(map(str, SIZES))}, whichever
agrees best with held-out noisy labels in a 5-fold cross-validation of the training part. There forests have
{INNER_TREES} trees, and {TREES} with ten runs of all (`--splits 10`), which is the paper's protocol. Rows, folds, wrong
labels and bootstrap samples are the same for all criteria; seeds are in the files.
"""

OPEN = """The paper leaves open, and here is: how classes are grouped in two (in the order of their numbers, the head of
that order nearest to half of the rows), which is positive (below; where the classes are of unequal size, the one with
which forests by Gini came nearer to the printed ones in a trial), by what the stopping size is chosen (agreement with
noisy labels), the bootstrap (drawn, its different rows counted), voting (soft), labels of leaves (majority), splits of
no gain (made, as scikit-learn makes them), ties (the first feature and threshold), folds (not stratified). The four
data sets of Figure 1 are not named: those drawn are spread evenly over the sizes that were run.
"""


def page(folder: Path) -> str:
    """Return the page as Markdown; an experiment that was not run has no section."""
    names = [e.name for e in EXPERIMENTS if (folder / f"{e.name}.csv").exists()]
    found = Found({name: rows_of(folder / f"{name}.csv") for name in names})
    parts = [HEAD + "\n" + _made(found.rows), OPEN + "\n" + _problems()]
    parts.append("## What reproduces, and what does not\n\n" + "\n".join(f"- {text}" for text in findings(found)))
    parts += [_section(name, title, found) for name, title in TITLES.items() if name in names]
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


TITLES = {
    "table3": "Table III: forests under asymmetric noise",
    "exchanged": "Table III with the other class as the positive one",
    "symmetric": "Forests without noise and under symmetric noise",
    "figure1": "Figure 1: trees",
    "figure2": "Figure 2: what rivals cost, in trees by pairwise gain",
    "variants": "Forests as the paper may have had them, noise (0.2, 0.4)",
}


DRAWN = {
    "panels": "accuracy, leaves and depth of trees against noise",
    "differences": "accuracy of pairwise gain less that of its rivals, by data set",
    "ranks": "average ranks over data sets, with critical differences",
}
CELLS = "A cell: accuracy at the size chosen on noisy labels, and the largest of all sizes with that size.\n\n"


def _section(name: str, title: str, found: Found) -> str:
    if name == "figure2":
        text = (
            text_of.shown_times(text_of.ratios(_by_size(found.rows[name])))
            + "\n\n![what a tree takes by each criterion](yang2019/figure2.png)"
        )
    elif name == "variants":
        text = CELLS + text_of.shown_variants(_by_size(found.rows[name]))
    else:
        tables = [text_of.shown_trees(found.means[name])] if name == "figure1" else []
        tables += [text_of.shown_tests(found.means[name], found.tests[name]), text_of.shown_ranks(found.overall(name))]
        pictures = ("panels", "differences", "ranks") if name == "figure1" else ("differences", "ranks")
        drawn = [f"![{DRAWN[what]}](yang2019/{name}_{what}.png)" for what in pictures]
        text = "\n\n".join([*tables, *drawn, text_of.shown(found.means[name])])
    return f"## {title}\n\n{text}"


def _by_size(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: KNOWN[row["data"]].rows)


def _made(rows: dict[str, list[Row]]) -> str:
    """Return what was run how often, and what of the paper was not."""
    said = []
    for name, mine in rows.items():
        count: dict[str, dict[tuple[float, float], set[int]]] = {}
        for row in _by_size(mine):
            count.setdefault(row["data"], {}).setdefault((row["tau_neg"], row["tau_pos"]), set()).add(row["run"])
        often: dict[int, list[str]] = {}
        for data, cells in count.items():
            often.setdefault(min(map(len, cells.values())), []).append(data)
        parts = [f"{', '.join(sets)} {runs} time{'s' * (runs > 1)}" for runs, sets in sorted(often.items())]
        missing = [n for n, about in PROBLEMS.items() if n not in count]
        said.append(f"- {name}: {'; '.join(parts)}. Not run: {', '.join(missing) or 'none'}.")
    return "\n".join(said)


def _problems() -> str:
    """Return the positive classes."""
    said = [f"{name} {', '.join(about.positive)}" for name, about in PROBLEMS.items()]
    return f"The positive classes are: {'; '.join(said)}."


def redrawn(folder: Path) -> None:
    """Write summaries and pictures again, of all rows that the folder holds."""
    for experiment in EXPERIMENTS:
        path = folder / f"{experiment.name}.csv"
        if path.exists() and experiment.finish:
            experiment.finish(rows_of(path), Options(folder))


if __name__ == "__main__":
    where = Path(sys.argv[1])
    redrawn(where)
    write_text(where.with_suffix(".md"), page(where))
