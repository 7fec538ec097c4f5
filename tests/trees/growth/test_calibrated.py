"""Trees whose columns are compared by the law of their best split, against the laws of each column of each node."""

import pickle
import re
import warnings
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from growing import difference
from nulls.drawn_law import class_totals, column_law, response_totals
from refusals import refused
from splitcrit import decrease, entropy, gini, gini_null, replace
from splitcrit.nulls import best_cut_law, calibrated
from splitcrit.nulls.monte_carlo import draws_for
from splitcrit.trees import NAMES, ForestClassifier, TreeClassifier, TreeRegressor
from splitcrit.trees.growth import GrownTree, GrowthOptions, Stopping, Training, grow
from splitcrit.trees.growth.by_reference import LoopDraws
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.paths import Path
from splitcrit.trees.growth.permuted_compiled import surprise_in
from splitcrit.trees.growth.surprise_paths import SurpriseSearch
from splitcrit.trees.reference import LeafRules, reference_tree

Array = Any


def frame(rng: Any, n: int) -> Array:
    """Two categories, one of them of many levels; few values, dense numbers, missing values, rounded numbers."""
    x = np.column_stack([
        rng.integers(0, 25, n), rng.choice(6, n, p=[0.5, 0.2, 0.1, 0.1, 0.05, 0.05]), rng.integers(0, 2, n),
        rng.normal(size=n), rng.normal(size=n), rng.normal(size=n).round(1),
    ])  # fmt: skip
    x[rng.random(n) < 0.2, 4] = np.nan
    return x


def score_of_column(x: Array, y: Array, subset: bool, least: int) -> tuple[float, list[int], bool]:
    """The largest score of a column over centred responses ``(n, q)``, the sizes of its cells, and gaps."""
    n, lost = len(x), np.isnan(x)
    values = np.unique(x[~lost])
    groups = [x == v for v in values] + ([lost] if lost.any() else [])
    sizes, gaps = [int(g.sum()) for g in groups], bool(lost.any()) and len(values) > 0
    sums = np.array([y[g].sum(axis=0) for g in groups])
    square, best = (y**2).sum(), 0.0
    if subset:
        splits = []
        for k in range(y.shape[1]):
            shares = (sums[:, k] / sizes).round(9)
            splits += [np.flatnonzero(shares < share) for share in np.unique(shares)[1:]]
    else:
        last = len(groups) - 1
        splits = [np.arange(i) for i in range(1, len(groups))]
        splits += [np.append(np.arange(i), last) for i in range(1, last)] if gaps else []
    for left in splits:
        m = sum(sizes[i] for i in left)
        if least <= m <= n - least:
            best = max(best, float((sums[left].sum(axis=0) ** 2).sum() * n * (n - 1) / (m * (n - m) * square)))
    return best, sizes, gaps


def surprises(x: Array, y: Array, categories: tuple[int, ...], least: int) -> list[float]:
    """How surprising the best split of each column is, by its law in ``nulls``."""
    classes = y.dtype.kind in "ib"
    totals = class_totals(np.bincount(y)) if classes else response_totals(y)
    centred = (y[:, None] == np.unique(y)) * 1.0 if classes else y[:, None]
    centred = centred - centred.mean(axis=0)
    if classes and centred.shape[1] == 2:  # one coordinate, that of the more frequent class
        centred = centred[:, [np.bincount(y).argmax()]]
    found = []
    for f in range(x.shape[1]):
        score, sizes, gaps = score_of_column(x[:, f], centred, f in categories, least)
        if score <= 1e-9:
            found.append(-1.0)
            continue
        n = len(x)
        if f not in categories and not gaps and (n - len(sizes)) * 50 <= n:
            sizes = [1] * n
        draws = draws_for(x.shape[1])
        drawn = {"draws": draws, "limit": draws * draws}
        law = column_law(sizes, totals, subset=f in categories, gaps=gaps, min_leaf=least, **drawn)
        found.append(float(law.surprise(score)[0]))
    return found


