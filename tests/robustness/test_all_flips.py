"""Exact answers under noise against all 2^N flips of the labels, on every small node and on drawn ones up to N = 10."""

import math
import random
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

from splitcrit import (
    class_conditional,
    decrease,
    gini,
    misclassification,
    order_failure,
    pairwise_gain,
    twoing,
)
from splitcrit.arith import EXACT
from splitcrit.robustness import expected_gain, majority_failure_by_example
from splitcrit.robustness.splits import SplitComparison

F = Fraction
RATES = {"symmetric": (1, 1), "class-conditional": (2, 1), "upside down": (4, 3)}  # fifths: of positives, of negatives
CRITERIA = (decrease(gini), twoing, pairwise_gain, decrease(misclassification))
FAILED = {"fail": 2, "keep": 0, "split": 1}  # halves that a tie counts


def channel(rates):
    return class_conditional(tau_pos=F(rates[0], 5), tau_neg=F(rates[1], 5))


def splits_of(n, parts):
    """Every way to write n as a sum of a number of parts."""
    if parts == 1:
        yield (n,)
        return
    for first in range(n + 1):
        yield from ((first, *rest) for rest in splits_of(n - first, parts - 1))


def drawn(sizes, parts, number, seed):
    rng = random.Random(seed)
    for _ in range(number):
        places = [rng.randrange(parts) for _ in range(rng.choice(sizes))]
        yield tuple(places.count(i) for i in range(parts))


@cache
def score(criterion, table):
    return criterion.score([[F(x) for x in row] for row in table], EXACT)


def flips(counts, rates):
    """The noisy counts, cell by cell, after each flip of all labels, and 5^N times its probability."""
    examples = [i for i, n in enumerate(counts) for _ in range(n)]  # cells alternate negatives and positives
    for changed in product((0, 1), repeat=len(examples)):
        seen, weight = [0] * len(counts), 1
        for i, flip in zip(examples, changed, strict=True):
            seen[i ^ flip] += 1
            rate = rates[1 - i % 2]
            weight *= rate if flip else 5 - rate
        yield tuple(seen), weight


def tables(cells):
    """The tables of both splits: sides of the first, and of the second."""
    a, b, c, d = (np.array(cells[i : i + 2]) for i in (0, 2, 4, 6))
    return tuple(tuple(tuple(map(int, row)) for row in table) for table in ((a + b, c + d), (a + c, b + d)))


def order(criterion, cells):
    one, two = (score(criterion, table) for table in tables(cells))
    return (one > two) - (one < two)


def proper(cells):
    return all(sum(row) for table in tables(cells) for row in table)


def assert_order_is_that_of_all_flips(cells, criterion, rates):
    clean, lost = order(criterion, cells), dict.fromkeys(FAILED, 0)
    for seen, weight in flips(cells, rates):
        now = order(criterion, seen)
        for ties, halves in FAILED.items():
            lost[ties] += 0 if now == clean else weight * (halves if now == 0 else 2)
    for ties, halves in lost.items():
        both = np.reshape(cells, (2, 2, 2))
        found = order_failure(both, channel=channel(rates), criterion=criterion, ties=ties).probability
        assert found == F(halves, 2 * 5 ** sum(cells)), (cells, ties)


@pytest.mark.parametrize("rates", RATES.values(), ids=RATES)
def test_order_failure_of_every_node_of_four(rates):
    tried = 0
    for cells in (cells for n in range(1, 5) for cells in splits_of(n, 8)):
        if proper(cells) and order(CRITERIA[0], cells):
            assert_order_is_that_of_all_flips(cells, CRITERIA[0], rates)
            tried += 1
    assert tried > 50


@pytest.mark.parametrize("criterion", CRITERIA, ids=str)
def test_order_failure_of_drawn_nodes(criterion):
    for i, cells in enumerate(drawn((5, 6, 7, 8, 10), 8, 24, seed=3)):
        if proper(cells) and order(criterion, cells):
            assert_order_is_that_of_all_flips(cells, criterion, list(RATES.values())[i % 3])


def assert_gain_is_that_of_all_flips(counts, criterion, rates):
    table, mean, square = (counts[:2], counts[2:]), F(0), F(0)
    for seen, weight in flips(counts, rates):
        gain = score(criterion, (seen[:2], seen[2:]))
        mean, square = mean + weight * gain, square + weight * gain**2
    mean, square = mean / 5 ** sum(counts), square / 5 ** sum(counts)
    found = expected_gain(table, channel=channel(rates), criterion=criterion)
    assert (found.mean, found.variance) == (mean, square - mean**2), counts


@pytest.mark.parametrize("criterion", CRITERIA[:3], ids=str)
def test_expected_gain_of_every_node_of_five_and_of_drawn_ones(criterion):
    every = [counts for n in range(2, 6) for counts in splits_of(n, 4)] + list(drawn((7, 10), 4, 8, seed=1))
    for i, counts in enumerate(every):
        if sum(counts[:2]) and sum(counts[2:]):
            assert_gain_is_that_of_all_flips(counts, criterion, list(RATES.values())[i % 3])


@pytest.mark.parametrize("classes", [2, 3])
def test_failure_by_example_of_drawn_leaves(classes):
    rng = np.random.default_rng(classes)
    for _ in range(12):
        n = int(rng.integers(1, 11 if classes == 2 else 7))
        labels, laws = rng.integers(0, classes, n), rng.dirichlet(np.ones(classes), n)
        counts = np.bincount(labels, minlength=classes)
        if (counts == counts.max()).sum() > 1:
            continue
        best, lost = counts.argmax(), dict.fromkeys(FAILED, 0.0)
        for noisy in product(range(classes), repeat=n):
            seen, chance = [noisy.count(k) for k in range(classes)], math.prod(laws[range(n), noisy])
            tying = seen.count(max(seen))
            for ties in FAILED:
                tie = {"fail": 1, "keep": 0, "split": 1 - 1 / tying}[ties] if tying > 1 else 0
                lost[ties] += chance * (1 if seen[best] < max(seen) else tie)
        for ties, failed in lost.items():
            found = majority_failure_by_example(labels, laws, ties=ties)
            assert found == pytest.approx(failed, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("half", [30, 1448, 1449, 1499, 60_000, 200_000])
def test_scores_of_large_nodes_do_not_overflow(half):
    """The integers that are compared pass 2^63 from 2897 samples on, and the squares alone from 110 000."""
    wrong = half // 5  # the first split puts these on the other side; the second is pure
    cells = np.array([[[half - wrong, 0], [0, 0]], [[wrong, 0], [0, half]]])
    for both, better in ((cells, -1), (np.swapaxes(cells, 0, 1), 1)):
        assert SplitComparison(decrease(gini), both).clean == better
