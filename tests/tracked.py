"""The files that git tracks, for tests that read every one of them."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def tracked(*places: str) -> list[str]:
    """The names of the tracked files of some places, of all without any; without git or a checkout the test skips."""
    git = shutil.which("git")
    listed = git and subprocess.run([git, "ls-files", "-z", *places], cwd=ROOT, capture_output=True, text=True)
    if not listed or listed.returncode:
        pytest.skip("needs git and a checkout")
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
