"""Sphinx's own search, on the pages written by hand, answers a newcomer's words with the page that helps."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="the pages are built by Sphinx")
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from tools.navigation import NEWCOMERS, ranked

DOCS = Path(__file__).parents[2] / "docs"
SETTINGS = {  # without the pages that the build writes, and without running any
    "extensions": ["myst_parser"], "source_suffix": {".md": "markdown"}, "html_theme": "basic",
    "exclude_patterns": ["_build", "_ext", "_static", "generated", "reproductions"],
    "html_search_scorer": str(DOCS / "_ext" / "search.js"), "suppress_warnings": ["*"],
    "myst_enable_extensions": ["dollarmath", "colon_fence", "deflist", "fieldlist"],
}  # fmt: skip


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the pages with the index of the search."""
    if shutil.which("node") is None:
        pytest.skip("the search runs in node, which is not installed")
    folder = tmp_path_factory.mktemp("search")
    with docutils_namespace():
        app = Sphinx(DOCS, None, folder, folder / "trees", "html", SETTINGS, status=None, warning=None)
        app.build()
    return folder


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of Sphinx about itself
def test_a_newcomers_words_find_their_page_first(html: Path) -> None:
    found = {query: ranked(html, query)[:1] for query, _ in NEWCOMERS}
    assert found == {query: [page] for query, page in NEWCOMERS}
