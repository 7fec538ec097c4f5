"""What partitions add up: class weights, or responses in digits whose sums are exact.

Whatever the order of the partitions, exact sums are the same. Weights lie on a grid on which their sums are exact; a
response is written in *digits*, floats that are integers of so few bits that their sums over all rows are exact, too.
Put together again they are integers, in which means and scores are computed.

Main definitions: ``ClassSums``, ``ResponseSums``, ``digits``, ``whole``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import frexp
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.trees.scan import midpoint


def digits(values: Array, exponent: Any, bits: int, count: int) -> list[Array]:
    """Numbers below ``2 ** exponent`` as ``count`` digits of ``bits`` bits, the first the largest.

    What is left after the last digit is rounded.

    Examples
    --------
    >>> [d.tolist() for d in digits(np.array([0.75, -0.3]), 0, 4, 2)]
    [[12.0, -5.0], [0.0, 3.0]]
    """
    parts, rest = [], np.ldexp(values, bits - np.asarray(exponent))
    for _ in range(count):
        parts.append(np.round(rest))
        rest = np.ldexp(rest - parts[-1], bits)
    return parts


def whole(sums: Array, bits: int) -> Array:
    """Sums of digits ``(..., count)`` as integers, in units of the last digit.

    Examples
    --------
    >>> whole(np.array([[12.0, 0.0], [-5.0, 3.0]]), 4).tolist()
    [192, -77]
    """
    parts = np.asarray(sums, np.int64).astype(object)
    total = parts[..., 0]
    for place in range(1, parts.shape[-1]):
        total = total * 2**bits + parts[..., place]
    return np.asarray(total)


@dataclass(frozen=True)
class ClassSums:
    """The sum of weights of each class and, where rows are weighted, also the number of rows."""

    classes: int
    weighted: bool

    @property
    def width(self) -> int:
        """How many numbers are added up for each node and bin."""
        return self.classes + self.weighted

    @property
    def dtype(self) -> Any:
        """Of the sums."""
        return np.float64 if self.weighted else np.int64

    def parted(self, sums: Array) -> tuple[Array, Array]:
        """Class weights ``(..., K)``, and numbers of rows."""
        if not self.weighted:
            return sums, sums.sum(axis=-1)
        return sums[..., : self.classes], sums[..., self.classes].astype(np.int64)

    def held(self, codes: Array, weights: Array | None) -> Any:
        """What ``added`` adds up, row by row."""
        return codes, weights

    def added(self, cell: Array, cells: int, content: Any) -> Array:
        """The sums ``(cells, width)`` of rows in cells."""
        codes, weights = content
        sums = np.bincount(cell * self.classes + codes, weights, cells * self.classes).reshape(cells, self.classes)
        return sums if weights is None else np.column_stack([sums, np.bincount(cell, minlength=cells)])


@dataclass(frozen=True)
class ResponseSums:
    """Two digits of weight times response, then the weight, if there are weights, and the number of rows.

    Responses are counted from ``centre``; weights are integers times ``2 ** unit``.
    """

    centre: float
    exponent: int
    bits: int
    weighted: bool
    unit: int

    dtype = np.float64

    @staticmethod
    def of(low: float, high: float, rows: int, heaviest: float | None, unit: int = 0) -> ResponseSums:
        """The sums for responses from ``low`` to ``high``; ``heaviest`` is the largest of the weights."""
        centre = float(midpoint(np.array([low]), np.array([high]))[0])
        largest = max(high - centre, centre - low) * (1.0 if heaviest is None else heaviest)
        return ResponseSums(centre, frexp(largest)[1], 52 - int(rows).bit_length(), heaviest is not None, unit)

    @property
    def width(self) -> int:
        """How many numbers are added up for each node and bin."""
        return 3 + self.weighted

    def parted(self, sums: Array) -> tuple[Array, Array]:
        """Sums, and numbers of rows."""
        return sums, sums[..., -1].astype(np.int64)

    def held(self, responses: Array, weights: Array | None) -> Any:
        """What ``added`` adds up, row by row."""
        centred = responses - self.centre
        if weights is None:
            return digits(centred, self.exponent, self.bits, 2)
        return [*digits(centred * weights, self.exponent, self.bits, 2), weights]

    def added(self, cell: Array, cells: int, content: Any) -> Array:
        """The sums ``(cells, width)`` of rows in cells."""
        sums = [np.bincount(cell, each, cells) for each in content]
        return np.column_stack([*sums, np.bincount(cell, minlength=cells)])

    def weights(self, sums: Array) -> Array:
        """The weights of sums ``(..., width)``; rows where there are no weights."""
        return np.asarray(sums[..., 2])

    def integers(self, sums: Array) -> tuple[Array, Array]:
        """Responses and weights of sums as integers, in units of ``2 ** scale`` and ``2 ** unit``."""
        heavy = np.ldexp(self.weights(sums), -self.unit).astype(np.int64).astype(object)
        return whole(sums[..., :2], self.bits), heavy

    @property
    def scale(self) -> int:
        """The binary exponent of an integer response."""
        return self.exponent - 2 * self.bits

    def means(self, sums: Array) -> Array:
        """The mean responses of sums ``(m, width)``, each rounded once."""
        unit, centre, pairs = Fraction(2) ** (self.scale - self.unit), Fraction(self.centre), self.integers(sums)
        return np.array([float(Fraction(total, heavy) * unit + centre) for total, heavy in zip(*pairs, strict=True)])

    def centred(self, sums: Array, totals: Array) -> Array:
        """Sums ``(c, width)`` of responses less the mean of the nodes with these totals, each rounded once."""
        part, light = self.integers(sums)
        total, heavy = self.integers(totals)
        return np.asarray(np.ldexp(((part * heavy - total * light) / heavy).astype(float), self.scale))
