"""Average ranks of methods over data sets, with bars over those that a test does not tell apart.

Main definitions: ``plot_critical_difference``, ``indistinct_groups``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from numbers import Real
from typing import Any

from splitcrit.arguments import between
from splitcrit.frozen import complaint
from splitcrit.plots.style import PAGE, axes, paper, plot_label

LARGEST = 10**6  # difference of ranks
LEVEL = 0.3  # between two bars, where names are 1 apart


def indistinct_groups(average_ranks: Mapping[str, float], distance: float) -> list[tuple[str, ...]]:
    """The largest groups of methods whose ranks all lie nearer than the critical difference, best first.

    Parameters
    ----------
    average_ranks : mapping of str to float
        Mean rank of each method, 1 the best.
    distance : float
        The critical difference: two methods differ whose ranks are so far apart, or farther.

    Raises
    ------
    ValueError
        If there are fewer than two methods, a rank is below 1 or not finite, or the distance is not positive.

    Examples
    --------
    >>> indistinct_groups({"gini": 1.2, "entropy": 1.8, "twoing": 3.0}, 1.5)
    [('gini', 'entropy'), ('entropy', 'twoing')]
    """
    ranks: Any = average_ranks
    if not isinstance(ranks, Mapping):
        rule, got = "average ranks are a mapping from methods", type(ranks).__name__
        raise TypeError(complaint(rule, got, "pass {'gini': 1.2, 'entropy': 1.8}"))
    if len(average_ranks) < 2:
        raise ValueError(complaint("ranks are those of several methods", len(average_ranks), "pass two or more"))
    if not all(isinstance(rank, Real) and math.isfinite(rank) and float(rank) >= 1 for rank in ranks.values()):
        rule = "average ranks are finite numbers from 1"
        raise ValueError(complaint(rule, dict(average_ranks), "pass the means of ranks over data sets"))
    distance = float(between(distance, "a critical difference", 0, LARGEST, ends=False))
    names = sorted(average_ranks, key=average_ranks.__getitem__)
    ends = [sum(average_ranks[other] - average_ranks[name] < distance for other in names) for name in names]
    longest = [(0, ends[0]), *((i + 1, end) for i, (before, end) in enumerate(pairwise(ends)) if end > before)]
    return [tuple(names[start:end]) for start, end in longest if end - start > 1]


@paper(PAGE)
def plot_critical_difference(
    average_ranks: Mapping[str, float], distance: float, *, ax: Any = None, title: str | None = None
) -> Any:
    """Draw average ranks on a line, the best at the left, and thick bars over methods nearer than the difference.

    Parameters
    ----------
    average_ranks : mapping of str to float
        Mean rank of each method over data sets, 1 the best.
    distance : float
        The critical difference, drawn above the line.
    ax : matplotlib axes, optional
        By default new ones, as high as the names need.
    title : str, optional

    Returns
    -------
    matplotlib axes
        With a line for each method and a bar for each group.

    Raises
    ------
    ValueError
        As ``indistinct_groups``.

    References
    ----------
    J. Demsar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006).
    """
    groups, distance = indistinct_groups(average_ranks, distance), float(distance)
    names = sorted(average_ranks, key=average_ranks.__getitem__)
    half, first = (len(names) + 1) // 2, 0.6 + LEVEL * len(groups)
    ax = axes(ax, 0.9 + 0.26 * (half + first))
    low, high = 1.0, float(max(len(names), math.ceil(1 + distance)))
    _scale(ax, low, high, len(names), distance)
    for level, group in enumerate(groups):
        ends = average_ranks[group[0]] - 0.03, average_ranks[group[-1]] + 0.03
        ax.plot(ends, [0.4 + LEVEL * level] * 2, color="black", linewidth=4, solid_capstyle="butt", gid="group")
    for side, mine in ((low, names[:half]), (high, names[: half - 1 : -1])):
        for i, name in enumerate(mine):
            rank, beyond = average_ranks[name], math.copysign(0.1, side - low - 1e-9)
            ax.plot([rank, rank, side + beyond], [0, first + i, first + i], color="0.45", linewidth=1, gid="method")
            aside = "right" if beyond < 0 else "left"
            ax.text(side + 1.5 * beyond, first + i, f"{plot_label(name)}  {rank:.2f}", va="center", ha=aside)
    ax.set(xlim=(low - 0.1, high + 0.1), ylim=(first + half - 0.5, -2))
    ax.axis("off")
    if title:
        ax.set_title(title)
    return ax


def _scale(ax: Any, low: float, high: float, methods: int, distance: float) -> None:
    """Draw the line of ranks with its ticks, and the critical difference above it."""
    ax.plot([low, high], [0, 0], color="black", linewidth=1, gid="scale")
    for rank in range(1, methods + 1):
        ax.plot([rank, rank], [0, -0.2], color="black", linewidth=1, gid="tick")
        ax.text(rank, -0.3, str(rank), va="bottom", ha="center")
    ax.plot([low, low + distance], [-1.5, -1.5], color="black", linewidth=1.5, marker="|", gid="distance")
    ax.text(low + distance + (high - low) / 25, -1.5, f"critical difference {distance:.2f}", va="center", ha="left")
