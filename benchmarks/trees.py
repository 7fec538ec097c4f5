"""Rows of ``make bench`` about trees: our estimators against scikit-learn's, side by side, as users call them.

Both sides get the same float32 features, one thread, and validate their input; what comes first is in ``first``.
"""

from __future__ import annotations

import os
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from timing import Row, compare

from splitcrit import (
    Criterion,
    ForestClassifier,
    TreeClassifier,
    TreeRegressor,
    gce,
    gini,
    imprecise_information_gain,
    misclassification,
    ne,
    pairwise_gain,
    sgini,
    sqrt_gini,
    twoing,
)
from splitcrit.losses import Loss

FULL = os.environ.get("FULL") == "1"
PICTURE = Path(__file__).with_name("growth.png")
Data = tuple[np.ndarray, np.ndarray]


def data(n: int, d: int, classes: int) -> Data:
    """Continuous features without ties and classes that depend on three of them, with noise."""
    rng = np.random.default_rng(n + d + classes)
    x = rng.normal(size=(n, d)).astype(np.float32)
    score = x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=n)
    return x, np.searchsorted(np.quantile(score, np.arange(1, classes) / classes), score)


def responses(n: int, d: int) -> Data:
    """Continuous features without ties and numbers that depend on three of them, with noise."""
    x, _ = data(n, d, 2)
    return x, x[:, 0] + x[:, 1] * x[:, 2] + np.random.default_rng(0).normal(size=n)


def at(w, k, m):  # type: ignore[no-untyped-def]
    """The squared distance to the class, as a user would write it."""
    return sum(x * x for x in w) - 2 * w[k] + 1


def act(p, m):  # type: ignore[no-untyped-def]
    return p


WITH_ACT, WITHOUT_ACT = Criterion.from_loss(Loss("mine", at, act)), Criterion.from_loss(Loss("mine", at))


def fitted(xy: Data, criterion: object, depth: int | None, **options: object) -> Callable[[], object]:
    return lambda: TreeClassifier(criterion=criterion, max_depth=depth, min_gain=None, **options).fit(*xy)


def theirs(xy: Data, depth: int | None, criterion: str = "gini") -> Callable[[], object]:
    return lambda: DecisionTreeClassifier(criterion=criterion, max_depth=depth, random_state=0).fit(*xy)


def cells() -> Iterator[Row]:
    """Yield the exact Gini tree in every cell, and entropy."""
    for n in (10_000, 100_000):
        for d in (10, 50):
            for classes in (2, 10):
                for depth in (8, None):
                    if n * d > 1_000_000 and not FULL and (classes > 2 or depth is None):
                        continue
                    runs = 5 if n * d <= 1_000_000 else 3
                    what = f"n = {n}, d = {d}, K = {classes}, depth {depth or 'full'}"
                    xy = data(n, d, classes)
                    yield compare(f"Gini tree, {what}", fitted(xy, "gini", depth), theirs(xy, depth), 0.15, runs=runs)
    for classes in (2, 10):
        for depth in (8, None):
            xy = data(1000, 10, classes)
            what = f"n = 1000, d = 10, K = {classes}, depth {depth or 'full'}"
            yield compare(f"Gini tree, {what}", fitted(xy, "gini", depth), theirs(xy, depth), 0.35, runs=21)
            xy = data(10_000, 10, classes)
            what = f"n = 10000, d = 10, K = {classes}, depth {depth or 'full'}"
            yield compare(
                f"entropy tree, {what}", fitted(xy, "entropy", depth), theirs(xy, depth, "entropy"), 0.15, runs=5
            )


def missing() -> Iterator[Row]:
    """Yield trees of data with missing values against those of complete data."""
    for n in (300, 1000, 10_000):
        for what, share, gate in (("one", 0.0, 1.3), ("30 %", 0.3, 2.0)):
            x, y = data(n, 10, 2)
            holes = np.random.default_rng(0).random(x.shape) < share
            holes[5, 3] = True
            ours, whole = (fitted((each, y), "gini", None) for each in (np.where(holes, np.float32(np.nan), x), x))
            yield compare(f"Gini tree, {what} missing / none, n = {n}, d = 10, K = 2", ours, whole, gate, runs=21)


