"""The common style of the pictures: axes, and looks that the colour-blind distinguish, and grey copies too.

Main definitions: ``paper`` (size and letters), ``axes``, ``look``, ``error_bars``; ``several``,
``criteria_of``, ``wholes_from``, ``records``, ``of_result``; ``COLOURS``, ``LINES``,
``MARKERS``, ``WIDTHS``, ``OPEN``, ``ABOVE``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, ParamSpec

from splitcrit.arguments import whole, wholes
from splitcrit.criteria import Criterion
from splitcrit.display import plot_label as plot_label
from splitcrit.frozen import complaint, extra, shown
from splitcrit.impurities import Impurity

COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7")
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1, 1, 1)), (0, (1, 1)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
MOST = 10**7  # of points, bins or samples of a picture
COLUMN, PAGE = 3.4, 7.0  # inches: the width of one column of a paper, and of two
POINTS = 8  # of letters
LETTERS: dict[str, Any] = {
    "font.size": POINTS,
    "axes.labelsize": POINTS,
    "axes.titlesize": POINTS + 1,
    "legend.fontsize": POINTS,
    "figure.titlesize": POINTS + 1,
}
OPEN: dict[str, Any] = {"edgecolor": "none", "framealpha": 0.85}  # of a legend: without a frame, read over lines
ABOVE: dict[str, Any] = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0), "frameon": False}  # beyond all lines
P = ParamSpec("P")
WIDTHS = (3.0, 2.4, 1.9, 1.6, 1.4, 1.2, 1.0)


def paper(wide: float = COLUMN, high: float = 2.6) -> Callable[[Callable[P, Any]], Callable[P, Any]]:
    """Give a picture without ``ax=`` the size of a printed column and letters of 8 points; other axes stay as they are.

    Parameters
    ----------
    wide, high : float
        In inches; ``PAGE`` is as wide as two columns.
    """

    def sized(draw: Callable[P, Any]) -> Callable[P, Any]:
        @wraps(draw)
        def drawn(*args: P.args, **options: P.kwargs) -> Any:
            if options.get("ax") is not None:
                return draw(*args, **options)
            with extra("a picture"):
                from matplotlib import rcParams

            ours: Any = LETTERS | {"figure.figsize": (wide, high)}
            before = {name: rcParams[name] for name in ours}
            rcParams.update(ours)
            try:
                ax = draw(*args, **options)
            finally:
                rcParams.update(before)  # these alone: a backend that is loaded now makes settings that must stay
            for each in ax.figure.axes:
                each.tick_params(labelsize=POINTS)  # of ticks that are made later
            return ax

        return drawn

    return sized


def axes(ax: Any, high: float | None = None) -> Any:
    """The axes given, or new ones of a height in inches."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    wide, usual = plt.rcParams["figure.figsize"]
    return plt.subplots(figsize=(wide, high or usual), layout="constrained")[1]


def look(i: int, *, marked: bool = False) -> dict[str, Any]:
    """The colour and the line (and mark) of the i-th of several; after seven, colours meet other lines."""
    turn = i // len(COLOURS)
    style = {"color": COLOURS[i % 7], "linestyle": LINES[(i + turn) % 7]}
    return style | ({"marker": MARKERS[(i + turn) % 7], "markersize": 5} if marked else {})


def error_bars(ax: Any, points: Iterable[tuple[float, float, float]], i: int, label: str) -> None:
    """Draw the i-th of several lines through places and heights, with bars of two standard errors."""
    places, heights, errors = zip(*points, strict=True)
    bars = [2 * error for error in errors]
    ax.errorbar(places, heights, bars, label=plot_label(label), capsize=2, linewidth=1.5, **look(i, marked=True))


def criteria_of(values: Any) -> list[Any]:
    """One criterion or impurity, or a sequence of them, as a list; see ``several``."""
    return several(values, (Criterion, Impurity), "a criterion or an impurity", "splitcrit.gini")


def several(argument: Any, kinds: tuple[type, ...], what: str, example: str) -> list[Any]:
    """One value of the kinds, or a sequence of them, as a list.

    Raises
    ------
    TypeError
        If something else is among them.
    ValueError
        If it is empty.
    """
    values = list(argument) if isinstance(argument, list | tuple) else [argument]
    for value in values:
        if not isinstance(value, kinds):
            raise TypeError(complaint(f"{what} is expected, or a list of them", repr(value), f"pass {example}"))
    if not values:
        raise ValueError(complaint(f"a picture needs {what}", "an empty list", f"pass {example}"))
    return values


def wholes_from(least: int, values: Any, noun: str) -> list[int]:
    """Return a list of integers from some number on, at least one of them; else raise one sentence."""
    numbers = wholes(values, noun).tolist()
    if not numbers:
        raise ValueError(complaint(f"{noun} is a list of integers", "none", f"pass {noun}=({least}, ...)"))
    return [whole(number, noun, least, MOST) for number in numbers]


def of_result(value: Any, kind: str, rule: str, remedy: str) -> None:
    """Raise TypeError unless a value is of the class of results with this name.

    The class is not imported: a result whose ``plot()`` draws a picture stands above the picture.
    """
    if not any(each.__name__ == kind and each.__module__.startswith("splitcrit.") for each in type(value).__mro__):
        raise TypeError(complaint(rule, shown(value), remedy))


def records(rows: Any, *names: str) -> list[Any]:
    """Rows of results, each with entries of these names; raise TypeError about anything else."""
    listed = list(rows) if isinstance(rows, list | tuple) else []
    entries = [row if isinstance(row, dict) else {name: 0 for name in names if hasattr(row, name)} for row in listed]
    if not listed or any(name not in row for row in entries for name in names):
        rule = f"a picture of results takes rows with {', '.join(names)}"
        raise TypeError(complaint(rule, shown(rows), "pass what the experiment returned"))
    return listed
