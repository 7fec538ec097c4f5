"""Formulas that users write: a number, or one sentence that names what to write instead, and never a warning."""

import ast
import math
import pickle
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import splitcrit
from growing import itself
from objects import CLASS_IMPURITIES, CRITERIA
from refusals import refused
from splitcrit import ForestClassifier, TreeClassifier, TreeRegressor
from splitcrit.arith import total
from splitcrit.columns import adjusted, standardised
from splitcrit.criteria import Criterion, decrease, normalised
from splitcrit.impurities import Impurity, entropy, scaled
from splitcrit.losses import Loss, ResponseLoss
from splitcrit.losses.evaluation import check_batches
from splitcrit.noise import symmetric
from splitcrit.nulls import calibrated, null_moments
from splitcrit.proof import properties
from splitcrit.robustness import order_failure, phase_diagram
from splitcrit.trees import MultiwayTreeClassifier, clusterings
from splitcrit.vertices import fractional_optimum

X = np.random.default_rng(0).normal(size=(60, 2))
Y = (X[:, 0] + X[:, 1] > 0).astype(int)
WEIGHTS = np.random.default_rng(1).random(60)


BY_NUMPY = Loss("mine", lambda w, k, m: -np.log(w[k]), itself)
BY_MATH = Loss("mine", lambda w, k, m: -math.log(w[k]), itself)
NAN = Loss("mine", lambda w, k, m: 0 * np.log(w[k]) / 0, itself)
WRONG = {
    "numpy's log": decrease(Impurity("mine", lambda p, m: -sum(x * np.log(x) for x in p))),
    "math's log": decrease(Impurity("mine", lambda p, m: -sum(x * math.log(x) for x in p))),
    "loss by math's log": Criterion.from_loss(BY_MATH),
    "loss that is nan": Criterion.from_loss(NAN),
    "searched loss by math's log": Criterion.from_loss(Loss("mine", BY_MATH.at)),
    "nothing": decrease(Impurity("mine", lambda p, m: None)),
    "one argument": decrease(Impurity("mine", lambda p: 1)),  # type: ignore[arg-type, misc]
    "text": Criterion("mine", lambda t, m: "high"),
    "division by zero": Criterion("mine", lambda t, m: t[0][0] / t[0][0] - 1 / 0),
}


@pytest.mark.parametrize("criterion", WRONG.values(), ids=WRONG)
def test_a_formula_that_fails_is_named_with_what_to_write(criterion: Criterion) -> None:
    said = r"the formula of .*mine\)* gives a number for any counts; got .*; use .* m\.log, m\.xlogx, m\.sqrt, m\.where"
    for table in ([[2, 0], [0, 3]], [[[2, 1], [0, 3]], [[2, 0], [1, 1]]]):
        refused(said, criterion, table)
    if criterion.impurity is not None:
        refused(said, criterion.impurity, [[1, 0], [2, 1]])
    for learner in (TreeClassifier(criterion=criterion), ForestClassifier(criterion=criterion, n_estimators=2)):
        refused(r"mine.*; got .*; (use|try)", learner.fit, X, Y)


def test_a_formula_of_numpy_that_gives_numbers_is_used_without_warnings() -> None:
    """An infinite cost of a class that does not occur costs nothing."""
    criterion = Criterion.from_loss(BY_NUMPY)
    table = [[2, 0], [1, 3]]
    assert math.isclose(criterion(table), decrease(entropy)(table), rel_tol=1e-14)
    for weights in (None, WEIGHTS):
        trees = [
            TreeClassifier(criterion=c, max_depth=3).fit(X, Y, sample_weight=weights).tree_
            for c in (criterion, decrease(entropy))
        ]
        assert trees[0].feature.tolist() == trees[1].feature.tolist()
        assert trees[0].threshold.tolist() == trees[1].threshold.tolist()


def test_a_formula_gives_a_number_for_each_distribution() -> None:
    summed = Impurity("summed", lambda p, m: np.sum(p))
    refused(r"got float64 of shape \(\) for a batch of shape \(2,\)", summed, [[1, 2], [3, 4]])
    refused("formula of summed gives a number", TreeClassifier(criterion=decrease(summed)).fit, X, Y)


