"""The builders: the same tree node for node, whatever builds it; the tie rule; draws; purely random partitions."""

from __future__ import annotations

import csv
import gzip
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from growing import BY_FORMULA, COUNTS_ONLY, WITH_FORM, difference, trees
from splitcrit.criteria import Criterion, decrease
from splitcrit.impurities import entropy, gini
from splitcrit.losses import Loss
from splitcrit.trees.growth import GrowthOptions, Stopping, grow
from splitcrit.trees.scan import Columns, Limits, OpenLevel, best_splits, midpoint, usable_form
from splitcrit.trees.scan.level_search import LevelSearch
from splitcrit.trees.small import reference_of
from tiers import fewer

SETS = (  # fifteen real files; the slow reference builder gets 80 rows of each
    "balance_scale", "bupa_liver", "diabetes", "fourclass", "glass", "heart_statlog", "ionosphere", "libras", "sonar",
    "vehicle", "vowel", "zoo", "german_numeric", "segment", "winequality_white",
)  # fmt: skip


@st.composite
def problems(draw):  # type: ignore[no-untyped-def]
    """Draw a small training set with ties, perhaps weights and missing values, and stopping rules."""
    n, d, classes = draw(st.integers(2, 40)), draw(st.integers(1, 4)), draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    x = rng.integers(0, draw(st.integers(1, 30)), (n, d)).astype(draw(st.sampled_from([np.float32, np.float64])))
    if draw(st.booleans()):
        x = (x * rng.choice([1e-3, 1.0, 1e30, 1e-44]) - 3).astype(x.dtype)
    if draw(st.integers(0, 3)) == 0:
        x[rng.random(x.shape) < 0.2] = np.nan
    least = draw(st.sampled_from([0.5, 1.0]))  # with 1, weights are counts
    weights = rng.choice([least, 1.0, 2.0, 3.0], n) if draw(st.integers(0, 2)) == 0 else None
    stopping = Stopping(
        max_depth=draw(st.sampled_from([None, 1, 3])),
        min_samples_split=draw(st.integers(2, 5)),
        min_samples_leaf=draw(st.integers(1, 3)),
        min_weight_leaf=draw(st.sampled_from([0.0, 0.0, 1.5])),
        min_gain=draw(st.sampled_from([0.0, None, 0.01])),
    )
    options = {
        "weights": weights,
        "max_features": draw(st.sampled_from([None, 1, 2, d])),
        "draw": draw(st.sampled_from(["all", "varying"])),
        "splitter": draw(st.sampled_from(["best", "best", "random"])),
        "seed": draw(st.integers(0, 9)),
    }
    return x, rng.integers(0, classes, n), classes, stopping, options


@fewer()
@given(problems(), st.sampled_from(WITH_FORM + BY_FORMULA))
def test_the_builders_grow_the_same_tree(problem, criterion: Criterion) -> None:  # type: ignore[no-untyped-def]
    x, y, classes, stopping, options = problem
    if criterion in COUNTS_ONLY:
        options["weights"] = None
    if criterion == BY_FORMULA[3]:  # a guarded ratio
        options["splitter"] = "best"
    reference, *others = trees(x, y, classes, criterion, stopping, **options)
    assert [difference(reference, tree) for tree in others] == ["", ""], criterion


