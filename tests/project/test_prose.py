"""What the pages say of accuracies and of the library is computed here; whether they still say it, the slow test asks.

Accuracies on the pages are means of twenty draws with errors.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from math import hypot
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.datasets import load_wine
from sklearn.feature_selection import f_classif

import splitcrit
from executed_page import rows
from scripts import script
from splitcrit import (
    TreeClassifier,
    decrease,
    gini_null,
    gini_pvalue,
    inference,
    misclassification,
    ne,
    nulls,
    robustness,
    sqrt_gini,
)
from splitcrit.cli import main
from splitcrit.criteria import imprecise_information_gain
from splitcrit.proofs import catalogue
from splitcrit.trees.growth import by_reference
from tools.code_lines import code_lines

ROOT = Path(__file__).parents[2]
RECORDS = {"changelog", "decisions", "mutants"}  # of the past
COMPUTED = {"properties", "coverage", "reproductions"}  # from theorems and results
PAGES = [
    "README.md",
    *(f"docs/{p.name}" for p in sorted((ROOT / "docs").glob("*.md")) if p.stem not in RECORDS | COMPUTED),
    *(f"notebooks/{p.name}" for p in sorted((ROOT / "notebooks").glob("*.ipynb"))),
]
FENCE = re.compile(r"^(`{3,})[^\n]*\n(.*?)^\1$", re.M | re.S)
PART = re.compile(r"\n\s*\n|\n(?=[-|#] ?)|(?<=\S) \| ")  # paragraphs, items, headings, cells of a table
RECORDED = re.compile(r"^```\{study\} accuracies REPORT (\w+)$", re.M)
PAIR = re.compile(r"(-?\d*\.\d+) \+- (\d*\.\d+)")


def cells(page: str, kind: str) -> list[dict[str, Any]]:
    """The cells of a notebook of one kind."""
    found: list[dict[str, Any]] = json.loads((ROOT / page).read_text(encoding="utf-8"))["cells"]
    return [cell for cell in found if cell["cell_type"] == kind]


def prose(page: str) -> str:
    """The text of a page without its code, or the markdown of a notebook."""
    if page.endswith(".ipynb"):
        return "\n\n".join("".join(cell["source"]) for cell in cells(page, "markdown"))
    return FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))


def words(page: str) -> str:
    """The text of a page, or of the markdown of a notebook, in one line."""
    text = prose(page) if page.endswith(".ipynb") else (ROOT / page).read_text(encoding="utf-8")
    return " ".join(text.split())


def sentences(page: str) -> list[str]:
    """The sentences of a page, each in one line, cut at colons and semicolons too."""
    parts = (" ".join(part.split()) for part in PART.split(prose(page)))
    return [sentence for part in parts for sentence in re.split(r"(?<=[.:;?!])\s+", part) if sentence]


def code(page: str) -> list[str]:
    """The blocks of code of a page, or the cells of a notebook, with what they print."""
    if not page.endswith(".ipynb"):
        return [block for _, block in FENCE.findall((ROOT / page).read_text(encoding="utf-8"))]
    return [
        "\n".join(["".join(cell["source"]), *("".join(part.get("text", ())) for part in cell["outputs"])])
        for cell in cells(page, "code")
    ]


def means(page: str) -> dict[str, list[tuple[float, float]]]:
    """The means with their errors that a page prints, or takes from recorded accuracies, by name."""
    found: dict[str, list[tuple[float, float]]] = {}
    study = script("accuracies")
    tables = [getattr(study, name)(study.REPORT.rows()) for name in RECORDED.findall((ROOT / page).read_text())]
    shown = [*code(page), *(table.replace("| ", "").replace(" |", "  ") for table in tables)]
    for line in "\n".join(shown).splitlines():
        if (first := PAIR.search(line)) and not line.startswith((">>>", "...")):
            name = line[: first.start()].rpartition("  ")[0] or line[: first.start()]
            pairs = [(float(mean), float(error)) for mean, error in PAIR.findall(line)]
            found.setdefault(name.strip(" :"), []).extend(pairs)
    return found


# What the pages say of accuracies and of the library is computed here; whether they still say it, the slow test
# asks.

Pair = tuple[float, float]
Table = dict[str, list[Pair]]


def kept(name: str) -> list[dict[str, str]]:
    return rows(ROOT / "docs" / "data" / name)


# What is said of accuracies.


def ahead(one: Pair, other: Pair) -> bool:
    """Whether a mean is larger by more than two standard errors of the difference."""
    return one[0] - other[0] > 2 * hypot(one[1], other[1])


def others(table: Table) -> list[str]:
    """The rows that are no forest."""
    return [name for name in table if "forest" not in name]


def beats(table: Table, name: str, rest: list[str], place: int) -> bool:
    """Whether a row is ahead of others in a column."""
    return all(ahead(table[name][place], table[other][place]) for other in rest)


def ties(table: Table, name: str, rest: list[str], place: int) -> bool:
    """Whether no row of others is ahead of this one, and it of none, in a column."""
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


def noisy_peers(better: str, worse: str) -> bool:
    """Whether one column is ahead of another wherever labels are wrong, over the seeds."""
    every = [row for row in kept("adaptive.csv") if row["estimator"] == "tree" and float(row["rate"]) > 0]
    for cell in {(row["data"], row["rate"]) for row in every}:
        gaps = [float(r[better]) - float(r[worse]) for r in every if (r["data"], r["rate"]) == cell]
        if len(gaps) < 20 or fmean(gaps) <= 2 * stdev(gaps) / len(gaps) ** 0.5:
            return False
    return len(every) > 100


def of_words(levels: int, which: str) -> Table:
    """The accuracies of a category of a number of levels, on training rows or on new ones, by model."""
    found = [row for row in kept("many_levels.csv") if row["levels"] == str(levels)]
    scores = {name: [float(r[which]) for r in found if r["model"] == name] for name in {r["model"] for r in found}}
    return {name: [(fmean(xs), stdev(xs) / len(xs) ** 0.5)] for name, xs in scores.items() if len(xs) >= 20}


SUBSET, LETTERS = "best subset of the words", "scikit-learn, a column for each letter"
CHOOSING, NOISY, FORESTS, LEVELS, MULTIWAY, LOSS, WHICH, TRUSTED, GPU = (
    f"docs/{name}.md"
    for name in (
        "choosing-a-criterion", "noisy-labels", "forests", "categories", "multiway", "own-loss", "which-column",
        "trusted-base", "arrays",
    )
)  # fmt: skip
COST, DIGITS, CITIES = (
    f"notebooks/{name}.ipynb" for name in ("01_a_criterion_from_a_loss", "04_label_noise", "05_vertices_and_categories")
)
README = "README.md"

# The page, the sentence, what it follows from, and the page with the means if that is another.
VERDICTS: list[tuple[str, str, Callable[[Table], bool], str]] = [
    (CHOOSING, "all of our trees are slightly behind scikit-learn's pruned tree", behind_a_little, ""),
    (CHOOSING, "and the forest beats them all.", lambda t: beats(t, "scikit-learn, forest", others(t), 0), ""),
    (CHOOSING, "the criteria are equally good once the tree is pruned.", pruned_are_level, ""),
    (CHOOSING, "Pruning is what counts:", pruning_counts, ""),
    (README, "scikit-learn's pruned tree is as good as ours.", not_behind, CHOOSING),
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
     lambda t: noisy_peers("peer", "adaptive"), ""),
    (FORESTS, "In accuracy that is worth nothing here.", lambda t: ties(t, list(t)[2], list(t), 0) and len(t) == 3, ""),
    (FORESTS, "and is ahead of `lam = 0`, but not of plain pruning.",
     lambda t: noisy_peers("adaptive", "lam_0") and noisy_peers("peer", "adaptive"), ""),
    (LEVELS, "With 783 levels the best subset is far better on the rows that chose it than on new ones.",
     lambda t: of_words(783, "training")[SUBSET][0][0] > of_words(783, "new")[SUBSET][0][0] + 0.05, ""),
    (LEVELS, "is as good on new rows as the best subset of their 783 words",
     lambda t: ties(of_words(783, "new"), LETTERS, [SUBSET], 0), ""),
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
    assert so(means(table or page))


# What is said of the library, and of what it lacks.


def checker_has_4400_lines() -> bool:
    checker = (ROOT / "splitcrit" / "proof").glob("*.py")
    return 4350 < sum(code_lines(path.read_text(encoding="utf-8")) for path in checker) < 4450


def gains_grow_with_values() -> bool:
    gains = [float(gini_null([60 // r] * r, [30, 30]).mean) for r in (2, 5, 10, 30)]
    return gains == sorted(gains) and gains[-1] > 10 * gains[0]


def chosen_of_a_hundred(values: int) -> int:
    """How many of a hundred draws chose the feature of this number of values by SGini."""
    chosen = [row for row in kept("selected_bias.csv") if (row["picture"], row["chooser"]) == ("chosen", "sgini")]
    (share,) = [row["share"] for row in chosen if row["condition"] == str(values)]
    return round(100 * float(share))


def ends_of_ne() -> bool:
    nodes = [[0.7, 0.2, 0.1], [0.5, 0.5, 0.0], [1.0, 0.0, 0.0]]
    least, most = (
        all(np.isclose(float(ne(lam)(p)), float(end(p)), rtol=1e-15) for p in nodes)
        for lam, end in ((0, sqrt_gini), (1, misclassification))
    )
    shared = [[[8, 1], [6, 3]], [[90, 10], [60, 40]]]  # children with the same majority class
    gains = [[float(decrease(ne(lam))(t)) for t in shared] for lam in (0, 1)]
    return least and most and min(gains[0]) > 0.02 and np.allclose(gains[1], 0, atol=1e-15)


def no_theorem_is_of_accuracy() -> bool:
    """Of shares that are accurate to x there are theorems, and of measures of accuracy, but of no tree's."""
    found = {key: theorem.statement for key, theorem in catalogue.collect().items() if "accura" in theorem.statement}
    return all(key.startswith("null.") or "accurate to" in statement for key, statement in found.items())


