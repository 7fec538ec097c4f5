"""The bibliography: ``references.bib``, read with the standard library.

Main definitions: ``entries``, ``cited``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from splitcrit.frozen import complaint

FILE = Path(__file__).parent / "references.bib"
ENTRY = re.compile(r"^@\w+\{(\w+),\n(.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^  (\w+)\s*= \{(.*)\},$", re.MULTILINE)


@lru_cache(maxsize=1)
def entries() -> dict[str, dict[str, str]]:
    """The fields of every entry by its key.

    Raises
    ------
    ValueError
        If two entries share a key, or one lacks author, title or year.
    """
    fields_of: dict[str, dict[str, str]] = {}
    for key, body in ENTRY.findall(FILE.read_text(encoding="utf-8")):
        if key in fields_of:
            raise ValueError(complaint("two works may not share a bibliography key", key, "rename one of the two"))
        fields_of[key] = dict(FIELD.findall(body))
        if missing := {"author", "title", "year"} - set(fields_of[key]):
            rule = f"bibliography entry {key} must have an author, a title and a year"
            raise ValueError(complaint(rule, f"no {min(missing)}", "fill it in"))
    return fields_of


def cited(key: str) -> str:
    """A work as it is cited, empty for a key that names none."""
    fields = entries().get(key)
    if fields is None:
        return ""
    *others, last = [name.partition(",")[0] for name in fields["author"].split(" and ")]
    names = f"{', '.join(others)} and {last}" if others else last
    venue = next((fields[kind] for kind in ("journal", "booktitle", "publisher") if kind in fields), "")
    volume = f" {fields['volume']}" if "volume" in fields else ""
    return f"{names} ({fields['year']}). {fields['title']}. {venue}{volume}."
