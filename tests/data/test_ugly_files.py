"""Files as people have them: the ranking of an ugly file is that of the clean table from which it was written."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from splitcrit import rank_features
from tests.data.ugly_files import CLEAN, FILES, TARGET, Clean, Ugly, columns_and_target, file
from tests.data.ugly_page import ROOT, SHOWN, rows_now, written

SAID = " ".join((ROOT / "docs" / "files-as-they-are.md").read_text(encoding="utf-8").split())

WORDS = {"categorical": "--as-text"}  # the words of the command line, where they are others
UNKNOWN = [name for name, ugly in FILES.items() if ugly.readings]
READ = ("name", "kind", "cut", "score", "gain", "share", "difference", "p", "log_p", "p_adjusted", "method",
        "standard_error", "null_mean", "null_sd", "statistic", "p_least")  # fmt: skip


def ranking(found: Any) -> list[tuple[Any, ...]]:
    """What a ranking says of the rows and of each column, the most important first, to the last digit."""
    features = [(*(getattr(f, name) for name in READ), f.column.values, f.column.missing) for f in found.features]
    return [(found.rows,), *features]


def expected(table: Clean, names: dict[str, str]) -> list[tuple[Any, ...]]:
    return ranking(rank_features(*columns_and_target(table, names)))


def guessed(ugly: Ugly) -> list[str]:
    """The columns of numbers and dates with texts that are no plain ones, under their names in the result."""
    measured = (name for name, values in ugly.table.columns.items() if not any(isinstance(x, str) for x in values))
    return [ugly.names.get(name, name) for name in measured if not all(map(is_plain, ugly.written.texts[name]))]


def is_plain(text: str) -> bool:
    for plain in (float, datetime.fromisoformat):
        with suppress(ValueError):
            plain(text)
            return True
    return not text


def ranked(path: Path, ugly: Ugly, options: dict[str, Any]) -> Any:
    path.write_bytes(ugly.written.data)
    return rank_features(path, **{"label": ugly.names.get(TARGET, TARGET), **ugly.options, **options})


def test_there_are_sixty_files_of_twelve_tables() -> None:
    assert len(FILES) == 60 and len(CLEAN) == 12 and len(UNKNOWN) <= 8


@pytest.mark.parametrize("name", CLEAN)
def test_a_clean_file_has_the_ranking_of_its_typed_values(tmp_path: Path, name: str) -> None:
    """Which tells columns apart: no two of them have one score, and one is informative."""
    found = ranked(tmp_path / "clean.csv", Ugly(file(CLEAN[name]), CLEAN[name]), {})
    assert ranking(found) == expected(CLEAN[name], {})
    assert len({*found.scores.tolist()}) == 4 and found.features[0].p < 1e-3


@pytest.mark.parametrize("name", [name for name in FILES if name not in UNKNOWN])
def test_an_ugly_file_has_the_ranking_of_the_clean_table(tmp_path: Path, name: str) -> None:
    found = ranked(tmp_path / "ugly.csv", FILES[name], {})
    assert ranking(found) == expected(FILES[name].table, FILES[name].names)
    unsaid = [column for column in guessed(FILES[name]) if not any(str(column) in line for line in found.remarks)]
    assert unsaid == []


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_values_alone_cannot_tell_is_said_and_can_be_decided(tmp_path: Path, name: str) -> None:
    ugly = FILES[name]
    try:
        told = ranked(tmp_path / "ugly.csv", ugly, {}).remarks
    except ValueError as error:
        told = [str(error)]
    options = [WORDS.get(option, f"--{option}") for chosen, _ in ugly.readings for option in chosen]
    sentence = [line for line in told if ugly.said in line and all(option in line for option in options)]
    assert len(sentence) == 1
    for chosen, table in ugly.readings:
        assert ranking(ranked(tmp_path / "ugly.csv", ugly, chosen)) == expected(table, ugly.names)


@pytest.mark.parametrize("names", [SHOWN, pytest.param(FILES, marks=pytest.mark.slow)])
def test_what_is_made_of_files_is_what_was_written(tmp_path: Path, names: Iterable[str]) -> None:
    rows = {row["file"]: row for row in written()}
    assert rows_now(names, tmp_path) == [rows[name] for name in names]
    plain = [name for name, ugly in FILES.items() if name not in UNKNOWN and not {*ugly.options} - {"label"}]
    assert [rows[name]["now"] for name in plain] == [rows[name]["clean"] for name in plain]
    assert f"Sixty ugly files, made from twelve clean ones, stand in the tests: {len(FILES) - len(UNKNOWN)}" in SAID


LOOKALIKES = {
    "articles": "A-{}", "houses": "{}/{}", "versions": "{}.{}.{}", "addresses": "10.0.{}.{}", "ranges": "{}-{}",
    "times won": "{}:{}", "sizes": "{}x{}", "telephones": "0{}/{}{}", "codes": "00{}", "years and months": "{}/2024",
    "hexadecimals": "0x{}", "digits joined": "{}_000", "formulas": "={}+{}", "grades": "{}+", "powers": "10^{}",
    "lists": "{},{},{}", "a unit and words": "{} per day and night", "two signs": "--{}",
    "a sign in parentheses": "(-{})", "two points": "{}..5", "a group of two": "{},00,00", "percent twice": "{} %%",
}  # fmt: skip


@pytest.mark.parametrize("name", LOOKALIKES)
def test_words_that_look_like_numbers_are_words(tmp_path: Path, name: str) -> None:
    cells = [LOOKALIKES[name].format(1 + i % 5, 1 + i % 7, 1 + i % 3) for i in range(40)]
    (path := tmp_path / "x.csv").write_text("x;y\n" + "".join(f"{x};{i * i % 7 < 3}\n" for i, x in enumerate(cells)))
    (only,) = rank_features(path, "y").features
    assert (only.kind, only.values) == ("category", len({*cells}))
