"""What pictures and texts of a tree say is so: a number under the name of its impurity, splits by name."""

import re
from math import log2
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import sklearn.tree
from sklearn.base import BaseEstimator

import splitcrit as sc
from refusals import refused
from splitcrit import AdaptiveTreeClassifier, Criterion, ForestClassifier, TreeClassifier, TreeRegressor, gce, ne
from splitcrit.criteria import as_criterion, normalised
from splitcrit.impurities import Impurity, entropy
from splitcrit.inference import HonestTreeClassifier, InferenceTreeClassifier
from splitcrit.losses import square
from splitcrit.nulls.criterion_names import NAMES
from splitcrit.trees import export_graphviz, export_text, plot_tree

RNG = np.random.default_rng(0)
X = RNG.integers(0, 6, (60, 3)).astype(float)
Y = (X[:, 0] + RNG.integers(0, 3, 60) > 4).astype(int)
PRECISION = 6


def of_gini(p: np.ndarray) -> float:
    return float(1 - (p * p).sum())


def of_entropy(p: np.ndarray) -> float:
    return float(-sum(q * log2(q) for q in p if q))


BY_HAND = {"gini": of_gini, "entropy": of_entropy, "log_loss": of_entropy, "misclassification": lambda p: 1 - p.max()}


def shown(text: str) -> tuple[str, float]:
    """The name and the number of the impurity of a node's text."""
    (line,) = [line for line in text.split("\n") if " = " in line and not re.match("samples|value|class", line)]
    name, _, number = line.rpartition(" = ")
    return name, float(number)


def nodes_of(source: str) -> list[str]:
    """The texts of the nodes of graphviz source, in the order of their numbers."""
    found = re.findall(r'^(\d+) \[label="(.*?)"', source, re.M)
    return [text.replace("\\n", "\n") for _, text in sorted(found, key=lambda one: int(one[0]))]


@pytest.mark.parametrize("criterion", [*sorted(NAMES), ne(0.5), gce(0.7), normalised(entropy)], ids=str)
def test_the_number_of_a_node_is_what_its_name_says(criterion: Any) -> None:
    """Against scikit-learn's own functions: the label that they print names the impurity that the number is."""
    tree = TreeClassifier(criterion=criterion, min_gain=None, max_depth=3).fit(X, Y)
    source = sklearn.tree.export_graphviz(tree.over_columns(), precision=PRECISION)
    assert source == export_graphviz(tree, precision=PRECISION, feature_names=["x[0]", "x[1]", "x[2]"])
    texts, shares = nodes_of(source), tree.tree_.value[:, 0]
    named = NAMES[criterion] if isinstance(criterion, str) else criterion
    assert len(texts) == tree.tree_.node_count > 1
    for text, p in zip(texts, shares, strict=True):
        name, number = shown(text)
        if name in BY_HAND:
            assert number == pytest.approx(BY_HAND[name](p), abs=10.0**-PRECISION)
        else:  # a name that is the impurity's own
            own = named if isinstance(named, Impurity) else as_criterion(named).impurity
            assert own is not None and name in (str(own), criterion)
            assert number == pytest.approx(float(own(p)), abs=10.0**-PRECISION)


def test_other_trees() -> None:
    tuned = AdaptiveTreeClassifier(random_state=0, grid=(0.5,)).fit(X, Y)
    assert shown(nodes_of(export_graphviz(tuned))[0])[0] == "ne(lam=0.5)"
    mine = TreeClassifier(criterion=Criterion.from_loss(square), max_depth=1).fit(X, Y)
    name, number = shown(nodes_of(export_graphviz(mine))[0])
    assert name == str(Criterion.from_loss(square).impurity) and number > 0
    for error in ("squared_error", "absolute_error"):
        assert shown(nodes_of(export_graphviz(TreeRegressor(criterion=error).fit(X, Y)))[0])[0] == error
    member = ForestClassifier(2, criterion="twoing", random_state=0).fit(X, Y).estimators_[0]
    assert shown(nodes_of(export_graphviz(member))[0])[0] == "gini"
    assert export_text(TreeClassifier().fit(X, np.zeros(60))).startswith("|--- class: 0")


FRAME = pd.DataFrame({"colour": list("rgbk") * 15, "dose": np.arange(60.0) % 7, "shape": list("sto") * 20})
LABEL = FRAME["colour"].isin(["r", "b"]) ^ (FRAME["shape"] == "s") ^ (FRAME["dose"] > 3)


