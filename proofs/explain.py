"""One theorem, told in full: statement, source, scope, what was checked and how, and what was refuted.

Main definitions: ``plain`` (as text), ``listing`` (the keys of an area or a paper), ``run`` (the command
``splitcrit explain``).
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from textwrap import wrap
from typing import Any

from splitcrit.criteria.facts import about
from splitcrit.frozen import complaint
from splitcrit.proof import Entry, Theorem
from splitcrit.proofs import catalogue, errata, kernel
from splitcrit.proofs.bibliography import cited
from splitcrit.proofs.command import tell
from splitcrit.proofs.latex import formulas
from splitcrit.proofs.ledger import ledger, theorem_json
from splitcrit.proofs.printed import WIDTH, failure
from splitcrit.proofs.summaries import facts_of

LABEL = 16


def _told(label: str, *texts: str) -> list[str]:
    """Texts in paragraphs behind a label; nothing if all are empty."""
    lines = [line for text in texts if text for line in (wrap(text, WIDTH - LABEL, break_long_words=False) or [""])]
    return [f"{label if i == 0 else '':<{LABEL}}{line}" for i, line in enumerate(lines)]


def misprints(key: str) -> list[errata.Text]:
    """The errata that this theorem corrects."""
    texts, claims = errata.texts(), catalogue.errata()
    mine = [name for name, (_, erratum) in claims.items() if erratum.corrected == key]
    return [text for name, text in texts.items() if name in mine or text.theorem == key]


def plain(theorem: Theorem, entry: Entry, cached: bool) -> str:
    """Everything about a settled theorem as text of 100 columns."""
    verdict = entry.verdict
    time = f"{entry.seconds:.2f} s" + (", kept from an earlier run" if cached else "")
    lines = [theorem.key, ""]
    lines += _told("states", theorem.statement)
    for shown in formulas(theorem.holds):
        assuming = f"  for {', '.join(shown.hypotheses)}" if shown.hypotheses else ""
        lines += [f"{'LaTeX':<{LABEL}}{shown.says}{assuming}" + (f"  ({shown.where})" if shown.where else "")]
    lines += _told("source", theorem.source, cited(theorem.source.replace(",", " ").split()[0]))
    lines += _told("scope", theorem.scope_words)
    lines += _told("added", theorem.added)
    word = "settled" if entry.settled else "open"
    lines += _told("verdict", f"{word} by {verdict.method} ({time})")
    lines += _told("rests on", *entry.basis)
    lines += _told("premises", *map(str, theorem.premises))
    lines += _told("checked", verdict.evidence, f"witness: {verdict.witness}" if verdict.witness else "")
    by_kernel = kernel.of(theorem.key)
    trusted = f"trusted there: {kernel.TRUSTED}; make rocq compiles the proofs" if by_kernel else ""
    lines += _told("kernel-checked", *(theorem_of_rocq.words() for theorem_of_rocq in by_kernel), trusted)
    for number, (miss, (_, v)) in enumerate(zip(theorem.fails, entry.near_misses, strict=True), 1):
        altered = f"{miss.says} [another {miss.alters}]"
        lines += _told(f"near-miss {number}", altered, f"{v.status.value} by {v.method}: {v.witness or v.evidence}")
    for fact in facts_of(theorem, entry) if entry.settled else ():
        holds = f"holds to N = {fact['bound']}" if "bound" in fact else fact["verdict"]
        extended = f", by {fact['extended_by']}" if "extended_by" in fact else ""
        where = about(fact["classes"])
        lines += _told("fact", f"{fact['criterion']}: {fact['property']} {holds} for {where}{extended}")
    for text in misprints(theorem.key):
        lines += _told("misprint", f"{text.id}, {text.work}, {text.place}: {text.printed}")
    return "\n".join(lines)


def as_json(theorem: Theorem, entry: Entry, cached: bool) -> dict[str, Any]:
    """Everything about a settled theorem as plain data."""
    return {
        **theorem_json(theorem, entry, cached),
        "formulas": [asdict(shown) for shown in formulas(theorem.holds)],
        "reference": cited(theorem.source.replace(",", " ").split()[0]),
        "facts": facts_of(theorem, entry) if entry.settled else [],
        "errata": [text.id for text in misprints(theorem.key)],
    }


def listing(area: str, json: str | None) -> int:
    """Print the keys and statements of an area, of a paper, or of all areas, and return the exit status.

    Raises
    ------
    ValueError
        If there is no such area and no such paper.
    """
    areas, known = catalogue.areas(), catalogue.collect()
    for keys_of, name in ((catalogue.authors(), area.casefold()), (catalogue.works(), area)):
        if name and name in keys_of:
            areas = {area: keys_of[name]}
    if area and area not in areas:
        raise ValueError(complaint("no area has this name", area, "use one of " + ", ".join(areas)))
    lines, data = [], []
    for name, keys in areas.items():
        if area not in ("", name):
            continue
        lines += ["", f"{name}: {len(keys)} theorem{'s' * (len(keys) != 1)}"]
        for key in keys:
            indent = " " * 4
            lines += [key, *wrap(known[key].statement, WIDTH, initial_indent=indent, subsequent_indent=indent)]
            data.append({"key": key, "statement": known[key].statement, "source": known[key].source})
    tell(json, lambda: data, "\n".join(lines[1:]))
    return 0


def run(options: argparse.Namespace) -> int:
    """Run ``splitcrit explain`` and return the exit status: 1 if the theorem is not settled."""
    known = catalogue.areas().keys() | catalogue.works().keys()
    if options.key in known or options.key.casefold() in catalogue.authors():
        return listing(options.key, options.json)
    theorem = catalogue.find(options.key)
    done = ledger([theorem.key], [], jobs=1, cached=not options.no_cache)
    (entry,) = done.entries
    settled = theorem, entry, theorem.key in done.cached
    text = plain(*settled) if entry.settled else f"{plain(*settled)}\n\n{failure(entry)}"
    tell(options.json, lambda: as_json(*settled), text)
    return 0 if entry.settled else 1
