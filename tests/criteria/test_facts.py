"""What ``known`` says against the file read by hand: numbers of classes, groups, families and their boundaries."""

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from importlib.resources import files
from math import sqrt
from typing import Any

import numpy as np
import pytest

import splitcrit as sc
from splitcrit import criteria, decrease, dkm, entropy, gce, gini, hellinger, ne, sgini, sqrt_gini, twoing
from splitcrit.criteria import as_criterion
from splitcrit.criteria import facts as module
from splitcrit.criteria.facts import about, concerns, covers, facts, known, plain, speaks_of, within
from splitcrit.impurities import bayes_sum, matushita
from splitcrit.nulls import agini
from splitcrit.proof import Extent, only, upto

FILE: list[dict[str, Any]] = json.loads(files("splitcrit").joinpath("facts.json").read_text(encoding="utf-8"))
FAMILIES = {  # of the file, in plain Python
    "decrease(gce(q)) for 0 < q < 1": ("decrease(gce(q=", lambda value: 0 < value < 1),
    "decrease(ne(lam)) for 0 < lam": ("decrease(ne(lam=", lambda value: value > 0),
}
PROPERTIES = sorted({fact["property"] for fact in FILE})
EDGES = [0, Fraction(1, 10**9), Fraction(1, 4), Fraction(1, 2), Fraction(999, 1000), 1, Fraction(1001, 1000), 7]
NAMES = sorted({fact["criterion"] for fact in FILE} - set(FAMILIES)) + [
    f"{head}{value!r}))" for head in ("decrease(gce(q=", "decrease(ne(lam=") for value in EDGES
]


def parts(name: str) -> tuple[str, Fraction | None]:
    """What stands before a parameter, and its value: ``Fraction(1, 4)`` or ``0.25``."""
    head, equals, tail = name.partition("=")
    numbers = [Fraction(x) for x in re.findall(r"[\d.]+", tail)]
    return head + equals, numbers[0] / (numbers[1] if len(numbers) > 1 else 1) if numbers else None


def verdict(name: str, property: str, classes: int) -> str:
    """What the file says of a number of classes."""
    verdicts = set()
    for fact in FILE:
        numbers = fact["classes"]
        if fact["property"] != property:
            continue
        if classes not in numbers if isinstance(numbers, list) else classes < numbers["from"]:
            continue
        if fact["criterion"] in FAMILIES:
            head, inside = FAMILIES[fact["criterion"]]
            mine = parts(name)[0] == head and inside(parts(name)[1])
        else:
            mine = fact["criterion"] == name or ("=" in name and parts(fact["criterion"]) == parts(name))
        if mine:
            verdicts.add(fact["verdict"])
    return "refuted" if "fails" in verdicts else "holds" if "holds" in verdicts else "unknown"


def test_the_families_of_the_file_are_those_spelt_out_here() -> None:
    assert {fact["criterion"] for fact in FILE if " for " in fact["criterion"]} == set(FAMILIES)
    assert all(isinstance(fact["classes"], list) or list(fact["classes"]) == ["from"] for fact in FILE)
    assert {fact["verdict"] for fact in FILE} <= {"holds", "fails", "bounded"}


def test_facts_are_the_file() -> None:
    assert list(facts()) == FILE


def together(said: list[str]) -> str:
    """What is said of several numbers of classes."""
    return "refuted" if "refuted" in said else "holds" if set(said) == {"holds"} else "unknown"


@pytest.mark.parametrize("property", PROPERTIES)
def test_every_answer_is_that_of_the_file(property: str) -> None:
    seen = set()
    for name in NAMES:
        said = [verdict(name, property, classes) for classes in (2, 3, 4, 5, 1000)]
        two, more, every = said[0], together(said[1:]), together(said)
        asked = [known(name, property, classes) for classes in (2, 3, 4, 5, 1000, "2", ">2", "all")]
        assert asked == [*said, two, more, every], name
        seen |= {two, more, every}
    assert len(seen) > 1


