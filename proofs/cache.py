"""The cache: verdicts kept between runs, trusted only while nothing that they rest on has changed.

A verdict is kept under the key of its theorem with a digest of the statement, of every source file of the package and
of the proofs (the command line apart), and of the versions of Python and of the packages that settle claims. Verdicts
are plain JSON in the user's cache folder. What came out UNKNOWN is not kept: a solver may only have been too slow.

Main definitions: ``folder``, ``sources``, ``digest``, ``read``, ``write``, ``trusted``.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from splitcrit import values
from splitcrit.files import write_json
from splitcrit.proof import Status, Verdict

SOLVERS = ("numpy", "sympy", "mpmath", "python-flint", "z3-solver")
OUTSIDE = {"cli", "__pycache__"}  # what no verdict rests on


@dataclass(frozen=True)
class Kept:
    """The verdicts of one theorem or erratum, and the seconds they took when they were reached."""

    verdicts: tuple[Verdict, ...]
    seconds: float


def folder() -> Path:
    """Return the folder of the cache: ``splitcrit/verify`` in the user's cache folder of the platform.

    ``SPLITCRIT_VERIFIED`` names another one, which who sets it has made for this run.
    """
    if made := os.environ.get("SPLITCRIT_VERIFIED"):
        return Path(made)
    if named := os.environ.get("XDG_CACHE_HOME"):
        base = Path(named)
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path.home() / ".cache"
    return base / "splitcrit" / "verify"


def trusted() -> bool:
    """Return whether kept verdicts are used by default: where CI is set, only those of this run."""
    return bool(os.environ.get("SPLITCRIT_VERIFIED")) or not os.environ.get("CI")


@lru_cache(maxsize=1)
def sources() -> str:
    """Return the digest of what every verdict rests on: formulas, checker, statements, and the packages that settle."""
    root, found = Path(values.__file__).parent, hashlib.sha256()
    for above, folders, files in os.walk(root, followlinks=True):
        folders[:] = sorted(set(folders) - OUTSIDE)
        for name in sorted(files):
            if name.endswith(".py"):
                path = Path(above, name)
                found.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    found.update(repr([sys.version, *((name, version(name)) for name in SOLVERS)]).encode())
    return found.hexdigest()


def digest(name: str, statement: str) -> str:
    """Return the digest under which the verdicts of one statement may be trusted."""
    return hashlib.sha256("\0".join((name, statement, sources())).encode()).hexdigest()


def _path(name: str) -> Path:
    return folder() / f"{name}.json"


def _data(name: str) -> dict[str, Any]:
    """Return what is kept of a statement, whatever it rests on; nothing where there is no readable file."""
    try:
        found = json.loads(_path(name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def read(name: str, digest: str) -> Kept | None:
    """Return the verdicts kept under this digest, or None."""
    data = _data(name)
    if data.get("digest") != digest:
        return None
    try:
        return Kept(
            tuple(
                Verdict(**{**v, "status": Status(v["status"]), "numbers": tuple(v["numbers"])})
                for v in data["verdicts"]
            ),
            float(data["seconds"]),
        )
    except (KeyError, TypeError, ValueError):
        return None


def seconds(name: str) -> float:
    """Return how long a statement took when it was last settled, infinity if that is not known: what to start with."""
    found = _data(name).get("seconds")
    return found if isinstance(found, float) else float("inf")


def write(name: str, digest: str, verdicts: Sequence[Verdict], seconds: float) -> None:
    """Keep verdicts, unless one is UNKNOWN; where the folder cannot be written nothing is kept."""
    if any(v.status is Status.UNKNOWN for v in verdicts):
        return
    plain = [{**asdict(v), "status": v.status.value} for v in verdicts]
    try:
        folder().mkdir(parents=True, exist_ok=True)
        write_json(_path(name), {"digest": digest, "name": name, "seconds": float(seconds), "verdicts": plain})
    except OSError:
        return
