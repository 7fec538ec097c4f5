"""The null distribution of the Gini gain of a table, beside the gain that was observed.

Main definitions: ``plot_null``.
Source: wang2024, Section 3.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from splitcrit.arguments import whole
from splitcrit.data.crossing import Missing
from splitcrit.nulls import NullMoments, gini_gain, gini_null, gini_pvalue
from splitcrit.nulls.distribution import NullDistribution, null_distribution
from splitcrit.plots.style import ABOVE, COLOURS, MOST, axes, paper
from splitcrit.table import Table

SAMPLES = 9999  # random tables, unless the user asks for another number
WIDE = 6  # standard deviations above the mean that are shown, more if the observed gain is farther


@paper()
def plot_null(
    table: Any, label: Any = None, *, samples: int | None = None, rng: Any = 0, bins: int | None = None, ax: Any = None,
    missing: Missing = "error",
) -> Any:  # fmt: skip
    """Draw how the Gini gain is distributed if the labels of a table are in random order, and the gain observed.

    Bars are the law as a density, exact or of random tables. A curve is the Pearson III law with the exact mean,
    variance and skewness. The mean, one standard deviation on both sides of it, and the observed gain are marked.

    Parameters
    ----------
    table
        Integer counts ``(r, k)``, or a `Table`.
    label
        With it, the first argument is a feature, and both are vectors; see `Table.of`.
    samples : int, optional
        How many random tables to draw; 0 asks for the exact law. By default it is exact where that is quick, and of
        9999 tables elsewhere.
    rng
        What ``numpy.random.default_rng`` takes.
    bins : int, optional
        The number of bars; by default a third of the number of values shown, from 6 to 40.
    ax : matplotlib axes, optional
    missing
        ``"row"`` gives missing feature values a last row; ``"error"`` refuses them.

    Returns
    -------
    matplotlib axes
        With the p-value of the observed gain in the legend.

    Raises
    ------
    ValueError
        If the counts are not those of one table with observations, or the exact law is too large.

    Notes
    -----
    The p-value in the legend is exact where the law is; beside random tables it is that of the Pearson III law.

    References
    ----------
    wang2024, eqs. (12), (21)-(26) and (28).

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = plot_null([[3, 0, 1], [0, 4, 1]], ax=Figure().subplots())
    >>> [text.get_text() for text in ax.get_legend().get_texts()][-1]
    'observed, p = 0.0238'
    """
    whole(1 if bins is None else bins, "bins", 1, MOST)
    table = Table.of(table, label, missing=missing)
    law = _law(table, samples, rng)
    moments = gini_null(table.row_totals, table.column_totals, order=3)
    seen, sd = gini_gain(table), sqrt(moments.variance)
    reach = 1.05 * max(seen, min(law.gain.max(), moments.mean + WIDE * sd)) or 1.0
    ax = axes(ax)
    number = min(max(int((law.gain <= reach).sum()) // 3, 6), 40) if bins is None else bins
    words = "all tables" if law.method == "exact" else f"{samples or SAMPLES} random tables"
    heights, *_ = ax.hist(
        law.gain, bins=number, range=(0, reach), weights=law.probability * number / reach, label=words, color="0.85",
        edgecolor="0.6", linewidth=0.6,
    )  # fmt: skip
    if sd > 0:
        _curve(ax, moments, np.linspace(0, reach, 400))
    p = gini_pvalue(table, method="exact" if law.method == "exact" else "pearson3")
    ax.axvline(seen, color=COLOURS[2], linewidth=2.5, label=f"observed, p = {float(p):.3g}")
    ax.set(xlabel="Gini gain", ylabel="density", xlim=(0, reach), ylim=(0, 1.15 * heights.max()))
    ax.legend(ncols=2, **ABOVE)  # inside it would lie on the line
    return ax


def _law(table: Table, samples: int | None, rng: Any) -> NullDistribution:
    """The law that is drawn: exact, of random tables, or of those where the exact one takes long."""
    if samples is None:
        return null_distribution(table, samples=SAMPLES, rng=rng)
    whole(samples, "samples", 0, MOST)
    if samples == 0:
        return null_distribution(table, method="exact")
    return null_distribution(table, method="monte_carlo", samples=samples, rng=rng)


def _curve(ax: Any, law: NullMoments, gains: Any) -> None:
    """Draw mean, standard deviation and the density of the Pearson III law."""
    from scipy.stats import pearson3

    sd = sqrt(law.variance)
    ax.axvline(law.mean, color=COLOURS[1], linestyle="--", label=f"mean {law.mean:.3g}")
    band = {"color": COLOURS[1], "alpha": 0.15, "linewidth": 0}
    ax.axvspan(law.mean - sd, law.mean + sd, label=f"sd {sd:.3g}", **band)
    ax.plot(gains, pearson3.pdf(gains, law.skewness, law.mean, sd), color=COLOURS[0], label="Pearson III")