def test_a_property_that_is_proved_of_two_classes_and_of_more_is_proved_of_all() -> None:
    """By two facts, none of which is about all numbers of classes."""
    apart = [
        (name, property)
        for name in NAMES
        for property in PROPERTIES
        if not any(f["classes"] == {"from": 2} for f in FILE if (f["criterion"], f["property"]) == (name, property))
        and verdict(name, property, 2) == verdict(name, property, 3) == verdict(name, property, 1000) == "holds"
    ]
    assert ("decrease(gini)", "keeps order under uniform noise") in apart
    assert {known(name, property, "all") for name, property in apart} == {"holds"}


# Values stand for their names.


def test_values_and_names_mean_the_same() -> None:
    for property in PROPERTIES:
        for value, name in (
            (gini, "decrease(gini)"), (decrease(gini), "decrease(gini)"), (twoing, "twoing"), (sgini, "sgini"),
            (entropy, "decrease(entropy)"), (sc.misclassification, "decrease(misclassification)"),
            (gce(0.5), "decrease(gce(q=Fraction(1, 2)))"), (gce(Fraction(1, 4)), "decrease(gce(q=0.25))"),
            (ne(Fraction(1, 2)), "decrease(ne(lam=0.5))"),
        ):  # fmt: skip
            assert all(known(value, property, k) == known(name, property, k) for k in (2, 3, "all"))


@pytest.mark.parametrize("wrong", [1, 0, -3, 2.5, 2.0, True, False, None, "3", "two", "", (2,), float("nan")])
def test_other_classes_are_refused(wrong: Any) -> None:
    rule = r"classes are a number from 2, or a group; got .*; use 2, >2, all"
    with pytest.raises((TypeError, ValueError), match=rule):
        known(gini, "concave", wrong)


# Facts of a file of their own.


