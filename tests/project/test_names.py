"""One name, one thing: a class name stands once, a module name twice only for the same part, none hides a public name.

In the package, and beside it, no variable or field has a name that fits every value.

The exceptions that are left stand in ``names.toml``; a test fails where one is needed no longer, so that the list only
shrinks.
"""

from __future__ import annotations

import ast
import importlib
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from layers import PACKAGE, ROOT, parsed, sources

SAME_PART = {"__init__", "__main__", "base", "library", "classifier", "regressor", "forest"}  # one part in each folder
SUBJECTS = {"plots", "cli"}  # a picture, or a command, is named after its subject
EXCEPTIONS = tomllib.loads((Path(__file__).parent / "names.toml").read_text())
EMPTY = {"found", "given", "held", "kept", "made", "said", "told"}
BESIDE = ("benchmarks", "proofs", "reproductions", "tools")
OURS = {path: text for path, text in sources().items() if path.parts[0] != "proofs"}


def twice(places: Iterable[tuple[str, Path]]) -> list[str]:
    """The names that stand in several places."""
    found = defaultdict(list)
    for name, path in places:
        found[name].append(path)
    return sorted(name for name, paths in found.items() if len(paths) > 1)


def classes(texts: dict[Path, str]) -> list[str]:
    """The names of classes that stand more than once."""
    nodes = ((node, path) for path, text in texts.items() for node in ast.walk(parsed(text)))
    return twice((node.name, path) for node, path in nodes if isinstance(node, ast.ClassDef))


def modules(paths: Iterable[Path]) -> list[str]:
    """The names of modules that stand more than once for different parts."""
    return twice((path.stem, path) for path in paths if path.stem not in SAME_PART and path.parent.name not in SUBJECTS)


def empty(text: str) -> list[str]:
    """The variables, parameters and fields that are named for nothing."""
    nodes = list(ast.walk(parsed(text)))
    stored = [node for node in nodes if isinstance(getattr(node, "ctx", None), ast.Store)]
    names = {
        *(node.id for node in stored if isinstance(node, ast.Name)),
        *(node.arg for node in nodes if isinstance(node, ast.arg)),
    }
    return sorted(EMPTY & {*names, *(node.attr for node in stored if isinstance(node, ast.Attribute))})


def test_a_variable_names_what_it_holds() -> None:
    settled = OURS | {path: path.read_text(encoding="utf-8") for name in BESIDE for path in (ROOT / name).rglob("*.py")}
    left = [f"{path.as_posix()}: {name}" for path, text in settled.items() for name in empty(text)]
    assert sorted(left) == EXCEPTIONS["empty"]
    assert empty("def f(given):\n    told = found = given\n    kept.held = 1\n") == ["found", "given", "held", "told"]


def test_a_class_name_stands_once() -> None:
    assert classes(OURS) == sorted(EXCEPTIONS["classes"])


def test_a_module_name_stands_for_one_thing() -> None:
    assert modules(OURS) == sorted(EXCEPTIONS["modules"])


def test_no_module_hides_a_public_name() -> None:
    homes = {path.parent: importlib.import_module(".".join(("splitcrit", *path.parent.parts))) for path in OURS}
    hiding = [path for path in OURS if path.stem in getattr(homes[path.parent], "__all__", ()) and path.parent.parts]
    assert sorted(".".join(path.with_suffix("").parts) for path in hiding) == sorted(EXCEPTIONS["hiding"])


def test_what_is_repeated_is_seen() -> None:
    texts = dict.fromkeys((Path("a/x.py"), Path("b/x.py"), Path("a/base.py")), "class Node:\n    class Part: ...\n")
    assert classes(texts) == ["Node", "Part"] and modules(texts) == ["x"]


# The tests lie as the package does: a folder for each subpackage, and a few more for what belongs to none of them.

TESTS = ROOT / "tests"
# Every public name fed odd inputs; the pages, their calculator and extensions; answers that are kept; what holds of all
# objects of one kind; layers, words and docstrings; the folder of the root of that name; what holds across subpackages.
BESIDES = {"contract", "docs", "frozen", "laws", "project", "reproductions", "throughout"}


def misplaced(tests: Path, package: Path) -> list[str]:
    """What keeps the tests from being a mirror of the package, whose proofs, a link, count as one subpackage."""
    here = {path.parent.relative_to(tests).as_posix() for path in tests.rglob("test_*.py")}
    here = {name for name in here if name.split("/")[0] not in {".", *BESIDES}}
    inside = {path.parent.relative_to(package) for path in package.glob("**/__init__.py")}
    there = {path.as_posix() for path in inside if path.parts and path.parts[0] != "proofs"} | {"proofs"}
    modules = {path.stem for path in package.glob("*.py")}
    alone = {path.stem.removeprefix("test_") for path in tests.glob("test_*.py")}
    return [
        *(f"tests/{name} is named for no subpackage" for name in sorted(here - there)),
        *(f"splitcrit/{name} has no folder of tests" for name in sorted(there - here)),
        *(f"tests/test_{name}.py is named for no module" for name in sorted(alone - modules)),
    ]


def test_the_tests_mirror_the_package() -> None:
    assert misplaced(TESTS, PACKAGE) == [] == [name for name in BESIDES if not any((TESTS / name).glob("**/test_*.py"))]


def test_no_folder_of_tests_hides_an_installed_package() -> None:
    """`tests` is on the path of imports: with an ``__init__.py``, `tests/distributed` would be what Dask imports."""
    assert {path.parent.name for path in TESTS.rglob("__init__.py")} == {"contract"}
