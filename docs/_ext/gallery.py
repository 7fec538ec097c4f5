"""The directive ``gallery``: a thumbnail of every picture of its page, each a link to the section with the code.

Main definitions: ``entries``, ``Gallery``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

PART = re.compile(r"^## (?P<title>.+)$|^!\[(?P<alt>[^\]]+)\]\((?P<picture>[^)]+)\)$", re.MULTILINE)


class Entry(NamedTuple):
    """A picture, what it shows, and the title of the section that it stands in."""

    title: str
    picture: str
    alt: str

    @property
    def anchor(self) -> str:
        """The anchor of the section."""
        return nodes.make_id(self.title)


def entries(page: str) -> list[Entry]:
    """The pictures of a page in Markdown, in order.

    Examples
    --------
    >>> [(entry.anchor, entry.picture) for entry in entries("## The *null*\\n\\n![A law](law.png)")]
    [('the-null', 'law.png')]
    """
    found, title = [], ""
    for part in PART.finditer(page):
        title = part["title"] or title
        if part["picture"]:
            found.append(Entry(title, part["picture"], part["alt"]))
    return found


class Gallery(SphinxDirective):
    """Show the thumbnails."""

    def run(self) -> list[nodes.Node]:
        grid = nodes.container(classes=["gallery"])
        for entry in entries(Path(self.env.doc2path(self.env.docname)).read_text(encoding="utf-8")):
            link = nodes.reference("", "", internal=True, refuri=f"#{entry.anchor}", classes=["thumbnail"])
            link += nodes.image(uri=entry.picture, alt=entry.alt, loading="lazy")
            link += nodes.inline("", entry.title)
            grid += nodes.paragraph("", "", link)
        return [grid]
