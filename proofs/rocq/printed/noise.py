"""Transition matrices, and what a channel makes of a distribution."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from splitcrit.noise import transitions
from splitcrit.noise.channel import Channel
from splitcrit.proof.families import Family, retraced, row
from splitcrit.proof.rocq import Definition
from splitcrit.proof.tracing import traced
from splitcrit.proof.trees import TRACE, Node, variable
from splitcrit.proofs.rocq.printed.common import entry, size


class Matrix:
    """A channel whose matrix is a number by its name for each pair of classes."""

    def transition(self, classes: Any) -> Family:
        return Family("j", lambda j: Family("k", lambda k: TRACE.term(Node("at", ("S", j, k)))))


def definitions() -> Iterator[Definition]:
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
