"""Arrays of other libraries: same answers, same library, one truth value at validation, errors in a sentence.

The laws of criteria and impurities run over the libraries in tests/laws; here are moments, p-values, channels, tables
and the errors of float32 and float64 against Fractions.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import splitcrit
from libraries import Library, named
from refusals import refused
from splitcrit import agini, decrease, gini, gini_gain, gini_null, gini_pvalue, noise, sgini, twoing
from splitcrit.arith import ARRAY, FLOAT, arithmetic_of, namespace
from splitcrit.criteria import twoing_superclasses
from splitcrit.table import Table

EAGER = ("array_api_strict", "torch", "jax", "cupy")


def tables(r: int, k: int, high: int, size: int = 40) -> np.ndarray:
    """Random counts, among them tables that are empty, one-sided or without a class."""
    found = np.random.default_rng(r * k * high).integers(0, high, (size, r, k))
    found[0], found[1, 0], found[2, :, 0] = 0, 0, 0
    return found


SHAPES = [(2, 2, 9), (3, 4, 7), (5, 3, 2000), (2, 3, 10**7)]


@pytest.mark.parametrize(("r", "k", "high"), SHAPES)
def test_gains_and_scores_are_those_of_numpy(r: int, k: int, high: int, library: Library) -> None:
    counts = tables(r, k, high)
    for statistic in (gini_gain, sgini, agini, splitcrit.replace(agini, alpha=0.05, model="permutation")):
        found, known = library.run(statistic, counts), statistic(counts)
        np.testing.assert_allclose(found, known, rtol=1e-11, atol=1e-13 * np.abs(known).max(), err_msg=repr(statistic))


@pytest.mark.each_value
@pytest.mark.parametrize(("r", "k", "high"), SHAPES)
@pytest.mark.parametrize(("model", "order"), [("permutation", 2), ("permutation", 3), ("multinomial", 2)])
def test_null_moments_are_those_of_numpy(r: int, k: int, high: int, model: Any, order: int, library: Library) -> None:
    counts = tables(r, k, high)
    known = gini_null(counts.sum(axis=2), counts.sum(axis=1), model=model, order=order)
    rows, columns = library.array(counts.sum(axis=2)), library.array(counts.sum(axis=1))
    law = gini_null(rows, columns, model=model, order=order)
    assert type(law.mean) is type(rows) and type(law.variance) is type(rows)
    np.testing.assert_allclose(library.host(law.mean), known.mean, rtol=1e-13)
    np.testing.assert_allclose(library.host(law.variance), known.variance, rtol=1e-12)
    if order == 3:
        np.testing.assert_allclose(library.host(law.skewness), known.skewness, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("method", ["pearson3", "gamma"])
@pytest.mark.parametrize(("r", "k", "high"), SHAPES)
def test_pvalues_are_those_of_numpy_or_refused(method: Any, r: int, k: int, high: int, library: Library) -> None:
    counts = tables(r, k, high)
    if library.name == "array_api_strict":
        said = "needs the incomplete gamma function; got an array of array_api_strict; pass"
        refused(said, library.run, lambda x: gini_pvalue(x, method=method).value, counts, error=TypeError)
        return
    found = library.run(lambda x: gini_pvalue(x, method=method).value, counts)
    np.testing.assert_allclose(found, gini_pvalue(counts, method=method).value, rtol=2e-9, atol=1e-300)


def test_channels_act_on_arrays(library: Library) -> None:
    p = np.random.default_rng(0).dirichlet(np.ones(2), 20).T
    one_sided = noise.class_conditional(tau_pos=0, tau_neg=0.3)
    for channel in (noise.symmetric(Fraction(1, 3)), noise.pair_flip(0.2), one_sided):
        np.testing.assert_allclose(library.run(channel.on_distribution, p), channel.on_distribution(p), rtol=1e-14)
        np.testing.assert_allclose(library.run(channel.expected, tables(3, 2, 9)), channel.expected(tables(3, 2, 9)))


def test_a_table_keeps_the_array(library: Library) -> None:
    counts = tables(3, 4, 7)
    table = Table.of(library.array(counts), class_names="abcd")
    assert type(table.counts) is type(library.array(counts)) and table.shape == (40, 3, 4)
    for found, known in (
        (table.row_totals, counts.sum(axis=2)), (table.column_totals, counts.sum(axis=1)),
        (table.total, counts.sum(axis=(1, 2))), (table.T.counts, np.swapaxes(counts, 1, 2)),
        (table.integers(), counts), (table.cells, np.moveaxis(counts, 0, -1)),
    ):  # fmt: skip
        np.testing.assert_array_equal(library.host(found), known)
    assert "<Table of shape (40, 3, 4)" in repr(table)
    np.testing.assert_allclose(library.run(decrease(gini), counts), library.host(decrease(gini)(table)))


@pytest.mark.parametrize("name", EAGER)
def test_nothing_is_copied_to_the_host_in_silence(name: str) -> None:
    counts = named(name).array(tables(2, 2, 9))
    table = Table.of(counts)
    for act in (
        lambda: np.asarray(table), lambda: hash(table), lambda: table.merged(table), lambda: table.dropped(),
        lambda: twoing.exact(counts), lambda: splitcrit.significance(counts), lambda: gini_pvalue(counts),
        lambda: Table.of(counts[0, :, 0], counts[0, :, 0]), lambda: twoing_superclasses(counts[0, ...]),
    ):  # fmt: skip
        refused(f"; got an array of {name}; (copy|pass)", act, error=TypeError)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([[[1, 2], [3, 4]], [[1, -2], [3, 4]]], "non-negative; got -2 at row 0, column 1 of table 1; pass counts"),
        ([[1.0, np.nan], [3, 4]], "finite; got nan at row 0, column 1; drop"),
        ([[1.0, np.inf], [3, 4]], "finite; got inf at row 0, column 1; drop"),
        ([[2**62, 1], [2**62, 1]], r"must not overflow; got 4611686018427387904 at row 0, column 0; scale"),
        ([1, 2], "a table needs rows and columns; got 1 dimension; pass"),
        (np.zeros((3, 2, 0)), r"one row and one column; got shape \(3, 2, 0\); pass"),
        ([[True, False], [True, True]], "integers or floats; got an array of .*bool; cast"),
    ],
)
@pytest.mark.parametrize("name", EAGER)
def test_validation_refuses_in_one_sentence(name: str, counts: Any, message: str) -> None:
    refused(message, Table.of, named(name).array(np.asarray(counts)), error=(ValueError, TypeError))


@pytest.mark.parametrize("name", EAGER)
def test_null_laws_refuse_what_is_not_counted(name: str) -> None:
    library = named(name)
    with pytest.raises(ValueError, match=r"must be integers for an exact null law; got 1\.5 at row 0, column 0; pass"):
        sgini(library.array(np.array([[1.5, 2], [3, 4]])))
    with pytest.raises(ValueError, match=r"totals of at most 2\*\*53; got a larger table; pass"):
        gini_gain(library.array(np.array([[2**53, 2], [3, 4]])))
    for rows, columns in (([1, 2], [2, 2]), ([1.5, 1.5], [1, 2]), ([-1, 4], [1, 2])):
        with pytest.raises(ValueError, match="non-negative integers with the same sum; got others; take both"):
            gini_null(library.array(np.array(rows)), library.array(np.array(columns)))
    with pytest.raises(TypeError, match=r"arrays of one library; got list and .*; take both"):
        gini_null([1, 2], library.array(np.array([1, 2])))
    with pytest.raises(TypeError, match="exact moments are Fractions"):
        gini_null(library.array(np.array([1, 2])), library.array(np.array([1, 2])), exact=True)


# Errors: the largest seen on random tables, rounded up; `gain` is in proportions, `score` in units of 1 + |score|,
# `moments` relative. Null tables, whose gain is of the order of chance, are the hard ones; at 2**24 counts a float32
# just holds the total.
ERRORS = {
    "float32": {"gain": 4e-7, "moments": 1e-6, "score": 2e-3},
    "float64": {"gain": 1e-15, "moments": 1e-14, "score": 1e-11},
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [100, 10**4, 2**24])
@pytest.mark.parametrize("name", EAGER)
def test_errors_of_both_precisions_against_fractions(name: str, n: int, dtype: str) -> None:
    library, source = named(name), np.random.default_rng(n)
    shares = source.dirichlet(np.ones(2), 20)[:, :, None] * source.dirichlet(np.ones(3), 20)[:, None, :]
    counts = np.stack([source.multinomial(n, p.ravel()).reshape(2, 3) for p in shares])
    exact = [decrease(gini).exact(table) for table in counts]
    null = [gini_null(table.sum(axis=1), table.sum(axis=0), exact=True) for table in counts]
    array = library.array(counts.astype(dtype))
    allowed = ERRORS[dtype]

    def worst(found: Any, known: list[Fraction], relative: bool) -> float:
        assert library.host(found).dtype == dtype
        pairs = zip(map(float, library.host(found)), known, strict=True)
        return max(float(abs(Fraction(x) - y) / (y if relative and y else 1)) for x, y in pairs)

    assert worst(decrease(gini)(array), exact, False) <= allowed["gain"]
    assert worst(twoing(array), [twoing.exact(table) for table in counts], False) <= allowed["gain"]
    assert worst(gini_gain(array), exact, False) <= allowed["gain"]
    law = gini_null(library.array(counts.sum(axis=2).astype(dtype)), library.array(counts.sum(axis=1).astype(dtype)))
    assert worst(law.mean, [x.mean for x in null], True) <= allowed["moments"]
    assert worst(law.variance, [x.variance for x in null], True) <= allowed["moments"]
    scores = np.array([sgini(table) for table in counts])
    assert np.max(np.abs(library.host(sgini(array)) - scores) / (1 + np.abs(scores))) <= allowed["score"]


@pytest.mark.parametrize("name", EAGER)
def test_float32_counts_beyond_2_to_the_24_are_refused_and_those_up_to_it_finite(name: str) -> None:
    library = named(name)
    full = np.full((2, 2), 2**24, np.float32)
    for r, k in ((2, 2), (2, 64)):
        counts = np.full((r, k), 2**24, np.float32)
        counts[0, 0] = 0
        for criterion in (twoing, decrease(gini), decrease(splitcrit.entropy), splitcrit.sum_minority):
            known = criterion(counts)
            assert math.isclose(library.run(criterion, counts), known, rel_tol=1e-5, abs_tol=1e-5)
    full[1, 1] += 2
    said = r"float32 must be at most 16777216 in a table of this shape; got 16777218\.0 at"
    refused(said, twoing, library.array(full))
    said = r"in float32 need totals of at most 2\*\*24; got a larger table; pass float64"
    refused(said, sgini, library.array(np.full((2, 2), 2**23, np.float32)))


def test_dask_arrays_are_promises() -> None:
    array = pytest.importorskip("dask.array")
    computed: list[int] = []

    def watched(block: np.ndarray) -> np.ndarray:
        computed.append(len(block))
        return block

    counts = tables(2, 2, 9)
    parts = array.from_array(counts, chunks=(10, 1, 2))
    source = parts.map_blocks(watched, dtype=counts.dtype, meta=np.empty((0, 0, 0), int))
    promises = [twoing(source), sgini(source), gini_pvalue(source, method="pearson3").value, Table.of(source).counts]
    law = gini_null(source.sum(axis=2), source.sum(axis=1), order=3)
    assert computed == []
    np.testing.assert_array_equal(promises[0].compute(scheduler="sync"), twoing(counts))
    assert sum(computed) == 80  # each block of the source once; its rows lie in two blocks
    known = gini_null(counts.sum(2), counts.sum(1), order=3)
    for moment in ("mean", "variance", "third"):
        np.testing.assert_array_equal(getattr(law, moment).compute(scheduler="sync"), getattr(known, moment))
    refused("non-negative; got -9", twoing(array.from_array(counts - 9)).compute, scheduler="sync")


def test_arithmetic_of_an_array() -> None:
    library = named("array_api_strict")
    m = arithmetic_of(library.array(np.ones(2, np.float32)))
    assert isinstance(m, ARRAY) and m.name == "ARRAY(array_api_strict)" and str(m.dtype).endswith("float32")
    assert arithmetic_of(np.ones(2)) is FLOAT and arithmetic_of([1, 2]) is FLOAT and namespace(1.5) is np
    x = library.array(np.array([-np.inf, -1.0, 0.0, 1.0, 800.0]))
    m = arithmetic_of(x)
    host, ours = np.array([-np.inf, -1.0, 0.0, 1.0, 800.0]), np.asarray
    np.testing.assert_allclose(ours(m.exp(x)), FLOAT.exp(host))
    np.testing.assert_allclose(ours(m.sqrt(x)), FLOAT.sqrt(host))
    np.testing.assert_allclose(ours(m.log(m.abs(x))), FLOAT.log(np.abs(host)))
    np.testing.assert_allclose(ours(m.max((0, x, 2))), FLOAT.max((0, host, 2)))
    np.testing.assert_allclose(ours(m.min((x, 0.5))), FLOAT.min((host, 0.5)))
    for name, *given in (("log", 2), ("exp", 1), ("sqrt", 4), ("power", 2, 3), ("xlogx", 3)):
        assert getattr(m, name)(*given) == getattr(FLOAT, name)(*given)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_exponentials_that_overflow_are_infinite_without_a_warning(dtype: str) -> None:
    strict = named("array_api_strict")
    largest = math.log(np.finfo(dtype).max)
    beyond = np.nextafter(np.dtype(dtype).type(largest), np.inf)
    x = strict.array(np.array([0.0, largest * (1 - 1e-5), beyond, 2000], dtype))
    found = strict.host(arithmetic_of(x).exp(x))
    assert found[0] == 1 and np.isfinite(found[1]) and found[1] > np.finfo(dtype).max / 2e3
    assert np.isinf(found[2:]).all()