def everyday() -> dict[str, tuple[np.ndarray, float]]:
    """Features that are no continuous float32, each with its gate: of 11 integers, of two values, in float64."""
    x, _ = data(10_000, 10, 2)
    return {
        "integers from 0 to 10": (np.clip(np.round(2 * x + 5), 0, 10), 0.15),
        "two values": ((x > 0).astype(np.float32), 0.28),
        "float64": (x.astype(np.float64), 0.15),
    }


def layouts() -> Iterator[Row]:
    """Yield trees of few rows, of features that are no continuous float32, and of samples that weigh any numbers."""
    for classes in (2, 5):
        xy, what = data(300, 10, classes), f"n = 300, d = 10, K = {classes}, depth full"
        yield compare(f"Gini tree, {what}", fitted(xy, "gini", None), theirs(xy, None), 0.6, runs=21)
    (x, y), what = data(10_000, 10, 2), "n = 10000, d = 10, K = 2, depth full"
    for name, (values, gate) in everyday().items():
        ours, peer = fitted((values, y), "gini", None), theirs((values, y), None)
        yield compare(f"Gini tree, {name}, {what}", ours, peer, gate, runs=11)
    weights = np.random.default_rng(0).random(len(y)) + 0.01
    kinds = TreeClassifier(min_gain=None), DecisionTreeClassifier(random_state=0)
    ours, peer = (partial(kind.fit, x, y, weights) for kind in kinds)
    yield compare(f"Gini tree, real weights, {what}", ours, peer, 0.15, runs=11)


def criteria() -> Iterator[Row]:
    """Yield the other criteria against scikit-learn's Gini."""
    many = {"misclassification": misclassification, "NE(.5)": ne(0.5), "GCE(.7)": gce(0.7), "sqrt-Gini": sqrt_gini}
    many |= {"twoing": twoing, "SGini": sgini, "pairwise gain": pairwise_gain}
    for classes in (2, 10):
        xy = data(10_000, 10, classes)
        for name, criterion in many.items():
            if classes == 2 or criterion is not pairwise_gain:
                what = f"{name} / Gini, n = 10000, d = 10, K = {classes}, depth 8"
                yield compare(what, fitted(xy, criterion, 8), theirs(xy, 8), 0.35, runs=5)
        credal = imprecise_information_gain(1)
        gate = 0.35 if classes == 2 else 1.0
        yield compare(f"credal / Gini, K = {classes}, depth 8", fitted(xy, credal, 8), theirs(xy, 8), gate, runs=5)
        yield compare(
            f"from_loss with act / Gini, K = {classes}, depth 8", fitted(xy, WITH_ACT, 8), theirs(xy, 8),
            0.35 if classes == 2 else 0.5, runs=5,
        )  # fmt: skip
    xy = data(10_000, 10, 2)
    yield compare(
        "from_loss without act / Gini, K = 2, depth 8", fitted(xy, WITHOUT_ACT, 8), theirs(xy, 8), 0.5, runs=5
    )
    for name, criterion in {"Gini": gini, "entropy": "entropy"}.items():
        wide, narrow = data(20_000, 10, 64), data(20_000, 10, 2)
        yield compare(
            f"{name}, K = 64 / K = 2, depth 8", fitted(wide, criterion, 8), fitted(narrow, criterion, 8), 2.0, runs=5
        )


