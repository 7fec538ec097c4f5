"""Impurities of losses that the papers only name: hinge, symmetric, negative and normalised cross-entropy.

Main results: hinge gives twice misclassification; symmetric cross-entropy lies between entropy plus misclassification
and entropy plus Gini; negative learning is entropy of complementary labels; normalised cross-entropy gives the smallest
probability, which keeps its order under noise and is blind to an absent class.
Source: beyond.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit import losses
from splitcrit.arith import EXACT
from splitcrit.criteria import Criterion, decrease
from splitcrit.impurities import Impurity, entropy, gini, misclassification
from splitcrit.losses import Loss, risk
from splitcrit.noise import symmetric
from splitcrit.proof import All, Exhaustive, Identity, NearMiss, Sign, Smt, Theorem
from splitcrit.proofs.common import binary_splits, compositions, distribution, exactly, kinds, noisy, score
from splitcrit.proofs.logs import LOGS

HALF, RATE = Fraction(1, 2), Fraction(3, 10)


def shares(bottom: int, classes: int, least: int = 0) -> Iterator[list[Fraction]]:
    """Yield the distributions in multiples of ``1/bottom``, every entry at least ``least`` of them."""
    for counts in compositions(bottom, classes):
        if min(counts) >= least:
            yield [Fraction(x, bottom) for x in counts]


# --- symmetric cross-entropy: a CE + b RCE, with log 0 read as -A, so RCE = A (1 - w_k); c = A b --------------------


@dataclass(frozen=True)
class _Symmetric:
    a: Fraction
    c: Fraction

    def __call__(self, w: Any, k: int, m: Any) -> Any:
        return -m.number(self.a) * m.log(w[k]) + m.number(self.c) * (1 - w[k])


@dataclass(frozen=True)
class _SymmetricAct:
    """``w_k = a p_k/(mu - c p_k)`` with ``mu`` the larger root of ``mu^2 - (a + c) mu + c (c + 2a) p q``."""

    a: Fraction
    c: Fraction

    def __call__(self, p: Any, m: Any) -> Any:
        a, c = self.a, self.c
        mu = (a + c + m.sqrt((a + c) ** 2 - 4 * c * (c + 2 * a) * p[0] * p[1])) / 2
        return [a * x / (mu - c * x) for x in p]


def symmetric_cross_entropy(a: Fraction, c: Fraction) -> Loss:
    """Return ``-a log w_k + c (1 - w_k)`` for two classes, with its best announcement."""
    return Loss(f"symmetric_cross_entropy(a={a}, c={c})", _Symmetric(a, c), _SymmetricAct(a, c))


SCE = symmetric_cross_entropy(Fraction(1), Fraction(4))
SCE_IMPURITY = Impurity.from_loss(SCE)


def summed(v: Any, m: Any) -> Any:
    p = distribution(v, 2)
    return sum(_SymmetricAct(Fraction(1), v.c)(p, m))


def first_order(v: Any, m: Any) -> Any:
    """Return ``a p_k/w_k + c p_k`` of the first class at the best announcement."""
    p = distribution(v, 2)
    return p[0] / _SymmetricAct(Fraction(1), v.c)(p, m)[0] + v.c * p[0]


def second_order(v: Any, m: Any) -> Any:
    p = distribution(v, 2)
    return p[1] / _SymmetricAct(Fraction(1), v.c)(p, m)[1] + v.c * p[1]


def first_share(v: Any, m: Any) -> Any:
    return _SymmetricAct(Fraction(1), v.c)(distribution(v, 2), m)[0]


def other_share(v: Any, m: Any) -> Any:
    return 1 - _SymmetricAct(Fraction(1), v.c)(distribution(v, 2), m)[1]


def excess(loss: Loss, p: Any, m: Any, best: Any, bottom: int = 12) -> list[Any]:
    """Return by how much other announcements cost more than the one claimed best."""
    least = risk(loss, best, p, m)
    others = (w for w in shares(bottom, len(p), 1) if any(x != y for x, y in zip(w, p, strict=True)))
    return [risk(loss, w, p, m) - least for w in others]


def symmetric_is_least(m: Any) -> list[Any]:
    """Return the least excess of announcements on a grid over the one claimed best."""
    found = []
    for p in shares(12, 2, 1):
        best = risk(SCE, SCE.act(p, m), p, m)  # type: ignore[misc]
        # at even shares the best announcement is on the grid
        found += [risk(SCE, w, p, m) - best for w in shares(11, 2, 1)]
    return [m.min(found)]


def between(m: Any) -> list[Any]:
    """Return the least distance of the impurity to ``a H + c min(p, q)`` and to ``a H + c 2pq``, at uneven shares."""
    found = []
    for p in shares(25, 2, 1):
        rest = SCE_IMPURITY.of(p, m) - entropy.of(p, m)
        found += [rest - 4 * misclassification.of(p, m), 4 * gini.of(p, m) - rest]
    return [m.min(found)]


def smaller_root_share(m: Any) -> Any:
    """Return the announcement for the larger class that the smaller root would give at a = 1, c = 4."""
    mu = (5 - m.sqrt(m.number(25 - 96 * SKEW[0] * SKEW[1]))) / 2
    return SKEW[0] / (mu - 4 * SKEW[0])


SKEW = [Fraction(3, 4), Fraction(1, 4)]
SCE_PAIR = (((2, 2), (3, 1)), ((1, 0), (4, 3)))


# --- negative learning: the mean of -log(1 - w_j) over the other classes ----------------------------------------------


def _negative(w: Any, k: int, m: Any) -> Any:
    return -sum(m.log(1 - x) for j, x in enumerate(w) if j != k) / (len(w) - 1)


def _itself(p: Any, m: Any) -> Any:
    return p


negative_learning = Loss("negative_learning", _negative, _itself)


def _complementary(p: Any, m: Any) -> Any:
    """Entropy of the complementary label, less what it is for a pure node: ``H((1 - p)/(K - 1)) - log(K - 1)``."""
    rest = m.log(m.number(len(p) - 1)) if len(p) > 2 else 0
    return entropy.of(symmetric(Fraction(1)).on_distribution(p), m) - rest


complementary_entropy = Impurity("complementary_entropy", _complementary, negative_learning)


def negative_risk(p: list[Fraction]) -> bool:
    return bool(risk(negative_learning, p, p, LOGS) == complementary_entropy.of(p, LOGS))


def complementary_gain(table: Any) -> bool:
    """Tell whether the decrease is that of entropy after every label is turned into another one at random."""
    seen = noisy(exactly(table), symmetric(Fraction(1)))
    left = decrease(complementary_entropy).score(exactly(table), LOGS)
    return bool(left == decrease(entropy).score(seen, LOGS))


def two_class_entropy(p: list[Fraction]) -> bool:
    return bool(complementary_entropy.of(p, LOGS) == entropy.of(p, LOGS))


def preferred(criterion: Criterion, pair: Any, eta: Fraction, m: Any) -> Any:
    first, second = (criterion.score(noisy(exactly(t), symmetric(eta)), m) for t in pair)
    return first - second


# --- normalised cross-entropy: log w_k / sum_j log w_j ----------------------------------------------------------------


def share(costs: Any, k: int) -> Any:
    """Return the share of class ``k`` in the costs of all classes."""
    return costs[k] / sum(costs)


def _normalised(w: Any, k: int, m: Any) -> Any:
    return share([-m.log(x) for x in w], k)


normalised_cross_entropy = Loss("normalised_cross_entropy", _normalised)


def _least_share(p: Any, m: Any) -> Any:
    return m.min(p)


least_share = Impurity("least_share", _least_share, normalised_cross_entropy)
SHARES = kinds("rate", "p", "x", classes=3)


def partial_costs(v: Any, m: Any) -> Any:
    return share([v.a, v.b, v.c], 0) + share([v.a, v.b, v.c], 1)


def any_shares(v: Any, m: Any) -> Any:
    """State that no shares ``x`` of the cost make it less than the least probability."""
    p, x = [v.p0, v.p1, v.p2], [v.x0, v.x1, v.x2]
    return sum(a * b for a, b in zip(p, x, strict=True)) >= least_share.of(p, m)


def both_sum_to_one(v: Any, m: Any) -> list[Any]:
    return [v.p0 + v.p1 + v.p2 == 1, v.x0 + v.x1 + v.x2 == 1]


def sure_of_the_others(m: Any, sureness: int) -> Any:
    """Return how far from the infimum it is to announce ``exp(-sureness)`` for the least likely class of three."""
    p = [HALF, RATE, 1 - HALF - RATE]
    tiny = m.exp(m.number(-sureness))
    return risk(normalised_cross_entropy, [(1 - tiny) / 2, (1 - tiny) / 2, tiny], p, m) - least_share.of(p, m)


def least_scales(case: Any) -> bool:
    """Tell whether the gain of the least share is multiplied by ``1 - lam``."""
    table, eta = case
    criterion, lam = decrease(least_share), eta * Fraction(len(table[0]), len(table[0]) - 1)
    return bool(criterion.score(noisy(exactly(table), symmetric(eta)), EXACT) == (1 - lam) * score(criterion, table))


HINGE = Criterion.from_loss(losses.hinge)
NL_PAIR = (((1, 0, 0), (2, 1, 1)), ((1, 0, 1), (2, 1, 0)))


def hinge_risk(v: Any, m: Any) -> Any:
    return risk(losses.hinge, v.w, [1 - v.p, v.p], m) >= 2 * misclassification.of([1 - v.p, v.p], m)


THEOREMS = [
    Theorem(
        key="loss.hinge_impurity_is_twice_misclassification",
        statement="the minimum risk of the hinge loss is 2 min(p, q), at w = 1 or -1: its criterion is twice the"
        " decrease of misclassification",
        source="beyond, losses the papers only name",
        scope="two classes, all real announcements and shares; the criterion for n <= 6",
        holds=All(
            Smt({"p": "rate", "w": "real"}, hinge_risk),
            Exhaustive(
                lambda: binary_splits(6), lambda t: score(HINGE, t) == 2 * score(decrease(misclassification), t)
            ),
        ),
        fails=(
            NearMiss(
                "the minimum risk is that of the 0-1 loss, min(p, q)",
                Exhaustive(
                    lambda: binary_splits(3), lambda t: score(HINGE, t) == score(decrease(misclassification), t)
                ),
            ),
            NearMiss(
                "announcing the margin 2p - 1 itself is best",
                Smt(
                    {"p": "rate"},
                    lambda v, m: (
                        risk(losses.hinge, 2 * v.p - 1, [1 - v.p, v.p], m)
                        == 2 * misclassification.of([1 - v.p, v.p], m)
                    ),
                ),
            ),
        ),
    ),
    Theorem(
        key="loss.symmetric_cross_entropy_impurity_in_closed_form",
        statement="-a log w_k + c (1 - w_k) has its least risk for two classes at w_k = a p_k/(mu - c p_k) with"
        " 2 mu = a + c + sqrt((a + c)^2 - 4 c (c + 2a) p q); the impurity lies between a H + c min(p, q) and"
        " a H + c 2pq; its criterion changes its order under symmetric noise",
        source="beyond, losses the papers only name",
        scope="first-order conditions for a = 1 and all c, p; the least risk, the bounds and the order at a = 1, c = 4",
        holds=All(
            Identity(kinds("positive", "p", classes=2) | {"c": "positive"}, first_share, other_share),
            Identity(kinds("positive", "p", classes=2) | {"c": "positive"}, first_order, second_order),
            Sign(symmetric_is_least),
            Sign(between),
            Sign(
                lambda m: [
                    preferred(decrease(SCE_IMPURITY), SCE_PAIR, Fraction(1, 50), m),
                    -preferred(decrease(SCE_IMPURITY), SCE_PAIR, RATE, m),
                ]
            ),
        ),
        fails=(
            NearMiss(
                "announcing p itself is best, as for cross-entropy",
                Sign(lambda m: [m.min(excess(SCE, SKEW, m, SKEW))]),
            ),
            NearMiss(
                "the impurity is a H + c 2pq",
                Sign(
                    lambda m: [
                        SCE_IMPURITY.of(SKEW, m) - entropy.of(SKEW, m) - 4 * gini.of(SKEW, m) + Fraction(1, 10**9)
                    ]
                ),
            ),
            NearMiss(
                "the smaller root serves too",
                Sign(lambda m: [smaller_root_share(m)]),
            ),
        ),
        premises=("a convex risk is least where its first-order condition holds",),
        latex=r"w_k = \frac{a p_k}{\mu - c p_k},\quad 2\mu = a+c+\sqrt{(a+c)^2-4c(c+2a)pq}",
    ),
    Theorem(
        key="loss.negative_learning_is_entropy_of_complementary_labels",
        statement="the mean of -log(1 - w_j) over the other classes has its least risk at w = p, with value"
        " H((1 - p)/(K - 1)) - log(K - 1): the gain is the information gain after every label is replaced by another"
        " one at random; for two classes it is entropy",
        source="beyond, losses the papers only name",
        scope="exact logarithms: K = 3, 4 on a grid, the gain for K = 3, n <= 4; the least risk by enclosures",
        holds=All(
            Exhaustive(lambda: [*shares(7, 3, 1), *shares(7, 4, 1)], negative_risk),
            Exhaustive(lambda: binary_splits(4, 3), complementary_gain),
            Exhaustive(lambda: shares(12, 2), two_class_entropy),
            Sign(lambda m: [m.min(excess(negative_learning, p, m, p, 9)) for p in shares(6, 3, 1)]),
        ),
        fails=(
            NearMiss(
                "for three classes it is entropy too",
                Exhaustive(lambda: shares(7, 3, 1), two_class_entropy),
                alters="hypothesis",
            ),
            NearMiss(
                "it keeps its order under uniform noise, being entropy under noise already",
                Sign(
                    lambda m: [
                        preferred(decrease(complementary_entropy), NL_PAIR, Fraction(0), m),
                        preferred(decrease(complementary_entropy), NL_PAIR, RATE, m),
                    ]
                ),
            ),
        ),
        premises=("Gibbs' inequality",),
        latex=r"\varphi(p) = H\Bigl(\frac{1-p}{K-1}\Bigr) - \log(K-1)",
    ),
    Theorem(
        key="loss.normalised_cross_entropy_impurity_is_least_share",
        statement="log w_k / sum_j log w_j sums to 1 over the classes, and its infimum of risk is min_k p_k: approached"
        " by announcing all classes but the least likely. For two classes that is misclassification; for more it is 0"
        " wherever a class is absent",
        source="beyond, losses the papers only name",
        scope="K = 3 for all shares of the costs; the approach at p = (1/2, 3/10, 1/5); K = 2 all shares",
        holds=All(
            Identity(kinds("positive", "a", "b", "c"), partial_costs, lambda v, m: 1 - share([v.a, v.b, v.c], 2)),
            Smt(SHARES, any_shares, both_sum_to_one),
            Sign(
                lambda m: [
                    x
                    for sureness in (10, 1000)
                    for x in (sure_of_the_others(m, sureness), Fraction(1, sureness) - sure_of_the_others(m, sureness))
                ]
            ),
            Smt(
                {"p": "rate"},
                lambda v, m: least_share.of([1 - v.p, v.p], m) == misclassification.of([1 - v.p, v.p], m),
            ),
        ),
        fails=(
            NearMiss(
                "for three classes it is misclassification too",
                Smt(
                    kinds("rate", "p", classes=3),
                    lambda v, m: least_share.of([v.p0, v.p1, v.p2], m) == misclassification.of([v.p0, v.p1, v.p2], m),
                    lambda v, m: [v.p0 + v.p1 + v.p2 == 1],
                ),
                alters="hypothesis",
            ),
            NearMiss(
                "it is zero only if the node is pure",
                Smt(
                    kinds("rate", "p", classes=3),
                    lambda v, m: m.max([v.p0, v.p1, v.p2]) == 1,
                    lambda v, m: [v.p0 + v.p1 + v.p2 == 1, least_share.of([v.p0, v.p1, v.p2], m) == 0],
                ),
            ),
        ),
    ),
    Theorem(
        key="noise.least_share_rescales_of_uniform",
        statement="the gain of min_k p_k, the criterion of normalised cross-entropy, is multiplied by 1 - lam under"
        " uniform noise while lam = eta K/(K - 1) <= 1: a noise-tolerant loss whose criterion scores a mixture of two"
        " classes out of three like a pure node",
        source="beyond, losses the papers only name",
        scope="K = 3, n <= 5 and K = 4, n <= 3, at eta = 1/10, 3/10, 2/3",
        holds=All(
            Exhaustive(
                lambda: product([*binary_splits(5, 3), *binary_splits(3, 4)], (Fraction(1, 10), RATE, Fraction(2, 3))),
                least_scales,
            ),
            Exhaustive(
                lambda: [(((1, 1, 0), (0, 0, 1)), ((1, 0, 0), (0, 1, 1)))],
                lambda pair: {score(decrease(least_share), t) for t in pair} == {Fraction(1, 3)},
            ),
        ),
        fails=(
            NearMiss(
                "for larger lam too, by |1 - lam|",
                Exhaustive(
                    lambda: product(binary_splits(4, 3), (Fraction(1),)),
                    lambda c: (
                        decrease(least_share).score(noisy(exactly(c[0]), symmetric(c[1])), EXACT)
                        == HALF * score(decrease(least_share), c[0])
                    ),
                ),
                alters="hypothesis",
            ),
            NearMiss(
                "by (1 - lam)^2, as Gini",
                Exhaustive(
                    lambda: binary_splits(4, 3),
                    lambda t: (
                        decrease(least_share).score(noisy(exactly(t), symmetric(RATE)), EXACT)
                        == (1 - RATE * 3 / 2) ** 2 * score(decrease(least_share), t)
                    ),
                ),
            ),
        ),
    ),
]
