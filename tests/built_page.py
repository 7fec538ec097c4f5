"""A page of Markdown as Sphinx builds it with extensions of the documentation."""

from __future__ import annotations

from pathlib import Path


def built(folder: Path, page: str, *extensions: str, settings: str = "", parser: str = "myst_parser") -> str:
    """The page that is made in a folder."""
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace

    (folder / "conf.py").write_text(f"extensions = {[parser, *extensions]}\n{settings}")
    (folder / "index.md").write_text(page)
    with docutils_namespace():
        Sphinx(folder, folder, folder / "html", folder / "trees", "html", status=None).build()
    return (folder / "html" / "index.html").read_text()
