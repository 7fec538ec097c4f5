"""What statements of several papers share: variables, distributions, splits, and finite enumerations.

Main definitions: ``up_to`` (claims of small cases); ``node_size``, ``margins_size`` (numbers of examples); ``kinds``,
``vector``, ``distribution`` (variables); ``noisy``, ``shaken`` (expected tables); ``partitions``, ``compositions``,
``count_vectors``, ``binary_splits``, ``tables``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from splitcrit.criteria import Criterion, decrease, twoing
from splitcrit.impurities import Impurity, gini, misclassification
from splitcrit.losses import risk
from splitcrit.noise import Channel, symmetric
from splitcrit.proof import Cases, Exhaustive, Sign, only, upto
from splitcrit.proof.balls import RATIONALS, fraction, ratio
from splitcrit.proof.witnesses import compositions as compositions
from splitcrit.proof.witnesses import lefts as lefts
from splitcrit.proof.witnesses import others

gini_decrease, error_decrease = decrease(gini), decrease(misclassification)
ROBUST = (gini_decrease, error_decrease, twoing)  # their order is kept under symmetric noise of two classes
HALF = Fraction(1, 2)
CLOSE = Fraction(1, 10**60)


def up_to(
    most: int, cases: Callable[..., Iterable[Any]], holds: Callable[[Any], bool], size: Any = None, **sizes: Any
) -> Exhaustive:
    """The claim of every case of at most ``most`` examples; several sizes along another axis are a tuple.

    ``size`` is the number of examples of a case, where the sum of its integers is not.
    """
    others = {axis: only(*x) if isinstance(x, tuple) else x for axis, x in sizes.items()}
    return Exhaustive(Cases(cases, size=size, N=upto(most), **others), holds)


def node_size(case: Sequence[Any]) -> int:
    """The number of examples of the node whose counts are the first part of a case."""
    return int(sum(case[0]))


def margins_size(case: Sequence[Any]) -> int:
    """The number of examples of the margins that are the first part of a case."""
    return int(sum(case[0][0]))


def kinds(kind: str, *groups: str, classes: int = 0) -> dict[str, str]:
    """Variables of one kind: the names in ``groups``, numbered ``p0, p1, ...`` if ``classes`` is given."""
    names = [f"{g}{k}" for g in groups for k in range(classes)] if classes else list(groups)
    return dict.fromkeys(names, kind)


def vector(v: Any, letter: str, classes: int) -> list[Any]:
    """The class-first vector of the variables ``p0, p1, ...``."""
    return [getattr(v, f"{letter}{k}") for k in range(classes)]


def rows_of(v: Any, classes: int, letters: str = "lr") -> list[list[Any]]:
    """A table whose rows are the variables ``l0, l1, ...`` and ``r0, r1, ...``, a letter for each row."""
    return [vector(v, letter, classes) for letter in letters]


def distribution(v: Any, classes: int, letter: str = "p") -> list[Any]:
    """Probabilities proportional to the positive variables ``p0, p1, ...``."""
    weights = vector(v, letter, classes)
    return [x / sum(weights) for x in weights]


def noisy(table: Any, channel: Channel) -> list[list[Any]]:
    """The expected table after label noise."""
    return [list(channel.on_distribution(row)) for row in table]


def exactly(table: Any) -> list[list[Fraction]]:
    """An integer table in Fractions."""
    return [[Fraction(x) for x in row] for row in table]


def ratios(table: Any) -> list[list[Any]]:
    """A table in FLINT's rational numbers."""
    return [[ratio(x) for x in row] for row in table]


def shaken(table: Any, eta: Fraction) -> list[list[Any]]:
    """The expected version of an integer split after symmetric noise, exactly."""
    return [list(_shaken(tuple(row), eta)) for row in table]


@cache
def _shaken(row: tuple[int, ...], eta: Fraction) -> tuple[Fraction, ...]:
    return tuple(noisy(exactly([row]), symmetric(eta))[0])


def score(criterion: Criterion, table: Any) -> Any:
    """The exact score of an integer or rational table."""
    return fraction(criterion.score(ratios(table), RATIONALS))


def partitions(n: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    """Yield the partitions of ``n`` into positive parts, largest first."""
    if n == 0:
        yield ()
    for part in range(min(n, largest or n), 0, -1):
        for rest in partitions(n - part, part):
            yield (part, *rest)


def count_vectors(most: int, classes: int, least: int = 1) -> Iterator[tuple[int, ...]]:
    """Yield every vector of ``classes`` counts whose sum is between ``least`` and ``most``."""
    for n in range(least, most + 1):
        yield from compositions(n, classes)


def split(counts: tuple[int, ...], left: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The table of a split: the left child and what is left over."""
    return left, others(counts, left)


def binary_splits(most: int, classes: int = 2) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield every table of two non-empty rows with at most ``most`` examples."""
    for counts in count_vectors(most, classes, 2):
        yield from (split(counts, left) for left in lefts(counts))


def fillings(size: int, room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the rows of ``size`` counts that fit under the remaining column totals."""
    if not room:
        if size == 0:
            yield ()
        return
    for x in range(max(0, size - sum(room[1:])), min(size, room[0]) + 1):
        yield from ((x, *rest) for rest in fillings(size - x, room[1:]))


def tables(a: tuple[int, ...], b: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield every table with the given row and column totals."""
    if not a:
        yield ()
        return
    for row in fillings(a[0], b):
        yield from ((row, *rest) for rest in tables(a[1:], tuple(y - x for x, y in zip(row, b, strict=True))))


def of_values(sizes: list[Any], values: list[Any], m: Any) -> Any:
    """The library's decrease of an impurity that takes given values: those of the rows, then of the node."""
    left = iter(values)
    return decrease(Impurity("given", lambda p, m: next(left))).score([[n] for n in sizes], m)


def action_attains(impurity: Impurity, points: Sequence[Sequence[Fraction]]) -> Sign:
    """Claim that the action of the library's loss costs the impurity at some distributions, to within 1e-60."""
    loss, act = impurity.loss, impurity.loss.act if impurity.loss else None
    if loss is None or act is None:
        raise TypeError(f"an impurity needs a loss with an action; got {impurity}; use Impurity.from_loss")

    def margins(m: Any) -> list[Any]:
        distances = []
        for point in points:
            p = [m.number(x) for x in point]
            distances.append(CLOSE - m.abs(risk(loss, act(p, m), p, m) - impurity.of(p, m)))
        return distances

    return Sign(margins)
