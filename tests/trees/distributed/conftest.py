"""What tests of trees on Dask share: a test without a cluster of its own works in one thread."""

from collections.abc import Iterator

import dask
import pytest

CLUSTERS = {"workers", "cluster", "processes"}  # fixtures


@pytest.fixture(autouse=True)
def in_this_thread(request: pytest.FixtureRequest) -> Iterator[None]:
    with dask.config.set(scheduler=None if CLUSTERS & set(request.fixturenames) else "synchronous"):
        yield
