"""Pages that moved: at each old address stands a page that leads to the new one, at once and by a link.

Main definitions: ``MOVED``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

MOVED = {  # the old page, without ending: the new one, with its heading
    "sparse": "large-data#sparse-features-thousands-of-columns-mostly-0",
    "first-minute-engineer": "choosing-a-criterion#one-case-would-another-criterion-help-my-tree",
}
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>This page moved</title><link rel="canonical" href="{page}">
<meta http-equiv="refresh" content="0; url={target}"></head>
<body><p>This page moved to <a href="{target}">{target}</a>.</p></body></html>
"""


def address(target: str) -> str:
    """Return the address of a page or of a heading, as a link from a page beside it.

    Examples
    --------
    >>> address("large-data#what-can-go-wrong"), address("audit")
    ('large-data.html#what-can-go-wrong', 'audit.html')
    """
    page, mark, heading = target.partition("#")
    return f"{page}.html{mark}{heading}"


def written(app: Sphinx, error: Exception | None) -> None:
    """Write a page at each old address."""
    for old, target in MOVED.items() if error is None and app.builder.format == "html" else ():
        page = address(target.partition("#")[0])
        (Path(app.outdir) / f"{old}.html").write_text(PAGE.format(page=page, target=address(target)), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write them after the build."""
    app.connect("build-finished", written)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
