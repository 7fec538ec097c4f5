"""Runs of code as one tree: a comparison that control flow asks for is answered both ways.

The code is run once for each answer, and the trees are merged into one with a case where they differ. Every run is
made with two members of each family and again with three: a formula that counts them says something else. Nothing is
assumed, and what cannot be traced is an error that names function, line and operation.

Main definitions: ``traced``, ``Formula``.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from splitcrit.proof.trees import BINDERS, TRACE, Node
from splitcrit.proof.undecided import Undecided
from splitcrit.values import complaint

MOST_CASES = 8
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Formula:
    """A traced formula, and what it asks of its arguments: conditions under which the code raises are excluded."""

    tree: Node
    hypotheses: tuple[Node, ...] = ()


def traced(run: Callable[[], Any], given: frozenset[str] = frozenset()) -> Formula:
    """Return the tree of what ``run`` gives, with a case for every comparison that control flow asks for.

    ``given`` are the indices that the formula is a function of.

    Raises
    ------
    Undecided
        If an operation cannot be traced.
    """
    found = _settled(run, (), given)
    if found is None:
        raise Undecided(complaint("a traced formula has a value", "an error in every case", "look at its arguments"))
    return found


def _settled(run: Callable[[], Any], script: tuple[bool, ...], given: frozenset[str]) -> Formula | None:
    if len(script) > MOST_CASES:
        raise Undecided(complaint("a traced formula has few cases", len(script), "trace its parts"))
    tree = _tree(run, script, 2)
    path = TRACE.path
    if tree != _tree(run, script, 3) or path != TRACE.path:
        got = f"another formula for three members than for two: {tree}"
        raise Undecided(complaint("a traced formula adds members and does not count them", got, "trace its parts"))
    if tree is not None and tree.free - given:
        got = f"{sorted(tree.free - given)} free in {tree}"
        raise Undecided(complaint("a traced formula is a sum, or a function of what is given", got, "trace its parts"))
    if len(path) == len(script):
        return None if tree is None else Formula(tree)
    condition, _ = path[len(script)]
    otherwise, holds = (_settled(run, (*script, way), given) for way in (False, True))
    if otherwise is None and holds is None:
        return None
    if holds is None or otherwise is None:
        kept = holds or otherwise
        assert kept is not None
        assumed = condition if otherwise is None else Node("not", (condition,))
        return Formula(kept.tree, (assumed, *kept.hypotheses))
    asked = tuple(dict.fromkeys((*holds.hypotheses, *otherwise.hypotheses)))
    return Formula(merged(condition, holds.tree, otherwise.tree, given), asked)


def _tree(run: Callable[[], Any], script: tuple[bool, ...], copies: int) -> Node | None:
    """Return the tree of one run with so many members of each family; None where it raises ValueError."""
    TRACE.start(script, copies)
    try:
        return TRACE.read(run())
    except ValueError:
        return None
    except (TypeError, AttributeError, NameError, LookupError, RuntimeError, ArithmeticError) as error:
        raise Undecided(_place(error)) from error


def _place(error: BaseException) -> str:
    """Return where the library does what cannot be traced: function, line and operation."""
    frames = traceback.extract_tb(error.__traceback__)
    outside = [f for f in frames if Path(f.filename).parent != HERE] or frames
    where = f"{outside[-1].name}, line {outside[-1].lineno}: {outside[-1].line}"
    return complaint(
        "a traced formula uses sums, sizes and the operations of numbers", f"{error} in {where}", "trace its parts"
    )


def merged(condition: Node, holds: Node, otherwise: Node, known: frozenset[str]) -> Node:
    """Return the tree that is the first where the condition holds and the second elsewhere.

    The case stands where the two differ, as far up as the indices that the condition speaks of are ``known``.
    """
    if holds == otherwise:
        return holds
    if condition.free <= known:
        return Node("if", (condition, holds, otherwise))
    if holds.op != otherwise.op or len(holds.parts) != len(otherwise.parts):
        raise Undecided(complaint("a case is about indices that are known there", condition, "trace its parts"))
    within = known | {holds.parts[0]} if holds.op in BINDERS else known
    parts = []
    for x, y in zip(holds.parts, otherwise.parts, strict=True):
        if isinstance(x, Node) and isinstance(y, Node):
            parts.append(merged(condition, x, y, within))
        elif x == y:
            parts.append(x)
        else:
            raise Undecided(complaint("a case leaves sizes and names as they are", f"{x} and {y}", "trace its parts"))
    return Node(holds.op, tuple(parts))
