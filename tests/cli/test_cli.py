"""The command line as a user meets it: output, exit status, and one sentence for every mistake."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from refusals import refused
from splitcrit import gce, ne
from splitcrit.cli import main
from splitcrit.cli.calls import member
from splitcrit.cli.criteria import summaries, summary_of
from splitcrit.cli.header import listing
from splitcrit.cli.main import COMMANDS
from splitcrit.criteria import as_criterion, normalised
from splitcrit.criteria.facts import facts, speaks_of
from splitcrit.export import header, vectors
from splitcrit.impurities import entropy, shannon_entropy, variance
from splitcrit.nulls import gini_gain, gini_null, gini_pvalue, selected_pvalue, sgini
from splitcrit.proof import Identity, NearMiss, Theorem
from splitcrit.proofs import catalogue
from splitcrit.proofs.summaries import ROWS
from splitcrit.table import Table


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Three kinds of feature: one that tells the class, a row number, noise; and missing cells."""
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 120)
    rows = []
    for i, y in enumerate(label):
        signal = "yes" if rng.random() < 0.2 + 0.6 * y else "no"
        hole = "" if i % 10 == 0 else i % 3
        rows.append([i, signal, f"{rng.random():.6f}", hole, "spam" if y else "ham"])
    path = tmp_path / "data.csv"
    with path.open("w", newline="") as out:
        csv.writer(out).writerows([["id", "signal", "noise", "holes", "class"], *rows])
    return path


def ranked(path: Path, *more: str) -> dict[str, dict]:  # type: ignore[type-arg]
    out = path.with_suffix(".json")
    assert main(["rank", str(path), "--target", "class", "--json", str(out), *more]) == 0
    return {row["feature"]: row for row in json.loads(out.read_text())["features"]}


