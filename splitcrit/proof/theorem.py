"""Theorems as records, and the one rule by which they are settled.

A theorem holds when its claim is PROVED and each of its near-misses, at least two, is REFUTED with a witness. UNKNOWN
settles nothing.

Main definitions: ``Theorem``, ``NearMiss``, ``Law`` (a claim made from named arguments), ``Premise``, ``Fact``,
``Erratum``, ``Entry``, ``settle``.
"""

from __future__ import annotations

import builtins
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from numbers import Integral
from textwrap import shorten
from typing import Any, Literal

from splitcrit.arguments import is_number, of_kind
from splitcrit.display import brief, html_table, shortened, summary
from splitcrit.frozen import complaint, shown
from splitcrit.proof.scope import Extent, Scope, only
from splitcrit.proof.verdicts import Claim, Status, Verdict


@dataclass(frozen=True, repr=False)
class NearMiss:
    """A statement close to a theorem that the checker must refute: a weaker hypothesis or another conclusion.

    Examples
    --------
    >>> from splitcrit.proof import Identity
    >>> wrong = Identity({"x": "real"}, lambda v, m: v.x**2, lambda v, m: 2 * v.x)
    >>> NearMiss("x^2 = 2 x", wrong).claim.settle().status
    <Status: refuted>
    """

    says: str
    claim: Claim
    alters: str = "conclusion"

    __repr__ = shortened


class Law:
    """The claim ``make(**arguments)``; `but` makes a near-miss of it by naming what changes.

    Examples
    --------
    >>> from splitcrit.proof import Identity
    >>> def square(power, factor=1):
    ...     return Identity({"x": "real"}, lambda v, m: v.x * v.x, lambda v, m: factor * v.x**power)
    >>> law = Law(square, power=2)
    >>> law.settle().status.value, law.but(factor=2).says
    ('settled', 'factor = 2')
    """

    def __init__(self, make: Callable[..., Claim], /, **arguments: Any) -> None:
        self.make, self.arguments = make, arguments

    def __repr__(self) -> str:
        return summary(self, make=self.make, arguments=self.arguments)

    @property
    def claim(self) -> Claim:
        """The claim, made."""
        return self.make(**self.arguments)

    def settle(self) -> Verdict:
        return self.claim.settle()

    def scope(self) -> Scope:
        return self.claim.scope()

    def grounds(self) -> tuple[str, ...]:
        return self.claim.grounds()

    def but(
        self, says: str = "", *, alters: Literal["conclusion", "hypothesis"] = "conclusion", **changed: Any
    ) -> NearMiss:
        """The near-miss with some arguments changed, named after them by default."""
        words = says or ", ".join(f"{name} = {value}" for name, value in changed.items())
        return NearMiss(words, Law(self.make, **{**self.arguments, **changed}), alters)


WORDS = {"theorem": "theorem ", "kernel": "kernel-checked ", "cited": "", "hand": "by hand, "}


@dataclass(frozen=True, repr=False)
class Premise:
    """What a claim rests on besides itself: a cited result, another theorem by its key, one that Rocq's kernel checks
    by its name, or an argument by hand.

    ``widens`` are the extents that it adds to what the claim settles by itself, ``{"K": ALL}``: where a scope rests on
    a premise, the premise says so.

    Examples
    --------
    >>> Premise("convexity of -log").rests_on
    'rests on: convexity of -log'
    """

    text: str
    kind: Literal["theorem", "kernel", "cited", "hand"] = "cited"
    widens: Mapping[str, Extent] = field(default_factory=dict)

    __repr__ = shortened

    def __post_init__(self) -> None:
        if self.kind not in WORDS:
            rule = "a premise must be a theorem, kernel-checked, cited or an argument by hand"
            raise ValueError(complaint(rule, self.kind, "name one"))

    def __str__(self) -> str:
        return self.text

    @property
    def rests_on(self) -> str:
        """What it is in short, and for which sizes a theorem rests on it."""
        wider = ", ".join(extent.words(axis) for axis, extent in self.widens.items())
        return f"rests on{f' for {wider}' if wider else ''}: {WORDS[self.kind]}{shorten(self.text, 80)}"


PROPERTIES = (
    "concave",
    "zero only at vertices",
    "keeps order under uniform noise",
    "keeps order under class-conditional noise",
    "keeps order under pair-flip noise",
    "keeps order under instance-dependent noise",
    "stops early",
    "ordering shortcut",
    "vertex-optimal split",
)


SHORT = {"2": only(2), ">2": Extent(least=3), "all": Extent(least=2)}
BY_EXAMPLE = "stops early"  # the property that an example shows; the others are refuted by one


