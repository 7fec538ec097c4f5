"""Which splits of a tree are real, with error rates that hold: tests of nodes, trees of tested splits, audits.

Main definitions: ``split_test``, the test of one node (a ``SplitTest``, with a ``FeatureTest`` a feature);
``InferenceTreeClassifier`` and ``InferenceTreeRegressor``, trees that keep the splits that a test of the rows that grew
them finds real (a ``NodeTest`` for each); ``HonestTreeClassifier``, ``HonestTreeRegressor`` (``Stability``) and
``significant_subtree`` (a ``SignificantSubtree``), trees tested on other rows; ``audit`` (an ``AuditReport``) of any
fitted trees, with ``from_lightgbm`` and ``from_xgboost`` for files.
"""

from typing import TYPE_CHECKING, Any

from splitcrit.frozen import on_first_use

if TYPE_CHECKING:
    from splitcrit.inference.auditing import audit
    from splitcrit.inference.honest import HonestTreeClassifier, HonestTreeRegressor, Stability
    from splitcrit.inference.lightgbm_models import from_lightgbm
    from splitcrit.inference.node_test import split_test
    from splitcrit.inference.reports import AuditReport
    from splitcrit.inference.selective import NodeTest
    from splitcrit.inference.significant_part import SignificantSubtree, significant_subtree
    from splitcrit.inference.split_results import FeatureTest, SplitTest
    from splitcrit.inference.tested_trees import InferenceTreeClassifier, InferenceTreeRegressor
    from splitcrit.inference.xgboost_models import from_xgboost

__all__ = [
    "AuditReport", "FeatureTest", "HonestTreeClassifier", "HonestTreeRegressor", "InferenceTreeClassifier",
    "InferenceTreeRegressor", "NodeTest", "SignificantSubtree", "SplitTest", "Stability", "audit", "from_lightgbm",
    "from_xgboost", "significant_subtree", "split_test",
]  # fmt: skip

_HOMES: dict[str, tuple[str, ...]] = {
    "auditing": ("audit",),
    "honest": ("HonestTreeClassifier", "HonestTreeRegressor", "Stability"),
    "lightgbm_models": ("from_lightgbm",),
    "node_test": ("split_test",),
    "reports": ("AuditReport",),
    "selective": ("NodeTest",),
    "significant_part": ("SignificantSubtree", "significant_subtree"),
    "split_results": ("FeatureTest", "SplitTest"),
    "tested_trees": ("InferenceTreeClassifier", "InferenceTreeRegressor"),
    "tree_arrays": ("Structure",),
    "xgboost_models": ("from_xgboost",),
}


def __getattr__(name: str) -> Any:
    """Import the module of a name on first use: a test of one node needs no reader of forests."""
    return on_first_use(globals(), name, _HOMES)
