"""The reference builder: alone, by hand, and the oracle of the compiled trees, node for node, on a corpus with ties."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from frozen.fits import RULES, WEIGHTS, growing, set_of_categories, training_set
from growing import ASYMMETRIC, BY_FORMULA, WITH_FORM, cubes, difference, grow_regression
from refusals import refused
from splitcrit import TreeClassifier, TreeRegressor, criteria, decrease, impurities
from splitcrit.trees import LeafRules, ReferenceNode, reference, reference_regression, reference_tree
from splitcrit.trees.growth import GrownTree, GrowthOptions, Stopping, Training, by_reference, grow
from splitcrit.trees.growth.category_ranks import Recoding
from tools.code_lines import code_lines

GINI = decrease(impurities.gini)


CRITERIA = [*WITH_FORM, *BY_FORMULA, *ASYMMETRIC, decrease(impurities.Impurity("cubes", cubes))]


@dataclass
class Fit:
    """A small training set with ties, and how it is grown by both."""

    x: Any
    y: Any
    classes: int
    weights: Any
    rules: LeafRules
    growing: GrowthOptions

    @staticmethod
    def of(seed: int, weights: str = "none", missing: float = 0.0, **more: Any) -> "Fit":
        """The training set of a seed."""
        return Fit(*training_set(seed, weights, missing), LeafRules(**RULES[seed % len(RULES)]), growing(seed, **more))


def differences(weights: str, missing: float) -> Iterator[tuple[str, int]]:
    """Of each fit of the corpus how the tree of the loops differs, and how many nodes it splits.

    The reference builder is told what the loops draw; criteria take the weights and draws of the training set.
    """
    for i in range(30):
        criterion, seed = CRITERIA[i % len(CRITERIA)], i + 1000 * WEIGHTS.index(weights)
        if criterion.counting and weights not in ("none", "counts"):
            criterion = GINI
        fit = Fit.of(seed, weights, missing, **({"splitter": "best"} if criterion.search.guarded else {}))
        told = {"weights": fit.weights, "draws": by_reference.LoopDraws(fit.growing, fit.classes)}
        root = reference_tree(fit.x, fit.y, fit.classes, criterion, fit.rules, **told)
        root.check()
        tree = grow(Training(fit.x, fit.y, fit.classes, fit.weights), criterion, fit.growing)
        yield difference(GrownTree.of(root), tree), int((tree.left >= 0).sum())


@pytest.mark.parametrize("missing", [0.0, 0.25])
@pytest.mark.parametrize("weights", WEIGHTS)
def test_compiled_trees_of_classes_are_its_trees(weights: str, missing: float) -> None:
    said, splits = zip(*differences(weights, missing), strict=True)
    assert [*said] == [""] * 30 and sum(splits) > 60


# Responses that are numbers.


ERRORS: list[tuple[Any, Any]] = [
    ("squared_error", impurities.variance),
    ("absolute_error", impurities.absolute_deviation),
]


@pytest.mark.parametrize("missing", [0.0, 0.25])
@pytest.mark.parametrize(("error", "impurity"), ERRORS)
def test_compiled_trees_of_responses_are_its_trees(error: str, impurity: Any, missing: float) -> None:
    inner = 0
    for seed in range(32):
        fit = Fit.of(seed, WEIGHTS[seed % 4], missing)
        y = np.round(fit.y * 0.7 + np.nan_to_num(fit.x[:, 0]), seed % 2) + [0.0, 1e3][seed % 3 == 0]
        draws = by_reference.LoopDraws(fit.growing, 1)
        root = reference_regression(fit.x, y, fit.rules, impurity=impurity, weights=fit.weights, draws=draws)
        root.check()
        tree = grow_regression(fit.x, y, fit.weights, error, fit.growing)
        found = GrownTree.of(root)
        alike = replace(tree, weights=found.weights)  # by response there, in all here
        assert difference(found, alike) == "", (seed, error)
        np.testing.assert_allclose(found.weights.sum(axis=1), tree.weights[:, 0])
        if error == "squared_error":
            np.testing.assert_allclose(found.weights @ np.unique(y), tree.value * tree.weights[:, 0], rtol=1e-9)
        inner += int((tree.left >= 0).sum())
    assert inner > 100


# Categories.

OF_SUBSETS = [*WITH_FORM[:11], *BY_FORMULA[:3], criteria.imprecise_gain_ratio(1), BY_FORMULA[-1]]
OF_RESPONSES = dict(zip(("numbers", "medians", "counts"), [*ERRORS, ("poisson", impurities.poisson)], strict=True))


def followed(root: ReferenceNode, tree: GrownTree, subsets: Any, features: int, ordered: bool) -> list[str]:
    """Where a tree with categories differs; by a proved order of levels, equal subsets of a column may differ."""
    said, waiting, splits = [], [(root, 0)], 0
    while waiting:
        node, at = waiting.pop()
        if (node.left is None) != (tree.left[at] < 0):
            said.append(f"node {at} is a leaf of one")
        if node.left is None or node.right is None or tree.left[at] < 0:
            continue
        if not np.isclose(node.score, tree.score[at], rtol=1e-9, atol=1e-12):
            said.append(f"score {node.score} for {tree.score[at]}")
        f = int(tree.feature[at])
        subset = subsets[f - features] if f >= features else None
        column = f if subset is None else subset.feature
        there = () if subset is None else tuple(map(float, subset.left))
        same = node.feature == column and node.left_levels == there
        if subset is None:
            same &= node.threshold == tree.threshold[at]
        elif ordered and node.feature == column and node.left_levels == tuple(map(float, subset.right)):
            waiting += [(node.left, int(tree.right[at])), (node.right, int(tree.left[at]))]
            splits += 1
            continue
        if same:
            waiting += [(node.left, int(tree.left[at])), (node.right, int(tree.right[at]))]
            splits += 1
        elif not ordered or node.feature != column:
            said.append(f"column {node.feature} and {node.left_levels} for {column} and {there}")
    return said if splits or root.left is None else [*said, "nothing followed"]


@pytest.mark.each_value
@pytest.mark.parametrize("lightest", [0.0, 2.0])
@pytest.mark.parametrize("response", ["two classes", "three classes", "any criterion", "numbers", "medians", "counts"])
def test_compiled_trees_with_categories_are_its_trees(response: str, lightest: float) -> None:
    for seed in range(32):
        number, least = response in OF_RESPONSES, [1, 3][seed % 2]
        kind = "numbers" if number else response if response == "two classes" else "three classes"
        x, levels, y, weights = set_of_categories(seed, kind)
        x[np.random.default_rng(seed).random(len(x)) < 0.3 * (seed % 4 == 3), 1] = np.nan
        told = RULES[seed % len(RULES)] | {"min_samples_leaf": least, "min_weight_leaf": lightest}
        recoding, rules = Recoding(levels, 8), LeafRules(**told)
        options = GrowthOptions(Stopping(**vars(rules)), recoding=recoding)
        told = {"weights": weights, "categories": [0, 2]}
        if number:
            y = y + 0.5
            error, told["impurity"] = OF_RESPONSES[response]
            root = reference_regression(x, y, rules, **told)
            tree = grow_regression(x, y, weights, error, options)
        else:
            classes = 2 if response == "two classes" else 3
            criterion = GINI if response != "any criterion" else OF_SUBSETS[seed % len(OF_SUBSETS)]
            if criterion.counting and weights is not None:
                told["weights"] = weights = np.ceil(weights)
            root = reference_tree(x, y, classes, criterion, rules, **told)
            tree = grow(Training(x, y, classes, weights), criterion, options)
        root.check()
        ordered = response in ("two classes", "numbers", "counts") and least == 1 and not lightest
        assert followed(root, tree, recoding.subsets, 3, ordered) == [], (seed, response)


# The estimators.


def test_estimators_grow_its_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also by weights that are any numbers, which the reference builder takes as they are."""
    monkeypatch.setattr(by_reference, "budget", lambda: 0.0)  # by compiled loops
    for seed in range(32):
        fit, rng = Fit.of(seed, ["none", "counts"][seed % 2], 0.25 * (seed % 3 == 0)), np.random.default_rng(seed)
        weights = rng.random(len(fit.y)) + 0.1 if seed >= 16 else fit.weights
        rules = LeafRules(max_depth=[None, 3][seed % 2], min_samples_leaf=1 + seed % 3)
        options = {"max_depth": rules.max_depth, "min_samples_leaf": rules.min_samples_leaf}
        for model, y, root in (
            (TreeClassifier, fit.y, reference_tree(fit.x, fit.y, fit.classes, GINI, rules, weights=weights)),
            (TreeRegressor, fit.y * 1.5, reference_regression(fit.x, fit.y * 1.5, rules, weights=weights)),
        ):
            grown, nodes = model(**options).fit(fit.x, y, sample_weight=weights).tree_, root.walk()
            assert [node.feature if node.left else -2 for node in nodes] == grown.feature.tolist()
            assert [node.threshold for node in nodes if node.left] == grown.threshold[grown.feature >= 0].tolist()
            np.testing.assert_allclose([node.weights.sum() for node in nodes], grown.weighted_n_node_samples)


