"""What the README and the pages of the documentation show is what happens: examples, console sessions, commands."""

from __future__ import annotations

import argparse
import ast
import contextlib
import doctest
import io
import re
import runpy
import shlex
import shutil
import sys
import tomllib
from pathlib import Path

import matplotlib.pyplot as pyplot
import pytest

from pages import DOCS, FENCE, PAGES, README, ROOT, blocks, ids
from splitcrit.cli.main import main, parser
from tools import readme

NEEDS = {"distributed": "dask", "large-data": "pyarrow", "arrays": "array_api_compat", "streams": "river"}  # of pages
GALLERY = {"pictures.md"}  # tests/plots/test_style.py runs its code
RECIPES = {"with-other-libraries.md", "comparison.md"}  # test_docs.py runs sections where their library is installed


def sessions(page: Path) -> list[tuple[str, str]]:
    """The commands of console sessions behind a dollar sign, with the output shown."""
    return [session for block in blocks(page, "console") for session in readme.sessions(block)]


def commands(page: Path) -> list[str]:
    """The lines of blocks that call ``splitcrit``, with or without output."""
    text = "".join(blocks(page, "console") + blocks(page, "")).replace("\\\n", " ")
    lines = [re.split(r" (?:[|<>]|2>)|; echo", line.removeprefix("$ "))[0] for line in text.splitlines()]
    return [re.sub(r"\s+#.*", "", line) for line in lines if line.startswith("splitcrit ")]


def code(page: Path) -> list[str]:
    """The blocks of Python without prompts."""
    return [text for text in blocks(page, "python") if ">>>" not in text]


WITH_EXAMPLES = [page for page in PAGES if page.name not in RECIPES and ">>>" in page.read_text(encoding="utf-8")]
WITH_CODE = [page for page in (README, *PAGES) if page.name not in GALLERY and code(page)]


SLOW = {  # pages that compare many trees or compile loops, and some of whose calls tests of rooms run the like
    "choosing-a-criterion", "forests", "multiway", "noisy-labels", "arrays", "property-tests",
    "your-impurity", "exact-statistics-in-your-code", "distributed", "real-splits", "large-data", "categories",
    "regression-losses", "own-loss", "depth-two", "rank-columns", "which-column", "who-benefits", "chance-of-gains",
}  # fmt: skip


@pytest.mark.parametrize(
    "page", [pytest.param(p, marks=[pytest.mark.slow] * (p.stem in SLOW)) for p in WITH_EXAMPLES], ids=ids
)
def test_examples_give_the_output_shown(page: Path) -> None:
    if page.stem in NEEDS:
        pytest.importorskip(NEEDS[page.stem], reason=f"the page needs the package {NEEDS[page.stem]}")
    result = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    prompts = len(re.findall(r"^ *>>>", page.read_text(encoding="utf-8"), re.MULTILINE))
    assert result.failed == 0 and result.attempted == prompts


@pytest.mark.parametrize("page", WITH_CODE, ids=ids)
def test_code_without_prompts_runs(page: Path) -> None:
    for text in code(page):
        names: dict[str, object] = {}
        exec(compile(text, page.name, "exec"), names)
        assert set(names) > {"__builtins__"}, "code on a page names something"
    pyplot.close("all")


CALL = re.compile(
    r"splitcrit (?P<words>.*?)(?: < (?P<given>\S+))?(?P<both> 2>&1)?"
    r"(?: \| head -(?P<head>\d+)|(?P<status>; echo \$\?))?"
)

SESSIONS = [(page, *session) for page in PAGES for session in sessions(page) if not session[0].startswith("cat ")]


@pytest.mark.parametrize(("page", "command", "output"), SESSIONS, ids=[command for _, command, _ in SESSIONS])
def test_console_sessions_give_the_output_shown(
    page: Path, command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = CALL.fullmatch(command)
    assert call, "only splitcrit, head and echo $? are run here"
    monkeypatch.chdir(tmp_path)
    for shown, text in sessions(page):
        if shown.startswith("cat "):
            Path(shown[4:]).write_text(text)
    if call["given"]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(call["given"]).read_bytes())))
    written = io.StringIO()
    with contextlib.redirect_stdout(written), contextlib.redirect_stderr(written if call["both"] else sys.stderr):
        status = main(shlex.split(call["words"]))
    assert call["status"] or not status
    lines = [*written.getvalue().splitlines(keepends=True), *([f"{status}\n"] if call["status"] else [])]
    lines = lines[: int(call["head"]) if call["head"] else None]
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    assert doctest.OutputChecker().check_output(output, "".join(lines), flags), "".join(lines)


