"""What the commands read: any separator, standard input, and files that are not what they seem."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import lightgbm
import numpy as np
import pytest

from refusals import refused
from splitcrit import rank_features
from splitcrit.audits.model_formats import read_model
from splitcrit.cli import main

ROWS = [["size", "shape", "label"], *([f"{i % 5},5", "ab"[i % 2], "xy"[i % 3 > 0]] for i in range(60))]


def text(divider: str = ",", rows: list[list[str]] = ROWS) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=divider).writerows(rows)
    return out.getvalue()


def typed(monkeypatch: pytest.MonkeyPatch, held: bytes) -> None:
    """Put bytes on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(held)))


def ranked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[dict, str]:  # type: ignore[type-arg]
    assert main(["rank", *words, "--target", "label", "--json"]) == 0
    said = capsys.readouterr()
    return json.loads(said.out), said.err


def test_files_of_several_separators_are_counted_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, divider in (("a.csv", ";"), ("b.csv", ","), ("c.csv", "|"), ("d.csv", ";")):
        (tmp_path / name).write_text(text(divider))
    found, said = ranked(capsys, str(tmp_path))
    assert found["rows"] == 4 * 60
    assert said == "splitcrit: cells are separated by semicolons in a.csv and 1 more, by vertical bars in c.csv\n"


@pytest.mark.parametrize("packed", [False, True])
def test_standard_input_is_a_file(tmp_path, capsys, monkeypatch, packed: bool) -> None:
    held = gzip.compress(text(";").encode()) if packed else text(";").encode()
    (path := tmp_path / "data.csv").write_bytes(held)
    expected, _ = ranked(capsys, str(path))
    typed(monkeypatch, held)
    found, said = ranked(capsys, "-")
    assert found == expected | {"file": "standard input"}
    assert said == "splitcrit: cells are separated by semicolons in standard input\n"
    typed(monkeypatch, held)
    assert ranked(capsys, str(path), "-")[0]["rows"] == 120


@pytest.mark.parametrize(
    ("held", "words", "said"),
    [
        (b"", [], "a header row and data; got an empty file: standard input;"),
        (b"a,label\n1,x\n2\n", [], "got 1 cells in row 3 of standard input;"),
        (b"a,label\n1,x\n", ["-"], "a file is counted once; got standard input twice"),
        (b"a,label\n1,x\n", ["--resume", "kept"], "got standard input; write it to a file first"),
        (b"a,label\n1,x\n", ["no/such/file"], "the data must exist; got no/such/file; check the path"),
        (b"PAR1\x15", [], "got standard input, which seems to be a parquet file; give it a name"),
    ],
)
def test_mistakes_on_standard_input_are_named_so(
    refusal: Callable[..., str], monkeypatch: pytest.MonkeyPatch, held: bytes, words: list[str], said: str
) -> None:
    typed(monkeypatch, held)
    assert said in refusal("rank", "-", *words, "--target", "label")


# Pipes, devices and cells without end.


def piped(path: Path, held: bytes) -> Path:
    """A named pipe into which bytes are written once, by a thread."""
    os.mkfifo(path)
    Thread(target=path.write_bytes, args=(held,), daemon=True).start()
    return path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], refusal: Callable[..., str]) -> None:
    (path := tmp_path / "data.csv").write_text(text(";"))
    expected, told = ranked(capsys, str(path))
    (tmp_path / "pipe").mkdir()
    found = ranked(capsys, str(piped(tmp_path / "pipe" / "data.csv", path.read_bytes())))
    assert found == (expected, told)
    for held, said in ((b"a,label\n1,x\n2\n", "got 1 cells in row 3 of odd.csv;"), (b"", "an empty file: odd.csv;")):
        pipe = piped(tmp_path / "odd.csv", held)
        assert said in refusal("rank", pipe, "--target", "label")
        pipe.unlink()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_what_a_pipe_cannot_do_is_said_at_once(tmp_path: Path, refusal: Callable[..., str]) -> None:
    os.mkfifo(pipe := tmp_path / "data.csv")
    for words in (["rank"], ["audit", "--lightgbm", str(model := tmp_path / "model.txt")]):
        model.write_text("tree\nversion=v4\n")
        assert refusal(*words, pipe, "--target", "label", "--resume", tmp_path / "kept")
    refused(r"data are files, which are read more than once; got .*data\.csv, which is", rank_features, pipe, "label")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there are no devices here")
