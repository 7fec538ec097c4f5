"""Audits against plain loops over rows, on every kind of model; what they say of noise; what they refuse."""

from collections.abc import Callable
from typing import Any

import dask.array as dask
import numpy as np
import pandas
import pytest
import xgboost
from sklearn import ensemble
from sklearn.ensemble._forest import _generate_sample_indices
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from audits.test_calibrated import printed_mdi_oob, printed_ufi
from refusals import refused
from scripts import script
from splitcrit import DaskTreeClassifier, ForestClassifier, ForestRegressor, TreeClassifier, inference
from splitcrit.audits import audit
from splitcrit.audits.auditing import AuditRows, notes
from splitcrit.audits.model_formats import read_model
from splitcrit.audits.node_moments import NodeLabels
from splitcrit.nulls import gini_gain, gini_null, gini_pvalue, sgini
from splitcrit.trees import MultiwayTreeClassifier
from splitcrit.trees.tree_arrays import Structure

RNG = np.random.default_rng(7)
N = 240
X = np.column_stack([RNG.normal(size=(N, 2)).round(1), RNG.integers(0, 2, N), RNG.integers(0, 5, N)])
Y = ((X[:, 0] > 0) ^ (RNG.random(N) < 0.15)).astype(int)
NEW, LABEL = X[::2] + 0.1 * (X[::2] < 1), Y[::2]
WORDS = np.array(["no", "yes", "maybe"], dtype=object)[Y + (X[:, 1] > 1)]


def paths(tree: Any, x: Any) -> Any:
    return tree.decision_path(x).toarray().astype(bool)


def counted(tree: Any, x: Any, codes: Any, classes: int, kept: Any) -> dict[int, list[list[int]]]:
    """The table of each split of a tree by a loop over rows."""
    here, found = paths(tree, x), {}
    for node in range(tree.tree_.node_count):
        sides = tree.tree_.children_left[node], tree.tree_.children_right[node]
        if sides[0] >= 0:
            found[node] = [[0] * classes, [0] * classes]
            for row in kept:
                for side in (0, 1):
                    found[node][side][codes[row]] += int(here[row, sides[side]])
    return found


DRAWN = [
    ensemble.RandomForestClassifier(4, random_state=3, max_depth=4),
    ForestClassifier(4, random_state=3, max_depth=4),
    ForestClassifier(3, random_state=1, max_samples=0.5, max_depth=3),
    ensemble.ExtraTreesClassifier(3, bootstrap=True, max_depth=4),
]
WHOLE = [
    DecisionTreeClassifier(max_depth=5),
    TreeClassifier(max_depth=5),
    ensemble.ExtraTreesClassifier(3, max_depth=5),
    ensemble.GradientBoostingClassifier(n_estimators=3),
    inference.InferenceTreeClassifier(random_state=0),
    inference.HonestTreeClassifier(random_state=0),
    DaskTreeClassifier(max_depth=3),
]


@pytest.mark.parametrize(
    ("model", "label"), [*((model, label) for model in DRAWN for label in (Y, WORDS)), *((model, Y) for model in WHOLE)]
)
def test_tables_are_those_of_a_loop_over_rows(model: Any, label: Any) -> None:
    """Out of bag of trees that drew rows, of others held out."""
    in_parts = isinstance(model, DaskTreeClassifier)
    model.fit(*(dask.from_array(z, chunks=80) if in_parts else z for z in (X, label)))
    classes, drew = len(model.classes_), model in DRAWN
    trees = np.ravel(getattr(model, "estimators_", [getattr(model, "estimator_", model)]))
    x, y = (X, label) if drew else (NEW, LABEL)
    codes, expected = np.searchsorted(model.classes_, y), []
    for i, tree in enumerate(trees):
        size = len(model.estimators_samples_[0]) if drew else 0
        drawn = _generate_sample_indices(tree.random_state, N, size, None) if drew else []
        kept = sorted(set(range(len(x))) - set(np.asarray(drawn).tolist()))
        expected += [(i, node, table) for node, table in counted(tree, x, codes, classes, kept).items()]
    report = audit(model, x, y, "out-of-bag" if drew else None, samples=99)
    found = report.splits
    assert list(zip(found.tree.tolist(), found.node.tolist(), found.tables.tolist(), strict=True)) == expected
    for place, (i, node, table) in enumerate(expected):
        assert found.feature[place] == trees[i].tree_.feature[node]
        assert found.gain[place] == pytest.approx(gini_gain(table), rel=1e-12, abs=1e-15)
        assert found.sgini[place] == pytest.approx(sgini(table), rel=1e-9, abs=1e-9)
        assert classes > 2 or found.pvalue[place] == pytest.approx(float(gini_pvalue(table, method="exact")), rel=1e-11)
        chance = gini_null(np.sum(table, axis=1), np.sum(table, axis=0)).mean
        assert found.chance[place] == pytest.approx(chance, rel=1e-12, abs=1e-15)
    boosted = isinstance(model, ensemble.GradientBoostingClassifier)
    assert any("residuals" in sentence for sentence in report.remarks) == boosted
    assert (report.importances.ufi is None) == boosted
    if model in WHOLE[4:]:
        assert report.share_passed > 0 and report.remarks[0].startswith("null: at every split of the feature, in every")
        assert not any("Benjamini" in said or MARKED in said for said in report.remarks)


