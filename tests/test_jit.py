"""The digest in the name of a cached kernel changes with all that the kernel reaches."""

from __future__ import annotations

from types import FunctionType, ModuleType

import numpy as np
import pytest

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


def test_digests_of_trees_see_every_scan() -> None:
    whole = pytest.importorskip("splitcrit.growth.whole_compiled")
    from splitcrit.search import scans_compiled

    before, scan = digest(whole.grow_whole), scans_compiled._by_sums.py_func
    old = scan.__code__
    try:
        scan.__code__ = old.replace(co_consts=(*old.co_consts, "edited"))
        assert digest(whole.grow_whole) != before
    finally:
        scan.__code__ = old
