"""The arithmetics of the checker, part by part: what each operation gives, asked directly."""

from fractions import Fraction as F
from types import SimpleNamespace
from typing import Any

import pytest
import z3

from refusals import refused
from splitcrit import gini, proof
from splitcrit.proof import balls as enclosures
from splitcrit.proof.cases import Each
from splitcrit.proof.family_trees import TRACE, variable
from splitcrit.proof.links import linked
from splitcrit.proof.linting import allowed
from splitcrit.proof.points import points
from splitcrit.proof.smt import told
from splitcrit.proof.terms import Condition, same
from splitcrit.proofs.symbols import SYMBOL, symbol

KINDS = {"p": "positive", "c": "count", "x": "real"}


def field(**kinds: str) -> tuple[proof.Field, SimpleNamespace]:
    m = proof.Field(kinds or KINDS)
    return m, SimpleNamespace(**m.variables)


# Rational functions.


@pytest.mark.parametrize(
    ("relation", "positive", "count"),
    [
        ("==", False, None),
        ("!=", True, None),
        ("<", False, False),
        ("<=", False, None),
        (">", True, None),
        (">=", True, True),
    ],
)
def test_kinds_decide_comparisons(relation: str, positive: bool, count: bool | None) -> None:
    m, v = field()
    assert m.compared(relation, v.p, 0) is positive
    turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(relation, relation)
    assert m.compared(turned, -v.p, 0) is positive
    said = m.compared(relation, v.c, 0)
    assert (said is count) if count is not None else isinstance(said, Condition)
    assert isinstance(m.compared(relation, v.x, 0), Condition)
    assert m.compared(relation, v.x, v.x) is (relation in ("==", "<=", ">="))
    assert m.compared(relation, v.p + v.c, 0) is positive  # one part that is positive is enough
    assert isinstance(m.compared("<", v.p * v.c, 0), bool) and isinstance(m.compared("<=", v.p * v.c, 0), Condition)


def test_absolute_values_are_those_of_factors_and_powers_whole_times_roots() -> None:
    m, v = field()
    assert m.abs(-2) == 2 and m.abs(F(-1, 2)) == F(1, 2)
    assert m.is_zero(m.abs(-3 * v.p * v.x) - 3 * v.p * m.abs(v.x)) and m.is_zero(m.abs(v.x) ** 2 - v.x**2)
    assert m.is_zero(m.abs(v.x - v.x)) and not m.is_zero(m.abs(v.x) - v.x)
    assert m.compared(">=", m.abs(v.x), 0) is True is m.compared(">", m.sqrt(v.p), 0)
    assert isinstance(m.compared(">", m.abs(v.x), 0), Condition)
    assert m.is_zero(m.power(v.p, F(3, 2)) - v.p * m.sqrt(v.p)) and m.is_zero(m.power(v.p, F(1, 2)) ** 2 - v.p)
    assert m.is_zero(m.power(v.p, 3) - v.p**3) and not m.is_zero(m.power(v.p, F(3, 2)) - v.p)


def test_logarithms_of_nothing_are_needed_to_be_of_something() -> None:
    m, v = field()
    found = m.log(v.x - v.x)
    assert [m.needs[place][0] for place in found.needs] == [">"] and m.read(found) == 0
    assert m.is_zero(m.log(v.p**3 / 2) - 3 * m.log(v.p) + m.log(2)) and not m.is_zero(m.log(v.p) - m.log(2 * v.p))


@pytest.mark.parametrize(("relation", "way"), [("==", True), ("!=", False)])
def test_an_equation_of_the_path_is_used_and_no_other(relation: str, way: bool) -> None:
    m = proof.Field(KINDS, script=(way,))
    v = SimpleNamespace(**m.variables)
    m.where(m.compared(relation, v.x, v.p), 1, 2)
    assert m.is_zero(v.x - v.p) and not m.is_zero(v.x + v.p)
    for other, script in ((relation, not way), ("<", True), ("<", False), (">=", True)):
        m = proof.Field(KINDS, script=(script,))
        v = SimpleNamespace(**m.variables)
        m.where(m.compared(other, v.x, v.p), 1, 2)
        assert not m.is_zero(v.x - v.p), (other, script)


# Terms of z3.


def answer(m: proof.SMT, *said: Any) -> str:
    solver = m.solver()
    solver.add(*m.constraints, *(m.said(x) for x in said))
    return str(solver.check())


def test_a_root_of_zero_is_zero_and_no_root_is_negative() -> None:
    m = proof.SMT()
    v = m.variables({"x": "real"})
    root = m.sqrt(v.x)
    assert answer(m, v.x == 0, root == 0) == "sat" and answer(m, v.x == 4, root == 2) == "sat"
    assert answer(m, root < 0, v.x >= 0) == "unsat" and answer(m, v.x == 4, root != 2) == "unsat"