def node_rows(tree: Any, x: Array) -> dict[int, Array]:
    path = tree.decision_path(x).toarray().astype(bool)
    return {node: np.flatnonzero(path[:, node]) for node in range(path.shape[1])}


def original(model: Any, f: int) -> int:
    """The column of a split: the feature, or the category of its subset."""
    return int(model.split_names_[f][1:].split(" ")[0])


@pytest.mark.each_value
@pytest.mark.parametrize("least", [1, 7])
@pytest.mark.parametrize("response", ["two", "rare", "three", "number"])
def test_a_node_is_split_by_the_column_whose_best_split_is_the_least_to_be_expected(response: str, least: int) -> None:
    rng = np.random.default_rng([least, len(response)])
    x, nodes = frame(rng, 240).astype(np.float32), 0
    signal = (x[:, 3] > 0.3) + (x[:, 2] == 1) * 0.5
    if response == "number":
        y: Any = signal + rng.lognormal(size=240)
        model: Any = TreeRegressor(
            criterion="calibrated", max_depth=4, min_samples_leaf=least, categorical_features=[0, 1]
        )
    else:
        p = {"two": 0.3, "rare": 0.03, "three": 0.3}[response] + 0.2 * signal
        y = (rng.random(240) < p).astype(int) + ((rng.random(240) < 0.3) & (response == "three"))
        model = TreeClassifier(criterion="calibrated", max_depth=4, min_samples_leaf=least, categorical_features=[0, 1])
    model.fit(x, y)
    for node, rows in node_rows(model, x).items():
        if (feature := model.tree_.feature[node]) < 0 or len(rows) < 2 * least:
            continue
        found = surprises(x[rows], y[rows], (0, 1), least)
        chosen, top = original(model, feature), max(found)
        assert found[chosen] == pytest.approx(top, rel=1e-6, abs=1e-6), (node, len(rows), found, chosen)
        nodes += 1
    assert nodes >= 5


class LeastExpected:
    """The columns that a node draws, of which the law of each keeps one; the last column numbers the rows."""

    def __init__(self, growing: GrowthOptions, y: Array) -> None:
        self.draws, self.y = LoopDraws(growing, int(y.max()) + 1), y

    def __call__(self, number: int, x: Array) -> list[tuple[int, None]]:
        drawn = [f for f, _ in self.draws(number, x[:, :-1])]
        found = surprises(x[:, drawn], self.y[x[:, -1].astype(int)], (), 1)
        return [(drawn[int(np.argmax(found))], None)] if max(found) > 0 else []


@pytest.mark.parametrize("draw", ["all", "varying"])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_tree_that_draws_its_columns_is_that_of_the_reference_builder(classes: int, draw: str) -> None:
    rng = np.random.default_rng(classes)
    x = np.column_stack([rng.normal(size=(90, 2)), rng.integers(0, 4, 90), rng.integers(0, 2, 90) * 1.0])
    x[rng.random(90) < 0.2, 1] = np.nan
    y = np.where(rng.random(90) < 0.6, x[:, 0] > 0, rng.integers(0, classes, 90)).astype(int)
    growing = GrowthOptions(Stopping(max_depth=5, min_samples_split=9), 2, seed=3, draw=draw)
    root = reference_tree(
        np.column_stack([x, np.arange(90)]), y, classes, gini, LeafRules(max_depth=5, min_samples_split=9),
        draws=LeastExpected(growing, y),
    )  # fmt: skip
    tree = grow(Training(x, y, classes), calibrated(), growing)
    assert difference(GrownTree.of(root), tree) == "" and len(tree.left) > 9


def divisions(model: Any, x: Array, rows: Array, columns: Array) -> set[Any]:
    """The column of each split and the two sets of rows that it makes, in the names of another frame."""
    tree, at = model.tree_, node_rows(model, x)
    sides = ((tree.children_left[k], tree.children_right[k]) for k in range(tree.node_count))
    return {
        (int(columns[original(model, tree.feature[k])]), frozenset(frozenset(rows[at[s]].tolist()) for s in pair))
        for k, pair in enumerate(sides)
        if pair[0] >= 0
    }


