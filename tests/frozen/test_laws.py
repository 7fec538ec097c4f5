"""The four laws of the best split of a column, against their frozen answers of 2,000 structures."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from frozen import store
from frozen.elsewhere import elsewhere
from frozen.structures import BEST_SPLIT, FIELDS, Structure, answers

STEP = 10  # every such structure is asked about by the fast tests


def found_in(numbers: Iterable[int]) -> list[store.Difference]:
    """The differences of some structures."""
    frozen, found = store.laws(), list[store.Difference]()
    for number in numbers:
        now, gone = np.array(answers(number), np.float32), Structure.of(number).rule == "quantiles"
        there = [i for i, field in enumerate(FIELDS) if not (gone and field.startswith("selective"))]
        before, fields = frozen[number][there].tolist(), [FIELDS[i] for i in there]
        found += store.compared(f"structure {number}", fields, before, now[there].tolist(), store.RELATIVE)
    return found


def said(differences: list[store.Difference]) -> list[str]:
    """The differences with the structures that they are of."""
    return [f"{each}; {Structure.of(int(each.name.split()[1].rstrip(':'))).shown()}" for each in differences]


@pytest.mark.parametrize("step", [STEP, pytest.param(1, marks=pytest.mark.slow)])
def test_the_laws_are_those_frozen(step: int) -> None:
    assert said(store.unknown(found_in(range(0, len(store.laws()), step)))) == []


@pytest.mark.parametrize("step", [100, pytest.param(20, marks=pytest.mark.slow)])
def test_the_law_of_numpy_is_the_same_where_nothing_else_is_installed(step: int) -> None:
    frozen, fields = store.laws(), BEST_SPLIT
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


def changed(number: int, field: str, to: Any, monkeypatch: pytest.MonkeyPatch) -> list[store.Difference]:
    frozen = store.laws().copy()
    frozen[number, FIELDS.index(field)] = to
    monkeypatch.setattr(store, "laws", lambda: frozen)
    return found_in([number])


@pytest.mark.parametrize("field", FIELDS)
def test_another_answer_is_seen(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    number = next(n for n in range(100) if np.isfinite(store.laws()[n]).all())
    value = float(store.laws()[number, FIELDS.index(field)])
    (one,) = changed(number, field, value * 1.00001 + 1e-4, monkeypatch)
    assert one.name == f"structure {number}: {field}"