def test_each_note_is_a_sentence_with_whether_it_holds() -> None:
    model = ensemble.RandomForestClassifier(3, max_depth=2, random_state=0).fit(X, Y)
    report, fitted = audit(model, NEW, LABEL), read_model(model)
    here = AuditRows("held-out", (NodeLabels(LABEL, 2),), None)
    each = notes(fitted, report.splits, here, followed=False, as_grown=False)
    assert tuple(sentence for sentence, holds in each if holds) == report.remarks
    assert all(type(sentence) is str and type(holds) is bool for sentence, holds in each)
    assert len({sentence for sentence, _ in each}) == len(each) > len(report.remarks) > 0


@pytest.mark.parametrize("kind", [inference.InferenceTreeRegressor, inference.HonestTreeRegressor])
def test_trees_of_numbers_that_test_their_splits(kind: Any) -> None:
    report = audit(kind(random_state=0).fit(X, X[:, 0] + Y), NEW, NEW[:, 0])
    assert report.importances.net[0] > 0.3 and report.importances.ufi is not None


def test_mdi_is_the_models_own_and_ufi_comes_from_the_draws() -> None:
    forest = ensemble.RandomForestClassifier(3, random_state=0, max_depth=3).fit(X, Y)
    report = audit(forest, X, Y, "out-of-bag")
    found, splits = report.importances, report.splits
    for mean, each in ((found.gain, splits.gain), (found.chance, splits.chance)):
        assert mean == pytest.approx(np.bincount(splits.feature, splits.share * each, 4) / 3)
    own = [tree.tree_.compute_feature_importances(normalize=False) for tree in forest.estimators_]
    assert found.mdi == pytest.approx(np.mean(own, axis=0))
    expected = np.zeros((2, 4))
    for tree in forest.estimators_:
        drawn, structure = _generate_sample_indices(tree.random_state, N, N, None), Structure.of(tree)
        apart = np.setdiff1d(np.arange(N), drawn)
        grown, rest = ((X[rows], Y[rows].tolist()) for rows in (drawn, apart))
        for sums, printed in zip(expected, (printed_ufi, printed_mdi_oob), strict=True):
            each = np.array(printed(structure, grown, rest, False), dtype=float)
            np.add.at(sums, structure.feature[structure.left >= 0], each)
    expected /= len(forest.estimators_)
    assert found.ufi == pytest.approx(expected[0], rel=1e-10, abs=1e-14)
    assert found.mdi_oob == pytest.approx(expected[1], rel=1e-10, abs=1e-14)


@pytest.mark.parametrize("model", [ensemble.RandomForestClassifier(3, max_depth=4, random_state=0),
                                   TreeClassifier(max_depth=4),
                                   ForestClassifier(2, max_depth=4, random_state=0)])  # fmt: skip
