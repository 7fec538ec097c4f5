"""Which splits of a tree are real, with error rates that hold: tests of nodes, trees of tested splits, audits.

Main definitions: ``InferenceTreeClassifier`` and ``InferenceTreeRegressor``, trees that keep the splits that a test
finds real, with a ``NodeTest`` for each; ``structures.Structure``, the splits of one fitted tree.
"""

from typing import TYPE_CHECKING, Any

from splitcrit.values import on_first_use

if TYPE_CHECKING:
    from splitcrit.inference.selective import NodeTest
    from splitcrit.inference.trees import InferenceTreeClassifier, InferenceTreeRegressor

__all__: list[str] = ["InferenceTreeClassifier", "InferenceTreeRegressor", "NodeTest"]

_HOMES: dict[str, tuple[str, ...]] = {
    "selective": ("NodeTest",),
    "trees": ("InferenceTreeClassifier", "InferenceTreeRegressor"),
}


def __getattr__(name: str) -> Any:
    """Import the module of a name on first use: a test of one node needs no reader of forests."""
    return on_first_use(globals(), name, _HOMES)
