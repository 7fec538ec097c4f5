"""A routine is read as it is written, and what C cannot say is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from splitcrit.export.c_header import ROUTINES
from splitcrit.export.moments import Counts, Real, Room, real, value
from splitcrit.export.translating import signature, translated

LIMIT, SHARE = 3, 0.25


def counted(totals: Counts, length: int) -> int:
    """Return the totals above a limit."""
    found = 0
    for i in range(length):
        if totals[i] > LIMIT and totals[i] != 7:
            found += 1
    return found


def spread(totals: Counts, room: Room, length: int) -> float:
    """Return a share.

    Of what is there.
    """
    rest = totals[1:]
    room[0] = counted(rest, length - 1)
    return value(2 * real(room[0])) if length > 1 else SHARE


def test_a_routine_is_read_line_by_line() -> None:
    wanted = """\
/* Return the totals above a limit. */
static inline int64_t splitcrit_counted(const int64_t *totals, int64_t length) {
    int64_t found;
    found = 0;
    for (int64_t i = 0; i < length; i++) {
        if ((totals[i] > 3) && (totals[i] != 7)) {
            found = (found + 1);
        }
    }
    return found;
}"""
    assert translated(counted, {}) == wanted


def test_calls_and_numbers_take_the_kinds_they_are_given() -> None:
    text = translated(spread, {})
    assert "rest = (totals + 1);" in text and "splitcrit_counted(rest, (length - 1))" in text
    assert "splitcrit_multiply(splitcrit_real_of(2), splitcrit_real_of(room[0]))" in text and ": 0.25)" in text
    assert text.startswith("/* Return a share.\n *\n * Of what is there.\n */")


def test_every_routine_is_annotated_with_kinds_that_c_has() -> None:
    kinds = {kind for routine in ROUTINES for kind in signature(routine).parameters}
    assert kinds == {"Counts", "Room", "Scores", "Values", "Real", "int", "float", "bool"} and len(ROUTINES) > 15
    assert all(inspected.__doc__ for inspected in ROUTINES)


def halvings(n: int) -> int:
    """Count halvings."""
    found, ended = 0, False
    while n > 1 and not ended:
        n = n // 2
        found += 1
        ended = n == 3
    return found


def test_a_loop_asks_before_each_turn() -> None:
    text = translated(halvings, {})
    assert "while ((n > 1) && (!(ended))) {\n        n = (n / 2);" in text and "ended = n == 3;" in text
    assert halvings(20) == 4 and halvings(7) == 1


def quotient(x: float) -> float:
    """Round down a float, which C does otherwise."""
    return x // 2.0


def denied(n: int) -> bool:
    """Deny a number."""
    return not n


def loops(n: int) -> int:
    """Loop."""
    while n:
        n -= 1
    return n


def steps(n: int) -> int:
    """Step."""
    for i in range(0, n, 2):
        n += i
    return n


def otherwise(n: int) -> int:
    """Choose."""
    if n > 1:
        n = 2
    elif n > 0:
        n = 3
    return n


def halved(n: int) -> int:
    """Halve, which is no integer."""
    return n / 2  # type: ignore[return-value]


def mixed(n: int) -> float:
    """Mix."""
    return 1.5 * n


def changed(n: int) -> Real:
    """Change the kind of a name."""
    x: Any = n
    x = real(n)
    return x


def reread(n: int) -> Real:
    """Change the kind of a name."""
    n = real(n)
    return n


def chosen(n: int) -> Real:
    """Choose between kinds."""
    return real(n) if n > 1 else 0


def passed(n: int) -> int:
    """Pass an integer for an array."""
    return counted(n, n)


def called(n: int) -> int:
    """Call with a keyword."""
    return counted(totals=n, length=n)


def swapped(n: int, m: int) -> int:
    """Swap."""
    n, m = m, n
    return n


def growing(n: int) -> int:
    """Change the end of a loop."""
    for i in range(n):
        n += i
    return n


def unlike(n: int) -> float:
    """Return another kind."""
    return n


@pytest.mark.parametrize(
    "routine",
    [loops, steps, otherwise, halved, mixed, changed, reread, chosen, passed, called, swapped, growing, unlike,
     quotient, denied],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_what_c_cannot_say_is_refused(routine: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=r"a routine keeps to the part of Python that C can say; got .*; write it"):
        translated(routine, {})
