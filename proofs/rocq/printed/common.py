"""Arguments of printed definitions, and the members of families by their indices."""

from __future__ import annotations

from typing import Any

from splitcrit.arith.tracing import Node
from splitcrit.criteria import gain
from splitcrit.impurities import Impurity
from splitcrit.proof.control_flow import traced
from splitcrit.proof.families import retraced
from splitcrit.proof.family_trees import TRACE
from splitcrit.proofs.rocq.definitions import Definition
from splitcrit.proofs.rocq.variables import rows

P, W, T = "K (p : 'I_K -> R)", "K (w : 'I_K -> R) (k : 'I_K)", "r K (t : 'I_r -> 'I_K -> R)"
MARGINS = "r K (a : 'I_r -> R) (b : 'I_K -> R)"


def index(letter: str) -> Any:
    """An index that the formula is a function of: loops have others."""
    if letter not in TRACE.open:
        TRACE.open.append(letter)
    return TRACE.term(Node("index", (letter,)))


def size(letter: str) -> Any:
    return TRACE.term(Node("size", (letter,)))


def cells() -> list[list[Any]]:
    return [[TRACE.term(Node("at", ("t", str(i), str(k)))) for k in (0, 1)] for i in (0, 1)]


def decrease(name: str, phi: Any, arguments: str, of: str = "") -> Definition:
    """The decrease of an impurity, given by its formula on shares."""
    score = gain.Decrease(Impurity(name, phi))
    tree = traced(lambda: retraced(gain.Decrease.__call__)(score, rows("t"), TRACE)).tree
    return Definition(f"py_decrease_{name}", arguments, tree, f"splitcrit.criteria.gain.Decrease of {of or name}")


def entry(matrix: Any) -> Any:
    """The generic entry of a matrix of any size."""
    return next(iter(next(iter(matrix))))
