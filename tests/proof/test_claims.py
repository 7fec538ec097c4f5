"""Lies planted for the checker: each is a false statement, or one that its means do not show, and none is proved.

The expected verdict is asserted, not the absence of another: REFUTED where a witness must be found, UNKNOWN where the
means do not reach.
"""

import cmath
import functools
import itertools
import math
import operator
import pprint
import random
import re
import reprlib
import statistics
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction as F
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from refusals import refused
from splitcrit import gini, impurities, pairwise_gain, proof, symmetric
from splitcrit.arith import EXACT, total
from splitcrit.criteria import Criterion, decrease
from splitcrit.noise import class_conditional
from splitcrit.proof import (
    BALL,
    SMT,
    All,
    Cases,
    Claim,
    Each,
    Exhaustive,
    Identity,
    Induction,
    Not,
    Sign,
    Smt,
    Status,
    only,
    upto,
)  # fmt: skip
from splitcrit.proof.points import Blind, points, raises, surely_equal
from splitcrit.proofs import catalogue

HALF = F(1, 2)
CELLS = dict.fromkeys("abcd", "positive")
REFUTED, UNKNOWN = Status.REFUTED, Status.UNKNOWN


def table(v: Any) -> list[list[Any]]:
    return [[v.a, v.b], [v.c, v.d]]


def noisy(v: Any, channel: Any) -> list[list[Any]]:
    return [list(channel.on_distribution(row)) for row in table(v)]


def spoiled_where_1009(t: Any, m: Any) -> Any:
    """The pairwise gain, wrong whenever a node holds 1009 examples; ``m.where`` settles both branches."""
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


def atom(name: str, value: Any, domain: Any = None, kinds: Any = None, gap: Any = None) -> proof.Certificate:
    """The claim that the gap is not negative since it is the one atom."""
    cases, atoms = lambda v, m: [([], [name])], lambda v, m: {name: value(v, m)}
    return proof.Certificate(kinds or {"x": "rate"}, gap or value, cases, atoms, domain)


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


