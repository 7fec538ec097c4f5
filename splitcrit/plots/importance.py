"""Pictures of how often features are chosen.

Main definitions: ``choice_shares``.
Source: wang2024, Figure 3, with thresholds in the place of branches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from splitcrit.arguments import between, of_kind
from splitcrit.plots.style import OPEN, axes, error_bars, paper, records


@paper()
def choice_shares(
    shares: Sequence[Any], *, expected: float | None = None, condition: str = "number of values", ax: Any = None
) -> Any:
    """Draw shares of repetitions against the condition, a line for each chooser, with two standard errors.

    Parameters
    ----------
    shares : sequence of Share
        What ``splitcrit.columns.bias`` returns.
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
