"""Splits of two classes: class 1 is the positive one, ``a, c`` its members in the children and ``b, d`` the others.

Main definitions: ``SPLIT``, ``RATES`` (variables); ``clean``, ``noisy_split`` (tables); ``determinant``;
``two_classes`` (claims about them); ``node_splits``, ``agree`` (orders of splits).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from splitcrit.noise import class_conditional
from splitcrit.proof import All, Claim, Stated
from splitcrit.proofs.common import lefts, noisy, split

SPLIT = dict.fromkeys("abcd", "count")
RATES = {"tau_pos": "rate", "tau_neg": "rate"}
Split = tuple[tuple[int, ...], tuple[int, ...]]


def two_classes(*claims: Claim, **named: Claim) -> Stated:
    """The claims together, as they are made of two classes."""
    return Stated(All(*claims, **named), K=2)


def clean(v: Any) -> list[list[Any]]:
    """The table of a split, negatives before positives."""
    return [[v.b, v.a], [v.d, v.c]]


def noisy_split(v: Any) -> list[list[Any]]:
    """The expected table after class-conditional noise."""
    return noisy(clean(v), class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg))


def determinant(t: Any) -> Any:
    """``ad - bc``, positive when the left child is the more positive one."""
    (b, a), (d, c) = t
    return a * d - b * c


def node_splits(nodes: Iterable[tuple[int, ...]]) -> Iterator[tuple[Split, Split]]:
    """Yield every ordered pair of splits of every node, both children non-empty."""
    for counts in nodes:
        here = [split(counts, left) for left in lefts(counts)]
        yield from ((s, u) for s in here for u in here)


def agree(first: Callable[[Any], Any], second: Callable[[Any], Any]) -> Callable[[tuple[Split, Split]], bool]:
    """The statement that two scores do not order a pair of splits oppositely."""
    return lambda pair: not (first(pair[0]) > first(pair[1]) and second(pair[0]) < second(pair[1]))
