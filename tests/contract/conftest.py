"""The contract's report: one line a name, gathered from all workers, in pytest's cache; with -v on the terminal too."""

from __future__ import annotations

import re
from typing import Any

import pytest

from contract.entries import KEY


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    reports = [r for kind in ("passed", "failed") for r in terminalreporter.stats.get(kind, ()) if r.when == "call"]
    lines = sorted(text for report in reports for key, text in report.user_properties if key == KEY)
    if not lines:
        return
    cases = sum(int(number) for line in lines for number in re.findall(r"(\d+) cases", line))
    terminalreporter.section("contract")
    if (cache := getattr(config, "cache", None)) is not None:
        path = cache.mkdir(KEY) / "report.txt"
        path.write_text("\n".join(lines) + "\n")
        terminalreporter.write_line(f"{cases} cases of {len(lines)} names; a line for each in {path}")
    if config.get_verbosity() > 0:
        terminalreporter.write_line("\n".join(lines))
