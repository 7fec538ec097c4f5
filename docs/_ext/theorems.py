"""Pages of theorems, errata and works: the statements as they stand, the verdicts as a run of the checker gave them.

Main definitions: ``settled`` (the ledger as data), ``pages``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from writing import code, displayed, erratum_label, text, theorem_label, work_label

from splitcrit.files import write_json
from splitcrit.proof import Theorem
from splitcrit.proofs import bibliography, cache, catalogue, errata, explain, ledger

Ledger = dict[str, Any]
HEAD = """\
# Theorems

{theorems} theorems, each proved by the checker, and {misses} near-misses, each refuted with a witness. The first word
of a key is its area; `splitcrit explain KEY` shows one theorem in a terminal, `splitcrit verify` settles them anew.
What stands here was written by a run of `splitcrit verify` on the sources of this very version. [What is proved and
what is not](../../trusted-base.md) says what a verdict is worth.

"""


def settled(file: Path, given: str = "") -> Ledger:
    """Return the ledger: of the run kept in ``file`` if it was of these sources, of a new run otherwise.

    A file that is ``given`` by name is used whatever it was made of, for a look at the pages.
    """
    path = Path(given) if given else file
    if path.is_file():
        kept: Ledger = json.loads(path.read_text(encoding="utf-8"))
        if given or kept.get("sources") == cache.sources():
            return kept
    found = ledger.as_json(ledger.ledger(catalogue.select([]), list(errata.texts())))
    file.parent.mkdir(parents=True, exist_ok=True)
    write_json(file, found)
    return found


def pages(done: Ledger) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page."""
    areas: dict[str, list[dict[str, Any]]] = {}
    for entry in done["theorems"]:
        areas.setdefault(entry["key"].partition(".")[0], []).append(entry)
    known = catalogue.collect()
    for area, entries in areas.items():
        told = [theorem(known[e["key"]], e) for e in entries if e["key"] in known]
        yield f"theorems/{area}", f"# {area}: {_number(len(told), 'theorem')}\n\n" + "\n".join(told)
    yield "theorems/index", index(areas)
    yield "errata", errata_page(done["errata"])
    yield "bibliography", works()


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def index(areas: dict[str, list[dict[str, Any]]]) -> str:
    """Return the page that lists every theorem, area by area."""
    entries = [e for found in areas.values() for e in found]
    parts = [HEAD.format(theorems=len(entries), misses=sum(len(e["near_misses"]) for e in entries))]
    for area, found in sorted(areas.items()):
        parts.append(f"## [{area}]({area}.md)\n")
        parts += [f"- {code(e['key'])}: {text(e['claim'])}" for e in found]
        parts.append("")
    listed = "\n".join(sorted(areas))
    return "\n".join([*parts, f"```{{toctree}}\n:hidden:\n\n{listed}\n```\n"])


def theorem(known: Theorem, entry: dict[str, Any]) -> str:
    """Return the section of one theorem: statement, scope, verdict, evidence, source, near-misses."""
    parts = [f"({theorem_label(known.key)})=\n## {code(known.key)}\n", text(known.statement) + "\n"]
    parts += [displayed(known.latex)] if known.latex else []
    verdict = f"**{entry['verdict']}** by {text(entry['method'])}: {text(entry['evidence'])}"
    told = {
        "Scope": text(known.scope_words),
        "Verdict": verdict + (f"; witness {code(entry['witness'])}" if entry["witness"] else ""),
        "Source": source(known.source),
        "Rests on": "; ".join(map(text, known.premises)),
        "Hypothesis added": text(known.added),
        "Corrects": ", ".join(f"{code(found.id)} ({text(found.place)})" for found in explain.misprints(known.key)),
    }
    parts += [f":{label}: {words}" for label, words in told.items() if words]
    parts.append("\nNear-misses, each of which had to be refuted:\n")
    for miss in entry["near_misses"]:
        said = f"{text(miss['says'])} *(another {text(miss['alters'])})*"
        parts.append(f"1. {said}: **{miss['verdict']}** by {code(miss['witness'])}")
    return "\n".join(parts) + "\n"


def source(place: str) -> str:
    """Return the place a statement comes from, with the key of the work as a link."""
    key = place.replace(",", " ").split()[0]
    return f"{code(key)}{text(place[len(key) :])}" if key in bibliography.entries() else text(place)


def errata_page(outcomes: list[dict[str, Any]]) -> str:
    """Return what is printed and refuted, work by work."""
    parts = [
        f"# Errata\n\n{len(outcomes)} claims of the papers that the checker refutes as printed, each with the witness "
        "that every run computes again, and a correction that it proves. Most are misprints.\n"
    ]
    work = None
    for found in outcomes:
        if found["paper"] != work:
            work = found["paper"]
            parts.append(f"\n## {work}\n\n{text(bibliography.cited(work))}\n")
        parts.append(f"({erratum_label(found['id'])})=\n### {found['id']}: {text(found['place'])}\n")
        told = {
            "Printed": text(found["printed"]),
            "Correction": text(found["correction"]),
            "Witness": f"{code(found['witness'])} ({found['printed_verdict']} by {text(found['method'])})",
            "Correct statement": code(found["theorem"]) if found["theorem"] else "",
        }
        parts += [f":{label}: {words}" for label, words in told.items() if words] + [""]
    return "\n".join(parts)


def works() -> str:
    """Return the bibliography."""
    parts = ["# Bibliography\n\nThe works that theorems and docstrings cite, by key; from `proofs/references.bib`.\n"]
    for key in sorted(bibliography.entries()):
        parts.append(f"({work_label(key)})=\n## {key}\n\n{text(bibliography.cited(key))}\n")
    return "\n".join(parts)
