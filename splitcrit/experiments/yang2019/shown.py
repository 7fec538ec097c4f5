"""Results of yang2019 as Markdown tables.

Main definitions: ``noises_of``, ``named``, ``shown``, ``shown_tests``, ``shown_trees``, ``shown_times``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.experiments.results import Row
from splitcrit.experiments.yang2019.stopping import CRITERIA
from splitcrit.experiments.yang2019.summary import OURS, RIVALS, RULES, OverSets, over_sets, tally

Noise = tuple[float, float]


def noises_of(rows: list[Row]) -> list[Noise]:
    """Return the noises of some rows, the smaller first."""
    return sorted({(row["tau_neg"], row["tau_pos"]) for row in rows}, key=lambda noise: (noise[1], noise[0]))


def named(noise: Noise) -> str:
    """Return a noise as the paper prints it: (tau_-, tau_+).

    Examples
    --------
    >>> named((0.1, 0.3))
    '(0.1, 0.3)'
    """
    return f"({noise[0]:g}, {noise[1]:g})"


def shown(means: list[Row]) -> str:
    """Return accuracies by data set and noise, the printed ones in brackets."""
    lines = [f"| data | noise | runs | {' | '.join(CRITERIA)} |", "|---|---|---:|---:|---:|---:|"]
    at = {(r["data"], r["tau_neg"], r["tau_pos"], r["method"]): r for r in means}
    for data, tau_neg, tau_pos in dict.fromkeys(key[:3] for key in at):
        mine = [at[data, tau_neg, tau_pos, method] for method in CRITERIA]
        pairs = " | ".join(_pair(row) for row in mine)
        lines.append(f"| {data} | {named((tau_neg, tau_pos))} | {mine[0]['runs']} | {pairs} |")
    return "\n".join(lines)


def _pair(row: Row) -> str:
    return f"{row['accuracy']:.2f}" + (f" ({row['printed']:.2f})" if row["printed"] is not None else "")


def shown_tests(means: list[Row], tests: list[Row]) -> str:
    """Return, for each noise and rival, wins / ties / losses by every rule, and tests over data sets."""
    lines = [
        "| noise | pairwise gain against | sets | larger on | median difference | printed marks | t over folds | "
        "t over runs | corrected t | Wilcoxon p | sign test p |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for noise in noises_of(tests):
        overall = over_sets(means, noise)
        for rival in RIVALS:
            mine = [r for r in tests if (r["tau_neg"], r["tau_pos"], r["rival"]) == (*noise, rival)]
            printed = tally(mine, "printed mark")
            marks = " | ".join(tally(mine, f"mark {rule}") for rule in RULES)
            lines.append(
                f"| {named(noise)} | {rival} | {overall.sets} | {overall.larger[rival]} | "
                f"{overall.median[rival]:+.2f} | {printed} | {marks} | {overall.wilcoxon[rival]:.4f} | "
                f"{overall.sign[rival]:.4f} |"
            )
    return "\n".join(lines)


def shown_ranks(tests: list[OverSets]) -> str:
    """Return average ranks for each noise."""
    lines = [f"| noise | sets | {' | '.join(CRITERIA)} | Friedman p | critical difference |"]
    lines.append("|---|---:|" + "---:|" * (len(CRITERIA) + 2))
    for test in tests:
        ranks = " | ".join(f"{rank:.2f}" for rank in test.ranks.ranks)
        about = f"{test.ranks.pvalue:.4f} | {test.ranks.distance:.2f}"
        lines.append(f"| {named(test.noise)} | {test.sets} | {ranks} | {about} |")
    return "\n".join(lines)


def shown_trees(means: list[Row]) -> str:
    """Return, for each noise and criterion, accuracy, leaves, depth and balance in the middle of the data sets."""
    lines = ["| noise | criterion | sets | accuracy, mean | leaves, geometric mean | depth, mean | balance, mean |"]
    lines.append("|---|---|---:|---:|---:|---:|---:|")
    for noise in noises_of(means):
        for method in CRITERIA:
            mine = [r for r in means if (r["tau_neg"], r["tau_pos"], r["method"]) == (*noise, method)]
            leaves = np.exp(np.mean([np.log(r["leaves"]) for r in mine]))
            other = [float(np.mean([r[name] for r in mine])) for name in ("accuracy", "depth", "balance")]
            lines.append(
                f"| {named(noise)} | {method} | {len(mine)} | {other[0]:.2f} | {leaves:.1f} | {other[1]:.1f} | "
                f"{other[2]:.3f} |"
            )
    return "\n".join(lines)


def shown_times(rows: list[Row]) -> str:
    """Return what a rival's trees cost in those of pairwise gain, for each data set."""
    lines = [
        "| data | rival | seconds, size chosen | seconds, to the end | of it splits | seconds a split | rows scanned |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        values = " | ".join(f"{row[name]:.2f}" for name in RATIOS)
        lines.append(f"| {row['data']} | {row['rival']} | {values} |")
    return "\n".join(lines)


RATIOS = ("seconds", "seconds_full", "splits_full", "seconds_a_split", "scanned_full")


def ratios(rows: list[Row]) -> list[Row]:
    """Return, for each data set and rival, seconds and work in those of pairwise gain, of sums over folds.

    The ratio of seconds is that of splits times that of seconds a split.
    """
    sums: dict[tuple[str, str], dict[str, float]] = {}
    for row in rows:
        mine = sums.setdefault((row["data"], row["method"]), {})
        for name in ("seconds", "seconds_full", "splits_full", "scanned_full"):
            mine[name] = mine.get(name, 0.0) + row[name]
    for mine in sums.values():
        mine["seconds_a_split"] = mine["seconds_full"] / mine["splits_full"]
    return [
        {"data": data, "rival": rival} | {name: sums[data, rival][name] / sums[data, OURS][name] for name in RATIOS}
        for data in dict.fromkeys(data for data, _ in sums)
        for rival in RIVALS
    ]


def best_of(rows: list[Row]) -> list[Row]:
    """Return, for each data set, sample, voting and criterion, the size whose forests are best on true labels."""
    found: dict[tuple[str, str, str, str], dict[int, list[float]]] = {}
    for row in rows:
        key = (row["data"], row["sample"], row["voting"], row["method"])
        if row["size"] is not None:
            found.setdefault(key, {}).setdefault(row["size"], []).append(100 * row["accuracy"])
    best = []
    for key, by_size in found.items():
        size = max(by_size, key=lambda size: np.mean(by_size[size]))
        about = {"size": size, "accuracy": float(np.mean(by_size[size]))}
        best.append(dict(zip(("data", "sample", "voting", "method"), key, strict=True)) | about)
    return best


def shown_variants(rows: list[Row]) -> str:
    """Return accuracies at the chosen size, a line for each data set, sample and voting, and at the best size."""
    lines = [f"| data | sample | voting | {' | '.join(CRITERIA)} |", "|---|---|---|---:|---:|---:|"]
    best = {(r["data"], r["sample"], r["voting"], r["method"]): r for r in best_of(rows)}
    at = at_chosen(rows)
    for data, sample, voting in dict.fromkeys(key[:3] for key in best):
        keys = [(data, sample, voting, method) for method in CRITERIA]
        shown = " | ".join(f"{at[key]:.2f}, {best[key]['accuracy']:.2f} at {best[key]['size']}" for key in keys)
        lines.append(f"| {data} | {sample} | {voting} | {shown} |")
    return "\n".join(lines)


def at_chosen(rows: list[Row]) -> dict[tuple[str, str, str, str], float]:
    """Return the accuracy of every variant at the stopping size chosen on noisy labels, in percent."""
    found: dict[tuple[str, str, str, str], list[float]] = {}
    for row in rows:
        if row["size"] is None:
            key = (row["data"], row["sample"], row["voting"], row["method"])
            found.setdefault(key, []).append(100 * row["accuracy"])
    return {key: float(np.mean(values)) for key, values in found.items()}
