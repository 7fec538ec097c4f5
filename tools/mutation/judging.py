"""One mutant, judged in a copy of the tree by a process of its own.

A server process loads the third parties once and forks for each mutant, which saves most of the seconds that a fresh
interpreter takes. A test that takes far longer than it does without a change ends the process: the mutant counts as
killed, by time.

Main definitions: ``Tree`` (a copy of the tree), ``Judgement``, ``run`` (a function in a process of its own), ``judge``.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tools.mutation.operators import Mutant

THIRD_PARTIES = (
    "numpy", "scipy.stats", "scipy.optimize", "scipy.special", "numba", "sklearn.tree", "sklearn.ensemble",
    "sklearn.model_selection", "matplotlib.figure", "sympy", "mpmath", "flint", "z3", "pandas", "polars", "pyarrow",
    "pyarrow.parquet", "rich", "joblib", "tools.mutation.judging", "tools.mutation.reach",
)  # fmt: skip
START = "forkserver"  # its server is the first of this process, or it may hold modules of the package
OPTIONS = (
    "-x",
    "-q",
    "--no-header",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",
)
SPARE, SLOWER, COMPILING = (
    20,
    10,
    120,
)  # seconds that a test may take besides, times its own, and more where loops compile
LONG = 300  # seconds that a slow test may take
KILLED_BY_TIME = -signal.SIGALRM
UNPREPARED = 70  # how a process ends that could not even begin
COLLECTING = "(before the first)"


@dataclass(frozen=True)
class Judgement:
    """What became of a mutant: "own" (a test of its own), "slow", "theorem" or "survived"; by what, and how.

    "slow" is said of one that the tests of ``make test`` leave alive and those that it leaves out do not.
    """

    outcome: str
    by: str = ""
    how: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Tree:
    """A copy of the tracked files, and the cache of compiled loops that belongs to it."""

    root: Path

    @property
    def compiled(self) -> Path:
        """The cache of the tree as it is without a change."""
        return self.root.with_name(self.root.name + "-compiled")

    def follow(self, source: Path) -> None:
        """Make the copy equal to the working tree; what is equal already keeps its time of change."""
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=source, check=True, capture_output=True, text=True,
        )  # fmt: skip
        names = {name for name in listed.stdout.split("\0") if name and (source / name).exists()}
        for name in names:
            old, new = source / name, self.root / name
            if old.is_symlink():
                new.parent.mkdir(parents=True, exist_ok=True)
                if not new.is_symlink():
                    new.symlink_to(os.readlink(old))
            elif not new.is_file() or new.read_bytes() != old.read_bytes():
                new.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(old, new)
        for path in [path for path in self.root.rglob("*") if path.is_file() and not path.is_symlink()]:
            if str(path.relative_to(self.root)) not in names and path.suffix != ".pyc":
                path.unlink()

    @contextlib.contextmanager
    def changed(self, mutant: Mutant) -> Any:
        """The copy with a mutant in it, and a cache of compiled loops to be thrown away; afterwards as before."""
        path = self.root / mutant.path
        source, times = path.read_bytes(), path.stat()
        cache = self.compiled.with_name(self.compiled.name + "-mutant")
        shutil.rmtree(cache, ignore_errors=True)
        self.compiled.mkdir(parents=True, exist_ok=True)
        shutil.copytree(self.compiled, cache, copy_function=os.link)
        try:
            path.write_bytes(mutant.applied(source))
            stamp = times.st_mtime_ns + 10**9 * (
                1 + int(time.time() * 10) % 10**6
            )  # no kept bytecode may be taken for it
            os.utime(path, ns=(stamp, stamp))
            yield cache
        finally:
            path.write_bytes(source)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            shutil.rmtree(cache, ignore_errors=True)


def run(function: Callable[..., None], tree: Tree, cache: Path, log: Path, arguments: tuple[Any, ...]) -> int:
    """Call a function in a process of its own, in the tree; return how the process ended.

    The process is the first of its group; whatever it started ends with it.
    """
    context = multiprocessing.get_context(START)
    context.set_forkserver_preload(list(THIRD_PARTIES))
    process = context.Process(target=prepared, args=(function, tree.root, cache, log, arguments))
    process.start()
    assert process.pid
    try:
        process.join()
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.join()
    if process.exitcode == UNPREPARED:
        raise RuntimeError(f"a process of its own begins in {tree.root}; got none; see {log}")
    return process.exitcode or 0


def prepared(function: Callable[..., None], root: Path, cache: Path, log: Path, arguments: tuple[Any, ...]) -> None:
    """Be a process of the tree at this root: its folder, its modules, its cache, its output in a file."""
    try:
        os.setsid()
        os.chdir(root)
        with log.open("w") as out:
            os.dup2(out.fileno(), 1)
            os.dup2(out.fileno(), 2)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        sys.path[:] = [str(root), *(p for p in sys.path if p and not Path(p, "splitcrit", "__init__.py").exists())]
        assert not any(name.split(".")[0] == "splitcrit" for name in sys.modules), "a third party imports the package"
        os.environ |= {"PYTHONPATH": str(root), "CI": "true", "NUMBA_CACHE_DIR": str(cache), "MPLBACKEND": "agg"}
        import numba

        numba.config.CACHE_DIR = str(cache)
    except BaseException:
        traceback.print_exc()
        os._exit(UNPREPARED)
    function(*arguments)


class Chosen:
    """A plugin of pytest: these tests in this order, each with a limit of time, no failure made smaller.

    The limit is that of the slowest test of the file: in another order a test may be the one that makes what all share.
    Tests that are nowhere in the map come last: a change may have given them another name.
    """

    def __init__(self, tests: list[str], seconds: dict[str, float], spare: float) -> None:
        self.place, self.seconds, self.spare = {test: i for i, test in enumerate(tests)}, seconds, spare
        self.slowest: dict[str, float] = {}
        for test, took in seconds.items():
            file = test.partition("::")[0]
            self.slowest[file] = max(took, self.slowest.get(file, 0.0))

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        from hypothesis import Phase, settings

        settings.register_profile("mutants", parent=settings(), phases=(Phase.explicit, Phase.generate))
        settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        known = self.place.keys() | self.seconds.keys()
        chosen = [item for item in items if item.nodeid in self.place or item.nodeid not in known]
        items[:] = sorted(chosen, key=lambda item: self.place.get(item.nodeid, len(known)))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        limit(self.spare + SLOWER * self.slowest.get(item.nodeid.partition("::")[0], 0.0))
        Path(os.environ["MUTANT_BY"]).write_text(item.nodeid)
        return (yield)


def limit(seconds: float) -> None:
    """End this process, whatever it is doing, after so long."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def by_tests(tests: list[str], seconds: dict[str, float], spare: float, by: Path, marks: str = "") -> None:
    """Run tests, those with these marks, until one fails; the process ends with 1 if one does."""
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    os.environ["MUTANT_BY"] = str(by)
    limit(120 + spare)
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    code = pytest.main([*OPTIONS, "-m", marks, *files], plugins=[Chosen(tests, seconds, spare)])
    sys.stdout.flush()
    os._exit(0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else int(code))