def root(splits: set[Any]) -> int:
    """The column of the split of most rows."""
    return int(max(splits, key=lambda split: sum(map(len, split[1])))[0])


@pytest.mark.parametrize("case", range(12))
@pytest.mark.parametrize("response", ["numbers", "few numbers", "classes"])
def test_no_sign_name_or_order_changes_a_tree(response: str, case: int) -> None:
    """Of y and -y, x and -x; of classes and levels; of rows and columns: with weights, missing values, categories."""
    rng = np.random.default_rng([case, len(response)])
    n, chosen = int(rng.integers(30, 120)), [0, 1] if case % 2 else [1]
    every, columns = np.arange(n), np.arange(6)
    x = frame(rng, n) if case < 10 else rng.integers(0, 2, (n, 6)).astype(float)  # flags, of which many tie below
    w = rng.integers(1, 4, n).astype(float) if case % 3 == 0 else None
    if response == "classes":
        k, make = 2 + case % 3, TreeClassifier
        y: Any = np.where((x[:, 3] > 0.5) & (rng.random(n) < 0.5), 0, rng.integers(0, k, n))
    else:
        k, make = 0, TreeRegressor
        y = rng.gamma(1, size=n) + 0.3 * x[:, 3]
        y = (y.round(1) if case % 2 else (y > 0.7) * 1.0) if response == "few numbers" else y
    weights = "rows" if case % 4 == 1 else "counts"

    def fitted(x: Array, y: Array, w: Array | None, rows: Array = every, order: Array = columns) -> set[Any]:
        codes = [int(np.flatnonzero(order == c)[0]) for c in chosen]
        model: Any = make(criterion=calibrated(weights=weights), max_depth=3, categorical_features=codes)
        return divisions(model.fit(x, y, sample_weight=w), x, rows, order)

    grown, rows, order = fitted(x, y, w), rng.permutation(n), rng.permutation(6)
    renamed, sign = rng.permutation(k)[y] if k else -y, np.where(np.isin(columns, chosen), 1, -1)
    assert len(grown) > 1
    assert fitted(x, renamed, w) == grown
    turned = fitted(x * sign, y, w)  # where cuts of one column tie, the first one of its order is made
    assert turned == grown if response == "numbers" else root(turned) == root(grown)
    assert fitted(x[rows], y[rows], None if w is None else w[rows], rows) == grown
    assert fitted(x[:, order], y, w, every, order) == grown
    levels = x.copy()
    levels[:, 1] = rng.permutation(6)[x[:, 1].astype(int)]
    assert fitted(levels, y, w) == grown


def test_the_split_of_the_chosen_column_is_that_of_the_impurity() -> None:
    rng = np.random.default_rng(8)
    x = rng.normal(size=(200, 1))
    y = (rng.random(200) < np.where(x[:, 0] > 1.5, 0.9, 0.4)).astype(int)
    for criterion in (decrease(entropy), NAMES["sgini"], NAMES["twoing"]):
        plain = TreeClassifier(criterion=criterion, max_depth=3).fit(x, y)
        again = TreeClassifier(criterion=calibrated(criterion), max_depth=3).fit(x, y)
        assert (plain.tree_.threshold == again.tree_.threshold).all()
    for error in ("squared_error", "absolute_error"):
        one = TreeRegressor(criterion=error, max_depth=3).fit(x, y + x[:, 0])
        two = TreeRegressor(criterion=calibrated(error), max_depth=3).fit(x, y + x[:, 0])
        assert (one.tree_.threshold == two.tree_.threshold).all()


SHARES = {"two": [0.5, 0.5, 0], "rare": [0.95, 0.05, 0], "three": [0.4, 0.3, 0.3]}


