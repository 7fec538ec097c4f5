"""Which mutants are tried: some of every subpackage, in proportion to its lines of code.

Main definitions: ``Area`` (a subpackage with its modules and its own tests), ``areas``, ``shares``, ``sample``.
"""

from __future__ import annotations

import hashlib
import io
import tokenize
from dataclasses import dataclass
from pathlib import Path

from tools.mutation.operators import SLIPS, Mutant, mutants

PACKAGE = "splitcrit"
TOP = "(top level)"  # the modules that lie in the package itself
BESIDES = ("laws/test_{}.py", "contract/test_contract.py")  # tests named for one subpackage, and those of them all
EMPTY = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING,
    tokenize.ENDMARKER,
}  # fmt: skip


@dataclass(frozen=True)
class Area:
    """A subpackage, or the modules of the package itself: its modules and its own tests, relative to the root."""

    name: str
    modules: tuple[str, ...]
    tests: tuple[str, ...]


def areas(root: Path) -> list[Area]:
    """Every subpackage of the package, the modules of the package itself last."""
    package, tests = root / PACKAGE, root / "tests"
    rooms = []
    folders = [path for path in package.iterdir() if (path / "__init__.py").is_file()]
    for folder in sorted(folders) + [path for path in [root / "reproductions"] if path.is_dir()]:
        modules = tuple(str(path.relative_to(root)) for path in modules_below(folder))
        named = [tests / folder.name, *(tests / place.format(folder.name) for place in BESIDES)]
        rooms.append(Area(folder.name, modules, tuple(str(p.relative_to(root)) for p in named if p.exists())))
    modules = tuple(f"{PACKAGE}/{path.name}" for path in sorted(package.glob("*.py")))
    own = [*sorted(tests.glob("test_*.py")), *sorted((tests / "throughout").glob("test_*.py"))]
    return [*rooms, Area(TOP, modules, tuple(str(path.relative_to(root)) for path in own))]


def modules_below(folder: Path) -> list[Path]:
    """The modules below a folder, which may be a link; links inside it are not followed."""
    paths = (folder / path.relative_to(folder.resolve()) for path in folder.resolve().rglob("*.py"))
    return sorted(path for path in paths if path.parent.name != "studies")  # scripts, run by hand


def code_lines(source: bytes) -> int:
    """The number of lines that hold code; docstrings count, comments and blank lines do not."""
    lines: set[int] = set()
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        if token.type not in EMPTY:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines)


def shares(weights: dict[str, int], number: int, least: int) -> dict[str, int]:
    """How many mutants of each area: in proportion to the weights, at least ``least`` each, ``number`` together.

    >>> shares({"a": 70, "b": 29, "c": 1}, 20, 4)
    {'a': 11, 'b': 5, 'c': 4}
    """
    small: set[str] = set()
    while True:
        left = number - least * len(small)
        whole = sum(weight for name, weight in weights.items() if name not in small)
        counts = {name: least if name in small else round(left * w / whole) for name, w in weights.items()}
        below = {name for name, count in counts.items() if count < least}
        if not below:
            return counts
        small |= below


def rank(mutant: Mutant, seed: int) -> str:
    """The place of a mutant in the order of drawing; it does not depend on the other mutants."""
    return hashlib.sha256(f"{seed} {mutant.name}".encode()).hexdigest()


def sample(root: Path, area: Area, number: int, seed: int, slips: bool = False) -> list[Mutant]:
    """Draw mutants of an area, or only slips; the same ones while their modules stay as they are."""
    every = [mutant for path in area.modules for mutant in mutants((root / path).read_bytes(), path)]
    drawn = [mutant for mutant in every if not slips or mutant.operator in SLIPS]
    return sorted(drawn, key=lambda mutant: rank(mutant, seed))[:number]
