"""Sphinx settings: MyST pages, docstrings in numpydoc order, single backquotes are code.

The extension ``generated`` (folder ``_ext``) writes the pages in ``generated/`` from the objects before Sphinx reads.
"""

import gc
import os
import sys
from importlib.resources import files
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE / "_ext")]
# pages that are run see this very library
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HERE.parent), os.environ.get("PYTHONPATH")]))

import inventories  # noqa: E402

gc.set_threshold(100_000, 50, 100)  # trees of pages are large and live long; they are seldom looked through for garbage

import splitcrit  # noqa: E402

project = "splitcrit"
author = "The splitcrit developers"
copyright = author
version = release = splitcrit.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx.ext.napoleon",
    "generated",
    "mathml",
    "offline",
    "once",
    "one_kernel",
    "recipes",
]
html_math_renderer = "mathml"
html_theme = "furo"
html_title = f"splitcrit {release}"
html_static_path = ["_static", str(files("ziamath") / "fonts" / "STIXTwoMath-Regular.ttf")]  # for readers who have none
html_css_files = ["splitcrit.css"]
html_search_scorer = str(HERE / "_ext" / "search.js")
exclude_patterns = ["_build", "_ext", "_static"]
templates_path: list[str] = []

default_role = "code"
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist", "fieldlist"]
myst_update_mathjax = False
myst_heading_anchors = 3
nb_execution_mode = "off"  # of notebooks, which `make notebooks` runs; pages of reproductions ask for it themselves
QUICK = tags.has("quick")  # type: ignore[name-defined]  # noqa: F821  # `make docs-quick`: no verdicts, no examples
nb_execution_excludepatterns = ["*.md"] if QUICK else []
suppress_warnings = ["myst-nb.lexer", "myst-nb.eval", "mystnb.eval"] if QUICK else []
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # no widgets, whose scripts are elsewhere
nb_eval_name_regex = ""  # every expression: sentences take their numbers from `{eval}`
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
toc_object_entries_show_parents = "hide"

# Links to other projects are made where their inventories can be had; without a network the build is the same but them.
intersphinx_mapping = inventories.reachable(
    {
        "python": "https://docs.python.org/3/",
        "numpy": "https://numpy.org/doc/stable/",
        "scipy": "https://docs.scipy.org/doc/scipy/",
        "sklearn": "https://scikit-learn.org/stable/",
    },
    HERE / "_build" / "inventories",
)


def with_results(app, env, added, changed, removed):  # type: ignore[no-untyped-def]
    """Name the pages that have a folder of results beside them: results may have changed where the page did not."""
    return [page for page in env.found_docs if (HERE / page).is_dir()]


def setup(app):  # type: ignore[no-untyped-def]
    """Read such pages in every build."""
    app.connect("env-get-outdated", with_results)
