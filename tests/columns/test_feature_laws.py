"""Laws of one feature: against the hypergeometric law, every order of the labels, and themselves in other forms."""

from fractions import Fraction
from math import isclose

import numpy as np
import pytest
from scipy import stats

from node_oracle import arrangements, cuts, pvalues, score
from splitcrit.columns.best_cuts import Response, read_response
from splitcrit.columns.feature_laws import FeatureLaw, attained_by_draws, drawn_law, enumerated_law, exact_laws
from splitcrit.columns.features import Feature, read_features
from splitcrit.nulls.permutation_pvalues import besag_clifford
from validity import NEAR

LABELS = (0, 0, 0, 0, 0, 1, 1, 1)
CATEGORIES = ["a", "b", "c", "a", "b", "c", "a", "d"]


def categories(values: list[str]) -> Feature:
    return read_features(np.array(values, dtype=object)[:, None], [0], "side")[0]


def response(y: object, statistic: str = "gini", least: int = 1) -> Response:
    return read_response(np.array(y), "classes", statistic, least, len(y))  # type: ignore[arg-type]


def law(values: list[str], y: object, least: int = 1) -> FeatureLaw:
    found = enumerated_law(categories(values), response(y, least=least))
    assert found is not None
    return found


def test_two_categories_are_fishers_table() -> None:
    """The Gini gain of a 2 x 2 table grows with the distance of a cell from its mean."""
    values, y = ["a"] * 5 + ["b"] * 8, [0, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1]
    ones, x = sum(y), sum(y[:5])
    chances = stats.hypergeom(13, ones, 5)
    far = [abs(13 * k - 5 * ones) for k in range(6)]
    for found in (law(values, y), exact_laws([categories(values)], response(y))[0]):
        assert found is not None
        assert found.reached == pytest.approx(sum(chances.pmf(k) for k in range(6) if far[k] >= far[x]))
        assert found.above == pytest.approx(sum(chances.pmf(k) for k in range(6) if far[k] > far[x]))


def test_laws_that_are_found_together_are_those_found_alone() -> None:
    """Of features that have as many values, but not as often, or as often, but in another order."""
    columns = [[1, 1, 1, 2, 3, 4, 4, 4], [1, 2, 2, 2, 2, 3, 4, 4], [4, 4, 3, 2, 2, 2, 2, 1], [1, 1, 1, 2, 3, 4, 4, 4]]
    features = read_features(np.array(columns).T, None, "side")
    together, asked = exact_laws(features, response(LABELS)), np.linspace(0, 1, 41)
    seen = set()
    for feature, found in zip(features, together, strict=True):
        (alone,) = exact_laws([feature], response(LABELS))
        assert found is not None and alone is not None and found[:2] == alone[:2]
        assert [found.attained(t) for t in asked] == [alone.attained(t) for t in asked]
        seen.add(tuple(alone.attained(t) for t in asked))
    assert len(seen) > 1


@pytest.mark.parametrize("least", [1, 2])
def test_categories_by_every_order(least: int) -> None:
    every = pvalues(LABELS, cuts(CATEGORIES, "categories"), "gini", least)
    attainable = sorted(set(every.values()))
    for order, p in every.items():
        found = law(CATEGORIES, order, least)
        assert found.reached == pytest.approx(float(p), rel=1e-9)
        assert found.above == pytest.approx(
            float(max((q for q in attainable if q < p), default=Fraction(0))), abs=1e-12
        )
    for t in (0.0, 0.01, 0.1, 0.3, 0.77, 1.0, *map(float, attainable)):
        expected = max((q for q in attainable if q <= t * NEAR), default=Fraction(0))
        assert found.attained(t) == pytest.approx(float(expected), rel=1e-9)


def test_many_tables_are_not_listed() -> None:
    values = [f"{i % 12}" for i in range(120)]
    assert enumerated_law(categories(values), response([0, 1] * 60)) is None
    assert exact_laws([categories(values)], response([0, 1] * 60)) == [None]
    assert exact_laws([categories(["a", "b", "c"])], response([0, 1, 2])) == [None]


def test_a_law_of_one_ordered_feature_attains_what_it_says() -> None:
    x, y = [[1], [2], [2], [3], [4], [None], [4]], [0, 1, 0, 0, 1, 1, 0]
    values = [row[0] for row in x]
    every = pvalues(tuple(y), cuts(values, "numeric"), "gini")
    found = exact_laws(read_features(x, None, "side"), response(y))[0]
    assert found is not None
    assert found.reached == pytest.approx(float(every[tuple(y)]), rel=1e-9)
    for t in (0.01, 0.2, 0.5, 0.9, 1.0):
        expected = max((q for q in every.values() if q <= t), default=Fraction(0))
        assert found.attained(t) == pytest.approx(float(expected), rel=1e-9)


@pytest.mark.parametrize("statistic", ["gini", "sgini", "pairwise_gain"])
def test_the_best_cut_is_the_first_of_those_that_tie(statistic: str) -> None:
    values = [1, 2, 2, 3, None, 4, 5]
    feature = read_features([[v] for v in values], None, "side")[0]
    left = [[i for i, v in enumerate(values) if v is not None and v <= top] for top in (1, 2, 3, 4, 5)]
    sides = [tuple(side) for side in (*left, *(sorted([*side, 4]) for side in left[:-1]))]
    ties = 0
    for order in arrangements((0, 0, 0, 1, 1, 1, 1)):
        scores = [_score(order, side, statistic) for side in sides]
        first, found = scores.index(max(scores)), exact_laws([feature], response(order, statistic))[0]
        assert found is not None and found.best is not None
        assert (found.best.known, found.best.missing_left) == (len(left[first % 5]), first >= 5)
        ties += scores.count(max(scores)) > 1
    assert ties > 3


def _score(order: tuple[int, ...], side: tuple[int, ...], statistic: str) -> Fraction:
    """The score of a cut in Fractions."""
    if statistic != "pairwise_gain":
        return score(order, side, statistic)
    ones = sum(order[i] for i in side)
    return Fraction(abs(len(order) * ones - len(side) * sum(order)), 2)


def test_randomised_pvalues_fill_the_gap() -> None:
    found = law(CATEGORIES, LABELS)
    assert found.randomised(0.0).reached == found.above
    assert found.randomised(1.0).reached == pytest.approx(found.reached)
    assert found.mid == pytest.approx(found.randomised(0.5).reached)
    assert found.randomised(0.5).attained(0.123) == 0.123


@pytest.mark.parametrize("enough", [1, 2, 5, 100])
def test_draws_attain_what_is_listed(enough: int) -> None:
    most = 12
    rng = np.random.default_rng(0)
    lists = [[True] * k + [False] * (most - k) for k in range(most + 1)] + [
        (rng.random(most) < share).tolist() for share in np.linspace(0, 1, 400)
    ]
    attainable = {besag_clifford(draws, enough, most)[0] for draws in lists}
    attainable |= {enough / drawn for drawn in range(enough, most + 1)}
    for t in (0.0, 1 / 13, 0.1, 0.25, 0.4, 0.9, 1.0, *attainable):
        expected = max((p for p in attainable if p <= t * NEAR), default=0.0)
        assert isclose(attained_by_draws(t, most, enough), expected, rel_tol=1e-12)


def test_the_ends_of_a_drawn_law() -> None:
    scores = np.array([2.0, 3, 2, 1, 2, 1])
    every = drawn_law(scores, 5, 6)
    assert (every.reached, every.above) == (4 / 6, 1 / 6)
    early = drawn_law(scores, 5, 2)
    assert (early.reached, early.above) == (2 / 2, 1 / 2)
