"""Files that are whole or untouched, whatever happens while they are written.

Main definitions: ``write_text``, ``write_json``, ``writing`` (any other writer), ``ready`` (a folder).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from splitcrit.frozen import complaint


def unwritable(path: Path, error: OSError) -> OSError:
    """The error of a file that could not be written, with its path, in one sentence."""
    why = error.strerror or str(error) or type(error).__name__
    remedy = "free some space, or name an existing, writable folder"
    unwritten = type(error)(complaint("results must be written to a file", f"{path}: {why}", remedy))
    unwritten.errno = error.errno
    return unwritten


def ready(folder: Path) -> Path:
    """A folder that takes files, made with those above it if it was not there.

    Raises
    ------
    OSError
        If it cannot be made, or takes no files.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _new(folder / "new").unlink()
    except OSError as error:
        raise unwritable(folder, error) from None
    return folder


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Give the path of a new file beside the one to write, which it replaces once its writer is done.

    Raises
    ------
    OSError
        If it cannot be written; then the old file is as it was, and the new one gone.
    """
    part: Path | None = None
    try:
        part = _new(path)
        yield part
        os.replace(part, path)
        part = None  # its name is free for another thread
    except OSError as error:
        raise unwritable(path, error) from None
    finally:
        if part is not None:
            part.unlink(missing_ok=True)


def _new(path: Path) -> Path:
    """An empty file beside another, of the permissions that any new file gets."""
    part = path.with_name(f"{path.name}.{os.urandom(8).hex()}.part")
    part.touch(exist_ok=False)
    return part


def write_text(path: Path, text: str) -> None:
    """Write a text file by way of a temporary one beside it.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    with writing(path) as part:
        part.write_text(text, encoding="utf-8")


def write_json(path: Path, data: Any) -> None:
    """Write data as indented JSON; nan and infinities are refused."""
    write_text(path, json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