def test_a_device_is_no_file_of_data(tmp_path: Path, refusal: Callable[..., str]) -> None:
    (link := tmp_path / "z.csv").symlink_to("/dev/zero")
    assert "z.csv, which is none; write them to a file first" in refusal("rank", link, "--target", "label")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_model_may_come_by_a_pipe_and_with_the_ends_of_lines_of_windows(tmp_path: Path) -> None:
    header = "tree\nversion=v4\nnum_class=1\nmax_feature_idx=0\nobjective=binary\nfeature_names=x\n\n"
    tree = "Tree=0\nnum_leaves=2\nsplit_feature=0\nsplit_gain=1\nthreshold=0.5\ndecision_type=2\n"
    sides = "left_child=-1\nright_child=-2\nleaf_value=1 -1\nleaf_count=3 4\ninternal_count=7\n" + "a line\n" * 20_000
    for name, ends in (("pipe", "\n"), ("windows", "\r\n")):
        held = (header + tree + sides).replace("\n", ends).encode()
        (found,) = read_model(piped(tmp_path / name, held)).trees
        assert found.structure.threshold.tolist()[0] == 0.5 and found.recorded.tolist() == [1.0, 0.0, 0.0]


def test_what_does_not_fit_into_memory_ends_in_a_sentence(refusal, monkeypatch) -> None:
    def full(path: Path) -> None:
        raise MemoryError

    monkeypatch.setattr("splitcrit.cli.audit.read_model", full)
    said = refusal("audit", "--lightgbm", "/dev/zero", "data.csv", "--target", "label")
    assert said.startswith("splitcrit: what a command reads must fit into memory")


@pytest.mark.parametrize("values", [["x" * 99_999] * 9, ["x" * 99_999, "y", "y"] * 9], ids=["one class", "two"])
def test_a_class_of_many_characters_is_not_printed(tmp_path, refusal, values: list[str]) -> None:
    rows = [["a", "label"], *([f"{i}", value] for i, value in enumerate(values))]
    (path := tmp_path / "data.csv").write_text(text(rows=rows))
    said = refusal("rank", path, "--target", "label")
    assert "a class has a name of at most 10000 characters; got 99999 in column 'label'" in said and len(said) < 300


ODD = "na\x1b[31mme\n2"
SEEN = r"na\x1b[31mme\n2"


@pytest.mark.parametrize("cell", ["{}", "{} kg", "$ {}", "{},5", "{} NULL"])
def test_control_characters_of_the_data_are_shown_not_sent(tmp_path, capsys, cell: str) -> None:
    """Where a cell is quoted as well, in the lines that say how a column was read."""
    odd, label = "\x1b]0:owned\x07\x9b31m\u202e", "la\x07bel"
    rows = [[f"{odd}{cell.format(i)}", f"{cell.format(i)}{odd}", f"{odd}{i % 2}"] for i in range(40)]
    (path := tmp_path / "da\tta.csv").write_text(text(rows=[[ODD, "b", label], *rows]), encoding="utf-8")
    for words, status in (
        (["--target", label], 0),
        (["--target", ODD], 0),
        (["--target", "no\x1b"], 2),
        (["--target", label, "--drop", "no\x1b"], 2),
    ):
        assert main(["rank", str(path), *words]) == status
        printed = capsys.readouterr()
        assert [c for c in printed.out + printed.err if not (c.isprintable() or c == "\n")] == []
        assert (r"na\x1b[31mme" in printed.err) if status else (SEEN in printed.out)
        assert printed.err.count("\n") == (status > 0)
    assert main(["rank", str(path), "--target", label, "--json"]) == 0
    assert ODD in [f["feature"] for f in json.loads(capsys.readouterr().out)["features"]]
    ranking = rank_features(path, label)
    assert [c for c in str(ranking) + repr(ranking) + ranking._repr_html_() if not (c.isprintable() or c == "\n")] == []


def test_the_names_of_a_model_are_shown_alike(tmp_path, capsys, monkeypatch) -> None:
    x = np.array([[i % 7, i % 3] for i in range(300)], dtype=float)
    y = (x[:, 0] > 3).astype(int)
    model = lightgbm.train(
        {"verbose": -1, "objective": "binary"}, lightgbm.Dataset(x, y, feature_name=["bell", "b"]), 2
    )
    (path := tmp_path / "model.txt").write_text(model.model_to_string().replace("bell", "b\x07ll"))
    rows = [["b\x07ll", "b", "y"], *([*map(str, row), f"{k}"] for row, k in zip(x, y, strict=True))]
    (data := tmp_path / "data.csv").write_text(text("\t", rows))
    assert main(["audit", "--lightgbm", str(path), str(data), "--target", "y"]) == 0
    printed = capsys.readouterr()
    assert r"b\x07ll" in printed.out and "\x07" not in printed.out
    assert printed.err == "splitcrit: cells are separated by tabs in data.csv\n"
    typed(monkeypatch, data.read_bytes())
    assert main(["audit", "--lightgbm", str(path), "-", "--target", "y"]) == 0
    again = capsys.readouterr()
    assert again.out == printed.out and again.err == printed.err.replace("data.csv", "standard input")
