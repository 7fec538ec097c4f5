"""The first and second derivatives of ``P_L phi(p_L)`` in the shares of classes that go left.

A jet carries exact derivatives through any formula, the library's gain included; the general quadratic stands for every
function with two derivatives, as its Taylor polynomial.

Source: breiman1996, Section 2 and Appendix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from splitcrit.criteria import decrease
from splitcrit.impurities import Impurity
from splitcrit.proof import All, Claim, Identity, Law, NearMiss, Smt, Theorem
from splitcrit.proofs.common import HALF, kinds, vector
from splitcrit.proofs.vertex.jets import Jet
from splitcrit.proofs.vertex.premises import by_kernel, of_classes


@dataclass(frozen=True)
class Child:
    """A child that holds the share ``alpha_k`` of class k, and phi: the general quadratic with free coefficients."""

    v: Any
    weights: Any
    alpha: Any
    m: Any = None  # the arithmetic

    def second(self, k: int, j: int) -> Any:
        return getattr(self.v, f"a{min(k, j)}{max(k, j)}")

    def phi(self, x: Any, m: Any = None) -> Any:
        """``c + sum_k b_k x_k + sum_kl a_kl x_k x_l / 2``."""
        linear = sum((y * getattr(self.v, f"b{k}") for k, y in enumerate(x)), x[0] * 0 + self.v.c)
        return linear + sum((y * z * self.second(k, j) for k, y in enumerate(x) for j, z in enumerate(x)), 0) * HALF

    def derivative(self, x: Any, k: int) -> Any:
        return sum(y * self.second(k, j) for j, y in enumerate(x)) + getattr(self.v, f"b{k}")

    @property
    def size(self) -> Any:
        return sum(a * p for a, p in zip(self.alpha, self.weights, strict=True))

    @property
    def shares(self) -> list[Any]:
        return [a * p / self.size for a, p in zip(self.alpha, self.weights, strict=True)]

    @property
    def other(self) -> Child:
        return Child(self.v, self.weights, [1 - a for a in self.alpha], self.m)

    def moved(self, i: int, j: int, by: int = 1) -> Child:
        """The child as ``alpha_i`` and ``alpha_j`` move, each in its own direction of a jet."""
        alpha = [Jet(a, by * (k == i), by * (k == j)) for k, a in enumerate(self.alpha)]
        return Child(self.v, self.weights, alpha, self.m)

    def term(self, i: int, j: int) -> Any:
        """``P_L phi(p_L)`` as the child moves."""
        moved = self.moved(i, j)
        return moved.size * moved.phi(moved.shares)

    def bracket(self, x: Any, j: int) -> Any:
        """``phi + phi_j - sum_l phi_l x_l``, the bracket H of the first derivative."""
        return self.phi(x) + self.derivative(x, j) - sum((self.derivative(x, k) * y for k, y in enumerate(x)), 0)

    def curvature(self, i: int, j: int, scale: Any = 1) -> Any:
        """The right side of (2.1), the shares in its factors times ``scale``."""
        x, every = self.shares, range(len(self.alpha))
        form = sum(
            self.second(k, h) * ((i == k) - x[k] * scale) * ((j == h) - x[h] * scale) for k in every for h in every
        )
        return self.weights[i] * self.weights[j] * form / self.size


def child(v: Any, classes: int, m: Any = None) -> Child:
    return Child(v, vector(v, "p", classes), vector(v, "alpha", classes), m)


def variables(classes: int) -> dict[str, str]:
    every = range(classes)
    free = ["c", *(f"b{k}" for k in every), *(f"a{k}{j}" for k in every for j in every if k <= j)]
    moving = kinds("positive", "p", classes=classes) | kinds("rate", "alpha", classes=classes)
    return moving | kinds("real", "u", classes=classes) | dict.fromkeys(free, "real")


def inside(classes: int, v: Any, m: Any) -> list[Any]:
    return [x for a in vector(v, "alpha", classes) for x in (a > 0, a < 1)]


@dataclass(frozen=True)
class OfAnyClasses:
    """A child of any number of classes, of which the first two move: sums over the others do not, and are variables.

    ``rest`` is their part of the size; ``b`` and ``a`` are their parts of ``sum_k b_k s_k`` and ``sum_kl a_kl s_k s_l``
    of the class sizes ``s``, ``r0`` and ``r1`` those of ``sum_l a_0l s_l`` and ``sum_l a_1l s_l``.
    """

    v: Any
    sizes: list[Any]  # of the two classes
    size: Any

    def second(self, i: int, j: int) -> Any:
        return getattr(self.v, f"a{min(i, j)}{max(i, j)}")

    def row(self, i: int) -> Any:
        """``sum_l phi_il x_l``."""
        others = getattr(self.v, f"r{i}")
        return (sum(s * self.second(i, k) for k, s in enumerate(self.sizes)) + others) / self.size

    @property
    def linear(self) -> Any:
        return (self.sizes[0] * self.v.b0 + self.sizes[1] * self.v.b1 + self.v.b) / self.size

    @property
    def square(self) -> Any:
        """``sum_kl phi_kl x_k x_l``: the rows of the two classes, and of the others what is not in those."""
        s, v = self.sizes, self.v
        others = (s[0] * v.r0 + s[1] * v.r1 + v.a) / self.size
        return (s[0] * self.row(0) + s[1] * self.row(1) + others) / self.size

    @property
    def phi(self) -> Any:
        return self.linear + self.square * HALF + self.v.c

    def bracket(self, j: int) -> Any:
        """``phi + phi_j - sum_l phi_l x_l``."""
        return self.phi + getattr(self.v, f"b{j}") + self.row(j) - self.linear - self.square

    def curvature(self, i: int, j: int) -> Any:
        """``sum_lh phi_lh (delta_il - x_l)(delta_jh - x_h)``."""
        return self.second(i, j) - self.row(i) - self.row(j) + self.square


def of_any_classes(left: Any, right: Any, moving: bool = True) -> All:
    """Claim an identity between functions of (child, weights, i, j) for any number of classes.

    On the left the shares ``alpha_i`` and ``alpha_j`` move, each in its own direction of a jet; where not ``moving``
    the shares of the classes themselves do, at the size 1.
    """
    variables_ = kinds("positive", "p0", "p1", "rest") | kinds("rate", "alpha0", "alpha1")
    variables_ |= kinds("real", *"abc", "a00", "a01", "a11", "b0", "b1", "r0", "r1")

    def child_of(v: Any, i: int, j: int, jet: bool) -> OfAnyClasses:
        alpha = [v.alpha0, v.alpha1]
        moved = [Jet(x, int(k == i), int(k == j)) for k, x in enumerate(alpha)] if jet else alpha
        sizes = [x * p for x, p in zip(moved, (v.p0, v.p1), strict=True)] if moving else moved
        return OfAnyClasses(v, sizes, sizes[0] + sizes[1] + v.rest if moving else Fraction(1))

    def claim(i: int, j: int) -> Identity:
        return Identity(
            variables_,
            lambda v, m: left(child_of(v, i, j, True), (v.p0, v.p1), i, j),
            lambda v, m: right(child_of(v, i, j, False), (v.p0, v.p1), i, j),
            lambda v, m: [v.alpha0 > 0, v.alpha0 < 1, v.alpha1 > 0, v.alpha1 < 1],
        )

    return All(claim(0, 0), claim(0, 1))


GRADIENT = Law(
    of_any_classes, left=lambda c, p, i, j: (c.size * c.phi).first, right=lambda c, p, i, j: p[i] * c.bracket(i)
)
RATIO_RULE = Law(
    of_any_classes,
    left=lambda c, p, i, j: c.phi.first,
    right=lambda c, p, i, j: p[i] / c.size * (c.bracket(i) - c.phi),
)
HESSIAN = Law(
    of_any_classes,
    left=lambda c, p, i, j: (c.size * c.phi).both,
    right=lambda c, p, i, j: p[i] * p[j] / c.size * c.curvature(i, j),
)
BRACKET = Law(
    of_any_classes,
    left=lambda c, p, i, j: c.bracket(j).first,
    right=lambda c, p, i, j: c.second(i, j) - c.row(i),
    moving=False,
)
Side = Callable[[Child, int, int], Any]


def identities(left: Side, right: Side, classes: tuple[int, ...] = (2, 3), pairs: bool = True) -> Claim:
    """Claim an identity between functions of (child, i, j); at i = 0 and j = 0, 1: the others are renamings.

    Of three classes two different ones are enough, as two classes settle i = j.
    """

    def make(K: int) -> Claim:
        chosen = [(0, 1)] if pairs and K > 2 else [(0, 0), (0, 1)] if pairs else [(0, 0)]
        return All(
            *(Identity(variables(K), at(K, i, j, left), at(K, i, j, right), partial(inside, K)) for i, j in chosen)
        )

    return All(*map(make, classes))


def at(classes: int, i: int, j: int, side: Side) -> Callable[[Any, Any], Any]:
    return lambda v, m: side(child(v, classes, m), i, j)


def first_of_phi(c: Child, i: int, j: int) -> Any:
    moved = c.moved(j, j)
    return moved.phi(moved.shares).first


def ratio_rule(c: Child, i: int, j: int) -> Any:
    """(A.1) for phi in place of g: ``p_j / P_L (phi_j - sum_l phi_l x_l)``."""
    return c.weights[j] / c.size * (c.bracket(c.shares, j) - c.phi(c.shares))


def of_library(c: Child, i: int, j: int) -> Any:
    """The second derivative of the library's gain as class shares move from right to left."""
    sides = c.moved(i, j), c.other.moved(i, j, -1)
    table = [[a * p for a, p in zip(side.alpha, c.weights, strict=True)] for side in sides]
    return decrease(Impurity("quadratic", c.phi)).score(table, c.m).both