def test_a_rational_function_is_the_term_of_z3_that_it_is() -> None:
    m, smt = proof.Field({"x": "real", "y": "real"}), proof.SMT()
    x, y = m.variables.values()
    v = smt.variables({"x": "real", "y": "real"})
    said = smt.term_of(m.read((3 * x**2 - 2 * y + 1) / (x + 5)), v)
    assert answer(smt, v.x == 2, v.y == 4, said == F(3 * 4 - 8 + 1, 7)) == "sat"
    assert answer(smt, v.x == 2, v.y == 4, said != F(5, 7)) == "unsat"
    assert isinstance(smt.number(F(1, 2)), type(v.x)) and smt.number(v.x) is v.x


def test_what_z3_is_asked_is_told_in_few_words() -> None:
    assert told("y\n y") == "y y" and told("y " * 90) == "y " * 38 + "y..."


# Conditions and terms.


def test_conditions_are_joined_as_they_are_written() -> None:
    m = proof.SMT()
    v = m.variables({"x": "real"})
    low, high = v.x < 1, v.x > 2
    assert (low | high).relation == "or" and (low & high).relation == "and" and (~low).relation == "not"
    assert answer(m, low | high, v.x == 0) == "sat" and answer(m, low & high) == "unsat"
    assert answer(m, (low == high), v.x == F(3, 2)) == "sat" and answer(m, ~low, v.x == 0) == "unsat"


def test_a_list_is_not_its_member() -> None:
    x = variable("x")
    TRACE.start((True,), 2)  # were a comparison asked for, it would be answered yes
    assert not same([x], [variable("y")]) and same(1, 1) and not same(1, F(3, 2))
    assert same([1, x], [1, x]) and not same([x], x) and not same(x, [x]) and not same([x], [x, x]) and not same(x, 1)
    assert x.top is x and x.fraction() is x and x.as_integer_ratio() == (x, 1)


def test_conditions_of_symbols_are_joined_to_bools() -> None:
    x = symbol("x")
    low = SYMBOL.compared("<", x, 1)
    for other, expected in ((True, low.term), (False, False)):
        assert SYMBOL.joined("and", low, other).term == expected
    assert SYMBOL.joined("or", low, SYMBOL.compared(">", x, 2)).term.args


# What verdicts say.


def broken(v: Any, m: Any) -> Any:
    return v.x if type(v.x) is int else v.x >= 0


BROKEN: dict[str, proof.Claim] = {
    "identity": proof.Identity({"x": "real"}, broken, lambda v, m: v.x),
    "smt": proof.Smt({"x": "real"}, broken),
    "certificate": proof.Certificate({"x": "real"}, broken, lambda v, m: [([v.x], [])]),
    "binomials": proof.BinomialIdentity(("n",), ((lambda v: 1 if type(v.n) is int else v.n, lambda v: []),), ()),
    "ball": proof.Sign(lambda m: [float(1)]),
    "exhaustive": proof.Exhaustive(lambda: [1, 2], lambda case: case == 1.5),
    "induction": proof.Induction(
        "K", {"x": "real"}, lambda e, v, m: broken(e[0], m), lambda e, v, m: [e.x], lambda s, v, m: s[0]
    ),
}


@pytest.mark.parametrize("method", BROKEN)
def test_what_its_code_may_not_do_leaves_a_claim_unknown(method: str) -> None:
    found = BROKEN[method].settle()
    assert (found.status, found.method) == (proof.Status.UNKNOWN, method) and found.evidence, found


def test_evidence_is_said_once_with_how_often() -> None:
    one = proof.Identity({"x": "real"}, lambda v, m: (v.x + 1) ** 2, lambda v, m: v.x**2 + 2 * v.x + 1)
    two = proof.Identity({"x": "real", "y": "real"}, lambda v, m: (v.x + v.y) * 2, lambda v, m: 2 * v.x + 2 * v.y)
    assert proof.All(one, one, two).settle().evidence == (
        "2 times: zero numerator over Q in 1 variables; 16 exact points agree; "
        "zero numerator over Q in 2 variables; 16 exact points agree"
    )
    assert "times" not in proof.All(one, two).settle().evidence


def test_enclosures_are_told_from_exact_points() -> None:
    root = proof.Identity({"x": "positive"}, lambda v, m: m.sqrt(2 * v.x) ** 2, lambda v, m: 2 * v.x).settle()
    assert "enclosures do not differ" in root.evidence
    plain = proof.Identity({"x": "positive"}, lambda v, m: 2 * v.x, lambda v, m: v.x + v.x).settle()
    assert plain.evidence.endswith("16 exact points agree")


