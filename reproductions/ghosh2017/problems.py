"""The data of ghosh2017 and their noise: four synthetic problems, drawn anew in every run, and six of UCI.

Main definitions: ``SYNTHETIC``, ``REAL``, ``VARIANTS``, ``NOISES``, ``samples``, ``channel``, ``noisy_split``.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..datasets import checkerboard, load, uniform_halves, uniform_window
from ..runner import Options, seed_of
from ..trials import Trial, channel_of

Array = NDArray[Any]
NOISES = ("0", "10", "20", "30", "40", "40/20")  # percent; the last is eta_+ / eta_-
channel = partial(channel_of, rates=("tau_pos", "tau_neg"))

# name: size and kernel; the paper prints no size for the 4 x 4 board, an "extension" of the 2 x 2 one: two are run
SYNTHETIC = {
    "checkerboard 2x2": (30_000, "quadratic"),
    "checkerboard 4x4": (30_000, "gaussian"),
    "checkerboard 4x4, twice the size": (60_000, "gaussian"),
    "dataset 3": (40_000, "linear"),
    "dataset 4": (40_000, "linear"),
}
# name: file, the classes that are positive, and a column to leave out
REAL = {
    "breast cancer": ("breast_cancer_libsvm", ("4",), None),
    "breast cancer without id": ("breast_cancer_libsvm", ("4",), "sample_id"),
    "german": ("german_numeric", ("2",), None),
    "splice": ("splice_libsvm", ("1",), None),
    "spam": ("spambase", ("1",), None),
    "wine white": ("winequality_white", ("6", "7", "8", "9"), None),
    "magic": ("magic_gamma", ("g",), None),
}
VARIANTS = {  # problems that are not the paper's own, and the one whose printed numbers stand beside theirs
    "checkerboard 4x4, twice the size": "checkerboard 4x4",
    "breast cancer without id": "breast cancer",
}


def kernel(name: str) -> str:
    """The kernel of the paper's support vector machine on a problem."""
    return SYNTHETIC[name][1] if name in SYNTHETIC else "gaussian"


def samples(name: str, options: Options, rng: np.random.Generator) -> tuple[Array, Array]:
    """Features and true classes, 1 the positive one; synthetic points are drawn from ``rng``."""
    if name in REAL:
        return _real(name, options.data)
    size = SYNTHETIC[name][0] // (10 if options.quick else 1)
    if name.startswith("checkerboard"):
        return checkerboard(size, cells=4 if "4x4" in name else 2, rng=rng)
    return (uniform_halves if name == "dataset 3" else uniform_window)(size, rng=rng)


@lru_cache(maxsize=len(REAL))
def _real(name: str, folder: Any) -> tuple[Array, Array]:
    file, positive, dropped = REAL[name]
    data = load(file, folder)
    data = data.without(dropped) if dropped else data
    return data.X, np.isin(data.y, positive).astype(np.int64)


def noisy_split(name: str, noise: Any, run: int, options: Options) -> tuple[Trial, int]:
    """Training then validation rows with noisy labels, 20 % of true test rows, and how many rows are training.

    Data and split depend on the run alone, the noise on its rate too: methods are compared on the same rows.
    """
    X, y = samples(name, options, np.random.default_rng(seed_of(options.seed, "data", name, run)))
    order = np.random.default_rng(seed_of(options.seed, "split", name, run)).permutation(len(y))
    fifth = len(y) // 5
    flips = np.random.default_rng(seed_of(options.seed, "noise", name, run, noise))
    trial = Trial(X, y, (order[fifth:], order[:fifth]), channel=channel(noise), rng=flips)
    return trial, len(y) - 2 * fifth
