"""Theorem 1 (d): the impurity of generalised cross-entropy, for every ``q > 0``, and what lies on either side of it.

Main results: for 0 < q < 1 the minimum risk is ``(1 - |p|_r) / q`` with ``r = 1 / (1 - q)``, by Bernoulli's inequality
alone; for q >= 1 it is misclassification divided by ``q``; in between it falls from entropy to misclassification.
Source: wilton2024, Section 3.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from typing import Any

from splitcrit import impurities, losses
from splitcrit.proof import All, Certificate, Claim, Erratum, Identity, NearMiss, Sign, Smt, Theorem
from splitcrit.proofs.common import distribution, kinds, vector
from splitcrit.proofs.wilton2024.impurities import least, reached
from splitcrit.proofs.wilton2024.terms import BERNOULLI, HALF, LOGARITHM, POWERS, Given, names, simplex, tuned

# The library's faces at a symbolic q; they are frozen values, so that their parameter can be replaced.


def loss_at(q: Any) -> Any:
    """Return generalised cross-entropy with its best announcement, at any q of (0, 1), also a symbolic one."""
    half = losses.gce(HALF)
    return replace(half, at=tuned(half.at, q=q), act=tuned(half.act, q=q))


def impurity_at(q: Any) -> Any:
    return replace(impurities.gce(HALF), of=tuned(impurities.gce(HALF).of, q=q))


def best(v: Any, m: Any, classes: int) -> tuple[list[Any], list[Any]]:
    """Return the best announcement ``y`` and the given values of ``y_k^q``, by the laws of powers.

    With ``u_k = (p_k / max p)^r``, their sum ``U`` and ``root = U^(1 - q)``: ``y_k = u_k / U`` and
    ``y_k^q = u_k^q / U^q = (u_k max p / p_k) (root / U)``, because ``u_k^(1 - q) = p_k / max p``.
    """
    p, u = distribution(v, classes), vector(v, "u", classes)
    return [x / sum(u) for x in u], [x * m.max(p) / y * v.root / sum(u) for x, y in zip(u, p, strict=True)]


def powers(v: Any, m: Any, classes: int, announced: bool = True) -> Given:
    """Return the arithmetic with the powers that a proof speaks of; those of the announcement by Bernoulli.

    ``w_k^q = y_k^q (1 + q (w_k / y_k - 1)) - s_k`` with ``s_k >= 0``.
    """
    p, u = distribution(v, classes), vector(v, "u", classes)
    y, raised = best(v, m, classes)
    known = [((x / m.max(p), 1 / (1 - v.q)), value) for x, value in zip(p, u, strict=True)]
    known += [((sum(u), 1 - v.q), v.root), *(((x, v.q), value) for x, value in zip(y, raised, strict=True))]
    if announced:
        w, s = distribution(v, classes, "w"), vector(v, "s", classes)
        known += [((w[k], v.q), raised[k] * (1 + v.q * (w[k] / y[k] - 1)) - s[k]) for k in range(classes)]
    return Given(m, power=known)


def inside(v: Any, m: Any, classes: int, announced: bool = True) -> list[Any]:
    return [v.q > 0, v.q < 1, powers(v, m, classes, announced).distinct]


def bernoulli(classes: int) -> Certificate:
    """The risk of ``w`` beyond the impurity is the mean of the slacks in Bernoulli's inequality, divided by q."""
    variables = {**kinds("positive", "p", "w", "u", classes=classes), **kinds("count", "s", classes=classes)}

    def excess(v: Any, m: Any) -> Any:
        p, g = distribution(v, classes), powers(v, m, classes)
        return losses.risk(loss_at(v.q), distribution(v, classes, "w"), p, g) - impurity_at(v.q).of(p, g)

    def atoms(v: Any, m: Any) -> dict[str, Any]:
        p, s = distribution(v, classes), vector(v, "s", classes)
        slack = {f"s{k}": s[k] for k in range(classes)}
        return {"1/q": 1 / v.q, **slack, **{f"p{k}": p[k] for k in range(classes)}}

    return Certificate(
        {**variables, "root": "positive", "q": "rate"},
        excess,
        lambda v, m: [([], [f"p{k}", f"s{k}", "1/q"]) for k in range(classes)],
        atoms,
        lambda v, m: inside(v, m, classes),
    )


def attained(classes: int, act: Any = None) -> Identity:
    """The announcement proportional to ``p^r`` has the impurity as its risk."""

    def risk(v: Any, m: Any) -> Any:
        p, g, loss = distribution(v, classes), powers(v, m, classes, announced=False), loss_at(v.q)
        return losses.risk(loss, loss.act(p, g), p, g)

    return Identity(
        {**kinds("positive", "p", "u", classes=classes), "root": "positive", "q": "rate"},
        risk,
        lambda v, m: impurity_at(v.q).of(distribution(v, classes), powers(v, m, classes, announced=False)),
        lambda v, m: inside(v, m, classes, announced=False),
    )


