"""How often label noise reverses the order of two splits: sharp bounds and the exact law."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from splitcrit.criteria import twoing
from splitcrit.proof import ALL, BALL, All, Exhaustive, Identity, Law, NearMiss, Sign, Theorem
from splitcrit.proof.balls import fraction
from splitcrit.proofs.common import compositions, kinds, score, up_to
from splitcrit.proofs.noise.inequalities import CAUCHY_SCHWARZ, HOEFFDING, KEARNS_SAUL
from splitcrit.proofs.noise.sums_of_labels import below_half, constant, eighth, exponent
from splitcrit.proofs.null.noisy import noisy_tables

Cell = tuple[int, int]  # negatives, positives
Cells = tuple[Cell, Cell, Cell, Cell]  # both left, left and right, right and left, both right
Rates = tuple[Fraction, Fraction]
Case = tuple[Cells, Rates]

TENTH, FIFTH, THIRD, HEAVY = Fraction(1, 10), Fraction(1, 5), Fraction(3, 10), Fraction(2, 5)
SYMMETRIC = ((TENTH, TENTH), (THIRD, THIRD), (Fraction(9, 20), Fraction(9, 20)))
CLASSWISE = ((Fraction(0), HEAVY), (Fraction(4, 5), Fraction(7, 10)))


def tables(cells: Any) -> tuple[Any, Any]:
    """The two splits that the four cells make, as tables of (negatives, positives)."""

    def joined(i: int, j: int) -> tuple[Any, Any]:
        return cells[i][0] + cells[j][0], cells[i][1] + cells[j][1]

    return (joined(0, 1), joined(2, 3)), (joined(0, 2), joined(1, 3))


@cache
def scores(cells: Cells) -> tuple[Fraction, Fraction]:
    first, second = tables(cells)
    return score(twoing, first), score(twoing, second)


def pairs(most: int, least: int = 2) -> Iterator[Cells]:
    """Yield the cells of every two splits of one node that differ in score, both with two non-empty children."""
    for n in range(least, most + 1):
        for f in compositions(n, 8):
            cells: Cells = ((f[0], f[1]), (f[2], f[3]), (f[4], f[5]), (f[6], f[7]))
            if all(any(row) for table in tables(cells) for row in table) and len(set(scores(cells))) == 2:
                yield cells


@cache
def failure(case: Case, ties: bool = True) -> Fraction:
    """The exact probability that noise leaves the better split not strictly better, by its four cells."""
    cells, rates = case
    return fraction(sum(w for noisy, w in noisy_tables(cells, *rates) if lost(cells, noisy, ties)))


def lost(clean: Cells, noisy: Cells, ties: bool = True) -> bool:
    """Whether the better of two splits is no longer better."""
    (one, two), (first, second) = scores(clean), scores(noisy)
    worse = first < second if one > two else second < first
    return worse or (ties and first == second)


def failure_by_flips(case: Case) -> Fraction:
    """The same by going through all flips of all labels."""
    cells, (tau_pos, tau_neg) = case
    examples = [(i, k) for i, cell in enumerate(cells) for k in (0, 1) for _ in range(cell[k])]
    failed = Fraction(0)
    for flips in product((0, 1), repeat=len(examples)):
        chance, seen = Fraction(1), [[0, 0] for _ in cells]
        for (i, k), flip in zip(examples, flips, strict=True):
            rate = tau_pos if k else tau_neg
            chance *= rate if flip else 1 - rate
            seen[i][k ^ flip] += 1
        a, b, c, d = ((x, y) for x, y in seen)
        failed += chance * lost(cells, (a, b, c, d))
    return failed


def geometry(cells: Cells) -> tuple[Any, Any, Any, int]:
    """The roots of both scores as enclosures, the correlation of the splits aligned with both, and n."""
    one, two = scores(cells)
    sizes = [sum(cell) for cell in cells]
    n = sum(sizes)
    w = [sum(rows[0]) * sum(rows[1]) for rows in tables(cells)]
    aligned = 1
    for left, right in tables(cells):
        aligned *= -1 if left[1] * sum(right) < right[1] * sum(left) else 1
    r = BALL.number(aligned * (sizes[0] * sizes[3] - sizes[1] * sizes[2])) / BALL.sqrt(BALL.number(w[0] * w[1]))
    return BALL.sqrt(BALL.number(one)), BALL.sqrt(BALL.number(two)), r, n


def contraction(rates: Rates) -> Any:
    """``k^2`` with ``k = 1 - tau_pos - tau_neg``."""
    return BALL.number((1 - sum(rates)) ** 2)


def kearns_saul(rates: Rates) -> Any:
    """``k log((1 - eta)/eta)/2``, which takes the place of ``k^2`` under symmetric noise below 1/2."""
    eta = BALL.number(rates[0])
    return (1 - 2 * eta) * BALL.log((1 - eta) / eta) / 2


def sharp(cells: Cells, strength: Any, power: int = 1) -> Any:
    """``exp(-n k^2 (S_1 - S_2)^2/(1 - r)) + exp(-n k^2 (S_1 + S_2)^2/(1 + r))``."""
    one, two, r, n = geometry(cells)
    near, far = (one - two) ** 2 / (1 - r), (one + two) ** 2 / (1 + r)
    return BALL.exp(-n * power * strength * near) + BALL.exp(-n * power * strength * far)


def by_gap(cells: Cells, strength: Any, alone: bool = False) -> Any:
    """``2 exp(-n k^2 rho^2/(8 p q (1 - r^2)))`` with rho the gap of the Gini gains; alone: p q = 1/4, r = 0."""
    _, _, r, n = geometry(cells)
    one, two = scores(cells)
    pos = sum(cell[1] for cell in cells)
    spread = Fraction(1, 4) if alone else Fraction(pos * (n - pos), n * n) * (1 - r * r)
    return 2 * BALL.exp(-n * strength * 4 * (one - two) ** 2 / (8 * spread))


def chain(strength: Callable[[Rates], Any], rates: Any, most: int = 5) -> Exhaustive:
    """Claim that the failure is at most the sharp bound, that at most the gap's, and that at most the last."""

    def holds(case: Case) -> bool:
        cells, rate = case
        k = strength(rate)
        slack = BALL.number(Fraction(1, 10**60))  # the three bounds may coincide
        first, second, last = sharp(cells, k), by_gap(cells, k), by_gap(cells, k, alone=True)
        return bool(BALL.number(failure(case)) < first < second + slack and second < last + slack)

    return up_to(most, lambda n: product(pairs(n), rates), holds)


