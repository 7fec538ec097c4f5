"""Columns compared by how surprising their best splits are: in fractions, and over all orders of the labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

from splitcrit import gini_null
from splitcrit.trees.growth.category_ranks import Recoding
from splitcrit.trees.growth.paths import Path
from splitcrit.trees.growth.permuted_compiled import surprise_in
from splitcrit.trees.growth.surprise_paths import SurpriseSearch

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
    return SurpriseSearch(x, types, values, classes, Recoding(x, levels, 9), 1, kind == "quantiles", **more)


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


def test_a_rare_class_is_not_cut_at_the_edge() -> None:
    """By its gain two rows are parted from 58; in standard deviations 29 from 31, which the other cut does not beat."""
    x, y = np.arange(60.0)[:, None], np.zeros(60, np.int64)
    y[[29, 30, 51, 58]] = 1
    division = SurpriseSearch(x, y, None, 2, None, 1).best(np.arange(60))
    assert division is not None and division.left.sum() == 29


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
        own = plain_surprises(search, rows, changed)
        assert score == pytest.approx(max(own.values()), rel=1e-9)
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
            theirs = np.array(sorted(set(permutations(y[rows].tolist()))))
            scores = path.scores(theirs)
            reached = path.scores(y[rows][None])[0] - path.band
            assert not np.isnan(reached)
            given[key].append(float((scores >= reached).sum() / (~np.isnan(scores)).sum()))
    assert len(given) > 10 and max(map(len, given.values())) > 3
    for values in given.values():
        for p in values:
            assert sum(other <= p + 1e-12 for other in values) <= p * len(values) + 1e-9


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_of_rows_and_columns_and_the_names_of_levels_change_nothing(kind: str) -> None:
    rng = np.random.default_rng(2)
    n = 60
    x = features(rng, n)
    types, values, classes = labels(kind, rng, n)
    found = search_of(kind, x, types, values, classes).best(np.arange(n))
    order = rng.permutation(n)
    turned = search_of(kind, x[order], types[order], values, classes).best(np.arange(n))
    np.testing.assert_array_equal(turned.left, found.left[order])
    assert turned.surprise == pytest.approx(found.surprise, abs=1e-9)
    renamed = x.copy()
    renamed[:, 0] = np.array([2, 0, 3, 1])[x[:, 0].astype(int)]
    other = search_of(kind, renamed[:, [0, 2, 1]], types, values, classes).best(np.arange(n))
    assert other.surprise == pytest.approx(found.surprise, abs=1e-9)
    assert (other.left == found.left).all() or (other.left != found.left).all()


@pytest.mark.parametrize(
    ("sizes", "least", "exact"), [((4, 4, 4), 4, True), ((3, 5, 4), 3, True), ((3, 5, 4), 4, False)]
)
def test_a_prefix_is_said_to_be_best_where_no_leaf_is_too_small_for_a_category(
    sizes: tuple[int, ...], least: int, exact: bool
) -> None:
    x = np.repeat(np.arange(3.0), sizes)[:, None]
    types = (np.arange(12) > 5).astype(np.int64)
    recoding = Recoding(x, np.array([3]), 9)
    division = SurpriseSearch(x, types, None, 2, recoding, least).best(np.arange(12))
    assert division is not None and recoding.subsets[0].exact == exact
