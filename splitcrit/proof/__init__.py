"""The checker, which settles or refutes statements about criteria.

Main definitions: ``Theorem``, ``NearMiss``, ``settle`` (``theorem``); the claims that can be settled (``claims``,
``cases``, ``induction``, ``zeilberger``, ``binomials``) and their verdicts (``verdicts``); the arithmetics only
proofs need, ``Field`` (``fields``), ``SMT`` (``solver``) and ``BALL`` (``balls``); rates of noise at which an order
flips, ``enclosed_flips`` (``flips``); which properties your own impurity has, ``properties``
(``property_rows``).
"""

from splitcrit.frozen import extra

with extra(__name__):
    from splitcrit.proof.balls import BALL, Ball
    from splitcrit.proof.binomials import BinomialIdentity
    from splitcrit.proof.cases import Cases, Each, Exhaustive, Sign, Stated
    from splitcrit.proof.claims import Certificate, Identity
    from splitcrit.proof.fields import Field
    from splitcrit.proof.flips import enclosed_flips
    from splitcrit.proof.induction import Induction
    from splitcrit.proof.property_rows import Finding, PropertyRow, properties
    from splitcrit.proof.scope import ALL, Extent, Scope, only, upto
    from splitcrit.proof.smt import Smt
    from splitcrit.proof.solver import SMT
    from splitcrit.proof.terms import Condition, Term, same
    from splitcrit.proof.theorem import PROPERTIES, Entry, Erratum, Fact, Law, NearMiss, Premise, Theorem, settle
    from splitcrit.proof.undecided import Undecided
    from splitcrit.proof.verdicts import All, Claim, Not, Status, Verdict
    from splitcrit.proof.zeilberger import Zeilberger

__all__ = [
    "Certificate", "Claim", "Each", "Exhaustive", "Identity", "NearMiss", "Not", "Smt", "Theorem", "enclosed_flips",
    "only", "properties", "same", "settle",
]  # fmt: skip