def numbers(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the features and class codes of a data file, float32."""
    text = (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode()
    rows = list(csv.reader(text.splitlines()))[1:]
    x = np.array([[float(cell) if cell else np.nan for cell in row[:-1]] for row in rows], dtype=np.float32)
    return x, np.unique([row[-1] for row in rows], return_inverse=True)[1]


@pytest.mark.parametrize(
    "name",
    [
        "zoo",
        "heart_statlog",
        *(pytest.param(n, marks=pytest.mark.slow) for n in SETS if n not in ("zoo", "heart_statlog")),
    ],
)
def test_the_builders_agree_on_real_data(data: Path, name: str) -> None:
    (path,) = [p for p in data.glob(f"{name}.csv*")]
    x, y = numbers(path)
    classes = int(y.max()) + 1
    rows = np.random.default_rng(0).permutation(len(y))[:80]
    for criterion in (*WITH_FORM[:4], BY_FORMULA[2]):
        small = trees(x[rows], y[rows], classes, criterion, Stopping(max_depth=4))
        assert [difference(small[0], tree) for tree in small[1:]] == ["", ""], criterion
    for criterion in (*WITH_FORM[:3], BY_FORMULA[0]):
        columns = Columns.of(x, y, classes)
        whole, by_level = (grow(columns, criterion, GrowthOptions(by_level=b)) for b in (False, True))
        assert difference(whole, by_level) == "", criterion


@pytest.mark.parametrize("criterion", WITH_FORM, ids=repr)
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_tables_score_every_threshold_as_the_formula_does(criterion: Criterion, classes: int) -> None:
    rng = np.random.default_rng(classes)
    for n in (2, 3, 4, 7, 12, 60, 400):
        y = rng.integers(0, classes, n)
        x = rng.permutation(n).astype(np.float32)[:, None]
        columns = Columns.of(x, y, classes)
        level = OpenLevel(np.array([0, n]), np.bincount(y, minlength=classes)[None].astype(float))
        form = usable_form(columns, criterion, Limits())
        assert form is not None
        by_form, by_formula = (LevelSearch(columns, level, criterion, Limits(), f) for f in (form, None))
        everything = np.ones((1, 1), dtype=bool)
        np.testing.assert_allclose(by_form.best(everything), by_formula.best(everything), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("sizes", [range(4, 61), pytest.param(range(61, 201), marks=pytest.mark.slow)], ids=str)
def test_no_true_difference_of_gini_gains_is_taken_for_a_tie(sizes: range) -> None:
    """Two splits of a node of N <= 200 differ in gain by more than the band, unless they are equal."""
    for n in sizes:
        for positives in range(1, n // 2 + 1):
            m = np.arange(1, n // 2 + 1)[:, None]
            a = np.arange(0, positives + 1)[None]
            inside = (a <= m) & (positives - a <= n - m)
            top, bottom = (
                ((a * n - m * positives) ** 2 * inside).ravel(),
                np.broadcast_to(m * (n - m), inside.shape).ravel(),
            )
            values, where = np.unique(top / bottom, return_index=True)
            p, q = top[where].astype(object), bottom[where].astype(object)
            apart = p[1:] * q[:-1] != p[:-1] * q[1:]  # exact: distinct fractions
            gaps = np.diff(values)[apart] * 2 / n**2
            band = 1e-11 * 2 * positives * (n - positives) / n**2
            assert not len(gaps) or gaps.min() > band, (n, positives)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_thresholds_separate_their_neighbours(dtype) -> None:  # type: ignore[no-untyped-def]
    tiny = np.finfo(dtype).smallest_subnormal
    pairs = [
        (1.0, np.nextafter(dtype(1), dtype(2))),
        (0.0, tiny),
        (-tiny, 0.0),
        (np.finfo(dtype).min, np.finfo(dtype).max),
    ]
    pairs += [(-1.0, 1.0), (tiny, 2 * tiny), (1e30, np.nextafter(dtype(1e30), dtype(2e30)))]
    low, high = (np.array(side, dtype=dtype) for side in zip(*pairs, strict=True))
    cut = midpoint(low, high)
    assert cut.dtype == np.float64 and (low <= cut).all() and (cut < high).all()
    assert midpoint(np.array([1.0]), np.array([np.nan]))[0] == math.inf


def test_negative_zero_is_zero() -> None:
    x = np.array([[-0.0], [0.0], [-0.0], [0.0]], dtype=np.float32)
    columns = Columns.of(x, np.array([0, 1, 0, 1]), 2)
    assert len(grow(columns, decrease(gini)).feature) == 1


def test_a_tie_goes_to_the_first_feature_and_threshold() -> None:
    x = np.array([[0, 0, 5], [1, 1, 4], [2, 2, 3], [3, 3, 2]], dtype=np.float64)
    y = np.array([0, 1, 1, 0])
    for tree in trees(x, y, 2, decrease(gini), Stopping(max_depth=1)):
        assert (tree.feature[0], tree.threshold[0]) == (0, 0.5)


def test_a_guarded_ratio_passes_over_gains_below_average() -> None:
    x = np.arange(40, dtype=np.float32)[:, None]
    y = np.array([0] * 17 + [1] * 3 + [0] * 3 + [1] * 16 + [0])
    free, guarded = BY_FORMULA[2], BY_FORMULA[3]
    cuts = np.arange(1, 40)
    tables = np.stack([np.stack([np.bincount(y[:c], minlength=2), np.bincount(y[c:], minlength=2)]) for c in cuts])
    gains, ratios = decrease(entropy)(tables), free(tables)
    allowed = np.flatnonzero(gains >= gains.mean())
    for tree in trees(x, y, 2, guarded, Stopping(max_depth=1)):
        assert tree.threshold[0] == cuts[allowed[np.argmax(ratios[allowed])]] - 0.5
    with pytest.raises(ValueError, match="compares all thresholds of a node; got splitter='random'"):
        grow(Columns.of(x, y, 2), guarded, GrowthOptions(splitter="random"))


def test_best_first_keeps_the_splits_worth_most() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(300, 4)).astype(np.float32), rng.integers(0, 3, 300)
    columns = Columns.of(x, y, 3)
    whole = grow(columns, decrease(gini))
    for leaves in (2, 5, 17):
        tree = grow(columns, decrease(gini), GrowthOptions(max_leaf_nodes=leaves))
        assert (tree.left < 0).sum() == leaves
        worth = whole.score * whole.weights.sum(axis=1)
        available, taken = [0], set()
        for _ in range(leaves - 1):
            best = max((i for i in available if whole.feature[i] >= 0), key=lambda i: worth[i])
            available.remove(best)
            available += [whole.left[best], whole.right[best]]
            taken.add((whole.depth[best], whole.feature[best], whole.threshold[best], whole.size[best]))
        inner = np.flatnonzero(tree.feature >= 0)
        assert {(tree.depth[i], tree.feature[i], tree.threshold[i], tree.size[i]) for i in inner} == taken


def test_draws_depend_on_the_path_alone_and_differ_between_seeds() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(200, 6)), rng.integers(0, 2, 200)
    shallow = grow(Columns.of(x, y, 2), decrease(gini), GrowthOptions(Stopping(max_depth=3), max_features=2, seed=1))
    deep = grow(Columns.of(x, y, 2), decrease(gini), GrowthOptions(Stopping(max_depth=6), max_features=2, seed=1))
    above = deep.depth < 3
    assert np.array_equal(shallow.feature[shallow.depth < 3], deep.feature[above])
    other = grow(Columns.of(x, y, 2), decrease(gini), GrowthOptions(Stopping(max_depth=3), max_features=2, seed=2))
    assert not np.array_equal(shallow.feature, other.feature)


def test_random_splits_tell_missing_values_from_one_known_value() -> None:
    x, y = np.array([[np.nan], [1.0], [np.nan], [1.0]]), np.array([0, 1, 0, 1])
    for seed in range(5):
        for tree in trees(x, y, 2, decrease(gini), Stopping(), splitter="random", seed=seed):
            assert (tree.threshold[0], tree.missing_left[0], len(tree.feature)) == (1.0, False, 3)
    for tree in trees(x[::2], np.array([0, 1]), 2, decrease(gini), Stopping(), splitter="random"):
        assert len(tree.feature) == 1  # all values are missing


def at_nan(w, k, m):  # type: ignore[no-untyped-def]
    return w[k] * float("nan")


def first_class(p, m):  # type: ignore[no-untyped-def]
    return p


def raises(t, m):  # type: ignore[no-untyped-def]
    raise RuntimeError("no idea")


def scalar(t, m):  # type: ignore[no-untyped-def]
    return 1.0


@pytest.mark.parametrize(
    ("criterion", "message"),
    [
        (Criterion("raising", raises), "formula of raising gives a number for any counts; got RuntimeError: no idea"),
        (Criterion("flat", scalar), "formula of flat gives a number for any counts; got float of shape"),
        (Criterion.from_loss(Loss("lost", at_nan, first_class)), "the formula of .* for any counts; got nan"),
    ],
    ids=["raises", "shape", "nan"],
)
def test_a_bad_criterion_is_named(criterion: Criterion, message: str) -> None:
    x, y = np.arange(6, dtype=np.float32)[:, None], np.array([0, 1, 0, 1, 1, 0])
    with pytest.raises(ValueError, match=message):
        grow(Columns.of(x, y, 2), criterion)


def test_other_dtypes_are_refused() -> None:
    with pytest.raises(TypeError, match="float32 or float64; got int64"):
        Columns.of(np.arange(4)[:, None], np.array([0, 1, 0, 1]), 2)


def test_best_splits_of_a_level_are_those_of_its_nodes() -> None:
    rng = np.random.default_rng(9)
    x, y = rng.normal(size=(90, 3)), rng.integers(0, 3, 90)
    tree = reference_of(x, y, 3, decrease(gini), GrowthOptions(Stopping(max_depth=2)))
    root = best_splits(
        Columns.of(x, y, 3), OpenLevel(np.array([0, 90]), np.bincount(y)[None].astype(float)), decrease(gini), Limits()
    )
    assert (root.feature[0], root.threshold[0]) == (tree.feature, tree.threshold)
