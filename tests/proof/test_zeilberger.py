"""Sums of binomial coefficients: what is true is proved for all parameters, and no planted lie is."""

from typing import Any

import pytest

from splitcrit.proof import BinomialIdentity, Status, Zeilberger
from splitcrit.proof.binomials import value
from splitcrit.proof.scope import ALL, Scope

VANDERMONDE: dict[str, Any] = {
    "n": "K",
    "k": "x",
    "parameters": ("M", "P"),
    "pairs": lambda v: [(v.M, v.x), (v.P, v.K - v.x)],
    "right": lambda v: [(v.M + v.P, v.K)],
    "certificate": lambda v: -v.x * (v.P - v.K + v.x) / (v.K + 1 - v.x),
}
SQUARES: dict[str, Any] = {
    "n": "n",
    "k": "k",
    "parameters": (),
    "pairs": lambda v: [(v.n, v.k), (v.n, v.n - v.k)],
    "right": lambda v: [(2 * v.n, v.n)],
    "certificate": lambda v: v.k**2 * (2 * v.k - 3 * v.n - 3) / (v.n + 1 - v.k) ** 2,
}
SHIFTED = SQUARES | {  # the same with k + 1 for k: a sum from -1
    "pairs": lambda v: [(v.n, v.k + 1), (v.n, v.n - v.k - 1)],
    "certificate": lambda v: (v.k + 1) ** 2 * (2 * v.k - 3 * v.n - 1) / (v.n - v.k) ** 2,
}
ONE = lambda v: 1  # noqa: E731
LIES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "the certificate's sign": (VANDERMONDE, {"certificate": lambda v: -VANDERMONDE["certificate"](v)}),
    "no certificate": (VANDERMONDE, {"certificate": lambda v: 0 * v.x}),
    "a certificate that divides by 0": (VANDERMONDE, {"certificate": lambda v: 1 / (v.x - v.M)}),
    "the right side wrong where n is not 0": (VANDERMONDE, {"right_share": lambda v: 1 + v.K}),
    "a right side of another top": (VANDERMONDE, {"right": lambda v: [(v.M + v.P + 1, v.K)]}),
    "a right side that is 0": (VANDERMONDE, {"right_share": lambda v: 0 * v.K}),
    "a right side that knows k": (VANDERMONDE, {"right_share": lambda v: 1 + v.x}),
    "a top shifted": (VANDERMONDE, {"pairs": lambda v: [(v.M + 1, v.x), (v.P, v.K - v.x)]}),
    "a bottom shifted": (VANDERMONDE, {"pairs": lambda v: [(v.M, v.x + 1), (v.P, v.K - v.x)]}),
    "a base that holds for a parameter of 0 alone": (VANDERMONDE, {"pairs": lambda v: [(v.P, v.x), (v.P, v.K - v.x)]}),
    "a term weighted": (VANDERMONDE, {"share": lambda v: v.x}),
    "a term that may divide by 0": (VANDERMONDE, {"share": lambda v: 1 / v.x}),
    "an endless sum": (VANDERMONDE, {"pairs": lambda v: [(v.M + v.x, v.M)]}),
    "a top that falls below 0": (VANDERMONDE, {"pairs": lambda v: [(v.M - v.P, v.x), (v.P, v.K - v.x)]}),
    "an argument that is no integer": (VANDERMONDE, {"pairs": lambda v: [(v.M, v.x / 2), (v.P, v.K - v.x)]}),
    "an argument that is not linear": (VANDERMONDE, {"pairs": lambda v: [(v.M * v.P, v.x), (v.P, v.K - v.x)]}),
    "squares of another row": (SQUARES, {"right": lambda v: [(2 * v.n + 1, v.n)]}),
    "the right side wrong far out": (
        VANDERMONDE,
        {"right_share": lambda v: 1 + v.K * (v.K - 1) * (v.K - 2) * v.M * v.P},
    ),
    "its base wrong far out": (VANDERMONDE, {"right_share": lambda v: 1 + v.M * (v.M - 1) * (v.M - 2)}),
}


@pytest.mark.parametrize("claim", [VANDERMONDE, SQUARES, SHIFTED])
def test_closed_forms_are_proved_for_all_parameters(claim: dict[str, Any]) -> None:
    made = Zeilberger(**claim)
    found = made.settle()
    assert (found.status, found.method) == (Status.PROVED, "zeilberger"), found
    assert made.scope() == Scope({claim["n"]: ALL}, dict.fromkeys(claim["parameters"], "count"))


@pytest.mark.parametrize("name", LIES)
def test_a_planted_lie_is_not_proved(name: str) -> None:
    claim, changed = LIES[name]
    found = Zeilberger(**{**claim, **changed}).settle()
    assert found.status in (Status.REFUTED, Status.UNKNOWN) and found.method == "zeilberger", found
    assert found.evidence


