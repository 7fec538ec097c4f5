"""What runs where a GPU is, with a stand-in for it: an array library on the processor that says it has one."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import array_api_strict as strict
import numpy as np
import pytest

from scripts import script


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The script, and that of arrays, with a small copy and a page of their own."""
    gpu, arrays = script("gpu"), sys.modules["arrays"]
    monkeypatch.setattr(arrays, "COPIED", 2**10)
    monkeypatch.setattr(gpu, "RESULTS", tmp_path / "gpu.md")
    monkeypatch.setattr(sys, "argv", ["gpu.py", "50"])
    return SimpleNamespace(gpu=gpu, arrays=arrays, page=tmp_path / "gpu.md")


def host(scripts: Any) -> Any:
    return scripts.arrays.Device("numpy", "CPU", np.asarray, np.copyto, lambda x: x, None, False)


def device(scripts: Any, waited: list[Any], gpu: bool = True) -> Any:
    """A stand-in whose arrays numpy refuses to take for its own."""
    return scripts.arrays.Device(
        "array_api_strict", "a stand-in", strict.asarray, lambda to, x: x + 0, waited.append, None, gpu
    )


def test_the_page_has_the_tests_and_the_times_of_each_device(scripts: Any, monkeypatch: Any) -> None:
    calls, waited = list[Any](), list[Any]()
    done = SimpleNamespace(returncode=0, stdout="...\n== 25 passed, 3 skipped in 1.2s ==\n", stderr="")
    monkeypatch.setattr(scripts.gpu.subprocess, "run", lambda command, **o: calls.append(command) or done)
    assert scripts.gpu.main([host(scripts), device(scripts, waited)]) == 0
    (command,) = calls
    assert command[command.index("-k") + 1] == "array_api_strict" and "tests/arith/test_arrays.py" in command
    assert waited and all(not isinstance(x, np.ndarray) for x in waited)  # the device was waited for, on its own arrays
    page = scripts.page.read_text()
    assert "- array_api_strict: 25 passed, 3 skipped in 1.2s" in page
    for library, words in (("numpy", "CPU"), ("array_api_strict", "a stand-in")):
        for what in ("twoing", "decrease(gini)", "sgini"):
            assert f"| {library} | {words} | {what} | 50 |" in page


def test_without_a_gpu_one_sentence_is_said_and_nothing_written(scripts: Any, capsys: Any) -> None:
    assert scripts.gpu.main([host(scripts), device(scripts, [], gpu=False)]) == 3 == scripts.gpu.main([host(scripts)])
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err == 2 * f"{scripts.gpu.NONE}\n" and scripts.gpu.NONE.count("; ") == 2
    assert not scripts.page.exists()
