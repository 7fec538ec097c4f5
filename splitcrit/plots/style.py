"""What pictures share: axes, and colours that are told apart by the colour-blind and in grey.

Main definitions: ``axes``, ``COLOURS``, ``LINES``, ``MARKERS``, ``WIDTHS``.
"""

from __future__ import annotations

from typing import Any

COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7")
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1, 1, 1)), (0, (1, 1)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
WIDTHS = (4.0, 3.0, 2.2, 1.8, 1.5, 1.3, 1.1)


def axes(ax: Any) -> Any:
    """Return the axes given, or new ones."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]
