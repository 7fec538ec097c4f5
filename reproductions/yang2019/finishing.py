"""What is written when an experiment of yang2019 is done: summaries, tests and pictures.

Main definitions: ``finish_forests``, ``finish_figure1``, ``finish_figure2``, ``finish_variants``.
"""

from __future__ import annotations

from ..pictures import saved
from ..plots.yang2019 import differences, noises_of, rank_panels, seconds, tree_panels
from ..results import Row, save_summary
from ..runner import Options
from .problems import KNOWN
from .shown import (
    ratios,
    shown,
    shown_differences,
    shown_ranks,
    shown_tests,
    shown_times,
    shown_trees,
    shown_variants,
)
from .summary import OverSets, compared, known_of, over_sets, summarised

TREE = ("leaves", "depth", "balance", "size")


def finish_forests(name: str, rows: list[Row], options: Options) -> str:
    """Write means, tests, differences by data set and average ranks of forests."""
    means, tests, overall = _written(name, rows, options)
    return "\n\n".join((shown_tests(means, tests), shown_ranks(overall), shown_differences(tests), shown(means)))


def finish_figure1(rows: list[Row], options: Options) -> str:
    """Write means and tests of trees, differences, ranks, and the picture of four data sets."""
    means, tests, _ = _written("figure1", rows, options, TREE)
    saved(tree_panels(means, four_of(means)), options, "figure1_panels")
    return "\n\n".join((shown_trees(means), shown_tests(means, tests)))


def _written(
    name: str, rows: list[Row], options: Options, columns: tuple[str, ...] = ()
) -> tuple[list[Row], list[Row], list[OverSets]]:
    """Write means, tests and their pictures; return means, tests, and tests over data sets."""
    known = known_of(name)
    means, tests = summarised(rows, columns, known=known), compared(rows, known=known)
    overall = [over_sets(means, noise) for noise in noises_of(means)]
    save_summary(means, options.out / f"{name}_summary.csv")
    save_summary(tests, options.out / f"{name}_tests.csv")
    saved(differences(tests), options, f"{name}_differences")
    if several := [test for test in overall if test.sets > 1]:
        saved(rank_panels(several), options, f"{name}_ranks")
    return means, tests, overall


def four_of(means: list[Row]) -> list[str]:
    """Four data sets spread evenly over the sizes that were run: the paper's four are not named."""
    names = sorted({row["data"] for row in means}, key=lambda name: KNOWN[name].rows)
    return [names[round(i * (len(names) - 1) / 3)] for i in range(4)] if len(names) > 4 else names


def finish_figure2(rows: list[Row], options: Options) -> str:
    """Write what trees cost by each criterion in that by pairwise gain, and the picture."""
    order = sorted(rows, key=lambda row: KNOWN[row["data"]].rows)
    time_ratios = ratios(order)
    save_summary(time_ratios, options.out / "figure2_ratios.csv")
    saved(seconds(order), options, "figure2")
    return shown_times(time_ratios)


def finish_variants(rows: list[Row], options: Options) -> str:
    """What every variant comes to."""
    return shown_variants(sorted(rows, key=lambda row: KNOWN[row["data"]].rows))
