"""What a statement reads: an edit settles anew what it touches, and nothing else."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

from splitcrit.proofs import cache, catalogue, errata, sources
from splitcrit.proofs.kernel import FOLDER
from splitcrit.proofs.ledger import ledger, statement

MODULES = {
    "__init__.py": "from splitcrit.unasked import x",
    "unasked.py": "",
    "statements.py": "from splitcrit.many import one\nfrom splitcrit import alone\nimport numpy as np",
    "alone.py": (
        "def f(x):\n match x:\n  case 1:\n   try:\n    pass\n   except OSError:\n    pass\n   finally:\n"
        "    with x:\n     from splitcrit.late import y"
    ),
    "late.py": "if TYPE_CHECKING:\n    from splitcrit.unasked import x\nNAME = 'data.json'",
    "data.json": "[]",
    "many/__init__.py": (
        "if TYPE_CHECKING:\n    from splitcrit.many.first import one\n    from splitcrit.many.second import two\n"
        "def __getattr__(name):\n    return on_first_use(globals(), name, {'first': ('one',), 'second': ('two',)})\n"
        "three = 3"
    ),
    "many/first.py": "HOME = 'splitcrit.named'",
    "many/second.py": "",
    "named.py": "",
    "proofs/ledger.py": "import z3",
    "proofs/__init__.py": "",
}


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A package of a few modules in place of this one, which may be edited."""
    home = tmp_path / "splitcrit"
    for name, text in MODULES.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    monkeypatch.setattr(sources, "PACKAGE", home)
    forget()
    yield home
    forget()


def forget() -> None:
    """Read all files anew."""
    for function in (x for x in vars(sources).values() if hasattr(x, "cache_clear")):
        function.cache_clear()


def read(module: str) -> set[str]:
    """The files that a module reads, without those that settle it."""
    found = sources.read_by(module) - sources.read_by(sources.SETTLING)
    return {path.relative_to(sources.PACKAGE).as_posix() for path in found}


# Imports.


def test_imports_are_followed_wherever_they_stand(package: Path) -> None:
    mine = {"statements.py", "many/__init__.py", "many/first.py", "named.py", "alone.py", "late.py", "data.json"}
    assert read("splitcrit.statements") == mine
    assert set(sources.others("splitcrit.statements")) == {"numpy", "sympy", "mpmath", "flint", "z3"}


@pytest.mark.parametrize(
    ("line", "more"),
    [
        ("from splitcrit.many import two", {"second.py"}),
        ("from splitcrit.many import three", {"first.py", "second.py"}),
        ("from splitcrit.many import *", {"first.py", "second.py"}),
        ("from splitcrit import many", {"first.py", "second.py"}),
        ("import splitcrit.many", {"first.py", "second.py"}),
        ("import splitcrit.many.second", {"second.py"}),
        ("from splitcrit.many import second as two", {"second.py"}),
        ("x = import_module('splitcrit.many.second')", {"second.py"}),
    ],
)
def test_a_package_leads_to_what_it_is_asked_for(package: Path, line: str, more: set[str]) -> None:
    (package / "statements.py").write_text(line)
    forget()
    named = {"named.py"} if "first.py" in more else set()
    assert read("splitcrit.statements") == {"statements.py", "many/__init__.py", *named, *(f"many/{x}" for x in more)}


def test_an_edit_changes_the_digest_of_who_reads_the_file(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = sources.of_statements("splitcrit.statements"), sources.everything()
    for file in MODULES:
        (package / file).write_text(MODULES[file] + "\n# edited")
        forget()
        reads = file in {*read("splitcrit.statements"), "__init__.py", "proofs/__init__.py", "proofs/ledger.py"}
        assert (sources.of_statements("splitcrit.statements") != before[0]) == reads, file
        assert (sources.everything() != before[1]) == file.endswith(".py")
        (package / file).write_text(MODULES[file])
    monkeypatch.setattr(sources, "_version", lambda distribution: "another")
    forget()
    assert sources.of_statements("splitcrit.statements") != before[0] and sources.everything() != before[1]


def everything_read() -> set[Path]:
    """The files that any statement reads."""
    return {file for module in set(catalogue.homes().values()) for file in sources.read_by(module)}


def test_no_import_of_the_project_escapes() -> None:
    """Imports are absolute; a module is named by a variable only where a name of a package is first used, where the
    statements are collected, and where the functions of a library of arrays are."""
    dynamic = set()
    for file in everything_read():
        for node in ast.walk(ast.parse(file.read_bytes() if file.suffix == ".py" else "")):
            assert not isinstance(node, ast.ImportFrom) or node.level == 0
            called = isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called in ("import_module", "__import__") and not isinstance(node.args[0], ast.Constant):  # type: ignore[attr-defined]
                dynamic.add(file.relative_to(sources.PACKAGE).as_posix())
    assert dynamic == {"__init__.py", "lazy.py", "proofs/catalogue.py", "nulls/batches.py"}


TELLS = "with extra(__name__):"  # what is missing is told by its extra


def test_packages_only_pass_on_what_they_import() -> None:
    """What a package imports is not bound again, and nothing is done there that another module could notice."""
    plain = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.FunctionDef)
    for file in everything_read():
        if file.name != "__init__.py":
            continue
        tree = ast.parse(file.read_bytes())
        given = {name for node in ast.walk(tree) for name, _ in sources._imported(node)}
        stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        made = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        assert given & (stored | made) == set(), file
        others = [node for node in tree.body if not isinstance(node, plain)]
        assert {ast.unparse(node).partition("\n")[0] for node in others[1:]} <= {"if TYPE_CHECKING:", TELLS}, file


