"""Statements of wilton2024: impurities as minimised risks of conservative and distribution losses.

``impurities`` holds symmetric losses and the impurities they make; ``conservative`` stopping and sample sizes of
conservative losses; ``distribution`` the negative exponential loss and its impurity; ``appendix`` the estimated
transition matrix and the worked example; ``tolerance`` which criteria keep their order under which noise.
"""

from __future__ import annotations

from importlib import import_module, util

from splitcrit.proof import Erratum, Theorem

MODULES = (
    "symmetric",
    "impurities",
    "gce",
    "conservative",
    "stopping",
    "distribution",
    "multiclass",
    "appendix",
    "tolerance",
)

_found = [import_module(f"{__name__}.{name}") for name in MODULES if util.find_spec(f"{__name__}.{name}")]

THEOREMS: list[Theorem] = [theorem for module in _found for theorem in module.THEOREMS]
ERRATA: list[Erratum] = [erratum for module in _found for erratum in module.ERRATA]
