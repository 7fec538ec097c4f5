"""What pages conclude follows from what they show: from means of accuracies, each with its error, and from the library.

Accuracies on the pages are means of twenty draws with errors.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from math import hypot
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.feature_selection import f_classif

import splitcrit
from executed_page import rows
from pages import DOCS, ROOT
from scripts import script
from splitcrit import TreeClassifier, gini_pvalue, inference, nulls, robustness
from splitcrit.trees.growth import by_reference

RECORDED = re.compile(r"^```\{study\} accuracies REPORT (\w+)$", re.M)
PAIR = re.compile(r"(-?\d*\.\d+) \+- (\d*\.\d+)")
Pair = tuple[float, float]
Table = dict[str, list[Pair]]


def means(page: str) -> Table:
    """The means with their errors that a page or a notebook prints, or takes from recorded accuracies, by name."""
    found: Table = {}
    study, text = script("accuracies"), (ROOT / page).read_text(encoding="utf-8")
    tables = [getattr(study, name)(study.REPORT.rows()) for name in RECORDED.findall(text)]
    cells = json.loads(text)["cells"] if page.endswith(".ipynb") else []
    printed = ["".join(part.get("text", ())) for cell in cells for part in cell.get("outputs", ())] or [text]
    shown = [*printed, *(table.replace("| ", "").replace(" |", "  ") for table in tables)]
    for line in "\n".join(shown).splitlines():
        if (first := PAIR.search(line)) and not line.startswith((">>>", "...")):
            name = line[: first.start()].rpartition("  ")[0] or line[: first.start()]
            pairs = [(float(mean), float(error)) for mean, error in PAIR.findall(line)]
            found.setdefault(name.strip(" :"), []).extend(pairs)
    return found


def kept(name: str) -> list[dict[str, str]]:
    return rows(DOCS / "data" / name)


def ahead(one: Pair, other: Pair) -> bool:
    """Whether a mean is larger by more than two standard errors of the difference."""
    return one[0] - other[0] > 2 * hypot(one[1], other[1])


CHOOSING, NOISY, FORESTS, MULTIWAY, WHICH = (
    f"docs/{name}.md" for name in ("choosing-a-criterion", "noisy-labels", "forests", "multiway", "which-column")
)
COST, DIGITS, CITIES = (
    f"notebooks/{name}.ipynb" for name in ("01_a_criterion_from_a_loss", "04_label_noise", "05_vertices_and_categories")
)
PEER, FOREST, UNPRUNED = "scikit-learn, pruned", "scikit-learn, forest", "ne(0.8), not pruned"
OURS, COSTS = ("gini, pruned", "sgini, pruned", "ne(0.8), pruned"), (PEER, "gini", "tumour")
TREE, ADAPTIVE, TESTED = "pruned tree", "AdaptiveTreeClassifier", "InferenceTreeClassifier"
NOT_TREE = (TREE, TESTED, "forest", "forest, 5 rows in a leaf", "AdaptiveForestClassifier")
BRANCHING, CALIBRATED = ("multiway tree", "ChiMerge first"), ("calibrated", "scikit-learn, one-hot")
VARYING = [f"{name}, accuracy" for name in ("scikit-learn: 288 leaves", "all: 288 leaves", "varying: 183 leaves")]

# The page with the means; names; ">", each is ahead of each of others, ">=", none of others of it, or "=", neither;
# the others; the columns.
CONCLUSIONS: list[tuple[str, Any, str, Any, tuple[int, ...]]] = [
    (CHOOSING, FOREST, ">", (PEER, *OURS, UNPRUNED), (0,)),
    (CHOOSING, (PEER, *OURS), "=", (PEER, *OURS), (1,)),
    (CHOOSING, (PEER, *OURS), ">", UNPRUNED, (1,)),
    (CHOOSING, PEER, ">=", (*OURS, UNPRUNED), (0, 1)),
    (NOISY, TREE, ">", ADAPTIVE, (0,)),
    (NOISY, ADAPTIVE, ">", "tree", (0,)),
    (NOISY, NOT_TREE, ">=", ADAPTIVE, (0,)),
    (NOISY, TESTED, "=", TREE, (0,)),
    (NOISY, "forest, 5 rows in a leaf", "=", "AdaptiveForestClassifier", (0,)),
    (NOISY, "forest, 5 rows in a leaf", ">", "forest", (0,)),
    (FORESTS, VARYING[2], "=", VARYING, (0,)),
    (MULTIWAY, TREE, "=", BRANCHING, (0,)),
    (MULTIWAY, "forest", ">", BRANCHING, (0,)),
    (WHICH, "gini", ">", CALIBRATED, (0,)),
    (WHICH, CALIBRATED, ">", "gini", (1,)),
    (COST, COSTS, "=", COSTS, (0, 1)),
    (COST, COSTS, ">", FOREST, (1,)),
    (DIGITS, "gini", "=", "entropy", (0, 1, 2)),
    (DIGITS, ("gini, leaves of 5", "scikit-learn, leaves of 5"), ">", "adaptive", (2,)),
    (CITIES, "subsets, depth 1", ">", "one-hot, depth 1", (0,)),
    (CITIES, "subsets, depth 2", "=", ("one-hot, depth 2", "one-hot, pruned"), (0,)),
]


@pytest.mark.parametrize(("page", "names", "sign", "others", "columns"), CONCLUSIONS)
def test_what_is_ahead_on_a_page(page: str, names: Any, sign: str, others: Any, columns: tuple[int, ...]) -> None:
    table = means(page)
    sides = [[names] if isinstance(names, str) else names, [others] if isinstance(others, str) else others]
    pairs = [(table[one][i], table[other][i]) for one in sides[0] for other in sides[1] for i in columns]
    assert all(ahead(one, other) is (sign == ">") for one, other in pairs if sign != ">=")
    assert not any(ahead(other, one) for one, other in pairs)


def test_other_conclusions_from_means() -> None:
    """Our trees are behind a little; a stump that chance chose is a coin on new rows; a threshold makes all cheaper."""
    table, stump = means(CHOOSING), means(WHICH)["gini"][1]
    best, error = table[PEER][0]
    for mean, other_error in (table[name][0] for name in (*OURS, UNPRUNED)):
        assert 0 < (best - mean) / hypot(error, other_error) < 3
    assert abs(stump[0] - 0.5) < 2 * stump[1]
    assert all(before[0] > after[0] for before, after in means(COST).values())


@pytest.mark.parametrize(("better", "worse"), [("peer", "adaptive"), ("adaptive", "lam_0")])
def test_what_is_ahead_wherever_labels_are_wrong(better: str, worse: str) -> None:
    every = [row for row in kept("adaptive.csv") if row["estimator"] == "tree" and float(row["rate"]) > 0]
    for cell in {(row["data"], row["rate"]) for row in every}:
        gaps = [float(r[better]) - float(r[worse]) for r in every if (r["data"], r["rate"]) == cell]
        assert len(gaps) >= 20 and fmean(gaps) > 2 * stdev(gaps) / len(gaps) ** 0.5
    assert len(every) > 100


def test_the_best_subset_of_many_words_is_good_on_the_rows_that_chose_it() -> None:
    def mean(model: str, which: str) -> Pair:
        found = [row for row in kept("many_levels.csv") if (row["levels"], row["model"]) == ("783", model)]
        scores = [float(row[which]) for row in found]
        assert len(scores) >= 20
        return fmean(scores), stdev(scores) / len(scores) ** 0.5

    subset, letters = "best subset of the words", "scikit-learn, a column for each letter"
    assert mean(subset, "training")[0] > mean(subset, "new")[0] + 0.05
    assert not ahead(mean(subset, "new"), mean(letters, "new")) and not ahead(mean(letters, "new"), mean(subset, "new"))


def test_figures_of_pages() -> None:
    """README's picture; draws that chose features of 100 and 2 values by SGini; alcohol of the third wine."""
    assert round(float(gini_pvalue([[6, 2, 1], [3, 5, 1], [0, 2, 5], [1, 1, 3]])), 3) == 0.022
    chosen = [row for row in kept("selected_bias.csv") if (row["picture"], row["chooser"]) == ("chosen", "sgini")]
    shares = {row["condition"]: round(100 * float(row["share"])) for row in chosen}
    assert (shares["100"], shares["2"]) == (47, 3)
    wine = load_wine(as_frame=True)
    low, third = wine.data["alcohol"] <= 12.44, wine.target == 2
    assert [(low & third).sum(), third.sum(), (low & ~third).sum(), (~third).sum()] == [4, 48, 51, 130]
    assert f_classif(wine.data[["alcohol"]], third)[1] > 0.05  # rank-columns: a test of means misses it


