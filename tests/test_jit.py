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

jit = pytest.importorskip("splitcrit.jit")
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


def test_the_digest_in_a_name_is_that_of_the_finished_module() -> None:
    found = 0
    for info in pkgutil.walk_packages(splitcrit.__path__, "splitcrit.", lambda name: None):
        if info.name.endswith("_compiled") or info.name == "splitcrit.search.compiled":
            for value in vars(import_module(info.name)).values():
                function = getattr(value, "py_func", None)
                if function is not None and "-" in function.__qualname__:
                    assert function.__qualname__.rpartition("-")[2] == digest(function), function.__name__
                    found += 1
    assert found > 50


def test_what_numba_knows_by_name_or_type_is_part_of_every_digest() -> None:
    extends = [path for path in jit.PACKAGE.rglob("*.py") if "numba.extending import intrinsic" in path.read_text()]
    known = {path.relative_to(jit.PACKAGE).with_suffix("").as_posix() for path in extends}
    records = {path.relative_to(jit.PACKAGE).with_suffix("").as_posix() for path in jit.PACKAGE.rglob("*records.py")}
    assert set(jit.TOLD) == known | records


KEPT = """
import sys, time
import numpy as np
from splitcrit import jit
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
    """A new process with the planted module, and a cache in the folder."""
    path = os.pathsep.join([str(folder), str(jit.PACKAGE.parent)])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(kept or folder / "kept"), "PYTHONPATH": path}
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], env=environment, stdout=subprocess.PIPE, text=True, **options
    )


def test_two_processes_that_compile_at_once_keep_what_each_has_made(tmp_path: Path) -> None:
    (tmp_path / "planted.py").write_text(PLANTED)
    delays = {"int64": ("2", "0"), "float64": ("1", "4")}  # of the index and of what it names: the steps interlock
    for _ in range(2):
        both = [ran(tmp_path, KEPT, kind, *step) for kind, step in delays.items()]
        assert [process.communicate()[0] for process in both] == ["3\n", "3.0\n"]


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


def test_a_damaged_file_counts_as_absent_and_one_line_says_so(tmp_path: Path) -> None:
    (tmp_path / "planted.py").write_text(PLANTED)
    assert ran(tmp_path, FITTED).communicate()[0] == "3\n"
    running = {}
    for suffix in ("nbi", "nbc"):
        for name, damage in DAMAGES.items():
            kept = shutil.copytree(tmp_path / "kept", tmp_path / f"{suffix} {name}")
            (path,) = kept.rglob(f"*.{suffix}")
            path.write_bytes(damage(path.read_bytes()))
            running[path] = ran(tmp_path, FITTED, kept=kept, stderr=subprocess.PIPE)
    for path, process in running.items():
        answer, said = process.communicate()
        assert (answer, process.returncode) == ("3\n", 0), said
        assert said.count("\n") == 1 and said.endswith(f" s; damaged files made again: 1 in {path.parent}\n"), said
        again = ran(tmp_path, FITTED, kept=path.parents[1], stderr=subprocess.PIPE).communicate()
        assert again == ("3\n", "")  # it was kept whole, and nothing is compiled


def test_where_no_folder_can_be_written_to_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr("numba.core.dispatcher.FunctionCache", refused)
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
