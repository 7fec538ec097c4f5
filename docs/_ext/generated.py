"""The extension of these pages: writes the generated ones before Sphinx reads, and links keys wherever they stand.

A page is written only if its text changed, so that a second build reads little.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, ClassVar

import criteria
import gallery
import kernel
import reference
import studies
import theorems
import violations
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from writing import erratum_label, theorem_label, work_label

from splitcrit.criteria.facts import facts
from splitcrit.proofs import bibliography, catalogue, coverage, properties

FOLDER = "generated"
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def written(app: Sphinx) -> None:
    """Write every generated page, and remove those that are no longer made."""
    folder = Path(app.srcdir) / FOLDER
    quick = app.tags.has("quick")
    done = theorems.settled(Path(app.srcdir) / "_build" / "ledger.json", quick)
    formulas = theorems.shown(Path(app.srcdir) / "_build" / "formulas.json", quick)
    made = [(f"{name}.md", page) for name, page in theorems.pages(done, formulas)]
    made += [("criteria.md", criteria.summary_page()), ("formulas.md", criteria.formulas_page())]
    made += [("kernel.md", kernel.page()), ("violations.md", violations.page()), *reference.pages()]
    made += [("properties.txt", below_title(properties.page(facts()))), ("coverage.txt", below_title(coverage.page()))]
    made += [("widened.txt", kernel.widened())]
    made += [(f"notebooks/{path.name}", with_download(path)) for path in NOTEBOOKS.glob("*.ipynb")]
    for name, page in made:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text(encoding="utf-8") != page:
            path.write_text(page, encoding="utf-8")
    for path in folder.rglob("*.*"):
        if path.is_file() and path.relative_to(folder).as_posix() not in dict(made):
            path.unlink()


def below_title(page: str) -> str:
    """A page without its title, which stands in the page that includes it."""
    return page.partition("\n")[2]


def with_download(path: Path) -> str:
    """A notebook that links to itself, as a file to download, below its title."""
    held = json.loads(path.read_text(encoding="utf-8"))
    title, _, rest = "".join(held["cells"][0]["source"]).partition("\n\n")
    held["cells"][0]["source"] = (
        f"{title}\n\n{{download}}`Download this notebook </../notebooks/{path.name}>`\n\n{rest}"
    )
    return json.dumps(held)


def labels() -> dict[str, str]:
    """The label of every text that is a link wherever it stands as code."""
    found = {key: theorem_label(key) for key in catalogue.collect()}
    found |= {name: erratum_label(name) for name in catalogue.errata()}
    return found | {key: work_label(key) for key in bibliography.entries()}


CALL = re.compile(r"(?:splitcrit\.(?:\w+\.)*)?(\w+)(?:\(.*\))?", re.DOTALL)


def link(domain: str, kind: str, target: str, page: str, shown: str) -> nodes.Node:
    """A link that Sphinx resolves later, with its text as code; what is nowhere is no link, or a warning."""
    found = addnodes.pending_xref(
        "", refdomain=domain, reftype=kind, reftarget=target, refexplicit=True, refwarn=domain == "std", refdoc=page
    )
    found += nodes.literal("", shown, classes=["xref"])
    return found


class Links(SphinxTransform):
    """Make a link of inline code that is the key of a theorem, of an erratum or of a work."""

    default_priority = 400
    known: ClassVar[dict[str, str]] = {}

    def apply(self, **kwargs: Any) -> None:
        known = self.known or self.known.update(labels()) or self.known
        for literal in list(self.document.findall(nodes.literal)):
            key = literal.astext().strip("[]")
            if key not in known or isinstance(literal.parent, nodes.title | nodes.reference | addnodes.pending_xref):
                continue
            literal.replace_self(link("std", "ref", known[key], self.env.docname, key))


class Names(SphinxTransform):
    """Make a link of inline code that is a public name, or a call of one, where it first stands on a page.

    On pages that are written all names; in docstrings those that can be nothing else. On other pages none.
    """

    default_priority = 401
    known: ClassVar[dict[str, str]] = {}

    def apply(self, **kwargs: Any) -> None:
        known, page = self.known or self.known.update(reference.places()) or self.known, self.env.docname
        api, seen = page.startswith(f"{FOLDER}/api/"), set()
        for literal in list(self.document.findall(nodes.literal)) if api or not page.startswith(FOLDER) else []:
            called = CALL.fullmatch(literal.astext())
            name = called[1] if called else ""
            meant = name in known and name not in seen and (reference.told_apart(name) or not api)
            if meant and isinstance(literal.parent, nodes.paragraph):
                seen.add(name)
                literal.replace_self(link("py", "obj", known[name], page, literal.astext()))


def breakable(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Let a key that is a link break behind its dots and underscores, so that columns of keys stay narrow."""
    for link in doctree.findall(nodes.reference):
        key = link.astext()
        if key in Links.known and len(link) == 1 and isinstance(inner := link[0], nodes.TextElement):
            parts = re.split(r"(?<=[._])", key)
            inner[:] = [node for x in parts for node in (nodes.Text(x), nodes.raw("", "<wbr>", format="html"))][:-1]