def bracket_derivative(c: Child, i: int, j: int) -> Any:
    """The derivative of H with respect to the share x_i, by a jet in the shares."""
    return c.bracket([Jet(s, int(k == i)) for k, s in enumerate(c.shares)], j).first


def stated_bracket_derivative(c: Child, i: int, j: int) -> Any:
    return c.second(i, j) - sum(c.second(i, k) * x for k, x in enumerate(c.shares))


def in_direction(v: Any, m: Any, classes: int = 3) -> Any:
    u, c, every = vector(v, "u", classes), child(v, classes), range(classes)
    return sum(u[i] * u[j] * c.curvature(i, j) for i in every for j in every)


def direction(v: Any, multiple: int = 1, classes: int = 3) -> list[Any]:
    """``v_l = u_l p_l - (alpha_l p_l / P_L) sum_i u_i p_i``, whose sum is 0; its second part ``multiple`` times."""
    c = child(v, classes)
    moved = [u * p for u, p in zip(vector(v, "u", classes), c.weights, strict=True)]
    return [x - multiple * s * sum(moved) for x, s in zip(moved, c.shares, strict=True)]


def form_of_impurity(multiple: int, v: Any, m: Any, classes: int = 3) -> Any:
    c, w, every = child(v, classes), direction(v, multiple, classes), range(classes)
    return sum(w[i] * w[j] * c.second(i, j) for i in every for j in every) / c.size


