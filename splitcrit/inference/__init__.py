"""Which splits of a tree are real, with error rates that hold: tests of nodes, trees of tested splits, audits.

Main definitions: ``split_test``, the test of one node (a ``SplitTest``, with a ``FeatureTest`` a feature);
``structures.Structure``, the splits of one fitted tree.
"""

from typing import TYPE_CHECKING, Any

from splitcrit.values import on_first_use

if TYPE_CHECKING:
    from splitcrit.inference.nodes import split_test
    from splitcrit.inference.split_results import FeatureTest, SplitTest

__all__: list[str] = ["FeatureTest", "SplitTest", "split_test"]

_HOMES: dict[str, tuple[str, ...]] = {"nodes": ("split_test",), "split_results": ("FeatureTest", "SplitTest")}


def __getattr__(name: str) -> Any:
    """Import the module of a name on first use: a test of one node needs no reader of forests."""
    return on_first_use(globals(), name, _HOMES)
