"""Statements of breiman1996: which subset of classes the best split of a node sends to one side.

``concave`` holds Theorem 1, its derivatives and uniqueness; ``impurities`` which impurities are concave and zero only
at pure nodes; ``optima`` the best vertices of Gini, entropy and twoing; ``others`` the criteria that are no decrease of
an impurity; ``ordering`` when categories may be ordered by their mean response; ``misprints`` what is false as printed.

Source: breiman1996 ("convex" there is concave here).
"""

from __future__ import annotations

from splitcrit.proof import Erratum, Theorem
from splitcrit.proofs.breiman1996 import concave, impurities, misprints, optima, ordering, others

THEOREMS: list[Theorem] = [
    theorem for module in (concave, impurities, optima, others, ordering) for theorem in module.THEOREMS
]
ERRATA: list[Erratum] = misprints.ERRATA