@pytest.mark.parametrize("response", [*SHARES, "number"])
def test_a_category_and_a_number_are_chosen_by_chance_alike(response: str) -> None:
    """To split the root, where none tells anything."""
    rng, chosen = np.random.default_rng(1), 0
    for _ in range(90):
        x = np.column_stack([rng.integers(0, 100, 400), rng.normal(size=400)])
        kind: Any = TreeRegressor if response == "number" else TreeClassifier
        y = rng.lognormal(size=400) if response == "number" else rng.choice(3, 400, p=SHARES[response])
        model = kind(criterion="calibrated", max_depth=1, categorical_features=[0]).fit(x, y)
        chosen += original(model, model.tree_.feature[0]) == 0
    assert binom.ppf(1e-5, 90, 0.45) <= chosen <= binom.ppf(1 - 1e-5, 90, 0.55)


def test_scores_of_a_table_in_counts() -> None:
    counts = np.array([[3, 0], [1, 1], [0, 3]])
    found = calibrated().search.tested.tested(counts)
    law = best_cut_law([3, 2, 3], [4, 4])
    assert found.surprise == pytest.approx(law.surprise(law.score(counts)))
    assert law.score(counts) == pytest.approx(4.2)
    assert calibrated()([[3, 0], [1, 6]]) == decrease(NAMES["gini"])([[3, 0], [1, 6]])


@pytest.mark.parametrize(
    ("make", "given", "weights", "said"),
    [
        (TreeClassifier, {"criterion": calibrated("squared_error")}, None, "needs a criterion for classes; got respo"),
        (TreeClassifier, {"criterion": "calibrated(3)"}, None, "after `from splitcrit.nulls import calibrated`"),
        (TreeRegressor, {}, np.full(60, 0.5), "permutes samples and needs weights that are counts; got 0.5"),
        (TreeRegressor, {"criterion": calibrated(entropy)}, None, "needs a regression loss"),
        (ForestClassifier, {"splitter": "random"}, None, "random thresholds"),
    ],
)
def test_what_is_not_compared_is_refused_in_a_sentence(make: Any, given: Any, weights: Any, said: str) -> None:
    rng = np.random.default_rng(9)
    x, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    refused(re.escape(said), make(**{"criterion": "calibrated"} | given).fit, x, y, weights)


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"impurity": 3}, TypeError, "an impurity, a criterion or a regression error; got 3"),
        ({"impurity": "entropy"}, ValueError, "an error is one of 'squared_error'"),
        ({"impurity": calibrated()}, ValueError, "a criterion that scores splits; got calibrated()"),
        ({"draws": 5}, ValueError, "draws is an integer from 20; got 5"),
        ({"weights": "x"}, ValueError, "one of 'counts', 'rows'; got 'x'"),
    ],
)
def test_arguments_out_of_range_are_named(given: dict[str, Any], error: type[Exception], said: str) -> None:
    refused(re.escape(said), calibrated, error=error, **given)


