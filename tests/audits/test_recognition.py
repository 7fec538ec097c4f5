"""Rows that grew a tree are refused, new rows are not, not even where they agree because the tree is easy."""

from itertools import product
from math import factorial
from typing import Any

import lightgbm
import numpy as np
import pytest
import xgboost
from scipy.stats import multinomial
from sklearn import ensemble
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from refusals import refused
from splitcrit import TreeClassifier, TreeRegressor
from splitcrit.audits import audit
from splitcrit.audits.recognition import log_chances, log_cover, log_evidence
from splitcrit.inference import InferenceTreeClassifier, InferenceTreeRegressor, significant_subtree

AGREE = "held-out rows grew no tree; got rows that agree with the training rows"
RNG = np.random.default_rng(0)
X, NEW = RNG.normal(size=(2, 200, 3))
Y, TRUE = ((x[:, 0] + RNG.normal(size=200) > 0).astype(int) for x in (X, NEW))


@pytest.mark.parametrize(
    ("kind", "weights"),
    [
        (TreeClassifier(max_depth=3), None),
        (DecisionTreeClassifier(max_depth=3), None),
        (DecisionTreeClassifier(max_depth=5), "counts"),
        (DecisionTreeClassifier(max_depth=4, class_weight="balanced"), None),
        (DecisionTreeRegressor(max_depth=2), None),
        (TreeRegressor(max_depth=5), "counts"),
    ],
)
def test_training_rows_are_refused(kind: Any, weights: Any) -> None:
    given = {} if weights is None else {"sample_weight": np.arange(200) % 3 + 1}
    y, true = (X[:, 1] + Y, NEW[:, 1] + TRUE) if hasattr(kind, "max_depth") and "Regressor" in str(kind) else (Y, TRUE)
    grown = kind.fit(X, y, **given)
    for also in ({}, given)[bool(given) and "Regressor" in str(kind) :]:  # without weights no mean is comparable
        refused("rows that did not choose it; got rows that agree", significant_subtree, grown, X, y, **also)
        significant_subtree(grown, NEW, true, rng=0, **also)
    order = RNG.permutation(200)
    with pytest.raises(ValueError, match="held out"):
        significant_subtree(grown, X[order], y[order], **{name: weights[order] for name, weights in given.items()})


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(max_depth=10),
        ensemble.RandomForestClassifier(10),
        ensemble.RandomForestClassifier(10, bootstrap=False),
    ],
    ids=str,
)
def test_rows_that_hold_those_of_growth_are_refused_where_leaves_are_many_and_small(model: Any) -> None:
    """In another order or among others; not new ones, nor new ones drawn again."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(1600, 5)), rng.integers(0, 2, 1600)
    model.set_params(random_state=0).fit(x[:800], y[:800])
    for rows in (rng.permutation(800), rng.permutation(900)):
        refused(AGREE, audit, model, x[rows], y[rows])
    for rows in (np.arange(800, 1600), rng.integers(800, 1600, 3000)):
        assert "match" not in audit(model, x[rows], y[rows]).remarks[0]


def test_the_chance_is_multinomial() -> None:
    """Of five rows that choose among three leaves by 3/5, 1/5, 1/5: all 243 ways."""
    rates = np.array([3, 1, 1]) / 5
    ways = [way for way in product(range(3), repeat=5) if np.bincount(way, minlength=3).tolist() == [3, 1, 1]]
    assert len(ways) == factorial(5) // factorial(3)
    chance = sum(np.prod(rates[list(way)]) for way in ways)
    assert np.exp(log_chances(np.array([[3], [1], [1]])).sum()) == pytest.approx(chance, rel=1e-12)
    assert np.exp(log_chances(np.array([[3, 3], [1, 1], [1, 1]])).sum()) == pytest.approx(chance**2, rel=1e-12)


def tables(sizes: tuple[int, ...], leaves: int) -> Any:
    """All tables of leaves by groups, given how many rows each group has."""
    each = [[way for way in product(range(n + 1), repeat=leaves) if sum(way) == n] for n in sizes]
    return (np.array(way).T for way in product(*each))


def shares(rng: np.random.Generator, groups: int, leaves: int) -> np.ndarray:
    """How each group falls into leaves: anywhere, or nearly always into one of its own, as classes do that a tree tells
    apart."""
    q = rng.dirichlet(np.full(leaves, rng.choice([0.1, 1.0, 5.0])), groups)
    return np.round(q, 6) if rng.random() < 0.7 else np.eye(leaves)[rng.integers(0, leaves, groups)]


def chance(table: np.ndarray, q: np.ndarray) -> float:
    rows = zip(table.T, q, strict=True)
    return float(np.prod([multinomial.pmf(way, way.sum(), p / p.sum()) for way, p in rows]))


@pytest.mark.parametrize(("sizes", "leaves"), [((3, 3), 3), ((4, 4), 2), ((2, 2, 2), 2)])
def test_no_law_of_new_rows_makes_the_mean_of_an_e_value_more_than_one(sizes: tuple[int, ...], leaves: int) -> None:
    """All tables, by their probability under twenty laws of new rows; agreement with growth is every set of leaf sizes
    or every table in turn, and growth that new rows cover any smaller table."""
    rng, largest = np.random.default_rng(0), 0.0
    known, of_sizes, cover = ({} for _ in range(3))
    every = list(tables(sizes, leaves))
    for q in [shares(rng, len(sizes), leaves) for _ in range(20)]:
        for table in every:
            p = chance(table, q)
            grown = known.setdefault(table.tobytes(), np.exp(log_evidence(table, True)))
            largest = max(largest, p * grown)  # one table agrees
            total = of_sizes.setdefault(tuple(table.sum(axis=1)), [0.0])
            total[0] += p * np.exp(log_evidence(table, False))
        largest, of_sizes = max(largest, *(total[0] for total in of_sizes.values())), {}
        for least in every[:: max(len(every) // 5, 1)]:
            fewer = np.maximum(least - 1, 0)
            covered = sum(chance(table, q) for table in every if (table >= fewer).all())
            e = cover.setdefault(least.tobytes(), np.exp(log_cover(fewer, least)))
            largest = max(largest, covered * e)
    assert 0.99 < largest <= 1 + 1e-9


def halves(x: Any, y: Any, seed: int) -> Any:
    old, new, label, other = train_test_split(x, y, test_size=0.5, stratify=y, random_state=seed)
    return old, label, new, other


STUMP = DecisionTreeClassifier(max_depth=1)
FEW_LEAVES = {
    "stump": STUMP, "forest of stumps": ensemble.RandomForestClassifier(5, max_depth=1, random_state=0),
    "AdaBoost": ensemble.AdaBoostClassifier(STUMP, n_estimators=5, random_state=0),
    "boosted stumps": ensemble.GradientBoostingClassifier(n_estimators=5, max_depth=1),
    "pruned": TreeClassifier(max_depth=2), "weighted": DecisionTreeClassifier(class_weight="balanced", max_depth=2),
}  # fmt: skip


@pytest.mark.parametrize("kind", FEW_LEAVES)
def test_honest_halves_of_equal_classes_pass(kind: str) -> None:
    """Strata make the leaves of a small tree as large in both halves; none is refused, whatever is said of the rows."""
    matched = 0
    for seed in range(8):
        old, label, new, other = halves(*load_iris(return_X_y=True), seed)
        model = FEW_LEAVES[kind].fit(old, label)
        for rows in (None, "held-out"):
            report = audit(model, new, other, rows)
            assert report.verdicts and not np.isnan(report.splits.pvalue).any()
        matched += report.remarks[0].startswith("these rows match those that grew")
    assert matched > 0 or kind != "stump"


@pytest.mark.parametrize("levels", [2, 4, 8])
def test_honest_halves_that_a_tree_divides_at_exact_quantiles_pass(levels: int) -> None:
    """A feature decides the label, and both halves have as many rows of each: sizes and labels agree everywhere."""
    x = np.repeat(np.arange(levels), 400 // levels)
    x = np.column_stack([x, np.random.default_rng(levels).normal(size=400)])
    for response, kind in (
        (x[:, 0], DecisionTreeClassifier()), (x[:, 0], DecisionTreeClassifier(class_weight={0: 2})),
        (x[:, 0], ensemble.GradientBoostingClassifier(n_estimators=3)), (x[:, 0], DecisionTreeRegressor()),
        (x[:, 0], ensemble.GradientBoostingRegressor(n_estimators=3)),
        (x[:, 0], ensemble.RandomForestClassifier(3, max_features=None, random_state=0)),
    ):  # fmt: skip
        old, label, new, other = halves(x, response, 0)
        assert audit(kind.fit(old, label), new, other).rows == "held-out"
        if isinstance(kind, DecisionTreeClassifier | DecisionTreeRegressor):
            significant_subtree(kind, new, other, rng=0)


BOOSTED: dict[str, Any] = {
    "lightgbm": lightgbm.LGBMClassifier(n_estimators=5, verbose=-1, n_jobs=1),
    "lightgbm, numbers": lightgbm.LGBMRegressor(n_estimators=5, verbose=-1, n_jobs=1),
    "xgboost": xgboost.XGBClassifier(n_estimators=5, n_jobs=1),
    "xgboost, numbers": xgboost.XGBRegressor(n_estimators=5, n_jobs=1),
    "sklearn": ensemble.GradientBoostingClassifier(n_estimators=5, max_depth=4),
    "sklearn, numbers": ensemble.GradientBoostingRegressor(n_estimators=5, max_depth=4),
}


@pytest.mark.parametrize("kind", BOOSTED)
def test_boosted_trees_of_every_library_know_the_rows_that_grew_them(kind: str) -> None:
    rng, model = np.random.default_rng(0), BOOSTED[kind]
    x, new = rng.normal(size=(2, 1500, 5))
    y, other = (z[:, 0] + rng.normal(size=1500) for z in (x, new))
    if "numbers" not in kind:
        y, other = (y > 0).astype(int), (other > 0).astype(int)
    model.fit(x, y)
    order = rng.permutation(1500)
    for rows, labels in ((x, y), (x[order], y[order])):
        refused(AGREE, audit, model, rows, labels)
    assert "match" not in audit(model, new, other).remarks[0]
    assert "these rows match" in audit(model, x, y, "held-out").remarks[0]


# A tree of tested splits as text.

ROWS = np.arange(40.0)[:, None]
WORDS = np.repeat(["no", "yes"], 20)
CALIBRATED = (
    "Columns are compared by how unlikely their best splits are; p is from up to 999 random orders, so 0.001 or more."
)
SELECTIVE = (
    "In at most 5 % of data sets such a tree splits where y is unrelated to the features jointly. p: is any split real?"
)
EACH_NODE = "In at most 5 % of data sets such a tree splits its root where y is unrelated to the {}; "
OTHERS = "its other splits have no such bound. p: "


def classes(**how: Any) -> Any:
    return InferenceTreeClassifier(random_state=0, **how)


NODES = {"test": "node", "correction": "permutation", "n_permutations": 9}
TEXTS: list[tuple[Any, Any, Any, dict[str, Any], list[str]]] = [  # a tree, features, responses, options, first lines
    (classes(), ROWS, WORDS, {"feature_names": ["dose"]},
     [SELECTIVE, CALIBRATED, "|--- dose <= 19.5  (p = 0.001)", "|   |--- class: no (20 rows)", "|--- dose >  19.5",
      "|   |--- class: yes (20 rows)"]),
    (classes(), ROWS, np.tile(["no", "yes"], 20), {},
     [SELECTIVE, CALIBRATED, "|--- class: no (40 rows; p = 1, not significant at 0.05)"]),
    (classes(**NODES), ROWS, WORDS, {},
     [EACH_NODE.format("features jointly") + OTHERS + "is any split real?",
      "Columns are compared by their best gains; p is from up to 9 random orders, so 0.1 or more.",
      "|--- class: no (40 rows; p = 0.1, not testable at 0.05)"]),
    (classes(test="node", min_samples_leaf=20), ROWS, WORDS, {},  # a correction that names the feature says so
     [EACH_NODE.format("feature of that split") + OTHERS + "does y depend on this feature?",
      "|--- x0 <= 19.5  (p = 1.45e-11)"]),  # two of C(40, 20)
    (classes(test="node", correction="discrete"), ROWS, WORDS, {},
     [EACH_NODE.format("features jointly") + OTHERS + "is any split real?"]),
    (InferenceTreeRegressor(random_state=0, max_depth=1), ROWS / 1000, np.repeat([0.0, 12345.678], 20), {"digits": 2},
     [SELECTIVE, CALIBRATED, "|--- x0 <= 0.019  (p = 0.001)", "|   |--- value: 0 (20 rows)", "|--- x0 >  0.019",
      "|   |--- value: 12346 (20 rows)"]),
]  # fmt: skip


@pytest.mark.parametrize(("tree", "x", "y", "options", "lines"), TEXTS, ids=range(6))
def test_a_tree_of_tested_splits_as_text(tree: Any, x: Any, y: Any, options: dict[str, Any], lines: list[str]) -> None:
    """A line for each branch; what was tested and not kept, and what the correction names, is said."""
    assert tree.fit(x, y).export_text(**options).splitlines()[: len(lines)] == lines


def test_means_that_agree_since_responses_are_far_from_zero_tell_nothing() -> None:
    """Near 1e9 all means agree to nine digits, so that leaves of equal sizes would do for certain."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        x, y = rng.normal(size=(48, 1)), rng.normal(size=48) + 1e9
        tree = TreeRegressor(max_depth=1, min_samples_leaf=10).fit(x[:24], y[:24])
        audit(tree, x[24:], y[24:])


def test_errors() -> None:
    with pytest.raises(NotFittedError):
        InferenceTreeClassifier().export_text()
    refused("digits is an integer from 1; got 0", InferenceTreeClassifier().fit(ROWS, WORDS).export_text, digits=0)
