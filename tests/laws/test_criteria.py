"""Laws of criteria: exact and float agree, empty rows change nothing, refinement never lowers a decrease."""

import copy
import itertools
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import splitcrit
from libraries import Library
from objects import CLASS_IMPURITIES, CRITERIA, MARGIN_LOSSES
from refusals import refused
from splitcrit import criteria, impurities, losses
from splitcrit.arith import Irrational
from splitcrit.criteria import Criterion, decrease

TABLES = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 30), min_size=k, max_size=k), min_size=2, max_size=2)
)


def allowed(criterion: Criterion, table: list[list[int]]) -> bool:
    return (criterion.classes or len(table[0])) == len(table[0]) and (criterion.rows or len(table)) == len(table)


def test_float_equals_exact(library: Library) -> None:
    @library.examples
    @given(TABLES)
    def law(table: list[list[int]]) -> None:
        for criterion in CRITERIA:
            if not allowed(criterion, table):
                continue
            value = library.run(criterion, table)
            assert math.isfinite(value), criterion
            try:
                assert math.isclose(value, criterion.exact(table), rel_tol=1e-9, abs_tol=1e-12), criterion
            except Irrational:
                continue

    law()


def test_refinement_never_lowers_a_decrease_and_empty_rows_change_nothing(library: Library) -> None:
    @library.examples
    @given(st.lists(st.lists(st.integers(0, 20), min_size=3, max_size=3), min_size=1, max_size=4))
    def law(table: list[list[int]]) -> None:
        merged = [[sum(column) for column in zip(*table[:2], strict=True)], *table[2:]]
        for impurity in CLASS_IMPURITIES:
            gain = decrease(impurity)
            whole, coarse = library.run(gain, table), library.run(gain, merged)
            assert whole >= coarse - 1e-12, impurity
            assert library.run(gain, [*table, [0, 0, 0]]) == whole, impurity
            assert coarse >= -1e-12

    law()


@pytest.mark.each_value
@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
def test_batch_equals_one_by_one(criterion: Criterion, library: Library) -> None:
    """Bit for bit in numpy; elsewhere a batch may run through wider registers, or other kernels."""
    tables = np.random.default_rng(0).integers(0, 9, (5, 7, 2, 2))
    tables[0, 0] = 0
    tables[0, 1, 0] = 0
    batch = library.run(criterion, tables)
    assert batch.shape == (5, 7)
    places = list(np.ndindex(5, 7)) if library.tries is None else [(0, 0), (0, 1), (4, 6)]
    single = np.array([library.run(criterion, tables[place]) for place in places])
    expected = np.array([batch[place] for place in places])
    np.testing.assert_allclose(single, expected, rtol=0 if library.name in ("numpy", "dask") else 1e-13, atol=1e-16)
    np.testing.assert_allclose(batch, criterion(tables), rtol=1e-12, atol=1e-15)


def test_scores_of_huge_counts_do_not_overflow(library: Library) -> None:
    big = 10**15
    table = [[3 * big, big], [big, 3 * big]]
    assert math.isclose(library.run(criteria.pairwise_gain, table), 4 * 10**30, rel_tol=1e-15)
    assert criteria.twoing.exact(table) == Fraction(1, 16)
    assert math.isclose(library.run(decrease(impurities.gini), table), 1 / 8)


@given(TABLES.filter(lambda t: len(t[0]) == 2))
def test_two_class_identities(table: list[list[int]]) -> None:
    (a, b), (c, d) = table
    n, left, right = a + b + c + d, a + b, c + d
    determinant = a * d - b * c
    assert criteria.pairwise_gain.exact(table) == Fraction(abs(determinant), 2)
    assert criteria.one_vs_rest_pairwise_gain.exact(table) == Fraction(abs(determinant), 2)
    if left and right:
        expected = Fraction(2 * determinant**2, n**2 * left * right)
        assert decrease(impurities.gini).exact(table) == expected
        assert criteria.twoing.exact(table) == expected / 2
    if n:
        minority = min(a, b) + min(c, d)
        assert criteria.sum_minority.exact(table) == Fraction(-minority, n)


