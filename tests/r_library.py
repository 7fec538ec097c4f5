"""The package of R of this checkout, installed into a library of its own, and R run beside it.

Main definitions: ``PACKAGE``, ``run``, ``installed_from``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "bindings" / "r"


def run(command: Sequence[str | Path], folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"LC_ALL": "C.UTF-8"} | more
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def installed_from(package: Path, library: Path, **more: str) -> Path:
    """A library of R with the package in it."""
    if shutil.which("Rscript") is None or shutil.which("make") is None or shutil.which("cc") is None:
        pytest.skip("no Rscript, or no make and C compiler, is installed")
    library.mkdir()
    copy = Path(shutil.copytree(package, library.parent / f"{library.name}-source"))
    how = ["--no-docs", "--no-byte-compile", "--no-test-load", f"--library={library}"]
    done = run(["R", "CMD", "INSTALL", *how, copy], library, **more)
    assert done.returncode == 0, done.stderr[-2000:]
    return library
