"""The pictures show what was computed: lines, bars and maps are compared with fractions, enumeration and formulas."""

from fractions import Fraction
from math import sqrt

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

import oracles
import splitcrit as sc
from refusals import refused
from reproductions.roots import root_choices
from splitcrit import losses, plots
from splitcrit.audits import AuditReport, audit
from splitcrit.nulls import null_distribution
from splitcrit.plots import indistinct_groups, plot_critical_difference
from splitcrit.plots.style import COLOURS, look
from splitcrit.trees import ValidationCurve


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


TWO = sc.class_conditional(tau_pos=0.1, tau_neg=0.3)


# ---- impurities and chords ----


def test_an_impurity_is_drawn_over_the_share_of_class_one(ax):
    assert plots.plot_impurity([sc.gini, sc.variance((0, 2))], points=5, ax=ax) is ax
    shares = [Fraction(i, 4) for i in range(5)]
    for line, factor in zip(ax.lines, (2, 4), strict=True):
        assert line.get_xydata().tolist() == [[float(p), float(factor * p * (1 - p))] for p in shares]


def test_relative_impurities_are_one_at_equal_shares(ax):
    plots.plot_impurity([sc.gini, sc.entropy, sc.misclassification], relative=True, points=3, ax=ax)
    assert [line.get_ydata().tolist() for line in ax.lines] == [pytest.approx([0, 1, 0])] * 3


@pytest.mark.parametrize("split", [[[3, 1], [1, 3]], [[1, 0], [1, 3]], [[1, 1], [2, 2]], [[1, 99], [2, 1]]])
def test_the_gap_between_chord_and_curve_is_the_gain(ax, split):
    plots.plot_impurity([sc.gini, sc.misclassification], splits=[split], ax=ax)
    (_, chord, gap), (_, _, other) = ax.lines[:3], ax.lines[3:]
    (a, b), (c, d) = split
    node = Fraction(b + d, a + b + c + d)
    assert chord.get_xdata() == pytest.approx([b / (a + b), d / (c + d)], rel=1e-15)
    for line, impurity in ((gap, sc.gini), (other, sc.misclassification)):
        bottom, top = line.get_ydata()
        assert top - bottom == pytest.approx(float(sc.decrease(impurity).exact(split)), abs=1e-15)
        assert set(line.get_xdata()) == {float(node)}
    (x, y), (u, v) = chord.get_xydata()
    assert (y if x == u else y + (v - y) * (float(node) - x) / (u - x)) == pytest.approx(gap.get_ydata()[0], rel=1e-12)


