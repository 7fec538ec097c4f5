"""Pictures of two classes: impurities with splits as chords, and losses against the margin.

Main definitions: ``plot_impurity``, ``plot_losses``.
Source: wilton2024, Figures 1 and 8; wang2024, Figure 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import axes_of, between, truth, whole
from splitcrit.arith import FLOAT
from splitcrit.frozen import complaint
from splitcrit.impurities import Impurity
from splitcrit.losses import Loss
from splitcrit.plots.style import ABOVE, COLOURS, LINES, MOST, OPEN, axes, look, paper, plot_label, several
from splitcrit.table import Table

REACH = 3.0  # the margins shown go from minus this to this
FARTHEST = 1e300  # twice that is a float, as the width of a picture must be
ASIDE = 5  # points between the gaps of two splits
ROUNDING = 1e-12  # a gain below this part of the impurity is named 0
TOP = 3.0  # losses above are cut off


@paper()
def plot_impurity(
    impurities: Any, *, splits: Any = (), relative: bool = False, points: int = 401, ax: Any = None
) -> Any:
    """Draw impurities of two classes against the share of class 1, and the gains of splits as gaps below the curve.

    A split into parts with shares ``p_1`` and ``p_2`` is the chord between their points on the curve. At the share
    ``p`` of the node the chord stands at ``sum_i (n_i / n) phi(p_i)``, so that its distance from the curve is the gain.

    Parameters
    ----------
    impurities : Impurity, or a sequence of them
    splits : tables of two rows and two classes, optional
        One of what ``Table.of`` takes, or a sequence of them. The gain of each, by each impurity, stands in the legend.
    relative : bool
        Whether to divide each impurity by its value at equal shares, and the gains with it.
    points : int
        The number of shares.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
        With a line for each impurity, and the chord and the gap of each split.

    Raises
    ------
    TypeError
        If something is no impurity.
    ValueError
        If a split does not have two rows, both with counts, and two classes.

    References
    ----------
    wilton2024, Figure 8; wang2024, Figure 1.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from splitcrit import gini
    >>> ax = plot_impurity(gini, splits=[[[3, 1], [1, 3]]], ax=Figure().subplots())
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['gini', 'gain 0.125']
    """
    values = several(impurities, (Impurity,), "an impurity", "splitcrit.gini")
    truth(relative, "relative")
    whole(points, "points", 2, MOST)
    tables = [_binary(split) for split in _listed(splits)]
    p = np.linspace(0, 1, points)
    heights = [impurity(np.stack([1 - p, p], axis=-1)) for impurity in values]
    ax = axes(ax)
    for i, impurity in enumerate(values):
        unit = float(impurity([1, 1])) if relative else 1.0
        ax.plot(p, heights[i] / unit, label=plot_label(impurity), linewidth=1.8, **look(i))
        for j, table in enumerate(tables):
            of = f" of split {j + 1}" if len(tables) > 1 else ""
            _chord(ax, impurity, table, unit, j, of + (f", {plot_label(impurity)}" if len(values) > 1 else ""))
    height = "impurity / its value at equal shares" if relative else "impurity"
    ax.set(xlabel="share of class 1", ylabel=height, xlim=(0, 1), ylim=(0, None))
    ax.legend(**ABOVE if tables else OPEN | {"loc": "lower center"})  # under the curves there are chords, or nothing
    return ax


def _listed(splits: Any) -> list[Any]:
    """One table, or a sequence of tables, as a list."""
    if isinstance(splits, list | tuple):
        return [splits] if axes_of(splits) == 2 else list(splits)
    return list(splits) if isinstance(splits, np.ndarray) and splits.ndim > 2 else [splits]


def _binary(split: Any) -> Table:
    """A split as a table of two rows and two classes, both rows with counts."""
    table = Table.of(split)
    if table.shape != (2, 2) or not (table.row_totals > 0).all():
        got = f"shape {table.shape}" if table.shape != (2, 2) else "an empty row"
        rule = "a chord is a split of two classes into two parts with counts"
        raise ValueError(complaint(rule, got, "pass [[a, b], [c, d]]"))
    return table


def _chord(ax: Any, impurity: Impurity, table: Table, unit: float, j: int, name: str) -> None:
    """Draw the chord of a split and, at the share of its node, the gap between chord and curve."""
    from matplotlib.transforms import offset_copy

    sizes = table.row_totals / table.total
    ends = table.counts[:, 1] / table.row_totals
    heights = impurity(table.counts) / unit
    node = float(table.column_totals[1] / table.total)
    top = float(impurity(table.column_totals)) / unit
    bottom = float(sizes @ heights)
    colour = COLOURS[1 + j % 6]
    aside = offset_copy(ax.transData, ax.figure, x=ASIDE * j, units="points")  # gaps of one node stand side by side
    ax.plot(ends, heights, color=colour, linestyle=LINES[(1 + j) % 7], linewidth=1.2, marker="o", markersize=4)
    gain = top - bottom if abs(top - bottom) > ROUNDING * top else 0
    label = f"gain {gain:.3g}{name}"
    ax.plot(
        [node, node], [bottom, top], color=colour, linewidth=3.5, solid_capstyle="butt", transform=aside, label=label
    )


@paper(high=3.2)
def plot_losses(losses: Any, *, reach: float = REACH, top: float = TOP, points: int = 1201, ax: Any = None) -> Any:
    """Draw losses of two classes against the margin, which is positive where the action is right.

    If an action is a number ``w``, the margin is ``w`` for class 1 and ``-w`` for class 0. If it is shares, the margin
    is that of the true class less that of the other, between -1 and 1.

    Parameters
    ----------
    losses : Loss, or a sequence of them
    reach : float
        The margins shown of losses whose action is a number go from ``-reach`` to ``reach``.
    top : float
        Where the picture ends above; losses without bound go on beyond it.
    points : int
        The number of margins.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
        With a line for each loss.

    Raises
    ------
    TypeError
        If something is no loss.
    ValueError
        If a loss has no margin: its action is a number for each class, or it treats the two classes differently.

    References
    ----------
    wilton2024, Figure 1.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from splitcrit import losses
    >>> ax = plot_losses([losses.hinge, losses.ramp], points=3, ax=Figure().subplots())
    >>> [line.get_ydata().tolist() for line in ax.lines[:2]]
    [[4.0, 1.0, 0.0], [1.0, 0.5, 0.0]]
    """
    values = several(losses, (Loss,), "a loss", "splitcrit.losses.hinge")
    whole(points, "points", 2, MOST)
    reach = float(between(reach, "reach", 0, FARTHEST, ends=False, example=REACH))
    top = float(between(top, "top", 0, np.inf, ends=False, example=TOP))
    drawn = [_against_margin(loss, reach, points) for loss in values]
    ax = axes(ax)
    for i, (loss, (margins, costs)) in enumerate(zip(values, drawn, strict=True)):
        ax.plot(margins, costs, label=plot_label(loss), linewidth=1.8, **look(i))
    ax.axvline(0, color="0.8", linewidth=0.8, zorder=0)
    ceiling = min(top, max(costs[np.isfinite(costs)].max() for _, costs in drawn))
    ax.set(xlabel="margin", ylabel="loss", xlim=(-reach, reach), ylim=(0, 1.04 * ceiling))
    ax.legend(**ABOVE)  # inside it would lie on steep lines
    return ax


def _against_margin(loss: Loss, reach: float, points: int) -> tuple[Any, Any]:
    """Margins and what they cost."""
    if loss.space not in ("line", "simplex"):
        rule = "a loss has a margin if its action is one number or the shares of two classes"
        got = f"{loss} with actions in the {loss.space}"
        raise ValueError(complaint(rule, got, "choose a margin loss, such as hinge"))
    z = np.linspace(-reach, reach, points) if loss.space == "line" else np.linspace(-1, 1, points)
    right, wrong = (z, -z) if loss.space == "line" else (((1 - z) / 2, (1 + z) / 2), ((1 + z) / 2, (1 - z) / 2))
    with np.errstate(divide="ignore"):
        costs, mirrored = (np.broadcast_to(loss.at(w, k, FLOAT), z.shape) for w, k in ((right, 1), (wrong, 0)))
    if not np.allclose(costs, mirrored, rtol=1e-9, atol=1e-12):
        rule = "a loss with a margin treats two classes alike, at(z, 1) = at(-z, 0)"
        raise ValueError(complaint(rule, repr(loss), "choose a loss of two classes, such as hinge"))
    return z, costs
