"""Accuracies on the pages are means of twenty draws with errors, and what is said of them follows from them."""

from __future__ import annotations

import csv
from collections.abc import Callable
from math import hypot
from statistics import fmean, stdev

import pytest

from prose import ROOT, means, words

Pair = tuple[float, float]
Table = dict[str, list[Pair]]


def ahead(one: Pair, other: Pair) -> bool:
    """Tell whether a mean is larger by more than two standard errors of the difference."""
    return one[0] - other[0] > 2 * hypot(one[1], other[1])


def others(table: Table) -> list[str]:
    """The rows that are no forest."""
    return [name for name in table if "forest" not in name]


def beats(table: Table, name: str, rest: list[str], place: int) -> bool:
    """Tell whether a row is ahead of others in a column."""
    return all(ahead(table[name][place], table[other][place]) for other in rest)


def ties(table: Table, name: str, rest: list[str], place: int) -> bool:
    """Tell whether no row of others is ahead of this one, and it of none, in a column."""
    return not any(beats(table, *pair, place) for other in rest for pair in ((name, [other]), (other, [name])))


PEER, UNPRUNED = "scikit-learn, pruned", "ne(0.8), not pruned"


def behind_a_little(table: Table) -> bool:
    ours = [table[name][0] for name in others(table) if name != PEER]
    gaps = [(table[PEER][0][0] - mean) / hypot(error, table[PEER][0][1]) for mean, error in ours]
    return len(gaps) == 4 and all(0 < gap < 3 for gap in gaps)


def not_behind(table: Table) -> bool:
    return not any(beats(table, name, [PEER], place) for name in others(table) if name != PEER for place in (0, 1))


def pruned_are_level(table: Table) -> bool:
    return all(
        ties(table, one, [other], 1) for one in others(table) for other in others(table) if UNPRUNED not in (one, other)
    )


def pruning_counts(table: Table) -> bool:
    return all(beats(table, name, [UNPRUNED], 1) for name in others(table) if name != UNPRUNED)


def adaptive_rows() -> list[dict[str, str]]:
    with (ROOT / "docs" / "data" / "adaptive.csv").open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def noisy_peers(better: str, worse: str, kind: str) -> list[bool]:
    """Whether one column is ahead of another, for each data set and share of wrong labels, over the seeds."""
    rows = [row for row in adaptive_rows() if row["estimator"] == kind and float(row["rate"]) > 0]
    found = []
    for cell in dict.fromkeys((row["data"], row["rate"]) for row in rows):
        gaps = [float(r[better]) - float(r[worse]) for r in rows if (r["data"], r["rate"]) == cell]
        mean = sum(gaps) / len(gaps)
        spread = (sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1) / len(gaps)) ** 0.5
        found.append(len(gaps) >= 20 and mean > 2 * spread)
    return found


def of_words(levels: int, rows: str) -> Table:
    """The accuracies of a category of a number of levels, on training rows or on new ones, by model."""
    with (ROOT / "docs" / "data" / "many_levels.csv").open(newline="", encoding="utf-8") as lines:
        found = [row for row in csv.DictReader(lines) if row["levels"] == str(levels)]
    scores = {name: [float(r[rows]) for r in found if r["model"] == name] for name in {r["model"] for r in found}}
    return {name: [(fmean(xs), stdev(xs) / len(xs) ** 0.5)] for name, xs in scores.items() if len(xs) >= 20}


SUBSET, LETTERS = "best subset of the words", "scikit-learn, a column for each letter"
CHOOSING, NOISY, FORESTS, LEVELS, MULTIWAY, LOSS, WHICH = (
    f"docs/{name}.md"
    for name in (
        "choosing-a-criterion",
        "noisy-labels",
        "forests",
        "many-levels",
        "multiway",
        "own-loss",
        "which-column",
    )
)
COST, DIGITS, CITIES = (
    f"notebooks/{name}.ipynb" for name in ("01_a_criterion_from_a_loss", "04_label_noise", "05_vertices_and_categories")
)

