"""The blocks of C, R, Rust and JavaScript on the page give the output shown, each as a reader would run it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from r_library import PACKAGE, ROOT, installed_from, run
from splitcrit.export import header
from splitcrit.export.javascript import script

KINDS = ("c", "r", "rust", "javascript")
PAGE = ROOT / "docs" / "exact-statistics-in-your-code.md"


def shown(kind: str) -> list[tuple[str, str]]:
    """The blocks of a language with the output that stands below each; empty where there is none."""
    found, parts = [], PAGE.read_text(encoding="utf-8").split("```")
    for i in range(1, len(parts), 2):
        name, _, text = parts[i].partition("\n")
        if name == kind:
            output = parts[i + 2] if i + 2 < len(parts) and not parts[i + 1].strip() else ""
            found.append((text, output.removeprefix("text\n")))
    return found


def compiled(folder: Path, command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]} is installed")
    subprocess.run(command, cwd=folder, check=True)


def printed(folder: Path) -> str:
    return subprocess.run([folder / "program"], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("block", [block for block in shown("c") if block[1]], ids=["pvalues", "moments"])
def test_a_program_in_c_prints_what_is_shown(block: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "splitcrit.h").write_text(header())
    (tmp_path / "program.c").write_text(block[0])
    compiled(tmp_path, ["cc", "-O2", "-Wall", "-Wextra", "-Werror", "program.c", "-o", "program", "-lm"])
    assert printed(tmp_path) == block[1]


def test_a_program_in_rust_prints_what_is_shown(tmp_path: Path) -> None:
    ((linked, _),) = [block for block in shown("c") if not block[1]]
    ((program, output),) = shown("rust")
    for name, text in {"splitcrit.h": header(), "linked.c": linked, "main.rs": program}.items():
        (tmp_path / name).write_text(text)
    compiled(tmp_path, ["cc", "-O2", "-c", "linked.c"])
    links = ["-C", "link-arg=linked.o", "-C", "link-arg=-lm"]
    compiled(tmp_path, ["rustc", "-O", "-D", "warnings", "main.rs", "-o", "program", *links])
    assert printed(tmp_path) == output


@pytest.mark.skipif(not PACKAGE.is_dir(), reason="needs a checkout")
def test_the_lines_of_r_print_what_is_shown(tmp_path: Path) -> None:
    library = installed_from(PACKAGE, tmp_path / "library")
    ((code, output),) = shown("r")
    (tmp_path / "shown.R").write_text(code)
    done = run(["Rscript", "--vanilla", "shown.R"], tmp_path, R_LIBS=str(library))
    assert [line.rstrip() for line in done.stdout.splitlines()] == output.splitlines(), done.stderr


def test_the_lines_of_javascript_print_what_is_shown(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("no node is installed")
    ((code, output),) = shown("javascript")
    (tmp_path / "exact.js").write_text(script())
    (tmp_path / "shown.js").write_text(code)
    done = subprocess.run(["node", "shown.js"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == output


def test_every_block_of_these_languages_is_run() -> None:
    assert [len(shown(kind)) for kind in KINDS] == [3, 1, 1, 1]
    assert sum(bool(output) for kind in KINDS for _, output in shown(kind)) == 5
