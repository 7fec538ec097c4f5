"""Roles of one value: a number, a name, a switch, a seed, a function, or a value of the library.

Main definitions: ``number``, ``integer``, ``size``, ``choice``, ``truth``, ``rng``, ``thing``, ``lazy``, ``formula``
and ``given``; the roles of arrays are taken along.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from contract.inputs import ANSWER, EITHER, REFUSE, Case, Expect, key
from contract.roles import Role

NO_NUMBERS: dict[str, Any] = {
    "nan": float("nan"),
    "nan of numpy": np.float32("nan"),
    "text": "three",
    "number as text": "0.25",
    "empty text": "",
    "bytes": b"3",
    "complex": 1 + 2j,
    "complex of numpy": np.complex64(1j),
    "list": [3],
    "two numbers": [3, 4],
    "empty list": [],
    "dict": {},
    "set": {3},
    "function": len,
    "type": int,
    "NA": pd.NA,
    "NaT of pandas": pd.NaT,
    "masked": np.ma.masked,
    "a masked number": np.ma.array(3, mask=True),
    "nan of Decimal": Decimal("nan"),
    "Ellipsis": ...,
    "date": np.datetime64("2020-01-01"),
    "vector": np.array([1, 2]),
    "object": object(),
    "slice": slice(3),
}


def _scalars(base: Any, same: dict[str, Any], odd: dict[str, Any], expected: dict[str, Expect]) -> Iterator[Case]:
    families = ((ANSWER, same), (REFUSE, NO_NUMBERS), (EITHER, odd))
    for expect, family in families:
        for kind, value in family.items():
            wanted = expected.get(key(kind), expect)
            yield Case(kind, wanted, partial(_given, value), partial(_given, base) if expect == ANSWER else None)


def number(plain: float = 0.25, **expected: Expect) -> Role:
    """A real parameter, near the plain value of eighths."""

    def about(base: float, rng: np.random.Generator) -> Iterator[Case]:
        same = {kind: getattr(np, kind)(base) for kind in ("float16", "float32", "float64", "longdouble")}
        same |= {"Fraction": Fraction(base), "big-endian": np.array([base], dtype=">f4")[0]}
        odd = {
            "inf": float("inf"),
            "-inf": -float("inf"),
            "negative": -base,
            "zero": 0,
            "zero as float": 0.0,
            "one": 1,
            "negative zero": -0.0,
            "two": 2,
            "half": 0.5,
            "third": Fraction(1, 3),
            "huge": 1e300,
            "tiny": 5e-324,
            "1e-9": 1e-9,
            "-1e-12": -1e-12,
            "1 + 1e-12": 1 + 1e-12,
            "10**400": 10**400,
            "-10**400": -(10**400),
            "10**5000": 10**5000,
            "1/10**400": Fraction(1, 10**400),
            "None": None,
            "0-dimensional": np.array(base),
            "one entry": np.array([base]),
            "truth value": True,
            "truth value of numpy": np.True_,
            "Decimal": Decimal("0.25"),
            "just below one": 1 - 2**-53,
            "uint8": np.uint8(1),
            "largest float": np.finfo(float).max,
            "0.999": 0.999,
            "2**62": 2**62,
        }
        return _scalars(base, same, odd, expected)

    return Role(lambda rng: plain, about)


def integer(plain: int = 3, **expected: Expect) -> Role:
    """A count, a size or a seed."""

    def about(base: int, rng: np.random.Generator) -> Iterator[Case]:
        kinds = ("int64", "int32", "int16", "uint8", "uint64")
        same = {kind: getattr(np, kind)(base) for kind in kinds if base < 2**8 or kind in ("int64", "uint64")}
        odd = {
            "inf": float("inf"),
            "-inf": -float("inf"),
            "negative": -base,
            "minus one": -1,
            "zero": 0,
            "one": 1,
            "two": 2,
            "fraction": base + 0.5,
            "as float": float(base),
            "as Fraction": Fraction(base),
            "10**30": 10**30,
            "-10**30": -(10**30),
            "10**5000": 10**5000,
            "-10**5000": -(10**5000),
            "2**31": 2**31,
            "2**63": 2**63,
            "2**64": 2**64,
            "1e300": 1e300,
            "None": None,
            "0-dimensional": np.array(base),
            "one entry": np.array([base]),
            "truth value": True,
            "False": False,
            "float16": np.float16(min(base, 2**11)),
            "10**5": 10**5,
            "Decimal": Decimal(base),
        }
        return _scalars(base, same, odd, expected)

    return Role(lambda rng: plain, about)


def size(plain: int = 3, **expected: Expect) -> Role:
    """How much work is done: what is large takes long, and is left out; what no array can hold is not."""
    role = integer(plain, **expected)
    long = ("10**5", "2**31")
    return replace(role, about=lambda base, rng: (case for case in role.about(base, rng) if case.kind not in long))


def choice(*known: Any, **expected: Expect) -> Role:
    """One of a few names; the first is the plain one."""

    def about(base: Any, rng: np.random.Generator) -> Iterator[Case]:
        names = [name for name in known if isinstance(name, str)]
        same = {"same name": base} | ({"str of numpy": np.str_(base)} if names else {})
        odd = {f"the name {name}": name for name in known}
        odd |= {"None": None, "integer": 3, "truth value": True, "False": False}
        for name in names[:1]:
            odd |= {
                "upper case": name.upper(),
                "with a blank": f"{name} ",
                "as bytes": name.encode(),
                "in a list": [name],
            }
        expected.setdefault("text", REFUSE)
        return _scalars(base, same, odd, expected)

    return Role(lambda rng: known[0], about)


def truth(plain: bool = True, **expected: Expect) -> Role:
    """A switch: bool and numpy's are answered; what else has a truth value may be."""
    odd = {kind: EITHER for kind in map(key, NO_NUMBERS)}

    def about(base: bool, rng: np.random.Generator) -> Iterator[Case]:
        return _scalars(base, {"numpy": np.bool_(base)}, {"other": not base, "one": 1, "None": None}, odd | expected)

    return Role(lambda rng: plain, about)


