"""The machinery around the statements: errata that must fail, the cache, exit statuses, what is printed."""

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from mutants import Corruption, corruptions, survey
from refusals import refused
from splitcrit import proof, proofs
from splitcrit.cli import main
from splitcrit.proof import Erratum, Exhaustive, Extent, Fact, NearMiss, Premise, Status, Theorem, Verdict, only, upto
from splitcrit.proofs import bibliography, cache, catalogue, coverage, errata, summaries
from splitcrit.proofs.ledger import Ledger, ledger
from splitcrit.proofs.printed import WIDTH, entry_lines, erratum_lines, show
from splitcrit.proofs.sources import read_by

KEY = "noise.gini_gain_and_twoing_rescale_of_class_conditional"
TRUE = proof.Identity({"x": "real"}, lambda v, m: (v.x + 1) ** 2, lambda v, m: v.x**2 + 2 * v.x + 1)
FALSE = Exhaustive(lambda: range(9), lambda n: n != 4)
FAILS = NearMiss("no number below 9 is 4", FALSE), NearMiss("the same again", FALSE)
SQUARE = Theorem("a.square", "the square of a sum", "yang2019, eq. (1)", TRUE, FAILS)
TEXT = errata.Text("Y-E0", "yang2019", "eq. (1)", "no n is 4", "some are", "4")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[dict[str, Theorem]]:
    """Proofs of one theorem and one erratum, and a cache of its own."""
    theorems = {"a.square": SQUARE}
    monkeypatch.setattr(cache, "CHECKOUT", tmp_path / "installed")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("CI", "SPLITCRIT_VERIFIED"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(catalogue, "collect", lambda: theorems)
    monkeypatch.setattr(catalogue, "errata", lambda: {"Y-E0": ("yang2019", Erratum("Y-E0", FALSE, TRUE))})
    monkeypatch.setattr(catalogue, "homes", lambda: defaultdict(lambda: "splitcrit.proofs.two_class"))
    monkeypatch.setattr(errata, "texts", lambda: {"Y-E0": TEXT})
    yield theorems


def plant(monkeypatch: pytest.MonkeyPatch, erratum: Erratum | None = None, text: errata.Text | None = TEXT) -> Ledger:
    """The ledger of one erratum with these claims and this text."""
    monkeypatch.setattr(catalogue, "errata", lambda: {} if erratum is None else {"Y-E0": ("yang2019", erratum)})
    monkeypatch.setattr(errata, "texts", lambda: {} if text is None else {"Y-E0": text})
    return ledger([], ["Y-E0"], jobs=1)


# Errata.


@pytest.mark.parametrize("corrected", [TRUE, "a.square"])
def test_a_right_erratum_is_confirmed(monkeypatch, small, corrected) -> None:  # type: ignore[no-untyped-def]
    done = plant(monkeypatch, Erratum("Y-E0", FALSE, corrected))
    assert done.settled and done.outcomes[0].printed.witness == "4"


@pytest.mark.parametrize(
    ("erratum", "text", "fault"),
    [
        (Erratum("Y-E0", FALSE, TRUE), replace(TEXT, witness="5"), "the witness is '4', not '5' as recorded"),
        (Erratum("Y-E0", TRUE, TRUE), TEXT, "the printed claim is not refuted: settled"),
        (Erratum("Y-E0", FALSE, FALSE), TEXT, "the correction is not settled: refuted"),
        (Erratum("Y-E0", FALSE, "a.squire"), TEXT, "no theorem is called a.squire"),
        (Erratum("Y-E0", Exhaustive(lambda: [1, 0], lambda n: 1 // n == 1), TRUE), TEXT, "ZeroDivisionError"),
        (None, TEXT, "erratum Y-E0 has a text but no claims"),
        (Erratum("Y-E0", FALSE, TRUE), None, "erratum Y-E0 has claims but no text"),
    ],
    ids=["witness", "printed is true", "correction is false", "no theorem", "raises", "no claims", "no text"],
)
def test_a_wrong_erratum_fails(monkeypatch, small, capsys, erratum, text, fault) -> None:  # type: ignore[no-untyped-def]
    done = plant(monkeypatch, erratum, text)
    assert not done.settled
    said = [fault for outcome in done.outcomes for fault in outcome.faults] + list(done.strays)
    assert len(said) == 1 and fault in said[0]
    assert main(["verify", "--errata", "--jobs", "1"]) == 1
    assert f"WRONG ERRATUM{'' if done.strays else ' Y-E0'}: " in capsys.readouterr().out


def test_an_erratum_that_rests_on_an_open_theorem_fails(monkeypatch, small) -> None:  # type: ignore[no-untyped-def]
    small["a.square"] = replace(SQUARE, fails=(NearMiss("true", TRUE), *FAILS))
    (outcome,) = plant(monkeypatch, Erratum("Y-E0", FALSE, "a.square")).outcomes
    assert outcome.faults == ("the correction is not settled: unknown; theorem a.square is not settled",)


def test_the_text_of_an_erratum_is_complete(tmp_path: Path) -> None:
    refused("got no witness; fill it in", replace, TEXT, witness="")
    file = tmp_path / "yang2019.toml"
    file.write_text('[[erratum]]\nid = "Y-E0"\nwhere = "eq. (1)"\n')
    refused(r"yang2019\.toml must hold errata; got .*'where'", errata.parsed, file)


# The cache.


def test_what_is_settled_once_is_kept_and_said_to_be(small, capsys) -> None:  # type: ignore[no-untyped-def]
    assert main(["verify", "--jobs", "1"]) == 0
    assert "cached" not in capsys.readouterr().out
    assert main(["verify", "--jobs", "1"]) == 0
    assert capsys.readouterr().out.count("cached") == 3  # the theorem, the erratum, the closing line
    assert main(["verify", "--jobs", "1", "--no-cache"]) == 0
    assert "cached" not in capsys.readouterr().out


def test_where_CI_is_set_verdicts_of_one_run_alone_are_trusted(small, monkeypatch, capsys, tmp_path) -> None:  # type: ignore[no-untyped-def]
    assert main(["verify", "--jobs", "1"]) == 0
    monkeypatch.setenv("CI", "true")
    assert main(["verify", "--jobs", "1"]) == 0
    assert "cached" not in capsys.readouterr().out
    monkeypatch.setenv("SPLITCRIT_VERIFIED", str(tmp_path / "verified"))
    assert main(["verify", "--jobs", "1"]) == 0
    assert "cached" not in capsys.readouterr().out
    assert main(["verify", "--jobs", "1"]) == 0
    assert "cached" in capsys.readouterr().out


def test_another_statement_or_another_source_is_settled_anew(small, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    assert not ledger(["a.square"], [], jobs=1).cached and ledger(["a.square"], [], jobs=1).cached
    small["a.square"] = replace(SQUARE, statement="the square of a difference")
    assert not ledger(["a.square"], [], jobs=1).cached
    monkeypatch.setattr(catalogue, "homes", lambda: {"a.square": "splitcrit.proofs.logs"})
    assert not ledger(["a.square"], [], jobs=1).cached


def test_what_is_kept_comes_back_whole_and_what_is_unknown_is_not_kept(small) -> None:  # type: ignore[no-untyped-def]
    verdicts = Verdict(Status.PROVED, "smt", "words"), Verdict(Status.REFUTED, "ball", "words", "x = 1/2, «y»")
    cache.write("a.key", "digest", verdicts, 0.5)
    assert cache.read("a.key", "digest") == cache.Kept(verdicts, 0.5) and cache.seconds("a.key") == 0.5
    assert cache.read("a.key", "another") is None and cache.read("a.other", "digest") is None
    cache.write("a.slow", "digest", [Verdict(Status.UNKNOWN, "smt", "too slow")], 20.0)
    assert cache.read("a.slow", "digest") is None


@pytest.mark.parametrize("text", ["", "[]", "{", '{"digest": "digest", "verdicts": [{"status": "sure"}]}', "\xff"])
def test_a_damaged_file_is_told_of_and_settled_anew(small, monkeypatch, capsys, text) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(cache, "digest", lambda *_: "digest")
    cache.folder().mkdir(parents=True)
    file = cache.folder() / "a.square.json"
    file.write_bytes(text.encode("latin-1"))
    done = ledger(["a.square"], [], jobs=1)
    assert done.settled and not done.cached
    assert capsys.readouterr().err.splitlines() == [
        f"splitcrit: a file of cached verdicts must be JSON; got a damaged {file}; its theorem is settled anew"
    ]
    assert ledger(["a.square"], [], jobs=1).cached and capsys.readouterr().err == ""


def test_a_folder_that_takes_no_files_keeps_nothing(small, monkeypatch, tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    for _ in range(2):
        done = ledger(["a.square"], [], jobs=1)
        assert done.settled and not done.cached
    assert capsys.readouterr().err == ""


def test_a_checkout_keeps_its_own_verdicts(small, monkeypatch, tmp_path) -> None:  # type: ignore[no-untyped-def]
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").touch()
    monkeypatch.setattr(cache, "CHECKOUT", tmp_path / "one")
    assert ledger(["a.square"], [], jobs=1).settled and ledger(["a.square"], [], jobs=1).cached
    monkeypatch.setattr(cache, "CHECKOUT", tmp_path / "two")
    assert not ledger(["a.square"], [], jobs=1).cached


def test_several_writers_leave_whole_files(small) -> None:  # type: ignore[no-untyped-def]
    verdicts = [Verdict(Status.REFUTED, "smt", "words " * size, "w") for size in (1, 5000)]
    cache.write("a.key", "digest", verdicts[:1], 1.0)

    def written_and_read(number: int) -> bool:
        cache.write("a.key", "digest", [verdicts[number % 2]], 1.0)
        found = cache.read("a.key", "digest")
        return found is not None and found.verdicts[0] in verdicts

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(written_and_read, range(400)))
    assert [path.name for path in cache.folder().iterdir()] == ["a.key.json"]


def test_nothing_finished_is_lost(small) -> None:  # type: ignore[no-untyped-def]
    def interrupt(case: int) -> bool:
        raise KeyboardInterrupt

    small["a.second"] = replace(SQUARE, key="a.second", holds=Exhaustive(lambda: [1], interrupt))
    with pytest.raises(KeyboardInterrupt):
        ledger(["a.square", "a.second"], [], jobs=1)
    assert ledger(["a.square"], [], jobs=1).cached == {"a.square"}


def test_a_claim_that_raises_is_unknown_and_says_where(small) -> None:  # type: ignore[no-untyped-def]
    small["a.square"] = replace(SQUARE, holds=Exhaustive(lambda: [0], lambda n: 1 // n == 1))
    (entry,) = ledger(["a.square"], [], jobs=1).entries
    assert entry.verdict.status is Status.UNKNOWN and not entry.settled
    assert entry.verdict.evidence.startswith("ZeroDivisionError: ") and "test_ledger.py, line" in entry.verdict.evidence


def test_parallel_processes_find_what_one_finds() -> None:
    keys = list(catalogue.collect())[:3]
    one, two = (ledger(keys, [], jobs=jobs, cached=False) for jobs in (1, 2))
    assert [replace(e, seconds=0.0) for e in one.entries] == [replace(e, seconds=0.0) for e in two.entries]
    assert [e.key for e in two.entries] == keys


# Commands.


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("noise.gini_gain",), "did you mean noise."),
        (("--paper", "nobody2000"), "no paper has this key; got nobody2000"),
        (("--errata", KEY), "--errata takes no keys of theorems"),
        (("--write-facts", KEY), "--write-facts needs all theorems"),
    ],
)
def test_what_no_theorem_is_called_is_one_line(capsys, arguments: tuple[str, ...], said: str) -> None:  # type: ignore[no-untyped-def]
    assert main(["verify", *arguments]) == 2
    printed = capsys.readouterr()
    assert said in printed.err and printed.err.count("\n") == 1


def test_the_ledger_as_data_and_as_text(small, tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    out = tmp_path / "ledger.json"
    assert main(["verify", "--jobs", "1", "--json", str(out)]) == 0
    data = json.loads(out.read_text())
    assert list(data) == ["theorems", "errata", "sources"]
    (theorem,), (erratum,) = data["theorems"], data["errata"]
    fields = {"key", "paper", "scope", "method", "verdict", "near_misses", "seconds"}
    assert fields <= set(theorem) and theorem["verdict"] == "settled" and erratum["confirmed"]
    assert [miss["witness"] for miss in theorem["near_misses"]] == ["4", "4"] and erratum["witness"] == "4"
    text = capsys.readouterr().out
    assert "settled a.square" in text and "refuted Y-E0  yang2019, eq. (1)" in text
    assert text.splitlines()[-1].endswith("2 of 2 near-misses refuted; 1 by algebra alone; 1 of 1 errata confirmed")
    (line,) = (line for line in text.splitlines() if line.startswith("a   "))
    assert line.split()[:5] == ["a", "1", "1", "0", "2"]
    (line,) = (line for line in text.splitlines() if line.startswith("yang2019   "))
    assert line.split()[:3] == ["yang2019", "1", "1"]
    assert theorem["subject"] == "a" and theorem["settled_for"]["variables"] == {"x": "real"}


def test_an_open_theorem_is_shown_in_full(small, capsys) -> None:  # type: ignore[no-untyped-def]
    small["a.square"] = replace(SQUARE, fails=(*FAILS, NearMiss("squares are squares", TRUE)))
    show(ledger(["a.square"], [], jobs=1))
    text = capsys.readouterr().out
    assert "OPEN    a.square" in text and "near-miss «squares are squares»: settled" in text


def test_lines_fit(whole_lines: list[str]) -> None:
    assert max(map(len, whole_lines)) <= WIDTH


@pytest.fixture
def whole_lines(small) -> list[str]:  # type: ignore[no-untyped-def]
    key, added = "a." + "_".join(["very"] * 15), " ".join(["all numbers"] * 30)
    small[key] = replace(SQUARE, key=key, added=added, premises=(Premise("Gibbs"),))
    done = ledger(list(small), ["Y-E0"], jobs=1)
    return "\n".join([*map(entry_lines, done.entries), *map(erratum_lines, done.outcomes)]).splitlines()


def test_explain_tells_one_theorem(capsys: pytest.CaptureFixture[str]) -> None:
    theorem = catalogue.collect()[KEY]
    assert main(["explain", KEY]) == 0
    text = capsys.readouterr().out
    words = theorem.statement, theorem.scope_words, theorem.source, bibliography.cited(theorem.paper)
    told = [" ".join(x.split()) for x in words]
    flat = " ".join(text.split())
    assert text.startswith(KEY) and all(x in flat for x in told)
    assert flat.count("refuted by") == len(theorem.fails) and "settled by" in flat and "rests on" in flat
    assert main(["explain", KEY, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["key"] == KEY and data["settled"] and "says" in data["formulas"][0]
    assert all(miss["witness"] for miss in data["near_misses"])


def test_explain_suggests_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "noise.gini_gain_and_twoing"]) == 2
    assert KEY in capsys.readouterr().err.partition("did you mean ")[2]


def test_keys_of_a_subject_are_listed(small, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    for command in (["verify", "--list", "a"], ["verify", "--list"], ["explain", "a"]):
        assert main(command) == 0
        assert capsys.readouterr().out == "a: 1 theorem\na.square\n    the square of a sum\n"
    assert main(["explain", "a", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["key"] == "a.square"
    assert main(["verify", "--list", "b"]) == 2
    assert "no area has this name; got b; use one of a" in capsys.readouterr().err
    assert main(["verify", "a", "--jobs", "1"]) == 0


def test_keys_of_an_author_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    found = {}
    for name in ("kearns1996", "Mansour", "mansour", "Holte", "hosking"):
        assert main(["explain", name, "--json"]) == 0
        found[name] = {each["key"] for each in json.loads(capsys.readouterr().out)}
    assert found["kearns1996"] < found["Mansour"] == found["mansour"]  # who wrote dietterich1996 too
    assert found["Holte"] == {key for key, x in catalogue.collect().items() if "drummond2000" in x.source}
    assert found["hosking"] == {key for key, x in catalogue.collect().items() if "coppersmith1999" in x.source} != set()
    assert main(["explain", "Nobody"]) == 2


def test_keys_of_a_paper_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "ghosh2017", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {each["key"] for each in told} == {key for key, x in catalogue.collect().items() if "ghosh2017" in x.source}
    assert len(told) > 30
    assert main(["explain", "ghosh2018"]) == 2
    assert "did you mean ghosh2017?" in capsys.readouterr().err
    assert main(["explain", "zzz"]) == 2
    assert "got zzz; splitcrit verify --list lists the keys" in capsys.readouterr().err


def test_a_key_is_a_handle() -> None:
    known = next(iter(catalogue.collect()))
    assert proofs.theorem(known).key == known
    assert proofs.settle("gain.score_sees_no_empty_class").settled
    with pytest.raises(KeyError, match=r"no theorem has this key; got gain\.score; did you mean gain\.score_sees"):
        proofs.settle("gain.score")


def test_near_keys_of_the_same_area_come_first(small) -> None:  # type: ignore[no-untyped-def]
    for key in ("a.cube_of_sum", "b.square_of_sum"):
        small[key] = replace(SQUARE, key=key)
    refused(r"did you mean a\.cube_of_sum or b\.square_of_sum", catalogue.find, "a.cubes_of_sums", error=KeyError)
    refused(r"did you mean b\.square_of_sum", catalogue.find, "b.squared", error=KeyError)


# Facts and coverage.


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("twoing", "2"), ("twoing", "2"), True),
        (("twoing", "2"), ("twoing", ">2"), False),
        (("twoing", "all"), ("twoing", ">2"), True),
        (("twoing", "2"), ("pairwise_gain", "2"), False),
        (("decrease(ne(lam)) for 0 < lam", "2"), ("decrease(ne(lam=0.5))", "all"), True),
    ],
)
def test_facts_that_contradict_each_other_are_refused(one, other, same, small) -> None:  # type: ignore[no-untyped-def]
    for key, (criterion, classes), holds in (("a.square", one, True), ("a.other", other, False)):
        small[key] = replace(SQUARE, key=key, facts=(Fact(criterion, "concave", classes, holds),))
    done = ledger(list(small), [], jobs=1)
    if same:
        refused(r"got .* concave: a\.square and a\.other", summaries.facts, done)
    else:
        assert [fact["verdict"] for fact in summaries.facts(done)] in (["holds", "fails"], ["fails", "holds"])


def test_each_failure_has_its_own_witness_where_there_are_as_many() -> None:
    no, yes = Fact("twoing", "concave", "2", False), Fact("twoing", "stops early", "2", True)
    two = Verdict(Status.PROVED, "exhaustive", "all", "p = 0; q = 1", ([0], [1]))
    assert summaries.witnesses((no, yes, no), two) == (["p = 0", "", "q = 1"], [[0], [], [1]])
    assert summaries.witnesses((no, yes), two) == (["p = 0; q = 1", ""], [[], []])
    assert summaries.witnesses((no,), Verdict(Status.PROVED, "identity", "all")) == ([""], [[]])


def test_facts_of_what_is_open_are_not_written(small) -> None:  # type: ignore[no-untyped-def]
    small["a.square"] = replace(SQUARE, holds=FALSE, facts=(Fact("twoing", "concave", "2", True),))
    assert summaries.facts(ledger(["a.square"], [], jobs=1)) == []


def test_the_scope_of_a_line_is_the_weakest_of_its_keys(small) -> None:  # type: ignore[no-untyped-def]
    def settled(key: str, **sizes: object) -> None:
        cases = proof.Cases(lambda *_: [1], **{axis: x for axis, x in sizes.items() if x != Extent(least=2)})
        wide = {axis: x for axis, x in sizes.items() if x == Extent(least=2)}
        premises = (Premise("so it is", "hand", wide),) if wide else ()
        small[key] = replace(SQUARE, key=key, holds=Exhaustive(cases, lambda case: case == 1), premises=premises)

    settled("a.narrow", K=only(2, 3), N=upto(8))
    settled("a.wide", K=Extent(least=2), N=upto(8))
    settled("a.other", K=only(4))
    assert coverage.scope(("a.narrow",)) == "K = 2, 3; N <= 8"
    assert coverage.scope(("a.wide", "a.narrow")) == "K = 2, 3 (a.narrow); N <= 8"
    assert coverage.scope(("a.wide", "a.narrow", "a.square", "Y-E0")) == "K = 2, 3 (a.narrow); N <= 8"
    assert coverage.scope(("a.narrow", "a.other")) == "K = 2, 3 (a.narrow), K = 4 (a.other); N <= 8"
    assert coverage.scope(("a.square",)) == "all real x" and coverage.scope(("Y-E0",)) == ""
    refused(r"only theorems and errata; got a\.gone", coverage.scope, ("a.square", "a.gone"))


def test_an_item_of_the_coverage_has_keys_or_a_reason() -> None:
    refused("an item of the coverage must have keys or a reason; got Lemma 7", coverage.Item, "Lemma 7")


# Mutants: the theorems notice when the library is wrong, in any one of the spots of corruptions.toml.

FORMULAS, INFERENCE, FLOATS = (corruptions(part) for part in ("formulas", "inference", "floats"))
KEYS = tuple(dict.fromkeys(key for corruption in FORMULAS + INFERENCE for key in corruption.killers))


def test_the_killers_are_theorems_all_of_those_of_inference_among_them() -> None:
    assert set(KEYS) <= set(catalogue.collect())
    assert {key for key in catalogue.collect() if key.startswith("inference.")} <= set(KEYS)


def test_the_killers_read_what_is_corrupted() -> None:
    for corruption in FORMULAS + INFERENCE:
        file = Path(import_module(corruption.spot.partition(":")[0]).__file__ or "")
        for key in corruption.killers:
            assert file in read_by(catalogue.homes()[key]), f"{key} does not read {file}"


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_every_corruption_brings_a_theorem_down(step: int) -> None:
    assert len(FORMULAS) >= 100 and len(INFERENCE) >= 25
    assert [str(corruption) for corruption, down in survey((FORMULAS + INFERENCE)[::step]) if not down] == []


JUDGED = """
import sys; sys.path.insert(0, "tests")
import pytest
from mutants import corruptions
for corruption in corruptions("floats"):
    function = corruption.function()
    code = function.__code__
    corruption.apply()
    status = pytest.main(["-q", "-x", "-p", "no:cacheprovider", "--assert=plain", *corruption.killers])
    function.__code__ = code
    print("judged", int(status), corruption)
"""


def test_a_named_test_fails_of_each_corruption() -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", JUDGED], cwd=root, capture_output=True, text=True)
    judged = [line for line in done.stdout.splitlines() if line.startswith("judged")]
    assert judged == [f"judged 1 {corruption}" for corruption in FLOATS], done.stdout[-500:] + done.stderr[-500:]
    assert done.stdout.count("1 failed") == len(FLOATS) > 3


def test_a_corruption_must_stand_exactly_once() -> None:
    with pytest.raises(AssertionError, match="the snippet stands 0 times"):
        Corruption("splitcrit.impurities.library:_gini", "y * y", "y", ()).apply()
    subpackages = {corruption.spot.split(".")[1] for corruption in FORMULAS}
    assert subpackages == {"losses", "impurities", "criteria", "noise", "nulls"}