# Wrong versions are seen.


def last_of_equals(self: Any, x: Any, hot: Any, drawn: Any) -> Any:
    found = RIGHT_SPLITS(self, x, hot, drawn)
    return None if found is None else reference.TriedSplits(*(part[::-1] for part in found))


def in_order_of_columns(self: Any, x: Any, hot: Any, drawn: Any) -> Any:
    return RIGHT_SPLITS(self, x, hot, sorted(drawn, key=lambda column: column[0]))


def missing_right(values: Any) -> Any:
    cuts, goes = RIGHT_THRESHOLDS(values)
    return cuts[~goes], goes[~goes]


def lower_ends(values: Any) -> Any:
    known = np.unique(values[~np.isnan(values)]).astype(float)
    cuts, goes = RIGHT_THRESHOLDS(values)
    middle = np.isfinite(cuts)
    return np.where(middle, known[np.searchsorted(known, np.where(middle, cuts, 0), side="right") - 1], cuts), goes


def any_leaf(self: Any, size: int, depth: int) -> bool:
    return size >= 2 and (self.max_depth is None or depth <= self.max_depth)


RIGHT_SPLITS, RIGHT_THRESHOLDS = reference.Builder.splits, reference.thresholds
WRONG: dict[str, tuple[Any, str, Any]] = {
    "the last of equals": (reference.Builder, "splits", last_of_equals),
    "not in the order of the draw": (reference.Builder, "splits", in_order_of_columns),
    "no ties": (reference.Builder, "tie", lambda self, weights: 0.0),
    "wide ties": (reference.Builder, "tie", lambda self, weights: 0.02),
    "missing values on the right": (reference, "thresholds", missing_right),
    "thresholds at values": (reference, "thresholds", lower_ends),
    "no rule of depth and size": (reference.LeafRules, "open", any_leaf),
    "every split pays": (reference.LeafRules, "pays", lambda self, *_: True),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_builder_is_seen_by_the_corpus(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*WRONG[wrong])
    fits = (fit for weights in ("none", "quarters") for missing in (0.0, 0.25) for fit in differences(weights, missing))
    assert any(said for said, _ in fits)


# By hand, in fractions.


def every_split(x: Any, rows: list[int], categories: Any) -> Iterator[tuple[int, list[int]]]:
    """The column of every split of some rows, and which of them go left."""
    for f in range(x.shape[1]):
        values = x[rows, f]
        known = sorted({v for v in values if v == v})
        keys = [str(v) for v in values]
        if f in categories:
            kinds = sorted(set(keys))
            lefts = [set(some) for size in range(1, len(kinds)) for some in combinations(kinds, size)]
        else:
            lefts = [{str(v) for v in known[:i]} for i in range(1, len(known) + 1)]
            lefts += [left | {"nan"} for left in lefts[:-1]]
        for left in lefts:
            goes = [i for i, key in zip(rows, keys, strict=True) if key in left]
            if 0 < len(goes) < len(rows):
                yield f, goes


@pytest.mark.parametrize("categories", [(), (1,)])
def test_every_node_has_the_best_of_all_splits_in_fractions(categories: tuple[int, ...]) -> None:
    inner = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        n, least = int(rng.integers(5, 14)), 1 + seed % 2
        x = rng.integers(0, 4, (n, 2)).astype(float)
        x[rng.random(x.shape) < 0.2] = np.nan
        y, weights = rng.integers(0, 3, n), rng.integers(1, 9, n) / 4.0
        rules = LeafRules(min_samples_leaf=least, max_depth=3)
        for node in reference_tree(x, y, 3, GINI, rules, weights=weights, categories=categories).walk():
            rows = node.samples.tolist()
            best = Fraction(0)
            for _, goes in every_split(x, rows, categories):
                if min(len(goes), len(rows) - len(goes)) >= least:
                    table = [[Fraction(0)] * 3 for _ in range(2)]
                    for i in rows:
                        table[i not in goes][y[i]] += Fraction(weights[i])
                    best = max(best, GINI.exact(table))
            if node.left is not None:
                assert node.score == pytest.approx(float(best), rel=1e-12) and best > 0
                inner += 1
            elif node.depth < 3:
                assert best < 1e-11 or len(rows) < 2 * least
    assert inner > 30


def test_draws_are_asked_once_for_each_node_parents_first() -> None:
    x, y = np.arange(16.0)[:, None] * [[1.0, -1.0]], np.arange(16) // 2 % 2
    asked: list[tuple[int, int]] = []

    def draws(number: int, rows: Any) -> list[tuple[int, Any]]:
        asked.append((number, len(rows)))
        return [(1, None), (0, (np.array([rows[0, 0] + 0.5]), np.array([False])))] if number < 4 else []

    root = reference_tree(x, y, 2, GINI, LeafRules(min_gain=None), draws=draws)
    nodes = {node.number: node for node in root.walk()}
    assert sorted(asked) == sorted((i, len(node.samples)) for i, node in nodes.items() if (node.weights > 0).all())
    assert all(number == 1 or number // 2 in dict(asked[:i]) for i, (number, _) in enumerate(asked))
    assert {node.number for node in root.walk() if node.left} <= {1, 2, 3} and root.feature == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"codes": [0, 1, 5]}, "class codes are below classes=2; got 5; pass classes=6"),
        ({"codes": [0, 1]}, "one class code and one weight each; got shape (3, 1), 2 codes and 2 weights"),
        ({"weights": [1.0, 0.0, 1.0]}, "weights are positive"),
        ({"x": [[0.0], [np.inf], [1.0]]}, "features are finite"),
        ({"rules": Stopping()}, "rules are LeafRules"),
        ({"draws": 3}, "draws are a function of a node's number and rows"),
        ({"categories": [1]}, "a column of categories"),
        ({"x": np.arange(9.0)[:, None], "codes": [0] * 9, "categories": [0]}, "at most 8 levels; got 9 in column 0"),
    ],
)
def test_a_mistake_is_one_sentence(change: dict[str, Any], said: str) -> None:
    given = {"x": [[0.0], [1.0], [2.0]], "codes": [0, 1, 1], "classes": 2, "criterion": GINI} | change
    assert said in str(refused(".", reference_tree, error=(ValueError, TypeError), **given))


