"""Sphinx settings: MyST pages, docstrings in numpydoc order, single backquotes are code."""

import splitcrit

project = "splitcrit"
author = "The splitcrit developers"
copyright = author
version = release = splitcrit.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = f"splitcrit {release}"
exclude_patterns = ["_build"]
templates_path: list[str] = []

default_role = "code"
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
