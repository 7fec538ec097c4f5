"""Studies: scripts of reproductions/studies, for tests of what they report."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

FOLDER = Path(__file__).parents[1] / "reproductions" / "studies"


def script(name: str, folder: Path = FOLDER) -> Any:
    """A script as a module of its own; what it imports beside it is found."""
    spec = importlib.util.spec_from_file_location(f"{name}_script", folder / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with patch.object(sys, "path", [str(folder), *sys.path]):
        spec.loader.exec_module(module)
    return module
