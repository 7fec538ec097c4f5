"""The pictures of docs/vertices.md: writes docs/figures/vertices_*.png."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from splitcrit import entropy, gini, matushita, misclassification, ne, plots, sqrt_gini, twoing

FIGURES = Path(__file__).parents[2] / "docs" / "figures"


def saved(name: str) -> None:
    """Write the current figure and close it."""
    plt.savefig(FIGURES / f"vertices_{name}.png", dpi=120)
    plt.close()


def main() -> None:
    plt.switch_backend("agg")
    FIGURES.mkdir(exist_ok=True)
    figure, panels = plt.subplots(2, 3, figsize=(9, 6), layout="constrained")
    figure.suptitle("Three classes: which one the best split isolates")
    shown = (gini, entropy, twoing, misclassification, matushita, ne(0.5))
    for criterion, ax in zip(shown, panels.flat, strict=True):
        plots.best_split_regions(criterion, ax=ax)
    saved("regions")
    _, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    plots.two_class_values([gini, entropy, twoing, misclassification, sqrt_gini], ax=left)
    plots.smaller_sides([gini, entropy, twoing], ax=right)
    left.set_title("Two classes: what the split is worth")
    right.set_title("More classes: how even its sides are")
    saved("sides")
    weights = np.random.default_rng(0).random(10)
    ax = plt.figure(figsize=(6.5, 4.2), layout="constrained").gca()
    plots.landscape(weights / weights.sum(), [gini, entropy], ax=ax)
    ax.set_title("All 1022 splits of a node of ten classes that divide none")
    saved("landscape")


if __name__ == "__main__":
    main()
