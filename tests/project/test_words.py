"""No text that git tracks names a place of somebody's machine, or says that it is unfinished.

The patterns are put together here so that this file does not hold what it looks for.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from layers import imports
from pages import ROOT, exists


def tracked(*places: str) -> list[str]:
    """The names of the tracked files of some places, of all without any; without git or a checkout the test skips."""
    git = shutil.which("git")
    listed = git and subprocess.run([git, "ls-files", "-z", *places], cwd=ROOT, capture_output=True, text=True)
    if not listed or listed.returncode:
        pytest.skip("needs git and a checkout")
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


# No text that git tracks names a place of somebody's machine, or says that it is unfinished.

WORDS = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK", "raise Not" + "ImplementedError"]
UNFINISHED = re.compile(rf"\b(?:{'|'.join(WORDS)})\b")
MACHINE = re.compile(r"(?<![\w.:>/$}])/(?:home|root|tmp|work|usr|opt|mnt|Users|private)/(?!bin/env\b)|[A-Z]:\\\\?Users")
PICTURE = re.compile(r'"image/png": "[^"]*"')  # of a notebook: letters and slashes at random


def test_the_patterns_see_what_they_look_for() -> None:
    assert UNFINISHED.search("# TO" + "DO: later") and not UNFINISHED.search("todos")
    assert MACHINE.search('open("/' + 'home/me/x.csv")') and MACHINE.search("C:" + "\\Users\\me")
    assert not MACHINE.search("#!/usr" + "/bin/env bash") and not MACHINE.search("https://example.org/home/page")


def test_no_machine_paths_and_no_unfinished_business() -> None:
    found = []
    for name in tracked():
        if not name.endswith((".gz", ".png", ".svg", ".csv")):
            text = PICTURE.sub("", (ROOT / name).read_text(encoding="utf-8"))
            for number, line in enumerate(text.splitlines(), 1):
                if hit := UNFINISHED.search(line) or MACHINE.search(line):
                    found.append(f"{name}:{number}: {hit.group()}")
    assert found == []


# What is imported exists: no module, notebook, page or script names what the package has not.

FROM = re.compile(r"\bfrom (splitcrit[\w.]*) import (\([^)]*\)|[^\n#`;\"']+)|\bimport (splitcrit[\w.]+)")


def imported(path: Path) -> set[str]:
    """The names of the package that a module, a notebook, a page or a script imports."""
    text = path.read_text(encoding="utf-8")
    if "splitcrit" not in text:
        return set()
    if path.suffix == ".py":
        return {item.name for item in imports(text, ()) if item.name.startswith("splitcrit.")}
    if path.suffix == ".ipynb":
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code")
    found = set()
    for home, names, module in FROM.findall(re.sub(r"^(>>>|\.\.\.) ?", "", text, flags=re.MULTILINE)):
        words = [part.split()[0] for part in names.strip("() \n").split(",") if part.strip()]
        found |= {module} if module else {f"{home}.{word}" for word in words if word.isidentifier()}
    return found


def test_every_name_that_is_imported_exists() -> None:
    files = [ROOT / name for name in tracked() if name.endswith((".py", ".md", ".ipynb", ".yml", ".yaml", ".toml"))]
    files += [ROOT / "Makefile", ROOT / ".ci" / "run"]
    places = {name: path for path in files if path.name != "CHANGELOG.md" for name in imported(path)}
    assert len(places) > 1000
    assert {name: place for name, place in places.items() if not exists(name)} == {}


CODE = "from splitcrit.trees.growth import (\n    build,\n    grow,\n)\nimport splitcrit.datasets\n"
CELLS = json.dumps({"cells": [{"cell_type": "code", "source": [CODE]}]})


@pytest.mark.parametrize(("suffix", "text"), [(".py", CODE), (".md", f"```python\n{CODE}```\n"), (".ipynb", CELLS)])
def test_a_name_that_is_no_more_is_seen(tmp_path: Path, suffix: str, text: str) -> None:
    (tmp_path / f"a{suffix}").write_text(text)
    found = imported(tmp_path / f"a{suffix}")
    assert {"splitcrit.trees.growth.build", "splitcrit.trees.growth.grow", "splitcrit.datasets"} <= found
    assert {name for name in found if not exists(name)} == {"splitcrit.trees.growth.build", "splitcrit.datasets"}
