"""The page of the reproduction, written from its results alone: ``python -m splitcrit.experiments.ghosh2017.page``.

Main definitions: ``page``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from splitcrit.experiments.ghosh2017.evidence import Found
from splitcrit.experiments.ghosh2017.findings import findings
from splitcrit.experiments.ghosh2017.learners import GAMMA, ITERATIONS, ROWS, C
from splitcrit.experiments.ghosh2017.sizes import curves, needed, shown_sizes
from splitcrit.experiments.ghosh2017.summary import shown, summarised
from splitcrit.experiments.results import Row, rows_of
from splitcrit.files import write_text

HEAD = """# ghosh2017: trees and forests under label noise

Accuracy on true labels, in percent, after learning from noisy ones; printed means are in brackets. This page is written
from the CSV files of [its folder](ghosh2017), which `splitcrit reproduce ghosh2017` makes, by
`python -m splitcrit.experiments.ghosh2017.page docs/reproductions/ghosh2017`; no number in it is typed.

## What was run

60 % of the rows train, 20 % are for validation, 20 % test with their true labels; labels of the first two are noisy.
The synthetic problems are drawn anew in every run. The paper prints no size for the 4x4 checkerboard: that of the 2x2
one is taken, and twice it. Trees and forests of 100 are the library's, split at zero gain as scikit-learn's do; of a
tuned tree the smallest leaf is chosen on the validation rows. The positive classes are those that give the printed
counts. The column of two rates is noise of positives / of negatives.
"""


def page(folder: Path) -> str:
    """Return the page as Markdown."""
    runs = {name: rows_of(folder / f"{name}.csv") for name in ("table1", "table2", "figure1")}
    means = {name: summarised(runs[name], name) for name in ("table1", "table2")}
    lines = curves(runs["figure1"])
    sizes = needed(lines)
    found = Found(runs["table1"] + runs["table2"], means["table1"] + means["table2"], lines, sizes)
    parts = [HEAD + "\n" + _made(runs)]
    parts.append("## What reproduces, and what does not\n\n" + "\n".join(f"- {text}" for text in findings(found)))
    for name, title in (("table1", "Table 1: synthetic problems"), ("table2", "Table 2: problems of UCI")):
        parts.append(f"## {title}\n\n{shown(means[name])}\n\n![accuracy against noise](ghosh2017/{name}.png)")
    drawn = "![accuracy against leaf size and sample size](ghosh2017/figure1.png)"
    parts.append(f"## Figure 1: sizes of leaves and of samples, 2x2 checkerboard\n\n{shown_sizes(sizes)}\n\n{drawn}")
    return "\n\n".join(parts) + "\n"


def _made(runs: dict[str, list[Row]]) -> str:
    """Return how often everything was run."""
    said = []
    for name, rows in runs.items():
        count: dict[Any, set[Any]] = {}
        for row in rows:
            count.setdefault((row.get("data"), row["method"], row["noise"]), set()).add(row["run"])
        methods = list(dict.fromkeys(method for _, method, _ in count))
        each = {m: sorted({len(v) for k, v in count.items() if k[1] == m}) for m in methods}
        said.append(f"- {name}: runs of every cell: " + ", ".join(f"{m} {_range(n)}" for m, n in each.items()) + ".")
    machines = (
        f"Support vector machines (scikit-learn's, features of mean 0 and variance 1) learn from at most {ROWS} "
        f"training rows, are chosen by agreement with at most {ROWS} noisy validation rows among C in {list(C)} and, "
        "for the "
        f"Gaussian kernel, gamma in {list(GAMMA)}, and stop after {ITERATIONS} iterations; "
        "the paper used all rows. Where they "
        "have fewer runs than the others, comparisons with them are of means over different numbers of runs."
    )
    return "\n".join(said) + "\n\n" + machines


def _range(counts: list[int]) -> str:
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


if __name__ == "__main__":
    where = Path(sys.argv[1])
    write_text(where.with_suffix(".md"), page(where))
