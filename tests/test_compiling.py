"""Compiled functions are kept by what decides them, files that are no good count as absent, and one line says so."""

from __future__ import annotations

import gc
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import event

from splitcrit import compiling
from splitcrit.compiling import CompiledFiles, addressed, called, digest, kernel, plain, reporting_compilation
from splitcrit.trees.growth.grow_compiled import grow_whole
from splitcrit.trees.growth.records import (
    CellResponsesSource,
    CellsSource,
    ColumnComparison,
    ListedResponsesSource,
    PresortedSource,
)

PACKAGE = Path(compiling.__file__).parent


def growth(*records: type) -> str:
    """The digest of the loop that grows trees, of a source of these records."""
    return digest.__wrapped__(plain(grow_whole), frozenset(records))


GROWTH = growth(PresortedSource)


def ran(folder: Path, code: str, *arguments: str, kept: Path | None = None, **options: Any) -> subprocess.Popen[str]:
    """A new process in a folder with modules that are planted there, and a cache in it."""
    path = os.pathsep.join([str(folder), str(PACKAGE.parent)])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(kept or folder / "kept"), "PYTHONPATH": path}
    call = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(call, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, **options)


# The digest.


TIE = "splitcrit.trees.scan.scan_sums.TIE"  # grow_compiled comes to it by other modules
SEEN = {  # settings, versions, and a constant from elsewhere
    **dict.fromkeys(("numba.config.OPT", "numba.config.BOUNDSCHECK", "numba.config.SLP_VECTORIZE"), (7,)),
    **dict.fromkeys(("numba.__version__", "numpy.__version__", "llvmlite.__version__", "sys.version"), ("0",)),
    TIE: (2, 0.5, "text", np.uint64(3), np.float32, (1, 2)),
}


