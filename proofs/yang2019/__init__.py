"""Statements of yang2019: a loss behind every criterion, and the pairwise gain under label noise.

``framework`` holds eq. (1); ``losses`` and ``regression`` Table I; ``pairwise`` and ``greedy`` Section V up to the
definition of pairwise gain; ``noise`` and ``samples`` Theorem 1; ``relations`` what pairwise gain is among the known
criteria; ``experiments`` the arithmetic of Table III; ``misprints`` what is false as printed.
"""

from __future__ import annotations

from splitcrit.proof import Erratum, Theorem
from splitcrit.proofs.yang2019 import (
    experiments,
    framework,
    greedy,
    losses,
    misprints,
    noise,
    pairwise,
    regression,
    relations,
    samples,
)

MODULES = (framework, losses, regression, pairwise, greedy, noise, samples, relations, experiments)

THEOREMS: list[Theorem] = [theorem for module in MODULES for theorem in module.THEOREMS]
ERRATA: list[Erratum] = misprints.ERRATA
