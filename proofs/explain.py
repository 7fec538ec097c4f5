"""One theorem, told in full: statement, source, scope, what was checked and how, and what was refuted.

Main definitions: ``plain`` (as text), ``run`` (the command ``splitcrit explain``).
"""

from __future__ import annotations

import argparse
from textwrap import wrap
from typing import Any

from splitcrit.proof import Entry, Theorem
from splitcrit.proofs import catalogue, errata
from splitcrit.proofs.bibliography import cited
from splitcrit.proofs.command import tell
from splitcrit.proofs.ledger import ledger, theorem_json
from splitcrit.proofs.printed import WIDTH, failure

LABEL = 14


def _told(label: str, *texts: str) -> list[str]:
    """Return texts in paragraphs behind a label; nothing if all are empty."""
    lines = [line for text in texts if text for line in (wrap(text, WIDTH - LABEL, break_long_words=False) or [""])]
    return [f"{label if i == 0 else '':<{LABEL}}{line}" for i, line in enumerate(lines)]


def misprints(key: str) -> list[errata.Text]:
    """Return the errata that this theorem corrects."""
    texts, claims = errata.texts(), catalogue.errata()
    mine = [name for name, (_, erratum) in claims.items() if erratum.corrected == key]
    return [text for name, text in texts.items() if name in mine or text.theorem == key]


def plain(theorem: Theorem, entry: Entry, cached: bool) -> str:
    """Return everything about a settled theorem as text of 100 columns."""
    verdict = entry.verdict
    time = f"{entry.seconds:.2f} s" + (", kept from an earlier run" if cached else "")
    lines = [theorem.key, ""]
    lines += _told("states", theorem.statement)
    lines += [f"{'LaTeX':<{LABEL}}{theorem.latex}"] if theorem.latex else []
    lines += _told("source", theorem.source, cited(theorem.source.replace(",", " ").split()[0]))
    lines += _told("scope", theorem.scope_words)
    lines += _told("rests on", *map(str, theorem.premises))
    lines += _told("added", theorem.added)
    lines += _told("verdict", f"{verdict.status.value} by {verdict.method} ({time})")
    lines += _told("checked", verdict.evidence, f"witness: {verdict.witness}" if verdict.witness else "")
    for number, (miss, (_, v)) in enumerate(zip(theorem.fails, entry.near_misses, strict=True), 1):
        said = f"{miss.says} [another {miss.alters}]"
        lines += _told(f"near-miss {number}", said, f"{v.status.value} by {v.method}: {v.witness or v.evidence}")
    for fact in theorem.facts:
        holds = f"holds to N = {fact.bound}" if fact.bound else "holds" if fact.holds else "fails"
        classes = {"2": "two classes", ">2": "more than two classes", "all": "any number of classes"}[fact.classes]
        lines += _told("fact", f"{fact.criterion}: {fact.property} {holds} for {classes}")
    for text in misprints(theorem.key):
        lines += _told("misprint", f"{text.id}, {text.work}, {text.place}: {text.printed}")
    return "\n".join(lines)


def as_json(theorem: Theorem, entry: Entry, cached: bool) -> dict[str, Any]:
    """Return everything about a settled theorem as plain data."""
    return {
        **theorem_json(theorem, entry, cached),
        "latex": theorem.latex,
        "reference": cited(theorem.source.replace(",", " ").split()[0]),
        "facts": [
            {"criterion": f.criterion, "property": f.property, "classes": f.classes, "holds": f.holds, "bound": f.bound}
            for f in theorem.facts
        ],
        "errata": [text.id for text in misprints(theorem.key)],
    }


def run(given: argparse.Namespace) -> int:
    """Run ``splitcrit explain`` and return the exit status: 1 if the theorem is not settled."""
    (key,) = catalogue.select([given.key])
    done = ledger([key], [], jobs=1, cached=not given.no_cache)
    theorem, (entry,) = catalogue.collect()[key], done.entries
    told = theorem, entry, key in done.cached
    text = plain(*told) if entry.settled else f"{plain(*told)}\n\n{failure(entry)}"
    tell(given.json, as_json(*told), text)
    return 0 if entry.settled else 1