@pytest.mark.parametrize("names", [None, list(FRAME.columns), ["hue", "amount", "form"]])
def test_splits_by_categories_are_named_after_their_features(names: Any) -> None:
    tree = TreeClassifier(categorical_features="from_dtype").fit(FRAME, LABEL)
    assert tree.tree_.feature.max() >= 3 == tree.n_features_in_
    columns = list(FRAME.columns) if names is None else names
    for text in (
        export_text(tree, feature_names=names),
        export_graphviz(tree, feature_names=names),
        "\n".join(note.get_text() for note in plot_tree(tree, feature_names=names)),
    ):
        assert f"{columns[0]} in {{" in text and f"{columns[2]} in {{" in text and f"{columns[1]} <=" in text
        assert "x0" not in text and "feature_" not in text
    plt.close("all")


LONG = pd.DataFrame({"code": [f'c"{i}.' for i in range(20)] * 3, "dose": np.arange(60.0)})


@pytest.mark.parametrize("special", [False, True])
def test_no_text_compares_categories_with_a_threshold(special: bool, tmp_path: Any) -> None:
    """Every inner node says the words of its split, whatever characters are in them."""
    label = (LONG["code"].isin(['c"3.', 'c"7.']) ^ (LONG["dose"] > 50)).to_numpy()
    tree = TreeClassifier(categorical_features=["code"]).fit(LONG, label)
    lefts = [split.says("left", "form") for split in tree.splits_.values()]
    names = ["form", "amount"]
    text, drawn = export_text(tree, feature_names=names), plot_tree(tree, feature_names=np.array(names))
    plt.close("all")
    source = export_graphviz(tree, feature_names=names, special_characters=special)
    with (tmp_path / "tree.dot").open("w") as file:
        assert export_graphviz(tree, feature_names=names, special_characters=special, out_file=file) is None
    export_graphviz(tree, feature_names=names, special_characters=special, out_file=str(tmp_path / "again.dot"))
    assert (tmp_path / "tree.dot").read_text() == (tmp_path / "again.dot").read_text() == source
    assert len(lefts) > 0 and any("more}" in left or "not in" in left for left in lefts)
    for shown in (text, source.replace(r"\"", '"'), "\n".join(note.get_text() for note in drawn)):
        assert all(left in shown for left in lefts) and "amount <=" in shown.replace("&le;", "<=")
        assert not re.search("}\\)? *(<=|>|&le;) ", shown) and "x0" not in shown
    lines = [line.lstrip("|- ") for line in text.splitlines()]
    for split in tree.splits_.values():
        assert split.says("left", "form") in lines and split.says("right", "form") in lines


def test_a_long_set_is_told_by_the_other_side_where_all_others_go() -> None:
    tree = TreeClassifier(categorical_features=["code"], max_depth=1)
    (split,) = tree.fit(LONG, LONG["code"] == 'c"3.').splits_.values()
    assert {split.says(side, "code") for side in ("left", "right")} == {'code in {c"3.}', 'code not in {c"3.}'}
    weights = np.where(LONG["code"] == 'c"3.', 99.0, 1.0)
    (split,) = tree.fit(LONG, LONG["code"] == 'c"3.', weights).splits_.values()
    long = split.says("left" if split.others == "right" else "right", "code")
    assert long == 'code in {c"0., c"1., c"10., c"11., c"12., and 14 more}'


def test_names_are_as_many_as_features() -> None:
    tree = TreeClassifier(categorical_features="from_dtype").fit(FRAME, LABEL)
    refused("3 features need one name each; got 2; pass one for each", export_text, tree, feature_names=["a", "b"])
    with pytest.raises(TypeError, match="this function takes a splitcrit tree; got DecisionTreeClassifier; pass"):
        plot_tree(sklearn.tree.DecisionTreeClassifier().fit(X, Y))
    with pytest.raises(sklearn.exceptions.NotFittedError):
        export_graphviz(TreeClassifier())


# Missing values.

LOST = np.where(RNG.random((240, 3)) < 0.3, np.nan, RNG.normal(size=(240, 3))).astype(np.float32)
LOST[:, 2] = RNG.normal(size=240)
MARKED = (np.isnan(LOST[:, 0]) ^ (np.nan_to_num(LOST[:, 1], nan=2) > 0.5) ^ (LOST[:, 2] > 0)).astype(int)