def rng(**expected: Expect) -> Role:
    """What ``numpy.random.default_rng`` takes."""

    def about(base: int, rng: np.random.Generator) -> Iterator[Case]:
        loose = dict.fromkeys(("list", "two_numbers", "empty_list", "vector", "set", "dict"), EITHER)
        for case in integer(base).about(base, rng):
            yield replace(
                case, expect=(loose | expected).get(key(case.kind), case.expect), repeatable=case.kind != "None"
            )
        yield Case("Generator", ANSWER, lambda: np.random.default_rng(base), partial(_given, base))
        yield Case("BitGenerator", ANSWER, lambda: np.random.PCG64(base), partial(_given, base))
        yield Case("SeedSequence", ANSWER, lambda: np.random.SeedSequence(base), partial(_given, base))
        yield Case("RandomState", EITHER, lambda: np.random.RandomState(base))

    return Role(lambda rng: 3, about)


def thing(plain: Any, *others: Any, **expected: Expect) -> Role:
    """A value of the library, such as a channel or a criterion; ``others`` are of other types, and refused."""

    return lazy(lambda: plain, *others, **expected)


def lazy(maker: Callable[[], Any], *others: Any, **expected: Expect) -> Role:
    """A value of the library that is made when it is first tried, such as a fitted tree."""

    def about(base: Any, rng: np.random.Generator) -> Iterator[Case]:
        yield Case("pickled", ANSWER, lambda: pickle.loads(pickle.dumps(base)), partial(_given, base))
        for other in others:
            yield Case(f"{other}", REFUSE, partial(_given, other))
        yield Case("its type", REFUSE, lambda: type(base))
        odd = {"None": None, "integer": 3, "truth value": True, "inf": float("inf"), "a table": [[1, 2], [3, 4]]}
        yield from _scalars(base, {}, odd, {key(kind): REFUSE for kind in odd} | expected)

    return Role(lambda rng: maker(), about)


def formula(plain: Callable[..., Any], *others: Any, **expected: Expect) -> Role:
    """A function of the caller; of any other function the caller answers for what it does."""

    def about(base: Any, rng: np.random.Generator) -> Iterator[Case]:
        cases = thing(base, *others, **expected).about(base, rng)
        return (case for case in cases if case.kind not in ("function", "type", "its type"))

    return Role(lambda rng: plain, about)


def given(value: Any) -> Role:
    """An argument that is not varied: any name for it is as good."""
    return Role(lambda rng: value, lambda base, rng: iter(()))


def _given(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray | list | dict | set) else value
