"""No text that git tracks names a place of somebody's machine, or says that it is unfinished.

The patterns are put together here so that this file does not hold what it looks for.
"""

from __future__ import annotations

import re
from pathlib import Path

from tracked import tracked

ROOT = Path(__file__).parents[2]
WORDS = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK", "raise Not" + "ImplementedError"]
UNFINISHED = re.compile(rf"\b(?:{'|'.join(WORDS)})\b")
MACHINE = re.compile(r"(?<![\w.:>/$}])/(?:home|root|tmp|work|usr|opt|mnt|Users|private)/(?!bin/env\b)|[A-Z]:\\\\?Users")
PICTURE = re.compile(r'"image/png": "[^"]*"')  # of a notebook: letters and slashes at random


def test_the_patterns_see_what_they_look_for() -> None:
    assert UNFINISHED.search("# TO" + "DO: later") and not UNFINISHED.search("todos")
    assert MACHINE.search('open("/' + 'home/me/x.csv")') and MACHINE.search("C:" + "\\Users\\me")
    assert not MACHINE.search("#!/usr" + "/bin/env bash") and not MACHINE.search("https://example.org/home/page")


def test_no_machine_paths_and_no_unfinished_business() -> None:
    found = []
    for name in tracked():
        if not name.endswith((".gz", ".png", ".svg", ".csv")):
            text = PICTURE.sub("", (ROOT / name).read_text(encoding="utf-8"))
            for number, line in enumerate(text.splitlines(), 1):
                if hit := UNFINISHED.search(line) or MACHINE.search(line):
                    found.append(f"{name}:{number}: {hit.group()}")
    assert found == []