def holds(condition: str, row: np.ndarray) -> bool:
    """Whether a line of a tree's text is so of a row."""
    name, *words = condition.split()
    value = row[["a", "b", "c"].index(name)]
    if words[0] == "is":
        return bool(np.isnan(value) == (words[1] == "missing"))
    if np.isnan(value):
        return words[2:] == ["or", "missing"]
    return bool(value <= float(words[1]) if words[0] == "<=" else value > float(words[1]))


def led(text: str, row: np.ndarray) -> str:
    """The leaf to which the text of a tree leads a row; exactly one of two branches is taken."""
    lines = [line.split("|--- ") for line in text.splitlines() if "|---" in line]
    at, depth = 0, 0
    while not lines[at][1].startswith(("class", "value")):
        both = [i for i in range(at, len(lines)) if len(lines[i][0]) == 4 * depth and i >= at][:2]
        (at,) = [i for i in both if holds(lines[i][1].partition("  (")[0], row)]
        at, depth = at + 1, depth + 1
    return lines[at][1].partition(" (")[0]


@pytest.mark.parametrize("model", [
    TreeClassifier(max_depth=4), TreeRegressor(max_depth=4),
    InferenceTreeClassifier(alpha=0.9, random_state=0, compare="gain"),
    ForestClassifier(1, max_depth=4, max_features=None, bootstrap=False),
], ids=repr)  # fmt: skip
def test_the_text_leads_every_row_to_its_leaf(model: Any) -> None:
    fitted = model.fit(LOST, MARKED)
    tree = fitted.estimators_[0] if hasattr(fitted, "estimators_") else fitted
    if isinstance(tree, InferenceTreeClassifier):
        text = tree.export_text(feature_names=["a", "b", "c"], digits=9)
    else:
        text = export_text(tree, feature_names=["a", "b", "c"], decimals=9)
    assert "a is present" in text and "a is missing" in text and "or missing" in text and "inf" not in text
    assert not re.search("c .*missing", text) and "c <= " in text  # it has no missing values
    above: list[str] = []
    for line in (
        line for line in text.splitlines() if "|---" in line
    ):  # what has been sent elsewhere is not told again
        depth, words = line.index("|---") // 4, line.partition("|--- ")[2].partition("  (")[0]
        of_same = [other for other in above[:depth] if other.split()[0] == words.split()[0]]
        assert not words.endswith("missing") or all(other.endswith("missing") for other in of_same)
        above[depth:] = [words]
    for row, answer in zip(LOST, tree.predict(LOST), strict=True):
        word, value = led(text, row).split(": ")
        assert word in ("class", "value") and float(value.strip("[]")) == pytest.approx(answer, abs=1e-9)


def test_no_picture_compares_what_is_present_with_infinity() -> None:
    tree = TreeClassifier(max_depth=4).fit(LOST, MARKED)
    for special in (False, True):
        source = export_graphviz(tree, special_characters=special)
        assert "x0 is present" in re.sub("</?SUB>|<SUB>", "", source) and "inf" not in source
    texts = [note.get_text() for note in plot_tree(tree)]
    plt.close("all")
    assert any(text.startswith("x0 is present") for text in texts) and not any("inf" in text for text in texts)


# Categories that are nearly as many as rows.


@pytest.mark.parametrize(("rows", "levels"), [(60, 30), (20, 20), (24, 20)])
def test_fewer_levels_are_not(rows: int, levels: int) -> None:
    frame = pd.DataFrame({"date": [f"day {i % levels}" for i in range(rows)]})
    TreeClassifier(categorical_features="from_dtype").fit(frame, np.arange(rows) % 2)


def test_small_numbers_are_printed_by_their_digits() -> None:
    x, y = np.array([[1.2e-6], [2.3e-6], [3.4e-6], [4.5e-6]]), np.array([0.0, 1.0, 0.0, 1.0])
    for scale in (1.0, 1e-9, 1e6):
        for model in (TreeClassifier(), TreeRegressor()):
            tree = model.fit(x * scale, y)
            cuts = tree.tree_.threshold[tree.tree_.children_left >= 0]
            printed = sorted({float(cut) for cut in re.findall(r"<= (\S+)", export_text(tree))})
            np.testing.assert_allclose(printed, sorted(cuts), rtol=0.005)
    tree = TreeRegressor().fit(x, 1e-7 * y)
    assert {float(value) for value in re.findall(r"value: \[(\S+)\]", export_text(tree))} == {0.0, 1e-7}
    assert "<= 0.000002" in export_text(tree, decimals=6) and "value: [0.000000]" in export_text(tree, decimals=6)


