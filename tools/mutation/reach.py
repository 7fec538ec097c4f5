"""Which tests run which lines, and how long each takes: a run of an area's own tests under coverage.

The lines of compiled loops cannot be watched: where a test calls one, it counts for all lines of the function and of
those it calls. The map says which tests come first: lines that run once for several tests, or in another
process, are put down to the first of them or to none, so that a mutant meets other tests of its area as well.

Main definitions: ``Reach``, ``of_tests``, ``of_theorems``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from tools.mutation.operators import Mutant

Lines = dict[str, dict[str, list[int]]]  # by module, by test


@dataclass(frozen=True)
class Reach:
    """Seconds of every test (or theorem), the lines of every module that each runs, and digests of the test files."""

    seconds: dict[str, float]
    lines: Lines
    files: dict[str, str]

    def of(self, files: set[str]) -> Reach:
        """The part of the map that is about tests in these files."""
        seconds = {test: s for test, s in self.seconds.items() if test.partition("::")[0] in files}
        lines = {path: {t: at for t, at in here.items() if t in seconds} for path, here in self.lines.items()}
        return Reach(seconds, lines, {name: key for name, key in self.files.items() if name in files})

    def joined(self, other: Reach, files: dict[str, str]) -> Reach:
        """This map and another one, which is about these files."""
        lines = {path: dict(here) for path, here in self.lines.items()}
        for path, here in other.lines.items():
            lines.setdefault(path, {}).update(here)
        return Reach(self.seconds | other.seconds, lines, self.files | files)

    def order(self, mutant: Mutant) -> tuple[list[str], list[str]]:
        """The tests that reach a mutant, and all others; the fastest first.

        What a module does when it is imported reaches every test that runs some of the module. Of the others come
        first those in the file named for the module, then those that run some of it.
        """
        first, last = mutant.lines
        ran = self.lines.get(mutant.path, {})
        near = {test for test, lines in ran.items() if any(first <= line <= last for line in lines)}
        near = near if mutant.function else near | ran.keys()
        named = f"/test_{mutant.path.rpartition('/')[2]}::"
        quick = sorted(self.seconds, key=lambda test: (named not in test, test not in ran, self.seconds[test]))
        return sorted(near & self.seconds.keys(), key=lambda test: self.seconds[test]), [
            t for t in quick if t not in near
        ]

    def write(self, path: Path) -> None:
        """Keep the map."""
        path.write_text(json.dumps(asdict(self)))

    @classmethod
    def read(cls, path: Path) -> Reach:
        """Read a map that was kept."""
        return cls(**json.loads(path.read_text()))


class Watch:
    """Lines run, by module and by what runs them."""

    def __init__(self, root: Path, package: str) -> None:
        from coverage import Coverage

        self.root, self.package, self.now = root, package, ""
        self.cover = Coverage(data_file=None, config_file=False, source=[str((root / package).resolve())])
        self.called: dict[str, set[Any]] = {}

    def start(self) -> None:
        """Begin to watch; before the package is imported."""
        watch_compiled(lambda function: self.called.setdefault(self.now, set()).add(function))
        self.cover.start()

    def switch(self, name: str) -> None:
        """From now on this test runs."""
        self.now = name
        self.cover.switch_context(name)

    def lines(self) -> Lines:
        """What was run, of modules below the root."""
        self.cover.stop()
        data, lines_run = self.cover.get_data(), {}
        for path in data.measured_files():
            by_line = data.contexts_by_lineno(path)
            here = lines_run.setdefault(self.named(path), {})
            for line, tests in by_line.items():
                for test in filter(None, tests):
                    here.setdefault(test, set()).add(line)
        for test, functions in self.called.items():
            for code in {code for function in functions for code in reached(function)}:
                inside = {line for *_, line in code.co_lines() if line}
                lines_run.setdefault(self.named(code.co_filename), {}).setdefault(test, set()).update(inside)
        return {path: {test: sorted(lines) for test, lines in here.items()} for path, here in lines_run.items()}

    def named(self, path: str) -> str:
        """A module as the samples name it: below the package, also where a link leads there."""
        inside = Path(path).resolve().relative_to(self.root.resolve())
        return str(inside if inside.parts[0] == self.package else Path(self.package) / inside)


def watch_compiled(tell: Callable[[Any], None]) -> None:
    """Tell of every call of a function compiled by numba from Python."""
    import numba

    compile_ = numba.njit

    def watched(dispatcher: Any) -> Any:
        class Watched(type(dispatcher)):  # type: ignore[misc]
            def __call__(self, *arguments: Any, **named: Any) -> Any:
                tell(self.py_func)
                return super().__call__(*arguments, **named)

        dispatcher.__class__ = Watched
        return dispatcher

    def njit(*arguments: Any, **options: Any) -> Any:
        compiled = compile_(*arguments, **options)
        return (
            (lambda function: watched(compiled(function))) if isinstance(compiled, FunctionType) else watched(compiled)
        )

    numba.njit = njit


def reached(function: FunctionType) -> Iterator[Any]:
    """The code of a function and of every function of the package that it calls by a global name."""
    waiting, seen = [function], set()
    while waiting:
        here = waiting.pop()
        if here in seen:
            continue
        seen.add(here)
        yield here.__code__
        globals_used = (here.__globals__.get(name) for name in here.__code__.co_names)
        plain = (getattr(value, "py_func", value) for value in globals_used)
        waiting += [f for f in plain if isinstance(f, FunctionType) and f.__module__.startswith("splitcrit.")]


class Timed:
    """A plugin of pytest that tells the watch which test runs, and keeps the seconds of each."""

    def __init__(self, watch: Watch) -> None:
        self.watch, self.seconds, self.failed = watch, dict[str, float](), list[str]()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.watch.switch(item.nodeid)
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.append(report.nodeid)


def of_tests(root: Path, arguments: list[str], package: str, out: Path) -> None:
    """Run tests under the watch and keep the map; tests that fail are left out of it and named."""
    watch = Watch(root, package)
    watch.start()
    timed = Timed(watch)
    pytest.main(arguments, plugins=[timed])
    lines = watch.lines()
    for test in timed.failed:
        print(f"fails without any change, left out: {test}", file=sys.stderr)
    seconds = {test: round(s, 4) for test, s in timed.seconds.items() if test not in timed.failed}
    Reach(seconds, lines, {}).write(out)


def of_theorems(root: Path, package: str, out: Path) -> None:
    """Settle every theorem under the watch and keep the map."""
    watch = Watch(root, package)
    watch.start()
    from splitcrit.proofs import catalogue
    from splitcrit.proofs.ledger import settled

    seconds = {}
    for key in catalogue.collect():
        watch.switch(key)
        seconds[key] = settled(key, None).seconds
    Reach(seconds, watch.lines(), {}).write(out)
