"""What the experiments say of the claims of ghosh2017, in words; every number is taken from the results.

Main definitions: ``findings``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from splitcrit.experiments.claims import paragraphs, verdict
from splitcrit.experiments.comparing import critical_difference
from splitcrit.experiments.ghosh2017.evidence import DISTINCT, MAIN, PLANE, UCI, Found
from splitcrit.experiments.ghosh2017.problems import SYNTHETIC


def findings(found: Found) -> list[str]:
    """Return a paragraph for each claim; one that rests on cells that were not run is left out."""
    about: tuple[Callable[[Found], str], ...] = (
        printed_numbers, chosen_leaves, board_size, robust_trees, machines, one_criterion, misclassification,
        class_conditional, leaves, sizes, real_problems, sample_id, german, ranks,
    )  # fmt: skip
    return paragraphs(about, found)


def printed_numbers(found: Found) -> str:
    """How far our means are from the printed ones."""
    parts = []
    for method in MAIN:
        cells = [r for r in found.means if r["method"] == method and r["printed"] is not None]
        cells = [r for r in cells if r["data"] in DISTINCT]
        if not cells:
            raise KeyError(method)
        apart = np.array([abs(r["difference"]) for r in cells])
        far = cells[int(apart.argmax())]
        parts.append(
            f"{method} {np.median(apart):.2f} points in the median, {(apart < 1).sum()} of {len(cells)} cells within "
            "one "
            f"point, the farthest {far['data']} at {far['noise']} % ({far['accuracy']:.2f}, "
            f"printed {far['printed']:.2f})"
        )
    return "**Printed and ours.** Means differ from the printed ones: " + "; ".join(parts) + "."


def chosen_leaves(found: Found) -> str:
    """Trees with the smallest leaf fixed, and chosen on validation data."""
    cells = [
        r for r in found.means if r["data"] in DISTINCT and r["noise"] in ("30", "40") and r["printed"] is not None
    ]
    apart = {m: np.median([r["difference"] for r in cells if r["method"] == m]) for m in ("Gini", "Gini tuned")}
    apart = {m: round(points, 2) + 0.0 for m, points in apart.items()}
    return (
        "**The printed trees are not trees with the printed leaf size alone.** At 30 % and 40 % noise trees with "
        "exactly "
        f"that smallest leaf are {apart['Gini']:+.2f} points from the printed means in the median; trees whose "
        "smallest "
        "leaf is that or 2, 4, 8 or 16 times as large, whichever agrees best with noisy validation labels, are "
        f'{apart["Gini tuned"]:+.2f} points from them. The paper says that leaves were "restricted" to the size.'
    )


def board_size(found: Found) -> str:
    """The 4 x 4 checkerboard, whose size is not printed."""
    parts = []
    for name in ("checkerboard 4x4", "checkerboard 4x4, twice the size"):
        cells = [r for r in found.means if r["data"] == name and r["method"] == "RF" and "/" not in r["noise"]]
        apart = [abs(r["difference"]) for r in cells if r["printed"] is not None]
        if not apart:
            raise KeyError(name)
        parts.append(f"at most {max(apart):.2f} points with {SYNTHETIC[name][0]}")
    return (
        "**The 4x4 checkerboard had more samples than the 2x2 one, it seems.** Under symmetric noise forests are "
        f"{' and '.join(parts)} samples from the printed means; below, the larger board stands for the paper's."
    )


def robust_trees(found: Found) -> str:
    """Trees and forests under symmetric noise on the synthetic problems."""
    lost = {m: [found.most_lost(m, noise) for noise in ("30", "40")] for m in ("Gini", "Gini tuned", "RF")}
    holds = all(thirty < 2 for thirty, _ in lost.values())
    parts = [f"{m} at most {thirty:.2f} points at 30 % and {forty:.2f} at 40 %" for m, (thirty, forty) in lost.items()]
    return (
        "**Trees and forests with large leaves keep their accuracy under symmetric noise** (Table 1, read as at most "
        "2 points at 30 %). "
        f"{verdict(holds)}: noise costs {'; '.join(parts)}, over the four problems."
    )


def machines(found: Found) -> str:
    """Support vector machines on the synthetic problems."""
    behind = [found.mean(d, "Gini tuned", "40") - found.mean(d, "SVM", "40") for d in PLANE]
    prior = [abs(found.mean(d, "SVM", "40") - found.mean(d, "constant", "40")) for d in ("dataset 3", "dataset 4")]
    return (
        f"**Support vector machines are much poorer.** {verdict(min(behind) > 1)}: at 40 % they are {min(behind):.2f} "
        f"to {max(behind):.2f} points behind tuned trees. On data sets 3 and 4 they are {min(prior):.2f} and "
        f"{max(prior):.2f} points away from naming the larger class always. They learnt from fewer samples than the "
        "trees here, which is part of the gap on the checkerboards."
    )


def _paired(found: Found, method: str) -> np.ndarray:
    """Return accuracies of a method less those of Gini's trees, trial by trial."""
    at = {(r["data"], str(r["noise"]), r["run"], r["method"]): r["accuracy"] for r in found.runs}
    return np.array([value - at[(*key[:3], "Gini")] for key, value in at.items() if key[3] == method])


