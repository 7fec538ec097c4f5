"""Which splits of a tree are real, with error rates that hold: tests of nodes, trees of tested splits, audits.

Main definitions: ``structures.Structure``, the splits of one fitted tree.
"""

from typing import TYPE_CHECKING, Any

from splitcrit.values import on_first_use

if TYPE_CHECKING:
    from splitcrit.inference.audits import audit
    from splitcrit.inference.lightgbm_models import from_lightgbm
    from splitcrit.inference.reports import AuditReport
    from splitcrit.inference.xgboost_models import from_xgboost

__all__ = ["AuditReport", "audit", "from_lightgbm", "from_xgboost"]

_HOMES = {
    "audits": ("audit",), "lightgbm_models": ("from_lightgbm",), "reports": ("AuditReport",),
    "xgboost_models": ("from_xgboost",),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import the module of a name on first use: a test of one node needs no reader of forests."""
    return on_first_use(globals(), name, _HOMES)
