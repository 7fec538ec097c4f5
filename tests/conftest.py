"""Hypothesis profiles, the order of test files, and the folder of real data.

Profiles: `dev` (the default), `ci` (derandomised, chosen where the variable CI is set), `thorough`; the variable
HYPOTHESIS_PROFILE names one.

Files that take longest run first, so that no process ends long after the others. How many seconds of the processor
each took is kept in build/durations.json; before the first run, tests/durations.json names the longest.
"""

import gc
import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from durations import Durations, durations, longest_first
from libraries import NAMES, Library, named
from tiers import mark_slow

os.environ.setdefault("MPLBACKEND", "agg")  # pictures open no window
os.environ.setdefault("OMP_NUM_THREADS", "1")  # processes run side by side; threads of one would wait for each other
settings.register_profile("dev", max_examples=40, deadline=None)
settings.register_profile("ci", max_examples=40, deadline=None, derandomize=True, print_blob=True)
settings.register_profile("thorough", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))


def pytest_configure(config: pytest.Config) -> None:
    """Watch how long tests take."""
    config.pluginmanager.register(Durations(), "durations")


@pytest.hookimpl(tryfirst=True)  # before tests are left out by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow, and put the files that take longest first."""
    mark_slow(items)
    items[:] = longest_first(items, durations())


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let the collector of garbage pass over a million objects that are imported or collected and outlive all tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 10, 10)
        gc.enable()


@pytest.fixture(scope="session", params=NAMES)
def library(request: pytest.FixtureRequest) -> Library:
    """Every array library in turn; those that do not import are skipped."""
    return named(request.param)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder that SPLITCRIT_DATA names; a test that asks for it is skipped where there is none."""
    named = os.environ.get("SPLITCRIT_DATA")
    if not named:
        pytest.skip("needs real data; the variable SPLITCRIT_DATA is not set")
    if not Path(named).is_dir():
        pytest.skip(f"needs real data; SPLITCRIT_DATA names {named}, which is no folder")
    return Path(named)
