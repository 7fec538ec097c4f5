"""Where the mechanisms of today answer one question differently: every such difference has a name and a count."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from frozen import store
from frozen.columns import FILES, rows_of
from frozen.structures import ASKED, FIELDS, METHODS, Structure


def of_laws(method: str) -> str:
    """The name of a difference between a law and the same law as trees ask for it."""
    return "levels are listed, or drawn" if method == "exact" else "subsets of levels, or prefixes"


def named(part: str) -> dict[str, int]:
    """The differences of the table, with their counts."""
    return {entry["name"]: entry["count"] for entry in store.table("between") if entry["part"] == part}


@pytest.mark.slow
def test_the_two_laws_differ_where_it_is_said() -> None:
    found, counts = store.laws().astype(float), Counter[str]()
    for row in found:
        of = dict(zip(FIELDS, row.tolist(), strict=True))
        for score in ASKED:
            if not store.same(of[f"best_split.surprise({score})"], of[f"column_law.surprise({score})"], 1e-5):
                counts[of_laws(METHODS[int(of["method"])])] += 1
    assert dict(counts) == named("laws")


def of_choices(s: Structure, tested: tuple[float, float], calibrated: tuple[float, float]) -> str:
    """The name of a difference between the splits, column and rows left, of a tested tree and of calibrated columns."""
    if np.isnan(tested[0]) and not np.isnan(calibrated[0]):
        return "every order scores alike"
    if s.rule == "quantiles":
        return "quantiles, or the variance"
    if tested[0] != calibrated[0]:
        return "another column"
    return "the sides exchanged" if tested[1] + calibrated[1] == len(s.y) else "prefixes, or subsets of levels"


@pytest.mark.slow
def test_tested_trees_and_calibrated_ones_split_alike_but_where_it_is_said() -> None:
    found, counts = store.laws().astype(float), Counter[str]()
    places = [[FIELDS.index(f"{by}.{part}") for part in ("column", "left")] for by in ("selective", "calibrated")]
    for number, row in enumerate(found):
        tested, calibrated = (tuple(row[place].tolist()) for place in places)
        if not all(store.same(a, b, 0) for a, b in zip(tested, calibrated, strict=True)):
            counts[of_choices(Structure.of(number), tested, calibrated)] += 1
    assert dict(counts) == named("choices")


def of_doors(category: bool, of_table: bool, labels: int) -> str:
    """The name of a difference of a ranking from ``split_test``, about the same rows of a column."""
    if category:
        return "a table, or its best subset" if of_table else "a subset by ranks alone, or joined with exact tests"
    return "many labels that are numbers" if labels > 20 else "other permutations"


@pytest.mark.slow
def test_three_doors_give_one_p_but_where_it_is_said(data: Path) -> None:
    counts, sizes = Counter[str](), {name: len(set(rows_of(data, name)[2].tolist())) for name in FILES}
    for (file, _), answers in store.columns().items():
        split, selected, ranked, of_subset = answers[8:]
        category = math.isnan(selected)
        if not category and not store.same(split, selected, store.ROUNDING, 0.0):
            counts["selected_score: " + of_doors(False, False, sizes[file])] += 1
        if not store.same(split, ranked, store.ROUNDING, 0.0):
            counts["rank_features: " + of_doors(category, True, sizes[file])] += 1
        if category and not math.isnan(of_subset) and not store.same(split, of_subset, store.ROUNDING, 0.0):
            counts["rank_features: " + of_doors(True, False, sizes[file])] += 1
    assert dict(counts) == named("doors")
