"""What the statements about best splits rest on beside the checker.

Main definitions: ``bauer``, ``by_theorem``, ``by_kernel``, ``by_definition``; ``of_classes`` (a claim for one number of
classes).
"""

from __future__ import annotations

from splitcrit.proof import ALL, Claim, Premise, Stated


def bauer(*axes: str) -> Premise:
    """What settles the number of classes, of examples or of categories where a score is convex."""
    words = "Bauer's maximum principle: a convex function on a polytope is largest at a vertex of it"
    return Premise(words, "cited", dict.fromkeys(axes, ALL))


def by_theorem(key: str, *axes: str) -> Premise:
    """Another theorem as a premise, with the axes for which it holds beyond the enumeration."""
    return Premise(key, "theorem", dict.fromkeys(axes, ALL))


def by_kernel(name: str, *axes: str) -> Premise:
    """A theorem that Rocq's kernel checks as a premise, with the axes for which it holds."""
    return Premise(name, "kernel", dict.fromkeys(axes, ALL))


def by_definition(*axes: str) -> Premise:
    """What settles the number of classes where a criterion is a sum over classes."""
    words = "the formula is a sum over classes, each compared alone; it stays, as no formula runs for every K at once"
    return Premise(words, "hand", dict.fromkeys(axes, ALL))


def of_classes(classes: int, claim: Claim) -> Claim:
    """A claim that is made for one number of classes."""
    return Stated(claim, K=classes)