COMMANDS = [(page, line) for page in (README, *PAGES) for line in commands(page)]


def test_commands_shown_are_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: argparse.ArgumentParser, message: str) -> None:
        raise AssertionError(message)

    monkeypatch.setattr(argparse.ArgumentParser, "error", refuse)
    understood = parser()
    for _, line in COMMANDS:
        words = shlex.split(line)[1:]
        assert vars(understood.parse_args(words))["command"] == words[0], line


def test_pages_without_code_are_left_out_and_the_others_are_not() -> None:
    """Some are known by name, so that code that is no longer found is missed; no fence is left open."""
    assert {"index.md", "arrays.md", "distributed.md", "categories.md"} <= {page.name for page in WITH_EXAMPLES}
    assert {"arrays.md", "robustness.md"} <= {page.name for page in WITH_CODE}
    assert any(page.name == "trusted-base.md" for page, _, _ in SESSIONS) and len(COMMANDS) >= 5
    assert "splitcrit rank patients.csv --target ill" in commands(README)
    for page in (README, *PAGES):
        text = page.read_text(encoding="utf-8")
        assert len(re.findall(r"^```", text, re.MULTILINE)) == 2 * len(FENCE.findall(text)), page


NEEDS_BASH = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash is installed")


@pytest.mark.slow
@NEEDS_BASH
def test_every_block_of_readme_gives_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert readme.main([str(README)]) == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "bare", "wrong"),
    [
        ("```python\n>>> 1 + 1\n2\n\n```\n", False, 0),
        ("```python\n>>> 1 + 1\n3\n\n```\n", False, 1),
        pytest.param("```console\n$ echo a; echo b\na\nb\n```\n", False, 0, marks=NEEDS_BASH),
        pytest.param("```console\n$ echo a > file\n$ cat file\nb\n```\n", False, 1, marks=NEEDS_BASH),
        pytest.param("```console\n$ false\n```\n", False, 1, marks=NEEDS_BASH),
        ("It needs the extra `trees`:\n\n```python\n>>> 1 / 0\n\n```\n", True, 0),
        ("It needs the extra `trees`:\n\n```python\n>>> 1 + 1\n2\n\n```\n", True, 1),
        ("It needs nothing.\n\n```python\n>>> 1 / 0\n\n```\n", True, 1),
    ],
)
def test_a_block_that_is_not_as_printed_is_told(text: str, bare: bool, wrong: int, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    assert readme.main([str(page), *["--bare"] * bare]) == wrong


def test_the_commands_shown_are_run_by_continuous_integration() -> None:
    """Blocks without a language are commands of a clone: each stands in ``.ci/run`` and calls pip or a target."""
    text = (ROOT / ".ci" / "run").read_text() if (ROOT / ".ci").is_dir() else pytest.skip("needs a checkout")
    lines = [re.sub(r"\s{2,}.*", "", line) for block in blocks(README, "") for line in block.splitlines()]
    assert {"make verify", "make test", "make dist", "pip install ."} <= set(lines)
    assert [line for line in lines if not re.search(rf"(?<![\w-]){re.escape(line)}(?=[ \n])", text)] == []


def test_the_extras_shown_are_those_there_are() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    extras = tomllib.loads(text)["project"]["optional-dependencies"]
    (table,) = re.findall(r"^\| extra \|.*?\n\n", (DOCS / "installation.md").read_text(encoding="utf-8"), re.M | re.S)
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.M)) == set(extras)


def test_the_ratios_shown_are_those_of_the_benchmarks() -> None:
    def cells(path: Path) -> list[list[str]]:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]

    measured = {row[0]: row[3] for row in cells(ROOT / "benchmarks" / "results.md") if len(row) == 7}
    shown = {row[0]: row[1] for row in cells(DOCS / "speed.md") if len(row) == 2 and row[0] in measured}
    shown.pop("---")
    assert len(shown) >= 5
    assert shown == {what: measured[what] for what in shown}
    said = " ".join(README.read_text(encoding="utf-8").split())
    tree, forest = "Gini tree, n = 10000, d = 10, K = 2, depth 8", "Gini forest, n = 10000, d = 10, K = 2, 10 trees"
    assert f"takes {measured[tree]} of scikit-learn's time, a forest of 10 trees {measured[forest]}" in said


# The example scripts run by themselves, and their headers name what they import.

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
