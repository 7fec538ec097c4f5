"""What happens to files when folders are missing, full or forbidden, or when earlier results are damaged."""

from __future__ import annotations

import errno
import json
import math
import os
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from refusals import refused
from reproductions import Experiment, Options, run
from reproductions.__main__ import main as reproduced
from reproductions.pictures import saved, told
from reproductions.results import Results, rows_of, save_summary
from splitcrit.atomic_files import ready, write_json, write_text, writing

CALLS: list[tuple[int, str]] = []


def work(task, options, rng):
    CALLS.append((task["n"], task["kind"]))
    return [{"part": part, "draw": float(rng.random())} for part in range(2)]


TASKS = [{"n": n, "kind": kind} for n in range(3) for kind in ("a", "b")]
TOY = Experiment("toy", "draws", ("n", "kind"), lambda options: TASKS, work)


def toy(folder, **options):
    CALLS.clear()
    run(TOY, Options(folder, **options), show=False)
    return (folder / "toy.csv").read_text()


def full(*args, **kwargs):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


# Writing.


def test_the_umask_is_never_touched(tmp_path, monkeypatch):
    """It belongs to the process: for a moment without one, files of other threads would be open to all."""
    monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("the umask was set"))
    write_text(tmp_path / "x.txt", "x")
    assert (tmp_path / "x.txt").read_text() == "x"


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_permissions_are_those_of_any_new_file(tmp_path, mask):
    before = os.umask(mask)
    try:
        write_json(tmp_path / "x.json", {"name": "µ"})
        (tmp_path / "ordinary").touch()
    finally:
        os.umask(before)
    assert (tmp_path / "x.json").stat().st_mode == (tmp_path / "ordinary").stat().st_mode
    assert json.loads((tmp_path / "x.json").read_text()) == {"name": "µ"}


def test_a_failure_leaves_the_old_file_and_nothing_beside_it(tmp_path):
    path = tmp_path / "data.json"
    write_text(path, "old")
    refused("not JSON compliant", write_json, path, {"x": math.nan})
    refused("surrogates not allowed", write_text, path, "\ud800", error=UnicodeEncodeError)
    assert path.read_text() == "old" and [p.name for p in tmp_path.iterdir()] == ["data.json"]


def test_a_writer_that_fails_after_it_took_its_file_away_says_why_it_failed(tmp_path):
    with pytest.raises(RuntimeError, match="why"), writing(tmp_path / "data") as part:
        part.unlink()
        raise RuntimeError("why")
    assert list(tmp_path.iterdir()) == []