LIES: dict[str, Claim] = {  # that are refuted
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
    "a sign": Identity({"x": "real", "y": "real"}, lambda v, m: (v.x - v.y) ** 2, lambda v, m: v.x**2 + v.y**2),
    "an absolute value dropped": Identity({"x": "real"}, lambda v, m: m.abs(v.x), lambda v, m: v.x),
    "a root of a square": Identity({"x": "real"}, lambda v, m: m.sqrt(v.x**2), lambda v, m: v.x),
    "a logarithm of 1": Sign(lambda m: [m.log(proof.Ball(1))]),
    "the largest of two taken for one": Identity({"x": "rate"}, lambda v, m: m.max((v.x, 1 - v.x)), lambda v, m: v.x),
    "a negative gap": atom("x", lambda v, m: v.x - 1),
    "an atom that needs what is to be shown": proof.Certificate(
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
    "true of two entries, false of three": power_sums(
        lambda es, v, m: 2 * second(es) - first(es) ** 2, lambda s, v, m: 2 * s[1] - s[0] ** 2, relation=">="
    ),
    "one of two enclosures is negative": Sign(lambda m: [m.sqrt(2), 1 - m.sqrt(2)]),
    "Gini's impurity is at most a quarter": Smt({"p": "rate"}, lambda v, m: within([v.p, 1 - v.p], m) <= F(1, 4)),
}


def zero_at_small_fractions(x: Any) -> Any:
    """A polynomial that is 0 at every fraction with a denominator of at most 12, as samples have."""
    whole: Any = 1
    for bottom in range(1, 13):
        for top in range(bottom + 1):
            if F(top, bottom).denominator == bottom:
                whole = whole * (bottom * x - top)
    return whole


@pytest.mark.parametrize("name", LIES)
def test_a_planted_lie_is_refuted(name: str) -> None:
    found = LIES[name].settle()
    assert found.status is REFUTED, found


def test_a_step_that_fails_is_named_with_its_witness() -> None:
    found = LIES["a step without its base"].settle()
    assert found.evidence.startswith("2 entries: ") and found.witness == "x0 = 0, x1 = 0"


def test_a_shrunk_enumeration_says_so() -> None:
    law = proof.Law(lambda N: Exhaustive(Cases(sizes, N=upto(N)), lambda t: sum(t) > 0), N=12)
    assert law.scope().words() == "N <= 12"
    shrunk = law.but(N=5).claim
    assert shrunk.scope().words() == "N <= 5" and "all 125 cases" in shrunk.settle().evidence


def test_the_weakest_part_is_named() -> None:
    small = Exhaustive(Cases(sizes, N=upto(3)), lambda t: True)
    large = Exhaustive(Cases(sizes, N=upto(5)), lambda t: True)
    assert All(law=large, the_library=small).scope().words() == "N <= 3 (by the library)"
    assert All(proof.Stated(small, K=2), large).scope().words() == "K = 2 (stated); N <= 3"
    with pytest.raises(ValueError, match="the parts of a statement must have a value of K in common; got none"):
        All(Each("K", (2,), lambda K: small), Each("K", (3,), lambda K: small)).scope()


def test_a_scope_is_widened_by_a_premise_only() -> None:
    lie = Each("K", (2, 3), lambda K: Exhaustive(lambda: [K], lambda k: k < 4))
    assert lie.scope().listed == {""}
    misses = tuple(proof.NearMiss("K = 4", Exhaustive(lambda: [4], lambda k: k < 4)) for _ in range(2))
    plain = proof.Theorem("a.b", "K is below 4", "nobody2000, eq. (1)", lie, misses)
    assert plain.settled_for.words() == "K = 2, 3; listed cases" and proof.settle(plain).settled
    claimed = proof.Theorem(
        "a.b", "K is below 4", "n2000", lie, misses, (proof.Premise("believe me", "hand", {"K": proof.ALL}),)
    )
    assert claimed.settled_for.words() == "all K; listed cases" and str(claimed.premises[0]) == "believe me"


def test_a_float_is_no_evidence() -> None:
    found = Identity({"x": "real"}, lambda v, m: np.float64(v.x), lambda v, m: v.x).settle()
    assert found.status is UNKNOWN and "uses numbers of type float64" in found.evidence
    with pytest.raises(TypeError, match="values in an exact check must be exact; got the float"):
        Identity({"x": "real"}, lambda v, m: np.sqrt(2) * v.x, lambda v, m: v.x).settle()


def test_a_wrong_criterion_is_caught_on_every_route() -> None:
    wrong = Criterion("wrong", spoiled_where_1009)
    assert is_area(wrong.score).settle().status is UNKNOWN
    cases = Cases(lambda N: [((N - 3, 1), (1, 1))], N=1009)
    exact = Exhaustive(cases, lambda t: wrong.exact(t) == pairwise_gain.exact(t))
    assert exact.settle().status is REFUTED


# What the checker proves and refutes, and with which witness.

RIGHT = Identity({"x": "real"}, lambda v, m: (v.x + 1) ** 2, lambda v, m: v.x**2 + 2 * v.x + 1)
WRONG = replace(RIGHT, right=lambda v, m: v.x**2 + 1)


def test_a_claim_is_settled_on_each_of_its_branches() -> None:
    ways = Identity({"n": "count"}, lambda v, m: v.n * m.where(v.n == 0, 2, 1), lambda v, m: v.n)
    assert "on each of 2 branches" in ways.settle().evidence


def test_the_atoms_of_a_certificate_are_not_negative() -> None:
    atom = proof.Certificate(
        {"x": "real"}, lambda v, m: v.x**2, lambda v, m: [([], ["a", "a"])], lambda v, m: {"a": v.x}
    )
    found = atom.settle()
    assert found.status is UNKNOWN and found.evidence.startswith("atom a is negative at ")


def test_z3_counterexamples_are_confirmed_exactly() -> None:
    found = Smt({"p": "rate"}, lambda v, m: impurities.misclassification.of([v.p, 1 - v.p], m) > 0).settle()
    assert found.status is Status.REFUTED and found.witness in ("p = 0", "p = 1")


def test_enclosures_prove_signs_and_refuse_to_guess() -> None:
    signs = [Sign(lambda m, x=x: [m.sqrt(2) - F(x, 100000)]).settle().status for x in (141421, 141422)]
    assert signs == [Status.PROVED, REFUTED]
    with pytest.raises(proof.Undecided):
        bool(BALL.sqrt(2) * BALL.sqrt(2) > 2)
    with pytest.raises(ZeroDivisionError):
        1 / (BALL.sqrt(2) * BALL.sqrt(2) - 2)


def test_conjunction_and_negation() -> None:
    claims = RIGHT, WRONG, All(RIGHT, WRONG), All(RIGHT, RIGHT), All(), Not(WRONG), Not(RIGHT)
    found, proved = [claim.settle() for claim in claims], Status.PROVED
    assert [each.status for each in found] == [proved, REFUTED, REFUTED, proved, UNKNOWN, proved, REFUTED]
    assert found[1].witness.startswith("x = ")


def theorem(holds, *fails) -> proof.Theorem:  # type: ignore[no-untyped-def]
    return proof.Theorem("a.b", "statement", "nobody2000, eq. (1)", holds, tuple(proof.NearMiss("n", f) for f in fails))


def test_a_theorem_needs_two_near_misses_that_die() -> None:
    assert proof.settle(theorem(RIGHT, WRONG, WRONG)).settled
    assert not proof.settle(theorem(RIGHT, WRONG, RIGHT)).settled  # a near-miss that is secretly true
    assert not proof.settle(theorem(WRONG, WRONG, WRONG)).settled
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
    undefined = proof.Certificate({"x": "real"}, lambda v, m: 1 / v.x**2, lambda v, m: [([1 / v.x], [])]).settle()
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


# Slips that an author of claims makes in good faith, and a few tricks: each is refused, for the reason that is named.


OBJECT = F(1009)
N, X, R = {"n": "count"}, {"x": "rate"}, {"x": "real"}
Make = Callable[[], Claim]


def cells(v: Any) -> tuple[Any, ...]:
    return v.a, v.b, v.c, v.d


def of_n(f: Callable[[Any], Any], g: Callable[[Any], Any] = lambda n: n, kind: str = "count") -> Identity:
    """The claim that a function of a count is another."""
    return Identity({"n": kind}, lambda v, m: f(v.n), lambda v, m: g(v.n))


def holds_zero(x: Any) -> bool:
    return bool(x.arb.contains(0))


def every(holds: Any, most: int = 4, **options: Any) -> Exhaustive:
    return Exhaustive(Cases(sizes, N=upto(most)), holds, **options)


def squares(formula: Any, closed: Any = lambda s, v, m: s[0] ** 2 - s[1], **more: Any) -> Induction:
    """The claim that a formula of counts, which is the square of the sum less that of squares, is not negative."""
    return power_sums(formula, closed, relation=">=", keeps=lambda s, v, m: [s[0] >= 0], **more)


def an_error_caught_that_a_comparison_raises() -> Claim:
    def f(n: Any) -> Any:
        try:
            if n == 1009:
                return 2 * n
        except ArithmeticError:
            pass
        return n

    return of_n(f)


def everything_caught() -> Claim:
    def f(n: Any) -> Any:
        try:
            return 2 * n if n == 1009 else n
        except:  # noqa: E722
            return n

    return of_n(f)


def an_error_suppressed_in_a_function_that_a_formula_calls() -> Claim:
    import contextlib

    def twice_at_1009(n: Any) -> Any:
        with contextlib.suppress(Exception):
            return 2 * n if n == 1009 else n
        return n

    return of_n(lambda n: 1 * twice_at_1009(n))


def a_case_that_is_a_generator_function() -> Claim:
    def holds(t: Any) -> Any:
        for x in t:
            yield x < 0

    return every(holds)


def an_atom_that_is_a_root() -> Claim:
    gap: Any = lambda v, m: (v.x - F(1, 17)) ** 2 - F(1, 10**7)  # noqa: E731
    return proof.Certificate(X, gap, lambda v, m: [([], ["r", "r"])], lambda v, m: {"r": m.sqrt(gap(v, m))})


def a_root_that_restricts_its_argument() -> Claim:
    few: Any = lambda v, m: [v.x < F(1, 20), v.x > 0]  # noqa: E731
    return Smt(X, lambda v, m: m.sqrt(v.x - F(1, 100000)) * 0 + v.x >= F(1, 100000), few)


def the_square_of_a_root() -> Claim:
    inner: Any = lambda v: (v.x - F(1, 17)) ** 2 - F(1, 10**7)  # noqa: E731
    return Identity({"x": "rate", "y": "count"}, lambda v, m: v.y * m.sqrt(inner(v)) ** 2, lambda v, m: v.y * inner(v))


def a_share_that_is_cancelled() -> Claim:
    pairs: Any = lambda v: [(v.n, 1)]  # noqa: E731
    one: Any = lambda v: 1  # noqa: E731
    return proof.BinomialIdentity(("n",), (((lambda v: (v.n - 5) / (v.n - 5)), pairs),), ((one, pairs),))


def an_error_caught_in_a_case() -> Claim:
    def holds(t: Any) -> bool:
        try:
            return bool(t[7] < 0)
        except Exception:
            return True

    return every(holds)


def a_formula_that_is_another_from_six_entries_on() -> Claim:
    def formula(es: Any, v: Any, m: Any) -> Any:
        gap = sum(e.x for e in es) ** 2 - sum(e.x**2 for e in es)
        return gap if len(es) < 6 else gap - 1

    return squares(formula)


def a_formula_that_counts_its_entries() -> Claim:
    def closed(s: Any, v: Any, m: Any) -> Any:
        return s[0] ** 2 - s[1]

    def formula(es: Any, v: Any, m: Any) -> Any:
        return closed([sum(e.x for e in es), sum(e.x**2 for e in es)], v, m) + 0 * len(es) + m.where(len(es) > 9, -1, 0)

    return squares(formula, closed)


def a_state_that_changes_nothing() -> Claim:
    calls = [0]

    def f(v: Any, m: Any) -> Any:
        calls[0] += 1
        return v.n

    return Identity(N, f, lambda v, m: v.n)


def a_subclass_that_is_not_used() -> Claim:
    class Lying(F):
        def __ne__(self, other: object) -> bool:
            return False

    return of_n(lambda n: n)


def parts_of_one_that_are_added() -> Claim:
    def formula(entries: Any, v: Any, m: Any) -> Any:
        parts = [e.x / (e.x + e.y) for e in entries], [e.y / (e.x + e.y) for e in entries]
        return sum(parts[0]) + sum(parts[1]), len(entries)

    kinds = {"x": "positive", "y": "positive"}
    return Induction("K", kinds, formula, lambda e, v, m: [m.number(1)], lambda s, v, m: (s[0], s[0]))


def noisy_shares_which_are_taken_class_by_class() -> Claim:
    def closed(s: Any, v: Any, m: Any) -> Any:
        other = v.eta / (s[2] - 1)
        stays = 1 - v.eta - other
        found = stays**2 * s[1] / s[0] ** 2 + 2 * stays * other + s[2] * other**2
        return found, found

    return shaken_squares(closed)


def of_one(holds: Callable[[Any], bool], *cases: Any) -> Exhaustive:
    return Exhaustive(lambda: cases or [F(2)], holds)


def same(left: Any) -> Identity:
    return Identity(N, left, lambda v, m: v.n)


def loops_over_nothing(t: tuple[int, ...]) -> bool:
    for x in (x for x in t if x > 50):  # noqa: SIM110
        if x < 100:
            return False
    return True


def matches(t: tuple[int, ...]) -> bool:
    match sum(t):
        case 77:
            return gini.of(list(t), EXACT) == 5
        case _:
            return True


def ends_early(t: tuple[int, ...]) -> bool:
    if sum(t) > 8:
        max(t)
        return True
    return sum(t) <= 8


def waits(t: tuple[int, ...]) -> bool:
    i = 9
    while i < 9:
        i += sum(t)
    return True


def remembers(n: int, seen: list[int] = []) -> bool:  # noqa: B006
    seen.append(n)
    return seen[0] <= n


def counts_calls() -> Claim:
    calls = 0

    def of(v: Any, m: Any) -> Any:
        nonlocal calls
        calls += 1
        return v.n if calls < 500 else 2 * v.n

    return same(of)


def lengthens() -> Claim:
    seen: list[int] = []

    def of(v: Any, m: Any) -> Any:
        seen.append(1)
        return v.n * (1 if len(seen) < 1000 else 2)

    return same(of)


def third(n: Any) -> Any:
    return n / 3


class Telling:
    """A formula that is an object."""

    def __call__(self, v: Any, m: Any) -> Any:
        return v.n if type(v.n) is not F or v.n < 41 else 2 * v.n


class Divided:
    """What divides by one function, which calls no other."""

    def __truediv__(self, other: int) -> int:
        return 2 * other


BOX = SimpleNamespace(of=lambda n: n if type(n) is not F or n < 41 else 2 * n)
DRAWS = itertools.count()
CALLS = {"n": 0}


def many_variables(used: int) -> Callable[[int], Claim]:
    def make(K: int) -> Claim:
        kinds = {f"p{i}": "rate" for i in range(K)}
        return Smt(kinds, lambda v, m: sum(getattr(v, f"p{i}") for i in range(min(used, K))) >= 0)

    return make


SLIPS: dict[str, tuple[str, Make]] = {  # claims that are refused, and the reason
    # false where no point is looked at
    "a quotient that is positive far away": ("has the term", lambda: Identity(
        R, lambda v, m: v.x**2 * m.where(1 / (v.x - 1000) > 0, 2, 1), lambda v, m: v.x**2, lambda v, m: v.x != 1000)),
    "a quotient that is not negative far away": ("has the term", lambda: Identity(
        R, lambda v, m: v.x**2 * m.where(1 / (v.x - 1000) >= 0, 2, 1), lambda v, m: v.x**2, lambda v, m: v.x != 1000)),
    "an atom negative on a small part of its domain": ("cannot show that atom a is non-negative",
        lambda: atom("a", lambda v, m: HALF - v.x, lambda v, m: v.x <= F(51, 100))),
    "a library function wrong on a rare value": ("- 1009 == 0: True", lambda: is_area(spoiled_where_1009)),
    "false on a small set of counts": ("where n - 37 == 0: True", lambda: Identity(
        N, lambda v, m: v.n * m.where(v.n == 37, 2, 1), lambda v, m: v.n)),
    "false on a curve": ("has the term", lambda: rescaled(spoiled_where_square)),
    "equal at the points looked at only": ("has the term", lambda: Identity(
        X, lambda v, m: v.x * (1 + zero_at_small_fractions(v.x)), lambda v, m: v.x)),
    "an order settled by its generic branch": ("where x - 1000000 > 0: True", lambda: Identity(
        R, lambda v, m: m.where(v.x > 10**6, 0, v.x), lambda v, m: v.x)),
    "an extreme": ("does not cancel", lambda: Identity(
        R, lambda v, m: m.max((v.x, -v.x)), lambda v, m: m.abs(v.x))),
    "not a rational function": ("no exponential function", lambda: Identity(
        R, lambda v, m: m.log(m.exp(v.x)), lambda v, m: v.x)),
    "not the stated sum": ("the gap is not the stated sum", lambda: proof.Certificate(
        {"x": "real", "y": "real"}, lambda v, m: (v.x - v.y) ** 2, lambda v, m: [([v.x + v.y], [])])),
    # empty, undefined or undecided
    "an empty domain": ("fewer than 16 points found in the domain", lambda: Identity(
        X, lambda v, m: v.x, lambda v, m: 2 * v.x, lambda v, m: v.x > 1)),
    "an enumeration of nothing": ("the enumeration is empty", lambda: every(lambda t: False, 0)),
    "nothing is enclosed": ("the list of values is empty", lambda: Sign(lambda m: [])),
    "undefined at the boundary": ("^undefined at n = 0, a point of its domain", lambda: of_n(lambda n: n**2 / n)),
    "a branch that divides by zero": ("^undefined at n = 0, a point of its domain", lambda: Identity(
        N, lambda v, m: m.where(v.n == 0, 1 / (v.n * v.n), v.n), lambda v, m: v.n)),
    "two enclosures that overlap": ("an enclosure that contains 0", lambda: Exhaustive(
        lambda: [2], lambda n: BALL.sqrt(n) ** 2 == n)),
    "an enclosure around zero": ("an enclosure that contains 0", lambda: Sign(
        lambda m: [m.sqrt(2) * m.sqrt(2) - 2])),
    "a size that is true unless it is 1009": ("the truth of a term", lambda: Identity(
        CELLS, lambda v, m: ((1 if sum(cells(v)) - 1009 else 2) * pairwise_gain.score(table(v), m)) ** 2,
        lambda v, m: (v.a * v.d - v.b * v.c) ** 2 / 4)),
    "a look-up by text": ("its text", lambda: of_n(lambda n: {"1009": 2}.get(str(n), 1) * n)),
    "a look-up by what is shown to a person": ("its text", lambda: of_n(lambda n: 2 * n if "1009" in repr(n) else n)),
    "a look-up by what reprlib writes": ("its text", lambda: of_n(lambda n: 2 * n if "1009" in reprlib.repr(n) else n)),
    "a look-up by what pprint writes": ("its text", lambda: of_n(
        lambda n: 2 * n if "1009" in pprint.pformat([n]) else n)),
    "a look-up by what a comparison looks like": ("its text", lambda: of_n(
        lambda n: 2 * n if "1009" in repr(n > 1009) else n)),
    "a whole part": ("its rounded value", lambda: of_n(lambda n: n - 0 * (n // 1000))),
    "parity": ("its rounded value", lambda: of_n(lambda n: n + n % 1)),
    "sorting terms": ("write it as m.where", lambda: Identity(
        CELLS, lambda v, m: sorted([v.a, v.b])[0] + sorted([v.a, v.b])[1], lambda v, m: v.a + v.b)),
    "the kind of number": ("its class", lambda: of_n(lambda n: 2 * n if isinstance(n, F) and n == 1009 else n)),
    "a part that only fractions have": ("its class", lambda: of_n(
        lambda n: 2 * n if hasattr(n, "numerator") and n == 1009 else n)),
    "a default for what only fractions have": ("its class", lambda: of_n(lambda n: n * getattr(n, "denominator", 1))),
    "the type of a number": ("asks for type", lambda: of_n(lambda n: 2 * n if type(n) is F and n == 1009 else n)),
    "which arithmetic it is": ("compares by `is`", lambda: Identity(
        N, lambda v, m: 2 * v.n if m is BALL else v.n, lambda v, m: v.n)),
    "which object it is": ("compares by `is`", lambda: of_n(lambda n: 2 * n if n is OBJECT else n)),
    "an error caught that a comparison raises": ("catches exceptions", an_error_caught_that_a_comparison_raises),
    "everything caught": ("catches exceptions", everything_caught),
    "an error suppressed in a function that a formula calls": ("catches exceptions",
        an_error_suppressed_in_a_function_that_a_formula_calls),
    "an error caught in a case": ("catches exceptions", an_error_caught_in_a_case),
    "a conclusion that is a tuple": ("of type tuple", lambda: Smt(
        X, lambda v, m: (gini.of([v.x, 1 - v.x], m) <= F(1, 4),))),
    "a hypothesis that is a tuple of tuples": ("of type tuple", lambda: Smt(
        X, lambda v, m: v.x >= 0, lambda v, m: [(v.x > 2,)])),
    "a case that is a list of failures": ("of type list", lambda: every(lambda t: [x for x in t if x >= 0])),
    "a conclusion that is a number": ("of type int", lambda: Smt(X, lambda v, m: 1)),
    "a conclusion that is a term": ("of type Term", lambda: Smt(X, lambda v, m: v.x - F(7, 13))),
    "a hypothesis that is a generator": ("of type generator", lambda: Smt(
        X, lambda v, m: v.x >= 0, lambda v, m: (v.x > i for i in range(2)))),
    "a case that is a generator function": ("of type generator", a_case_that_is_a_generator_function),
    "a case that is a numpy bool": ("of type bool_?", lambda: every(lambda t: np.array(t).max() > 0)),
    "a case that is an enclosure": ("of type Ball", lambda: Exhaustive(lambda: [2], lambda n: BALL.sqrt(n) - 2)),
    "a hypothesis of no count": ("vacuous", lambda: Smt(N, lambda v, m: v.n == F(1, 2), lambda v, m: 2 * v.n == 1)),
    "a hypothesis that divides by zero": ("vacuous", lambda: Smt(
        {"x": "real"}, lambda v, m: v.x == 0, lambda v, m: [1 / v.x == 0])),
    "a hypothesis about a root of what is negative": ("vacuous", lambda: Smt(
        {"x": "real"}, lambda v, m: v.x == 7, lambda v, m: [m.sqrt(-1 - v.x * v.x) == 1])),
    "what is taken together is cut to nothing": ("vacuous", lambda: every(
        lambda t: all(x == y for x, y in zip(t, (), strict=False)))),
    "a stated point that is none": ("do not hold at x = 2", lambda: Smt(
        {"x": "real"}, lambda v, m: v.x == 7, lambda v, m: [v.x > 3, v.x < 3], at={"x": F(2)})),
    "a stated point of another kind": ("do not hold at x = 3/2", lambda: Smt(
        {"x": "positive"}, lambda v, m: v.x > 0, lambda v, m: v.x > 1, at={"x": F(3, 2)})),
    "a formula that uses nothing": ("constant on the domain", lambda: Identity(
        X, lambda v, m: 0 * v.x, lambda v, m: v.x - v.x)),
    "an enumeration that ignores its bound": ("ignores its argument N", lambda: Exhaustive(
        Cases(lambda N: sizes(3), N=upto(40)), lambda t: sum(t) <= 3)),
    "an enumeration that caps its bound": ("the largest case has N = 3", lambda: Exhaustive(
        Cases(lambda N: sizes(min(N, 3)), N=upto(40)), lambda t: sum(t) <= 3)),
    "an enumeration that doubles its bound": ("the largest case has N = 6", lambda: Exhaustive(
        Cases(lambda N: sizes(2 * N), N=upto(3), size=sum), lambda t: sum(t) <= 6)),
    "an enumeration that stops growing": ("as many cases for", lambda: Exhaustive(
        Cases(lambda k: range(min(k, 3)), k=upto(9)), lambda n: n < 3)),
    "an enumeration that ignores the classes": ("ignores its argument K", lambda: Exhaustive(
        Cases(lambda N, K: sizes(N), N=upto(3), K=7), lambda t: sum(t) <= 3)),
    "a claim for each number that is the same claim": ("does not depend on", lambda: Each(
        "K", (2, 3, 4, 5), lambda K: Exhaustive(lambda: [2], lambda k: k < 3))),
    "a tolerance": ("uses sqrt", lambda: Exhaustive(lambda: [2], lambda n: abs(math.sqrt(n) ** 2 - n) < F(1, 10**9))),
    "a float among the constants": ("has a float as a constant", lambda: Exhaustive(
        lambda: [F(1, 3)], lambda x: x > 0.3333333)),
    "rounded numbers": ("uses round", lambda: Exhaustive(
        lambda: [F(1, 3)], lambda x: round(x, 3) == round(x + F(1, 10**6), 3))),
    "close numbers": ("uses allclose", lambda: Exhaustive(
        lambda: [F(1, 3)], lambda x: bool(np.allclose([1 / 3], [F(1, 3)])))),
    "numbers made floats": ("uses float", lambda: Exhaustive(
        lambda: [F(1, 3)], lambda x: float(x) == float(x + F(1, 10**30)))),
    "enclosures that do not differ": ("enclosures that do not differ", lambda: Exhaustive(
        lambda: [2], lambda n: not surely_equal(BALL.sqrt(n) ** 2, n + F(1, 10**100), False))),
    "a difference below the precision": ("enclosures that do not differ", lambda: Exhaustive(
        lambda: [1], lambda n: not surely_equal(BALL.exp(n), BALL.exp(n) + F(1, 10**200), False))),
    "enclosures that overlap": ("uses arb", lambda: Exhaustive(
        lambda: [2], lambda n: bool((BALL.sqrt(n) ** 2).arb.overlaps((proof.Ball(n) + F(1, 10**100)).arb)))),
    "an enclosure that holds zero, in a helper": ("uses arb", lambda: Exhaustive(
        lambda: [2], lambda n: holds_zero(BALL.sqrt(n) ** 2 - n))),
    "an atom that is a root": ("may be undefined", an_atom_that_is_a_root),
    "a root that restricts its argument": ("undefined where", a_root_that_restricts_its_argument),
    "a pole in a conclusion": ("undefined where", lambda: Smt(X, lambda v, m: 0 * (1 / (v.x - F(7, 13))) == 0)),
    "the square of a root": ("may be undefined", the_square_of_a_root),
    "a pole between the points": ("may be undefined", lambda: Identity(
        X, lambda v, m: v.x * (v.x - F(7, 13)) / (v.x - F(7, 13)), lambda v, m: v.x)),
    "a pole that a comparison hides": ("may be undefined", lambda: Identity(
        X, lambda v, m: m.where((v.x - F(7, 13)) / (v.x - F(7, 13)) > 0, v.x, 0), lambda v, m: v.x)),
    "a share that is cancelled": ("no denominator of a share may be 0", a_share_that_is_cancelled),
    "a logarithm of what may be zero": ("undefined|must be positive", lambda: Identity(
        {"n": "count", "k": "positive"}, lambda v, m: m.log(v.n * v.k), lambda v, m: m.log(v.n) + m.log(v.k))),
    "a case that divides by zero": ("Fraction\\(1, 0\\)|division", lambda: Exhaustive(
        lambda: [0], lambda n: F(1, 1) / n == 1)),
    "a kind that is none": ("the kind of a variable must be one of", lambda: Identity(
        {"x": "Real"}, lambda v, m: m.abs(v.x), lambda v, m: v.x)),
    "a formula that is another from six entries on": ("different normal forms",
        a_formula_that_is_another_from_six_entries_on),
    "a formula that counts its entries": ("different normal forms", a_formula_that_counts_its_entries),
    "a formula of the first four entries": ("a slice in", lambda: squares(
        lambda es, v, m: sum(e.x for e in es[:4]) ** 2 - sum(e.x**2 for e in es[:4]))),
    "a formula of every other entry": ("a slice in", lambda: squares(
        lambda es, v, m: sum(e.x for e in es[::1]) ** 2 - sum(e.x**2 for e in es))),
    # sizes
    "only the largest size": ("only N = 12 occurs",
        lambda: Exhaustive(Cases(lambda N: [N], N=upto(12)), lambda n: n == 12)),
    "only the double of the largest size": ("only N = 10 occurs",
        lambda: Exhaustive(Cases(lambda N: [(a, 2 * N - a) for a in range(N)], N=upto(5)), lambda t: sum(t) == 10)),
    "pure nodes of the second class of three": ("number 1 of every case is 0",
        lambda: Exhaustive(Cases(lambda N: [(0, n, 0) for n in range(1, N + 1)], N=upto(5)), lambda t: t[1] == sum(t))),
    "one table many times": ("as many cases for K = 4 as for 3",
        lambda: Exhaustive(Cases(lambda K: [(1, 1)] * K, K=upto(4)), lambda t: len(t) == 2)),
    # hypotheses
    "not a or b, where a never holds": ("vacuous: in no case did line",
        lambda: every(lambda t: not sum(t) > 5 or gini.of(list(t), EXACT) == 77)),
    "a loop over nothing": ("vacuous", lambda: every(loops_over_nothing)),
    "all of an empty filter": ("vacuous", lambda: every(lambda t: all(x > 9 for x in t if x > 8))),
    "one way of a conditional never taken": ("vacuous", lambda: every(lambda t: min(t) >= 0 if sum(t) < 9 else t == 1)),
    "a function that is never called": ("vacuous: in no case did line [1-9]",
        lambda: every(lambda t: {77: lambda: t == 1}.get(sum(t), lambda: True)())),
    "a case of match that never comes": ("vacuous", lambda: every(matches)),
    "a way to True never taken": ("vacuous", lambda: every(ends_early)),
    "a while that never runs": ("vacuous", lambda: every(waits)),
    "a default of next": ("vacuous", lambda: every(lambda t: next((x > 9 for x in t if x > 8), True))),
    "and after what is never true": ("vacuous", lambda: every(lambda t: not (sum(t) > 20 and max(t) < 0))),
    "hypotheses that hold nowhere": ("vacuous: the hypotheses hold in none of 69 cases",
        lambda: every(lambda t: max(t) > 99, hypotheses=lambda t: sum(t) > 20)),
    # variables
    "K variables, two used": ("for K = 3 nothing depends on", lambda: Each("K", (2, 3, 4, 5), many_variables(2))),
    "K variables, all but one used, in a conjunction": ("for K = 4 nothing depends on the variable p3",
        lambda: Each("K", (4,), lambda K: All(many_variables(9)(K), many_variables(3)(K)))),
    "an identity of one variable of four": ("nothing depends on the variables? b",
        lambda: Each("K", (2,), lambda K: Identity(CELLS, lambda v, m: K * v.a, lambda v, m: v.a + v.a))),
    "a rate of 2": ("the hypotheses do not hold at x = 2",
        lambda: Smt({"x": "rate"}, lambda v, m: v.x >= 2, lambda v, m: [v.x >= 2], at={"x": F(2)})),
    "a count of -1": ("the hypotheses do not hold",
        lambda: Smt(N, lambda v, m: v.n <= -1, lambda v, m: [v.n <= -1], at={"n": F(-1)})),
    "a positive count of 0": ("the hypotheses do not hold",
        lambda: Smt({"n": "positive"}, lambda v, m: v.n == 0, lambda v, m: [v.n <= 0], at={"n": F(0)})),
    # exactness
    "a root as a power": ("a root as a power", lambda: of_one(lambda x: (x**HALF) ** 2 > 2)),
    "a power of a whole number": ("a root as a power", lambda: of_one(lambda n: 2 ** F(n, 2) * 0 == 0, 1, 2)),
    "limit_denominator": ("limit_denominator: an exact claim",
        lambda: of_one(lambda x: (x + F(1, 10**9)).limit_denominator(100) == x)),
    "a decimal": ("uses Decimal", lambda: of_one(lambda n: Decimal(1) / Decimal(3) * 3 < n, 1)),
    "arrays of float32": ("uses numbers of type f",
        lambda: of_one(lambda n: bool((np.array([n], "f") + 1 == np.array([n], "f")).all()), 16777216)),
    "numbers of float64": ("of type float64", lambda: of_one(lambda n: bool(np.float64(n) + 1 == n), 2**60)),
    "rounded by format": ("uses float", lambda: of_one(lambda x: f"{float(x):.3f}" == "2.000")),
    "a tolerance of math": ("isclose", lambda: of_one(lambda x: math.isclose(x, x + F(1, 10**12)))),
    "a complex number": ("uses complex", lambda: of_one(lambda n: complex(n + 1) == complex(n), 10**17)),
    "a mean of floats": ("uses statistics", lambda: of_one(lambda n: statistics.mean([n, n + 1]) == n, 10**17)),
    "a mean of an array": ("of type mean", lambda: of_one(lambda n: bool(np.mean([n, n + 2]) == n), 2**60)),
    "a root of another module": ("uses cmath", lambda: of_one(lambda n: cmath.sqrt(n).real ** 2 > n, 2)),
    "a quotient by its function": ("uses truediv", lambda: of_one(lambda n: operator.truediv(n, 3) == n, 0)),
    "a quotient of whole numbers": ("/ of whole numbers", lambda: of_one(lambda n: n / 3 * 3 == n, 1, 2)),
    "a quotient in a function": ("/ of whole numbers", lambda: of_one(lambda n: third(n) * 3 == n, 1, 2)),
    "a quotient in a condition": ("/ of whole numbers",
        lambda: Exhaustive(lambda: [1, 2], lambda n: n < 3, hypotheses=lambda n: n / 3 < 1)),
    "cases that are quotients": ("/ of whole numbers",
        lambda: Exhaustive(Cases(lambda K: [(n / 3, n) for n in range(K)], K=upto(4)), lambda c: c[0] * 3 == c[1])),
    "a sum that wraps": ("whose whole numbers wrap", lambda: of_one(lambda n: int(np.array([n, n]).sum()) < 0, 2**62)),
    "a product that wraps": ("int64 of numpy", lambda: of_one(lambda n: bool(np.int64(n) ** 2 < 0), 3037000500)),
    "eight bits": ("of type int8", lambda: of_one(lambda n: bool(np.int8(n) + np.int8(1) < 0), 127)),
    "a random number": ("uses random", lambda: of_one(lambda n: random.random() < n, 1)),
    # which arithmetic runs
    "an argument of another name": ("may not ask", lambda: same(lambda v, a: v.n if a.name == "SMT" else 2 * v.n)),
    "getattr": ("may not ask which", lambda: same(lambda v, m: v.n if getattr(m, "na" + "me") != "EXACT" else 2 * v.n)),
    "an object that is called": ("asks for type", lambda: same(Telling())),
    "a function held by an object": ("asks for type", lambda: same(lambda v, m: BOX.of(v.n))),
    "a partial of an object": ("asks for type", lambda: same(functools.partial(Telling()))),
    # what calls share
    "a default that changes": ("a default that can change", lambda: Exhaustive(lambda: range(3, 9), remembers)),
    "an iterator": ("an iterator that its calls share", lambda: of_one(lambda n, draws=DRAWS: next(draws) < 500, 1)),
    "a counter in a closure": ("changes calls, which is not its own", counts_calls),
    "a list in a closure": ("changes seen, which is not its own", lengthens),
    "a dictionary of the module": ("changes CALLS", lambda: of_one(lambda n: CALLS.update(n=n) is None, 1)),
}  # fmt: skip
TRUE: dict[str, Make] = {
    "a state that changes nothing": a_state_that_changes_nothing,
    "a subclass that is not used": a_subclass_that_is_not_used,
    "hardly any work is needed": lambda: Smt({"x": "real"}, lambda v, m: v.x**2 >= -1, work=100_000),
    "the largest of two": lambda: Smt(dict.fromkeys("abcd", "count"), lambda v, m: m.max([v.a, v.b]) >= v.a),
    "three positive numbers": lambda: proof.Sign(lambda m: [1 - m.number(F(1, q)) for q in (10, 100, 1000)]),
    "a part that is enumerated, which the scope says": lambda: All(
        mean=of_n(lambda n: n * 2, lambda n: n + n), variance=Exhaustive(lambda: range(3), lambda n: n < 3)),
    "a root of what is not negative": lambda: Smt(X, lambda v, m: m.sqrt(v.x) >= v.x),
    "a pole outside the domain": lambda: Identity(
        X, lambda v, m: v.x * (v.x - F(7, 13)) / (v.x - F(7, 13)), lambda v, m: v.x, lambda v, m: v.x > F(7, 13)),
    "a division that where guards": lambda: Smt(
        N, lambda v, m: m.where(v.n == 0, 1, v.n / m.where(v.n == 0, 1, v.n)) == 1),
    "a stated point": lambda: Smt(
        {"x": "real"}, lambda v, m: v.x > 0, lambda v, m: [v.x == F(1, 10**6)], at={"x": F(1, 10**6)}),
    "all of what is there": lambda: every(lambda t: all(x >= 0 for x in t)),
    "an enumeration of every size": lambda: every(lambda t: sum(t) <= 4),
    "a formula of all entries": lambda: squares(lambda es, v, m: sum(e.x for e in es) ** 2 - sum(e.x**2 for e in es)),
    "the same, compared": lambda: squares(
        lambda es, v, m: sum(e.x for e in es[:4]) ** 2 - sum(e.x**2 for e in es[:4]), compared=True),
    "a root of a square of what is positive": lambda: Induction(
        "K", {"x": "count"}, lambda e, v, m: (sum(m.sqrt(x.x**2) for x in e), sum(x.x for x in e)),
        lambda e, v, m: [e.x], lambda s, v, m: (s[0], s[0])),
    "parts of one that are added": parts_of_one_that_are_added,
    "noisy shares, which are taken class by class": noisy_shares_which_are_taken_class_by_class,
    "a size of its own": lambda: Exhaustive(Cases(lambda N: [(N - 1, 1)], N=only(6)), lambda t: sum(t) == 6),
    "hypotheses that hold in some cases": lambda: every(lambda t: max(t) == 3, hypotheses=lambda t: t == (3, 0, 0, 0)),
    "what is false answers False": lambda: every(lambda t: False if sum(t) < 0 else min(t) >= 0),
    "a guard that raises": lambda: every(lambda t: bool(gini.of([F(x, sum(t)) for x in t], EXACT) >= 0)),
    "a parameter of the statement": lambda: Each("N", (2, 3), lambda N: of_one(lambda k: k == 2 or N < 0, 2)),
    "each variable is used": lambda: Each("K", (2, 3, 4, 5), many_variables(9)),
    "whole powers": lambda: of_one(lambda x: (x**2) ** F(3) == 64),
    "whole division": lambda: of_one(lambda x: x * 1000 // 7 == 285),
    "quotients of Fractions": lambda: of_one(lambda x: x / 3 * 3 == x and 3 / x * 2 == 3 and third(x) * 3 == x),
    "a quotient that calls nothing": lambda: of_one(lambda x: x / 2 == 4, Divided()),
    "a sum of Python's integers in numpy": lambda: of_one(
        lambda n: np.array([n, n], dtype=object).sum() == 2 * n, F(2**62)
    ),
    "a way that a keyword leaves out": lambda: of_one(lambda n, *, strict=True: n < 9 if strict else n <= 9, 1, 2),
    "a list of its own": lambda: of_one(lambda x: [x].append(x) is None),
    # what differs from a lie in one thing
    "noise that rescales Gini's gain": lambda: rescaled(decrease(gini).score),
    "noise that rescales the square of the pairwise gain": lambda: rescaled(pairwise_gain.score, power=2),
    "the pairwise gain is an area": lambda: is_area(pairwise_gain.score),
    "an atom that its domain keeps": lambda: atom("a", lambda v, m: HALF - v.x, lambda v, m: v.x <= HALF),
    "signs of two enclosures": lambda: Sign(lambda m: [m.sqrt(2), m.sqrt(2) - 1]),
    "Gini's impurity is at most a half": lambda: Smt(X, lambda v, m: within([v.x, 1 - v.x], m) <= HALF),
}  # fmt: skip


def verdict(make: Make) -> Any:
    """What becomes of a claim; one that cannot be made or settled is refused by its error."""
    try:
        return make().settle()
    except (TypeError, ValueError, ZeroDivisionError) as error:
        return SimpleNamespace(status=Status.UNKNOWN, evidence=str(error), method="error")


def shaken_squares(closed: Any) -> Induction:
    """The claim that the squares of noisy shares sum to a function of those of the shares."""

    def formula(entries: Any, v: Any, m: Any) -> Any:
        row = [e.n for e in entries]
        noisy = symmetric(v.eta).on_distribution([x / total(row) for x in row])
        return total([x * x for x in noisy]), closed([total(row), total([x * x for x in row]), len(row)], v, m)[1]

    adds: Any = lambda e, v, m: [e.n, e.n**2, m.number(1)]  # noqa: E731
    keeps: Any = lambda s, v, m: [s[0] > 0, s[2] >= 2]  # noqa: E731
    return Induction("K", {"n": "positive"}, formula, adds, closed, shared={"eta": "rate"}, keeps=keeps)


METHODS = {"ball", "binomials", "certificate", "each", "error", "exhaustive", "identity", "induction", "none",
           "sampled", "smt", "zeilberger"}  # fmt: skip


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_refused_for_its_reason(name: str) -> None:
    reason, make = SLIPS[name]
    found = verdict(make)
    assert found.status is Status.UNKNOWN and re.search(reason, found.evidence), found
    assert set(found.method.split(" + ")) <= METHODS


@pytest.mark.parametrize("name", TRUE)
def test_a_control_settles(name: str) -> None:
    found = TRUE[name]().settle()
    assert found.status is Status.PROVED, found


def test_a_scalar_of_numpy_that_wraps_is_an_error() -> None:
    with pytest.raises(FloatingPointError, match="overflow"):
        of_one(lambda n: bool(n * n < 0), np.arange(3037000500, 3037000501)[0]).settle()


def test_floats_may_divide_where_floats_are_compared() -> None:
    assert Exhaustive(lambda: [1, 2], lambda n: n / 3 * 3 == n, rounded=True).settle().status is Status.PROVED


def test_sizes_that_do_not_occur_are_said() -> None:
    pairs = Exhaustive(Cases(lambda N: [(n, n) for n in range(1, N // 2 + 1)], N=upto(8)), lambda t: t[0] == t[1])
    assert pairs.settle().evidence == "all 4 cases, exactly; the sizes that occurred are 2, 4, 6, 8"
    without = Exhaustive(Cases(lambda N: [n for n in range(1, N + 1) if n != N - 1], N=upto(4)), lambda n: n < 5)
    assert without.settle().evidence == "all 3 cases, exactly; the sizes that occurred are 1, 2, 4"


def test_hypotheses_are_counted_and_may_be_undecided() -> None:
    found = every(lambda t: True, hypotheses=lambda t: t[0] > 0).settle()
    assert found.evidence == "all 69 cases, exactly; the hypotheses hold in 35"
    odd = every(lambda t: True, hypotheses=lambda t: t[0]).settle()
    assert odd.status is Status.UNKNOWN and "a hypothesis must be true or false" in odd.evidence


def test_an_arithmetic_shows_its_operations_alone() -> None:
    m = Blind(EXACT)
    assert m.number(2) == 2 and m.where(True, 1, 0) == 1 and m.abs(F(-1, 2)) == HALF
    for asked in (str, repr, hash, bool, dir, lambda m: m.field, lambda m: m != EXACT, lambda m: setattr(m, "log", 1)):
        with pytest.raises(proof.Undecided, match="may not ask which one it is"):
            asked(m)


def test_what_is_compared_is_settled_for_these_numbers() -> None:
    assert TRUE["the same, compared"]().scope().words() == "K = 2, 3, 4; all counts x"
    assert TRUE["a formula of all entries"]().scope().words() == "all K >= 2; all counts x"


def test_a_part_that_is_enumerated_is_named() -> None:
    made = TRUE["a part that is enumerated, which the scope says"]()
    assert made.scope().words() == All(both=made).scope().words() == "all counts n; listed cases (variance)"
    assert TRUE["three positive numbers"]().scope().words() == "listed cases"


@pytest.mark.parametrize("extent", [proof.ALL, proof.Extent(least=2)])
def test_an_enumeration_is_not_of_all_sizes(extent: proof.Extent) -> None:
    refused(r"an enumeration must be finite; got all N.*; prove it for all", Cases, lambda _: range(5), N=extent)


def test_what_is_undefined_settles_nothing() -> None:
    """Neither a near-miss nor a refutation rests on it."""
    undefined = of_n(lambda n: n * n / n)
    assert undefined.settle().status is Status.UNKNOWN and proof.Not(undefined).settle().status is Status.UNKNOWN
    true = of_n(lambda n: n)
    found = proof.settle(
        proof.Theorem(
            "a.b", "it is", "n2000", true, (proof.NearMiss("not", undefined), proof.NearMiss("so", undefined))
        )
    )
    assert not found.settled and found.killed == 0


@pytest.mark.parametrize(
    "ask",
    [bool, len, hash, str, repr, int, float, round, iter, abs, math.floor, operator.index, format, list],
    ids=lambda ask: ask.__name__,
)
def test_a_term_says_nothing_that_an_exception_handler_could_swallow(ask: Any) -> None:
    terms = proof.Field({"n": "count"}).variables["n"], SMT().variables({"n": "count"}).n
    for x in (*terms, terms[0] == 1009, terms[1] == 1009):
        with pytest.raises(BaseException) as caught:
            ask(x)
        assert isinstance(caught.value, proof.Undecided) and not isinstance(caught.value, Exception)


@pytest.mark.parametrize("module", ["_pytest.assertion", "pdb", "IPython.core", "__main__"])
def test_a_person_is_shown_what_a_term_is(module: str) -> None:
    v = SMT().variables({"x": "real", "y": "real"})
    here = {"__name__": module, "x": v.x + v.y, "c": v.x > v.y, "long": sum([v.x] * 40), "pprint": pprint}
    exec("shown = [repr(x), repr(c), repr(long), pprint.pformat(x)]", here)
    x, c, long, pretty = here["shown"]
    assert x == pretty == "<a term: x + y>" and c.startswith("<a condition: ") and ">" in c and len(long) < 100
    exec("def formula(x): return repr(x)", here)
    if module == "__main__":  # what is typed is shown, a function that is defined there is a formula
        refused(r"its text in __main__\.formula", here["formula"], v.x, error=proof.Undecided)


def test_a_failing_comparison_of_terms_says_what_they_are() -> None:
    from _pytest._io.saferepr import saferepr

    v = proof.Field(N).variables
    assert saferepr([v["n"]]) == "[<a term: n>]" and "unpresentable" not in saferepr(v["n"] > 5)


@pytest.mark.parametrize(
    "claim",
    [
        Induction("K", {"x": "real"}, lambda e, v, m: sum(m.sqrt(x.x**2) for x in e), lambda e, v, m: [e.x],
                  lambda s, v, m: s[0]),  # a root is |x|
        Induction("K", {"x": "count"}, lambda e, v, m: sum(x.x**2 / (x.x + 1) for x in e) - sum(x.x for x in e),
                  lambda e, v, m: [e.x**2 / (e.x + 1), m.number(1)], lambda s, v, m: -s[1]),  # x/(x + 1) is not 1
        shaken_squares(lambda s, v, m: (s[1] / s[0] ** 2, s[1] / s[0] ** 2)),  # noise changes the squares
        Induction("K", {"x": "real"}, lambda e, v, m: sum(m.sqrt(x.x**3) for x in e), lambda e, v, m: [e.x],
                  lambda s, v, m: s[0]),
    ],
)  # fmt: skip
def test_a_formula_of_other_sums_is_not_linked(claim: Induction) -> None:
    assert claim.apart == "the formula of the entries and that of the sums have different normal forms"
    assert claim.settle().status is not Status.PROVED


def test_what_is_compared_at_some_numbers_alone() -> None:
    bases = {key: theorem.basis for key, theorem in catalogue.collect().items()}
    assert {key for key, basis in bases.items() if any(x.startswith("algebra compared") for x in basis)} == {
        "impurity.gce_is_exponential_of_renyi_entropy",
        "impurity.gce_is_least_risk_of_q_below_one",
        "impurity.misclassification_is_least_risk_of_standard_losses",
        "gain.refinement_adds_the_gain_of_the_row",
        "noise.cost_sum_is_constant_of_mae",
        "noise.variance_of_equicorrelated_mean",
        "stopping.ne_zone_is_reached_of_lam_above_noise_level",
        "vertex.gini_gain_is_shares_squared",
    }
