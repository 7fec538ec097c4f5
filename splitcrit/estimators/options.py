"""The parameters of an estimator that say how its tree is grown, as one frozen value.

Main definitions: ``Options``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

SEEDS = np.iinfo(np.int32).max


@dataclass(frozen=True)
class Options:
    """The kind of a tree and its stopping rules; the parameters of the same names of the estimators say more.

    A parameter that an estimator does not have keeps its default. ``per_class`` is what ``class_weight`` comes to.
    """

    splitter: str = "best"
    max_depth: int | None = None
    min_samples_split: Any = 2
    min_samples_leaf: Any = 1
    min_weight_fraction_leaf: float = 0.0
    max_features: Any = None
    draw: str = "all"
    random_state: Any = None
    max_leaf_nodes: int | None = None
    min_impurity_decrease: float = 0.0
    ccp_alpha: float = 0.0
    min_gain: float | None = 0.0
    n_splits: int | None = None
    max_pvalue: float | None = None
    look_ahead: int | None = None
    min_difference: float = 0.05
    max_exact_categories: int = 10
    n_jobs: int | None = None
    per_class: tuple[float, ...] | None = None

    @staticmethod
    def of(parameters: Mapping[str, Any]) -> Options:
        """Return the options among the parameters of an estimator, which have been validated."""
        return Options(**{each.name: parameters[each.name] for each in fields(Options) if each.name in parameters})

    def features(self, given: int) -> int:
        """Return the number of features that ``max_features`` stands for, as scikit-learn reads it.

        Examples
        --------
        >>> [Options(max_features=m).features(10) for m in (None, 3, 0.5, "sqrt", "log2")]
        [10, 3, 5, 3, 3]
        """
        asked = self.max_features
        if asked is None:
            return given
        if isinstance(asked, str):
            return max(1, int(np.sqrt(given) if asked == "sqrt" else np.log2(given)))
        return int(asked) if isinstance(asked, int | np.integer) else max(1, int(asked * given))

    def draws(self, given: int) -> tuple[int | None, int]:
        """Return the number of features drawn at a node, None for all, and a seed drawn from the random state."""
        drawn = self.features(given)
        seed = int(check_random_state(self.random_state).randint(SEEDS))
        return drawn if drawn < given else None, seed
