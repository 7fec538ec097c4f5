"""Pictures and texts beside results.

Main definitions: ``saved``, ``told``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from splitcrit.experiments.runner import Options
from splitcrit.files import write_text


def saved(figure: Any, options: Options, name: str, *, dpi: int = 110) -> Path:
    """Write a picture beside the results, whole or not at all, and return where it is."""
    options.out.mkdir(parents=True, exist_ok=True)
    path, part = options.out / f"{name}.png", options.out / f".{name}.part.png"
    try:
        figure.savefig(part, dpi=dpi, metadata={"Software": None})
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return path


def told(lines: Sequence[str], options: Options, name: str) -> str:
    """Write what an experiment has to say beside its results, for the page that shows it, and return it."""
    options.out.mkdir(parents=True, exist_ok=True)
    text = "\n".join(line.rstrip() for line in lines)
    write_text(options.out / f"{name}.txt", text + "\n")
    return text
