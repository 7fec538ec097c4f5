"""Count the code lines of each subpackage: lines that hold code, docstrings and comments aside.

``python tools/code_lines.py`` prints counts beside those of `tests/project/code_lines.toml`; ``--write`` lowers that
file to today's counts. It raises none: that takes a line in docs/decisions.md and a hand.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE, KEPT = ROOT / "splitcrit", ROOT / "tests" / "project" / "code_lines.toml"
BLANK = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
}  # fmt: skip
HEAD = """\
# Code lines of each subpackage, docstrings and comments aside; python tools/code_lines.py --write lowers them.
# A number rises only with a line in docs/decisions.md that says what the lines buy.
"""


def code_lines(source: str) -> int:
    """Return how many lines of a module hold code.

    Examples
    --------
    >>> code_lines('\"\"\"Words.\"\"\"\\n\\nx = [  # a list\\n    1,\\n]\\n')
    3
    """
    rows: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in BLANK:
            rows.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if documented and ast.get_docstring(node):
            rows.difference_update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return len(rows)


def counted(package: Path = PACKAGE) -> dict[str, int]:
    """Return the code lines of each subpackage; links to folders of the root count nowhere."""
    lines: Counter[str] = Counter()
    for path in sorted(package.rglob("*.py")):
        here = path.relative_to(package)
        if not (package / here.parts[0]).is_symlink():
            lines[here.parts[0] if len(here.parts) > 1 else "modules"] += code_lines(path.read_text(encoding="utf-8"))
    return dict(sorted(lines.items()))


def kept() -> dict[str, int]:
    """Return the numbers that no subpackage may exceed."""
    return tomllib.loads(KEPT.read_text(encoding="utf-8"))["code_lines"]


def main() -> None:
    """Print the counts, or write them where they have fallen."""
    today, most = counted(), kept() if KEPT.is_file() else {}
    for name in sorted({*today, *most}, key=lambda name: -today.get(name, 0)):
        print(f"{name:14}{today.get(name, 0):7}{most.get(name, 0):7}{today.get(name, 0) - most.get(name, 0):+7}")
    print(f"{'in all':14}{sum(today.values()):7}{sum(most.values()):7}")
    if "--write" in sys.argv:
        lowered = {name: min(lines, most.get(name, lines)) for name, lines in today.items()}
        text = "".join(f"{name} = {lines}\n" for name, lines in lowered.items())
        KEPT.write_text(f"{HEAD}\n[code_lines]\n{text}", encoding="utf-8")


if __name__ == "__main__":
    main()
