"""Why the results of yang2019 are as they are: what theory says, and what of it the results show.

Main definitions: ``orders``, ``balance``, ``labels``, ``positive``, ``variants``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.experiments.results import Row
from splitcrit.experiments.yang2019.problems import ASYMMETRIC
from splitcrit.experiments.yang2019.shown import at_chosen, best_of, named
from splitcrit.experiments.yang2019.stopping import CRITERIA
from splitcrit.experiments.yang2019.summary import OURS, RIVALS, table3
from splitcrit.plots.yang2019 import noises_of


def orders() -> str:
    """What is proved of the criteria."""
    return (
        "**Theory: robustness cannot set pairwise gain apart from Gini.** With D = N_L^+ N_R^- - N_L^- N_R^+ pairwise "
        "gain is |D| / 2 and the gain of Gini 2 D^2 / (N^2 N_L N_R); class-conditional noise multiplies the expected D "
        "of every split of a node by 1 - tau_+ - tau_- and leaves N_L and N_R alone. So both keep the order of all "
        "splits under symmetric and asymmetric noise, Theorem 1 holds for Gini as it does for pairwise gain, and that "
        "Gini is not robust to asymmetric noise (Section VI-B) is false "
        "(`noise.gini_gain_and_twoing_rescale_of_class_conditional`, "
        "`gain.gini_gain_is_squared_pairwise_gain_over_sizes`; "
        "information gain has no such property). Nor is the criterion new: at a node it orders splits as the "
        "Kolmogorov-Smirnov distance between the classes does "
        "(`gain.pairwise_gain_is_kolmogorov_smirnov_distance`). The theorem is one about expected counts: at a "
        "node's own size both criteria change their choice."
    )


def balance(means: list[Row]) -> str:
    """The one respect in which pairwise gain and Gini differ, on trees."""
    noises = noises_of(means)
    at = {
        (noise, method): float(
            np.mean([r["balance"] for r in means if (r["tau_neg"], r["tau_pos"], r["method"]) == (*noise, method)])
        )
        for noise in (noises[0], noises[-1])
        for method in CRITERIA
    }
    parts = [
        f"at {named(noise)} {', '.join(f'{method} {at[noise, method]:.3f}' for method in CRITERIA)}"
        for noise in (noises[0], noises[-1])
    ]
    return (
        "**What does set them apart is a taste for even splits.** Within a node the square of pairwise gain is the "
        "gain of Gini times N_L N_R, up to a constant: of two splits with equal gain of Gini it takes the more even "
        "one, without noise as with it. The smaller child has this share of the rows, in the mean over data sets: "
        f"{'; '.join(parts)}. Even splits make trees less deep."
    )


def labels(means: list[Row]) -> str:
    """What the threshold of the labels costs, beside what the criterion costs."""
    parts = []
    for noise in noises_of(means):
        mine = [r for r in means if (r["tau_neg"], r["tau_pos"]) == noise]
        won = {
            m: np.mean([r["accuracy_shifted"] - r["accuracy"] for r in mine if r["method"] == m]) for m in CRITERIA
        }  # fmt: skip
        at = {(r["data"], r["method"]): r["accuracy"] for r in mine}
        apart = [abs(v - at[data, rival]) for (data, m), v in at.items() if m == OURS for rival in RIVALS]
        parts.append(
            f"at {named(noise)} it adds {', '.join(f'{m} {points:+.2f}' for m, points in won.items())} points, where "
            f"the criteria are {np.mean(apart):.2f} apart"
        )
    return (
        "**Asymmetric noise harms the labels of leaves, whatever the criterion.** A leaf's noisy majority is its true "
        "one only if the threshold is (1 - tau_+ + tau_-) / 2 in place of 1/2. With the rates known that threshold "
        f"costs nothing to use; in the mean over data sets {'; '.join(parts)}. The stopping sizes are those chosen "
        "at 1/2."
    )


def positive(means: list[Row], exchanged: list[Row]) -> str:
    """Which class is the positive one, as far as printed numbers tell."""
    at = {(r["data"], r["tau_pos"]): r for r in means if r["method"] == "Gini"}
    swapped = {(r["data"], r["tau_neg"]): r for r in exchanged if r["method"] == "Gini"}
    apart: dict[str, list[float]] = {}
    for key in at.keys() & swapped.keys():
        if at[key]["printed"] is not None:
            here, there = (abs(r["accuracy"] - at[key]["printed"]) for r in (at[key], swapped[key]))
            apart.setdefault(key[0], []).append(there - here)
    if not apart:
        raise KeyError("exchanged")
    closer = [name for name, gaps in apart.items() if sum(gaps) > 0]
    other = sorted(set(apart) - set(closer))
    return (
        "**Which class is positive** is not printed, and matters where classes are of unequal size. On "
        f"{len(closer)} of {len(apart)} problems forests by Gini are nearer to the printed means with the positive "
        "class that was taken than with the other" + (f"; not on {', '.join(other)}." if other else ".")
    )


def variants(rows: list[Row]) -> str:
    """Whether details that the paper leaves open make its numbers."""
    at, known, noise = at_chosen(rows), table3(), ASYMMETRIC[-1]
    sets = [data for data in dict.fromkeys(key[0] for key in at) if (data, *noise, OURS) in known]
    if "breast" not in sets:
        raise KeyError("breast")
    parts, ahead = [], 0
    for variant in dict.fromkeys(key[1:3] for key in at):
        apart = np.array([at[data, *variant, OURS] - at[data, *variant, "Gini"] for data in sets])
        ahead += bool(np.median(apart) > 0)
        off = {
            method: np.median([at[data, *variant, method] - known[data, *noise, method]["accuracy"] for data in sets])
            for method in (OURS, "Gini")
        }
        parts.append(
            f"{', '.join(variant)} voting: pairwise gain less Gini {np.median(apart):+.2f} points in the median, more "
            f"accurate on {np.sum(apart > 0)}; ours less the printed {off[OURS]:+.2f} for pairwise gain and "
            f"{off['Gini']:+.2f} for Gini"
        )
    print_of = {method: known["breast", *noise, method]["accuracy"] for method in CRITERIA}
    best = {(r["sample"], r["voting"], r["method"]): r for r in best_of(rows) if r["data"] == "breast"}
    spread = [f"{best[key]['accuracy']:.2f} ({', '.join(key[:2])}, {best[key]['size']})" for key in _ends(best)]
    return (
        "**Sampling, counting and voting are not stated, and matter.** Pairwise gain is ahead of Gini in the median in "
        f"{ahead} of {len(parts)} variants, on {len(sets)} small problems at {named(noise)} with sizes chosen on noisy "
        "labels: "
        f"{'; '.join(parts)}. Of breast the paper prints {', '.join(f'{m} {v:.2f}' for m, v in print_of.items())}: "
        "with the size that is best by true labels, which no one can choose so, forests by pairwise gain have from "
        f"{' to '.join(spread)}. scikit-learn counts the different rows of a bootstrap sample; where copies count, "
        "nodes are larger. Two implementations could set two criteria apart by that alone."
    )


def _ends(best: dict[tuple[str, str, str], Row]) -> list[tuple[str, str, str]]:
    """Return the variants of pairwise gain of the smallest and of the largest accuracy."""
    ours = sorted((key for key in best if key[2] == OURS), key=lambda key: float(best[key]["accuracy"]))
    return [ours[0], ours[-1]]
