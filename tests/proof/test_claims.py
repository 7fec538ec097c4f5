"""Lies planted for the checker: each is a false statement, or one that its means do not show, and none is proved.

The expected verdict is asserted, not the absence of another: REFUTED where a witness must be found, UNKNOWN where the
means do not reach.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from refusals import refused
from splitcrit import gini, impurities, losses, pairwise_gain
from splitcrit.criteria import Criterion, decrease, twoing
from splitcrit.noise import class_conditional, symmetric
from splitcrit.proof import (
    ALL,
    BALL,
    All,
    Ball,
    Cases,
    Certificate,
    Claim,
    Each,
    Exhaustive,
    Field,
    Identity,
    Induction,
    Law,
    NearMiss,
    Not,
    Premise,
    Sign,
    Smt,
    Stated,
    Status,
    Theorem,
    Undecided,
    settle,
    upto,
)
from splitcrit.proof.points import points, raises

HALF = Fraction(1, 2)
CELLS = dict.fromkeys("abcd", "positive")
REFUTED, UNKNOWN = Status.REFUTED, Status.UNKNOWN


def table(v: Any) -> list[list[Any]]:
    return [[v.a, v.b], [v.c, v.d]]


def noisy(v: Any, channel: Any) -> list[list[Any]]:
    return [list(channel.on_distribution(row)) for row in table(v)]


def spoiled_at_1009(t: Any, m: Any) -> Any:
    """The pairwise gain, wrong whenever a node holds 1009 examples: an ``if`` on a comparison of terms."""
    size = sum(map(sum, t))
    return 2 * pairwise_gain.score(t, m) if size == 1009 else pairwise_gain.score(t, m)


def spoiled_where_1009(t: Any, m: Any) -> Any:
    """The same by ``m.where``, which settles both branches."""
    return m.where(sum(map(sum, t)) == 1009, 2, 1) * pairwise_gain.score(t, m)


def spoiled_where_square(t: Any, m: Any) -> Any:
    """Gini's gain, wrong where the first child has as many of one class as the product of two others says."""
    return m.where(t[0][0] * t[1][1] == 30 * t[0][1], 2, 1) * decrease(gini).score(t, m)


def is_area(score: Any) -> Identity:
    """The claim that the square of a score is a quarter of ``(ad - bc)^2``."""
    return Identity(CELLS, lambda v, m: score(table(v), m) ** 2, lambda v, m: (v.a * v.d - v.b * v.c) ** 2 / 4)


def rescaled(score: Any, factor: Any = lambda v: (1 - v.tau_pos - v.tau_neg) ** 2, power: int = 1) -> Identity:
    """The claim that class-conditional noise multiplies a power of a score by a factor."""
    rates = {**CELLS, "tau_pos": "rate", "tau_neg": "rate"}
    return Identity(
        rates,
        lambda v, m: score(noisy(v, class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg)), m) ** power,
        lambda v, m: factor(v) * score(table(v), m) ** power,
    )


def sizes(N: int) -> Iterator[tuple[int, ...]]:
    yield from (t for t in product(range(N + 1), repeat=4) if 0 < sum(t) <= N)


def atom(name: str, value: Any, domain: Any = None, kinds: Any = None, gap: Any = None) -> Certificate:
    """The claim that the gap is not negative since it is the one atom."""
    cases, atoms = lambda v, m: [([], [name])], lambda v, m: {name: value(v, m)}
    return Certificate(kinds or {"x": "rate"}, gap or value, cases, atoms, domain)


def power_sums(gap: Any, closed: Any, **more: Any) -> Induction:
    """An induction over sums of entries and of their squares."""
    return Induction("K", {"x": "count"}, gap, lambda e, v, m: [e.x, e.x**2], closed, **more)


def first(es: Any) -> Any:
    return sum(e.x for e in es)


def second(es: Any) -> Any:
    return sum(e.x**2 for e in es)


def within(p: Any, m: Any) -> Any:
    """Gini's impurity."""
    return gini.of(p, m)


