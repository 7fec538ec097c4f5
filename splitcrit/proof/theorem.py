"""Theorems as records, and the one rule by which they are settled.

A theorem holds when its claim is PROVED and each of its near-misses, at least two, is REFUTED with a witness. UNKNOWN
settles nothing, and support by samples is not proof.

Main definitions: ``Theorem``, ``NearMiss``, ``Entry``, ``settle``.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from splitcrit.proof.claims import Claim, Status, Verdict
from splitcrit.values import complaint

ALTERS = ("hypothesis", "conclusion")


@dataclass(frozen=True)
class NearMiss:
    """A statement close to a theorem that the checker must refute: a weaker hypothesis or another conclusion."""

    says: str
    claim: Claim
    alters: str = "conclusion"


@dataclass(frozen=True)
class Theorem:
    """A statement with its source and scope, the claim that settles it and the near-misses that must die.

    Parameters
    ----------
    key : str
        ``area.conclusion_of_hypothesis``; the name is the statement.
    statement : str
        The statement in words and plain formulas.
    source : str
        Bibliography key and equation, theorem or section; or a key alone for what goes beyond the papers.
    scope : str
        For what it is settled: ``all K``, ``K = 3``, ``N <= 12``.
    holds : Claim
    fails : tuple of NearMiss
        At least two.
    premises : tuple of str
        Cited lemmas that the claim rests on.
    latex : str
        The formula as LaTeX, optional.
    added : str
        The hypothesis the source omits, if one had to be added.
    """

    key: str
    statement: str
    source: str
    scope: str
    holds: Claim
    fails: tuple[NearMiss, ...]
    premises: tuple[str, ...] = ()
    latex: str = ""
    added: str = ""

    def __post_init__(self) -> None:
        if len(self.fails) < 2:
            rule = f"theorem {self.key} needs at least two near-misses"
            raise ValueError(complaint(rule, len(self.fails), "add statements that the checker refutes"))
        if not all((self.key, self.statement, self.source, self.scope)):
            raise ValueError(complaint("a theorem has key, statement, source and scope", self.key, "fill them in"))

    @property
    def paper(self) -> str:
        """The bibliography key of the source."""
        return self.source.replace(",", " ").split()[0]


@dataclass(frozen=True)
class Entry:
    """A line of the ledger: what became of one theorem."""

    key: str
    paper: str
    claim: str
    scope: str
    verdict: Verdict
    near_misses: tuple[tuple[str, Verdict], ...]
    seconds: float
    premises: tuple[str, ...] = ()
    added: str = ""

    @property
    def killed(self) -> int:
        """The number of near-misses refuted with a witness."""
        return sum(v.status is Status.REFUTED and bool(v.witness) for _, v in self.near_misses)

    @property
    def settled(self) -> bool:
        """Whether the claim is proved and every near-miss refuted."""
        return self.verdict.status is Status.PROVED and self.killed == len(self.near_misses)


def settle(theorem: Theorem) -> Entry:
    """Return the ledger entry of a theorem: its claim and all its near-misses, settled."""
    start = time.perf_counter()
    verdict = theorem.holds.settle()
    misses = tuple((miss.says, miss.claim.settle()) for miss in theorem.fails)
    seconds = time.perf_counter() - start
    return Entry(
        theorem.key, theorem.paper, theorem.statement, theorem.scope, verdict, misses, seconds, theorem.premises, theorem.added
    )
