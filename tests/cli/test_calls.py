"""``splitcrit criteria``: every way to write a member of a family leads to the facts of that member."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from splitcrit import gce, ne
from splitcrit.cli import main
from splitcrit.cli.calls import member
from splitcrit.cli.criteria import summaries, summary_of
from splitcrit.criteria import as_criterion, normalised
from splitcrit.criteria.facts import facts, speaks_of
from splitcrit.impurities import entropy, shannon_entropy, variance
from splitcrit.proofs.summaries import ROWS


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("ne(0.5)", ne(0.5)),
        ("ne(.5)", ne(0.5)),
        ("decrease(ne(lam=0.50))", ne(0.5)),
        ("ne(1/2)", ne(Fraction(1, 2))),
        ("ne(Fraction(1, 2))", ne(Fraction(1, 2))),
        ("gce(0.7)", gce(0.7)),
        ("shannon_entropy(2)", shannon_entropy(2)),
        ("variance([0, 1])", variance((0, 1))),
        ("normalised(criterion=entropy)", normalised(entropy)),
        ("normalised(entropy, guarded=True)", normalised(entropy, guarded=True)),
    ],
)
def test_a_call_is_read_as_the_maker_reads_it(written: str, meant: object) -> None:
    summary, criterion = summary_of(written), as_criterion(meant)
    assert summary.criterion == criterion.name
    assert summary.facts == tuple(fact for fact in facts() if speaks_of(fact["criterion"], criterion.name))


@pytest.mark.parametrize("written", ["ne(0.5)", "decrease(gce(q))", "gce(0.7)", "ne(lam)", "imprecise_gain_ratio(s)"])
def test_what_the_list_marks_the_summary_tells(written: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["criteria", written]) == 0
    assert "No properties are known" not in capsys.readouterr().out


def test_a_family_is_written_with_all_of_its_own_names() -> None:
    assert member("scaled", "(impurity, factor)") is None and member("scaled", "(gini, 2)") is not None
    for arguments in ("(impurity, 2)", "(gini, factor)"):
        with pytest.raises(ValueError, match="is not a number"):
            member("scaled", arguments)


TITLES = sorted({title for title in [*ROWS, *(summary.criterion for summary in summaries())] if "(" in title})


@pytest.mark.parametrize("title", TITLES)
def test_a_title_of_a_list_is_the_summary_of_its_family(title: str) -> None:
    maker = re.sub(r"[(].*", "", title.removeprefix("decrease(")).rstrip(")")
    assert summary_of(title) == summary_of(maker) and summary_of(title).facts


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("ginny", "the name must be that of a criterion of the library; got 'ginny'; did you mean gini"),
        ("", "splitcrit criteria lists them"),
        ("gini(q=1)", "gini has no parameters; got 'gini(q=1)'; pass gini"),
        ("gce(q=", "got 'gce(q='"),
        ("decrease(gini", "got 'decrease(gini'"),
        ("__import__('os')", "got \"__import__('os')\""),
        ("ne()", "ne takes lam; got 'ne()'; pass values for them (ne() missing"),
        ("ne(0.5, 3)", "ne takes lam; got 'ne(0.5, 3)'; pass values for them (2 parameters)"),
        ("ne(0.5, lam=3)", "(2 parameters)"),
        ("ne(x=3)", "ne takes lam; got 'ne(x=3)'"),
        ("ne(a)", "(a is not a number)"),
        ("ne(True)", "(True is not a number)"),
        ("ne('a')", "('a' is not a number)"),
        ("ne(1)(2)", "(two pairs of parentheses)"),
        ("ne(1/0)", "ne takes lam; got 'ne(1/0)'"),
        ("gce(-1)", "the order q of GCE is non-negative"),
        ("normalised(__import__('os'))", "is not a number"),
        ("ne(" * 200 + "1" + ")" * 200, "ne takes lam"),
        ("ne(" + "9" * 5000 + ")", "ne takes lam"),
    ],
)
def test_other_names_and_arguments_are_refused_in_one_sentence(
    written: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["criteria", written]) == 2
    printed = capsys.readouterr()
    assert said in printed.err and printed.err.count("\n") == 1 and printed.out == ""
