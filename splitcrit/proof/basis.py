"""What a settled claim rests on, in words: algebra, an enumeration and its sizes, enclosures, a witness.

Algebra is an identity, a certificate, the solver, an induction whose formula is linked to its sums for every number of
entries, or a sum of binomial coefficients: for all values of the variables. Whatever else a theorem rests on are its
premises, and what Rocq's kernel checks of it.

Main definitions: ``grounds`` (of a claim), ``rests_on`` (a claim with its premises), ``kinds`` (in few words).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import shorten
from typing import Any

from splitcrit.proof.cases import Cases, Each, Exhaustive, Sampled, Sign
from splitcrit.proof.induction import Induction
from splitcrit.proof.scope import Scope
from splitcrit.proof.verdicts import All, Not

ALGEBRA, SHORT = "algebra", 80


def grounds(claim: Any) -> tuple[str, ...]:
    """Return what a claim rests on, each ground once, algebra first.

    Examples
    --------
    >>> from splitcrit.proof import All, Cases, Exhaustive, Identity, upto
    >>> doubled = Identity({"n": "count"}, lambda v, m: 2 * v.n, lambda v, m: v.n + v.n)
    >>> small = Exhaustive(Cases(lambda N: range(N + 1), N=upto(8)), lambda n: n < 9)
    >>> grounds(All(doubled, small))
    ('algebra', 'enumerated: N <= 8')
    """
    found = dict.fromkeys(_grounds(claim))
    return tuple(sorted(found, key=lambda ground: ground != ALGEBRA))


def kinds(basis: Iterable[str]) -> list[str]:
    """Return what is rested on in few words: premises are told without their text.

    Examples
    --------
    >>> kinds(("algebra", "enumerated: N <= 8", "rests on for all N: Hoeffding's inequality"))
    ['algebra', 'enumerated: N <= 8', 'premises']
    """
    plain = (x for x in basis if not x.startswith(("rests on", "kernel-checked")))
    return [*plain, *(["premises"] if any(x.startswith("rests on") for x in basis) else [])]


def _grounds(claim: Any) -> Iterator[str]:
    if isinstance(claim, Not):
        yield "a witness"
    elif isinstance(claim, All | Each) or hasattr(claim, "claim"):  # of a law, or of what is stated
        for part in _parts(claim):
            yield from _grounds(part)
    elif isinstance(claim, Exhaustive):
        words = Scope(claim.cases.extents).words() if isinstance(claim.cases, Cases) else "listed cases"
        yield f"enumerated{' in floats' if claim.rounded else ''}: {words}"
    elif isinstance(claim, Sign):
        yield "enclosed numbers"
    elif isinstance(claim, Sampled):
        yield "samples"
    elif isinstance(claim, Induction) and claim.compared and claim.apart:
        yield f"algebra compared at {claim.axis} = {', '.join(map(str, claim.numbers))}"
    else:
        yield ALGEBRA


def _parts(claim: Any) -> tuple[Any, ...]:
    if isinstance(claim, Each):
        return tuple(map(claim.make, claim.values))
    return claim.claims if isinstance(claim, All) else (claim.claim,)


def rests_on(claim: Any, premises: Iterable[Any]) -> tuple[str, ...]:
    """Return what a claim rests on and its premises, each with what it widens."""
    found = []
    for premise in premises:
        wider = ", ".join(extent.words(axis) for axis, extent in premise.widens.items())
        found.append(f"rests on{f' for {wider}' if wider else ''}: {WORDS[premise.kind]}{shorten(premise.text, SHORT)}")
    return (*grounds(claim), *found)


WORDS = {"theorem": "theorem ", "kernel": "kernel-checked ", "cited": "", "hand": "by hand, "}
