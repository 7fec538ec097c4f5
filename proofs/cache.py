"""The cache: verdicts kept between runs, trusted only while nothing that they rest on has changed.

A verdict is kept under the key of its theorem with a digest of the statement and of the sources that it reads, so that
an edit settles anew what it touches. Verdicts are plain JSON in the checkout. What came out UNKNOWN is not
kept: a solver may only have been too slow.

Main definitions: ``folder``, ``sources``, ``digest``, ``read``, ``write``, ``trusted``.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from splitcrit.atomic_files import write_json
from splitcrit.frozen import complaint
from splitcrit.proof import Status, Verdict
from splitcrit.proofs.sources import PACKAGE, everything, of_statements

CHECKOUT = PACKAGE.parent  # of an installed package, the folder that it is in


@dataclass(frozen=True)
class Kept:
    """The verdicts of one theorem or erratum, and the seconds they took when they were reached."""

    verdicts: tuple[Verdict, ...]
    seconds: float


def folder() -> Path:
    """The folder of the cache: ``.cache/verify`` of the checkout, so that no other checkout answers for it.

    An installed package keeps it as ``splitcrit/verify`` in the user's cache folder of the platform.
    ``SPLITCRIT_VERIFIED`` names another one, which who sets it has made for this run.
    """
    if chosen := os.environ.get("SPLITCRIT_VERIFIED"):
        return Path(chosen)
    if (CHECKOUT / "pyproject.toml").is_file():
        return CHECKOUT / ".cache" / "verify"
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
    """Whether kept verdicts are used by default: where CI is set, only those of this run."""
    return bool(os.environ.get("SPLITCRIT_VERIFIED")) or not os.environ.get("CI")


def sources() -> str:
    """The digest of all sources, by which a page knows whether a ledger is of this version."""
    return everything()


def digest(name: str, statement: str, module: str) -> str:
    """The digest under which the verdicts of a statement that stands in a module may be trusted."""
    return hashlib.sha256("\0".join((name, statement, of_statements(module))).encode()).hexdigest()


def _path(name: str) -> Path:
    return folder() / f"{name}.json"


def _data(name: str) -> dict[str, Any]:
    """What is kept of a statement, whatever it rests on; nothing where there is no readable file."""
    try:
        text = _path(name).read_text(encoding="utf-8")
    except OSError:
        return {}
    data: dict[str, Any] = json.loads(text)
    return data


def read(name: str, digest: str) -> Kept | None:
    """The verdicts kept under this digest, or None.

    Raises
    ------
    ValueError
        If the file is damaged.
    """
    try:
        data = _data(name)
        return _kept(data) if data.get("digest") == digest else None
    except (AttributeError, KeyError, TypeError, ValueError):
        rule, remedy = "a file of cached verdicts must be JSON", "its theorem is settled anew"
        raise ValueError(complaint(rule, f"a damaged {_path(name)}", remedy)) from None


def _kept(data: dict[str, Any]) -> Kept:
    verdicts = ({**v, "status": Status(v["status"]), "numbers": tuple(v["numbers"])} for v in data["verdicts"])
    return Kept(tuple(Verdict(**v) for v in verdicts), float(data["seconds"]))


def seconds(name: str) -> float:
    """How long a statement took when it was last settled, infinity if that is not known: what to start with."""
    try:
        return float(_data(name)["seconds"])
    except (KeyError, TypeError, ValueError):
        return float("inf")


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
