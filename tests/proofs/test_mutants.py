"""Mutants: the theorems notice when the library is wrong, in any one of the spots of corruptions.toml."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from mutants import Corruption, corruptions, survey, unsettled
from splitcrit.proofs import catalogue
from splitcrit.proofs.sources import read_by

FORMULAS, INFERENCE, FLOATS = (corruptions(part) for part in ("formulas", "inference", "floats"))
KEYS = tuple(dict.fromkeys(key for corruption in FORMULAS + INFERENCE for key in corruption.killers))


def test_the_killers_are_theorems_all_of_those_of_inference_among_them() -> None:
    assert set(KEYS) <= set(catalogue.collect())
    assert {key for key in catalogue.collect() if key.startswith("inference.")} <= set(KEYS)


@pytest.mark.slow  # the ledger settles them, too
def test_the_killers_stand_while_nothing_is_corrupted() -> None:
    assert unsettled(KEYS) == []


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
