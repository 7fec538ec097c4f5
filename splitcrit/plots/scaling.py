"""The gain of noisy counts against the gain of clean ones, for many splits of a node.

Main definitions: ``plot_scaling``, ``random_splits``.
Source: ghosh2017, Theorem 4; yang2019, Theorem 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import Array, finite, generator, of_kind, truth, whole
from splitcrit.criteria import as_criterion
from splitcrit.frozen import complaint
from splitcrit.noise import Channel
from splitcrit.plots.style import COLOURS, LINES, MARKERS, MOST, OPEN, axes, criteria_of, paper, plot_label
from splitcrit.table import Table

SAME = 1e-9  # relative width of the ratios of a criterion that scales, in float64


@paper()
def plot_scaling(
    criteria: Any, channel: Channel, tables: Any = (60, 40), *, splits: int = 300, random: bool = False, rng: Any = 0,
    ax: Any = None,
) -> Any:  # fmt: skip
    """Draw the scores of splits with noisy counts, expected or random, against their scores with clean counts.

    Of a criterion that the noise only rescales all points lie on one line through the origin, which is drawn with its
    slope; Gini's gain under symmetric noise has the slope ``(1 - K eta / (K - 1))^2``. Where points scatter, noise
    changes which of two splits is the better one.

    Parameters
    ----------
    criteria : Criterion or Impurity, or a sequence of them
        Scores are drawn in the units of each.
    channel : Channel
    tables : tables ``(..., r, k)``, or the class counts ``(k,)`` of a node
        Clean counts, anything ``Table.of`` takes; or the node of which random splits are drawn. Each of them sends a
        uniform number of each class left.
    splits : int
        How many random splits of a node there are.
    random : bool
        Whether to draw the noisy counts, as for criteria of whole counts only, ``sgini`` for one; by default they are
        the expected ones.
    rng
        What ``numpy.random.default_rng`` takes.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
        With a point for each split and criterion.

    Raises
    ------
    TypeError
        If something is no criterion, or no channel.
    ValueError
        If the tables do not suit a criterion or the channel.

    Notes
    -----
    The line is drawn where the ratios of the splits shown agree to 1e-9: an observation, and no proof.

    References
    ----------
    ghosh2017, Theorem 4.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from splitcrit import gini, symmetric
    >>> ax = plot_scaling(gini, symmetric(0.2), ax=Figure().subplots())
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['decrease(gini)', 'factor 0.36']
    """
    listed = criteria_of(criteria)
    of_kind(channel, Channel, "noise is a channel", "pass splitcrit.symmetric(0.2)")
    truth(random, "random")
    draws = generator(rng)
    clean = random_splits(tables, splits, draws) if _is_node(tables) else Table.of(tables).counts
    if not clean.size:
        raise ValueError(complaint("points are splits", "no table", "pass a table at least, or class counts of a node"))
    noisy = channel.random(clean, rng=draws) if random else np.asarray(channel.expected(clean), dtype=float)
    named = [as_criterion(each) for each in listed]
    scores = [[np.ravel(criterion(each)).astype(float) for each in (clean, noisy)] for criterion in named]
    ax = axes(ax)
    for i, (criterion, (x, y)) in enumerate(zip(named, scores, strict=True)):
        mark = {"color": COLOURS[i % 7], "marker": MARKERS[i % 7], "alpha": 0.5, "markersize": 4}
        ax.plot(x, y, linestyle="none", fillstyle="none" if i % 2 else "full", label=plot_label(criterion), **mark)
        factor = common_ratio(x, y)
        if factor is not None:
            ends = np.array([0.0, x.max()])
            ax.plot(ends, factor * ends, color="0.4", linestyle=LINES[(i + 1) % 7], label=f"factor {factor:.4g}")
    word = "random" if random else "expected"
    ax.set(xlabel="score of clean counts", ylabel=f"score of {word} noisy counts")
    ax.legend(title=plot_label(channel), **OPEN)
    return ax


def _is_node(counts: Any) -> bool:
    """Whether a value is the class counts of one node, and no table."""
    if isinstance(counts, np.ndarray):
        return counts.ndim == 1
    return isinstance(counts, list | tuple) and not any(hasattr(part, "__len__") for part in counts)


def random_splits(node: Any, splits: int, rng: Any) -> Array:
    """Tables ``(splits, 2, K)`` of random splits of a node; neither side is empty.

    Examples
    --------
    >>> random_splits((2, 1), 5, 0).sum(axis=1).tolist()
    [[2, 1], [2, 1], [2, 1], [2, 1], [2, 1]]
    """
    counts = finite(node, "counts of a node", 1)
    counts = Table.of([counts]).integers()[0]
    whole(splits, "splits", 1, MOST)
    if not 2 <= counts.sum() < 2**62:
        got = f"{counts.tolist()} and splits={splits}"
        raise ValueError(complaint("splits are of two samples or more", got, "pass (60, 40)"))
    draws, lefts = generator(rng), np.empty((0, len(counts)), dtype=np.int64)
    while len(lefts) < splits:
        left = draws.integers(0, counts + 1, size=(splits, len(counts)))
        proper = (left.sum(axis=1) > 0) & (left.sum(axis=1) < counts.sum())
        lefts = np.concatenate([lefts, left[proper]])
    left = lefts[:splits]
    return np.stack([left, counts - left], axis=1)


def common_ratio(clean: Array, noisy: Array) -> float | None:
    """The one factor between two vectors of scores, else None."""
    large = np.abs(clean) > 1e-6 * np.abs(clean).max(initial=0)
    small = np.abs(noisy[~large]).max(initial=0) <= 1e-5 * np.abs(noisy).max(initial=0)
    if not large.any() or not small:
        return None
    ratios = noisy[large] / clean[large]
    factor = float(np.median(ratios))
    return factor if np.abs(ratios - factor).max() <= SAME * abs(factor) else None
