"""What can be said of a claim, and of several together.

Main definitions: ``Status``, ``Verdict``, ``Claim``; ``OfVariables``, ``All`` (and) and ``Not`` (refuted);
``ALGEBRA``, ``grounds_of`` (what claims rest on); ``settling`` (UNKNOWN, said as an error).
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Protocol

from splitcrit.display import described, shortened, summary
from splitcrit.frozen import complaint, shown
from splitcrit.proof.scope import Scope, conjunction
from splitcrit.proof.undecided import Undecided


class Status(enum.Enum):
    """The outcome of a claim; `Claim.grounds` says what a settled one rests on.

    Examples
    --------
    >>> Status("refuted")
    <Status: refuted>
    """

    PROVED = "settled"
    REFUTED = "refuted"
    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return f"<Status: {self.value}>"

    @classmethod
    def _missing_(cls, value: object) -> Any:
        known = ", ".join(status.value for status in cls)
        raise ValueError(complaint("a status must be one of " + known, shown(value), "choose one of these"))


@dataclass(frozen=True)
class Verdict:
    """The outcome of settling a claim.

    Parameters
    ----------
    status : Status
    method : str
        The kind of claim that reached it: "identity", "smt", "exhaustive" and so on.
    evidence : str
        What was shown, or why nothing was, in words.
    witness : str
        The point or case that refutes the claim, or an empty string.
    numbers : tuple of list
        The witnesses as nested lists of numbers, if the cases have a method ``numbers``.

    Examples
    --------
    >>> from splitcrit.proof import Identity
    >>> found = Identity({"x": "real"}, lambda v, m: (v.x + 1) ** 2, lambda v, m: v.x**2 + 2 * v.x + 1).settle()
    >>> found.status, found.method
    (<Status: settled>, 'identity')
    """

    status: Status
    method: str
    evidence: str
    witness: str = ""
    numbers: tuple[list[Any], ...] = field(default=(), repr=False)

    _repr_html_ = described


ALGEBRA = ("algebra",)  # an identity, a certificate, the solver, an induction, a sum in closed form: of all values


class Claim(Protocol):
    """Anything that can be settled, and says for what, and what it rests on."""

    def settle(self) -> Verdict: ...

    def scope(self) -> Scope: ...

    def grounds(self) -> tuple[str, ...]: ...


def grounds_of(claims: Iterable[Claim]) -> tuple[str, ...]:
    """The grounds of several claims, each once, algebra first."""
    grounds = dict.fromkeys(ground for claim in claims for ground in claim.grounds())
    return tuple(sorted(grounds, key=lambda ground: ground not in ALGEBRA))


def settling(method: str, *beside: type[Exception]) -> Callable[[Callable[[Any], Verdict]], Callable[[Any], Verdict]]:
    """Let what a claim cannot decide, and says as `Undecided` or an error ``beside``, be UNKNOWN by a method."""
    caught: tuple[type[BaseException], ...] = (Undecided, *beside)

    def of(settle: Callable[[Any], Verdict]) -> Callable[[Any], Verdict]:
        @wraps(settle)
        def settled(claim: Any) -> Verdict:
            try:
                return settle(claim)
            except caught as error:
                return Verdict(Status.UNKNOWN, method, str(error))

        return settled

    return of


class OfVariables:
    """What claims that algebra settles say: they are of all values of their variables."""

    variables: Mapping[str, str]

    __repr__ = shortened

    def scope(self) -> Scope:
        return Scope(variables=self.variables)

    def grounds(self) -> tuple[str, ...]:
        return ALGEBRA


class All:
    """Every one of several claims: settled if all are, refuted if one is; parts may have names.

    Examples
    --------
    >>> from splitcrit.proof import Identity
    >>> square = Identity({"x": "real"}, lambda v, m: v.x * v.x, lambda v, m: v.x**2)
    >>> All(square, twice=square).settle().status
    <Status: settled>
    """

    def __init__(self, *claims: Claim, **named: Claim) -> None:
        self.parts: dict[str, Claim] = {f"part {i}": claim for i, claim in enumerate(claims, 1)}
        self.parts |= {name.replace("_", " "): claim for name, claim in named.items()}

    def __repr__(self) -> str:
        return summary(self, parts=list(self.parts))

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims, in order."""
        return tuple(self.parts.values())

    def scope(self) -> Scope:
        return conjunction((name, claim.scope()) for name, claim in self.parts.items())

    def grounds(self) -> tuple[str, ...]:
        return grounds_of(self.claims)

    def settle(self) -> Verdict:
        verdicts: list[Verdict] = []
        for claim in self.claims:
            verdicts.append(claim.settle())
            if verdicts[-1].status is Status.REFUTED:  # whatever the others are
                return verdicts[-1]
        method = " + ".join(dict.fromkeys(v.method for v in verdicts))
        if unknown := [v for v in verdicts if v.status is Status.UNKNOWN]:
            return unknown[0]
        words_of = Counter(v.evidence for v in verdicts)
        evidence = "; ".join(words if number == 1 else f"{number} times: {words}" for words, number in words_of.items())
        witness = "; ".join(v.witness for v in verdicts if v.witness)
        numbers = tuple(part for v in verdicts for part in v.numbers)
        status = Status.PROVED if verdicts else Status.UNKNOWN
        return Verdict(status, method, evidence or "the conjunction is empty", witness, numbers)


@dataclass(frozen=True, repr=False)
class Not:
    """The claim is false: settled by a witness against it, refuted by a proof of it.

    Examples
    --------
    >>> from splitcrit.proof import Identity
    >>> Not(Identity({"x": "real"}, lambda v, m: v.x**2, lambda v, m: 2 * v.x)).settle().status
    <Status: settled>
    """

    claim: Claim

    __repr__ = shortened

    def scope(self) -> Scope:
        return Scope()

    def grounds(self) -> tuple[str, ...]:
        return ("a witness",)

    def settle(self) -> Verdict:
        verdict = self.claim.settle()
        turned = {Status.REFUTED: Status.PROVED, Status.PROVED: Status.REFUTED}
        words = f"{verdict.evidence}: {verdict.witness}" if verdict.witness else verdict.evidence
        status = turned.get(verdict.status, Status.UNKNOWN)
        return Verdict(
            status, verdict.method, words, words if status is Status.REFUTED else verdict.witness, verdict.numbers
        )