# The page, the sentence, what it follows from, and the page with the means if that is another.
VERDICTS: list[tuple[str, str, Callable[[Table], bool], str]] = [
    (CHOOSING, "all of our trees are slightly behind scikit-learn's pruned tree", behind_a_little, ""),
    (CHOOSING, "and the forest beats them all.", lambda t: beats(t, "scikit-learn, forest", others(t), 0), ""),
    (CHOOSING, "the criteria are equally good once the tree is pruned.", pruned_are_level, ""),
    (CHOOSING, "Pruning is what counts:", pruning_counts, ""),
    ("README.md", "scikit-learn's pruned tree is as good as ours.", not_behind, CHOOSING),
    (NOISY, "**Plain pruning is better than our adaptive tree.**",
     lambda t: beats(t, "pruned tree", ["AdaptiveTreeClassifier"], 0), ""),
    (NOISY, "It beats the tree that nothing stops, and no more.",
     lambda t: [name for name in t if beats(t, "AdaptiveTreeClassifier", [name], 0)] == ["tree"], ""),
    (NOISY, "**Testing the splits is as good as pruning.**",
     lambda t: ties(t, "InferenceTreeClassifier", ["pruned tree"], 0), ""),
    (NOISY, "With 5 rows in a leaf scikit-learn's forest is as good as our adaptive forest.",
     lambda t: ties(t, "forest, 5 rows in a leaf", ["AdaptiveForestClassifier"], 0), ""),
    (NOISY, "**A forest wants larger leaves.**", lambda t: beats(t, "forest, 5 rows in a leaf", ["forest"], 0), ""),
    (NOISY, "On four more data sets scikit-learn's pruned tree is ahead of our adaptive tree wherever",
     lambda t: all(noisy_peers("peer", "adaptive", "tree")), ""),
    (FORESTS, "In accuracy that is worth nothing here.", lambda t: ties(t, list(t)[2], list(t), 0) and len(t) == 3, ""),
    (FORESTS, "scikit-learn's tree, pruned, is ahead wherever labels are wrong.",
     lambda t: all(noisy_peers("peer", "adaptive", "tree")), ""),
    (FORESTS, "So it is ahead of `lam = 0`", lambda t: all(noisy_peers("adaptive", "lam_0", "tree")), ""),
    (LEVELS, "With 783 levels the best subset is far better on the rows that chose it than on new ones.",
     lambda t: of_words(783, "training")[SUBSET][0][0] > of_words(783, "new")[SUBSET][0][0] + 0.05, ""),
    (LEVELS, "is as good on new rows as the best subset of their 783 words",
     lambda t: ties(of_words(783, "new"), LETTERS, [SUBSET], 0), ""),
    (LEVELS, "The best subset is the best of all on the rows that chose it",
     lambda t: beats(t, "best subset", ["best subset, merged", "most frequent label"], 0), ""),
    (LEVELS, "and on new rows no better than a rule that looks at nothing.",
     lambda t: ties(t, "best subset", ["most frequent label"], 1), ""),
    (LEVELS, "The encoder is ahead:", lambda t: beats(t, "scikit-learn, encoded", list(t)[:3], 1), ""),
    (MULTIWAY, "Branches of many values are no more accurate here than a pruned binary tree",
     lambda t: ties(t, "pruned tree", list(t)[2:], 0), ""),
    (MULTIWAY, "and far behind a forest.", lambda t: beats(t, "forest", list(t)[2:], 0), ""),
    (WHICH, "The Gini stump is best on the rows that chose it,",
     lambda t: beats(t, "gini", ["calibrated", "scikit-learn, one-hot"], 0), ""),
    (WHICH, "and on new rows as good as a coin.", lambda t: abs(t["gini"][1][0] - 0.5) < 2 * t["gini"][1][1], ""),
    (WHICH, "On new rows the difference is plain.", lambda t: beats(t, "calibrated", ["gini"], 1), ""),
    (WHICH, "avoid the worst, as the last line shows:",
     lambda t: beats(t, "scikit-learn, one-hot", ["gini"], 1), ""),
    (COST, "The three trees do not differ by more than their errors:",
     lambda t: all(ties(t, name, others(t), i) for name in others(t) for i in (0, 1)), ""),
    (COST, "The threshold makes each model a little cheaper",
     lambda t: all(before[0] > after[0] for before, after in t.values()), ""),
    (COST, "is by far the cheapest.",
     lambda t: all(beats(t, name, ["scikit-learn, forest"], 1) for name in others(t)), ""),
    (LOSS, "are no cheaper than scikit-learn's pruned tree;",
     lambda t: all(ties(t, "tumour", ["scikit-learn, pruned"], i) for i in (0, 1)), COST),
    (DIGITS, "Gini and entropy are level.", lambda t: all(ties(t, "gini", ["entropy"], i) for i in (0, 1, 2)), ""),
    (DIGITS, "at two wrong labels of five they help more than the adaptive forest does.",
     lambda t: all(beats(t, f"{name}, leaves of 5", ["adaptive"], 2) for name in ("gini", "scikit-learn")), ""),
    (CITIES, "With one question subsets are ahead.",
     lambda t: beats(t, "subsets, depth 1", ["one-hot, depth 1"], 0), ""),
    (CITIES, "With two, one-hot columns are as good, and so is the pruned tree:",
     lambda t: ties(t, "subsets, depth 2", ["one-hot, depth 2", "one-hot, pruned"], 0), ""),
]  # fmt: skip


@pytest.mark.parametrize(("page", "said", "so", "table"), VERDICTS, ids=[f"{v[0]}: {v[1][:40]}" for v in VERDICTS])
def test_what_is_said_follows_from_the_means(page: str, said: str, so: Callable[[Table], bool], table: str) -> None:
    assert said in words(page), "say it again where it is computed, or take it out here"
    assert so(means(table or page))


# No accuracy without a mean, an error and twenty draws.
