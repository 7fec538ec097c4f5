"""``splitcrit criteria``, and what all commands share: ``--json``, colours, examples in the help, exit statuses."""

from __future__ import annotations

import csv
import gzip
import inspect
import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from splitcrit import gce, gini, misclassification, sgini, twoing
from splitcrit.cli import main
from splitcrit.cli.criteria import properties, summaries, summary_of
from splitcrit.cli.main import COMMANDS, parser
from splitcrit.criteria.facts import concerns, facts, known
from splitcrit.nulls.criterion_names import NAMES
from splitcrit.proofs import command
from splitcrit.proofs.summaries import ROWS

KEY = "impurity.gini_is_concave"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "data.csv"
    with path.open("w", newline="") as out:
        csv.writer(out).writerows([["a", "class"], *([i % 3, "xy"[i % 2]] for i in range(12))])
    return path


def data(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:  # type: ignore[type-arg]
    assert main(arguments) == 0
    return json.loads(capsys.readouterr().out)


# ---- summaries ----


def test_every_fact_stands_on_one_summary_and_every_criterion_has_one() -> None:
    found = [fact for summary in summaries() for fact in summary.facts]
    assert sorted(map(str, found)) == sorted(map(str, facts()))
    makers = [re.sub(r"^decrease\(|\W.*", "", name) for name in ROWS]
    assert [re.sub(r"^decrease\(|\W.*", "", summary.criterion) for summary in summaries()] == makers
    assert {name for summary in summaries() for name in summary.names} == set(NAMES)


@pytest.mark.parametrize("criterion", [gini, misclassification, twoing, sgini])
def test_signs_are_what_is_known(criterion: object) -> None:
    summary = summary_of(str(criterion))
    for property in properties():
        mine = [f for f in summary.facts if f["property"] == property and f["verdict"] != "fails"]
        for sign, group in zip(summary.signs(property), ("2", ">2"), strict=True):
            some = any(concerns(f["classes"], group) for f in mine)
            expected = {"holds": "+", "refuted": "-~"[some]}.get(known(criterion, property, group), ".o"[some])
            assert sign == expected, (property, group)
    assert summary_of("gini").signs("keeps order under pair-flip noise") == "+~"


def test_names_calls_and_families_lead_to_summaries() -> None:
    assert summary_of("gini") == summary_of("decrease(gini)") == summary_of(" gini ")
    assert summary_of("log_loss").criterion == "decrease(shannon_entropy(base=2))" and summary_of("log_loss").facts
    family, one = summary_of("gce"), summary_of(f"{gce(0.7)}")
    assert family.criterion == "decrease(gce(q))" and one.criterion == "decrease(gce(q=0.7))"
    assert set(map(str, one.facts)) < set(map(str, family.facts)) and one.about == family.about
    for property in properties():
        for group in ("2", ">2"):
            mine = [f for f in one.facts if f["property"] == property and concerns(f["classes"], group)]
            said = {f["verdict"] for f in mine}
            wanted = "holds" if "holds" in said else "refuted" if said else "unknown"
            assert known(gce(0.7), property, group) == wanted
    assert summary_of("gain_ratio").names == ("gain_ratio",) and summary_of("normalised(gini)").names == ()
    assert summary_of("gini").loss == "square" and summary_of("pairwise_gain").classes == 2 == summary_of("twoing").rows


def test_the_list_has_a_line_for_each_and_explains_its_signs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["criteria"]) == 0
    lines = capsys.readouterr().out.splitlines()
    first = dict(line.split(maxsplit=1) for line in lines[1 : 1 + len(summaries())])
    assert list(first) == [summary.criterion for summary in summaries()]
    assert first["decrease(gini)"].split() == ["gini", *(summary_of("gini").signs(p) for p in properties())]
    for number, property in enumerate(properties(), 1):
        assert f"{number:>3} {property}" in lines
    assert max(map(len, lines)) <= 100 and "splitcrit explain KEY" in lines[-1]


