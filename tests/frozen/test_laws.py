"""The four laws of the best split of a column, against their frozen answers of 2,000 structures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from frozen import store
from frozen.elsewhere import elsewhere
from frozen.structures import FIELDS, MECHANISMS, METHODS, Structure, answers

STEP = 10  # every such structure is asked about by the fast tests


def found_in(numbers: Iterable[int]) -> list[store.Difference]:
    """The differences of some structures."""
    frozen, found = store.laws(), list[store.Difference]()
    for number in numbers:
        now = np.array(answers(number), np.float32).tolist()
        found += store.compared(f"structure {number}", FIELDS, frozen[number].tolist(), now, store.RELATIVE)
    return found


def said(differences: list[store.Difference]) -> list[str]:
    """The differences with the structures that they are of."""
    return [f"{each}; {Structure.of(int(each.name.split()[1].rstrip(':'))).shown()}" for each in differences]


@pytest.mark.parametrize("step", [STEP, pytest.param(1, marks=pytest.mark.slow)])
def test_the_laws_are_those_frozen(step: int) -> None:
    pytest.importorskip("numba")
    assert said(store.unknown(found_in(range(0, len(store.laws()), step)))) == []


@pytest.mark.parametrize("step", [100, pytest.param(20, marks=pytest.mark.slow)])
def test_the_law_of_numpy_is_the_same_where_nothing_else_is_installed(step: int) -> None:
    frozen, fields = store.laws(), MECHANISMS["best_split"]
    now = elsewhere("base", "laws", Path(), [str(number) for number in range(0, len(frozen), step)])
    found = [
        each
        for number, values in now.items()
        for each in store.compared(
            f"structure {number}", fields, frozen[int(number)][: len(fields)].tolist(),
            np.array(values[: len(fields)], np.float32).tolist(), store.RELATIVE,
        )
    ]  # fmt: skip
    assert said(store.unknown(found)) == []


def test_structures_are_of_every_kind() -> None:
    all_of_them = [Structure.of(number) for number in range(2000)]
    kinds = {(s.ordered, s.missing > 0, s.classes, s.rule, s.least) for s in all_of_them}
    assert len(kinds) == 2 * 2 * 6 * 3  # classes 2 to 5, and responses by two rules, with three leaves
    assert {len(s.sizes) - (s.missing > 0) for s in all_of_them} == set(range(2, 13))
    found = store.laws()
    assert {METHODS[int(code)] for code in found[:, FIELDS.index("method")]} == set(METHODS)
    for name in ("selective.column", "calibrated.column"):
        chosen = found[:, FIELDS.index(name)]
        assert all((chosen == column).sum() > 400 for column in range(3)) and np.isnan(chosen).sum() < 100
    assert len(FIELDS) == sum(map(len, MECHANISMS.values())) == found.shape[1]


def changed(number: int, field: str, to: Any, monkeypatch: pytest.MonkeyPatch) -> list[store.Difference]:
    frozen = store.laws().copy()
    frozen[number, FIELDS.index(field)] = to
    monkeypatch.setattr(store, "laws", lambda: frozen)
    return found_in([number])


@pytest.mark.parametrize("field", FIELDS)
def test_another_answer_is_seen(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    number = next(n for n in range(100) if np.isfinite(store.laws()[n]).all())
    value = float(store.laws()[number, FIELDS.index(field)])
    (one,) = changed(number, field, value * 1.00001 + 1e-4, monkeypatch)
    assert one.name == f"structure {number}: {field}"
