"""What is the same on every page is computed once: the stems of words, and the titles that the sidebar lists.

Sphinx stems the words of each page anew, and copies every section of every page into the sidebar of each, of which only
the titles stay.

Main definitions: ``titles_of``, ``listing_titles``, ``Index``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from docutils import nodes
from sphinx import addnodes, search
from sphinx.application import Sphinx
from sphinx.builders import html
from sphinx.environment.adapters import toctree


def titles_of(toc: nodes.bullet_list) -> nodes.bullet_list:
    """The contents of a page without its sections: its titles, and the lists of other pages that stand there."""
    kept: nodes.bullet_list = toc.deepcopy()
    for title in kept.children:
        if isinstance(title, nodes.Element) and len(title) > 1:
            if lists := list(title.findall(addnodes.toctree)):
                title[1][:] = lists  # type: ignore[index]
            else:
                title.pop(1)
    return kept


def listing_titles(resolve: Callable[..., Any]) -> Callable[..., Any]:
    """Sphinx's function that lists all pages, which where it lists titles alone is shown no sections."""
    known: dict[int, dict[str, nodes.bullet_list]] = {}

    @functools.wraps(resolve)
    def listed(env: Any, page: str, builder: Any, **options: Any) -> Any:
        if not options.get("titles_only"):
            return resolve(env, page, builder, **options)
        whole = env.tocs
        if id(whole) not in known:
            known[id(whole)] = {name: titles_of(toc) for name, toc in whole.items()}
        env.tocs = known[id(whole)]
        try:
            return resolve(env, page, builder, **options)
        finally:
            env.tocs = whole

    return listed


class Index(search.IndexBuilder):
    """An index that remembers the stem of a word."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.lang.stem = functools.cache(self.lang.stem)


def setup(app: Sphinx) -> dict[str, Any]:
    """Let the builders use these."""
    html.global_toctree_for_doc = listing_titles(toctree.global_toctree_for_doc)
    search.IndexBuilder = Index
    return {"parallel_read_safe": True, "parallel_write_safe": True}
