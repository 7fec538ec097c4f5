"""The null law of the Gini gain against enumeration, and its float64 form against its exact form."""

import itertools
import math
import random
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from refusals import refused
from splitcrit import NullMoments, gini_null
from splitcrit.nulls.distribution import null_distribution
from splitcrit.nulls.gamma_tails import surprise
from splitcrit.nulls.margin_totals import constant
from splitcrit.nulls.permutation import exact_variance, others
from splitcrit.nulls.third_moment import exact_third, third_moment


def exact(rows, columns):
    found = gini_null(rows, columns, order=3, exact=True)
    return found.mean, found.variance, found.third


def split(source, n, most):
    """A random composition of n into at most ``most`` parts."""
    parts = source.randint(1, min(n, most))
    cuts = sorted(source.sample(range(1, n), parts - 1))
    return tuple(y - x for x, y in zip([0, *cuts], [*cuts, n], strict=True))


def even(n, k):
    return (n // k + 1,) * (n % k) + (n // k,) * (k - n % k)


def families(source, n, most):
    """Margins of every kind that is hard on float64: lone observations, even parts, thin parts, singletons."""
    kinds = [(n,), even(n, min(n, 2)), split(source, n, 2), split(source, n, most)]
    for k in {min(3, n - 1), min(most, n - 1)}:
        kinds += [even(n, k), (1, *even(n - 1, k)), (*(1,) * k, n - k)]
    return [*kinds, (1,) * n, *[(2,) * (n // 2)] * (n % 2 == 0)] if n <= most else kinds


@pytest.mark.parametrize("n", range(1, 6))
def test_the_oracles_agree_with_all_permutations(n):
    for rows, columns in product(oracles.partitions(n), repeat=2):
        law = oracles.permutation_law(rows, columns)
        assert law == oracles.table_law(rows, columns) == oracles.merged_law(rows, columns)


@pytest.mark.parametrize("n", [*range(1, 7), *(pytest.param(n, marks=pytest.mark.slow) for n in (7, 8))])
def test_moments_equal_enumeration_for_all_margins(n):
    for rows, columns in product(oracles.partitions(n), repeat=2):
        assert exact(rows, columns) == oracles.moments(oracles.table_law(rows, columns)), (rows, columns)


def test_moments_equal_enumeration_for_larger_margins():
    source = random.Random(20)
    for _ in range(40):
        n = source.randint(7, 20)
        rows, columns = split(source, n, n), split(source, n, 5)
        law = oracles.merged_law(tuple(filter(None, rows)), tuple(filter(None, columns)))
        assert exact(rows, columns) == oracles.moments(law), (rows, columns)


def test_worked_example_of_three_million():
    found = gini_null([10**6] * 3, [10**6, 2 * 10**6], exact=True)
    assert found == NullMoments(Fraction(8, 26999991), Fraction(74073962963, 843748875000468749937500))


def test_variance_is_zero_exactly_where_the_gain_is_constant():
    for n in range(1, 9):
        for rows, columns in product(oracles.partitions(n), repeat=2):
            still = bool(constant(np.array(rows), np.array(columns)))
            assert still == (exact_variance(list(rows), list(columns)).fraction() == 0), (rows, columns)
            assert (gini_null([rows], [columns]).variance[0] == 0) == still


@pytest.mark.each_value
@pytest.mark.parametrize("n", [3, 4, 5, 10, 61, 1000, 10**6 + 3, 10**9, 10**12, 10**12 + 39, 10**15 + 37])
@pytest.mark.parametrize("model", ["permutation", "multinomial"])
def test_a_batch_in_float64_is_within_1e12_of_the_fractions(n, model):
    source = random.Random(n)
    kinds = families(source, n, 40)
    if n in (1000, 10**6 + 3, 10**12):  # a thousand rows and classes
        kinds += [even(n, 1000), (1, *even(n - 1, 999)), (*(1,) * 999, n - 999), split(source, n, 1000)]
    for rows, columns in product(kinds, repeat=2):
        if model == "multinomial" and len(rows) + len(columns) > 110:
            continue
        truth, found = gini_null(rows, columns, model=model, exact=True), gini_null([rows], [columns], model=model)
        assert found.mean[0] == pytest.approx(float(truth.mean), rel=1e-12, abs=0), (rows, columns)
        assert found.variance[0] == pytest.approx(float(truth.variance), rel=1e-12, abs=0), (rows, columns)


@pytest.mark.parametrize("n", [10, 1000, 10**6, 10**12])
def test_skewness_is_rounded_once(n):
    source = random.Random(n)
    for rows, columns in product(families(source, n, 40), repeat=2):
        truth, found = gini_null(rows, columns, order=3, exact=True), gini_null(rows, columns, order=3)
        for name in ("mean", "variance", "third"):
            assert getattr(found, name) == float(getattr(truth, name))
        if truth.variance:
            square = truth.third**2 / truth.variance**3
            assert found.skewness**2 == pytest.approx(float(square), rel=1e-12, abs=0)
            assert (found.skewness > 0) == (truth.third > 0)
        else:
            assert found.skewness == 0.0


def test_multinomial_moments_equal_enumeration():
    pairs = [((2, 2), (2, 1, 1)), ((3, 1), (2, 2)), ((2, 2, 1), (3, 2)), ((4,), (2, 2)), ((1, 1, 1), (2, 1)),
             ((5, 2), (4, 2, 1)), ((3, 3), (6,)), ((2, 1), (1, 1, 1)), ((4, 3), (6, 1))]  # fmt: skip
    for rows, columns in pairs:
        mean, variance, _ = oracles.moments(oracles.multinomial_law(rows, columns))
        found = gini_null(rows, columns, model="multinomial", exact=True)
        assert (found.mean, found.variance) == (mean, variance), (rows, columns)


totals = st.lists(st.integers(0, 10**6), min_size=2, max_size=6).filter(any)


@given(totals, st.data())
def test_zero_totals_and_order_change_nothing(rows, data):
    columns = data.draw(st.permutations([sum(rows) // 2, sum(rows) - sum(rows) // 2, 0]))
    shuffled = data.draw(st.permutations(rows))
    kept = [a for a in rows if a]
    for model in ("permutation", "multinomial"):
        bare = gini_null(kept, [b for b in columns if b], model=model, exact=True)
        assert gini_null(shuffled, columns, model=model, exact=True) == bare
        found = gini_null([shuffled], [columns], model=model)
        assert found.variance[0] == pytest.approx(float(bare.variance), rel=1e-12, abs=0)


def test_batches_broadcast():
    rows, columns = np.array([[[3, 7]], [[5, 5]]]), np.array([[4, 6], [1, 9], [10, 0]])
    for options in ({}, {"order": 3}, {"exact": True}, {"model": "multinomial"}):
        found = gini_null(rows, columns, **options)
        assert found.mean.shape == found.variance.shape == (2, 3)
        for i, j in np.ndindex(2, 3):
            alone = gini_null(rows[i, 0], columns[j], **options)
            assert float(found.mean[i, j]) == pytest.approx(float(alone.mean), rel=1e-12)
            assert float(found.variance[i, j]) == pytest.approx(float(alone.variance), rel=1e-12)
            if options.get("order") == 3:
                assert found.third[i, j] == alone.third
                assert found.skewness[i, j] == alone.skewness
    assert gini_null(np.zeros((0, 2), int), np.zeros((0, 3), int)).mean.shape == (0,)


def test_a_batch_longer_than_a_block():
    rng = np.random.default_rng(3)
    tables = rng.integers(0, 5, (20_000, 3, 2))
    found = gini_null(tables.sum(2), tables.sum(1))
    for i in (0, 8191, 8192, 16384, 19_999):
        alone = gini_null(tables[i].sum(1), tables[i].sum(0))
        assert found.variance[i] == pytest.approx(alone.variance, rel=1e-12, abs=0)


@pytest.mark.parametrize("model", ["permutation", "multinomial"])
def test_totals_beyond_float64_are_computed_in_integers(model):
    rows, columns = [10**30, 10**30 + 1, 3], [2 * 10**30, 4]
    truth = gini_null(rows, columns, model=model, exact=True)
    assert truth.variance > 0
    for found in (gini_null(rows, columns, model=model), gini_null([rows], [columns], model=model)):
        assert float(np.squeeze(found.variance)) == float(truth.variance)
    with_floats = gini_null([2.0**90, 2.0**91], [3 * 2.0**89] * 2, model=model, exact=True)
    assert with_floats == gini_null([2**90, 2**91], [3 * 2**89] * 2, model=model, exact=True)


def test_no_observation_or_one():
    for rows, columns in (([0, 0], [0]), ([1], [0, 1])):
        for model in ("permutation", "multinomial"):
            assert gini_null(rows, columns, model=model) == NullMoments(0.0, 0.0)
            assert gini_null([rows], [columns], model=model) == NullMoments(np.zeros(1), np.zeros(1))
            bare = gini_null(rows, columns, model=model, exact=True)
            assert (bare.mean, type(bare.mean), type(bare.variance)) == (0, Fraction, Fraction)


@given(st.lists(st.fractions(0, 10), min_size=1, max_size=6))
def test_others_leaves_one_out(terms):
    found = others(np.array(terms, dtype=object))
    assert list(found) == [sum(terms) - term for term in terms]


def test_moments_compare_by_content():
    one, same, other = (gini_null([[3, 7]], [[4, b]]) for b in (6, 6, 6))
    assert one == same == other
    assert one != gini_null([[3, 7]], [[3, 7]])
    assert one != "moments"
    assert len({gini_null([3, 7], [4, 6]), gini_null([3, 7], [4, 6])}) == 1
    assert gini_null([3, 7], [4, 6]).skewness is None


# Integers and symbols of sympy.

EMPTY = [([2, 0, 2, 2], [3, 3]), ([1, 1], [1, 1]), ([0, 3, 1], [0, 2, 2]), ([2, 1], [3]), ([0, 0, 5, 2], [4, 0, 3])]


@pytest.mark.parametrize(("rows", "columns"), EMPTY)
def test_integers_of_sympy_have_the_law_of_integers(rows, columns):
    sympy = pytest.importorskip("sympy")
    law = gini_null(list(map(sympy.Integer, rows)), list(map(sympy.Integer, columns)), order=3)
    moments = oracles.moments(oracles.merged_law(tuple(filter(None, rows)), tuple(filter(None, columns))))
    assert [law.mean, law.variance, law.third] == [sympy.Rational(x.numerator, x.denominator) for x in moments]


@pytest.mark.parametrize("model", ["permutation", "multinomial"])
def test_a_law_of_symbols_is_that_of_their_numbers_without_rows_that_are_empty(model):
    sympy = pytest.importorskip("sympy")
    a, b, n = sympy.symbols("a b n")
    full, empty = (gini_null(rows, [b, n - b], model=model) for rows in ([a, n - a], [a, sympy.Integer(0), n - a]))
    exact, at = gini_null([3, 6], [4, 5], model=model, exact=True), {a: 3, b: 4, n: 9}
    for x, y, z in ((full.mean, empty.mean, exact.mean), (full.variance, empty.variance, exact.variance)):
        assert sympy.cancel(x - y) == 0 == x.subs(at) - sympy.Rational(z.numerator, z.denominator)


@pytest.mark.parametrize("model", ["permutation", "multinomial"])
@pytest.mark.parametrize(("r", "k", "most"), [(2, 2, 20), (3, 4, 300), (5, 2, 2**20), (9, 6, 2**21)])
def test_no_batch_is_further_off_than_its_relative_error(model, r, k, most) -> None:
    """Thousands of random margins in all; many of them have equal or nearly equal totals, or classes of one."""
    rng = np.random.default_rng([r, k])
    rows = np.maximum(rng.integers(1, most, (400, r)) // rng.choice([1, 1, most // 3], (400, r)), 1)
    rows[::3] = rows[::3, :1] + rng.integers(0, 2, (len(rows[::3]), r))
    shares = rng.dirichlet(np.ones(k), len(rows)) ** rng.choice([1, 4], (len(rows), 1))
    columns = (rows.sum(axis=1)[:, None] * shares / shares.sum(axis=1)[:, None]).astype(int)
    columns[:, 0] += rows.sum(axis=1) - columns.sum(axis=1)
    found = gini_null(rows, columns, model=model)
    truth = gini_null(rows, columns, model=model, exact=True)
    assert found.relative_error is not None and found.relative_error < (r + k + 17) * 2.0**-53
    assert truth.relative_error == 0
    for near, right in ((found.mean, truth.mean), (found.variance, truth.variance)):
        apart = [abs(Fraction(x) - y) / y if y else Fraction(x) for x, y in zip(near.tolist(), right, strict=True)]
        assert max(apart) <= found.relative_error


def test_a_relative_error_is_that_of_one_rounding_or_none() -> None:
    assert gini_null([3, 7], [4, 6]).relative_error == 2.0**-53
    assert gini_null([3, 7], [4, 6], model="multinomial").relative_error < 21 * 2.0**-53
    assert gini_null([[2**25, 7]], [[2**25 + 1, 6]]).relative_error is None  # squares of counts are no float64 there
    assert gini_null([[2**60, 7]], [[2**60 + 1, 6]]).relative_error == 2.0**-53  # one by one, in integers


# The third moment of a batch, without cancelling, against exact fractions; and the surprise of a gamma law.


@pytest.mark.parametrize("n", [3, 4, 5, 6, 7, 12, 60, 1000, 10**6, 2**30])
def test_the_third_moment_in_floats_is_the_exact_one(n: int) -> None:
    source = np.random.default_rng(n)
    for r, k in itertools.product((1, 2, 3, 4), repeat=2):
        rows, columns = (source.multinomial(n, source.dirichlet(np.ones(size)), 4) for size in (r, k))
        columns[0] = np.pad([n - 3, 2, 1], (0, k))[:k] if k > 2 else columns[0]
        found = third_moment(rows.T.astype(float), columns.T.astype(float))
        for a, b, third in zip(rows.tolist(), columns.tolist(), found.tolist(), strict=True):
            sides = [[x for x in side if x] for side in (a, b)]
            variance = float(exact_variance(*sides).fraction())
            apart = abs(Fraction(third) - exact_third(*sides).fraction())
            assert float(apart) <= 1e-11 * variance**1.5 or variance == 0, (a, b)


def test_the_surprise_of_a_gamma_law_is_right_to_many_digits_everywhere() -> None:
    for shape, reach in itertools.product((0.3, 1.0, 2.5, 40.0), (1e-3, 0.1, 1.0, 30.0, 700.0, 5000.0)):
        with mpmath.workdps(60):
            if reach < 100:
                truth = -mpmath.log1p(-mpmath.gammainc(shape, 0, reach, regularized=True))
            else:
                truth = -mpmath.log(mpmath.gammainc(shape, reach, mpmath.inf, regularized=True))
        found = surprise(np.array([shape]), np.array([reach]))[0]
        assert found == pytest.approx(float(truth), rel=1e-11, abs=0), (shape, reach)


def test_laws_are_equal_where_their_parts_are() -> None:
    law = null_distribution([[3, 0], [1, 4]])
    assert law == null_distribution([[3, 0], [1, 4]])
    assert law != null_distribution([[3, 0], [2, 4]])
    assert law != 3 and (law == None) is False  # noqa: E711


# What the null law refuses names its place in the margins; what any parameter refuses is asked by `contract`.

margins = st.lists(st.integers(0, 10**6), min_size=1, max_size=5)
bad_entries = st.one_of(
    st.integers(-(10**20), -1).map(lambda x: (x, "non-negative")),
    st.floats(0.01, 0.99).map(lambda x: (x, "integers")),
    st.sampled_from([(math.nan, "finite"), (math.inf, "finite"), (-math.inf, "finite")]),
)


def sentence(*refusal, **options):
    """The text of an error of margins, which has three parts and one line."""
    text = str(refused("; ", gini_null, *refusal, **options))
    assert len(text.split("; ")) == 3, text
    return text


@given(margins, bad_entries, st.booleans(), st.data())
def test_margins_hold_counts(good, entry, in_rows, data):
    value, rule = entry
    bad = [*good, value]
    said = sentence(*((bad, [sum(good)]) if in_rows else ([sum(good)], bad)))
    assert rule in said and ("row" if in_rows else "column") in said and f"position {len(good)}" in said


@given(margins, margins)
def test_margins_have_one_sum(rows, columns):
    if sum(rows) == sum(columns):
        columns = [*columns, 1]
    said = sentence(rows, columns)
    assert "the same sum" in said and f"{sum(rows)} and {sum(columns)}" in said


@pytest.mark.parametrize(
    ("rows", "columns", "options", "rule"),
    [
        ([[1, 2], [3]], [3], {}, "rectangle"),
        ([], [], {}, "at least one entry"),
        (3, [3], {}, "at least one entry"),
        ([[1, 2], [2, 1]], [[1, 2]] * 3, {}, "broadcast"),
        ([[1, 2], [2, 2]], [2, 1], {}, "4 and 3 at table (1,)"),
        ([[1, 2], [2, -2]], [2, 1], {}, "-2 at position 1 of table 1"),
        ([2, 2], [2, 2], {"order": 3, "model": "multinomial"}, "a mean and a variance only"),
    ],
)
def test_margins_have_shapes_that_fit_and_models_and_orders_are_those_known(rows, columns, options, rule):
    assert rule in sentence(rows, columns, **options)