@pytest.mark.parametrize("name", ["losses", "impurities", "table", "nulls", "inference"])
def test_names_of_first_use_are_where_type_checkers_are_told(name: str) -> None:
    package = import_module(f"splitcrit.{name}")
    told = dict(sources.source(package.__name__).names)  # type: ignore[union-attr]
    for public in package.__all__:
        if public in told:
            assert getattr(package, public) is getattr(import_module(told[public][0]), told[public][1])
    assert set(package.__all__) <= {*told, *vars(package)}


# The statements of this project.


GAIN = "gain.twoing_is_half_gini_gain_of_two_classes"
HINGE = "impurity.hinge_is_twice_misclassification"
DOWN = "inference.tests_down_a_tree_err_at_most_alpha"
DRAWS = "inference.share_of_draws_is_pvalue_of_one_more"
HOLM = "inference.holm_rejects_falsely_at_most_alpha"
NOISE = "noise.majority_threshold_of_class_conditional"
CELLS = "null.factorial_moment_of_hypergeometric"
SWAPS = "order.gini_gain_swaps_splits_of_two_classes"
STOPS = "stopping.credal_gain_rejects_small_differences"
SIZES = "vertex.criteria_first_part_at_six_examples"
FAMILIES = [GAIN, HINGE, DOWN, DRAWS, HOLM, NOISE, CELLS, SWAPS, STOPS, SIZES]


def files_run(key: str) -> set[Path]:
    """The files of this project whose functions run while a theorem is settled."""
    files, (_, claims) = set(), statement(key)
    sys.setprofile(lambda frame, event, _: files.add(frame.f_code.co_filename))
    try:
        for claim in claims:
            claim.settle()
    finally:
        sys.setprofile(None)
    return {Path(file) for file in files if Path(file).is_relative_to(sources.PACKAGE)}


@pytest.mark.parametrize("key", FAMILIES)
def test_what_runs_while_a_theorem_is_settled_is_read(key: str) -> None:
    found = files_run(key)
    assert len(found) > 3 and found <= sources.read_by(catalogue.homes()[key])


@pytest.fixture
def edited(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], set[str]]]:
    """Which of the families have another digest, so that they are settled anew, after an edit of a file."""
    content = sources._content

    def digests(file: str = "") -> dict[str, str]:
        edit = lambda path: content(path) + "edited" * (path == sources.PACKAGE / file)  # noqa: E731
        monkeypatch.setattr(sources, "_content", edit)
        sources.of_statements.cache_clear()
        return {key: cache.digest(key, statement(key)[0], catalogue.homes()[key]) for key in FAMILIES}

    before = digests()

    def settled_anew(file: str) -> set[str]:
        assert (sources.PACKAGE / file).is_file()
        return {key for key, digest in digests(file).items() if digest != before[key]}

    yield settled_anew
    forget()


def test_an_edit_settles_anew_what_reads_it(edited: Callable[[str], set[str]]) -> None:
    expected = {
        "nulls/monte_carlo.py": {CELLS, DRAWS, HOLM, SIZES, SWAPS},
        "inference/familywise.py": {DOWN},
        "nulls/formulas.py": {CELLS, DRAWS, HOLM, SIZES, SWAPS},
        "proof/zeilberger.py": {CELLS},
        "proofs/inference/naming.py": {HOLM},
        "proofs/two_class.py": {GAIN, HINGE, NOISE, STOPS, SWAPS},
        "frozen.py": set(FAMILIES),
    }
    unread = ["cli/main.py", "facts.json", "nulls/hypergeometric.py", "nulls/scan.py"]
    unread += ["proofs/latex.py", "proofs/gain/curves.py"]
    assert {file: edited(file) for file in [*expected, *unread]} == expected | {file: set() for file in unread}


def test_a_wrong_formula_is_noticed_in_spite_of_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdicts of this checkout, in a copy of it in which one formula is wrong."""
    root, keys = tmp_path / "copy", [GAIN, DOWN, DRAWS]
    monkeypatch.setenv("SPLITCRIT_VERIFIED", str(tmp_path / "verified"))
    assert not ledger(keys, [], jobs=1).cached and ledger(keys, [], jobs=1).cached == set(keys)
    for name in ("splitcrit", "proofs"):
        ignored = shutil.ignore_patterns("*.v")
        shutil.copytree(sources.PACKAGE.parent / name, root / name, symlinks=True, ignore=ignored)
    file = root / "splitcrit" / "nulls" / "monte_carlo.py"
    text = file.read_text()
    assert text.count("(1 + reached)") == 1
    file.write_text(text.replace("(1 + reached)", "reached"))
    command = [sys.executable, "-m", "splitcrit.proofs", *keys, "--jobs", "1", "--json"]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    found = {entry["key"]: (entry["settled"], entry["cached"]) for entry in json.loads(done.stdout)["theorems"]}
    assert found == {GAIN: (True, True), DOWN: (True, True), DRAWS: (False, False)}


# What stands in quotation marks stands so in the work; criticism is no erratum.

TEXTS = errata.texts()
QUOTED = [text for text in TEXTS.values() if text.quoted]


def test_our_words_have_no_quotation_marks_and_quotations_are_short() -> None:
    assert [text.id for text in TEXTS.values() if re.search('["“”]', text.printed + text.correction)] == []
    assert [text.id for text in QUOTED if len(text.quoted.split()) > 25] == []


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
