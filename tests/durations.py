"""How long test files take, and in which order they run: what takes longest first, so that no process ends late.

Main definitions: ``longest_first``, ``Durations`` (a plugin of pytest that keeps the times of a run).
"""

import json
import resource
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

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
