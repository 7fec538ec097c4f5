"""Samples with known truth for the study of tested splits, and which of the splits found in them are false.

A sample has ten features; where a truth is told of, it lies in the first one or two. The rate of class 1 is a function
of these alone, so that a node's null, that nothing in its region tells the classes apart, is true exactly where the
function is constant on the region.

Main definitions: ``Sample``, ``ERRORS`` and ``POWER`` (makers of samples by name), ``null_is_true``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
FEATURES = 10
SIGNAL = 0.3  # how far class 1 is from its mean rate where there is a signal


@dataclass(frozen=True)
class Sample:
    """Features ``(n, 10)`` and class codes ``(n,)``.

    ``rates`` are those of class 1 at each pair of values of the first two features, empty where these are not binary.
    """

    x: Array
    y: Array
    rates: Mapping[tuple[int, int], float]


def noise(kind: str, n: int, rng: np.random.Generator) -> Array:
    """Features without a meaning: continuous, of few values, tied, or correlated."""
    if kind == "few values":
        return np.stack([rng.integers(0, v, n) for v in (2, 2, 4, 4, 20, 20, 2, 4, 20, 2)], axis=1).astype(float)
    x = rng.normal(size=(n, FEATURES))
    if kind == "tied":
        return x.round()
    if kind == "correlated":
        return 0.6**0.5 * rng.normal(size=(n, 1)) + 0.4**0.5 * x
    return x


def labelled(rates: Array, kind: str, rng: np.random.Generator) -> Array:
    """Classes at these rates of class 1; with four classes, each of the two is divided by chance."""
    y = (rng.random(len(rates)) < rates).astype(int)
    return y + 2 * rng.integers(0, 2, len(y)) if kind == "four classes" else y


def binary(truth: str, kind: str, n: int, rng: np.random.Generator) -> Sample:
    """A sample whose truth, if any, lies in two binary features: none, one split, or a second below one side."""
    x = noise(kind, n, rng)
    x[:, :2] = rng.integers(0, 2, (n, 2))
    middle, far = (0.1, 0.09) if kind == "unbalanced" else (0.5, SIGNAL)
    signs = {"none": lambda a, b: 0, "one split": lambda a, b: 2 * a - 1, "two splits": lambda a, b: a * (2 * b - 1)}
    rates = {(a, b): middle + far * signs[truth](a, b) for a, b in product((0, 1), repeat=2)}
    each = np.array([rates[int(a), int(b)] for a, b in x[:, :2]])
    return Sample(x, labelled(each, kind, rng), rates)


def null_is_true(sample: Sample, path: tuple[tuple[int, float, bool], ...]) -> bool:
    """Whether nothing tells the classes apart in the region of a path of (feature, threshold, goes left)."""
    inside = [
        rate
        for cell, rate in sample.rates.items()
        if all((cell[f] <= threshold) == left for f, threshold, left in path if f < 2)
    ]
    return len(set(inside)) <= 1


KINDS = ("continuous", "few values", "tied", "unbalanced", "four classes", "correlated")
TRUTHS = ("none", "one split", "two splits")
ERRORS: dict[tuple[str, str], Callable[..., Sample]] = {
    (kind, truth): lambda n, rng, kind=kind, truth=truth: binary(truth, kind, n, rng)
    for kind in KINDS
    for truth in TRUTHS
}


def shaped(rate: Callable[[Array], Array], kind: str = "continuous") -> Callable[..., Sample]:
    """A maker of samples whose rate of class 1 is a function of the features."""

    def sample(n: int, rng: np.random.Generator) -> Sample:
        x = noise(kind, n, rng)
        return Sample(x, labelled(rate(x), "", rng), {})

    return sample


def among_many_values(n: int, rng: np.random.Generator) -> Sample:
    """A binary feature that tells among nine of many values that do not."""
    x = rng.normal(size=(n, FEATURES))
    x[:, 0] = rng.integers(0, 2, n)
    return Sample(x, labelled(0.5 + 0.14 * (2 * x[:, 0] - 1), "", rng), {})


def second_level(n: int, rng: np.random.Generator) -> Sample:
    """A split on the first feature; on one of its sides the second feature tells, on the other none."""
    x = rng.normal(size=(n, FEATURES))
    rates = np.where(x[:, 0] > 0, np.where(x[:, 1] > 0, 0.85, 0.55), 0.2)
    return Sample(x, labelled(rates, "", rng), {})


POWER: dict[str, Callable[..., Sample]] = {
    "linear": shaped(lambda x: 1 / (1 + np.exp(-0.6 * x[:, 0]))),
    "U-shape": shaped(lambda x: 0.5 + 0.2 * np.sign(np.abs(x[:, 0]) - 0.674)),
    "tail step": shaped(lambda x: np.where(x[:, 0] > 1, 0.8, 0.45)),
    "second level": second_level,
    "exclusive or": shaped(lambda x: 0.5 + 0.35 * np.sign(x[:, 0] * x[:, 1])),
    "many-valued noise": among_many_values,
    "correlated": shaped(lambda x: 1 / (1 + np.exp(-0.6 * x[:, 0])), "correlated"),
}
