"""The example scripts run by themselves, and their headers name what they import."""

from __future__ import annotations

import ast
import re
import runpy
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "examples").glob("*.py"))
INSTALLED_AS = {"sklearn": "scikit-learn"}
if not SCRIPTS:
    pytest.skip("needs a checkout", allow_module_level=True)


def header(text: str) -> dict[str, object]:
    """What a script says of itself between ``# /// script`` and ``# ///`` (PEP 723)."""
    (block,) = re.findall(r"^# /// script\n((?:#.*\n)+?)# ///$", text, re.MULTILINE)
    return tomllib.loads("".join(line.removeprefix("#").lstrip() for line in block.splitlines(keepends=True)))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_the_header_names_what_is_imported(path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = path.read_text(encoding="utf-8")
    said = header(text)
    assert said["requires-python"] == project["requires-python"]
    asked = " ".join(map(str, said["dependencies"]))  # type: ignore[call-overload]
    extras = [name for extra in re.findall(r"\[(\w+)\]", asked) for name in project["optional-dependencies"][extra]]
    there = {re.split(r"[\[<>=]", name)[0] for name in (*asked.split(), *extras, *project["dependencies"])}
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in imports]
    assert {INSTALLED_AS.get(top := str(name).split(".")[0], top) for name in names} <= there


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_the_script_runs_and_prints(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(path), run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) > 5
