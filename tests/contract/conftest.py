"""The contract's report: one line a name, gathered from all workers, in pytest's cache; with -v on the terminal too."""

from __future__ import annotations

import re
from typing import Any

import pytest

from contract.entries import KEY


def counted(line: str) -> int:
    """How many cases a line tells of."""
    return int(re.findall(r"(\d+) cases", line)[0])


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    reports = [r for kind in ("passed", "failed") for r in terminalreporter.stats.get(kind, ()) if r.when == "call"]
    told = [str(text) for report in reports for key, text in report.user_properties if key == KEY]
    by_name = {text.split()[0]: text for text in sorted(told, key=counted)}  # of few cases and all of them, all
    if not (lines := sorted(by_name.values())):
        return
    cases = sum(map(counted, lines))
    terminalreporter.section("contract")
    if (cache := getattr(config, "cache", None)) is not None:
        path = cache.mkdir(KEY) / "report.txt"
        path.write_text("\n".join(lines) + "\n")
        terminalreporter.write_line(f"{cases} cases of {len(lines)} names; a line for each in {path}")
    if config.get_verbosity() > 0:
        terminalreporter.write_line("\n".join(lines))
