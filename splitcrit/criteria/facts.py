"""What is settled of the criteria, as data that any floor above may ask for: ``facts.json``, read without a checker.

The file is written by ``splitcrit verify --write-facts`` from theorems that are settled, and holds nothing else. A fact
names a criterion as it prints, or a family of criteria with a parameter, ``decrease(gce(q)) for 0 < q < 1``.

Main definitions: ``facts``, ``known``; ``within`` (whether a fact is about a number of classes), ``covers``, ``about``.
"""

from __future__ import annotations

import json
import re
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

import numpy as np

from splitcrit.arguments import of_kind
from splitcrit.criteria.base import Criterion, as_criterion, replace
from splitcrit.frozen import complaint, shown
from splitcrit.impurities import Impurity

Known = Literal["holds", "refuted", "unknown"]


ABOVE_TWO = (*range(3, 100), 10**9)  # facts name no number from 100 on: the last stands for all of these
GROUPS = {"2": (2,), ">2": ABOVE_TWO, "all": (2, *ABOVE_TWO)}  # numbers of classes
FAMILY = re.compile(r"(?P<head>.*?\()(?P<name>[a-z_]+)(?P<tail>\)+) for (?P<range>.+)")
FRACTION = re.compile(r"Fraction\((-?\d+), (\d+)\)")
DECIMAL = re.compile(r"(?<![\w.])\d+(?:\.\d+(?:e[-+]?\d+)?|e[-+]?\d+)")
LONGEST = 1000  # characters of a number that is read: every float is shorter
STEPS = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b}


@dataclass(frozen=True)
class Facts:
    """What is settled about your own criterion, for code that may rely on it: `optimal_vertex`, searches of splits.

    Parameters
    ----------
    entries : tuple of (property, classes, verdict)
        ``classes`` is a number from 2, or ``"all"``; the verdict ``"holds"`` or ``"fails"``.
        ``splitcrit.proof.properties(x).facts`` makes them.

    Examples
    --------
    >>> Facts((("vertex-optimal split", "all", "holds"),)).known("vertex-optimal split", 3)
    'holds'
    """

    entries: tuple[tuple[str, int | str, str], ...] = ()

    def declared(self, criterion: Any) -> Any:
        """A criterion or an impurity that carries the facts, for trees and searches.

        Raises
        ------
        TypeError
            If it is neither.
        """
        of_kind(criterion, Criterion | Impurity, "facts are about a criterion or an impurity", "pass one")
        return replace(criterion, search=replace(criterion.search, facts=self))

    def known(self, property: str, classes: int) -> Known:
        """The verdict of the facts on a property, for a number of classes."""
        verdicts = {verdict for name, k, verdict in self.entries if name == property and k in (classes, "all")}
        sure = {v for name, k, v in self.entries if name == property and k == classes}
        deciding = sure or verdicts - {"fails"}
        return "holds" if deciding == {"holds"} else "refuted" if "fails" in deciding else "unknown"


def facts() -> tuple[dict[str, Any], ...]:
    """Every fact, in the order of criterion, property and classes.

    Returns
    -------
    tuple of dict
        With the entries ``criterion``, ``property``, ``classes`` (the numbers of classes: a list, ``{"from": 3}`` or
        ``{"to": 4}``), ``verdict`` (``"holds"``, ``"fails"`` or ``"bounded"``), ``scope`` (in words), ``theorem`` (its
        key) and ``witness`` (of a failure). What is bounded holds in every node of at most ``bound`` examples, a
        further entry; more is not known. Two splits that change places are ``splits``, a further entry: two tables,
        the better first, as nested lists. Where a witness is one of more classes too, since the score does not see
        empty ones, ``extended_by`` is the theorem that says so. ``kernel`` is true of what Rocq's kernel checks too.

    Examples
    --------
    >>> {fact["verdict"] for fact in facts()} <= {"holds", "fails", "bounded"}
    True
    """
    return tuple(map(deepcopy, _facts()))


@lru_cache(maxsize=1)
def _facts() -> tuple[dict[str, Any], ...]:
    text = files("splitcrit").joinpath("facts.json").read_text(encoding="utf-8")
    return tuple(json.loads(text))


def _fraction(text: str) -> Fraction | None:
    """The number that a text is, None if it is none or of a size that no parameter has."""
    try:
        exponent = int(text.partition("e")[2] or 0)
        return Fraction(text) if len(text) <= LONGEST and abs(exponent) <= 400 else None
    except (ValueError, ZeroDivisionError):
        return None


def _lowest(match: re.Match[str]) -> str:
    """A number that was found in a name as a fraction in lowest terms, or as it stands."""
    value = _fraction("/".join(match.groups()) or match[0])
    return match[0] if value is None else str(value)


def plain(criterion: str) -> str:
    """A criterion's name with every number as a fraction in lowest terms.

    Examples
    --------
    >>> plain("decrease(gce(q=0.5))"), plain("decrease(gce(q=Fraction(2, 4)))")
    ('decrease(gce(q=1/2))', 'decrease(gce(q=1/2))')
    """
    return DECIMAL.sub(_lowest, FRACTION.sub(_lowest, criterion))


