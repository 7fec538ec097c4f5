"""The criterion x property table: facts of settled theorems as data, and as a page in which every cell has a key.

Main definitions: ``facts`` (the content of ``splitcrit/facts.json``), ``row``, ``rows``, ``cell``, ``page``,
``summary`` (the table of marks in the README).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any

from splitcrit import criteria, impurities, nulls
from splitcrit.criteria.facts import CLASSES, plain, speaks_of
from splitcrit.proof import PROPERTIES, Fact, Verdict
from splitcrit.proofs import catalogue
from splitcrit.proofs.ledger import Ledger
from splitcrit.values import complaint

Facts = Iterable[dict[str, Any]]

# One row for each impurity and each criterion that the library exports; makers stand with their parameter.
IMPURITIES = (
    "gini", "entropy", "shannon_entropy(base)", "misclassification", "sqrt_gini", "matushita", "bayes_sum", "gce(q)",
    "ne(lam)", "variance(values)", "absolute_deviation(values)",
)  # fmt: skip
OTHERS = (
    "twoing", "pairwise_gain", "one_vs_rest_pairwise_gain", "sum_minority", "normalised(impurity)",
    "imprecise_information_gain(s)", "imprecise_gain_ratio(s)", "sgini", "agini", "significance", "max_selected",
)  # fmt: skip
ROWS = (*(f"decrease({name})" for name in IMPURITIES), *OTHERS)
NO_ROWS = {"as_criterion", "by_sums", "decrease", "replace", "scaled", "twoing_superclasses"}  # make none of their own

MARKS = {"fails": "✗", "holds": "✓", "bounded": "≤"}

HEAD = """\
# Criteria and their properties

A cell says what is proved, by which theorem, and for what; `splitcrit explain KEY` shows the theorem. A property is
refuted where a witness against it is known. "To N = 12" is less than proved: every node of at most 12 examples was
gone through and none is a counterexample, and of larger nodes nothing is known; no method of the library relies on it.
Empty cells are open: nothing is claimed.
"""


def facts(done: Ledger) -> list[dict[str, Any]]:
    """Return the facts of a whole ledger, in order.

    Raises
    ------
    ValueError
        If two theorems contradict each other.
    """
    found = []
    for entry in done.entries:
        known = catalogue.collect()[entry.key].facts if entry.settled else ()
        for fact, witness, numbers in zip(known, *witnesses(known, entry.verdict), strict=True):
            found.append({
                "criterion": fact.criterion, "property": fact.property, "classes": fact.classes,
                "verdict": "fails" if not fact.holds else "bounded" if fact.bound else "holds",
                **({"bound": str(fact.bound)} if fact.bound else {}),
                "scope": entry.scope, "theorem": entry.key, "witness": witness,
                **({"splits": numbers} if numbers else {}),
            })  # fmt: skip
    check(found)
    return sorted(found, key=lambda f: (_place(f["criterion"]), PROPERTIES.index(f["property"]), *f.values()))


def witnesses(known: tuple[Fact, ...], verdict: Verdict) -> tuple[list[str], list[Any]]:
    """Return the witness of each fact in words and in numbers; where there are as many, each failure has its own."""
    parts, failures = verdict.witness.split("; "), sum(not fact.holds for fact in known)
    own = iter(parts if len(parts) == failures else [verdict.witness] * failures)
    numbers = iter(verdict.numbers if len(verdict.numbers) == failures else [[]] * failures)
    return ["" if fact.holds else next(own) for fact in known], [[] if fact.holds else next(numbers) for fact in known]


def listing(found: Facts) -> str:
    """Return facts as JSON, a line each."""
    lines = (json.dumps(fact, ensure_ascii=False, allow_nan=False) for fact in found)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _place(criterion: str) -> int:
    return ROWS.index(row(criterion))


def check(found: list[dict[str, Any]]) -> None:
    """Raise ValueError if of one criterion a property holds and fails for the same number of classes."""
    for one in found:
        for other in found:
            if (one["verdict"], other["verdict"], one["property"]) == ("holds", "fails", other["property"]):
                same = "all" in (one["classes"], other["classes"]) or one["classes"] == other["classes"]
                names = one["criterion"], other["criterion"]
                if same and (speaks_of(*names) or speaks_of(*reversed(names))):
                    got = f"{one['criterion']} {one['property']}: {one['theorem']} and {other['theorem']}"
                    raise ValueError(complaint("facts do not contradict each other", got, "correct one theorem"))


def row(criterion: str) -> str:
    """Return the row of a criterion: its maker with the name of the parameter in the place of its value.

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
    raise ValueError(complaint("a fact is about a criterion of the library", criterion, "use " + ", ".join(ROWS)))


