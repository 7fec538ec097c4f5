"""Pages are read without the web: the build fails if one loads a script, style, font or picture from another host.

Links that a reader clicks may lead anywhere. What a script of ours fetches when it runs is not seen here; one that
stands in a page may name no address.

Main definitions: ``loaded``, ``foreign``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

QUOTED = r"(?:[^<>\"']|\"[^\"]*\"|'[^']*')*"  # of a tag, whose values may hold any sign
ELEMENT = re.compile(rf"<(script|style)\b{QUOTED}>.*?</\1\s*>|<[a-z]{QUOTED}>", re.IGNORECASE | re.DOTALL)
ELSEWHERE = re.compile(r"\s*(?:https?:|wss?:)?//[\w.-]", re.IGNORECASE)
STYLE = re.compile(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')\s;]+)", re.IGNORECASE)
ADDRESS = re.compile(r"[\"'`]((?:https?:)?//[\w.-]+[^\"'`\s]*)")
LOADS = {"src", "poster", "background"}  # of whatever element
ALSO = {("object", "data"), ("base", "href"), ("use", "href"), ("image", "href"), ("feimage", "href")}
NAMED = {"alternate", "author", "canonical", "help", "license", "next", "prev", "search"}  # links that load nothing
MOST = 10  # of a message


class _Page(HTMLParser):
    """Collects what the elements of a page load."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name.removeprefix("xlink:"): value or "" for name, value in attrs}
        self.inside = tag
        self.found += STYLE.findall(given.get("style", ""))
        self.found += [place.strip() for place in given.get("srcset", "").split(",")]
        self.found += [value for name, value in given.items() if name in LOADS or (tag, name) in ALSO]
        if tag == "link" and not NAMED.issuperset(given.get("rel", "").lower().split()):
            self.found.append(given.get("href", ""))

    def handle_data(self, data: str) -> None:
        if self.inside in ("script", "style"):
            self.found += (ADDRESS if self.inside == "script" else STYLE).findall(data)

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""


def loaded(page: str) -> list[str]:
    """The addresses at other hosts from which a page of HTML loads something.

    Examples
    --------
    >>> loaded('<script src="https://cdn.example/a.js"></script><a href="https://example.org">a link</a>')
    ['https://cdn.example/a.js']
    """
    parser = _Page()
    for element in ELEMENT.finditer(page):
        if "//" in element[0]:  # what has no address is not parsed, which takes most of the time
            parser.feed(element[0])
    parser.close()
    return [place for place in parser.found if ELSEWHERE.match(place)]


def foreign(folder: Path) -> Iterator[str]:
    """Yield a line for each such address in the pages and styles of a folder."""
    for path in sorted([*folder.rglob("*.html"), *folder.rglob("*.css")]):
        text = path.read_text(encoding="utf-8")
        places = loaded(text) if path.suffix == ".html" else STYLE.findall(text)
        yield from (f"{path.relative_to(folder)} loads {place}" for place in places)


def checked(app: Sphinx, error: Exception | None) -> None:
    """Fail if a page of the build loads something from another host."""
    if error is None and app.builder.format == "html" and (found := list(foreign(Path(app.outdir)))):
        more = [f"and {len(found) - MOST} more"] if len(found) > MOST else []
        raise ExtensionError("\n".join(["pages are read without the web:", *found[:MOST], *more]))


def setup(app: Sphinx) -> dict[str, Any]:
    """Look at what was built."""
    app.connect("build-finished", checked)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
