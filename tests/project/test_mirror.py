"""The tests lie as the package does: a folder for each subpackage, and a few more for what belongs to none of them."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS, PACKAGE = ROOT / "tests", ROOT / "splitcrit"
BESIDES = {
    "contract": "every public name is fed odd inputs",
    "frozen": "answers that are kept",
    "laws": "what holds of all objects of one kind",
    "project": "the layers, words, pages and docstrings",
    "reproductions": "the folder of the root of that name",
    "throughout": "what holds across subpackages",
}
MIRRORED = (
    "splitcrit/__init__.py", "splitcrit/atomic_files.py", "splitcrit/nulls/__init__.py", "splitcrit/proofs/__init__.py",
    "tests/test_atomic_files.py", "tests/nulls/test_scan.py", "tests/proofs/test_ledger.py", "tests/laws/test_nulls.py",
)  # fmt: skip


def folders(tests: Path) -> set[str]:
    """The folders that hold test files, relative to `tests`, which itself is "."."""
    return {path.parent.relative_to(tests).as_posix() for path in tests.rglob("test_*.py")}


def subpackages(package: Path) -> set[str]:
    """The subpackages, nested ones too; the proofs, which are a link, count as one."""
    inside = {path.parent.relative_to(package) for path in package.glob("**/__init__.py")}
    linked = {name for name in inside if name.parts and (package / name.parts[0]).is_symlink()}
    return {name.as_posix() for name in inside - linked} - {"."} | {"proofs"}


def misplaced(tests: Path, package: Path) -> list[str]:
    """What keeps the tests from being a mirror of the package."""
    here, there = {name for name in folders(tests) if name.split("/")[0] not in {".", *BESIDES}}, subpackages(package)
    modules = {path.stem for path in package.glob("*.py")}
    alone = {path.stem.removeprefix("test_") for path in tests.glob("test_*.py")}
    return [
        *(f"tests/{name} is named for no subpackage" for name in sorted(here - there)),
        *(f"splitcrit/{name} has no folder of tests" for name in sorted(there - here)),
        *(f"tests/test_{name}.py is named for no module" for name in sorted(alone - modules)),
    ]


def test_the_tests_mirror_the_package() -> None:
    assert misplaced(TESTS, PACKAGE) == []


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("tests/growing/test_nodes.py", "tests/growing is named for no subpackage"),
        ("tests/nulls/pvalue/test_tails.py", "tests/nulls/pvalue is named for no subpackage"),
        ("tests/test_scan.py", "tests/test_scan.py is named for no module"),
        ("splitcrit/inference/__init__.py", "splitcrit/inference has no folder of tests"),
        ("splitcrit/nulls/wide/__init__.py", "splitcrit/nulls/wide has no folder of tests"),
    ],
)
def test_what_is_out_of_place_is_told(path: str, said: str, tmp_path: Path) -> None:
    for name in MIRRORED:
        write(tmp_path / name)
    assert misplaced(tmp_path / "tests", tmp_path / "splitcrit") == []
    write(tmp_path / path)
    assert misplaced(tmp_path / "tests", tmp_path / "splitcrit") == [said]


def write(path: Path) -> None:
    """An empty file in a folder that is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def test_no_folder_of_tests_hides_an_installed_package() -> None:
    """`tests` is on the path of imports: with an ``__init__.py``, `tests/distributed` would be what Dask imports."""
    assert {path.parent.name for path in TESTS.rglob("__init__.py")} == {"contract"}


def test_no_exception_is_left_over() -> None:
    assert set(BESIDES) <= folders(TESTS)
