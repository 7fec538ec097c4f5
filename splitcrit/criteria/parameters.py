"""Parameters of frozen values changed: the value stays, another one is made.

Main definitions: ``replace``.
"""

from __future__ import annotations

import dataclasses
from typing import Any, cast

from splitcrit.frozen import complaint, printable, shown


def replace(value: Any, **changes: Any) -> Any:
    """Return a criterion (or any frozen value) with some of its parameters changed.

    Parameters
    ----------
    value : Criterion, or any frozen dataclass
    **changes
        Parameters of the criterion's score, or fields of the value.

    Raises
    ------
    TypeError
        If the value has no such parameter; the known ones are listed.

    Examples
    --------
    >>> from splitcrit import agini
    >>> replace(agini, alpha=0.2)
    replace(agini, alpha=0.2)
    """
    if isinstance(value, type) or not dataclasses.is_dataclass(value):
        rule = "replace changes parameters of a criterion or another frozen value"
        raise TypeError(complaint(rule, shown(value), "pass a value such as splitcrit.agini"))
    value = cast(Any, value)
    fields = {field.name for field in dataclasses.fields(value)}
    score = getattr(value, "score", None)
    known = [f.name for f in dataclasses.fields(score) if f.name != "score"] if dataclasses.is_dataclass(score) else []
    if set(changes) <= fields.difference(known):
        return dataclasses.replace(value, **changes)
    if isinstance(score, type) or score is None or not set(changes) <= set(known):
        rule = f"{value!r} has the parameters {', '.join(known) or 'none'}"
        raise TypeError(complaint(rule, ", ".join(sorted(changes)), "pass a parameter it has"))
    for key, change in changes.items():
        if not printable(change):
            raise ValueError(complaint("a parameter can be printed", f"{key} of {shown(change)}", "pass another"))
    text = ", ".join(f"{key}={change!r}" for key, change in changes.items())
    name = f"replace({value.name}, {text})"
    both = {key: change for key, change in changes.items() if key in fields}
    score = dataclasses.replace(score, **changes)
    both["search"] = getattr(score, "search", value.search)
    return dataclasses.replace(value, name=name, score=score, **both)