def one_criterion(found: Found) -> str:
    """Twoing against Gini."""
    apart = _paired(found, "Twoing")
    return (
        f"**Twoing and Gini grow one tree.** In {(apart == 0).sum()} of {len(apart)} trials their accuracies are "
        f"equal, and they are never more than {abs(apart).max():.2f} points apart: for two classes the gain of Gini "
        "is twice "
        "that of twoing, with or without noise."
    )


def misclassification(found: Found) -> str:
    """Misclassification against Gini."""
    apart = {(d, n): found.mean(d, "Misclassification", n) - found.mean(d, "Gini", n) for d, n in _cells(found)}
    (low, down), (high, up) = (pick(apart.items(), key=lambda item: item[1]) for pick in (min, max))
    holds = max(-down, up) < 2
    return (
        f"**Misclassification does as well as Gini** (Section 4.2, read as within 2 points). "
        f"{verdict(holds)}: its mean is between "
        f"{down:+.2f} points ({low[0]}, {low[1]} %) and {up:+.2f} points ({high[0]}, {high[1]} %) from that of Gini, "
        f"{np.median(np.abs(list(apart.values()))):.2f} in the median of the distances."
    )


def _cells(found: Found) -> list[tuple[str, str]]:
    return list(dict.fromkeys((row["data"], row["noise"]) for row in found.means))


def class_conditional(found: Found) -> str:
    """The 40 % / 20 % column of Table 1."""
    lost = {m: found.most_lost(m, "40/20") for m in MAIN}
    holds = max(lost["Gini"], lost["RF"]) < 5 < lost["SVM"]
    return (
        f"**Class-conditional noise hurts trees and forests little** (read as at most 5 points). "
        f"{verdict(holds)}: at 40 % of positives and 20 % "
        f"of negatives, Gini trees lose at most {lost['Gini']:.2f} points, tuned ones {lost['Gini tuned']:.2f}, "
        "forests "
        f"{lost['RF']:.2f}, support vector machines {lost['SVM']:.2f}. The order of splits by Gini is the same under "
        "any such noise of two classes; what can "
        "change is the majority of a leaf with less than three positives in four."
    )


def leaves(found: Found) -> str:
    """Figure 1 (a)."""
    at = {(r["method"], r["leaf"], r["noise"]): r["accuracy"] for r in found.curves if r["panel"] == "a"}
    holds = min(at["Gini", 50, "30"], at["RF", 50, "30"]) > 95
    parts = [
        f"{kind} have {at[m, 1, '30']:.1f} % with leaves of one sample and {at[m, 50, '30']:.1f} % with leaves of 50"
        for m, kind in (("Gini", "trees"), ("RF", "forests"))
    ]
    return (
        f"**Leaves of 50 are enough for 30 % noise, small leaves are not** (Figure 1 a, read as 95 %). "
        f"{verdict(holds)}: at 30 % noise {' and '.join(parts)}. At 40 % noise trees have "
        f"{at['Gini', 50, '40']:.1f} % with leaves of 50 "
        f"and {at['Gini', 250, '40']:.1f} % with leaves of 250."
    )


