"""Hellinger's distance and DKM by name: what they inherit from sqrt_gini, of which they are functions at a node.

Source: cieslak2008; dietterich1996.
"""

from __future__ import annotations

from dataclasses import replace

from splitcrit.criteria import Criterion, decrease, dkm, hellinger
from splitcrit.criteria.library import squared_hellinger
from splitcrit.impurities import gini, sqrt_gini
from splitcrit.proof import Fact, Identity, Law, NearMiss, Premise, Theorem
from splitcrit.proofs.common import binary_splits, up_to
from splitcrit.proofs.field.skew import enclosed, in_dkm
from splitcrit.proofs.gain.identities import COUNTS, table
from splitcrit.proofs.order import swaps
from splitcrit.proofs.two_class import determinant, two_classes


def twice(factor: int = 2, criterion: Criterion | None = None) -> Identity:
    """Claim that DKM's decrease is twice that of sqrt_gini."""
    other = criterion or decrease(sqrt_gini)
    return Identity(
        COUNTS,
        lambda v, m: dkm.score(table(v), m),
        lambda v, m: factor * other.score(table(v), m),
        lambda v, m: v.a + v.b + v.c + v.d > 0,
    )


TWICE, SQUARED = Law(twice, factor=2), Law(in_dkm, factor=1)
# The square of the distance has the same order, and no root of a number that is 0.
ORDERED = replace(hellinger, score=squared_hellinger)
FAMILY = {
    ORDERED: {"uniform": 7, "pair-flip": 7, "class-conditional": 5, "instance-dependent": 3},
    dkm: {"uniform": 7, "pair-flip": 7, "class-conditional": 5, "instance-dependent": 3},
}
SWAPS = swaps.theorem("hellinger_and_dkm", FAMILY, 2)

THEOREMS = [
    Theorem(
        key="field.dkm_is_twice_sqrt_gini_and_hellinger_its_root",
        statement="at two classes DKM's decrease is twice that of sqrt_gini, and the Hellinger distance is the root of"
        " DKM's decrease times N / sqrt(N_pos N_neg): DKM is strictly concave and zero at pure nodes only, both are"
        " zero exactly if the rows have equal shares, and some cut of categories, ordered by the share of a class, and"
        " some vertex is best",
        source="cieslak2008, Section 2",
        holds=two_classes(dkm=TWICE, hellinger=SQUARED),
        premises=tuple(
            Premise(key, kind="theorem")
            for key in (
                "impurity.sqrt_gini_is_strictly_concave",
                "impurity.zero_only_at_pure_nodes",
                "vertex.cut_is_best_of_convex_score",
                "vertex.best_split_of_concave_impurity",
            )
        ),
        fails=(
            TWICE.but("it is that of sqrt_gini itself", factor=1),
            TWICE.but("it is twice that of Gini", criterion=decrease(gini), alters="hypothesis"),
            NearMiss(
                "the Hellinger distance is at most DKM's decrease",
                up_to(
                    3,
                    lambda most, K: (
                        t for t in binary_splits(most, K) if determinant(t) and all(map(sum, zip(*t, strict=True)))
                    ),
                    lambda t: enclosed(hellinger, t) <= enclosed(dkm, t),
                    K=(2,),
                ),
            ),
        ),
        facts=(
            Fact("dkm", "concave", "2", True),
            Fact("dkm", "zero only at vertices", "2", True),
            *(
                Fact(name, property, "2", holds)
                for name in ("hellinger", "dkm")
                for property, holds in (
                    ("stops early", False),
                    ("ordering shortcut", True),
                    ("vertex-optimal split", True),
                )
            ),
        ),
    ),
    replace(
        SWAPS,
        key="field.hellinger_and_dkm_swap_splits_of_noise",
        source="cieslak2008, beyond it",
        statement=SWAPS.statement + "; the Hellinger distance by its square",
    ),
]
