"""Roles: what an argument stands for, and with it the odd values that it is tried with.

Main definitions: ``Role``; of arrays ``vector``, ``counts``, ``weights``, ``totals``, ``shares``, ``observations``;
of one value ``number``, ``integer``, ``size``, ``choice``, ``truth``, ``rng``, ``thing``, ``lazy``, ``formula``.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from contract.inputs import ANSWER, EITHER, REFUSE, Case, array_cases
from contract.judge import Law

rows_reversed = Law("rows reversed", lambda x: np.flip(x, -2))
classes_reversed = Law("classes reversed", lambda x: np.flip(x, -1), axes=1)
doubled = Law("scaled", lambda x: x * 2 if x.dtype == object or (x.size and x.max() < 2.0**900) else x / 4, axes=1)
order_kept = Law("order reversed", lambda x: np.flip(x, -1), lambda answer: answer[::-1], axes=1)


@dataclass(frozen=True)
class Role:
    """The odd values of one argument: drawn around a plain value, with the other arguments that they need.

    ``laws`` are second paths that confirm an answer. One ``always`` given has its plain value where others vary.
    """

    plain: Callable[[np.random.Generator], Any]
    about: Callable[[Any, np.random.Generator], Iterator[Case]]
    beside: dict[str, Any] = field(default_factory=dict)
    laws: tuple[Law, ...] = ()
    answers_only: bool = False
    always: bool = False
    varied: bool = True

    def cases(self, rng: np.random.Generator) -> Iterator[Case]:
        """The cases about one plain value."""
        return self.about(self.plain(rng), rng)

    def judged(self, change: Callable[[Case], Case | None], **fields: Any) -> Role:
        """The role with its cases changed, or left out where ``change`` returns None."""
        about = self.about
        return replace(self, about=lambda b, rng: (y for x in about(b, rng) if (y := change(x)) is not None), **fields)

    def either(self, *kinds: str, expect: str = EITHER) -> Role:
        """The role with kinds that may be answered or refused, unless something else is to become of them."""
        return self.judged(lambda x: replace(x, expect=expect) if x.kind in kinds else x)

    def optional(self) -> Role:
        """The role of a parameter that may be None; but not of one that is always given."""
        refused = self.judged(lambda x: replace(x, expect=EITHER) if (x.kind, x.expect) == ("None", REFUSE) else x)
        return self if self.always else refused

    def without(self, *kinds: str) -> Role:
        """The role without some kinds."""
        return self.judged(lambda x: None if x.kind in kinds else x)

    def terms(self) -> Role:
        """The role of terms of a formula, or of values inside a function of the caller: only what must be answered.

        What the rules of an arithmetic make of other values is nobody's promise; no such name reaches a compiled loop.
        """
        return self.judged(lambda x: x if x.expect == ANSWER else None, answers_only=True)

    def free(self) -> Role:
        """The role where any value at all may be answered."""
        return self.judged(lambda x: replace(x, expect=EITHER if x.expect == REFUSE else x.expect))

    def given(self, **beside: Any) -> Role:
        """The same role, tried beside other arguments."""
        return replace(self, beside=self.beside | beside)

    def needed(self) -> Role:
        """The role whose plain value is given where others are varied, though it has a default."""
        return replace(self, always=True)

    def obeys(self, *laws: Law) -> Role:
        """The role with laws that its answers obey."""
        return replace(self, laws=laws)

    def around(self, base: Any) -> Role:
        """The role around another plain value."""
        return replace(self, plain=lambda rng: base.copy() if isinstance(base, np.ndarray) else base)


# Arrays.


def vector(draw: Callable[[np.random.Generator], Any], negative: bool = False, few: bool = True) -> Role:
    """Any plain array; where one may hold negative numbers these are no odd kind."""
    return Role(draw, lambda base, rng: array_cases(base, rng, negative, few))


def counts(rows: int = 2, classes: int = 3, few: bool = False) -> Role:
    """A contingency table of small counts, at least one in every cell."""
    return vector(lambda rng: rng.integers(1, 40, (rows, classes)), True, few)


def weights(classes: int = 3, few: bool = False) -> Role:
    """Class weights of one distribution: small counts."""
    return vector(lambda rng: rng.integers(1, 40, classes), True, few)


def totals(parts: int = 3, whole: int = 24) -> Role:
    """The totals of a margin, all above 0, of one sum."""
    return vector(lambda rng: 1 + rng.multinomial(whole - parts, np.full(parts, 1 / parts)), True, False)


def shares(classes: int = 4, few: bool = False) -> Role:
    """Class probabilities: sixteenths that sum to one."""
    return vector(lambda r: (1 + r.multinomial(16 - classes, np.full(classes, 1 / classes))) / 16, True, few)


ENTRIES = ("word", "number as text", "empty text", "bytes", "complex", "object", "function", "type", "a list")
OBSERVED = (
    "inf", "-inf", "all text", "all bytes", "complex", "dates", "spans of time", "records", "inf in a list", "set",
    *(f"{x} in objects" for x in ENTRIES), *(f"{x} in a list" for x in ("word", "number as text", "complex")),
)  # fmt: skip


def observations(n: int = 12, values: int = 3) -> Role:
    """A feature or a label: any values that can be told apart, every one of them there."""
    return vector(lambda rng: rng.permutation(np.arange(n) % values)).either(*OBSERVED)


# One value.

NO_NUMBERS: dict[str, Any] = {
    "nan": float("nan"), "nan of numpy": np.float32("nan"), "text": "three", "number as text": "0.25",
    "empty text": "", "bytes": b"3", "complex": 1 + 2j, "complex of numpy": np.complex64(1j), "list": [3],
    "two numbers": [3, 4], "empty list": [], "dict": {}, "set": {3}, "function": len, "type": int, "NA": pd.NA,
    "NaT of pandas": pd.NaT, "masked": np.ma.masked, "a masked number": np.ma.array(3, mask=True),
    "nan of Decimal": Decimal("nan"), "Ellipsis": ..., "date": np.datetime64("2020-01-01"), "vector": np.array([1, 2]),
    "object": object(), "slice": slice(3),
}  # fmt: skip


def _scalars(base: Any, same: dict[str, Any], odd: dict[str, Any]) -> Iterator[Case]:
    yield from (Case(kind, ANSWER, partial(_copy, value), partial(_copy, base)) for kind, value in same.items())
    yield from (Case(kind, REFUSE, partial(_copy, value)) for kind, value in NO_NUMBERS.items())
    yield from (Case(kind, EITHER, partial(_copy, value)) for kind, value in odd.items())


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray | list | dict | set) else value


def number(plain: float = 0.25) -> Role:
    """A real parameter, near the plain value of eighths."""

    def about(base: float, rng: np.random.Generator) -> Iterator[Case]:
        same = {kind: getattr(np, kind)(base) for kind in ("float16", "float32", "float64", "longdouble")}
        same |= {"Fraction": Fraction(base), "big-endian": np.array([base], dtype=">f4")[0]}
        odd = {
            "inf": float("inf"), "-inf": -float("inf"), "negative": -base, "zero": 0, "zero as float": 0.0, "one": 1,
            "negative zero": -0.0, "two": 2, "half": 0.5, "third": Fraction(1, 3), "huge": 1e300, "tiny": 5e-324,
            "1e-9": 1e-9, "-1e-12": -1e-12, "1 + 1e-12": 1 + 1e-12, "10**400": 10**400, "-10**400": -(10**400),
            "10**5000": 10**5000, "1/10**400": Fraction(1, 10**400), "None": None, "0-dimensional": np.array(base),
            "one entry": np.array([base]), "truth value": True, "truth value of numpy": np.True_,
            "Decimal": Decimal("0.25"), "just below one": 1 - 2**-53, "uint8": np.uint8(1),
            "largest float": np.finfo(float).max, "0.999": 0.999, "2**62": 2**62,
        }  # fmt: skip
        return _scalars(base, same, odd)

    return Role(lambda rng: plain, about)


def integer(plain: int = 3) -> Role:
    """A count, a size or a seed."""

    def about(base: int, rng: np.random.Generator) -> Iterator[Case]:
        kinds = ("int64", "int32", "int16", "uint8", "uint64")
        same = {kind: getattr(np, kind)(base) for kind in kinds if base < 2**8 or kind in ("int64", "uint64")}
        odd = {
            "inf": float("inf"), "-inf": -float("inf"), "negative": -base, "minus one": -1, "zero": 0, "one": 1,
            "two": 2, "fraction": base + 0.5, "as float": float(base), "as Fraction": Fraction(base),
            "10**30": 10**30, "-10**30": -(10**30), "10**5000": 10**5000, "-10**5000": -(10**5000), "2**31": 2**31,
            "2**63": 2**63, "2**64": 2**64, "1e300": 1e300, "None": None, "0-dimensional": np.array(base),
            "one entry": np.array([base]), "truth value": True, "False": False,
            "float16": np.float16(min(base, 2**11)), "10**5": 10**5, "Decimal": Decimal(base),
        }  # fmt: skip
        return _scalars(base, same, odd)

    return Role(lambda rng: plain, about)


def size(plain: int = 3) -> Role:
    """How much work is done: what is large takes long, and is left out; what no array can hold is not."""
    return integer(plain).without("10**5", "2**31")


def choice(*known: Any) -> Role:
    """One of a few names; the first is the plain one."""

    def about(base: Any, rng: np.random.Generator) -> Iterator[Case]:
        names = [name for name in known if isinstance(name, str)]
        same = {"same name": base} | ({"str of numpy": np.str_(base)} if names else {})
        odd = {f"the name {name}": name for name in known}
        odd |= {"None": None, "integer": 3, "truth value": True, "False": False}
        for name in names[:1]:
            odd |= {"upper case": name.upper(), "with a blank": f"{name} ", "as bytes": name.encode()}
            odd["in a list"] = [name]
        return _scalars(base, same, odd)

    return Role(lambda rng: known[0], about)


def truth(plain: bool = False) -> Role:
    """A switch: bool and numpy's are answered; what else has a truth value may be."""

    def about(base: bool, rng: np.random.Generator) -> Iterator[Case]:
        return _scalars(base, {"numpy": np.bool_(base)}, {"other": not base, "one": 1, "None": None})

    return Role(lambda rng: plain, about).free()