def sharper(strength: Callable[[Rates], Any], power: int, rates: Any) -> Exhaustive:
    """Claim that the sharp bound holds with a power of it at the pairs of splits of six examples."""

    def holds(case: Case) -> bool:
        return bool(BALL.number(failure(case)) < sharp(case[0], strength(case[1]), power))

    return Exhaustive(lambda: product(pairs(6, 6), rates), holds)


def exceeds(times: int) -> Sign:
    """Claim that the Kearns-Saul strength is above a multiple of Hoeffding's, at the rates 1/100, ..., 49/100."""
    rates = [Fraction(i, 100) for i in range(1, 50)]
    return Sign(lambda m: [m.min([kearns_saul((e, e)) - times * contraction((e, e)) for e in rates])])


def inner_product(v: Any, m: Any) -> Any:
    """``sum_i w_i w'_i`` of two splits, with ``w = N_R`` on the left and ``-N_L`` on the right."""
    left, below = v.n0 + v.n1, v.n0 + v.n2
    right, above = v.n2 + v.n3, v.n1 + v.n3
    return v.n0 * right * above - v.n1 * right * below - v.n2 * left * above + v.n3 * left * below


def crossing(v: Any, m: Any) -> Any:
    return (v.n0 + v.n1 + v.n2 + v.n3) * (v.n0 * v.n3 - v.n1 * v.n2)


def projection(v: Any, m: Any) -> Any:
    """``<w, y>^2/(n |w|^2)``, with y the labels."""
    left, right = v.a + v.b, v.c + v.d
    along = right * v.a - left * v.c
    return along**2 / ((left + right) * (left * right**2 + right * left**2))


def of_difference(strength: Any, c: Any = eighth) -> Identity:
    """Claim the exponent of labels along ``e_1 -+ e_2``, unit vectors of two splits, of mean ``sqrt(n) (1 - 2q) gap``.

    ``gap`` is ``S_1 -+ S_2`` and the squares of that difference sum to ``2 (1 -+ r)``.
    """
    return exponent(
        kinds("rate", "q", "r") | kinds("real", "gap", "root", "a"),
        lambda v: v.root * (1 - 2 * v.q) * v.gap,
        lambda v: 2 * (1 - v.r),
        lambda v: v.root**2 * strength(v) * v.gap**2 / (1 - v.r) + 0 * v.a,
        c,
        lambda v, m: [*below_half(v, m), v.r < 1],
    )


