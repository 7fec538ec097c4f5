"""The feature of the smallest p-value is named: how often is it one that the labels do not depend on?

Bonferroni and Holm bound this whatever the dependence. Where two features say nothing of the labels each, and all of
them together (the labels are their exclusive or), corrections that permute the labels of all features at once, or count
the p-values that their margins admit, name one too often.
Source: holm1979; westfall1993 and tarone1990 for the others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import comb, prod
from typing import Any, NamedTuple

from splitcrit.nulls.monte_carlo import discrete_bonferroni, westfall_young
from splitcrit.nulls.multiple import bonferroni, holm
from splitcrit.proof import ALL, All, Exhaustive, Law, Premise, Theorem, upto
from splitcrit.proofs.common import compositions
from splitcrit.proofs.inference.outcomes import Values, equally_likely, fraction, sharp, valid
from splitcrit.proofs.null.laws import hypergeometric

OUTCOMES = 4


class Several(NamedTuple):
    """The p-values of some true nulls at each of equally likely outcomes, beside those of other features."""

    p: tuple[Values, ...]
    others: Values = ()

    def __str__(self) -> str:
        nulls = "; ".join(", ".join(map(str, values)) for values in self.p)
        return nulls + (f"; others {', '.join(map(str, self.others))}" if self.others else "")


def several(most: int, other: int) -> Iterator[Several]:
    """Yield the p-values of the true nulls among up to that number of features; that of each other feature is given."""
    for features in range(1, most + 1):
        for true in range(1, features + 1):
            others = (Fraction(other),) * (features - true)
            yield from (Several(p, others) for p in sharp(OUTCOMES, true))


Adjusted = Callable[[Sequence[Any]], Sequence[Any]]


def is_valid_of_any(adjusted: Adjusted, other: int) -> Exhaustive:
    """The smallest adjusted p-value of a true null is valid, whatever the dependence of the p-values."""

    def law(case: Several) -> dict[Fraction, Fraction]:
        true = len(case.p)
        return equally_likely(min(adjusted([*at, *case.others])[:true]) for at in zip(*case.p, strict=True))

    return valid(lambda most: several(most, other), law, d=upto(3))


def by_bonferroni(p: Sequence[Any]) -> list[Any]:
    return [bonferroni(x, len(p)) for x in p]


def sidak(p: Sequence[Fraction]) -> list[Fraction]:
    return [1 - (1 - x) ** len(p) for x in p]


def steps(p: Sequence[Fraction], less: int = 0) -> list[Fraction]:
    """Each p-value times the number of those that are not smaller, less some, without the running maximum."""
    ranks = [sorted(range(len(p)), key=p.__getitem__).index(j) for j in range(len(p))]
    return [min(Fraction(1), x * max(1, len(p) - rank - less)) for x, rank in zip(p, ranks, strict=True)]


# Two features whose exclusive or the labels are.


class Size(NamedTuple):
    """A number of rows."""

    n: int

    def __str__(self) -> str:
        return f"n = {self.n}"


@cache
def pvalues(n: int, ones: int, labels: int) -> dict[int, Fraction]:
    """The p-value of each number of labels 1 among the ones of a feature, of n rows with that number in all."""
    law = {x: hypergeometric(n, ones, labels, x) for x in range(max(0, ones + labels - n), min(ones, labels) + 1)}
    far = {x: abs(n * x - ones * labels) for x in law}
    return {x: sum((law[z] for z in law if far[z] >= far[x]), Fraction(0)) for x in law}


class Sample(NamedTuple):
    """How many rows have the values 00, 01, 10, 11 of two features; their label is the exclusive or."""

    both_0: int
    second: int
    first: int
    both_1: int

    @property
    def labels(self) -> int:
        """The number of labels 1."""
        return self.second + self.first

    @property
    def laws(self) -> list[dict[int, Fraction]]:
        """The p-values of each feature by its number of labels 1 among its ones."""
        return [pvalues(sum(self), ones + self.both_1, self.labels) for ones in (self.first, self.second)]

    @property
    def smallest(self) -> Any:
        """The smaller p-value, that of the feature that is named."""
        one, other = self.laws
        return min(one[self.first], other[self.second])

    @property
    def probability(self) -> Fraction:
        """The probability of these numbers, if both features are fair coins."""
        ways = comb(sum(self), self.labels) * comb(self.labels, self.first)
        return Fraction(ways * comb(self.both_0 + self.both_1, self.both_0), 4 ** sum(self))

    def permuted(self) -> list[Any]:
        """The smaller p-value of every order of the labels except the one observed."""
        one, other = self.laws
        smaller = []
        for w, x, y, z in product(*(range(size + 1) for size in self)):
            if w + x + y + z == self.labels:
                times = prod(comb(size, chosen) for size, chosen in zip(self, (w, x, y, z), strict=True))
                smaller += [min(one[y + z], other[x + z])] * times
        smaller.remove(self.smallest)
        return smaller


def attained(law: dict[int, Fraction], t: Any) -> Any:
    return max((p for p in law.values() if p <= t), default=Fraction(0))


def by_number(sample: Sample) -> Any:
    return bonferroni(sample.smallest, 2)


def by_attained(sample: Sample) -> Any:
    return discrete_bonferroni([partial(attained, law) for law in sample.laws], sample.smallest)


def by_permutations(sample: Sample) -> Any:
    minima = sample.permuted()
    return fraction(westfall_young(minima, sample.smallest), len(minima) + 1)


def names_falsely(adjusted: Callable[[Sample], Any] = by_number, least: int = 2) -> Exhaustive:
    """The p-value of the feature that is named is valid, though the labels depend on neither by itself."""

    def sizes(most: int) -> Iterator[Size]:
        yield from map(Size, range(least, most + 1))

    def law(size: Size) -> dict[Fraction, Fraction]:
        chances: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
        for cells in compositions(size.n, 4):
            sample = Sample(*cells)
            chances[Fraction(adjusted(sample))] += sample.probability
        return chances

    return valid(sizes, law, N=upto(9))


ANY = Law(is_valid_of_any, adjusted=by_bonferroni, other=1)
STEPS = Law(is_valid_of_any, adjusted=holm, other=0)
NAMES = Law(names_falsely)

THEOREMS = [
    Theorem(
        key="inference.bonferroni_names_falsely_at_most_alpha",
        statement="of d features that of the smallest p-value p is named if d p is at most alpha; if each p-value is"
        " valid by itself, one that the labels do not depend on is named with probability at most alpha, whatever the"
        " other features are and whatever the dependence",
        source="westfall1993 gives both corrections that fail here; that they do, for naming, is new",
        holds=All(any_dependence=ANY, exclusive_or=NAMES),
        premises=(Premise("py_bonferroni_names_falsely_at_most_alpha", "kernel", {"d": ALL, "N": ALL}),),
        fails=(
            ANY.but("Sidak's 1 - (1 - p)^d will do, whatever the dependence", adjusted=sidak),
            ANY.but("the smallest p-value needs no correction", adjusted=list),
            NAMES.but("discrete Bonferroni will do", adjusted=by_attained, least=9),
            NAMES.but("Westfall and Young's p-value will do", adjusted=by_permutations, least=9),
        ),
    ),
    Theorem(
        key="inference.holm_rejects_falsely_at_most_alpha",
        statement="if each p-value is valid by itself, the smallest of Holm's adjusted p-values of the features that"
        " the labels do not depend on is at most t with probability at most t, for every t and whatever the dependence",
        source="holm1979",
        holds=STEPS,
        premises=(Premise("py_holm_rejects_falsely_at_most_alpha", "kernel", {"d": ALL}),),
        fails=(
            STEPS.but("the adjusted p-values need not be made to increase", adjusted=steps),
            STEPS.but(
                "the k-th smallest may be taken d - k times, and the largest once", adjusted=partial(steps, less=1)
            ),
        ),
    ),
]
