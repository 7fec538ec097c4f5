"""Results of yang2019 as Markdown tables.

Main definitions: ``named``, ``shown``, ``shown_tests``, ``shown_differences``, ``shown_ranks``, ``shown_trees``,
``shown_times``, ``ratios``, ``shown_variants``, ``best_of``, ``at_chosen``.
"""

from __future__ import annotations

import numpy as np

from ..plots.panels import distinct, grouped
from ..plots.yang2019 import noises_of
from ..results import Row
from ..tables import averaged, pivoted, table, with_printed
from .stopping import CRITERIA
from .summary import OURS, RIVALS, RULES, OverSets, over_sets, tally

Noise = tuple[float, float]
VARIANT = ("data", "sample", "voting", "method")


def named(noise: Noise) -> str:
    """A noise as the paper prints it: (tau_-, tau_+).

    Examples
    --------
    >>> named((0.1, 0.3))
    '(0.1, 0.3)'
    """
    return f"({noise[0]:g}, {noise[1]:g})"


def shown(means: list[Row]) -> str:
    """Accuracies by data set and noise, the printed ones in brackets."""
    rows = [row | {"noise": named((row["tau_neg"], row["tau_pos"]))} for row in means]
    return pivoted(rows, ("data", "noise"), "method", with_printed)


def shown_tests(means: list[Row], tests: list[Row]) -> str:
    """For each noise and rival, wins / ties / losses by every rule, and tests over data sets."""
    heads = ["noise", "pairwise gain against", "sets", "larger on", "median difference", "printed marks"]
    heads += ("t over folds", "t over runs", "corrected t", "Wilcoxon p", "sign test p")
    lines = []
    for noise in noises_of(tests):
        overall = over_sets(means, noise)
        for rival in RIVALS:
            mine = [r for r in tests if (r["tau_neg"], r["tau_pos"], r["rival"]) == (*noise, rival)]
            marks = [tally(mine, "printed mark"), *(tally(mine, f"mark {rule}") for rule in RULES)]
            about = (overall.sets, overall.larger[rival], f"{overall.median[rival]:+.2f}")
            pvalues = f"{overall.wilcoxon[rival]:.4f}", f"{overall.sign[rival]:.4f}"
            lines.append((named(noise), rival, *about, *marks, *pvalues))
    return table(heads, lines, 2)


def shown_differences(tests: list[Row]) -> str:
    """Differences to each rival with their standard deviations over runs, the printed ones in brackets."""
    rows = [row | {"noise": named((row["tau_neg"], row["tau_pos"]))} for row in tests]
    return pivoted(rows, ("data", "noise"), "rival", _difference, "difference to {}")


def _difference(row: Row) -> str:
    deviation = "" if row["deviation"] is None else f" ± {row['deviation']:.2f}"
    mark = "\\*" if row["mark over runs"] in ("win", "loss") else ""
    known = "" if row["printed apart"] is None else f" ({row['printed apart']:+.2f})"
    return f"{row['apart']:+.2f}{deviation}{mark}{known}"


def shown_ranks(tests: list[OverSets]) -> str:
    """Average ranks for each noise."""
    lines = [
        (named(test.noise), test.sets, *(f"{rank:.2f}" for rank in test.ranks.ranks), f"{test.ranks.pvalue:.4f}",
         f"{test.ranks.distance:.2f}")
        for test in tests
    ]  # fmt: skip
    return table(("noise", "sets", *CRITERIA, "Friedman p", "critical difference"), lines)


def shown_trees(means: list[Row]) -> str:
    """For each noise and criterion, accuracy, leaves, depth and balance in the middle of the data sets."""
    lines = []
    for noise in noises_of(means):
        for method in CRITERIA:
            mine = [r for r in means if (r["tau_neg"], r["tau_pos"], r["method"]) == (*noise, method)]
            leaves = np.exp(np.mean([np.log(r["leaves"]) for r in mine]))
            accuracy, depth, balance = (np.mean([r[name] for r in mine]) for name in ("accuracy", "depth", "balance"))
            values = f"{accuracy:.2f}", f"{leaves:.1f}", f"{depth:.1f}", f"{balance:.3f}"
            lines.append((named(noise), method, len(mine), *values))
    heads = ("accuracy, mean", "leaves, geometric mean", "depth, mean", "balance, mean")
    return table(("noise", "criterion", "sets", *heads), lines, 2)


def shown_times(rows: list[Row]) -> str:
    """What a rival's trees cost in those of pairwise gain, for each data set."""
    heads = ("seconds, size chosen", "seconds, to the end", "of it splits", "seconds a split", "rows scanned")
    lines = [(row["data"], row["rival"], *(f"{row[name]:.2f}" for name in RATIOS)) for row in rows]
    return table(("data", "rival", *heads), lines, 2)


RATIOS = ("seconds", "seconds_full", "splits_full", "seconds_a_split", "scanned_full")


def ratios(rows: list[Row]) -> list[Row]:
    """For each data set and rival, seconds and work in those of pairwise gain, of sums over folds.

    The ratio of seconds is that of splits times that of seconds a split.
    """
    sums = {}
    for key, mine in grouped(rows, "data", "method").items():
        totals = {name: sum(row[name] for row in mine) for name in RATIOS if name != "seconds_a_split"}
        sums[key] = totals | {"seconds_a_split": totals["seconds_full"] / totals["splits_full"]}
    return [
        {"data": data, "rival": rival} | {name: sums[data, rival][name] / sums[data, OURS][name] for name in RATIOS}
        for data in distinct(rows, "data")
        for rival in RIVALS
    ]


def best_of(rows: list[Row]) -> list[Row]:
    """For each data set, sample, voting and criterion, the size whose forests are best on true labels."""
    known = [row | {"accuracy": 100 * row["accuracy"]} for row in rows if row["size"] is not None]
    means = grouped(averaged(known, (*VARIANT, "size"), ("accuracy",)), *VARIANT)
    return [max(mine, key=lambda row: row["accuracy"]) for mine in means.values()]


def shown_variants(rows: list[Row]) -> str:
    """Accuracies at the chosen size, a line for each data set, sample and voting, and at the best size."""
    best = {(r["data"], r["sample"], r["voting"], r["method"]): r for r in best_of(rows)}
    at, lines = at_chosen(rows), []
    for line in dict.fromkeys(key[:3] for key in best):
        keys = [(*line, method) for method in CRITERIA]
        lines.append((*line, *(f"{at[key]:.2f}, {best[key]['accuracy']:.2f} at {best[key]['size']}" for key in keys)))
    return table(("data", "sample", "voting", *CRITERIA), lines, 3)


def at_chosen(rows: list[Row]) -> dict[tuple[str, ...], float]:
    """The accuracy of every variant at the stopping size chosen on noisy labels, in percent."""
    groups = grouped([row for row in rows if row["size"] is None], *VARIANT)
    return {key: float(np.mean([100 * row["accuracy"] for row in mine])) for key, mine in groups.items()}
