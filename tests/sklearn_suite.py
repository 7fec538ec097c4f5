"""Run scikit-learn's own tests on our estimators: python tests/sklearn_suite.py trees|forests [--least=97] [--write]

A test module of scikit-learn's wheel is collected with its four classes of trees, or of forests, replaced by stand-ins:
the estimators with scikit-learn's defaults, `min_gain=None`, and for extremely randomised trees `splitter="random"`. A
test that docs/sklearn-tests.md lists must fail, for all of its parameters that match; every other test must pass.

The last lines count how many of the tests that apply pass, each set of parameters being one test. Those that ask for
what our estimators leave out on purpose (`LEFT_OUT`) do not apply. The run fails if fewer than `--least` per cent pass;
`--write` writes them into the page. Any other options are pytest's.
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

from splitcrit import trees

PAGE = Path(__file__).resolve().parents[1] / "docs" / "sklearn-tests.md"
TREES, FORESTS = "trees", "forests"
FILES = {TREES: "tree/tests/test_tree.py", FORESTS: "ensemble/tests/test_forest.py"}
LEFT_OUT = {  # from words of the reasons that the page gives
    "several outputs": "several outputs",
    "closer than 1e-7": "almost constant features",
    "2**65": "room for 2^65 leaves",
    "criterion objects": "criterion objects",
}
COUNT = "<!-- count: python tests/sklearn_suite.py {} --write -->\n"
END = "<!-- end of count -->\n"


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
            base, drawn = getattr(trees, f"Tree{kind}"), {"max_features": "sqrt" if kind == "Classifier" else 1.0}
            stand_in(f"DecisionTree{kind}", base, sklearn.tree)
            stand_in(f"ExtraTree{kind}", base, sklearn.tree, splitter="random", **drawn)
        else:
            base = getattr(trees, f"Forest{kind}")
            stand_in(f"RandomForest{kind}", base, sklearn.ensemble)
            stand_in(f"ExtraTrees{kind}", base, sklearn.ensemble, splitter="random", bootstrap=False)


class Suite:
    """Marks the listed tests and counts what becomes of each."""

    def __init__(self, suite: str, least: float = 0.0) -> None:
        self.suite, self.least, self.reasons = suite, least, listed(suite)
        self.failed = dict.fromkeys(self.reasons, 0)
        self.passed = self.unlisted = 0

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
        self.passed += report.when == "call" and report.passed
        self.unlisted += report.failed

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        stale = [pattern for pattern, failures in self.failed.items() if not failures]
        if session.testscollected != len(session.items) or session.config.getoption("keyword"):
            return
        if stale:
            print("\nlisted, but nothing of it fails:", *stale)
        if stale or 100 * self.passed < self.least * self.applicable:
            session.exitstatus = 1

    @property
    def applicable(self) -> int:
        """How many tests apply, passed or not."""
        apply = [failures for pattern, failures in self.failed.items() if left_out(self.reasons[pattern]) is None]
        return self.passed + self.unlisted + sum(apply)

    def count(self) -> str:
        """What a run comes to, in words."""
        out = dict.fromkeys(LEFT_OUT.values(), 0)
        for pattern, failures in self.failed.items():
            if (family := left_out(self.reasons[pattern])) is not None:
                out[family] += failures
        share = f"{self.passed} of {self.applicable} tests of {self.suite} that apply pass"
        families = ", ".join(f"{number} {family}" for family, number in out.items() if number)
        return f"{share}, {100 * self.passed / max(self.applicable, 1):.1f} %.\nLeft out: {families or 'none'}."


def left_out(reason: str) -> str | None:
    """What a test asks for that does not apply, by the reason that the page gives; None if the test applies."""
    return next((family for words, family in LEFT_OUT.items() if words in reason.lower()), None)


def counted(page: str, suite: str, count: str) -> str:
    """The page with the count of a suite replaced."""
    mark = COUNT.format(suite)
    if mark not in page:
        raise LookupError(f"the page has no count of {suite}")
    head, _, rest = page.partition(mark)
    return f"{head}{mark}{count}\n{rest.partition(END)[1]}{rest.partition(END)[2]}"


def glob(pattern: str) -> str:
    """The pattern with brackets taken literally."""
    return pattern.replace("[", "[[]")


if __name__ == "__main__":
    suite = sys.argv[1] if len(sys.argv) > 1 else TREES
    if suite not in FILES:
        sys.exit(f"the suite is one of {', '.join(FILES)}; got {suite}; python tests/sklearn_suite.py {FORESTS}")
    install(suite)
    least = [float(option.removeprefix("--least=")) for option in sys.argv if option.startswith("--least=")]
    options = [option for option in sys.argv[2:] if option != "--write" and not option.startswith("--least=")]
    plugin, folder = Suite(suite, *least), Path(sklearn.__file__).parent
    quiet = ["-q", "--no-header", "--tb=native", "-p", "no:cacheprovider", "-p", "no:doctest", "-c", os.devnull]
    where = [str(folder / FILES[suite]), f"--confcutdir={folder}", f"--rootdir={folder}"]
    status = pytest.main([*quiet, *where, *options], plugins=[plugin])
    print(plugin.count())
    if "--write" in sys.argv:
        PAGE.write_text(counted(PAGE.read_text(), suite, plugin.count()))
    sys.exit(status)
