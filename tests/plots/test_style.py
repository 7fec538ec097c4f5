"""Every public picture is fit for a paper: its size, its letters, its colours, and that it draws on its axes alone."""

import inspect
import re
from collections.abc import Callable
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cbook import is_math_text
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.text import Text

import splitcrit as sc
from foreign_names import NAMES, bad, categorical, halves, marked, rows
from reproductions.roots import root_choices
from scripts import script
from splitcrit import losses, plots
from splitcrit.audits import audit
from splitcrit.inference import InferenceTreeClassifier, significant_subtree
from splitcrit.plots.style import paper
from splitcrit.trees import ValidationCurve, plot_tree

OKABE_ITO = ("#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7")
PIXEL = 0.01  # inches
SPLITS = [[90, 10], [50, 50]], [[297, 3], [403, 297]]


def curves(name: str) -> dict[str, ValidationCurve]:
    accuracies = {name: 0.5, "ne(lam=0.5)": 0.6, "misclassification": 0.65}
    return {name: ValidationCurve((0.0, 0.5, 1.0), (0.5, 0.75, a), (3.0, 4.0, 5.0)) for name, a in accuracies.items()}


def lost(name: str) -> list[dict[str, Any]]:
    pairs = [(m, k, c) for m in ("one", name) for k in (3, 4) for c in (2, 4)]
    return [{"method": m, "classes": k, "categories": c, "loss": 0.05 * c / k} for m, k, c in pairs]


def shares(name: str) -> list[SimpleNamespace]:
    pairs = [(c, v) for c in ("a", name) for v in (2, 4)]
    return [SimpleNamespace(condition=v, chooser=c, share=v / 9, standard_error=0.02) for c, v in pairs]


PICTURES: dict[str, Callable[..., Any]] = {
    "best_split_regions": lambda **o: plots.best_split_regions(sc.entropy, resolution=30, **o),
    "landscape": lambda **o: plots.landscape([9, 5, 3, 2, 1], [sc.gini, sc.entropy], **o),
    "plot_losses": lambda **o: plots.plot_losses([losses.ramp, losses.hinge, losses.exponential], **o),
    "plot_null": lambda **o: plots.plot_null([[6, 2, 1], [3, 5, 1], [0, 2, 5]], **o),
    "plot_phases": lambda **o: plots.plot_phases(*SPLITS, sc.entropy, points=31, **o),
    "plot_scaling": lambda **o: plots.plot_scaling([sc.gini, sc.entropy], sc.symmetric(0.2), splits=20, **o),
    "plot_ternary": lambda **o: plots.plot_ternary(sc.gini, node=(5, 3, 2), resolution=30, **o),
    "smaller_sides": lambda **o: plots.smaller_sides([sc.gini, sc.entropy], classes=(2, 3, 5), nodes=5, **o),
    "two_class_values": lambda **o: plots.two_class_values([sc.gini, sc.entropy], points=21, **o),
}
NAMED: dict[str, Callable[..., Any]] = {  # pictures of what a user names
    "audited_features": lambda name, **o: plots.audited_features(audit(*halves(name), rows="held-out"), **o),
    "choice_shares": lambda name, **o: plots.choice_shares(shares(name), expected=0.5, **o),
    "plot_selection": lambda name, **o: plots.plot_selection(sc.SplitSelector().fit(*rows(name)[:2]), **o),
    "plot_critical_difference": lambda name, **o: plots.plot_critical_difference(
        {"gini": 1.25, "entropy": 2.0, name: 2.75}, 1.5, **o
    ),
    "plot_impurity": lambda name, **o: plots.plot_impurity(
        [marked(name), sc.entropy, sc.misclassification], splits=[[3, 1], [1, 3]], **o
    ),
    "plot_inference_tree": lambda name, **o: plots.plot_inference_tree(
        InferenceTreeClassifier(random_state=0).fit(*rows(name)[:2]), **o
    ),
    "plot_noise": lambda name, **o: plots.plot_noise(curves(name), **o),
    "plot_ranking": lambda name, **o: plots.plot_ranking(sc.rank_features(*rows(name)[:2]), **o),
    "plot_selection_bias": lambda name, **o: plots.plot_selection_bias(
        root_choices([marked(name), sc.sgini], (2, 5, 10), samples=20), **o
    ),
    "plot_significant_subtree": lambda name, **o: plots.plot_significant_subtree(
        significant_subtree(*halves(name)), **o
    ),
    "search_loss": lambda name, **o: plots.search_loss(lost(name), **o),
    "validation_curve": lambda name, **o: plots.validation_curve(curves(name)[name], **o),
}
PICTURES |= {kind: partial(draw, "a long name") for kind, draw in NAMED.items()}
each = pytest.mark.parametrize("name", PICTURES)


