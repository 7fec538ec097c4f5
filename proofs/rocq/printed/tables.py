"""Scores of tables."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from splitcrit.criteria import gain
from splitcrit.criteria import library as criteria
from splitcrit.impurities import Impurity
from splitcrit.impurities import library as impurities
from splitcrit.proof.families import Family, retraced, rows
from splitcrit.proof.rocq import Definition
from splitcrit.proof.tracing import traced
from splitcrit.proof.trees import TRACE, Node
from splitcrit.proofs.rocq.printed.common import T, cells


def children() -> list[Family]:
    """Return a table of two rows and any number of classes."""

    def child(i: int) -> Family:
        return Family("k", lambda k: TRACE.term(Node("at", ("t", str(i), k))))

    return [child(0), child(1)]


def definitions() -> Iterator[Definition]:
    """Yield the scores of tables."""
    m = TRACE
    phi = Impurity("phi", lambda p, _: TRACE.applied("phi", p))
    tree = traced(lambda: retraced(gain.Decrease.__call__)(gain.Decrease(phi), rows("t"), m)).tree
    arguments = "r K (phi : ('I_K -> R) -> R) (t : 'I_r -> 'I_K -> R)"
    yield Definition("py_decrease", arguments, tree, "splitcrit.criteria.gain.Decrease")
    for name in ("gini", "entropy"):
        phi = Impurity(name, retraced(getattr(impurities, f"_{name}")))
        tree = traced(lambda: retraced(gain.Decrease.__call__)(gain.Decrease(phi), rows("t"), m)).tree  # noqa: B023
        yield Definition(f"py_decrease_{name}", T, tree, f"splitcrit.criteria.gain.Decrease of {name}")
    phi = Impurity("entropy", retraced(impurities._entropy))
    gained = SimpleNamespace(score=lambda t, m: retraced(gain.Decrease.__call__)(gain.Decrease(phi), t, m))
    ratio = SimpleNamespace(score=gained)  # normalised(entropy), as retraced functions
    tree = traced(lambda: retraced(criteria.Normalised.__call__)(ratio, rows("t"), m)).tree
    arguments = "r K (t : 'I_r.+1 -> 'I_K -> R)"
    yield Definition("py_gain_ratio", arguments, tree, "splitcrit.criteria.library.Normalised of entropy")
    tree = traced(lambda: retraced(criteria._pairwise_gain)(cells(), m)).tree
    yield Definition("py_pairwise_gain", "(t : 'I_2 -> 'I_2 -> R)", tree, "splitcrit.criteria.library._pairwise_gain")
    for name in ("twoing", "one_vs_rest"):
        tree = traced(lambda: retraced(getattr(criteria, f"_{name}"))(children(), m)).tree  # noqa: B023
        yield Definition(f"py_{name}", "K (t : 'I_2 -> 'I_K -> R)", tree, f"splitcrit.criteria.library._{name}")
    tree = traced(lambda: retraced(criteria._sum_minority)(rows("t"), m)).tree
    where = "splitcrit.criteria.library._sum_minority"
    yield Definition("py_sum_minority", "r K (t : 'I_r -> 'I_K.+1 -> R)", tree, where)
