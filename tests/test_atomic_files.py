"""Files are written whole, with the permissions any new file gets, or not at all."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from splitcrit.atomic_files import write_json, write_text, writing


def test_a_file_is_written_whole_with_ordinary_permissions(tmp_path: Path) -> None:
    ordinary = tmp_path / "ordinary"
    ordinary.touch()
    write_json(tmp_path / "data.json", {"name": "µ"})
    assert json.loads((tmp_path / "data.json").read_text()) == {"name": "µ"}
    assert (tmp_path / "data.json").stat().st_mode == ordinary.stat().st_mode


def test_a_failure_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    write_text(path, "old")
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(path, {"x": math.nan})
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "\ud800")
    assert path.read_text() == "old" and [p.name for p in tmp_path.iterdir()] == ["data.json"]


def test_a_writer_that_fails_after_it_took_its_file_away_says_why_it_failed(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="why"), writing(tmp_path / "data") as part:
        part.unlink()
        raise RuntimeError("why")
    assert list(tmp_path.iterdir()) == []
