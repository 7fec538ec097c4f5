"""Gini gain, SGini and AGini of tables against exact rationals."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from splitcrit import Table, agini, gini_gain, gini_null, sgini

tables = st.integers(1, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 30), min_size=k, max_size=k), min_size=1, max_size=4)
)


def root(x):
    """The square root of a Fraction to 60 digits."""
    with localcontext(prec=60):
        return (Decimal(x.numerator) / Decimal(x.denominator)).sqrt()


def true_sgini(table):
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    law = gini_null(rows, columns, exact=True)
    if law.variance == 0:
        return 0.0
    excess = oracles.gain(table) - law.mean
    return float(Fraction(excess) / Fraction(root(law.variance)))


@given(tables)
def test_scores_and_moments_of_one_table_lose_one_rounding(table):
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    law, floats = gini_null(rows, columns, exact=True, order=3), gini_null(rows, columns, order=3)
    assert [floats.mean, floats.variance, floats.third] == [float(x) for x in (law.mean, law.variance, law.third)]
    assert gini_gain(table) == float(oracles.gain(table))
    if law.variance and (excess := oracles.gain(table) - law.mean):
        share, unit = Fraction(sgini(table)) ** 2 / (excess**2 / law.variance), Fraction(1025, 1024) / 2**53
        assert (1 - unit) ** 2 <= share <= (1 + unit) ** 2 and (sgini(table) > 0) == (excess > 0)
    else:
        assert sgini(table) == 0


def hard_tables(n, count=60):
    """3 x 3 tables of n observations, many of them with lone observations, even rows or a thin class."""
    rng = np.random.default_rng(n % 2**32)
    proportions = rng.dirichlet([0.3] * 9, size=count)
    found = rng.multinomial(n, proportions).reshape(count, 3, 3)
    third = n // 3
    rest = n - 2 * third
    thin = [
        [[third, 0, 0], [third - 1, 1, 0], [rest, 0, 0]],
        [[third, 0, 0], [third, 0, 0], [rest - 2, 1, 1]],
        [[third, third, rest - 1], [1, 0, 0], [0, 0, 0]],
        [[third + 1, 0, 0], [third - 1, 0, 0], [rest - 1, 1, 0]],
    ]
    return np.concatenate([found, np.array(thin)])


@pytest.mark.parametrize("n", [30, 1000, 10**5, 10**7, 10**9, 10**12, 10**15])
def test_scores_of_large_tables(n):
    batch = hard_tables(n)
    scores, gains = sgini(batch), gini_gain(batch)
    assert scores.shape == gains.shape == (len(batch),)
    for table, score, value in zip(batch.tolist(), scores, gains, strict=True):
        truth = true_sgini(table)
        assert sgini(table) == pytest.approx(truth, rel=1e-13, abs=1e-300)
        assert score == pytest.approx(truth, rel=1e-9, abs=1e-9)
        assert value == pytest.approx(float(oracles.gain(table)), rel=1e-12, abs=0)


def test_counts_beyond_int64():
    table = [[10**25, 3], [7, 10**24]]
    assert sgini(table) == pytest.approx(true_sgini(table), rel=1e-14)
    assert sgini([table, table]).tolist() == [sgini(table)] * 2
    assert gini_gain(table) == float(oracles.gain(table))


@given(tables, st.data())
def test_order_and_absent_rows_change_nothing(table, data):
    shuffled = [*data.draw(st.permutations(table)), [0] * len(table[0])]
    widened = [[*row, 0] for row in shuffled]
    assert sgini(widened) == sgini(table)
    assert gini_gain(widened) == gini_gain(table)


def test_batches_of_any_shape():
    rng = np.random.default_rng(0)
    batch = rng.integers(0, 9, (2, 5, 3, 4))
    for score in (gini_gain, sgini, agini):
        found = score(batch)
        assert found.shape == (2, 5)
        for place in np.ndindex(2, 5):
            assert found[place] == pytest.approx(score(batch[place]), rel=1e-12, abs=1e-12)
        assert score(Table.of(batch)).tolist() == found.tolist() and score(batch[:0]).shape == (0, 5)
        assert isinstance(score(batch[0, 0]), float)


def test_agini_is_the_printed_equation():
    table = [[3, 0], [1, 6]]
    for model in ("multinomial", "permutation"):
        law = gini_null([3, 7], [4, 6], model=model)
        for alpha in (0.1, 0.5, Fraction(1, 4)):
            bound = law.mean + float((1 - alpha) / alpha) ** 0.5 * law.variance**0.5
            assert agini(table, alpha=alpha, model=model) == pytest.approx(gini_gain(table) - bound, rel=1e-14)
    assert agini(table) == agini(table, alpha=0.1, model="multinomial")


@pytest.mark.parametrize("alpha", [1e-320, 5e-324, Fraction(1, 10**320), 1e-301])
def test_agini_of_a_risk_whose_odds_are_no_float(alpha):
    table = [[3, 1], [1, 4]]
    unit = (gini_null([4, 5], [4, 5], model="multinomial").variance) ** 0.5
    assert -agini(table, alpha=alpha) == pytest.approx(unit / float(alpha) ** 0.5, rel=1e-3)
    assert agini([[3, 1], [0, 0]], alpha=alpha) == agini([[3, 1], [0, 0]], alpha=0.5) == 0


@pytest.mark.parametrize(("r", "k", "most"), [(2, 2, 9), (3, 3, 40), (2, 6, 1000), (8, 2, 2**20)])
def test_no_score_of_a_batch_is_further_off_than_roundings_are_counted(r, k, most) -> None:
    """Thousands of tables in all: of independent columns, of nearly equal rows, and with one large cell."""
    rng = np.random.default_rng([r, k])
    tables = rng.integers(0, most, (800, r, k))
    tables[::4] = tables[::4, :1] + rng.integers(0, 2, (200, r, k))
    tables[1::4, 0, 0] += 2**22
    scores, unit = sgini(tables), 2.0**-53
    for table, score in zip(tables, scores.tolist(), strict=True):
        law = gini_null(table.sum(axis=1), table.sum(axis=0))
        if not law.variance:
            assert score == 0
            continue
        means = law.mean / law.variance**0.5
        bound = unit * ((r + k + 9) * means + (1.5 * (r + k) + 16) * abs(score))
        assert abs(score - sgini(table)) <= bound + 2 * unit * abs(score)  # sgini(table) is rounded too
        assert bound <= 1e-10 * (1 + abs(score)) or 2 * unit * (r * k + 16) * means > 1e-10
