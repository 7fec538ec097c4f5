"""``splitcrit compile``: every compiled loop made at once, so that no later call waits for one.

Main definitions: ``run``, ``steps`` (what is compiled, with a small call that needs it).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from importlib.metadata import version
from multiprocessing import get_context
from typing import Any

import numpy as np

from splitcrit import criteria, impurities
from splitcrit.cli.progress import each_shown
from splitcrit.compiling import reporting_compilation
from splitcrit.frozen import complaint
from splitcrit.losses import Loss
from splitcrit.nulls import selected_pvalue, sgini, significance
from splitcrit.proofs.command import tell

SIZE = 600  # samples of the trees that are grown
ERRORS = "squared_error", "absolute_error", "poisson"  # of regression trees


def steps() -> dict[str, Callable[[], object]]:
    """Return by what it is for a call that needs compiled loops.

    What all trees need comes first, then what takes longest, and last what shares least with the others.
    """
    from splitcrit.discretize import clusterings
    from splitcrit.estimators import ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor
    from splitcrit.inference import InferenceTreeClassifier
    from splitcrit.multiway import MultiwayTreeClassifier

    draw = np.random.default_rng(0)
    x = draw.normal(size=(SIZE, 3)).astype(np.float32)
    y, two, number = draw.integers(0, 3, SIZE), (x[:, 0] + draw.normal(size=SIZE) > 0).astype(int), x[:, 0] + x[:, 1]
    gap, part = np.where(draw.random(x.shape) < 0.1, np.nan, x), draw.random(SIZE)
    own = criteria.Criterion.from_loss(Loss("square", _square, lambda p, m: p))
    by = {
        "ne": impurities.ne(0.5),
        "gce": impurities.gce(0.7),
        "twoing": criteria.twoing,
        "credal": criteria.imprecise_information_gain(1),
        "sgini": sgini,
        "significance": significance,
    }  # with Gini's impurity, one for each way to keep a score up
    trees = {f"trees by {name}": lambda c=c: TreeClassifier(criterion=c).fit(x, y) for name, c in by.items()}
    return {
        "forests": lambda: ForestClassifier(2).fit(x, y),  # first: a small tree alone would not begin to compile
        "tested splits": lambda: InferenceTreeClassifier().fit(x, two),
        "trees": lambda: TreeClassifier().fit(x, y),
        "trees by any other loss": lambda: [TreeClassifier(criterion=own).fit(x, labels) for labels in (y, two)],
        "missing values, weights": lambda: TreeClassifier().fit(gap, y, sample_weight=part),
        "p-values of splits": lambda: TreeClassifier(max_pvalue=0.5).fit(x, y),
        "several threads": lambda: TreeClassifier(n_jobs=2).fit(np.tile(x, (1, 600)), two),
        "columns compared by their laws": lambda: TreeClassifier(criterion="calibrated").fit(gap, two),
        "categories": lambda: TreeClassifier(categorical_features=[0]).fit(np.round(gap), two),
        **trees,
        "random splits": lambda: TreeClassifier(splitter="random").fit(x, y),
        "p-values of the best threshold": lambda: selected_pvalue(x[:, 0].astype(float), two),
        "clusters of values": lambda: clusterings(x[:, 0], y),
        "multiway trees": lambda: MultiwayTreeClassifier().fit(x, y),
        "regression": lambda: [TreeRegressor(criterion=error).fit(x, abs(number)) for error in ERRORS],
        "forests of numbers, random splits of numbers": lambda: [
            ForestRegressor(2, max_features=1).fit(x, number),
            TreeRegressor(splitter="random").fit(x, number),
        ],
    }


def _square(w: Any, k: int, m: Any) -> Any:
    return sum((x - (i == k)) * (x - (i == k)) for i, x in enumerate(w))


def run(given: argparse.Namespace) -> int:
    """Run ``splitcrit compile`` and return the exit status.

    It is done here from the front, and by other processes from the back; what one of them did is done once more here:
    it loads what was compiled, and compiles what two wrote at once.
    """
    from joblib import effective_n_jobs

    from splitcrit.compiling import CONFIG
    from splitcrit.search import column_loops

    if CONFIG.DISABLE_JIT:
        rule, remedy = "splitcrit compile needs numba's compiler", "unset it"
        raise ValueError(complaint(rule, "NUMBA_DISABLE_JIT", remedy))
    names, taken, elsewhere = list(steps()), dict[str, float](), dict[str, Future[float]]()
    jobs, start = min(effective_n_jobs(given.jobs), len(names)), time.perf_counter()
    with reporting_compilation(aloud=False), ExitStack() as stack:
        if jobs > 1:
            pool = ProcessPoolExecutor(jobs - 1, get_context("spawn"))
            stack.callback(pool.shutdown, cancel_futures=True)
            elsewhere = {name: pool.submit(seconds, name) for name in reversed(names[1:])}
        for name in each_shown(names, "compiling"):
            begun = name in elsewhere and not elsewhere[name].cancel()
            taken[name] = round((elsewhere[name].result() if begun else 0.0) + seconds(name), 3)
    folder = column_loops.fill.stats.cache_path
    found = {"numba": version("numba"), "folder": folder, "seconds": taken}
    tell(given.json, found, f"compiled in {time.perf_counter() - start:.1f} s, and kept in {folder}")
    return 0


def seconds(name: str) -> float:
    """Return the seconds that a step takes."""
    call, start = steps()[name], time.perf_counter()
    with reporting_compilation(aloud=False):
        call()
    return time.perf_counter() - start
