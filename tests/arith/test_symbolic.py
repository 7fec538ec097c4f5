"""Symbols of sympy and numbers of mpmath go through the same formulas as floats and Fractions."""

import itertools
import math
import pickle
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

from objects import CLASS_IMPURITIES, CRITERIA, MARGIN_LOSSES, responses
from refusals import refused
from splitcrit import agini, criteria, decrease, entropy, gini, gini_gain, gini_null, impurities, losses, nulls, sgini
from splitcrit.arith import Irrational
from splitcrit.arith.symbolic import PerLog
from splitcrit.criteria import Criterion
from splitcrit.impurities import Impurity
from splitcrit.losses import Loss
from splitcrit.nulls import null_covariance, null_moments

A, B, C, D, N, P = sympy.symbols("a b c d n p")
TABLE = [[7, 2], [3, 9]]
AT = dict(zip((A, B, C, D), itertools.chain(*TABLE), strict=True))
LOSSES = list(dict.fromkeys([*(i.loss for i in CLASS_IMPURITIES), *MARGIN_LOSSES]))


def sparing(values: Any) -> list[Any]:
    """All of them, every other one for the slow tests: what they share is seen in the rest."""
    return [pytest.param(x, id=repr(x), marks=[pytest.mark.slow] * (i % 2)) for i, x in enumerate(values)]


QUICK = [c for c in CRITERIA if "imprecise" not in c.name and "999" not in c.name]


def value(expression: Any, at: dict[Any, Any]) -> float:
    """Evaluate an expression; a part that is not real shows as an error."""
    return float(expression.subs(at).evalf(30))


# Symbols.


@pytest.mark.parametrize("impurity", sparing([*CLASS_IMPURITIES, *responses(2)]))
def test_an_impurity_says_of_symbols_what_it_says_of_numbers(impurity: Impurity) -> None:
    expression, of_weights = impurity.symbolic(), impurity([A, B])
    assert expression.free_symbols == {P} and of_weights.free_symbols == {A, B}
    for p in (Fraction(1, 7), Fraction(5, 8)):
        assert math.isclose(value(expression, {P: sympy.Rational(p)}), impurity([float(1 - p), float(p)]), rel_tol=1e-9)
    assert math.isclose(value(of_weights, {A: 3, B: 5}), impurity([3, 5]), rel_tol=1e-9)


@pytest.mark.parametrize("loss", sparing(LOSSES))
def test_the_least_risk_of_a_loss_says_of_symbols_what_it_says_of_numbers(loss: Loss) -> None:
    impurity = Impurity.from_loss(loss)
    for p in (Fraction(1, 7), Fraction(5, 8)):
        found = value(impurity.symbolic(), {P: sympy.Rational(p)})
        assert math.isclose(found, impurity([float(1 - p), float(p)]), rel_tol=1e-9)


@pytest.mark.parametrize("criterion", sparing([*QUICK, sgini, agini]))
def test_a_criterion_says_of_symbols_what_it_says_of_numbers(criterion: Criterion) -> None:
    found = value(criterion.symbolic(), AT)
    assert math.isclose(found, criterion(TABLE), rel_tol=1e-9, abs_tol=1e-12)


def test_what_is_said_of_symbols_can_be_read() -> None:
    determinant, n = (A * D - B * C) ** 2, A + B + C + D
    margins = (A + B) * (C + D)
    assert gini([P, 1 - P]) == gini.symbolic() == 2 * P * (1 - P)
    assert gini([A, B]) == 2 * A * B / (A + B) ** 2
    assert decrease(gini).symbolic() == gini_gain([[A, B], [C, D]]) == 2 * determinant / (margins * n**2)
    assert criteria.twoing.symbolic() == determinant / (margins * n**2)
    assert criteria.chi_square.symbolic() == determinant * n / (margins * (A + C) * (B + D))
    assert sympy.expand(entropy([P, 1 - P]) + P * sympy.log(P) + (1 - P) * sympy.log(1 - P)) == 0
    assert impurities.sqrt_gini.symbolic() == sympy.sqrt(P) * sympy.sqrt(1 - P)
    bits = impurities.shannon_entropy(2).symbolic()
    assert sympy.expand(bits * sympy.log(2) - entropy.symbolic()) == 0
    assert sympy.latex(gini.symbolic()) == r"2 p \left(1 - p\right)"
    assert sum(x.is_Symbol for x in decrease(gini).symbolic((2, 3)).free_symbols) == 6
    shown = Impurity.from_loss(losses.hinge).symbolic()
    assert shown == sympy.Piecewise((2 - 2 * P, sympy.Rational(1, 2) < P), (2 * P, True))


