"""Split criteria for decision trees, from a loss to a scored table.

Losses make impurities, impurities make criteria, criteria score tables; what is claimed of them is settled in
`splitcrit.proofs` on the very same function objects. Public names are resolved on first use (PEP 562), so that
`import splitcrit` costs little more than `import numpy`. The block that type checkers are told of says where each name
lives (`splitcrit.lazy` reads it); `__all__` and `dir()` list those that can be imported here, with what is installed.

Main definitions
    `Loss`, `Impurity`, `Criterion`, `Table`, `Channel`, `NullMoments` and the values made of them.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from splitcrit.lazy import homes, is_installed

if TYPE_CHECKING:
    from splitcrit import arith as arith
    from splitcrit import audits as audits
    from splitcrit import columns as columns
    from splitcrit import criteria as criteria
    from splitcrit import data as data
    from splitcrit import export as export
    from splitcrit import impurities as impurities
    from splitcrit import inference as inference
    from splitcrit import losses as losses
    from splitcrit import noise as noise
    from splitcrit import nulls as nulls
    from splitcrit import plots as plots
    from splitcrit import proof as proof
    from splitcrit import proofs as proofs
    from splitcrit import robustness as robustness
    from splitcrit import table as table
    from splitcrit import testing as testing
    from splitcrit import trees as trees
    from splitcrit import vertices as vertices
    from splitcrit.audits import audit as audit
    from splitcrit.columns import adjusted as adjusted
    from splitcrit.columns import rank_features as rank_features
    from splitcrit.columns import standardised as standardised
    from splitcrit.criteria import Criterion as Criterion
    from splitcrit.criteria import decrease as decrease
    from splitcrit.criteria import dkm as dkm
    from splitcrit.criteria import hellinger as hellinger
    from splitcrit.criteria import imprecise_gain_ratio as imprecise_gain_ratio
    from splitcrit.criteria import imprecise_information_gain as imprecise_information_gain
    from splitcrit.criteria import normalised as normalised
    from splitcrit.criteria import one_vs_rest_pairwise_gain as one_vs_rest_pairwise_gain
    from splitcrit.criteria import pairwise_gain as pairwise_gain
    from splitcrit.criteria import replace as replace
    from splitcrit.criteria import sum_minority as sum_minority
    from splitcrit.criteria import twoing as twoing
    from splitcrit.impurities import Impurity as Impurity
    from splitcrit.impurities import absolute_deviation as absolute_deviation
    from splitcrit.impurities import bayes_sum as bayes_sum
    from splitcrit.impurities import entropy as entropy
    from splitcrit.impurities import gce as gce
    from splitcrit.impurities import gini as gini
    from splitcrit.impurities import matushita as matushita
    from splitcrit.impurities import misclassification as misclassification
    from splitcrit.impurities import ne as ne
    from splitcrit.impurities import scaled as scaled
    from splitcrit.impurities import shannon_entropy as shannon_entropy
    from splitcrit.impurities import sqrt_gini as sqrt_gini
    from splitcrit.impurities import variance as variance
    from splitcrit.inference import AnytimeTreeClassifier as AnytimeTreeClassifier
    from splitcrit.inference import InferenceTreeClassifier as InferenceTreeClassifier
    from splitcrit.inference import InferenceTreeRegressor as InferenceTreeRegressor
    from splitcrit.inference import SplitSelector as SplitSelector
    from splitcrit.inference import optimality_gaps as optimality_gaps
    from splitcrit.inference import split_test as split_test
    from splitcrit.inference import treatment_test as treatment_test
    from splitcrit.losses import Loss as Loss
    from splitcrit.noise import Channel as Channel
    from splitcrit.noise import class_conditional as class_conditional
    from splitcrit.noise import pair_flip as pair_flip
    from splitcrit.noise import symmetric as symmetric
    from splitcrit.nulls import NullMoments as NullMoments
    from splitcrit.nulls import agini as agini
    from splitcrit.nulls import gini_gain as gini_gain
    from splitcrit.nulls import gini_null as gini_null
    from splitcrit.nulls import gini_pvalue as gini_pvalue
    from splitcrit.nulls import selected_pvalue as selected_pvalue
    from splitcrit.nulls import sgini as sgini
    from splitcrit.nulls import sgini_scan as sgini_scan
    from splitcrit.nulls import significance as significance
    from splitcrit.proof import properties as properties
    from splitcrit.robustness import majority_failure as majority_failure
    from splitcrit.robustness import order_failure as order_failure
    from splitcrit.robustness import samples_needed as samples_needed
    from splitcrit.robustness import tolerance as tolerance
    from splitcrit.robustness import tree_agreement as tree_agreement
    from splitcrit.table import Table as Table
    from splitcrit.table import Tables as Tables
    from splitcrit.trees import AdaptiveForestClassifier as AdaptiveForestClassifier
    from splitcrit.trees import AdaptiveTreeClassifier as AdaptiveTreeClassifier
    from splitcrit.trees import DaskForestClassifier as DaskForestClassifier
    from splitcrit.trees import DaskTreeClassifier as DaskTreeClassifier
    from splitcrit.trees import DaskTreeRegressor as DaskTreeRegressor
    from splitcrit.trees import ForestClassifier as ForestClassifier
    from splitcrit.trees import ForestRegressor as ForestRegressor
    from splitcrit.trees import TreeClassifier as TreeClassifier
    from splitcrit.trees import TreeRegressor as TreeRegressor
    from splitcrit.trees import best_depth_two as best_depth_two
    from splitcrit.trees import sklearn_criterion as sklearn_criterion
    from splitcrit.vertices import optimal_vertex as optimal_vertex
    from splitcrit.vertices import vertex_landscape as vertex_landscape

__version__ = "0.4.0"

_HOMES = homes(__file__)
_HOME = {name: home.removeprefix("splitcrit.") for name, home in _HOMES.items() if home != "splitcrit"}
_SUBPACKAGES = {room: tuple(name for name in _HOME if _HOME[name] == room) for room in _HOMES if room not in _HOME}
_LEARNERS = {*_SUBPACKAGES["trees"], *_SUBPACKAGES["inference"], "audit"} - {"best_depth_two", "split_test"}
_NEEDS = {  # the modules without which a subpackage, or a name of one, cannot be imported
    **dict.fromkeys(_LEARNERS, ("sklearn",)),
    **{name: ("dask", "sklearn") for name in _SUBPACKAGES["trees"] if name.startswith("Dask")},
    "AnytimeTreeClassifier": ("river",),
    "proof": ("flint", "mpmath", "sympy", "z3"),
    "testing": ("hypothesis",),
}
LISTED = "dir(splitcrit) lists the public names"


def _absent(package: str) -> str | None:
    """The first module that a subpackage needs and that is not installed; nothing is imported."""
    return next((module for module in _NEEDS.get(package, ()) if not is_installed(module)), None)


__all__ = sorted(
    name for package, names in _SUBPACKAGES.items() for name in names if not (_absent(package) or _absent(name))
)


def __getattr__(name: str) -> Any:
    """Import the subpackage that defines a public name, on first use."""
    home = _HOME.get(name, name)
    absent, where = _absent(name) or _absent(home), "" if home in _SUBPACKAGES else _where(name)
    if absent or where:
        from splitcrit.frozen import EXTRAS

        text = f"module 'splitcrit' has no attribute {name!r}; {where}"
        if absent:
            text = f"splitcrit.{name} needs an extra; got no module {absent}; pip install 'splitcrit[{EXTRAS[absent]}]'"
        # The statement "from splitcrit import X" drops what an AttributeError says; hasattr and inspect expect one.
        if sys._getframe(1).f_globals.get("__name__") == "importlib._bootstrap" and where != LISTED:
            raise ModuleNotFoundError(text, name=absent)
        raise AttributeError(text)
    module = import_module(f"splitcrit.{home}")
    globals()[name] = module if home == name else getattr(module, name)
    return globals()[name]


def _where(name: str) -> str:
    """Where a name is public, if not here; nothing is imported, for an import may need an extra."""
    import re
    from pathlib import Path

    listed = re.compile(rf"^(def|class) {re.escape(name)}\b|^__all__ = \[[^]]*\"{re.escape(name)}\"", re.MULTILINE)
    for package in () if name.startswith("_") else _SUBPACKAGES:
        path = Path(__file__).parent / package
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if file.is_file() and listed.search(file.read_text(encoding="utf-8")):
            return f"write from splitcrit.{package} import {name}"
    return LISTED


def __dir__() -> list[str]:
    """The public names and the subpackages that define them."""
    return sorted([*__all__, *(package for package in _SUBPACKAGES if not _absent(package)), "__version__"])
