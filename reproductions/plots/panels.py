"""Figures of several panels from the rows of an experiment, and the two pictures that papers share.

Main definitions: ``figure_of``, ``curve``, ``curves``, ``legend``, ``plain_ticks``, ``grouped``, ``distinct``;
``accuracies``, ``critical_differences``; ``LOOKS``, of eight lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from splitcrit.plots.ranks import plot_critical_difference
from splitcrit.plots.style import COLOURS, LINES, MARKERS

Rows = Sequence[Mapping[str, Any]]
LOOKS = [{"color": colour, "linestyle": line, "marker": mark}
         for colour, line, mark in zip((*COLOURS, "#888888"), (*LINES, "-"), (*MARKERS, "*"), strict=True)]  # fmt: skip


def grouped(rows: Rows, *names: str) -> dict[tuple[Any, ...], list[Any]]:
    """Rows by the values of some entries, in order of appearance.

    Examples
    --------
    >>> grouped([{"a": 1, "b": 2}, {"a": 1, "b": 3}], "a")
    {(1,): [{'a': 1, 'b': 2}, {'a': 1, 'b': 3}]}
    """
    groups: dict[tuple[Any, ...], list[Any]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def distinct(rows: Rows, name: str) -> list[Any]:
    """The values of an entry, in order of appearance.

    Examples
    --------
    >>> distinct([{"a": 2}, {"a": 1}, {"a": 2}], "a")
    [2, 1]
    """
    return list(dict.fromkeys(row[name] for row in rows))


def figure_of(count: int, wide: int, size: tuple[float, float] = (3.2, 2.7), **shared: Any) -> tuple[Any, list[Any]]:
    """A figure that no window keeps, and its axes, at most ``wide`` in a row; ``size`` is that of one.

    A page is some ten inches of letters of ten points wide: what is wider is shown smaller, and not read.

    Rows are as full as each other, or nearly.
    """
    from matplotlib.figure import Figure

    deep = -(-count // wide)
    wide = -(-count // deep)
    figure = Figure(figsize=(size[0] * wide, size[1] * deep), layout="constrained")
    panels = figure.subplots(deep, wide, squeeze=False, **shared)
    for ax in panels.flat[count:]:
        ax.axis("off")
    return figure, list(panels.flat[:count])


def curve(ax: Any, i: int, label: str | None, x: Sequence[Any], y: Sequence[Any], **about: Any) -> None:
    """Draw the i-th of at most eight lines of a panel."""
    ax.plot(x, y, label=label, **LOOKS[i] | {"markersize": 4, "linewidth": 1.2} | about)


def curves(ax: Any, rows: Rows, by: str, at: tuple[str, str], label: str = "{}") -> None:
    """Draw a line for each value of the entry ``by``: of the two entries ``at``, the second against the first."""
    for i, ((value,), mine) in enumerate(grouped(rows, by).items()):
        curve(ax, i, label.format(value), *([row[name] for row in mine] for name in at))


def plain_ticks(axis: Any) -> None:
    """Write 1, 2, 5, 10, ... along a logarithmic axis, 1, 3, 10, ... along a long one."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axis.get_data_interval()
    axis.set_major_locator(LogLocator(subs=(1.0, 3.0) if high >= 50 * low else (1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def legend(figure: Any, panels: Sequence[Any], columns: int, title: str | None = None) -> None:
    """Name below a figure what its panels show, each once."""
    known = {name: mark for ax in panels for mark, name in zip(*ax.get_legend_handles_labels(), strict=True)}
    place: dict[str, Any] = {"loc": "outside lower center", "ncols": columns, "fontsize": "small", "title": title}
    figure.legend(list(known.values()), list(known), **place)


def accuracies(rows: Rows, place: tuple[str, ...] = ("data",)) -> Any:
    """Draw a panel for each place: mean accuracy against noise, a line for each method.

    Uniform noise is joined; class-conditional noise stands apart at the right. Printed means are hollow.

    Parameters
    ----------
    rows : list of dict
        With ``method``, ``noise``, ``accuracy``, ``printed`` and the entries of ``place``.
    place : tuple of str
        What a panel shows: a data set, or a data set and a task.

    Returns
    -------
    matplotlib figure
    """
    places, methods = grouped(rows, *place), distinct(rows, "method")
    figure, panels = figure_of(len(places), 3, (3.2, 3.0))
    for ax, (names, cells) in zip(panels, places.items(), strict=True):
        noises = distinct(cells, "noise")
        for (method,), mine in grouped(cells, "method").items():
            _against_noise(ax, methods.index(method), mine, noises)
        ax.set_xticks(range(len(noises)), noises, rotation=60 if len(noises) > 6 else 0, fontsize="small")
        ax.set(title=", ".join(names), xlabel="wrong labels, %", ylabel="accuracy, %")
    legend(figure, panels[:1], 4 if len(methods) < 8 else 8, "hollow: printed means")
    return figure


def _against_noise(ax: Any, i: int, rows: Rows, noises: list[str]) -> None:
    at = {row["noise"]: row["accuracy"] for row in rows}
    uniform, apart = ([n for n in noises if n in at and n.isdigit() == joined] for joined in (True, False))
    curve(ax, i, rows[0]["method"], [noises.index(n) for n in uniform], [at[n] for n in uniform])
    curve(ax, i, None, [noises.index(n) for n in apart], [at[n] for n in apart], linestyle="none")
    known = [(noises.index(row["noise"]), row["printed"]) for row in rows if row.get("printed") is not None]
    if known and not rows[0]["method"].endswith("tuned"):  # whose printed means are those of the method as it is
        hollow = LOOKS[i] | {"linestyle": "none", "fillstyle": "none", "markersize": 8}
        ax.plot(*zip(*known, strict=True), **hollow)


def critical_differences(diagrams: Sequence[tuple[str, Mapping[str, float], float]], size: tuple[float, float]) -> Any:
    """Draw a critical-difference diagram for each title, average ranks and critical difference."""
    figure, panels = figure_of(len(diagrams), 2, size)
    figure.get_layout_engine().set(wspace=0.06)  # names stand beside their axes
    for ax, (title, ranks, distance) in zip(panels, diagrams, strict=True):
        plot_critical_difference(ranks, distance, ax=ax, title=title)
        ax.title.set_size("medium")
    return figure
