"""Plots of results; matplotlib is loaded on first use.

Every function takes ``ax=``, draws on it (on a new one if it is None) and returns it. Colours are those of Okabe and
Ito, chosen to differ in grey as well; lines differ in style and width, so that one behind another still shows.

Main definitions, of two classes: ``plot_impurity``, ``plot_losses`` (``curves``); of three: ``plot_ternary``
(``ternary``); noise: ``plot_scaling`` (``scaling``), ``plot_noise``, ``validation_curve`` (``noise``), ``plot_phases``
(``phases``); chance: ``plot_null`` (``null``), ``plot_selection_bias``, ``choice_shares`` (``bias``), ``search_loss``
(``categories``), ``plot_inference_tree``, ``plot_significant_subtree`` (``inference_tree``); columns: ``plot_ranking``,
``plot_selection``, ``audited_features`` (``ranking``); best vertices: ``best_split_regions``, ``two_class_values``,
``smaller_sides``, ``landscape`` (``vertices``); ranks: ``plot_critical_difference``, ``indistinct_groups`` (``ranks``).
"""

from splitcrit.plots.bias import choice_shares, plot_selection_bias
from splitcrit.plots.categories import search_loss
from splitcrit.plots.curves import plot_impurity, plot_losses
from splitcrit.plots.inference_tree import plot_inference_tree, plot_significant_subtree
from splitcrit.plots.noise import plot_noise, validation_curve
from splitcrit.plots.null import plot_null
from splitcrit.plots.phases import plot_phases
from splitcrit.plots.ranking import audited_features, plot_ranking, plot_selection
from splitcrit.plots.ranks import indistinct_groups, plot_critical_difference
from splitcrit.plots.scaling import plot_scaling
from splitcrit.plots.ternary import plot_ternary
from splitcrit.plots.vertices import best_split_regions, landscape, smaller_sides, two_class_values

__all__ = [
    "audited_features", "best_split_regions", "choice_shares", "landscape", "plot_critical_difference", "plot_impurity",
    "plot_inference_tree", "plot_losses", "plot_noise", "plot_null", "plot_phases", "plot_ranking", "plot_scaling",
    "plot_selection", "plot_selection_bias", "plot_significant_subtree", "plot_ternary", "search_loss", "smaller_sides",
    "two_class_values", "validation_curve",
]  # fmt: skip
