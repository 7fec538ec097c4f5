"""Sentences of the pages that state a fact of the library: each stands where it says, and is computed here."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from splitcrit import (
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
from splitcrit.criteria import imprecise_information_gain
from splitcrit.importance import gain_moments
from splitcrit.nulls import selected_tail

ROOT = Path(__file__).parents[2]
TABLE = [[3, 0], [1, 3]]


def words(page: str) -> str:
    """The text of a page, or of the markdown of a notebook, in one line."""
    path = ROOT / page
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return " ".join(text.split())


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


def only_max_selected_keeps_a_level() -> bool:
    return (
        share_split(1, criterion="gini", max_pvalue=0.05)
        > 0.15
        > 0.08
        > share_split(1, criterion="max_selected", max_pvalue=0.05)
    )


def nothing_corrects_for_the_feature() -> bool:
    return share_split(10, criterion="max_selected", max_pvalue=0.05) > 0.2


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


def ward_in_thirty() -> bool:
    text = (ROOT / "notebooks" / "02_is_my_split_surprising.ipynb").read_text(encoding="utf-8")
    (line,) = re.findall(r'"(ward  .*?)\\n"', text)
    *_, score, p, _ = line.split()
    return round(float(score), 1) == 2.3 and 25 < 1 / float(p) < 35


README, CHOOSING, IMPORTANCE, CHANCE = (
    "README.md",
    *(f"docs/{name}.md" for name in ("choosing-a-criterion", "importance", "chance-corrected")),
)
SURPRISING, NOISE = "notebooks/02_is_my_split_surprising.ipynb", "notebooks/04_label_noise.ipynb"

FACTS: list[tuple[str, str, Callable[[], bool]]] = [
    (README, "such as a row number, gains much by chance alone; its p-value says so", row_number_says_nothing),
    (README, "third moment of the gain over all permutations of the labels are exact", moments_are_exact),
    (README, "`gini_pvalue`, and with it `max_pvalue` of a tree, is about one table fixed", p_value_is_of_one_table),
    (README, "for the best of many thresholds there is `selected_pvalue`", selected_is_of_the_best),
    (README, "for the best of many features nothing yet", nothing_corrects_for_the_feature),
    (README, '| splits whose best threshold has p at most .01 | `TreeClassifier(criterion="max_selected", '
     "max_pvalue=.01)` |", only_max_selected_keeps_a_level),
    (CHOOSING, "gains grow with the number of values of a feature", gains_grow_with_values),
    (CHOOSING, "mean 0 and variance 1 by chance, whatever the shape", sgini_has_mean_zero_and_variance_one),
    (CHOOSING, "with any other criterion `max_pvalue=` tests one table fixed in", only_max_selected_keeps_a_level),
    (CHOOSING, "not of the best of many features", nothing_corrects_for_the_feature),
    (CHOOSING, "can be negative", lambda: float(imprecise_information_gain(1)([[0, 3], [0, 4]])) < 0),
    (CHANCE, "and `min_gain=-log(0.05)` says the same as `max_pvalue=0.05`", level_and_nats_agree),
    (CHANCE, "in which both tails at the distance of the table count", p_value_is_of_one_table),
    (IMPORTANCE, "With `max_selected`, and only then, `max_pvalue` tests the p-value of the best threshold",
     only_max_selected_keeps_a_level),
    (IMPORTANCE, "so that `min_gain=-log(0.05)` is `max_pvalue=0.05`", level_and_nats_agree),
    (IMPORTANCE, "It does not correct for the number of features", nothing_corrects_for_the_feature),
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
    (SURPRISING, "with 2.3 standard deviations shows what one feature in thirty does by chance", ward_in_thirty),
    (SURPRISING, "nothing corrects for the choice among several features", nothing_corrects_for_the_feature),
    (NOISE, "`ne(lam)` goes from the square root of Gini's impurity (`lam = 0`, which never stops early) to the "
     "misclassification rate (`lam = 1`, which stops earliest)", ends_of_ne),
]  # fmt: skip


@pytest.mark.parametrize(("page", "sentence", "computed"), FACTS, ids=[f"{p}: {s[:40]}" for p, s, _ in FACTS])
def test_the_sentence_stands_and_is_so(page: str, sentence: str, computed: Callable[[], bool]) -> None:
    assert sentence in words(page), "say it again where it is computed, or take it out here"
    assert computed()


CLAIMS = re.compile(r"splits that are significant|only where they are significant", re.I)


@pytest.mark.parametrize("page", [README, CHOOSING, IMPORTANCE, CHANCE, SURPRISING, NOISE])
def test_no_page_says_that_splits_are_significant(page: str) -> None:
    assert not CLAIMS.search(words(page))


def test_every_estimator_says_which_test_max_pvalue_is() -> None:
    from splitcrit.multiway import MultiwayTreeClassifier

    for kind in (TreeClassifier, MultiwayTreeClassifier):
        said = " ".join((kind.__doc__ or "").split())
        assert "one table" in said and "fixed in advance" in said and "nothing corrects" in said
