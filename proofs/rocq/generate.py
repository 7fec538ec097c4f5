"""The definitions of generated.v, printed by the library's own code objects.

``python -m splitcrit.proofs.rocq.generate`` writes the file; ``--check`` compares it with the one that stands.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from splitcrit.arith.base import shares
from splitcrit.criteria import gain
from splitcrit.criteria import library as criteria
from splitcrit.impurities import Impurity
from splitcrit.impurities import library as impurities
from splitcrit.losses import base as losses
from splitcrit.losses import simplex
from splitcrit.noise import transitions
from splitcrit.noise.channel import Channel
from splitcrit.nulls import formulas, permutation
from splitcrit.proof.families import Family, named, retraced, row, rows
from splitcrit.proof.rocq import Definition
from splitcrit.proof.tracing import traced
from splitcrit.proof.trees import TRACE, Node, variable

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


def entry(matrix: Any) -> Any:
    """Return the generic entry of a matrix of any size."""
    return next(iter(next(iter(matrix))))


def of_shares() -> Iterator[Definition]:
    """Yield impurities and losses."""
    m = TRACE
    for name in ("gini", "spread", "entropy", "bayes_sum"):
        tree = traced(lambda: retraced(getattr(impurities, f"_{name}"))(row("p"), m)).tree  # noqa: B023
        yield Definition(f"py_{name}", P, tree, f"splitcrit.impurities.library._{name}")
    tree = traced(lambda: retraced(impurities._misclassification)(row("p"), m)).tree
    some = "K (p : 'I_K.+1 -> R)"
    yield Definition("py_misclassification", some, tree, "splitcrit.impurities.library._misclassification")
    responses: Any = row("v")
    spread = traced(lambda: retraced(impurities._Variance.__call__)(impurities._Variance(responses), row("p"), m)).tree
    yield Definition("py_response_variance", "K (v p : 'I_K -> R)", spread, "splitcrit.impurities.library._Variance")
    for name in ("square", "mae", "zero_one"):
        tree = traced(lambda: retraced(getattr(simplex, f"_{name}"))(row("w", "j"), index("k"), m), frozenset("k")).tree  # noqa: B023
        yield Definition(f"py_{name}", W, tree, f"splitcrit.losses.simplex._{name}")
    risk = traced(lambda: retraced(losses.risk)(Cost(), None, row("p"), m)).tree
    yield Definition("py_risk", "K (cost p : 'I_K -> R)", risk, "splitcrit.losses.base.risk")
    tree = traced(lambda: next(iter(retraced(shares)(row("c"), variable("n"), m))), frozenset("k")).tree
    yield Definition("py_shares", "K (c : 'I_K -> R) (n : R) (k : 'I_K)", tree, "splitcrit.arith.base.shares")


class Cost:
    """A loss whose cost for class ``k`` is a number by its name."""

    def at(self, w: Any, k: Any, m: Any) -> Any:
        return TRACE.term(Node("at", ("cost", k.inner.parts[0])))


def of_tables() -> Iterator[Definition]:
    """Yield the scores of tables."""
    m = TRACE
    for name in ("gini", "entropy"):
        phi = Impurity(name, retraced(getattr(impurities, f"_{name}")))
        tree = traced(lambda: retraced(gain.Decrease.__call__)(gain.Decrease(phi), rows("t"), m)).tree  # noqa: B023
        yield Definition(f"py_decrease_{name}", T, tree, f"splitcrit.criteria.gain.Decrease of {name}")
    tree = traced(lambda: retraced(criteria._pairwise_gain)(cells(), m)).tree
    yield Definition("py_pairwise_gain", "(t : 'I_2 -> 'I_2 -> R)", tree, "splitcrit.criteria.library._pairwise_gain")
    for name in ("twoing", "one_vs_rest"):
        tree = traced(lambda: retraced(getattr(criteria, f"_{name}"))(children(), m)).tree  # noqa: B023
        yield Definition(f"py_{name}", "K (t : 'I_2 -> 'I_K -> R)", tree, f"splitcrit.criteria.library._{name}")
    tree = traced(lambda: retraced(criteria._sum_minority)(rows("t"), m)).tree
    where = "splitcrit.criteria.library._sum_minority"
    yield Definition("py_sum_minority", "r K (t : 'I_r -> 'I_K.+1 -> R)", tree, where)


def children() -> list[Family]:
    """Return a table of two rows and any number of classes."""

    def child(i: int) -> Family:
        return Family("k", lambda k: TRACE.term(Node("at", ("t", str(i), k))))

    return [child(0), child(1)]


def of_noise() -> Iterator[Definition]:
    """Yield transition matrices, and what a channel makes of a distribution."""
    run = retraced(transitions.Symmetric.__call__)
    symmetric = traced(lambda: entry(run(transitions.Symmetric(variable("eta")), size("K"))), frozenset("jk"))
    where = "splitcrit.noise.transitions.Symmetric, for 2 <= K"
    yield Definition("py_symmetric", "K (eta : R) (j k : 'I_K)", symmetric.tree, where)
    rates = transitions.ClassConditional(variable("tau_pos"), variable("tau_neg"))
    matrix = retraced(transitions.ClassConditional.__call__)(rates, 2)
    for j in (0, 1):
        for k in (0, 1):
            tree = traced(lambda: matrix[j][k]).tree  # noqa: B023
            where = "splitcrit.noise.transitions.ClassConditional"
            yield Definition(f"py_class_conditional_{j}{k}", "(tau_pos tau_neg : R)", tree, where)
    for classes in (2, 3, 4):
        listed = retraced(transitions.PairFlip.__call__)(transitions.PairFlip(variable("eta")), classes)
        for k in range(classes):
            tree = traced(lambda: listed[0][k]).tree  # noqa: B023
            yield Definition(
                f"py_pair_flip_{classes}_0{k}", "(eta : R)", tree, f"splitcrit.noise.transitions.PairFlip, {classes}"
            )
    noisy = traced(lambda: next(iter(retraced(Channel.on_distribution)(Matrix(), row("p")))), frozenset("j")).tree
    arguments = "K (S : 'I_K -> 'I_K -> R) (p : 'I_K -> R) (j : 'I_K)"
    yield Definition("py_on_distribution", arguments, noisy, "splitcrit.noise.channel.Channel.on_distribution")


class Matrix:
    """A channel whose matrix is a number by its name for each pair of classes."""

    def transition(self, classes: Any) -> Family:
        return Family("j", lambda j: Family("k", lambda k: TRACE.term(Node("at", ("S", j, k)))))


def of_null_law() -> Iterator[Definition]:
    """Yield the formulas of numbers, and the exact moments that call them."""
    scalars = list(of_numbers())
    yield from scalars
    called = {getattr(formulas, d.name.removeprefix("py_")): named(d.name) for d in scalars}
    for name in ("exact_mean", "exact_variance"):
        run = retraced(getattr(permutation, name), dict(called))
        tree = traced(lambda: run(row("a", "i"), row("b", "k"))).tree  # noqa: B023
        arguments = MARGINS + (" (d : R)" if name == "exact_variance" else "")
        yield Definition(f"py_{name}", arguments, tree, f"splitcrit.nulls.permutation.{name}")


def definitions() -> Iterator[Definition]:
    """Yield all definitions, each after those that it calls."""
    for part in (of_shares, of_tables, of_noise, of_null_law):
        yield from part()


def text() -> str:
    """Return the file that the code objects print."""
    return "\n".join([HEAD, *(definition.text() for definition in definitions()), "End Generated.\n"])


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(FILE.read_text(encoding="utf-8") != text())
    FILE.write_text(text(), encoding="utf-8")
