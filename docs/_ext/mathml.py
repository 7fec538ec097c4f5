"""Formulas as MathML, written when the pages are built: browsers draw it themselves, without scripts.

Main definitions: ``formula``.
"""

from __future__ import annotations

import html
from typing import Any
from xml.etree.ElementTree import tostring

from docutils import nodes
from latex2mathml.converter import convert_to_element
from sphinx.application import Sphinx


def formula(latex: str, display: str = "inline") -> str:
    r"""A formula of LaTeX as an element of MathML; ``display`` is ``"inline"`` or ``"block"``.

    Raises
    ------
    ValueError
        If a command is not known, so that no page shows its name in place of its sign.

    Examples
    --------
    >>> formula("a < b").partition(">")[2]
    '<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow></math>'
    """
    lines = rf"\begin{{split}}{latex}\end{{split}}" if r"\\" in latex else latex
    tree = convert_to_element(lines, display=display)
    for part in tree.iter():
        part.text = html.unescape(part.text or "")
        if "\\" in part.text:
            raise ValueError(f"formulas are of commands that latex2mathml knows; got {part.text} in {latex}")
        if part.tag == "mi" and len(part.text) > 1:
            part.set("class", "function")  # which stands apart from what is before it: p log p
    return tostring(tree, encoding="unicode")


def visit_inline(writer: Any, node: nodes.math) -> None:
    """Write a formula in a line."""
    writer.body.append(formula(node.astext()))
    raise nodes.SkipNode


def visit_block(writer: Any, node: nodes.math_block) -> None:
    """Write a formula that stands alone; empty lines part several."""
    writer.body.append(writer.starttag(node, "div", CLASS="math"))
    writer.body += [formula(part, "block") for part in node.astext().split("\n\n") if part.strip()]
    writer.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Offer this way of writing formulas: ``html_math_renderer = "mathml"``."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
