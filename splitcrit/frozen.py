"""What every frozen value of the library shares: how it prints, pickles and complains.

Main definitions: ``NamedValue`` (prints as the call that makes the value; pickles,
or says in one sentence why not; is its own copy), ``complaint`` (rule, value, remedy),
``shown`` (a value in a sentence), ``printable`` (whether a number can be),
``visible`` (foreign text, safe to print); ``extra`` (what an import of an optional package says where that is absent).
"""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

TRIED = "_tried"  # the attribute that holds what the formula of a value was tried on
DIGITS = 4300  # of an integer, as many as Python prints
LARGEST: int = 10**DIGITS
LONG = 500  # characters of one part of a sentence
EXTRAS = {
    "sklearn": "trees", "dask": "trees,dask", "flint": "proofs", "mpmath": "proofs", "sympy": "proofs", "z3": "proofs",
    "hypothesis": "testing", "matplotlib": "plots", "river": "streams",
}  # fmt: skip


class Sentence(str):
    """The text of an error that the library itself found."""

    __slots__ = ()


def complaint(rule: str, got: object, remedy: str) -> Sentence:
    """The one-sentence text of an error, in one line: the rule, the offending value, the remedy."""
    parts = (visible(" ".join(part.splitlines()), LONG) for part in (rule, f"got {got}", remedy))
    return Sentence("; ".join(parts))


def printable(value: object) -> bool:
    """Whether Python prints a value: it prints no integer of more than 4300 digits."""
    try:
        str(value)
    except ValueError:
        return False
    return True


def shown(value: object) -> str:
    """A value as it prints, in one line and cut short, whatever its size.

    Examples
    --------
    >>> shown([1, "a"]), shown(10**5000)
    ("[1, 'a']", 'int of more than 4300 digits')
    """
    try:
        text = " ".join(repr(value).split())
    except ValueError:
        return f"{type(value).__name__} of more than {DIGITS} digits"
    return visible(text if len(text) <= 60 else f"{text[:57]}...")


def visible(text: object, most: int | None = None) -> str:
    """Foreign text that is safe to print: other characters than printable ones are escaped as in Python.

    Of text with more than ``most`` characters both ends are kept, since names often differ in the last.

    Examples
    --------
    >>> print(visible("a\\x1b[31m\\n"), visible("income of the household in 2024", 20))
    a\\x1b[31m\\n income of...in 2024
    """
    words = str(text)
    if most is not None and len(words) > most:
        words = f"{words[: most // 2 - 1]}...{words[2 - most // 2 :]}"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in words)


def is_ours(error: BaseException) -> bool:
    """Whether an error says what is wrong in a sentence of the library."""
    return bool(error.args) and isinstance(error.args[0], Sentence)


def nameless(value: Any) -> FunctionType | None:
    """The first lambda or local function held by a frozen value, or None."""
    if isinstance(value, FunctionType):
        return value if "<" in value.__qualname__ else None
    if dataclasses.is_dataclass(value):
        value = tuple(getattr(value, field.name) for field in dataclasses.fields(value))
    parts = value if isinstance(value, tuple) else ()
    return next((function for part in parts if (function := nameless(part)) is not None), None)


class NamedValue:
    """A frozen value that prints as its name, is its own copy, and pickles or says why not."""

    def __repr__(self: Any) -> str:
        """``name``, the text of the call that makes the value."""
        return visible(self.name, 2 * LONG)

    def __getstate__(self: Any) -> dict[str, Any]:
        """The state to pickle.

        Raises
        ------
        pickle.PicklingError
            If the value holds a lambda or a function defined inside another function.
        """
        if (function := nameless(self)) is not None:
            rule = f"{self.name} can be pickled only if its functions have a name in a module"
            remedy = "define the function at the top level of a module"
            raise pickle.PicklingError(complaint(rule, function.__qualname__, remedy))
        return {name: part for name, part in self.__dict__.items() if name != TRIED}

    def __copy__(self, memo: Any = None) -> Any:
        return self

    __deepcopy__ = __copy__


@contextmanager
def extra(what: str) -> Iterator[None]:
    """Import inside what an extra brings; where it is absent, say which extra to install.

    Examples
    --------
    >>> with extra("a proof"):
    ...     raise ModuleNotFoundError(name="flint")
    Traceback (most recent call last):
    ModuleNotFoundError: a proof needs an extra; got no module flint; pip install 'splitcrit[proofs]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        module = str(error.name).partition(".")[0]
        if module not in EXTRAS or is_ours(error):
            raise
        text = complaint(f"{what} needs an extra", f"no module {module}", f"pip install 'splitcrit[{EXTRAS[module]}]'")
        raise ModuleNotFoundError(text, name=module) from None
