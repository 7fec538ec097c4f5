"""Summaries of criteria and formula sheets, from facts and from the formulas run on symbols.

Main definitions: ``summary_page``, ``formulas_page``.
"""

from __future__ import annotations

import inspect
import re
from fractions import Fraction
from typing import Any

import sympy
from writing import code, displayed, table, text

from splitcrit import criteria, impurities, losses, nulls
from splitcrit.criteria.facts import concerns, facts
from splitcrit.proof import PROPERTIES
from splitcrit.proofs import summaries
from splitcrit.proofs.symbols import SYMBOL, classes, counts, latex, symbol

PARAMETERS = {"gce": Fraction(1, 2), "ne": Fraction(1, 2)}
RESPONSES = sympy.symbols("y_1:4", real=True)


def maker(name: str) -> Any:
    """The public value or function behind a row of the table of properties."""
    inner = name.removeprefix("decrease(").split("(")[0].rstrip(")")
    return next(getattr(part, inner) for part in (impurities, criteria, nulls) if hasattr(part, inner))


def sentence(value: Any) -> str:
    """The first sentence of a function's docstring; nothing for a value, whose docstring is its type's."""
    told = inspect.getdoc(value) if inspect.isfunction(value) else ""
    return (told or "").partition("\n\n")[0]


def summary_page() -> str:
    """A summary of each criterion: its properties with their theorems."""
    parts = [
        "# Criteria, one by one: Gini, entropy, Hellinger, twoing, SGini and others\n",
        "What is proved of each criterion, and by which theorem. An empty cell is open; "
        "*to N = 12* was gone through for every node of at most 12 examples and is not relied upon. "
        "[The same, property by property and with the witnesses](../properties.md).\n",
    ]
    for name in summaries.ROWS:
        mine = [fact for fact in facts() if summaries.row(fact["criterion"]) == name]
        parts += [f"## {code(name)}\n", sentence(maker(name)), ""]
        rows = [[p, *(_cell(mine, name, p, group) for group in summaries.PAIR)] for p in PROPERTIES]
        known = [row for row in rows if any(row[1:])]
        parts += [table(["property", "two classes", "more classes"], known) if known else "Nothing is claimed.", ""]
    return "\n".join(parts)


def _cell(found: list[dict[str, Any]], name: str, property: str, classes: str) -> str:
    parts = []
    for fact in found:
        if fact["property"] == property and concerns(fact["classes"], classes):
            parts.append(f"{text(summaries.said(fact, name, classes))}: {code(fact['theorem'])}")
    return "; ".join(dict.fromkeys(parts))


def formulas_page() -> str:
    """The formulas of impurities, losses and criteria, as they were run on symbols."""
    parts = [
        "# Formula sheet\n\nNothing here was typed: the functions that score tables were run on symbols, and this is "
        "what they returned. Proportions are positive here; the formulas also take zeros (`0 log 0 = 0`).\n",
        "## Impurities\n\nOf two classes with proportions $1 - p$ and $p$, and of three.\n",
    ]
    parts += [_impurity(value) for value in _values(impurities, impurities.Impurity)]
    parts.append(
        "## Losses\n\nThe cost of the action $w$ when the class is the first of three; of a margin loss, when it is "
        "the positive and when it is the negative one.\n"
    )
    parts += [_loss(value) for value in _values(losses, losses.Loss)]
    parts.append("## Criteria\n\nOf a table with rows $(a, b)$ and $(c, d)$: rows are children, columns are classes.\n")
    parts += [
        _criterion(value) for value in (criteria.decrease(impurities.gini), *_values(criteria, criteria.Criterion))
    ]
    return "\n".join(parts)


def _values(part: Any, kind: type) -> list[Any]:
    """The values of a kind that a subpackage exports, and what its makers give for a parameter."""
    found = []
    for name in part.__all__:
        value = getattr(part, name)
        if name in PARAMETERS and inspect.isfunction(value):
            value = value(PARAMETERS[name])
        elif name in ("variance", "absolute_deviation"):
            value = value(range(3))
        if isinstance(value, kind):
            found.append(value)
    return found


def _impurity(impurity: Any) -> str:
    shown = [
        impurity.of(classes(k), SYMBOL) for k in (2, 3) if k == 3 or not re.search(r"range|\(0, 1, 2\)", repr(impurity))
    ]
    loss = f"\nThe least risk of {code(impurity.loss)}.\n" if impurity.loss else ""
    return f"### {code(impurity)}\n{loss}" + "".join(displayed(latex(x)) for x in shown)


def _loss(loss: Any) -> str:
    if loss.space == "line":
        w = symbol("w", real=True)
        shown = [loss.at(w, k, SYMBOL) for k in (1, 0)]
    else:
        shown = [loss.at(classes(3, "w"), 0, SYMBOL)]
    return f"### loss {code(loss)}\n" + "".join(displayed(latex(x)) for x in shown)


def _criterion(criterion: Any) -> str:
    score = SYMBOL.read(criterion.score(counts(), SYMBOL))
    if not score.has(sympy.Abs, sympy.Max):
        score = sympy.factor(score)
    if len(score.atoms(sympy.log)) > 6:  # one logarithm of a product is narrower than a sum
        score = sympy.simplify(SYMBOL.read(criterion.score(counts(), SYMBOL)))
    return f"### {code(criterion)}\n{displayed(latex(score))}"
