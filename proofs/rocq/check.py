"""What ``make rocq`` runs: is generated.v what the code prints, does every proof compile, and what does it assume?

Without ``coqc`` one sentence says how to get it, and the exit status is 0, or 1 where the environment says
``ROCQ=required``.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from splitcrit.proofs.rocq.generate import FILE, text

FOLDER = Path(__file__).parent
PACKAGES = "coq libcoq-mathcomp-algebra libcoq-mathcomp-algebra-tactics"
REFUSED = re.compile(r"\b(Admitted|admit|Axioms?|Parameters?|Conjectures?|Abort|Unset Guard Checking|bypass_check)\b")


def theorems() -> list[dict[str, Any]]:
    """Return the theorems that are listed: name, file, the function of the library, whether printed."""
    return list(tomllib.loads((FOLDER / "theorems.toml").read_text(encoding="utf-8"))["theorem"])


def faults() -> Iterator[str]:
    """Yield what is wrong before anything is compiled."""
    if FILE.read_text(encoding="utf-8") != text():
        yield "generated.v is not what the code prints; run python -m splitcrit.proofs.rocq.generate and prove it anew"
    for file in sorted(FOLDER.glob("*.v")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if found := REFUSED.search(line):
                yield f"{file.name}, line {number}: a proof holds no {found[0]}; prove it"
    for theorem in theorems():
        source = FOLDER / f"{theorem['file']}.v"
        if not source.is_file() or not re.search(rf"^Theorem {theorem['name']}\b", source.read_text(), re.MULTILINE):
            yield f"theorems.toml lists what stands nowhere: {theorem['name']} in {theorem['file']}.v"


def assumed() -> str:
    """Return what each listed theorem assumes, as Rocq prints it; the proofs are compiled."""
    listed = theorems()
    files = " ".join(dict.fromkeys(theorem["file"] for theorem in listed))
    lines = [f"From splitcrit Require Import {files}."]
    lines += [f"Print Assumptions {theorem['name']}." for theorem in listed]
    scratch = FOLDER / "assumed.v"
    scratch.write_text("\n".join(lines) + "\n", encoding="utf-8")
    try:
        done = subprocess.run(
            ["coqc", "-R", ".", "splitcrit", "-w", "-all", scratch.name], cwd=FOLDER, capture_output=True, text=True
        )
    finally:
        for file in FOLDER.glob("assumed.*"):
            file.unlink()
    if done.returncode:
        raise SystemExit(done.stderr)
    said = re.split(r"(?=Closed under|Axioms:|Section Variables:)", done.stdout)
    found = [" ".join(part.split()) for part in said if part.strip()]
    return "\n".join(f"{t['name']}: {part}" for t, part in zip(listed, found, strict=True)) + "\n"


def main() -> int:
    """Check everything; say what was done in one line each."""
    if wrong := list(faults()):
        print(*wrong, sep="\n")
        return 1
    if shutil.which("coqc") is None:
        print(f"The proofs in Rocq need coqc (Coq 8.16, mathcomp 1.15); on Debian: apt-get install {PACKAGES}")
        return int(os.environ.get("ROCQ") == "required")
    start = time.perf_counter()
    done = subprocess.run(["make", "--no-print-directory", "-s", "-j2", "-C", str(FOLDER)])
    if done.returncode:
        return 1
    found, kept = assumed(), FOLDER / "assumptions.txt"
    if "--write" in sys.argv:
        kept.write_text(found, encoding="utf-8")
    if found != kept.read_text(encoding="utf-8"):
        print("what the theorems assume is not what assumptions.txt says:", found, sep="\n")
        return 1
    closed = found.count("Closed under the global context")
    seconds = time.perf_counter() - start
    print(f"{len(theorems())} theorems checked by the kernel in {seconds:.0f} s, {closed} of them closed: no axiom")
    return 0


if __name__ == "__main__":
    sys.exit(main())
