"""The contract of robustness."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from contract.calls_robustness import ENTRIES
from contract.checking import TIERS, kept


@TIERS
@pytest.mark.parametrize("name", ENTRIES)
def test_a_right_answer_or_one_sentence(name: str, few: bool, record_property: Callable[[str, object], None]) -> None:
    kept(name, ENTRIES[name], few, record_property)
