"""Pictures of reproductions: what is drawn of the committed results is what stands in their files."""

import hashlib
import json
import runpy
import sys
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from reproductions import Options, run
from reproductions.__main__ import main
from reproductions.catalogue import experiments_of
from reproductions.plots import wang2024_tables, wilton2024, yang2019
from reproductions.plots.panels import accuracies, critical_differences, curves, figure_of, legend, plain_ticks
from reproductions.plots.printed import against_printed
from reproductions.plots.wang2024 import cell_histograms, choice_panels, measure_panels
from reproductions.plots.wang2024_tables import minnum_panels
from reproductions.printed import printed
from reproductions.results import Results, rows_of
from reproductions.wang2024.cells import cells_of, wins_of
from reproductions.wilton2024.learners import METHODS
from splitcrit import Impurity, gini, losses, plots
from splitcrit.plots.ranks import plot_critical_difference

FOLDER = Path(__file__).parents[2] / "docs" / "reproductions"


def kept(name: str) -> list[Any]:
    """The rows of a file of results, noises as texts where a picture takes them so."""
    rows = rows_of(FOLDER / name)
    return [row | {"noise": str(row["noise"])} for row in rows] if name.startswith("wilton2024") else rows


def panels(figure: Any) -> dict[str, Any]:
    """The axes that have a title, by it."""
    return {ax.get_title(): ax for ax in figure.axes if ax.get_title()}


def test_differences_of_every_rival_and_noise() -> None:
    rows = kept("yang2019/table3_tests.csv")
    drawn = panels(yang2019.differences(rows))
    assert set(drawn) == {f"noise ({a:g}, {b:g})" for a, b in yang2019.noises_of(rows)}
    for a, b in yang2019.noises_of(rows):
        lines = {line.get_label(): line for line in drawn[f"noise ({a:g}, {b:g})"].lines}
        for rival in ("Gini", "information gain"):
            mine = [row for row in rows if (row["tau_neg"], row["tau_pos"], row["rival"]) == (a, b, rival)]
            assert list(lines[f"against {rival}"].get_xdata()) == [row["apart"] for row in mine]
            sure = [row["apart"] for row in mine if row["p corrected"] < 0.05]
            assert list(lines[f"against {rival}, p < 0.05"].get_xdata()) == sure
            shown = [row["printed apart"] for row in mine if row["printed apart"] is not None]
            printed = lines.get(f"against {rival}, printed")
            assert (list(printed.get_xdata()) if printed else []) == shown


def test_seconds_of_a_tree_and_of_a_split() -> None:
    rows = kept("yang2019/figure2.csv")
    figure = yang2019.seconds(rows)
    sets = list(dict.fromkeys(row["data"] for row in rows))
    for ax, unit in zip(figure.axes, ("seconds", "seconds_full", "splits_full", "each"), strict=True):
        assert [text.get_text() for text in ax.get_yticklabels()] == sets and ax.get_xscale() == "log"
        for line in ax.lines:
            for name, found in zip(sets, line.get_xdata(), strict=True):
                mine = [row for row in rows if (row["data"], row["method"]) == (name, line.get_label())]
                mean = {key: np.mean([row[key] for row in mine]) for key in ("seconds", "seconds_full", "splits_full")}
                each = {"splits_full": mean["splits_full"], "each": 1e6 * mean["seconds_full"] / mean["splits_full"]}
                truth = {key: 1000 * mean[key] for key in ("seconds", "seconds_full")} | each
                assert found == pytest.approx(truth[unit], rel=1e-12)
    assert any("microseconds" in ax.get_xlabel() for ax in figure.axes)


