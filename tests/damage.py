"""Models that were damaged on their way: seeded changes of JSON and of text, by value, by structure and by byte."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np

ODD: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 7, 20_000_000, 2**31, 2**63, -(2**63) - 1, 10**30, 0.5, -0.0, 1e300, float("inf"),
    float("nan"), "", "x", "-1", "1e5", "nan", "20000000", "1" * 5000, "\x00", "é\ud800", [], {}, [[]], [1], [1, 2, 3],
    [None], ["a", 1], {"a": 1}, [[[[[1]]]]],
)  # fmt: skip


def damaged_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    """Return bytes of which some are lost, exchanged, repeated or no UTF-8."""
    at, length = int(rng.integers(len(data) + 1)), int(rng.integers(1, 40))
    kind = rng.integers(5)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + data[at + length :]
    if kind == 2:
        return data[:at] + data[at : at + length] * 2 + data[at + length :]
    put = rng.integers(0, 256, length).astype(np.uint8).tobytes() if kind == 3 else b"\xff\xfe"
    return data[:at] + put + data[at + (kind == 4) :]


def damaged_json(model: Any, rng: np.random.Generator) -> str:
    """Return the text of a JSON value in which one to three entries are changed, moved or lost."""
    found = copy.deepcopy(model)
    for _ in range(rng.integers(1, 4)):
        _damage(found, rng)
    return json.dumps(found)


def _damage(held: Any, rng: np.random.Generator) -> None:
    """Change a place that is found by a walk down from the top."""
    while True:
        keys = list(held) if isinstance(held, dict) else list(range(len(held)))
        if not keys:
            return
        key = keys[rng.integers(len(keys))]
        below = held[key]
        if not (isinstance(below, dict | list) and len(below)) or rng.random() < 0.15:
            break
        held = below
    kind = rng.integers(8)
    if kind == 0:
        del held[key]
    elif kind == 1:
        held[key] = [below]
    elif kind == 2 and isinstance(below, list):
        held[key] = below[: rng.integers(len(below) + 1)]
    elif kind == 3 and isinstance(below, list):
        held[key] = below * 2
    elif kind == 4 and isinstance(below, int | float):
        held[key] = [-below, below + 1, below - 1, below * 10**6, below + 0.5][rng.integers(5)]
    elif kind == 5:
        held[key] = str(below)
    else:
        held[key] = copy.deepcopy(ODD[rng.integers(len(ODD))])


def damaged_lines(text: str, rng: np.random.Generator) -> str:
    """Return a text of lines ``name=value value`` in which one to three are lost, repeated or have other values."""
    lines = text.split("\n")
    for _ in range(rng.integers(1, 4)):
        at = int(rng.integers(len(lines)))
        name, sign, values = lines[at].partition("=")
        each, kind = values.split(" "), rng.integers(6)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines[at] = name
        elif kind == 2:
            lines[at] = f"{name}{sign}{' '.join(each[: rng.integers(len(each))])}"
        elif kind == 3:
            lines[at] = f"{name}{sign}{values} {values}"
        else:
            each[rng.integers(len(each))] = f"{ODD[rng.integers(len(ODD))]}"
            lines[at] = f"{name}{sign}{' '.join(each)}"
        lines = lines or [""]
    return "\n".join(lines)
