"""The order of test files, and the times that decide it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

import durations


def test_what_takes_longest_runs_first() -> None:
    items = [SimpleNamespace(nodeid=name) for name in ("short::b", "short::a", "long::a", "new::a", "long::b")]
    found = durations.longest_first(items, {"short": 1.0, "long": 9.0, "gone": 30.0})  # type: ignore[arg-type]
    assert [item.nodeid for item in found] == ["long::a", "long::b", "new::a", "short::b", "short::a"]


def test_the_last_run_says_more_than_what_is_committed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, last = tmp_path / "first.json", tmp_path / "last.json"
    monkeypatch.setattr(durations, "DURATIONS", [first, last])
    for path, text, times in ((first, '{"a": 1, "b": 2}', {"a": 1, "b": 2}), (last, '{"b": 3}', {"a": 1, "b": 3})):
        path.write_text(text)
        assert durations.durations() == times


def test_times_add_up_by_file() -> None:
    clock = iter([1.0, 3.0, 3.5, 4.5])
    watch = durations.Durations(lambda: next(clock))
    for name in ("a::x", "a::y", "b::x"):
        hook = watch.pytest_runtest_makereport()
        next(hook)
        with pytest.raises(StopIteration) as made:
            hook.send(SimpleNamespace(nodeid=name, user_properties=[]))  # type: ignore[arg-type]
        watch.pytest_runtest_logreport(made.value.value)
    assert watch.took == {"a": 2.5, "b": 1.0}