@pytest.mark.parametrize(("ends", "places"), [((2.0, 50.0), {2, 5, 10, 20, 50}), ((1.0, 3000.0), {1, 3, 10, 30, 1000})])
def test_numbers_along_a_logarithmic_axis(ends: tuple[float, float], places: set[int]) -> None:
    ax = Figure().subplots()
    ax.plot(ends, [0, 1])
    ax.set(xscale="log")
    plain_ticks(ax.xaxis)
    found = {float(place) for place in ax.xaxis.get_majorticklocs()}
    assert places <= found
    assert (300 in found) == (ends[1] > 100 * ends[0]) and (5 in found) == (5 in places)
    assert ax.xaxis.get_major_formatter()(20.0, 0) == "20" and ax.xaxis.get_minor_formatter()(20.0, 0) == ""


def test_tuned_trees_ahead_of_ane() -> None:
    rows = [row for row in kept("wilton2024/budget_summary.csv") if row["way"] != "ANE"]
    drawn = panels(wilton2024.budget_differences(rows))
    for task, ax in drawn.items():
        mine = [row for row in rows if row["task"] == task]
        noises = list(dict.fromkeys(row["noise"] for row in mine))
        assert [text.get_text() for text in ax.get_xticklabels()] == noises
        for way in dict.fromkeys(row["way"] for row in mine):
            (line,) = [line for line in ax.lines if line.get_label() == f"{way}: median"]
            of_way = [row for row in mine if row["way"] == way]
            medians = [np.median([r["ahead"] for r in of_way if r["noise"] == noise]) for noise in noises]
            assert list(line.get_ydata()) == pytest.approx(medians)
            points = [other for other in ax.lines if len(other.get_xdata()) == len(of_way) and other is not line]
            assert any(list(other.get_ydata()) == [row["ahead"] for row in of_way] for other in points)
        places = [line.get_xdata() for line in ax.lines if line.get_linestyle() == "None"]
        assert all(np.abs(np.asarray(x) - np.round(np.asarray(x))).max() == pytest.approx(0.12) for x in places)
    assert set(drawn) == {"binary", "multiclass"}


def test_shares_of_halted_nodes_by_depth() -> None:
    rows = kept("wilton2024/halted_shares.csv")
    drawn = panels(wilton2024.halted_shares(rows))
    bands = list(dict.fromkeys(row["band"] for row in rows))
    for task, noise in {(row["task"], row["noise"]) for row in rows}:
        ax = drawn[f"{task}, {noise} % wrong"]
        assert [text.get_text() for text in ax.get_xticklabels()] == bands
        for line in ax.lines:
            mine = [r for r in rows if (r["task"], r["noise"], f"lam {r['lam']:g}") == (task, noise, line.get_label())]
            known = [(bands.index(row["band"]), row["share"]) for row in mine if row["share"] is not None]
            assert list(zip(line.get_xdata(), line.get_ydata(), strict=True)) == known


def test_bars_of_wins_and_panels_of_minnum() -> None:
    wins = wins_of(cells_of("table5", kept("wang2024/table5.csv")))
    drawn = panels(wang2024_tables.win_bars(wins))
    named = {f"{row['measure']}, {wang2024_tables.NAMED[row['noise']]}": row for row in wins}
    assert set(drawn) == set(named)
    for title, ax in drawn.items():
        mine = [row for row in wins if all(row[name] == named[title][name] for name in ("measure", "noise"))]
        heights = [[bar.get_height() for bar in bars] for bars in ax.containers]
        assert heights == [[row["difference"] for row in mine], [row["difference as printed"] for row in mine]]
        assert ax.get_ylabel() == "better less worse"
    rows = [row for row in kept("wang2024/table5.csv") if row["noise"] in (None, "none")]
    one = rows[0]["set"]
    ax = panels(wang2024_tables.minnum_panels([row for row in rows if row["set"] == one]))[one]
    assert ax.get_xticks().tolist() == [1, 5, 10, 15, 20]
    for line in ax.lines:
        mine = [row for row in rows if (row["set"], row["method"]) == (one, line.get_label())]
        means = [np.mean([row[f"accuracy at {n}"] for row in mine]) for n in range(1, 21)]
        assert list(line.get_ydata()) == pytest.approx(means) and list(line.get_xdata()) == list(range(1, 21))