def curves_as(multiple: int) -> Claim:
    """Claim that the curvature along u is that of phi along the direction of `direction`."""
    return Identity(variables(3), in_direction, partial(form_of_impurity, multiple), partial(inside, 3))


THEOREMS = [
    Theorem(
        key="vertex.gradient_of_child_term",
        statement="for every differentiable g and phi (by their Taylor polynomials) and any number of classes, those"
        " that do not move in sums, the derivative of g(p_L) in alpha_j is (p_j / P_L)(g_j - sum_l g_l x_l), and that"
        " of P_L phi(p_L) is p_j (phi + phi_j - sum_l phi_l x_l)",
        source="breiman1996, eq. (A.1)",
        holds=All(
            GRADIENT,
            RATIO_RULE,
            identities(first_of_phi, ratio_rule, pairs=False),
            identities(
                lambda c, i, j: c.term(j, j).first, lambda c, i, j: c.weights[j] * c.bracket(c.shares, j), pairs=False
            ),
        ),
        fails=(
            GRADIENT.but(
                "so it is of any number of classes, without phi",
                right=lambda c, p, i, j: p[i] * (c.bracket(i) - c.phi),
            ),
            RATIO_RULE.but(
                "the classes that stay do not matter",
                right=lambda c, p, i, j: p[i] / c.size * (c.bracket(i) - c.row(i)),
            ),
            NearMiss(
                "the derivative of P_L phi(p_L) is p_j (phi_j - sum_l phi_l x_l), without phi",
                identities(
                    lambda c, i, j: c.term(j, j).first, lambda c, i, j: ratio_rule(c, i, j) * c.size, (2,), pairs=False
                ),
            ),
            NearMiss(
                "the derivative of g(p_L) is (p_j / P_L) g_j, as if the size did not move",
                identities(
                    first_of_phi, lambda c, i, j: c.weights[j] / c.size * c.derivative(c.shares, j), (2,), pairs=False
                ),
            ),
        ),
    ),
    Theorem(
        key="vertex.hessian_of_child_term",
        statement="for every phi with two derivatives (by its Taylor polynomial) and any number of classes, those that"
        " do not move in sums, the second derivative of P_L phi(p_L) in alpha_i and alpha_j is (p_i p_j / P_L) sum_lh"
        " phi_lh (delta_il - x_l)(delta_jh - x_h); the library's gain"
        " of two classes has minus the sum of both children's as its own; and the bracket H of the first derivative has"
        " dH/dx_i = phi_ij - sum_l phi_il x_l",
        source="breiman1996, eq. (2.1)",
        holds=All(
            any_classes=HESSIAN,
            any_bracket=BRACKET,
            child_term=identities(lambda c, i, j: c.term(i, j).both, Child.curvature),
            bracket=identities(bracket_derivative, stated_bracket_derivative),
            library=identities(
                of_library, lambda c, i, j: -(c.curvature(i, j) + c.other.curvature(i, j)) / sum(c.weights), (2,)
            ),
        ),
        fails=(
            HESSIAN.but(
                "of any number of classes the last term is left out",
                right=lambda c, p, i, j: p[i] * p[j] / c.size * (c.curvature(i, j) - c.square),
            ),
            BRACKET.but("dH/dx_i is phi_ij", right=lambda c, p, i, j: c.second(i, j)),
            NearMiss(
                "the factors are delta_il - alpha_l p_l, not divided by P_L",
                identities(lambda c, i, j: c.term(i, j).both, lambda c, i, j: c.curvature(i, j, c.size), (2,)),
            ),
            NearMiss(
                "the factor in front is p_i p_j, without 1 / P_L",
                identities(lambda c, i, j: c.term(i, j).both, lambda c, i, j: c.curvature(i, j) * c.size, (2,)),
            ),
        ),
    ),
    Theorem(
        key="vertex.curvature_is_that_of_impurity",
        statement="for every phi with two derivatives, sum_ij u_i u_j times the second derivatives of P_L phi(p_L) is"
        " (1/P_L) v' phi'' v with v_l = u_l p_l - x_l sum_i u_i p_i, a direction that stays on the simplex"
        " (sum_l v_l = 0)",
        source="breiman1996, Theorem 1",
        holds=of_classes(
            3,
            All(
                curves_as(1),
                Identity(
                    variables(3),
                    lambda v, m: direction(v)[0] + direction(v)[1],
                    lambda v, m: -direction(v)[2],
                    partial(inside, 3),
                ),
            ),
        ),
        premises=(by_kernel("curvature_of_child_term_is_that_of_impurity", "K"),),
        fails=(
            NearMiss("the same with v_l = u_l p_l", curves_as(0)),
            NearMiss(
                "so the second derivatives are negative definite if phi'' is: but u = alpha gives v = 0",
                Smt(
                    variables(3),
                    lambda v, m: sum(x * x for x in direction(v)) > 0,
                    lambda v, m: [v.alpha0 > 0, *(getattr(v, f"u{k}") == getattr(v, f"alpha{k}") for k in range(3))],
                ),
            ),
        ),
    ),
]
