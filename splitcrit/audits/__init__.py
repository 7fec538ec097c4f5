"""Audits of fitted models of any library: which of their splits are real?

Main definitions: ``audit`` (an ``AuditReport``) of any fitted trees, or of their file; ``category_gains`` (a
``CategoryGain`` each), what the categorical splits of boosted models gain beside chance.
"""

from typing import TYPE_CHECKING

from splitcrit.lazy import on_first_use

if TYPE_CHECKING:
    from splitcrit.audits.auditing import audit
    from splitcrit.audits.boosted_categories import CategoryGain, category_gains
    from splitcrit.audits.reports import AuditReport

__all__ = ["audit", "category_gains"]

__getattr__ = on_first_use(__name__)  # a report needs no reader of models
