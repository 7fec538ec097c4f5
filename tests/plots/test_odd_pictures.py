"""Odd arguments of the pictures: one sentence, and no picture of nonsense."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="pictures need matplotlib").use("agg")

from splitcrit import gini, sgini  # noqa: E402
from splitcrit import plots as pictures  # noqa: E402
from splitcrit.losses import square  # noqa: E402

NO_COUNT = [None, np.nan, np.inf, -1, 0, 2.5, "a", True, 1j, [], {}, [np.nan]]
NO_LENGTH = [None, np.nan, np.inf, -1, 0, "a", True, 1j, [], {}, [np.nan]]
NO_LIST = [None, np.nan, 2.5, -1, "a", True, 1j, [], {}, [np.nan], [0], [[2, 3], [4]], [2.5]]
NO_CRITERIA = [None, np.nan, -1, 0, "a", True, 1j, [], {}, [np.nan], [gini, "a"]]
NO_RANKS = [None, 3, "a", [], {}, {"a": 1.0}, {"a": "b", "c": 1.0}, {"a": np.nan, "b": 1.0}, {"a": 1j, "b": 2.0}]
RANKS = {"a": 1.0, "b": 2.0}

CASES: dict[str, tuple[Callable[[Any], Any], list[Any]]] = {
    "plot_losses: points": (lambda v: pictures.plot_losses([square], points=v), NO_COUNT),
    "plot_losses: reach": (lambda v: pictures.plot_losses([square], reach=v), NO_LENGTH),
    "plot_losses: top": (lambda v: pictures.plot_losses([square], top=v), NO_LENGTH),
    "plot_selection_bias: values": (lambda v: pictures.plot_selection_bias([sgini], values=v, samples=5), NO_LIST),
    "plot_selection_bias: samples": (lambda v: pictures.plot_selection_bias([sgini], (2, 3), samples=v), NO_COUNT),
    "best_split_regions": (lambda v: pictures.best_split_regions(gini, resolution=v), NO_COUNT),
    "two_class_values: criteria": (pictures.two_class_values, NO_CRITERIA),
    "two_class_values: points": (lambda v: pictures.two_class_values([gini], points=v), NO_COUNT),
    "smaller_sides: criteria": (pictures.smaller_sides, NO_CRITERIA),
    "smaller_sides: classes": (lambda v: pictures.smaller_sides([gini], classes=v, nodes=2), NO_LIST),
    "smaller_sides: nodes": (lambda v: pictures.smaller_sides([gini], classes=(2, 3), nodes=v), NO_COUNT),
    "landscape": (lambda v: pictures.landscape([0.2, 0.3, 0.5], v), NO_CRITERIA),
    "validation_curve": (pictures.validation_curve, NO_COUNT),
    "indistinct_groups: ranks": (lambda v: pictures.indistinct_groups(v, 1.0), NO_RANKS),
    "indistinct_groups: distance": (lambda v: pictures.indistinct_groups(RANKS, v), [None, "a", -1, 0, np.nan, 1j, []]),
    "plot_critical_difference": (lambda v: pictures.plot_critical_difference(v, 1.0), NO_RANKS),
}


@pytest.mark.parametrize("case", CASES)
def test_odd_arguments_are_named_in_one_sentence(case: str) -> None:
    import matplotlib.pyplot as plt

    (draw, values), before = CASES[case], plt.get_fignums()
    for value in values:
        with pytest.raises((ValueError, TypeError), match=r"^[^;]+; got .+; [^;]+$"):
            draw(value)
    assert plt.get_fignums() == before, "nothing is drawn"


def test_a_single_criterion_is_a_list_of_one() -> None:
    from matplotlib.figure import Figure

    axes = Figure().subplots(1, 2)
    one, same = (pictures.two_class_values(c, ax=ax) for c, ax in zip((gini, [gini]), axes, strict=True))
    assert np.array_equal(one.lines[0].get_ydata(), same.lines[0].get_ydata())


def test_a_row_of_a_split_may_hold_one_observation() -> None:
    ax = pictures.plot_impurity(gini, splits=[[1, 0], [1, 3]])
    assert "gain" in [text.get_text() for text in ax.get_legend().get_texts()][-1]
