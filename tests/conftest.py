"""Hypothesis profiles, the order of test files, and the folder of real data.

Profiles: `dev` (the default), `ci` (derandomised, chosen where the variable CI is set), `thorough`; the variable
HYPOTHESIS_PROFILE names one.

Files that take longest run first, so that no process ends long after the others. How many seconds of the processor
each took is kept in build/durations.json; before the first run, tests/durations.json names the longest.
"""

import gc
import json
import os
import resource
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import settings

from libraries import NAMES, Library, named
from tiers import mark_slow

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "build" / "durations.json"
DURATIONS = [ROOT / "tests" / "durations.json", KEPT]

UNKNOWN = 2.0  # seconds of a file that neither names; the committed ones are those of three seconds and more


def spent() -> float:
    """The seconds of the processor that this process and those it waited for have taken."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def durations() -> dict[str, float]:
    """Seconds by file, of the last run where there was one."""
    return {file: s for path in DURATIONS if path.is_file() for file, s in json.loads(path.read_text()).items()}


def longest_first(items: list[pytest.Item], known: dict[str, float]) -> list[pytest.Item]:
    """The tests, the file that takes longest first; those of one file stay as they are."""
    files = list(dict.fromkeys(item.nodeid.partition("::")[0] for item in items))
    order = sorted(files, key=lambda file: -known.get(file, UNKNOWN))
    place = {file: i for i, file in enumerate(order)}
    return sorted(items, key=lambda item: place[item.nodeid.partition("::")[0]])


class Durations:
    """What each test takes, told by the process that runs it and kept by the one that gathers the reports."""

    def __init__(self, clock: Callable[[], float] = spent) -> None:
        self.clock, self.before, self.took = clock, clock(), dict[str, float]()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Put down what was spent since the last report."""
        report = yield
        now = self.clock()
        report.user_properties.append(("processor", now - self.before))
        self.before = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up by file."""
        file = report.nodeid.partition("::")[0]
        self.took[file] = self.took.get(file, 0.0) + dict(report.user_properties).get("processor", 0.0)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Keep the times, unless only some tests of a file were chosen by name."""
        terminalreporter.write_line(f"tests took {sum(self.took.values()):.0f} s of the processor")
        if not terminalreporter.config.getoption("keyword") and not any(
            "::" in a for a in terminalreporter.config.args
        ):
            KEPT.parent.mkdir(exist_ok=True)
            told = {file: round(s, 1) for file, s in sorted((durations() | self.took).items())}
            KEPT.write_text(json.dumps(told, indent=0) + "\n")


# Hypothesis profiles, the order of test files, and the folder of real data.

os.environ.setdefault("MPLBACKEND", "agg")  # pictures open no window
os.environ.setdefault("OMP_NUM_THREADS", "1")  # processes run side by side; threads of one would wait for each other
settings.register_profile("dev", max_examples=40, deadline=None)
settings.register_profile("ci", max_examples=40, deadline=None, derandomize=True, print_blob=True)
settings.register_profile("thorough", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))


def pytest_configure(config: pytest.Config) -> None:
    """Watch how long tests take."""
    config.pluginmanager.register(Durations(), "durations")


@pytest.hookimpl(tryfirst=True)  # before tests are left out by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow, and put the files that take longest first."""
    mark_slow(items)
    items[:] = longest_first(items, durations())


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let the collector of garbage pass over a million objects that are imported or collected and outlive all tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 10, 10)
        gc.enable()


@pytest.fixture(scope="session", params=NAMES)
def library(request: pytest.FixtureRequest) -> Library:
    """Every array library in turn; those that do not import are skipped."""
    return named(request.param)


@pytest.fixture
def refusal(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """The sentence by which a command is refused: its status is 2, and nothing else is printed."""

    def sentence(*words: object) -> str:
        from splitcrit.cli import main

        assert main(list(map(str, words))) == 2
        printed = capsys.readouterr()
        assert printed.out == "" and printed.err.count("\n") == 1
        return printed.err

    return sentence


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder that SPLITCRIT_DATA names; a test that asks for it is skipped where there is none."""
    named = os.environ.get("SPLITCRIT_DATA")
    if not named:
        pytest.skip("needs real data; the variable SPLITCRIT_DATA is not set")
    if not Path(named).is_dir():
        pytest.skip(f"needs real data; SPLITCRIT_DATA names {named}, which is no folder")
    return Path(named)
