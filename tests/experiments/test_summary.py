"""The page that gathers what held: it reads the verdicts of the pages, and refuses a reason that is not needed."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow
DOCS = Path(__file__).parents[2] / "docs"
FIRST, REASONS = re.findall(
    r"^```\{code-cell\}\n:tags: \[remove-cell\]\n([\s\S]*?)^```$", (DOCS / "reproductions.md").read_text(), re.M
)


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    known: dict[str, Any] = {}
    with contextlib.chdir(DOCS):
        exec(FIRST, known)
    return known


def test_verdicts_are_those_of_the_pages(page: dict[str, Any]) -> None:
    states = page["states"]
    assert {paper for paper, _ in states} == set(page["PAPERS"])
    assert states["breiman1996", "gini"] == "held"  # a theorem
    assert states["wilton2024", "twoing"] == "did not hold"  # by another: for two classes it is half of Gini
    assert [page["state"](found) for found in (True, False, [True, False], [True], [])] == [
        "held", "did not hold", "held in part", "held", "not run",
    ]  # fmt: skip


def test_every_claim_that_did_not_hold_has_a_reason_and_no_other(page: dict[str, Any]) -> None:
    exec(REASONS, page | {})
    held = next(key for key, became in page["states"].items() if became == "held")
    for key, became in ((held, "did not hold"), (("wilton2024", "twoing"), "held")):
        with pytest.raises(ValueError, match="reasons are lacking for"):
            exec(REASONS, page | {"states": page["states"] | {key: became}})
