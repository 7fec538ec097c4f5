"""One kernel runs every page that is run, each as in a new one.

Main definitions: ``Kept`` (the client of a page).
"""

from __future__ import annotations

from typing import Any, ClassVar

from myst_nb.core.execute import inline
from sphinx.application import Sphinx

from tools.kernels import begin_anew


class Kept(inline.ModifiedNotebookClient):
    """A client whose kernel the next one takes over."""

    first: ClassVar[Kept | None] = None

    def __init__(self, nb: Any, **options: Any) -> None:
        first = Kept.first
        super().__init__(nb, km=first and first.km, **options)
        self.owns_km = False  # so that the kernel does not end with the page
        if first is None:
            Kept.first = self
            return
        self.kc = first.kc
        begin_anew(self, options["resources"]["metadata"]["path"])


def summary_last(app: Sphinx, env: Any, pages: list[str]) -> None:
    """Read the page that gathers verdicts after the pages that state them, which it would run otherwise."""
    pages.sort(key=lambda page: page == "reproductions")


def ended(app: Sphinx, error: Exception | None) -> None:
    """End the kernel with the build."""
    first, Kept.first = Kept.first, None
    if first is not None and first.km is not None:
        first._cleanup_kernel()


def setup(app: Sphinx) -> dict[str, Any]:
    """Let each page take over the kernel of the one before."""
    inline.ModifiedNotebookClient = Kept
    app.connect("env-before-read-docs", summary_last)
    app.connect("build-finished", ended)
    return {"parallel_read_safe": False}
