"""What the printer prints is what runs: cases for comparisons, sums over axes, errors for what it cannot trace."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from splitcrit.arith import total
from splitcrit.arith.tracing import Node
from splitcrit.impurities import library
from splitcrit.losses import simplex
from splitcrit.noise import transitions
from splitcrit.nulls import permutation
from splitcrit.proof.control_flow import traced
from splitcrit.proof.families import retraced
from splitcrit.proof.family_trees import TRACE, variable
from splitcrit.proof.undecided import Undecided
from splitcrit.proofs.rocq import generate
from splitcrit.proofs.rocq.definitions import printed
from splitcrit.proofs.rocq.printed import common
from splitcrit.proofs.rocq.variables import row


def index(letter: str) -> Any:
    return TRACE.term(Node("index", (letter,)))


def text(run: Any, *given: str) -> str:
    return printed(traced(run, frozenset(given)).tree)


def test_generated_is_what_the_code_prints() -> None:
    assert generate.FILE.read_text(encoding="utf-8") == generate.text()


def test_a_sum_runs_over_its_axis() -> None:
    assert text(lambda: retraced(library._gini)(row("p"), TRACE)) == r"(1 - (\sum_(k < K) ((p k) * (p k))))"
    largest = text(lambda: retraced(library._misclassification)(row("p"), TRACE))
    assert largest == r"(1 - (\big[Num.max/(p ord0)]_(k < K) (p k)))"


def test_a_comparison_of_data_becomes_a_case() -> None:
    mean = traced(lambda: retraced(permutation.exact_mean)(row("a", "i"), row("b", "k")))
    assert printed(mean.tree).startswith(r"(if ((\sum_(i < r) (a i)) < 2%:R) then 0 else ") and mean.hypotheses == ()


def test_a_comparison_of_indices_stands_inside_the_sum() -> None:
    found = text(lambda: retraced(simplex._infinity)(row("w", "j"), index("k"), TRACE), "k")
    assert found.endswith("]_(j < K) (if (j == k) then `|((w j) - 1)| else `|((w j) - 0)|))")


def test_what_raises_becomes_a_hypothesis() -> None:
    size = TRACE.term(Node("size", ("K",)))
    run = retraced(transitions.Symmetric.__call__)
    found = traced(lambda: common.entry(run(transitions.Symmetric(variable("eta")), size)), frozenset("jk"))
    assert printed(found.under) == "(if (j == k) then (1 - eta) else (eta / (K%:R - 1)))"
    assert [printed(h) for h in found.hypotheses] == ["(~~ ((K%:R : R) < 2%:R))"]


def test_whether_a_family_has_members_is_a_case() -> None:
    def mean(p: Any) -> Any:
        return total(p) / len(p) if p else 0

    said = text(lambda: retraced(mean)(row("p")))
    assert said == r"(if (~~ ((K%:R : R) == 0)) then ((\sum_(k < K) (p k)) / K%:R) else 0)"


def pairs(p: Any) -> Any:
    return total([total([x * y for x in p]) for y in p])


def aligned(p: Any) -> Any:
    listed = list(p)
    return total([total([x * y for x, y in zip(listed, p, strict=True)]) for _ in p])


def test_a_loop_within_a_loop_has_an_index_of_its_own() -> None:
    assert text(lambda: retraced(pairs)(row("p"))) == r"(\sum_(k < K) (\sum_(j < K) ((p j) * (p k))))"


def test_a_list_does_not_take_the_index_of_a_loop_within() -> None:
    with pytest.raises(Undecided, match="sequences that are zipped must run over one axis"):
        text(lambda: retraced(aligned)(row("p")))


def test_powers_are_whole_or_roots() -> None:
    assert [text(lambda: TRACE.power(variable("x"), a)) for a in (2, Fraction(1, 2))] == ["(x ^+ 2)", "(sqrt x)"]  # noqa: B023
    with pytest.raises(Undecided, match="a traced exponent must be whole or 1/2"):
        TRACE.power(variable("x"), Fraction(1, 3))


def test_a_changed_source_prints_another_term() -> None:
    names = dict(library._gini.__globals__)
    exec("def _gini(p, m):\n    return 1 - total([x * x * x for x in p])", names)
    assert text(lambda: retraced(names["_gini"])(row("p"), TRACE)) != text(
        lambda: retraced(library._gini)(row("p"), TRACE)
    )
