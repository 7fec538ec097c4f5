"""The gallery: the code of every picture runs, and the pictures of the page are there and small."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts import script

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
    from splitcrit import plots

    assert [name for name in plots.__all__ if name.startswith("plot_") and f"{name}(" not in PAGE] == []


@pytest.mark.parametrize("name", make.blocks())
def test_pictures_are_there_and_small(name: str) -> None:
    held = (DOCS / "figures" / f"{name}.png").read_bytes()
    assert held.startswith(b"\x89PNG") and len(held) < 80_000


SLOW = ("noise", "chance_of_gains")  # pictures of many forests, or many laws


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n in SLOW)) for n in make.blocks()])
def test_the_code_of_a_picture_draws(name: str) -> None:
    import matplotlib.pyplot as plt

    plt.close("all")  # what another test left open
    try:
        figure = make.drawn(name, make.blocks()[name])
        for ax in figure.axes[: 1 if name == "ranks" else None]:
            assert ax.has_data() or ax.get_images()
        assert len(plt.get_fignums()) <= 1  # none where the figure is not pyplot's
    finally:
        plt.close("all")


def test_a_picture_is_the_same_when_it_is_drawn_again(tmp_path: Path) -> None:
    import matplotlib.pyplot as plt

    for name in "ab":
        make.small(make.drawn("losses", make.blocks()["losses"]), tmp_path / f"{name}.png")
        plt.close("all")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_grey_picture_has_no_colour(tmp_path: Path) -> None:
    import matplotlib.pyplot as plt
    from matplotlib.image import imread

    make.grey(make.drawn("losses", make.blocks()["losses"]), tmp_path / "grey" / "losses.png")
    plt.close("all")
    image = imread(tmp_path / "grey" / "losses.png")
    assert (image[..., 0] == image[..., 1]).all() and (image[..., 1] == image[..., 2]).all() and image.min() < 0.2


@pytest.mark.slow
def test_what_is_said_of_pruning_and_noise_is_drawn() -> None:
    """The lines of the accuracies, at 0 to 4 wrong labels in ten."""
    import matplotlib.pyplot as plt

    assert "With one or two wrong labels in ten pruning is ahead; with four misclassification is" in " ".join(
        PAGE.split()
    )
    left = make.drawn("noise", make.blocks()["noise"]).axes[0]
    plt.close("all")
    lines = {line.get_label(): line.get_ydata() for line in left.lines if not line.get_label().startswith("_")}
    best = [max(lines, key=lambda name: lines[name][i]) for i in range(5)]
    assert len(lines) == 4 and best[1] == best[2] == "scikit-learn, pruned" and best[4] == "misclassification"