def test_one_split_need_not_stand_in_a_list():
    split = [[3, 1], [1, 3]]
    drawn = [
        plots.plot_impurity(sc.gini, splits=s, ax=Figure().subplots()) for s in (split, sc.Table.of(split), [split])
    ]
    assert legend(drawn[0]) == legend(drawn[1]) == legend(drawn[2]) == ["gini", "gain 0.125"]


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: plots.plot_impurity(sc.twoing), TypeError, "an impurity is expected, or a list of them; got twoing"),
        (lambda: plots.plot_impurity([]), ValueError, "a picture needs an impurity; got an empty list"),
        (lambda: plots.plot_impurity(sc.gini, splits=[[[1, 2]]]), ValueError, r"with counts; got shape \(1, 2\)"),
        (lambda: plots.plot_impurity(sc.gini, splits=[[[1, 2], [0, 0]]]), ValueError, "got an empty row"),
        (lambda: plots.plot_losses(sc.gini), TypeError, "a loss is expected, or a list of them; got gini"),
        (lambda: plots.plot_losses(losses.matushita), ValueError, "got matushita with actions in the reals"),
        (lambda: plots.plot_losses(losses.squared_error((0, 1))), ValueError, "treats two classes alike"),
        (lambda: plots.plot_ternary(sc.twoing), TypeError, "a map without a node shows an impurity; got twoing"),
        (lambda: plots.plot_ternary(sc.gini, node=(1, 2)), ValueError, r"a node of three classes; got \(1, 2\)"),
        (lambda: plots.plot_ternary(sc.gini, node=(1, 2, 3), share=1), ValueError, "strictly between 0 and 1; got 1"),
        (lambda: plots.plot_ternary(sc.gini, node=(8, 1, 1), share=0.9, resolution=3), ValueError, "some split"),
        (lambda: plots.plot_scaling(sc.gini, sc.symmetric(0.2), (1, 0)), ValueError, "two samples or more; got"),
        (lambda: plots.plot_scaling(sc.gini, TWO, (2, 2, 2)), ValueError, "is for two classes; got 3 classes"),
        (lambda: plots.plot_null([[0, 0], [0, 0]]), ValueError, "one table of 1 to 2"),
        (lambda: plots.plot_selection_bias([], show="all"), ValueError, "one of 'chosen', 'score'; got 'all'"),
        (lambda: plots.plot_selection_bias(sc.gini), TypeError, "takes rows with criterion, values, chosen"),
        (lambda: plots.plot_scaling(sc.sgini, sc.symmetric(0.2)), ValueError, "counts must be integers"),
        (lambda: plot_critical_difference({"a": 1.0}, 1.0), ValueError, "several methods; got 1"),
        (lambda: plot_critical_difference({"a": 0.0, "b": 2.0}, 1.0), ValueError, "from 1; got"),
        (lambda: plot_critical_difference({"a": 1.0, "b": float("nan")}, 1.0), ValueError, "finite"),
        (lambda: plot_critical_difference({"a": 1.0, "b": 2.0}, 0.0), ValueError, "between 0 and 1e.06; got 0.0"),
        (lambda: plots.plot_noise([1]), TypeError, r"a dict from a name to a ValidationCurve; got \[1\]"),
        (lambda: plots.plot_noise({"a": ValidationCurve(("x",), (0.5,), (1,))}), TypeError, "all of them numbers"),
    ],
)  # fmt: skip
def test_mistakes_end_in_one_sentence_and_draw_nothing(call, error, said):
    open_before = plt.get_fignums()
    refused(said, call, error=error)
    assert plt.get_fignums() == open_before


# ---- losses ----


def test_losses_against_the_margin(ax):
    shown = [losses.negative_exponential(0.5), losses.ramp, losses.sigmoid, losses.margin_zero_one, losses.exponential]
    assert plots.plot_losses([*shown, losses.hinge, losses.logistic], points=7, ax=ax) is ax
    z = np.arange(-3.0, 4.0)
    expected = [
        np.minimum(1, 0.25 * np.exp(-z)), np.clip((1 - z) / 2, 0, 1), 1 / (1 + np.exp(z)), 1.0 * (z <= 0), np.exp(-z),
        np.maximum(0, 1 - z), np.log1p(np.exp(-z)),
    ]  # fmt: skip
    for line, heights in zip(ax.lines, expected, strict=False):
        assert line.get_xdata() == pytest.approx(z) and line.get_ydata() == pytest.approx(heights)
    assert ax.get_ylim() == (0, pytest.approx(3.12)) and legend(ax)[3] == "margin_zero_one"


def test_losses_of_shares_are_drawn_against_the_difference_of_shares(ax):
    plots.plot_losses([losses.square, losses.cross_entropy, losses.ne(0.5)], points=5, ax=ax)
    square, cross, _ = ax.lines[:3]
    assert square.get_xydata().tolist() == [[z, (1 - z) ** 2 / 2] for z in (-1, -0.5, 0, 0.5, 1)]
    assert cross.get_ydata() == pytest.approx([np.inf, *(-np.log([0.25, 0.5, 0.75, 1]))])


def test_a_loss_of_the_user_is_drawn(ax):
    mine = losses.Loss("mine", lambda w, k, m: m.abs(1 - (w if k == 1 else -w)), space="line")
    plots.plot_losses(mine, points=3, reach=2, ax=ax)
    assert ax.lines[0].get_xydata().tolist() == [[-2, 3], [0, 1], [2, 1]]


# ---- the simplex ----


@pytest.mark.parametrize("impurity", [sc.gini, sc.entropy, sc.misclassification, sc.sqrt_gini])
def test_a_map_holds_the_impurity_at_every_point(ax, impurity):
    assert plots.plot_ternary(impurity, resolution=6, levels=0, ax=ax) is ax
    mesh = ax.collections[0]
    grid = [(6 - i - j, i, j) for i in range(7) for j in range(7 - i)]
    assert np.asarray(mesh.get_array()) == pytest.approx([float(impurity(list(p))) for p in grid])
    points = np.stack([mesh._triangulation.x, mesh._triangulation.y], axis=1)
    assert points == pytest.approx(np.array([[(i + j / 2) / 6, j / 6 * 0.75**0.5] for _, i, j in grid]))
    assert len(mesh._triangulation.triangles) == 36