def half_squared(v: Any, m: Any) -> Any:
    """Return the square of ``1 - of / 2`` for the impurity at q = 1/2: the squared norm of p."""
    return (1 - HALF * impurities.gce(HALF).of(distribution(v, 4), m)) ** 2


def power_sum(exponent: int) -> Any:
    return lambda v, m: sum(x**exponent for x in distribution(v, 4))


def risk_at_half(v: Any, m: Any, escort: bool) -> Any:
    loss, p = losses.gce(HALF), distribution(v, 4)
    assert loss.act is not None
    return (1 - HALF * losses.risk(loss, loss.act(p, m) if escort else p, p, m)) ** 2


GRID = [(1, 3), (1, 2), (5, 1), (9, 10)]
ORDERS = [Fraction(1, 10), Fraction(1, 3), Fraction(7, 10), Fraction(9, 10)]


def excess_by_enclosure(m: Any, shift: int = 0) -> list[Any]:
    """The least excess risk over a grid of announcements, distributions and orders; ``shift`` alters r."""
    found = []
    for q in ORDERS:
        for a, b in GRID:
            p = [m.number(Fraction(a, a + b)), m.number(Fraction(b, a + b))]
            for c, d in GRID[:3]:
                w = [m.number(Fraction(c, c + d)), m.number(Fraction(d, c + d))]
                found.append(losses.risk(losses.gce(q), w, p, m) - _norm_form(p, q, 1 / (1 - q) + shift, m))
    return [m.min(found)]


def _norm_form(p: Any, q: Fraction, r: Fraction, m: Any) -> Any:
    return (1 - m.power(sum(m.power(x, r) for x in p), 1 / r)) / q


# From q = 1 on: the power z_k = w_k^q is at most w_k.


def capped(classes: int) -> Certificate:
    """With ``w_k^q = w_k - s_k`` the excess is a mean of slacks plus ``w_k (max p - p_k)`` over the classes."""
    variables = {**kinds("positive", "p", "w", classes=classes), **kinds("count", "s", classes=classes)}

    def given(v: Any, m: Any) -> Given:
        w, s = distribution(v, classes, "w"), vector(v, "s", classes)
        return Given(m, power=[((x, v.q), x - y) for x, y in zip(w, s, strict=True)])

    def excess(v: Any, m: Any) -> Any:
        p, w = distribution(v, classes), distribution(v, classes, "w")
        return v.q * losses.risk(loss_from_one(v.q), w, p, given(v, m)) - impurities.misclassification.of(p, m)

    def atoms(v: Any, m: Any) -> dict[str, Any]:
        p, w, s = distribution(v, classes), distribution(v, classes, "w"), vector(v, "s", classes)
        chosen = {f"chosen{k}": w[k] * (m.max(p) - p[k]) for k in range(classes)}
        return {**chosen, **{f"slack{k}": p[k] * s[k] for k in range(classes)}}

    terms: Any = lambda v, m: [([], [f"{word}{k}"]) for word in ("chosen", "slack") for k in range(classes)]  # noqa: E731
    return Certificate({**variables, "q": "positive"}, excess, terms, atoms, lambda v, m: given(v, m).distinct)


def free_powers(v: Any, m: Any) -> Any:
    """The bound at q = 2 when the powers of the announcement may be any numbers of [0, 1]."""
    p, w, z = vector(v, "p", 2), vector(v, "w", 2), vector(v, "z", 2)
    given = Given(m, power=[((x, 2), power) for x, power in zip(w, z, strict=True)])
    return 2 * losses.risk(losses.gce(2), w, p, given) >= impurities.misclassification.of(p, m)


def loss_from_one(q: Any) -> Any:
    return replace(losses.gce(2), at=tuned(losses.gce(2).at, q=q))


def minimum_at(q: int, classes: int) -> list[Claim]:
    """At integer q the power is a polynomial: the bound, and that a majority class attains it."""
    loss, impurity = losses.gce(Fraction(q)), impurities.gce(Fraction(q))
    return [least(loss, impurity, classes), reached(loss, impurity, classes)]


# On either side: pointwise in the announcement, then for the infimum.


def falls(v: Any, m: Any) -> Any:
    """Loss at order q minus loss at order r > q: with z = w^q, Bernoulli says w^r = z^(r/q) >= 1 + (r/q) (z - 1)."""
    given = Given(m, power=[((v.w, v.q), v.z), ((v.w, v.r), 1 + v.r / v.q * (v.z - 1) + v.s)])
    return loss_at(v.q).at([v.w], 0, given) - loss_at(v.r).at([v.w], 0, given)