BORDERS: dict[str, Any] = {}  # what encloses all that is drawn


@cache
def alone(name: str) -> Any:
    """The axes of a picture that is drawn without axes, once for all tests, and the one figure that is open then."""
    plt.close("all")
    ax = PICTURES[name]()
    assert plt.get_fignums() == [ax.figure.number]
    ax.figure.canvas.draw()
    BORDERS[name] = ax.figure.get_tightbbox()
    plt.close("all")
    return ax


def test_every_public_picture_is_here() -> None:
    assert sorted(PICTURES) == sorted(plots.__all__)


@each
def test_it_draws_on_the_axes_that_are_given_alone_and_changes_no_settings(name: str) -> None:
    ax = inspect.signature(getattr(plots, name)).parameters["ax"]
    assert ax.kind is ax.KEYWORD_ONLY and ax.default is None
    figure, (mine, other) = plt.subplots(1, 2)
    size, before, settings = figure.get_size_inches().tolist(), len(other.get_children()), dict(matplotlib.rcParams)
    assert PICTURES[name](ax=mine) is mine and dict(matplotlib.rcParams) == settings
    assert mine.has_data() and not other.has_data() and len(other.get_children()) == before
    assert plt.get_fignums() == [figure.number] and figure.get_size_inches().tolist() == size
    plt.close("all")
    assert [line.get_xydata().tolist() for line in alone(name).lines] == [x.get_xydata().tolist() for x in mine.lines]
    assert dict(matplotlib.rcParams) == settings


def test_settings_go_back_after_an_error_and_those_of_a_backend_stay() -> None:
    @paper()
    def failing(*, ax: Any = None) -> Any:
        matplotlib.rcParams["interactive"] = True
        raise ValueError("no picture")

    before = dict(matplotlib.rcParams)
    try:
        with pytest.raises(ValueError, match="no picture"):
            failing()
        assert dict(matplotlib.rcParams) == before | {"interactive": True}
    finally:
        matplotlib.rcParams["interactive"] = before["interactive"]


@each
def test_without_axes_it_is_one_figure_of_a_paper_whose_words_stay_inside(name: str) -> None:
    figure = alone(name).figure
    wide, high = figure.get_size_inches()
    assert wide in (3.4, 7.0) and 1 < high <= 6
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    assert [text.get_text() for text in texts if not 8 <= text.get_fontsize() <= 9] == []
    box = BORDERS[name]
    assert box.x0 >= -PIXEL and box.y0 >= -PIXEL and box.x1 <= wide + PIXEL and box.y1 <= high + PIXEL


def inside(box: Any, points: np.ndarray) -> np.ndarray:
    """Which points lie in a box, its border included."""
    return ((points >= box.min) & (points <= box.max)).all(axis=1)


@each
def test_no_line_or_mark_is_under_the_legend(name: str) -> None:
    ax = alone(name)
    figure = ax.figure
    boxes = [legend.get_window_extent() for legend in [*figure.legends, ax.get_legend()] if legend]
    found = [to_pixels.transform(line.get_xydata()) for line in ax.lines if (to_pixels := line.get_transform())]
    ways = [np.linspace(0, 1, 200)[:, None, None] * np.diff(xy, axis=0) + xy[:-1] for xy in found if len(xy)]
    marks = [group.get_offset_transform().transform(group.get_offsets()) for group in ax.collections]
    points = np.concatenate([np.empty((0, 2)), *(way.reshape(-1, 2) for way in ways), *marks])
    points = points[inside(ax.bbox, points)]
    assert not any(inside(box, points).any() for box in boxes)


def test_the_legend_of_a_map_lies_beside_it() -> None:
    ax = alone("plot_phases")
    assert not ax.get_legend().get_window_extent().overlaps(ax.bbox.padded(-1))


@each
def test_its_colours_are_those_of_the_colour_blind_and_nothing_is_told_by_colour_alone(name: str) -> None:
    known = {to_rgb(colour) for colour in OKABE_ITO}
    drawn = {to_rgb(line.get_color()) for ax in alone(name).figure.axes for line in ax.lines}
    assert {rgb for rgb in drawn if rgb not in known and len(set(rgb)) > 1} == set()
    legend = alone(name).get_legend()
    for one, other in combinations(legend.get_lines() if legend else [], 2):
        looks = [(line.get_linestyle(), line.get_marker(), line.get_linewidth()) for line in (one, other)]
        assert looks[0] != looks[1] or one.get_color() == other.get_color()


