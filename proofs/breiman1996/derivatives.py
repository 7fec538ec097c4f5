"""The first and second derivatives of ``P_L phi(p_L)`` in the shares of classes that go left.

A jet carries exact derivatives through any formula, the library's gain included; the general quadratic stands for every
function with two derivatives, as its Taylor polynomial.

Main results: (A.1), (2.1), and the direction on the simplex along which phi curves.
Source: breiman1996, Section 2 and Appendix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from splitcrit.criteria import decrease
from splitcrit.impurities import Impurity
from splitcrit.proof import All, Claim, Identity, NearMiss, Smt, Theorem
from splitcrit.proofs.breiman1996.nodes import Jet
from splitcrit.proofs.common import kinds

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Quadratic:
    """The general quadratic ``c + sum_k b_k x_k + sum_kl a_kl x_k x_l / 2``, with free coefficients."""

    v: Any
    classes: int

    def slope(self, k: int) -> Any:
        return getattr(self.v, f"b{k}")

    def second(self, k: int, j: int) -> Any:
        return getattr(self.v, f"a{min(k, j)}{max(k, j)}")

    def __call__(self, x: Any, m: Any) -> Any:
        every = range(self.classes)
        linear = sum((x[k] * self.slope(k) for k in every), x[0] * 0 + self.v.c)
        return linear + sum((x[k] * x[j] * self.second(k, j) for k in every for j in every), x[0] * 0) * HALF

    def derivative(self, x: Any, k: int) -> Any:
        return sum(x[j] * self.second(k, j) for j in range(self.classes)) + self.slope(k)


def variables(classes: int) -> dict[str, str]:
    every = range(classes)
    free = ["c", *(f"b{k}" for k in every), *(f"a{k}{j}" for k in every for j in every if k <= j)]
    return (
        kinds("positive", "p", classes=classes)
        | kinds("rate", "alpha", classes=classes)
        | kinds("real", "u", classes=classes)
        | dict.fromkeys(free, "real")
    )


@dataclass(frozen=True)
class Child:
    """A child that holds the share ``alpha_k`` of class k: its size, its class shares, and phi there."""

    weights: Any
    alpha: Any
    phi: Any

    @property
    def size(self) -> Any:
        return sum(a * p for a, p in zip(self.alpha, self.weights, strict=True))

    @property
    def shares(self) -> list[Any]:
        return [a * p / self.size for a, p in zip(self.alpha, self.weights, strict=True)]

    @property
    def value_of_phi(self) -> Any:
        return self.phi(self.shares, None)

    def moved(self, i: int, j: int) -> Child:
        """Return the child as ``alpha_i`` and ``alpha_j`` move, each in its own direction of a jet."""
        alpha = [Jet(a, int(k == i), int(k == j)) for k, a in enumerate(self.alpha)]
        return Child(self.weights, alpha, self.phi)

    def slope(self, j: int) -> Any:
        """Return ``phi + phi_j - sum_l phi_l x_l``, the bracket of the first derivative."""
        x = self.shares
        along = sum(self.phi.derivative(x, k) * x[k] for k in range(len(x)))
        return self.phi(x, None) + self.phi.derivative(x, j) - along

    def curvature(self, i: int, j: int, lean: Callable[[int, int, Any], Any] | None = None) -> Any:
        """Return the right side of (2.1)."""
        x, every = self.shares, range(len(self.alpha))
        lean = lean or (lambda k, l, x: (k == l) - x[l])  # noqa: E741
        form = sum(self.phi.second(k, l) * lean(i, k, x) * lean(j, l, x) for k in every for l in every)  # noqa: E741
        return self.weights[i] * self.weights[j] * form / self.size


def child(v: Any, classes: int) -> Child:
    every = range(classes)
    alpha, p = [getattr(v, f"alpha{k}") for k in every], [getattr(v, f"p{k}") for k in every]
    return Child(p, alpha, Quadratic(v, classes))


def other(one: Child) -> Child:
    return Child(one.weights, [1 - a for a in one.alpha], one.phi)


def inside(v: Any, m: Any) -> bool:
    return all(0 < x < 1 for name, x in vars(v).items() if name.startswith("alpha"))


def identities(classes: int, left: Any, right: Any, pairs: bool = True) -> Claim:
    """Claim an identity between functions of (child, i, j, m); at i = 0 and j = 0, 1: the others are renamings.

    Of three classes two different ones are enough, as two classes settle i = j.
    """
    chosen = [(0, 1)] if pairs and classes > 2 else [(0, 0), (0, 1)] if pairs else [(0, 0)]
    return All(
        *(
            Identity(
                variables(classes),
                lambda v, m, i=i, j=j: left(child(v, classes), i, j, m),  # type: ignore[misc]
                lambda v, m, i=i, j=j: right(child(v, classes), i, j, m),  # type: ignore[misc]
                inside,
            )
            for i, j in chosen
        )
    )


def curvature(one: Child, i: int, j: int, m: Any) -> Any:
    return one.curvature(i, j)


def of_term(one: Child, i: int, j: int) -> Any:
    moved = one.moved(i, j)
    return moved.size * moved.phi(moved.shares, None)


def of_library(one: Child, i: int, j: int, m: Any) -> Any:
    """Return the second derivative of the library's gain as class shares move from right to left."""
    left, right = one.moved(i, j), other(one).alpha
    away = [Jet(a, -int(k == i), -int(k == j)) for k, a in enumerate(right)]
    table = [[a * p for a, p in zip(side, one.weights, strict=True)] for side in (left.alpha, away)]
    return decrease(Impurity("quadratic", one.phi)).score(table, m).both