def below_log(v: Any, m: Any) -> Any:
    """Cross-entropy minus the loss: q log w = log w^q = w^q - 1 - s."""
    given = Given(m, power=[((v.w, v.q), v.z)], log=[(v.w, (v.z - 1 - v.s) / v.q)])
    return losses.cross_entropy.at([v.w], 0, given) - loss_at(v.q).at([v.w], 0, given)


def slack_over(order: str) -> Any:
    return lambda v, m: {"s": v.s, "1/order": 1 / getattr(v, order)}


def above_majority(v: Any, m: Any) -> Any:
    """The impurity of order q is at most ``(1 - max p) / q``: the scaled norm, ``1 + s``, is at least 1."""
    p = distribution(v, 3)
    u = vector(v, "u", 3)
    known = [((x / m.max(p), 1 / (1 - v.q)), y) for x, y in zip(p, u, strict=True)]
    given = Given(m, power=[*known, ((sum(u), 1 - v.q), 1 + v.s)])
    return impurities.misclassification.of(p, m) / v.q - impurity_at(v.q).of(p, given)


def majority_domain(v: Any, m: Any) -> list[Any]:
    return [v.q > 0, v.q < 1, v.p0 != v.p1, v.p1 != v.p2, v.p0 != v.p2]


SPREAD = [(1, 1, 1), (1, 2, 3), (1, 1, 8)]


def spread(m: Any) -> list[list[Any]]:
    return [[m.number(Fraction(x, sum(counts))) for x in counts] for counts in SPREAD]


def between(m: Any, scale: bool = False) -> list[Any]:
    """Entropy, the impurities of falling order, misclassification: the least step down, at three distributions.

    With ``scale`` each impurity is divided by its maximum, and one distribution has an empty class.
    """
    chain = [impurities.entropy, *map(impurities.gce, ORDERS), impurities.misclassification]
    third = [m.number(Fraction(1, 3))] * 3
    steps = []
    for p in [[m.number(Fraction(1, 2))] * 2 + [m.number(0)]] if scale else spread(m):
        values = [of.of(p, m) / (of.of(third, m) if scale else 1) for of in chain]
        steps += [a - b for a, b in itertools.pairwise(values)]
    return [m.min(steps)]


def near_entropy(m: Any, rate: Any, base: Any = None) -> list[Any]:
    """Between 0 and ``rate(q)`` below entropy, for q = 10^-1 ... 10^-8 and three distributions; the least margin."""
    margins = []
    for q in (Fraction(1, 10**k) for k in range(1, 9)):
        for p in spread(m):
            gap = (base or impurities.entropy).of(p, m) - impurities.gce(q).of(p, m)
            margins += [gap, rate(q) - gap]
    return [m.min(margins)]


