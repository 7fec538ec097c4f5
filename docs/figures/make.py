"""Draw the pictures of the pages: ``python docs/figures/make.py [NAME ...]``.

The code of a picture stands above it in docs/pictures.md, or in a cell of of_pages.py.

``--grey FOLDER`` writes the same pictures without colour into a folder, to see whether they are still read.

Main definitions: ``blocks``, ``drawn``, ``main``.
"""

from __future__ import annotations

import argparse
import io
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PAGE, CELLS = HERE.parent / "pictures.md", HERE / "of_pages.py"
BLOCK = re.compile(r"```python\n(?P<code>.*?)```\n\n!\[(?P<alt>[^\]]+)\]\(figures/(?P<name>\w+)\.png\)", re.S)
CELL = re.compile(r"^# %% (?P<name>\w+)\n(?P<code>.*?)(?=^# %% |\Z)", re.M | re.S)
RESOLUTION, WIDEST = 200, 950  # dots an inch, as far as a picture is no wider than so many dots
COLOURS = 128


def blocks() -> dict[str, str]:
    """The code of each picture, by the name of its file."""
    pages = (BLOCK, PAGE), (CELL, CELLS)
    return {m["name"]: m["code"] for form, page in pages for m in form.finditer(page.read_text(encoding="utf-8"))}


def drawn(name: str, code: str) -> Any:
    """Run the code of a picture and return its figure."""
    namespace: dict[str, Any] = {"__name__": name}
    exec(compile(code, f"picture {name}", "exec"), namespace)
    return namespace["ax"].figure if "ax" in namespace else namespace["figure"]


def main() -> None:
    """Write every picture, or those that are named."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(blocks()))
    parser.add_argument("--grey", type=Path, metavar="FOLDER", help="write pictures without colour there instead")
    given = parser.parse_args()
    for name, code in blocks().items():
        if given.names and name not in given.names:
            continue
        figure, path = drawn(name, code), HERE / f"{name}.png"
        if given.grey is None:
            small(figure, path)
            print(f"{path.relative_to(HERE.parents[1])}  {path.stat().st_size // 1024} kB")
        else:
            grey(figure, given.grey / f"{name}.png")
        plt.close("all")


def resolution(figure: Any) -> float:
    """The dots per inch of a figure on the page.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> resolution(Figure(figsize=(3.4, 2.6))), resolution(Figure(figsize=(9.5, 4)))
    (200, 100.0)
    """
    return min(RESOLUTION, WIDEST / figure.get_figwidth())


def small(figure: Any, path: Path) -> None:
    """Write a figure with a palette of its own colours, which is a third of the size."""
    from PIL import Image

    held = io.BytesIO()
    figure.savefig(held, dpi=resolution(figure))
    Image.open(held).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def grey(figure: Any, path: Path) -> None:
    """Write a figure as brightness alone, with the weights of Rec. 709."""
    import numpy as np
    from matplotlib.image import imsave

    path.parent.mkdir(parents=True, exist_ok=True)
    figure.set_dpi(resolution(figure))
    figure.canvas.draw()
    colours = np.asarray(figure.canvas.buffer_rgba())[..., :3] / 255
    imsave(path, colours @ [0.2126, 0.7152, 0.0722], cmap="gray", vmin=0, vmax=1)


if __name__ == "__main__":
    main()
