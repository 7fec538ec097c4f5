"""Sentences with a number and a word of error rates, and the file that lists each beside what backs it.

``python -m tests.error_rates`` prints those that ``tests/project/error_rates.toml`` does not list, ready to be listed,
and what is listed there but stands nowhere.

A sentence is known by its words: numbers, placeholders, links and marks of Markdown are left out, so that it may move
and its figures may change. Code, tables that code prints, docstrings and messages of errors are none of them; strings
of the cells that a page runs are.

Main definitions: ``found`` (where each stands), ``listed``, ``missing_backing``.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from splitcrit.proofs import catalogue
from tests import prose

ROOT = Path(__file__).parents[1]
LIST = ROOT / "tests" / "project" / "error_rates.toml"
RATE = re.compile(r"\b(at\s+most|probabilit(y|ies)|rates?|chances?|wrong)\b", re.IGNORECASE)
NUMBER = re.compile(r"(?<![A-Za-z_\d])\d|\{|%|\b(?:alpha|delta|per ?cent)\b")
FIGURE = re.compile(r"\{[^{}]*\}|(?<![a-z_\d])[-+]?\.?\d[\d.,]*(?:e-?\d+)?(?<![.,])", re.IGNORECASE)
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
END = re.compile(r"(?<=[.?!])[*_`)]*\s+(?=[^a-z])|\n\s*\n")
WORDS = 5  # of a sentence; fewer are the head of a column, or a range
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
REFUSALS = {"rule", "got", "remedy", "enough", "message"}  # names of the parts of an error's message
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def key(sentence: str) -> str:
    """Return the words of a sentence, ``#`` for each number or placeholder."""
    text = FIGURE.sub("#", re.sub(r"[*`$\\]", "", sentence))
    return " ".join(text.lower().split()).strip("|- ").rstrip(".:;?!")


def speaking(text: str) -> Iterator[str]:
    """Yield the sentences of a text that hold a number and a word of error rates, by their keys."""
    for sentence in END.split(LINK.sub(r"\1", text)):
        words = key(sentence)
        if RATE.search(sentence) and NUMBER.search(sentence) and len(re.findall(r"[a-z]{2,}", words)) >= WORDS:
            yield words


def of_prose(page: str) -> Iterator[str]:
    """Yield the keys of the sentences of a page: of its prose, and of the strings in cells that are run."""
    for part in prose.PART.split(prose.prose(page)):
        yield from speaking(part)
    if page.endswith(".md"):
        for cell in CELL.findall((ROOT / page).read_text(encoding="utf-8")):
            yield from of_code("\n".join(line for line in cell.split("\n") if not line.startswith((":", "%"))))


def of_code(source: str) -> Iterator[str]:
    """Yield the keys of the sentences in the strings of a module, but for docstrings and messages of errors."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # the head of a cell
        return
    passed: set[int] = set()
    for node in ast.walk(tree):
        if id(node) in passed or _is_refusal(node):
            passed.update(id(child) for child in ast.iter_child_nodes(node))
        elif isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            passed.add(id(node.body[0]))
        elif isinstance(node, ast.JoinedStr):
            passed.update(id(child) for child in node.values)
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield from speaking("".join(map(str, parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip():
            yield from speaking(node.value)


def _is_refusal(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign):
        names = [each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name)]
        return bool(names) and set(names) <= REFUSALS
    called = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
    return isinstance(node, ast.Raise) or called == "complaint"


def found() -> dict[str, list[str]]:
    """Return the files in which each sentence stands."""
    places: dict[str, list[str]] = {}
    modules = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "splitcrit").rglob("*.py"))]
    for file in (*prose.PAGES, *modules):
        read = of_code((ROOT / file).read_text(encoding="utf-8")) if file.endswith(".py") else of_prose(file)
        for sentence in read:
            places.setdefault(sentence, []).append(file)
    return places


def listed() -> dict[str, list[str]]:
    """Return what backs each listed sentence."""
    entries = tomllib.loads(LIST.read_text(encoding="utf-8"))["backed"]
    return {sentence: entry["by"] for entry in entries for sentence in entry["says"]}


def missing_backing(what: str, keys: frozenset[str]) -> str:
    """Return why something backs nothing, empty if it is there: a test, a theorem, or a study with what it wrote."""
    path, _, name = what.partition("::")
    if not name and "/" not in path:
        return "" if path in keys else f"no theorem {path}"
    if not (ROOT / path).is_file():
        return f"no file {path}"
    defined = not name or re.search(rf"^ *def {re.escape(name)}\(", (ROOT / path).read_text(encoding="utf-8"), re.M)
    return "" if defined else f"no test {name} in {path}"


def theorem_keys() -> frozenset[str]:
    """Return the keys of all theorems."""
    return frozenset(catalogue.collect())


def main() -> None:
    """Print what is not listed, and what is listed and stands nowhere."""
    places, backed = found(), listed()
    for sentence, files in places.items():
        if sentence not in backed:
            print(f"not listed, in {', '.join(dict.fromkeys(files))}:\n  {sentence!r}")
    for sentence in backed:
        if sentence not in places:
            print(f"listed, but stands nowhere:\n  {sentence!r}")


if __name__ == "__main__":
    main()
