"""Corruptions of the library, one spot each, and what is left standing of chosen theorems when one is in place.

A corruption rewrites one snippet of the source of one function and gives the function object the new code, so that
every name under which the function is known is corrupted at once. Processes are fresh, one for each corruption.
"""

from __future__ import annotations

import inspect
import multiprocessing
import tomllib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import FunctionType
from typing import Any

from splitcrit.proof import Status
from splitcrit.proofs import catalogue
from splitcrit.proofs.ledger import entry, settled, verdict


@dataclass(frozen=True)
class Corruption:
    """One spot: a function ``module:name``, what stands there, what is put there, and the theorems that notice."""

    spot: str
    old: str
    new: str
    killers: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.spot.removeprefix('splitcrit.')}: {self.old} -> {self.new}"

    def function(self) -> FunctionType:
        """The function that holds the spot, without what checks its arguments."""
        module, _, name = self.spot.partition(":")
        found = plain(reduce(getattr, name.split("."), import_module(module)))
        assert isinstance(found, FunctionType)
        return found

    def apply(self) -> None:
        """Put the corruption in place, in this process for good."""
        function = self.function()
        source = dedent(inspect.getsource(function))
        assert source.count(self.old) == 1, f"{self}: the snippet stands {source.count(self.old)} times"
        names = dict(function.__globals__)
        exec(compile(source.replace(self.old, self.new), function.__code__.co_filename, "exec"), names)
        function.__code__ = plain(names[function.__name__]).__code__


def plain(found: Any) -> Any:
    """The function itself, of what checks its arguments or keeps its value."""
    return inspect.unwrap(getattr(found, "func", found))


def corruptions(part: str) -> list[Corruption]:
    """Read a part of the table of corruptions."""
    table = tomllib.loads((Path(__file__).parent / "proofs" / "corruptions.toml").read_text(encoding="utf-8"))
    return [
        Corruption(f"splitcrit.{spot}", old, new, tuple(killers.split(" or ")))
        for killers, spots in table[part].items() for spot, old, new in spots
    ]  # fmt: skip


def falls(corruption: Corruption) -> bool:
    """Whether a theorem among its killers no longer holds under a corruption; near-misses are settled where it does."""
    corruption.apply()
    theorems = [catalogue.collect()[key] for key in corruption.killers]
    return any(
        verdict(each.holds).status is not Status.PROVED or not entry(each, settled(each.key, None)).settled
        for each in theorems
    )


def survey(corruptions: list[Corruption]) -> Iterator[tuple[Corruption, bool]]:
    """Yield whether each corruption brings down one of its killers, each in a process of its own."""
    fork = "forkserver" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if fork else "spawn")
    context.set_forkserver_preload([module.__name__ for module in catalogue.modules()])
    with ProcessPoolExecutor(2, mp_context=context, max_tasks_per_child=1) as pool:
        running = [(c, pool.submit(falls, c)) for c in corruptions]
        yield from ((c, future.result()) for c, future in running)