def test_special_numbers_are_numbers_still() -> None:
    assert gini([sympy.Integer(0), sympy.Integer(3)]) == 0
    assert gini([sympy.Rational(1, 4), sympy.Rational(3, 4)]) == sympy.Rational(3, 8)
    assert decrease(gini)([[A, 0], [0, 0]]) == 0
    assert gini(np.array([[A, B], [A, A]], dtype=object)).tolist() == [2 * A * B / (A + B) ** 2, sympy.Rational(1, 2)]
    assert decrease(gini)(sympy.Matrix([[A, B], [C, D]])) == decrease(gini).symbolic()
    negative = sympy.Symbol("e", real=True)  # no entry itself: it may be negative
    assert value(impurities.bayes_sum([1 + negative, 1 - negative]), {negative: -sympy.Rational(1, 2)}) == 0.5


def test_a_formula_may_decide_on_symbols() -> None:
    mine = Impurity("mine", lambda p, m: p[1] if p[0] > p[1] else p[0])
    assert mine.symbolic() == sympy.Piecewise((P, sympy.Rational(1, 2) > P), (1 - P, True))


@pytest.mark.parametrize("model", ["permutation", "multinomial"])
@pytest.mark.parametrize(("rows", "columns"), [([3, 7], [4, 6]), ([5, 4, 9], [8, 7, 3])])
def test_moments_of_symbols_are_those_of_counts(model: Any, rows: list[int], columns: list[int]) -> None:
    order = 3 if model == "permutation" else 2
    a, b = sympy.symbols("a_1:4")[: len(rows)], sympy.symbols("b_1:4")[: len(columns) - 1]
    law = gini_null(a, [*b, sum(a) - sum(b)], model=model, order=order)
    known = gini_null(rows, columns, model=model, order=order, exact=True)
    at = dict(zip([*a, *b], [*rows, *columns[:-1]], strict=True))
    for name in ("mean", "variance", "third")[:order]:
        assert getattr(law, name).subs(at) == sympy.Rational(getattr(known, name))
    if order == 3:
        assert math.isclose(value(law.skewness, at), known.skewness)


def test_the_mean_of_the_gain_can_be_read() -> None:
    law = gini_null([A, N - A], [B, N - B])
    assert sympy.simplify(law.mean - 2 * B * (N - B) / (N**2 * (N - 1))) == 0
    with pytest.raises(Irrational, match="Pearson III law is not a formula; got symbols of sympy; pass floats"):
        law.approximate_pvalue(A)


# Numbers of mpmath: formulas written out here, at 50 digits.


@pytest.fixture(autouse=True)
def fifty_digits() -> Any:
    with mpmath.workdps(50):
        yield


def near(found: Any, known: Any, digits: int = 49) -> bool:
    assert isinstance(found, mpmath.mpf)
    return bool(abs(found - known) <= mpmath.mpf(10) ** -digits * max(abs(known), abs(found)))


def shares(counts: list[Any]) -> list[Any]:
    return [x / sum(counts) for x in counts]


OF_SHARES = {
    "gini": (gini, lambda p: 1 - sum(x * x for x in p)),
    "entropy": (entropy, lambda p: -sum(x * mpmath.log(x) for x in p if x)),
    "bits": (impurities.shannon_entropy(2), lambda p: -sum(x * mpmath.log(x, 2) for x in p if x)),
    "misclassification": (impurities.misclassification, lambda p: 1 - max(p)),
    "sqrt_gini": (impurities.sqrt_gini, lambda p: mpmath.sqrt((1 - sum(x * x for x in p)) * (len(p) - 1) / len(p))),
    "matushita": (impurities.matushita, lambda p: sum(mpmath.sqrt(x * (1 - x)) for x in p)),
    "gce": (impurities.gce(Fraction(7, 10)), lambda p: (1 - sum(x ** (mpmath.mpf(10) / 3) for x in p)
                                                         ** (mpmath.mpf(3) / 10)) * 10 / 7),
    "cross_entropy": (Impurity.from_loss(losses.cross_entropy), lambda p: -sum(x * mpmath.log(x) for x in p if x)),
    "ne": (impurities.ne(0.5), lambda p: min(1 - max(p), mpmath.sqrt((1 - sum(x * x for x in p)) * (len(p) - 1)
                                                                     / len(p)) / 2)),
}  # fmt: skip


