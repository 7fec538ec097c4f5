"""What stands in quotation marks stands so in the work; criticism is no erratum."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from splitcrit.proofs import errata
from splitcrit.proofs.kernel import FOLDER

TEXTS = errata.texts()
QUOTED = [text for text in TEXTS.values() if text.quoted]


def test_our_words_have_no_quotation_marks() -> None:
    assert [text.id for text in TEXTS.values() if re.search('["“”]', text.printed + text.correction)] == []


@pytest.mark.parametrize("text", QUOTED, ids=lambda text: text.id)
def test_a_quotation_is_short(text: errata.Text) -> None:
    assert len(text.quoted.split()) <= 25


@pytest.mark.parametrize("text", QUOTED, ids=lambda text: text.id)
def test_a_quotation_is_verbatim_where_the_text_is_at_hand(text: errata.Text) -> None:
    file = Path(os.environ.get("SPLITCRIT_PAPERS", "")) / f"{text.work}.txt"
    if not os.environ.get("SPLITCRIT_PAPERS") or not file.is_file():
        pytest.skip("SPLITCRIT_PAPERS names a folder of the papers as text")
    assert text.quoted in " ".join(file.read_text(encoding="utf-8").split())


def test_comments_of_rocq_quote_nothing_else() -> None:
    known = {text.quoted for text in QUOTED}
    said = []
    for file in FOLDER.glob("*.v"):
        for comment in re.findall(r"\(\* [A-Z]-E\d(?:(?!\*\)).)*\*\)", file.read_text(encoding="utf-8"), re.DOTALL):
            said += [" ".join(found.split()) for found in re.findall(r'"([^"]+)"', comment)]
    assert set(said) <= known


def test_a_hedged_claim_is_criticism() -> None:
    assert {x.id for x in TEXTS.values() if x.kind == "criticism"} >= {"G-E7", "G-E8", "Y-E8", "R-E1", "R-E3"}
    assert "may be" in TEXTS["G-E7"].quoted and "appears difficult" in TEXTS["G-E8"].quoted


def test_lost_formulas_are_named() -> None:
    assert {x.work for x in TEXTS.values() if not x.at_hand} == {"wilton2024"}


def test_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="an error or a criticism; got remark"):
        errata.Text("X-E1", "w", "p", "said", "right", "witness", kind="remark")
