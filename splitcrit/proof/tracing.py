"""Runs of code as one tree: a comparison that control flow asks for is answered both ways.

The code is run once for each answer, and the trees are merged into one with a case where they differ. Nothing is
assumed, and what cannot be traced is an error.

Main definitions: ``traced``, ``Formula``.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from splitcrit.proof.trees import BINDERS, TRACE, Node
from splitcrit.proof.undecided import Undecided
from splitcrit.values import complaint

MOST_CASES = 8


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
    TRACE.start(script)
    try:
        found: Formula | None = Formula(TRACE.read(run()))
    except ValueError:
        found = None
    except (TypeError, AttributeError, NameError, IndexError, RuntimeError) as error:
        raise Undecided(_place(error)) from error
    if len(TRACE.path) == len(script):
        return found
    condition, _ = TRACE.path[len(script)]
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


def _place(error: BaseException) -> str:
    """Return where the library does what cannot be traced: function, line and operation."""
    last = [f for f in traceback.extract_tb(error.__traceback__) if f.filename != __file__][-1]
    where = f"{last.name}, line {last.lineno}: {last.line}"
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