def from_both_sides(one: Child, i: int, j: int, m: Any) -> Any:
    return -(one.curvature(i, j) + other(one).curvature(i, j)) / sum(one.weights)


def ratio_rule(one: Child, i: int, j: int, m: Any) -> Any:
    """Return (A.1) for phi in place of g: ``p_j / P_L (phi_j - sum_l phi_l x_l)``."""
    return one.weights[j] / one.size * (one.slope(j) - one.phi(one.shares, None))


def bracket_derivative(one: Child, i: int, j: int, m: Any) -> Any:
    """Return the derivative of H, the bracket, with respect to the share x_i, by a jet in the shares."""
    x = [Jet(s, int(k == i)) for k, s in enumerate(one.shares)]
    along = sum((one.phi.derivative(x, k) * x[k] for k in range(len(x))), Jet(0))
    return (one.phi(x, None) + one.phi.derivative(x, j) - along).first


def printed_bracket_derivative(one: Child, i: int, j: int, m: Any) -> Any:
    x = one.shares
    return one.phi.second(i, j) - sum(one.phi.second(i, k) * x[k] for k in range(len(x)))


def in_direction(v: Any, m: Any, classes: int = 3) -> Any:
    one, every = child(v, classes), range(classes)
    u = [getattr(v, f"u{k}") for k in every]
    return sum(u[i] * u[j] * one.curvature(i, j) for i in every for j in every)


def direction(v: Any, classes: int = 3) -> list[Any]:
    """Return ``v_l = u_l p_l - (alpha_l p_l / P_L) sum_i u_i p_i``, whose sum is 0."""
    one, every = child(v, classes), range(classes)
    moved = [getattr(v, f"u{k}") * one.weights[k] for k in every]
    return [moved[k] - one.shares[k] * sum(moved) for k in every]


def form_of_impurity(v: Any, m: Any, classes: int = 3) -> Any:
    one, w, every = child(v, classes), direction(v, classes), range(classes)
    return sum(w[i] * w[j] * one.phi.second(i, j) for i in every for j in every) / one.size


def form_of_plain_direction(v: Any, m: Any) -> Any:
    one, every = child(v, 3), range(3)
    w = [getattr(v, f"u{k}") * one.weights[k] for k in every]
    return sum(w[i] * w[j] * one.phi.second(i, j) for i in every for j in every) / one.size


def alpha_direction(v: Any) -> list[Any]:
    """Return the direction on the simplex as all shares grow in proportion: nothing moves."""
    held = [v.alpha0 * v.p0, v.alpha1 * v.p1, v.alpha2 * v.p2]
    return [x - x / sum(held) * sum(held) for x in held]