def test_a_tree_in_an_estimator_is_named() -> None:
    honest = HonestTreeClassifier(random_state=0).fit(np.arange(60.0)[:, None], np.arange(60) >= 30)
    refused("got HonestTreeClassifier; pass its estimator_", export_text, honest, error=TypeError)
    assert "class: True" in export_text(honest.estimator_)


# Parameters are checked as scikit-learn checks them, though what follows from the class is found once.

KINDS = [TreeClassifier, TreeRegressor, ForestClassifier, AdaptiveTreeClassifier]
KINDS += [sc.ForestRegressor, sc.AdaptiveForestClassifier]
VALUES = (None, True, 0, -1, 2, 0.5, 1.5, np.nan, "gini", "best", "sqrt", "from_dtype", [1], "words", print, object())


def verdict(check: Any) -> str:
    """What a check says of parameters."""
    try:
        check()
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("kind", KINDS)
def test_every_parameter_is_judged_as_scikit_learn_judges_it(kind: Any) -> None:
    refused = 0
    for name in kind().get_params():
        for value in VALUES:
            model = kind(**{name: value})
            expected = verdict(lambda m=model: BaseEstimator._validate_params(m))
            assert verdict(model._validate_params) == expected
            refused += expected != ""
    assert refused > 50


@pytest.mark.parametrize("kind", KINDS)
def test_defaults_are_allowed_and_names_are_those_of_the_constructor(kind: Any) -> None:
    BaseEstimator._validate_params(kind())
    assert kind._get_param_names() == BaseEstimator._get_param_names.__func__(kind)


def test_a_subclass_has_parameters_of_its_own() -> None:
    class Mine(TreeClassifier):
        def __init__(self, extra: int = 1, max_depth: int | None = 2) -> None:
            super().__init__(max_depth=max_depth)
            self.extra = extra

    assert Mine._get_param_names() == ["extra", "max_depth"]
    assert TreeClassifier._get_param_names() != ["extra", "max_depth"]
    assert "max_depth" in verdict(Mine(max_depth=-1)._validate_params)
    assert verdict(Mine(extra=-7)._validate_params) == ""


# Rows go down by subsets where scikit-learn sends them by a column of 0 and 1 for each subset.


def sample(seed: int, rows: int, levels: int) -> np.ndarray:
    """Categories, numbers, and categories again, with missing values in each column."""
    rng = np.random.default_rng(seed)
    x = np.stack([rng.integers(0, levels, rows), rng.integers(-9, 10, rows) / 4, rng.integers(2, 5, rows)], axis=1)
    x[rng.random(x.shape) < 0.1] = np.nan
    return x


@pytest.mark.parametrize("model", [TreeClassifier(), TreeRegressor(criterion="absolute_error")], ids=repr)
@pytest.mark.parametrize("seed", range(4))
def test_leaves_and_paths_are_those_of_scikit_learn_over_columns(model: Any, seed: int) -> None:
    x, new = sample(seed, 200, 9), sample(seed + 50, 300, 12) + np.array([0, 0, 1])
    y = np.random.default_rng(seed).integers(0, 3, 200)
    tree = model.set_params(categorical_features=[0, 2]).fit(x, y)
    assert len(tree.splits_) > 1 and (tree.tree_.feature[list(tree.splits_)] >= 3).all()
    for rows in (x, new):
        wide = tree.widened(rows)
        np.testing.assert_array_equal(tree.apply(rows), tree.tree_.apply(wide))
        assert (tree.decision_path(rows) != tree.tree_.decision_path(wide)).nnz == 0
        np.testing.assert_array_equal(tree.predict(rows), tree.over_columns().predict(wide))


def test_members_of_a_forest_take_codes_that_the_forest_has_made() -> None:
    far, y = sample(3, 120, 6) + np.array([10, 0, 0]), np.arange(120) % 2
    forest = ForestClassifier(2, categorical_features=[0, 2], random_state=0).fit(far, y)
    codes = forest._validate_X_predict(far)
    assert np.nanmax(codes[:, 0]) < 10
    for tree in forest.estimators_:
        np.testing.assert_array_equal(tree.apply(codes, check_input=False), tree.apply(far))
    (nodes, where) = forest.decision_path(far)
    assert nodes.shape == (120, where[-1])
