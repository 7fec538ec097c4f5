"""Accuracy and size of trees against noise, or against a parameter of the criterion.

Main definitions: ``plot_noise``.
Source: wilton2024, Figure 6; ghosh2017, Section 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any

from splitcrit.arguments import of_kind
from splitcrit.frozen import complaint
from splitcrit.plots.style import ABOVE, axes, look, paper, plot_label

if TYPE_CHECKING:
    from splitcrit.trees.estimators.tuning import ValidationCurve

SHORT = 36  # letters that stand side by side above a column


@paper()
def plot_noise(
    curves: Mapping[str, ValidationCurve], *, parameter: str = "share of labels changed", sizes: Any = None,
    ax: Any = None,
) -> Any:  # fmt: skip
    """Draw the accuracy of several methods against noise, or lam, and the number of leaves of their trees.

    Parameters
    ----------
    curves : dict of ValidationCurve
        A curve for each name of a method; ``grid`` holds the rates of noise, or the values of lam.
    parameter : str
        What the grid is: the name of the axis.
    sizes : matplotlib axes, optional
        Where to draw the leaves; by default on a second axis of ``ax``, in lines that are thin and without marks.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
        Those of the accuracy.

    Raises
    ------
    TypeError
        If a curve has no grid of numbers, accuracies and leaves.

    Notes
    -----
    ``validation_curve`` draws one curve of an adaptive estimator and marks the parameter that it chose.

    References
    ----------
    wilton2024, Figure 6.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from splitcrit.trees.estimators.tuning import ValidationCurve
    >>> curve = ValidationCurve((0.0, 0.2, 0.4), (0.9, 0.85, 0.7), (12.0, 30.0, 41.0))
    >>> ax = plot_noise({"gini": curve}, ax=Figure().subplots())
    >>> ax.get_xlabel(), ax.lines[0].get_ydata().tolist()
    ('share of labels changed', [0.9, 0.85, 0.7])
    """
    if not isinstance(curves, Mapping) or not curves:
        rule = "curves are a dict from a name to a ValidationCurve"
        raise TypeError(complaint(rule, repr(curves), "pass {'gini': curve}"))
    for name, curve in curves.items():
        _check(name, curve)
    of_kind(parameter, str, "a parameter has a word as its name", "pass a word")
    ax = axes(ax)
    other = ax.twinx() if sizes is None else sizes
    for i, (name, curve) in enumerate(curves.items()):
        ax.plot(curve.grid, curve.accuracy, label=plot_label(name), linewidth=1.8, **look(i, marked=True))
        other.plot(curve.grid, curve.leaves, label=plot_label(name), linewidth=0.8, **look(i, marked=sizes is not None))
    ax.set(xlabel=parameter, ylabel="accuracy")
    other.set(ylabel="leaves" if sizes is not None else "leaves (thin lines)", ylim=(0, None))
    if sizes is not None:
        other.set_xlabel(parameter)
    ax.legend(ncols=3 if sum(map(len, curves)) < SHORT else 1, **ABOVE)  # inside it would lie on thin lines
    return ax


def _check(name: str, curve: Any) -> None:
    """Raise TypeError if something is no curve over numbers."""
    parts = [getattr(curve, part, None) for part in ("grid", "accuracy", "leaves")]
    if not all(isinstance(part, tuple | list) and all(isinstance(x, Real) for x in part) for part in parts):
        rule = "a curve has a grid, accuracies and leaves, all of them numbers"
        raise TypeError(complaint(rule, f"{curve!r} for {name!r}", "pass a splitcrit.trees.ValidationCurve"))