def no_other_models() -> bool:
    import splitcrit

    with pytest.raises(ValueError, match="y has one output"):
        TreeClassifier().fit([[0], [1], [2]], [[0, 1], [1, 0], [1, 1]])
    return not any(word in name.lower() for name in splitcrit.__all__ for word in ("surviv", "boost"))


def no_gpu_is_in_the_table() -> bool:
    lines = (ROOT / "reproductions" / "studies" / "arrays.md").read_text(encoding="utf-8").splitlines()
    devices = [line.split("|")[2].lower() for line in lines if line.startswith("|")][2:]
    return len(devices) > 5 and all("cpu" in device for device in devices)


FACTS: list[tuple[str, str, Callable[[], bool]]] = [
    (README, "Orange: the gain observed (p = .022).",
     lambda: round(float(gini_pvalue([[6, 2, 1], [3, 5, 1], [0, 2, 5], [1, 1, 3]])), 3) == 0.022),
    (TRUSTED, "some 4,400 lines of Python", checker_has_4400_lines),
    (CHOOSING, "gains grow with the number of values of a feature", gains_grow_with_values),
    (CHOOSING, "can be negative", lambda: float(imprecise_information_gain(1)([[0, 3], [0, 4]])) < 0),
    (WHICH, "took the one of a hundred values in 47 of a hundred draws and that of two values in 3",
     lambda: (chosen_of_a_hundred(100), chosen_of_a_hundred(2)) == (47, 3)),
    (README, "No boosting, no multi-output.", no_other_models),
    (README, "No theorem says which criterion predicts best.", no_theorem_is_of_accuracy),
    (CHOOSING, "And no theorem says which criterion is most accurate:", no_theorem_is_of_accuracy),
    (TRUSTED, "- **Statistics of trees.** Nothing is proved about accuracy, nor about the size of a tree grown by many "
              "greedy steps on noisy data, beyond what single nodes imply.", no_theorem_is_of_accuracy),
    (GPU, "No GPU has been measured yet.", no_gpu_is_in_the_table),
    (DIGITS, "`ne(lam)` goes from the square root of Gini's impurity (`lam = 0`, which never stops early) to the "
             "misclassification rate (`lam = 1`, which stops earliest), and `AdaptiveForestClassifier` picks `lam` on "
             "noisy held-out labels.", ends_of_ne),
]  # fmt: skip