def test_the_informative_feature_comes_first(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = ranked(file)
    assert next(iter(found)) == "signal"
    lines = capsys.readouterr().out.splitlines()
    heads = "feature kind best cut effect [95 %] p => adjusted"
    assert lines[0].split() == heads.split()
    assert lines[1].startswith("signal") and lines[-1] == "missing values are on the better side of each cut in: holes."
    assert lines[-2] == "treated as categories: signal."


def test_the_numbers_are_those_of_the_library(file: Path) -> None:
    found, cells = ranked(file), pd.read_csv(file, dtype=str)
    table = Table.of(cells["signal"], cells["class"])
    row = found["signal"]
    assert row["gain"] == gini_gain(table) and row["score"] == sgini(table)
    assert row["null_mean"] == pytest.approx(gini_null(table.row_totals, table.column_totals).mean, rel=1e-12)
    assert row["p"] == pytest.approx(float(gini_pvalue(table)), rel=1e-12) and row["method"] == "exact"
    assert found["holes"]["missing"] == 12 and found["holes"]["values"] == 3
    assert found["id"]["values"] == 120 and found["id"]["bins"] == 0
    of_id = selected_pvalue(cells["id"].astype(float), cells["class"])
    assert found["noise"]["p"] == {"above": 0.1} and found["id"]["p"] == 1
    found = ranked(file, "--exact")
    assert found["id"]["p"] <= min(1.0, 2 * float(of_id)) and found["id"]["score"] == pytest.approx(of_id.score)
    scores = [ranked(file, "--measure", name)["signal"]["score"] for name in ("gini", "sgini")]
    assert scores == pytest.approx([gini_gain(table), sgini(table)], rel=1e-14)


def test_the_options_of_files_are_those_of_the_library(tmp_path: Path) -> None:
    """Each undoes a guess: the ranking is that of the clean file, and without the option it is not."""
    rng = np.random.default_rng(0)
    x, y = rng.integers(1000, 9999, 60), rng.integers(0, 2, 60)
    day = np.datetime64("2023-01-01") + (200 + 100 * y + rng.integers(0, 300, 60)).astype("timedelta64[D]")
    (clean := tmp_path / "clean.csv").write_text(
        "\n".join(["x,day,class", *(f"{a / 1000},{d},{b}" for a, d, b in zip(x, day, y, strict=True))])
    )
    excel = (day - np.datetime64("1899-12-30")).astype(int)
    (ugly := tmp_path / "ugly.csv").write_text(
        "\n".join([*(f'"{a // 1000},{a % 1000:03}",{d},{b}' for a, d, b in zip(x, excel, y, strict=True)), "1,2,3"])
    )
    words = ("--no-header", "--decimal", ",", "--skip-footer", "1", "--dates", "excel")
    out = tmp_path / "out.json"
    assert main(["rank", str(ugly), "--target", "column 3", "--exact", "--json", str(out), *words]) == 0
    found = [row["p"] for row in json.loads(out.read_text())["features"]]
    assert found == [row["p"] for row in ranked(clean, "--exact").values()]
    texts = ranked(clean, "--as-text", "x", "--as-text", "day")
    assert {row["kind"] for row in texts.values()} == {"category"}


def test_the_table_shows_what_is_asked_for(file: Path, capsys, refusal) -> None:
    assert main(["rank", str(file), "--target", "class", "--top", "1", "--wide"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "method" in lines[0] and lines[1].startswith("signal") and lines[3].startswith("and 3 more col")
    assert "top is an integer from 1; got -1" in refusal("rank", file, "--target", "class", "--top", "-1")


TWO = "a,class\n1,x\n2,y\n"


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (None, ["--target", "class"], "the data must exist; got"),
        (TWO, ["--target", "klass"], "the label is a column of the data; got 'klass'; columns are a, class"),
        (TWO, ["--target", "class", "--bins", "2"], "bins are for measures of tables; got no measure"),
        (TWO, ["--target", "class", "--measure", "sgini", "--bins", "1"], "number of bins is an integer from 2; got 1"),
    ],
)
def test_mistakes_end_in_one_sentence_and_status_2(
    tmp_path: Path, refusal: Callable[..., str], text: str | None, arguments: list[str], message: str
) -> None:
    path = tmp_path / "data.csv"
    if text is not None:
        path.write_text(text)
    assert message in refusal("rank", path, *arguments, "--json", tmp_path / "out.json")
    assert not (tmp_path / "out.json").exists()


def test_verify_fails_when_a_theorem_is_unsettled(monkeypatch, capsys) -> None:
    lie = Identity({"x": "real"}, lambda v, m: v.x, lambda v, m: v.x + 1)
    theorem = Theorem("a.lie", "x is x + 1", "yang2019", lie, (NearMiss("again", lie), NearMiss("and again", lie)))
    homes = catalogue.homes() | {"a.lie": "splitcrit.proofs.catalogue"}
    monkeypatch.setattr(catalogue, "collect", lambda: {"a.lie": theorem})
    monkeypatch.setattr(catalogue, "homes", lambda: homes)
    assert main(["verify", "--jobs", "1"]) == 1
    assert "NOT SETTLED a.lie: refuted" in capsys.readouterr().out


def test_verify_names_close_keys(refusal: Callable[..., str]) -> None:
    said = "did you mean noise.gini_gain_and_twoing_rescale_of_class_conditional"
    assert said in refusal("verify", "noise.gini_gain_and_twoing")


# ``splitcrit header``: what it prints is what the library returns.


def test_vectors_are_printed_as_fractions_and_listed_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    known = vectors()
    assert main(["header", "--vectors", "--json"]) == 0
    for found, case in zip(json.loads(capsys.readouterr().out)["vectors"], known, strict=True):
        assert tuple(map(tuple, found["table"])) == case.table and found["sgini"] == case.sgini
        for name in ("gain", "mean", "variance", "third_moment", "signed_square"):
            assert Fraction(found[name]) == getattr(case, name)
        assert tuple(map(Fraction, found["scan"])) == case.scan
    assert main(["header", "--vectors"]) == 0
    assert capsys.readouterr().out == (lines := listing(known)) + "\n" and len(lines.splitlines()) == len(known)


def test_the_header_is_printed_or_data(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["header", "--json", str(tmp_path / "header.json")]) == 0
    assert capsys.readouterr().out == header()
    assert json.loads((tmp_path / "header.json").read_text()) == {"splitcrit.h": header()}


# An unknown command or option is answered by the one that it nearly is, in one sentence below the usage.

HELP = "splitcrit --help lists the commands, COMMAND --help their options"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rnak", "x.csv"], "got 'rnak'; did you mean rank?"),
        (["verrify"], "got 'verrify'; did you mean verify?"),
        (["--json", "criterio"], "got '--json'; "),
        (["zzz"], f"got 'zzz'; {HELP}"),
        (["--versoin"], "splitcrit has options that --help lists; got '--versoin'; did you mean --version?"),
        (["rank", "x.csv", "--taget", "y"], "splitcrit rank has options that --help lists; got '--taget'; did you "),
        (["rank", "x.csv", "--target", "y", "--nul=permutations"], "options that --help lists; got '--nul'; "),
        (["rank", "x.csv", "--target", "y", "--dat=day-frist"], "invalid choice: 'day-frist'"),
        (["rank", "x.csv", "--missin=NA", "--jsno"], "got '--jsno'; did you mean --json?"),
        (["rank", "x.csv", "-target", "y"], "got '-target'; did you mean --target?"),
        (["rank", ""], "a file or folder needs a name; got an empty text; name it"),
        (["rank", "x.csv", "--target", "y", "--resume="], "argument --resume: a file or folder needs a name"),
        (["rank", "x.csv", "--target", "y", "--json", "out"], "arguments: out; the FILE of --json has a name"),
        (["explain", "a.key", "other"], "unrecognized arguments: other"),
        (["explain", "--zzz"], f"got '--zzz'; {HELP}"),
        ([], "the following arguments are required"),
        (["explain"], "the following arguments are required"),
        (["rank"], "the following arguments are required"),
        (["verify", "--jobs", "0"], "--jobs must be at least 1, or -1 for one per core; got 0; pass --jobs 2"),
        (["verify", "--jobs", "two"], "two"),
        (["verify", "--json", "/no/such/folder/x.json"], "folder of a JSON file must exist; got '/no/such/folder'"),
        (["criteria", "--js\x1bon"], r"got '--js\x1bon'; did you mean --json?"),
        (["criteria", "--", "--jsn", "--json", "\x1b"], ""),
    ],
)
def test_wrong_words_end_in_a_sentence_that_names_the_near_match(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if not said:  # behind two dashes nothing is an option
        assert main(words) == 2
        assert "got '--jsn'" in capsys.readouterr().err
        return
    refused("2", main, words, error=SystemExit)
    printed = capsys.readouterr()
    last = printed.err.splitlines()[-1]
    assert printed.err.startswith("usage: splitcrit") and said in last and last.isprintable() and printed.out == ""


@pytest.mark.parametrize("words", [["verify", "--jobs", "-1", "--lis", "noise"], ["--version"], ["rank", "--help"]])
def test_what_argparse_understands_passes(words: list[str]) -> None:
    try:
        status = main(words)
    except SystemExit as left:
        status = left.code
    assert status == 0


# ``splitcrit completion``: a script that bash runs, and that completes what the parser knows.

BASH = """
source "$1"
COMP_WORDS=("${@:2}"); COMP_CWORD=$(( $# - 2 )); COMP_LINE="${COMP_WORDS[*]}"
completer=$(complete -p splitcrit | sed 's/.*-F \\([^ ]*\\).*/\\1/')
"$completer" splitcrit "${COMP_WORDS[COMP_CWORD]}" ""
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["completion", "bash"]) == 0
    (path := tmp_path / "splitcrit.bash").write_text(capsys.readouterr().out)
    return path


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "some", "none"),
    [
        ([""], set(COMMANDS), set()),
        (["ra"], {"rank"}, {"audit"}),
        (["rank", "--t"], {"--target", "--top"}, {"--wide"}),
        (["rank", "--response", ""], {"classes", "numbers"}, {"bash"}),
        (["completion", ""], {"bash", "zsh"}, {"permutation"}),
        (["rank", "table"], {"table.csv"}, {"other.csv"}),
        (["rank", "--resume", "oth"], {"other.csv"}, {"table.csv"}),
    ],
)
def test_bash_completes(script: Path, words: list[str], some: set[str], none: set[str]) -> None:
    for name in ("table.csv", "other.csv"):
        (script.parent / name).touch()
    call = ["bash", "-c", BASH, "bash", str(script), "splitcrit", *words]
    found = subprocess.run(call, cwd=script.parent, capture_output=True, text=True, check=True)
    offered = {line.strip() for line in found.stdout.splitlines()}
    assert some <= offered and not none & offered, found


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_shells_read_the_script(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["shell"] == shell and all(name in found["script"] for name in COMMANDS)
    if shutil.which(shell):
        (path := tmp_path / "script").write_text(found["script"])
        subprocess.run([shell, "-n", str(path)], check=True)


def test_without_shtab_one_sentence_says_what_to_install() -> None:
    without = "import sys; sys.modules['shtab'] = None"
    code = f"{without}; from splitcrit.cli import main; sys.exit(main(['completion', 'zsh']))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    said = "this command needs the extra 'cli'; got no module shtab; pip install 'splitcrit[cli]'"
    assert (ran.returncode, ran.stderr, ran.stdout) == (3, f"splitcrit: {said}\n", "")


# ``splitcrit criteria``: every way to write a member of a family leads to the facts of that member.


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
        refused("is not a number", member, "scaled", arguments)


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
def test_other_names_and_arguments_are_refused(written: str, said: str, refusal: Callable[..., str]) -> None:
    assert said in refusal("criteria", written)
