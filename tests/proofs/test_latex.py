"""Formulas are printed by running claims on symbols: what they say, and how few claims cannot be printed."""

import re
from typing import Any

import pytest

from splitcrit import tolerance
from splitcrit.criteria.facts import facts, known
from splitcrit.proof import All, Certificate, Each, Exhaustive, Identity, Induction, Law, Not, Smt, Status, Theorem
from splitcrit.proofs import catalogue, explain, latex, ledger
from splitcrit.proofs.latex import Shown, formulas

RATES = {"a": "count", "b": "positive", "eta": "rate", "tau_pos": "rate", "lam": "real", "p0": "real"}
WITHOUT = 21  # theorems with an equation or inequality of which no formula is printed; it may only fall


def square(power: int = 2, factor: int = 1) -> Identity:
    return Identity({"x": "real"}, lambda v, m: v.x * v.x, lambda v, m: factor * v.x**power)


def said(claim: Any) -> list[str]:
    return [shown.says for shown in formulas(claim)]


def test_an_equation_has_its_two_sides_and_its_hypotheses() -> None:
    claim = Identity(
        RATES,
        lambda v, m: (v.a + v.b) * v.eta,
        lambda v, m: v.a * v.eta + v.b * v.eta,
        lambda v, m: [v.tau_pos + v.eta < 1, v.a > 0],
    )
    (shown,) = formulas(claim)
    assert shown.says == r"\eta \left(a + b\right) = a \eta + b \eta"
    assert shown.hypotheses == (r"\tau_{+} + \eta < 1", "a > 0")


def test_names_are_read_as_in_print() -> None:
    claim = Identity(RATES, lambda v, m: v.lam + v.p0, lambda v, m: v.p0 + v.lam + v.tau_pos - v.tau_pos * 1 + 0 * v.a)
    assert said(claim) == []  # both sides are the same term: there is nothing to read
    claim = Identity({"lam0": "real", "gap": "real"}, lambda v, m: v.lam0 / 2, lambda v, m: v.gap)
    assert said(claim) == [r"\frac{\lambda_{0}}{2} = \mathrm{gap}"]


def test_an_inequality_of_a_certificate_and_a_conclusion() -> None:
    gap = Certificate({"x": "real", "y": "real"}, lambda v, m: (v.x - v.y) ** 2, lambda v, m: [([v.x - v.y], [])])
    assert said(gap) == [r"\left(x - y\right)^{2} \ge 0"]
    smt = Smt({"x": "real", "y": "real"}, lambda v, m: v.x**2 > v.y, lambda v, m: [v.x > 1, v.y < 1])
    assert formulas(smt) == [Shown("x^{2} > y", ("x > 1", "y < 1"))]
    joined = Smt({"x": "real"}, lambda v, m: (v.x > 0) & (v.x < 2), lambda v, m: v.x == 1)
    assert formulas(joined) == [Shown(r"x < 2 \;\wedge\; x > 0", ("x = 1",))]


def test_questions_are_asked_of_the_same() -> None:
    claim = Identity({"x": "real"}, lambda v, m: m.where(v.x > 1, 1, 0), lambda v, m: m.where(v.x**2 > 2, 1, 0))
    assert said(claim) == [r"x > 1 \iff x^{2} > 2"]


def test_parts_values_and_laws_are_named() -> None:
    claim = All(
        Each("K", (2, 3), lambda K: square(K, K)),
        Exhaustive(lambda: [1], bool),
        law=Law(square, factor=3),
        no=Not(square(factor=4)),
    )
    assert [(x.says, x.where) for x in formulas(claim)] == [
        ("x^{2} = 2 x^{2}", "K = 2"),
        ("x^{2} = 3 x^{2}", "law"),
        ("x^{2} = 4 x^{2}", "no: not so"),
    ]


def test_a_sum_of_any_number_of_entries_is_shown_for_the_first() -> None:
    claim = Induction(
        "K", {"x": "positive"}, lambda entries, v, m: sum(e.x * e.x for e in entries),
        lambda e, v, m: [e.x * e.x], lambda sums, v, m: sums[0], ">=",
    )  # fmt: skip
    assert formulas(claim) == [Shown(r"x_{0}^{2} + x_{1}^{2} \ge 0", (), "K = 2, and so on")]


def test_what_cannot_be_run_on_symbols_or_be_read_is_left_out() -> None:
    long = Identity(
        {f"x{i}": "real" for i in range(40)},
        lambda v, m: sum(x * x + 1 / x for x in vars(v).values()),
        lambda v, m: sum(1 / x + x**2 for x in vars(v).values()) + 0 * v.x1**3 + v.x0 - v.x0,
    )
    assert said(long) == []
    assert said(Identity({"x": "real"}, lambda v, m: undefined(v.x), lambda v, m: v.x)) == []  # type: ignore[name-defined]  # noqa: F821
    assert len(said(All(*(square(factor=i) for i in range(2, 30))))) == latex.AT_MOST


def test_what_takes_too_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latex, "SECONDS", 0.05)

    def endless(v: Any, m: Any) -> Any:
        while True:
            pass

    assert said(All(Identity({"x": "real"}, endless, lambda v, m: v.x), square(factor=5))) == ["x^{2} = 5 x^{2}"]


@pytest.mark.slow
def test_few_equations_cannot_be_printed() -> None:
    kinds = Identity | Certificate | Smt | Induction
    none = [
        key
        for key, theorem in catalogue.collect().items()
        if any(isinstance(part, kinds) for part, _ in latex._parts(theorem.holds, "")) and not formulas(theorem.holds)
    ]
    print(len(none), "without a formula:", *none)
    assert len(none) <= WITHOUT


# What is printed of a theorem says what it rests on.

GROUNDS = re.compile(
    r"kernel-checked(?: in part)?|algebra(?: compared at \w+ = [\d, ]+)?|enumerated(?: in floats)?: .+|enclosed numbers"
    r"|a witness|samples|rests on(?: for .+)?: .+|premises"
)


def test_a_status_says_its_name() -> None:
    assert [repr(status) for status in Status] == [f"<Status: {status.value}>" for status in Status]


def test_a_theorem_says_what_it_rests_on() -> None:
    said: dict[str, Theorem] = catalogue.collect()
    grounds = {key: theorem.basis for key, theorem in said.items()}
    assert [key for key, basis in grounds.items() if not basis or not all(map(GROUNDS.fullmatch, basis))] == []


@pytest.mark.parametrize(
    "key",
    [
        "null.gini_mean_of_permutation",  # kernel-checked
        "noise.variance_of_equicorrelated_mean",  # compared at some numbers
        "vertex.cut_is_best_of_convex_score",
        "vertex.criteria_first_part_at_six_examples",
    ],
)
def test_explain_says_it(key: str) -> None:
    (entry,) = ledger.ledger([key], [], jobs=1).entries
    told = explain.plain(catalogue.collect()[key], entry, False)
    assert entry.basis[0].split(":")[0].split(" at ")[0] in told and "rests on" in told


def test_answers_say_it() -> None:
    assert {known("decrease(gini)", fact["property"], k) for fact in facts() for k in (2, 3)} <= {
        "holds", "refuted", "unknown"
    }  # fmt: skip
    found = tolerance("decrease(gini)", "class-conditional", 2)
    assert found.verdict == "holds" and found.rests_on[0] == "kernel-checked" and "algebra" in repr(found)
    assert "kernel-checked" not in tolerance("decrease(gini)", "class-conditional", 3).rests_on