ALONG = Law(of_difference, strength=lambda v: (1 - 2 * v.q) ** 2)
ALONG_KEARNS_SAUL = Law(of_difference, strength=lambda v: (1 - 2 * v.q) * v.a / 2, c=constant)
EXCEEDS = Law(exceeds, times=1)

FOUR = kinds("positive", "n0", "n1", "n2", "n3")
SPLIT = kinds("positive", "a", "b", "c", "d")
EXAMPLE: Cells = ((4, 1), (3, 2), (2, 3), (1, 4))
LARGER: Cells = ((8, 2), (6, 4), (4, 6), (2, 8))

THEOREMS = [
    Theorem(
        key="noise.order_of_two_splits_fails_rarely_of_class_conditional",
        statement="let S_i be the roots of the twoing scores of two splits, r the correlation of the splits aligned"
        " with both, k = 1 - tau_pos - tau_neg, rho the gap of their Gini gains: noise fails to keep the order"
        " strictly with probability at most exp(-n k^2 (S_1 - S_2)^2/(1 - r)) + exp(-n k^2 (S_1 + S_2)^2/(1 + r))"
        " <= 2 exp(-n k^2 rho^2/(8 p q (1 - r^2))) <= 2 exp(-n k^2 rho^2/2)",
        source="beyond, sharp bound on the order of two splits",
        holds=All(
            correlation=Identity(FOUR, inner_product, crossing),
            score=Identity(SPLIT, lambda v, m: twoing.score([[v.b, v.a], [v.d, v.c]], m), projection),
            bounds=chain(contraction, SYMMETRIC + CLASSWISE),
            exponent=ALONG,
        ),
        fails=(
            ALONG.but("the inequality gives k in place of k^2", strength=lambda v: 1 - 2 * v.q),
            NearMiss("without the factor k^2", sharper(lambda rates: BALL.number(1), 1, SYMMETRIC[2:])),
            NearMiss("with four times the exponents", sharper(contraction, 4, SYMMETRIC[:1])),
        ),
        premises=(replace(HOEFFDING, widens={"N": ALL, "tau_pos": ALL, "tau_neg": ALL}), CAUCHY_SCHWARZ),
    ),
    Theorem(
        key="noise.order_of_two_splits_fails_rarely_of_symmetric",
        statement="under symmetric noise eta < 1/2 the same bounds hold with (1 - 2 eta) log((1 - eta)/eta)/2 in place"
        " of (1 - 2 eta)^2, which is smaller (at 1/100, ..., 49/100)",
        source="beyond, sharp bound on the order of two splits",
        holds=All(bounds=chain(kearns_saul, SYMMETRIC), larger=EXCEEDS, exponent=ALONG_KEARNS_SAUL),
        fails=(
            ALONG_KEARNS_SAUL.but("with Hoeffding's constant", c=eighth, alters="hypothesis"),
            NearMiss("with four times that exponent", sharper(kearns_saul, 4, SYMMETRIC[:1])),
            EXCEEDS.but("it is at least twice (1 - 2 eta)^2", times=2),
        ),
        premises=(KEARNS_SAUL,),
    ),
    Theorem(
        key="noise.order_failure_is_exact_of_four_cells",
        statement="the probability that noise changes the order of two splits is a sum over the noisy positives of the"
        " four cells in which they cut the node: at most product (n_ij + 1) terms instead of 2^n",
        source="beyond, exact failure of the order of two splits",
        holds=All(
            all_flips=up_to(
                4,
                lambda n: product(pairs(n), SYMMETRIC[1:2] + CLASSWISE[:1]),
                lambda case: failure(case) == failure_by_flips(case),
            ),
            examples=Exhaustive(
                lambda: [(EXAMPLE, Fraction(5320, 10**4)), (LARGER, Fraction(3693, 10**4))],
                lambda case: abs(failure((case[0], (FIFTH, FIFTH))) - case[1]) < Fraction(1, 10**4),
            ),
        ),
        fails=(
            NearMiss(
                "splits that tie after noise keep their order",
                Exhaustive(
                    lambda: product(pairs(3), SYMMETRIC[1:2]),
                    lambda case: failure(case, False) == failure_by_flips(case),
                ),
                alters="hypothesis",
            ),
            NearMiss(
                "noise below 1/2 keeps the order more often than not",
                Exhaustive(lambda: product(pairs(4), SYMMETRIC[1:2]), lambda case: failure(case) < Fraction(1, 2)),
            ),
        ),
    ),
]
