"""The statements, settled on the library's own functions: one folder for each subject.

A module of a subject holds its statements as a list ``THEOREMS``; ``catalogue`` finds them, ``ledger`` settles them and
``printed`` shows what became of them. Importing this package imports nothing heavy.

Main definitions: ``theorem``, ``settle``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from splitcrit.proof import Entry, Theorem

__all__ = ["settle", "theorem"]


def theorem(key: str) -> Theorem:
    """The theorem of this key.

    Raises
    ------
    KeyError
        If there is none; close keys are named.

    Examples
    --------
    >>> theorem("gain.score_sees_no_empty_class").scope_words
    'all K (K = 2, 3 without premises)'
    """
    from splitcrit.proofs import catalogue

    return catalogue.find(key)


def settle(key: str) -> Entry:
    """What becomes of the theorem of this key when its claim and its near-misses are settled.

    Raises
    ------
    KeyError
        If there is none; close keys are named.
    """
    from splitcrit import proof

    return proof.settle(theorem(key))
