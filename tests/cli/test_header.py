"""``splitcrit header``: what it prints is what the library returns."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from splitcrit.cli import main
from splitcrit.cli.header import listing
from splitcrit.export import header, vectors


def test_vectors_are_printed_as_fractions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["header", "--vectors", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)["vectors"]
    assert len(data) == len(vectors())
    for found, case in zip(data, vectors(), strict=True):
        assert tuple(map(tuple, found["table"])) == case.table and found["sgini"] == case.sgini
        for name in ("gain", "mean", "variance", "third_moment", "signed_square"):
            assert Fraction(found[name]) == getattr(case, name)
        assert tuple(map(Fraction, found["scan"])) == case.scan


def test_vectors_are_listed_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["header", "--vectors"]) == 0
    assert capsys.readouterr().out == listing(vectors()) + "\n"
    assert len(listing(vectors()).splitlines()) == len(vectors())


def test_the_header_is_printed_or_data(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["header", "--json", str(tmp_path / "header.json")]) == 0
    assert capsys.readouterr().out == header()
    assert json.loads((tmp_path / "header.json").read_text()) == {"splitcrit.h": header()}
