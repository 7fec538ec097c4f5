"""Exact points of the domain of a claim, and the values of formulas there.

Every variable has a kind: ``"count"`` (integers from 0), ``"positive"`` (integers from 1), ``"rate"`` (in [0, 1]),
``"real"``; points are drawn from a generator seeded by the claim's own variables, so that a verdict is repeatable.

Main definitions: ``Formula``; ``points``, ``inside``, ``exactly_or_enclosed``, ``tried``, ``surely_above``, ``shown``.
"""

from __future__ import annotations

import functools
import itertools
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from operator import eq, gt
from types import SimpleNamespace
from typing import Any, NoReturn

from splitcrit.arith import EXACT, Irrational
from splitcrit.proof.balls import BALL, Ball
from splitcrit.proof.linting import of_claims
from splitcrit.proof.scope import of_kinds
from splitcrit.proof.undecided import Undecided, exact, truth

Formula = Callable[[Any, Any], Any]
POINTS = 16  # points that a claim proved by algebra or the solver must also survive
WHOLE = ("count", "positive")  # kinds that are whole numbers
TRIES = 4000  # draws in search of points of the domain; an eighth of them if none is one


OPERATIONS = ("number", "log", "xlogx", "sqrt", "power", "exp", "max", "min", "abs", "where")


class Blind:
    """The operations of an arithmetic, and nothing else of it: a formula cannot find out in which one it runs.

    Examples
    --------
    >>> Blind(EXACT).number(2)
    Fraction(2, 1)
    """

    __slots__ = (*OPERATIONS, "_name")
    _name: str

    def __init__(self, m: Any) -> None:
        object.__setattr__(self, "_name", m.name)
        for name in OPERATIONS:
            object.__setattr__(self, name, getattr(m, name))

    @property
    def name(self) -> str:
        """The name of the arithmetic, which functions of the library may read."""
        if of_claims(sys._getframe(1).f_globals.get("__name__", "")):
            self._refuse()
        return self._name

    def _refuse(self, *_: Any) -> NoReturn:
        raise Undecided("a formula may use the operations of its arithmetic alone: it may not ask which one it is")

    __getattr__ = __setattr__ = __eq__ = __ne__ = __bool__ = __repr__ = __str__ = _refuse
    __reduce__ = __dir__ = __format__ = __hash__ = _refuse


@functools.cache
def blind(m: Any) -> Blind:
    """The operations of an arithmetic of which there is one."""
    return Blind(m)


class _Read:
    """The variables of a point, which note that a formula reads them."""

    def __init__(self, v: SimpleNamespace, read: set[str]) -> None:
        self.__dict__.update(_values=vars(v), _read=read)

    def __getattr__(self, name: str) -> Any:
        self._read.add(name)
        return self._values[name]


def unread(variables: Mapping[str, str], domain: Formula | None, *formulas: Formula | None) -> list[str]:
    """The variables that no formula reads at any of some points of the domain."""
    read: set[str] = set()
    for v in itertools.islice(points(variables, domain), POINTS):
        for formula in filter(None, formulas):
            try:
                formula(_Read(v, read), blind(EXACT))
            except (Irrational, ZeroDivisionError):
                formula(_Read(_enclosed(v), read), blind(BALL))
    return [name for name in variables if name not in read]


def _draw(kind: str, rng: random.Random) -> Fraction:
    if kind in WHOLE:
        return Fraction(rng.choice((0, 1, 2, 3, rng.randint(0, 40))) + (kind == "positive"))
    if kind == "rate":
        bottom = rng.randint(1, 12)
        return Fraction(rng.randint(0, bottom), bottom)
    return Fraction(rng.randint(-30, 30), rng.randint(1, 9))


@functools.cache
def _drawn(variables: tuple[tuple[str, str], ...]) -> tuple[random.Random, list[list[Fraction]]]:
    """The draws for some variables so far, which their claims share."""
    return random.Random(repr(sorted(variables))), []


def points(variables: Mapping[str, str], domain: Formula | None) -> Iterable[SimpleNamespace]:
    """Yield random exact points of the domain; none at all means that the domain is empty, as far as tried."""
    of_kinds(variables)
    (rng, drawn), seldom = _drawn(tuple(variables.items())), TRIES // 8
    for place in range(TRIES):
        if place == len(drawn):
            drawn.append([_draw(kind, rng) for kind in variables.values()])
        v = SimpleNamespace(**dict(zip(variables, drawn[place], strict=True)))
        if inside(domain, v):
            seldom = TRIES
            yield v
        elif place > seldom:
            return


def inside(domain: Formula | None, v: SimpleNamespace) -> bool:
    """Whether an exact point satisfies a domain, a comparison or a list; no point where it is undefined."""
    if domain is None:
        return True
    try:
        holds = exactly_or_enclosed(domain, v)
    except (ZeroDivisionError, Undecided):
        return False
    return all(truth(x, "a hypothesis") for x in (holds if isinstance(holds, list | tuple) else [holds]))


def of_their_kinds(variables: Mapping[str, str], v: SimpleNamespace) -> bool:
    """True if the values of a point are of the kinds of its variables."""
    allowed: dict[str, Callable[[Fraction], bool]] = {
        "count": lambda x: x >= 0 and x.denominator == 1,
        "positive": lambda x: x >= 1 and x.denominator == 1,
        "rate": lambda x: 0 <= x <= 1,
        "real": lambda x: True,
    }
    return all(allowed[kind](Fraction(getattr(v, name))) for name, kind in variables.items())


def shown(v: SimpleNamespace) -> str:
    """A point as text, ``a = 1, b = 2/3``."""
    return ", ".join(f"{name} = {value}" for name, value in vars(v).items())


def exactly_or_enclosed(formula: Formula, at: Any, m: Any = EXACT) -> Any:
    """The value of a formula at an exact point or table: a rational number, or a Ball where it is irrational.

    Raises
    ------
    TypeError
        If the value is a float.
    """
    try:
        return exact(formula(at, blind(m)))
    except Irrational:
        return formula(_enclosed(at), blind(BALL))


def _enclosed(at: Any) -> Any:
    """A point with its values enclosed; arithmetic encloses the numbers of a table."""
    return SimpleNamespace(**{x: Ball(y) for x, y in vars(at).items()}) if isinstance(at, SimpleNamespace) else at


def tried(at: Iterable[SimpleNamespace], *formulas: Formula) -> Iterator[tuple[Any, ...]]:
    """Yield points of a domain with the values of formulas there; refuse where one is undefined."""
    for v in at:
        try:
            values = [exactly_or_enclosed(formula, v) for formula in formulas]
        except (ZeroDivisionError, Undecided) as error:
            raise Undecided(f"undefined at {shown(v)}, a point of its domain: {error}") from None
        yield v, *values


def _surely(relation: Callable[[Any, Any], Any]) -> Callable[..., bool]:
    """Whether two numbers are known to have a relation, or not to have it."""

    def sure(x: Any, y: Any, answer: bool = True) -> bool:
        try:
            return bool(relation(x, y)) is answer
        except Undecided:
            return False

    return sure


surely_above, surely_equal = _surely(gt), _surely(eq)


def raises(error: type[Exception], function: Callable[..., Any], *arguments: Any) -> bool:
    """Whether a function refuses its arguments with this exception; every other one is passed on."""
    try:
        function(*arguments)
    except error:
        return True
    return False