def test_a_summary_names_every_theorem_and_witness(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["criteria", "gini"]) == 0
    told = capsys.readouterr().out
    flat = " ".join(told.split())
    for fact in summary_of("gini").facts:
        assert fact["theorem"] in told and " ".join((fact["witness"] or fact["scope"]).split()) in flat
    assert 'criterion="gini"' in told and "\x1b" not in told
    assert main(["criteria", "gce(q=5)"]) == 0
    assert "No properties are known." in capsys.readouterr().out or summary_of("gce(q=5)").facts


def test_summaries_as_data(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    every = data(capsys, "criteria", "--json")["criteria"]
    assert [summary["criterion"] for summary in every] == [summary.criterion for summary in summaries()]
    assert data(capsys, "criteria", "--json", "gini") == every[0] == json.loads(json.dumps(vars(summary_of("gini"))))
    for words in (("--json", "-", "gini"), ("gini", "--json", "-")):
        assert data(capsys, "criteria", *words) == every[0]
    assert len(data(capsys, "criteria", "gini", "twoing", "--json")["criteria"]) == 2
    out = tmp_path / "summary.json"
    assert main(["criteria", "gini", "--json", str(out)]) == 0
    assert json.loads(out.read_text()) == every[0] and "gini" in capsys.readouterr().out


# ---- what all commands share ----


def test_json_without_a_file_is_all_that_is_printed(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    ranked = data(capsys, "rank", str(table), "--target", "class", "--json")
    assert ranked["rows"] == 12 and ranked["features"][0]["feature"] == "a"
    assert data(capsys, "rank", "--json", str(table), "--target", "class") == ranked
    assert data(capsys, "explain", KEY, "--json")["key"] == KEY == data(capsys, "explain", "--json", KEY)["key"]
    (entry,) = data(capsys, "verify", "--jobs", "1", "--json", KEY)["theorems"]
    assert entry["key"] == KEY and entry["verdict"] == "settled" and entry["settled"]
    assert {miss["verdict"] for miss in entry["near_misses"]} == {"refuted"} and len(entry["near_misses"]) > 1
    assert data(capsys, "verify", "--table", "--json") == list(facts())


def test_json_with_a_file_stands_beside_the_text(capsys, table: Path, tmp_path) -> None:
    out = tmp_path / "out.json"
    for arguments, said in (
        (["rank", str(table), "--target", "class"], "best cut"),
        (["explain", KEY], "states"),
        (["verify", KEY], "1 of 1 theorems settled"),
    ):
        assert main([*arguments, "--json", str(out)]) == 0
        assert said in capsys.readouterr().out
        held = out.read_text()
        out.unlink()
        assert main([*arguments, f"--json={out}"]) == 0
        assert json.loads(out.read_text()).keys() == json.loads(held).keys()
        capsys.readouterr()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_json_and_teaches_by_examples_that_parse(name: str) -> None:
    sub = next(a for a in parser()._actions if a.dest == "command").choices[name]
    assert "--json" in sub.format_help() and sub.epilog.startswith("examples:\n")
    examples = [line.split("   ")[0] for line in sub.epilog.splitlines() if line.startswith("  splitcrit ")]
    assert len(examples) >= 2
    for example in examples:
        words = shlex.split(example.partition(" < ")[0])[1:]
        assert parser().parse_args(command.spelt(words)).command == name


def test_the_examples_of_rank_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i % 4},{'ab'[i % 2]},{'xy'[i % 3 > 0]},{i},{i % 5}\n" for i in range(24))
    text = "quality,class,label,id,postcode\n" + rows
    for name in ("wine.csv", "january.csv", "february.csv", "data.csv"):
        Path(name).write_text(text)
    Path("data.csv.gz").write_bytes(gzip.compress(text.encode()))
    Path("folder-of-parquet-files").mkdir()
    columns = zip(*csv.reader(text.splitlines()), strict=True)
    table = pyarrow.table({name: cells for name, *cells in columns})
    pyarrow.parquet.write_table(table, "folder-of-parquet-files/x.parquet")
    examples = (inspect.getdoc(COMMANDS["rank"][1]) or "").partition("examples:\n")[2].splitlines()
    assert len(examples) >= 5
    for line in examples:
        call, _, given = line.partition(" < ")
        if given:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(given).read_bytes())))
        assert main(shlex.split(call)[1:]) == 0, line
    assert Path("ranking.json").is_file() and Path("counts").is_dir()


