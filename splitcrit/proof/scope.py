"""For what a claim is settled: numbers of classes, of observations, of children, and parameters, as data.

A claim yields its scope from what it runs over: the sizes its enumeration was called with, the numbers of classes it
was made for, the kinds of its variables. Nothing of it is typed as prose; `Scope.words` says it.

Main definitions: ``Extent`` (``ALL``, ``upto``, ``only``), ``Scope``, ``AXES``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from splitcrit.display import shortened
from splitcrit.frozen import complaint, shown

AXES = {"K": "classes", "N": "observations", "J": "values of a feature", "r": "rows", "n": "labels"}
KINDS = {"count": "counts", "positive": "positive counts", "rate": "rates in [0, 1]", "real": "real"}


@dataclass(frozen=True)
class Extent:
    """The values of one axis: all from ``least`` on, all up to a bound, or some that are listed.

    Examples
    --------
    >>> upto(12).meet(only(2, 3, 40))
    Extent(values=(2, 3), bound=None, least=0)
    """

    values: tuple[Any, ...] | None = None
    bound: int | None = None
    least: int = 0

    def __contains__(self, value: Any) -> bool:
        if self.values is not None:
            return value in self.values
        return bool(value >= self.least and (self.bound is None or value <= self.bound))

    def meet(self, other: Extent) -> Extent:
        """The values that both contain."""
        if self.values is not None:
            return Extent(tuple(x for x in self.values if x in other))
        if other.values is not None:
            return other.meet(self)
        bounds = [x for x in (self.bound, other.bound) if x is not None]
        return Extent(bound=min(bounds, default=None), least=max(self.least, other.least))

    @property
    def everything(self) -> bool:
        """Whether no bound and no list limits it."""
        return self.values is None and self.bound is None

    def plain(self) -> Any:
        """The extent as data of JSON: a list, or from where or up to where it goes."""
        if self.values is not None:
            return [x if isinstance(x, int) else str(x) for x in self.values]
        return {"from": self.least} if self.bound is None else {"to": self.bound}

    def words(self, name: str) -> str:
        """The extent as it is read: ``all K >= 2``, ``N <= 12``, ``K = 2, 3``."""
        if self.values is not None:
            return f"{name} = {', '.join(map(str, self.values))}" if self.values else f"no {name}"
        if self.bound is not None:
            return f"{name} <= {self.bound}"
        return f"all {name}" + (f" >= {self.least}" if self.least > 1 else "")


ALL = Extent()


def upto(bound: int) -> Extent:
    """All values up to a bound."""
    return Extent(bound=bound)


def only(*values: Any) -> Extent:
    """These values."""
    return Extent(tuple(values))


@dataclass(frozen=True, repr=False)
class Scope:
    """Extents by axis, and the kinds of the variables that take all their values.

    ``held_by`` names for an axis the part of a conjunction that limits it, where the parts differ; ``listed`` names the
    parts that settle listed cases, which have no size ("" for the whole), ``stated`` the axes that an author states.

    Examples
    --------
    >>> Scope({"K": upto(4)}, {"x": "rate"}).words()
    'K <= 4; all rates in [0, 1] x'
    """

    extents: Mapping[str, Extent] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    held_by: Mapping[str, str] = field(default_factory=dict)
    listed: frozenset[str] = frozenset()
    stated: frozenset[str] = frozenset()

    __repr__ = shortened

    def __getitem__(self, axis: str) -> Extent | None:
        """The extent of an axis; None where the scope leaves it out."""
        return self.extents.get(axis)

    def meet(self, other: Scope, name: str = "") -> Scope:
        """For what both are settled; ``name`` is what the second is called where it is the narrower."""
        extents, names = dict(self.extents), {**self.held_by}
        for axis, extent in other.extents.items():
            known = extents.get(axis)
            both = extent if known is None else known.meet(extent)
            if known is not None and both != known:
                names[axis] = other.held_by.get(axis, name)
            elif known is None and axis in other.held_by:
                names[axis] = other.held_by[axis]
            extents[axis] = both
        listed = self.listed | {part or name for part in other.listed}
        return Scope(extents, {**self.variables, **other.variables}, names, listed, self.stated | other.stated)

    def widened(self, extents: Mapping[str, Extent]) -> Scope:
        """The scope with the axes of a premise that says why they are wider."""
        parts = {axis: part for axis, part in self.held_by.items() if axis not in extents}
        return Scope({**self.extents, **extents}, self.variables, parts, self.listed, self.stated - set(extents))

    def words(self, own: Scope | None = None) -> str:
        """The scope as it is read; ``own`` is that of the claim without its premises."""
        lines = []
        for axis in ordered(self.extents):
            extent, part = self.extents[axis], self.held_by.get(axis, "")
            more = [*([f"by {part}"] if part else []), *(["stated"] if axis in self.stated else [])]
            if own is not None and own[axis] != extent:
                alone = own[axis]
                more.append(f"{alone.words(axis) if alone else 'nothing said'} without premises")
            lines.append(extent.words(axis) + (f" ({', '.join(more)})" if more else ""))
        for kind, words in KINDS.items():
            if names := dict.fromkeys(_family(name) for name, k in self.variables.items() if k == kind):
                lines.append(f"all {words} {', '.join(names)}")
        if self.listed:
            parts = sorted(part for part in self.listed if part and not part.startswith("part "))
            lines.append("listed cases" + (f" ({', '.join(parts)})" if parts else ""))
        return "; ".join(lines) or "one case"

    def plain(self) -> dict[str, Any]:
        """The extents as data of JSON."""
        return {axis: self.extents[axis].plain() for axis in ordered(self.extents)}


def ordered(axes: Iterable[str]) -> list[str]:
    """Names of axes in the order in which they are said."""
    names = list(AXES)
    return sorted(axes, key=lambda axis: (names.index(axis) if axis in names else len(names), axis))


def conjunction(parts: Iterable[tuple[str, Scope]]) -> Scope:
    """The scope for which all parts are settled.

    Raises
    ------
    ValueError
        If the parts share no value of an axis: they are no one statement.
    """
    whole = Scope()
    for name, scope in parts:
        whole = whole.meet(scope, name)
    for axis, extent in whole.extents.items():
        if extent.values == ():
            rule = f"the parts of a statement must have a value of {axis} in common"
            raise ValueError(complaint(rule, "none", "make each a statement of its own"))
    return whole


def _family(name: str) -> str:
    """The letter of numbered variables: ``p0``, ``p1``, ``p2`` are the p."""
    return name.rstrip("0123456789") or name


def of_kinds(kinds: Mapping[str, str]) -> None:
    """Raise ValueError if a variable is of no known kind."""
    for name, kind in kinds.items():
        if kind not in KINDS:
            rule = "the kind of a variable must be one of " + ", ".join(KINDS)
            raise ValueError(complaint(rule, f"{name} of kind {shown(kind)}", "choose one of these"))
