"""The header, compiled once."""

from __future__ import annotations

import pytest

from c_library import COMPILER, Library, built


@pytest.fixture(scope="session")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> Library:
    if COMPILER is None:
        pytest.skip("no C compiler is installed")
    return built(tmp_path_factory.mktemp("c"))
