"""What trees and forests say of the claims of wilton2024, in words; every number is taken from the results.

Main definitions: ``findings``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from splitcrit.experiments.claims import verdict
from splitcrit.experiments.wilton2024.evidence import Found
from splitcrit.experiments.wilton2024.learners import METHODS
from splitcrit.experiments.wilton2024.printed_findings import beside, fewer_digits, mushrooms, one_criterion
from splitcrit.experiments.wilton2024.problems import NEAR, PAIRS, UNIFORM
from splitcrit.experiments.wilton2024.tuning_findings import halted, learnt_features, orders_of_tuning, over_q, sizes

NOISY = (*UNIFORM[1:], *PAIRS, NEAR)
Sentence = Callable[[Found], str]


def findings(found: Found) -> list[str]:
    """Return a paragraph for each claim; one about an experiment that was not run is left out."""
    both, trees = ("trees", "forests"), ("trees",)
    about: tuple[tuple[Sentence, tuple[str, ...]], ...] = (
        (mushrooms, both), (fewer_digits, trees), (one_criterion, both), (top_performer, trees), (conservative, trees),
        (alike, trees), (credal, trees), (forests, both), (refitted, both), (orders, trees), (sizes, ("figure6",)),
        (halted, ("halted",)), (orders_of_tuning, ("budget",)), (over_q, ("gce",)), (learnt_features, ("features",)),
        (ranks, both), (why, trees),
    )  # fmt: skip
    return [sentence(found) for sentence, needed in about if all(found.rows[name] for name in needed)]


def _tops(found: Found, name: str, method: str) -> tuple[int, int, int]:
    """Return in how many noisy cells a method is bold, has the best mean, and how many cells there are."""
    marks = [c for c in found.cells[name] if c["method"] == method and c["noise"] in NOISY]
    best: dict[tuple[str, str, str], float] = {}
    for (data, task, noise, _), value in found.means[name].items():
        best[data, task, noise] = max(best.get((data, task, noise), 0), value)
    first = sum(c["accuracy"] == best[c["data"], c["task"], c["noise"]] for c in marks)
    return sum(bool(c["bold"]) for c in marks), first, len(marks)


def top_performer(found: Found) -> str:
    """How often ANE and the others are marked."""
    parts, holds = [], False
    for method in ("ANE", "CL", "Credal", "MSE"):
        marked, first, cells = _tops(found, "trees", method)
        holds = holds or (method == "ANE" and marked >= 0.9 * cells)
        parts.append(f"{method} {marked} ({first})")
    clean = found.apart("trees", "ANE", "CL", ("0",)), found.apart("trees", "ANE", "CL", NOISY)
    return (
        f"**For trees, ANE is almost always a top performer** (read as bold in nine of ten cells with noise). "
        f"{verdict(holds)}: of {cells} cells with noise, bold by the paper's rule (and best mean) are "
        f"{', '.join(parts)}. With so few runs that rule marks much: look at the means too. ANE is ahead of CL by "
        f"{np.median(clean[0]):.2f} points in the median without noise and {np.median(clean[1]):.2f} with it; it is "
        f"the safer of the two, and behind CL in {(clean[1] < 0).sum()} of {len(clean[1])} cells with noise."
    )


def conservative(found: Found) -> str:
    """The conservative losses with and without noise."""
    clean, noisy = found.apart("trees", "CL", "MSE", ("0",)), found.apart("trees", "CL", "MSE", ("40",))
    holds = bool(np.median(clean) < 0 < np.median(noisy))
    return (
        "**Conservative losses underfit without noise and are strong with much of it.** "
        f"{verdict(holds)}: trees by CL are {np.median(clean):+.2f} points from trees by MSE in the median without "
        f"noise ({(clean < 0).sum()} of {len(clean)} worse, the worst {clean.min():+.2f}) and {np.median(noisy):+.2f} "
        f"at 40 % ({(noisy > 0).sum()} of {len(noisy)} better)."
    )


def alike(found: Found) -> str:
    """CE, MSE, Ranking and GCE."""
    group = ("CE", "MSE", "GCE", "Ranking")
    apart = {m: found.apart("trees", m, "MSE", NOISY) for m in group if m != "MSE"}
    parts = [f"{m} {np.median(a):+.2f} (below in {(a < 0).sum()} of {len(a)})" for m, a in apart.items()]
    far = max(float(np.abs(np.median(a))) for a in apart.values())
    return (
        f"**CE, MSE, ranking and GCE perform alike** (read as medians within 2 points). {verdict(far < 2)}: with "
        f"noise, against trees by MSE, in the median {', '.join(parts)} points. Trees by GCE with q = 0.7 are the "
        "lowest of the four, as in the printed tables."
    )


def credal(found: Found) -> str:
    """Credal trees between the others."""
    noisy = [n for n in NOISY if n != "10"]
    above, below = found.apart("trees", "Credal", "MSE", noisy), found.apart("trees", "ANE", "Credal", noisy)
    holds = bool(np.median(above) > 0 < np.median(below))
    return (
        f"**Credal trees lie between.** {verdict(holds)}: at 20 % and more they are {np.median(above):.2f} points "
        f"above MSE and {np.median(below):.2f} below ANE in the median. The criterion is the decrease of the largest "
        "entropy of a credal set, as in the released code, not Credal-C4.5's ratio."
    )


def forests(found: Found) -> str:
    """Forests against trees."""
    parts = []
    for name in ("trees", "forests"):
        spread: dict[tuple[str, str, str], list[float]] = {}
        for key, value in found.means[name].items():
            if key in found.means["forests"] and key in found.means["trees"] and key[2] in NOISY:
                spread.setdefault(key[:3], []).append(value)
        parts.append(float(np.median([max(v) - min(v) for v in spread.values()])))
    gain = {}
    for method in ("ANE", "CL", "MSE", "CE", "GCE", "Credal"):
        both = [k for k in found.means["forests"] if k in found.means["trees"] and k[2] in NOISY and k[3] == method]
        gain[method] = float(np.median([found.means["forests"][k] - found.means["trees"][k] for k in both]))
    marked, first, cells = _tops(found, "forests", "ANE")
    over = found.apart("forests", "ANE", "MSE", NOISY)
    shown = ", ".join(f"{m} {v:+.2f}" for m, v in gain.items())
    return (
        f"**In forests the criterion matters less.** {verdict(parts[1] < parts[0])}: from the best to the worst "
        f"criterion there are {parts[0]:.1f} points in the median for trees and {parts[1]:.1f} for forests, in the "
        f"same cells with noise. What a forest adds to a tree in the median: {shown} points. ANE in forests is bold in "
        f"{marked} and best in {first} of {cells} cells with noise, and {np.median(over):+.2f} points from MSE in the "
        "median."
    )


def refitted(found: Found) -> str:
    """ANE with and without a second fit."""
    parts = []
    for name in ("trees", "forests"):
        apart = [r["accuracy"] - r["accuracy_kept"] for r in found.rows[name] if r["method"] == "ANE"]
        parts.append(f"{np.mean(apart):+.2f} points for {name}, on average over {len(apart)} fits")
    return (
        "**Whether ANE is fitted again on all rows after tuning is not printed.** Here it is; against keeping the "
        f"model of the 80 % that is {' and '.join(parts)}."
    )


def orders(found: Found) -> str:
    """Both orders of the class-conditional pairs."""
    parts = []
    for method in ("ANE", "CL", "MSE"):
        at = {k: v for k, v in found.means["trees"].items() if k[3] == method}
        apart = [abs(at[(*k[:2], "10/30", method)] - at[(*k[:2], "30/10", method)]) for k in at if k[2] == "10/30"]
        apart += [abs(at[(*k[:2], "20/40", method)] - at[(*k[:2], "40/20", method)]) for k in at if k[2] == "20/40"]
        parts.append(f"{method} {np.median(apart):.2f} in the median and {max(apart):.2f} at most")
    cells = [c for c in beside(found, "trees", "mushrooms") if "/" in c["noise"] and c["method"] != "Twoing"]
    by = {
        order: np.mean([abs(c["accuracy"] - c["printed"]) for c in cells if c["noise"] in PAIRS[order::2]])
        for order in (0, 1)
    }
    return (
        "**Which class has which rate of a pair is not printed, and it matters.** Between the two orders trees differ "
        f"by: {'; '.join(parts)} points. On mushrooms the smaller rate for class 0 (edible) is {by[0]:.2f} points from "
        f"the printed means on average, the other order {by[1]:.2f}; that does not settle it. Rates that differ "
        "between classes move the share at which the majority of a leaf changes; with known rates its label can be "
        "corrected (`splitcrit.robustness.leaf_labels`)."
    )


def ranks(found: Found) -> str:
    """The rank test over data sets."""
    parts = []
    for name, rows in found.ranks.items():
        noisy = [row for row in rows if row["noise"] in NOISY]
        differ = [row for row in noisy if row["pvalue"] < 0.05]
        far = [sum(r[m] is not None and r[m] - r["ANE"] >= r["distance"] for r in noisy) for m in METHODS]
        told = ", ".join(f"{m} at {n}" for m, n in zip(METHODS, far, strict=True) if n)
        parts.append(
            f"for {name} Friedman's test says at 5 % that criteria differ at {len(differ)} of {len(noisy)} noises; "
            f"ANE is better by Nemenyi's difference than {told or 'none'}"
        )
    return (
        "**Ranks over data sets, the test that the paper does not make**: " + "; ".join(parts) + ". The bold rule "
        "compares runs that share one split and differ in noise only, and says nothing of other data."
    )


def why(found: Found) -> str:
    """What the theory says, and that the results agree."""
    apart = found.apart("trees", "MSE", "CL", ("0",)), found.apart("trees", "MSE", "CL", ("40",))
    return (
        "**Why.** For two classes the order of splits by Gini, twoing and ranking is the same under any "
        "class-conditional noise in the population: their choice of splits is not what noise spoils. ANE, whose order "
        "noise can change, and CL win by making fewer splits. A tree by Gini that splits to the end learns the noise: "
        f"it is {np.median(apart[1]):+.2f} points from CL at 40 % and {np.median(apart[0]):+.2f} without, as medians."
    )
