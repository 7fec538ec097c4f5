"""Where in the plane of both noise rates one split is better than another.

Main definitions: ``plot_phases``.
Source: ghosh2017, Remark 4.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from splitcrit.plots.style import ABOVE, COLUMN, axes, paper, plot_label
from splitcrit.robustness import phase_diagram

# of the order: light, middle and dark, told apart in grey; the order flipped is also hatched
SHADES = {"kept": "#F2F2F2", "tied": "#E69F00", "flipped": "#0072B2"}


@paper(COLUMN, 3.4)
def plot_phases(
    first: Any, second: Any, criterion: Any, *, points: int = 201, flips: Iterable[tuple[Any, Any]] = (), ax: Any = None
) -> Any:
    """Draw where class-conditional noise keeps, ties or flips the order of two splits in expectation.

    Symmetric noise is the dotted diagonal. Labels say nothing of the classes on the line ``tau_pos + tau_neg = 1``.

    Parameters
    ----------
    first, second : arrays (2, 2)
        Two splits, as for ``phase_diagram``.
    criterion : Criterion or Impurity
    points : int
        Rates a side.
    flips : pairs of numbers
        Intervals of symmetric rates that hold a flip, as ``splitcrit.proof.enclosed_flips`` returns; marked on the
        diagonal.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    plane = phase_diagram(first, second, criterion, points=points)
    ax = axes(ax)
    codes = plane.order * (plane.clean or 1)
    colours = ListedColormap([SHADES["flipped"], SHADES["tied"], SHADES["kept"]])
    ax.pcolormesh(
        plane.tau_pos, plane.tau_neg, codes, cmap=colours, vmin=-1, vmax=1, shading="nearest", rasterized=True
    )
    if (codes == -1).any():
        ax.contourf(plane.tau_pos, plane.tau_neg, codes, [-1.5, -0.5], colors="none", hatches=["///"])
    ax.plot([0, 1], [1, 0], color="black", linewidth=1, gid="nothing")
    ax.plot([0, 0.5], [0, 0.5], color="black", linewidth=1, linestyle=":", gid="symmetric")
    middles = [float(low + high) / 2 for low, high in flips]
    ax.plot(middles, middles, "o", color="black", markerfacecolor="white", gid="flips")
    names = ("kept", "tied", "flipped") if plane.clean else ("first better", "tied", "second better")
    seen = [Patch(facecolor=SHADES[shade], edgecolor="black", hatch="///" if code < 0 else None, label=name)
            for code, shade, name in zip((1, 0, -1), SHADES, names, strict=True) if (codes == code).any()]  # fmt: skip
    ax.legend(handles=seen, ncols=3, columnspacing=1, **ABOVE)
    ax.set_title(plot_label(plane.criterion), pad=ax.xaxis.label.get_size() + 16)
    ax.set(xlabel="tau_pos", ylabel="tau_neg", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    return ax
