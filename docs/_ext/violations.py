"""Where the project breaks its own rules: rooms above their ceilings and missed gates, read on every build.

Main definitions: ``waiting_rooms``, ``missed_gates``, ``page``.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from writing import code, table, text

ROOT = Path(__file__).parents[2]
HEAD = """\
# Our current violations

Every room of the package has a ceiling of code lines, and every benchmark a gate. This page is written from
`tests/project/code_lines.toml` and `benchmarks/results.md` on every build, so that it can neither flatter nor forget.
"""


def waiting_rooms() -> list[list[str]]:
    """The rooms above their ceilings: name, ceiling, the lines that they may not exceed, what they wait for."""
    told = tomllib.loads((ROOT / "tests" / "project" / "code_lines.toml").read_text(encoding="utf-8"))
    waiting = sorted(told.get("waiting", {}).items())
    return [[code(name), str(told["ceilings"][name]), str(w["lines"]), text(w["until"])] for name, w in waiting]


def missed_gates() -> list[list[str]]:
    """The lines of the benchmark results that missed their gate: what, ratio, gate."""
    lines = (ROOT / "benchmarks" / "results.md").read_text(encoding="utf-8").splitlines()
    cells = [[x.strip() for x in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [[text(row[i]) for i in (0, 3, 5)] for row in cells if len(row) == 7 and row[6] not in ("met", "", "---")]


def page() -> str:
    """The page."""
    rooms, gates = waiting_rooms(), missed_gates()
    parts = [HEAD, f"## Rooms above their ceilings: {len(rooms)}\n"]
    parts.append(table(["room", "ceiling", "lines at most", "until"], rooms) if rooms else "None.")
    parts.append(f"\n## Benchmarks that missed their gate: {len(gates)}\n")
    parts.append(table(["what", "ratio", "gate"], gates) if gates else "None.")
    return "\n".join(parts) + "\n"
