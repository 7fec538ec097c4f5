"""Figures of several panels: what their lines hold, against the rows that they were drawn from."""

import pytest

pytest.importorskip("matplotlib")

from reproductions.plots.panels import accuracies, critical_differences, curves, figure_of, legend

ROWS = [
    {"data": data, "method": method, "noise": noise, "accuracy": height, "printed": height + 1 if data == "a" else None}
    for data in "ab"
    for method, top in (("Gini", 90.0), ("Gini tuned", 95.0))
    for noise, height in (("0", top), ("40", top - 20), ("40/20", top - 10))
]


def drawn(ax, filled):
    """The places and heights of lines with full, or with hollow marks."""
    mine = [line for line in ax.lines if (line.get_fillstyle() != "none") is filled]
    return [list(zip(*map(list, line.get_data()), strict=True)) for line in mine]


def test_accuracies_join_uniform_noise_and_set_class_conditional_noise_apart():
    first, second = accuracies(ROWS).axes
    assert [ax.get_title() for ax in (first, second)] == ["a", "b"]
    assert [tick.get_text() for tick in first.get_xticklabels()] == ["0", "40", "40/20"]
    assert drawn(first, True) == [[(0, 90), (1, 70)], [(2, 80)], [(0, 95), (1, 75)], [(2, 85)]]
    assert [line.get_linestyle() for line in first.lines if line.get_fillstyle() != "none"][1::2] == ["None", "None"]


def test_printed_means_are_hollow_and_those_of_a_method_as_it_is():
    first, second = accuracies(ROWS).axes
    assert drawn(first, False) == [[(0, 91), (1, 71), (2, 81)]] and drawn(second, False) == []


def test_a_panel_for_each_place():
    rows = [row | {"task": task} for task in ("binary", "multiclass") for row in ROWS]
    assert [ax.get_title() for ax in accuracies(rows, ("data", "task")).axes] == [
        "a, binary", "b, binary", "a, multiclass", "b, multiclass",
    ]  # fmt: skip


@pytest.mark.parametrize(("count", "wide", "shape"), [(5, 4, (2, 3)), (3, 4, (1, 3)), (12, 4, (3, 4)), (1, 2, (1, 1))])
def test_rows_of_panels_are_as_full_as_each_other(count, wide, shape):
    figure, panels = figure_of(count, wide)
    assert len(panels) == count and panels[0].get_subplotspec().get_gridspec().get_geometry() == shape
    assert sum(ax.axison for ax in figure.axes) == count


def test_a_curve_for_each_value_named_once_below():
    figure, panels = figure_of(2, 2)
    for ax, factors in zip(panels, ((2, 3), (3,)), strict=True):
        curves(ax, [{"k": k, "x": x, "y": k * x} for k in factors for x in (1, 4)], "k", ("x", "y"), "{} times")
    legend(figure, panels, 2, "factors")
    assert [list(line.get_ydata()) for line in panels[0].lines] == [[2, 8], [3, 12]]
    (below,) = figure.legends
    assert [text.get_text() for text in below.get_texts()] == ["2 times", "3 times"]


def test_a_critical_difference_diagram_for_each_title():
    figure = critical_differences([("one", {"a": 1.0, "b": 2.0}, 1.5), ("two", {"a": 1.5, "b": 1.5}, 1.5)], (6, 2))
    assert [ax.get_title() for ax in figure.axes] == ["one", "two"]
