"""The array libraries over which laws are tested: numpy, array-api-strict and Dask always, others where they import."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

NAMES = ("numpy", "array_api_strict", "dask", "torch", "jax", "cupy")


@dataclass(frozen=True)
class Library:
    """How numpy arrays get into a library and back, and how many examples a law tries there."""

    name: str
    array: Callable[[Any], Any]
    host: Callable[[Any], np.ndarray]
    tries: int | None = 8

    @property
    def examples(self) -> Any:
        """The decorator of a law drawn by hypothesis."""
        return settings() if self.tries is None else settings(max_examples=self.tries)

    def run(self, function: Callable[..., Any], *arrays: Any, **options: Any) -> np.ndarray:
        """Call a function on arrays of the library; the result must be one of the library too, and comes back."""
        given = [self.array(np.asarray(x)) for x in arrays]
        found = function(*given, **options)
        assert self.name == "numpy" or type(found) is type(given[0]), (function, type(found))
        return self.host(found)


def _dask(module: Any) -> Library:
    def array(x: np.ndarray) -> Any:
        return module.from_array(x, chunks=tuple(max(1, (n + 1) // 2) for n in x.shape))

    return Library("dask", array, lambda x: np.asarray(x.compute(scheduler="sync")), tries=2)


def _torch(module: Any) -> Library:
    device = "cuda" if module.cuda.is_available() else "cpu"
    return Library("torch", lambda x: module.asarray(x.copy(), device=device), lambda x: x.cpu().numpy())


def _jax(module: Any) -> Library:
    module.config.update("jax_enable_x64", True)
    return Library("jax", module.numpy.asarray, np.asarray)


def _cupy(module: Any) -> Library:
    try:
        found = module.cuda.runtime.getDeviceCount()
    except Exception as error:  # without a driver cupy raises an error of its own
        pytest.skip(f"cupy finds no GPU: {error}")
    if found == 0:
        pytest.skip("cupy finds no GPU")
    return Library("cupy", module.asarray, module.asnumpy)


def named(name: str) -> Library:
    """A library; a test that asks for one that does not import is skipped."""
    if name == "numpy":
        return Library("numpy", np.asarray, np.asarray, tries=None)
    try:
        module = importlib.import_module({"dask": "dask.array"}.get(name, name))
        importlib.import_module("array_api_compat")
    except ImportError as error:
        pytest.skip(f"{name} does not import: {error}")
    makers: dict[str, Callable[[Any], Library]] = {"dask": _dask, "torch": _torch, "jax": _jax, "cupy": _cupy}
    strict = Library(name, lambda x: module.asarray(x.copy()), np.asarray)
    return makers[name](module) if name in makers else strict
