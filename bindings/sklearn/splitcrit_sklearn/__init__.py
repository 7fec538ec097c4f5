"""Criteria of splitcrit in scikit-learn's own compiled trees and forests: an experiment.

The interface of scikit-learn's criteria is private. It changes without notice, so that other versions than those that
were tested are refused.

Main definitions: ``formula_criterion``; use it as `splitcrit.sklearn_criterion`.
"""

import math
import operator
from functools import cache

import numba
import numpy as np
import sklearn
from numba import types

from splitcrit.arith import FLOAT
from splitcrit.criteria import Criterion
from splitcrit.frozen import complaint
from splitcrit.impurities import gini
from splitcrit.trees.scan.tapes import Tape, WeightedImpurity, recorded

TESTED = ("1.9",)  # versions of scikit-learn
CODE = {  # what a step of a tape is in Python that numba compiles
    operator.add: "{} + {}", operator.sub: "{} - {}", operator.mul: "{} * {}", operator.truediv: "{} / {}",
    operator.neg: "-{}", operator.abs: "abs({})", operator.pow: "{} ** {}", FLOAT.power: "{} ** {}",
    FLOAT.sqrt: "math.sqrt({})", FLOAT.exp: "math.exp({})", FLOAT.log: "math.log({})",
    FLOAT.xlogx: "({0} * math.log({0}) if {0} > 0 else 0.0)", np.maximum: "max({}, {})", np.minimum: "min({}, {})",
    FLOAT.where: "({1} if {0} else {2})", operator.eq: "{} == {}", operator.ne: "{} != {}", operator.lt: "{} < {}",
    operator.le: "{} <= {}",
}  # fmt: skip
POINTER = types.CPointer(types.float64)


def formula_criterion(criterion: Criterion):
    """Return what scikit-learn's trees take as ``criterion``.

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
    traced(criterion, criterion.classes or 2)
    return FormulaCriterion(1, np.array([MOST], dtype=np.intp)).prepare(criterion, compiled)


def traced(criterion: Criterion, classes: int) -> tuple[Tape, Tape | None]:
    """Return the impurity of a node as a tape, and the score of a split, None for the decrease of this impurity."""
    criterion.check(2, classes)
    impurity = recorded(WeightedImpurity((criterion.impurity or gini).of), classes)
    score = None
    if criterion.impurity is None:
        halves = slice(classes), slice(classes, None)
        score = recorded(lambda counts, m: (criterion.score([counts[half] for half in halves], m),), 2 * classes)
    if criterion.counting or impurity is None or (criterion.impurity is None and score is None):
        rule = "a criterion of scikit-learn's trees is a formula of class weights"
        raise ValueError(complaint(rule, repr(criterion), "take TreeClassifier, which grows trees by any"))
    return impurity, score


@cache
def compiled(criterion: Criterion, classes: int):
    """Return C functions of class weights: the impurity of a node, and a score of the split into two sides."""
    impurity, score = traced(criterion, classes)
    node = python(impurity, "node", "a", classes)

    def of_node(a):
        return node(a)[2]

    if score is None:

        def of_split(a, b):
            return -node(a)[1] - node(b)[1]
    else:
        split = python(score, "split", "a, b", classes)

        def of_split(a, b):
            return split(a, b)[0]

    return numba.cfunc(types.float64(POINTER))(of_node), numba.cfunc(types.float64(POINTER, POINTER))(of_split)


def python(tape: Tape, name: str, sides: str, classes: int):
    """Return a compiled function that runs a tape on the class weights of sides, and returns its outputs."""
    names = [f"{side}[{k}]" for side in sides.split(", ") for k in range(classes)]
    values = [f"x{i}" for i in range(len(names))] + [repr(float(x)) for x in tape.constants]
    lines = [f"x{i} = {name}" for i, name in enumerate(names)]
    for function, operands in tape.steps:
        values.append(f"x{len(values)}")
        lines.append(f"{values[-1]} = " + CODE[function].format(*(values[i] for i in operands)))
    lines.append(f"return {', '.join(values[i] for i in tape.outputs)},")
    space = {"math": math}
    exec(f"def {name}({sides}):\n    " + "\n    ".join(lines), space)  # the text is made of the steps above alone
    return numba.njit(error_model="numpy", inline="never")(space[name])
