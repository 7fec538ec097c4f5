"""Terms: what a formula is run on where numbers are not known, and what a comparison of two of them says.

A comparison of numbers is a bool. A comparison of terms is a bool where the kinds of the variables decide it, else a
`Condition`, which only ``m.where`` reads: an ``if`` on a condition would take one of two branches in silence. A term is
neither true nor false, has no length, no hash, no text and no class that a formula could branch on: it raises
``Undecided``, which ``except Exception`` does not catch. The few functions of the library that look at the class of an
argument to validate it, or name an object after it, are listed in ``VALIDATING``; a debugger and the message of a test
are shown what a term is (`showing`).

Main definitions: ``Term``, ``Condition``, ``Home`` (what an arithmetic of terms is), ``same``, ``written``.
"""

from __future__ import annotations

import sys
from textwrap import shorten
from types import FrameType
from typing import Any, NoReturn, Protocol

from splitcrit.frozen import complaint
from splitcrit.proof.undecided import Undecided

WITHIN = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>")
WRITING = {"reprlib", "pprint"}  # what writes a value for the code that asks it to
SHOWING = {
    "_pytest",
    "unittest",
    "pdb",
    "bdb",
    "traceback",
    "IPython",
    "ipykernel",
    "debugpy",
    "pydevd",
    "_pydevd_bundle",
}
CHECKER = __name__.rpartition(".")[0]
PRINTED = "splitcrit.proofs.rocq."  # what is printed of the library for Rocq
VALIDATING = {  # what looks at the class of an argument, or writes it into a name, and computes with neither
    "arguments": {"_is_symbol"},
    "arith.array_libraries": {"of_other_library"},
    "losses.simplex": {"order"},
    "noise.channel": {"_times", "on_distribution"},
    "noise.makers": {"_call"},
    "noise.shares": {"shares_of"},
    "noise.transitions": {"rate", "_at_least_two"},
    "frozen": {"printable", "shown", "complaint"},
    "impurities.library": {"variance", "poisson"},
    "losses.margin_losses": {"__repr__"},
    "losses.response_losses": {"squared_error", "absolute_error", "poisson", "_is_zero"},
}


def validating(depth: int = 2) -> bool:
    """Whether the code that asks, but for Python's own, is the checker's, validates, or shows values."""
    frame = sys._getframe(depth)
    while frame.f_back and (frame.f_globals.get("__name__") == "abc" or frame.f_code.co_name in WITHIN):
        frame = frame.f_back
    name = frame.f_globals.get("__name__", "")
    return (
        name == "fractions"
        or name.partition(".")[0] in SHOWING
        or name.startswith((CHECKER + ".", PRINTED))
        or frame.f_code.co_name in VALIDATING.get(name.removeprefix("splitcrit."), ())
    )


def showing(depth: int = 2) -> bool:
    """Whether the code that asks shows values to a person: a debugger, a test's message, the prompt."""
    frame: FrameType | None = sys._getframe(depth)
    while frame and (name := frame.f_globals.get("__name__", "").partition(".")[0]) in WRITING:
        frame = frame.f_back
    return frame is not None and (name in SHOWING or (name == "__main__" and frame.f_code.co_name == "<module>"))


def _refusing(what: str) -> Any:
    """A method that refuses to say something of a term, and names the place that asked."""

    def method(*_: Any) -> NoReturn:
        frame = sys._getframe(1)
        while (inner := frame.f_globals.get("__name__", "")) in ("abc", __name__):
            frame = frame.f_back or frame
        got = f"a request for {what} in {inner}.{frame.f_code.co_name}, line {frame.f_lineno}"
        raise Undecided(complaint("a formula may not ask for the value of a term", got, "write it as m.where"))

    return method


VALUE, SIZE, CLASS, TEXT, ROUNDED = map(
    _refusing, ("the truth of a term", "its members", "its class", "its text", "its rounded value")
)


class Home(Protocol):
    """An arithmetic of terms: how a number is read, and what a comparison says."""

    def read(self, x: Any) -> Any: ...

    def compared(self, relation: str, left: Term, right: Any) -> Any: ...

    def joined(self, word: str, one: Condition, other: Any) -> Any: ...


