"""What tests of trees on Dask share: a test without a cluster of its own works in one thread."""

from collections.abc import Iterator

import dask
import distributed
import pytest

from parts import few


@pytest.fixture(autouse=True)
def in_this_thread(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """And let one worker finish nodes of as many rows as a module of tests says."""
    if hasattr(request.module, "FEW"):
        few(monkeypatch, request.module.FEW)
    with dask.config.set(scheduler=None if {"cluster", "processes"} & {*request.fixturenames} else "synchronous"):
        yield


@pytest.fixture(scope="module")
def cluster() -> Iterator[distributed.Client]:
    """A cluster of two workers in this process."""
    options = {"threads_per_worker": 1, "processes": False, "dashboard_address": ":0", "protocol": "inproc"}
    with distributed.LocalCluster(n_workers=2, **options) as started, distributed.Client(started) as client:
        yield client