def test_the_critical_difference_lies_flat_above_the_line() -> None:
    ax = plot_critical_difference({"a": 1.5, "b": 2.0, "c": 2.5}, 1.1, ax=Figure().subplots())
    (line,) = [line for line in ax.lines if line.get_gid() == "distance"]
    assert list(line.get_xdata()) == [1.0, 2.1] and len(set(line.get_ydata())) == 1 and line.get_ydata()[0] < -1


def test_lines_of_equal_height_are_white_on_the_dark_half() -> None:
    raised = Impurity("raised", lambda p, m: 2 - sum(x * x for x in p))  # from 1 to 5/3
    ax = plots.plot_ternary(raised, resolution=30, levels=8, ax=Figure().subplots())
    (lines,) = [c for c in ax.collections if hasattr(c, "levels")]
    assert len(lines.levels) >= 4 and all(a < b for a, b in pairwise(lines.levels))
    assert lines.levels[0] > 1 and lines.levels[-1] < 5 / 3
    white = [bool(color[:3].min() == 1) for color in lines.get_edgecolor()]
    assert white == [level < 4 / 3 for level in lines.levels]


def test_sides_are_drawn_with_marks_for_the_numbers_of_classes() -> None:
    ax = plots.smaller_sides([gini], nodes=3, ax=Figure().subplots())
    assert ax.lines[0].get_xdata().tolist() == [2, 3, 4, 5, 6, 8, 10, 14, 20]
    assert ax.lines[0].get_marker() not in (None, "None", "")


def test_ranks_of_every_task_and_noise() -> None:
    rows = kept("wilton2024/trees_ranks.csv")
    methods = [name for name in rows[0] if name in METHODS]
    drawn = panels(wilton2024.rank_panels(rows, methods))
    assert len(drawn) == len(rows)
    for row, ax in zip(rows, drawn.values(), strict=True):
        assert ax.get_title().startswith(f"{row['task']}, ") and f"{row['sets']} data sets" in ax.get_title()
        named = {text.get_text().split("  ")[0] for text in ax.texts}
        assert {name for name in methods if row[name] is not None} <= named


def test_a_picture_has_at_most_ten_million_points() -> None:
    for bad in (1, 10**7 + 1, 2.0, True):
        with pytest.raises(ValueError, match="points is an integer from 2"):
            plots.plot_losses(losses.hinge, points=bad)


# Figures of several panels: what their lines hold, against the rows that they were drawn from.

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


def test_accuracies_join_uniform_noise_and_printed_means_are_hollow():
    """Class-conditional noise is set apart; the printed means are those of a method as it is."""
    first, second = accuracies(ROWS).axes
    assert [ax.get_title() for ax in (first, second)] == ["a", "b"]
    assert [tick.get_text() for tick in first.get_xticklabels()] == ["0", "40", "40/20"]
    assert drawn(first, True) == [[(0, 90), (1, 70)], [(2, 80)], [(0, 95), (1, 75)], [(2, 85)]]
    assert [line.get_linestyle() for line in first.lines if line.get_fillstyle() != "none"][1::2] == ["None", "None"]
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


# Printed tables in docs/data stay as they were transcribed; where a paper adds up a table, its sums come out.

DATA = Path(__file__).parents[2] / "docs" / "data"
DIGESTS = {  # of files that were compared with the papers, cell by cell
    "ghosh2017_table1": "5e9c38532976f0a1",
    "ghosh2017_table2": "aeaea2411cf4eeaf",
    "wang2024_findings": "b5c65ba21e606262",
    "wang2024_table3": "e4ceab4b5bf7f0fe",
    "wang2024_table4": "bda87cd98c4901fa",
    "wang2024_table5": "a858c921fde5f605",
    "wang2024_table6": "4cbc70038bd0aea9",
    "wang2024_table7": "1f081411e5d16f47",
    "wang2024_table8": "f325ac94e614fce7",
    "wang2024_table9": "06b48d902ae50749",
    "wilton2024_tables": "659d9a75f73b0885",
    "yang2019_table3": "e38c6d94daa4bcb4",
}


