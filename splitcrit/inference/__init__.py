"""Which splits of a tree are real, with error rates that hold: tests of nodes, trees of tested splits, audits.

Main definitions: ``structures.Structure``, the splits of one fitted tree.
"""

from typing import Any

from splitcrit.values import on_first_use

__all__: list[str] = []

_HOMES: dict[str, tuple[str, ...]] = {}


def __getattr__(name: str) -> Any:
    """Import the module of a name on first use: a test of one node needs no reader of forests."""
    return on_first_use(globals(), name, _HOMES)
