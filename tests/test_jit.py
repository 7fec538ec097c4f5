"""The digest in the name of a cached kernel changes with all that the kernel reaches."""

from __future__ import annotations

import os
import pkgutil
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

import splitcrit

jit = pytest.importorskip("splitcrit.compiler")
digest = jit.digest

SOURCE = """
def first(x):
    return {a} * x

def second(x):
    return {b} * x + CONSTANT

def caller(x):
    return first(x) + second(x)
"""


def of(a: int = 2, b: int = 4, constant: object = 0) -> str:
    """The digest of a function that calls two others."""
    module = ModuleType("splitcrit.search.planted")
    module.__dict__["CONSTANT"] = constant
    exec(SOURCE.format(a=a, b=b), module.__dict__)
    caller = module.__dict__["caller"]
    assert isinstance(caller, FunctionType)
    return digest(caller)


def test_the_same_code_has_the_same_digest() -> None:
    assert of() == of()


def test_an_edit_of_a_callee_is_seen() -> None:
    assert len({of(), of(a=3), of(b=3), of(a=4, b=2)}) == 4  # the last exchanges the constants of two callees


@pytest.mark.parametrize("kind", [int, float, str, np.uint64, np.float32])
def test_an_edit_of_a_constant_is_seen(kind: type) -> None:
    assert of(constant=kind(1)) != of(constant=kind(2))
    assert of(constant=kind) != of(constant=complex)


def test_changed_options_are_seen() -> None:
    def planted(text: str, **names: object) -> Callable[..., object]:
        return eval(text, names | {"__name__": "splitcrit.planted"})  # type: ignore[no-any-return]

    parts = [jit.called(planted("lambda x: 1 / x"), error_model=model) for model in ("numpy", "python")]
    callers = [jit.kernel(planted("lambda x: part(x)", part=part)) for part in parts]
    assert len({digest(each) for each in [*parts, *callers]}) == 4


@pytest.mark.parametrize("name", ["NUMBA_OPT", "NUMBA_BOUNDSCHECK", "NUMBA_SLP_VECTORIZE"])
def test_changed_settings_are_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = of()
    monkeypatch.setattr(jit.CONFIG, name.removeprefix("NUMBA_"), 7)
    assert of() != before


@pytest.mark.parametrize("holder", ["numba.__version__", "numpy.__version__", "llvmlite.binding.llvm_version_info"])
def test_other_versions_are_seen(holder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = of()
    monkeypatch.setattr(holder, "0")
    assert of() != before


def test_the_digest_in_a_name_is_that_of_the_finished_module() -> None:
    found = 0
    for info in pkgutil.walk_packages(splitcrit.__path__, "splitcrit.", lambda name: None):
        if "_compiled" in info.name or ".search.scan_" in info.name or info.name == "splitcrit.search.column_loops":
            for value in vars(import_module(info.name)).values():
                function = getattr(value, "py_func", None)
                if function is not None and "-" in function.__qualname__:
                    assert function.__qualname__.rpartition("-")[2] == digest(value), function.__name__
                    found += 1
    assert found > 50


def test_what_numba_knows_by_name_or_type_is_part_of_every_digest() -> None:
    extends = [path for path in jit.PACKAGE.rglob("*.py") if "from numba.extending import" in path.read_text()]
    known = {path.relative_to(jit.PACKAGE).with_suffix("").as_posix() for path in extends}
    records = {path.relative_to(jit.PACKAGE).with_suffix("").as_posix() for path in jit.PACKAGE.rglob("*records.py")}
    assert set(jit.TOLD) == {"compiler"} | known | records


KEPT = """
import sys, time
import numpy as np
from splitcrit import compiler as jit
kind, *delays = sys.argv[1:]
def late(step, seconds):
    plain = getattr(jit.IndexDataCacheFile, step)
    def saved(*given):
        time.sleep(float(seconds))
        plain(*given)
    setattr(jit.IndexDataCacheFile, step, saved)
for step, seconds in zip(("_save_index", "_save_data"), delays):
    late(step, seconds)
import planted
print(planted.total(np.arange(3, dtype=kind)))
"""
PLANTED = """
from splitcrit.jit import kernel

@kernel
def total(x):
    found = x[0]
    for i in range(len(x)):
        found += x[i]
    return found
"""


def ran(folder: Path, code: str, *arguments: str, kept: Path | None = None, **options: Any) -> subprocess.Popen[str]:
    """A new process in a folder with modules that are planted there, and a cache in it."""
    path = os.pathsep.join([str(folder), str(jit.PACKAGE.parent)])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(kept or folder / "kept"), "PYTHONPATH": path}
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        **options,
    )


