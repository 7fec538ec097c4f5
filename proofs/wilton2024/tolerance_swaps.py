"""Criteria that let two splits change places under noise: the smallest node of each, found anew on every run.

A cell of the table is refuted by the first two splits that change places in a search through all nodes of more than
one class, ordered by size. SGini and AGini score counts, so that only splits are compared whose expected noisy tables
are counts too; their swaps under uniform and pair-flip noise vanish when every example is repeated often enough.

Main definitions: ``TWO_CLASSES``, ``THREE_CLASSES`` (size of the smallest node by column), ``THEOREMS``.
Source: wilton2024, Section 5 names the criteria; the table is not in the paper.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from splitcrit.criteria import (
    Criterion,
    decrease,
    imprecise_gain_ratio,
    imprecise_information_gain,
    normalised,
    one_vs_rest_pairwise_gain,
    pairwise_gain,
    sum_minority,
    twoing,
)
from splitcrit.impurities import (
    bayes_sum,
    entropy,
    gce,
    gini,
    matushita,
    misclassification,
    ne,
    shannon_entropy,
    sqrt_gini,
)
from splitcrit.nulls import agini, sgini
from splitcrit.proof import All, Claim, Exhaustive, NearMiss, Not, Theorem
from splitcrit.proofs.wilton2024.tolerance_search import (
    COLUMNS,
    SOURCE,
    THIRD,
    Noise,
    copied,
    facts,
    gentle,
    noises,
    rivals,
    swapped,
)

Sizes = dict[str, int]
Family = dict[Criterion, Sizes]

QUARTER = Fraction(1, 4)  # as a float it would make 1 / (1 - q) inexact
COUNTS = (sgini, agini)


def at(*sizes: int | None) -> Sizes:
    """Return the size of the smallest node by column; None where no theorem refutes."""
    return {column: size for column, size in zip(COLUMNS, sizes, strict=True) if size is not None}


# columns: uniform, pair-flip, class-conditional, instance-dependent
TWO_CLASSES: dict[str, Family] = {
    "gini_gain": {decrease(gini): at(None, None, None, 4)},
    "twoing": {twoing: at(None, None, None, 4)},
    "pairwise_gain": {
        pairwise_gain: at(None, None, None, 4),
        one_vs_rest_pairwise_gain: at(None, None, None, 4),
    },
    "misclassification": {
        decrease(misclassification): at(None, None, 5, 4),
        sum_minority: at(None, None, 5, 4),
    },
    "bayes_sum": {decrease(bayes_sum): at(None, None, 5, 4)},
    "entropy": {decrease(entropy): at(7, 7, 5, 3), decrease(shannon_entropy(2)): at(7, 7, 5, 3)},
    "sqrt_gini": {decrease(sqrt_gini): at(7, 7, 5, 3)},
    "matushita": {decrease(matushita): at(7, 7, 5, 3)},
    "gce": {
        decrease(gce(0.5)): at(9, 9, 5, 4),
        decrease(gce(QUARTER)): at(8, 8, 7, 3),
        decrease(gce(0.75)): at(6, 6, 5, 4),
    },
    "ne": {
        decrease(ne(0.5)): at(7, 7, 5, 3),
        decrease(ne(0.25)): at(7, 7, 5, 3),
        decrease(ne(0.75)): at(6, 6, 6, 4),
    },
    "gain_ratio": {normalised(entropy): at(7, 7, 5, 3)},
    "imprecise_gain": {imprecise_information_gain(1): at(9, 9, 5, 4)},
    "imprecise_gain_ratio": {imprecise_gain_ratio(1): at(8, 8, 5, 4)},
    "sgini": {sgini: at(10, 10, 9, 6)},
    "agini": {agini: at(7, 7, 6, 5)},
}

THREE_CLASSES: dict[str, Family] = {
    "gini_gain": {decrease(gini): at(None, None, 4, 4)},
    "twoing": {twoing: at(None, 4, 4, 4)},
    "one_vs_rest_gain": {one_vs_rest_pairwise_gain: at(None, 7, 4, 4)},
    "misclassification": {
        decrease(misclassification): at(None, 6, 5, 5),
        sum_minority: at(None, 6, 5, 5),
    },
    "bayes_sum": {decrease(bayes_sum): at(6, 5, 4, 4)},
    "entropy": {decrease(entropy): at(6, 4, 4, 4), decrease(shannon_entropy(2)): at(6, 4, 4, 4)},
    "sqrt_gini": {decrease(sqrt_gini): at(5, 5, 4, 3)},
    "matushita": {decrease(matushita): at(6, 4, 4, 3)},
    "gce": {
        decrease(gce(0.5)): at(6, 6, 4, 4),
        decrease(gce(QUARTER)): at(6, 4, 4, 4),
        decrease(gce(0.75)): at(6, 5, 4, 4),
    },
    "ne": {
        decrease(ne(0.5)): at(5, 5, 4, 4),
        decrease(ne(0.25)): at(5, 5, 4, 3),
        decrease(ne(0.75)): at(5, 5, 4, 4),
    },
    "gain_ratio": {normalised(entropy): at(6, 4, 4, 4)},
    "imprecise_gain": {imprecise_information_gain(1): at(5, 5, 4, 4)},
    "imprecise_gain_ratio": {imprecise_gain_ratio(1): at(5, 4, 4, 4)},
    "sgini": {sgini: at(14, 12, 5, 6)},
    "agini": {agini: at(13, 12, 5, 6)},
}


def noise_of(criterion: Criterion, classes: int, column: str) -> Noise:
    """Return the noise in which a cell is searched: with three classes, counts need a rate of 1/2 to stay counts."""
    counts = criterion in COUNTS
    return noises(classes, Fraction(1, 2) if counts and classes == 3 else THIRD, counts)[column]


def none_swap(criterion: Criterion, noise: Noise, sizes: range) -> Exhaustive:
    """Claim that no two splits of a node of these sizes change places."""
    return Exhaustive(lambda: rivals(criterion, noise, sizes), lambda pair: not swapped(pair))


def swaps(criterion: Criterion, noise: Noise, size: int) -> list[Claim]:
    """Claim that two splits of a node of ``size`` examples change places, and no two of a smaller node."""
    smaller = [none_swap(criterion, noise, range(2, size))] if size > 3 else []  # two examples have one split
    return [*smaller, Not(none_swap(criterion, noise, range(size, size + 1)))]


def smaller_still(criterion: Criterion, classes: int, sizes: Sizes) -> NearMiss:
    """Return the near-miss that one example fewer suffices, in the column that needs most."""
    column = max(sizes, key=lambda c: sizes[c])
    noise = noise_of(criterion, classes, column)
    says = f"{sizes[column] - 1} examples suffice for two splits to change places {noise}"
    return NearMiss(says, Not(none_swap(criterion, noise, range(2, sizes[column]))))


def still_swapped(criterion: Criterion, classes: int, column: str, size: int) -> NearMiss:
    """Return the near-miss that the same two splits change places at any rate, or in any number of copies."""
    noise = noise_of(criterion, classes, column)
    if criterion in COUNTS:
        says = f"the same two splits change places {noise} with a hundred copies of every example"
        return NearMiss(says, Exhaustive(lambda: [copied(criterion, noise, size)], swapped), "hypothesis")
    says = f"the same two splits change places {replace(noise, rate=Fraction(1, 1000))}"
    return NearMiss(says, Exhaustive(lambda: [gentle(criterion, noise, size)], swapped), "hypothesis")


def near_misses(family: Family, classes: int) -> tuple[NearMiss, ...]:
    """Return the near-misses of the first criterion of a family."""
    criterion, sizes = next(iter(family.items()))
    scale_free = COLUMNS[:2] if criterion in COUNTS else COLUMNS
    chosen = [column for column in scale_free if column in sizes]
    return (
        smaller_still(criterion, classes, sizes),
        *(still_swapped(criterion, classes, column, sizes[column]) for column in chosen),
    )


def scope(family: Family, classes: int) -> str:
    """Return the noises in which a family is searched, and what is compared."""
    counts = any(criterion in COUNTS for criterion in family)
    rate = "1/2 (pair-flip and class-conditional: 1/3)" if counts and classes == 3 else "1/3"
    compared = "splits whose expected noisy tables are counts" if counts else "all splits in two"
    return (
        f"K = {classes}; rate {rate}; class-conditional: the last class is read as the one before; instance-dependent: "
        f"uniform on some examples only; {compared}, nodes of more than one class; overlapping enclosures are ties"
    )


def theorem(name: str, family: Family, classes: int) -> Theorem:
    """Return the theorem that the criteria of a family let two splits change places, in every column with a size."""
    cells = [(criterion, column, size) for criterion, sizes in family.items() for column, size in sizes.items()]
    found = "; ".join(
        f"{criterion!r} " + ", ".join(f"{size} ({column})" for column, size in sizes.items())
        for criterion, sizes in family.items()
    )
    few, about = ("2", "two") if classes == 2 else (">2", "three")
    return Theorem(
        key=f"tolerance.{name}_swaps_splits_of_{about}_classes",
        statement=f"two splits of a node of {about} classes change places under noise, in expectation; "
        f"the fewest examples for it: {found}",
        source=SOURCE,
        scope=scope(family, classes),
        holds=All(*(claim for c, column, n in cells for claim in swaps(c, noise_of(c, classes, column), n))),
        fails=near_misses(family, classes),
        facts=tuple(fact for criterion, sizes in family.items() for fact in facts([criterion], sizes, few, False)),
    )


FOUR = replace(noises(3)["pair-flip"], classes=4)
GINI_OF_FOUR = Theorem(
    key="tolerance.gini_gain_swaps_splits_of_four_classes",
    statement="the Gini gain lets two splits of a node of 4 examples in 3 of 4 classes change places under pair-flip "
    "noise, which it does not with three classes",
    source=SOURCE,
    scope="K = 4, two rows, rate 1/3, the smallest node",
    holds=All(*swaps(decrease(gini), FOUR, 4)),
    fails=(
        NearMiss("3 examples suffice", Not(none_swap(decrease(gini), FOUR, range(2, 4)))),
        NearMiss(
            "the three-class law holds for four: order is kept for N <= 4",
            none_swap(decrease(gini), FOUR, range(2, 5)),
            "hypothesis",
        ),
        NearMiss(
            "the same two splits change places at rate 1/1000",
            Exhaustive(lambda: [gentle(decrease(gini), FOUR, 4)], swapped),
            "hypothesis",
        ),
    ),
    facts=facts([decrease(gini)], ["pair-flip"], ">2", False),
)

THEOREMS = [
    *(theorem(name, family, 2) for name, family in TWO_CLASSES.items()),
    *(theorem(name, family, 3) for name, family in THREE_CLASSES.items()),
    GINI_OF_FOUR,
]
