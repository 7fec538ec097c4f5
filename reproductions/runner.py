"""The runner: a grid of tasks, through joblib, with progress, resumable from what was saved.

A task is a dictionary of plain values that names it; its seed follows from the experiment's seed and its name, so that
neither order, nor number of workers, nor an interruption changes a result.

Main definitions: ``Options``, ``Experiment``, ``run``, ``seed_of``.
"""

from __future__ import annotations

import hashlib
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import sklearn
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from splitcrit import __version__
from splitcrit.arguments import of_kind, whole
from splitcrit.atomic_files import ready
from splitcrit.display import shortened

from .results import Results, Row

Task = dict[str, Any]
PAUSE = 2.0  # seconds between two savings


@dataclass(frozen=True, repr=False)
class Options:
    """What a user chooses of a reproduction.

    Parameters
    ----------
    out : path
        The folder of results and pictures.
    data : path, optional
        A folder of data sets; by default what ``SPLITCRIT_DATA`` names.
    sets : tuple of str
        Only these data sets; all by default.
    repeats : int, optional
        Splits, seeds or repetitions; the experiment has its own default.
    quick : bool
        A short run that checks the path, not the figures.
    jobs : int
        Workers, as joblib counts them.
    seed : int
    fresh : bool
        Forget earlier results.
    """

    out: Path
    data: Path | None = None
    sets: tuple[str, ...] = ()
    repeats: int | None = None
    quick: bool = False
    jobs: int = 1
    seed: int = 0
    fresh: bool = False

    __repr__ = shortened

    def __post_init__(self) -> None:
        repeats = 1 if self.repeats is None else self.repeats
        for name, number, least in (("repeats", repeats, 1), ("seed", self.seed, 0), ("jobs", self.jobs, -(2**10))):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, whole(number, name, least, 2**62))
        for name in ("quick", "fresh"):
            switch = of_kind(getattr(self, name), bool | np.bool_, f"{name} is True or False", "pass one of them")
            object.__setattr__(self, name, bool(switch))

    def runs(self, usual: int, quick: int = 1) -> int:
        """The number of splits, seeds or repetitions: the one asked for, a small one if quick, else the usual.

        Examples
        --------
        >>> Options(Path()).runs(10), Options(Path(), quick=True).runs(10), Options(Path(), None, (), 4, True).runs(10)
        (10, 1, 4)
        """
        return self.repeats or (quick if self.quick else usual)

    def chosen(self, available: tuple[str, ...], quick: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The data sets to run on: those asked for, a few in a quick run, else all."""
        return self.sets or (quick if self.quick and quick else available)


@dataclass(frozen=True, repr=False)
class Experiment:
    """A table or figure of a paper.

    Parameters
    ----------
    name : str
        The name of its files and on the command line.
    about : str
        One sentence.
    keys : tuple of str
        The entries of a task that name it.
    tasks : callable
        ``tasks(options)`` lists the tasks.
    work : callable
        ``work(task, options, rng)`` does one and returns its rows; defined at the top of a module.
    finish : callable, optional
        ``finish(rows, options)`` writes summaries and pictures, and returns the text to show.
    protocol : dict
        What else the rows rest on.
    """

    name: str
    about: str
    keys: tuple[str, ...]
    tasks: Callable[[Options], list[Task]]
    work: Callable[[Task, Options, np.random.Generator], list[Row]]
    finish: Callable[[list[Row], Options], str] | None = None
    protocol: tuple[tuple[str, Any], ...] = ()

    __repr__ = shortened


def seed_of(seed: int, *names: Any) -> int:
    """The seed of a task: 32 bits of a hash of the experiment's seed and the task's name.

    Examples
    --------
    >>> seed_of(0, "wine", 3) == seed_of(0, "wine", 3) != seed_of(1, "wine", 3)
    True
    """
    return int.from_bytes(hashlib.sha256(repr((seed, *map(str, names))).encode()).digest()[:4], "big")


def _one(experiment: Experiment, task: Task, options: Options) -> tuple[list[Row], float]:
    """The rows of a task and the processor seconds that it took."""
    start = time.process_time()
    seed = seed_of(options.seed, experiment.name, *(task[k] for k in experiment.keys))
    rows = experiment.work(task, options, np.random.default_rng(seed))
    marked = [{**{k: task[k] for k in experiment.keys}, **row, "seed": seed} for row in rows]
    return marked, time.process_time() - start


def run(experiment: Experiment, options: Options, *, show: bool = True) -> str:
    """Do the tasks of an experiment that are not done yet, save them, and finish.

    Interrupted, it keeps what is finished; the same call goes on from there. The manifest sums up the processor seconds
    of all these calls; a call that finds nothing left to do leaves the files as they are.

    Returns
    -------
    str
        What ``finish`` has to say, or where the results are.

    Raises
    ------
    ValueError
        If earlier results in the folder were made under another protocol, or are damaged.
    OSError
        If the folder takes no files; it is tried before anything is computed.
    """
    protocol = {"experiment": experiment.name, "seed": options.seed, "quick": options.quick} | dict(experiment.protocol)
    results = Results(ready(options.out), experiment.name, experiment.keys, protocol)
    done = set() if options.fresh else results.resume()
    tasks = experiment.tasks(options)
    open_tasks = [task for task in tasks if results.key(task) not in done]
    start = time.perf_counter()
    try:
        answers = _answers(experiment, open_tasks, options)
        for rows, seconds in _progress(answers, experiment.name, len(tasks), open_tasks, show):
            results.add(rows, seconds)
            if time.perf_counter() - start > PAUSE:
                results.save(**_versions())
                start = time.perf_counter()
    finally:
        if open_tasks and results.rows:
            results.save(**_versions())
    asked = {results.key(task) for task in tasks}
    asked_rows = [row for row in results.rows if results.key(row) in asked]
    return experiment.finish(asked_rows, options) if experiment.finish else f"{len(asked_rows)} rows in {results.path}"


def _answers(experiment: Experiment, tasks: list[Task], options: Options) -> Iterator[tuple[list[Row], float]]:
    """Yield the rows and seconds of each task as it is finished, in any order."""
    if options.jobs == 1:
        yield from (_one(experiment, task, options) for task in tasks)
        return
    parallel = joblib.Parallel(n_jobs=options.jobs, return_as="generator_unordered", pre_dispatch="2*n_jobs")
    yield from parallel(joblib.delayed(_one)(experiment, task, options) for task in tasks)


def _progress(
    answers: Iterator[tuple[list[Row], float]], name: str, total: int, left: list[Task], show: bool
) -> Iterator[tuple[list[Row], float]]:
    columns = (TextColumn(name), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, transient=True, disable=not show) as bar:
        at = bar.add_task(name, total=total, completed=total - len(left))
        for answer in answers:
            bar.advance(at)
            yield answer


def _versions() -> dict[str, str]:
    return {
        "splitcrit": __version__, "numpy": np.__version__, "scikit-learn": sklearn.__version__,
        "python": platform.python_version(),
    }  # fmt: skip
