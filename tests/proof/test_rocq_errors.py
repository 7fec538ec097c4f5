"""A formula that cannot be traced is an error that names function, line and operation; never a partial term."""

from __future__ import annotations

import cProfile
import linecache
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from splitcrit.proof.control_flow import traced
from splitcrit.proof.families import retraced
from splitcrit.proof.undecided import Undecided
from splitcrit.proofs.rocq.variables import row

Formula = Callable[[Any], Any]


def counts_members(p: Any) -> Any:
    n = 0
    for _ in p:
        n = n + 1
    return n


def adds_in_a_loop(p: Any) -> Any:
    found = 0
    for x in p:
        found = found + x
    return found


def adds_pairs(p: Any) -> Any:
    shares = [x for x in p]
    return sum([x * y for x in shares for y in shares])


def leaves_a_loop_early(p: Any) -> Any:
    for x in p:
        if x == 0:
            return 0
    return 1 - sum(p)


def never_ends(p: Any) -> Any:
    n = sum(p)
    while n != 0:
        n = n * 1 + 0 * n
    return n


def asks_without_end(p: Any) -> Any:
    n = sum(p)
    while n == n * n:
        pass
    return n


def gives_one_member(p: Any) -> Any:
    squares = [x * x for x in p]
    return squares[0]


def gives_nothing(p: Any) -> Any:
    sum(p)


EXPRESSIONS = {  # of shares, and the operation that is named
    "sorted(p)[0]": "sorted",
    "p[1]": r"p\[1\]",
    "sum(p[1:])": r"p\[1:\]",
    "sum([x * 0.1 for x in p])": r"x \* 0\.1",
    "sum([math.log(x) for x in p])": r"math\.log",
    "sum([np.sqrt(x) for x in p])": r"np\.sqrt",
    "sum([x // 2 for x in p])": "x // 2",
    "sum([x % 2 for x in p])": "x % 2",
    "sum([x**x for x in p])": r"x\*\*x",
    "sum(p) ** 0.5": r"\*\* 0\.5",
    "sum(p) ** -1": r"\*\* -1",
    "sum([*p, 1])": r"another formula for 3 members.*\*p, 1",
    "sum([1 for _ in p])": "another formula for 3 members.*1 for",
    "[x for x in p]": r"return \[x for",
    'sum(p) + "1"': r"sum\(p\) \+ \"1\"",
    "sum([x * y for x, y in zip(p, [1, 2], strict=False)])": r"zip\(p",
}
LINES: list[tuple[Formula, str]] = [
    (counts_members, "another formula for 3 members.*return n"),
    (adds_in_a_loop, "another formula for 3 members.*return found"),
    (adds_pairs, "another formula for 3 members.*x \\* y"),
    (leaves_a_loop_early, "return 1 - sum"),
    (never_ends, "conditions; got 9"),
    (asks_without_end, "while n == n"),
    (gives_one_member, r"one member, \['k'\].*return squares\[0\]"),
    (gives_nothing, "None.*line"),
]


def written(expression: str) -> Formula:
    """The function of shares that returns an expression; its line is shown as that of any file."""
    scope: dict[str, Any] = {"__name__": __name__, "math": math, "np": np}
    lines = ["def of_shares(p):\n", f"    return {expression}\n"]
    linecache.cache[expression] = (0, None, lines, expression)
    exec(compile("".join(lines), expression, "exec"), scope)
    return scope["of_shares"]  # type: ignore[no-any-return]


@pytest.mark.parametrize(("function", "operation"), [*((written(x), said) for x, said in EXPRESSIONS.items()), *LINES])
def test_the_error_names_function_line_and_operation(function: Formula, operation: str) -> None:
    with pytest.raises(Undecided) as raised:
        traced(lambda: retraced(function)(row("p")))
    said = str(raised.value)
    assert re.search(operation, said), said
    assert re.search(rf"(in|<listcomp>|{function.__name__}), line \d+", said), said
    assert function.__name__ in said or "<listcomp>" in said, said


def test_a_profiler_goes_on_and_the_line_is_not_looked_for() -> None:
    profiler = cProfile.Profile()
    with profiler, pytest.raises(Undecided, match="a function that is not looked for while a profiler runs"):
        traced(lambda: retraced(counts_members)(row("p")))
    assert any("counts_members" in str(entry.code) for entry in profiler.getstats())


def test_a_formula_of_too_many_cases_is_refused() -> None:
    def cases(p: Any) -> Any:
        n = sum(p)
        return sum([1 if n == place * n * n else 2 for place in range(2, 12)])

    with pytest.raises(Undecided, match="at most 8 conditions"):
        traced(lambda: retraced(cases)(row("p")))


def test_comparisons_with_numbers_that_follow_from_others_are_no_cases() -> None:
    def steps(p: Any) -> Any:
        n = sum(p)
        return sum([place for place in range(1, 8) if place <= n])

    tree = traced(lambda: retraced(steps)(row("p"))).tree
    assert str(tree).count("'if'") == 7


def test_a_formula_that_only_raises_has_no_value() -> None:
    def fails(p: Any) -> Any:
        raise ValueError("never")

    with pytest.raises(Undecided, match="must have a value"):
        traced(lambda: retraced(fails)(row("p")))


def test_the_size_of_one_member_is_none() -> None:
    def counts_one(p: Any) -> Any:
        members = [*p]
        return len([members[0]])

    with pytest.raises(Undecided, match="must be that of one axis"):
        traced(lambda: retraced(counts_one)(row("p")))


def test_a_list_and_a_family_have_the_size_of_both() -> None:
    def counts_more(p: Any) -> Any:
        return len([*p]) + len([1, 2])

    assert str(traced(lambda: retraced(counts_more)(row("p"))).tree).count("'size'") == 1
