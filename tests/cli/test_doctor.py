"""``splitcrit doctor``: what it says is so, and what is wrong is seen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from splitcrit import __version__
from splitcrit.cli import doctor, main


def told(capsys: pytest.CaptureFixture[str], status: int) -> dict:  # type: ignore[type-arg]
    assert main(["doctor", "--json"]) == status
    return json.loads(capsys.readouterr().out)


def required(monkeypatch: pytest.MonkeyPatch, *listed: str) -> None:
    """Let the metadata of the package list other requirements."""
    monkeypatch.setattr(doctor, "distribution", lambda name: SimpleNamespace(requires=[*listed]))


def test_versions_are_those_of_what_is_imported(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, 0)
    assert found["splitcrit"] == __version__ and found["packages"]["numpy"] == np.__version__
    assert found["python"] == ".".join(map(str, sys.version_info[:3])) and found["cores"] >= 1
    assert all(name is None or version(key) == name for key, name in found["packages"].items())


def test_extras_are_complete_or_what_they_lack_is_named(monkeypatch, capsys) -> None:
    absent, late = 'no-such-package>=1.2; extra == "plots"', 'numpy>=9999; extra == "cli"'
    required(monkeypatch, "numpy>=2", 'scipy[x]>=1.0; python_version > "3" and extra == "trees"', absent, late)
    found = told(capsys, 1)
    assert found["extras"] == {"trees": [], "plots": ["no-such-package>=1.2"], "cli": ["numpy>=9999"]}
    assert found["packages"]["no-such-package"] is None
    assert found["problems"] == [f"numpy {np.__version__} is installed; splitcrit {__version__} needs numpy>=9999"]
    assert main(["doctor"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "plots            lacks no-such-package>=1.2; pip install 'splitcrit[plots]'" in lines
    assert "no-such-package  not installed" in lines
    assert "trees            complete" in lines and lines[-1] == found["problems"][0]


@pytest.mark.parametrize("bounds", ["", ">=2.1", ">=1.9,<1.10", "<2", ">=3.10.8", ">=2025.1,<2026"])
@pytest.mark.parametrize("found", ["2.1", "2.1.0", "1.9.2", "1.10", "1.10.0", "3.9", "3.11.2", "2025.1", "2026.8.0"])
def test_bounds_are_read_as_pip_reads_them(bounds: str, found: str) -> None:
    assert doctor.allows(bounds, found) is Requirement(f"name{bounds}").specifier.contains(Version(found))


def test_a_folder_without_metadata_is_a_problem(monkeypatch, capsys) -> None:
    required(monkeypatch)
    (problem,) = told(capsys, 1)["problems"]
    assert "without being installed" in problem


def run(folder: Path, code: str) -> str:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env).stdout


def test_loops_are_counted_as_they_are_compiled(tmp_path: Path) -> None:
    seen = "from splitcrit.cli import main; main(['doctor', '--json'])"
    compiled = "from splitcrit.nulls import selected_pvalue; selected_pvalue([1., 2., 3.], [0, 1, 1])"
    first = json.loads(run(tmp_path, seen))["loops"]
    assert first == {"kept": 0, "writable": True, "folder": str(tmp_path / "splitcrit")}
    assert not any(tmp_path.iterdir())
    assert json.loads(run(tmp_path, f"{compiled}; {seen}"))["loops"]["kept"] == len(list(tmp_path.rglob("*.nbc"))) > 0


def test_loops_that_are_kept_nowhere_are_a_problem(monkeypatch, capsys) -> None:
    for kept, more in ((2, ""), (0, "; splitcrit doctor --compile makes those that most calls need")):
        monkeypatch.setattr(doctor, "_loops", lambda kept=kept: {"kept": kept, "folder": "/kept", "writable": True})
        assert main(["doctor"]) == 0
        assert f"{kept} compiled functions are kept in /kept{more}\n" in capsys.readouterr().out
    monkeypatch.setattr(doctor, "_loops", lambda: {"kept": 2, "folder": "/kept", "writable": False})
    (problem,) = told(capsys, 1)["problems"]
    assert problem.startswith("/kept is not writable") and "NUMBA_CACHE_DIR" in problem
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    (problem,) = told(capsys, 1)["problems"]
    assert problem.startswith("NUMBA_DISABLE_JIT is set")


def test_without_numba_or_rocq_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    required(monkeypatch, "numpy>=2")
    monkeypatch.setattr(doctor.shutil, "which", lambda name: None)
    found = told(capsys, 0)
    assert found["loops"] is None and found["coqc"] is None
    assert main(["doctor"]) == 0
    assert "coqc not found" in capsys.readouterr().out


def test_what_is_required_is_named_in_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    required(monkeypatch, "numpy", "dask[array]>=2; extra == 'dask'", "splitcrit[trees]; extra == 'all'")
    assert doctor._required() == [("numpy", "", ""), ("dask", ">=2", "dask")]
