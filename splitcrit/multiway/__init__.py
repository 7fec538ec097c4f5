"""Multiway trees: a node branches on all values of a feature, or on the best of all clusterings of them.

Main definitions: ``MultiwayTreeClassifier``; ``MultiwayTree`` (its nodes as arrays), ``grow_multiway``, ``Rules``.
Source: wang2024, Algorithm 1.
"""

try:
    import sklearn  # noqa: F401
except ModuleNotFoundError as absent:
    raise ModuleNotFoundError(
        "the multiway tree is scikit-learn's; got no module sklearn; pip install 'splitcrit[trees]'", name="sklearn"
    ) from absent

from splitcrit.multiway.classifier import MultiwayTreeClassifier
from splitcrit.multiway.grow import grow_multiway
from splitcrit.multiway.segments import Rules
from splitcrit.multiway.tree import MultiwayTree

__all__ = ["MultiwayTree", "MultiwayTreeClassifier", "Rules", "grow_multiway"]
