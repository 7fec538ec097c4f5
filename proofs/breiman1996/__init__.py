"""Statements of breiman1996: which subset of classes the best split of a node sends to one side.

``concave`` holds Theorem 1, its converse and uniqueness, ``derivatives`` its second derivatives; ``impurities`` which
impurities are concave and zero only at pure nodes; ``optima`` and ``proposition`` the best vertices of Gini, entropy
and twoing; ``others`` the criteria that are no decrease of an impurity; ``ordering`` when categories may be ordered
by their mean response; ``misprints`` what is false as printed.

Source: breiman1996 ("convex" there is concave here).
"""

from __future__ import annotations

from splitcrit.proof import Erratum, Theorem
from splitcrit.proofs.breiman1996 import (
    concave,
    derivatives,
    impurities,
    misprints,
    optima,
    ordering,
    others,
    proposition,
)

MODULES = (impurities, concave, derivatives, optima, proposition, others, ordering)

THEOREMS: list[Theorem] = [theorem for module in MODULES for theorem in module.THEOREMS]
ERRATA: list[Erratum] = misprints.ERRATA