def test_many_threads_write_one_file_whole(tmp_path):
    texts = [str(i) * 10_000 for i in range(8)]
    threads = [threading.Thread(target=write_text, args=(tmp_path / "x.txt", text)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (tmp_path / "x.txt").read_text() in texts and [p.name for p in tmp_path.iterdir()] == ["x.txt"]


FIGURE = SimpleNamespace(savefig=lambda path, **options: Path(path).write_bytes(b"drawn"))
WRITERS = {
    "text": lambda folder: write_text(folder / "x.txt", "text"),
    "json": lambda folder: write_json(folder / "x.json", [1]),
    "summary": lambda folder: save_summary([{"a": 1}], folder / "x.csv"),
    "results": lambda folder: Results(folder, "x", ("k",), {}, [{"k": 1}]).save(),
    "picture": lambda folder: saved(FIGURE, Options(folder), "x"),
    "words": lambda folder: told(["line"], Options(folder), "x"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_folder_that_cannot_be_is_named_in_one_sentence(tmp_path, name):
    (tmp_path / "file").write_text("no folder")
    caught = refused("results must be", WRITERS[name], tmp_path / "file" / "below", error=OSError)
    said = str(caught)
    assert said.startswith("results must be written to a file; got ") and str(tmp_path / "file" / "below") in said
    assert "Not a directory" in said and caught.errno == errno.ENOTDIR


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, name):
    WRITERS[name](tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr(Path, "write_text", full)
    monkeypatch.setattr(Path, "write_bytes", full)
    said = r"got .*x\.\w+.*: No space left on device; free some"
    caught = refused(said, WRITERS[name], tmp_path, error=OSError)
    monkeypatch.undo()
    assert caught.errno == errno.ENOSPC
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_folder_is_made_and_tried(tmp_path, monkeypatch):
    assert ready(tmp_path / "a" / "b") == tmp_path / "a" / "b"
    assert list((tmp_path / "a" / "b").iterdir()) == []
    with pytest.raises(FileNotFoundError, match=r"got .*nowhere.*: No such file or directory; free some"):
        write_text(tmp_path / "nowhere" / "x.txt", "x")


def test_a_folder_that_takes_no_files_is_refused_before_anything_is_computed(tmp_path, monkeypatch):
    def forbidden(*args, **kwargs):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    CALLS.clear()
    monkeypatch.setattr(os, "open", forbidden)
    refused(f"got {tmp_path}: Permission denied", run, TOY, Options(tmp_path), error=PermissionError, show=False)
    assert CALLS == []


@pytest.mark.parametrize(
    "words",
    [("figure3", "--quick", "--out", "file"), ("figure3", "--out", "file/below"), ("--list", "--json", "x.json")],
)
def test_commands_say_where_they_could_not_write(tmp_path, capsys, words):
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "x.json").mkdir()
    *asked, path = words
    assert reproduced(["wang2024", *asked, str(tmp_path / path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("splitcrit: ") and str(tmp_path / path) in said and said.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "x.json"]


# Resuming.


def test_wherever_a_file_is_cut_the_rest_is_done_again(tmp_path):
    """At every byte: what is whole is kept, and in the end all is as if nothing had happened."""
    whole = toy(tmp_path)
    assert len(CALLS) == 6
    for at in range(0, len(whole), 7):
        (tmp_path / "toy.csv").write_text(whole[:at])
        assert toy(tmp_path) == whole, at
    (tmp_path / "toy.csv").write_text(whole[: whole.rindex("\n", 0, -1) + 1])  # without its last line
    assert toy(tmp_path) == whole and CALLS == [(2, "b")]  # of whose task a row is missing
    (tmp_path / "toy.csv").write_text(whole[:-5])
    assert toy(tmp_path) == whole and CALLS == [(2, "b")]
    toy(tmp_path)
    assert CALLS == []


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda text: text.replace("0,a,0", "0,a,0,7"), "cells in row"),
        (lambda text: text.replace(",part", ""), "cells in row"),
        (lambda text: text.replace("kind", "sort"), "no column kind"),
        (lambda text: text.replace("0,a", '0,"a'), "expected after"),
        (lambda text: text.encode() + b"\xff\xfe\n", "can't decode byte"),
    ],
    ids=range(5),
)
def test_a_damaged_file_is_one_sentence_with_its_path(tmp_path, damage, said):
    damaged = damage(toy(tmp_path))
    path = tmp_path / "toy.csv"
    path.write_bytes(damaged if isinstance(damaged, bytes) else damaged.encode())
    for read in (lambda: toy(tmp_path), lambda: rows_of(path)) if "column" not in said else (lambda: toy(tmp_path),):
        sentence = str(refused("one cell for each column; got ", read))
        assert str(path) in sentence and said in sentence and "--fresh" in sentence
    assert toy(tmp_path, fresh=True).count("\n") == 13


@pytest.mark.parametrize("text", ["[1]", "3", "", "{", "\x00"], ids=range(5))
def test_a_damaged_manifest_is_one_sentence_with_its_path(tmp_path, text):
    toy(tmp_path)
    (tmp_path / "toy.manifest.json").write_text(text)
    refused(r"from their manifest; got .*toy\.manifest\.json", toy, tmp_path)


def test_a_manifest_without_a_protocol_is_another_protocol(tmp_path):
    toy(tmp_path)
    for text in ("{}", '{"protocol": 3}', '{"protocol": []}'):
        (tmp_path / "toy.manifest.json").write_text(text)
        refused("one protocol are kept in one file", toy, tmp_path)


def test_results_for_a_page_must_be_whole(tmp_path):
    whole = toy(tmp_path)
    (tmp_path / "toy.csv").write_text(whole[:-3])
    refused("a last line that is cut short", rows_of, tmp_path / "toy.csv")