def test_training_rows_are_descriptive_and_counted_as_drawn(model: Any) -> None:
    model.fit(X, Y)
    report = audit(model, X, Y, "training")
    assert np.isnan(report.splits.pvalue).all() and np.isnan(report.share_passed)
    assert any("descriptive" in sentence for sentence in report.remarks)
    trees = getattr(model, "estimators_", [model])
    sizes = [int(t.tree_.weighted_n_node_samples[v]) for t in trees for v in np.flatnonzero(t.tree_.children_left >= 0)]
    assert report.splits.tables.sum(axis=(1, 2)).tolist() == sizes
    found = report.importances
    assert found.gain == pytest.approx(found.mdi, abs=1e-12) and found.ufi is None


@pytest.mark.parametrize("kind", [ensemble.RandomForestRegressor, ForestRegressor])
def test_responses_have_gains_and_tables_about_a_cut(kind: Any) -> None:
    y = 1000 + X[:, 0] + RNG.normal(size=N)
    forest = kind(4, max_depth=3, random_state=0).fit(X, y)
    report = audit(forest, X, y, "training")
    assert report.importances.gain == pytest.approx(report.importances.mdi, rel=1e-6)  # theirs cancels
    apart = audit(forest, X, y, "out-of-bag")
    assert np.isfinite(apart.splits.pvalue).all() and np.isfinite(apart.splits.sgini).all()
    assert apart.features_passed.tolist() == [True, False, False, False]
    assert apart.importances.ufi[0] > 0.3 and abs(apart.importances.ufi[1:]).max() < 0.06
    assert any("tables count a response as above a cut or not" in sentence for sentence in apart.remarks)


def test_a_criterion_that_keeps_no_variance_has_no_ufi() -> None:
    tree = DecisionTreeRegressor(criterion="absolute_error", max_depth=2).fit(X, X[:, 0])
    report = audit(tree, NEW, NEW[:, 0])
    assert report.importances.ufi is None and any("no class counts or variances" in said for said in report.remarks)


def test_categories_of_ours_are_named_by_their_feature() -> None:
    y = (X[:, 3] % 2).astype(int) ^ (X[:, 2] > 0)
    tree = TreeClassifier(categorical_features=[3], max_depth=4).fit(X, y)
    found = audit(tree, X, y, "training").splits
    refused("rows, or labels, that are not those at the nodes of tree 0; pass them, or", audit, tree, X, Y, "training")
    assert set(found.feature.tolist()) <= {0, 1, 2, 3} and 3 in found.feature
    assert np.isnan(found.threshold[found.feature == 3]).all()


def test_weights_count_rows_and_take_the_p_values_away() -> None:
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, Y)
    times = RNG.integers(0, 4, len(NEW))
    found = audit(tree, NEW, LABEL, sample_weight=times)
    repeated = audit(tree, np.repeat(NEW, times, axis=0), np.repeat(LABEL, times))
    assert found.splits.tables.tolist() == repeated.splits.tables.tolist()
    assert np.isnan(found.splits.pvalue).all() and any("rows count several times" in said for said in found.remarks)
    some = audit(tree, NEW, LABEL, sample_weight=np.minimum(times, 1))
    assert not np.isnan(some.splits.pvalue).any()


def test_numbers_of_three_classes_have_methods_and_errors() -> None:
    rng = np.random.default_rng(3)
    x, new = rng.normal(size=(2, 900, 3))
    y, label = (np.digitize(z[:, 0] + rng.normal(size=900), [-0.6, 0.6]) for z in (x, new))
    report = audit(ensemble.RandomForestClassifier(3, max_depth=6, random_state=0).fit(x, y), new, label)
    splits, of = report.splits, report.columns("splits")
    assert set(of["method"]) == {"exact", "random tables and evidence", "cannot reject"}
    drawn = splits.method == "random tables and evidence"
    assert (splits.error[~drawn] == 0).all() and 0 < splits.error[drawn].max() < 0.2
    assert of["error"].tolist() == splits.error.tolist()
    certain = splits.method == "cannot reject"
    sides, classes = splits.tables.sum(axis=2), splits.tables.sum(axis=1)
    assert certain.tolist() == ((sides == 0).any(axis=1) | ((classes > 0).sum(axis=1) < 2)).tolist()
    assert (splits.pvalue[certain] == 1).all() and (splits.adjusted[certain] == 1).all()
    for said in (f"{certain.sum()} of {len(certain)} splits have rows on one side or of one class: they cannot reject",
                 f"{drawn.sum()} of {len(drawn)} p-values combine random tables with evidence: their "
                 f"Monte Carlo standard error is at most {splits.error.max():.2g}."):  # fmt: skip
        assert said in str(report) and said in report._repr_html_()


