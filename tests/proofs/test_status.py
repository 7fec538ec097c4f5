"""How a command ends: the exit status of each kind of trouble, and one printable line that says what it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from splitcrit.frozen import complaint
from splitcrit.proofs import status


def raising(error: BaseException) -> Callable[[], int]:
    def command() -> int:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "extras", "code", "said"),
    [
        (ValueError("no\nway\x1b"), "", 2, r"no\nway\x1b"),
        (KeyError("no such key"), "", 2, "no such key"),
        (FileNotFoundError(2, "gone", "x"), "", 2, "files must exist and be accessible; got x: gone; check the path"),
        (OSError("no sentence"), "", 2, "no sentence"),
        (TypeError(complaint("a rule", "value", "remedy")), "", 2, "a rule; got value; remedy"),
        (KeyboardInterrupt(), "", 130, "interrupted"),
        (MemoryError("array"), "", 2, "what a command reads must fit into memory; got more; pass less, or check that"),
        (ValueError("a" * 10**6), "", 2, "a" * 900),
        (
            ModuleNotFoundError("No module named 'x'", name="x"), "trees", 3,
            "this command needs the extra 'trees'; got no module x; pip install 'splitcrit[trees]'",
        ),
        (
            ModuleNotFoundError("No module named 'x'", name="x"), "proofs,cli", 3,
            "this command needs the extras 'proofs' and 'cli'; got no module x; pip install 'splitcrit[proofs,cli]'",
        ),
        (ModuleNotFoundError("said; pip install 'splitcrit[tables]'", name="x"), "", 3, "said; pip install 'splitcrit"),
    ],
)  # fmt: skip
def test_trouble_is_one_line_and_a_status(
    capsys: pytest.CaptureFixture[str], error: BaseException, extras: str, code: int, said: str
) -> None:
    assert status.attempt(raising(error), extras) == code
    printed = capsys.readouterr()
    assert printed.err.startswith(f"splitcrit: {said}") and printed.err.count("\n") == 1 and printed.out == ""
    assert printed.err[:-1].isprintable() and len(printed.err) < 2100


@pytest.mark.parametrize(
    "error", [TypeError("a mistake of ours"), ModuleNotFoundError("No module named 'y'", name="y")]
)
def test_mistakes_of_the_library_stay_errors(error: Exception) -> None:
    with pytest.raises(type(error)):
        status.attempt(raising(error))


def test_the_page_lists_the_statuses() -> None:
    page = Path(__file__).parents[2] / "docs" / "command-line.md"
    listed = dict(re.findall(r"^\| (\d+) \| (.*) \|$", page.read_text(encoding="utf-8"), re.MULTILINE))
    meant = {status.FINE: "success", status.WRONG: "problem", status.MISTAKE: "error", status.MISSING: "extra"}
    assert {int(code) for code in listed} == {*meant, 130, 141}
    assert all(word in listed[str(code)] for code, word in meant.items())


@pytest.mark.parametrize("code", [status.FINE, status.WRONG])
def test_the_status_of_a_command_is_handed_on(code: int) -> None:
    assert status.attempt(lambda: code) == code
