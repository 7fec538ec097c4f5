"""Terms: what a formula is run on where numbers are not known, and what a comparison of two of them says.

A comparison of numbers is a bool. A comparison of terms is a bool where the kinds of the variables decide it, else a
`Condition`, which only ``m.where`` reads: an ``if`` on a condition would take one of two branches in silence.

Main definitions: ``Term``, ``Condition``, ``Home`` (what an arithmetic of terms is), ``same``.
"""

from __future__ import annotations

from typing import Any, Protocol

from splitcrit.proof.undecided import Undecided


class Home(Protocol):
    """An arithmetic of terms: how a number is read, and what a comparison says."""

    def read(self, x: Any) -> Any: ...

    def compared(self, relation: str, left: Term, right: Any) -> Any: ...

    def joined(self, word: str, one: Condition, other: Any) -> Any: ...


class Condition:
    """A comparison of terms that is neither surely true nor surely false; ``m.where`` settles both ways.

    Conditions are joined by ``&``, ``|``, ``~`` and compared by ``==`` (one holds just if the other does).
    """

    __slots__ = ("home", "relation", "said")

    def __init__(self, relation: str, said: Any, home: Home) -> None:
        self.relation, self.said, self.home = relation, said, home

    def __bool__(self) -> bool:
        raise Undecided(f"a comparison of terms holds or not; got {self}; write it as m.where, which settles both")

    def __and__(self, other: Any) -> Any:
        return self.home.joined("and", self, other)

    def __or__(self, other: Any) -> Any:
        return self.home.joined("or", self, other)

    def __invert__(self) -> Any:
        return self.home.joined("not", self, True)

    def __eq__(self, other: object) -> Any:
        return self.home.joined("iff", self, other)

    __rand__, __ror__ = __and__, __or__
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        said = " ".join(str(self.said).split())
        return said if any(sign in said for sign in "<>=") else f"{said} {self.relation} 0"  # of a field: a difference


class Term:
    """A value of an arithmetic of terms: ``+ - * /`` and whole powers as that arithmetic knows them."""

    __slots__ = ("home", "inner")

    def __init__(self, inner: Any, home: Home) -> None:
        self.inner, self.home = inner, home

    def _made(self, inner: Any) -> Term:
        return Term(inner, self.home)

    def __add__(self, other: Any) -> Term:
        return self._made(self.inner + self.home.read(other))

    def __mul__(self, other: Any) -> Term:
        return self._made(self.inner * self.home.read(other))

    def __sub__(self, other: Any) -> Term:
        return self._made(self.inner - self.home.read(other))

    def __rsub__(self, other: Any) -> Term:
        return self._made(self.home.read(other) - self.inner)

    def __neg__(self) -> Term:
        return self._made(-self.inner)

    def __pos__(self) -> Term:
        return self

    def __truediv__(self, other: Any) -> Term:
        return self._made(self.inner / self.home.read(other))

    def __rtruediv__(self, other: Any) -> Term:
        return self._made(self.home.read(other) / self.inner)

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

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return str(self.inner)


def same(x: Any, y: Any) -> bool:
    """Return whether two values are the same number or the same term, as it is written."""
    if isinstance(x, tuple | list) and isinstance(y, tuple | list):
        return len(x) == len(y) and all(map(same, x, y))
    if isinstance(x, Term) != isinstance(y, Term):
        return False
    if isinstance(x, Term):
        alike = x.inner.eq(y.inner) if hasattr(x.inner, "eq") else x.inner == y.inner
        return bool(alike)
    return bool(x == y)