def test_the_examples_of_the_whole_run(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    top = parser().epilog
    examples = [line.split("   ")[0] for line in top.splitlines() if line.startswith("  splitcrit ")]
    words = {words[0]: words for words in (shlex.split(example)[1:] for example in examples)}
    assert words.keys() < COMMANDS.keys() and all(f"\n    {name}" in parser().format_help() for name in COMMANDS)
    for name in ("criteria", "explain"):  # the others take a file, or long
        assert main(words[name]) == 0, words
    assert capsys.readouterr().err == ""


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("no_color", "term", "coloured"),
    [(None, "xterm", True), ("1", "xterm", False), ("", "xterm", True), (None, "dumb", False)],
)
def test_colours_are_for_terminals_that_want_them(monkeypatch, no_color: str | None, term: str, coloured: bool) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color is not None:
        monkeypatch.setenv("NO_COLOR", no_color)
    for arguments in (["criteria", "gini"], ["verify", KEY]):
        out = Terminal()
        monkeypatch.setattr(sys, "stdout", out)
        assert main(arguments) == 0
        assert bool(re.search("\x1b\\[32m(holds|settled)", out.getvalue())) is coloured


def test_a_reader_who_has_seen_enough_is_no_mistake() -> None:
    root = Path(__file__).parents[2]
    call, settings = [sys.executable, "-m", "splitcrit", "header"], {**os.environ, "PYTHONPATH": str(root)}
    with subprocess.Popen(call, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=settings) as run:
        assert run.stdout is not None and run.stderr is not None
        run.stdout.close()
        assert run.stderr.read() == b""
    assert run.returncode == 141


def test_asking_for_help_loads_nothing_heavy() -> None:
    code = "import sys; from splitcrit.cli.main import parser; parser().format_help(); print(*sys.modules)"
    root = Path(__file__).parents[2]
    loaded = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert {"numpy", "sympy", "sklearn", "rich", "scipy"}.isdisjoint(loaded.stdout.split())


def test_every_verdict_of_a_summary_says_what_it_rests_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["criteria", "gini", "twoing"]) == 0
    said = capsys.readouterr().out
    verdicts = [line for line in said.splitlines() if line.startswith(("  holds", "  refuted", "  bounded"))]
    assert len(verdicts) == said.count("            rests on: ") > 10 and "proved" not in said


# ``splitcrit properties``: a value of a user's file, its row, and one sentence for every mistake.

MINE = """
def cubic(p, m):
    return 1 - sum(x**3 for x in p)


def halves(p, m):
    return p[0] if p[0] > p[1] else p[1]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def test_the_row_of_an_impurity_in_a_file(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = file.with_suffix(".json")
    assert main(["properties", f"{file}:cubic", "--json", str(out), "--work", "20000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "cubic" and lines[2].split() == ["concave", "yes", "yes", "yes"]
    found = json.loads(out.read_text())
    assert found["name"] == "cubic" and found["findings"][0]["rests_on"][0] == "algebra: 3/2 times that of gini"
    assert main(["properties", f"{file}:cubic", "--explain", "--work", "20000"]) == 0
    assert "concave: no split increases the impurity" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("{}", "write it like mine.py:cubic"),
        ("{}:quartic", "got no quartic in"),
        ("absent.py:cubic", "got no file absent.py"),
        ("{}:halves", "a formula may not branch on its values"),
        ("broken.py:x", "ZeroDivisionError: division by zero in broken.py"),
    ],
)
def test_a_mistake_is_one_sentence(file: Path, value: str, said: str, refusal, monkeypatch) -> None:
    monkeypatch.chdir(file.parent)
    Path("broken.py").write_text("x = 1 / 0\n")
    assert said in refusal("properties", value.format(file))
