"""Pictures of best vertices: drawn on the axes given, and showing what the functions return."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from splitcrit import entropy, gini, misclassification, ne, plots, twoing, vertex_landscape


def texts(ax):
    return {text.get_text() for text in ax.texts}


def test_three_classes_are_isolated_by_size(ax):
    assert plots.best_split_regions(gini, resolution=12, ax=ax) is ax
    assert {"1", "2", "3"} <= texts(ax)
    assert not any(" or " in text for text in texts(ax))
    codes = ax.collections[0].get_array()
    assert codes.shape == (12**2,) and set(codes) == {0, 1, 2}


def test_misclassification_ties_everywhere(ax):
    plots.best_split_regions(misclassification, resolution=12, ax=ax)
    assert {"1 or 2", "1 or 3", "2 or 3"} == {text for text in texts(ax) if "all" not in text}


def test_the_name_of_a_narrow_region_stays_inside_it():
    ax = plots.best_split_regions(ne(0.5), resolution=40)
    ax.figure.draw_without_rendering()
    regions = ax.collections[0]
    for text in [text for text in ax.texts if " or " in text.get_text()]:
        angle, middle = np.radians(text.get_rotation()), ax.transData.transform(text.get_position())
        text.set_rotation(0)  # its box is as wide as the name
        half = text.get_window_extent().width / 2 * np.array([np.cos(angle), np.sin(angle)])
        along = ax.transData.inverted().transform([middle - half, middle, middle + half])
        here = [[path.contains_point(point) for path in regions.get_paths()].index(True) for point in along]
        assert len(set(regions.get_array()[here])) == 1, text.get_text()
    plt.close(ax.figure)


def test_gini_entropy_and_twoing_coincide_for_three_classes():
    axes = plt.figure().subplots(1, 3)
    pairs = zip((gini, entropy, twoing), axes, strict=True)
    one, *others = (plots.best_split_regions(f, resolution=15, ax=ax).collections[0].get_array() for f, ax in pairs)
    assert all((one == other).all() for other in others)
    plt.close(axes[0].figure)


def test_curves_of_two_classes(ax):
    assert plots.two_class_values([gini, twoing], points=11, ax=ax) is ax
    one, other = (line.get_ydata() for line in ax.lines)
    alone = plots.two_class_values(gini, points=11, ax=plt.figure().subplots())  # one is a list of one
    assert np.array_equal(alone.lines[0].get_ydata(), one)
    plt.close(alone.figure)
    p = np.linspace(0, 1, 11)
    assert one == pytest.approx(4 * p * (1 - p)) and other == pytest.approx(one)


def test_gini_cuts_ends_and_entropy_balances(ax):
    assert plots.smaller_sides([gini, entropy], classes=(3, 12), nodes=40, ax=ax) is ax
    (few_gini, many_gini), (few_entropy, many_entropy) = (line.get_ydata() for line in ax.lines)
    assert few_gini == few_entropy  # with three classes the best vertices coincide
    assert many_gini < 0.25 and many_entropy > 0.49


def test_the_landscape_shows_every_split_and_its_mirror_image(ax):
    p = [5, 4, 3, 2, 1]
    assert plots.landscape(p, [gini], ax=ax) is ax
    (points,) = ax.lines
    found = vertex_landscape(p, gini)
    assert len(points.get_xdata()) == 2 * len(found)
    assert sorted(points.get_xdata()) == pytest.approx(sorted(1 - points.get_xdata()))
    assert points.get_ydata().max() == 1
