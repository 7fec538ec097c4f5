"""Statements of yang2019: a loss behind every criterion, and the pairwise gain under label noise.

``framework`` holds eq. (1); ``losses`` Table I; ``pairwise`` Section V up to the definition of pairwise gain; ``noise``
Theorem 1; ``relations`` what pairwise gain is among the known criteria; ``experiments`` the arithmetic of Table III;
``misprints`` what is false as printed.
"""

from __future__ import annotations

from splitcrit.proof import Erratum, Theorem
from splitcrit.proofs.yang2019 import experiments, framework, losses, misprints, noise, pairwise, relations

THEOREMS: list[Theorem] = [
    theorem for module in (framework, losses, pairwise, noise, relations, experiments) for theorem in module.THEOREMS
]
ERRATA: list[Erratum] = misprints.ERRATA
