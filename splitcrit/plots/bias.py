"""The bias of criteria towards features of many values, at the root.

Main definitions: ``plot_selection_bias``.
Source: wang2024, Section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from splitcrit.arguments import one_of, whole, wholes
from splitcrit.plots.style import MOST, OPEN, axes, criteria_of, error_bars, numbers_of_values, paper, wholes_from

HEIGHTS = {"chosen": "share chosen at the root", "score": "mean score / least sd"}


@paper()
def plot_selection_bias(
    criteria: Any, values: Sequence[int] = (2, 3, 5, 10, 20, 50), *, show: Literal["chosen", "score"] = "chosen",
    labels: Sequence[int] = (100, 100), samples: int = 1000, rng: Any = 0, ax: Any = None,
) -> Any:  # fmt: skip
    """Draw how often a criterion takes each of several uninformative features, by their number of values.

    Instead of the share of samples, ``show="score"`` draws the mean score, in standard deviations of the criterion's
    scores of the feature with the fewest values, so that criteria of different units compare. Bars are two standard
    errors; a thin line marks the share that a fair criterion gives each feature, or the score 0.

    Parameters
    ----------
    criteria : Criterion or Impurity, or a sequence of them
    values
        The number of values of each feature that competes.
    show
        ``"chosen"`` or ``"score"``.
    labels
        How many observations there are of each class.
    samples, rng
        How many samples are drawn, and what ``numpy.random.default_rng`` takes.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
        With a line for each criterion.

    Raises
    ------
    TypeError
        If something is no criterion.
    ValueError
        If ``show`` is neither of the two, or there are too few features, values, labels or samples.

    References
    ----------
    wang2024, Section 4.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from splitcrit import gini, sgini
    >>> ax = plot_selection_bias([gini, sgini], (2, 10), samples=100, ax=Figure().subplots())
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['decrease(gini)', 'sgini']
    """
    from splitcrit.columns.roots import root_choices

    one_of(show, tuple(HEIGHTS), "show")
    given = criteria_of(criteria)
    values, labels = wholes_from(2, values, "values"), wholes(labels, "labels").tolist()
    whole(samples, "samples", 1, MOST)
    found = root_choices(given, values, labels=labels, samples=samples, rng=rng)
    ax = axes(ax)
    for i in range(len(given)):
        mine = found[i * len(values) : (i + 1) * len(values)]
        unit = 1.0 if show == "chosen" else min(mine, key=lambda x: x.values).score_sd or 1.0
        points = [(x.values, getattr(x, show) / unit, getattr(x, f"{show}_error") / unit) for x in mine]
        error_bars(ax, points, i, mine[0].criterion)
    ax.axhline(1 / len(values) if show == "chosen" else 0, color="0.6", linewidth=0.8, zorder=0)
    numbers_of_values(ax, set(values))
    ax.set(xlabel="values of the feature", ylabel=HEIGHTS[show])
    if show == "chosen":
        ax.set_ylim(-0.03, 1.03)
    ax.legend(**OPEN)
    return ax