@pytest.mark.parametrize("scale", ["1e-150", "1", "1e150"])
@pytest.mark.parametrize("name", OF_SHARES)
def test_fifty_digits_at_any_scale(name: str, scale: str) -> None:
    impurity, by_hand = OF_SHARES[name]
    table = [[mpmath.mpf(x) / 7 * mpmath.mpf(scale) for x in row] for row in ([3, 1, 9], [2, 2, 0])]
    with mpmath.workdps(150):
        known = by_hand(shares(table[0]))
        n = [sum(row) for row in table]
        whole = by_hand(shares([x + y for x, y in zip(*table, strict=True)]))
        gain = whole - sum(size * by_hand(shares(row)) for size, row in zip(n, table, strict=True)) / sum(n)
    assert near(impurity(table[0]), known)
    assert near(decrease(impurity)(table), gain)


def test_fifty_digits_of_a_small_difference() -> None:
    big = 10**20
    table = [[big, big + 1], [big, big]]  # both rows are nearly the node: the gain is about 1e-42
    exact = decrease(gini).exact(table)
    found = decrease(gini)([[mpmath.mpf(x) for x in row] for row in table])
    assert near(found, mpmath.mpf(exact.numerator) / exact.denominator)


@pytest.mark.parametrize("criterion", [*CRITERIA[:1], *CRITERIA[-10:-4], sgini, agini], ids=repr)
def test_fifty_digits_of_a_rational_score(criterion: Criterion) -> None:
    found = criterion([[mpmath.mpf(x) for x in row] for row in TABLE])
    assert math.isclose(found, criterion(TABLE), rel_tol=1e-12)
    try:
        exact = criterion.exact(TABLE)
    except Irrational:
        return
    assert near(found, mpmath.mpf(exact.numerator) / exact.denominator)


def test_fifty_digits_of_a_standardised_gain() -> None:
    law = gini_null([9, 12], [10, 11], exact=True)
    above = decrease(gini).exact(TABLE) - law.mean
    with mpmath.workdps(80):
        fractions = [mpmath.mpf(x.numerator) / x.denominator for x in (above, law.variance)]
        known = fractions[0] / mpmath.sqrt(fractions[1])
    assert near(sgini([[mpmath.mpf(7), 2], [3, 9]]), known)
    assert sgini([[mpmath.mpf(3), 2], [0, 1]]) == 0  # the gain cannot vary


def test_fifty_digits_of_moments() -> None:
    law = gini_null([mpmath.mpf(3), 7, 0], [mpmath.mpf(4), 6], order=3)
    known = gini_null([3, 7], [4, 6], order=3, exact=True)
    for name in ("mean", "variance", "third"):
        exact = getattr(known, name)
        assert near(getattr(law, name), mpmath.mpf(exact.numerator) / exact.denominator)
    assert near(law.skewness, law.third / law.variance / mpmath.sqrt(law.variance))
    chi = null_moments(criteria.chi_square, [mpmath.mpf(3), 7], [4, 2, 4])
    assert near(chi.variance, mpmath.mpf(13400) / 3969)
    assert chi.method == "corners"


def test_fifty_digits_of_the_law_of_the_entropy() -> None:
    """All tables of two rows, by hand."""
    a, b = (5, 7), (4, 8)
    scores, ways = [], []
    for x in range(5):
        table = [[x, a[0] - x], [b[0] - x, b[1] - a[0] + x]]
        each = [OF_SHARES["entropy"][1](shares(list(map(mpmath.mpf, row)))) for row in table]
        node = OF_SHARES["entropy"][1](shares(list(map(mpmath.mpf, b))))
        scores.append(node - (5 * each[0] + 7 * each[1]) / 12)
        ways.append(math.comb(5, x) * math.comb(7, 4 - x))
    mean = sum(w * s for w, s in zip(ways, scores, strict=True)) / sum(ways)
    spread = sum(w * (s - mean) ** 2 for w, s in zip(ways, scores, strict=True)) / sum(ways)
    law = null_moments(entropy, [mpmath.mpf(x) for x in a], b)
    assert near(law.mean, mean, 45) and near(law.variance, spread, 45)
    assert near(null_covariance(entropy, entropy, [mpmath.mpf(x) for x in a], b), spread, 45)


def test_the_precision_is_that_of_the_call() -> None:
    x = [mpmath.mpf(1) / 3, mpmath.mpf(2) / 3]
    with mpmath.workdps(20):
        short = entropy(x)
    assert abs(short - entropy(x)) > mpmath.mpf(10) ** -30
    own = mpmath.MPContext() if hasattr(mpmath, "MPContext") else mpmath.mp.clone()
    own.dps = 80
    found = entropy([own.mpf(1), 3])
    assert type(found).context is own and abs(found - own.log(4) + 3 * own.log(3) / 4) < own.mpf(10) ** -79