def regression() -> Iterator[Row]:
    for error, n, gate in (
        ("squared_error", 100_000, 0.22),
        ("poisson", 100_000, 0.25),
        ("absolute_error", 5_000, 0.12),
    ):
        x, y = responses(n, 10)
        y = np.exp(y / y.std()) if error == "poisson" else y
        ours = lambda x=x, y=y, e=error: TreeRegressor(criterion=e, max_depth=8, min_gain=None).fit(x, y)  # noqa: E731
        peer = lambda x=x, y=y, e=error: DecisionTreeRegressor(criterion=e, max_depth=8, random_state=0).fit(x, y)  # noqa: E731
        yield compare(f"regression, {error}, n = {n}, d = 10, depth 8", ours, peer, gate, runs=5)
    kinds = TreeRegressor(min_gain=None), DecisionTreeRegressor(random_state=0)
    ours, peer = (partial(kind.fit, *responses(10_000, 10)) for kind in kinds)
    yield compare("regression, squared_error, n = 10000, d = 10, depth full", ours, peer, 0.4, runs=11)


def prediction() -> Iterator[Row]:
    xy = data(100_000, 10, 2)
    ours, peer = TreeClassifier(max_depth=12).fit(*xy), DecisionTreeClassifier(max_depth=12, random_state=0).fit(*xy)
    yield compare("predict, n = 100000", lambda: ours.predict(xy[0]), lambda: peer.predict(xy[0]), 1.1, runs=11)


def memory() -> str:
    """The extra peak memory of fits over the bytes of float32 X; a fit before has loaded the loops."""
    x, y = data(200_000, 20, 2)
    models = {
        "a Gini tree": (TreeClassifier(max_depth=8), y, 2.5),
        "a regression tree": (TreeRegressor(max_depth=8), x[:, 0] + y, 2.5),
        "a forest": (ForestClassifier(5, max_depth=8, random_state=0), y, 3),
    }
    shown = []
    for name, (model, labels, gate) in models.items():
        model.fit(x, labels)
        tracemalloc.start()
        model.fit(x, labels)
        shown.append(f"{name} {tracemalloc.get_traced_memory()[1] / x.nbytes:.2f} (gate {gate})")
        tracemalloc.stop()
    return f"Extra peak memory of a fit, in units of the float32 X: {', '.join(shown)}."


def seconds(action: Callable[[], object], runs: int = 3) -> float:
    action()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def growth() -> str:
    """Measure fit time against n, d and K, draw it, and return the log-log slopes."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    grids = {
        "n": [(n, 10, 2) for n in (3_000, 10_000, 30_000, 100_000, 300_000)],
        "d": [(20_000, d, 2) for d in (5, 10, 20, 40, 80)],
        "K": [(20_000, 10, k) for k in (2, 4, 8, 16, 32, 64)],
    }
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained", sharey=True)
    slopes = []
    for ax, (name, grid) in zip(axes, grids.items(), strict=True):
        at = [case["ndK".index(name)] for case in grid]
        sides = {
            "splitcrit": ("o-", lambda xy: fitted(xy, "gini", 8)),
            "scikit-learn": ("s--", lambda xy: theirs(xy, 8)),
        }
        for label, (marker, fit) in sides.items():
            times = [seconds(fit(data(*case))) for case in grid]
            ax.loglog(at, times, marker, label=label)
            if label == "splitcrit":
                slopes.append(f"{name} {np.polyfit(np.log(at), np.log(times), 1)[0]:.2f}")
        others = ", ".join(
            f"{letter} = {value}" for letter, value in zip("ndK", grid[0], strict=True) if letter != name
        )
        ax.set(xlabel={"n": "samples n", "d": "features d", "K": "classes K"}[name], title=others)
        ax.set_xticks(at, [f"{x:,}".replace(",", " ") for x in at])
        ax.minorticks_off()
        ax.grid(alpha=0.3)
    axes[0].set_ylabel("fit of a Gini tree of depth 8 (s)")
    axes[0].legend()
    figure.savefig(PICTURE, dpi=120)
    return f"Log-log slopes of fit time: {', '.join(slopes)} (gates: n 1.25, d 1.05); see growth.png."


def rows() -> Iterator[Row]:
    for part in (cells, missing, layouts, criteria, regression, prediction):
        yield from part()


def lines() -> Iterator[str]:
    for part in (memory, growth):
        yield part()