LIES: dict[Status, dict[str, Claim]] = {
    UNKNOWN: {
        "a quotient that is positive far away": Identity(
            {"x": "real"},
            lambda v, m: v.x**2 * m.where(1 / (v.x - 1000) > 0, 2, 1),
            lambda v, m: v.x**2,
            lambda v, m: v.x != 1000,
        ),
        "a quotient that is not negative far away": Identity(
            {"x": "real"},
            lambda v, m: v.x**2 * m.where(1 / (v.x - 1000) >= 0, 2, 1),
            lambda v, m: v.x**2,
            lambda v, m: v.x != 1000,
        ),
        "an atom negative on a small part of its domain": atom(
            "a", lambda v, m: HALF - v.x, lambda v, m: v.x <= Fraction(51, 100)
        ),
        "a hypothesis weakened by a fiftieth": atom(
            "a", lambda v, m: Fraction(2, 3) - v.x, lambda v, m: [v.x <= Fraction(2, 3) + Fraction(1, 150)]
        ),
        "a library function wrong on a rare value, by if": is_area(spoiled_at_1009),
        "a library function wrong on a rare value, by where": is_area(spoiled_where_1009),
        "false on a small set of counts": Identity(
            {"n": "count"}, lambda v, m: v.n * m.where(v.n == 37, 2, 1), lambda v, m: v.n
        ),
        "false on a curve": rescaled(spoiled_where_square),
        "two enclosures that overlap": Exhaustive(lambda: [2], lambda n: root_of(n) ** 2 == n),
        "an empty domain": Identity({"x": "rate"}, lambda v, m: v.x, lambda v, m: 2 * v.x, lambda v, m: v.x > 1),
        "contradicting hypotheses": Smt({"x": "real"}, lambda v, m: v.x > 7, lambda v, m: [v.x > 1, v.x < 0]),
        "an enumeration of nothing": Exhaustive(Cases(sizes, N=upto(0)), lambda t: False),
        "undefined at the boundary": Identity({"n": "count"}, lambda v, m: v.n**2 / v.n, lambda v, m: v.n),
        "equal at the points looked at only": Identity(
            {"x": "rate"}, lambda v, m: v.x * (1 + zero_at_small_fractions(v.x)), lambda v, m: v.x
        ),
        "nothing is said": Identity({"x": "real"}, lambda v, m: v.x - v.x, lambda v, m: 0 * v.x),
        "not a rational function": Identity({"x": "real"}, lambda v, m: m.log(m.exp(v.x)), lambda v, m: v.x),
        "an extreme": Identity({"x": "real"}, lambda v, m: m.max((v.x, -v.x)), lambda v, m: m.abs(v.x)),
        "an order settled by its generic branch": Identity(
            {"x": "real"}, lambda v, m: m.where(v.x > 10**6, 0, v.x), lambda v, m: v.x
        ),
        "a branch that divides by zero": Identity(
            {"n": "count"}, lambda v, m: m.where(v.n == 0, 1 / (v.n * v.n), v.n), lambda v, m: v.n
        ),
        "not the stated sum": Certificate(
            {"x": "real", "y": "real"}, lambda v, m: (v.x - v.y) ** 2, lambda v, m: [([v.x + v.y], [])]
        ),
        "an enclosure around zero": Sign(lambda m: [m.sqrt(2) * m.sqrt(2) - 2]),
        "a difference below the precision": Sign(lambda m: [m.exp(Fraction(-400)) - m.exp(Fraction(-400))]),
        "nothing is enclosed": Sign(lambda m: []),
    },
    REFUTED: {
        "mean and variance exchanged in a sum of both": All(
            Identity(CELLS, lambda v, m: v.a + v.b, lambda v, m: v.c * v.d),
            Identity(CELLS, lambda v, m: v.c * v.d, lambda v, m: v.a + v.b),
        ),
        "for all read where some is meant": Exhaustive(Cases(sizes, N=upto(4)), lambda t: t[0] <= t[1]),
        "a witness taken for a law": Not(Exhaustive(Cases(sizes, N=upto(4)), lambda t: sum(t) <= 4)),
        "one of three values fails": Each("K", (2, 3, 4), lambda K: Exhaustive(lambda: [K], lambda k: k != 4)),
        "true inside, false at the end": Smt({"x": "rate"}, lambda v, m: v.x * v.x < 1),
        "a domain that only sampling would see as safe": Smt(
            {"x": "rate"}, lambda v, m: v.x * 10**9 >= 1, lambda v, m: [v.x > 0]
        ),
        "a kind read as positive": Smt({"n": "count"}, lambda v, m: v.n > 0),
        "a factor left out": rescaled(pairwise_gain.score, lambda v: 1, power=2),
        "the square root of a factor": rescaled(decrease(gini).score, lambda v: 1 - v.tau_pos - v.tau_neg),
        "a sign": Identity({"x": "real", "y": "real"}, lambda v, m: (v.x - v.y) ** 2, lambda v, m: v.x**2 + v.y**2),
        "an absolute value dropped": Identity({"x": "real"}, lambda v, m: m.abs(v.x), lambda v, m: v.x),
        "a root of a square": Identity({"x": "real"}, lambda v, m: m.sqrt(v.x**2), lambda v, m: v.x),
        "a logarithm of 1": Sign(lambda m: [m.log(Ball(1))]),
        "the largest of two taken for one": Identity(
            {"x": "rate"}, lambda v, m: m.max((v.x, 1 - v.x)), lambda v, m: v.x
        ),
        "a negative gap": atom("x", lambda v, m: v.x - 1),
        "an atom that needs what is to be shown": Certificate(
            {"x": "real"}, lambda v, m: v.x**3, lambda v, m: [([v.x], ["x"])], lambda v, m: {"x": v.x}
        ),
        "a base that holds and a step that does not": power_sums(
            lambda es, v, m: 5 - len(es), lambda s, v, m: 5 - 2 + 0 * s[0], relation=">="
        ),
        "a step without its base": power_sums(lambda es, v, m: first(es) - 1, lambda s, v, m: s[0] - 1, relation=">="),
        "an invariant that is not kept": power_sums(
            lambda es, v, m: 10 * first(es) - second(es),
            lambda s, v, m: 10 * s[0] - s[1],
            relation=">=",
            keeps=lambda s, v, m: [s[0] <= 20],
        ),
        "sums that are not those of the formula": power_sums(
            lambda es, v, m: first(es) ** 2 - second(es), lambda s, v, m: s[0] ** 2 - s[1] + 1, relation=">="
        ),
        "true of two entries, false of three": Induction(
            "K",
            {"x": "count"},
            lambda es, v, m: 2 * second(es) - first(es) ** 2,
            lambda e, v, m: [e.x, e.x**2],
            lambda s, v, m: 2 * s[1] - s[0] ** 2,
            relation=">=",
        ),
        "one of two enclosures is negative": Sign(lambda m: [m.sqrt(2), 1 - m.sqrt(2)]),
        "uniform noise of three classes with the factor of two": Identity(
            {**dict.fromkeys(("p", "q", "r"), "positive"), "eta": "rate"},
            lambda v, m: symmetric(v.eta).on_distribution([v.p, v.q, v.r])[0],
            lambda v, m: (1 - v.eta) * v.p + v.eta * (v.q + v.r),
        ),
        "twoing is Gini's gain": Identity(
            CELLS, lambda v, m: twoing.score(table(v), m), lambda v, m: decrease(gini).score(table(v), m)
        ),
        "Gini's impurity is the risk of half the shares": Identity(
            {"p": "rate"},
            lambda v, m: losses.risk(gini.loss, [v.p / 2, 1 - v.p / 2], [v.p, 1 - v.p], m),
            lambda v, m: within([v.p, 1 - v.p], m),
        ),
        "Gini's impurity is at most a quarter": Smt(
            {"p": "rate"}, lambda v, m: within([v.p, 1 - v.p], m) <= Fraction(1, 4)
        ),
    },
}


