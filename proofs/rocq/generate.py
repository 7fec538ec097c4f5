"""The definitions of generated.v, printed by the library's own code objects.

``python -m splitcrit.proofs.rocq.generate`` writes the file; ``--check`` compares it with the one that stands.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from splitcrit.arith import base
from splitcrit.criteria import gain, library as criteria
from splitcrit.impurities import Impurity, library as impurities
from splitcrit.losses import simplex
from splitcrit.noise import channel, transitions
from splitcrit.nulls import formulas, permutation
from splitcrit.proof.rocq import Definition, printed
from splitcrit.proof.tracing import TRACE, Node, named, retraced, row, rows, traced, variable

FILE = Path(__file__).parent / "generated.v"
HEAD = """\
(* Printed by the code objects of splitcrit: python -m splitcrit.proofs.rocq.generate. Not to be edited. *)
From mathcomp Require Import all_ssreflect all_algebra.
From splitcrit Require Import defs risk.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Section Generated.
Variables (R : realFieldType) (log : R -> R).
"""
P, W, T = "K (p : 'I_K -> R)", "K (w : 'I_K -> R) (k : 'I_K)", "r K (t : 'I_r -> 'I_K -> R)"
MARGINS = "r K (a : 'I_r -> R) (b : 'I_K -> R)"
SCALARS = [
    name
    for name, function in vars(formulas).items()
    if inspect.isfunction(function) and function.__module__ == formulas.__name__
]


def index(letter: str) -> Any:
    return TRACE.term(Node("index", (letter,)))


def size(letter: str) -> Any:
    return TRACE.term(Node("size", (letter,)))


def cells() -> list[list[Any]]:
    return [[TRACE.term(Node("at", ("t", str(i), str(k)))) for k in (0, 1)] for i in (0, 1)]


def of_numbers() -> Iterator[Definition]:
    """Yield the formulas of the null law that are functions of numbers and give one number."""
    for name in SCALARS:
        function = getattr(formulas, name)
        names = list(inspect.signature(function).parameters)
        try:
            tree = traced(lambda: function(*map(variable, names))).tree  # noqa: B023
        except Exception:  # a tuple in or out: printed where it is used
            continue
        yield Definition(f"py_{name}", f"({' '.join(names)} : R)", tree, f"splitcrit.nulls.formulas.{name}")


def entry(rows_of: Any, j: str = "j", k: str = "k") -> Any:
    return list(list(rows_of)[0])[0]


def definitions() -> Iterator[Definition]:
    """Yield all definitions, each after those that it calls."""
    m, of = TRACE, {name: retraced(getattr(impurities, f"_{name}")) for name in IMPURITIES}
    for name, function in of.items():
        tree = traced(lambda: function(row("p"), m)).tree  # noqa: B023
        yield Definition(f"py_{name}", P, tree, f"splitcrit.impurities.library._{name}")
    square = traced(lambda: retraced(simplex._square)(row("w", "j"), index("k"), m), frozenset("k"))
    yield Definition("py_square", W, square.tree, "splitcrit.losses.simplex._square")
    for name in ("gini", "entropy"):
        score = traced(lambda: retraced(gain.Decrease.__call__)(gain.Decrease(Impurity(name, of[name])), rows("t"), m))  # noqa: B023
        yield Definition(f"py_decrease_{name}", T, score.tree, f"splitcrit.criteria.gain.Decrease of {name}")
    pairwise = traced(lambda: retraced(criteria._pairwise_gain)(cells(), m)).tree
    yield Definition(
        "py_pairwise_gain", "(t : 'I_2 -> 'I_2 -> R)", pairwise, "splitcrit.criteria.library._pairwise_gain"
    )
    symmetric = traced(
        lambda: entry(retraced(transitions.Symmetric.__call__)(transitions.Symmetric(variable("eta")), size("K"))),
        frozenset("jk"),
    )
    yield Definition(
        "py_symmetric", "K (eta : R) (j k : 'I_K)", symmetric.tree, "splitcrit.noise.transitions.Symmetric, for 2 <= K"
    )
    rates = transitions.ClassConditional(variable("tau_pos"), variable("tau_neg"))
    matrix = retraced(transitions.ClassConditional.__call__)(rates, 2)
    for j in (0, 1):
        for k in (0, 1):
            tree = traced(lambda: matrix[j][k]).tree  # noqa: B023
            where = "splitcrit.noise.transitions.ClassConditional"
            yield Definition(f"py_class_conditional_{j}{k}", "(tau_pos tau_neg : R)", tree, where)
    scalars = list(of_numbers())
    yield from scalars
    printed_already = {getattr(formulas, d.name.removeprefix("py_")): named(d.name) for d in scalars}
    for name in ("exact_mean", "exact_variance"):
        run = lambda: retraced(getattr(permutation, name), dict(printed_already))(row("a", "i"), row("b", "k"))  # noqa: B023, E731
        arguments = MARGINS + (" (d : R)" if name == "exact_variance" else "")
        yield Definition(f"py_{name}", arguments, traced(run).tree, f"splitcrit.nulls.permutation.{name}")


IMPURITIES = ("gini", "spread", "entropy")


def text() -> str:
    """Return the file that the code objects print."""
    return "\n".join([HEAD, *(definition.text() for definition in definitions()), "End Generated.\n"])


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(FILE.read_text(encoding="utf-8") != text())
    FILE.write_text(text(), encoding="utf-8")
