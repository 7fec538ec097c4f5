"""The list of what Rocq's kernel checks: every entry says something, by known keys, and the ledger tells of it."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from splitcrit.arith import EXACT, Irrational
from splitcrit.criteria.facts import facts
from splitcrit.proof import All, Certificate, Claim, Each, Extent, Identity, Law, Not, Smt
from splitcrit.proofs import catalogue, kernel
from splitcrit.proofs.printed import closing, entry_lines
from splitcrit.proofs.rocq import check, listed
from splitcrit.proofs.rocq.hypotheses import KEPT, Hypotheses, hypotheses, hypotheses_of, read
from splitcrit.proofs.rocq.nearest import explained, functions

KEPT_OF = dict(line.split(": ", 1) for line in KEPT.read_text(encoding="utf-8").splitlines())


def test_every_entry_says_what_it_settles_and_premises_are_entries() -> None:
    checked, known = kernel.checked(), catalogue.collect()
    assert [x.name for x in checked if len(x.says) <= 20] == [], "the comment above the theorem says what it states"
    assert [key for x in checked for key in x.keys if key not in known] == []
    told = {p.text for theorem in known.values() for p in theorem.premises if p.kind == "kernel"}
    assert told <= {x.name for x in checked}


def test_nothing_is_wrong_with_the_list() -> None:
    """All is printed as the code prints it, and every entry stands where it should: no key is a neighbour's."""
    assert list(check.faults()) == []


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


LEMMA_8 = "noise.split_order_is_kept_with_high_probability"


def known(name: str) -> kernel.Checked:
    """A theorem of the list by its name."""
    (found,) = (checked for checked in kernel.checked() if checked.name == name)
    return found


@pytest.mark.parametrize(
    ("name", "key", "fault"),
    [
        ("class_conditional_is_stochastic", "impurity.gini_is_concave", "is of fixed sizes, and its key"),
        # r is a size, but the classes are two
        ("gini_gain_rescales_of_class_conditional_noise", "impurity.gini_is_concave", "is of 2 classes, and its key"),
        (
            "gini_gain_rescales_of_three_class_pair_flips",
            "noise.pairwise_gains_rescale_of_class_conditional",
            "3 class",
        ),
        ("gini_gain_rescales_of_class_conditional_noise", LEMMA_8, "speaks of tau_neg, and its key"),
        ("py_sgini_has_variance_1", "impurity.gini_is_concave", "share few words"),
        ("expected_gini_gain_of_fixed_number_of_flips", "null.gini_mean_of_permutation", "speaks of (1 < #|T|)%N"),
        ("gini_order_is_kept_of_symmetric_noise", "vertex.gini_isolates_most_frequent_class", "speaks of eta"),
    ],
)
def test_a_theorem_is_listed_for_no_key_that_it_does_not_say(name: str, key: str, fault: str) -> None:
    assert list(listed.of_keys(known(name))) == []
    assert any(fault in said for said in listed.of_keys(replace(known(name), keys=(key,), besides=())))


def test_a_hypothesis_more_is_explained_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    theorem = known("gini_gain_rescales_of_class_conditional_noise")
    said = read(f"{KEPT_OF[theorem.name]} forall lam : R, 0 < lam -> (forall k : 'I_2, t 0 k = 0) ->")
    monkeypatch.setattr(listed, "hypotheses", lambda: {theorem.name: said})
    parts = ["lam", "0 < lam", "(forall k : 'I_2, t 0 k = 0)"]
    assert [found.split(",")[0] for found in listed.of_keys(theorem)] == [
        f"{theorem.name} speaks of {part.split(',')[0]}" for part in parts
    ]
    assert not list(listed.of_keys(replace(theorem, besides=tuple((part, "so") for part in parts))))


def test_what_is_explained_is_spoken_of() -> None:
    theorem = replace(known("gini_gain_rescales_of_class_conditional_noise"), besides=(("lam", "so"), ("eta", "so")))
    assert sorted(listed.of_keys(theorem)) == [
        f"besides of {theorem.name} explains {name}, of which it does not speak, or its keys do"
        for name in ("eta", "lam")
    ]


@pytest.mark.parametrize(
    ("name", "whole", "fault"),
    [
        ("class_conditional_is_stochastic", "a.key", "is said to be the whole of a.key, which is none of its keys"),
        ("py_exact_tail_is_share_of_permutations", "null.gini_mean_of_permutation", "assumes (1 < #|T|)%N, and is not"),
        (
            "py_third_moment_of_arrays_is_exact_third",
            "null.gini_third_moment_of_permutation",
            "assumes (2 < #|T|)%N, and",
        ),
        ("gini_gain_rescales_of_two_class_symmetric_noise", "noise.crossing_gains_rescale_of_uniform", "of 2"),
    ],
)
def test_what_is_said_to_be_the_whole_is(name: str, whole: str, fault: str) -> None:
    keys = (whole,) if "." in whole and whole in catalogue.collect() else ()
    assert any(fault in said for said in listed.of_keys(replace(known(name), keys=keys, whole=(whole,))))


