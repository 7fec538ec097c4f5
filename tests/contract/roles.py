"""Roles: what an argument stands for, and with it the odd values that it is tried with; those of arrays.

Main definitions: ``Role``; the makers ``counts``, ``weights``, ``totals``, ``shares``, ``vector``, ``matrix`` and
``observations``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from contract.inputs import ANSWER, EITHER, REFUSE, Case, array_cases, key, odd_counts

Draw = Callable[[np.random.Generator], Any]


@dataclass(frozen=True)
class Role:
    """The odd values of one argument: drawn around a plain value, with the other arguments that they need."""

    plain: Draw
    about: Callable[[Any, np.random.Generator], Iterator[Case]]
    given: dict[str, Any] = field(default_factory=dict)
    rounds: int | None = None
    answers_only: bool = False

    def cases(self, rng: np.random.Generator) -> Iterator[Case]:
        """The cases about one plain value."""
        return self.about(self.plain(rng), rng)

    def terms(self) -> Role:
        """The role of terms of a formula, or of values inside a function of the caller: only what must be answered.

        What the rules of an arithmetic make of other values is nobody's promise; no such name reaches a compiled loop.
        """
        about = self.about

        def answered(base: Any, rng: np.random.Generator) -> Iterator[Case]:
            return (x for x in about(base, rng) if x.expect == ANSWER)

        return replace(self, about=answered, answers_only=True)

    def free(self) -> Role:
        """The role where any value at all may be answered."""
        about = self.about

        def freed(base: Any, rng: np.random.Generator) -> Iterator[Case]:
            return (replace(x, expect=EITHER if x.expect == REFUSE else x.expect) for x in about(base, rng))

        return replace(self, about=freed)

    def beside(self, **given: Any) -> Role:
        """The same role, tried beside other arguments."""
        return replace(self, given=self.given | given)


def _array(draw: Draw, **options: Any) -> Role:
    return Role(draw, lambda base, rng: array_cases(base, rng, **options))


def counts(rows: int = 2, classes: int = 3, **options: Any) -> Role:
    """A contingency table of small counts, at least one in every cell."""
    return _array(lambda rng: rng.integers(1, 40, (rows, classes)), **options)


def weights(classes: int = 3, **options: Any) -> Role:
    """Class weights of one distribution: small counts."""
    return _array(lambda rng: rng.integers(1, 40, classes), **options)


def totals(parts: int = 3, whole: int = 24, **options: Any) -> Role:
    """The totals of a margin, all above 0, of one sum."""
    return _array(lambda rng: 1 + rng.multinomial(whole - parts, np.full(parts, 1 / parts)), **options)


def shares(classes: int = 4, **options: Any) -> Role:
    """Class probabilities: sixteenths that sum to one."""
    return _array(lambda rng: (1 + rng.multinomial(16 - classes, np.full(classes, 1 / classes))) / 16, **options)


def vector(draw: Draw, **options: Any) -> Role:
    """Any other plain vector or array."""
    return _array(draw, **{"negative": False} | options)


def matrix(rows: int = 12, columns: int = 2, **options: Any) -> Role:
    """Features: small integers of either sign."""
    return vector(lambda rng: rng.integers(-20, 20, (rows, columns)), **options)


OBSERVED = (
    "inf",
    "-inf",
    "all text",
    "all bytes",
    "complex",
    "dates",
    "spans of time",
    "records",
    "inf in a list",
    "set",
    *(
        f"{x} in objects"
        for x in ("word", "number as text", "empty text", "bytes", "complex", "object", "function", "type", "a list")
    ),
    *(f"{x} in a list" for x in ("word", "number as text", "complex")),
)


def observations(n: int = 12, values: int = 3, **options: Any) -> Role:
    """A feature or a label: any values that can be told apart, every one of them there."""
    words = {key(kind): EITHER for kind in OBSERVED}
    return vector(lambda rng: rng.permutation(np.arange(n) % values), **words | {"odd": few_odd} | options)


def nothing_odd(base: np.ndarray) -> Iterator[tuple[str, Callable[[], Any]]]:
    """No further kinds."""
    return iter(())


def few_odd(base: np.ndarray) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The kinds at the border that are cheap: not a thousand of anything."""
    return (pair for pair in odd_counts(base) if "1000" not in pair[0])
