"""Criteria that let two splits change places under noise: the smallest node of each, found anew on every run.

A criterion is refuted by the first two splits that change places in a search through all nodes of more than one class,
ordered by size. SGini and AGini score counts, so that only splits are compared whose expected noisy tables are counts
too; their swaps under uniform and pair-flip noise vanish when every example is repeated often enough.

Main definitions: ``SIZES`` (size of the smallest node by number of classes, criterion and noise), ``THEOREMS``.
Source: wilton2024, Section 5 names the criteria; ghosh2017, Remark 6.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from splitcrit import criteria, impurities
from splitcrit.noise import Channel, class_conditional
from splitcrit.nulls import agini, sgini
from splitcrit.proof import All, Exhaustive, NearMiss, Not, Stated, Theorem
from splitcrit.proofs.common import error_decrease, gini_decrease
from splitcrit.proofs.order import search
from splitcrit.proofs.two_class import two_classes

Sizes = dict[str, int]
Family = dict[criteria.Criterion, Sizes]
QUARTER = Fraction(1, 4)  # as a float it would make 1 / (1 - q) inexact
COUNTS = (sgini, agini)
WORDS = {2: "two", 3: "three", 4: "four"}

# sizes of the smallest nodes of two classes, and of three, by column (uniform, pair-flip, class-conditional,
# instance-dependent); 0 where no two splits change places
CELLS: list[tuple[str, criteria.Criterion, tuple[int, ...], tuple[int, ...]]] = [
    ("gini_gain", gini_decrease, (0, 0, 0, 4), (0, 0, 4, 4)),
    ("twoing", criteria.twoing, (0, 0, 0, 4), (0, 4, 4, 4)),
    ("pairwise_gain", criteria.pairwise_gain, (0, 0, 0, 4), ()),
    ("one_vs_rest_gain", criteria.one_vs_rest_pairwise_gain, (), (0, 7, 4, 4)),
    ("pairwise_gain", criteria.one_vs_rest_pairwise_gain, (0, 0, 0, 4), ()),
    ("misclassification", error_decrease, (0, 0, 5, 4), (0, 6, 5, 5)),
    ("misclassification", criteria.sum_minority, (0, 0, 5, 4), (0, 6, 5, 5)),
    ("bayes_sum", criteria.decrease(impurities.bayes_sum), (0, 0, 5, 4), (6, 5, 4, 4)),
    ("entropy", criteria.decrease(impurities.entropy), (7, 7, 5, 3), (6, 4, 4, 4)),
    ("entropy", criteria.decrease(impurities.shannon_entropy(2)), (7, 7, 5, 3), (6, 4, 4, 4)),
    ("sqrt_gini", criteria.decrease(impurities.sqrt_gini), (7, 7, 5, 3), (5, 5, 4, 3)),
    ("matushita", criteria.decrease(impurities.matushita), (7, 7, 5, 3), (6, 4, 4, 3)),
    ("gce", criteria.decrease(impurities.gce(0.5)), (9, 9, 5, 4), (6, 6, 4, 4)),
    ("gce", criteria.decrease(impurities.gce(QUARTER)), (8, 8, 7, 3), (6, 4, 4, 4)),
    ("gce", criteria.decrease(impurities.gce(0.75)), (6, 6, 5, 4), (6, 5, 4, 4)),
    ("ne", criteria.decrease(impurities.ne(0.5)), (7, 7, 5, 3), (5, 5, 4, 4)),
    ("ne", criteria.decrease(impurities.ne(0.25)), (7, 7, 5, 3), (5, 5, 4, 3)),
    ("ne", criteria.decrease(impurities.ne(0.75)), (6, 6, 6, 4), (5, 5, 4, 4)),
    ("gain_ratio", criteria.normalised(impurities.entropy), (7, 7, 5, 3), (6, 4, 4, 4)),
    ("imprecise_gain", criteria.imprecise_information_gain(1), (9, 9, 5, 4), (5, 5, 4, 4)),
    ("imprecise_gain_ratio", criteria.imprecise_gain_ratio(1), (8, 8, 5, 4), (5, 4, 4, 4)),
    ("sgini", sgini, (10, 10, 9, 6), (14, 12, 5, 6)),
    ("agini", agini, (7, 7, 6, 5), (13, 12, 5, 6)),
]


def families(classes: int) -> dict[str, Family]:
    """The sizes of the smallest nodes by name, criterion and column."""
    by_name: dict[str, Family] = {}
    for name, criterion, *sizes in CELLS:
        cells = {column: size for column, size in zip(search.COLUMNS, sizes[classes - 2], strict=False) if size}
        if cells:
            by_name.setdefault(name, {})[criterion] = cells
    return by_name


def noise_of(criterion: criteria.Criterion, classes: int, column: str) -> search.Noise:
    """The noise in which a cell is searched: with three classes, counts need a rate of 1/2 to stay counts."""
    counts = criterion in COUNTS
    return search.noises(classes, Fraction(1, 2) if counts and classes == 3 else search.THIRD, counts)[column]


def near_misses(family: Family, classes: int) -> Iterator[NearMiss]:
    """Yield of the first criterion that one example fewer suffices, and that the same two splits always swap.

    They swap at any rate, or in any number of copies where counts are scored.
    """
    criterion, sizes = next(iter(family.items()))
    most = max(sizes, key=lambda column: sizes[column])
    noise = noise_of(criterion, classes, most)
    says = f"{sizes[most] - 1} examples suffice for two splits to change places {noise}"
    yield NearMiss(says, Not(search.none_swap(criterion, noise, range(2, sizes[most]))))
    counts = criterion in COUNTS
    changed, how = (
        (search.copied, "with a hundred copies of every example") if counts else (search.at_rate, "at rate 1/1000")
    )
    for column in search.COLUMNS[:2] if counts else search.COLUMNS:
        if column in sizes:
            case = criterion, noise_of(criterion, classes, column), sizes[column]
            says = f"the same two splits change places {case[1].words} {how}"
            yield NearMiss(says, Exhaustive(lambda case=case: [changed(*case)], search.swapped), "hypothesis")  # type: ignore[misc]


def about(family: Family, classes: int) -> str:
    """The rates at which a family is searched, and what is compared."""
    counts = any(criterion in COUNTS for criterion in family)
    rate = "1/2 (pair-flip and class-conditional: 1/3)" if counts and classes == 3 else "1/3"
    compared = "splits whose expected noisy tables are counts" if counts else "all splits in two"
    return (
        f"at rate {rate}, class-conditional: the last class is read as the one before, instance-dependent: uniform on "
        f"some examples only; {compared} of nodes of more than one class, differences below 2^-200 read as ties"
    )


def theorem(name: str, family: Family, classes: int) -> Theorem:
    """The theorem that the criteria of a family let two splits change places, in every column with a size."""
    cells = [(criterion, column, size) for criterion, sizes in family.items() for column, size in sizes.items()]
    fewest = "; ".join(
        f"{criterion!r} " + ", ".join(f"{size} ({column})" for column, size in sizes.items())
        for criterion, sizes in family.items()
    )
    claims = All(*(claim for c, column, n in cells for claim in search.swaps(c, noise_of(c, classes, column), n)))
    return Theorem(
        key=f"order.{name}_swaps_splits_of_{WORDS[classes]}_classes",
        statement=f"two splits of a node of {WORDS[classes]} classes change places under noise, in expectation; the "
        f"fewest examples for it: {fewest}; {about(family, classes)}",
        source=search.SOURCE,
        holds=Stated(claims, K=classes),
        fails=tuple(near_misses(family, classes)),
        facts=tuple(
            fact
            for criterion, sizes in family.items()
            for fact in search.facts([criterion], sizes, "2" if classes == 2 else ">2", False)
        ),
    )


def both_leak(rate: Fraction) -> tuple[Channel, ...]:
    return (class_conditional(tau_pos=rate, tau_neg=rate / 2),)


SIZES = {2: families(2), 3: families(3), 4: {"gini_gain": {gini_decrease: {"pair-flip": 4}}}}
TWO_RATES = search.Noise("when negatives flip at half the rate of positives, these", 2, both_leak, Fraction(2, 5))
ONE_RATE = search.Noise(
    "when all flip", 2, lambda rate: (class_conditional(tau_pos=rate, tau_neg=rate),), Fraction(3, 10)
)
five, seven = range(5, 6), range(7, 8)

REMARK_6 = Theorem(
    key="order.misclassification_and_entropy_swap_of_rates_two_and_one_fifth",
    statement="under class-conditional noise with rates 2/5 (positive) and 1/5 (negative) misclassification ranks "
    "two splits of a node of 5 examples in strictly opposite orders, and of no smaller node; entropy does so in a node "
    "of 7",
    source="ghosh2017, Remark 6",
    holds=two_classes(
        *search.swaps(error_decrease, TWO_RATES, 5),
        Not(search.none_swap(criteria.decrease(impurities.entropy), TWO_RATES, seven)),
    ),
    fails=(
        NearMiss(
            "misclassification does so at two equal rates of 3/10 as well",
            Not(search.none_swap(error_decrease, ONE_RATE, five)),
            "hypothesis",
        ),
        NearMiss("the Gini gain does so as well", Not(search.none_swap(gini_decrease, TWO_RATES, five))),
        NearMiss("up to N = 4 the better split stays strictly better", search.keeps(error_decrease, TWO_RATES, 4)),
    ),
)

THEOREMS = [
    *(theorem(name, family, classes) for classes, families in SIZES.items() for name, family in families.items()),
    REMARK_6,
]