def speaks_of(fact: str, criterion: str) -> bool:
    """Whether a fact about ``fact``, a criterion or a family, is one about the criterion of this name.

    Examples
    --------
    >>> speaks_of("decrease(gce(q)) for 0 < q < 1", "decrease(gce(q=0.7))")
    True
    >>> speaks_of("decrease(gce(q)) for 0 < q < 1", "decrease(gce(q=1))")
    False
    """
    pattern = FAMILY.fullmatch(fact)
    if pattern is None:
        return plain(fact) == plain(criterion)
    call = f"{re.escape(pattern['head'])}{pattern['name']}=(-?[\\d/]+){re.escape(pattern['tail'])}"
    match = re.fullmatch(call, plain(criterion))
    value = None if match is None else _fraction(match[1])
    if value is None:
        return False
    words = pattern["range"].split()
    ends = [value if word == pattern["name"] else Fraction(word) for word in words[::2]]
    return all(STEPS[step](a, b) for a, step, b in zip(ends, words[1::2], ends[1:], strict=False))


def within(classes: Any, number: int) -> bool:
    """Whether numbers of classes, as facts hold them, contain this one."""
    if isinstance(classes, list | tuple):
        return number in classes
    return bool(classes.get("from", 2) <= number <= classes.get("to", number))


def _numbers(group: int | str) -> tuple[int, ...]:
    return GROUPS[group] if isinstance(group, str) else (group,)


def covers(classes: Any, group: int | str) -> bool:
    """Whether several facts' numbers of classes contain, taken together, a number or all of a group."""
    return all(any(within(x, number) for x in classes) for number in _numbers(group))


def concerns(classes: Any, group: int | str) -> bool:
    """Whether a fact's numbers of classes contain a number, or one of a group, ``"2"`` or ``">2"``."""
    return any(within(classes, number) for number in _numbers(group))


def about(classes: Any) -> str:
    """Numbers of classes in words.

    Examples
    --------
    >>> about([3]), about({"from": 2}), about({"from": 3})
    ('K = 3', 'all K', 'all K >= 3')
    """
    if isinstance(classes, list | tuple):
        return "K = " + ", ".join(map(str, classes))
    if "to" in classes:
        return f"K <= {classes['to']}"
    return "all K" if classes["from"] <= 2 else f"all K >= {classes['from']}"


def known(criterion: Any, property: str, classes: int | str) -> Known:
    """The verdict on a property of a criterion, for a number of classes.

    Parameters
    ----------
    criterion : Criterion, Impurity or str
        An impurity stands for its decrease; a string is what a criterion prints as.
    property : str
        As in the table of properties: ``"concave"``, ``"keeps order under uniform noise"``, ...
    classes : int or {"2", ">2", "all"}
        The answer is for just this number. ``">2"`` asks for every number of classes above two.

    Returns
    -------
    {"holds", "refuted", "unknown"}
        ``"refuted"`` for a group says that a witness with some such number of classes is known; what holds up to a
        bound on the node's size is ``"unknown"``, since nodes may be larger.

    Raises
    ------
    ValueError, TypeError
        If ``classes`` is neither a number from 2 nor one of the three words, or another argument is not what it should
        be.

    Examples
    --------
    >>> from splitcrit import gini
    >>> [known(gini, "keeps order under class-conditional noise", k) for k in (2, 3)]
    ['holds', 'refuted']
    >>> known(gini, "has a pretty name", 2)
    'unknown'
    """
    of_kind(property, str, "a property has one of the names of the table", "pass one of the table of properties")
    rule = "classes are a number from 2, or a group"
    remedy = "use " + ", ".join(GROUPS)
    number = isinstance(classes, int | np.integer) and not isinstance(classes, bool)
    asked = int(classes) if number else of_kind(classes, str, rule, remedy)
    if asked not in GROUPS and not (isinstance(asked, int) and asked >= 2):
        raise ValueError(complaint(rule, shown(classes), remedy))
    value = None if isinstance(criterion, str) else as_criterion(criterion)
    name, own = (criterion, None) if value is None else (value.name, value.search.facts)
    if isinstance(own, Facts) and isinstance(asked, int) and (verdict := own.known(property, asked)) != "unknown":
        return verdict
    parts = {_known(name, property, part) for part in (("2", ">2") if asked == "all" else (asked,))}
    return "refuted" if "refuted" in parts else "unknown" if "unknown" in parts else "holds"


@lru_cache(maxsize=1024)
def _known(name: str, property: str, part: int | str) -> Known:
    """The verdict for a number of classes, for two classes, or for every number above."""
    mine = [f for f in _facts() if f["property"] == property and speaks_of(f["criterion"], name)]
    if any(f["verdict"] == "fails" and concerns(f["classes"], part) for f in mine):
        return "refuted"
    settled = [f["classes"] for f in mine if f["verdict"] == "holds"]
    return "holds" if covers(settled, part) else "unknown"