def test_signs_of_enclosures_are_counted_again_where_they_are_remembered() -> None:
    @enclosures.remembered
    def asked(n: int) -> bool:
        return all(proof.Ball(k).sign() > 0 for k in range(1, n + 1))

    counts, first = [], proof.Ball(2).sign()
    for n in (3, 3, 5, 3):
        before = enclosures.compared()
        assert asked(n)
        counts.append(enclosures.compared() - before)
    assert counts == [3, 3, 5, 3] and first == 1


def test_the_least_value_on_an_interval_is_enclosed_from_halves() -> None:
    depths: list[Any] = []

    def f(x: proof.Ball) -> proof.Ball:
        depths.append(x.arb.rad())
        return x * x - x + F(3, 10)  # at least 1/20

    assert proof.BALL.least(f, F(0), F(1), 8).sign() == 1
    assert min(depths) < max(depths)
    undecided: Any  # in the middle, at the end, everywhere
    for undecided in (lambda x: x - F(1, 2), lambda x: 1 - x, lambda x: x - x):
        asked: list[proof.Ball] = []
        with pytest.raises(proof.Undecided):
            proof.BALL.least(lambda x: (asked.append(x), undecided(x))[1], F(0), F(1), 3)  # noqa: B023
        assert len(asked) <= 7


def test_directions_of_rates_go_to_two() -> None:
    one, two = [[90, 10], [50, 50]], [[2079, 21], [2821, 2079]]
    direction: Any
    for direction in ((2, 0), (0, 2), (2, 2)):
        assert isinstance(proof.enclosed_flips(one, two, gini, direction=direction, cells=2, bits=2), list)
    for direction in ((F(21, 10), 0), (0, F(21, 10)), (0, 0), (-1, 2)):
        with pytest.raises(ValueError, match="parts of a direction must be between 0 and 2"):
            proof.enclosed_flips(one, two, gini, direction=direction, cells=2, bits=2)


# What is looked at before anything is run.


def test_code_is_read_wherever_a_claim_holds_it() -> None:
    def bad(x: Any) -> bool:
        return type(x) is int

    inside: Any = [lambda x: 1, [bad]]
    refused("asks for type", allowed, lambda v, m: [f(v) for f in inside], error=proof.Undecided)
    nested: Any = [[lambda x: x]]
    allowed(lambda v, m: [f(v) for fs in nested for f in fs])


def test_points_are_of_all_sorts() -> None:
    rates = {x.r for x in points({"r": "rate"}, None)}
    assert {F(0), F(1), F(1, 2), F(11, 12)} <= rates and all(0 <= x <= 1 for x in rates)


def test_an_enumeration_that_does_not_grow_is_found_along_each_axis() -> None:
    def pairs(most: int, J: int) -> Any:
        return [(i, j) for i in range(most) for j in range(min(J, 2))]

    grown = proof.Exhaustive(proof.Cases(pairs, n=proof.upto(3), J=proof.upto(2)), lambda case: case[0] >= 0)
    stuck = proof.Exhaustive(proof.Cases(pairs, n=proof.upto(3), J=proof.upto(3)), lambda case: case[0] >= 0)
    assert grown.settle().status is proof.Status.PROVED
    assert stuck.settle().evidence == "the enumeration has as many cases for J = 3 as for 2"
    fixed = proof.Exhaustive(
        proof.Cases(lambda J, most: [(J, i) for i in range(most)], J=3, n=proof.upto(2)), lambda case: case[1] >= 0
    )
    assert fixed.settle().status is proof.Status.PROVED


# The links between formulas and sums.


def apart(formula: Any, adds: Any, closed: Any, shared: dict[str, str] | None = None, **entry: str) -> str:
    return linked(formula, adds, closed, entry, shared or {})


OTHER = "the formula of the entries and that of the sums have different normal forms"
A = {"a": "real", "b": "real"}


