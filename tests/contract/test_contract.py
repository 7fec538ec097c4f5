"""Every public name gives a right answer or one sentence; what breaks that is seen; a name without a rule fails."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any

import numpy as np
import pytest
import reference

import layers
import splitcrit
from contract import entries, table
from contract.entries import LEAST, Entry, entry, names, parts, tried
from contract.inputs import ANSWER, EITHER, REFUSE, Case
from contract.judge import GOOD, Call, judge
from contract.roles import classes_reversed, integer, weights
from splitcrit.frozen import complaint

NAMES = names()
FORMULAS = ("arith", "losses", "proof")  # packages whose formulas and claims take terms of any arithmetic


@pytest.mark.parametrize("few", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["few", "all"])
@pytest.mark.parametrize("name", NAMES)
def test_a_right_answer_or_one_sentence(name: str, few: bool) -> None:
    """Fail, with every case that broke the contract, unless all answers are right and all refusals explained."""
    verdicts = tried(entry(name), few)
    bad = [(parameter, case.kind, came) for parameter, case, came in verdicts if came.outcome not in GOOD]
    broken = [f"{parameter}={kind}: {came.outcome}: {came.message}" for parameter, kind, came in bad]
    assert not broken, "\n".join([f"{len(broken)} cases break the contract of {name}", *broken])
    readable = [came.outcome == "answered" for _, case, came in verdicts if case.expect == ANSWER]
    assert all(readable), "what numpy reads as the same numbers is answered"
    assert few or readable, "something must be answered"
    assert few or len(verdicts) >= LEAST, "a name is tried at least thirty times"


def test_every_public_name_is_tried_or_is_apart_for_a_reason() -> None:
    public, apart = table.public(), {name for name in table.public() if table.apart(name)}
    assert 150 < len(public) <= 220  # what a newcomer may meet
    assert set(public) <= {*NAMES, *apart}
    assert {f"{splitcrit._HOME[name]}.{name}" for name in splitcrit.__all__} <= {*NAMES, *apart}


def test_a_public_value_cannot_be_changed() -> None:
    known = [getattr(room, name) for _, _, room in reference.subpackages() for name in reference.exported(room)]
    classes = [value for value in known if inspect.isclass(value) and is_dataclass(value)]
    assert len(classes) > 50
    changing = [kind.__name__ for kind in classes if not kind.__dataclass_params__.frozen]
    assert changing == ["ReferenceNode"]  # which is grown node by node


def test_a_new_name_without_a_rule_says_what_to_add(monkeypatch: pytest.MonkeyPatch) -> None:
    public = table.public() | {"nulls.newest": lambda spoon, samples=3: spoon}
    monkeypatch.setattr(entries, "public", lambda: public)
    assert "nulls.newest" in names()
    with pytest.raises(LookupError, match=r"nulls\.newest: .* \['spoon'\]; add a role to ROLES"):
        entry("nulls.newest")


def test_the_table_holds_nothing_that_is_not_used() -> None:
    asked = {table.rule(*parts(name), parameter) for name in NAMES for parameter in entry(name).roles}
    assert set(table.ROLES) <= asked
    public = {name.rpartition(".")[2] for name in table.public()}
    assert [name for name in [*table.APART, *table.CALLS] if name not in public and "." not in name] == []
    assert set(table.OPTIONS) <= {part for name in NAMES for part in (*name.split("."), ".".join(name.split(".")[-2:]))}


def test_only_formulas_take_terms_and_none_reaches_a_compiled_loop() -> None:
    """Every other name is tried with what is no argument: what it hands to compiled code is checked before."""
    loose = [name for name in NAMES if any(role.answers_only for role in entry(name).roles.values())]
    homes = {name.partition(".")[0] for name in loose}
    assert homes == {*FORMULAS}
    inside = [text for path, text in layers.sources().items() if path.parts[0] in FORMULAS]
    imported = {item.name for text in inside for item in layers.imports(text, ())}
    assert "numpy" in imported and not [name for name in imported if "compil" in name or "numba" in name]


# The judge judges.

BASE = np.array([3, 1, 2])
PLAIN = Case("plain", ANSWER, BASE.copy, BASE.copy)
ODD = Case("odd", EITHER, BASE.copy)
CALLED = iter(range(100))


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
        (forever, "too slow"),
        (lambda value: next(CALLED), "disagrees"),
    ],
    ids=range(12),
)
def test_the_judge_sees_what_breaks_the_contract(function: Callable[[Any], Any], said: str) -> None:
    assert outcome(function, seconds=0.05) == said


def test_a_number_read_in_its_own_precision_disagrees() -> None:
    narrow = np.array([0.1, 0.2], dtype=np.float16)
    case = Case("float16", ANSWER, narrow.copy, lambda: narrow.astype(float))
    assert outcome(lambda x: float(x[0] / x[1] / 3), case) == "disagrees"
    assert outcome(lambda x: float(x.astype(float)[0] / x.astype(float)[1] / 3), case) == "answered"


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

    verdicts = tried(Entry("shy", shy, {"weights": weights()}, nan=True))
    readable = [came.outcome for _, case, came in verdicts if case.expect == ANSWER]
    assert {*readable} == {"answered", "refused what numpy reads"}


def test_one_answer_to_the_plain_value_is_enough() -> None:
    asked: list[int] = []
    tried(Entry("one", lambda value: asked.append(value), {"value": integer()}), few=True)
    assert asked.count(3) <= 5  # three that are equal to it, itself once, and one of the others at most
