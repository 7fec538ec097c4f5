"""The picture of an audit shows its figures."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

from reproductions.comparing import critical_difference
from splitcrit import plots
from splitcrit.audits import AuditReport, audit
from splitcrit.plots import indistinct_groups, plot_critical_difference

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 5))
Y = (X[:, 1] + 0.5 * RNG.normal(size=200) > 0).astype(int)


@pytest.fixture(scope="module")
def report() -> AuditReport:
    return audit(RandomForestClassifier(5, random_state=0).fit(X, Y), X, Y, "out-of-bag")


def test_a_point_for_each_feature_and_kind(report: AuditReport) -> None:
    ax = report.plot(ax=Figure().subplots())
    order = np.argsort(-report.importances.net, kind="stable")
    assert order[0] == 1
    found = {name: line for line in ax.lines if not (name := line.get_label()).startswith("_")}  # others guide the eye
    imp = report.importances
    shown = {"gain - chance, out-of-bag": imp.net, "MDI, as recorded": imp.mdi, "UFI": imp.ufi, "MDI-oob": imp.mdi_oob}
    assert list(found) == list(shown)
    for label, scores in shown.items():
        assert found[label].get_xdata().tolist() == scores[order].tolist()
        assert np.round(found[label].get_ydata()).tolist() == [0, 1, 2, 3, 4]
    assert [text.get_text() for text in ax.get_yticklabels()] == [f"x{f}" for f in order]


def test_features_that_pass_are_on_top_and_bold() -> None:
    rng = np.random.default_rng(1)
    new = rng.normal(size=(200, 5))
    report = audit(RandomForestClassifier(5, max_depth=4, random_state=0).fit(X, Y), new, (new[:, 1] > 0).astype(int))
    ax = report.plot(ax=Figure().subplots())
    bold = [text.get_text() for text in ax.get_yticklabels() if text.get_fontweight() == "bold"]
    assert bold == [name for name, passes in report.verdicts.items() if passes] == ["x1"]
    assert ax.get_yticklabels()[0].get_text() == "x1" and "bold" in ax.get_xlabel()


def test_few_features_and_other_units() -> None:
    model = GradientBoostingClassifier(n_estimators=3).fit(X, Y)
    ax = plots.audited_features(audit(model, X + 0.1, Y), most=2, ax=Figure().subplots())
    assert [line.get_label() for line in ax.lines[1:]] == ["gain - chance, held-out"]
    assert len(ax.lines[1].get_xdata()) == 2


def test_what_is_no_report_is_refused() -> None:
    with pytest.raises(TypeError, match="a picture of an audit takes its report"):
        plots.audited_features([1, 2])


# The critical-difference diagram: what is drawn are the ranks, the distance and the groups.

RANKS = {"twoing": 2.1, "gini": 1.5, "CL": 4.9, "ANE": 2.2, "GCE": 4.3}


def drawn(ax, gid):
    return [line.get_xydata() for line in ax.lines if line.get_gid() == gid]


def test_what_is_drawn_is_what_was_given(ax):
    assert plot_critical_difference(RANKS, 2.15, ax=ax, title="accuracy") is ax
    methods = drawn(ax, "method")
    assert sorted(line[0, 0] for line in methods) == sorted(RANKS.values())
    assert all(line[0, 1] == 0 for line in methods)  # each starts on the scale
    ((left, right),) = (line[:, 0] for line in drawn(ax, "distance"))
    assert right - left == pytest.approx(2.15)
    texts = {text.get_text() for text in ax.texts}
    assert {"gini  1.50", "CL  4.90", "1", "5", "critical difference 2.15"} <= texts
    assert ax.get_title() == "accuracy"


def test_a_bar_covers_each_group(ax):
    plot_critical_difference(RANKS, 2.15, ax=ax)
    groups = indistinct_groups(RANKS, 2.15)
    assert groups == [("gini", "twoing", "ANE"), ("ANE", "GCE"), ("GCE", "CL")]
    bars = drawn(ax, "group")
    assert len({bar[0, 1] for bar in bars}) == 3  # on levels of their own
    for bar, group in zip(bars, groups, strict=True):
        low, high = bar[:, 0]
        inside = {name for name, rank in RANKS.items() if low <= rank <= high}
        assert inside == set(group)


def test_names_stand_at_their_lines_and_lines_do_not_cross(ax):
    plot_critical_difference(RANKS, 1.0, ax=ax)
    ends = {text.get_text().split("  ")[0]: text.get_position()[1] for text in ax.texts if "  " in text.get_text()}
    for line in drawn(ax, "method"):
        name = next(name for name, rank in RANKS.items() if rank == line[0, 0])
        assert line[-1, 1] == ends[name]
    for side in (["gini", "twoing", "ANE"], ["CL", "GCE"]):
        depths = [ends[name] for name in side]
        assert depths == sorted(depths) and len(set(depths)) == len(depths)


@pytest.mark.parametrize("seed", range(20))
def test_groups_are_those_of_all_subsets(seed):
    rng = np.random.default_rng(seed)
    ranks = dict(zip("abcdefg", 1 + rng.integers(0, 13, 7) / 2, strict=True))
    distance = float(rng.integers(1, 6)) / 2
    found = {frozenset(group) for group in indistinct_groups(ranks, distance)}
    near = [{b for b in ranks if 0 <= ranks[b] - ranks[a] < distance} for a in ranks]
    expected = {frozenset(s) for s in near if len(s) > 1 and not any(s < other for other in near)}
    assert found == expected


def test_ranks_of_a_comparison_are_drawn(ax):
    scores = np.random.default_rng(0).random((12, 4)) + np.array([0.0, 0.1, 0.2, 3.0])
    test = critical_difference(scores, ["a", "b", "c", "best"])
    ranks = dict(zip(test.methods, test.ranks, strict=True))
    plot_critical_difference(ranks, test.distance, ax=ax)
    assert min(line[0, 0] for line in drawn(ax, "method")) == 1.0
    assert all("best" not in group for group in indistinct_groups(ranks, 0.9))


def test_new_axes_grow_with_the_names():
    few = plot_critical_difference({"a": 1.0, "b": 2.0}, 0.5)
    many = plot_critical_difference({str(i): 1 + i * 0.9 for i in range(20)}, 3.0)
    assert many.figure.get_figheight() > few.figure.get_figheight()
    plt.close(few.figure)
    plt.close(many.figure)


@pytest.mark.parametrize(
    "ranks, distance, words",
    [
        ({"a": 1.0}, 1.0, "several methods; got 1"),
        ({"a": 0.0, "b": 2.0}, 1.0, "from 1; got"),
        ({"a": 1.0, "b": float("nan")}, 1.0, "finite"),
        ({"a": 1.0, "b": 2.0}, 0.0, "strictly between 0 and 1e.06; got 0.0"),
    ],
)
def test_what_is_wrong_is_said(ranks, distance, words):
    with pytest.raises(ValueError, match=words):
        plot_critical_difference(ranks, distance)
