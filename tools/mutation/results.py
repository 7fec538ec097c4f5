"""What is known of mutants: a file of JSON lines, written line by line, and the explanations of survivors.

A line holds while the module it is about is unchanged; that a mutant survived holds only while its tests are
unchanged as well.

Main definitions: ``Results``, ``Explanation``, ``explanations``, ``digest``.
"""

from __future__ import annotations

import hashlib
import json
import threading
import tomllib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from tools.mutation.judging import Judgement
from tools.mutation.operators import Mutant

KINDS = ("equivalent", "accepted")


@dataclass(frozen=True)
class Explanation:
    """Why no test kills a mutant: nothing a user can see changes, or what changes is accepted."""

    file: str
    function: str
    was: str
    becomes: str
    kind: str
    why: str

    def fits(self, mutant: Mutant) -> bool:
        """Whether the mutant is the one that is explained."""
        return (self.file, self.function, self.was, self.becomes) == (
            mutant.path, mutant.function, mutant.was, mutant.becomes,
        )  # fmt: skip


def explanations(path: Path) -> list[Explanation]:
    """Read the explanations; each must be whole, and of a kind there is."""
    entries = [Explanation(**entry) for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", [])]
    for explanation in entries:
        if explanation.kind not in KINDS or not explanation.why.strip():
            raise ValueError(f"an explanation is of a kind {KINDS} and says why; got {explanation}; write both")
    return entries


def digest(root: Path, names: Iterable[str]) -> str:
    """A text that changes with the Python files of these names, which are files or folders."""
    text = hashlib.sha256()
    for name in names:
        path = root / name
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            text.update(str(file.relative_to(root)).encode() + b"\0" + file.read_bytes() + b"\0")
    return text.hexdigest()[:16]


class Results:
    """The judgements of mutants, kept in a file as they come."""

    def __init__(self, root: Path, path: Path) -> None:
        self.root, self.path, self.lock = root, path, threading.Lock()
        self.known: dict[str, dict[str, str | float]] = {}
        if path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    entry = json.loads(line)
                except json.JSONDecodeError:  # cut short when a run was interrupted
                    continue
                self.known[entry["mutant"]] = entry

    def find(self, mutant: Mutant, tests: str) -> Judgement | None:
        """What is known of a mutant, if it still holds; ``tests`` is the digest of its tests."""
        entry = self.known.get(mutant.name)
        if entry is None or entry["module"] != digest(self.root, [mutant.path]):
            return None
        if entry["outcome"] != "own" and entry["tests"] != tests:
            return None
        return Judgement(*(entry[name] for name in ("outcome", "by", "how", "seconds")))  # type: ignore[arg-type]

    def keep(self, mutant: Mutant, tests: str, judgement: Judgement) -> None:
        """Write down what became of a mutant."""
        module = digest(self.root, [mutant.path])
        entry = {"mutant": mutant.name, "module": module, "tests": tests, **asdict(judgement)}
        with self.lock, self.path.open("a", encoding="utf-8") as out:
            out.write(json.dumps(entry, ensure_ascii=False) + "\n")
            self.known[mutant.name] = entry