def test_a_p_value_that_is_alpha_but_for_rounding_passes() -> None:
    """One split, and the one row of the second class on the side of 20 of 400 rows: p = 1/20."""
    tree = DecisionTreeClassifier().fit([[0], [1]], [0, 1])
    report = audit(tree, [[0]] * 380 + [[1]] * 20, [0] * 399 + [1])
    assert 0 < report.splits.pvalue[0] - 0.05 < 1e-12 and report.passed.tolist() == [True]
    assert not audit(tree, [[0]] * 379 + [[1]] * 20, [0] * 398 + [1]).passed.any()


def test_every_split_counts_in_the_correction() -> None:
    """Of 14 splits many have held-out rows of one class, or on one side: they count, with a p-value of 1."""
    tree = DecisionTreeClassifier(random_state=0).fit(X, Y)
    splits = audit(tree, NEW[:60], LABEL[:60]).splits
    certain, m = splits.method == "cannot reject", len(splits.node)
    assert 0.2 * m < certain.sum() < m
    order = np.argsort(splits.pvalue, kind="stable")
    steps = splits.pvalue[order] * m * (1 / np.arange(1, m + 1)).sum() / np.arange(1, m + 1)
    expected = np.minimum(np.minimum.accumulate(steps[::-1])[::-1], 1)
    assert splits.adjusted[order] == pytest.approx(expected)


MARKED = "these rows match those that grew the trees in every leaf: if they are those, no p-value and no finding holds"
AGREE = "held-out rows grew no tree; got rows that agree with the training rows"


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(max_depth=5, random_state=0),
        TreeClassifier(max_depth=5),
        ensemble.RandomForestClassifier(20, bootstrap=False, max_depth=5, random_state=0),
        ensemble.RandomForestClassifier(20, random_state=0),
        ensemble.RandomForestClassifier(20, max_depth=2, random_state=0),
        ForestClassifier(10, max_depth=4, random_state=0),
        ForestClassifier(10, max_samples=0.5, max_depth=4, random_state=0),
        ensemble.ExtraTreesClassifier(20, bootstrap=True, max_depth=4, random_state=0),
        ensemble.RandomForestRegressor(5, max_depth=4, random_state=0),
        DecisionTreeClassifier(class_weight={0: 1, 1: 3}, max_depth=4, random_state=0),  # of unknown weights
        ensemble.GradientBoostingClassifier(n_estimators=3),
        ensemble.HistGradientBoostingClassifier(max_iter=3),
    ],
    ids=str,
)
def test_rows_that_grew_a_model_are_refused_and_marked_if_the_user_calls_them_held_out(model: Any) -> None:
    y, moved = X[:, 0] + np.sin(np.arange(N)) if "Regressor" in str(model) else Y, RNG.permutation(N)
    model.fit(X, y)
    refused(f"{AGREE}.*; pass others, or .*'held-out' if you know that they are", audit, model, X, y)
    known = not (hasattr(model, "learning_rate") or getattr(model, "class_weight", None))
    if known and not getattr(model, "bootstrap", False):
        for rows in (np.arange(N)[::-1], moved):
            refused(AGREE, audit, model, X[rows], y[rows])
    report = audit(model, X, y, "held-out")
    assert report.rows == "held-out" and report.remarks[0] == MARKED and report.verdicts
    others = (X[moved] + 0.05, y), (np.vstack([X, X]) + 0.05, np.r_[y, y]), (X, y[moved])
    for new, label in ((NEW, y[::2]), *(others if known else ())):
        assert MARKED not in audit(model, new, label).remarks
    assert MARKED not in audit(model, NEW, y[::2], "held-out").remarks


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(max_depth=1, random_state=0),
        ensemble.RandomForestClassifier(1, max_depth=1, random_state=0),
        ensemble.AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=5, random_state=0),
        ensemble.GradientBoostingClassifier(n_estimators=3, max_depth=1),
    ],
    ids=str,
)
def test_rows_that_match_every_leaf_are_marked_where_leaves_are_few(model: Any) -> None:
    model.fit(X, Y)
    for rows in (None, "held-out"):
        report = audit(model, X, Y, rows)
        assert report.rows == "held-out" and report.remarks[0] == MARKED and report.verdicts
        assert MARKED not in audit(model, NEW, LABEL, rows).remarks