def test_exact_moments_are_for_all_sizes_and_assume_no_more() -> None:
    exact = [theorem for theorem in kernel.checked() if theorem.name.startswith("py_exact_") and theorem.whole]
    assert len(exact) == 3
    for theorem in exact:
        assert not theorem.besides and {"T", "r", "K"} <= set(hypotheses()[theorem.name].sizes)
        # each row occurs, and d is a common multiple, whichever: `meanings` says so
        assert [x for x in hypotheses()[theorem.name].premises if "0 <" not in x] in ([], ["d != 0"])


def test_what_a_theorem_of_rocq_states_whole_rests_on_no_step_by_hand() -> None:
    known_of = catalogue.collect()
    wholes = {key: {x.name for x in kernel.of(key) if key in x.whole} for x in kernel.checked() for key in x.whole}
    assert len(wholes) == 29
    for key, names in wholes.items():
        widening = {premise.text for premise in known_of[key].premises if premise.widens}
        assert widening <= names or key.startswith("null.gini_"), key
        assert not any(premise.kind == "hand" for premise in known_of[key].premises), key


@pytest.mark.parametrize(
    ("name", "without", "axis"),
    [
        ("levels_of_antichain_sum_to_at_most_alpha", "hierarchy.tree R T", "splits"),
        ("selective_tree_errs_at_most_alpha_of_leaves_and_nodes", "hierarchy.grown_tree C", "depth"),
        ("joint_factorial_moments_of_permutation", "seq (", "cells"),
        ("westfall_young_is_valid", "(B : nat)", "B"),
        ("best_splits_are_kept_of_symmetric", "-> R", "N"),
    ],
)
def test_the_whole_is_for_all_sizes_of_each_axis(monkeypatch, name: str, without: str, axis: str) -> None:
    told = read(KEPT_OF[name])
    assert listed.sized(axis, told) and without in KEPT_OF[name]
    fewer = read(KEPT_OF[name].replace(without, "(B : bool)" if axis == "B" else "-> bool" if axis == "N" else "bool "))
    monkeypatch.setattr(listed, "hypotheses", lambda: {name: fewer})
    assert any(f"is not for all {axis}" in said for said in listed.of_keys(known(name)))


def test_a_fact_is_marked_for_the_classes_of_the_statement_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    two, every = Extent((2,)), Extent(least=2)
    cell = ("decrease(gini)", "keeps order under class-conditional noise")
    assert [kernel.settles(*cell, extent) for extent in (two, Extent(least=3), every)] == [True, False, False]
    assert kernel.settles("decrease(gini)", "concave", every) and not kernel.settles("no criterion", "concave", two)
    assert [fact for fact in facts() if fact.get("kernel") and fact["verdict"] == "fails"] == []


@pytest.mark.parametrize(
    ("statement", "variables", "premises"),
    [
        ("forall n : nat, 0 < n -> n = n", [("n", "nat")], ["0 < n"]),
        ("forall (n m : nat) (t : 'I_n -> R), let w := t 0 + m in w != 0 -> a w -> b", [("n", "nat"), ("m", "nat"),
         ("t", "'I_n -> R")], ["t 0 + m != 0", "a t 0 + m"]),
        ("(forall x : R, f x -> g x) -> exists m : nat, forall y : R, f y -> h y", [], ["(forall x : R, f x -> g x)"]),
        ("forall x : R, let independent := independent x in f independent", [("x", "R")], []),
        ("a -> (b -> c) <-> (d -> e)", [], ["a"]),
        ("a = b", [], []),
    ],
)  # fmt: skip
def test_what_stands_before_a_conclusion(statement: str, variables: list[tuple[str, str]], premises: list[str]) -> None:
    said = read(hypotheses_of(statement))
    assert list(said.variables) == variables and list(said.premises) == premises


@pytest.mark.parametrize(
    ("types", "classes"),
    [(("'I_r -> 'I_2 -> R",), 2), (("'I_2 -> 'I_K -> R",), None), (("T -> 'I_r", "T -> 'I_2"), 2), (("nat",), None),
     (("'I_r -> 'I_2 -> R", "'I_K -> R"), None), (("'I_n -> 'I_2 -> R",), 2), (("'I_3 -> R", "R"), 3),
     (("'I_K.+1 -> R",), None)],
)  # fmt: skip
def test_classes_are_the_last_index(types: tuple[str, ...], classes: int | None) -> None:
    assert Hypotheses(tuple((f"x{i}", of) for i, of in enumerate(types)), ()).classes == classes


def test_a_premise_that_widens_is_listed_for_its_theorem(monkeypatch: pytest.MonkeyPatch) -> None:
    others = tuple(x for x in kernel.checked() if x.name != "py_exact_mean_is_mean_at_every_size")
    monkeypatch.setattr(listed, "checked", lambda: others)
    assert len(list(listed.unlisted())) == 1


def test_the_hypotheses_are_written_down() -> None:
    assert set(hypotheses()) == {found.name for found in kernel.checked()}
    assert all(said.variables for said in hypotheses().values())


