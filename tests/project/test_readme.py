"""What the README and the pages of the documentation show is what happens: examples, console sessions, commands."""

from __future__ import annotations

import argparse
import contextlib
import doctest
import io
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from splitcrit.cli.main import main, parser
from splitcrit.criteria.facts import facts
from splitcrit.proofs import summaries

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MADE = {"_build", "_ext", "generated"}  # written by the build, not by hand
PAGES = [
    ROOT / "README.md",
    *(path for path in sorted(DOCS.rglob("*.md")) if path.relative_to(DOCS).parts[0] not in MADE),
]
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)  # a directive, {toctree}, is one too
NEEDS = {"distributed": "dask", "out-of-core": "pyarrow", "arrays": "array_api_compat"}  # extras of pages
COMPILE = {"exact-statistics-in-your-code"}  # pages that compile C
GALLERY = {"pictures.md"}  # tests/plots/test_pictures.py runs its code


def blocks(page: Path, kind: str) -> list[str]:
    """The fenced blocks of one kind."""
    return [text for found, text in FENCE.findall(page.read_text(encoding="utf-8")) if found == kind]


def sessions(page: Path) -> list[tuple[str, str]]:
    """The commands of console sessions behind a dollar sign, with the output shown."""
    found = []
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def files(page: Path) -> dict[str, str]:
    """The files that the sessions of a page show by ``cat``."""
    return {command[4:]: output for command, output in sessions(page) if command.startswith("cat ")}


def commands(page: Path) -> list[str]:
    """The lines of blocks that call ``splitcrit``, with or without output."""
    text = "".join(blocks(page, "console") + blocks(page, "")).replace("\\\n", " ")
    lines = [re.split(r" (?:[|<>]|2>)|; echo", line.removeprefix("$ "))[0] for line in text.splitlines()]
    return [re.sub(r"\s+#.*", "", line) for line in lines if line.startswith("splitcrit ")]


def ids(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def code(page: Path) -> list[str]:
    """The blocks of Python without prompts."""
    return [text for text in blocks(page, "python") if ">>>" not in text]


WITH_EXAMPLES = [page for page in PAGES if ">>>" in page.read_text(encoding="utf-8")]
WITH_CODE = [page for page in PAGES if page.name not in GALLERY and code(page)]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=ids)
def test_examples_give_the_output_shown(page: Path) -> None:
    if page.stem in NEEDS:
        pytest.importorskip(NEEDS[page.stem], reason=f"the page needs the package {NEEDS[page.stem]}")
    if page.stem in COMPILE and shutil.which("cc") is None:
        pytest.skip("no C compiler is installed")
    result = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    prompts = len(re.findall(r"^ *>>>", page.read_text(encoding="utf-8"), re.MULTILINE))
    assert result.failed == 0 and result.attempted == prompts


@pytest.mark.parametrize("page", WITH_CODE, ids=ids)
def test_code_without_prompts_runs(page: Path) -> None:
    pytest.importorskip("matplotlib", reason="pages draw with matplotlib").use("agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    for text in code(page):
        names: dict[str, object] = {}
        exec(compile(text, page.name, "exec"), names)
        assert set(names) > {"__builtins__"}, "code on a page names something"
    pyplot.close("all")


SESSIONS = [(page, *session) for page in PAGES for session in sessions(page) if not session[0].startswith("cat ")]
CALL = re.compile(
    r"splitcrit (?P<words>.*?)(?: < (?P<given>\S+))?(?P<both> 2>&1)?"
    r"(?: \| head -(?P<head>\d+)|(?P<status>; echo \$\?))?"
)


@pytest.mark.parametrize(("page", "command", "output"), SESSIONS, ids=[command for _, command, _ in SESSIONS])
def test_console_sessions_give_the_output_shown(
    page: Path, command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = CALL.fullmatch(command)
    assert call, "only splitcrit, head and echo $? are run here"
    monkeypatch.chdir(tmp_path)
    for name, text in files(page).items():
        Path(name).write_text(text)
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


COMMANDS = [(page, line) for page in PAGES for line in commands(page)]


@pytest.mark.parametrize(("page", "line"), COMMANDS, ids=[line for _, line in COMMANDS])
def test_commands_shown_are_understood(page: Path, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: argparse.ArgumentParser, message: str) -> None:
        raise AssertionError(f"{page.name}: {message}")

    monkeypatch.setattr(argparse.ArgumentParser, "error", refuse)
    name, action, *_ = shlex.split(line)
    assert name == "splitcrit"
    assert vars(parser().parse_args([action, *shlex.split(line)[2:]]))["command"] == action


def test_pages_without_code_are_left_out_and_the_others_are_not() -> None:
    """Some are known by name, so that code that is no longer found is missed; no fence is left open."""
    assert {"README.md", "arrays.md", "distributed.md", "categories.md"} <= {page.name for page in WITH_EXAMPLES}
    assert all(not code(page) for page in PAGES if page not in WITH_CODE and page.name not in GALLERY)
    assert {"arrays.md", "robustness.md"} <= {page.name for page in WITH_CODE} and len(COMMANDS) >= 5
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert len(re.findall(r"^```", text, re.MULTILINE)) == 2 * len(FENCE.findall(text)), page


def test_the_sessions_are_found() -> None:
    assert any(page.name == "trusted-base.md" for page, _, _ in SESSIONS)
    assert "splitcrit rank data.csv --target label" in commands(ROOT / "README.md")


def test_the_commands_shown_are_targets_of_the_makefile() -> None:
    shown = set(re.findall(r"^make (\w+)", (ROOT / "README.md").read_text(), re.M))
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.M))
    assert {"verify", "test"} <= shown <= targets


def test_the_table_of_properties_is_the_one_of_the_facts() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert summaries.summary(facts()) in text
    assert summaries.placed(text, facts()) == text


def test_the_ratios_shown_are_those_of_the_benchmarks() -> None:
    def cells(path: Path) -> list[list[str]]:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]

    measured = {row[0]: row[3] for row in cells(ROOT / "benchmarks" / "results.md") if len(row) == 7}
    shown = {row[0]: row[1] for row in cells(ROOT / "README.md") if len(row) == 2 and row[0] in measured}
    shown.pop("---")
    assert len(shown) >= 5
    assert shown == {what: measured[what] for what in shown}
