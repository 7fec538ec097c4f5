"""The multinomial null law and the scores built on it: the gamma p-value and the Cantelli bound.

Rows are drawn independently, row ``i`` with ``a_i`` examples from class shares ``p``; class totals are random.
Source: wang2024, eqs. (12), (17), (28), (29), after Dobra and Gehrke.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise, product
from math import factorial, prod
from typing import Any

from splitcrit.criteria import replace
from splitcrit.nulls import agini, gini_null, gini_pvalue
from splitcrit.proof import BALL, All, Ball, Erratum, Exhaustive, Identity, NearMiss, Sign, Theorem
from splitcrit.proofs.common import compositions, exactly, kinds, partitions, vector
from splitcrit.proofs.wang2024.degenerate import still
from splitcrit.proofs.wang2024.laws import Counts, Margins, Totals, arrangements, gain, margins, mean_of, moment, null
from splitcrit.proofs.wang2024.shapes import DISTINCT

SHARES = (
    (Fraction(1, 2), Fraction(1, 2)),
    (Fraction(1, 3), Fraction(2, 3)),
    (Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)),
)
Case = tuple[Totals, tuple[Fraction, ...]]


def cases(most: int) -> Iterator[Case]:
    """Yield row totals and class shares."""
    for n in range(1, most + 1):
        yield from product(partitions(n), SHARES)


def chance(counts: Totals, p: tuple[Fraction, ...]) -> Fraction:
    """Return the multinomial probability of a vector of counts."""
    ways = factorial(sum(counts)) // prod(map(factorial, counts))
    return ways * prod((q**x for q, x in zip(p, counts, strict=True)), start=Fraction(1))


def drawn(case: Case) -> Iterator[tuple[Counts, Fraction]]:
    """Yield every table of independent multinomial rows with its probability."""
    a, p = case
    for t in product(*(compositions(x, len(p)) for x in a)):
        yield t, prod((chance(row, p) for row in t), start=Fraction(1))


def moments_of(case: Case) -> tuple[Fraction, Fraction]:
    """Return mean and variance of the gain from the list of all tables."""
    law = [(gain(t), w) for t, w in drawn(case)]
    mean = sum((x * w for x, w in law), Fraction(0))
    return mean, sum(((x - mean) ** 2 * w for x, w in law), Fraction(0))


def printed_mean(n: Any, r: Any, p2: Any) -> Any:
    return (r - 1) / n * (1 - p2)


def printed_variance(n: Any, r: Any, h: Any, p2: Any, p3: Any) -> Any:
    """Return eq. (12) with ``h = sum 1/a``, ``p2 = sum p^2``, ``p3 = sum p^3``."""
    rows = (r - 1) * (2 * p2 + 2 * p2**2 - 4 * p3)
    return (rows + (h - 2 * r / n + 1 / n) * (-2 * p2 - 6 * p2**2 + 8 * p3)) / n**2


def printed(case: Case) -> tuple[Fraction, Fraction]:
    a, p = case
    n, r, h = Fraction(sum(a)), Fraction(len(a)), sum(Fraction(1, x) for x in a)
    p2, p3 = sum(q**2 for q in p), sum(q**3 for q in p)
    return printed_mean(n, r, p2), printed_variance(n, r, h, p2, p3)


def plugged_in(case: Margins) -> Case:
    a, b = case
    return a, tuple(Fraction(x, sum(b)) for x in b)


def kernel_sums(a: list[Any]) -> tuple[Any, Any, Any]:
    """Return sums over pairs: of ``k_uv = [same row]/(N a) - 1/N^2``, of its square, of products at one example."""
    n = sum(a)
    plain = sum(x * (x - 1) / (n * x) for x in a) - (n * n - n) / n**2
    squares = sum(x * (x - 1) * (1 / (n * x) - 1 / n**2) ** 2 for x in a) + (n * n - sum(x * x for x in a)) / n**4
    of_example = [(x - 1) / (n * x) - (n - 1) / n**2 for x in a]
    return plain, squares, sum(x * s**2 for x, s in zip(a, of_example, strict=True)) - squares


def mean_by_pairs(v: Any, rows: int) -> Any:
    """Return the mean gain: for different examples labels agree with probability p2."""
    a = vector(v, "a", rows)
    plain, _, _ = kernel_sums(a)
    return rows / sum(a) - 1 / sum(a) + plain * v.p2


def variance_by_pairs(v: Any, rows: int) -> Any:
    """Return the variance: pairs apart are independent, pairs that share one example agree with probability p3."""
    _, squares, adjacent = kernel_sums(vector(v, "a", rows))
    return 2 * squares * (v.p2 - v.p2**2) + 4 * adjacent * (v.p3 - v.p2**2)


def for_rows(rows: int) -> All:
    """The claim of eq. (12) for so many rows of any size."""
    variables = {**kinds("positive", "a", classes=rows), "p2": "rate", "p3": "rate"}

    def sizes(v: Any) -> tuple[Any, Any]:
        a = vector(v, "a", rows)
        return sum(a), sum(1 / x for x in a)

    return All(
        Identity(
            variables,
            lambda v, m: v.p3 + mean_by_pairs(v, rows),
            lambda v, m: v.p3 + printed_mean(sizes(v)[0], rows, v.p2),
        ),
        Identity(
            variables,
            lambda v, m: v.p2 + variance_by_pairs(v, rows),
            lambda v, m: v.p2 + printed_variance(sizes(v)[0], rows, sizes(v)[1], v.p2, v.p3),
        ),
    )


def library(case: Margins) -> tuple[Any, Any]:
    found = gini_null(*case, model="multinomial", exact=True)
    return found.mean, found.variance


INDEPENDENT = "hand argument: labels are independent, three of them agree with probability sum p^3, two with sum p^2"

NULL = Theorem(
    key="null.gini_moments_of_multinomial",
    statement="if row i holds a_i independent draws from the class shares p, mean and variance of the Gini gain are"
    " those printed; the library returns them at p = b/N",
    source="wang2024, eq. (12)",
    scope="any rows and classes; by enumeration N <= 4 and three vectors of shares; the library's value N <= 8",
    holds=All(
        *(for_rows(rows) for rows in (1, 2, 3)),
        Exhaustive(lambda: cases(4), lambda c: moments_of(c) == printed(c)),
        Exhaustive(lambda: margins(8), lambda c: library(c) == printed(plugged_in(c))),
    ),
    premises=(INDEPENDENT, DISTINCT),
    fails=(
        NearMiss(
            "if every row holds N draws",
            Exhaustive(lambda: cases(2), lambda c: moments_of(((sum(c[0]),) * len(c[0]), c[1])) == printed(c)),
            "hypothesis",
        ),
        NearMiss(
            "at p = b/N it is the mean over permutations", Exhaustive(margins, lambda c: library(c)[0] == moment(c, 1))
        ),
        NearMiss(
            "at p = b/N the variance is 0 where it is 0 over permutations",
            Exhaustive(lambda: margins(least=2), lambda c: library(c)[1] == 0 or moment(c, 2) > 0),
        ),
    ),
    latex=r"\mathbb E = \frac{r-1}{N}\Bigl(1-\sum_j p_j^2\Bigr)",
)


def over_classes(case: Case, statistic: Callable[[Margins], Fraction]) -> Fraction:
    """Return the mean of a statistic of the margins over multinomial class totals."""
    a, p = case
    found = ((b, chance(b, p)) for b in compositions(sum(a), len(p)))
    return sum((statistic((a, tuple(x for x in b if x))) * w for b, w in found), Fraction(0))


def spread_of_means(c: Case) -> Fraction:
    return over_classes(c, lambda x: null(x).mean ** 2) - over_classes(c, lambda x: null(x).mean) ** 2


MIXTURE = Theorem(
    key="null.multinomial_is_mixture_of_permutations",
    statement="averaged over multinomial class totals the permutation mean is the multinomial mean; the multinomial"
    " variance is the average permutation variance plus the variance of the permutation mean",
    source="wang2024, eq. (17)",
    scope="the mean: any rows and classes; both: N <= 6 and three vectors of shares",
    holds=All(
        Identity(
            {"n": "positive", "r": "positive", "p": "rate"},
            lambda v, m: (v.r - 1) / (v.n - 1) * (1 - (v.n + v.n * (v.n - 1) * v.p) / v.n**2),
            lambda v, m: printed_mean(v.n, v.r, v.p),
            lambda v, m: v.n >= 2,
        ),
        Exhaustive(lambda: cases(6), lambda c: over_classes(c, lambda x: null(x).mean) == printed(c)[0]),
        Exhaustive(
            lambda: cases(6),
            lambda c: over_classes(c, lambda x: null(x).variance) + spread_of_means(c) == printed(c)[1],
        ),
    ),
    premises=("the mean of b_j^2 for multinomial b is N p_j + N (N - 1) p_j^2",),
    fails=(
        NearMiss(
            "the multinomial variance is the average permutation variance",
            Exhaustive(lambda: cases(3), lambda c: over_classes(c, lambda x: null(x).variance) == printed(c)[1]),
        ),
        NearMiss(
            "at the observed shares both means agree",
            Exhaustive(lambda: margins(3), lambda c: null(c).mean == printed(plugged_in(c))[0]),
            "hypothesis",
        ),
    ),
)


def gamma_tail(shape: Any, reach: Any) -> Ball:
    """Return the regularised upper incomplete gamma function, enclosed."""
    return Ball(Ball(reach).arb.gamma_upper(Ball(shape).arb, 1))


def gamma_density(shape: Any, x: Any) -> Ball:
    """Return the gamma density with scale 1, enclosed."""
    power = BALL.exp((Ball(shape) - 1) * BALL.log(Ball(x)) - Ball(x))
    return power / Ball(Ball(shape).arb.gamma())


def near(x: float, ball: Ball) -> bool:
    return bool(BALL.abs(Ball(Fraction(x)) - ball) < Fraction(1, 10**10))


def gamma_pvalue(t: Counts, turned: bool = False) -> Ball:
    """Return ``Q(E^2/V, G E/V)``, or with the quotient in the argument turned over."""
    mean, variance = printed(plugged_in((tuple(map(sum, t)), tuple(map(sum, zip(*t, strict=True))))))
    reach = gain(t) * (variance / mean if turned else mean / variance)
    return gamma_tail(mean**2 / variance, reach)


def spread(most: int) -> Iterator[Counts]:
    """Yield the tables whose permutation variance and gain are positive."""
    for case in margins(most, 3):
        if not still(case):
            yield from (t for t, _ in arrangements(*case) if gain(t) > 0)


THREE_TABLES: tuple[Counts, ...] = (  # rows 20, 15, 15; classes 25, 25; the gain grows
    ((13, 7), (6, 9), (6, 9)),
    ((14, 6), (7, 8), (4, 11)),
    ((16, 4), (5, 10), (4, 11)),
)


def printed_density(t: Counts) -> Ball:
    """Return eq. (28) as it stands: a density at ``G V/E`` with shape ``E^2/V``."""
    a, b = tuple(map(sum, t)), tuple(map(sum, zip(*t, strict=True)))
    mean, variance = printed(plugged_in((a, b)))
    return gamma_density(mean**2 / variance, gain(t) * variance / mean)


def falls(values: list[Any]) -> list[Any]:
    return [x - y for x, y in pairwise(values)]


FALLING = Sign(lambda m: falls([printed_density(t) for t in THREE_TABLES]))
AT_MOST_ONE = Sign(lambda m: [1 - printed_density(((4, 6), (5, 5)))])

GAMMA = Theorem(
    key="pvalue.gamma_tail_of_mean_and_variance",
    statement="the gamma law with mean E and variance V has shape E^2/V and scale V/E; its p-value is"
    " Q(E^2/V, G E/V), which the library returns and which falls as the gain grows",
    source="wang2024, eq. (28)",
    scope="the law: all E, V; the library: all tables N <= 5 with positive gain, within 1e-10; falling: three tables",
    holds=All(
        Identity(
            {"e": "positive", "v": "positive"},
            lambda v, m: (v.e**2 / v.v) * (v.v / v.e) + (v.e**2 / v.v) * (v.v / v.e) ** 2,
            lambda v, m: v.e + v.v,
        ),
        Exhaustive(lambda: spread(5), lambda t: near(float(gini_pvalue(t, method="gamma")), gamma_pvalue(t))),
        Sign(lambda m: falls([gamma_pvalue(t) for t in THREE_TABLES])),
    ),
    premises=("a gamma law with shape s and scale c has mean s c and variance s c^2",),
    fails=(
        NearMiss("the printed density falls as the gain grows", FALLING),
        NearMiss("the printed density is at most 1", AT_MOST_ONE),
        NearMiss(
            "the argument is G V/E",
            Exhaustive(
                lambda: spread(4), lambda t: near(float(gini_pvalue(t, method="gamma")), gamma_pvalue(t, turned=True))
            ),
        ),
    ),
    added="the upper tail in the place of the density, and E/V in the place of V/E",
)

ODDS = {alpha: (1 - alpha) / alpha for alpha in (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2))}


def exceeds(x: Fraction, mean: Fraction, variance: Fraction, alpha: Fraction) -> bool:
    """Tell whether a gain reaches ``mean + sqrt((1 - alpha)/alpha variance)``, exactly."""
    return x >= mean and (x - mean) ** 2 >= ODDS[alpha] * variance


def tail(case: Margins, mean: Fraction, variance: Fraction, alpha: Fraction) -> Fraction:
    return Fraction(mean_of(case, lambda t: int(exceeds(gain(t), mean, variance, alpha))))


def bounded(c: tuple[Margins, Fraction], moments: Callable[[Margins], tuple[Any, Any]]) -> bool:
    return tail(c[0], *moments(c[0]), c[1]) <= c[1]


def over_permutations(case: Margins) -> tuple[Any, Any]:
    return null(case).mean, null(case).variance


def levels(most: int, accept: Callable[[Margins], bool] = lambda c: not still(c)) -> Iterator[tuple[Margins, Fraction]]:
    return ((c, alpha) for c in margins(most) if accept(c) for alpha in ODDS)


def sign_is_right(c: tuple[Counts, Fraction]) -> bool:
    """The library's AGini is positive where the gain is above the bound, and negative where it is below."""
    t, alpha = c
    case = tuple(map(sum, t)), tuple(map(sum, zip(*t, strict=True)))
    score = replace(agini, alpha=alpha, model="permutation").score(exactly(t), BALL)
    moments = over_permutations(case)
    if gain(t) >= moments[0] and (gain(t) - moments[0]) ** 2 == ODDS[alpha] * moments[1]:
        return bool(Ball(score).arb.contains(0))
    return bool((score > 0) == exceeds(gain(t), *moments, alpha))


