"""What ``make rocq`` runs: is what is printed what the code prints, does every proof compile, and what does it assume?

Without the versions of Rocq and mathcomp that the proofs are written for, one sentence says how to get them, and the
exit status is 0, or 1 where the environment says ``ROCQ=required``. ``--write`` rewrites assumptions.txt.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from splitcrit.proofs.kernel import FOLDER, Checked, checked
from splitcrit.proofs.rocq.generate import printed_files
from splitcrit.proofs.rocq.hypotheses import KEPT as HYPOTHESES
from splitcrit.proofs.rocq.hypotheses import hypotheses_of
from splitcrit.proofs.rocq.listed import about_printed, mistakes

PACKAGES = (
    "coq libcoq-mathcomp-ssreflect libcoq-mathcomp-fingroup libcoq-mathcomp-solvable libcoq-mathcomp-algebra "
    "libcoq-mathcomp-algebra-tactics"
)
COQ, MATHCOMP = "8.16", "1.15"
KEPT, CLOSED = FOLDER / "assumptions.txt", "Closed under the global context"
NOTATIONS = (
    "From mathcomp Require Import all_ssreflect all_fingroup all_algebra.",
    "Import Order.TTheory GRing.Theory Num.Theory.",
    "Local Open Scope ring_scope.",
)
MARK = 'Goal True. idtac "@@". exact I. Qed.'
REFUSED = re.compile(
    r"\b(Admitted|admit|Axioms?|Parameters?|Conjectures?|Abort|bypass_check|type-in-type"
    r"|Unset (Guard|Positivity|Universe) Checking)\b"
)


def missing() -> str | None:
    """A sentence about what is missing for the proofs to compile, or None if nothing is."""
    remedy = f"on Debian 12: apt-get install --no-install-recommends {PACKAGES}"
    wanted = f"The proofs in Rocq need coqc {COQ} with mathcomp {MATHCOMP}"
    if shutil.which("coqc") is None:
        return f"{wanted}; got no coqc; {remedy}"
    version = _said("coqc", "--print-version").split()[0]
    if not version.startswith(COQ):
        return f"{wanted}; got coqc {version}; {remedy}"
    library = Path(_said("coqc", "-where").strip()) / "user-contrib" / "mathcomp"
    absent = [part for part in ("ssreflect", "fingroup", "algebra", "algebra_tactics") if not (library / part).is_dir()]
    return f"{wanted}; got no mathcomp.{absent[0]}; {remedy}" if absent else None


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def faults() -> Iterator[str]:
    """Yield what is wrong before anything is compiled."""
    for file, text in printed_files().items():
        if file.read_text(encoding="utf-8") != text:
            remedy = "run python -m splitcrit.proofs.rocq.generate and prove it anew"
            yield f"{file.name} is not what the code prints; {remedy}"
    for file in sorted(FOLDER.glob("*.v")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if refused := REFUSED.search(line):
                yield f"{file.name}, line {number}: a proof holds no {refused[0]}; prove it"
    yield from mistakes()


def asked(listed: Sequence[Checked]) -> list[tuple[str, str, str]]:
    """Of each listed theorem what it assumes and what it states, as Rocq prints it; the proofs are compiled.

    It is printed twice: with the file of every name, and in the notations of mathcomp.

    To ask theorems one by one takes a second each, so that those that assumed nothing before are asked together: what
    all of them assume together, each does; where that is something, they are asked one by one after all.
    """
    before = (
        dict(line.split(": ", 1) for line in KEPT.read_text(encoding="utf-8").splitlines()) if KEPT.exists() else {}
    )
    alone = [theorem for theorem in listed if before.get(theorem.name, CLOSED) != CLOSED]
    all_of = "".join(f"let _ := @{name(theorem)} in " for theorem in listed if theorem not in alone)
    checks = [f"Check @{name(theorem)}." for theorem in listed]
    notations = " ".join(NOTATIONS)
    answered = _answers(
        listed,
        [
            f"Definition together : True := {all_of}I. Print Assumptions together.",
            *map(_assumptions, alone),
            *checks,
            *(f"{notations} {check}" for check in checks[:1]),
            *checks[1:],
        ],
    )
    together, of_alone, answers = answered[0], answered[1 : 1 + len(alone)], answered[1 + len(alone) :]
    if together != CLOSED:
        alone, of_alone = list(listed), _answers(listed, list(map(_assumptions, listed)))
    assumes = dict(zip(alone, of_alone, strict=True))
    states, read = answers[: len(listed)], [answer.partition(" : ")[2] for answer in answers[len(listed) :]]
    return [(assumes.get(x, CLOSED), full, plain) for x, full, plain in zip(listed, states, read, strict=True)]


def _assumptions(theorem: Checked) -> str:
    return f"Print Assumptions {name(theorem)}."


def name(theorem: Checked) -> str:
    """The name of a theorem with its file."""
    return f"{theorem.file}.{theorem.name}"


def _answers(listed: Sequence[Checked], commands: list[str]) -> list[str]:
    """What Rocq prints at each command about listed theorems."""
    files = " ".join(dict.fromkeys(theorem.file for theorem in listed))
    lines = [f"From splitcrit Require {files}.", "Set Printing Width 1000000."]
    lines += [f"{MARK} {command}" for command in commands]
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "assumed.v").write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = ["coqc", "-R", str(FOLDER), "splitcrit", "-w", "-all", "assumed.v"]
        done = subprocess.run(command, cwd=scratch, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return [" ".join(part.split()) for part in done.stdout.split("@@")[1:]]


def compile_all() -> bool:
    """Compile every proof; one process at a time, tests too."""
    with (FOLDER / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return subprocess.run(["make", "--no-print-directory", "-s", "-j2", "-C", str(FOLDER)]).returncode == 0


def compare(listed: Sequence[Checked], answered: list[tuple[str, str, str]]) -> Iterator[str]:
    """Yield what theorems assume that assumptions.txt does not say, and which are about no printed definition."""
    assumptions = "".join(
        f"{theorem.name}: {assumes}\n" for theorem, (assumes, *_) in zip(listed, answered, strict=True)
    )
    if "--write" in sys.argv:
        KEPT.write_text(assumptions, encoding="utf-8")
    if assumptions != KEPT.read_text(encoding="utf-8"):
        yield f"what the theorems assume is not what assumptions.txt says:\n{assumptions}"
    statements = "".join(
        f"{theorem.name}: {hypotheses_of(x)}\n" for theorem, (*_, x) in zip(listed, answered, strict=True)
    )
    if "--write" in sys.argv:
        HYPOTHESES.write_text(statements, encoding="utf-8")
    if statements != HYPOTHESES.read_text(encoding="utf-8"):
        yield f"what the statements are for all of and assume is not what hypotheses.txt says:\n{statements}"
    for theorem, (_, states, _) in zip(listed, answered, strict=True):
        if theorem.printed and not about_printed(states):
            yield f"theorems.toml says that {theorem.name} is about printed code; it states {states}"


def main() -> int:
    """Check everything; say what was done in one line."""
    if wrong := list(faults()):
        print(*wrong, sep="\n")
        return 1
    if (sentence := missing()) is not None:
        print(sentence)
        return int(os.environ.get("ROCQ") == "required")
    start = time.perf_counter()
    if not compile_all():
        return 1
    listed = checked()
    answered = asked(listed)
    if wrong := list(compare(listed, answered)):
        print(*wrong, sep="\n")
        return 1
    closed = sum(assumes == CLOSED for assumes, *_ in answered)
    printed, instances = (sum(map(bool, x)) for x in zip(*((t.printed, t.instance) for t in listed), strict=True))
    seconds = time.perf_counter() - start
    print(
        f"{len(listed)} theorems checked by the kernel in {seconds:.0f} s: {printed} about printed "
        f"code, {len(listed) - printed} about definitions by hand; {closed} closed, no axiom; "
        f"{instances} with instances"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
