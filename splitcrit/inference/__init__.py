"""Tests of splits at controlled error rates: single nodes, trees of tested splits, audits of fitted models.

Main definitions: ``split_test``, the test of one node (a ``SplitTest``, with a ``FeatureTest`` a feature);
``InferenceTreeClassifier`` and ``InferenceTreeRegressor``, trees that keep the splits that a test of the rows that grew
them finds real (a ``NodeTest`` for each); ``HonestTreeClassifier``, ``HonestTreeRegressor`` (``Stability``) and
``significant_subtree`` (a ``SignificantSubtree``), trees tested on other rows; ``audit`` (an ``AuditReport``) of any
fitted trees, with ``from_lightgbm`` and ``from_xgboost`` for files; ``category_gains`` (a ``CategoryGain`` each), what
the categorical splits of boosted models gain beside chance; ``log_rank``, ``ranks``, ``outputs`` and ``ordinal``, the
scores of other responses, and ``kaplan_meier`` (a ``SurvivalCurve``).
"""

from typing import TYPE_CHECKING, Any

from splitcrit.frozen import on_first_use

if TYPE_CHECKING:
    from splitcrit.inference.auditing import audit
    from splitcrit.inference.boosted_categories import CategoryGain, category_gains
    from splitcrit.inference.honest import HonestTreeClassifier, HonestTreeRegressor, Stability
    from splitcrit.inference.lightgbm_models import from_lightgbm
    from splitcrit.inference.node_test import split_test
    from splitcrit.inference.reports import AuditReport
    from splitcrit.inference.response_scores import SurvivalCurve, kaplan_meier, log_rank, ordinal, outputs, ranks
    from splitcrit.inference.selective import NodeTest
    from splitcrit.inference.significant_part import SignificantSubtree, significant_subtree
    from splitcrit.inference.split_results import FeatureTest, SplitTest
    from splitcrit.inference.tested_trees import InferenceTreeClassifier, InferenceTreeRegressor
    from splitcrit.inference.xgboost_models import from_xgboost

__all__ = [
    "AuditReport", "CategoryGain", "FeatureTest", "HonestTreeClassifier", "HonestTreeRegressor",
    "InferenceTreeClassifier", "InferenceTreeRegressor", "NodeTest", "SignificantSubtree", "SplitTest", "Stability",
    "SurvivalCurve", "audit", "category_gains", "from_lightgbm", "from_xgboost", "kaplan_meier", "log_rank", "ordinal",
    "outputs", "ranks", "significant_subtree", "split_test",
]  # fmt: skip

_HOMES: dict[str, tuple[str, ...]] = {
    "auditing": ("audit",), "reports": ("AuditReport",), "boosted_categories": ("CategoryGain", "category_gains"),
    "honest": ("HonestTreeClassifier", "HonestTreeRegressor", "Stability"),
    "lightgbm_models": ("from_lightgbm",), "xgboost_models": ("from_xgboost",), "tree_arrays": ("Structure",),
    "node_test": ("split_test",), "split_results": ("FeatureTest", "SplitTest"), "selective": ("NodeTest",),
    "response_scores": ("SurvivalCurve", "kaplan_meier", "log_rank", "ordinal", "outputs", "ranks"),
    "significant_part": ("SignificantSubtree", "significant_subtree"),
    "tested_trees": ("InferenceTreeClassifier", "InferenceTreeRegressor"),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import the module of a name on first use: a test of one node needs no reader of forests."""
    return on_first_use(globals(), name, _HOMES)
