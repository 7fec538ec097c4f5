"""Modules that pickles of release 0.3 name answer with what their new home has."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from splitcrit.former_modules import FORMER


@pytest.mark.parametrize("name", sorted(FORMER))
def test_a_former_module_answers_with_its_new_home(name: str) -> None:
    home = import_module(f"splitcrit.{FORMER[name]}")
    known = next(iter(getattr(home, "__all__", ())), None) or next(
        n for n, v in vars(home).items() if isinstance(v, type)
    )
    assert getattr(import_module(f"splitcrit.{name}"), known) is getattr(home, known)


def test_other_modules_are_not_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        import_module("splitcrit.nulls.nothing")


@pytest.mark.parametrize(
    ("former", "name", "home"),
    [
        ("divisions", "Stability", "honest"), ("structures", "Structure", "tree_arrays"),
        ("subtree_results", "SignificantSubtree", "significant_part"),
        ("trees", "InferenceTreeRegressor", "tested_trees"),
    ],
)  # fmt: skip
def test_former_modules_answer_before_the_new_ones_are_imported(former: str, name: str, home: str) -> None:
    code = (
        f"import splitcrit.inference.{former} as former; "
        f"print(former.{name}.__module__, hasattr(former, '__warningregistry__'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == [f"splitcrit.inference.{home}", "False"], done.stderr