# The table "What the default call runs" of docs/kernel-checked.md, against the functions that calls enter.

PAGE = (DOCS / "kernel-checked.md").read_text(encoding="utf-8")
ROWS = {
    call: (says, {name for name in re.findall(r"`([^`]+)`", names)})
    for call, says, names in re.findall(
        r"^\| `([^|]+)` \| (yes|in part|no)(?:: ([^|]*))? \|", PAGE.partition("## What the default call runs")[2], re.M
    )
}
COUNTING = "splitcrit.nulls", "splitcrit.columns", "splitcrit.inference"  # modules that keep laws from call to call
RNG = np.random.default_rng(11)
X, Y = RNG.normal(size=(60, 3)), RNG.permutation(np.arange(60) % 2)
TABLE = [[17, 4], [5, 13]]
NAMES = {  # what the calls of the page name: the library, and data
    **{name: getattr(splitcrit, name) for name in splitcrit.__all__},
    **{name: getattr(room, name) for room in (inference, nulls, robustness) for name in room.__all__},
    "Fraction": Fraction,
    "X": X,
    "x": X[:, 0],
    "y": Y,
    "three": RNG.permutation(np.arange(60) % 3),
    "table": TABLE,
    "tables": np.array([TABLE, TABLE]),
    "large": [[701, 200, 30], [300, 611, 40], [20, 30, 444]],
    "rows": [21, 18],
    "columns": [22, 17],
    "sizes": [1] * 60,
    "classes": [33, 27],
    "score": 2.0,
    "counts": [5, 3, 4],
    "tree": TreeClassifier(max_depth=2).fit(X, Y),
}


