"""The directive ``ran``: runs the examples of its section and says with which versions, or that a package is missing.

A recipe that ran is recorded, so that the tests of these sources run it no second time.

Main definitions: ``Recipe``, ``recipes`` (of a page), ``result`` (of a recipe that was run), ``recorded``, ``Ran``.
"""

from __future__ import annotations

import doctest
import hashlib
import io
import re
import warnings
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from splitcrit.proofs import cache

RECORD = Path(__file__).parents[1] / "_build" / "ran"
SECTION = re.compile(r"^## (?P<title>.+?)\n(?P<text>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
DIRECTIVE = re.compile(r"^```\{ran\} (?P<packages>.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Recipe:
    """A section of a page: its title, the packages that it needs, and the page's first lines followed by its text."""

    title: str
    packages: tuple[str, ...]
    text: str

    def missing(self) -> list[str]:
        """The packages that are not installed."""
        return [name for name in self.packages if not _version(name)]

    def versions(self) -> str:
        """The packages with their versions, in words.

        Examples
        --------
        >>> Recipe("a title", ("numpy",), "").versions().split()[0]
        'numpy'
        """
        return " and ".join(f"{name} {_version(name)}" for name in self.packages)


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def recipes(page: str) -> list[Recipe]:
    """The sections of a page in Markdown that hold the directive.

    Examples
    --------
    >>> page = "## One\\n\\n```{ran} numpy, scipy\\n```\\n\\n## Two\\n\\nWords.\\n"
    >>> [(recipe.title, recipe.packages) for recipe in recipes(page)]
    [('One', ('numpy', 'scipy'))]
    """
    first, found = page.partition("\n## ")[0], []
    for part in SECTION.finditer(page):
        if named := DIRECTIVE.search(part["text"]):
            found.append(Recipe(part["title"], tuple(named["packages"].split(", ")), f"{first}\n\n{part['text']}"))
    return found


def result(recipe: Recipe) -> tuple[int, str]:
    """Run the examples of a recipe; return their number, and what was wrong."""
    test = doctest.DocTestParser().get_doctest(recipe.text, {}, recipe.title, None, 0)
    said = io.StringIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other libraries about each other
        ran = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.write)
    return ran.attempted, said.getvalue()


def _key(recipe: Recipe) -> str:
    """What a recipe's output depends on, as a digest: text, versions, sources of the library."""
    return hashlib.sha256("\0".join((recipe.text, recipe.versions(), cache.sources())).encode()).hexdigest()


def recorded(recipe: Recipe) -> bool:
    """Whether a build has run this very recipe and seen the output that the page shows."""
    return (RECORD / _key(recipe)).is_file()


class Ran(SphinxDirective):
    """Run the examples of the section where the packages are installed."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()  # in every build: packages may have changed
        path = Path(self.env.doc2path(self.env.docname))
        text = path.read_text(encoding="utf-8")
        title = SECTION.findall("\n".join(text.splitlines()[: self.lineno]))[-1][0]
        (recipe,) = (each for each in recipes(text) if each.title == title)
        if self.config.nb_execution_excludepatterns:
            words = "Not run in this quick build: the output is that of an earlier run."
        elif absent := recipe.missing():
            words = f"This page was built without {' and '.join(absent)}: the output is that of an earlier run."
        else:
            attempted, wrong = result(recipe)
            if wrong or attempted != recipe.text.count("\n>>> "):
                raise ExtensionError(f"{path.name} shows another output than it has:\n{wrong}")
            RECORD.mkdir(parents=True, exist_ok=True)
            (RECORD / _key(recipe)).touch()
            words = f"Run with {recipe.versions()} when this page was built."
        return [nodes.paragraph("", "", nodes.emphasis("", words))]


def setup(app: Sphinx) -> dict[str, Any]:
    """Offer the directive."""
    app.add_directive("ran", Ran)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
