"""Sentences of the pages that state a fact of the library: each stands where it says, and is computed here."""

from __future__ import annotations

import ast
import csv
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from prose import ROOT, sentences, words
from splitcrit import (
    TreeClassifier,
    decrease,
    entropy,
    gini,
    gini_null,
    gini_pvalue,
    misclassification,
    ne,
    selected_pvalue,
    sqrt_gini,
)
from splitcrit.cli import main
from splitcrit.criteria import imprecise_information_gain
from splitcrit.nulls import selected_tail
from splitcrit.proofs import catalogue


def verdicts_are_kept(capsys: pytest.CaptureFixture[str], folder: Path, patch: pytest.MonkeyPatch) -> bool:
    """Settled, taken from the cache, and settled anew by --no-cache."""
    patch.setenv("SPLITCRIT_VERIFIED", str(folder))
    found = []
    for option in ((), (), ("--no-cache",)):
        assert not main(["verify", "null.gini_mean_of_permutation", *option])
        found.append("cached" in capsys.readouterr().out)
    return found == [False, True, False]


def checker_has_five_thousand_lines() -> bool:
    """Lines of code, without those of docstrings, comments or nothing."""
    count = 0
    for path in (ROOT / "splitcrit" / "proof").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        tree.body = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
        count += len({node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt | ast.expr)})
    return 4500 < count < 5500


