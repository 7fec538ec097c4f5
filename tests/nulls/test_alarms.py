"""Alarms of rows that are not independent: exact tails by enumeration, false alarms in made sets, true ones."""

from itertools import combinations
from math import exp

import numpy as np
import pytest

from splitcrit.nulls import alarms as module
from splitcrit.nulls.alarms import log_tail_of_runs, row_keys


def places(columns: list[np.ndarray]) -> list[np.ndarray]:
    """The place of each row's value in columns."""
    return [np.unique(column, return_inverse=True)[1] for column in columns]


def alarms(columns: list[np.ndarray], labels: np.ndarray) -> tuple[str, ...]:
    return module.alarms(places(columns), labels)


def test_the_tail_of_runs_by_all_orders() -> None:
    for a, b in ((1, 1), (2, 3), (4, 4), (5, 3)):
        runs = []
        for ones in combinations(range(a + b), a):
            label = np.isin(np.arange(a + b), ones)
            runs.append(1 + np.count_nonzero(np.diff(label)))
        for r in range(2, a + b + 1):
            assert exp(log_tail_of_runs(r, a, b)) == pytest.approx(np.mean(np.array(runs) <= r), abs=1e-12)


def test_rows_have_equal_keys_where_all_columns_are_equal() -> None:
    x = np.array([[0.0, 1.0], [-0.0, 1.0], [1.0, 0.0], [np.nan, 1.0], [np.nan, 1.0]])
    keys = row_keys(places(list(x.T)))
    assert keys[0] == keys[1] != keys[2]
    assert keys[3] == keys[4] != keys[0]


def oversampled(seed: int) -> tuple[list[np.ndarray], np.ndarray]:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(400, 8)), (rng.random(400) < 0.1).astype(int)
    rare = np.flatnonzero(y)
    rows = np.append(np.arange(400), rng.choice(rare, 400 - 2 * len(rare)))
    rows = rng.permutation(rows)[: len(rows) // 2]
    return list(x[rows].T), y[rows]


def test_an_oversampled_half_and_forty_patients_raise_alarms() -> None:
    assert all("exact copies" in alarms(*oversampled(seed))[0] for seed in range(8))
    rng = np.random.default_rng(0)
    g = np.repeat(np.arange(40), 5)
    x, p = rng.normal(size=(40, 3))[g], rng.integers(0, 2, 40)[g]
    y = np.where(rng.random(200) < 0.1, 1 - p, p)
    repeats, serial = alarms(list(x.T), y)
    assert "160 of 200 rows repeat" in repeats
    assert "3 columns" in serial


@pytest.mark.parametrize("design", ["age", "five-valued", "noise", "few"])
def test_false_alarms_in_independent_rows(design: str) -> None:
    """At most .001 of made sets; beyond 3 of 400 have probability .0008."""
    fired = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        if design == "age":
            x = [rng.integers(18, 90, 300)]
            y = (x[0] > 50).astype(int)
        elif design == "five-valued":
            x = list(rng.integers(0, 5, (300, 4)).T)
            y = (x[0] + x[1] > 4).astype(int)
        elif design == "noise":
            x, y = list(rng.integers(0, 300, (100, 2)).T), rng.integers(0, 2, 100)
        else:
            x, y = list(rng.integers(0, 2, (200, 6)).T), rng.integers(0, 3, 200)
        fired += bool(alarms(x, y))
    assert fired <= 3


def test_labels_unrelated_to_which_rows_recur_raise_no_alarm() -> None:
    """Copies of features alone: the third condition, seen to matter, for without it all of them fire."""
    fired = without = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=(60, 3)).repeat(2, axis=0)
        found, y = places(list(x.T)), rng.integers(0, 2, 120)
        fired += module.recurring_rows(found, y)[0] > 0
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "_alike_beyond_chance", lambda *_: True)
            without += module.recurring_rows(found, y)[0] > 0
    assert fired <= 2
    assert without == 100


def test_a_city_and_its_population_fire_wrongly() -> None:
    """The named design: one column decides all others and the label, and rows are independent."""
    rng = np.random.default_rng(0)
    city = rng.integers(0, 60, 400)
    population, region = rng.permutation(60)[city], rng.integers(0, 2, 60)[city]
    assert "exact copies" in alarms([city, population], region)[0]


def test_serial_order_of_both_sides_and_not_of_one() -> None:
    rng = np.random.default_rng(0)
    walk = rng.normal(size=300).cumsum()
    state = (rng.normal(size=300).cumsum() > 0).astype(int)
    assert module.is_serial(*places([walk]))
    assert any("Neighbouring" in said for said in alarms([walk], state))
    assert not alarms([rng.normal(size=300)], state)
    assert not alarms([walk], rng.integers(0, 2, 300))
    assert not alarms([np.sort(walk)], state)  # rows sorted by a column
    order = np.argsort(state, kind="stable")
    assert not alarms([walk[order]], state[order])


def test_as_many_recurring_rows_as_there_are_take_little_memory_and_time() -> None:
    x = np.random.default_rng(0).normal(size=(30_000, 3)).repeat(2, axis=0)
    assert "30000 of 60000" in alarms(list(x.T), x[:, :1] + 0.0)[0]


def test_responses_of_several_columns_and_names_are_labels() -> None:
    x = np.random.default_rng(0).normal(size=(40, 3)).repeat(2, axis=0)
    times = np.array([(float(i), i % 2 == 0) for i in range(40)], dtype=[("time", float), ("event", bool)]).repeat(2)
    words = np.array(list("abcd") * 10, dtype=object).repeat(2)
    for labels in (np.stack([x[:, 0], x[:, 1] ** 2], axis=1), times, words):
        assert "exact copies" in alarms(list(x.T), labels)[0]