def root_of(n: int) -> Any:
    return BALL.sqrt(n)


def zero_at_small_fractions(x: Any) -> Any:
    """A polynomial that is 0 at every fraction with a denominator of at most 12, as samples have."""
    whole: Any = 1
    for bottom in range(1, 13):
        for top in range(bottom + 1):
            if Fraction(top, bottom).denominator == bottom:
                whole = whole * (bottom * x - top)
    return whole


@pytest.mark.parametrize(("expected", "name"), [(verdict, name) for verdict, lies in LIES.items() for name in lies])
def test_a_planted_lie_has_the_verdict_it_deserves(expected: Status, name: str) -> None:
    found = LIES[expected][name].settle()
    assert found.status is expected, found


def test_a_step_that_fails_is_named_with_its_witness() -> None:
    found = LIES[REFUTED]["a step without its base"].settle()
    assert found.evidence.startswith("2 entries: ") and found.witness == "x0 = 0, x1 = 0"


def test_a_shrunk_enumeration_says_so() -> None:
    law = Law(lambda N: Exhaustive(Cases(sizes, N=upto(N)), lambda t: sum(t) > 0), N=12)
    assert law.scope().words() == "N <= 12"
    shrunk = law.but(N=5).claim
    assert shrunk.scope().words() == "N <= 5" and "all 125 cases" in shrunk.settle().evidence


