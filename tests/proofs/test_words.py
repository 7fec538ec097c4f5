"""What is printed of a theorem says what it rests on: "proved" alone stands nowhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from splitcrit import tolerance
from splitcrit.cli.main import main
from splitcrit.criteria.facts import facts, known
from splitcrit.proof import Identity, Status, Theorem
from splitcrit.proofs import catalogue, coverage, explain, ledger, printed, properties

ROOT = Path(__file__).parents[2]
ALONE = re.compile(
    r"(?<!what is )\b(?:dis)?prov(?:ed|en)\b", re.IGNORECASE
)  # "what is proved and what is not": a title
GROUNDS = re.compile(
    r"kernel-checked(?: in part)?|algebra(?: compared at \w+ = [\d, ]+)?|enumerated(?: in floats)?: .+|enclosed numbers"
    r"|a witness|samples|rests on(?: for .+)?: .+|premises"
)


def test_a_verdict_and_its_status_say_settled() -> None:
    verdict = Identity({"x": "real"}, lambda v, m: (v.x + 1) ** 2, lambda v, m: v.x**2 + 2 * v.x + 1).settle()
    assert repr(verdict).startswith("Verdict(status=<Status: settled>, method='identity'")
    assert [repr(status) for status in Status] == [f"<Status: {status.value}>" for status in Status]
    assert not ALONE.search(f"{verdict!r} {verdict} {verdict._repr_html_()} {list(Status)}")


@pytest.mark.parametrize("key", catalogue.collect())
def test_a_theorem_says_what_it_rests_on(key: str) -> None:
    theorem: Theorem = catalogue.collect()[key]
    assert theorem.basis and all(GROUNDS.fullmatch(ground) for ground in theorem.basis), theorem.basis
    assert not ALONE.search(f"{theorem!r} {theorem._repr_html_()} {theorem.scope_words}")


@pytest.mark.parametrize(
    "key",
    [
        "null.gini_mean_of_permutation",  # kernel-checked
        "noise.variance_of_equicorrelated_mean",  # compared at some numbers
        "vertex.cut_is_best_of_convex_score",
        "vertex.criteria_first_part_at_six_examples",
    ],
)
def test_the_ledger_and_explain_say_it(key: str) -> None:
    done = ledger.ledger([key], [], jobs=1)
    (entry,) = done.entries
    told = explain.plain(catalogue.collect()[key], entry, False)
    shown = [printed.entry_lines(entry), told, printed.closing(done), str(ledger.as_json(done)), repr(entry)]
    assert [text for text in [*shown, entry._repr_html_()] if ALONE.search(text)] == []
    assert entry.basis[0].split(":")[0].split(" at ")[0] in told and "rests on" in told


def test_pages_and_answers_say_it() -> None:
    pages = [properties.page(facts()), coverage.page(), (ROOT / "README.md").read_text(encoding="utf-8")]
    assert [found.group() for page in pages for found in ALONE.finditer(page)] == []
    assert {known("decrease(gini)", fact["property"], k) for fact in facts() for k in (2, 3)} <= {
        "holds", "refuted", "unknown"
    }  # fmt: skip
    found = tolerance("decrease(gini)", "class-conditional", 2)
    assert found.verdict == "holds" and found.rests_on[0] == "kernel-checked" and "algebra" in repr(found)
    assert "kernel-checked" not in tolerance("decrease(gini)", "class-conditional", 3).rests_on
    assert not ALONE.search(repr(found) + found._repr_html_())


@pytest.mark.parametrize(
    "arguments", [["--help"], ["verify", "--help"], ["explain", "--help"], ["criteria", "--help"], ["criteria", "gini"]]
)
def test_the_commands_say_it(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        main(arguments)
    except SystemExit as end:
        assert not end.code
    assert not ALONE.search(capsys.readouterr().out)