def gains_grow_with_values() -> bool:
    means = [float(gini_null([60 // r] * r, [30, 30]).mean) for r in (2, 5, 10, 30)]
    return means == sorted(means) and means[-1] > 10 * means[0]


def in_the_bias_table(chooser: str, values: int) -> int:
    """How many of a hundred draws chose the feature of this number of values."""
    with (ROOT / "docs" / "data" / "selected_bias.csv").open() as lines:
        rows = {(row["picture"], row["chooser"], row["condition"]): row["share"] for row in csv.DictReader(lines)}
    return round(100 * float(rows["chosen", chooser, str(values)]))


def best_of_ten() -> bool:
    rng = np.random.default_rng(2)
    y = rng.permutation(np.repeat(["no", "yes"], 60))
    rng.random(120), rng.integers(0, 5, 120), rng.integers(0, 60, 120)
    best = max((selected_pvalue(rng.permutation(120), y) for _ in range(10)), key=lambda found: found.score)
    alone = selected_tail(best.score, 120, 60, cuts=[best.cut])
    return round(1 / alone) in range(155, 166) and round(1 / best.value) in (19, 20)


def ends_of_ne() -> bool:
    nodes = [[0.7, 0.2, 0.1], [0.5, 0.5, 0.0], [1.0, 0.0, 0.0]]
    least, most = (
        all(np.isclose(float(ne(lam)(p)), float(end(p)), rtol=1e-15) for p in nodes)
        for lam, end in ((0, sqrt_gini), (1, misclassification))
    )
    shared = [[[8, 1], [6, 3]], [[90, 10], [60, 40]]]  # children with the same majority class
    gains = [[float(decrease(ne(lam))(t)) for t in shared] for lam in (0, 1)]
    return least and most and min(gains[0]) > 0.02 and np.allclose(gains[1], 0, atol=1e-15)


README, CALLS, CHOOSING, IMPORTANCE, CHANCE = (
    "README.md",
    *(f"docs/{name}.md" for name in ("what-to-call", "choosing-a-criterion", "importance", "chance-corrected")),
)
SURPRISING, NOISE = "notebooks/02_is_my_split_surprising.ipynb", "notebooks/04_label_noise.ipynb"

FACTS: list[tuple[str, str, Callable[[], bool]]] = [
    (README, "Orange: the gain observed (p = .022).",
     lambda: round(float(gini_pvalue([[6, 2, 1], [3, 5, 1], [0, 2, 5], [1, 1, 3]])), 3) == 0.022),
    ("docs/trusted-base.md", "some five thousand lines of Python", checker_has_five_thousand_lines),
    (CHOOSING, "gains grow with the number of values of a feature", gains_grow_with_values),
    (CHOOSING, "can be negative", lambda: float(imprecise_information_gain(1)([[0, 3], [0, 4]])) < 0),
    (IMPORTANCE, "would pass for one in 160 if its threshold had been fixed in advance. It is one in 20 as the best",
     best_of_ten),
    (IMPORTANCE, "took the one of a hundred values in 47 of a hundred draws and that of two values in 3",
     lambda: (in_the_bias_table("sgini", 100), in_the_bias_table("sgini", 2)) == (47, 3)),
]  # fmt: skip


@pytest.mark.parametrize(("page", "sentence", "computed"), FACTS, ids=[f"{p}: {s[:40]}" for p, s, _ in FACTS])
def test_the_sentence_stands_and_is_so(page: str, sentence: str, computed: Callable[[], bool]) -> None:
    assert sentence in words(page), "say it again where it is computed, or take it out here"
    assert computed()


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("docs/trusted-base.md", "`make verify ARGS=--no-cache` settles everything from nothing"),
        ("docs/trusted-base.md", "Without `--no-cache` it takes from the cache what was settled before"),
    ],
)
def test_what_is_said_of_the_cache_is_so(
    page: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sentence in words(page)
    assert verdicts_are_kept(capsys, tmp_path, monkeypatch)


# What the library lacks, and what never happens.


@cache
def no_theorem_is_of_accuracy() -> bool:
    """Of shares that are accurate to x there are theorems, and of measures of accuracy, but of no tree's."""
    found = {key: theorem.statement for key, theorem in catalogue.collect().items() if "accura" in theorem.statement}
    return all(key.startswith("null.") or "accurate to" in statement for key, statement in found.items())


def no_other_models() -> bool:
    import splitcrit

    names = [name.lower() for name in splitcrit.__all__]
    with pytest.raises(ValueError, match="y has one output"):
        TreeClassifier().fit([[0], [1], [2]], [[0, 1], [1, 0], [1, 1]])
    return not any(word in name for name in names for word in ("surviv", "boost"))


def no_gpu_is_in_the_table() -> bool:
    lines = (ROOT / "reproductions" / "studies" / "arrays.md").read_text(encoding="utf-8").splitlines()
    devices = [line.split("|")[2].lower() for line in lines if line.startswith("|")][2:]
    return len(devices) > 5 and all("cpu" in device for device in devices)


class Opened:
    """An object that, read from a pickle, leaves a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self.path,)


def no_pickle_is_loaded(folder: Path) -> bool:
    mark, data = folder / "mark", folder / "data.pkl"
    data.write_bytes(pickle.dumps(Opened(mark)))
    refused = main(["rank", str(data), "--target", "y"]) != 0 and not mark.exists()
    pickle.loads(data.read_bytes())
    return refused and mark.exists()  # it would have been noticed


def dividing_a_row_never_costs() -> bool:
    rng = np.random.default_rng(0)
    parts = rng.integers(0, 6, (500, 3, 3)) + np.eye(3, dtype=int)
    merged = np.stack([parts[:, 0], parts[:, 1] + parts[:, 2]], axis=1)
    return all((decrease(f)(parts) >= decrease(f)(merged) - 1e-15).all() for f in (gini, entropy, misclassification))


PROVED, FORESTS, MULTIWAY, TESTS, GPU, COMMANDS = (
    f"docs/{name}.md" for name in ("trusted-base", "forests", "multiway", "split-tests", "arrays", "command-line")
)
LACKS: dict[tuple[str, str], Callable[..., bool]] = {
    (README, "No boosting, no multi-output."): no_other_models,
    (README, "No theorem says which criterion predicts best."): no_theorem_is_of_accuracy,
    (CHOOSING, "And no theorem says which criterion is most accurate:"): no_theorem_is_of_accuracy,
    (PROVED, "- **Statistics of trees.** Nothing is proved about accuracy, nor about the size of a tree grown by many "
             "greedy steps on noisy data, beyond what single nodes imply."): no_theorem_is_of_accuracy,
    (GPU, "No GPU has been measured yet."): no_gpu_is_in_the_table,
    (COMMANDS, "Pickles are never loaded."): no_pickle_is_loaded,
    (MULTIWAY, "A decrease of impurity never falls when a row is divided (wang2024, Property 1), so it takes the "
               "feature with the most values;"): dividing_a_row_never_costs,
    (NOISE, "`ne(lam)` goes from the square root of Gini's impurity (`lam = 0`, which never stops early) to the "
            "misclassification rate (`lam = 1`, which stops earliest), and `AdaptiveForestClassifier` picks `lam` on "
            "noisy held-out labels."): ends_of_ne,
}  # fmt: skip


@pytest.mark.parametrize(("page", "said"), LACKS, ids=[f"{page}: {said[:40]}" for page, said in LACKS])
def test_what_is_lacking_is_lacking_still(page: str, said: str, tmp_path: Path) -> None:
    assert said in sentences(page), "it is no longer said: take it out here"
    computed = LACKS[page, said]
    assert computed(tmp_path) if computed is no_pickle_is_loaded else computed()