@pytest.mark.parametrize(
    "change", [{"max_depth": -1}, {"min_samples_leaf": 0}, {"min_weight_leaf": -1.0}, {"min_gain": np.nan}]
)
def test_rules_are_numbers_in_range(change: dict[str, Any]) -> None:
    refused(next(iter(change)), LeafRules, error=(ValueError, TypeError), **change)


# It stands alone.

CODE = """
import sys, splitcrit.trees.reference
ours = [(name, module) for name, module in sys.modules.items() if name.split(".")[0] == "splitcrit"]
print(*(f"{name}={module.__file__}" for name, module in ours))
"""


def test_it_stands_on_numpy_criteria_and_table_alone() -> None:
    said = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True).stdout.split()
    files = dict(pair.split("=", 1) for pair in said)
    floors = {name.split(".")[1] for name in files if "." in name}
    below = {"arguments", "arith", "criteria", "data", "display", "frozen", "impurities", "lazy", "losses", "table"}
    assert floors <= below | {"trees"}
    assert {name for name in files if name.startswith("splitcrit.trees.")} == {
        "splitcrit.trees.kernel", "splitcrit.trees.reference",
    }  # fmt: skip
    assert len(files) <= 55
    assert sum(code_lines(Path(path).read_text(encoding="utf-8")) for path in files.values()) <= 3800
