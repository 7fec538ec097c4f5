"""What every test of the contract asserts about one name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from contract.entries import KEY, LEAST, Entry, tried

TIERS = pytest.mark.parametrize("few", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["few", "all"])


def kept(name: str, entry: Entry, few: bool, record_property: Callable[[str, object], None]) -> None:
    """Fail, with every case that broke the contract, unless all answers are right and all refusals explained."""
    tally = tried(name, entry, few)
    record_property(KEY, tally.line())
    print(tally.line())
    shown = [f"{parameter}={kind}: {verdict.outcome}: {verdict.message}" for parameter, kind, verdict in tally.failures]
    assert not shown, "\n".join([f"{len(shown)} cases break the contract of {name}", *shown])
    assert tally.readable[True] == tally.readable.total() > 0, "what numpy reads as the same numbers is answered"
    assert few or tally.cases >= LEAST, "a name is tried at least thirty times"
