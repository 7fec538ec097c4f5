"""The contract is about every public name and parameter, its cases are many, and what breaks it is seen."""

from __future__ import annotations

import pkgutil
import re
import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import splitcrit
from contract.arguments import integer
from contract.entries import Entry, classes_reversed, tried
from contract.inputs import ANSWER, EITHER, REFUSE, Case
from contract.judge import Call, judge
from contract.roles import weights
from splitcrit.frozen import complaint

KINDS = sorted(path.stem for path in Path(__file__).parent.glob("calls_*.py"))
ENTRIES: dict[str, Entry] = {}
for kind in KINDS:
    ENTRIES |= import_module(f"contract.{kind}").ENTRIES

# What grows trees inside the estimators takes values that they have checked; it is tried through them.
INSIDE = ("growth", "search")
# Numbers, protocols, errors, declarations, and what reads data from elsewhere: nothing to vary, or to answer, here.
APART = {
    "arith.EXACT_FLOAT32",
    "arith.Arithmetic",
    "arith.Irrational",
    "estimators.ManyLevelsWarning",
    "export.Case",
    "export.header",
    "export.vectors",
    "impurities.Search",
    "impurities.by_sums",
    "inference.CategoryGain",
    "nulls.BestSplitLaw",
    "nulls.ExcessGain",
    "nulls.SplitTail",
    "trees.ReferenceNode",
    "trees.SplitScores",
    # Strategies and checks of a user's own test suite; tests/test_testing.py plants slips and bad arguments.
    *(
        f"testing.{name}"
        for name in (
            "channels",
            "check_criterion",
            "check_impurity",
            "check_tree",
            "class_counts",
            "margins",
            "probability_vectors",
            "tables",
            "tied_features",
        )
    ),
    # What statements of proofs are made of: it takes functions, terms and extents, no data; tests/proof plants lies.
    *(
        f"proof.{name}"
        for name in (
            "ALL",
            "BinomialIdentity",
            "Cases",
            "Condition",
            "Each",
            "Extent",
            "Finding",
            "Induction",
            "Law",
            "Premise",
            "PropertyRow",
            "Scope",
            "SMT",
            "Stated",
            "Term",
            "Zeilberger",
            "only",
            "properties",  # of a function: tests/proof/test_property_rows plants what is wrong with one
            "same",
            "upto",
        )
    ),
}


def public() -> list[str]:
    """Every name of an ``__all__``, with its module."""
    found = []
    for info in pkgutil.walk_packages(splitcrit.__path__, "splitcrit.", lambda name: None):
        if info.name.endswith("__main__") or info.name.split(".")[1] in ("datasets", "experiments"):  # warn until 0.5
            continue
        module, home = import_module(info.name), info.name.partition(".")[2]
        if home.partition(".")[0] not in (*INSIDE, "proofs"):
            found += [f"{home}.{name}" for name in getattr(module, "__all__", ())]
    return found


def test_every_public_name_has_an_entry() -> None:
    names = public()
    assert len(names) > 150
    assert [name for name in names if name not in ENTRIES and name not in APART] == []
    assert [name for name in APART if name not in names] == []
    homes = {f"{splitcrit._HOME[name]}.{name}" for name in splitcrit.__all__}
    assert homes <= set(ENTRIES)


@pytest.mark.parametrize("name", ENTRIES)
def test_every_parameter_is_varied(name: str) -> None:
    assert ENTRIES[name].missing() == set()


FORMULAS = ("arith", "losses", "proof")  # packages whose formulas and claims take terms of any arithmetic


def test_only_formulas_take_terms_and_none_reaches_a_compiled_loop() -> None:
    """Every other name is tried with what is no argument: what it hands to compiled code is checked before."""
    names = [name for name, entry in ENTRIES.items() if any(role.answers_only for role in entry.roles.values())]
    homes = {name.partition(".")[0] for name in names}
    assert homes == {*FORMULAS, "reproductions"}  # which lists its experiments in tuples
    for home in FORMULAS:
        for path in (Path(splitcrit.__file__).parent / home).rglob("*.py"):
            lines = [line for line in path.read_text().splitlines() if re.match(r"\s*(from|import) ", line)]
            assert not any("compiled" in line or "compiling" in line or "numba" in line for line in lines), path