class Condition:
    """A comparison of terms that is neither surely true nor surely false; ``m.where`` settles both ways.

    Conditions are joined by ``&``, ``|``, ``~`` and compared by ``==`` (one holds just if the other does).
    """

    __slots__ = ("home", "needs", "relation", "term")

    def __init__(self, relation: str, term: Any, home: Home, needs: frozenset[int] = frozenset()) -> None:
        self.relation, self.term, self.home, self.needs = relation, term, home, needs

    def __bool__(self) -> bool:
        raise Undecided(
            f"a comparison of terms has no truth value; got {self.written()}; write it as m.where, which settles both"
        )

    def __and__(self, other: Any) -> Any:
        return self.home.joined("and", self, other)

    def __or__(self, other: Any) -> Any:
        return self.home.joined("or", self, other)

    def __invert__(self) -> Any:
        return self.home.joined("not", self, True)

    def __eq__(self, other: object) -> Any:
        return self.home.joined("iff", self, other)

    __rand__, __ror__ = __and__, __or__
    __len__ = __iter__ = SIZE
    __int__ = __index__ = __float__ = __round__ = __abs__ = ROUNDED
    __hash__ = __format__ = TEXT

    def __repr__(self) -> str:
        return _shown(self) if showing() else str(TEXT(self))

    def written(self) -> str:
        """The condition as text, which a formula cannot ask for."""
        text = " ".join(str(self.term).split())
        return text if any(sign in text for sign in "<>=") else f"{text} {self.relation} 0"  # of a field: a difference


class Term:
    """A value of an arithmetic of terms: ``+ - * /`` and whole powers as that arithmetic knows them."""

    __slots__ = ("home", "inner")

    def __init__(self, inner: Any, home: Home) -> None:
        self.inner, self.home = inner, home

    def _made(self, inner: Any, other: Any = None) -> Term:
        """A value made from this one and perhaps another."""
        return Term(inner, self.home)

    def __add__(self, other: Any) -> Term:
        return self._made(self.inner + self.home.read(other), other)

    def __mul__(self, other: Any) -> Term:
        return self._made(self.inner * self.home.read(other), other)

    def __sub__(self, other: Any) -> Term:
        return self._made(self.inner - self.home.read(other), other)

    def __rsub__(self, other: Any) -> Term:
        return self._made(self.home.read(other) - self.inner, other)

    def __neg__(self) -> Term:
        return self._made(-self.inner)

    def __pos__(self) -> Term:
        return self

    def __truediv__(self, other: Any) -> Term:
        return self._made(self.inner / self.home.read(other), other)

    def __rtruediv__(self, other: Any) -> Term:
        return self._made(self.home.read(other) / self.inner, other)

    def __pow__(self, exponent: int) -> Term:
        return self._made(self.inner**exponent)

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> Any:
        return self.home.compared("==", self, other)

    def __ne__(self, other: object) -> Any:
        return self.home.compared("!=", self, other)

    def __lt__(self, other: Any) -> Any:
        return self.home.compared("<", self, other)

    def __le__(self, other: Any) -> Any:
        return self.home.compared("<=", self, other)

    def __gt__(self, other: Any) -> Any:
        return self.home.compared(">", self, other)

    def __ge__(self, other: Any) -> Any:
        return self.home.compared(">=", self, other)

    __bool__ = VALUE
    __iter__ = __contains__ = __getitem__ = SIZE
    __int__ = __index__ = __float__ = __complex__ = __round__ = __trunc__ = __floor__ = __ceil__ = __abs__ = ROUNDED
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __divmod__ = __rdivmod__ = __rpow__ = ROUNDED
    __hash__ = TEXT

    def __repr__(self) -> str:
        return str(_shown(self) if showing() else written(self) if validating() else TEXT(self))

    def __format__(self, spec: str) -> str:
        return format(written(self), spec) if validating() else str(TEXT(self))

    @property
    def __len__(self) -> Any:  # who validates asks whether there is one
        if validating():
            raise AttributeError("__len__")
        return SIZE(self)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return type(self) if validating() else CLASS(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or validating():
            raise AttributeError(name)
        CLASS(self)


def _shown(x: Any) -> str:
    what = "condition" if isinstance(x, Condition) else "term"
    return f"<a {what}: {shorten(written(x), 80, placeholder='...')}>"


def written(x: Any) -> str:
    """A term, or any other value, as text, which a formula cannot ask for."""
    if isinstance(x, list | tuple):
        return f"[{', '.join(map(written, x))}]"
    return str(x.inner) if isinstance(x, Term) else x.written() if isinstance(x, Condition) else str(x)


def same(x: Any, y: Any) -> bool:
    """Whether two values are the same number or the same term, as it is written."""
    if isinstance(x, tuple | list) and isinstance(y, tuple | list):
        return len(x) == len(y) and all(map(same, x, y))
    if isinstance(x, Term) != isinstance(y, Term):
        return False
    if isinstance(x, Term):
        alike = x.inner.eq(y.inner) if hasattr(x.inner, "eq") else x.inner == y.inner
        return bool(alike)
    return bool(x == y) if not (isinstance(x, int) and isinstance(y, int)) else int(x) == int(y)
