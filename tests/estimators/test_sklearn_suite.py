"""scikit-learn's own tests of its trees and forests pass on ours, but for those that docs/sklearn-tests.md lists."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("suite", ["trees", "forests"])
def test_scikit_learns_tests(suite: str) -> None:
    run = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "sklearn_suite.py"), suite],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]
    assert " passed" in run.stdout
