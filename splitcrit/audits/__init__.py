"""Audits of fitted models of any library: which of their splits are real?

Main definitions: ``audit`` (an ``AuditReport``) of any fitted trees, with ``from_lightgbm`` and ``from_xgboost`` for
files; ``category_gains`` (a ``CategoryGain`` each), what the categorical splits of boosted models gain beside chance.
"""

from typing import TYPE_CHECKING, Any

from splitcrit.frozen import on_first_use

if TYPE_CHECKING:
    from splitcrit.audits.auditing import audit
    from splitcrit.audits.boosted_categories import CategoryGain, category_gains
    from splitcrit.audits.lightgbm_models import from_lightgbm
    from splitcrit.audits.reports import AuditReport
    from splitcrit.audits.xgboost_models import from_xgboost

__all__ = ["AuditReport", "CategoryGain", "audit", "category_gains", "from_lightgbm", "from_xgboost"]

_HOMES: dict[str, tuple[str, ...]] = {
    "auditing": ("audit",), "reports": ("AuditReport",), "boosted_categories": ("CategoryGain", "category_gains"),
    "lightgbm_models": ("from_lightgbm",), "xgboost_models": ("from_xgboost",),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import the module of a name on first use: a report needs no reader of models."""
    return on_first_use(globals(), name, _HOMES)
