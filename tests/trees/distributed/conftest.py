"""What tests of trees on Dask share: a test without a cluster of its own works in one thread."""

from collections.abc import Iterator

import dask
import distributed
import pytest

from parts import few

CLUSTERS = {"cluster", "processes"}  # fixtures


@pytest.fixture(autouse=True)
def in_this_thread(request: pytest.FixtureRequest) -> Iterator[None]:
    with dask.config.set(scheduler=None if CLUSTERS & set(request.fixturenames) else "synchronous"):
        yield


@pytest.fixture(autouse=True)
def few_rows(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one worker finish nodes of as many rows as a module of tests says."""
    if hasattr(request.module, "FEW"):
        few(monkeypatch, request.module.FEW)


@pytest.fixture(scope="module")
def cluster() -> Iterator[distributed.Client]:
    """A cluster of two workers in this process."""
    options = {"threads_per_worker": 1, "processes": False, "dashboard_address": ":0", "protocol": "inproc"}
    with distributed.LocalCluster(n_workers=2, **options) as started, distributed.Client(started) as client:
        yield client
