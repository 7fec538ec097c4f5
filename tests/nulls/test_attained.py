"""The p-values that a feature can attain, against every order of its labels."""

from math import comb

import numpy as np
import pytest

from nulls.best_cut_lists import features, orders
from splitcrit.nulls import selected_pvalue
from splitcrit.nulls.selected import attained

STATISTICS = ("sgini", "gini", "pairwise_gain")


@pytest.mark.parametrize("statistic", STATISTICS)
def test_the_largest_attainable_pvalue_up_to_a_level(statistic: str) -> None:
    rng = np.random.default_rng(2)
    for feature in features(5, 30):
        law, ways = orders(feature, statistic), comb(feature.n, feature.ones)
        tails = [sum(len(found) for score, found in law.items() if score >= best) / ways for best in law] or [1.0]
        counts = feature.counts(next(iter(law.values()))[0] if law else tuple(range(feature.ones)))
        for t in (0.0, 1.0, *tails, *(0.999 * p for p in tails), *rng.random(5)):
            largest = max((p for p in tails if p <= t * (1 + 1e-12)), default=0.0)
            found = attained(counts, t, statistic=statistic, min_leaf=feature.min_leaf, missing="side")
            assert found == pytest.approx(largest, rel=1e-12)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_the_pvalue_of_a_feature_is_attained_by_it(statistic: str) -> None:
    rng = np.random.default_rng(1)
    for ones in (40, 60):
        for values in (120, 12, 2):
            y = rng.permutation(np.repeat([0, 1], [120 - ones, ones]))
            found = selected_pvalue(np.arange(120) * values // 120, y, statistic=statistic)
            counts = np.stack([np.bincount(np.arange(120) * values // 120, y == k) for k in (0, 1)], axis=1).astype(int)
            assert attained(counts, found.value, statistic=statistic) == pytest.approx(found.value, rel=1e-12)
            below = attained(counts, 0.99 * found.value, statistic=statistic)
            assert below < found.value and attained(counts, below, statistic=statistic) == below


def test_a_feature_of_two_values_attains_the_tails_of_one_table() -> None:
    n, b, m = 100, 40, 70
    ways = {x: comb(m, x) * comb(n - m, b - x) for x in range(10, 41)}
    distances = {x: abs(n * x - m * b) for x in ways}
    tails = [sum(w for x, w in ways.items() if distances[x] >= d) / comb(n, b) for d in distances.values()]
    for t in np.logspace(-12, 0, 50):
        largest = max((p for p in tails if p <= t), default=0.0)
        assert attained([[40, 30], [20, 10]], t) == pytest.approx(largest, rel=1e-12)


def test_levels_and_classes_are_checked() -> None:
    for t in (-0.1, 1.1, "half"):
        with pytest.raises((ValueError, TypeError), match="t "):
            attained([[1, 2], [2, 1]], t)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="attainable p-values are found for two classes; got 3"):
        attained([[1, 2, 3], [2, 1, 0]], 0.5)
    assert (attained([[1, 2]], 0.5), attained([[1, 2]], 1)) == (0.0, 1.0)
