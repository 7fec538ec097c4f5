"""The checker: what it means that a statement is settled.

Main definitions: ``Theorem``, ``NearMiss``, ``settle`` (``theorem``); the claims that can be settled (``claims``);
the arithmetics only proofs need, ``Field``, ``SMT`` and ``BALL`` (``arithmetics``); rates of noise at which an order
flips, ``enclosed_flips`` (``flips``).
"""

from splitcrit.proof.arithmetics import BALL, SMT, Ball, Field, Undecided
from splitcrit.proof.claims import (
    All,
    Certificate,
    Claim,
    Exhaustive,
    Identity,
    Not,
    Sampled,
    Sign,
    Smt,
    Status,
    Verdict,
)
from splitcrit.proof.flips import enclosed_flips
from splitcrit.proof.theorem import PROPERTIES, Entry, Erratum, Fact, NearMiss, Theorem, settle

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
