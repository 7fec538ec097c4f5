"""The documentation: what pages name is there, what is generated says what the objects say, and the pages need no web.

That links lead somewhere `make docs` says itself."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import lightgbm
import pytest

from tools.navigation import NEWCOMERS, ranked

pytest.importorskip("sphinx", reason="the pages are read by extensions of Sphinx")

import mathml
import offline
import recipes
import reference
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import docutils_namespace

import splitcrit
from layers import BANDS, LAYER
from pages import DOCS, PAGES, README, ROOT, exists, ids
from scripts import script
from splitcrit.proofs import catalogue

FILE = re.compile(r"`(?:python )?((?:\w+/)+\w+\.(?:toml|py|md|cff|yaml|csv|gz|png))`")
PAST = {"changelog", "decisions", "mutants", "sklearn-tests"}  # pages that name files of the past, or of others
CODE = re.compile(r"`([a-z_]\w*(?:\.\w+)*)`")
DESIGN = {name: (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("design", "reading-the-theory")}
KNOWN = catalogue.collect()
AREAS = {key.partition(".")[0] for key in KNOWN}
KEY = re.compile(rf"`((?:{'|'.join(sorted(AREAS))})\.\w*_\w+)`")


def built(folder: Path, page: str, *extensions: str, settings: str = "", parser: str = "myst_parser") -> str:
    """A page of Markdown as Sphinx builds it in a folder."""
    (folder / "conf.py").write_text(f"extensions = {[parser, *extensions]}\n{settings}")
    (folder / "index.md").write_text(page)
    with docutils_namespace():
        Sphinx(folder, folder, folder / "html", folder / "trees", "html", status=None).build()
    return (folder / "html" / "index.html").read_text()


def test_files_that_are_named_are_there() -> None:
    pages = [*PAGES, README, *(ROOT / name for name in ("CONTRIBUTING.md", "RELEASING.md"))]
    named = {(page, name) for page in pages if page.stem not in PAST for name in FILE.findall(page.read_text())}
    assert len(named) > 50
    there = {(page, name) for page, name in named for place in (".", "splitcrit") if (ROOT / place / name).exists()}
    assert named - there == set()


# A table of measured numbers, and a picture, name what this version makes them by: a file of data, a command, a script.

SOURCE = re.compile(r"^```\{\w+\}|>>>|\w\.csv|(?:python|make|splitcrit) [\w-]|(?:benchmarks|reproductions)/\w", re.M)
MEASURED = re.compile(r"\|\s*[-+]?\d*\.\d+ ?%?\s*(?=\|)")
SHOWN = re.compile(r"!\[[^\]]*\]\((?:docs/)?figures/(\w+)\.png\)")


def unsourced(page: str, drawn: Callable[[str], bool]) -> list[str]:
    """The sections of a page with measured numbers of no source, and its pictures that nothing draws."""
    first, *sections = re.split(r"^(?=## )", page, flags=re.M)
    bare = [text for text in (first, *sections) if len(MEASURED.findall(text)) > 2 and not SOURCE.search(first + text)]
    pictures = [] if "from splitcrit.plots import" in page else SHOWN.findall(page)  # else the page's own code draws
    return [text.partition("\n")[0] for text in bare] + [name for name in pictures if not drawn(name)]


def test_measured_numbers_and_pictures_have_a_source() -> None:
    blocks = script("make", DOCS / "figures").blocks()
    scripts = [*(ROOT / "benchmarks").glob("*.py"), *(ROOT / "reproductions").rglob("*.py")]
    texts = "".join(path.read_text(encoding="utf-8") for path in scripts)
    pages = {path: path.read_text(encoding="utf-8") for path in (*PAGES, README)}

    def drawn(name: str) -> bool:  # by its name, or by its last word in a script for pictures that begin alike
        first, _, last = name.partition("_")
        return name in blocks or name in texts or (f"{first}_" in texts and f'"{last}"' in texts)

    assert {path: bad for path, text in pages.items() if (bad := unsourced(text, drawn))} == {}
    table = "# Page\n\nWords.\n\n## Speed\n\n| a | .5 | .25 | 1.5 % |\n"
    assert unsourced(table, drawn) == ["## Speed"] and unsourced(f"{table}\n`make bench` prints it.\n", drawn) == []
    assert unsourced("![Bars](figures/nobody_draws_this.png)", drawn) == ["nobody_draws_this"]


def test_keys_name_theorems() -> None:
    keys = {(ids(page), key) for page in PAGES for key in KEY.findall(page.read_text(encoding="utf-8"))}
    assert [found for found in keys if found[1] not in {*KNOWN, "conservative.py"}] == []


# The pages about the design.


def missing(text: str) -> list[str]:
    """The dotted names of the package in a text that lead nowhere."""
    names = {name for name in CODE.findall(text) if name.split(".")[0] in LAYER and "." in name}
    return sorted(name for name in names if not exists(f"splitcrit.{name}"))


def test_what_is_named_is_there() -> None:
    assert missing("`trees.scan.open_nodes`, `trees.scan.attic`, `nulls.attic`, `attic.name`, `data`") == [
        "nulls.attic", "trees.scan.attic",
    ]  # fmt: skip
    assert {name: lost for name, text in DESIGN.items() if (lost := missing(text))} == {}
    headings = re.findall(r"^## \d+\. `splitcrit/([\w/]+\.py)`", DESIGN["reading-the-theory"], re.MULTILINE)
    assert len(set(headings)) == 10 and [name for name in headings if not (ROOT / "splitcrit" / name).is_file()] == []


def test_the_bands_are_those_of_the_test() -> None:
    rows = re.findall(r"^\| ([a-z ]+) \| (\d+) \| (.*) \|$", DESIGN["design"], re.MULTILINE)
    shown = [(band, int(layer), tuple(CODE.findall(names))) for band, layer, names in reversed(rows)]
    layers = [(band, names) for band, layers in BANDS.items() for names in layers]
    assert shown == [(band, layer, names) for layer, (band, names) in enumerate(layers)]


# What is generated.


def test_every_exported_name_is_in_the_reference_with_a_line_that_links_to_it() -> None:
    pages = dict(reference.pages())
    for _, name, module in reference.subpackages():
        page = pages[f"api/{name}.rst"]
        for one in reference.exported(module):
            place = f"   * - :py:obj:`{one} <splitcrit.{name}.{one}>`\n     - "
            assert re.search(rf":: {one}$", page, re.M), f"{name}.{one}"
            assert re.search(re.escape(place) + r"\S", page), f"{name}.{one}"
        assert f":doc:`{name} <{name}>`\n     - {reference.first(module)}" in pages["api/index.rst"]
    assert "- Misclassification rate, ``1 - max_k p_k``: the share" in pages["api/impurities.rst"]
    assert not re.search(r" at 0x|- Return ", "".join(pages.values()))


def test_the_index_lists_by_task_what_splitcrit_exports() -> None:
    listed = {name.rpartition(".")[2] for names in reference.TASKS.values() for name in names.split()}
    assert set(splitcrit.__all__) - set(splitcrit._SUBPACKAGES) - listed <= {"__version__"}
    known = {f"{home}.{name}" for _, home, part in reference.subpackages() for name in reference.exported(part)}
    assert {name for names in reference.TASKS.values() for name in names.split()} <= known


def test_the_saved_model_of_the_audit_guide_is_the_one_that_its_code_trains() -> None:
    cells = re.findall(r"^```\{code-cell\}\n(.*?)^```$", (DOCS / "audit.md").read_text(), re.MULTILINE | re.DOTALL)
    (rows,), (training,) = ([cell for cell in cells if word in cell] for word in ("def tumours", "LGBMClassifier("))
    names: dict[str, object] = {}
    exec(rows + training.removeprefix(":tags: [skip-execution]\n").partition("model.booster_")[0], names)
    saved = lightgbm.Booster(model_file=str(DOCS / "models" / "tumours_lightgbm.txt"))
    new = names["new"]
    assert saved.predict(new) == pytest.approx(names["model"].booster_.predict(new), rel=1e-9)  # type: ignore[attr-defined]


RUN = """---
file_format: mystnb
kernelspec:
  name: python3
