"""Figures of several panels: what their lines hold, against the rows that they were drawn from."""

from itertools import combinations

import pytest

from reproductions.plots.panels import accuracies, critical_differences, curves, figure_of, legend, plain_ticks
from reproductions.plots.printed import against_printed
from reproductions.plots.wang2024 import cell_histograms, choice_panels, measure_panels
from reproductions.plots.wang2024_tables import minnum_panels

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


def test_names_beside_one_diagram_are_clear_of_the_next() -> None:
    ranks = {"information gain": 1.9, "Gini": 2.0, "pairwise gain": 2.1}
    figure = critical_differences([("one", ranks, 0.8), ("two", ranks, 0.8)], (5.2, 1.9))
    figure.draw_without_rendering()
    one, two = ([text.get_window_extent() for text in ax.texts] for ax in figure.axes)
    assert min(box.x0 for box in two) - max(box.x1 for box in one) > 0.2 * figure.dpi


def test_ticks_of_two_decades_are_plain_and_clear_of_each_other() -> None:
    figure, (ax,) = figure_of(1, 1, (3.2, 3.0))
    ax.plot([100, 1400, 10_000], [50, 90, 100])
    ax.set_xscale("log")
    plain_ticks(ax.xaxis)
    figure.draw_without_rendering()
    shown = [t for t in ax.get_xticklabels() if t.get_text() and 100 <= t.get_position()[0] <= 10_000]
    assert [text.get_text() for text in shown] == ["100", "300", "1000", "3000", "10000"]
    assert not any(a.get_window_extent().overlaps(b.get_window_extent()) for a, b in combinations(shown, 2))


def test_eight_methods_have_eight_colours_and_marks_beside_the_print() -> None:
    rows = [{"method": f"m{i}", "table": "one", "printed": i, "accuracy": i + 1} for i in range(8)]
    (ax,) = against_printed(rows).axes
    points = [line for line in ax.lines if line.get_label().startswith("m")]
    assert len({line.get_color() for line in points}) == len({line.get_marker() for line in points}) == 8
    assert [(*line.get_xdata(), *line.get_ydata()) for line in points] == [(i, i + 1) for i in range(8)]
    assert len({line.get_markersize() for line in points}) == 8  # two that agree are both seen


def test_legends_hide_no_line() -> None:
    shares = [{"draws": 10, "count": n, "observed": 0.1, "law": 0.1} for n in (79, 80)]
    chosen = [{"panel": "a", "r2": r, "chooser": who, "first": 0.5} for r in (3, 9) for who in ("Gini", "SGini")]
    for figure in (cell_histograms(shares, ["law"]), choice_panels(chosen, {"a": "one"})):
        assert all(ax.get_legend() is None for ax in figure.axes) and len(figure.legends) == 1


def test_marks_of_measures_are_the_means() -> None:
    means = {"seconds": {"a_set": {"cuts": 0.1, "clusters": 2.0}, "other": {"cuts": 0.5, "clusters": 9.0}}}
    (ax,) = measure_panels(means, logarithmic=["seconds"]).axes
    heights = {line.get_label(): list(line.get_ydata()) for line in ax.lines[:2]}
    assert heights == {"cuts": [0.1, 0.5], "clusters": [2, 9]}
    assert [text.get_text() for text in ax.get_xticklabels()] == ["a\nset", "other"] and ax.get_yscale() == "log"


def test_a_method_looks_the_same_with_and_without_one_of_few_sets() -> None:
    def looks(methods: dict[str, list[str]]) -> dict[str, str]:
        rows = [{"set": one, "method": m, "accuracy at 1": 0.5} for one, mine in methods.items() for m in mine]
        return {line.get_label(): line.get_color() for ax in minnum_panels(rows).axes for line in ax.lines}

    few, none = looks({"s": ["Gini", "PIMP", "SGini"], "t": ["Gini", "SGini"]}), looks({"s": ["Gini", "SGini"]})
    assert {m: few[m] for m in none} == none and len(set(few.values())) == 3
