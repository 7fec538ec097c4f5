"""Counting that is killed and goes on: the same numbers as without, and no row read twice that was kept."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from refusals import refused
from splitcrit.cli import main
from splitcrit.columns import rank_features
from splitcrit.data import csv_files, partial_counts, resume, row_parts, sources
from splitcrit.data import sources as files
from splitcrit.data.formats import FileOptions
from splitcrit.data.partial_counts import CountingPlan, Partial, as_names
from splitcrit.data.resume import read_partial, write_partial
from splitcrit.table import Tables

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pq = pytest.importorskip("pyarrow.parquet")

FILES, ROWS = 5, 400


class Killed(Exception):
    """A run that ends in the middle."""


def frame() -> Any:
    rng = np.random.default_rng(0)
    n = FILES * ROWS
    label = rng.integers(0, 3, n)
    found = pd.DataFrame({
        "float": rng.normal(size=n) + 0.2 * label, "few": rng.integers(0, 4, n), "many": rng.integers(0, 10**9, n),
        "word": rng.choice(["u", "v", "w x"], n), "number as text": rng.integers(0, 500, n).astype(str),
        "late word": [*map(str, range(n - 1)), "end"], "flag": rng.random(n) < 0.5,
        "day": np.datetime64("2020-01-01") + rng.integers(0, 900, n).astype("timedelta64[D]"),
        "class": np.array(["p", "q", "r"])[label],
    })  # fmt: skip
    found.loc[::7, "float"] = np.nan
    found.loc[::5, "word"] = None
    return found


def parts(whole: Any) -> list[Any]:
    return [whole[i * ROWS : (i + 1) * ROWS] for i in range(FILES)]


def as_parquet(folder: Path) -> Path:
    folder.mkdir()
    for i, part in enumerate(parts(frame())):
        table = pa.Table.from_pandas(part, preserve_index=False)
        pq.write_table(table, folder / f"part-{i}.parquet", row_group_size=150)
    return folder


def as_csv(folder: Path) -> Path:
    folder.mkdir()
    for i, part in enumerate(parts(frame())):
        part.to_csv(folder / f"part-{i}.csv{'.gz' * (i % 2)}", index=False)
    return folder


FORMATS: dict[str, Callable[[Path], Path]] = {"parquet": as_parquet, "csv": as_csv}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells that hold several values, pieces and batches that do not end with files."""
    monkeypatch.setattr(partial_counts, "CELLS", 700)
    monkeypatch.setattr(row_parts, "BATCH", 130)
    monkeypatch.setattr(csv_files, "BYTES", 2**13)


def content(found: Tables) -> Any:
    return found.rows, found.tables, found.cuts, found.left_out, found.columns


