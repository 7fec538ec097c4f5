"""Axes to draw on, and no figure that stays open."""

from collections.abc import Iterator
from typing import Any

import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Close what a test opens, and what others left open."""
    plt.close("all")
    yield
    plt.close("all")


@pytest.fixture
def ax() -> Any:
    """The axes of a figure of their own."""
    return plt.subplots()[1]
