"""What ``make rocq`` refuses, and that a changed source is noticed by a proof."""

import re
import subprocess
from pathlib import Path

import pytest

from splitcrit.proofs.kernel import Checked
from splitcrit.proofs.rocq import check, listed, mutants

needs_coqc = pytest.mark.skipif(check.missing() is not None, reason=str(check.missing()))
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("word", ["Admitted", "Axiom", "Parameter", "Conjecture", "Abort", "Unset Guard Checking"])
def test_what_is_no_proof_is_refused(word: str) -> None:
    assert check.REFUSED.search(f"  {word} x : nat.") and not check.REFUSED.search(f"({word}able)")


@pytest.mark.parametrize(
    ("theorem", "mistake"),
    [
        (Checked("py_nothing", "tie", "splitcrit.gini", True), "what stands nowhere: py_nothing"),
        (Checked("py_exact_mean_is_mean", "absent", "splitcrit.gini", True), "what stands nowhere"),
        (
            Checked("py_gini_gain_rescales_of_symmetric", "tie", "splitcrit.gini", True, "no_example"),
            "an instance that stands nowhere",
        ),
        (
            Checked("py_gini_gain_rescales_of_symmetric", "tie", "splitcrit.nulls.nothing", True),
            "no function of the library",
        ),
    ],
)
def test_a_list_that_says_what_is_not_so_is_refused(theorem: Checked, mistake: str) -> None:
    assert any(mistake in said for said in listed.mistakes([theorem]))


def test_a_statement_is_about_printed_code_by_name_or_by_way_of_a_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listed, "by_way", lambda: frozenset({("tie", "pygain")}))
    assert listed.about_printed("forall R K, generated.py_gini (R:=R) p = 0")
    assert listed.about_printed("null.mean (tie.pygain f y) = 0")
    assert not listed.about_printed("defs.gini (R:=R) p = 0") and not listed.about_printed("other.pygain")


@pytest.mark.parametrize(("asked", "status"), [("", 0), ("required", 1)])
def test_without_coqc_one_sentence_says_how_to_get_it(asked: str, status: int, monkeypatch, capsys) -> None:
    monkeypatch.setenv("ROCQ", asked)
    monkeypatch.setattr(check.shutil, "which", lambda name: None)
    monkeypatch.setattr(check, "faults", lambda: ())
    assert check.main() == status
    said = capsys.readouterr().out
    assert said.count("\n") == 1 and "got no coqc" in said and "apt-get install" in said


def test_ci_goes_on_where_there_is_no_apt() -> None:
    done = subprocess.run(["/bin/bash", ".ci/rocq"], cwd=ROOT, env={"PATH": "/nowhere"}, capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == "The proofs in Rocq are not required here: there is no apt-get.\n"


def test_each_mutant_changes_one_place_and_every_function_of_a_theorem_has_one() -> None:
    for mutant in mutants.mutants():
        assert mutant.place[1].count(mutant.old) == 1, mutant
    assert len(mutants.mutants()) >= 25
    assert list(mutants.uncovered(mutants.mutants())) == []


@needs_coqc
@pytest.mark.slow
def test_a_proof_notices_a_changed_source(tmp_path: Path) -> None:
    assert check.compile_all()
    (mean,) = (m for m in mutants.mutants() if (m.function, m.new) == ("splitcrit.nulls.formulas.mean", "r"))
    with mutants.Copy(tmp_path) as copy:
        assert re.fullmatch(r"\w+\.v: \w+", mutants.tried(mean, copy))


@pytest.mark.slow
@needs_coqc
def test_a_proof_about_what_is_not_printed_is_refused() -> None:
    one = Checked("value_of_rationals", "rational", "splitcrit.proofs.rocq.data.mirror", True)
    assert check.compile_all()
    (_, states, *_), *_ = check.asked([one])
    assert "rational.qvalue" in states and not listed.about_printed(states)
