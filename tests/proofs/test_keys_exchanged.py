"""Keys of theorems of Rocq that are exchanged for those of neighbours: nearly none passes, the list as it is does."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from splitcrit.proofs import catalogue, kernel
from splitcrit.proofs.rocq import listed
from splitcrit.proofs.rocq.nearest import explained, functions

LISTED = [theorem for theorem in kernel.checked() if theorem.keys]
KEYS = sorted(catalogue.collect())


def known(name: str) -> kernel.Checked:
    """Return a theorem of the list by its name."""
    (found,) = (checked for checked in kernel.checked() if checked.name == name)
    return found


def by_name(place: int, key: str) -> list[str]:
    """The keys whose names share the most words."""
    mine = set(re.split(r"[._]", key))
    return sorted(KEYS, key=lambda other: -len(mine & (x := set(re.split(r"[._]", other)))) / len(mine | x))[:6]


def by_place(place: int, key: str) -> list[str]:
    """The keys of the entries next to that of a theorem."""
    return [other for theorem in LISTED[max(0, place - 5) : place + 6] for other in theorem.keys]


def exchanged(theorem: kernel.Checked, key: str, other: str) -> kernel.Checked:
    """Return an entry with one key in the place of another, of which it is not said to be the whole."""
    keys = tuple(other if x == key else x for x in theorem.keys)
    return replace(theorem, keys=keys, whole=tuple(x for x in theorem.whole if x != key))


def test_the_list_passes_as_it_is() -> None:
    assert [said for theorem in kernel.checked() for said in listed.of_neighbours(theorem)] == []


@pytest.mark.parametrize("neighbours", [by_name, by_place])
def test_of_200_exchanges_for_the_key_of_a_neighbour_at_most_2_per_cent_pass(
    neighbours: Callable[[int, str], list[str]],
) -> None:
    draw, pairs = Random(51), [(place, key) for place, theorem in enumerate(LISTED) for key in theorem.keys]
    passed, made = [], 0
    while made < 200:
        place, key = draw.choice(pairs)
        others = [x for x in neighbours(place, key) if x not in LISTED[place].keys]
        if others:
            made += 1
            wrong = exchanged(LISTED[place], key, draw.choice(others))
            passed += [] if list(listed.mistakes([wrong])) else [wrong.name]
    assert len(passed) <= 4, passed


@pytest.mark.parametrize(
    ("name", "key", "other", "fault"),
    [
        ("py_entropy_is_concave", "impurity.entropy_is_concave", "impurity.gini_is_concave", "entropy, and its key"),
        ("py_merging_rows_never_raises_the_gain", "gain.refinement_never_lowers_of_matushita",
         "gain.refinement_never_lowers_of_gini", "lists gain.refinement_never_lowers_of_gini twice"),
        ("py_minimised_risk_is_concave", "gain.is_nonnegative_and_impurity_concave_of_any_loss",
         "vertex.best_split_is_a_vertex_of_any_loss", "which is none of the keys of py_minimised_risk_is_concave"),
        ("margin_rescales_of_symmetric_noise", "noise.margins_rescale_of_uniform",
         "noise.misclassification_gain_rescales_of_uniform", "speaks more of noise.margins_rescale_of_uniform than of"),
        ("py_exact_mean_is_mean_at_every_size", "null.gini_mean_of_permutation", "null.gini_variance_of_permutation",
         "is a premise of null.gini_mean_of_permutation, which is none of its keys"),
    ],
)  # fmt: skip
def test_what_tells_two_keys_apart_is_named(name: str, key: str, other: str, fault: str) -> None:
    assert key in known(name).keys
    assert any(fault in said for said in listed.mistakes([exchanged(known(name), key, other)]))


def test_an_explanation_without_need_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    theorem = known("py_entropy_is_concave")
    more: dict[Any, str] = {**explained(), (theorem.name, "impurity.entropy_is_concave"): "so"}
    monkeypatch.setattr(listed, "explained", lambda: more)
    assert any("to which no other is nearer" in said for said in listed.of_neighbours(theorem))


def test_explanations_are_of_entries_and_say_something() -> None:
    pairs = {(theorem.name, key) for theorem in LISTED for key in theorem.keys}
    assert set(explained()) <= pairs and all(len(why) > 40 for why in explained().values())


def test_functions_are_told_from_those_whose_names_hold_theirs() -> None:
    assert functions("py_sqrt_gini_is_concave") == {"sqrt_gini"}
    assert functions("SGini, AGini and the information gain") == {"sgini", "agini", "entropy"}
    assert functions("one-vs-rest pairwise gain") == {"one_vs_rest", "pairwise_gain"}
