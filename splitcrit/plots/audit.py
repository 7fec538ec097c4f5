"""Pictures of what an audit found of the features.

Main definitions: ``audited_features``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import whole
from splitcrit.plots.style import ABOVE, axes, look, of_result, paper, plot_label


@paper()
def audited_features(report: Any, *, most: int = 20, ax: Any = None) -> Any:
    """Draw the importances of the features of an audit: those shown on top, in bold, then by gain above chance.

    The recorded gain (MDI) is drawn where it has the units of the others: where there is UFI.

    Parameters
    ----------
    report : AuditReport
    most : int
        How many features are drawn at most.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    rule, remedy = "a picture of an audit takes its report", "pass what splitcrit.audits.audit returned"
    of_result(report, "AuditReport", rule, remedy)
    found, order = report.importances, report.order[: whole(most, "most", 1)]
    kinds = {f"gain - chance, {report.rows}": found.net}
    if found.ufi is not None:
        kinds |= {"MDI, as recorded": found.mdi, "UFI": found.ufi, "MDI-oob": found.mdi_oob}
    ax = axes(ax)
    ax.axvline(0, color="grey", linewidth=1)
    for i, (label, scores) in enumerate(kinds.items()):
        heights = np.arange(len(order)) + 0.12 * (i - (len(kinds) - 1) / 2)
        ax.plot(scores[order], heights, label=label, **look(i, marked=True) | {"linestyle": ""})
    ax.set_yticks(range(len(order)), [plot_label(report.features[f]) for f in order])
    for text, feature in zip(ax.get_yticklabels(), order, strict=True):
        text.set_fontweight("bold" if report.features_passed[feature] else "normal")
    ax.invert_yaxis()
    ax.set(xlabel="importance" + " (bold: shown)" * bool(report.features_passed.any()))
    ax.legend(ncols=2, columnspacing=1, **ABOVE | {"loc": "lower right", "bbox_to_anchor": (1, 1)})  # not on marks
    return ax