# Names that the library did not choose.

TREES: dict[str, Callable[..., Any]] = {
    "plot_tree": lambda name, ax: plot_tree(halves(name)[0], class_names=[name, "d", "e"], fontsize=6, ax=ax),
    "plot_tree of categories": lambda name, ax: plot_tree(categorical(name), fontsize=6, ax=ax),
    "names of a grid": lambda name, ax: plots.validation_curve(
        ValidationCurve((name, "b"), (0.5, 0.6), (2.0, 3.0)), ax=ax
    ),
}


@pytest.mark.filterwarnings("ignore:Glyph")  # of signs that a font lacks
@pytest.mark.parametrize("kind", NAMED | TREES)
def test_no_picture_typesets_a_name(kind: str) -> None:
    for name in NAMES:
        figure = Figure(figsize=(2, 2), dpi=20)
        FigureCanvasAgg(figure)
        (NAMED | TREES)[kind](name, ax=figure.subplots())
        figure.draw_without_rendering()
        texts = [text.get_text() for text in figure.findobj(Text)]
        assert any(texts)
        for text in texts:
            told = is_math_text(text) or bad(text) or len(text) >= 800
            assert not told, (kind, text[:200])


# The gallery: the code of every picture runs, and the pictures of the page are there and small.

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "pictures.md").read_text()

make = script("make", DOCS / "figures")


def test_every_block_and_every_picture_belong_together() -> None:
    blocks = make.blocks()
    gallery = re.findall(r"\(figures/(\w+)\.png\)", PAGE)
    assert len(gallery) == PAGE.count("```python") == PAGE.count("![") >= 11
    others = [name for name in blocks if name not in gallery]
    assert list(blocks) == [*gallery, *others] and others == re.findall(r"^# %% (\w+)$", make.CELLS.read_text(), re.M)
    shown = {name for page in DOCS.glob("*.md") for name in re.findall(r"\(figures/(\w+)\.png\)", page.read_text())}
    assert {*others} <= shown


def test_every_function_called_plot_has_its_picture() -> None:
    assert [name for name in plots.__all__ if name.startswith("plot_") and f"{name}(" not in PAGE] == []


@pytest.mark.parametrize("name", make.blocks())
def test_pictures_are_there_and_small(name: str) -> None:
    held = (DOCS / "figures" / f"{name}.png").read_bytes()
    assert held.startswith(b"\x89PNG") and len(held) < 80_000


SLOW = ("noise", "chance_of_gains")  # pictures of many forests, or many laws


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n in SLOW)) for n in make.blocks()])
def test_the_code_of_a_picture_draws(name: str) -> None:
    figure = make.drawn(name, make.blocks()[name])
    for ax in figure.axes[: 1 if name == "ranks" else None]:
        assert ax.has_data() or ax.get_images()
    assert len(plt.get_fignums()) <= 1  # none where the figure is not pyplot's


def test_a_picture_is_the_same_when_it_is_drawn_again(tmp_path: Path) -> None:
    for name in "ab":
        make.small(make.drawn("losses", make.blocks()["losses"]), tmp_path / f"{name}.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_grey_picture_has_no_colour(tmp_path: Path) -> None:
    make.grey(make.drawn("losses", make.blocks()["losses"]), tmp_path / "grey" / "losses.png")
    image = imread(tmp_path / "grey" / "losses.png")
    assert (image[..., 0] == image[..., 1]).all() and (image[..., 1] == image[..., 2]).all() and image.min() < 0.2


@pytest.mark.slow
def test_what_is_said_of_pruning_and_noise_is_drawn() -> None:
    """The lines of the accuracies, at 0 to 4 wrong labels in ten."""
    said = "With one or two wrong labels in ten pruning is ahead; with four misclassification is"
    assert said in " ".join(PAGE.split())
    left = make.drawn("noise", make.blocks()["noise"]).axes[0]
    lines = {line.get_label(): line.get_ydata() for line in left.lines if not line.get_label().startswith("_")}
    best = [max(lines, key=lambda name: lines[name][i]) for i in range(5)]
    assert len(lines) == 4 and best[1] == best[2] == "scikit-learn, pruned" and best[4] == "misclassification"