def test_the_weakest_part_is_named() -> None:
    small = Exhaustive(Cases(sizes, N=upto(3)), lambda t: True)
    large = Exhaustive(Cases(sizes, N=upto(5)), lambda t: True)
    assert All(law=large, the_library=small).scope().words() == "N <= 3 (by the library)"
    assert All(Stated(small, K=2), large).scope().words() == "K = 2 (stated); N <= 3"
    with pytest.raises(ValueError, match="the parts of a statement must have a value of K in common; got none"):
        All(Each("K", (2,), lambda K: small), Each("K", (3,), lambda K: small)).scope()


def test_a_scope_is_widened_by_a_premise_only() -> None:
    lie = Each("K", (2, 3), lambda K: Exhaustive(lambda: [K], lambda k: k < 4))
    assert lie.scope().listed == {""}
    misses = tuple(NearMiss("K = 4", Exhaustive(lambda: [4], lambda k: k < 4)) for _ in range(2))
    plain = Theorem("a.b", "K is below 4", "nobody2000, eq. (1)", lie, misses)
    assert plain.settled_for.words() == "K = 2, 3; listed cases" and settle(plain).settled
    claimed = Theorem("a.b", "K is below 4", "n2000", lie, misses, (Premise("believe me", "hand", {"K": ALL}),))
    assert claimed.settled_for.words() == "all K; listed cases" and str(claimed.premises[0]) == "believe me"


def test_a_float_is_no_evidence() -> None:
    found = Identity({"x": "real"}, lambda v, m: float(v.x), lambda v, m: v.x).settle()
    assert found.status is UNKNOWN and "uses float" in found.evidence
    found = Identity({"x": "real"}, lambda v, m: np.float64(v.x), lambda v, m: v.x).settle()
    assert found.status is UNKNOWN and "uses numbers of type float64" in found.evidence
    with pytest.raises(TypeError, match="values in an exact check must be exact; got the float"):
        Identity({"x": "real"}, lambda v, m: np.sqrt(2) * v.x, lambda v, m: v.x).settle()


def test_the_lies_are_about_a_checker_that_proves_the_truth() -> None:
    """Each kind of claim proves what differs from a lie in one thing."""
    truths: list[Claim] = [
        rescaled(decrease(gini).score),
        is_area(pairwise_gain.score),
        rescaled(pairwise_gain.score, power=2),
        atom("a", lambda v, m: HALF - v.x, lambda v, m: v.x <= HALF),
        power_sums(
            lambda es, v, m: first(es) ** 2 - second(es),
            lambda s, v, m: s[0] ** 2 - s[1],
            relation=">=",
            keeps=lambda s, v, m: [s[0] >= 0],
        ),
        Sign(lambda m: [m.sqrt(2), m.sqrt(2) - 1]),
        Identity({"n": "count"}, lambda v, m: v.n * m.where(v.n == 0, 2, 1), lambda v, m: v.n),
        Smt({"p": "rate"}, lambda v, m: within([v.p, 1 - v.p], m) <= HALF),
    ]
    assert [claim.settle().status for claim in truths] == [Status.PROVED] * len(truths)


def test_a_wrong_criterion_is_caught_on_every_route() -> None:
    wrong = Criterion("wrong", spoiled_where_1009)
    assert is_area(wrong.score).settle().status is UNKNOWN
    cases = Cases(lambda N: [((N - 3, 1), (1, 1))], N=1009)
    exact = Exhaustive(cases, lambda t: wrong.exact(t) == pairwise_gain.exact(t))
    assert exact.settle().status is REFUTED


# What the checker proves and refutes, and with which witness.

RIGHT = Identity({"x": "real"}, lambda v, m: (v.x + 1) ** 2, lambda v, m: v.x**2 + 2 * v.x + 1)
WRONG = Identity({"x": "real"}, lambda v, m: (v.x + 1) ** 2, lambda v, m: v.x**2 + 1)


def status(claim) -> Status:  # type: ignore[no-untyped-def]
    return claim.settle().status


def test_a_true_identity_is_proved_and_a_false_one_refuted_with_a_witness() -> None:
    assert status(RIGHT) is Status.PROVED
    found = WRONG.settle()
    assert found.status is Status.REFUTED and found.witness.startswith("x = ")


