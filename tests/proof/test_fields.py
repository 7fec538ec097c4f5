"""Roots, absolute values, logarithms and powers in the checker's field: laws, domains, and what is stuck."""

import random
import re
from collections.abc import Callable
from fractions import Fraction
from fractions import Fraction as F
from typing import Any

import flint
import pytest

from refusals import refused
from splitcrit import criteria, impurities
from splitcrit.arith import EXACT, Irrational
from splitcrit.proof import BALL, Ball, Claim, Field, Identity, Induction, Smt, Status, Undecided
from splitcrit.proof.balls import RATIONALS, fraction, ratio
from splitcrit.proof.quotients import Quotient, Quotients
from splitcrit.proof.terms import VALIDATING

AB, COUNTS, REALS = (dict.fromkeys("ab", kind) for kind in ("positive", "count", "real"))
Q, REAL = {**AB, "q": "positive"}, {"x": "real"}


def tsallis(counts: list[Any], q: Any, m: Any) -> Any:
    """Tsallis' entropy of order q."""
    return (1 - sum(m.power(x / sum(counts), q) for x in counts)) / (q - 1)


CELLS = {**dict.fromkeys("abcd", "positive"), "q": "positive"}


def joint(v: Any, m: Any) -> Any:
    return tsallis([x * y for x in (v.a, v.b) for y in (v.c, v.d)], v.q, m)


def apart(v: Any, m: Any, factor: int = 1) -> Any:
    one, other = tsallis([v.a, v.b], v.q, m), tsallis([v.c, v.d], v.q, m)
    return one + other + factor * (1 - v.q) * one * other


LAWS: dict[Status, dict[str, Claim]] = {
    Status.PROVED: {
        "root of a product": Identity(
            AB, lambda v, m: m.sqrt(6 * v.a * v.b), lambda v, m: m.sqrt(2 * v.a) * m.sqrt(3 * v.b)
        ),
        "root of a product of counts": Identity(
            COUNTS, lambda v, m: m.sqrt(v.a * v.b), lambda v, m: m.sqrt(v.a) * m.sqrt(v.b)
        ),
        "root of a square": Identity(REALS, lambda v, m: m.sqrt(v.a**2), lambda v, m: m.abs(v.a)),
        "absolute value of a product": Identity(
            REALS, lambda v, m: m.abs(-2 * v.a * v.b), lambda v, m: 2 * m.abs(v.a) * m.abs(v.b)
        ),
        "logarithm of a quotient": Identity(
            AB,
            lambda v, m: m.log(6 * v.a * v.b**2 / (v.a + v.b)),
            lambda v, m: m.log(2) + m.log(3) + m.log(v.a) + 2 * m.log(v.b) - m.log(v.a + v.b),
        ),
        "x log x of counts, 0 among them": Identity(
            COUNTS, lambda v, m: m.xlogx(v.a * v.b), lambda v, m: v.b * m.xlogx(v.a) + v.a * m.xlogx(v.b)
        ),
        "power of a product": Identity(
            Q, lambda v, m: m.power(4 * v.a, v.q + 1), lambda v, m: 4 * v.a * m.power(2, v.q) ** 2 * m.power(v.a, v.q)
        ),
        "third power of a third root": Identity(AB, lambda v, m: m.power(v.a, F(1, 3)) ** 3, lambda v, m: v.a),
        "Tsallis' entropies of independent variables": Identity(CELLS, joint, apart, lambda v, m: v.q > 1),
        "root and absolute value of 0": Identity(
            REALS, lambda v, m: m.sqrt(v.a - v.a) + m.abs(v.b - v.b) + v.a, lambda v, m: v.a
        ),
    },
    Status.REFUTED: {
        "root of a sum": Identity(AB, lambda v, m: m.sqrt(v.a + v.b), lambda v, m: m.sqrt(v.a) + m.sqrt(v.b)),
        "logarithm of a sum": Identity(AB, lambda v, m: m.log(v.a + v.b), lambda v, m: m.log(v.a) + m.log(v.b)),
        "x log x at 0": Identity(
            COUNTS, lambda v, m: m.xlogx(v.a) + v.b, lambda v, m: m.where(v.a == 0, 1, m.xlogx(v.a)) + v.b
        ),
        "the same with twice the product": Identity(CELLS, joint, lambda v, m: apart(v, m, 2), lambda v, m: v.q > 1),
    },
    Status.UNKNOWN: {
        "root of a product of any sign": Identity(
            REALS, lambda v, m: m.sqrt(v.a * v.b), lambda v, m: m.sqrt(v.a) * m.sqrt(v.b)
        ),
        "logarithm of what may be negative": Identity(
            REALS, lambda v, m: m.log(v.a**2 * v.b**2), lambda v, m: 2 * m.log(v.a * v.b)
        ),
        "logarithm of what is undefined at 1,000": Identity(
            REALS, lambda v, m: m.log(2 + (v.a - v.a) / (v.b - 1000)) + v.a, lambda v, m: m.log(2) + v.a
        ),
    },
}