def test_a_map_of_gains_is_zero_at_the_node_and_empty_where_no_split_is(ax):
    plots.plot_ternary(sc.gini, node=(6, 3, 3), share=0.5, resolution=4, ax=ax)
    mesh = ax.collections[0]
    grid = [(4 - i - j, i, j) for i in range(5) for j in range(5 - i)]
    held = dict(zip(grid, np.ma.filled(np.ma.asarray(mesh.get_array(), dtype=float), np.nan).tolist(), strict=True))
    for q, height in held.items():
        left = [Fraction(6 * x, 4) for x in q]  # six of the twelve go left
        right = [n - x for n, x in zip((6, 3, 3), left, strict=True)]
        if min(right) < 0:
            assert np.isnan(height)
        else:
            assert height == pytest.approx(float(sc.decrease(sc.gini).exact([left, right])), abs=1e-15)
    assert held[2, 1, 1] == pytest.approx(0, abs=1e-15)
    assert 0 < len(mesh._triangulation.triangles) < 16


def test_names_of_lines_differ_from_the_map_in_brightness(ax):
    plots.plot_ternary(sc.gini, resolution=30, ax=ax)
    colours = {tuple(colour[:3]) for each in ax.collections[1:] for colour in each.get_edgecolor()}
    assert colours == {(0.0, 0.0, 0.0), (1.0, 1.0, 1.0)}


# ---- scaling ----


@pytest.mark.parametrize(
    ("criterion", "channel", "node", "factor"),
    [
        (sc.gini, sc.symmetric(0.2), (30, 20), Fraction(3, 5) ** 2),
        (sc.gini, sc.symmetric(0.2), (10, 8, 7), Fraction(7, 10) ** 2),
        (sc.gini, TWO, (30, 20), Fraction(3, 5) ** 2),
        (sc.twoing, sc.symmetric(0.2), (30, 20), Fraction(3, 5) ** 2),
        (sc.pairwise_gain, sc.symmetric(0.2), (30, 20), Fraction(3, 5)),
        (sc.gini, sc.symmetric(0.5), (30, 20), Fraction(0)),
        (sc.entropy, sc.symmetric(0.2), (30, 20), None),
        (sc.misclassification, sc.class_conditional(tau_pos=0.4, tau_neg=0), (30, 20), None),
    ],
)
def test_the_line_of_a_factor_is_drawn_for_criteria_that_scale(ax, criterion, channel, node, factor):
    plots.plot_scaling(criterion, channel, node, splits=60, ax=ax)
    points, *lines = ax.lines
    assert len(points.get_xdata()) == 60
    assert len(lines) == (factor is not None)
    if factor is not None:
        (x, y), (u, v) = lines[0].get_xydata()
        assert (x, y) == (0, 0) and v / u == pytest.approx(float(factor), rel=1e-9)
        assert legend(ax)[1] == f"factor {float(factor):.4g}"


def test_points_are_clean_and_expected_noisy_scores(ax):
    tables = [[[3, 1], [1, 3]], [[4, 0], [2, 2]]]
    plots.plot_scaling([sc.gini, sc.entropy], sc.symmetric(0.25), tables, ax=ax)
    eta = Fraction(1, 4)
    noisy = [[[a * (1 - eta) + b * eta, a * eta + b * (1 - eta)] for a, b in table] for table in tables]
    clean_gini = [float(sc.decrease(sc.gini).exact(table)) for table in tables]
    of_gini = next(line for line in ax.lines if line.get_label() == "decrease(gini)")
    assert of_gini.get_xdata() == pytest.approx(clean_gini)
    assert of_gini.get_ydata() == pytest.approx([float(sc.decrease(sc.gini).exact(table)) for table in noisy])
    of_entropy = next(line for line in ax.lines if line.get_label() == "decrease(entropy)")
    assert of_entropy.get_ydata() == pytest.approx([float(sc.decrease(sc.entropy)(np.array(t, float))) for t in noisy])