def sizes(found: Found) -> str:
    """Figure 1 (b)."""
    n = {(r["leaves"], r["noise"]): r["n"] for r in found.sizes}
    rules = list(dict.fromkeys(rule for rule, _ in n))
    both = [rule for rule in rules if n[rule, "20"] and n[rule, "40"]]
    parts = [f"{n[r, '40'] / n[r, '20']:.1f} ({n[r, '20']} to {n[r, '40']}, leaves of {r})" for r in both]
    never = ", ".join(rule for rule in rules if rule not in both)
    ratio = (1 - 2 * 0.2) ** 2 / (1 - 2 * 0.4) ** 2
    return (
        f"**Samples needed grow as (1 - 2 eta)^-2** (Figure 1 b). From 20 % to 40 % noise that is a factor of "
        f"{ratio:.0f}. To reach 95 % we need "
        + (f"{'; '.join(parts)} times as many." if parts else "more than the figure has.")
        + (f" At one of the two noises 95 % is not reached with leaves of {never}." if never else "")
        + " The paper names no leaf size. The law is one for a leaf's majority: it can show in the size of a sample "
        "only where leaves grow with the sample."
    )


def real_problems(found: Found) -> str:
    """Table 2: which method loses most."""
    names = UCI
    lost = {m: {d: found.lost(d, m, "40") for d in names} for m in MAIN}
    worse = {m: [d for d in names if lost["SVM"][d] > lost[m][d]] for m in MAIN[:-1]}
    holds = all(len(found_in) == len(names) for found_in in worse.values())
    parts = [f"more than {m} on {len(worse[m])} of {len(names)}" for m in MAIN[:-1]]
    return (
        f"**On UCI's data, too, trees and forests are more robust than support vector machines** (Table 2). "
        f"{verdict(holds)} on every data set: from no noise to 40 % the machines lose {', '.join(parts)}. In the "
        "median "
        f"the loss is {', '.join(f'{m} {np.median(list(lost[m].values())):.2f}' for m in MAIN)} points."
    )


def sample_id(found: Found) -> str:
    """The breast cancer data with and without its sample identifier."""
    names = ("breast cancer", "breast cancer without id")
    parts = [
        f"{m} {found.mean(names[0], m, n):.2f} with it and {found.mean(names[1], m, n):.2f} without at {n} %"
        for m in MAIN
        for n in ("0", "40")
    ]
    return (
        "**The sample number of the breast cancer data is a feature there** (10 features are printed): "
        + "; ".join(parts)
    ) + "."


def german(found: Found) -> str:
    """Forests on German credit."""
    by = {
        n: (found.mean("german", "RF", n), found.mean("german", "constant", n)) for n in ("0", "10", "20", "30", "40")
    }
    larger = by["0"][1]
    below = [n for n, (forest, _) in by.items() if forest < larger]
    return (
        f"**Forests on German credit say almost nothing but the larger class**: they have {by['0'][0]:.2f} % without "
        f"noise where naming the larger class always has {larger:.2f} %, and are below that at "
        f"{len(below)} of {len(by)} noises. A constant loses nothing to noise, which is no robustness to learn from."
    )


def ranks(found: Found) -> str:
    """A rank test over all data sets."""
    parts = []
    for noise in ("0", "40"):
        scores = np.array([[found.mean(d, m, noise) for m in MAIN] for d in DISTINCT])
        test = critical_difference(scores, MAIN)
        named = ", ".join(f"{m} {rank:.2f}" for m, rank in zip(test.methods, test.ranks, strict=True))
        parts.append(f"at {noise} % {named} (Friedman p = {test.pvalue:.4f}, critical difference {test.distance:.2f})")
    return (
        f"**Average ranks over the {len(DISTINCT)} data sets**, 1 the best, with Friedman's test and Nemenyi's "
        f"critical difference at 5 %: {'; '.join(parts)}. The paper tests nothing."
    )
