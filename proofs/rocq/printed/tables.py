"""Scores of tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from splitcrit.criteria import gain
from splitcrit.criteria import library as criteria
from splitcrit.impurities import Impurity
from splitcrit.impurities import library as impurities
from splitcrit.proof.families import Family, retraced, rows
from splitcrit.proof.rocq import Definition
from splitcrit.proof.tracing import traced
from splitcrit.proof.trees import TRACE, Node, variable
from splitcrit.proofs.rocq.printed.common import T, cells

SOME = "r K (t : 'I_r -> 'I_K.+1 -> R)"


def children() -> list[Family]:
    """Return a table of two rows and any number of classes."""

    def child(i: int) -> Family:
        return Family("k", lambda k: TRACE.term(Node("at", ("t", str(i), k))))

    return [child(0), child(1)]


def definitions() -> Iterator[Definition]:
    """Yield the scores of tables."""
    m = TRACE
    for name in ("gini", "entropy", "bayes_sum"):
        phi = Impurity(name, retraced(getattr(impurities, f"_{name}")))
        tree = traced(lambda: retraced(gain.Decrease.__call__)(gain.Decrease(phi), rows("t"), m)).tree  # noqa: B023
        yield Definition(f"py_decrease_{name}", T, tree, f"splitcrit.criteria.gain.Decrease of {name}")
    error = Impurity("misclassification", retraced(impurities._misclassification))
    tree = traced(lambda: retraced(gain.Decrease.__call__)(gain.Decrease(error), rows("t"), m)).tree
    where = "splitcrit.criteria.gain.Decrease of misclassification"
    yield Definition("py_decrease_misclassification", SOME, tree, where)
    root = Impurity("sqrt_gini", retraced(impurities._sqrt_gini))
    tree = traced(lambda: retraced(gain.Decrease.__call__)(gain.Decrease(root), rows("t"), m)).tree
    where = "splitcrit.criteria.gain.Decrease of sqrt_gini"
    yield Definition("py_decrease_sqrt_gini", f"(R : rcfType) {T}", tree, where)
    smaller = Impurity("ne", partial(retraced(impurities.NE.__call__), impurities.NE(variable("lam"))))
    tree = traced(lambda: retraced(gain.Decrease.__call__)(gain.Decrease(smaller), rows("t"), m)).tree
    where = "splitcrit.criteria.gain.Decrease of ne(lam)"
    yield Definition("py_decrease_ne", f"(R : rcfType) (lam : R) {SOME}", tree, where)
    tree = traced(lambda: retraced(criteria._pairwise_gain)(cells(), m)).tree
    yield Definition("py_pairwise_gain", "(t : 'I_2 -> 'I_2 -> R)", tree, "splitcrit.criteria.library._pairwise_gain")
    tree = traced(lambda: next(iter(retraced(criteria._crossings)(children())[0])), frozenset("k")).tree
    where = "splitcrit.criteria.library._crossings"
    yield Definition("py_crossing", "K (t : 'I_2 -> 'I_K -> R) (k : 'I_K)", tree, where)
    for name in ("twoing", "one_vs_rest"):
        tree = traced(lambda: retraced(getattr(criteria, f"_{name}"))(children(), m)).tree  # noqa: B023
        yield Definition(f"py_{name}", "K (t : 'I_2 -> 'I_K -> R)", tree, f"splitcrit.criteria.library._{name}")
    tree = traced(lambda: retraced(criteria._sum_minority)(rows("t"), m)).tree
    where = "splitcrit.criteria.library._sum_minority"
    yield Definition("py_sum_minority", SOME, tree, where)
