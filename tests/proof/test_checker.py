"""The checker against planted lies: what is false, vacuous, constant or undefined must never come out proved."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import pytest

from splitcrit import impurities
from splitcrit.proof import (
    BALL,
    All,
    Cases,
    Certificate,
    Exhaustive,
    Field,
    Identity,
    Induction,
    NearMiss,
    Not,
    Sign,
    Smt,
    Status,
    Theorem,
    Undecided,
    settle,
    upto,
)

TRUE = Identity({"x": "real"}, lambda v, m: (v.x + 1) ** 2, lambda v, m: v.x**2 + 2 * v.x + 1)
FALSE = Identity({"x": "real"}, lambda v, m: (v.x + 1) ** 2, lambda v, m: v.x**2 + 1)


def status(claim) -> Status:  # type: ignore[no-untyped-def]
    return claim.settle().status


def test_a_true_identity_is_proved_and_a_false_one_refuted_with_a_witness() -> None:
    assert status(TRUE) is Status.PROVED
    found = FALSE.settle()
    assert found.status is Status.REFUTED and found.witness.startswith("x = ")


def test_a_claim_false_on_a_small_set_is_not_proved() -> None:
    peak = Identity({"n": "count"}, lambda v, m: v.n * m.where(v.n == 37, 2, 1), lambda v, m: v.n)
    assert "on each of 2 branches" in Identity(
        {"n": "count"}, lambda v, m: v.n * m.where(v.n == 0, 2, 1), lambda v, m: v.n
    ).settle().evidence  # fmt: skip
    assert status(peak) is Status.UNKNOWN and "where n - 37 == 0: True" in peak.settle().evidence
    caught = Exhaustive(lambda: range(100), lambda n: (n * 2 if n == 37 else n) == n)
    assert status(caught) is Status.REFUTED and caught.settle().witness == "37"
    edge = Smt({"x": "rate", "y": "rate"}, lambda v, m: v.x * v.y < 1)
    assert status(edge) is Status.REFUTED and edge.settle().witness == "x = 1, y = 1"


def test_division_by_zero_at_the_boundary_is_no_theorem() -> None:
    everywhere = Identity({"n": "count"}, lambda v, m: v.n * v.n / v.n, lambda v, m: v.n)
    assert everywhere.settle().evidence.startswith("undefined at n = 0, a point of its domain")
    inside = Identity({"n": "count"}, lambda v, m: v.n * v.n / v.n, lambda v, m: v.n, domain=lambda v, m: v.n > 0)
    assert status(inside) is Status.PROVED


def test_roots_are_known_by_their_squares_only() -> None:
    variables = {"x": "real"}
    assert status(Identity(variables, lambda v, m: m.abs(v.x) ** 2, lambda v, m: v.x**2)) is Status.PROVED
    assert status(Identity(variables, lambda v, m: m.abs(v.x), lambda v, m: v.x)) is Status.REFUTED
    ring = Field({"x": "real", "y": "count"})
    x, y = ring.variables["x"], ring.variables["y"]
    assert not ring.is_zero(ring.abs(x) - x) and ring.is_zero(ring.abs(y) - y)
    assert not ring.is_zero(ring.sqrt(x * x) - x) and ring.is_zero(ring.sqrt(y * y) - y)
    assert ring.is_zero(ring.sqrt(x + y) * ring.sqrt(x + y) - x - y)
    with pytest.raises(Undecided, match=r"write it as m\.where"):
        bool(x >= y)
    with pytest.raises(Undecided, match="must be exact; got the float"):
        x * 0.5


def test_a_certificate_must_be_the_gap_and_its_atoms_non_negative() -> None:
    def square(v, m):  # type: ignore[no-untyped-def]
        return v.x * v.x - 2 * v.x * v.y + v.y * v.y

    variables = {"x": "real", "y": "real"}
    assert status(Certificate(variables, square, lambda v, m: [([v.x - v.y], [])])) is Status.PROVED
    assert status(Certificate(variables, square, lambda v, m: [([v.x + v.y], [])])) is Status.UNKNOWN
    negative = Certificate(variables, lambda v, m: v.x, lambda v, m: [([], ["x"])], lambda v, m: {"x": v.x})
    assert status(negative) is Status.REFUTED
    atom = Certificate({"x": "real"}, lambda v, m: v.x**2, lambda v, m: [([], ["a", "a"])], lambda v, m: {"a": v.x})
    found = atom.settle()
    assert found.status is Status.UNKNOWN and found.evidence.startswith("atom a is negative at ")
    assert (
        status(Certificate({"x": "rate"}, lambda v, m: v.x, lambda v, m: [([], ["x"])], lambda v, m: {"x": v.x}))
        is Status.PROVED
    )


def test_z3_counterexamples_are_confirmed_exactly() -> None:
    found = Smt({"p": "rate"}, lambda v, m: impurities.misclassification.of([v.p, 1 - v.p], m) > 0).settle()
    assert found.status is Status.REFUTED and found.witness in ("p = 0", "p = 1")
    root = Smt({"x": "rate"}, lambda v, m: m.sqrt(v.x) >= v.x).settle()
    assert root.status is Status.PROVED


def test_enclosures_prove_signs_and_refuse_to_guess() -> None:
    assert status(Sign(lambda m: [m.sqrt(2) - Fraction(141421, 100000)])) is Status.PROVED
    assert status(Sign(lambda m: [m.sqrt(2) - Fraction(141422, 100000)])) is Status.REFUTED
    with pytest.raises(Undecided):
        bool(BALL.sqrt(2) * BALL.sqrt(2) > 2)
    with pytest.raises(ZeroDivisionError):
        1 / (BALL.sqrt(2) * BALL.sqrt(2) - 2)


def test_conjunction_and_negation() -> None:
    assert status(All(TRUE, FALSE)) is Status.REFUTED
    assert status(All(TRUE, TRUE)) is Status.PROVED
    assert status(All()) is Status.UNKNOWN
    assert status(Not(FALSE)) is Status.PROVED and status(Not(TRUE)) is Status.REFUTED


def theorem(holds, *fails) -> Theorem:  # type: ignore[no-untyped-def]
    return Theorem("a.b", "statement", "nobody2000, eq. (1)", holds, tuple(NearMiss("n", f) for f in fails))


def test_a_theorem_needs_two_near_misses_that_die() -> None:
    assert settle(theorem(TRUE, FALSE, FALSE)).settled
    assert not settle(theorem(TRUE, FALSE, TRUE)).settled  # a near-miss that is secretly true
    assert not settle(theorem(FALSE, FALSE, FALSE)).settled
    with pytest.raises(ValueError, match="at least two near-misses; got 1"):
        theorem(TRUE, FALSE)
    assert theorem(TRUE, FALSE, FALSE).paper == "nobody2000"


def test_points_are_the_same_on_every_run() -> None:
    from splitcrit.proof.points import points

    def first() -> list[SimpleNamespace]:
        return [v for v, _ in zip(points({"x": "real", "n": "count"}, None), range(5), strict=False)]

    assert first() == first()


def test_a_field_knows_the_sign_of_what_is_surely_negative() -> None:
    chosen = lambda v, m: m.where((-v.x - 1) / (v.y + 1) < 0, v.x, v.y)  # noqa: E731
    assert Identity({"x": "positive", "y": "positive"}, chosen, lambda v, m: v.x).settle().status is Status.PROVED
    assert Identity({"x": "positive", "y": "positive"}, chosen, lambda v, m: v.y).settle().status is Status.REFUTED


def test_a_certificate_that_is_undefined_somewhere_settles_nothing() -> None:
    undefined = Certificate({"x": "real"}, lambda v, m: 1 / v.x**2, lambda v, m: [([1 / v.x], [])]).settle()
    assert undefined.status is Status.UNKNOWN and "undefined" in undefined.evidence


def test_an_equation_holds_of_any_number_of_entries() -> None:
    twice = Induction(
        "K", {"x": "count"}, lambda es, v, m: sum(2 * e.x for e in es) - 2 * sum(e.x for e in es),
        lambda e, v, m: [e.x, 2 * e.x], lambda s, v, m: s[1] - 2 * s[0],
        keeps=lambda s, v, m: [s[1] <= 2 * s[0], s[1] >= 2 * s[0]],
    )  # fmt: skip
    assert twice.settle().status is Status.PROVED
    thrice = replace(twice, closed=lambda s, v, m: s[1] - 3 * s[0] + s[0])
    assert thrice.settle().status is Status.PROVED
    wrong = replace(twice, formula=lambda es, v, m: sum(3 * e.x for e in es) - 2 * sum(e.x for e in es))
    assert wrong.settle().status is Status.REFUTED


ODD = [3, None, [1, 2], (i for i in range(3)), "abc", {0: 1}]


@pytest.mark.parametrize(
    "made",
    [
        lambda odd: Exhaustive(odd, lambda case: True),
        lambda odd: Exhaustive(lambda: range(3), odd),
        lambda odd: Exhaustive(Cases(odd, N=upto(3)), lambda case: True),
        lambda odd: Identity({"x": "real"}, odd, lambda v, m: v.x),
        lambda odd: Identity({"x": "real"}, lambda v, m: v.x, odd),
        lambda odd: Sign(odd),
        lambda odd: Smt({"x": "real"}, odd),
    ],
    ids=range(7),
)
@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_a_claim_made_of_no_functions_is_refused_in_a_sentence(made, odd) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(TypeError, match=r"^[^;]*function[^;]*; got .*; pass lambda"):
        made(odd).settle()


def test_an_enumeration_that_returns_no_cases_is_refused_in_a_sentence() -> None:
    with pytest.raises(TypeError, match="an enumeration is a function that returns its cases; got 3; pass lambda"):
        Exhaustive(lambda: 3, lambda case: True).settle()  # type: ignore[arg-type,return-value]
