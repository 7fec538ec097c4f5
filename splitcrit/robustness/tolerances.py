"""Which criteria are known to keep the order of splits under noise in expectation, and which are known not to.

Main definitions: ``tolerance``, ``Tolerance``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from splitcrit.arguments import one_of, whole
from splitcrit.criteria import as_criterion
from splitcrit.criteria.facts import facts, known, speaks_of, within
from splitcrit.display import described, shortened

Kind = Literal["uniform", "class-conditional", "pair-flip", "instance-dependent"]
VERDICTS = {"holds": "holds", "refuted": "fails"}


@dataclass(frozen=True, repr=False)
class Tolerance:
    """What is known about a criterion under a kind of noise, and the theorems it rests on.

    Scope, witness and splits are those of the theorem whose two splits have the fewest examples, where there is one.

    Parameters
    ----------
    verdict : {"holds", "refuted", "unknown"}
        A verdict is that of theorems; ``rests_on`` says what these rest on.
    theorems : tuple of str
    scope, witness : str
        For what it is settled, and what refutes it, in words.
    splits : tuple
        The two tables that change places, the better first; a row holds the class counts of each kind of example in
        turn, those that noise spares before those it flips. Empty where no two splits are recorded. Splits of fewer
        classes than were asked for refute it too: the other classes are empty, and no noise leads to them.
    rests_on : tuple of str
        "kernel-checked", "algebra", "enumerated" with its sizes, "a witness", "premises".

    Examples
    --------
    >>> from splitcrit import entropy
    >>> found = tolerance(entropy, "uniform")
    >>> found.verdict, found.splits
    ('refuted', (((1, 0), (4, 2)), ((1, 1), (4, 1))))
    """

    verdict: str
    theorems: tuple[str, ...]
    scope: str
    witness: str
    splits: tuple[tuple[tuple[int, ...], ...], ...]
    rests_on: tuple[str, ...] = ()

    __repr__ = shortened
    _repr_html_ = described


def tolerance(criterion: Any, noise: Kind, classes: int = 2) -> Tolerance:
    """Whether it is settled that a criterion keeps the order of splits in expectation under a kind of noise.

    Parameters
    ----------
    criterion : Criterion, Impurity or str
    noise : {"uniform", "class-conditional", "pair-flip", "instance-dependent"}
        ``"uniform"`` is symmetric noise, for two classes and more.
    classes : int
        The answer is for just this number.

    Returns
    -------
    Tolerance
        With the verdict ``"holds"``, ``"refuted"`` (and a witness) or ``"unknown"``.

    Raises
    ------
    ValueError
        If the kind of noise is none of these, or ``classes`` is no number from 2.

    See Also
    --------
    order_failure : The probability at a node of given size.
    properties : The properties of your own criterion.

    Examples
    --------
    >>> from splitcrit import entropy, gini
    >>> tolerance(gini, "class-conditional").verdict, tolerance(entropy, "uniform").verdict
    ('holds', 'refuted')
    >>> [tolerance(gini, "pair-flip", classes).verdict for classes in (2, 3, 4, 5)]
    ['holds', 'holds', 'refuted', 'unknown']
    >>> tolerance(entropy, "uniform").splits
    (((1, 0), (4, 2)), ((1, 1), (4, 1)))
    >>> tolerance(gini, "class-conditional").rests_on
    ('kernel-checked', 'algebra', 'enumerated: N <= 6', 'premises')
    """
    property_ = f"keeps order under {one_of(noise, Kind, 'noise')} noise"
    classes = whole(classes, "the number of classes", 2)
    name = criterion if isinstance(criterion, str) else as_criterion(criterion).name
    verdict = known(name, property_, classes)
    mine = [
        fact
        for fact in facts()
        if (fact["property"], fact["verdict"]) == (property_, VERDICTS.get(verdict))
        and within(fact["classes"], classes)
        and speaks_of(fact["criterion"], name)
    ]
    theorems = tuple(dict.fromkeys(fact["theorem"] for fact in mine))
    shown: dict[str, Any] = min(mine, key=_examples, default={"scope": "", "witness": ""})
    splits = tuple(tuple(map(tuple, table)) for table in shown.get("splits", ()))
    rests_on = dict.fromkeys(
        ground for fact in mine for ground in [*(["kernel-checked"] if fact.get("kernel") else []), *fact["rests_on"]]
    )
    return Tolerance(verdict, theorems, shown["scope"], shown["witness"], splits, tuple(rests_on))


def _examples(fact: dict[str, Any]) -> float:
    """The number of examples of the node of two splits; infinite where none are recorded."""
    return sum(map(sum, fact["splits"][0])) if "splits" in fact else math.inf
