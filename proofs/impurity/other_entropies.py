"""Impurities of losses of several classes that the papers only name: negative and normalised cross-entropy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from splitcrit.criteria import decrease
from splitcrit.impurities import Impurity, entropy, misclassification
from splitcrit.losses import Loss, risk
from splitcrit.noise import symmetric
from splitcrit.proof import All, Each, Exhaustive, Identity, Induction, Law, NearMiss, Premise, Sign, Smt, Theorem
from splitcrit.proofs.common import HALF, binary_splits, distribution, exactly, kinds, score, shaken, up_to, vector
from splitcrit.proofs.given import Given, simplex
from splitcrit.proofs.impurity.named_losses import RATE, flips, itself, shares
from splitcrit.proofs.logs import LOGS


# Negative learning: the mean of -log(1 - w_j) over the other classes.
def _negative(w: Any, k: int, m: Any) -> Any:
    return -sum(m.log(1 - x) for j, x in enumerate(w) if j != k) / (len(w) - 1)


def _complementary(p: Any, m: Any) -> Any:
    """Entropy of the complementary label, less what it is for a pure node: ``H((1 - p)/(K - 1)) - log(K - 1)``."""
    rest = m.log(m.number(len(p) - 1)) if len(p) > 2 else 0
    return entropy.of(symmetric(Fraction(1)).on_distribution(p), m) - rest


def negative_risk(classes: int) -> Identity:
    """At w = p the risk is that entropy, with the logarithms of 1 - p_k and of K - 1 as variables."""

    def logs(v: Any, m: Any) -> Given:
        rest = [1 - x for x in distribution(v, classes)]
        known = [(x, getattr(v, f"g{k}")) for k, x in enumerate(rest)]
        known += [(x / (classes - 1), g - v.h) for x, g in known]
        return Given(m, log=[*known, (m.number(classes - 1), v.h)])

    return Identity(
        kinds("positive", "p", classes=classes) | kinds("real", "g", classes=classes) | {"h": "real"},
        lambda v, m: risk(negative_learning, distribution(v, classes), distribution(v, classes), logs(v, m)),
        lambda v, m: complementary_entropy.of(distribution(v, classes), logs(v, m)),
        lambda v, m: logs(v, m).distinct,
    )


def complementary_gain(table: Any) -> bool:
    """Whether the decrease is that of entropy after every label is turned into another one at random."""
    seen = shaken(table, Fraction(1))
    return bool(decrease(complementary_entropy).score(exactly(table), LOGS) == decrease(entropy).score(seen, LOGS))


def is_entropy(bottom: int, classes: int) -> Exhaustive:
    return Exhaustive(
        lambda: shares(bottom, classes, 1), lambda p: bool(complementary_entropy.of(p, LOGS) == entropy.of(p, LOGS))
    )


def share(costs: Any, k: int) -> Any:
    """The share of class ``k`` in the costs of all classes."""
    return costs[k] / sum(costs)


def _normalised(w: Any, k: int, m: Any) -> Any:
    return share([-m.log(x) for x in w], k)


negative_learning = Loss("negative_learning", _negative, itself)
complementary_entropy = Impurity("complementary_entropy", _complementary, negative_learning)
NL_PAIR = (((1, 0, 0), (2, 1, 1)), ((1, 0, 1), (2, 1, 0)))
normalised_cross_entropy = Loss("normalised_cross_entropy", _normalised)
least_share = Impurity("least_share", lambda p, m: m.min(p), normalised_cross_entropy)

risk_of_costs = Induction(
    "K",
    kinds("rate", "p") | kinds("positive", "cost"),
    lambda es, v, m: sum(e.p * share([f.cost for f in es], k) for k, e in enumerate(es)) - v.least,
    lambda e, v, m: [e.p * e.cost, e.cost],
    lambda sums, v, m: sums[0] / sums[1] - v.least,
    relation=">=",
    shared={"least": "real"},
    keeps=lambda sums, v, m: [sums[1] > 0],
    where=lambda e, v, m: [e.p >= v.least],
)


def approaches(sureness: int, bound: Fraction) -> Sign:
    """Giving ``exp(-sureness)`` to the least likely of three classes costs less than the bound above the infimum."""
    p = [HALF, RATE, 1 - HALF - RATE]

    def gap(m: Any) -> Any:
        tiny = m.exp(m.number(-sureness))
        return risk(normalised_cross_entropy, [(1 - tiny) / 2, (1 - tiny) / 2, tiny], p, m) - least_share.of(p, m)

    return Sign(lambda m: [gap(m), bound - gap(m)])


def is_error(classes: int) -> Smt:
    return Smt(
        kinds("rate", "p", classes=classes),
        lambda v, m: least_share.of(vector(v, "p", classes), m) == misclassification.of(vector(v, "p", classes), m),
        simplex(classes),
    )


def affine(classes: int, power: int = 1, bound: int = 1) -> Smt:
    """Under uniform noise the least share is multiplied by 1 - lam, and eta / (K - 1) added, while lam <= 1."""

    def conclusion(v: Any, m: Any) -> Any:
        p, rest = vector(v, "p", classes), v.eta / (classes - 1)
        seen = symmetric(v.eta).on_distribution(p)
        return least_share.of(seen, m) == (1 - classes * rest) ** power * least_share.of(p, m) + rest

    return Smt(
        kinds("rate", "p", classes=classes) | {"eta": "rate"},
        conclusion,
        lambda v, m: [*simplex(classes)(v, m), classes * v.eta <= bound * (classes - 1)],
    )


scales = Law(affine, classes=3)
MIXED, PURE = ((1, 1, 0), (0, 0, 1)), ((1, 0, 0), (0, 1, 1))

THEOREMS = [
    Theorem(
        key="impurity.negative_learning_is_entropy_of_complementary_labels",
        statement="the mean of -log(1 - w_j) over the other classes has its least risk at w = p, with value"
        " H((1 - p)/(K - 1)) - log(K - 1): the gain is the information gain after every label is replaced by another"
        " one at random; for two classes it is entropy",
        source="beyond, losses the papers only name",
        holds=All(
            risk=Each("K", (3, 4), negative_risk),
            gain=up_to(4, binary_splits, complementary_gain, K=3),
            two_classes=is_entropy(12, 2),
        ),
        fails=(
            NearMiss("for three classes it is entropy too", is_entropy(7, 3), alters="hypothesis"),
            NearMiss(
                "it keeps its order under uniform noise, being entropy under noise already",
                flips(complementary_entropy, NL_PAIR, (Fraction(0), 1), (RATE, 1)),
            ),
        ),
        premises=(Premise("Gibbs' inequality"),),
    ),
    Theorem(
        key="impurity.normalised_cross_entropy_is_least_share",
        statement="log w_k / sum_j log w_j sums to 1 over the classes, and its infimum of risk is min_k p_k: approached"
        " by giving the least likely class a share that tends to 0 (at p = (1/2, 3/10, 1/5)). For two classes that is"
        " misclassification; for more it is 0 wherever a class is absent",
        source="beyond, losses the papers only name",
        holds=All(risk_of_costs, approaches(10, Fraction(1, 10)), approaches(1000, Fraction(1, 1000)), is_error(2)),
        fails=(
            NearMiss("for three classes it is misclassification too", is_error(3), alters="hypothesis"),
            NearMiss(
                "it is zero only if the node is pure",
                Smt(
                    kinds("rate", "p", classes=3),
                    lambda v, m: m.max(vector(v, "p", 3)) == 1,
                    lambda v, m: [*simplex(3)(v, m), least_share.of(vector(v, "p", 3), m) == 0],
                ),
            ),
        ),
    ),
    Theorem(
        key="impurity.least_share_is_affine_of_uniform_noise",
        statement="min_k p_k, the impurity of normalised cross-entropy, is affine under uniform noise while"
        " lam = eta K/(K - 1) <= 1, so that its gain is multiplied by 1 - lam: a noise-tolerant loss whose criterion"
        " scores a mixture of two classes out of three, [1 1 0 | 0 0 1], like [1 0 0 | 0 1 1]",
        source="beyond, losses the papers only name",
        holds=All(
            noise=Each("K", (2, 3, 4), affine),
            mixture=Exhaustive(lambda: (MIXED, PURE), lambda t: score(decrease(least_share), t) == Fraction(1, 3)),
        ),
        fails=(
            scales.but("for larger lam too", bound=2, alters="hypothesis"),
            scales.but("by (1 - lam)^2, as Gini", power=2),
        ),
    ),
]
