"""`python -m splitcrit` is the command line."""

from __future__ import annotations

import subprocess
import sys


def test_the_package_runs_as_a_command() -> None:
    told = subprocess.run([sys.executable, "-m", "splitcrit", "--help"], capture_output=True, text=True)
    assert told.returncode == 0 and "verify" in told.stdout
