"""Run scikit-learn's own tests of its trees against the estimators: python tests/sklearn_suite.py [PYTEST OPTIONS]

The test module of scikit-learn's wheel is collected with its four tree classes replaced by stand-ins: the estimators
with scikit-learn's defaults, `min_gain=None`, and for extremely randomised trees `splitter="random"`. A test that
docs/sklearn-tests.md lists must fail, for all of its parameters that match; every other test must pass.
"""

import os
import re
import sys
import types
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
import sklearn
import sklearn.tree

from splitcrit import estimators

PAGE = Path(__file__).resolve().parents[1] / "docs" / "sklearn-tests.md"
MODULE = "sklearn.tree.tests.test_tree"
FOREST = {"Classifier": {"splitter": "random", "max_features": "sqrt"}, "Regressor": {"splitter": "random"}}


def listed() -> dict[str, str]:
    """The patterns of tests that do not apply, with the reasons, from the table of the page."""
    return dict(re.findall(r"^\| `(test_[^`]+)` \| (.+) \|$", PAGE.read_text(), re.M))


def stand_in(name: str, base: type, defaults: dict[str, object]) -> type:
    """A subclass under a name of scikit-learn, with other defaults."""
    old = base.__init__
    init = types.FunctionType(old.__code__, old.__globals__, "__init__", None, old.__closure__)
    init.__kwdefaults__ = old.__kwdefaults__ | defaults
    return type(name, (base,), {"__init__": init, "__module__": "sklearn.tree"})


def install() -> None:
    """Put the stand-ins in scikit-learn's place, before its tests are imported."""
    for kind in ("Classifier", "Regressor"):
        base = getattr(estimators, f"Tree{kind}")
        for name, defaults in ((f"DecisionTree{kind}", {}), (f"ExtraTree{kind}", FOREST[kind])):
            setattr(sklearn.tree, name, stand_in(name, base, {"min_gain": None} | defaults))


class Suite:
    """Marks the listed tests and counts what becomes of each."""

    def __init__(self) -> None:
        self.reasons, self.failed = listed(), dict.fromkeys(listed(), 0)

    def pattern(self, name: str) -> str | None:
        """The listed pattern that a test's name with parameters matches: the test as a whole, or glob-like."""
        return next((p for p in self.reasons if name.partition("[")[0] == p or fnmatchcase(name, glob(p))), None)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            if pattern := self.pattern(item.name):
                item.add_marker(pytest.mark.xfail(reason=self.reasons[pattern], strict=True))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.skipped and hasattr(report, "wasxfail"):
            self.failed[self.pattern(report.nodeid.rpartition("::")[2]) or ""] += 1

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        stale = [pattern for pattern, failures in self.failed.items() if not failures]
        if stale and session.testscollected == len(session.items) and not session.config.getoption("keyword"):
            print("\nlisted, but nothing of it fails:", *stale)
            session.exitstatus = 1


def glob(pattern: str) -> str:
    """The pattern with brackets taken literally."""
    return pattern.replace("[", "[[]")


if __name__ == "__main__":
    install()
    folder = Path(sklearn.__file__).parent
    options = ["-q", "--no-header", "--tb=native", "-p", "no:cacheprovider", "-p", "no:doctest", "-c", os.devnull]
    where = [str(folder / "tree" / "tests" / "test_tree.py"), f"--confcutdir={folder}", f"--rootdir={folder}"]
    sys.exit(pytest.main([*options, *where, *sys.argv[1:]], plugins=[Suite()]))
