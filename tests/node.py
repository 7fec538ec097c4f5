"""Scripts of the pages run in Node.js, with data passed as JSON."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

NODE = shutil.which("node") or shutil.which("nodejs")
STATIC = Path(__file__).parents[1] / "docs" / "_static"
PLAIN = """
const data = JSON.parse(require("fs").readFileSync(0));
const plain = (key, x) => typeof x === "bigint" ? String(x)
    : typeof x === "number" && !Number.isFinite(x) ? String(x)
    : x && x.denominator !== undefined ? `${x.numerator}/${x.denominator}` : x;
"""


def in_node(script: str, data: Any, name: str = "calculator.js") -> Any:
    """What an expression of `data` and of the functions `m` of a script gives; fractions come as texts."""
    if NODE is None:
        pytest.skip("Node.js is not installed")
    code = f"{PLAIN}\nconst m = require({json.dumps(str(STATIC / name))});\n"
    code += f"process.stdout.write(JSON.stringify({script}, plain));"
    ran = subprocess.run([NODE, "-e", code], input=json.dumps(data), capture_output=True, text=True, encoding="utf-8")
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(ran.stdout)