def test_floats_beside_numbers_of_mpmath_keep_their_value_and_fractions_their_digits() -> None:
    assert near(gini([mpmath.mpf(1), 0.1]), gini([mpmath.mpf(1), mpmath.mpf(0.1)]))
    assert near(gini([mpmath.mpf(1), Fraction(1, 3)]), gini([mpmath.mpf(3), 1]))
    third = Impurity("third", lambda p, m: Fraction(1, 3) * p[0] * p[1])  # Python would round it to a float
    assert near(third([mpmath.mpf(1), 2]), mpmath.mpf(2) / 27)


# What is refused.


@pytest.mark.parametrize(
    ("call", "kind", "said"),
    [
        (lambda: gini([mpmath.mpf(1), A]), TypeError, "not both; got the symbol a and the mpf mpf"),
        (lambda: decrease(gini)([[mpmath.mpf(1), 2], [A, 1]]), TypeError, "not both"),
        (lambda: gini([A, -1]), ValueError, "non-negative and finite; got -1"),
        (lambda: gini([mpmath.mpf(1), -1]), ValueError, "non-negative and finite; got -1"),
        (lambda: gini([mpmath.nan, 1]), ValueError, "non-negative and finite; got"),
        (lambda: gini([mpmath.mpf(0), 0]), ValueError, "positive weight; got only zeros"),
        (lambda: gini([A, True]), TypeError, "must be real numbers; got True"),
        (lambda: gini([A, "x"]), TypeError, "must be real numbers; got 'x'"),
        (lambda: gini([mpmath.mpf(1), "x"]), TypeError, "real numbers of Python; got 'x'"),
        (lambda: gini([A, sympy.I]), TypeError, "must be real numbers; got I"),
        (lambda: gini([A, sympy.oo]), ValueError, "finite; got oo"),
        (lambda: gini.symbolic(0), ValueError, "integer from 1; got 0"),
        (lambda: decrease(gini)([A, B]), ValueError, "needs rows and columns; got 1 dimension"),
        (lambda: criteria.twoing.symbolic((3, 2)), ValueError, "tables of 2 rows; got 3"),
        (lambda: gini_null([A, B], [C, D]), ValueError, r"same sum; got a \+ b and c \+ d; write one total as"),
        (lambda: gini_null([[A, B]], [[B, A]]), ValueError, "totals of one table; got shapes"),
        (lambda: gini_null([mpmath.mpf(2.5), 1], [2.5, 1]), ValueError, "null needs counts; got 2.5"),
        (lambda: nulls.calibrated().symbolic(), Irrational, r"calibrated\(\) is not a formula; got symbols of sympy"),
        (lambda: nulls.calibrated()([[mpmath.mpf(1), 2], [2, 1]]), Irrational, "not a formula; got numbers of mpmath"),
        (lambda: nulls.significance.symbolic(), Irrational, "no incomplete gamma function"),
        (lambda: null_moments(entropy, [A, N - A], [B, N - B]), Irrational, "not a formula; got symbols of sympy"),
        (lambda: Impurity.from_loss(Loss("own", losses.square.at)).symbolic(), TypeError, "in FLOAT only; got SYMPY"),
        (lambda: Impurity("odd", lambda p, m: sum(p[0] if k * p[0] > p[1] else p[1] for k in range(1, 6))).symbolic(),
         Irrational, "at most 16 cases; got more"),
        (lambda: Impurity("odd", lambda p, m: "x").symbolic(), ValueError, "gives a number; got 'x'"),
        (lambda: Impurity("odd", lambda p, m: 1 / (p[0] - p[0])).symbolic(), ValueError, "gives a number; got zoo"),
        (lambda: Impurity("odd", lambda p, m: math.sin(p[0])).symbolic(), ValueError, "TypeError"),
    ],
    ids=range(26),
)  # fmt: skip
def test_what_cannot_be_said_is_refused_in_one_sentence(call: Any, kind: type[Exception], said: str) -> None:
    assert str(refused(said, call, error=kind)).count(";") >= 2


def test_a_unit_of_entropy_is_a_float_that_knows_its_base() -> None:
    unit = PerLog(2)
    assert unit == 1 / math.log(2) and pickle.loads(pickle.dumps(unit)).base == 2
    assert impurities.shannon_entropy(2) == pickle.loads(pickle.dumps(impurities.shannon_entropy(2)))
