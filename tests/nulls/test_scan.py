"""The scan over thresholds against SGini of each table, scored in integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from splitcrit import sgini, sgini_scan
from splitcrit.nulls.scan import SAFE_CUBE, _excess, _running


def left_and_right(codes, place, k):
    left = np.bincount(codes[: place + 1], minlength=k)
    return [left.tolist(), (np.bincount(codes, minlength=k) - left).tolist()]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=60))
def test_every_threshold_is_the_score_of_its_table(codes):
    found = sgini_scan(codes)
    assert found.shape == (len(codes) - 1,)
    for place, score in enumerate(found):
        truth = sgini(left_and_right(codes, place, 4))
        assert score == pytest.approx(truth, rel=1e-12, abs=1e-13)
        assert (score == 0) == (truth == 0)


def node(kind, n, rng):
    if kind == "one":
        codes = np.zeros(n, int)
        codes[n // 3] = 1
    elif kind == "thin":
        codes = np.zeros(n, int)
        codes[rng.choice(n, 3, replace=False)] = [1, 1, 2]
    elif kind == "even":
        codes = rng.permutation(np.arange(n) % 2)
    elif kind == "split":
        codes = (np.arange(n) > n // 3).astype(int)
    else:
        codes = rng.integers(0, 10, n)
    return codes


@pytest.mark.each_value
@pytest.mark.parametrize("kind", ["one", "thin", "even", "split", "random"])
@pytest.mark.parametrize("n", [1000, 10**5, 10**6, 2_097_151])
def test_large_nodes(kind, n):
    rng = np.random.default_rng(n)
    codes = node(kind, n, rng)
    found = sgini_scan(codes)
    assert np.isfinite(found).all()
    for place in {0, 1, n // 3 - 1, n // 3, n // 2 - 1, n // 2, n - 3, n - 2, *rng.integers(0, n - 1, 10).tolist()}:
        truth = sgini(left_and_right(codes, place, 10))
        assert found[place] == pytest.approx(truth, rel=1e-12, abs=1e-12)


@pytest.mark.slow
def test_a_node_beyond_int64():
    n = 2_200_000
    codes = node("thin", n, np.random.default_rng(0))
    found = sgini_scan(codes)
    for place in (0, 5, n // 2, n - 2):
        assert found[place] == pytest.approx(sgini(left_and_right(codes, place, 3)), rel=1e-12)


def test_python_integers_and_limbs_agree(monkeypatch):
    codes = np.random.default_rng(1).integers(0, 300, 5000)
    limbs = sgini_scan(codes)
    monkeypatch.setattr("splitcrit.nulls.scan.SAFE_CUBE", 0)
    assert sgini_scan(codes).tolist() == limbs.tolist()


@pytest.mark.parametrize("kind", ["one", "thin", "even", "split", "random"])
def test_numerators_are_rounded_once(kind):
    rng = np.random.default_rng(2)
    codes = node(kind, SAFE_CUBE, rng)
    columns, places = np.bincount(codes), rng.integers(0, SAFE_CUBE - 1, 2000)
    sums = [side[places] for side in _running(codes, columns, np.int64)]
    limbs = _excess(places + 1, *sums, columns, SAFE_CUBE)
    python = _excess(*((side.astype(object)) for side in (places + 1, *sums)), columns, SAFE_CUBE)
    assert [side.tolist() for side in limbs] == [side.tolist() for side in python]


def test_thresholds_between_equal_values_are_left_out():
    codes, values = [0, 1, 1, 0, 2], [1.0, 1.0, 2.0, 2.0, 3.0]
    found, every = sgini_scan(codes, 3, values=values), sgini_scan(codes)
    assert np.isneginf(found).tolist() == [True, False, True, False]
    assert found[[1, 3]].tolist() == every[[1, 3]].tolist()
    assert sgini_scan([0], values=[2]).shape == (0,)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (dict(codes=[0, -1]), "class codes must be non-negative"),
        (dict(codes=[0, 0.5]), "class codes must be integers"),
        (dict(codes=[]), "class codes need at least one entry"),
        (dict(codes=[[0, 1]]), "class codes must be a vector"),
        (dict(codes=[0, 2], n_classes=2), "class codes must be below n_classes"),
        (dict(codes=[0, 1], values=[1.0]), "values and class codes must have one length"),
        (dict(codes=[0, 1], values=[2.0, 1.0]), "values must be sorted and present"),
        (dict(codes=[0, 1], values=[float("nan"), 1.0]), "values must be sorted and present"),
    ],
)
def test_bad_input_is_named(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        sgini_scan(**arguments)
