"""Transition matrices, and what a channel makes of a distribution."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from splitcrit.arith.tracing import Node
from splitcrit.impurities import library as impurities
from splitcrit.losses import simplex
from splitcrit.noise import transitions
from splitcrit.noise.channel import Channel
from splitcrit.proof.control_flow import traced
from splitcrit.proof.families import Family, retraced
from splitcrit.proof.family_trees import TRACE, variable
from splitcrit.proofs.rocq.definitions import Definition
from splitcrit.proofs.rocq.printed.common import decrease, entry, index, size
from splitcrit.proofs.rocq.variables import row


class Matrix:
    """A channel whose matrix is a number by its name for each pair of classes."""

    def transition(self, classes: Any) -> Family:
        return matrix("S")

    def on_distribution(self, p: Any) -> Any:
        return retraced(Channel.on_distribution)(self, p)


def matrix(name: str) -> Family:
    """A matrix whose entries are numbers by its name."""
    return Family("j", lambda j: Family("k", lambda k: TRACE.term(Node("at", (name, j, k)))))


def by_indices(rows: Any) -> Any:
    """The entry of row j and column k of a matrix that is listed, a case for each of the two."""
    return _picked("j", [_picked("k", list(row)) for row in rows])


def _picked(letter: str, items: list[Any]) -> Any:
    item = items[-1]
    for place in range(len(items) - 2, -1, -1):
        item = TRACE.where(index(letter) == place, items[place], item)
    return item


def expected() -> Any:
    """The expected count of class j in row i: numpy gives every row of a table the same operations."""
    TRACE.open.append("i")
    run = retraced(Channel.expected)
    arrays = SimpleNamespace(moveaxis=lambda row, source, target: row, asarray=lambda row: row)
    run.__globals__.update(np=arrays, _tables=lambda counts: counts)
    counts = Family("k", lambda k: TRACE.term(Node("at", ("t", "i", k))))
    return next(iter(run(Matrix(), counts)))


def composed() -> Any:
    """The entry of row j and column k of one matrix after another."""
    both = SimpleNamespace(first=lambda classes: matrix("S"), second=lambda classes: matrix("T"))
    return entry(retraced(transitions.Composed.__call__)(both, size("K")))


def definitions() -> Iterator[Definition]:
    """Yield transition matrices, and what a channel makes of a distribution."""
    run = retraced(transitions.Symmetric.__call__)
    symmetric = traced(lambda: entry(run(transitions.Symmetric(variable("eta")), size("K"))), frozenset("jk"))
    where, arguments = "splitcrit.noise.transitions.Symmetric", "K (eta : R) (j k : 'I_K)"
    yield Definition("py_symmetric", arguments, symmetric.under, where, symmetric.hypotheses)
    rates = transitions.ClassConditional(variable("tau_pos"), variable("tau_neg"))
    matrix = retraced(transitions.ClassConditional.__call__)(rates, 2)
    for j in (0, 1):
        for k in (0, 1):
            tree = traced(lambda: matrix[j][k]).tree  # noqa: B023
            where = "splitcrit.noise.transitions.ClassConditional"
            yield Definition(f"py_class_conditional_{j}{k}", "(tau_pos tau_neg : R)", tree, where)
    noisy = traced(lambda: next(iter(retraced(Channel.on_distribution)(Matrix(), row("p")))), frozenset("j")).tree
    arguments = "K (S : 'I_K -> 'I_K -> R) (p : 'I_K -> R) (j : 'I_K)"
    yield Definition("py_on_distribution", arguments, noisy, "splitcrit.noise.channel.Channel.on_distribution")
    arguments = "r K (S : 'I_K -> 'I_K -> R) (t : 'I_r -> 'I_K -> R) (i : 'I_r) (j : 'I_K)"
    tree = traced(expected, frozenset("ij")).tree
    yield Definition("py_expected", arguments, tree, "splitcrit.noise.channel.Channel.expected")
    arguments = "K (S T : 'I_K -> 'I_K -> R) (j k : 'I_K)"
    tree = traced(composed, frozenset("jk")).tree
    yield Definition("py_composed", arguments, tree, "splitcrit.noise.transitions.Composed")
    yield from listed_matrices()
    yield from measured_under_noise()


def listed_matrices() -> Iterator[Definition]:
    """Yield matrices of a given number of classes as functions of both indices."""
    rates = transitions.ClassConditional(variable("tau_pos"), variable("tau_neg"))
    run = retraced(transitions.ClassConditional.__call__)
    tree = traced(lambda: by_indices(run(rates, 2)), frozenset("jk")).tree
    where = "splitcrit.noise.transitions.ClassConditional"
    yield Definition("py_class_conditional", "(tau_pos tau_neg : R) (j k : 'I_2)", tree, where)
    for classes in (2, 3, 4):
        flips = retraced(transitions.PairFlip.__call__)
        tree = traced(
            lambda: by_indices(flips(transitions.PairFlip(variable("eta")), classes)),  # noqa: B023
            frozenset("jk"),
        ).tree
        where = f"splitcrit.noise.transitions.PairFlip, {classes} classes"
        yield Definition(f"py_pair_flip_{classes}", f"(eta : R) (j k : 'I_{classes})", tree, where)


def measured_under_noise() -> Iterator[Definition]:
    """Yield what else theorems about noise and misprints speak of: the gain of responses, the loss of two scores."""
    of = retraced(impurities._Variance.__call__)

    def variance(p: Any, m: Any) -> Any:
        responses: Any = row("v")
        return of(impurities._Variance(responses), p, m)

    arguments = "r K (v : 'I_K -> R) (t : 'I_r -> 'I_K -> R)"
    yield decrease("variance", variance, arguments, "variance(v)")
    scores = [variable("score_pos"), variable("score_neg")]
    tree = traced(lambda: retraced(simplex.pairwise)(*scores, TRACE)).tree
    yield Definition("py_pairwise", "(score_pos score_neg : R)", tree, "splitcrit.losses.simplex.pairwise")
