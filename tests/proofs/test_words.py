"""What is printed of a theorem says what it rests on."""

from __future__ import annotations

import re

import pytest

from splitcrit import tolerance
from splitcrit.criteria.facts import facts, known
from splitcrit.proof import Status, Theorem
from splitcrit.proofs import catalogue, explain, ledger

GROUNDS = re.compile(
    r"kernel-checked(?: in part)?|algebra(?: compared at \w+ = [\d, ]+)?|enumerated(?: in floats)?: .+|enclosed numbers"
    r"|a witness|samples|rests on(?: for .+)?: .+|premises"
)


def test_a_status_says_its_name() -> None:
    assert [repr(status) for status in Status] == [f"<Status: {status.value}>" for status in Status]


def test_a_theorem_says_what_it_rests_on() -> None:
    said: dict[str, Theorem] = catalogue.collect()
    grounds = {key: theorem.basis for key, theorem in said.items()}
    assert [key for key, basis in grounds.items() if not basis or not all(map(GROUNDS.fullmatch, basis))] == []


@pytest.mark.parametrize(
    "key",
    [
        "null.gini_mean_of_permutation",  # kernel-checked
        "noise.variance_of_equicorrelated_mean",  # compared at some numbers
        "vertex.cut_is_best_of_convex_score",
        "vertex.criteria_first_part_at_six_examples",
    ],
)
def test_explain_says_it(key: str) -> None:
    (entry,) = ledger.ledger([key], [], jobs=1).entries
    told = explain.plain(catalogue.collect()[key], entry, False)
    assert entry.basis[0].split(":")[0].split(" at ")[0] in told and "rests on" in told


def test_answers_say_it() -> None:
    assert {known("decrease(gini)", fact["property"], k) for fact in facts() for k in (2, 3)} <= {
        "holds", "refuted", "unknown"
    }  # fmt: skip
    found = tolerance("decrease(gini)", "class-conditional", 2)
    assert found.verdict == "holds" and found.rests_on[0] == "kernel-checked" and "algebra" in repr(found)
    assert "kernel-checked" not in tolerance("decrease(gini)", "class-conditional", 3).rests_on
