"""Small changes of the library's source: after each, what the code prints is another formula, and a proof must fail.

``python -m splitcrit.proofs.rocq.mutants`` (``make rocq-mutants``) makes every change of mutants.toml in a copy of the
package, prints the definitions anew and compiles the proofs. The table says which proof failed. A change that neither a
proof nor the printer notices must be listed as equivalent, with a reason; else the exit status is 1, as where a printed
function that a listed theorem is about has no mutant. Arguments choose mutants by a part of the function's name.

Main definitions: ``Mutant``, ``mutants``, ``Copy`` (of the package, with its proofs), ``tried``.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from splitcrit.proofs.kernel import FOLDER, checked
from splitcrit.proofs.rocq import check
from splitcrit.proofs.rocq.generate import definitions as printed_ones
from splitcrit.proofs.rocq.listed import PRINTED
from splitcrit.proofs.rocq.printed.loops import loops

PACKAGE = Path(check.__file__).parents[2]
SKIPPED = shutil.ignore_patterns(".lock")  # bytecode is copied: what is unchanged need not be compiled again
REQUIRED = re.compile(r"^From splitcrit Require (?:Import|Export) ([^.]*)\.", re.MULTILINE)
LEMMA = re.compile(r"^(?:Theorem|Lemma|Corollary|Example|Definition) (\w+)")


@dataclass(frozen=True)
class Mutant:
    """A change of one place in a function of the library; ``equivalent`` is why no proof need notice it."""

    function: str
    old: str
    new: str
    equivalent: str = ""

    @property
    def place(self) -> tuple[Path, str]:
        """The file of the function inside the package, and the text of the function."""
        thing: Any = None
        parts = self.function.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            try:
                module = importlib.import_module(".".join(parts[:cut]))
            except ImportError:
                continue
            thing = module
            for part in parts[cut:]:
                thing = getattr(thing, part)
            break
        thing = thing.fget if isinstance(thing, property) else getattr(thing, "py_func", thing)
        function = inspect.unwrap(thing)
        return Path(inspect.getsourcefile(function) or "").relative_to(PACKAGE), inspect.getsource(function)


def mutants() -> list[Mutant]:
    """The changes that are listed."""
    listed = tomllib.loads((FOLDER / "mutants.toml").read_text(encoding="utf-8"))
    return [Mutant(**entry) for entry in listed["mutant"]]


class Copy:
    """A copy of the package and its compiled proofs, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.package = folder, folder / "splitcrit"

    def __enter__(self) -> Copy:
        shutil.copytree(PACKAGE, self.package, ignore=SKIPPED, dirs_exist_ok=True)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        shutil.rmtree(self.package)

    @property
    def proofs(self) -> Path:
        """The folder of proofs."""
        return self.package / "proofs" / "rocq"

    def print_anew(self) -> str:
        """Print the definitions by the code of the copy; return what went wrong, or nothing."""
        command = [sys.executable, "-m", "splitcrit.proofs.rocq.generate"]
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)
        return done.stderr.strip().splitlines()[-1] if done.returncode else ""

    def failing(self, *targets: str) -> str:
        """Compile the proofs; return the file and the lemma whose proof fails, or nothing."""
        command = ["make", "-s", "--no-print-directory", "-j2", "-C", str(self.proofs), *targets]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0:
            return ""
        places = re.findall(r'File "\./(\w+\.v)", line (\d+)', done.stderr)
        if not places or places[0][0].removesuffix(".v") in PRINTED:
            raise SystemExit(done.stderr)
        file, line = places[0]
        above = (self.proofs / file).read_text(encoding="utf-8").splitlines()[: int(line)]
        return f"{file}: {[lemma[1] for x in above if (lemma := LEMMA.match(x))][-1]}"


def printed_anew(mutant: Mutant, copy: Copy) -> tuple[str, set[str]]:
    """Make a change in the copy and print; return why the printer refuses it, or the definitions that are others."""
    file, source = mutant.place
    if source.count(mutant.old) != 1:
        raise SystemExit(
            f"mutants.toml: {mutant.function} holds {mutant.old!r} {source.count(mutant.old)} times, not once"
        )
    target = copy.package / file
    whole = target.read_text(encoding="utf-8")
    target.write_text(whole.replace(source, source.replace(mutant.old, mutant.new)), encoding="utf-8")
    try:
        wrong = copy.print_anew()
    finally:
        target.write_text(whole, encoding="utf-8")
    before = definitions(FOLDER)
    return wrong, set() if wrong else {x for x, text in definitions(copy.proofs).items() if text != before.get(x)}


def tried(mutant: Mutant, copy: Copy) -> str:
    """Make a change in the copy; return which proof fails, or a sentence that begins with ``no``."""
    wrong, changed = printed_anew(mutant, copy)
    if wrong:
        return f"the printer refuses it: {wrong}"
    if not changed:
        return "no proof, since the same is printed"
    for name in about(changed):
        if failing := copy.failing(f"{name}.vo"):
            return failing
    return copy.failing() or "no proof"


def definitions(folder: Path) -> dict[str, str]:
    """What each printed definition says."""
    text = "\n".join((folder / f"{file}.v").read_text(encoding="utf-8") for file in PRINTED)
    parts = re.split(r"^(?:Definition|Fixpoint) (\w+)", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def about(names: set[str]) -> list[str]:
    """The files in whose text a definition occurs, those first that need the fewest others."""
    texts = {file.stem: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.v") if file.stem not in PRINTED}
    needs = {
        file: set(re.findall(r"\w+", " ".join(REQUIRED.findall(text)))) & set(texts) for file, text in texts.items()
    }

    def every(file: str) -> set[str]:
        return {file}.union(*(every(x) for x in needs[file]))

    files = [file for file, text in texts.items() if names & set(re.findall(r"\w+", text))]
    return sorted(files, key=lambda file: (sum(len(texts[x]) for x in every(file)), file))


def uncovered(listed: list[Mutant]) -> Iterator[str]:
    """Yield functions that are printed, that a listed theorem is about, and that no mutant changes."""
    changed = {mutant.function.removesuffix(".__call__") for mutant in listed}
    printed = {re.split(r",| of ", definition.function)[0].removesuffix(".__call__") for definition in printed_ones()}
    printed |= {loop.where for loop in loops()}
    about_them = {theorem.function.removesuffix(".__call__") for theorem in checked() if theorem.printed}
    yield from sorted((about_them & printed) - changed)


def main(folder: Path, chosen: list[str]) -> int:
    """Try mutants and print the table; return 1 if one survives that is not listed as equivalent."""
    if (sentence := check.missing()) is not None:
        print(sentence)
        return int(os.environ.get("ROCQ") == "required")
    if not check.compile_all():
        return 1
    listed, survivors = mutants(), 0
    with Copy(folder) as copy:
        for mutant in listed:
            if chosen and not any(part in mutant.function for part in chosen):
                continue
            outcome = tried(mutant, copy)
            noticed = not outcome.startswith("no proof")
            survivors += noticed == bool(mutant.equivalent)
            remark = f"equivalent: {mutant.equivalent}" if mutant.equivalent and not noticed else outcome
            print(f"{mutant.function} | {mutant.old} -> {mutant.new} | {remark}", flush=True)
    absent = [] if chosen else list(uncovered(listed))
    print(*(f"no mutant of {function}, which a theorem is about" for function in absent), sep="\n")
    print(f"{len(listed)} mutants, {survivors} not as listed")
    return int(bool(survivors or absent))


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(main(Path(scratch), sys.argv[1:]))