def printed() -> set[str]:
    """The functions, and classes whose methods, are printed."""
    files = [(ROOT / "proofs" / "rocq" / name).read_text(encoding="utf-8") for name in ("generated.v", "loops.v")]
    return {re.split(r"[ ,]", x)[0] for text in files for x in re.findall(r"\(\* (splitcrit\.[^*]*?) ?\*\)", text)}


PRINTED = printed()


def short(name: str) -> str:
    """The name of a printed function on the page; formulas that moments are made of are one name."""
    if name.startswith("splitcrit.nulls.formulas."):
        return "formulas"
    return name.rpartition(".")[2]


def entered(call: Callable[[], Any]) -> set[str]:
    """The printed functions that a call enters."""
    found: set[str] = set()

    def profile(frame: Any, event: str, arg: Any) -> None:
        module, qualified = str(frame.f_globals.get("__name__")), frame.f_code.co_qualname
        for name in (f"{module}.{qualified}", f"{module}.{qualified}".removesuffix(".__call__")):
            if event == "call" and name in PRINTED:
                found.add(short(name.removesuffix(".__call__")))

    for module in [module for name, module in sys.modules.items() if name.startswith(COUNTING)]:
        for kept in [x for x in vars(module).values() if hasattr(x, "cache_clear")]:
            kept.cache_clear()
    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(before)
    return found


@pytest.mark.parametrize("call", [call for call in ROWS if call != "properties(formula)"])
def test_the_page_says_which_printed_functions_a_call_enters(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_reference, "budget", lambda: 1e6)  # as for the first tree of a process
    says, names = ROWS[call]
    assert entered(lambda: eval(call, {**NAMES})) == names, call
    assert (says == "no") == (not names)
