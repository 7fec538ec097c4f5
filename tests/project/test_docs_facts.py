"""Sentences of the pages that state a fact of the library: each stands where it says, and is computed here.

A sentence that says what the library lacks, or what never happens, goes stale when somebody adds it: all of them are
looked for, and each is computed.
"""

from __future__ import annotations

import ast
import csv
import pickle
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from prose import PAGES, ROOT, sentences, words
from splitcrit import (
    ForestClassifier,
    TreeClassifier,
    adjusted,
    decrease,
    entropy,
    gini,
    gini_null,
    gini_pvalue,
    misclassification,
    ne,
    selected_pvalue,
    sgini,
    sqrt_gini,
)
from splitcrit.cli import main
from splitcrit.criteria import imprecise_information_gain
from splitcrit.importance import gain_moments
from splitcrit.inference import InferenceTreeClassifier, split_test
from splitcrit.inference.pvalues import discrete_bonferroni
from splitcrit.nulls import selected_tail
from splitcrit.proofs import catalogue

TABLE = [[3, 0], [1, 3]]


def gain(rows: Any, labels: Any) -> Fraction:
    """The Gini gain, by its definition."""

    def impurity(part: list[int]) -> Fraction:
        return 1 - sum(Fraction(part.count(c), len(part)) ** 2 for c in set(part))

    parts = [[y for x, y in zip(rows, labels, strict=True) if x == row] for row in set(rows)]
    return impurity(list(labels)) - sum(Fraction(len(part), len(labels)) * impurity(part) for part in parts)


def all_gains(rows: Any, labels: Any) -> list[Fraction]:
    """The gain for every order of the labels."""
    return [gain(rows, order) for order in permutations(labels)]


ROWS, LABELS = (0, 0, 0, 1, 1, 1, 1), (0, 0, 0, 0, 1, 1, 1)  # the table above


def leaves(x: Any, y: Any, **options: Any) -> int:
    return int(TreeClassifier(max_depth=1, **options).fit(x, y).get_n_leaves())


def share_split(features: int, draws: int = 100, **options: Any) -> float:
    """The share of draws without information that are split."""
    rng, y = np.random.default_rng(0), np.repeat([0, 1], 30)
    return float(np.mean([leaves(rng.normal(size=(60, features)), y, **options) - 1 for _ in range(draws)]))


def row_number_says_nothing() -> bool:
    labels = np.eye(2, dtype=int)[[0, 1] * 10]  # one row for each observation
    return decrease(gini).exact(labels) == Fraction(1, 2) and float(gini_pvalue(labels)) == 1


def moments_are_exact() -> bool:
    gains = all_gains(ROWS, LABELS)
    mean = sum(gains, Fraction(0)) / len(gains)
    found = gini_null([3, 4], [4, 3], order=3, exact=True)
    central = [sum(((g - mean) ** k for g in gains), Fraction(0)) / len(gains) for k in (2, 3)]
    return [found.mean, found.variance, found.third] == [mean, *central]


def p_value_is_of_one_table() -> bool:
    gains, own = all_gains(ROWS, LABELS), gain(ROWS, LABELS)
    share = Fraction(sum(g >= own for g in gains), len(gains))
    return abs(float(gini_pvalue(TABLE)) - share) < 1e-12


def selected_is_of_the_best() -> bool:
    """Against every order of the labels, for a feature of five values."""
    feature, labels = (1, 2, 3, 4, 5), (0, 0, 1, 0, 1)

    def best(order: Any) -> float:
        tables = [[[sum(y == c for y in side) for c in (0, 1)] for side in (order[:i], order[i:])] for i in range(1, 5)]
        return max(float(sgini(table)) for table in tables)

    found = [best(order) for order in permutations(labels)]
    share = np.mean([score >= best(labels) - 1e-12 for score in found])
    return bool(abs(float(selected_pvalue(feature, labels)) - share) < 1e-12)