@pytest.mark.parametrize("forests", [15, pytest.param(50, marks=pytest.mark.slow)])
def test_small_forests_know_the_rows_that_grew_them_and_no_others(forests: int) -> None:
    found = script("training_rows").counts(forests)
    assert found["new rows"] == {"taken for new": forests}
    assert found["training rows"]["refused"] > forests / 5 and found["training rows"]["taken for new"] == 0
    assert found["training rows in another order"]["refused"] > 0


TREE = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, Y)
FOREST = ensemble.RandomForestClassifier(3, random_state=0).fit(X, Y)
NUMBERS = DecisionTreeRegressor(max_depth=2, random_state=0).fit(X, X[:, 0])
BOOSTER = xgboost.XGBClassifier(n_estimators=1, n_jobs=1).fit(X, Y)
HONEST = inference.HonestTreeClassifier(random_state=0).fit(X, Y)


def fitted(y: Any) -> Any:
    return DecisionTreeClassifier().fit(X, y)


REFUSED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: audit(TREE, NEW[:, :3], LABEL), ValueError, "fitted on 4 features; got an array of shape 120x3"),
    (lambda: audit(TREE, NEW, LABEL + 1), ValueError, "labels are classes of the model: 0, 1; got 2; drop rows"),
    (lambda: audit(TREE, NEW, np.ones(120, dtype=int)), ValueError, "needs rows of two classes; got rows of class 1"),
    (lambda: audit(NUMBERS, NEW, np.full(120, 0.1)), ValueError, "needs responses that differ; got a single value"),
    (lambda: audit(TREE, NEW, LABEL[:5]), ValueError, "one label for each row of X; got 5 labels of 120 rows"),
    (lambda: audit(BOOSTER, X, Y, "out-of-bag"), ValueError, "out-of-bag rows need trees grown on bootstrap samples"),
    (lambda: audit(TREE, X, Y, "out-of-bag"), ValueError, "each tree was grown on all rows; pass rows apart"),
    (lambda: audit(FOREST, X[::-1], Y[::-1], "out-of-bag"), ValueError, "training and out-of-bag audits"),
    (lambda: audit(FOREST, NEW, LABEL, "training"), ValueError, "not those at the nodes of tree 0; pass them"),
    (lambda: audit(TREE, NEW, LABEL, sample_weight=np.full(120, 0.5)), ValueError, "are counts of rows; got 0.5"),
    (lambda: audit(TREE, NEW, LABEL, sample_weight=[1, 2]), ValueError, "one number for each of 120 rows; got shape"),
    (lambda: audit(TREE, NEW, [None, *LABEL[1:]], sample_weight=[1, 2]), ValueError, "each of 120 rows; got shape"),
    (lambda: audit(TREE, NEW, 5), ValueError, "must be a vector, of one value for each row; got 5"),
    (lambda: audit(TREE, NEW, LABEL, alpha=0), ValueError, "alpha is a number strictly between 0 and 1; got 0"),
    (lambda: audit(TREE, X, Y, "training", sample_weight=np.ones(N)), ValueError, "leave sample_weight out"),
    (lambda: audit(X, Y, TREE), TypeError, "model comes first, then X and y; got a ndarray before the DecisionTreeCl"),
    (lambda: audit(X, FOREST, Y), TypeError, "model comes first, then X and y; got a ndarray before the RandomForest"),
    (lambda: audit(ensemble.IsolationForest(n_estimators=3).fit(X), X, Y), TypeError, "binary trees from scikit-learn"),
    (lambda: audit(fitted(np.ones(N)), X, np.ones(N)), ValueError, "trees of one leaf"),
    (lambda: audit(fitted(np.stack([Y, Y], 1)), X, Y), ValueError, "must have one output; got 2"),
    (lambda: audit(TREE, NEW[:0], LABEL[:0]), ValueError, "an audit needs rows; got none"),
    (lambda: audit(MultiwayTreeClassifier().fit(X, Y), X, Y), TypeError, "takes binary trees from .* got MultiwayTree"),
    (lambda: audit(HONEST, X, Y, "out-of-bag"), ValueError, "chose which of its splits are kept; pass rows apart"),
]