def test_a_claim_false_on_a_small_set_is_not_proved() -> None:
    peak = Identity({"n": "count"}, lambda v, m: v.n * m.where(v.n == 37, 2, 1), lambda v, m: v.n)
    assert status(peak) is Status.UNKNOWN and "where n - 37 == 0: True" in peak.settle().evidence
    ways = Identity({"n": "count"}, lambda v, m: v.n * m.where(v.n == 0, 2, 1), lambda v, m: v.n)
    assert "on each of 2 branches" in ways.settle().evidence
    edge = Identity({"n": "count"}, lambda v, m: v.n * v.n / v.n, lambda v, m: v.n)
    assert edge.settle().evidence.startswith("undefined at n = 0, a point of its domain")


def test_roots_are_known_by_their_squares_only() -> None:
    variables = {"x": "real"}
    assert status(Identity(variables, lambda v, m: m.abs(v.x) ** 2, lambda v, m: v.x**2)) is Status.PROVED
    assert status(Identity(variables, lambda v, m: m.abs(v.x), lambda v, m: v.x)) is Status.REFUTED
    ring = Field({"x": "real", "y": "count"})
    x, y = ring.variables["x"], ring.variables["y"]
    assert not ring.is_zero(ring.abs(x) - x) and ring.is_zero(ring.abs(y) - y)
    assert not ring.is_zero(ring.log(1 / x) - ring.log(-x)) and ring.is_zero(ring.log(x) - ring.log(2 * x / 2))
    assert not ring.is_zero(ring.sqrt(x * x) - x) and ring.is_zero(ring.sqrt(y * y) - y)
    assert ring.is_zero(ring.sqrt(x + y) * ring.sqrt(x + y) - x - y)
    refused(r"write it as m\.where", bool, x >= y, error=Undecided)
    with pytest.raises(Undecided, match="must be exact; got the float"):
        x * 0.5


def test_a_certificate_must_be_the_gap_and_its_atoms_non_negative() -> None:
    negative = Certificate({"x": "real"}, lambda v, m: v.x, lambda v, m: [([], ["x"])], lambda v, m: {"x": v.x})
    assert status(negative) is Status.REFUTED
    atom = Certificate({"x": "real"}, lambda v, m: v.x**2, lambda v, m: [([], ["a", "a"])], lambda v, m: {"a": v.x})
    found = atom.settle()
    assert found.status is Status.UNKNOWN and found.evidence.startswith("atom a is negative at ")
    named = Certificate({"x": "rate"}, lambda v, m: v.x, lambda v, m: [([], ["x"])], lambda v, m: {"x": v.x})
    assert status(named) is Status.PROVED


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
    assert status(All(RIGHT, WRONG)) is Status.REFUTED
    assert status(All(RIGHT, RIGHT)) is Status.PROVED
    assert status(All()) is Status.UNKNOWN
    assert status(Not(WRONG)) is Status.PROVED and status(Not(RIGHT)) is Status.REFUTED


def theorem(holds, *fails) -> Theorem:  # type: ignore[no-untyped-def]
    return Theorem("a.b", "statement", "nobody2000, eq. (1)", holds, tuple(NearMiss("n", f) for f in fails))


def test_a_theorem_needs_two_near_misses_that_die() -> None:
    assert settle(theorem(RIGHT, WRONG, WRONG)).settled
    assert not settle(theorem(RIGHT, WRONG, RIGHT)).settled  # a near-miss that is secretly true
    assert not settle(theorem(WRONG, WRONG, WRONG)).settled
    refused("at least two near-misses; got 1", theorem, RIGHT, WRONG)
    assert theorem(RIGHT, WRONG, WRONG).paper == "nobody2000"


def test_points_are_the_same_on_every_run() -> None:
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
    refused(r"^[^;]*function[^;]*; got .*; pass lambda", made(odd).settle, error=TypeError)


def test_an_enumeration_that_returns_no_cases_is_refused_in_a_sentence() -> None:
    with pytest.raises(TypeError, match="an enumeration is a function that returns its cases; got 3; pass lambda"):
        Exhaustive(lambda: 3, lambda case: True).settle()  # type: ignore[arg-type,return-value]


def test_what_a_function_raises_is_told_and_other_exceptions_are_passed_on() -> None:
    assert raises(ValueError, int, "one") and not raises(ValueError, int, "1")
    with pytest.raises(TypeError):
        raises(ValueError, int, [])
