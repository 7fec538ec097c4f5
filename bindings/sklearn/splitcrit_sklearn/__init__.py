"""Criteria of splitcrit in scikit-learn's own compiled trees and forests: an experiment.

The interface of scikit-learn's criteria is private. It changes without notice, so that other versions than those that
were tested are refused.

Main definitions: ``formula_criterion``; use it as `splitcrit.sklearn_criterion`.
"""

from functools import cache

import numba
import numpy as np
import sklearn
from numba import types

from splitcrit.arith import total
from splitcrit.arith.tracing import Node
from splitcrit.criteria import Criterion
from splitcrit.frozen import complaint
from splitcrit.impurities import gini
from splitcrit.trees.scan.formula_code import traced, within_kernels

TESTED = ("1.9",)  # versions of scikit-learn
POINTER = types.CPointer(types.float64)


def formula_criterion(criterion: Criterion):
    """What scikit-learn's trees take as ``criterion``.

    Raises
    ------
    ImportError
        If this version of scikit-learn was not tested, or another one was compiled for.
    ValueError
        If the criterion scores counts of samples, or is not a formula that can be traced.
    """
    from splitcrit_sklearn.tree_criterion import BUILT_WITH, MOST, FormulaCriterion

    version = ".".join(sklearn.__version__.split(".")[:2])
    if version not in TESTED or not BUILT_WITH.startswith(f"{version}."):
        rule = f"criteria in scikit-learn's own trees were tested with scikit-learn {', '.join(TESTED)}"
        got = f"{sklearn.__version__}, compiled for {BUILT_WITH}"
        raise ImportError(complaint(rule, got, "install one of these and bindings/sklearn anew"))
    formulas(criterion, criterion.classes or 2)
    return FormulaCriterion(1, np.array([MOST], dtype=np.intp)).prepare(criterion, compiled)


def formulas(criterion: Criterion, classes: int) -> tuple[Node, Node]:
    """The impurity of a node as what it does, and what a side contributes or, of other criteria, the score."""
    criterion.check(2, classes)
    of, rule = (criterion.impurity or gini).of, "a criterion of scikit-learn's trees is a formula of class weights"

    def side(m, times):
        counts = [m.variable("left", k) for k in range(classes)]
        n = total(counts)
        impurity = of([x / n for x in counts], m)
        return n * impurity if times else impurity

    def both(m):
        return criterion.score([[m.variable(name, k) for k in range(classes)] for name in ("left", "right")], m)

    try:
        assert not criterion.counting
        return traced(lambda m: side(m, False)), traced(both if criterion.impurity is None else lambda m: side(m, True))
    except Exception:  # whatever a formula does that cannot be traced
        got = repr(criterion)
        raise ValueError(complaint(rule, got, "take TreeClassifier, which grows trees by any")) from None


@cache
def compiled(criterion: Criterion, classes: int):
    """C functions of class weights: the impurity of a node, and a score of the split into two sides."""
    impurity, score = formulas(criterion, classes)
    node = within_kernels(impurity, ("left",))
    if criterion.impurity is None:
        split = within_kernels(score, ("left", "right"))

        def of_split(a, b):
            return split(a, b)
    else:
        side = within_kernels(score, ("left",))

        def of_split(a, b):
            return -side(a) - side(b)

    def of_node(a):
        return node(a)

    return numba.cfunc(types.float64(POINTER))(of_node), numba.cfunc(types.float64(POINTER, POINTER))(of_split)