class Blocks(SphinxTransform):
    """Leave out the empty line that closes an example for the tests."""

    default_priority = 400

    def apply(self, **kwargs: Any) -> None:
        for block in self.document.findall(nodes.literal_block):
            if (told := block.astext()) != told.rstrip() and len(block) == 1:
                block.rawsource = told.rstrip()
                block[0] = nodes.Text(told.rstrip())


ARRAY = re.compile(r"~?(numpy\.)?ndarray\[tuple\[.*?\], ~?(numpy\.)?dtype\[[^\]]*\]\]")  # an array of any shape


def plain_types(app: Sphinx, domain: str, kind: str, content: nodes.Element) -> None:
    """Leave out the type ``Any``, which says nothing, and the type of a result that is described."""
    fields = [(field[0].astext(), field) for field in content.findall(nodes.field)]
    described = {"returns", "return"} & {name for name, _ in fields}
    for name, field in fields:
        untold = name.startswith("type ") and field[1].astext().rpartition(".")[2] == "Any"
        if untold or (name == "rtype" and described):
            field.parent.remove(field)
        elif name.startswith("type ") and ARRAY.search(field[1].astext()):
            field[1][:] = [nodes.paragraph("", ARRAY.sub("array", field[1].astext()))]


def keys_as_code(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Write the keys of theorems and of works in a docstring as code: code becomes links."""
    known = Links.known or Links.known.update(labels()) or Links.known
    if what == "module" and "Main definitions" in (text := "\n".join(lines)):  # the table below the text lists them
        lines[:] = re.sub(r"^Main definitions.*?(\n\n|\n(?=[A-Z][\w ]*:)|\Z)", "", text, flags=re.M | re.S).split("\n")
    linked = "See Also" in lines
    for i, line in enumerate(lines):
        if linked and (entry := re.match(r"(\w+) : ", line)) and i > lines.index("See Also"):
            lines[i] = line = f":py:obj:`~{reference.home(entry[1])}` : {line[entry.end() :]}"
            linked = bool(lines[i + 1])
        lines[i] = re.sub(
            r"(?<![\w`.])([a-z]+\d{4}|[a-z]+\.\w+)(?![\w`])", lambda k: f"``{k[0]}``" if k[0] in known else k[0], line
        )


def whole_sentence(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Put the first sentence of a property together again: napoleon takes what stands before a colon for a type."""
    types = [line for line in lines if line.startswith(":type: ")]
    if what == "property" and types:
        lines[:] = [f"{types[0][7:]}: {lines[0]}", *(line for line in lines[1:] if line not in types)]


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the extension."""
    app.connect("builder-inited", written)
    app.connect("doctree-resolved", breakable)
    app.connect("object-description-transform", plain_types, priority=600)  # after the types were put there
    app.connect("autodoc-process-docstring", keys_as_code, priority=400)
    app.connect("autodoc-process-docstring", whole_sentence, priority=600)  # after napoleon
    app.add_directive("gallery", gallery.Gallery)
    app.add_directive("study", studies.Study)
    app.add_transform(Links)
    app.add_transform(Names)
    app.add_transform(Blocks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
