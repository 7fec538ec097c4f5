"""The header, compiled once."""

import pytest

from c_library import Library, built


@pytest.fixture(scope="session")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return built(tmp_path_factory.mktemp("c"))
