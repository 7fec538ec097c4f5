"""How often features are chosen: by criteria at the root, and by any choosers under a condition.

Main definitions: ``plot_selection_bias``, ``choice_shares``; ``numbers_of_values`` (an axis).
Source: wang2024, Section 4 and Figure 3, with thresholds in the place of branches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from splitcrit.arguments import between, of_kind, one_of
from splitcrit.plots.style import OPEN, axes, error_bars, paper, records

HEIGHTS = {"chosen": "share chosen at the root", "score": "mean score / least sd"}


@paper()
def plot_selection_bias(choices: Sequence[Any], *, show: Literal["chosen", "score"] = "chosen", ax: Any = None) -> Any:
    """Draw how often a criterion takes each of several uninformative features, by their number of values.

    Instead of the share of samples, ``show="score"`` draws the mean score, in standard deviations of the criterion's
    scores of the feature with the fewest values, so that criteria of different units compare. Bars are two standard
    errors; a thin line marks the share that a fair criterion gives each feature, or the score 0.

    Parameters
    ----------
    choices : sequence of RootChoice
        With the attributes ``criterion``, ``values``, ``chosen``, ``score``, their errors ``chosen_error`` and
        ``score_error``, and ``score_sd``, as ``reproductions.roots`` returns them.
    show
        ``"chosen"`` or ``"score"``.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
        With a line for each criterion.

    Raises
    ------
    TypeError
        If something is no such record.
    ValueError
        If ``show`` is neither of the two, or there are no choices.

    References
    ----------
    wang2024, Section 4.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from matplotlib.figure import Figure
    >>> parts = {"chosen_error": 0.01, "score": 1.0, "score_error": 0.1, "score_sd": 1.0}
    >>> choices = [SimpleNamespace(criterion="gini", values=r, chosen=r / 12, **parts) for r in (2, 10)]
    >>> ax = plot_selection_bias(choices, ax=Figure().subplots())
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['gini']
    """
    one_of(show, tuple(HEIGHTS), "show")
    rows = records(choices, "criterion", "values", "chosen", "chosen_error", "score", "score_error", "score_sd")
    values = {x.values for x in rows}
    ax = axes(ax)
    for i, name in enumerate(dict.fromkeys(x.criterion for x in rows)):
        mine = [x for x in rows if x.criterion == name]
        unit = 1.0 if show == "chosen" else min(mine, key=lambda x: x.values).score_sd or 1.0
        points = [(x.values, getattr(x, show) / unit, getattr(x, f"{show}_error") / unit) for x in mine]
        error_bars(ax, points, i, name)
    ax.axhline(1 / len(values) if show == "chosen" else 0, color="0.6", linewidth=0.8, zorder=0)
    numbers_of_values(ax, values)
    ax.set(xlabel="values of the feature", ylabel=HEIGHTS[show])
    if show == "chosen":
        ax.set_ylim(-0.03, 1.03)
    ax.legend(**OPEN)
    return ax


@paper()
def choice_shares(
    shares: Sequence[Any], *, expected: float | None = None, condition: str = "number of values", ax: Any = None
) -> Any:
    """Draw shares of repetitions against the condition, a line for each chooser, with two standard errors.

    Parameters
    ----------
    shares : sequence of Share
        With the attributes ``condition``, ``chooser``, ``share`` and ``standard_error``, as ``reproductions.bias`` and
        ``reproductions.selection`` return them.
    expected : float, optional
        A share to compare with.
    condition : str
        What the conditions are.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    rows = records(shares, "condition", "chooser", "share", "standard_error")
    fair = None if expected is None else float(between(expected, "expected", 0, 1))
    of_kind(condition, str, "the conditions have a word as their name", "pass a word")
    ax = axes(ax)
    conditions = list(dict.fromkeys(x.condition for x in rows))
    places = {c: i for i, c in enumerate(conditions)}
    if fair is not None:
        ax.axhline(fair, color="grey", linewidth=1, label="equally often")
    for i, chooser in enumerate(dict.fromkeys(x.chooser for x in rows)):
        mine = [(places[x.condition], x.share, x.standard_error) for x in rows if x.chooser == chooser]
        error_bars(ax, mine, i, chooser)
    ax.set_xticks(range(len(conditions)), [f"{c:g}" for c in conditions])
    ax.set(xlabel=condition, ylabel="share of repetitions")
    ax.set_ylim(bottom=0)
    ax.legend(**OPEN)
    return ax


def numbers_of_values(ax: Any, ticks: set[int]) -> None:
    """Name numbers of values along a logarithmic axis."""
    ax.set_xscale("log")
    ax.set_xticks(sorted(ticks), [str(x) for x in sorted(ticks)])
    ax.minorticks_off()
