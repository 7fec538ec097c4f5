"""Run scikit-learn's own tests against the estimators: python tests/sklearn_suite.py trees|forests [PYTEST OPTIONS]

A test module of scikit-learn's wheel is collected with its four classes of trees, or of forests, replaced by stand-ins:
the estimators with scikit-learn's defaults, `min_gain=None`, and for extremely randomised trees `splitter="random"`. A
test that docs/sklearn-tests.md lists must fail, for all of its parameters that match; every other test must pass.
"""

import os
import re
import sys
import types
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
import sklearn
import sklearn.ensemble
import sklearn.tree

from splitcrit import estimators

PAGE = Path(__file__).resolve().parents[1] / "docs" / "sklearn-tests.md"
TREES, FORESTS = "trees", "forests"
FILES = {TREES: "tree/tests/test_tree.py", FORESTS: "ensemble/tests/test_forest.py"}


def listed(suite: str) -> dict[str, str]:
    """The patterns of tests that do not apply, with the reasons, from the table of the page under the suite's file."""
    for part in PAGE.read_text().split("\n## ")[1:]:
        if FILES[suite] in part:
            return dict(re.findall(r"^\| `(test_[^`]+)` \| (.+) \|$", part, re.M))
    raise LookupError(f"the page has no section about {FILES[suite]}")


def stand_in(name: str, base: type, home: types.ModuleType, **defaults: object) -> None:
    """Put a subclass with other defaults in the place of a class of scikit-learn."""
    old = base.__init__
    init = types.FunctionType(old.__code__, old.__globals__, "__init__", None, old.__closure__)
    init.__defaults__, init.__kwdefaults__ = old.__defaults__, old.__kwdefaults__ | {"min_gain": None} | defaults
    setattr(home, name, type(base)(name, (base,), {"__init__": init, "__module__": home.__name__}))


def install(suite: str) -> None:
    """Put the stand-ins in scikit-learn's place, before its tests are imported."""
    for kind in ("Classifier", "Regressor"):
        if suite == TREES:
            base, drawn = getattr(estimators, f"Tree{kind}"), {"max_features": "sqrt" if kind == "Classifier" else 1.0}
            stand_in(f"DecisionTree{kind}", base, sklearn.tree)
            stand_in(f"ExtraTree{kind}", base, sklearn.tree, splitter="random", **drawn)
        else:
            base = getattr(estimators, f"Forest{kind}")
            stand_in(f"RandomForest{kind}", base, sklearn.ensemble)
            stand_in(f"ExtraTrees{kind}", base, sklearn.ensemble, splitter="random", bootstrap=False)


class Suite:
    """Marks the listed tests and counts what becomes of each."""

    def __init__(self, suite: str) -> None:
        self.reasons = listed(suite)
        self.failed = dict.fromkeys(self.reasons, 0)

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
    suite = sys.argv[1] if len(sys.argv) > 1 else TREES
    if suite not in FILES:
        sys.exit(f"the suite is one of {', '.join(FILES)}; got {suite}; python tests/sklearn_suite.py {FORESTS}")
    install(suite)
    folder = Path(sklearn.__file__).parent
    options = ["-q", "--no-header", "--tb=native", "-p", "no:cacheprovider", "-p", "no:doctest", "-c", os.devnull]
    where = [str(folder / FILES[suite]), f"--confcutdir={folder}", f"--rootdir={folder}"]
    sys.exit(pytest.main([*options, *where, *sys.argv[2:]], plugins=[Suite(suite)]))