def test_two_processes_that_compile_at_once_keep_what_each_has_made(tmp_path: Path) -> None:
    (tmp_path / "planted.py").write_text(PLANTED)
    delays = {"int64": ("2", "0"), "float64": ("1", "4")}  # of the index and of what it names: the steps interlock
    for _ in range(2):
        both = [ran(tmp_path, KEPT, kind, *step) for kind, step in delays.items()]
        assert [process.communicate()[0] for process in both] == ["3\n", "3.0\n"]


CLONED = """
import numpy as np
from numba.core import event
from splitcrit.planted_caller import total
listener = event.RecordingListener()
with event.install_listener("numba:compile", listener):
    print(total(np.arange(1, 3)), len(listener.buffer))
"""
CALLEE = "from splitcrit.jit import called\n\n@called\ndef part(x):\n    return 2 * x\n"
CALLER = """from splitcrit.jit import kernel
from splitcrit.planted_callee import part

@kernel{options}
def total(x):
    return part(x[0]) + part(x[1])
"""


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package without the largest data."""
    left_out = shutil.ignore_patterns("__pycache__", "*.json", "proofs")
    return Path(shutil.copytree(jit.PACKAGE, tmp_path_factory.mktemp("copied") / "splitcrit", ignore=left_out))


def clone(copied: Path, folder: Path, callee: str = CALLEE, options: str = "") -> Path:
    """A copy of the package with a kernel and what it calls, in a folder of its own, written at a time of its own."""
    package = shutil.copytree(copied, folder / "splitcrit", copy_function=os.link)
    for name, text in (("callee", callee), ("caller", CALLER.format(options=options))):
        path = package / f"planted_{name}.py"
        path.write_text(text)
        os.utime(path, (len(str(folder)),) * 2)
    return folder


def test_a_clone_finds_what_another_one_compiled_unless_a_callee_or_an_option_is_edited(
    copied: Path, tmp_path: Path
) -> None:
    def answer(folder: Path) -> list[str]:
        return ran(folder, CLONED, kept=tmp_path / "kept").communicate()[0].split()

    assert answer(clone(copied, tmp_path / "first")) == ["6", "4"]  # two functions, the beginning and end of each
    kept = sorted((tmp_path / "kept").rglob("*"))
    assert answer(clone(copied, tmp_path / "elsewhere" / "second")) == ["6", "0"]
    assert sorted((tmp_path / "kept").rglob("*")) == kept
    assert answer(clone(copied, tmp_path / "edited", CALLEE.replace("2 * x", "5 * x"))) == ["15", "4"]
    assert answer(clone(copied, tmp_path / "optioned", options="(boundscheck=True)")) == ["6", "4"]


GROWTH = """
from splitcrit import compiler
from splitcrit.growth.grow_compiled import grow_whole
print(compiler.digest(grow_whole))
"""
OPERATIONS = {  # an edit of one operation for one source, and of what the loop calls itself
    "class_sources_compiled": ("rules.leaf)\n    totals", "rules.leaf + 1)\n    totals"),
    "response_sources_compiled": ("width = TIE *", "width = 2 * TIE *"),
    "cell_sources_compiled": ("2 * on_left <= len(here)", "3 * on_left <= len(here)"),
    "nodes_compiled": ("side = LEFT if links", "side = 1 * LEFT if links"),
}


def test_an_edit_of_an_operation_for_one_source_is_seen_by_the_loop(copied: Path, tmp_path: Path) -> None:
    """The loop calls stubs, whose code is chosen by the type of the source as it is compiled."""
    found = {}
    for name, (old, new) in OPERATIONS.items():
        folder = clone(copied, tmp_path / name)
        path = folder / "splitcrit" / "growth" / f"{name}.py"
        text = path.read_text()
        assert text.count(old) == 1, name
        path.unlink()  # it is a link
        path.write_text(text.replace(old, new))
        found[name] = ran(folder, GROWTH).communicate()[0]
    assert len(set(found.values())) == 4 and all(found.values())
    folder, given = clone(copied, tmp_path / "exchanged"), "@score.of(SortedSource)"
    path = folder / "splitcrit" / "growth" / "class_sources_compiled.py"
    text = path.read_text().replace(given, "@score.of(RandomSource)", 1)
    last = text.rindex("@score.of(RandomSource)")
    path.unlink()
    path.write_text(text[:last] + given + text[last + len("@score.of(RandomSource)") :])
    assert ran(folder, GROWTH).communicate()[0] not in {"", *found.values()}


FITTED = """
import numpy as np
from splitcrit.compile_notice import reporting_compilation
import planted
with reporting_compilation():
    print(planted.total(np.arange(3)))