THEOREMS = [
    Theorem(
        key="loss.gce_impurity_is_minimum_risk_of_q_below_one",
        statement="for 0 < q < 1 and r = 1 / (1 - q) the least expected generalised cross-entropy is (1 - |p|_r) / q, "
        "attained by announcing y proportional to p^r and nothing else: the excess is a mean of slacks in Bernoulli's "
        "inequality at w_k / y_k, divided by q",
        source="wilton2024, Theorem 1 (d)",
        scope="every q in (0, 1), K = 2 and 3 with positive probabilities; enclosures at q = 1/10, 1/3, 7/10, 9/10",
        premises=(BERNOULLI, POWERS),
        holds=All(
            bernoulli(2),
            bernoulli(3),
            *(attained(K) for K in (2, 3)),
            Identity(kinds("positive", "p", classes=4), half_squared, power_sum(2)),
            Identity(kinds("positive", "p", classes=4), lambda v, m: risk_at_half(v, m, True), power_sum(2)),
            Sign(excess_by_enclosure),
        ),
        fails=(
            NearMiss(
                "announcing p itself attains it (q = 1/2)",
                Identity(kinds("positive", "p", classes=4), lambda v, m: risk_at_half(v, m, False), half_squared),
            ),
            NearMiss(
                "the norm is that of order 1 / q + 1 (r = 3 at q = 1/2)",
                Identity(kinds("positive", "p", classes=4), half_squared, power_sum(3)),
            ),
            NearMiss("the order r may be one larger", Sign(lambda m: excess_by_enclosure(m, shift=1))),
        ),
        latex=r"\inf_{\hat y} \sum_k p_k \frac{1-\hat y_k^q}{q} = \frac{1-\|p\|_{1/(1-q)}}{q}",
    ),
    Theorem(
        key="loss.misclassification_is_minimum_risk_of_gce_from_one",
        statement="for q >= 1 the least expected generalised cross-entropy is (1 - max p) / q, attained by a "
        "majority class",
        source="wilton2024, Theorem 1 (d)",
        scope="the bound for every q >= 1 at K = 2 and 3; with attainment, without premise: q = 1, 2, 3 (K = 2), q = "
        "1 (K = 3)",
        premises=("w^q <= w for 0 <= w <= 1 and q >= 1",),
        holds=All(
            capped(2), capped(3), *(claim for q, K in ((1, 2), (1, 3), (2, 2), (3, 2)) for claim in minimum_at(q, K))
        ),
        fails=(
            NearMiss(
                "the powers may exceed w, as they do below q = 1",
                Smt(names("pwz", 2), free_powers, simplex(2, "pw")),
                "hypothesis",
            ),
            NearMiss(
                "the impurity is misclassification itself",
                reached(losses.gce(Fraction(2)), impurities.misclassification, 2),
            ),
        ),
    ),
    Theorem(
        key="gce.impurity_falls_from_entropy_to_misclassification",
        statement="the loss, and with it the impurity, falls as q grows: entropy >= gce(q) >= gce(r) >= 1 - max p for "
        "0 < q < r < 1; and gce(q) <= (1 - max p) / q, so that it tends to misclassification as q tends to 1",
        source="wilton2024, Theorem 1 (d) and Section 4 (comparison with the NE impurity)",
        scope="every 0 < q < r and announcement, hence all K; the last bound K = 3; enclosures at three distributions",
        premises=(BERNOULLI, LOGARITHM, "x^a >= 1 for x >= 1 and a > 0", "an infimum of larger losses is larger"),
        holds=All(
            Certificate(
                {"w": "rate", "q": "rate", "r": "rate", "z": "rate", "s": "count"},
                falls,
                lambda v, m: [([], ["s", "1/order"])],
                slack_over("r"),
                lambda v, m: [v.q > 0, v.q < v.r, v.r < 1],
            ),
            Certificate(
                {"w": "rate", "q": "rate", "z": "rate", "s": "count"},
                below_log,
                lambda v, m: [([], ["s", "1/order"])],
                slack_over("q"),
                lambda v, m: [v.q > 0, v.q < 1],
            ),
            Certificate(
                {**kinds("positive", "p", "u", classes=3), "q": "rate", "s": "count"},
                above_majority,
                lambda v, m: [([], ["s", "1/order", "top"])],
                lambda v, m: {**slack_over("q")(v, m), "top": m.max(distribution(v, 3))},
                majority_domain,
            ),
            Sign(between),
        ),
        fails=(
            NearMiss("so do the impurities divided by their maxima (K = 3)", Sign(lambda m: between(m, scale=True))),
            NearMiss(
                "gce(q) <= 1 - max p: misclassification bounds it from above",
                Sign(
                    lambda m: [impurities.misclassification.of(p, m) - impurities.gce(HALF).of(p, m) for p in spread(m)]
                ),
            ),
        ),
    ),
    Theorem(
        key="gce.impurity_tends_to_entropy_of_small_q",
        statement="gce(q) lies less than q below entropy: the difference vanishes with q",
        source="wilton2024, Theorem 1 (d) (the limit q = 0)",
        scope="p proportional to (1, 1, 1), (1, 2, 3), (1, 1, 8); q = 10^-1, ..., 10^-8, by enclosures",
        holds=Sign(lambda m: near_entropy(m, lambda q: q)),
        fails=(
            NearMiss("the difference vanishes like q^2", Sign(lambda m: near_entropy(m, lambda q: q * q))),
            NearMiss(
                "the limit is entropy in bits",
                Sign(lambda m: near_entropy(m, lambda q: q, replace(impurities.entropy, of=_bits))),
            ),
        ),
    ),
]


def _bits(p: Any, m: Any) -> Any:
    return impurities.entropy.of(p, m) / m.log(m.number(2))


def misclassified_scaled(m: Any) -> list[Any]:
    """At p = (1/2, 1/2, 0): entropy and gce(1/2) minus misclassification, each divided by its maximum."""
    p, third = [m.number(HALF), m.number(HALF), m.number(0)], [m.number(Fraction(1, 3))] * 3
    low = impurities.misclassification.of(p, m) / impurities.misclassification.of(third, m)
    return [of.of(p, m) / of.of(third, m) - low for of in (impurities.entropy, impurities.gce(HALF))]


ERRATA = [Erratum("R-E9", Sign(misclassified_scaled), "gce.impurity_falls_from_entropy_to_misclassification")]
