"""The digest in the name of a cached kernel changes with all that the kernel reaches."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from types import FunctionType, ModuleType

import numpy as np
import pytest

import splitcrit

digest = pytest.importorskip("splitcrit.jit").digest

SOURCE = """
def first(x):
    return {a} * x

def second(x):
    return {b} * x + CONSTANT

def caller(x):
    return first(x) + second(x)
"""


def of(a: int = 2, b: int = 4, constant: object = 0) -> str:
    """The digest of a function that calls two others."""
    module = ModuleType("splitcrit.search.planted")
    module.__dict__["CONSTANT"] = constant
    exec(SOURCE.format(a=a, b=b), module.__dict__)
    caller = module.__dict__["caller"]
    assert isinstance(caller, FunctionType)
    return digest(caller)


def test_the_same_code_has_the_same_digest() -> None:
    assert of() == of()


def test_an_edit_of_a_callee_is_seen() -> None:
    assert len({of(), of(a=3), of(b=3), of(a=4, b=2)}) == 4  # the last exchanges the constants of two callees


@pytest.mark.parametrize("kind", [int, float, str, np.uint64, np.float32])
def test_an_edit_of_a_constant_is_seen(kind: type) -> None:
    assert of(constant=kind(1)) != of(constant=kind(2))


def test_a_function_that_stands_above_what_it_uses_is_refused() -> None:
    module = ModuleType("splitcrit.search.planted")
    exec("def caller(x):\n    return [later(x) for _ in range(2)]\n", module.__dict__)
    with pytest.raises(NameError, match="stands below what it uses; caller uses later; move that above it"):
        digest(module.__dict__["caller"])


def test_the_digest_in_a_name_is_that_of_the_finished_module() -> None:
    found = 0
    for info in pkgutil.walk_packages(splitcrit.__path__, "splitcrit."):
        if info.name.endswith("_compiled") or info.name == "splitcrit.search.compiled":
            for value in vars(import_module(info.name)).values():
                function = getattr(value, "py_func", None)
                if function is not None and "-" in function.__qualname__:
                    assert function.__qualname__.rpartition("-")[2] == digest(function), function.__name__
                    found += 1
    assert found > 50
