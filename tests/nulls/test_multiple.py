"""P-values corrected for their number: by definition, and as closed tests."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest

from nulls.best_cut_lists import features, orders
from refusals import refused
from splitcrit.nulls import benjamini_hochberg, benjamini_yekutieli, holm
from splitcrit.nulls.best_split import sides
from splitcrit.nulls.feature_counts import feature_counts
from splitcrit.nulls.selected import attained

ALL = [holm, benjamini_hochberg, benjamini_yekutieli]


def closed(p: Sequence[Fraction]) -> list[Fraction]:
    """Closed testing: the largest of Bonferroni's p-values of all sets of hypotheses that hold each one."""
    found = [Fraction(0)] * len(p)
    for size in range(1, len(p) + 1):
        for several in combinations(range(len(p)), size):
            of_all = min(Fraction(1), size * min(p[j] for j in several))
            for j in several:
                found[j] = max(found[j], of_all)
    return found


@pytest.mark.parametrize("d", range(1, 10))
def test_holm_is_the_closed_test_of_bonferroni(d: int) -> None:
    """Of up to nine p-values, some of them equal, some adjusted to 1."""
    for seed in range(3):
        p = [Fraction(int(x), 24 * d) for x in np.random.default_rng(seed).integers(1, min(24 * d, 24 + 6 * d), d)]
        assert holm(p) == closed(p)  # type: ignore[arg-type]


@pytest.mark.parametrize("correction", ALL)
def test_no_adjusted_pvalue_is_below_its_own_or_depends_on_the_order(correction):
    rng = np.random.default_rng(1)
    for d in (1, 2, 9):
        p = np.round(rng.random(d), 1)
        q, order = np.array(correction(p.tolist())), rng.permutation(d)
        assert (q >= p).all()
        assert (q <= 1).all()
        assert np.array_equal(correction(p[order].tolist()), q[order])
        for other in (p, tuple(p), pd.Series(p, index=order), [Fraction(x) for x in p.tolist()]):
            assert correction(other) == pytest.approx(q.tolist(), rel=1e-14)  # type: ignore[arg-type]
    assert correction([]) == []


# The p-values that a feature can attain, against every order of its labels.

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


def test_levels_and_classes_are_checked() -> None:
    for t in (-0.1, 1.1, "half"):
        refused("t ", attained, [[1, 2], [2, 1]], t, error=(ValueError, TypeError))
    refused("attainable p-values are found for two classes; got 3", attained, [[1, 2, 3], [2, 1, 0]], 0.5)
    assert (attained([[1, 2]], 0.5), attained([[1, 2]], 1)) == (0.0, 1.0)


# The cuts of a feature: every division of its rows that leaves enough on both sides, once.


@pytest.mark.parametrize("least", [1, 3, 5])
@pytest.mark.parametrize("missing", ["row", "side"])
@pytest.mark.parametrize("sizes", [[2, 1, 3, 4], [1, 1], [5], [3, 4, 0], [0, 2, 2, 1]])
def test_every_division_is_a_cut_once(sizes: list[int], missing: str, least: int) -> None:
    """The last row is a value like the others, or has the observations without one, which go with either side."""
    found = feature_counts([[n, n] for n in sizes], None, missing)  # type: ignore[arg-type]
    rows = [i for i, n in enumerate(sizes) if n]
    gaps = missing == "side" and sizes[-1] > 0
    assert found.gaps == gaps and found.sizes.tolist() == [2 * sizes[i] for i in rows]
    ordered = rows[:-1] if gaps else rows
    divisions = {frozenset(ordered[:i]) for i in range(1, len(ordered) + gaps)}
    divisions |= {frozenset(rows[-1:] + ordered[:i]) for i in range(1, len(ordered))} if gaps else set()
    expected = [s for s in divisions if least <= 2 * sum(sizes[i] for i in s) <= 2 * sum(sizes) - least]
    _, after, more = sides(found.sizes, found.gaps, least)
    cuts = [frozenset([*rows[: i + 1], *rows[-1:] * left]) for i, left in zip(after, more, strict=True)]
    assert sorted(map(sorted, cuts)) == sorted(map(sorted, expected))
