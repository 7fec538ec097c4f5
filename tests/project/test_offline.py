"""The built pages need no web: formulas are elements of the page, and what would be loaded from elsewhere is seen."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("sphinx", reason="pages are built by Sphinx")
pytest.importorskip("latex2mathml", reason="formulas are written by latex2mathml")

import mathml
import offline

from built_page import built

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

SETTINGS = """
html_theme, html_math_renderer, myst_enable_extensions = "furo", "mathml", ["dollarmath"]
myst_update_mathjax = False
"""


def test_what_is_loaded_from_elsewhere_is_seen_and_what_lies_beside_the_page_may_stay() -> None:
    assert [len(offline.loaded(text)) for text in LOADING] == [1] * len(LOADING) and offline.loaded(READ) == []


def offline_page(folder: Path, page: str) -> str:
    return built(folder, page, "mathml", "offline", settings=SETTINGS, strict=True)


@pytest.mark.filterwarnings("ignore")  # of Sphinx about itself
def test_a_page_that_loads_from_elsewhere_is_not_built(tmp_path: Path) -> None:
    from sphinx.errors import ExtensionError

    with pytest.raises(ExtensionError, match=r"without the web:\nindex.html loads https://cdn.example/x$"):
        offline_page(tmp_path, f"# A page\n\n{PICTURE}\n")


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