FORMS: list[tuple[Any, Any, bool]] = [
        (lambda e, v, m: m.sqrt(sum(x.x for x in e)) ** 2 * v.a**2, lambda s, v, m: s[0] * v.a**2, True),
        (lambda e, v, m: m.sqrt(sum(x.x for x in e)) * v.a**3, lambda s, v, m: m.sqrt(s[0]) * v.a, False),
        (lambda e, v, m: m.sqrt(sum(x.x for x in e)) ** 3, lambda s, v, m: s[0] * m.sqrt(s[0]), True),
        (lambda e, v, m: sum(m.abs(x.x) for x in e), lambda s, v, m: s[0], True),
        (lambda e, v, m: sum(m.abs(-x.x) for x in e), lambda s, v, m: s[0], True),
        (lambda e, v, m: sum(m.abs(x.x * v.a) for x in e), lambda s, v, m: s[0] * v.a, False),
        (lambda e, v, m: sum(m.abs(x.x - v.a) for x in e), lambda s, v, m: s[0] - s[1] * v.a, False),
        (lambda e, v, m: sum(m.where(x.x == 0, 0, x.x) for x in e), lambda s, v, m: s[0], True),
        (lambda e, v, m: sum(m.where(x.x == 0, 1, x.x) for x in e), lambda s, v, m: s[0], False),
        (lambda e, v, m: sum(m.where(x.x == 1, 0, x.x) for x in e), lambda s, v, m: s[0], False),
        (lambda e, v, m: sum(m.where(x.x == 1, 1, x.x) for x in e), lambda s, v, m: s[0], True),
        (lambda e, v, m: sum(x.x * m.where(x.x == 0, 0, v.a) for x in e), lambda s, v, m: s[0] * v.a, True),
        (lambda e, v, m: sum(x.x * m.where(x.x == 0, 0, v.a) for x in e), lambda s, v, m: s[0] * v.b, False),
        (lambda e, v, m: sum(m.where(x.x == 0, 0, v.a) * x.x for x in e), lambda s, v, m: s[0] * v.a, True),
    (lambda e, v, m: sum(x.x * m.where(x.x <= 1, 0, v.a) for x in e), lambda s, v, m: s[0] * v.a, False),
        (lambda e, v, m: sum(m.where(x.x >= 0, 1, 5) for x in e), lambda s, v, m: s[1], True),
        (lambda e, v, m: sum(m.where(x.x > 0, 1, 5) for x in e), lambda s, v, m: s[1], False),
        (lambda e, v, m: sum(m.where(x.x + 1 > 0, 1, 5) for x in e), lambda s, v, m: s[1], True),
        (lambda e, v, m: sum(m.where(x.x + 1 == 0, 5, 1) for x in e), lambda s, v, m: s[1], True),
        (lambda e, v, m: sum(v.a * x.x / (1 + v.b) for x in e), lambda s, v, m: s[0] * v.a / (1 + v.b), True),
        (lambda e, v, m: sum(x.x / (x.x + 1) for x in e), lambda s, v, m: s[0] / (s[0] + s[1]), False),
        (lambda e, v, m: sum(x.x for x in e) ** len(e), lambda s, v, m: s[0] ** 2, False),
        (lambda e, v, m: sum(x.x**2 for x in e), lambda s, v, m: s[0] ** 2, False),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(FORMS)))
def test_normal_forms(number: int) -> None:
    formula, closed, same_form = FORMS[number]
    adds: Any = lambda e, v, m: [e.x, m.number(1)]  # noqa: E731
    assert bool(apart(formula, adds, closed, A, x="count")) is not same_form


def test_what_is_given_of_entries_is_given_to_the_comparison() -> None:
    claim = proof.Induction(
        "K", {"x": "real"}, lambda e, v, m: sum(m.where(x.x >= 1, x.x, 0) for x in e), lambda e, v, m: [e.x],
        lambda s, v, m: s[0], relation=">=", where=lambda e, v, m: [e.x >= 1],
        keeps=lambda s, v, m: [s[0] >= m.number(1)], compared=True,
    )  # fmt: skip
    assert claim.apart == OTHER and claim.settle().status is proof.Status.PROVED
    assert claim.grounds() == ("algebra compared at K = 2, 3, 4",)


def test_claims_for_each_value_say_what_they_rest_on_once() -> None:
    claim = Each("K", (2, 3), lambda K: proof.Identity({"x": "real"}, lambda v, m: K * v.x, lambda v, m: v.x * K))
    assert claim.grounds() == ("algebra",) and proof.Not(claim).grounds() == ("a witness",)
    assert claim.settle().status is proof.Status.PROVED


def test_the_solver_decides_comparisons_of_numbers() -> None:
    m = proof.SMT()
    assert z3.is_rational_value(m.read(m.number(3))) and z3.is_rational_value(m.read(m.number(F(1, 3))))
    assert (m.number(1) < 2) is True and (m.number(3) < 2) is False and (m.number(2) >= 2) is True
    x = m.variables({"x": "real"}).x
    assert isinstance(x < 2, Condition) and isinstance(1 / x == 1 / x, Condition)


def test_the_solver_takes_whole_powers_and_roots() -> None:
    for holds in (
        lambda v, m: 2 * m.power(v.x, F(1, 2)) <= v.x + m.power(v.x, 0),
        lambda v, m: m.power(v.x, 2) + m.power(v.x, 0) >= 2 * v.x,
    ):
        assert proof.Smt({"x": "positive"}, holds).settle().status is proof.Status.PROVED
    for exponent in (-1, F(1, 3)):
        x = proof.SMT().variables({"x": "real"}).x
        refused("z3 decides polynomials only", proof.SMT().power, x, exponent, error=proof.Undecided)