@pytest.mark.parametrize(("page", "said", "so"), FACTS, ids=[f"{page}: {said[:40]}" for page, said, _ in FACTS])
def test_what_is_said_is_so(page: str, said: str, so: Callable[[], bool]) -> None:
    assert so()


def test_figures_of_pages_that_a_formula_gives() -> None:
    assert 2 * norm.sf(norm.isf(0.025) / 2**0.5) == pytest.approx(0.17, abs=0.005)  # forests: twice the variance


def test_figures_of_pages_that_data_give() -> None:
    wine = load_wine(as_frame=True)
    low, third = wine.data["alcohol"] <= 12.44, wine.target == 2
    assert [(low & third).sum(), third.sum(), (low & ~third).sum(), (~third).sum()] == [4, 48, 51, 130]
    assert f_classif(wine.data[["alcohol"]], third)[1] > 0.05  # rank-columns: a test of means misses it


def test_a_pvalue_is_not_the_probability_of_noise() -> None:
    rng = np.random.default_rng(0)
    noise = rng.random(20_000) < 0.9
    p = np.where(noise, rng.random(20_000), norm.sf(rng.normal(2.0, 1.0, 20_000)))
    assert noise[np.abs(p - 0.03) < 0.01].mean() > 0.3


KEPT = ("`make verify ARGS=--no-cache` settles everything from nothing",
        "Without `--no-cache` it takes from the cache what was settled before")  # fmt: skip


def test_verdicts_are_kept(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settled, taken from the cache, and settled anew by --no-cache."""
    monkeypatch.setenv("SPLITCRIT_VERIFIED", str(tmp_path))
    found = []
    for option in ((), (), ("--no-cache",)):
        assert not main(["verify", "null.gini_mean_of_permutation", *option])
        found.append("cached" in capsys.readouterr().out)
    assert found == [False, True, False]


@pytest.mark.slow
def test_what_is_computed_here_is_said() -> None:
    """One that is said in other words now is changed here too; one that is said no longer goes."""
    every = [v[:2] for v in (*VERDICTS, *FACTS)] + [(TRUSTED, said) for said in KEPT]
    assert [(page, said) for page, said in every if said not in words(page) and said not in sentences(page)] == []


# The table "What the default call runs" of docs/kernel-checked.md, against the functions that calls enter.

PAGE = (ROOT / "docs" / "kernel-checked.md").read_text(encoding="utf-8")
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


@pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects have no qualified names")
@pytest.mark.parametrize("call", [call for call in ROWS if call != "properties(formula)"])
def test_the_page_says_which_printed_functions_a_call_enters(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_reference, "budget", lambda: 1e6)  # as for the first tree of a process
    says, names = ROWS[call]
    assert entered(lambda: eval(call, {**NAMES})) == names, call
    assert (says == "no") == (not names)