mystnb:
  execution_mode: inline
---

# A page

```{code-cell}
import os
from matplotlib import rcParams
print("kernel", os.getpid(), os.path.basename(os.getcwd()), int(rcParams["font.size"]), "mine" in globals())
mine = rcParams["font.size"] = 33
os.chdir("..")
```
"""


@pytest.mark.filterwarnings("ignore")  # of Sphinx about itself
def test_pages_have_one_kernel_and_see_nothing_of_each_other(tmp_path: Path) -> None:
    (tmp_path / "before.md").write_text(RUN)
    settings = "source_suffix = {'.md': 'myst-nb'}"
    pages = built(tmp_path, RUN, "one_kernel", settings=settings, parser="myst_nb"), tmp_path / "html" / "before.html"
    index, before = (re.findall(r"kernel (\d+) (\S+ \d+ \w+)\n", page) for page in (pages[0], pages[1].read_text()))
    assert index == before and index[0][1] == f"{tmp_path.name} 10 False"


SECTIONS = "# A page\n\n## A section\n\n```{toctree}\nother\n```\n\n### Below\n\nWords, words and wording.\n"


@pytest.mark.filterwarnings("ignore")  # of Sphinx about itself
def test_what_is_computed_once_is_what_sphinx_computes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sphinx import search
    from sphinx.builders import html

    monkeypatch.setattr(html, "global_toctree_for_doc", html.global_toctree_for_doc)  # which the extension replaces
    monkeypatch.setattr(search, "IndexBuilder", search.IndexBuilder)
    made = []
    for extensions in ((), ("once",)):
        folder = tmp_path / "-".join(("built", *extensions))
        folder.mkdir()
        (folder / "other.md").write_text("# Another page\n\n## Inside\n\nWording.\n")
        built(folder, SECTIONS, *extensions, settings="html_theme = 'furo'")
        made.append([(folder / "html" / name).read_text() for name in ("index.html", "other.html", "searchindex.js")])
    assert made[0] == made[1] and "Another page" in made[0][0]


# Sphinx's own search, on the pages written by hand, answers a newcomer's words with the page that helps.

SEARCHED = {  # without the pages that the build writes, and without running any
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
        app = Sphinx(DOCS, None, folder, folder / "trees", "html", SEARCHED, status=None, warning=None)
        app.build()
    return folder


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of Sphinx about itself
def test_a_newcomers_words_find_their_page_first(html: Path) -> None:
    found = {query: ranked(html, query)[:1] for query, _ in NEWCOMERS}
    assert found == {query: [page] for query, page in NEWCOMERS}


# The built pages need no web: formulas are elements of the page, and what would be loaded from elsewhere is seen.

AT = "https://cdn.example/x"
PICTURE = f'<img alt="" src="{AT}">'
LOADING = [
    PICTURE, f'<script async src="{AT}"></script>', '<script src="//cdn.example/x"></script>', f'<base href="{AT}">',
    f'<link rel="stylesheet" href="{AT}">', f'<link rel="preload" as="font" href="{AT}">',
    f'<svg><use xlink:href="{AT}"/></svg>', f"<p style=\"background: url('{AT}')\">",
    f"<style>p {{ background: url({AT}) }}</style>",
]  # fmt: skip
READ = f"""<link rel="canonical" href="{AT}"><link rel="stylesheet" href="_static/a.css">
<script src="_static/a.js"></script>
<a href="{AT}">a link</a><p>{AT} url({AT})</p><img src="data:image/png;base64,//8=" srcset="b.png 2x">
<script>// {AT}
go("a/b")</script><svg xmlns="http://www.w3.org/2000/svg"><use href="#a"/></svg><style>p {{ color: red }}</style>"""

OFFLINE = """
html_theme, html_math_renderer, myst_enable_extensions = "furo", "mathml", ["dollarmath"]
myst_update_mathjax = False
"""


def test_what_is_loaded_from_elsewhere_is_seen_and_what_lies_beside_the_page_may_stay() -> None:
    assert [len(offline.loaded(text)) for text in LOADING] == [1] * len(LOADING) and offline.loaded(READ) == []


@pytest.mark.filterwarnings("ignore")  # of Sphinx about itself
def test_a_page_that_loads_from_elsewhere_is_not_built(tmp_path: Path) -> None:
    with pytest.raises(ExtensionError, match=r"without the web:\nindex.html loads https://cdn.example/x$"):
        built(tmp_path, f"# A page\n\n{PICTURE}\n", "mathml", "offline", settings=OFFLINE)


# Formulas.


def texts(latex: str) -> str:
    """What a reader sees of a formula, without spaces; the element is read by a parser of XML."""
    return "".join("".join(ElementTree.fromstring(mathml.formula(latex, "block")).itertext()).split())


WRITTEN = {
    r"a < b \& c": "a<b&c",
    r"\text{a < b & c}": "a<b&c",
    r"\sum_{k} p_{k}^{2} \leq 1": "∑kpk2≤1",
    r"a &= b \\ &= c": "a=b=c",
    r"\begin{cases} 1 & \text{for}\: x \geq 1 \\ 0 & \text{otherwise} \end{cases}": "{1forx≥10otherwise",
}


def test_a_formula_is_an_element() -> None:
    assert {latex: texts(latex) for latex in WRITTEN} == WRITTEN


@pytest.mark.parametrize("latex", [r"\nosuch x", r"\text{a} \nosuch"])
def test_an_unknown_command_is_an_error(latex: str) -> None:
    with pytest.raises(ValueError, match=r"that latex2mathml knows; got \\nosuch in"):
        mathml.formula(latex)


# The recipes for other libraries run and print what the page shows, each where its library is installed.

PAGE = DOCS / "with-other-libraries.md"
RECIPES = recipes.recipes(PAGE.read_text(encoding="utf-8"))
COMPARED = recipes.recipes(PAGE.with_name("comparison.md").read_text(encoding="utf-8"))
SMALL = "# A page\n\n>>> x = 2\n\n## A section\n\n```{{ran}} {package}\n```\n\n```python\n>>> x + 1\n{result}\n\n```\n"


def test_every_section_is_a_recipe_and_each_library_of_the_comparison_has_commands() -> None:
    page, compared = PAGE.read_text(encoding="utf-8"), PAGE.with_name("comparison.md").read_text(encoding="utf-8")
    assert len(RECIPES) == page.count("\n## ") == 7
    assert len(COMPARED) == compared.count("\n## ") - 1 == 13  # but for the sources
    named = {name for recipe in RECIPES for name in recipe.packages}
    assert named == {
        "scikit-learn", "cleanlab", "Boruta", "imbalanced-learn", "imodels", "capymoa", "river", "splitcrit-sklearn",
    }  # fmt: skip
    assert all(">>> from splitcrit" in recipe.text for recipe in COMPARED)


@pytest.mark.parametrize("recipe", RECIPES + COMPARED, ids=lambda recipe: recipe.title)
def test_the_recipe_prints_what_the_page_shows(recipe: recipes.Recipe) -> None:
    if absent := recipe.missing():
        pytest.skip(f"the recipe needs the package {' and '.join(absent)}, which is not installed")
    if recipes.recorded(recipe):
        return
    attempted, wrong = recipes.result(recipe)
    assert not wrong and attempted == recipe.text.count("\n>>> ")


def test_another_output_is_seen() -> None:
    (right,), (wrong,) = (recipes.recipes(SMALL.format(package="numpy", result=x)) for x in (3, 4))
    assert recipes.result(right) == (2, "") and "Expected:\n    4\nGot:\n    3" in recipes.result(wrong)[1]
    assert recipes.Recipe("", ("no-such-package", "numpy"), "").missing() == ["no-such-package"]