def by_fast_tests(tests: list[str], seconds: dict[str, float], spare: float, by: Path) -> None:
    """Run those of the tests that ``make test`` runs."""
    by_tests(tests, seconds, spare, by, "not slow")


def by_slow_tests(files: list[str], _: dict[str, float], spare: float, by: Path) -> None:
    """Run the tests of these files that ``make test`` leaves out; how long they take is not known."""
    by_tests(files, {}, spare + LONG, by, "slow")


def by_theorems(keys: list[str], seconds: dict[str, float], spare: float, by: Path) -> None:
    """Settle theorems until one falls; the process ends with 1 if one does."""
    sys.dont_write_bytecode = True
    limit(120 + spare)
    from splitcrit.proofs import catalogue
    from splitcrit.proofs.ledger import entry, settled

    for key in keys:
        by.write_text(key)
        limit(spare + SLOWER * seconds[key])
        if not entry(catalogue.collect()[key], settled(key, None)).settled:
            os._exit(1)
    os._exit(0)


Judges = list[tuple[str, Callable[..., None], tuple[list[str], dict[str, float]]]]


def judge(
    mutant: Mutant, tree: Tree, tests: tuple[list[str], dict[str, float]], theorems: tuple[list[str], dict[str, float]]
) -> Judgement:
    """Judge one mutant by tests, then by theorems; each are names in order and the seconds they take."""
    return judged(mutant, tree, [("own", by_tests, tests), ("theorem", by_theorems, theorems)])


def judged(mutant: Mutant, tree: Tree, judges: Judges) -> Judgement:
    """Judge one mutant by several in turn: the outcome if one kills it, a function, names and the seconds they take."""
    start = time.monotonic()
    log, by = tree.root.with_suffix(".log"), tree.root.with_suffix(".by")
    source = (tree.root / mutant.path).read_bytes()
    spare = SPARE + (COMPILING if b"numba" in source or b"jit" in source else 0)
    with tree.changed(mutant) as cache:
        for outcome, function, (names, seconds) in judges:
            by.write_text(COLLECTING)
            if names and (code := run(function, tree, cache, log, (names, seconds, spare, by))):
                return Judgement(
                    outcome, by.read_text(), manner(code, by.read_text()), round(time.monotonic() - start, 1)
                )
    return Judgement("survived", seconds=round(time.monotonic() - start, 1))


def manner(code: int, by: str) -> str:
    """How a process ended that did not end well."""
    if code == KILLED_BY_TIME:
        return "time"
    return "crash" if code not in {1, 2} else "import" if by == COLLECTING else "failed"