def test_random_noise_scatters_about_the_line_and_suits_criteria_of_whole_counts(ax):
    tables = np.array([[[300, 100], [100, 300]], [[350, 50], [200, 200]]])
    plots.plot_scaling([sc.gini, sc.sgini], sc.symmetric(0.2), tables, random=True, rng=5, ax=ax)
    of_gini, of_sgini = ax.lines
    noisy = sc.symmetric(0.2).random(tables, rng=np.random.default_rng(5))
    assert of_gini.get_ydata() == pytest.approx([sc.gini_gain(table) for table in noisy])
    assert of_sgini.get_ydata() == pytest.approx([sc.sgini(table) for table in noisy])
    assert of_gini.get_ydata() != pytest.approx(0.36 * of_gini.get_xdata(), rel=1e-3)


# ---- the null distribution ----

TABLES = [
    [[3, 0, 1], [0, 4, 1]], [[2, 1], [1, 3], [0, 2]], [[5, 1], [1, 6]], [[1, 0, 0], [0, 2, 1], [1, 1, 1]],
    [[4, 0], [0, 0]],
]  # fmt: skip


@pytest.mark.parametrize("counts", TABLES)
def test_the_exact_law_is_that_of_enumeration(counts):
    margins = [sum(row) for row in counts if any(row)], [sum(c) for c in zip(*counts, strict=True) if any(c)]
    law = oracles.table_law(*map(tuple, margins))
    found = null_distribution(counts)
    assert found.method == "exact"
    assert found.gain == pytest.approx([float(gain) for gain in sorted(law)], abs=1e-15)
    assert found.probability == pytest.approx([float(law[gain]) for gain in sorted(law)], rel=1e-14)


def test_random_tables_have_gains_of_the_exact_law_in_about_its_shares():
    counts, samples = [[3, 0, 1], [0, 4, 1]], 20000
    exact = null_distribution(counts)
    drawn = null_distribution(counts, method="monte_carlo", samples=samples, rng=0)
    places = np.searchsorted(exact.gain, drawn.gain - 1e-12)
    assert drawn.method == "monte_carlo" and exact.gain[places] == pytest.approx(drawn.gain, abs=1e-15)
    shares = np.zeros(len(exact.gain))
    shares[places] = drawn.probability
    errors = np.sqrt(exact.probability * (1 - exact.probability) / samples)
    assert (np.abs(shares - exact.probability) < 5 * errors).all()
    assert drawn == null_distribution(counts, method="monte_carlo", samples=samples, rng=0) != exact


def test_a_law_that_is_too_large_is_refused_or_sampled():
    counts = np.full((8, 6), 5)
    assert null_distribution(counts, samples=10, rng=0).method == "monte_carlo"
    with pytest.raises(ValueError, match="the exact law is for small tables; got a table beyond limit=1e-05"):
        null_distribution(counts, method="exact", limit=1e-5)
    refused("samples is an integer from 1; got 0", null_distribution, counts, method="monte_carlo", samples=0)


def test_bars_curve_and_marks_of_the_null(ax):
    counts = [[6, 2, 1], [3, 5, 1], [0, 2, 5], [1, 1, 3]]
    assert plots.plot_null(counts, bins=12, ax=ax) is ax
    law, table = null_distribution(counts, method="exact"), sc.Table.of(counts)
    moments = sc.gini_null(table.row_totals, table.column_totals, order=3)
    (bars,) = ax.containers
    assert len(bars) == 12
    for bar in bars:
        left, width = bar.get_x(), bar.get_width()
        inside = (law.gain >= left - 1e-12) & (law.gain < left + width - 1e-12)
        assert bar.get_height() * width == pytest.approx(law.probability[inside].sum(), rel=1e-9)
    lines = {line.get_label().split()[0]: line for line in ax.lines}
    assert lines["mean"].get_xdata()[0] == moments.mean
    assert lines["observed,"].get_xdata()[0] == sc.gini_gain(counts)
    assert lines["observed,"].get_label().endswith(f"p = {float(sc.gini_pvalue(counts, method='exact')):.3g}")
    gains, density = lines["Pearson"].get_data()
    beyond = gains >= sc.gini_gain(counts)
    tail = np.trapezoid(density[beyond], gains[beyond]) if hasattr(np, "trapezoid") else None
    if tail is not None:  # up to one step of the grid and the part to the right of the picture
        assert tail == pytest.approx(float(sc.gini_pvalue(counts, method="pearson3")), rel=0.1)
    assert np.dot(gains, density) / density.sum() == pytest.approx(moments.mean, rel=0.02)
    assert f"sd {sqrt(moments.variance):.3g}" in legend(ax)


