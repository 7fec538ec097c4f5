"""What every frozen value of the library shares: how it prints, pickles and complains.

Main definitions: ``called`` (print as the call that makes the value), ``guarded_state``
(pickle, or say in one sentence why not), ``itself`` (a copy of a frozen value), ``complaint`` (rule, value, remedy).
"""

from __future__ import annotations

import dataclasses
import pickle
from types import FunctionType
from typing import Any


def called(value: Any) -> str:
    """Return ``value.name``, the text of the call that makes the value; used as ``__repr__``."""
    return str(value.name)


def complaint(rule: str, got: object, remedy: str) -> str:
    """Return the one-sentence text of an error, in one line: the rule, the offending value, the remedy."""
    return " ".join(f"{rule}; got {got}; {remedy}".splitlines())


def nameless(value: Any) -> FunctionType | None:
    """Return the first lambda or local function held by a frozen value, or None."""
    if isinstance(value, FunctionType):
        return value if "<" in value.__qualname__ else None
    if isinstance(value, tuple):
        parts = list(value)
    elif dataclasses.is_dataclass(value):
        parts = [getattr(value, field.name) for field in dataclasses.fields(value)]
    else:
        return None
    return next((found for part in parts if (found := nameless(part)) is not None), None)


def itself(value: Any, memo: Any = None) -> Any:
    """Return a frozen value itself; used as ``__copy__`` and ``__deepcopy__``."""
    return value


def guarded_state(value: Any) -> dict[str, Any]:
    """Return the state to pickle; used as ``__getstate__``.

    Raises
    ------
    pickle.PicklingError
        If the value holds a lambda or a function defined inside another function.
    """
    if (found := nameless(value)) is not None:
        raise pickle.PicklingError(
            complaint(
                f"{value.name} can be pickled only if its functions have a name in a module",
                found.__qualname__,
                "define the function at the top level of a module",
            )
        )
    return dict(value.__dict__)