def test_there_are_at_least_ten_thousand_cases() -> None:
    assert sum(1 for name, entry in ENTRIES.items() for _ in entry.cases(name)) >= 10_000


# The judge judges.

BASE = np.array([3, 1, 2])
PLAIN = Case("plain", ANSWER, BASE.copy, BASE.copy)
ODD = Case("odd", EITHER, BASE.copy)


def outcome(function: Callable[[Any], Any], case: Case = PLAIN, **options: Any) -> str:
    return judge(Call(function, **options), case).outcome


def warned(value: Any) -> float:
    warnings.warn("careful", RuntimeWarning, stacklevel=2)
    return 1.0


def forever(value: Any) -> None:
    while True:
        pass


def refused(value: Any) -> None:
    raise ValueError(complaint("a rule", value, "a remedy"))


def lookalike(value: Any) -> None:
    raise ValueError("a rule; got something; a remedy")


def changing(value: Any) -> float:
    value[0] = 9
    return 1.0


def first(value: Any) -> float:
    return float(value[0])


CALLS = iter(range(100))


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda value: float(value.sum()), "answered"),
        (lambda value: float("nan"), "nan"),
        (lambda value: [1.0, np.float32("nan")], "nan"),
        (lambda value: value[7], "raw error"),
        (lambda value: "three" + value, "raw error"),
        (lambda value: np.log(value - 3.0)[0], "warning"),
        (warned, "warning"),
        (lookalike, "raw error"),
        (refused, "refused what numpy reads"),
        (changing, "changed its input"),
        (partial(forever), "too slow"),
        (lambda value: next(CALLS), "disagrees"),
    ],
    ids=range(12),
)
def test_the_judge_sees_what_breaks_the_contract(function: Callable[[Any], Any], said: str) -> None:
    assert outcome(function, seconds=0.05) == said


def test_a_number_read_in_its_own_precision_disagrees() -> None:
    narrow = Case(
        "float16",
        ANSWER,
        lambda: np.array([0.1, 0.2], dtype=np.float16),
        lambda: np.array([0.1, 0.2]).astype(np.float16).astype(float),
    )
    assert outcome(lambda x: float(x[0] / x[1] / 3), narrow) == "disagrees"
    assert outcome(lambda x: float(x.astype(float)[0] / x.astype(float)[1] / 3), narrow) == "answered"


def test_nonsense_must_be_refused_and_a_refusal_explained() -> None:
    nonsense = Case("text", REFUSE, lambda: "three")
    assert outcome(lambda value: 1.0, nonsense) == "answered nonsense"
    assert outcome(refused, nonsense) == "refused"
    assert outcome(lambda value: first(value, value), nonsense) == "refused"  # Python's own words about arity


def test_a_law_is_a_second_path() -> None:
    assert outcome(first, ODD, laws=(classes_reversed,)) == "disagrees"
    assert outcome(lambda value: float(np.sum(value)), ODD, laws=(classes_reversed,)) == "answered"


def test_the_share_answered_is_counted() -> None:
    def shy(weights: Any) -> float:
        if isinstance(weights, np.ndarray) and weights.dtype != np.int64:
            raise ValueError(complaint("a list", type(weights), "pass one"))
        return float(len(weights))

    tally = tried("shy", Entry(shy, {"weights": weights()}, nan=True))
    assert 0 < tally.readable[True] < tally.readable.total()
    assert "refused what numpy reads" in tally.line()


def test_a_parameter_without_a_role_is_missed() -> None:
    def two(one: int, other: int) -> int:
        return one + other

    assert Entry(two, {"one": integer()}).missing() == {"other"}