@pytest.mark.parametrize(("samples", "words"), [(None, "all tables"), (0, "all tables"), (7, "7 random tables")])
def test_the_number_of_random_tables_chooses_the_law(ax, samples, words):
    plots.plot_null([[3, 1], [1, 3]], samples=samples, ax=ax)
    assert words in legend(ax)


def test_a_constant_gain_has_a_null_of_one_value(ax):
    plots.plot_null([[3, 2]], ax=ax)
    assert legend(ax) == ["all tables", "observed, p = 1"]


# ---- bias ----


def test_bias_is_drawn_with_bars_and_the_fair_share(ax):
    values = (2, 10, 30)
    found = root_choices([sc.gini, sc.sgini], values, labels=(30, 30), samples=300)
    assert plots.plot_selection_bias(found, ax=ax) is ax
    assert ax.lines[0].get_xydata().tolist() == [[x.values, x.chosen] for x in found[:3]]
    fair = next(line for line in ax.lines if line.get_linestyle() == "-" and len(set(line.get_ydata())) == 1)
    assert fair.get_ydata()[0] == pytest.approx(1 / 3)
    segments = ax.collections[0].get_segments()
    assert [np.ptp(s[:, 1]) for s in segments] == pytest.approx([4 * x.chosen_error for x in found[:3]])
    assert found[2].chosen > 0.95 and found[5].chosen < 0.5


def test_scores_are_drawn_in_deviations_of_the_fewest_values(ax):
    ten, two = root_choices([sc.gini], (10, 2), samples=50)
    plots.plot_selection_bias([ten, two], show="score", ax=ax)
    assert ax.lines[0].get_ydata() == pytest.approx([ten.score / two.score_sd, two.score / two.score_sd])


# ---- noise ----


def test_accuracy_and_size_stand_on_two_axes(ax):
    rows = {"gini": ((0.9, 0.8), (5, 9)), "ne": ((0.8, 0.7), (2, 3))}
    curves = {name: ValidationCurve((0.0, 0.2), *row) for name, row in rows.items()}
    assert plots.plot_noise(curves, parameter="lam", ax=ax) is ax
    second = next(each for each in ax.figure.axes if each is not ax)
    assert [line.get_ydata().tolist() for line in ax.lines] == [[0.9, 0.8], [0.8, 0.7]]
    assert [line.get_ydata().tolist() for line in second.lines] == [[5, 9], [2, 3]]
    assert ax.get_xlabel() == "lam" and legend(ax) == ["gini", "ne"]
    left, right = Figure().subplots(1, 2)
    plots.plot_noise(curves, sizes=right, ax=left)
    assert len(left.figure.axes) == 2 and [line.get_xdata().tolist() for line in right.lines] == [[0, 0.2]] * 2


# ---- all of them ----


def test_more_methods_than_colours_are_still_told_apart():
    looks = {tuple(map(str, look(i, marked=True).values())) for i in range(3 * len(COLOURS))}
    assert len(looks) == 3 * len(COLOURS)


def test_the_null_is_drawn_of_as_many_random_tables_as_asked_for():
    few, many = (plots.plot_null([[6, 4], [2, 8]], samples=n, rng=0) for n in (10, 5000))
    heights = [max(bar.get_height() for bar in ax.patches) for ax in (few, many)]
    assert heights[0] != heights[1]
    assert sum(bar.get_height() > 0 for bar in few.patches) <= 10


def test_a_split_that_raises_an_impurity_has_a_negative_gain_in_the_legend():
    flat = sc.Impurity("flat", lambda p, m: (1 - m.max(p)) ** 2)
    ax = plots.plot_impurity(flat, splits=[[[10, 0], [6, 4]]])
    assert ax.get_legend_handles_labels()[1] == ["flat", "gain -0.04"]


# The picture of a validation curve shows what the estimator keeps.


