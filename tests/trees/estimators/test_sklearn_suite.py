"""scikit-learn's own tests of its trees and forests pass on ours, but for those that docs/sklearn-tests.md lists."""

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import sklearn_suite
from sklearn_suite import FORESTS, LEFT_OUT, PAGE, TREES, Suite, counted, left_out, listed

ROOT = Path(__file__).parents[2]
LEAST = {TREES: 97, FORESTS: 97}  # per cent of the tests that apply


@pytest.mark.slow
@pytest.mark.parametrize("suite", [TREES, FORESTS])
def test_scikit_learns_tests(suite: str) -> None:
    run = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "sklearn_suite.py"), suite, f"--least={LEAST[suite]}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]
    count = "\n".join(run.stdout.splitlines()[-2:])
    page = PAGE.read_text()
    assert counted(page, suite, count) == page, f"run tests/sklearn_suite.py {suite} --write; {count}"


@pytest.mark.parametrize("suite", [TREES, FORESTS])
def test_the_page_counts_tests_of_which_most_pass(suite: str) -> None:
    found = re.search(rf"^(\d+) of (\d+) tests of {suite} that apply pass, ([\d.]+) %\.$", PAGE.read_text(), re.M)
    assert found is not None
    passed, applicable, share = float(found[1]), float(found[2]), float(found[3])
    assert LEAST[suite] <= share == round(100 * passed / applicable, 1)


def test_every_family_that_is_left_out_has_a_test() -> None:
    reasons = [*listed(TREES).values(), *listed(FORESTS).values()]
    assert {left_out(reason) for reason in reasons} - {None} == set(LEFT_OUT.values())
    assert left_out("Sparse features are refused.") is None


def test_a_run_fails_below_the_share_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sklearn_suite, "listed", lambda _: {"test_a": "Several outputs.", "test_b": "No colours."})
    reports = [("test_a[1]", "skipped"), ("test_b", "skipped"), *(("test_c", "passed"),) * 8, ("test_d", "failed")]
    for least, status in ((80.0, 0), (81.0, 1)):
        suite = Suite(TREES, least)
        for name, outcome in reports:
            report = SimpleNamespace(when="call", nodeid=f"x::{name}", passed=outcome == "passed",
                                     failed=outcome == "failed", skipped=outcome == "skipped", wasxfail="")  # fmt: skip
            suite.pytest_runtest_logreport(report)
        config = SimpleNamespace(getoption=lambda _: "")
        session = SimpleNamespace(testscollected=11, items=[None] * 11, config=config, exitstatus=0)
        suite.pytest_sessionfinish(session)
        assert session.exitstatus == status
    assert suite.count() == "8 of 10 tests of trees that apply pass, 80.0 %.\nLeft out: 1 several outputs."