@dataclass(frozen=True)
class Fact:
    """A cell of the criterion x property table that a theorem fills: the property holds, or it does not.

    A property known to hold only up to ``bound`` examples is bounded: nothing is proved of larger nodes.

    Parameters
    ----------
    criterion, property : str
    classes : Extent or {"2", ">2", "all"}
        The numbers of classes: ``only(3)``, ``Extent(least=3)``. Of the three words, which stand for ``only(2)``, for
        ``Extent(least=3)`` and for all, those numbers are meant for which the theorem is settled; of a witness the
        number of classes that the witness has, and where it does not say, the least one.
    holds : bool
    bound : int

    Examples
    --------
    >>> Fact("decrease(gini)", "concave", "all", holds=True).classes
    'all'
    """

    criterion: str
    property: str
    classes: Extent | str
    holds: bool
    bound: int = 0

    def __post_init__(self) -> None:
        known = isinstance(self.property, str) and self.property in PROPERTIES
        short = isinstance(self.classes, str) and self.classes in SHORT
        if not known or not (short or isinstance(self.classes, Extent)):
            rule = "a fact must name a listed property, and its classes as an Extent, 2, >2 or all"
            raise ValueError(
                complaint(rule, f"{shown(self.property)}, {shown(self.classes)}", "use " + ", ".join(PROPERTIES))
            )
        bound: Any = self.bound
        if not (isinstance(bound, Integral) and is_number(bound)) or int(bound) < 0 or (bound and not self.holds):
            rule = "only a fact that holds may have a bound, a number of examples"
            raise ValueError(complaint(rule, f"{shown(bound)}, holds={self.holds}", "leave the bound out"))

    @builtins.property  # `property` is a field here
    def extent(self) -> Extent:
        """The numbers of classes that the fact is about, 2 the least of them."""
        return SHORT[self.classes] if isinstance(self.classes, str) else self.classes.meet(SHORT["all"])

    @builtins.property  # `property` is a field here
    def by_example(self) -> bool:
        """Whether one example shows it, which is of one number of classes."""
        return self.holds == (self.property == BY_EXAMPLE) and not self.bound


@dataclass(frozen=True, repr=False)
class Erratum:
    """A printed claim that must be refuted and its correction that must be proved; the texts are in errata.toml.

    ``id`` names the entry of errata.toml, ``corrected`` is a claim or the key of the theorem that states it.
    """

    id: str
    printed: Claim
    corrected: Claim | str

    __repr__ = shortened


@dataclass(frozen=True, repr=False)
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
    holds : Claim
        For what it is settled follows from the claim and its premises: `scope`.
    fails : tuple of NearMiss
        At least two.
    premises : tuple of Premise
        What the claim rests on.
    added : str
        The hypothesis the source omits, if one had to be added.
    facts : tuple of Fact
        Cells of the criterion x property table that this theorem fills.
    """

    key: str
    statement: str
    source: str
    holds: Claim
    fails: tuple[NearMiss, ...]
    premises: tuple[Premise, ...] = ()
    added: str = ""
    facts: tuple[Fact, ...] = ()

    def __post_init__(self) -> None:
        if len(self.fails) < 2:
            rule = f"theorem {self.key} must have at least two near-misses"
            raise ValueError(complaint(rule, len(self.fails), "add statements that the checker refutes"))
        if not all((self.key, self.statement, self.source)):
            raise ValueError(complaint("a theorem must have a key, a statement and a source", self.key, "fill them in"))

    @property
    def scope_words(self) -> str:
        """For what the theorem is settled, as it is read, and for what without its premises."""
        return self.settled_for.words(self.holds.scope())

    @property
    def basis(self) -> tuple[str, ...]:
        """What the theorem rests on: algebra, enumerations with their sizes, and its premises."""
        return (*self.holds.grounds(), *(premise.rests_on for premise in self.premises))

    @property
    def settled_for(self) -> Scope:
        """For what the claim is settled, widened by the premises that say so."""
        scope = self.holds.scope()
        for premise in self.premises:
            if premise.widens:
                scope = scope.widened(premise.widens)
        return scope

    @property
    def paper(self) -> str:
        """The bibliography key of the source."""
        return self.source.replace(",", " ").split()[0]

    def __repr__(self) -> str:
        return f"<Theorem {self.key}: {brief(self.statement)}>"

    def _repr_html_(self) -> str:
        facts = {"source": self.source, "settled for": self.scope_words, "hypothesis added": self.added or None}
        rows = [*facts.items(), ("rests on", "; ".join(self.basis))]
        rows += [("near-miss, false", miss.says) for miss in self.fails]
        return html_table([self.key, self.statement], [row for row in rows if row[1]])


@dataclass(frozen=True, repr=False)
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
    basis: tuple[str, ...] = ()

    @property
    def killed(self) -> int:
        """The number of near-misses refuted with a witness."""
        return sum(v.status is Status.REFUTED and bool(v.witness) for _, v in self.near_misses)

    @property
    def settled(self) -> bool:
        """Whether the claim is proved and every near-miss refuted."""
        return self.verdict.status is Status.PROVED and self.killed == len(self.near_misses)

    def __repr__(self) -> str:
        refuted = f"{self.killed} of {len(self.near_misses)} near-misses refuted"
        return f"<Entry {self.key}: {'; '.join(self.basis) if self.settled else 'open'}; {refuted}>"

    def _repr_html_(self) -> str:
        words = "settled" if self.settled else "open"
        rows = [("settled for", self.scope, ""), (words, self.claim, self.verdict.evidence)]
        rows.append(("rests on", "; ".join(self.basis), ""))
        rows += [(v.status.value, says, v.witness or v.evidence) for says, v in self.near_misses]
        return html_table([self.key, "claim", "evidence or witness"], rows)


def settle(theorem: Theorem) -> Entry:
    """The ledger entry of a theorem: its claim and all its near-misses, settled."""
    of_kind(theorem, Theorem, "settle takes a theorem", "pass a Theorem; splitcrit.proofs.settle takes a key")
    start = time.perf_counter()
    verdict = theorem.holds.settle()
    misses = tuple((miss.says, miss.claim.settle()) for miss in theorem.fails)
    seconds = time.perf_counter() - start
    about = (theorem.key, theorem.paper, theorem.statement, theorem.scope_words)
    return Entry(*about, verdict, misses, seconds, tuple(map(str, theorem.premises)), theorem.added, theorem.basis)
