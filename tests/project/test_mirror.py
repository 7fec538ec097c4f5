"""The tests lie as the package does: a folder for each subpackage, and a few more for what belongs to none of them."""

from __future__ import annotations

from pathlib import Path

from layers import PACKAGE, ROOT

TESTS = ROOT / "tests"
BESIDES = {
    "contract": "every public name is fed odd inputs",
    "frozen": "answers that are kept",
    "laws": "what holds of all objects of one kind",
    "project": "the layers, words, pages and docstrings",
    "reproductions": "the folder of the root of that name",
    "throughout": "what holds across subpackages",
}


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
