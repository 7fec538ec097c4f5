"""``splitcrit completion``: a script that bash runs, and that completes what the parser knows."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from splitcrit.cli import main
from splitcrit.cli.main import COMMANDS

BASH = """
source "$1"
COMP_WORDS=("${@:2}"); COMP_CWORD=$(( $# - 2 )); COMP_LINE="${COMP_WORDS[*]}"
completer=$(complete -p splitcrit | sed 's/.*-F \\([^ ]*\\).*/\\1/')
"$completer" splitcrit "${COMP_WORDS[COMP_CWORD]}" ""
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["completion", "bash"]) == 0
    (path := tmp_path / "splitcrit.bash").write_text(capsys.readouterr().out)
    return path


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "some", "none"),
    [
        ([""], set(COMMANDS), set()),
        (["ra"], {"rank"}, {"audit"}),
        (["rank", "--t"], {"--target", "--top"}, {"--wide"}),
        (["rank", "--response", ""], {"classes", "numbers"}, {"bash"}),
        (["completion", ""], {"bash", "zsh"}, {"permutation"}),
        (["rank", "table"], {"table.csv"}, {"other.csv"}),
        (["rank", "--resume", "oth"], {"other.csv"}, {"table.csv"}),
    ],
)
def test_bash_completes(script: Path, words: list[str], some: set[str], none: set[str]) -> None:
    for name in ("table.csv", "other.csv"):
        (script.parent / name).touch()
    call = ["bash", "-c", BASH, "bash", str(script), "splitcrit", *words]
    found = subprocess.run(call, cwd=script.parent, capture_output=True, text=True, check=True)
    offered = {line.strip() for line in found.stdout.splitlines()}
    assert some <= offered and not none & offered, found


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_shells_read_the_script(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["shell"] == shell and all(name in found["script"] for name in COMMANDS)
    if shutil.which(shell):
        (path := tmp_path / "script").write_text(found["script"])
        subprocess.run([shell, "-n", str(path)], check=True)


def test_without_shtab_one_sentence_says_what_to_install() -> None:
    without = "import sys; sys.modules['shtab'] = None"
    code = f"{without}; from splitcrit.cli import main; sys.exit(main(['completion', 'zsh']))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    said = "this command needs the extra 'cli'; got no module shtab; pip install 'splitcrit[cli]'"
    assert (ran.returncode, ran.stderr, ran.stdout) == (3, f"splitcrit: {said}\n", "")
