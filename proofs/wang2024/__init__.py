"""Statements of wang2024: the Gini gain under random permutation of the labels, and SGini, the gain standardised by it.

``impurities`` and ``refinement`` hold concave functions; ``permutation`` the hypergeometric law; ``shapes`` and
``moments`` mean, variance and third moment for all margins; ``degenerate`` when the variance is 0; ``printed`` the
printed route to the variance; ``multinomial`` the other null law and the scores built on it; ``standardised``,
``relatives`` and ``orders`` SGini itself; ``scoring`` the measures of the experiments. ``laws`` holds what they share.
"""

from __future__ import annotations

from importlib import import_module, util

from splitcrit.proof import Erratum, Theorem

MODULES = (
    "impurities",
    "refinement",
    "permutation",
    "shapes",
    "moments",
    "degenerate",
    "printed",
    "multinomial",
    "standardised",
    "relatives",
    "orders",
    "scoring",
)

_found = [import_module(f"{__name__}.{name}") for name in MODULES if util.find_spec(f"{__name__}.{name}")]

THEOREMS: list[Theorem] = [theorem for module in _found for theorem in module.THEOREMS]
ERRATA: list[Erratum] = [erratum for module in _found for erratum in module.ERRATA]
