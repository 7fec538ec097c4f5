"""Statements beyond the five papers, about the same objects: noise at finite n, uniqueness, bounds, hardness.

``expectation``, ``children``, ``rates`` expected gains of a noisy sample: two classes, more of them, rates by class;
``uniqueness`` which impurities keep their order; ``heavy`` entropy under heavy noise; ``bounds`` how often noise
reverses two splits; ``multiclass`` invariants of more than two classes; ``vertices`` the vertex theorem from losses,
and hardness; ``losses`` impurities of losses the papers only name; ``stopping`` which criteria score a split of
different children as nothing; ``families`` concavity with a parameter; ``orders`` which criteria have the ordering
shortcut for categories; ``pure_splits``, ``separation`` SGini's and AGini's best split of two classes; ``small_nodes``
what holds in all nodes up to a bound; ``selection`` the best of many thresholds.
"""

from __future__ import annotations

from importlib import import_module, util

from splitcrit.proof import Erratum, Theorem

MODULES = (
    "expectation",
    "children",
    "rates",
    "uniqueness",
    "heavy",
    "bounds",
    "multiclass",
    "vertices",
    "losses",
    "stopping",
    "selection",
    "families",
    "orders",
    "pure_splits",
    "separation",
    "small_nodes",
)

_found = [import_module(f"{__name__}.{name}") for name in MODULES if util.find_spec(f"{__name__}.{name}")]

THEOREMS: list[Theorem] = [theorem for module in _found for theorem in module.THEOREMS]
ERRATA: list[Erratum] = []