@cache
def only_max_selected_keeps_a_level() -> bool:
    return (
        share_split(1, criterion="gini", max_pvalue=0.05)
        > 0.15
        > 0.08
        > share_split(1, criterion="max_selected", max_pvalue=0.05)
    )


@cache
def nothing_corrects_for_the_feature() -> bool:
    return share_split(10, criterion="max_selected", max_pvalue=0.05) > 0.2


@cache
def split_test_corrects_for_the_feature() -> bool:
    """In 200 samples of ten features of noise, against the binomial limit at .001."""
    rng, y = np.random.default_rng(0), np.repeat([0, 1], 30)
    draws = [rng.normal(size=(60, 10)) for _ in range(200)]
    passed = sum(float(split_test(x, y).pvalue) <= 0.05 for x in draws)
    return bool(passed <= binom.isf(0.001, len(draws), 0.05))


def inference_trees_keep_the_level() -> bool:
    rng, y = np.random.default_rng(0), np.repeat([0, 1], 30)
    trees = [InferenceTreeClassifier(random_state=0).fit(rng.normal(size=(60, 10)), y) for _ in range(60)]
    return bool(sum(tree.get_depth() > 0 for tree in trees) <= binom.isf(0.001, len(trees), 0.05))


def forests_correct_for_no_choice() -> bool:
    rng, y = np.random.default_rng(0), np.repeat([0, 1], 50)
    rules: dict[str, Any] = {"criterion": "max_selected", "max_pvalue": 0.05, "max_features": None, "max_depth": 1}
    forests = [ForestClassifier(1, random_state=0, **rules).fit(rng.normal(size=(100, 10)), y) for _ in range(60)]
    return sum(forest.estimators_[0].get_depth() for forest in forests) > 0.2 * len(forests)


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


def level_and_nats_agree() -> bool:
    draws = [np.random.default_rng(seed).normal(size=(40, 1)) for seed in range(40)]
    y = np.repeat([0, 1], 20)
    pairs = [
        [leaves(x, y, criterion="max_selected", **rule) for rule in ({"max_pvalue": 0.3}, {"min_gain": -log(0.3)})]
        for x in draws
    ]
    return all(a == b for a, b in pairs) and {a for a, _ in pairs} == {1, 2}