@given(TABLES)
def test_twoing_superclasses_are_the_best_two_groups(table: list[list[int]]) -> None:
    if not sum(table[0]) or not sum(table[1]):
        return
    gini = decrease(impurities.gini)

    def grouped(group: tuple[int, ...]) -> Fraction:
        inside = [[sum(row[k] for k in group), sum(row) - sum(row[k] for k in group)] for row in table]
        return gini.exact(inside)

    classes = range(len(table[0]))
    best = max(grouped(g) for size in range(len(classes) + 1) for g in itertools.combinations(classes, size))
    first, second = criteria.twoing_superclasses(table)
    assert sorted(first + second) == list(classes)
    assert grouped(first) == best == 2 * criteria.twoing.exact(table)


def water_level(counts: list[int], s: Fraction) -> list[Fraction]:
    """Counts after pouring s onto the smallest, by bisection on sorted counts: an independent oracle."""
    ordered = sorted(counts)
    for size in range(1, len(ordered) + 1):
        level = (sum(ordered[:size]) + s) / Fraction(size)
        if size == len(ordered) or level <= ordered[size]:
            return [max(Fraction(x), level) for x in counts]
    raise AssertionError


def test_imprecise_gain_pours_samples_on_the_smallest_counts(library: Library) -> None:
    @library.examples
    @given(TABLES, st.fractions(Fraction(1, 4), 6))
    def law(table: list[list[int]], s: Fraction) -> None:
        def upper(counts: list[int]) -> float:
            poured = [float(x / (sum(counts) + s)) for x in water_level(counts, s)]
            return -sum(x * math.log(x) for x in poured if x)

        node = [sum(column) for column in zip(*table, strict=True)]
        rows = [upper(row) for row in table]
        kept = sum(sum(row) * h for row, h in zip(table, rows, strict=True)) + float(s) * max(rows)
        expected = upper(node) - kept / (sum(node) + float(s))
        found = library.run(criteria.imprecise_information_gain(s), table)
        assert math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12)

    law()


def test_gain_ratio_of_a_one_sided_split_is_zero(library: Library) -> None:
    assert library.run(criteria.normalised(impurities.entropy), [[3, 4], [0, 0]]) == 0
    ratio = library.run(criteria.normalised(impurities.entropy), [[3, 0], [0, 1]])
    assert math.isclose(ratio, 1)


@pytest.mark.parametrize(
    ("criterion", "table", "message"),
    [
        (criteria.twoing, [[1, 2], [3, 4], [5, 6]], "twoing is defined for tables of 2 rows; got 3"),
        (criteria.pairwise_gain, [[1, 2, 3], [3, 4, 5]], "tables of 2 classes; got 3"),
        (decrease(impurities.gini), [[1, -2], [3, 4]], "non-negative; got -2"),
    ],
)
def test_tables_outside_the_definition_are_refused(criterion, table, message, library):
    refused(message, library.run, criterion, table)


@pytest.mark.parametrize(
    "value", [*CRITERIA, *CLASS_IMPURITIES, *MARGIN_LOSSES, splitcrit.sgini, splitcrit.agini], ids=repr
)
def test_values_pickle_compare_and_print(value: object) -> None:
    again = pickle.loads(pickle.dumps(value))
    assert again == value and hash(again) == hash(value) and repr(again) == repr(value)


def test_a_value_prints_as_the_call_that_makes_it() -> None:
    names = vars(impurities) | vars(criteria)
    for value in CRITERIA:
        assert eval(repr(value), {**names, "Fraction": Fraction}) == value


def test_a_lambda_is_refused_by_pickle_in_one_sentence() -> None:
    loss = losses.Loss("mine", lambda w, k, m: 1 - w[k])
    with pytest.raises(pickle.PicklingError, match=r"functions have a name in a module; got .*<lambda>; define"):
        pickle.dumps(Criterion.from_loss(loss))


def test_a_copy_of_a_frozen_value_is_the_value() -> None:
    loss = losses.Loss("mine", lambda w, k, m: 1 - w[k])
    for value in (loss, Criterion.from_loss(loss), impurities.gini):
        assert copy.copy(value) is value and copy.deepcopy([value])[0] is value
