"""Tests of splits at controlled error rates: single nodes, selected columns, trees of tested splits.

Main definitions: ``split_test``, the test of one node (a ``SplitTest``, with a ``FeatureTest`` a feature);
``SplitSelector`` and ``selected_score``, which select columns; ``InferenceTreeClassifier`` and
``InferenceTreeRegressor``, trees that keep the splits found real by a test on the rows that grew them (a ``NodeTest``
for each); ``HonestTreeClassifier``, ``HonestTreeRegressor`` (``Stability``) and ``significant_subtree`` (a
``SignificantSubtree``), trees tested on other rows; ``treatment_test``, a ``TreatmentTest`` of who
benefits from a treatment; ``AnytimeTreeClassifier``, a tree on streams; ``kaplan_meier`` (a ``SurvivalCurve``);
``optimality_gaps``, how far a fitted tree is from the best of depth 2 (``OptimalityGaps``, with a ``NodeGap`` for each
node).
"""

from typing import TYPE_CHECKING

from splitcrit.lazy import on_first_use

if TYPE_CHECKING:
    from splitcrit.inference.depth_two_gaps import NodeGap, OptimalityGaps, optimality_gaps
    from splitcrit.inference.honest import HonestTreeClassifier, HonestTreeRegressor, Stability
    from splitcrit.inference.node_test import split_test
    from splitcrit.inference.selection import SplitSelector, selected_score
    from splitcrit.inference.selective import NodeTest
    from splitcrit.inference.significant_part import SignificantSubtree, significant_subtree
    from splitcrit.inference.split_results import FeatureTest, SplitTest
    from splitcrit.inference.streams import AnytimeTreeClassifier
    from splitcrit.inference.survival import SurvivalCurve, kaplan_meier
    from splitcrit.inference.tested_trees import InferenceTreeClassifier, InferenceTreeRegressor
    from splitcrit.inference.treatments import TreatmentTest, treatment_test

__all__ = [
    "AnytimeTreeClassifier", "HonestTreeClassifier", "HonestTreeRegressor", "InferenceTreeClassifier",
    "InferenceTreeRegressor", "SplitSelector", "kaplan_meier", "optimality_gaps", "selected_score",
    "significant_subtree", "split_test", "treatment_test",
]  # fmt: skip

__getattr__ = on_first_use(__name__)  # a test of one node grows no tree