def gains_grow_with_values() -> bool:
    means = [float(gini_null([60 // r] * r, [30, 30]).mean) for r in (2, 5, 10, 30)]
    return means == sorted(means) and means[-1] > 10 * means[0]


def sgini_has_mean_zero_and_variance_one() -> bool:
    for rows in ((0, 0, 0, 1, 1, 1), (0, 0, 1, 1, 2, 2)):
        tables = [
            [[sum((x, y) == (row, c) for x, y in zip(rows, order, strict=True)) for c in (0, 1)] for row in set(rows)]
            for order in permutations((0, 0, 1, 1, 1, 0))
        ]
        scores = sgini(np.array(tables))
        if abs(scores.mean()) > 1e-9 or abs(scores.var() - 1) > 1e-9:
            return False
    return True


def in_the_bias_table(chooser: str, values: int) -> int:
    """How many of a hundred draws chose the feature of this number of values."""
    with (ROOT / "docs" / "data" / "selected_bias.csv").open() as lines:
        rows = {(row["picture"], row["chooser"], row["condition"]): row["share"] for row in csv.DictReader(lines)}
    return round(100 * float(rows["chosen", chooser, str(values)]))


def adjusted_is_the_coefficient_of_determination() -> bool:
    table = np.array([[30, 20], [25, 35], [20, 30], [40, 10]])
    n, r = table.sum(), len(table)
    g, phi = float(decrease(gini)(table)), float(gini(table.sum(axis=0)))
    return abs(float(adjusted(gini)(table)) - (1 - (1 - g / phi) * (n - 1) / (n - r))) < 1e-12


def mean_information_is_that_of_scikit_learn() -> bool:
    from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information

    rows, labels = [0] * 5 + [1] * 4 + [2] * 3, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1]
    table = contingency_matrix(rows, labels)
    theirs = expected_mutual_information(contingency_matrix(rows, labels, sparse=True), len(rows))
    return abs(float(gain_moments(table.sum(axis=1), table.sum(axis=0), entropy).mean) - theirs) < 1e-12


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
    (CALLS, "such as a row number, gains much by chance alone; its p-value says so", row_number_says_nothing),
    (CALLS, "third moment of the gain of a table over all permutations of the labels are exact", moments_are_exact),
    (CALLS, "`gini_pvalue`, and with it `max_pvalue` of a tree, is about one table fixed", p_value_is_of_one_table),
    (CALLS, "for the best of many thresholds there is `selected_pvalue`", selected_is_of_the_best),
    (CALLS, "for the best of many features `split_test`;", split_test_corrects_for_the_feature),
    (CALLS, "for every node of a tree `InferenceTreeClassifier`.", inference_trees_keep_the_level),
    (CALLS, '| splits whose best threshold has p at most .01 | `TreeClassifier(criterion="max_selected", '
     "max_pvalue=.01)` |", only_max_selected_keeps_a_level),
    ("docs/trusted-base.md", "some five thousand lines of Python", checker_has_five_thousand_lines),
    (CHOOSING, "gains grow with the number of values of a feature", gains_grow_with_values),
    (CHOOSING, "mean 0 and variance 1 by chance, whatever the shape", sgini_has_mean_zero_and_variance_one),
    (CHOOSING, "with any other criterion `max_pvalue=` tests one table fixed in", only_max_selected_keeps_a_level),
    (CHOOSING, "not of the best of many features", nothing_corrects_for_the_feature),
    (CHOOSING, "tests the best of all features at once", split_test_corrects_for_the_feature),
    (CHOOSING, "can be negative", lambda: float(imprecise_information_gain(1)([[0, 3], [0, 4]])) < 0),
    (CHANCE, "and `min_gain=-log(0.05)` says the same as `max_pvalue=0.05`", level_and_nats_agree),
    (CHANCE, "in which both tails at the distance of the table count", p_value_is_of_one_table),
    (IMPORTANCE, "With `max_selected`, and only then, `max_pvalue` tests the p-value of the best threshold",
     only_max_selected_keeps_a_level),
    (IMPORTANCE, "so that `min_gain=-log(0.05)` is `max_pvalue=0.05`", level_and_nats_agree),
    (IMPORTANCE, "would pass for one in 160 if its threshold had been fixed in advance. It is one in 20 as the best",
     best_of_ten),
    (IMPORTANCE, "took the one of a hundred values in 47 of a hundred draws and that of two values in 3",
     lambda: (in_the_bias_table("sgini", 100), in_the_bias_table("sgini", 2)) == (47, 3)),
    (IMPORTANCE, "adjusted Gini gain is $1 - (1 - g/\\phi)(n - 1)/(n - r)$",
     adjusted_is_the_coefficient_of_determination),
    (IMPORTANCE, "The mean of the information gain is scikit-learn's expected mutual information",
     mean_information_is_that_of_scikit_learn),
    (SURPRISING, "With any other criterion `max_pvalue` tests the table of the split as if its threshold had been",
     only_max_selected_keeps_a_level),
    (SURPRISING, "For one feature, the law of the best threshold keeps the level.", only_max_selected_keeps_a_level),
    (SURPRISING, "divide the level by their number, or let `split_test` of", split_test_corrects_for_the_feature),
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

LACK = re.compile(
    r"\bnothing corrects|\b(?:no|not|nothing|none)\b[^.;:]*\b(?:yet|so far)\b|\bnone is corrected"
    r"|\b(?:is|are|does|do) not correct|\bnever\b|\bno theorem\b|\bnothing is proved\b|\bon every run\b"
    r"|\bno (?:survival|boosting|multi-output)|\bnot (?:implemented|supported)\b",
    re.I,
)


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
    lines = (ROOT / "benchmarks" / "arrays.md").read_text(encoding="utf-8").splitlines()
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


def discrete_is_at_most_bonferroni() -> bool:
    """Of random sets of p-values; Tarone divides by the least k with at most k features that could reach level/k."""
    rng = np.random.default_rng(0)
    for _ in range(500):
        sets = [np.sort(rng.random(rng.integers(1, 6)) ** 3) for _ in range(6)]
        p = min(float(rng.choice(values)) for values in sets)
        functions = [lambda t, v=values: float(max((x for x in v if x <= t), default=0.0)) for values in sets]
        found = discrete_bonferroni(functions, p)
        tarone = next(k for k in range(1, 7) if sum(values[0] <= 0.05 / k for values in sets) <= k)
        if found > len(sets) * p + 1e-12 or (p <= 0.05 / tarone and found > 0.05 + 1e-12):
            return False
    return True


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
    (CHANCE, "What it does *not* correct:"): nothing_corrects_for_the_feature,
    (FORESTS, "- What `max_pvalue` does not correct in a tree, it does not correct in a forest:"):
        forests_correct_for_no_choice,
    (IMPORTANCE, "It does not correct for the number of features:"): nothing_corrects_for_the_feature,
    (COMMANDS, "Pickles are never loaded."): no_pickle_is_loaded,
    (MULTIWAY, "A decrease of impurity never falls when a row is divided (wang2024, Property 1), so it takes the "
               "feature with the most values;"): dividing_a_row_never_costs,
    (TESTS, "The sum is never more than `d p`, and it rejects whenever Tarone's correction does."):
        discrete_is_at_most_bonferroni,
    (NOISE, "`ne(lam)` goes from the square root of Gini's impurity (`lam = 0`, which never stops early) to the "
            "misclassification rate (`lam = 1`, which stops earliest), and `AdaptiveForestClassifier` picks `lam` on "
            "noisy held-out labels."): ends_of_ne,
}  # fmt: skip


def lacks(page: str) -> list[str]:
    return [sentence for sentence in sentences(page) if LACK.search(sentence.replace("*", ""))]


@pytest.mark.parametrize("page", PAGES)
def test_every_sentence_of_what_is_lacking_is_computed(page: str) -> None:
    assert [said for said in lacks(page) if (page, said) not in LACKS] == [], "compute it below, or say it otherwise"


@pytest.mark.parametrize(("page", "said"), LACKS, ids=[f"{page}: {said[:40]}" for page, said in LACKS])
def test_what_is_lacking_is_lacking_still(page: str, said: str, tmp_path: Path) -> None:
    assert said in lacks(page), "it is no longer said: take it out here"
    computed = LACKS[page, said]
    assert computed(tmp_path) if computed is no_pickle_is_loaded else computed()


def test_sentences_of_that_kind_are_found() -> None:
    before = (
        "for the best of many features nothing yet.", "There is no such thing so far.",
        "Among ten features nothing corrects for the choice of the feature:",
        "none is corrected for the features of a data set or the nodes of a tree.",
        "theorems are settled again on every run, on the very functions that you call,",
    )  # fmt: skip
    assert all(LACK.search(said) for said in before)
    assert not LACK.search("Nothing need be filled in.") and not LACK.search("Not a replacement for scikit-learn:")


CLAIMS = re.compile(r"splits that are significant|only where they are significant", re.I)


@pytest.mark.parametrize("page", [README, CALLS, CHOOSING, IMPORTANCE, CHANCE, SURPRISING, NOISE])
def test_no_page_says_that_splits_are_significant(page: str) -> None:
    assert not CLAIMS.search(words(page))


def test_every_estimator_says_which_test_max_pvalue_is() -> None:
    for kind in (TreeClassifier,):
        said = " ".join((kind.__doc__ or "").split())
        assert "one table" in said and "fixed in advance" in said and "nothing corrects" in said
