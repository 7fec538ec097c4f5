"""The directive ``study``: the table of what a script in ``reproductions/studies`` measured.

Main definitions: ``Study``.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

FOLDER = Path(__file__).parents[2] / "reproductions" / "studies"


class Study(SphinxDirective):
    """Show the table of a script, by the names of its report and of its function if they are not the usual ones."""

    required_arguments = 1
    optional_arguments = 2

    def run(self) -> list[nodes.Node]:
        if str(FOLDER) not in sys.path:
            sys.path.append(str(FOLDER))
        name, report, table = [*self.arguments, "REPORT", "table"][:3] if len(self.arguments) == 1 else self.arguments
        script = import_module(name)
        kept = getattr(script, report)
        self.env.note_dependency(kept.results)
        found = nodes.container(classes=["study"])
        text = getattr(script, table)(kept.rows()).splitlines()
        self.state.nested_parse(StringList(text, source=f"{name}.py"), self.content_offset, found)
        return [found]
