"""Pictures beside results.

Main definitions: ``saved``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from splitcrit.experiments.runner import Options


def saved(figure: Any, options: Options, name: str) -> Path:
    """Write a picture beside the results, whole or not at all, and return where it is."""
    options.out.mkdir(parents=True, exist_ok=True)
    path, part = options.out / f"{name}.png", options.out / f".{name}.part.png"
    try:
        figure.savefig(part, dpi=110, metadata={"Software": None})
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return path