def test_fewer_draws_than_are_needed_are_allowed_and_said() -> None:
    rng = np.random.default_rng(10)
    x, y = rng.normal(size=(60, 6)), rng.integers(0, 2, 60)
    with pytest.warns(UserWarning, match="100 draws for 6 features, which need 240"):
        TreeClassifier(criterion=calibrated(draws=100), max_depth=1).fit(x, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TreeClassifier(criterion=calibrated(draws=240), max_depth=1).fit(x, y)
        TreeClassifier(criterion=calibrated(draws=100), max_depth=1, max_features=2).fit(x, y)


def test_columns_of_one_level_or_of_single_levels_say_nothing_and_levels_may_be_new() -> None:
    rng = np.random.default_rng(11)
    x = np.column_stack([np.zeros(80), rng.permutation(80), rng.normal(size=80)])
    y = (x[:, 2] > 0.8).astype(int)
    with pytest.warns(UserWarning, match="80 levels of column 1"):
        tree = TreeClassifier(criterion="calibrated", max_depth=1, categorical_features=[0, 1]).fit(x, y)
    assert tree.tree_.feature[0] == 2
    rank = np.column_stack([rng.integers(0, 4, 80), np.zeros(80)])
    tree = TreeClassifier(criterion="calibrated", categorical_features=[0]).fit(rank, y)
    assert tree.predict([[77.0, 0.0]]).shape == (1,)


def test_a_round_trip_leaves_the_criterion_as_it_is() -> None:
    criterion = calibrated(entropy, draws=300, seed=4)
    assert repr(criterion) == "calibrated(entropy, draws=300, seed=4)" and repr(calibrated()) == "calibrated()"
    assert pickle.loads(pickle.dumps(criterion)) == criterion
    assert replace(criterion, seed=5).search.tested.seed == 5


# Columns compared by how surprising their best splits are: in fractions, and over all orders of the labels.

KINDS = ["two", "three", "numbers", "quantiles"]


def features(rng: Any, n: int) -> Any:
    """A category, a number with ties and one with missing values."""
    x = np.column_stack([rng.integers(0, 4, n), rng.integers(0, 3, n), rng.permutation(n)]).astype(np.float32)
    x[: n // 5, 2] = np.nan
    return x


def labels(kind: str, rng: Any, n: int) -> tuple[Any, Any, int]:
    """Types, the values of responses, and the number of classes."""
    if kind in ("two", "three"):
        return np.resize(np.arange(2 + (kind == "three")), n)[rng.permutation(n)], None, 2 + (kind == "three")
    values, types = np.unique(rng.integers(-5, 9, n).astype(float) ** 3, return_inverse=True)
    return types, values, 0


def search_of(kind: str, x: Any, types: Any, values: Any, classes: int, **more: Any) -> SurpriseSearch:
    levels = np.array([4, *[0] * (x.shape[1] - 1)])
    return SurpriseSearch(x, types, values, classes, Recoding(levels, 9), 1, kind == "quantiles", **more)


def plain_splits(x: Any, rows: Any) -> Iterator[tuple[int, frozenset[int]]]:
    """Every split of some rows that the search knows: feature, and the rows that go left."""
    for f in range(x.shape[1]):
        values = x[rows, f]
        lost = frozenset(rows[np.isnan(values)].tolist())
        known = sorted(set(values[~np.isnan(values)].tolist()))
        if f == 0:
            for m in range(1, len(known)):
                for some in combinations(known, m):
                    yield f, frozenset(rows[np.isin(values, some)].tolist())
            continue
        for cut in known:
            left = frozenset(rows[values <= cut].tolist())
            if len(left) < len(rows):
                yield f, left
            if lost and len(left | lost) < len(rows):
                yield f, left | lost


def plain_score(y: Any, rows: Any, left: frozenset[int]) -> Fraction:
    """The score of a split for responses or coordinates of classes ``y (n, q)``, in fractions."""
    n, m = len(rows), len(left)
    mean = [sum(map(Fraction, y[rows, k].tolist())) / n for k in range(y.shape[1])]
    square = sum((Fraction(y[i, k]) - mean[k]) ** 2 for i in rows.tolist() for k in range(y.shape[1]))
    length = sum((sum(Fraction(y[i, k]) - mean[k] for i in left) ** 2 for k in range(y.shape[1])), Fraction(0))
    return length * n * (n - 1) / (m * (n - m) * square)


def standardised(score: Fraction, m: int, totals: list[int]) -> float:
    """A score less 1 over its standard deviation, in units of that of many rows, plus 1; 0 of one that is constant."""
    law = gini_null([m, sum(totals) - m], totals, exact=True)
    if not law.variance:
        return 0.0
    times = float(law.mean) / float(law.variance) ** 0.5 * (2 / (len(totals) - 1)) ** 0.5
    return max(1 + (float(score) - 1) * times, 0.0)


def plain_surprises(search: SurpriseSearch, rows: Any, types: Any) -> dict[frozenset[int], float]:
    """By left side, the surprise of the best splits of every column, by tables of the node and scores in fractions."""
    node, columns = search.node(rows)
    found: dict[frozenset[int], float] = {}
    for t, f in enumerate(columns):
        y = node.vectors[types]
        each = [(plain_score(y, rows, left), left) for g, left in plain_splits(search.x, rows) if g == f]
        if f and search.values is None:  # cuts of classes are standardised
            totals = np.bincount(types[rows])
            each = [(standardised(score, len(left), totals[totals > 0].tolist()), left) for score, left in each]
        best = max(score for score, _ in each)
        surprise = float(surprise_in(node.tables[t], node.step, float(best)))
        for score, left in each:
            if score >= best * (1 - 1e-12):
                found[left] = max(surprise, found.get(left, 0.0))
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_best_split_and_permuted_ones_are_those_of_plain_fractions(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 15
    x = features(rng, n)
    types, values, classes = labels(kind, rng, n)
    search, whole = search_of(kind, x, types, values, classes), np.arange(n)
    division = search.best(whole)
    assert division is not None
    every = plain_surprises(search, whole, types)
    assert division.surprise == pytest.approx(max(every.values()), rel=1e-9)
    left = frozenset(np.flatnonzero(division.left).tolist())
    sides = {left, frozenset(range(n)) - left}
    assert max(every.get(side, -1.0) for side in sides) == pytest.approx(division.surprise, rel=1e-9)
    rows = max(whole[division.left], whole[~division.left], key=len)
    path = search.path(Path.of([rows, whole], [np.zeros(len(rows), bool), division.left]))
    orders = np.array([types[rows], *(rng.permutation(types[rows]) for _ in range(12))])
    kept = 0
    for order, score in zip(orders, path.scores(orders), strict=True):
        changed = types.copy()
        changed[rows] = order
        above = plain_surprises(search, whole, changed)
        top = max(above.values())
        first = {side for side, value in above.items() if value >= top - 1e-9}
        if np.isnan(score):
            assert not first <= sides
            continue
        assert first & sides
        kept += 1
        assert score == pytest.approx(max(plain_surprises(search, rows, changed).values()), rel=1e-9)
    assert kept


@pytest.mark.parametrize("kind", ["two", "three"])
def test_given_the_selection_p_values_are_uniform_on_their_values(kind: str) -> None:
    n = 8 if kind == "two" else 6
    x = features(np.random.default_rng(4), n)
    given, classes = defaultdict(list), 2 + (kind == "three")
    every = [np.array(y) for y in sorted(set(permutations(np.resize(np.arange(classes), n).tolist())))]
    for y in every:
        search = search_of(kind, x, y, None, classes)
        division = search.best(np.arange(n))
        for rows in () if division is None else (np.flatnonzero(division.left), np.flatnonzero(~division.left)):
            outside = tuple(np.delete(y, rows).tolist())
            key = tuple(rows.tolist()), outside, tuple(sorted(y[rows].tolist()))
            if search.best(rows) is None:  # a leaf
                given[key].append(1.0)
                continue
            path = search.path(Path.of([rows, np.arange(n)], [np.zeros(len(rows), bool), division.left]))
            scores = path.scores(np.array(sorted(set(permutations(y[rows].tolist())))))
            reached = path.scores(y[rows][None])[0] - path.band
            assert not np.isnan(reached)
            given[key].append(float((scores >= reached).sum() / (~np.isnan(scores)).sum()))
    assert len(given) > 10 and max(map(len, given.values())) > 3
    for values in given.values():
        for p in values:
            assert sum(other <= p + 1e-12 for other in values) <= p * len(values) + 1e-9


@pytest.mark.parametrize(
    ("sizes", "least", "exact"), [((4, 4, 4), 4, True), ((3, 5, 4), 3, True), ((3, 5, 4), 4, False)]
)
def test_a_prefix_is_said_to_be_best_where_no_leaf_is_too_small_for_a_category(sizes, least, exact):
    x = np.repeat(np.arange(3.0), sizes)[:, None]
    types = (np.arange(12) > 5).astype(np.int64)
    recoding = Recoding(np.array([3]), 9)
    division = SurpriseSearch(x, types, None, 2, recoding, least).best(np.arange(12))
    assert division is not None and recoding.subsets[0].exact == exact
