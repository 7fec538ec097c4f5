"""The page of properties: the table in signs, what each property means in plain words, and a section for each.

Main definitions: ``MEANINGS``, ``summary`` (the table in signs), ``usual_noise``, ``page``.
"""

from __future__ import annotations

import re

from splitcrit.proof import PROPERTIES
from splitcrit.proofs.summaries import PAIR, ROWS, Facts, cell, row, sign

TITLE = "# Which criterion has which property?\n"
KEPT = "The better of two splits of a node stays the better one in the expected noisy counts"
MEANINGS = {
    "concave": "The impurity of a mixture of two nodes is at least the mixture of their impurities, so no split has a "
    "negative decrease.",
    "zero only at vertices": "The impurity is 0 only for a pure node, all of whose samples are of one class: a vertex "
    "of the simplex of class proportions.",
    "keeps order under uniform noise": f"{KEPT}, if every label is wrong with the same probability and every wrong "
    "label is equally likely. With two classes that is symmetric noise.",
    "keeps order under class-conditional noise": f"{KEPT}, if the probability that a label is wrong depends on its "
    "class: positives may be misread more often than negatives.",
    "keeps order under pair-flip noise": f"{KEPT}, if a wrong label is always that of the next class: 1 for 0, or "
    "2 for 1.",
    "keeps order under instance-dependent noise": f"{KEPT}, if the probability that a label is wrong depends on the "
    "sample, including its features.",
    "stops early": "Some split whose children differ in their class proportions does not score above 0, so a tree that "
    "requires a gain stops there. This helps if labels are noisy, and hurts if they are not.",
    "ordering shortcut": "The best division of categories into two groups is a cut of one order, by mean response "
    "(with two classes, by the share of one class): a few candidates instead of all subsets.",
    "vertex-optimal split": "If any part of each class might go to either side, some best split divides no class: each "
    "class goes to one side as a whole, at a vertex of the cube of all splits.",
}
SIGNS = """\
✓ holds, ✗ refuted by a witness, ≤ holds only for small nodes or some numbers of classes, ± depends on the number of
classes or the parameter, · open: nothing is claimed. First two classes, then more. Of families such as `ne(lam)` the
section of a property names the values covered.
"""
CELLS = """\
## How to read the sections

A witness refutes a property. If the property holds, the parentheses show what that rests on: *kernel-checked*,
*algebra* for all values of the variables, *enumerated* with the sizes tried, or *premises*, which the theorem names.
"To N = 12" is weaker: no node of at most 12 samples is a counterexample, larger nodes are open, and no method of the
library relies on it. Entries for more than two classes hold for all numbers of classes, or for the K listed; "the
same" repeats the cell beside it. Of several examples of one theorem the first is printed, all are in
`splitcrit/facts.json`. Empty cells are open, and so is a criterion without a row. `splitcrit explain KEY` shows a
theorem; [by result and author](field-theorems.md) lists what holds beyond the table.
"""


def page(facts: Facts) -> str:
    """The page in Markdown: the table in signs, what each property means, and a section for each."""
    facts = list(facts)
    meant = (f"[{p}](#{anchor(p)})\n: {MEANINGS[p]}\n" for p in PROPERTIES)
    parts = [TITLE, summary(facts), "", SIGNS, "## What the properties mean\n", *meant, CELLS]
    for property in PROPERTIES:
        noise = usual_noise(facts, property)
        parts.append(f"## {property}\n")
        parts += [f"Examples hold {noise}, unless a cell names another noise.\n"] if noise else []
        parts.append("| criterion | K = 2 | K > 2 |\n|---|---|---|")
        for name in ROWS:
            cells = (cell(facts, name, property, classes) for classes in PAIR)
            two, more = (_escaped(each.replace(f", {noise}", "") if noise else each) for each in cells)
            if two or more:
                parts.append(f"| {linked(name)} | {two} | {'the same' if two == more else more} |")
        parts += ["", *scopes(facts, property), ""]
    return "\n".join(parts)


def anchor(property: str) -> str:
    """The anchor of the section of a property."""
    return property.replace(" ", "-")


def linked(name: str) -> str:
    """A criterion as code that leads to its own section among the criteria, one by one."""
    section = re.sub(r"[^\w-]", "", name)
    return f"[`{name}`](generated/criteria.md#{section})"


def summary(facts: Facts) -> str:
    """The whole table in signs, two classes before more, as lines of Markdown."""
    facts = list(facts)
    heads = " | ".join(f"[{p}](#{anchor(p)})" for p in PROPERTIES)
    lines = [f"| criterion | {heads} |", "|---" * (len(PROPERTIES) + 1) + "|"]
    for name in ROWS:
        cells = [" ".join(mark(facts, name, p, classes) for classes in PAIR) for p in PROPERTIES]
        lines.append(f"| {linked(name)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def mark(facts: Facts, name: str, property: str, classes: str) -> str:
    """Return one sign for what is known of a row of the table: the verdicts of its members taken together."""
    return sign([f for f in facts if row(f["criterion"]) == name and f["property"] == property], classes)


def usual_noise(facts: Facts, property: str) -> str:
    """The noise of most examples about a property of noise; nothing for another property."""
    if "noise" not in property:
        return ""
    kinds: list[str] = [
        fact["witness"].rpartition(", ")[2] for fact in facts if fact["property"] == property and fact["witness"]
    ]
    return max(dict.fromkeys(kinds), key=kinds.count)


def scopes(facts: Facts, property: str) -> list[str]:
    """For what each theorem is settled by which a property holds, one line a scope; an example refutes by itself."""
    keys: dict[str, set[str]] = {}
    for fact in facts:
        if fact["property"] == property and fact["verdict"] != "fails":
            keys.setdefault(fact["scope"], set()).add(f"`{fact['theorem']}`")
    lines = [f"- {_escaped(scope)}: {', '.join(sorted(named))}" for scope, named in sorted(keys.items())]
    return ["Settled for:", "", *lines] if lines else []


def _escaped(text: str) -> str:
    return re.sub(r"\[([\w.]+)\]", r"`[\1]`", text.replace("|", "\\|")).replace("*", "\\*")
