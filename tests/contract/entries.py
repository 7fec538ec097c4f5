"""How the table of calls is read: an entry says of one public name how each of its parameters is tried.

Main definitions: ``Entry``, ``tried`` (all of an entry's cases with their verdicts), the laws ``rows_reversed``,
``classes_reversed``, ``doubled``, and ``Tally``, what came of an entry.
"""

from __future__ import annotations

import inspect
import os
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from contract.inputs import ANSWER, Case
from contract.judge import SECONDS, Call, Law, Verdict, judge
from contract.roles import Role

LEAST = 30  # cases of a name
FEW = 3  # cases of a kind that `make test` tries of a parameter
KEY = "contract"  # of the property of a test report that holds an entry's line
THOROUGH = 10 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 1  # times as many cases

rows_reversed = Law("rows reversed", lambda x: np.flip(x, -2))
classes_reversed = Law("classes reversed", lambda x: np.flip(x, -1), axes=1)
doubled = Law("scaled", lambda x: x * 2 if x.dtype == object or (x.size and x.max() < 2.0**900) else x / 4, axes=1)


@dataclass(frozen=True)
class Entry:
    """How to call a public name: the roles of its parameters, and what confirms its answers.

    The parameters in ``needed`` get plain values where others are varied. ``read`` takes from a result what is to be
    compared. ``laws`` says of a parameter by which second paths its answers are confirmed. What follows a slash in the
    name of a role tells two roles of one parameter apart.
    """

    function: Callable[..., Any]
    roles: dict[str, Role]
    needed: tuple[str, ...] = ()
    read: Callable[[Any], Any] = lambda result: result
    laws: dict[str, tuple[Law, ...]] = field(default_factory=dict)
    rounds: int = 4
    warm: bool = False
    estimator: bool = False
    nan: bool = False
    tolerance: float = 1e-9
    seconds: float = SECONDS
    unvaried: tuple[str, ...] = ()
    every: int = 1  # of a costly name only each so-manieth case is tried, but all in the thorough profile

    def call(self, parameter: str, plain: dict[str, Any]) -> Call:
        """The function of one parameter, the others at their plain values."""
        named = parameter.partition("/")[0]
        others = {name: plain[name] for name in self.needed if name != named} | self.roles[parameter].given
        others.pop(named, None)
        function = partial(_called, self.function, self.read, named, others)
        laws = self.laws.get(parameter, ())
        return Call(function, laws, self.estimator, self.nan, self.tolerance, self.seconds)

    def cases(self, name: str) -> Iterator[tuple[str, dict[str, Any], Case]]:
        """The cases of all parameters: the parameter, the plain values beside it, the case."""
        found = list(self.all_cases(name, self.rounds))
        if len(found) < LEAST:
            found = list(self.all_cases(name, self.rounds * -(-LEAST // len(found))))
        step = max(1, min(self.every, len(found) // LEAST)) if THOROUGH == 1 else 1
        return iter(found[::step])

    def few_cases(self, name: str) -> Iterator[tuple[str, dict[str, Any], Case]]:
        """Three cases of each parameter that must be answered, three that must be refused, three that may be either."""
        groups: dict[tuple[str, str], list[tuple[str, dict[str, Any], Case]]] = defaultdict(list)
        for parameter, plain, case in self.cases(name):
            groups[parameter, case.expect].append((parameter, plain, case))
        return (one for group in groups.values() for one in group[:: -(-len(group) // FEW)])

    def all_cases(self, name: str, rounds: int) -> Iterator[tuple[str, dict[str, Any], Case]]:
        """Every case, however costly."""
        for number, (parameter, role) in enumerate(self.roles.items()):
            first = parameter == next(iter(self.roles))
            for one in range((role.rounds or (rounds if first else 1)) * THOROUGH):
                rng = np.random.default_rng([zlib.crc32(name.encode()), number, one])
                plain = {each: self.roles[each].plain(rng) for each in self.needed if each != parameter}
                yield from ((parameter, plain, case) for case in role.cases(rng))

    def missing(self) -> set[str]:
        """The parameters of the signature that have no role; ``unvaried`` ones need none."""
        named = inspect.signature(self.function).parameters.values()
        plain = {p.name for p in named if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}
        return plain - {name.partition("/")[0] for name in self.roles} - set(self.unvaried)


def _called(function: Any, read: Any, parameter: str, others: dict[str, Any], value: Any) -> Any:
    fresh = {name: other.copy() if isinstance(other, np.ndarray) else other for name, other in others.items()}
    return read(function(**fresh, **{parameter: value}))


@dataclass
class Tally:
    """What came of the cases of one name."""

    name: str
    outcomes: Counter[str] = field(default_factory=Counter)
    readable: Counter[bool] = field(default_factory=Counter)
    failures: list[tuple[str, str, Verdict]] = field(default_factory=list)

    @property
    def cases(self) -> int:
        return sum(self.outcomes.values())

    def add(self, parameter: str, case: Case, verdict: Verdict) -> None:
        self.outcomes[verdict.outcome] += 1
        if case.expect == ANSWER:
            self.readable[verdict.outcome == "answered"] += 1
        if not verdict.good:
            self.failures.append((parameter, case.kind, verdict))

    def line(self) -> str:
        """One line of the report: the share answered of what numpy reads as numbers, and every outcome."""
        read, total = self.readable[True], self.readable.total()
        counted = ", ".join(f"{count} {outcome}" for outcome, count in sorted(self.outcomes.items()))
        return f"{self.name:44} {self.cases:5} cases; {read}/{total} answered of what must be; {counted}"


def tried(name: str, entry: Entry, few: bool = False) -> Tally:
    """Try all cases of an entry, or few, after a call that warms up what is compiled."""
    tally = Tally(name)
    if entry.warm:
        rng = np.random.default_rng(0)
        entry.read(entry.function(**{each: entry.roles[each].plain(rng) for each in entry.needed}))
    for parameter, plain, case in entry.few_cases(name) if few else entry.cases(name):
        tally.add(parameter, case, judge(entry.call(parameter, plain), case))
    return tally