def test_a_base_of_two_terms_is_not_taken_for_one() -> None:
    further = SQUARES | {  # the same with n + 1 for n
        "pairs": lambda v: [(v.n + 1, v.k), (v.n + 1, v.n + 1 - v.k)],
        "right": lambda v: [(2 * v.n + 2, v.n + 1)],
        "certificate": lambda v: v.k**2 * (2 * v.k - 3 * v.n - 6) / (v.n + 2 - v.k) ** 2,
    }
    found = Zeilberger(**further).settle()
    assert found.status is Status.UNKNOWN and "at n = 0 only one term may be left" in found.evidence, found


@pytest.mark.parametrize("changed", [{"right_share": lambda v: 2}, {"right": lambda v: [(v.M + v.P, v.K + 1)]}])
def test_a_wrong_right_side_is_refuted_with_a_witness(changed: dict[str, Any]) -> None:
    found = Zeilberger(**{**VANDERMONDE, **changed}).settle()
    assert found.status is Status.REFUTED
    assert found.witness == "K = 0, M = 0, P = 0"


def last_label(share: Any, move: int = 1) -> BinomialIdentity:
    return BinomialIdentity(
        ("b", "c", "m", "x"),
        ((lambda v: (v.b - v.x + 1) * v.m, lambda v: [(v.b, v.x - move), (v.c, v.m - v.x), (v.b + v.c, v.m)]),),
        ((share, lambda v: [(v.b, v.x), (v.c, v.m - v.x), (v.b + v.c, v.m - 1)]),),
    )


def test_an_identity_of_products_holds_for_all_integers() -> None:
    claim = last_label(lambda v: v.x * (v.b + v.c - v.m + 1))
    assert (claim.settle().status, claim.settle().method) == (Status.PROVED, "binomials")
    assert claim.scope() == Scope(variables=dict.fromkeys(("b", "c", "m", "x"), "count"))


@pytest.mark.parametrize(
    "lie",
    [
        last_label(lambda v: v.x * (v.b + v.c - v.m)),
        last_label(lambda v: v.x * (v.b + v.c - v.m + 1), move=0),
        last_label(lambda v: (v.x + 1) * (v.b + v.c - v.m + 1)),
        last_label(lambda v: v.x * (v.b + v.c - v.m + 1) / (v.m - 1)),
        last_label(lambda v: v.x * (v.b + v.c - v.m + 1) + v.x * (v.x - 1) * (v.x - 2)),
        BinomialIdentity(("a", "b"), ((ONE, lambda v: [(v.a - v.b, v.b)]),), ((ONE, lambda v: [(v.a, v.b)]),)),
    ],
)
def test_a_planted_lie_about_products_is_not_proved(lie: BinomialIdentity) -> None:
    found = lie.settle()
    assert found.status in (Status.REFUTED, Status.UNKNOWN) and found.method == "binomials"


def test_a_coefficient_beyond_its_row_is_zero() -> None:
    one = [[(3, b)] for b in range(-1, 6)]
    assert [value((lambda v: 1, lambda v: pairs), None) for pairs in one] == [0, 1, 3, 3, 1, 0, 0]  # noqa: B023
    assert [value((lambda v: 1, lambda v: [pair]), None) for pair in ((-1, 0), (-2, 1))] == [0, 0]  # noqa: B023


@pytest.mark.parametrize(("extra", "status"), [(0, Status.PROVED), (1, Status.REFUTED)])
def test_several_terms_are_added(extra: int, status: Status) -> None:
    pascal = BinomialIdentity(
        ("n", "k"),
        ((ONE, lambda v: [(v.n + 1, v.k + 1)]),),
        ((ONE, lambda v: [(v.n, v.k)]), (ONE, lambda v: [(v.n, v.k + 1 + extra)])),
    )
    assert pascal.settle().status is status


def test_a_recurrence_that_may_divide_by_0_proves_nothing() -> None:
    stuck = Zeilberger(**{**VANDERMONDE, "share": lambda v: v.K - 1, "right_share": lambda v: v.K - 1}).settle()
    assert stuck.status is Status.UNKNOWN and "may be 0" in stuck.evidence


@pytest.mark.parametrize(("times", "status"), [(6, Status.PROVED), (7, Status.REFUTED)])
def test_binomial_coefficients_of_numbers_are_numbers(times: int, status: Status) -> None:
    six = BinomialIdentity(
        ("n",),
        ((ONE, lambda v: [(0 * v.n + 4, 0 * v.n + 2), (v.n, 0 * v.n + 1)]),),
        ((lambda v: times + 0 * v.n, lambda v: [(v.n, 0 * v.n + 1)]),),
    )
    assert six.settle().status is status