@pytest.mark.parametrize("holder", SEEN)
def test_what_decides_machine_code_is_seen(holder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for value in SEEN[holder]:
        monkeypatch.setattr(holder, value)
        assert growth(PresortedSource) != GROWTH, value


READ = (  # modules that decide the loop: its own, those of operations, of their parts, of records; and of formulas
    "trees/growth/grow_compiled", "trees/growth/class_sources_compiled", "trees/growth/nodes_compiled",
    "trees/growth/records", "trees/scan/records", "nulls/monte_carlo", "trees/scan/scan_common",
    "trees/scan/pointers", "export/overloads", "compiling",
)  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_an_edit_of_what_a_loop_reaches_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop calls stubs, whose code is chosen by the type of the source as it is compiled."""
    text, edited = compiling._text, str(PACKAGE / f"{name}.py")
    monkeypatch.setattr(compiling, "_text", lambda path: text(path) + "# edited" * (path == edited))
    assert growth(PresortedSource) != GROWTH


def read_by(function: Any, monkeypatch: pytest.MonkeyPatch, *records: type) -> set[str]:
    """The modules whose text is in the digest of a function that takes these records."""
    texts = list[str]()
    monkeypatch.setattr(compiling, "_text", lambda path: texts.append(path) or path)  # type: ignore[func-returns-value]
    digest.__wrapped__(plain(function), frozenset(records))
    return {Path(path).relative_to(PACKAGE).with_suffix("").as_posix().replace("/", ".") for path in texts}


def test_the_digest_reads_formulas_and_nothing_of_trees_for_a_law(monkeypatch: pytest.MonkeyPatch) -> None:
    from splitcrit.nulls.best_split_compiled import surprise_of
    from splitcrit.trees.scan.formulas_compiled import surprise

    assert "nulls.formulas" in read_by(surprise, monkeypatch)  # plain functions that are compiled elsewhere
    surprises = read_by(surprise_of, monkeypatch)
    growth = {name for name in surprises if name.startswith("trees.growth.")}
    assert "nulls.paths_compiled" in surprises and growth <= {"trees.growth.records"}


OWN = {  # what an edit of a source of samples compiles anew
    CellsSource: "cell_sources_compiled",
    CellResponsesSource: "cell_sources_compiled",
    ColumnComparison: "column_choice_compiled",
    ListedResponsesSource: "response_sources_compiled",
}


def test_an_edit_of_a_source_is_one_of_its_own_loops_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not {f"trees.growth.{name}" for name in OWN.values()} & read_by(grow_whole, monkeypatch, PresortedSource)
    for record, name in OWN.items():
        assert f"trees.growth.{name}" in read_by(grow_whole, monkeypatch, record), record


def test_no_compiled_function_makes_a_record_that_chooses_code() -> None:
    """The digest of a loop follows the types of its arguments, and sees no others."""
    stubs = [
        each for name in sorted(sys.modules) for each in vars(sys.modules[name]).values() if name in compiling.CODING
    ]
    records = {record.__name__ for stub in stubs for record in getattr(stub, "code_by_type", {})}
    makes = re.compile(rf"\b({'|'.join(records)})\(")
    assert len(records) > 10
    for path in PACKAGE.rglob("*_compiled.py"):
        made = [line for line in path.read_text().splitlines() if makes.search(line)]
        assert not [line for line in made if not line.startswith("class ")], path


def test_what_numba_knows_by_name_or_type_is_part_of_every_digest() -> None:
    found = {path for path in PACKAGE.rglob("*.py") if "from numba.extending import" in path.read_text()}
    found |= {path for path in PACKAGE.rglob("*records.py")} | {PACKAGE / "trees" / "scan" / "pointers.py"}
    known = {path.relative_to(PACKAGE).with_suffix("").as_posix() for path in found}
    assert set(compiling.KNOWN) == known | {"compiling"}


ORDERS = """
import sys
from importlib import import_module
from splitcrit.compiling import digest
from splitcrit.trees.growth.records import CellResponsesSource, CellsSource, ListedSource, PresortedSource
TAKEN = {
    "grow_compiled": frozenset({ListedSource, PresortedSource}),
    "cell_sources_compiled": frozenset({CellResponsesSource, CellsSource}),
}
for name in sys.argv[1:]:
    for value in vars(import_module(f"splitcrit.{name}")).values():
        if hasattr(value, "py_func") and value.stats.cache_path:
            records = TAKEN.get(value.py_func.__module__.rpartition(".")[2], frozenset())
            print(value.__name__, digest(value.py_func, records))
"""


def test_no_order_of_imports_changes_a_digest(tmp_path: Path) -> None:
    names = [
        "trees.growth.class_sources_compiled", "trees.growth.permuted_compiled", "trees.growth.cell_sources_compiled",
        "nulls.best_split_compiled", "trees.scan.scan_squared", "trees.growth.grow_compiled",
    ]  # fmt: skip
    one, other = (set(ran(tmp_path, ORDERS, *order).communicate()[0].splitlines()) for order in (names, names[::-1]))
    assert one == other and len(one) > 8


# Clones and edits.

CALLEE = "from splitcrit.compiling import called\n\n@called\ndef part(x):\n    return 2 * x\n"
CALLER = """from splitcrit.compiling import kernel
from splitcrit.planted_callee import part

@kernel{options}
def total(x):
    return part(x[0]) + part(x[1])
"""
CLONED = """
import numpy as np
from numba.core import event
from splitcrit.planted_caller import total
listener = event.RecordingListener()
with event.install_listener("numba:compile", listener):
    print(total(np.arange(1, 3)), len(listener.buffer))
"""


def clone(folder: Path, callee: str = CALLEE, options: str = "", caller: str = "caller") -> Path:
    """What compiles and decides in a copy, with a kernel and what it calls, written at a time of its own."""
    package = folder / "splitcrit"
    for source in (*PACKAGE.glob("*.py"), *(PACKAGE / f"{name}.py" for name in compiling.KNOWN)):
        copy = package / source.relative_to(PACKAGE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)
    for name, text in (("callee", callee), (caller, CALLER.format(options=options))):
        path = package / f"planted_{name}.py"
        path.write_text(text)
        os.utime(path, (len(str(folder)),) * 2)
    return folder


def test_a_clone_finds_what_another_one_compiled_unless_what_decides_it_is_edited_or_moved(tmp_path: Path) -> None:
    def answer(folder: Path, caller: str = "caller") -> list[str]:
        code = CLONED.replace("planted_caller", f"planted_{caller}")
        return ran(folder, code, kept=tmp_path / "kept").communicate()[0].split()

    assert answer(clone(tmp_path / "first")) == ["6", "4"]  # two functions, the beginning and end of each
    kept = sorted((tmp_path / "kept").rglob("*"))
    assert answer(clone(tmp_path / "elsewhere" / "second")) == ["6", "0"]
    assert sorted((tmp_path / "kept").rglob("*")) == kept
    assert answer(clone(tmp_path / "edited", CALLEE.replace("2 * x", "5 * x"))) == ["15", "4"]
    assert answer(clone(tmp_path / "optioned", options="(boundscheck=True)")) == ["6", "4"]
    assert answer(clone(tmp_path / "moved", caller="moved"), "moved") == ["6", "4"]


# CompiledFiles.

PLANTED = """
from splitcrit.compiling import kernel

@kernel
def total(x):
    found = x[0]
    for i in range(len(x)):
        found += x[i]
    return found
"""
FITTED = """
import importlib
import numpy as np
from splitcrit.compiling import reporting_compilation
from reproductions import planted
for _ in range(2):
    with reporting_compilation():
        print(importlib.reload(planted).total(np.arange(3)))
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the planted module and what was compiled of it."""
    folder = tmp_path_factory.mktemp("planted")
    (folder / "reproductions").mkdir()
    (folder / "reproductions" / "__init__.py").touch()
    (folder / "reproductions" / "planted.py").write_text(PLANTED)
    assert ran(folder, FITTED).communicate()[0] == "3\n3\n"
    return folder


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda held: b"",
    "truncated": lambda held: held[: len(held) // 2],
    "one byte": lambda held: held[:-9] + bytes([held[-9] ^ 1]) + held[-8:],
}


def doubled(x: Any) -> Any:
    return 2 * x


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[Any, Any]:
    """What was compiled of a function, by its types, and what is kept of it."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    one = numba.njit(doubled)
    one(1), one(1.0)
    for result in one.overloads.values():
        CompiledFiles(doubled).save_overload(result.signature.args, result)
    return {result.signature.args[0]: result for result in one.overloads.values()}


def loaded(result: Any) -> Any:
    """The signature of what is kept for the types of a result, None if nothing is."""
    found = CompiledFiles(doubled).load_overload(result.signature.args, result.target_context)
    return found and found.signature


@pytest.mark.parametrize("name", [*DAMAGES, "foreign"])
def test_a_damaged_or_foreign_file_is_not_loaded(name: str, files: dict[Any, Any], tmp_path: Path) -> None:
    assert [loaded(result) for result in files.values()] == [result.signature for result in files.values()]
    one, other = tmp_path.rglob("*.nbc")
    one.write_bytes(DAMAGES.get(name, lambda _: other.read_bytes())(one.read_bytes()))  # whole, but of other types
    assert [loaded(result) for result in files.values()].count(None) == 1


def test_a_damaged_file_counts_as_absent(compiled: Path, tmp_path: Path) -> None:
    kept = Path(shutil.copytree(compiled / "kept", tmp_path / "kept"))
    (path,) = kept.rglob("*.nbc")
    path.write_bytes(DAMAGES["one byte"](path.read_bytes()))
    process = ran(compiled, FITTED, kept=kept, stderr=subprocess.PIPE)
    answer, said = process.communicate()
    assert (answer, process.returncode) == ("3\n3\n", 0), said
    assert said.startswith("splitcrit: compiling once, to be loaded from disk later: total ... ")
    assert said.count("\n") == 1 and said.endswith(" s\n")  # it is kept whole, and nothing is compiled again


def test_files_of_other_types_or_code_do_not_meet(
    files: dict[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes that compile at once keep what each has made: nothing is numbered, and there is no index."""
    assert len({path.name for path in tmp_path.rglob("*.nbc")}) == 2 == len(files)
    monkeypatch.setattr(compiling, "digest", lambda *_: "other")
    assert [loaded(result) for result in files.values()] == [None, None]


def test_where_no_folder_can_be_written_to_nothing_is_kept(compiled: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    process = ran(compiled, FITTED, kept=tmp_path / "file", stderr=subprocess.PIPE)
    answer, said = process.communicate()
    assert (answer, process.returncode, said.count("\n")) == ("3\n3\n", 0, 2), said
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


FOREIGN = """
from splitcrit.trees.growth import grow_compiled
import foreign
print(foreign.total.stats.cache_path)
print(type(foreign.total._cache._impl.locator).__name__)
print(*{loop.stats.cache_path for loop in vars(grow_compiled).values() if hasattr(loop, "py_func")} - {None})
"""


@pytest.mark.parametrize("chosen", ["", "UserWideCacheLocator,InTreeCacheLocator"])
def test_ours_are_kept_among_no_modules_and_those_of_others_by_numba_or_the_locators_that_the_user_chose(
    chosen: str, tmp_path: Path
) -> None:
    """What an uninstaller does not know stays, and a folder that stays is an empty package to Python."""
    (tmp_path / "foreign.py").write_text("import numba\n\n@numba.njit(cache=True)\ndef total(x):\n    return x + 1\n")
    given = {"PYTHONPATH": f"{tmp_path}{os.pathsep}{PACKAGE.parent}", "NUMBA_CACHE_DIR": "", "HOME": str(tmp_path)}
    caches = {"XDG_CACHE_HOME": str(tmp_path / "caches") if chosen else "", "LOCALAPPDATA": ""}
    env = {**os.environ, **given, **caches, "NUMBA_CACHE_LOCATOR_CLASSES": chosen}
    done = subprocess.run([sys.executable, "-c", FOREIGN], env=env, capture_output=True, text=True, check=True)
    folder, locator, ours = done.stdout.split()
    if chosen:
        assert locator == "UserWideCacheLocator" and Path(folder).parent == tmp_path / "caches" / "numba"
    else:
        assert (folder, locator) == (str(tmp_path / "__pycache__"), "InTreeCacheLocator")
        assert ours == str(tmp_path / ".cache" / "splitcrit")


# What only compiled code calls.


def test_what_only_compiled_code_calls_is_linked_into_its_callers_and_not_made_machine_code() -> None:
    part = called(lambda x: 1 // x, error_model="python")
    deeper = called(lambda x: part(x) + 1, error_model="python")
    whole = kernel(lambda x: deeper(x) + 1)
    alone = kernel(lambda x: x + 1)
    assert whole(1) == 3 and alone(1) == 2
    with pytest.raises(ZeroDivisionError):  # it crosses both of them
        whole(0)

    def address(made: Any) -> int:
        (found,) = made.overloads.values()
        return int(found.library.get_pointer_to_function(found.fndesc.llvm_func_name))

    assert [address(made) == 0 for made in (part, deeper, whole, alone)] == [True, True, False, False]


def test_python_runs_what_only_compiled_code_calls() -> None:
    for decorate in (called, addressed):
        asked = list[float]()

        def half(x: float, asked: list[float] = asked) -> float:
            asked.append(x)
            return x / 2

        assert decorate(half)(3.0) == 1.5 and asked == [3.0]
    part = called(lambda x: x / 2)
    assert numba.njit(lambda x: part(x) + 1)(3.0) == 2.5 and part(3.0) == 1.5


# The line on standard error.


def test_a_count_that_begins_at_nought_is_no_second_type() -> None:
    part = called(lambda x: x + 1)

    def count(n: int) -> int:
        found = 0
        for _ in range(n):
            found = part(found)
        return found + part(0)

    assert numba.njit(count)(3) == 4
    assert part.nopython_signatures == [numba.int64(numba.int64)]


def test_a_line_names_what_is_compiled(capfd: pytest.CaptureFixture[str]) -> None:
    inner = called(lambda x: x + 1)
    with reporting_compilation(), reporting_compilation():
        numba.njit(lambda x: inner(x) + 2)(1)
        kernel(lambda x: x)(1)
    said = capfd.readouterr().err
    assert said.startswith("splitcrit: compiling once, to be loaded from disk later: <lambda>, <lambda> ... ")
    assert said.count("\n") == 1 and said.endswith(" s\n")
    with reporting_compilation():
        pass
    numba.njit(lambda x: inner(x) + 3)(1)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("collecting", [False, True])
def test_garbage_waits_until_all_is_compiled(collecting: bool) -> None:
    before, seen = gc.isenabled(), list[bool]()
    inner = called(lambda x: x + 1)

    class Watch(event.Listener):  # type: ignore[misc]
        def on_start(self, _: object) -> None:
            seen.append(gc.isenabled())

        def on_end(self, _: object) -> None:
            pass

    (gc.enable if collecting else gc.disable)()
    try:
        with reporting_compilation(), event.install_listener("numba:compile", Watch()):
            numba.njit(lambda x: inner(x) + 2)(1)
            assert gc.isenabled() is collecting
            with pytest.raises(numba.TypingError):
                numba.njit(lambda x: inner(x) + "2")(1)
        assert gc.isenabled() is collecting and seen == [False] * len(seen) and len(seen) > 2
    finally:
        (gc.enable if before else gc.disable)()


def test_garbage_is_collected_again_after_a_block_that_ends_while_others_compile() -> None:
    assert gc.isenabled()
    data = {"dispatcher": numba.njit(lambda x: x)}
    with reporting_compilation():
        event.start_event("numba:compile", data=data)
        assert not gc.isenabled()
    event.end_event("numba:compile", data=data)
    assert gc.isenabled()