@pytest.fixture(params=FORMATS)
def data(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return FORMATS[request.param](tmp_path / "rows")


def counted(data: Any, **options: Any) -> Any:
    return content(Tables.of(data, "class", missing="row", bins=4, max_values=900, **options))


def killed_after(rows: int) -> Callable[[int, int | None], None]:
    seen = 0

    def watch(done: int, total: int | None) -> None:
        nonlocal seen
        seen += 1
        if seen * 130 > rows:
            raise Killed

    return watch


def test_files_in_parts_are_the_rows_in_memory(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bitwise, by the same cuts, in whatever batches."""
    whole = frame()
    if any(data.glob("*.csv*")):  # where a truth value is a text, and what is guessed about texts is noted
        whole = data
    expected = counted(whole)
    ranked = rank_features(whole, "class", measure="sgini", bins=4)
    monkeypatch.setattr(sources, "HELD", 0)
    assert counted(data) == expected == counted(sorted(data.iterdir())) == counted([str(data)])
    assert expected[2].keys() >= {"float", "many"} and expected[4]["float"].merged and expected[3] == ("late word",)
    ours = rank_features(data, "class", measure="sgini", bins=4)
    assert ours.scores.tobytes() == ranked.scores.tobytes() and ours.names == ranked.names
    assert ours.remarks == ranked.remarks


@pytest.mark.parametrize("rows", [100, 900, 1900])
def test_a_killed_run_goes_on_with_the_same_tables(data: Path, rows: int, tmp_path: Path) -> None:
    expected, kept = counted(data), tmp_path / "kept"
    with pytest.raises(Killed):
        counted(data, watch=killed_after(rows), resume=kept)
    assert counted(data, resume=kept) == expected == counted(data, resume=str(kept))


DYING = """
import os, signal, sys
from splitcrit.data import csv_files, partial_counts, row_parts
from splitcrit.table import Tables

partial_counts.CELLS, row_parts.BATCH, csv_files.BYTES = 700, 130, 2**13

def watch(rows, total):
    if rows > 1300:
        os.kill(os.getpid(), signal.SIGKILL)

Tables.of(sys.argv[1], "class", missing="row", bins=4, max_values=900, resume=sys.argv[2], watch=watch)
"""


def test_a_process_that_is_killed_leaves_whole_counts(data: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    done = subprocess.run([sys.executable, "-c", DYING, str(data), str(kept)], capture_output=True)
    assert done.returncode == -signal.SIGKILL
    assert sorted(file.name for file in kept.iterdir() if file.suffix == ".npz") == ["values.npz"]
    started = list[int]()
    assert counted(data, resume=kept, watch=lambda rows, total: started.append(rows)) == counted(data)
    assert started[0] >= 800


def test_what_was_counted_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, kept, read = as_parquet(tmp_path / "rows"), tmp_path / "kept", list[str]()
    batches = files._read

    def watched(fragment: Any, *given: Any, **types: Any) -> Any:
        read.append(str(fragment))
        return batches(fragment, *given, **types)

    monkeypatch.setattr(files, "_read", watched)
    counted(data)
    whole = len(read)
    assert whole == sum(pq.ParquetFile(file).num_row_groups for file in data.iterdir())
    read.clear()
    with pytest.raises(Killed):
        counted(data, watch=killed_after(1000), resume=kept)
    first = len(read)
    counted(data, resume=kept)
    assert first < len(read) <= whole + 1  # the piece in which the run was killed is read again
    read.clear()
    counted(data, resume=kept)
    assert read == []


def test_the_kinds_of_csv_columns_are_found_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, kept = as_csv(tmp_path / "rows"), tmp_path / "kept"
    counted(data, resume=kept)
    expected = counted(data)
    monkeypatch.setattr(resume, "csv_formats", None)
    assert counted(data, resume=kept) == expected
    with pytest.raises(ValueError, match="a resumed count must have the same arguments; got other arguments than in"):
        counted(data, resume=kept, files=FileOptions(decimal=","))


def test_changed_files_are_noticed(data: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    counted(data, resume=kept)
    first = sorted(data.iterdir())[0]
    shutil.copy(first, tmp_path / "aside")
    raw = bytearray(first.read_bytes())
    raw[len(raw) // 2] ^= 1
    stat = first.stat()
    first.write_bytes(raw)
    os.utime(first, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # of equal size and time, for which the ends are compared
    refused(rf"files must be the same in every run; got a change of {first}; delete", counted, data, resume=kept)
    shutil.copy2(tmp_path / "aside", first)
    os.utime(first, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    counted(data, resume=kept)
    os.utime(first, ns=(0, 0))
    refused("must be the same in every run", counted, data, resume=kept)
    first.unlink()
    refused(rf"the same in every run; got a change of {first}; delete {kept} to start", counted, data, resume=kept)


def test_other_mistakes_of_resumption(tmp_path: Path) -> None:
    data, kept = as_parquet(tmp_path / "rows"), tmp_path / "kept"
    counted(data, resume=kept)
    with pytest.raises(ValueError, match=r"the same arguments; got other arguments than in .*values.npz; pas"):
        Tables.of(data, "class", missing="row", bins=4, max_values=800, resume=kept)
    other = Tables.of(data, "class", missing="row", bins=5, max_values=900, resume=kept)  # of the same counts
    assert content(other) == content(Tables.of(data, "class", missing="row", bins=5, max_values=900))
    refused("must have the same arguments", counted, data, resume=kept, drop=["few"])
    for na_values in (["?"], [-1]):
        refused("must have the same arguments", counted, data, resume=kept, na_values=na_values)
    refused("resume= works on files; got DataFrame; pass paths", counted, frame(), error=TypeError, resume=kept)
    with pytest.raises(TypeError, match="must be one of their columns; got a label of type list; pass the name"):
        Tables.of([[1], [2]], [0, 1], resume=kept)
    for broken in (b"PK\x03\x04 and no more", b"", (kept / "values.npz").read_bytes()[:-40]):
        (kept / "values.npz").write_bytes(broken)
        refused(r"saved counts must be intact; got .*values.npz: .*; delete it", counted, data, resume=kept)
    (kept / "files.json").write_text("{")
    refused(r"saved counts must be intact; got .*files.json", counted, data, resume=kept)
    refused("resume= takes a folder; got int; pass its path", counted, data, error=TypeError, resume=3)
    (tmp_path / "a file").touch()
    refused("results must be written to a file", counted, data, error=OSError, resume=tmp_path / "a file")


NAMES = [True, "text", "", "\x00", "ü\ud800", 2**70, -1, 0.1, float("inf"), b"\xff\x00",
         np.datetime64("2020-01-01", "D"), np.datetime64("1969-12-31T23:59:59.999999", "us"),
         np.timedelta64(-5, "ms")]  # fmt: skip


def test_counts_are_read_as_they_were_written(tmp_path: Path) -> None:
    plan = CountingPlan("y", {"x": 99, "s": 99})
    total, names = Partial(plan), as_names(NAMES)
    total.classes.put(as_names(["p", "q"]), np.array([[4], [5]]), np.array([0]))
    total.tallies["x"].put(names, np.arange(2 * len(NAMES)).reshape(-1, 2), np.array([0, 3]))
    total.tallies["x"].declare(("b", "a"))
    total.rows, total.unlabelled = 9, 4
    write_partial(tmp_path / "counts.npz", total, {"pieces": 3, "digest": "d"})
    told = read_partial(tmp_path / "counts.npz", found := Partial(plan), "d")
    assert told["pieces"] == 3 and (found.rows, found.unlabelled) == (9, 4)
    assert found.classes.named() == total.classes.named()
    for ours, theirs in zip(found.tallies["x"].values, NAMES, strict=True):
        assert type(ours) is type(theirs) and ours == theirs and repr(ours) == repr(theirs)
    assert found.tallies["x"].counts.tolist() == np.arange(2 * len(NAMES)).reshape(-1, 2).tolist()
    assert found.tallies["x"].gaps.tolist() == [0, 3] and not len(found.tallies["s"].values)
    assert found.tallies["x"].declared == ("b", "a")
    with pytest.raises(ValueError, match="saved counts must be intact"):
        read_partial(tmp_path / "counts.npz", Partial(CountingPlan("y", {"x": 99})), "d")
    refused("resume= keeps numbers, strings, booleans and dates; got complex", resume.plain, 1j, error=TypeError)


def test_counts_are_written_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files so small that there are many: as many writings as the rows have doublings, each eight times."""
    folder, times = tmp_path / "rows", list[int]()
    folder.mkdir()
    for i in range(60):
        (folder / f"{i:02}.csv").write_text("x,y\n" + "1,a\n2,b\n" * 5)
    write = resume.write_partial
    monkeypatch.setattr(resume, "write_partial", lambda *given: (times.append(given[1].rows), write(*given)))
    Tables.of(folder, "y", resume=tmp_path / "kept")
    assert times[:8] == [10, 20, 30, 40, 50, 60, 70, 80] and times[-1] == 600 and len(times) < 30
    times.clear()
    monkeypatch.setattr(resume, "SPACING", 20)
    Tables.of(folder, "y", resume=tmp_path / "again")
    assert times == [10, *range(20, 600, 20), 600] or set(np.diff(times)) <= {10, 20}


def test_the_command_resumes(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["rank", *map(str, sorted(data.iterdir())), "--target", "class", "--resume", str(tmp_path / "kept")]
    assert main(call) == 0
    first = capsys.readouterr()
    assert first.out.startswith("feature") and (tmp_path / "kept" / "values.npz").exists()
    assert main(call) == 0 and capsys.readouterr() == first
    assert main(["rank", str(data), str(tmp_path / "nowhere"), "--target", "class"]) == 2
    assert "the data must exist; got" in capsys.readouterr().err
