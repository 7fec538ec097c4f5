"""Which splits of a tree are real, with error rates that hold: tests of nodes, trees of tested splits, audits.

Main definitions: ``split_test``, the test of one node (a ``SplitTest``, with a ``FeatureTest`` a feature);
``HonestTreeClassifier`` and ``HonestTreeRegressor``, ``significant_subtree`` and its ``SignificantSubtree``.
"""

from typing import TYPE_CHECKING, Any

from splitcrit.values import on_first_use

if TYPE_CHECKING:
    from splitcrit.inference.divisions import Stability
    from splitcrit.inference.honest import HonestTreeClassifier, HonestTreeRegressor
    from splitcrit.inference.nodes import FeatureTest, SplitTest, split_test
    from splitcrit.inference.significant import SignificantSubtree, significant_subtree
    from splitcrit.inference.trees import InferenceTreeClassifier, InferenceTreeRegressor

__all__ = [
    "FeatureTest", "HonestTreeClassifier", "HonestTreeRegressor", "InferenceTreeClassifier",
    "InferenceTreeRegressor", "SignificantSubtree", "SplitTest", "Stability", "significant_subtree", "split_test",
]  # fmt: skip

_HOMES: dict[str, tuple[str, ...]] = {
    "divisions": ("Stability",),
    "honest": ("HonestTreeClassifier", "HonestTreeRegressor"),
    "nodes": ("FeatureTest", "SplitTest", "split_test"),
    "significant": ("SignificantSubtree", "significant_subtree"),
    "trees": ("InferenceTreeClassifier", "InferenceTreeRegressor"),
}


def __getattr__(name: str) -> Any:
    """Import the module of a name on first use: a test of one node needs no reader of forests."""
    return on_first_use(globals(), name, _HOMES)
