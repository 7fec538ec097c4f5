"""Runs of code as one tree: a comparison that control flow asks for is answered both ways.

The code is run once for each answer, and the trees are merged into one with a case where they differ. Every run is
made with two members of each family, and with more, up to 14: a formula that counts them says something else. Nothing
is assumed, and what cannot be traced is an error that names function, line and operation.

Main definitions: ``traced``, ``Formula``.
"""

from __future__ import annotations

import linecache
import sys
import traceback
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from splitcrit.arith import tracing as nodes
from splitcrit.arith.tracing import Node, operands_first
from splitcrit.frozen import complaint
from splitcrit.proof.admitted import REMEDY, RULE, Refused
from splitcrit.proof.family_trees import BINDERS, TRACE, free_of
from splitcrit.proof.undecided import Undecided

MOST_CASES = 8
SIZES = (2, 3, 8, 14)  # numbers of members of each family; the largest is above those that decide, `LARGEST`
OWN = (Path(__file__).parent, Path(nodes.__file__), Path(weakref.__file__))  # no formula stands there


@dataclass(frozen=True)
class Formula:
    """A traced formula, and what it asks of its arguments: conditions under which the code raises are excluded."""

    under: Node
    hypotheses: tuple[Node, ...] = ()

    @property
    def tree(self) -> Node:
        """The formula, where it asks nothing; else ``under`` holds what is true under its hypotheses."""
        if self.hypotheses:
            rule = "a formula must be printed with its hypotheses"
            raise Undecided(complaint(rule, f"none of {self.hypotheses[0]}", "print the hypotheses too"))
        return self.under


def traced(run: Callable[[], Any], known: frozenset[str] = frozenset()) -> Formula:
    """The tree of what ``run`` gives, with a case for every comparison that control flow asks for.

    ``known`` are the indices that the formula is a function of.

    Raises
    ------
    Undecided
        If an operation cannot be traced.
    """
    formula = _settled(run, (), known)
    if formula is None:
        raise Undecided(complaint("a traced formula must have a value", "errors only", "check its arguments"))
    return formula


def _settled(run: Callable[[], Any], script: tuple[bool, ...], known: frozenset[str]) -> Formula | None:
    tree = _tree(run, script, SIZES[0])
    path = TRACE.path
    if len(script) > MOST_CASES:
        rule = f"a traced formula may branch on at most {MOST_CASES} conditions"
        raise Undecided(complaint(rule, f"{len(path)} in {_returned(run, script)}", "trace its parts"))
    for size in SIZES[1:]:
        if (tree, path) != (_tree(run, script, size), TRACE.path):
            got = f"another formula for {size} members than for two in {_returned(run, script)}"
            raise Undecided(complaint("a traced formula may add members but not count them", got, "trace its parts"))
    if tree is not None and any(x.op == "distinct" for x in operands_first(tree)):
        got = f"a set in {_returned(run, script)}"
        raise Undecided(complaint("a traced formula may not drop repeated members", got, "trace its parts"))
    if free := free_of(tree) - known:
        got = f"one member, {sorted(free)}, in {_returned(run, script)}"
        raise Undecided(complaint("a traced formula may use only sums and its arguments", got, "trace its parts"))
    if len(path) == len(script):
        return None if tree is None else Formula(tree)
    condition, _ = path[len(script)]
    otherwise, holds = (_settled(run, (*script, way), known) for way in (False, True))
    if otherwise is None and holds is None:
        return None
    if holds is None or otherwise is None:
        taken = holds or otherwise
        assert taken is not None
        assumed = condition if otherwise is None else Node("not", (condition,))
        return Formula(taken.under, (assumed, *taken.hypotheses))
    asked = tuple(dict.fromkeys((*holds.hypotheses, *otherwise.hypotheses)))
    try:
        return Formula(merged(condition, holds.under, otherwise.under, known), asked)
    except Undecided as error:
        raise Undecided(complaint(RULE, f"{error} in {_returned(run, script)}", "trace its parts")) from error


def _tree(run: Callable[[], Any], script: tuple[bool, ...], copies: int) -> Node | None:
    """The tree of one run with that number of members of each family; None where the code raises ValueError."""
    TRACE.start(script, copies)
    try:
        value = run()
    except ValueError as error:
        raised = traceback.extract_tb(error.__traceback__)[-1]
        if str(raised.line).startswith("raise ") and _is_formula(raised.filename):
            return None
        place = f"{raised.name}, line {raised.lineno}: {raised.line}"
        raise Undecided(complaint(RULE, f"{error} in {place}", "trace its parts")) from error
    except (TypeError, AttributeError, NameError, LookupError, RuntimeError, ArithmeticError, Undecided) as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if _is_formula(f.filename)]
        place = f"{frames[-1].name}, line {frames[-1].lineno}: {frames[-1].line}" if frames else "the formula"
        got, remedy = (error.word, REMEDY) if isinstance(error, Refused) else (error, "trace its parts")
        raise Undecided(complaint(RULE, f"{got} in {place}", remedy)) from error
    try:
        return TRACE.read(value)
    except Undecided as error:
        got = f"{error} in {_returned(run, script)}"
        raise Undecided(complaint("a traced formula must return one number", got, "trace its parts")) from error


def _is_formula(filename: str) -> bool:
    """Whether code in a file is none of the printer's."""
    return not {Path(filename), Path(filename).parent} & {*OWN}


def _returned(run: Callable[[], Any], script: tuple[bool, ...]) -> str:
    """The line at which the outermost function that is no part of the printer returned, by running it again."""
    place = "no function"
    before: Any = sys.getprofile()
    if not (before is None or callable(before)):
        return "a function that is not looked for while a profiler runs"  # one in C could not be set again

    def last(frame: FrameType, event: str, value: Any) -> None:
        nonlocal place
        if event == "return" and _is_formula(frame.f_code.co_filename) and not frame.f_code.co_name.startswith("<"):
            line = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
            place = f"{frame.f_code.co_name}, line {frame.f_lineno}: {line}"

    TRACE.start(script, SIZES[0])
    sys.setprofile(last)
    try:
        run()
    finally:
        sys.setprofile(before)
    return place


def merged(condition: Node, holds: Node, otherwise: Node, known: frozenset[str]) -> Node:
    """The tree that is the first where the condition holds and the second elsewhere.

    The case stands where the two differ, as far up as the indices that the condition speaks of are ``known``.
    """
    if holds == otherwise:
        return holds
    if free_of(condition) <= known:
        return Node("if", (condition, holds, otherwise))
    if holds.op != otherwise.op or len(holds.parts) != len(otherwise.parts):
        raise Undecided(complaint("a condition may use only indices bound there", condition, "trace its parts"))
    within = known | {holds.parts[0]} if holds.op in BINDERS else known
    parts = []
    for x, y in zip(holds.parts, otherwise.parts, strict=True):
        if isinstance(x, Node) and isinstance(y, Node):
            parts.append(merged(condition, x, y, within))
        elif x == y:
            parts.append(x)
        else:
            raise Undecided(complaint("cases must share sizes and names", f"{x} and {y}", "trace its parts"))
    return Node(holds.op, tuple(parts))
