"""Exact derivatives: a number with its first derivatives in two directions and the mixed second one.

Main definitions: ``Jet``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from splitcrit.proof import same


@dataclass(frozen=True, eq=False)
class Jet:
    """``value + first e + second f + both e f`` with ``e e = f f = 0``: exact derivatives in two directions."""

    value: Any
    first: Any = 0
    second: Any = 0
    both: Any = 0

    def _parts(self) -> tuple[Any, Any, Any, Any]:
        return self.value, self.first, self.second, self.both

    def __add__(self, other: Any) -> Jet:
        return Jet(*(x + y for x, y in zip(self._parts(), _jet(other)._parts(), strict=True)))

    def __mul__(self, other: Any) -> Jet:
        (a, b, c, d), (w, x, y, z) = self._parts(), _jet(other)._parts()
        return Jet(a * w, a * x + b * w, a * y + c * w, a * z + b * y + c * x + d * w)

    def __truediv__(self, other: Any) -> Jet:
        w, x, y, z = _jet(other)._parts()
        square = w * w
        return self * Jet(1 / w, -x / square, -y / square, 2 * x * y / (square * w) - z / square)

    def __neg__(self) -> Jet:
        return self * -1

    def __sub__(self, other: Any) -> Jet:
        return self + -_jet(other)

    def __rsub__(self, other: Any) -> Jet:
        return _jet(other) + -self

    def __rtruediv__(self, other: Any) -> Jet:
        return _jet(other) / self

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool:
        return all(same(x, y) for x, y in zip(self._parts(), _jet(other)._parts(), strict=True))

    __hash__ = None  # type: ignore[assignment]


def _jet(x: Any) -> Jet:
    return x if type(x) is Jet else Jet(x)