def test_sentences_of_the_library_are_kept() -> None:
    def refusing(p: Any, m: Any) -> Any:
        from splitcrit.frozen import complaint

        raise ValueError(complaint("mine is for three classes", len(p), "pass three"))

    refused(r"^mine is for three classes; got 2; pass three$", Impurity("mine", refusing), [1, 2])


# Of one distribution each of these is a number of its own; of a batch they mix its items.
MIXING: dict[str, Callable[[Any, Any], Any]] = {
    "sum over all": lambda p, m: 1 - np.sum(np.square(p)),
    "maximum over all": lambda p, m: 1 - np.max(p),
    "shape of a batch": lambda p, m: (1 - total([x * x for x in p])) / (1 + np.max(p[0])),
    "decision for all": lambda p, m: 1 - m.max(p) + (0.1 if np.any(p[0] == 0) else 0.0),
    "mean over all": lambda p, m: (1 - m.max(p)) * (1 + np.mean(p[0])),
}
TABLES = np.array([[[3, 0], [1, 6]], [[2, 2], [5, 1]], [[9, 1], [1, 9]]])
CELLS = [[[4, 1], [1, 0]], [[0, 2], [1, 5]]]
THREE = np.random.default_rng(2).integers(0, 3, 60)
LEVELS = np.column_stack([np.arange(60) % 5, X])
SAID = r"^the formula of .* gives a number for any counts; got .*; use .* m\.xlogx.* m\.where.* m\.max"
USES: dict[str, Callable[[Impurity], Any]] = {
    "impurity": lambda mine: mine([[1, 2], [3, 4], [5, 0]]),
    "scaled": lambda mine: scaled(mine, 2)([[1, 2], [3, 4], [5, 0]]),
    "criterion": lambda mine: decrease(mine)(TABLES),
    "batch of batches": lambda mine: decrease(mine)(TABLES[None]),
    "gain ratio": lambda mine: normalised(mine)(TABLES),
    "tree": lambda mine: TreeClassifier(criterion=mine).fit(X, Y),
    "three classes": lambda mine: TreeClassifier(criterion=mine).fit(X, THREE),
    "weights": lambda mine: TreeClassifier(criterion=mine).fit(X, Y, sample_weight=WEIGHTS),
    "random thresholds": lambda mine: TreeClassifier(criterion=mine, splitter="random").fit(X, Y),
    "categories": lambda mine: TreeClassifier(criterion=mine, categorical_features=[0]).fit(LEVELS, THREE),
    "forest": lambda mine: ForestClassifier(criterion=mine, n_estimators=2).fit(X, THREE),
    "multiway": lambda mine: MultiwayTreeClassifier(criterion=mine).fit(X, Y),
    "clusters": lambda mine: clusterings(X[:, 0], Y, criterion=mine),
    "vertices": lambda mine: fractional_optimum([0.2, 0.3, 0.5], decrease(mine)),
    "order": lambda mine: order_failure(CELLS, criterion=mine, channel=symmetric(Fraction(1, 5))),
    "phases": lambda mine: phase_diagram([[90, 10], [50, 50]], [[297, 3], [403, 297]], mine, points=5),
    "adjusted": lambda mine: adjusted(mine)(TABLES),
    "standardised": lambda mine: standardised(decrease(mine))(TABLES),
    "moments of cells": lambda mine: null_moments(mine, [3, 4], [2, 5]),
    "calibrated": lambda mine: calibrated(mine)(TABLES),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("formula", MIXING.values(), ids=MIXING)
def test_a_formula_that_mixes_the_items_of_a_batch_is_refused_wherever_it_is_used(
    formula: Callable[[Any, Any], Any], use: Callable[[Impurity], Any]
) -> None:
    refused(SAID, use, Impurity("mixing", formula))


@pytest.mark.parametrize("formula", MIXING.values(), ids=MIXING)
def test_of_one_table_such_a_formula_is_right_before_and_after_it_is_refused(
    formula: Callable[[Any, Any], Any],
) -> None:
    mine = decrease(Impurity("mixing", formula))
    for _ in range(2):
        for table in TABLES.tolist():
            assert math.isfinite(mine(table))
        refused(SAID, mine, TABLES)


MIXING_COSTS = {
    "shares": Criterion.from_loss(Loss("mixing", lambda w, k, m: (1 - w[k]) ** 2 * np.max(w[k]))),
    "shares with their best action": Criterion.from_loss(
        Loss("mixing", lambda w, k, m: (1 - w[k]) ** 2 / (1 + np.max(w[k])), itself)
    ),
    "line": Criterion.from_loss(Loss("mixing", lambda w, k, m: (w - k) ** 2 / np.max(1 + np.abs(w)), space="line")),
}


@pytest.mark.parametrize("criterion", MIXING_COSTS.values(), ids=MIXING_COSTS)
def test_a_loss_that_mixes_actions_is_refused(criterion: Criterion) -> None:
    for tables in (TABLES, np.concatenate([TABLES, TABLES], axis=2)):
        refused(SAID, criterion, tables)
    refused(SAID, TreeClassifier(criterion=criterion).fit, X, Y)


def test_a_loss_of_responses_that_mixes_them_is_refused() -> None:
    criterion = Criterion.from_loss(ResponseLoss("mixing", lambda w, y, m: (w - y) ** 2 / (1 + np.max(y * y))))
    refused(SAID, TreeRegressor(criterion=criterion, max_depth=2).fit, X, X[:, 1])


@pytest.mark.parametrize("value", [*CRITERIA, *CLASS_IMPURITIES], ids=repr)
def test_the_formulas_of_the_library_pass_as_a_user_s(value: Any) -> None:
    """They are taken as right where they are used: here each is tried as if a user had written it."""
    if isinstance(value, Impurity):
        for classes in (2, 3):
            check_batches(Impurity("mine", lambda p, m: value.of(p, m)), lambda p, m: value.of(p, m), (classes,))
        return
    for rows, classes in ((2, 2), (3, 3)):
        sizes = (value.rows or rows, value.classes or classes)
        check_batches(Criterion("mine", lambda t, m: value.score(t, m)), lambda t, m: value.score(t, m), sizes)


def test_what_a_formula_was_tried_on_is_neither_compared_nor_pickled() -> None:
    one, other = (Impurity("mine", _quadratic) for _ in range(2))
    one([[1, 2], [3, 4]])
    assert (one, hash(one), pickle.dumps(one)) == (other, hash(other), pickle.dumps(other))


def _quadratic(p: Any, m: Any) -> Any:
    return 1 - total([x * x for x in p])


def test_nobody_else_calls_a_formula_in_floats() -> None:
    """All batches go through ``of_floats`` and what it is made of, where they are checked."""
    package, found = Path(splitcrit.__file__).parent, []
    for path in sorted(package.rglob("*.py")):
        name, text = path.relative_to(package).as_posix(), path.read_text(encoding="utf-8")
        if name.startswith(("proofs/", "proof/")) or "FLOAT" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("of", "score")
                and any(isinstance(x, ast.Name) and x.id == "FLOAT" for x in node.args)
            ):
                found.append(f"{name}: {ast.unparse(node)}")
    assert found == []


def test_a_branch_in_a_tree_and_a_logarithm_of_math_in_a_proof_name_what_serves() -> None:
    branching = Impurity("branching", lambda p, m: p[0] if p[0] < p[1] else p[1])
    assert math.isclose(branching([1, 2]), 1 / 3)
    refused(r"truth value .*; use .* m\.where for if", TreeClassifier(criterion=branching).fit, X, Y)
    logarithm = Impurity("logarithm", lambda p, m: -sum(x * math.log(x) for x in p))
    refused(r"math domain error; use m\.xlogx", properties, logarithm)


def test_a_formula_of_no_module_is_a_users() -> None:
    names: dict[str, Any] = {"__name__": None}
    exec("def of(p, m):\n    return 1 - sum(x * x for x in p)", names)  # as in a notebook cell or a doctest
    assert names["of"].__module__ is None
    assert decrease(Impurity("mine", names["of"]))(np.array([[[2, 0], [1, 3]]] * 3)).shape == (3,)