@pytest.fixture
def stated(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A function that puts other facts ``(criterion, property, classes, verdict)`` in the place of the file's."""

    def state(*rows: tuple[str, str, str, str]) -> None:
        keys = ("criterion", "property", "classes", "verdict")
        numbers = {"2": [2], "3": [3], ">2": {"from": 3}, "all": {"from": 2}}
        made = tuple(dict(zip(keys, (*row[:2], numbers[row[2]], row[3]), strict=True)) for row in rows)
        monkeypatch.setattr(module, "_facts", lambda: made)
        module._known.cache_clear()

    yield state
    module._known.cache_clear()


H, F, B, U = "holds", "fails", "bounded", "unknown"
R, KS = "refuted", (2, 3, 4, ">2", "all")
STATED: dict[str, tuple[list[tuple[str, str]], list[str]]] = {  # facts of twoing: classes, verdict; answers for KS
    "a failure outweighs what holds": ([("2", H), (">2", F)], [H, R, R, R, R]),
    "all are each": ([("all", H)], [H] * 5),
    "nothing": ([], [U] * 5),
    "half of what is asked": ([("2", H)], [H, U, U, U, U]),
    "the other half": ([(">2", H), ("2", B)], [U, H, H, H, U]),
    "both halves": ([(">2", H), ("2", H)], [H] * 5),
    "what is bounded is proved by another": ([("2", B), ("2", H)], [H, U, U, U, U]),
    "what fails too is not": ([("2", H), ("all", F)], [R] * 5),
    "three classes alone fail": ([("3", F)], [U, R, U, R, R]),
    "three classes alone hold": ([("3", H)], [U, H, U, U, U]),
}


@pytest.mark.parametrize("name", STATED)
def test_what_is_stated_answers_what_is_asked(stated: Any, name: str) -> None:
    rows, answers = STATED[name]
    stated(*(("twoing", "p", classes, verdict) for classes, verdict in rows), ("twoing", "q", "all", H))
    assert [known(twoing, "p", k) for k in KS] == answers
    assert {known(sgini, "q", k) for k in KS} == {U}


@pytest.mark.parametrize(
    ("condition", "values"),
    [
        ("0 < q < 1", {0: False, Fraction(1, 10**12): True, 0.999: True, 1: False, 1e-9: True, -0.5: False}),
        ("0 <= q <= 1", {0: True, 1: True, Fraction(-1, 9): False, 1.5: False}),
        ("0 <= q < 1/2", {0: True, Fraction(1, 3): True, 0.49: True, Fraction(-1, 9): False, 0.5: False, 1: False}),
        ("q < 2", {0: True, Fraction(-9): True, 2: False, 3: False}),
        ("1/3 <= q", {Fraction(1, 3): True, 0.3333: False, 0.3334: True, 10**6: True}),
        ("1 < q <= 2", {1: False, 2: True, Fraction(5, 4): True}),
        ("0 < q", {1e20: True, 1e300: True, 2.5e-300: True, 0.0: False}),
    ],
)
def test_the_boundaries_of_a_range(condition: str, values: dict[Any, bool]) -> None:
    for value, inside in values.items():
        assert speaks_of(f"decrease(gce(q)) for {condition}", f"decrease(gce(q={value!r}))") is inside, value


def test_families_are_told_apart_by_every_letter() -> None:
    family = "decrease(gce(q)) for 0 < q"
    for name in ("gce(q=0.5)", "decrease(gce(q=0.5)", "decrease(gce(r=0.5))", "decrease(xgce(q=0.5))",
                 "decrease(gce(q))", "normalised(gce(q=0.5))", "decrease(gce(q=0.5)) "):  # fmt: skip
        assert not speaks_of(family, name), name
    assert speaks_of(family, "decrease(gce(q=0.5))")


def test_equal_numbers_are_equal_names() -> None:
    equal = ("f(q=0.5)", "f(q=Fraction(2, 4))"), ("f(q=0.1)", "f(q=Fraction(1, 10))"), ("f(1e-3)", "f(0.001)")
    large = ("f(1e+20)", f"f({10**20})"), ("f(2.5e+3)", "f(2500)"), ("f(-0.5)", "f(Fraction(-1, 2))")
    for one, other in (*equal, *large):
        assert plain(one) == plain(other) and speaks_of(one, other) and speaks_of(other, one)
    for one, other in (("f(q=0.5)", "f(q=0.25)"), ("f(q=1)", "f(q=2)"), ("g(q=0.5)", "f(q=0.5)"), ("f2(1)", "f(1)")):
        assert not speaks_of(one, other)
    assert plain("decrease(gini)") == "decrease(gini)" and plain("x2.5") == "x2.5"


@pytest.mark.parametrize("name", ["gce(q=1e999999999)", "gce(q=1.5e-999999999)", "gce(q=1/0)", f"gce(q={'1' * 5000})"])
def test_a_number_of_no_size_that_parameters_have_stays_a_text(name: str) -> None:
    assert known(f"decrease({name})", "concave", 2) == "unknown"
    assert plain(name) == name  # and takes no time: the power is not written out


# What is said of criteria for just the number of classes that is asked, and numbers of classes as data.

CRITERIA: tuple[criteria.Criterion, ...] = (
    *map(decrease, (gini, entropy, sc.misclassification, sqrt_gini, matushita, bayes_sum, gce(0.5), ne(0.5))),
    criteria.normalised(entropy), twoing, criteria.pairwise_gain, criteria.one_vs_rest_pairwise_gain,
    criteria.sum_minority, criteria.imprecise_information_gain(1),
    sgini, agini,
)  # fmt: skip


def test_a_witness_is_one_of_more_classes_where_the_score_sees_no_empty_class() -> None:
    from splitcrit.proofs.gain.empty_classes import sees_no_empty_class

    table = np.array([[3, 1, 0], [1, 2, 2]])
    more = np.hstack([table, np.zeros((2, 2), dtype=int)])
    for criterion in CRITERIA:
        if sees_no_empty_class(criterion.name):
            assert float(criterion(table)) == pytest.approx(float(criterion(more)), abs=1e-12), criterion
    for criterion in map(as_criterion, (sqrt_gini, criteria.imprecise_information_gain(1))):
        assert not sees_no_empty_class(criterion.name)
        assert float(criterion(table)) != pytest.approx(float(criterion(more)), abs=1e-3)
    extended = [fact for fact in facts() if "extended_by" in fact]
    assert extended and all(sees_no_empty_class(fact["criterion"]) for fact in extended)
    assert all(fact["witness"] or fact["property"] == "stops early" for fact in extended)
    assert not any("uniform" in fact["property"] or "pair-flip" in fact["property"] for fact in extended)


def test_splits_have_the_classes_of_their_fact() -> None:
    for fact in facts():
        if "splits" in fact:
            width = len(fact["splits"][0][0]) // (2 if "instance-dependent" in fact["property"] else 1)
            assert fact["classes"] in ([width], {"from": width}) and width >= 2


@pytest.mark.parametrize("extent", [only(2), only(3), only(2, 4), upto(4), Extent(least=2), Extent(least=4)])
def test_numbers_of_classes_as_data(extent: Extent) -> None:
    data = extent.plain()
    for number in range(2, 9):
        assert within(data, number) == (number in extent)
    assert concerns(data, "2") == (2 in extent) == covers([data], "2")
    assert concerns(data, ">2") == any(k in extent for k in range(3, 99))
    assert covers([data], ">2") == (extent == Extent(least=2))
    assert covers([data, [3], {"from": 5}, [4]], ">2")
    assert not covers([], "2") and not covers([], ">2")


def test_numbers_of_classes_in_words() -> None:
    found = [about(x) for x in ([2], [3, 4], {"from": 2}, {"from": 3}, {"to": 4})]
    assert found == ["K = 2", "K = 3, 4", "all K", "all K >= 3", "K <= 4"]


# Hellinger's distance and DKM: their values, what the skew of the classes does, and trees by their names.

RNG = np.random.default_rng(11)
TABLES = RNG.integers(0, 30, size=(40, 2, 2)) + np.eye(2, dtype=int)


def distance(table: Any) -> float:
    """The distance by its definition, loop by loop."""
    negatives, positives = sum(row[0] for row in table), sum(row[1] for row in table)
    return sqrt(sum((sqrt(x / negatives) - sqrt(y / positives)) ** 2 for x, y in table))


@pytest.mark.parametrize("rows", [2, 3, 5])
def test_hellinger_is_the_distance_of_the_rates_of_both_classes(rows: int) -> None:
    tables = RNG.integers(0, 9, size=(30, rows, 2)) + 1
    assert np.allclose(hellinger(tables), [distance(t) for t in tables], rtol=1e-14, atol=0)


def test_its_ends_are_0_at_equal_rates_or_one_class_and_the_root_of_2_at_pure_rows() -> None:
    assert hellinger([[2, 4], [3, 6]]) == 0 == hellinger([[2, 0], [3, 0]]) == hellinger([[0, 0], [0, 0]])
    assert hellinger([[5, 0], [0, 2]]) == sqrt(2)
    assert dkm([[5, 0], [0, 5]]) == 1


def test_dkm_is_twice_sqrt_gini_and_matushita() -> None:
    assert np.allclose(dkm(TABLES), 2 * decrease(sqrt_gini)(TABLES), rtol=1e-12, atol=1e-15)
    assert np.allclose(dkm(TABLES), decrease(matushita)(TABLES), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("name", ["hellinger", "dkm"])
def test_trees_take_them_by_name_and_grow_as_by_sqrt_gini(name: str) -> None:
    x = RNG.normal(size=(150, 3)).round(1)
    y = (x[:, 0] + RNG.normal(size=150) > 1.2).astype(int)
    mine, other = (sc.TreeClassifier(criterion=c, max_depth=4).fit(x, y).tree_ for c in (name, sqrt_gini))
    assert mine.node_count == other.node_count > 5
    assert np.array_equal(mine.feature, other.feature) and np.array_equal(mine.threshold, other.threshold)
    assert sc.ForestClassifier(criterion=name, n_estimators=2, random_state=0).fit(x, y).score(x, y) > 0.7
