"""`python -m splitcrit` is the command line."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

import splitcrit


def test_the_package_runs_as_a_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["splitcrit", "--help"])
    with pytest.raises(SystemExit, match="0"):
        runpy.run_path(str(Path(splitcrit.__file__).with_name("__main__.py")), run_name="__main__")
    assert "verify" in capsys.readouterr().out
