"""Data sets that tests of estimators fit."""

from typing import Any

import pytest
from sklearn.datasets import load_breast_cancer, load_iris


@pytest.fixture(scope="session")
def iris() -> Any:
    return load_iris(return_X_y=True)


@pytest.fixture(scope="session")
def cancer() -> Any:
    return load_breast_cancer(return_X_y=True)