def test_steps_by_hand_are_few() -> None:
    by_hand = [key for key, theorem in catalogue.collect().items() for x in theorem.premises if x.kind == "hand"]
    page = (Path(__file__).parents[2] / "docs" / "kernel-checked.md").read_text(encoding="utf-8")
    told = page.partition("arguments by hand")[2].partition("\n## ")[0]
    assert by_hand == re.findall(r"^\| `([\w.]+)`", told, re.MULTILINE) and len(by_hand) <= 5


def test_a_theorem_that_widens_another_is_limited_nowhere() -> None:
    known_of = catalogue.collect()
    for key, theorem in known_of.items():
        for premise in theorem.premises:
            for axis in premise.widens if premise.kind == "theorem" else ():
                extent = known_of[premise.text].settled_for[axis]
                assert extent is None or extent.everything, (key, premise.text, axis)


# Keys that are exchanged for those of neighbours: nearly none passes, the list as it is does.

LISTED = [theorem for theorem in kernel.checked() if theorem.keys]
KEYS = sorted(catalogue.collect())


def by_name(place: int, key: str) -> list[str]:
    """The keys whose names share the most words."""
    mine = set(re.split(r"[._]", key))
    return sorted(KEYS, key=lambda other: -len(mine & (x := set(re.split(r"[._]", other)))) / len(mine | x))[:6]


def by_place(place: int, key: str) -> list[str]:
    """The keys of the entries next to that of a theorem."""
    return [other for theorem in LISTED[max(0, place - 5) : place + 6] for other in theorem.keys]


def exchanged(theorem: kernel.Checked, key: str, other: str) -> kernel.Checked:
    """An entry with one key in the place of another, of which it is not said to be the whole."""
    keys = tuple(other if x == key else x for x in theorem.keys)
    return replace(theorem, keys=keys, whole=tuple(x for x in theorem.whole if x != key))


@pytest.mark.parametrize("neighbours", [by_name, by_place])
def test_of_200_exchanges_for_the_key_of_a_neighbour_at_most_2_per_cent_pass(neighbours):
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


# One theorem per truth: no two keys claim the same equations and inequalities, as far as values at points tell.


def parts(claim: Claim) -> Iterator[Claim]:
    """Yield the simple claims that a claim consists of."""
    if isinstance(claim, Law):
        yield from parts(claim.claim)
    elif isinstance(claim, All):
        for part in claim.claims:
            yield from parts(part)
    elif isinstance(claim, Each):
        for value in claim.values:
            yield from parts(claim.make(value))
    else:
        yield claim


def signature(claim: Claim) -> Any:
    """What a claim says, up to the names of its variables; None where values at points do not tell."""
    sides = {
        Identity: lambda c: (c.left, c.right),
        Certificate: lambda c: (c.gap,),
        Smt: lambda c: (c.conclusion, c.hypotheses or (lambda v, m: [])),
    }
    if type(claim) not in sides:
        return None
    names = list(claim.variables)  # type: ignore[attr-defined]
    values = []
    for point in range(1, 7):
        v = SimpleNamespace(**{name: at(claim.variables[name], i, point) for i, name in enumerate(names)})  # type: ignore[attr-defined]
        try:
            values.append(str([side(v, EXACT) for side in sides[type(claim)](claim)]))
        except (ZeroDivisionError, Irrational, ArithmeticError, LookupError, StopIteration):
            values.append("undefined")
    told = set(values) - {"undefined", "[True, []]", "[True, [True]]"}
    return (type(claim), tuple(claim.variables.values()), tuple(values)) if len(told) > 1 else None  # type: ignore[attr-defined]


def at(kind: str, place: int, point: int) -> Fraction:
    """A value for the variable in a place: no two places alike."""
    number = (place + 2) * (2 * point + 1) + point**2
    return Fraction(number, number + 7 * (place + point)) if kind == "rate" else Fraction(number)


def same(theorems: dict[str, Any]) -> list[tuple[str, ...]]:
    """The keys that state the same."""
    known = defaultdict(list)
    for key, theorem in theorems.items():
        told = [signature(part) for part in parts(theorem.holds)]
        if told and None not in told:
            known[frozenset(told)].append(key)
    return [tuple(keys) for keys in known.values() if len(keys) > 1]


def test_no_two_keys_state_the_same() -> None:
    assert same(catalogue.collect()) == []


def test_a_second_statement_of_the_same_is_seen() -> None:
    one = Identity({"x": "real"}, lambda v, m: (v.x + 1) ** 2, lambda v, m: v.x**2 + 2 * v.x + 1)
    again = Identity({"y": "real"}, lambda v, m: (v.y + 1) * (1 + v.y), lambda v, m: 1 + v.y * (v.y + 2))
    other = Identity({"y": "real"}, lambda v, m: (v.y + 2) ** 2, lambda v, m: v.y**2 + 4 * v.y + 4)
    theorems = {name: SimpleNamespace(holds=claim) for name, claim in (("a", one), ("b", All(again)), ("c", other))}
    assert same(theorems) == [("a", "b")]
    assert signature(Not(one)) is None
