"""One theorem per truth: no two keys claim the same equations and inequalities, as far as values at points tell.

A claim about formulas is known by the kinds of its variables and by both sides' values at a few points; the names of
the variables do not count. Two theorems whose claims are all of this kind and all the same are one theorem.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from splitcrit.arith import EXACT, Irrational
from splitcrit.proof import All, Certificate, Claim, Each, Identity, Law, Not, Smt
from splitcrit.proofs import catalogue

POINTS = 6


def parts(claim: Claim) -> Iterator[Claim]:
    """Yield the simple claims that a claim consists of."""
    if isinstance(claim, Law):
        yield from parts(claim.claim)
    elif isinstance(claim, All):
        for part in claim.claims:
            yield from parts(part)
    elif isinstance(claim, Each):
        for value in claim.values:
            yield from parts(claim.make(value))
    else:
        yield claim


def signature(claim: Claim) -> Any:
    """Return what a claim says, up to the names of its variables; None where values at points do not tell."""
    sides = {
        Identity: lambda c: (c.left, c.right),
        Certificate: lambda c: (c.gap,),
        Smt: lambda c: (c.conclusion, c.hypotheses or (lambda v, m: [])),
    }
    if type(claim) not in sides:
        return None
    names = list(claim.variables)  # type: ignore[attr-defined]
    values = []
    for point in range(1, POINTS + 1):
        v = SimpleNamespace(**{name: at(claim.variables[name], i, point) for i, name in enumerate(names)})  # type: ignore[attr-defined]
        try:
            values.append(str([side(v, EXACT) for side in sides[type(claim)](claim)]))
        except (ZeroDivisionError, Irrational, ArithmeticError, LookupError, StopIteration):
            values.append("undefined")
    told = set(values) - {"undefined", "[True, []]", "[True, [True]]"}
    return (type(claim), tuple(claim.variables.values()), tuple(values)) if len(told) > 1 else None  # type: ignore[attr-defined]


def at(kind: str, place: int, point: int) -> Fraction:
    """Return a value for the variable in a place: no two places alike."""
    number = (place + 2) * (2 * point + 1) + point**2
    return Fraction(number, number + 7 * (place + point)) if kind == "rate" else Fraction(number)


def same(theorems: dict[str, Any]) -> list[tuple[str, ...]]:
    """Return the keys that state the same."""
    known = defaultdict(list)
    for key, theorem in theorems.items():
        told = [signature(part) for part in parts(theorem.holds)]
        if told and None not in told:
            known[frozenset(told)].append(key)
    return [tuple(keys) for keys in known.values() if len(keys) > 1]


def test_no_two_keys_state_the_same() -> None:
    assert same(catalogue.collect()) == []


def test_a_second_statement_of_the_same_is_seen() -> None:
    one = Identity({"x": "real"}, lambda v, m: (v.x + 1) ** 2, lambda v, m: v.x**2 + 2 * v.x + 1)
    again = Identity({"y": "real"}, lambda v, m: (v.y + 1) * (1 + v.y), lambda v, m: 1 + v.y * (v.y + 2))
    other = Identity({"y": "real"}, lambda v, m: (v.y + 2) ** 2, lambda v, m: v.y**2 + 4 * v.y + 4)
    theorems = {name: SimpleNamespace(holds=claim) for name, claim in (("a", one), ("b", All(again)), ("c", other))}
    assert same(theorems) == [("a", "b")]
    assert signature(Not(one)) is None
