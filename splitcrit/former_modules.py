"""The modules that pickles of release 0.3 name, until 0.5: importing one gives the names of its new home.

Main definitions: ``FORMER``, ``specification``.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

FORMER = {
    "criteria.parameters": "criteria", "estimators.categories": "estimators.categorical_tree",
    "growth.categories": "growth.category_ranks", "growth.stopping": "growth.growth_options",
    "impurities.deviance": "impurities.poisson_impurity", "impurities.forms": "impurities.search_declaration",
    "importance.corrected": "importance.corrected_gains", "importance.counted": "importance.one_by_one",
    "importance.permuted": "importance.permutation_scores", "inference.divisions": "inference",
    "inference.structures": "inference", "inference.subtree_results": "inference", "inference.trees": "inference",
    "losses.declared": "losses.user_losses", "losses.margins": "losses.margin_losses",
    "losses.responses": "losses.response_losses", "nulls.searched": "nulls.max_selected_criterion",
    "nulls.standardised": "nulls.standardisation",
    "nulls.values": "nulls.chance_criteria", "robustness.bounds": "robustness.published_bounds",
    "robustness.corrections": "robustness.noise_corrections",
    "robustness.samples": "robustness.sample_sizes", "table.passes": "files.two_passes",
}  # fmt: skip


def specification(name: str) -> ModuleSpec | None:
    """Return the specification of a former module, None for all others."""
    return ModuleSpec(name, _Loader()) if name.removeprefix("splitcrit.") in FORMER else None  # type: ignore[arg-type]


class _Loader:
    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to Python to make the module."""

    def exec_module(self, module: ModuleType) -> None:
        """Let the module answer with what its new home has."""
        home = import_module(f"splitcrit.{FORMER[module.__name__.removeprefix('splitcrit.')]}")
        module.__getattr__ = partial(getattr, home)  # type: ignore[method-assign]
