"""P-values corrected for their number: by definition, and as closed tests."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from splitcrit.nulls import benjamini_hochberg, benjamini_yekutieli, bonferroni, holm

ALL = [holm, benjamini_hochberg, benjamini_yekutieli]
NONE = [math.nan, -0.1, -1e-300, 1.2, math.nextafter(1, 2), math.inf, None, "0.5", True, Fraction(-1, 9), 1j]


def test_holm_by_its_definition() -> None:
    rng = np.random.default_rng(0)
    for d in (1, 2, 5):
        p = rng.random(d).tolist()
        for alpha in (0.05, 0.3, 0.7):
            ranked, rejected = sorted(range(d), key=lambda j: p[j]), set()
            for step, j in enumerate(ranked):
                if p[j] > alpha / (d - step):
                    break
                rejected.add(j)
            assert {j for j, q in enumerate(holm(p)) if q <= alpha} == rejected
    assert holm([]) == []


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


@pytest.mark.parametrize("wrong", NONE, ids=repr)
def test_what_is_no_pvalue_is_refused_wherever_it_stands(wrong: object) -> None:
    said = r"^p-values are numbers in \[0, 1\]; got .*; pass p-values"
    for correction in ALL:
        for values in ([0.01, wrong, 0.9], [wrong], (0.9, 0.01, wrong), np.array([wrong, 0.5], dtype=object)):
            with pytest.raises((ValueError, TypeError), match=said):
                correction(values)  # type: ignore[arg-type]
    with pytest.raises((ValueError, TypeError), match=said):
        bonferroni(wrong, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("features", [0, -1, 2.5, math.nan, None, "3"], ids=repr)
def test_bonferroni_counts_features(features: object) -> None:
    with pytest.raises(ValueError, match=r"^the number of features is an integer from 1; got .*; pass 1"):
        bonferroni(0.1, features)  # type: ignore[arg-type]


@pytest.mark.parametrize("correction", ALL)
def test_no_adjusted_pvalue_is_below_its_own_or_depends_on_the_order(
    correction: Callable[[Sequence[float]], list[float]],
) -> None:
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
