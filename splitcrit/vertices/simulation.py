"""How many vertices of a random node are nearly balanced, and how much they differ: Breiman's little simulation.

Main definitions: ``near_ties``, ``NearTies``.
Main results: the means agree with the exact ones of ``vertex.many_vertices_are_nearly_balanced``.
Source: breiman1996, Section 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import Array, between, generator, whole
from splitcrit.display import shortened

BLOCK = 500  # nodes scored at once
GROUP = 3  # the largest classes are the three largest, the smallest the three smallest


@dataclass(frozen=True, repr=False)
class NearTies:
    """Means over random nodes, each with its standard error.

    Attributes
    ----------
    classes, nodes : int
        J, and how many nodes were drawn.
    width : float
        A vertex is nearly balanced if ``|P_L - 1/2| <= width``.
    count, count_error : float
        Such vertices in a node, of ``2^J``: a split and its mirror image are two, as in the paper.
    largest, largest_error : float
        How often two such splits of a node separate its three largest classes differently; the sides have no names.
        nan unless two nodes have such a pair.
    smallest, smallest_error : float
        The same for the three smallest.

    Examples
    --------
    >>> near_ties(classes=4, nodes=10).nodes
    10
    """

    classes: int
    nodes: int
    width: float
    count: float
    count_error: float
    largest: float
    largest_error: float
    smallest: float
    smallest_error: float

    __repr__ = shortened


def near_ties(classes: int = 10, nodes: int = 20_000, *, width: float = 0.01, rng: Any = 0) -> NearTies:
    """Count the nearly balanced vertices at nodes of uniform random shares, and measure how much they differ.

    The shares are ``p_j = U_j / sum U`` with independent uniform ``U_j``. Two splits drawn at random would separate
    three classes differently with probability 3/4.

    Parameters
    ----------
    classes : int
        J, from 4 to 16.
    nodes : int
        The number of nodes, at least 2.
    width : float
        A vertex is nearly balanced if ``|P_L - 1/2| <= width``.
    rng
        Anything that ``numpy.random.default_rng`` takes.

    Returns
    -------
    NearTies

    Raises
    ------
    ValueError
        If the numbers are outside these ranges.

    Notes
    -----
    Disagreement is averaged over pairs within a node, then over the nodes that have a pair.

    Proved: vertex.many_vertices_are_nearly_balanced

    References
    ----------
    breiman1996, Section 4.

    Examples
    --------
    >>> found = near_ties(nodes=500)
    >>> abs(found.count - 42.9) < 4 * found.count_error
    True
    """
    classes = whole(classes, "the number of classes", 4, 16)
    nodes = whole(nodes, "the number of nodes", 2, 2**31)
    width = float(between(width, "a width", 0, 0.5, ends=False, example=0.01))
    parts = list(_blocks(classes, nodes, width, generator(rng)))
    counts, largest, smallest = (np.concatenate(part) for part in zip(*parts, strict=True))
    return NearTies(classes, nodes, width, *_mean(counts), *_mean(largest), *_mean(smallest))


def _mean(x: Array) -> tuple[float, float]:
    """Mean and standard error of what is not nan, which takes two."""
    x = x[~np.isnan(x)]
    if len(x) < 2:
        return float("nan"), float("nan")
    return float(x.mean()), float(x.std(ddof=1) / np.sqrt(len(x)))


def _blocks(classes: int, nodes: int, width: float, rng: np.random.Generator) -> Iterator[tuple[Array, Array, Array]]:
    """Yield the counts and the disagreements of a block of nodes; classes are sorted, the largest first."""
    splits = (np.arange(2 ** (classes - 1))[:, None] >> np.arange(classes)) & 1
    for start in range(0, nodes, BLOCK):
        weights = np.sort(rng.random((min(BLOCK, nodes - start), classes)), axis=1)[:, ::-1]
        share = splits @ (weights / weights.sum(axis=1, keepdims=True)).T
        near = np.abs(share - 0.5) <= width
        yield 2.0 * near.sum(axis=0), _disagreement(splits[:, :GROUP], near), _disagreement(splits[:, -GROUP:], near)


def _disagreement(sides: Array, near: Array) -> Array:
    """The share of nodes whose two near-tied splits place a group of classes differently; nan without two."""
    codes = (sides ^ sides[:, :1]) @ (1 << np.arange(GROUP))
    pairs, alike = _pairs(near.sum(axis=0)), sum(_pairs(near[codes == code].sum(axis=0)) for code in np.unique(codes))
    return 1 - alike / np.where(pairs > 0, pairs, np.nan)


def _pairs(x: Array) -> Array:
    return np.asarray(x * (x - 1) / 2)