THEOREMS = [
    Theorem(
        key="vertex.gradient_of_child_term",
        statement="the derivative of g(p_L) in alpha_j is (p_j / P_L)(g_j - sum_l g_l x_l), and that of P_L phi(p_L) is"
        " p_j (phi + phi_j - sum_l phi_l x_l)",
        source="breiman1996, eq. (A.1)",
        scope="J = 2 and 3, every differentiable g and phi (by their Taylor polynomials)",
        holds=All(
            *(
                All(
                    identities(J, lambda c, i, j, m: c.moved(j, j).value_of_phi.first, ratio_rule, pairs=False),
                    identities(
                        J,
                        lambda c, i, j, m: of_term(c, j, j).first,
                        lambda c, i, j, m: c.weights[j] * c.slope(j),
                        False,
                    ),
                )
                for J in (2, 3)
            )
        ),
        fails=(
            NearMiss(
                "the derivative of P_L phi(p_L) is p_j (phi_j - sum_l phi_l x_l), without phi",
                identities(
                    2,
                    lambda c, i, j, m: of_term(c, j, j).first,
                    lambda c, i, j, m: c.weights[j] * (c.slope(j) - c.phi(c.shares, m)),
                    False,
                ),
            ),
            NearMiss(
                "the derivative of g(p_L) is (p_j / P_L) g_j, as if the size did not move",
                identities(
                    2,
                    lambda c, i, j, m: c.moved(j, j).value_of_phi.first,
                    lambda c, i, j, m: c.weights[j] / c.size * c.phi.derivative(c.shares, j),
                    False,
                ),
            ),
        ),
    ),
    Theorem(
        key="vertex.hessian_of_child_term",
        statement="the second derivative of P_L phi(p_L) in alpha_i and alpha_j is (p_i p_j / P_L) sum_lh phi_lh"
        " (delta_il - x_l)(delta_jh - x_h); the library's gain has minus the sum of both children's as its own; and the"
        " bracket H of the first derivative has dH/dx_i = phi_ij - sum_l phi_il x_l",
        source="breiman1996, eq. (2.1)",
        scope="J = 2, and i != j at J = 3, every twice differentiable phi (by its Taylor polynomial); gain at J = 2",
        holds=All(
            *(identities(J, lambda c, i, j, m: of_term(c, i, j).both, curvature) for J in (2, 3)),
            identities(2, bracket_derivative, printed_bracket_derivative),
            identities(2, of_library, from_both_sides),
        ),
        fails=(
            NearMiss(
                "the factors are delta_il - alpha_l p_l, not divided by P_L",
                identities(
                    2,
                    lambda c, i, j, m: of_term(c, i, j).both,
                    lambda c, i, j, m: c.curvature(i, j, lambda k, l, x: (k == l) - x[l] * c.size),  # noqa: E741
                ),
            ),
            NearMiss(
                "the factor in front is p_i p_j, without 1 / P_L",
                identities(2, lambda c, i, j, m: of_term(c, i, j).both, lambda c, i, j, m: c.curvature(i, j) * c.size),
            ),
        ),
        latex=r"\partial_{\alpha_i}\partial_{\alpha_j}(P_L\phi(p_L)) = \frac{p_ip_j}{P_L}\sum_{\ell h}\phi_{\ell h}"
        r"(\delta_{i\ell}-x_\ell)(\delta_{jh}-x_h)",
    ),
    Theorem(
        key="vertex.curvature_is_that_of_impurity",
        statement="sum_ij u_i u_j times the second derivatives of P_L phi(p_L) is (1/P_L) v' phi'' v with v_l = u_l p_l"
        " - x_l sum_i u_i p_i, a direction that stays on the simplex (sum_l v_l = 0)",
        source="breiman1996, Theorem 1",
        scope="J = 3, every phi with two derivatives",
        holds=All(
            Identity(variables(3), in_direction, form_of_impurity, inside),
            Identity(
                variables(3),
                lambda v, m: direction(v)[0] + direction(v)[1],
                lambda v, m: -direction(v)[2],
                inside,
            ),
        ),
        fails=(
            NearMiss(
                "the same with v_l = u_l p_l",
                Identity(variables(3), in_direction, form_of_plain_direction, inside),
            ),
            NearMiss(
                "so the second derivatives are negative definite if phi'' is: but u = alpha gives v = 0",
                Smt(
                    kinds("positive", "p", classes=3) | kinds("rate", "alpha", classes=3),
                    lambda v, m: sum(x * x for x in alpha_direction(v)) > 0,
                    lambda v, m: [v.alpha0 > 0],
                ),
            ),
        ),
    ),
]
