"""Impurities, losses and risks as functions of the class shares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from splitcrit.arguments import real
from splitcrit.arith import EXACT
from splitcrit.arith.base import shares
from splitcrit.arith.tracing import Node
from splitcrit.impurities import base as made_of
from splitcrit.impurities import library as impurities
from splitcrit.losses import base as losses
from splitcrit.losses import base as losses_base
from splitcrit.losses import gce, margin_losses, response_losses, simplex
from splitcrit.proof.control_flow import traced
from splitcrit.proof.families import retraced
from splitcrit.proof.family_trees import TRACE, variable
from splitcrit.proofs.rocq.definitions import Definition
from splitcrit.proofs.rocq.printed.common import P, W, index, size
from splitcrit.proofs.rocq.variables import row


class Cost:
    """A loss whose cost for class ``k`` is a number by its name."""

    def at(self, w: Any, k: Any, m: Any) -> Any:
        return TRACE.term(Node("at", ("cost", k.inner.parts[0])))


FEW = "K (p : 'I_K.+1 -> R)"  # a family with a first member, where a largest or smallest one is taken
HALF = Fraction(1, 2)


def of_object(value: Any, known: Any = None) -> Any:
    """The tree of a formula with parameters, of a law ``p``."""
    run = retraced(type(value).__call__, known)
    return traced(lambda: run(value, row("p"), TRACE)).tree


def of_action(cost: Any, value: Any = None, action: Any = None) -> Any:
    """The cost of an action ``w``, a distribution unless it is given, for the class ``k``."""
    first = () if value is None else (value,)
    where = row("w", "j") if action is None else action
    return traced(lambda: retraced(cost)(*first, where, index("k"), TRACE), frozenset("k")).tree


def definitions() -> Iterator[Definition]:
    """Yield impurities, losses and risks."""
    yield from impurities_()
    yield from losses_()
    risk = traced(lambda: retraced(losses.risk)(Cost(), None, row("p"), TRACE)).tree
    yield Definition("py_risk", "K (cost p : 'I_K -> R)", risk, "splitcrit.losses.base.risk")
    tree = traced(lambda: next(iter(retraced(shares)(row("c"), variable("n"), TRACE))), frozenset("k")).tree
    yield Definition("py_shares", "K (c : 'I_K -> R) (n : R) (k : 'I_K)", tree, "splitcrit.arith.base.shares")


def of_loss(at: Any, act: Any) -> Any:
    """The tree of the impurity that a loss with a best action makes."""
    loss = SimpleNamespace(at=at, act=act)
    return traced(lambda: retraced(made_of.Risk.__call__)(SimpleNamespace(loss=loss), row("p"), TRACE)).tree


def impurities_() -> Iterator[Definition]:
    """Yield impurities, as functions of the class shares."""
    where = "splitcrit.impurities.library."
    for name in ("gini", "spread", "entropy", "bayes_sum", "sqrt_gini", "matushita"):
        tree = traced(lambda: retraced(getattr(impurities, f"_{name}"))(row("p"), TRACE)).tree  # noqa: B023
        yield Definition(f"py_{name}", P, tree, f"{where}_{name}")
    tree = traced(lambda: retraced(impurities._misclassification)(row("p"), TRACE)).tree
    yield Definition("py_misclassification", FEW, tree, f"{where}_misclassification")
    values: Any = row("v")
    variance = of_object(impurities._Variance(values))
    yield Definition("py_response_variance", "K (v p : 'I_K -> R)", variance, f"{where}_Variance")
    known = {impurities.responses_of: lambda *_: values}  # what validates the responses returns them
    deviation = of_object(impurities._AbsoluteDeviation(values), known)
    arguments = "K (v p : 'I_K.+1 -> R)"
    yield Definition("py_absolute_deviation", arguments, deviation, f"{where}_AbsoluteDeviation")
    ne = of_object(impurities.NE(variable("lam")))
    yield Definition("py_ne", "K (lam : R) (p : 'I_K.+1 -> R)", ne, f"{where}NE")
    yield Definition("py_gce_half", FEW, of_object(impurities.GCE(HALF)), f"{where}GCE, q = 1/2")
    errors = losses_base.Scaled(retraced(impurities._misclassification), factor_of_whole_order())
    arguments = "K (q : nat) (p : 'I_K.+1 -> R)"
    yield Definition("py_gce_whole", arguments, of_object(errors), f"{where}gce, q a whole number from 1")


def factor_of_whole_order() -> Any:
    """What ``gce`` multiplies misclassification by at a whole order: it branches as at 1, and divides by q."""
    known = {
        real: lambda *_: 1,
        gce: lambda q: None,
        made_of.scaled: lambda impurity, factor: factor,
        replace: lambda factor, **_: factor,
        EXACT: SimpleNamespace(number=lambda q: size("q")),
    }
    return retraced(impurities.gce, known)(1)


def losses_() -> Iterator[Definition]:
    """Yield losses: the cost of an action for one class."""
    where = "splitcrit.losses.simplex."
    for name in ("square", "mae", "zero_one", "cross_entropy"):
        yield Definition(f"py_{name}", W, of_action(getattr(simplex, f"_{name}")), f"{where}_{name}")
    some = "K (w : 'I_K.+1 -> R) (k : 'I_K.+1)"
    yield Definition("py_infinity", some, of_action(simplex._infinity), f"{where}_infinity")
    for name in ("one_vs_rest_errors", "one_vs_rest_exponential"):
        yield Definition(f"py_{name}", W, of_action(getattr(simplex, f"_{name}")), f"{where}_{name}")
    odds = traced(lambda: next(iter(retraced(simplex._half_log_odds)(row("p"), TRACE))), frozenset("k")).tree
    yield Definition("py_half_log_odds", "K (p : 'I_K -> R) (k : 'I_K)", odds, f"{where}_half_log_odds")
    cost = simplex._GCE.__call__
    yield Definition("py_gce_loss_half", W, of_action(cost, simplex._GCE(HALF)), f"{where}_GCE, q = 1/2")
    whole = of_action(cost, simplex._GCE(size("q")))
    arguments = "K (q : nat) (w : 'I_K -> R) (k : 'I_K)"
    yield Definition("py_gce_loss_whole", arguments, whole, f"{where}_GCE, q a whole number")
    ne = of_action(simplex._NE.__call__, simplex._NE(variable("lam"), variable("wrong")))
    arguments = "K (lam wrong : R) (w : 'I_K.+1 -> R) (k : 'I_K.+1)"
    yield Definition("py_ne_loss", arguments, ne, f"{where}_NE")
    values: Any = row("v")
    for name in ("Squared", "Absolute"):
        maker = getattr(response_losses, f"_{name}")
        tree = of_action(maker.__call__, maker(values), variable("w"))
        arguments = "K (v : 'I_K -> R) (w : R) (k : 'I_K)"
        yield Definition(f"py_{name.lower()}_error", arguments, tree, f"splitcrit.losses.response_losses._{name}")
    mean = traced(lambda: retraced(response_losses._Mean.__call__)(response_losses._Mean(values), row("p"), TRACE)).tree
    yield Definition("py_mean_response", "K (v p : 'I_K -> R)", mean, "splitcrit.losses.response_losses._Mean")
    square = of_loss(retraced(simplex._square), retraced(simplex._itself))
    yield Definition("py_from_square", P, square, "splitcrit.impurities.base.Risk of square")
    entropy = of_loss(retraced(simplex._cross_entropy), retraced(simplex._itself))
    yield Definition("py_from_cross_entropy", P, entropy, "splitcrit.impurities.base.Risk of cross_entropy")
    centre, error = response_losses._Mean(values), response_losses._Squared(values)
    act, at = retraced(response_losses._Mean.__call__), retraced(response_losses._Squared.__call__)
    tree = of_loss(lambda w, k, m: at(error, w, k, m), lambda p, m: act(centre, p, m))
    name = "splitcrit.impurities.base.Risk of squared_error"
    yield Definition("py_from_squared_error", "K (v p : 'I_K -> R)", tree, name)
    yield from of_margins()


def of_margins() -> Iterator[Definition]:
    """Yield losses of two classes whose action is one number: class 1 is the positive one."""
    where = "splitcrit.losses.margin_losses."
    for k in (0, 1):
        tree = traced(lambda: retraced(margin_losses._hinge)(variable("w"), k, TRACE)).tree  # noqa: B023
        yield Definition(f"py_hinge_{k}", "(w : R)", tree, f"{where}_hinge, class {k}")
    law = [TRACE.term(Node("at", ("p", str(k)))) for k in (0, 1)]
    tree = traced(lambda: retraced(margin_losses._sign)(law, TRACE)).tree
    yield Definition("py_sign", "(p : 'I_2 -> R)", tree, f"{where}_sign")
