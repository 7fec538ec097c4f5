"""The list of what Rocq's kernel checks: every entry says something, by known keys, and the ledger tells of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from splitcrit.criteria.facts import facts
from splitcrit.proofs import catalogue, kernel
from splitcrit.proofs.printed import closing, entry_lines
from splitcrit.proofs.rocq import listed


@pytest.mark.parametrize("checked", kernel.checked(), ids=lambda checked: checked.name)
def test_an_entry_says_what_it_settles(checked: kernel.Checked) -> None:
    assert len(checked.says) > 20, "the comment above the theorem says what it states"
    assert [key for key in checked.keys if key not in catalogue.collect()] == []


def test_a_premise_that_the_kernel_checks_is_listed() -> None:
    names = {checked.name for checked in kernel.checked()}
    told = [p.text for theorem in catalogue.collect().values() for p in theorem.premises if p.kind == "kernel"]
    assert set(told) <= names


def test_names_are_their_own() -> None:
    names = [checked.name for checked in kernel.checked()]
    assert len(names) == len(set(names))


def test_a_fact_that_is_kernel_checked_is_one_of_the_table() -> None:
    known = {(fact["criterion"], fact["property"]) for fact in facts() if fact["verdict"] == "holds"}
    assert [x for checked in kernel.checked() for x in checked.facts if x not in known] == []
    marked = {(fact["criterion"], fact["property"]) for fact in facts() if fact.get("kernel")}
    assert marked == {x for checked in kernel.checked() for x in checked.facts}


def test_the_mark_follows_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    from splitcrit.proofs.ledger import ledger

    key = "null.gini_mean_of_permutation"
    part = kernel.Checked("t", "f", "splitcrit.gini", True, keys=(key,))
    whole = kernel.Checked("t", "f", "splitcrit.gini", True, keys=(key,), whole=(key,))
    for some, expected in (((), ""), ((part,), "kernel-checked in part"), ((whole,), "kernel-checked")):
        monkeypatch.setattr(kernel, "checked", lambda some=some: some)
        done = ledger([key], [], jobs=1)
        assert done.entries[0].basis[0] == (expected or "algebra")
        assert (f"| {expected}; algebra" in " ".join(entry_lines(done.entries[0]).split())) is bool(expected)
        assert (f"1 {expected}, " in closing(done)) is bool(expected)


TWO = "class_conditional_is_stochastic"


def test_a_theorem_of_fixed_sizes_is_none_of_all_classes() -> None:
    (known,) = (found for found in kernel.checked() if found.name == TWO)
    assert not listed.sizes()[TWO] and not list(listed.of_keys(known))
    wrong = replace(known, keys=("impurity.gini_is_concave",))
    assert list(listed.of_keys(wrong)) == [
        f"{TWO} is of fixed sizes, and its key impurity.gini_is_concave of all K >= 2"
    ]


def test_a_premise_that_widens_is_listed_for_its_theorem(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(listed.unlisted()) == []
    others = tuple(x for x in kernel.checked() if x.name != "py_exact_mean_is_mean_at_every_size")
    monkeypatch.setattr(listed, "checked", lambda: others)
    assert len(list(listed.unlisted())) == 1


def test_what_is_the_whole_is_a_key() -> None:
    (known,) = (found for found in kernel.checked() if found.name == TWO)
    assert list(listed.of_keys(replace(known, whole=("a.key",)))) == [
        f"{TWO} is said to be the whole of a.key, which is none of its keys"
    ]
    assert {x for found in kernel.checked() for x in found.whole} >= {"null.gini_mean_of_permutation"}


def test_the_sizes_are_written_down() -> None:
    assert set(listed.sizes()) == {found.name for found in kernel.checked()}
