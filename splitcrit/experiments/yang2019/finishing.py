"""What is written when an experiment of yang2019 is done: summaries, tests and pictures.

Main definitions: ``finish_forests``, ``finish_figure1``, ``finish_figure2``, ``finish_variants``.
"""

from __future__ import annotations

from splitcrit.experiments.ghosh2017.summary import saved
from splitcrit.experiments.results import Row
from splitcrit.experiments.runner import Options
from splitcrit.experiments.yang2019.problems import KNOWN
from splitcrit.experiments.yang2019.shown import (
    noises_of,
    ratios,
    shown,
    shown_ranks,
    shown_tests,
    shown_times,
    shown_trees,
    shown_variants,
)
from splitcrit.experiments.yang2019.summary import compared, over_sets, summarised

TREE = ("leaves", "depth", "balance", "size")
DPI = 110


def finish_forests(name: str, rows: list[Row], options: Options) -> str:
    """Write means, tests, differences by data set and average ranks of forests."""
    from splitcrit.plots.yang2019 import differences, rank_panels

    means, tests = summarised(rows), compared(rows)
    overall = [over_sets(means, noise) for noise in noises_of(means)]
    saved(means, options.out / f"{name}_summary.csv")
    saved(tests, options.out / f"{name}_tests.csv")
    for figure, what in ((differences(tests), "differences"), (rank_panels(overall), "ranks")):
        figure.savefig(options.out / f"{name}_{what}.png", dpi=DPI, metadata={"Software": None})
    return "\n\n".join((shown_tests(means, tests), shown_ranks(overall), shown(means)))


def finish_figure1(rows: list[Row], options: Options) -> str:
    """Write means of trees, the picture of four data sets, and average ranks."""
    from splitcrit.plots.yang2019 import differences, rank_panels, tree_panels

    means, tests = summarised(rows, TREE), compared(rows)
    overall = [over_sets(means, noise) for noise in noises_of(means)]
    saved(means, options.out / "figure1_summary.csv")
    saved(tests, options.out / "figure1_tests.csv")
    drawn = {
        "panels": tree_panels(means, four_of(means)),
        "differences": differences(tests),
        "ranks": rank_panels(overall),
    }
    for what, figure in drawn.items():
        figure.savefig(options.out / f"figure1_{what}.png", dpi=DPI, metadata={"Software": None})
    return "\n\n".join((shown_trees(means), shown_tests(means, tests)))


def four_of(means: list[Row]) -> list[str]:
    """Return four data sets spread evenly over the sizes that were run: the paper's four are not named."""
    names = sorted({row["data"] for row in means}, key=lambda name: KNOWN[name].rows)
    return [names[round(i * (len(names) - 1) / 3)] for i in range(4)] if len(names) > 4 else names


def finish_figure2(rows: list[Row], options: Options) -> str:
    """Write what trees cost by each criterion in that by pairwise gain, and the picture."""
    from splitcrit.plots.yang2019 import seconds

    order = sorted(rows, key=lambda row: KNOWN[row["data"]].rows)
    found = ratios(order)
    saved(found, options.out / "figure2_ratios.csv")
    seconds(order).savefig(options.out / "figure2.png", dpi=DPI, metadata={"Software": None})
    return shown_times(found)


def finish_variants(rows: list[Row], options: Options) -> str:
    """Return the best size of every variant."""
    return shown_variants(sorted(rows, key=lambda row: KNOWN[row["data"]].rows))
