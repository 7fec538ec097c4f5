"""What enumerations of the proofs go through, counted apart."""

from __future__ import annotations

from itertools import combinations, product
from math import log2

from splitcrit.proofs.field.skew import PAIRS
from splitcrit.proofs.null.best_cut import cut_sets


def test_every_set_of_cuts_is_there() -> None:
    assert list(cut_sets(3)) == [(2, (1,)), (3, (1,)), (3, (2,)), (3, (1, 2))]
    assert len(list(cut_sets(6))) == sum(2 ** (n - 1) - 1 for n in range(2, 7))


def test_pairs_of_splits_are_counted_once_with_their_mirrors() -> None:
    """Divisions of both classes in two, as sets of two sides; scores by their own formulas, 1e-9 apart at least."""

    def rises(sides: frozenset[tuple[int, int]], n: int) -> tuple[float, float]:
        both = [*sides, *sides][:2]  # equal sides are one member
        gini, bits = 0.0, 0.0
        for a, b in both:
            gini -= 2 * a * b / (a + b) / n
            bits += sum(x * log2(x / (a + b)) for x in (a, b) if x) / n
        return gini, bits

    for n in (7, 8):
        opposite = every = 0
        for k in range(1, n):
            all_of = product(range(n - k + 1), range(k + 1))
            splits = {frozenset({(a, b), (n - k - a, k - b)}) for a, b in all_of if 0 < a + b < n}
            for one, other in combinations([rises(sides, n) for sides in splits], 2):
                every += 1
                apart = [x - y for x, y in zip(one, other, strict=True)]
                opposite += min(map(abs, apart)) > 1e-9 and apart[0] * apart[1] < 0
        assert (opposite, every) == PAIRS[n]