def test_printed_tables_are_as_they_were_transcribed() -> None:
    papers = ("ghosh2017", "wang2024", "wilton2024", "yang2019")
    found = {path.stem: path.read_bytes() for path in DATA.glob("*.csv") if path.stem.startswith(papers)}
    assert {name: hashlib.sha256(text).hexdigest()[:16] for name, text in found.items()} == DIGESTS


def test_yang2019_wins_ties_and_losses_are_the_sums_below_the_table() -> None:
    rows = printed("yang2019_table3")
    marks = {m: Counter(r["mark"] for r in rows if r["method"] == m) for m in ("gini", "information gain")}
    assert marks["gini"] == {"win": 35, "tie": 27, "loss": 2}
    assert marks["information gain"] == {"win": 35, "tie": 25, "loss": 4}
    assert len({(r["data"], r["tau_neg"], r["method"]) for r in rows}) == len(rows) == 32 * 2 * 3


# Quick runs of the experiments of papers: every task has rows, figures lie in their range, pictures are drawn.

PAPERS: dict[str, tuple[tuple[str, ...], dict[str, Any], float]] = {  # experiments, options, the largest accuracy
    "ghosh2017": (("table1", "figure1"), {}, 100),
    "wilton2024": (("trees", "figure6", "halted", "budget", "gce"), {}, 100),
    "wang2024": (("table5", "table6", "table7_8", "ablation", "variants", "open"), {}, 1),
    "yang2019": (("table3", "sampled", "exchanged", "symmetric", "figure1", "figure2", "variants"),
                 {"sets": ("sklearn breast cancer",)}, 1),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
def test_a_quick_run_has_every_task_and_figures_in_range(paper: str, data: Path, tmp_path: Path) -> None:
    names, options, most = PAPERS[paper]
    options = {"quick": True, "data": data, **options}
    for experiment in experiments_of(paper, names):
        said = run(experiment, Options(tmp_path, **options), show=False)
        rows, results = rows_of(tmp_path / f"{experiment.name}.csv"), Results(tmp_path, "x", experiment.keys, {})
        tasks = experiment.tasks(Options(tmp_path, **options))
        assert {results.key(row) for row in rows} == {results.key(task) for task in tasks}
        shares = [row[name] for row in rows for name in row if name.startswith("accuracy") and row[name] is not None]
        assert all((paper != "wang2024") * 0.3 * most <= share <= most for share in shares)
        assert "flipped" not in rows[0] or all(0 <= row["flipped"] <= 0.6 for row in rows)
        assert said and all(picture.stat().st_size > 5_000 for picture in tmp_path.glob("*.png"))
    assert any(tmp_path.glob("*.png")) == (paper not in ("wang2024", "wilton2024"))  # whose pages draw


# ``python -m reproductions``.


def test_the_experiments_of_a_paper_are_listed_and_json_stands_beside_the_text(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["reproductions", "wang2024", "--list", "--json", str(tmp_path / "out.json")])
    monkeypatch.delitem(sys.modules, "reproductions.__main__")
    with pytest.raises(SystemExit, match="0"):
        runpy.run_module("reproductions", run_name="__main__")
    assert "figure2" in capsys.readouterr().out and "figure2" in json.loads((tmp_path / "out.json").read_text())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["breiman"], "no paper has this key; got 'breiman'; one of breiman1996, "),
        (["wang2024", "figure1"], "an experiment of wang2024 is reproduced by its name; got 'figure1'; one of table3"),
        (["wang2024", "--splits", "0"], "an experiment is run at least once; got --splits 0; pass 1 or more"),
        (["wang2024", "--quik"], "did you mean --quick?"),
        (["wang2024", "--jobs", "0"], "--jobs must be at least 1, or -1 for one per core; got 0; pass --jobs 2"),
    ],
)
def test_a_mistake_is_one_sentence(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    try:
        status = main(arguments)
    except SystemExit as left:
        status = left.code
    assert status == 2 and said in capsys.readouterr().err
