"""Answers do not depend on the order of rows, columns and classes, nor on names and containers."""

import zlib
from collections.abc import Callable

import numpy as np
import pytest

import relations
from relations import ASKED, SCORED, Asked, Scored

ROUNDS = 30  # of the slow part


def seeds(name: str, rounds: int) -> range:
    """Some seeds of a name, which other names do not have."""
    first = zlib.crc32(name.encode()) % 10**6
    return range(first, first + rounds)


@pytest.mark.parametrize("rounds", [1, pytest.param(ROUNDS, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ASKED)
def test_an_answer_does_not_depend_on_how_the_data_are_written(name: str, rounds: int) -> None:
    drawn = seeds(name, rounds * ASKED[name].draws)
    assert [found for seed in drawn for found in relations.differences(name, seed)] == []


@pytest.mark.parametrize("rounds", [1, pytest.param(ROUNDS, marks=pytest.mark.slow)])
def test_a_score_does_not_depend_on_how_the_table_is_written(rounds: int) -> None:
    for name in SCORED:
        assert [found for seed in seeds(name, rounds) for found in relations.table_differences(name, seed)] == []


# The engine sees what depends on something.

PLANTED: dict[str, tuple[str, Callable[[relations.Data], object]]] = {
    "rows": ("all", lambda data: data.y[0] + 10 * data.y[1] + 100 * data.y[2] + 1000 * data.y[3]),
    "columns": ("columns", lambda data: np.arange(len(data.names))),
    "names": ("text", lambda data: f"{data.names[0]} {data.names[0].count('o')}"),
    "labels": ("all", lambda data: float(data.y[0] == 0)),
    "monotone": ("all", lambda data: np.nanmean(data.x)),
    "negated": ("all", lambda data: np.nanmax(data.x)),
    "float32": ("all", lambda data: float("float32" in str(getattr(data.features, "dtypes", "")))),
}


@pytest.mark.parametrize("change", PLANTED)
def test_an_answer_that_depends_on_something_is_seen(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    by, of = PLANTED[change]
    monkeypatch.setitem(ASKED, "planted", Asked(of, by, (change,)))
    assert any([*relations.differences("planted", seed)] for seed in range(5))


def test_a_score_that_depends_on_an_order_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    for change in ("rows", "classes"):
        monkeypatch.setitem(SCORED, "planted", Scored(lambda table: np.asarray(table)[0, 0], changes=(change,)))
        assert any([*relations.table_differences("planted", seed)] for seed in range(5))