def rng() -> Role:
    """What ``numpy.random.default_rng`` takes."""
    loose = integer().either("list", "two numbers", "empty list", "vector", "set", "dict").about

    def about(base: int, rng: np.random.Generator) -> Iterator[Case]:
        yield from (replace(case, repeatable=case.kind != "None") for case in loose(base, rng))
        for kind in ("default_rng", "PCG64", "SeedSequence"):
            yield Case(kind, ANSWER, partial(getattr(np.random, kind), base), partial(_copy, base))
        yield Case("RandomState", EITHER, lambda: np.random.RandomState(base))

    return Role(lambda rng: 3, about)


def thing(plain: Any, *others: Any) -> Role:
    """A value of the library, such as a channel or a criterion; ``others`` are of other types, and refused."""
    return lazy(lambda: plain, *others)


def lazy(maker: Callable[[], Any], *others: Any) -> Role:
    """A value of the library that is made when it is first tried, such as a fitted tree."""

    def about(base: Any, rng: np.random.Generator) -> Iterator[Case]:
        yield Case("pickled", ANSWER, lambda: pickle.loads(pickle.dumps(base)), partial(_copy, base))
        odd = {"None": None, "integer": 3, "truth value": True, "inf": float("inf"), "a table": [[1, 2], [3, 4]]}
        odd |= {f"{other}": other for other in others} | {"its type": type(base)}
        yield from (replace(case, expect=REFUSE) for case in _scalars(base, {}, odd))

    return Role(lambda rng: maker(), about)


def formula(plain: Callable[..., Any], *others: Any) -> Role:
    """A function of the caller; of any other function the caller answers for what it does."""
    return thing(plain, *others).without("function", "type", "its type")


def given(value: Any) -> Role:
    """An argument that is not varied: any name for it is as good."""
    return Role(lambda rng: value, lambda base, rng: iter(()), varied=False)