@pytest.mark.parametrize(("call", "error", "said"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_wrong_is_said_in_a_sentence(call: Any, error: type[Exception], said: str) -> None:
    refused(said, call, error=error)


def test_columns_of_other_names_are_refused() -> None:
    frame, new = (pandas.DataFrame(rows, columns=list("abcd")) for rows in (X, NEW))
    tree, boosted = DecisionTreeClassifier(max_depth=2), xgboost.XGBClassifier(n_estimators=1)
    others = ensemble.BaggingClassifier(n_estimators=2), ensemble.HistGradientBoostingClassifier(max_iter=1)
    for model in (tree, boosted, *others):
        model.fit(frame, Y)
        for rows in (new[list("dcba")], new.rename(columns={"d": "e"})):
            refused("the columns are those the model was fitted on: a, b, c", audit, model, rows, LABEL)
    assert audit(tree, new, LABEL).features == tuple("abcd")
    first = "the model comes first, then X and y; got a DataFrame before the DecisionTree"
    refused(first, audit, new, LABEL, tree, error=TypeError)
    piped = make_pipeline(StandardScaler(), tree).fit(frame, Y)
    refused("a Pipeline is audited on rows that have the columns it was fitted on", audit, piped, new[["a"]], LABEL)
    other = xgboost.XGBClassifier(n_estimators=1, missing=-9).fit(X, Y)
    refused("an audited model's missing value must be nan; got missing=-9", audit, other, NEW, LABEL)


def test_copies_that_were_made_before_rows_were_divided_are_remarked_on() -> None:
    """Labels are noise; the rare class is copied up, then half of the rows are audited."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        x, y = rng.normal(size=(400, 8)), (rng.random(400) < 0.1).astype(int)
        copies = np.append(np.arange(400), rng.choice(np.flatnonzero(y), 320))
        for rows, fires in ((rng.permutation(copies), True), (rng.permutation(400), False)):
            grown, new = np.array_split(rows, 2)
            forest = ensemble.RandomForestClassifier(5, min_samples_leaf=5, random_state=0).fit(x[grown], y[grown])
            assert any("exact copies" in said for said in audit(forest, x[new], y[new]).remarks) == fires


# If no split tells anything, an audit lets one pass in at most alpha of all data sets, whatever the trees.

RUNS, LEAST = 4000, 0.001


@pytest.fixture(scope="module")
def designs() -> Any:
    """The script that counts how often some split passes."""
    return script("audit_levels")


@pytest.mark.parametrize("place", [0, 1, pytest.param(2, marks=pytest.mark.slow)])
def test_designs_that_lead_a_smaller_correction_astray_keep_the_level(designs: Any, place: int) -> None:
    """Which splits have rows of both classes depends on the labels: where the others are left out, too much passes."""
    design = list(designs.DESIGNS)[place]
    now, left_out = designs.counts(design, RUNS)
    assert designs.surprise(now, RUNS) > LEAST > designs.surprise(left_out, RUNS)


@pytest.mark.parametrize("place", [3, 4])
def test_other_designs_keep_the_level(designs: Any, place: int) -> None:
    design, runs = list(designs.DESIGNS)[place], 20
    assert designs.surprise(designs.counts(design, runs)[0], runs) > LEAST


def test_joined_p_values_are_small_no_more_often_than_they_say() -> None:
    """Splits that were fixed beforehand and tell nothing, of three classes and of responses."""
    levels = script("fixed_split_levels")
    left = np.arange(30) < 12
    for name, test in levels.TESTS.items():
        counts, least = levels.surprise(test(left, 600, np.random.default_rng(0)))
        assert least > LEAST and counts[-1] > 20, name
