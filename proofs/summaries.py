"""The criterion x property table: facts of settled theorems as data, and the words of its cells, each with a key.

Main definitions: ``facts`` (the content of ``splitcrit/facts.json``), ``settled_classes`` (for what a fact is one),
``row``, ``rows``, ``cell``, ``said``, ``sign``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from functools import cache
from types import FunctionType
from typing import Any

from splitcrit import criteria, impurities, nulls
from splitcrit.criteria.facts import about, concerns, covers, plain, speaks_of, within
from splitcrit.frozen import complaint
from splitcrit.proof import PROPERTIES, Entry, Extent, Fact, Theorem, Verdict, only
from splitcrit.proofs import catalogue, kernel
from splitcrit.proofs.gain.empty_classes import sees_no_empty_class
from splitcrit.proofs.ledger import Ledger

Facts = Iterable[dict[str, Any]]

# One row for each impurity and each criterion that the library exports; makers stand with their parameter.
IMPURITIES = (
    "gini", "entropy", "shannon_entropy(base)", "misclassification", "sqrt_gini", "matushita", "bayes_sum", "gce(q)",
    "ne(lam)", "variance(values)", "absolute_deviation(values)", "poisson(values)",
)  # fmt: skip
OTHERS = (
    "twoing", "pairwise_gain", "one_vs_rest_pairwise_gain", "sum_minority", "hellinger", "dkm", "normalised(impurity)",
    "imprecise_information_gain(s)", "imprecise_gain_ratio(s)", "sgini", "agini", "significance",
)  # fmt: skip
ROWS = (*(f"decrease({name})" for name in IMPURITIES), *OTHERS)
NO_ROWS = {  # make none of their own, or have nothing claimed of them
    "as_criterion", "by_sums", "chi_square", "decrease", "g_statistic", "replace", "scaled", "twoing_superclasses",
}  # fmt: skip

# An example of few classes is one of more, whose further classes are empty, where the score does not see empty classes.
# Uniform noise leads to every class, and pair-flip to the next, so that their examples stay with their number.
EMPTY_CLASSES = "gain.score_sees_no_empty_class"
SEEN_WITH_MORE = (
    "keeps order under class-conditional noise", "keeps order under instance-dependent noise", "stops early",
    "ordering shortcut", "vertex-optimal split",
)  # fmt: skip
PAIR = ("2", ">2")  # the two columns of the table


def facts(done: Ledger) -> list[dict[str, Any]]:
    """The facts of a whole ledger, in order.

    Raises
    ------
    ValueError
        If two theorems contradict each other.
    """
    rows: list[dict[str, Any]] = []
    for entry in done.entries:
        if entry.settled:
            rows += facts_of(catalogue.collect()[entry.key], entry)
    check(rows)
    return sorted(rows, key=lambda f: (_place(f["criterion"]), PROPERTIES.index(f["property"]), _order(f)))


def facts_of(theorem: Theorem, entry: Entry) -> list[dict[str, Any]]:
    """The facts of one settled theorem, in its order."""
    rows = []
    for fact, witness, numbers in zip(theorem.facts, *witnesses(theorem.facts, entry.verdict), strict=True):
        classes = settled_classes(theorem, fact, numbers)
        more = fact.by_example and fact.property in SEEN_WITH_MORE and sees_no_empty_class(fact.criterion)
        rows.append({
            "criterion": fact.criterion, "property": fact.property,
            "classes": (Extent(least=min(classes.values or (classes.least,))) if more else classes).plain(),
            "verdict": "fails" if not fact.holds else "bounded" if fact.bound else "holds",
            **({"bound": str(fact.bound)} if fact.bound else {}),
            "scope": entry.scope, "rests_on": in_few_words(entry.basis), "theorem": entry.key, "witness": witness,
            **({"splits": numbers} if numbers else {}),
            **({"extended_by": EMPTY_CLASSES} if more else {}),
            **({"kernel": True} if fact.holds and kernel.settles(fact.criterion, fact.property, classes) else {}),
        })  # fmt: skip
    return rows


def in_few_words(basis: Iterable[str]) -> list[str]:
    """What is rested on, premises without their text.

    Examples
    --------
    >>> in_few_words(("algebra", "enumerated: N <= 8", "rests on for all N: Hoeffding's inequality"))
    ['algebra', 'enumerated: N <= 8', 'premises']
    """
    plain = [x for x in basis if not x.startswith(("rests on", "kernel-checked"))]
    return plain + ["premises"] * any(x.startswith("rests on") for x in basis)


def _order(fact: dict[str, Any]) -> str:
    """What facts of a cell are put in order by: fewer classes first."""
    classes = fact["classes"]
    least = min(classes) if isinstance(classes, list) else classes.get("from", 2)
    return f"{least:03} {isinstance(classes, list)} {fact['criterion']} {fact['theorem']} {fact['witness']}"


def settled_classes(theorem: Theorem, fact: Fact, numbers: list[Any]) -> Extent:
    """The numbers of classes for which a theorem settles a fact: those of its witness, or those of its scope.

    Raises
    ------
    ValueError
        If it settles the fact for no number of classes, or for fewer than the fact lists.
    """
    scope = theorem.settled_for["K"]
    if fact.by_example and numbers:
        kinds = 2 if "instance-dependent" in fact.property else 1
        extent = only(len(numbers[0][0]) // kinds)
    elif fact.by_example and (scope is None or scope.values is None):
        extent = only(min(fact.extent.values or (fact.extent.least,)))
    else:
        extent = fact.extent if scope is None else fact.extent.meet(scope)
    if extent.values == () or not (isinstance(fact.classes, str) or extent == fact.extent):
        rule = f"{theorem.key} must settle a fact for all classes that the fact lists"
        raise ValueError(complaint(rule, f"{extent.words('K')} of {fact.extent.words('K')}", "list only those"))
    return extent


def witnesses(known: tuple[Fact, ...], verdict: Verdict) -> tuple[list[str], list[Any]]:
    """The witness of each fact in words and in numbers; where there are as many, each failure has its own."""
    parts, failures = verdict.witness.split("; "), sum(not fact.holds for fact in known)
    own = iter(parts if len(parts) == failures else [verdict.witness] * failures)
    numbers = iter(verdict.numbers if len(verdict.numbers) == failures else [[]] * failures)
    return ["" if fact.holds else next(own) for fact in known], [[] if fact.holds else next(numbers) for fact in known]


def listing(facts: Facts) -> str:
    """Facts as JSON, a line each."""
    lines = (json.dumps(fact, ensure_ascii=False, allow_nan=False) for fact in facts)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _place(criterion: str) -> int:
    return ROWS.index(row(criterion))


def check(facts: list[dict[str, Any]]) -> None:
    """Raise ValueError if of one criterion a property holds and fails for the same number of classes."""
    for one in facts:
        for other in facts:
            if (one["verdict"], other["verdict"], one["property"]) == ("holds", "fails", other["property"]):
                same = overlap(one["classes"], other["classes"])
                names = one["criterion"], other["criterion"]
                if same and (speaks_of(*names) or speaks_of(*reversed(names))):
                    got = f"{one['criterion']} {one['property']}: {one['theorem']} and {other['theorem']}"
                    raise ValueError(complaint("facts may not contradict each other", got, "correct one theorem"))


def overlap(one: Any, other: Any) -> bool:
    """Whether two facts are about some same number of classes."""
    lists = [set(x) for x in (one, other) if isinstance(x, list)]
    if not lists:
        return bool(max(x.get("from", 2) for x in (one, other)) <= min(x.get("to", math.inf) for x in (one, other)))
    return any(within(one, k) and within(other, k) for k in set.union(*lists))


@cache
def row(criterion: str) -> str:
    """The row of a criterion: its maker with the name of the parameter in the place of its value.

    Raises
    ------
    ValueError
        If the library exports no such criterion.
    """
    text = criterion.partition(" for ")[0]
    inner = text.removeprefix("decrease(").removesuffix(")") if text.startswith("decrease(") else text
    inner = inner.removeprefix("replace(")
    maker = re.match(r"\w+", inner)
    for name in ROWS:
        if maker and re.sub(r"^decrease\(", "", name).split("(")[0].rstrip(")") == maker.group():
            return name
    raise ValueError(complaint("a fact must be about a criterion of the library", criterion, "use " + ", ".join(ROWS)))


def rows() -> Iterator[str]:
    """Yield the public name behind every impurity and criterion that the library exports."""
    for room in (impurities, criteria, nulls):
        for name in room.__all__:
            value = getattr(room, name)
            maker = room is not nulls and isinstance(value, FunctionType)
            if name not in NO_ROWS and (maker or isinstance(value, criteria.Criterion | impurities.Impurity)):
                yield name


def cell(facts: Facts, name: str, property: str, classes: str) -> str:
    """What is settled about a row of the table: verdict, for what, key, and one example of a failure.

    Members of a family that one theorem settles on the same grounds stand together; an example that two classes have
    given already is not printed again for more.
    """
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for fact in facts:
        if row(fact["criterion"]) == name and fact["property"] == property and concerns(fact["classes"], classes):
            grounds = [*(["kernel-checked"] if fact.get("kernel") else []), *fact["rests_on"]]
            means = f" ({'; '.join(grounds)})" if fact["verdict"] == "holds" else ""
            groups.setdefault((_verdict(fact), _limits(fact, classes), fact["theorem"], means), []).append(fact)
    parts = []
    for (verdict, limits, key, means), same in groups.items():
        printed = classes == PAIR[1] and concerns(same[0]["classes"], PAIR[0])
        witness = "" if not same[0]["witness"] else ", as for K = 2" if printed else f": {same[0]['witness']}"
        parts.append(f"{verdict}{_members(same, name)}{limits} [{key}]{means}{witness}")
    return "; ".join(parts)


def said(fact: dict[str, Any], name: str, classes: str) -> str:
    """The verdict of a fact, the parameters and the numbers of classes it is limited to."""
    return _verdict(fact) + _members([fact], name) + _limits(fact, classes)


def _verdict(fact: dict[str, Any]) -> str:
    return {"holds": "holds", "fails": "refuted"}.get(fact["verdict"]) or f"to N = {fact['bound']}"


def _members(facts: list[dict[str, Any]], name: str) -> str:
    members = dict.fromkeys(_parameters(fact["criterion"]) for fact in facts if fact["criterion"] != name)
    return f" for {', '.join(members)}" if members else ""


def _limits(fact: dict[str, Any], classes: str) -> str:
    return "" if covers([fact["classes"]], classes) else f" for {about(fact['classes'])}"


def _parameters(criterion: str) -> str:
    """What tells a criterion from the others of its row: the range of a family, or the arguments of a call."""
    _, _, scope = criterion.partition(" for ")
    inner = plain(criterion)
    inner = inner.removeprefix("decrease(").removesuffix(")") if inner.startswith("decrease(") else inner
    return scope or inner.partition("(")[2].removesuffix(")")


def sign(facts: Facts, classes: str, signs: str = "✓✗≤±·") -> str:
    """Return one of the signs for what facts say of a group of classes.

    In this order: it holds of all; it fails; it holds up to a bound, or of some; it holds or fails as the parameter or
    the number of classes is; nothing is known.
    """
    mine = [f for f in facts if concerns(f["classes"], classes)]
    verdicts, holds = {f["verdict"] for f in mine}, [f for f in mine if f["verdict"] == "holds"]
    names = {f["criterion"] for f in holds}
    whole = any(covers([f["classes"] for f in holds if f["criterion"] == name], classes) for name in names)
    kind = 3 if {"holds", "fails"} <= verdicts else 1 if "fails" in verdicts else 0 if whole else 2 if verdicts else 4
    return signs[kind]
