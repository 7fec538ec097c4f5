"""One name, one thing: a class name stands once, a module name twice only for the same part, none hides a public name.

The exceptions that are left stand in ``names.toml``; a test fails where one is needed no longer, so that the list only
shrinks.
"""

from __future__ import annotations

import ast
import importlib
import tomllib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "splitcrit"
SAME_PART = {"__init__", "__main__", "base", "library", "classifier", "regressor", "forest"}  # one part in each folder
SUBJECTS = {"plots", "cli"}  # a picture, or a command, is named after its subject
EXCEPTIONS = tomllib.loads((Path(__file__).parent / "names.toml").read_text())


def modules() -> list[Path]:
    """The modules of the package; the proofs, which are a link, apart."""
    return [path for path in sorted(PACKAGE.rglob("*.py")) if path.relative_to(PACKAGE).parts[0] != "proofs"]


def repeated_classes(files: list[Path]) -> dict[str, list[str]]:
    """The class names that stand more than once, and where."""
    found = defaultdict(list)
    for path in files:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(str(path.relative_to(PACKAGE)))
    return {name: places for name, places in sorted(found.items()) if len(places) > 1}


def repeated_modules(files: list[Path]) -> dict[str, list[str]]:
    """The module names that stand more than once for different parts, and where."""
    found = defaultdict(list)
    for path in files:
        if path.stem not in SAME_PART and path.parent.name not in SUBJECTS:
            found[path.stem].append(str(path.relative_to(PACKAGE).parent))
    return {name: places for name, places in sorted(found.items()) if len(places) > 1}


def hiding(folders: list[Path]) -> list[str]:
    """The modules that bear the name of a public name of their package, which importing them would hide."""
    found = []
    for folder in folders:
        package = importlib.import_module(".".join(folder.relative_to(ROOT).parts))
        found += [f"{folder.name}.{path.stem}" for path in sorted(folder.glob("*.py")) if path.stem in package.__all__]
    return found


def test_a_class_name_stands_once() -> None:
    assert sorted(repeated_classes(modules())) == sorted(EXCEPTIONS["classes"])


def test_a_module_name_stands_for_one_thing() -> None:
    assert sorted(repeated_modules(modules())) == sorted(EXCEPTIONS["modules"])


def test_no_module_hides_a_public_name() -> None:
    folders = sorted({path.parent for path in modules() if (path.parent / "__init__.py").exists()} - {PACKAGE})
    public = [f for f in folders if hasattr(importlib.import_module(".".join(f.relative_to(ROOT).parts)), "__all__")]
    assert hiding(public) == sorted(EXCEPTIONS["hiding"])


def test_what_is_repeated_is_seen(tmp_path: Path, monkeypatch: object) -> None:
    one, other = tmp_path / "a" / "x.py", tmp_path / "b" / "x.py"
    for path in (one, other):
        path.parent.mkdir()
        path.write_text("class Node:\n    class Part: ...\n")
    globals_of = globals()
    before, globals_of["PACKAGE"] = PACKAGE, tmp_path
    try:
        assert list(repeated_classes([one, other])) == ["Node", "Part"]
        assert repeated_modules([one, other]) == {"x": ["a", "b"]}
    finally:
        globals_of["PACKAGE"] = before