def rows() -> Iterator[str]:
    """Yield the public name behind every impurity and criterion that the library exports."""
    for room in (impurities, criteria, nulls):
        for name in room.__all__:
            value = getattr(room, name)
            maker = room is not nulls and isinstance(value, FunctionType) and name not in NO_ROWS
            if maker or isinstance(value, criteria.Criterion | impurities.Impurity):
                yield name


def cell(found: Facts, name: str, property: str, classes: str) -> str:
    """Return what is proved about a row of the table: verdict, key, for what, and the witness of a failure."""
    parts = []
    for fact in found:
        if row(fact["criterion"]) == name and fact["property"] == property and fact["classes"] in (classes, "all"):
            word = {"holds": "proved", "fails": "refuted"}.get(fact["verdict"]) or f"to N = {fact['bound']}"
            which = "" if fact["criterion"] == name else f" for {_parameters(fact['criterion'])}"
            witness = f": {fact['witness']}" if fact["witness"] else ""
            parts.append(f"{word}{which} [{fact['theorem']}]{witness}")
    return "; ".join(parts)


def _parameters(criterion: str) -> str:
    """Return what tells a criterion from the others of its row: the range of a family, or the arguments of a call."""
    _, _, scope = criterion.partition(" for ")
    inner = plain(criterion)
    inner = inner.removeprefix("decrease(").removesuffix(")") if inner.startswith("decrease(") else inner
    return scope or inner.partition("(")[2].removesuffix(")")


def page(found: Facts) -> str:
    """Return the table as a page of Markdown: a section for each property, a row for each criterion."""
    found, parts = list(found), [HEAD]
    for property in PROPERTIES:
        parts.append(f"## {property}\n\n| criterion | K = 2 | K > 2 |\n|---|---|---|")
        for name in ROWS:
            cells = [_escaped(cell(found, name, property, classes)) for classes in CLASSES[:2]]
            parts.append(f"| `{name}` | {' | '.join(cells)} |")
        parts += ["", *scopes(found, property), ""]
    return "\n".join(parts)


def mark(found: Facts, name: str, property: str, classes: str) -> str:
    """Return one sign for what is known of a row of the table: the verdicts of its members taken together."""
    mine = [f for f in found if row(f["criterion"]) == name and f["property"] == property]
    verdicts = {f["verdict"] for f in mine if f["classes"] in (classes, "all")}
    if {"holds", "fails"} <= verdicts:
        return "±"
    return next((sign for verdict, sign in MARKS.items() if verdict in verdicts), "·")


def summary(found: Facts) -> str:
    """Return the whole table in signs, two classes before more, as lines of Markdown."""
    found = list(found)
    lines = [f"| criterion | {' | '.join(PROPERTIES)} |", "|---" * (len(PROPERTIES) + 1) + "|"]
    for name in ROWS:
        cells = [" ".join(mark(found, name, p, classes) for classes in CLASSES[:2]) for p in PROPERTIES]
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def placed(text: str, found: Facts) -> str:
    """Return a page with the table of signs renewed between its two marks."""
    start, end = "<!-- table of properties -->\n", "<!-- end of table -->"
    before, _, rest = text.partition(start)
    _, _, after = rest.partition(end)
    return f"{before}{start}\n{summary(found)}\n\n{end}{after}" if after else text


def scopes(found: Facts, property: str) -> list[str]:
    """Return for what each theorem cited about a property is settled, one line a theorem."""
    cited = {fact["theorem"]: fact["scope"] for fact in found if fact["property"] == property}
    return (
        ["Settled for:", "", *(f"- `{key}`: {_escaped(scope)}" for key, scope in sorted(cited.items()))]
        if cited
        else []
    )


def _escaped(text: str) -> str:
    return re.sub(r"\[([\w.]+)\]", r"`[\1]`", text.replace("|", "\\|")).replace("*", "\\*")
