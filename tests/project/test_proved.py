"""A docstring that states a fact names the theorem that settles it, in a line ``Proved: key, key``."""

from __future__ import annotations

import inspect
import re
from importlib import import_module

SUBPACKAGES = (
    "losses", "impurities", "criteria", "noise", "nulls", "vertices", "robustness", "importance", "multiway",
)  # fmt: skip
FACT = re.compile(
    r"\b(exactly|the largest|never|always|if and only if|is proved|is the limit|its limit|the best action|bounds?"
    r"|is exact|is twice|minimised risk|does not depend|not monotone|divides no class)\b"
)
HEADS = re.compile(r"\n(Parameters|Returns|Raises|Notes|References|Examples)\n-+\n")
EXCEPTIONS = {
    "splitcrit.losses.step_cdf": "a definition",
    "splitcrit.robustness.phase_diagram": "says how ties are told in floats",
    "splitcrit.losses.scaled": "positive constants keep the order of numbers",
    "splitcrit.criteria.imprecise_information_gain": "a definition",
    "splitcrit.robustness.estimated_rates": "an estimate, and how it is read off",
    "splitcrit.importance.max_selected": "a definition by ranks among permutations",
}


def stating() -> dict[str, bool]:
    """Whether each public function whose docstring states a fact has a line of theorems."""
    found = {}
    for name in SUBPACKAGES:
        module = import_module(f"splitcrit.{name}")
        for one in module.__all__:
            told = inspect.getdoc(getattr(module, one)) if inspect.isfunction(getattr(module, one)) else None
            if told and FACT.search(HEADS.split(told)[0]):
                found[f"splitcrit.{name}.{one}"] = "Proved: " in told
    return found


def test_facts_of_docstrings_have_theorems() -> None:
    found = stating()
    assert len(found) > 10
    assert [name for name, proved in found.items() if not proved and name not in EXCEPTIONS] == []


def test_exceptions_are_needed() -> None:
    found = stating()
    assert [name for name in EXCEPTIONS if found.get(name, True)] == []
