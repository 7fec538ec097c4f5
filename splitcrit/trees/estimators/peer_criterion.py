"""Criteria of the library in scikit-learn's own compiled trees: an experiment, in a project of its own.

Main definitions: ``sklearn_criterion``.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from splitcrit.arguments import one_of
from splitcrit.frozen import complaint
from splitcrit.trees.estimators.criterion_argument import NAMES, criterion_of


def sklearn_criterion(criterion: Any) -> Any:
    """A criterion as trees and forests of scikit-learn and imbalanced-learn take it: as their ``criterion``.

    An experiment: it needs the project in ``bindings/sklearn``, which a C compiler builds for one version of
    scikit-learn, whose interface for criteria is private.

    Parameters
    ----------
    criterion : str, Impurity or Criterion
        As in ``TreeClassifier``; it must be a formula of class weights.

    Raises
    ------
    ModuleNotFoundError
        If that project is not installed.
    ImportError
        If this version of scikit-learn was not tested.
    ValueError, TypeError
        If it is no criterion, scores counts of samples, or is not a formula that can be traced.

    See Also
    --------
    TreeClassifier : The same criteria in a tree of this library, without a C compiler.

    Examples
    --------
    >>> sklearn_criterion("hellinger")  # doctest: +SKIP
    sklearn_criterion(hellinger)
    """
    if isinstance(criterion, str):
        one_of(criterion, tuple(NAMES), "a criterion")
    known = criterion_of(criterion, 2, None)
    try:
        peer = import_module("splitcrit_sklearn")
    except ModuleNotFoundError as absent:
        rule = "criteria for scikit-learn's own trees need the package in bindings/sklearn"
        remedy = "pip install ./bindings/sklearn (it needs a C compiler), or use TreeClassifier"
        raise ModuleNotFoundError(complaint(rule, f"no module {absent.name}", remedy), name=absent.name) from absent
    return peer.formula_criterion(known)
