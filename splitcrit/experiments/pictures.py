"""Pictures and texts beside results.

Main definitions: ``saved``, ``told``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from splitcrit.experiments.runner import Options
from splitcrit.files import ready, write_text, writing


def saved(figure: Any, options: Options, name: str, *, dpi: int = 110) -> Path:
    """Write a picture beside the results, whole or not at all, and return where it is."""
    path = ready(options.out) / f"{name}.png"
    with writing(path) as part:
        figure.savefig(part, format="png", dpi=dpi, metadata={"Software": None})
    return path


def told(lines: Sequence[str], options: Options, name: str) -> str:
    """Write what an experiment has to say beside its results, for the page that shows it, and return it."""
    text = "\n".join(line.rstrip() for line in lines)
    write_text(ready(options.out) / f"{name}.txt", text + "\n")
    return text
