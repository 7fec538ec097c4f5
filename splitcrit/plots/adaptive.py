"""Pictures of tuning: how each parameter of a grid did on the hold-out.

Main definitions: ``validation_curve``.
Source: wilton2024, Experiments.
"""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

from splitcrit.plots.style import COLOURS, LINES, MARKERS, axes, of_result, paper, plot_label

if TYPE_CHECKING:
    from splitcrit.trees.estimators.tuning import ValidationCurve


@paper()
def validation_curve(curve: ValidationCurve, *, ax: Any = None) -> Any:
    """Draw the accuracy on the hold-out and the number of leaves of each parameter; a ring marks the one chosen.

    Parameters
    ----------
    curve : ValidationCurve
        The ``validation_curve_`` of an adaptive estimator.
    ax : matplotlib axes, optional
        The leaves are drawn on a second axis, over the same parameters.

    Returns
    -------
    matplotlib axes

    References
    ----------
    wilton2024, Experiments.
    """
    rule, remedy = "this plot takes a validation curve", "pass the validation_curve_ of an adaptive estimator"
    of_result(curve, "ValidationCurve", rule, remedy)
    ax = axes(ax)
    numeric = all(isinstance(value, Real) for value in curve.grid)
    places = list(curve.grid) if numeric else list(range(len(curve.grid)))
    ax.set_xticks(places, [f"{value:g}" if numeric else plot_label(value) for value in curve.grid])
    leaves = ax.twinx()
    for i, (side, name, heights) in enumerate(((ax, "accuracy", curve.accuracy), (leaves, "leaves", curve.leaves))):
        side.plot(places, heights, color=COLOURS[i + 1], linestyle=LINES[i], marker=MARKERS[i])
        side.set_ylabel(f"{name} on the hold-out" if side is ax else f"{name} of a tree", color=COLOURS[i + 1])
    leaves.set_ylim(bottom=0)
    best = curve.best
    ax.plot(places[best], curve.accuracy[best], "o", color=COLOURS[0], fillstyle="none", markersize=13)
    ax.set_xlabel("parameter")
    return ax
