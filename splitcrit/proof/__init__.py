"""The checker: what it means that a statement is settled.

Main definitions: ``Theorem``, ``NearMiss``, ``settle`` (``theorem``); the claims that can be settled (``claims``) and
what is said of them (``verdicts``); the arithmetics only proofs need, ``Field`` (``fields``), ``SMT`` (``terms``) and
``BALL`` (``balls``); rates of noise at which an order flips, ``enclosed_flips`` (``flips``).
"""

from splitcrit.proof.balls import BALL, Ball
from splitcrit.proof.claims import Certificate, Exhaustive, Identity, Sampled, Sign, Smt
from splitcrit.proof.fields import Field
from splitcrit.proof.flips import enclosed_flips
from splitcrit.proof.terms import SMT
from splitcrit.proof.theorem import PROPERTIES, Entry, Erratum, Fact, NearMiss, Theorem, settle
from splitcrit.proof.undecided import Undecided
from splitcrit.proof.verdicts import All, Claim, Not, Status, Verdict

__all__ = [
    "BALL",
    "PROPERTIES",
    "SMT",
    "All",
    "Ball",
    "Certificate",
    "Claim",
    "Entry",
    "Erratum",
    "Exhaustive",
    "Fact",
    "Field",
    "Identity",
    "NearMiss",
    "Not",
    "Sampled",
    "Sign",
    "Smt",
    "Status",
    "Theorem",
    "Undecided",
    "Verdict",
    "enclosed_flips",
    "settle",
]