def test_accuracy_leaves_and_the_best_are_drawn(ax):
    curve = ValidationCurve((0.0, 0.5, 1.0), (0.7, 0.9, 0.8), (9.0, 5.0, 3.0))
    assert plots.validation_curve(curve, ax=ax) is ax
    accuracy, ring = ax.lines
    leaves = next(side for side in ax.figure.axes if side is not ax).lines[0]
    assert accuracy.get_xydata().tolist() == [[0, 0.7], [0.5, 0.9], [1, 0.8]]
    assert leaves.get_xydata().tolist() == [[0, 9], [0.5, 5], [1, 3]]
    assert ring.get_xydata().tolist() == [[0.5, 0.9]]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0", "0.5", "1"]


# Pictures of best vertices: drawn on the axes given, and showing what the functions return.


@pytest.mark.parametrize(
    ("impurity", "names"),
    [(sc.gini, {"1", "2", "3"}), (sc.misclassification, {"1 or 2", "1 or 3", "2 or 3"})],
    ids=["gini", "misclassification"],
)  # fmt: skip
def test_three_classes_are_isolated_by_size_and_misclassification_ties_everywhere(ax, impurity, names):
    assert plots.best_split_regions(impurity, resolution=12, ax=ax) is ax
    assert {text.get_text() for text in ax.texts if "all" not in text.get_text()} == names
    codes = ax.collections[0].get_array()
    assert codes.shape == (12**2,) and set(codes) == ({0, 1, 2} if impurity is sc.gini else set(codes))


def test_the_name_of_a_narrow_region_stays_inside_it():
    ax = plots.best_split_regions(sc.ne(0.5), resolution=40)
    ax.figure.draw_without_rendering()
    regions = ax.collections[0]
    for text in [text for text in ax.texts if " or " in text.get_text()]:
        angle, middle = np.radians(text.get_rotation()), ax.transData.transform(text.get_position())
        text.set_rotation(0)  # its box is as wide as the name
        half = text.get_window_extent().width / 2 * np.array([np.cos(angle), np.sin(angle)])
        along = ax.transData.inverted().transform([middle - half, middle, middle + half])
        here = [[path.contains_point(point) for path in regions.get_paths()].index(True) for point in along]
        assert len(set(regions.get_array()[here])) == 1, text.get_text()


def test_curves_of_two_classes(ax):
    assert plots.two_class_values([sc.gini, sc.twoing], points=11, ax=ax) is ax
    one, other = (line.get_ydata() for line in ax.lines)
    alone = plots.two_class_values(sc.gini, points=11, ax=plt.figure().subplots())  # one is a list of one
    assert np.array_equal(alone.lines[0].get_ydata(), one)
    p = np.linspace(0, 1, 11)
    assert one == pytest.approx(4 * p * (1 - p)) and other == pytest.approx(one)


def test_gini_cuts_ends_and_entropy_balances(ax):
    assert plots.smaller_sides([sc.gini, sc.entropy], classes=(3, 12), nodes=40, ax=ax) is ax
    (few_gini, many_gini), (few_entropy, many_entropy) = (line.get_ydata() for line in ax.lines)
    assert few_gini == few_entropy  # with three classes the best vertices coincide
    assert many_gini < 0.25 and many_entropy > 0.49


def test_the_landscape_shows_every_split_and_its_mirror_image(ax):
    p = [5, 4, 3, 2, 1]
    assert plots.landscape(p, [sc.gini], ax=ax) is ax
    (points,) = ax.lines
    assert len(points.get_xdata()) == 2 * len(sc.vertex_landscape(p, sc.gini))
    assert sorted(points.get_xdata()) == pytest.approx(sorted(1 - points.get_xdata()))
    assert points.get_ydata().max() == 1


# The picture of an audit shows its figures.

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
    new = np.random.default_rng(1).normal(size=(200, 5))
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
        assert {name for name, rank in RANKS.items() if low <= rank <= high} == set(group)


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


def test_new_axes_grow_with_the_names():
    few = plot_critical_difference({"a": 1.0, "b": 2.0}, 0.5)
    many = plot_critical_difference({str(i): 1 + i * 0.9 for i in range(20)}, 3.0)
    assert many.figure.get_figheight() > few.figure.get_figheight()
