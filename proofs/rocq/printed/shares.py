"""Impurities, losses and risks as functions of the class shares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from splitcrit.arith.base import shares
from splitcrit.impurities import library as impurities
from splitcrit.losses import base as losses
from splitcrit.losses import simplex
from splitcrit.proof.families import retraced, row
from splitcrit.proof.rocq import Definition
from splitcrit.proof.tracing import traced
from splitcrit.proof.trees import TRACE, Node, variable
from splitcrit.proofs.rocq.printed.common import P, W, index


class Cost:
    """A loss whose cost for class ``k`` is a number by its name."""

    def at(self, w: Any, k: Any, m: Any) -> Any:
        return TRACE.term(Node("at", ("cost", k.inner.parts[0])))


def definitions() -> Iterator[Definition]:
    """Yield impurities and losses."""
    m = TRACE
    for name in ("gini", "spread", "entropy", "bayes_sum"):
        tree = traced(lambda: retraced(getattr(impurities, f"_{name}"))(row("p"), m)).tree  # noqa: B023
        yield Definition(f"py_{name}", P, tree, f"splitcrit.impurities.library._{name}")
    tree = traced(lambda: retraced(impurities._misclassification)(row("p"), m)).tree
    some = "K (p : 'I_K.+1 -> R)"
    yield Definition("py_misclassification", some, tree, "splitcrit.impurities.library._misclassification")
    tree = traced(lambda: retraced(impurities._sqrt_gini)(row("p"), m)).tree
    yield Definition("py_sqrt_gini", f"(R : rcfType) {P}", tree, "splitcrit.impurities.library._sqrt_gini")
    lam: Any = variable("lam")
    tree = traced(lambda: retraced(impurities.NE.__call__)(impurities.NE(lam), row("p"), m)).tree
    yield Definition("py_ne", f"(R : rcfType) (lam : R) {some}", tree, "splitcrit.impurities.library.NE")
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
