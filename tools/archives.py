"""Ask of the archives in a folder: does the source archive hold every tracked file, and the wheel every module?

``python tools/archives.py dist`` says what is missing or should not be there, and ends with status 1 if anything is.
The proofs in Rocq, and what prints and compiles them, stand in the source archive and not in the wheel.

Main definitions: ``faults``.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

LINKS = {"splitcrit/proofs", "reproductions/data"}  # whose files stand there themselves
ROCQ = "splitcrit/proofs/rocq/"
READ = {ROCQ + name for name in ("__init__.py", "hypotheses.py", "hypotheses.txt", "theorems.toml", "comments.json")}


def faults(tracked: set[str], source: set[str], wheel: set[str]) -> Iterator[str]:
    """Yield what is wrong with the names in a source archive and in a wheel, beside those of the tracked files.

    Examples
    --------
    >>> tracked = {"splitcrit/a.py", "proofs/b.v", "notebooks/c.ipynb"}
    >>> list(faults(tracked, {"splitcrit/a.py", "splitcrit/proofs/b.v"}, {"splitcrit/a.py", "splitcrit/proofs/b.v"}))
    ['the source archive lacks notebooks/c.ipynb', 'the wheel holds splitcrit/proofs/b.v']
    """
    wanted = {f"splitcrit/{name}" if name.startswith("proofs/") else name for name in tracked - LINKS}
    yield from (f"the source archive lacks {name}" for name in sorted(wanted - source))
    left_out = {name for name in wanted | wheel if name.startswith(ROCQ) or name.endswith(".v")} - READ
    modules = {name for name in wanted if name.startswith("splitcrit/") and name.endswith((".py", ".toml", ".json"))}
    yield from (f"the wheel lacks {name}" for name in sorted((modules - left_out | READ & wanted) - wheel))
    yield from (f"the wheel holds {name}" for name in sorted(left_out & wheel))


def main(folder: Path) -> int:
    """Print what is wrong with the archives of a folder, or how many files and bytes they have."""
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    with tarfile.open(source) as archive:
        sources = {name.partition("/")[2] for name in archive.getnames()}
    with zipfile.ZipFile(wheel) as archive:
        modules = set(archive.namelist())
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True)
    wrong = list(faults(set(listed.stdout.split("\n")) - {""}, sources, modules))
    for path, names in ((source, sources), (wheel, modules)):
        print(f"{path.name}: {len(names)} files, {path.stat().st_size:,} bytes")
    print(*wrong, sep="\n")
    return min(1, len(wrong))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