@pytest.mark.parametrize(("expected", "name"), [(verdict, name) for verdict, laws in LAWS.items() for name in laws])
def test_a_law_of_roots_logarithms_or_powers(expected: Status, name: str) -> None:
    found = LAWS[expected][name].settle()
    assert found.status is expected, found


def test_unknown_names_the_term_and_what_to_try() -> None:
    stuck = Identity(AB, lambda v, m: v.a + v.b * zero(v.a) * m.log(v.a + v.b), lambda v, m: v.a).settle()
    assert stuck.status is Status.UNKNOWN
    assert "log(a + b) does not cancel; make it a variable of an Smt or a Certificate" in stuck.evidence


def zero(a: Any) -> Any:
    """What is 0 at every count that is drawn, and not at 50."""
    product: Any = 1
    for k in range(1, 42):
        product = product * (a - k)
    return product


NEXT: dict[str, tuple[Claim, str]] = {
    "a numerator that is not zero": (
        Identity(AB, lambda v, m: v.a + v.b * zero(v.a), lambda v, m: v.a),
        r"it has the term .*a\*.*b; try an Smt",
    ),
    "a numerator that is 0 where a comparison fails": (
        Identity(COUNTS, lambda v, m: v.a + m.where(v.b > 0, zero(v.b), 0), lambda v, m: v.a), "where b > 0: True",
    ),
    "a formula that is not shown to be one of sums": (
        Induction("K", REAL, lambda e, v, m: sum(x.x for x in e[:5]), lambda e, v, m: [e.x], lambda s, v, m: s[0]),
        "pass compared=True",
    ),
    "a logarithm in the solver": (Smt(AB, lambda v, m: m.log(v.a) > -v.b), "z3 decides polynomials only"),
    "hypotheses that hold nowhere": (Smt(AB, lambda v, m: v.a > 0, lambda v, m: v.a < 0), "pass one as at="),
    "counts that are none": (
        Smt({"n": "count"}, lambda v, m: (2 * v.n - 1) ** 2 * (3 * v.n - 1) ** 2 > 0, work=10**6),
        "try Exhaustive",
    ),
    "what the solver gives up": (
        Smt(AB | {"c": "real"}, lambda v, m: v.a**7 + v.b**7 >= v.c**2 * v.a**5 - v.a * v.b**6 * v.c**2, work=2000),
        "z3 answers unknown after 2,000 units of work; try a Certificate of .*a",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NEXT)
def test_unknown_names_what_it_is_stuck_at_and_the_next_claim(name: str) -> None:
    claim, words = NEXT[name]
    found = claim.settle()
    assert found.status is Status.UNKNOWN and re.search(words, found.evidence), found


def test_a_field_refuses_exponentials_and_too_many_elements() -> None:
    field = Field({"a": "positive"})
    refused("no exponential function", field.exp, field.variables["a"], error=Undecided)
    with pytest.raises(Undecided, match="at most 24 new elements"):
        [field.log(field.variables["a"] + k) for k in range(30)]


def test_an_exponent_is_a_sum_of_variables_and_a_number() -> None:
    field = Field({"a": "positive", "b": "positive"})
    a, b = field.variables["a"], field.variables["b"]
    for exponent in (1 / b, a / b, a * b, b / 2):
        refused("exponents in a field must add variables and integers", field.power, a, exponent, error=Undecided)
    assert field.is_zero(field.power(a, b + 2) - a**2 * field.power(a, b))


def test_what_validates_is_there() -> None:
    """Each function that may look at the class of an argument stands in the module that is listed."""
    import importlib
    import inspect

    for module, names in VALIDATING.items():
        source = inspect.getsource(importlib.import_module(f"splitcrit.{module}"))
        assert [name for name in names if name != "__repr__" and f"def {name}(" not in source] == [], module


# FLINT's rational numbers as an arithmetic: what it gives is what EXACT gives, and what EXACT refuses it refuses.

RATIONAL = (impurities.gini, impurities.misclassification, impurities.bayes_sum, impurities.gce(q=Fraction(1)))
OTHERS = (impurities.sqrt_gini, impurities.matushita, impurities.ne(lam=Fraction(1, 2)), impurities.entropy)
CRITERIA = (criteria.twoing, criteria.pairwise_gain, criteria.one_vs_rest_pairwise_gain, criteria.sum_minority)


def tables(number: int) -> list[list[list[int]]]:
    rng = random.Random(7)
    return [[[rng.choice((0, 0, 1, 2, 9)) for _ in range(2)] for _ in range(2)] for _ in range(number)]


def of(criterion: Any, table: Any, m: Any, number: Any) -> Any:
    try:
        return criterion.score([[number(x) for x in row] for row in table], m)
    except Irrational:
        return "irrational"


@pytest.mark.parametrize("criterion", [*map(criteria.decrease, (*RATIONAL, *OTHERS)), *CRITERIA], ids=repr)
def test_scores_are_those_in_fractions(criterion: Any) -> None:
    rational = 0
    for table in tables(200):
        exact, found = of(criterion, table, EXACT, Fraction), of(criterion, table, RATIONALS, ratio)
        rational += exact != "irrational"
        assert (found if exact == "irrational" else fraction(found)) == exact
    assert rational > 20


@pytest.mark.parametrize("call", ["log", "xlogx", "exp", "sqrt"])
def test_what_is_irrational_is_refused(call: str) -> None:
    with pytest.raises(Irrational):
        getattr(RATIONALS, call)(flint.fmpq(3, 7))
    with pytest.raises(Irrational):
        RATIONALS.power(flint.fmpq(2), Fraction(1, 2))
    assert RATIONALS.sqrt(flint.fmpq(4, 9)) == flint.fmpq(2, 3) == RATIONALS.power(flint.fmpq(9, 4), Fraction(-1, 2))
    assert RATIONALS.power(flint.fmpq(9, 4), flint.fmpq(-1, 2)) == flint.fmpq(2, 3)


def test_floats_are_refused() -> None:
    for call in (lambda: ratio(0.5), lambda: RATIONALS.max([ratio(1), 0.5]), lambda: RATIONALS.abs(0.5)):
        refused("EXACT stays in the rationals; got the float", call, error=Irrational)
    with pytest.raises(TypeError):
        ratio(1) * 0.5
    assert RATIONALS.number(0.5) == flint.fmpq(1, 2)


def test_constants_divide_exactly() -> None:
    assert RATIONALS.where(True, 1, 0) / 3 == flint.fmpq(1, 3) == RATIONALS.max([0, 1]) / 3
    assert fraction(RATIONALS.number(Fraction(2, 3))) == Fraction(2, 3) and fraction(3) == Fraction(3)


def test_enclosures_of_large_and_rational_numbers() -> None:
    for x in (0, -3, 10**200, Fraction(1, 3), flint.fmpq(-2, 7)):
        exact = fraction(x)
        below, above = exact - Fraction(1, 10**60) * (1 + abs(exact)), exact + Fraction(1, 10**60) * (1 + abs(exact))
        assert below < Ball(x) < above
    assert Ball(10**200) - 10**200 == 0 and BALL.where(True, 1, 0) == 1


@pytest.mark.parametrize("x", [0, -1])
def test_an_enclosed_logarithm_of_nothing_is_refused_and_a_power_that_is_not_positive(x: int) -> None:
    refused("the argument of a logarithm must be positive", BALL.log, x, error=Undecided)
    refused("the argument of a logarithm must be positive", BALL.power, 0, x, error=Undecided)
    refused("the argument of a logarithm must be positive", BALL.power, 0, Fraction(x - 1, 2), error=Undecided)
    assert BALL.power(0, Fraction(1 - x, 2)) == 0


# Rational functions in lowest terms, against fractions at points.

FORMULAS: list[Callable[[Any, Any], Any]] = [
    lambda x, y: (x * x - y * y) / (x + y),
    lambda x, y: (x / y) ** -2 + 3 - 1 / (x - y),
    lambda x, y: (2 * x - y) ** 3 / (y - 2 * x) - y**0,
    lambda x, y: Fraction(2, 3) * x - (5 - x) / (-y),
]


def value(function: Quotient, at: tuple[int, int]) -> Fraction:
    """The function at a point, from its terms."""
    above, below = (
        sum((int(c) * at[0] ** int(i) * at[1] ** int(j) for (i, j), c in part.terms()), 0)
        for part in (function.numer, function.denom)
    )
    return Fraction(above, below)


@pytest.mark.parametrize("formula", FORMULAS, ids=range(len(FORMULAS)))
def test_functions_have_the_values_of_fractions(formula: Callable[[Any, Any], Any]) -> None:
    function = formula(*Quotients(["x", "y"]).gens)
    for at in ((3, 7), (-2, 5), (11, 4)):
        assert value(function, at) == formula(*map(Fraction, at))
    assert function.numer.gcd(function.denom) == 1 and function.denom.leading_coefficient() > 0


def test_nothing_is_divided_by_zero() -> None:
    x, y = Quotients(["x", "y"]).gens
    with pytest.raises(ZeroDivisionError):
        x / (y - y)
    assert (x - y) / (y - x) == -1 and hash(x / y) == hash((2 * x) / (2 * y))
