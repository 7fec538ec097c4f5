"""Entries, made from signatures: how each parameter of a public name is tried, by the rules of `table`.

Main definitions: ``entry`` (of a name), ``names`` (that have one), ``tried`` (the cases of an entry with their
verdicts).
"""

from __future__ import annotations

import inspect
import os
import sys
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal, get_args, get_origin

import numpy as np

from contract import roles, table
from contract.inputs import ANSWER, EITHER, REFUSE, Case
from contract.judge import Call, Verdict, judge
from contract.table import WHOLE, drawn, fitted, in_parts, public, read
from splitcrit.criteria import Criterion
from splitcrit.impurities import Impurity
from splitcrit.losses import Loss
from splitcrit.noise import Channel

RARELY = 20  # of a name so costly `make test` tries one case of a parameter
LEAST = 30  # cases of a name
FEW = {ANSWER: 2, REFUSE: 3, EITHER: 3}  # cases that `make test` tries of a parameter; one each where a name is costly
ROUNDS = 2  # plain values of the first parameter of a name
THOROUGH = 10 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 1  # times as many cases
EMPTY, VARIABLE = inspect.Parameter.empty, (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@dataclass(frozen=True)
class Entry:
    """How to call a public name: the roles of its parameters, which of them always get a plain value, and allowances.

    What follows a slash in the name of a role tells two roles of one parameter apart.
    """

    name: str
    function: Callable[..., Any]
    roles: dict[str, roles.Role]
    always: tuple[str, ...] = ()
    read: Callable[[Any], Any] = read
    estimator: bool = False
    nan: bool = False
    tolerance: float = 1e-9
    every: int = 1  # of a costly name only each so-manieth case is tried, but all in the thorough profile

    def call(self, parameter: str, rng: np.random.Generator) -> Call:
        """The function of one parameter, the others at their plain values."""
        named, role = parameter.partition("/")[0], self.roles[parameter]
        others = {name: self.roles[name].plain(rng) for name in self.always} | role.beside
        others.pop(named, None)
        function = partial(_called, self.function, self.read, named, others)
        return Call(function, role.laws, self.estimator, self.nan, self.tolerance)

    def cases(self) -> Iterator[tuple[str, Call, Case]]:
        """The cases of all parameters: the parameter, how it is called, the case."""
        found = list(self.all_cases(ROUNDS))
        if len(found) < LEAST:
            found = list(self.all_cases(ROUNDS * -(-LEAST // len(found))))
        step = max(1, min(self.every, len(found) // LEAST)) if THOROUGH == 1 else 1
        return iter(found[::step])

    def few_cases(self) -> Iterator[tuple[str, Call, Case]]:
        """A few cases of each parameter that must be answered, be refused, or may be either; others for each name."""
        groups: dict[tuple[str, str], list[tuple[str, Call, Case]]] = defaultdict(list)
        for parameter, call, case in self.all_cases(1):
            if "1000" not in case.kind:
                groups[parameter, case.expect if self.every < RARELY else ANSWER].append((parameter, call, case))
        for (parameter, expect), group in groups.items():
            step = -(-len(group) // (FEW[expect] if self.every == 1 else 1))
            yield from group[zlib.crc32(f"{self.name} {parameter}".encode()) % step :: step]

    def all_cases(self, rounds: int) -> Iterator[tuple[str, Call, Case]]:
        """Every case, however costly."""
        varied = [(parameter, role) for parameter, role in self.roles.items() if role.varied]
        for place, (parameter, role) in enumerate(varied):
            for one in range((1 if place else rounds) * THOROUGH):
                rng = np.random.default_rng([zlib.crc32(self.name.encode()), place, one])
                call = self.call(parameter, rng)
                yield from ((parameter, call, case) for case in role.cases(rng))


def _called(function: Any, read: Any, parameter: str, others: dict[str, Any], value: Any) -> Any:
    fresh = {name: other.copy() if isinstance(other, np.ndarray) else other for name, other in others.items()}
    return read(function(**fresh, **{parameter: value}))


def names() -> list[str]:
    """The names that have an entry: public ones but for what is apart, methods, and calls of the table."""
    called = {name for name in public() if not table.apart(name) or name.rpartition(".")[2] in table.CALLS}
    return sorted({*called, *table.METHODS, *(name for name in table.CALLS if "." in name)})


def parts(name: str) -> tuple[str, str]:
    """The last module of a name, and the name in it: of a method, with its class."""
    *modules, owner, bare = ["", *name.split(".")]
    return (modules[-1], f"{owner}.{bare}") if owner[:1].isupper() else (owner, bare)


@cache
def entry(name: str) -> Entry:
    """Make the entry of a name from its signature and the table."""
    module, bare = parts(name)
    value = table.CALLS.get(name) or table.CALLS.get(bare)
    if name in table.METHODS:
        example, method = table.METHODS[name]
        value = getattr(example(), method)
    value = public()[name] if value is None else value
    estimator = hasattr(getattr(value, "__self__", value), "fit")
    function, own = _function(value)
    given = inspect.signature(function).parameters
    given = {n: p for n, p in given.items() if p.kind not in VARIABLE and n not in table.UNVARIED}
    if "ax" in inspect.signature(function).parameters:
        function = drawn(function)
    rules = {n: table.ROLES.get(table.rule(module, bare, n)) for n in given}
    parameters = {n: own.get(n) or rules[n] or _annotated(function, p) for n, p in given.items()}
    if missing := [parameter for parameter, role in parameters.items() if role is None]:
        raise LookupError(f"{name}: no rule makes its {missing}; add a role to ROLES in tests/contract/table.py")
    parameters = {n: r.optional() if str(given[n].annotation).endswith("| None") else r for n, r in parameters.items()}
    parameters = {n: r.either("Fraction") for n, r in parameters.items()} if estimator else parameters
    if bare.startswith("Dask"):
        function = in_parts(function)
        parameters |= {n: parameters[n].without(*WHOLE) for n in ("X", "y", "sample_weight")}
        parameters |= {n: parameters[n].free() for n in ("X", "y")}
    always = tuple(n for n, r in parameters.items() if r.always or given[n].default is EMPTY)
    if {"table", "label", "missing"} <= set(parameters):
        feature = np.arange(12) % min(3, len(parameters["table"].plain(np.random.default_rng(0))))
        parameters |= {
            "table/feature": roles.observations(values=feature.max() + 1).given(label=table.LABEL),
            "label": roles.observations(values=2).given(table=feature),
            "missing": parameters["missing"].given(table=feature, label=table.LABEL),
        }
    second = [key for key in table.ROLES if "/" in key and key.rpartition(".")[0] == bare]
    parameters |= {key.rpartition(".")[2]: table.ROLES[key] for key in second}
    options = {"every": 3, "tolerance": 1e-7} if estimator else {}
    options |= table.OPTIONS.get(module, {}) | table.OPTIONS.get(bare, {})
    return Entry(name, function, parameters, always, **{"estimator": estimator} | options)


def _function(value: Any) -> tuple[Callable[..., Any], dict[str, roles.Role]]:
    """A public value as a function of keywords, with the roles that it says of itself."""
    if isinstance(value, Criterion):
        laws = (roles.rows_reversed, roles.classes_reversed) + (roles.doubled,) * (value.degree == 0)
        return value, {"table": roles.counts(value.rows or 3, value.classes or 3).obeys(*laws)}
    if isinstance(value, Impurity):
        role, exact = roles.weights().obeys(roles.classes_reversed, roles.doubled), value.name in table.RATIONAL
        return value, {"weights": role if exact else role.either("Fractions")}
    if isinstance(value, Loss):
        role = roles.shares(2 if value.space == "line" else 3).either("Fractions")
        return lambda p: Impurity.from_loss(value)(p), {"p": role}
    if isinstance(value, Channel):
        return value.matrix, {}
    kind = value if inspect.isclass(value) else None
    return (fitted(value, kind.fit) if hasattr(kind, "fit") else value), {}


def _annotated(function: Callable[..., Any], parameter: inspect.Parameter) -> roles.Role | None:
    """The role that an annotation or a default says: a switch, an integer, a number, one of some names."""
    said, default = str(parameter.annotation).removesuffix(" | None"), parameter.default
    if said == "bool" or isinstance(default, bool):
        return roles.truth(default is True)
    if said == "int" or isinstance(default, int):
        return roles.integer(min(default or 3, 3) if isinstance(default, int) else 3)
    if said == "float" or isinstance(default, float):
        return roles.number()
    inner = inspect.unwrap(function)
    home = inner.__module__ if hasattr(inner, "__module__") else type(inner).__module__
    try:
        known = eval(said, vars(sys.modules[home]))
    except (NameError, SyntaxError):
        return None
    return roles.choice(*sorted(get_args(known), key=lambda x: x != default)) if get_origin(known) is Literal else None


def tried(one: Entry, few: bool = False) -> list[tuple[str, Case, Verdict]]:
    """The verdicts on all cases of an entry, or on few."""
    cases = one.few_cases() if few else one.cases()
    return [(parameter, case, judge(call, case)) for parameter, call, case in cases]
