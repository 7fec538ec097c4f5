"""The loops behind p-values and noise: lattice paths, tables, corrections, draws that stop, noisy majorities."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator
from typing import Any

from splitcrit.noise import transitions
from splitcrit.nulls import exact, monte_carlo, multiple, paths
from splitcrit.proofs.rocq.loops import Called, Loop
from splitcrit.robustness import laws, majority, published_bounds, sample_sizes

BOUNDS = {"lower": "list[int]", "upper": "list[int]"}
FILLINGS = Called("fillings", (("seq", "int"), ("seq", "int"), "int"), "R")  # any number: it bounds the work
CEIL = Called("ceil", ("R",), "int")  # what it does is a hypothesis of theorems


def loops() -> Iterator[Loop]:
    """Yield the printed functions, each after those that it calls.

    What refuses an argument of a correction that is no p-value is a premise of the theorems, and is not printed.
    """
    known: dict[Any, Any] = {exact.fillings: FILLINGS, math.ceil: CEIL}

    def printed(function: Any, **more: Any) -> Loop:
        loop = Loop(inspect.unwrap(function), f"py_{function.__name__.removeprefix('_')}", known, **more)
        known[function] = loop.as_called
        return loop

    yield printed(paths.chance_of_leaving, annotated=BOUNDS)
    yield printed(multiple.bonferroni)
    yield printed(multiple.holm)
    yield printed(multiple.benjamini_hochberg)
    yield printed(multiple.benjamini_yekutieli)
    yield printed(exact._moves)
    yield printed(exact.joined, changes=frozenset({"sums"}))
    yield printed(exact.law_by_rows)
    yield printed(exact.arrangements)
    yield printed(exact.exact_tail)
    yield printed(monte_carlo.stopped_pvalue)
    yield printed(monte_carlo.permutation_pvalue, annotated={"reached": "int"}, gives="float")
    tally = {"drawn": "int", "kept": "int", "exceeding": "int", "stopped": "bool"}
    known[monte_carlo.PermutationTally] = Called("py_tally", tuple(tally.values()), ("tuple", *tally.values()))
    values = {"values": "list[list[nan]]", "enough": "int"}
    yield printed(monte_carlo.tallied, annotated=values, gives="tuple[int, int, int, bool]")
    fget: Any = vars(monte_carlo.PermutationTally)["pvalue"].fget
    yield Loop(fget, "py_tally_pvalue", known, gives="float", fields=tally)
    for channel, name in ((transitions.Symmetric, "py_symmetric_rows"), (transitions.PairFlip, "py_pair_flip_rows")):
        yield Loop(channel.__call__, name, known, gives="list[list[float]]", fields={"eta": "float"})
    yield printed(laws.binomial_weights)
    yield printed(majority.chance_of_at_most)
    yield printed(published_bounds.noisy_margin)
    yield printed(sample_sizes.size_for)
