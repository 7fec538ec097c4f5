"""Pickles of release 0.3 are read whatever module their classes are in today."""

from __future__ import annotations

import base64
import pickle
import subprocess
import sys
import zlib
from importlib import import_module
from pathlib import Path

import pytest

from splitcrit.former_modules import FORMER

FILE = Path(__file__).parent / "pickled_0_3_0.txt"  # criteria, trees and results, as release 0.3.0 pickled them


def test_what_release_0_3_pickled_is_read_in_a_new_process() -> None:
    code = (
        "import base64, pickle, sys, zlib\n"
        "for name, data in pickle.loads(zlib.decompress(base64.b85decode(sys.stdin.read()))).items():\n"
        "    print(name, type(pickle.loads(data)).__name__)"
    )
    text = FILE.read_text().replace("\n", "")
    done = subprocess.run([sys.executable, "-c", code], input=text, capture_output=True, text=True)
    names = pickle.loads(zlib.decompress(base64.b85decode(text)))
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(names), done.stderr


@pytest.mark.parametrize("name", sorted(FORMER))
def test_a_former_module_answers_with_its_new_home(name: str) -> None:
    home = import_module(f"splitcrit.{FORMER[name]}")
    known = next(iter(getattr(home, "__all__", ())), None) or next(
        n for n, v in vars(home).items() if isinstance(v, type)
    )
    assert getattr(import_module(f"splitcrit.{name}"), known) is getattr(home, known)


def test_other_modules_are_not_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        import_module("splitcrit.nulls.nothing")