CANTELLI = Theorem(
    key="agini.bound_exceeded_at_most_alpha",
    statement="with the permutation moments E and V a random gain reaches E + sqrt((1 - alpha)/alpha V) with"
    " probability alpha at most; AGini under that model is positive exactly above the bound",
    source="wang2024, eq. (29)",
    scope="any margins with V > 0 and any alpha in (0, 1); enumerated: N <= 6, alpha = 1/10, 1/4, 1/2",
    holds=All(
        Identity(
            {"v": "positive", "alpha": "rate"},
            lambda v, m: v.v / (v.v + (1 - v.alpha) / v.alpha * v.v) + v.v,
            lambda v, m: v.alpha + v.v,
            lambda v, m: v.alpha > 0,
        ),
        Exhaustive(lambda: levels(6), lambda c: bounded(c, over_permutations)),
        Exhaustive(lambda: ((t, alpha) for t in spread(5) for alpha in ODDS), sign_is_right),
    ),
    premises=("Cantelli: P(X - E >= t) <= V/(V + t^2) for t > 0",),
    fails=(
        NearMiss(
            "it is the 1 - alpha quantile: as close to probability alpha as the law allows",
            Exhaustive(lambda: levels(5), lambda c: quantile_is_bound(*c)),
        ),
        NearMiss(
            "with the multinomial moments at p = b/N it bounds random permutations too",
            Exhaustive(
                lambda: levels(8, lambda c: set(map(len, c)) == {2} and not still(c)), lambda c: bounded(c, library)
            ),
            "hypothesis",
        ),
    ),
    added="V > 0, and the moments of the law whose tail is bounded",
)


def quantile_is_bound(case: Margins, alpha: Fraction) -> bool:
    """Tell whether no gain below the bound is reached with probability alpha at most."""
    moments = over_permutations(case)
    below = {gain(t) for t, _ in arrangements(*case) if not exceeds(gain(t), *moments, alpha)}
    law = [(gain(t), w) for t, w in arrangements(*case)]
    return all(sum(w for y, w in law if y >= x) > alpha for x in below)


THEOREMS = [NULL, MIXTURE, GAMMA, CANTELLI]
ERRATA = [
    Erratum("S-E7", All(FALLING, AT_MOST_ONE), GAMMA.key),
    Erratum("S-E8", CANTELLI.fails[0].claim, CANTELLI.key),
    Erratum("S-E14", All(NULL.fails[0].claim, NULL.fails[1].claim), NULL.key),
]
