"""Scores of tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

from splitcrit.arith.tracing import Node
from splitcrit.criteria import gain
from splitcrit.criteria import library as criteria
from splitcrit.impurities import Impurity
from splitcrit.impurities import library as impurities
from splitcrit.proof.control_flow import traced
from splitcrit.proof.families import Family, Retraced, retraced
from splitcrit.proof.family_trees import TRACE, variable
from splitcrit.proofs.rocq.definitions import Definition
from splitcrit.proofs.rocq.printed.common import T, cells, decrease
from splitcrit.proofs.rocq.variables import row, rows

SOME = "r K (t : 'I_r -> 'I_K.+1 -> R)"


def children() -> list[Family]:
    """A table of two rows and any number of classes."""

    def child(i: int) -> Family:
        return Family("k", lambda k: TRACE.term(Node("at", ("t", str(i), k))))

    return [child(0), child(1)]


def definitions() -> Iterator[Definition]:
    """Yield the scores of tables."""
    m = TRACE
    some_phi = Impurity("phi", lambda p, m: TRACE.folded("of", list(p), "phi"))
    tree = traced(lambda: retraced(gain.Decrease.__call__)(gain.Decrease(some_phi), rows("t"), m)).tree
    arguments = "r K (phi : ('I_K -> R) -> R) (t : 'I_r -> 'I_K -> R)"
    yield Definition("py_decrease", arguments, tree, "splitcrit.criteria.gain.Decrease")
    for name in ("gini", "entropy", "bayes_sum"):
        yield decrease(name, retraced(getattr(impurities, f"_{name}")), T)
    yield decrease("misclassification", retraced(impurities._misclassification), SOME)
    yield decrease("sqrt_gini", retraced(impurities._sqrt_gini), T)
    smaller = partial(retraced(impurities.NE.__call__), impurities.NE(variable("lam")))
    yield decrease("ne", smaller, f"(lam : R) {SOME}", "ne(lam)")
    unsure = Impurity("entropy", retraced(impurities._entropy))
    gained = SimpleNamespace(score=lambda t, m: retraced(gain.Decrease.__call__)(gain.Decrease(unsure), t, m))
    ratio = SimpleNamespace(score=gained)  # normalised(entropy), as retraced functions
    tree = traced(lambda: retraced(criteria.Normalised.__call__)(ratio, rows("t"), m)).tree
    arguments = "r K (t : 'I_r.+1 -> 'I_K -> R)"
    yield Definition("py_gain_ratio", arguments, tree, "splitcrit.criteria.library.Normalised of entropy")
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
    yield from imprecise()


def imprecise() -> Iterator[Definition]:
    """Yield the scores of credal trees: the largest entropy that counts allow, and its decrease."""
    score: Any = Retraced(criteria.ImpreciseGain(variable("s")))
    tree = traced(lambda: score.upper_entropy(row("c"), TRACE)).tree
    where = "splitcrit.criteria.library.ImpreciseGain"
    yield Definition("py_upper_entropy", "K (s : R) (c : 'I_K.+1 -> R)", tree, f"{where}.upper_entropy")
    run = retraced(criteria.ImpreciseGain.__call__)
    tree = traced(lambda: run(score, rows("t"), TRACE)).tree
    arguments = "r K (s : R) (t : 'I_r.+1 -> 'I_K.+1 -> R)"
    yield Definition("py_imprecise_gain", arguments, tree, where)
