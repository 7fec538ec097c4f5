"""Axes to draw on."""

from collections.abc import Iterator
from typing import Any

import matplotlib.pyplot as plt
import pytest


@pytest.fixture
def ax() -> Iterator[Any]:
    """The axes of a figure of their own."""
    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)
