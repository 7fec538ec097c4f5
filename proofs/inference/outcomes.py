"""When a p-value is valid: at most t with probability at most t, for every t; on finite probability spaces.

Main definitions: ``valid``, the claim of every case of an enumeration; ``sharp`` (the least p-values that there are on
equally likely outcomes), ``scorings``, ``tail`` (p-values of scores); ``fraction`` (a quotient from its float);
``positive`` (sums of positive integers).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any, NamedTuple

from splitcrit.proof import Cases, Exhaustive
from splitcrit.proofs.common import compositions

Values = tuple[Fraction, ...]
Law = Mapping[Fraction, Fraction]


class Chance(NamedTuple):
    """The probability that a p-value is at most one of the values that it takes."""

    case: Any
    value: Fraction
    probability: Fraction

    def __str__(self) -> str:
        return f"{self.case}: at most {self.value} with probability {self.probability}"


def chances(case: Any, law: Law) -> Iterator[Chance]:
    """Yield for each value of a p-value the probability that it is at most that."""
    below = Fraction(0)
    for value in sorted(law):
        below += law[value]
        yield Chance(case, value, below)


def valid(cases: Callable[..., Iterable[Any]], law: Callable[[Any], Law], **sizes: Any) -> Exhaustive:
    """The claim that the p-value of every case, whose values have these probabilities, is valid."""

    def of_all(*sizes: Any) -> Iterator[Chance]:
        for case in cases(*sizes):
            yield from chances(case, law(case))

    return Exhaustive(Cases(of_all, **sizes), lambda chance: chance.probability <= chance.value, rounded=True)


def equally_likely(values: Iterable[Any]) -> dict[Fraction, Fraction]:
    """The probabilities of the values of equally likely outcomes."""
    times = Counter(values)
    whole = times.total()
    return {Fraction(value): Fraction(number, whole) for value, number in times.items()}


def positive(n: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write n as a sum of positive integers in order."""
    yield from (tuple(x + 1 for x in rest) for rest in compositions(n - parts, parts))


def sharp(number: int, tests: int) -> Iterator[tuple[Values, ...]]:
    """Yield every joint law of p-values ``1/N, 2/N, ..., 1`` on N equally likely outcomes, in the order of the first.

    No valid p-value on these outcomes is smaller than such a one at all of them.
    """
    least = tuple(Fraction(i, number) for i in range(1, number + 1))
    for others in product(permutations(least), repeat=tests - 1):
        yield (least, *others)


def scorings(number: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to score a number of outcomes, ties included: by ranks from 0 on."""
    for scores in product(range(number), repeat=number):
        if set(scores) == set(range(max(scores) + 1)):
            yield scores


def tail(scores: Sequence[int]) -> Values:
    """For each of equally likely outcomes the share of them that score at least as high."""
    return tuple(Fraction(sum(other >= score for other in scores), len(scores)) for score in scores)


def fraction(value: float, most: int) -> Fraction:
    """The quotient of two integers that a float is nearest to, the lower one at most ``most``."""
    return Fraction(value).limit_denominator(most)
