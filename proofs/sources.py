"""The sources that a statement reads: every file by which what is settled could come out otherwise.

Found without running anything, by following imports: those inside functions too, those that wait for the first use of
a name, and modules named in a string. A package that is asked for a name leads to where the name is from, one that is
handed on as a whole to all that it imports. Data are read where a module names their file.

Main definitions: ``read_by`` (files), ``others`` (packages of other projects); the digests ``of_statements`` of a
module and of ``everything``.
"""

from __future__ import annotations

import ast
import hashlib
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import accumulate
from pathlib import Path

from splitcrit import frozen

PACKAGE = Path(frozen.__file__).parent
OUTSIDE = "cli"  # what nothing that is written from a ledger rests on
SETTLING = "splitcrit.proofs.ledger"  # whatever is settled reads what settles it
WHOLE = "*"  # all that a module has
SOLVERS = {"numpy", "sympy", "mpmath", "flint", "z3"}
DISTRIBUTIONS = {"flint": "python-flint", "sklearn": "scikit-learn", "z3": "z3-solver"}
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")  # of statements
MODULE = re.compile(r"""["'](splitcrit(?:\.\w+)+)["']""")
DATA = re.compile(r"""["']([\w/-]+\.(?!py\b)\w+)["']""")
Asked = tuple[str, str]  # a module, and the name that it is asked for


@dataclass(frozen=True)
class Source:
    """A module as it is written: its file, the data that it names, what it imports, and what by which name.

    Of a package a name may be had without the others.
    """

    file: Path
    package: bool
    data: frozenset[Path]
    asks: frozenset[Asked]
    names: frozenset[tuple[str, Asked]]


@cache
def source(module: str) -> Source | None:
    """A module as it is written, None for one of another project."""
    file = _file(module)
    if file is None:
        return None
    text = file.read_text(encoding="utf-8")
    package = file.name == "__init__.py"  # it tells type checkers what it imports on first use
    names = frozenset(imported for node in _statements(ast.parse(text).body, package) for imported in _imported(node))
    asks = {asked for _, asked in names} | {(word, WHOLE) for word in MODULE.findall(text)}
    data = (home / word for word in DATA.findall(text) for home in (file.parent, PACKAGE))
    return Source(file, package, frozenset(path for path in data if path.is_file()), frozenset(asks), names)


@cache
def _file(module: str) -> Path | None:
    """The file of a module of this project."""
    if module.partition(".")[0] != "splitcrit":
        return None
    place = PACKAGE.joinpath(*module.split(".")[1:])
    return next((path for path in (place / "__init__.py", place.with_suffix(".py")) if path.is_file()), None)


def _statements(body: Iterable[ast.AST], all_of_it: bool) -> Iterator[ast.AST]:
    """Yield statements and those inside them: all, or those that are run and not only read by type checkers."""
    for node in body:
        yield node
        unread = () if all_of_it or getattr(getattr(node, "test", None), "id", "") != "TYPE_CHECKING" else ("body",)
        for part in BLOCKS:
            if part not in unread:
                yield from _statements(getattr(node, part, ()), all_of_it)


def _imported(node: ast.AST) -> Iterator[tuple[str, Asked]]:
    """Yield what an import asks for, by the name that it binds."""
    if isinstance(node, ast.Import):
        yield from ((alias.asname or alias.name, (alias.name, WHOLE)) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from ((alias.asname or alias.name, (node.module or "", alias.name)) for alias in node.names)


@cache
def _led(asked: Asked) -> frozenset[Asked]:
    """Where one is led who asks a module for a name."""
    module, name = asked
    if (read := source(module)) is None:
        return frozenset()
    if not read.package or name == WHOLE:
        return read.asks
    inner = frozenset([(f"{module}.{name}", WHOLE)] if _file(f"{module}.{name}") else [])
    lazy = {asked for _, asked in read.names if asked[0] == "splitcrit.lazy"}  # what imports a name on first use
    return (inner | {asked for alias, asked in read.names if alias == name} or read.asks) | lazy


@cache
def _reached(module: str) -> tuple[frozenset[Path], frozenset[str]]:
    """The files that a module reads, and the packages of other projects."""
    seen: set[Asked] = set()
    waiting = {(module, WHOLE)}
    while waiting:
        seen.add(asked := waiting.pop())
        waiting |= _led(asked) - seen
    names = {above for name, _ in seen for above in accumulate(name.split("."), "{}.{}".format)}
    sources = {name: source(name) for name in names}
    files = (part for read in sources.values() if read for part in (read.file, *read.data))
    return frozenset(files), frozenset(name for name in names if "." not in name and not sources[name])


def read_by(module: str) -> frozenset[Path]:
    """The files that are read to settle what a module states."""
    return _reached(module)[0] | _reached(SETTLING)[0]


def others(module: str) -> dict[str, str]:
    """The versions of the packages of other projects that are used to settle what a module states."""
    names = (_reached(module)[1] | _reached(SETTLING)[1] | SOLVERS) - sys.stdlib_module_names
    return {name: _version(DISTRIBUTIONS.get(name, name)) for name in sorted(names)}


@cache
def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "none"


@cache
def of_statements(module: str) -> str:
    """The digest of all that is read to settle what a module states, this Python among it."""
    return _digest(read_by(module), others(module))


@cache
def everything() -> str:
    """The digest of every module of this project but the command line."""
    folders = sorted(path for path in PACKAGE.iterdir() if path.is_dir() and path.name != OUTSIDE)
    files = {file for place in folders for file in place.rglob("*.py")} | {*PACKAGE.glob("*.py")}
    return _digest(files, others(SETTLING))


def _digest(files: Iterable[Path], packages: dict[str, str]) -> str:
    contents = sorted((path.relative_to(PACKAGE).as_posix(), _content(path)) for path in files)
    return hashlib.sha256(repr((sys.version, packages, contents)).encode()).hexdigest()


@cache
def _content(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