"""
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda held: b"",
    "truncated": lambda held: held[: len(held) // 2],
    "one byte": lambda held: held[:-9] + bytes([held[-9] ^ 1]) + held[-8:],
}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the planted module and what was compiled of it."""
    folder = tmp_path_factory.mktemp("planted")
    (folder / "planted.py").write_text(PLANTED)
    assert ran(folder, FITTED).communicate()[0] == "3\n"
    return folder


FAST = ("nbi", "truncated"), ("nbc", "one byte")
DAMAGED = [
    pytest.param(suffix, name, marks=[pytest.mark.slow] * ((suffix, name) not in FAST))
    for suffix in ("nbi", "nbc")
    for name in DAMAGES
]


@pytest.mark.parametrize(("suffix", "name"), DAMAGED)
def test_a_damaged_file_counts_as_absent_and_one_line_says_so(
    suffix: str, name: str, compiled: Path, tmp_path: Path
) -> None:
    kept = shutil.copytree(compiled / "kept", tmp_path / "kept")
    (path,) = kept.rglob(f"*.{suffix}")
    path.write_bytes(DAMAGES[name](path.read_bytes()))
    process = ran(compiled, FITTED, kept=kept, stderr=subprocess.PIPE)
    answer, said = process.communicate()
    assert (answer, process.returncode) == ("3\n", 0), said
    assert said.count("\n") == 1 and said.endswith(f" s; damaged files made again: 1 in {path.parent}\n"), said
    again = ran(compiled, FITTED, kept=kept, stderr=subprocess.PIPE).communicate()
    assert again == ("3\n", "")  # it was kept whole, and nothing is compiled


def test_nothing_is_kept_among_the_modules(tmp_path: Path) -> None:
    """What an uninstaller does not know stays, and a folder that stays is an empty package to Python."""
    code = (
        "from splitcrit import jit\nfrom splitcrit.growth import grow_compiled as loops\n"
        "print(*{jit.kept(loop).parent for loop in vars(loops).values() if jit.kept(loop)}, sep='\\n')"
    )
    held = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", code], env=held | home, capture_output=True, text=True, check=True)
    folders = ran.stdout.split("\n")[:-1]
    assert folders and all(Path(folder).is_relative_to(tmp_path) for folder in folders)


def test_where_no_folder_can_be_written_to_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(jit, "Cache", refused)
    made = jit.kernel(lambda x: x + 1)
    assert made(1) == 2 and made.stats.cache_path is None


def test_python_runs_what_only_compiled_code_calls() -> None:
    numba = pytest.importorskip("numba")
    asked = []

    def half(x: float) -> float:
        asked.append(x)
        return x / 2

    called = jit.called(lambda x: x / 2)
    within = numba.njit(lambda x: called(x) + 1)
    assert within(3.0) == 2.5 and called(3.0) == 1.5  # what is compiled of it, Python has no way into
    assert jit.called(half)(3) == 1.5 and asked == [3]


def test_what_only_compiled_code_calls_is_linked_into_its_callers_and_not_made_machine_code() -> None:
    part = jit.called(lambda x: 1 // x, error_model="python")
    deeper = jit.called(lambda x: part(x) + 1, error_model="python")
    whole = jit.kernel(lambda x: deeper(x) + 1)
    alone = jit.kernel(lambda x: x + 1)
    assert whole(1) == 3 and alone(1) == 2
    with pytest.raises(ZeroDivisionError):  # it crosses both of them
        whole(0)

    def address(made: object) -> int:
        (found,) = made.overloads.values()  # type: ignore[attr-defined]
        return int(found.library.get_pointer_to_function(found.fndesc.llvm_func_name))

    assert [address(made) == 0 for made in (part, deeper, whole, alone)] == [True, True, False, False]


def test_what_is_called_by_its_address_python_runs_itself() -> None:
    asked = []

    def doubled(x: float) -> float:
        asked.append(x)
        return 2 * x

    assert jit.addressed(doubled)(2.0) == 4.0 and asked == [2.0]
