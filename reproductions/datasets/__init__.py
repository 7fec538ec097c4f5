"""Data sets for experiments: folders of CSV files with a manifest, OpenML, and the generators of the papers.

Main definitions: ``Dataset``, ``load``, ``names``, ``fetch``; ``checkerboard``, ``uniform_halves``, ``uniform_window``.
"""

import warnings

from .folder import Dataset, load, names
from .openml import fetch
from .synthetic import checkerboard, uniform_halves, uniform_window

__all__ = ["Dataset", "checkerboard", "fetch", "load", "names", "uniform_halves", "uniform_window"]

if __name__ == "splitcrit.datasets":
    warnings.warn(
        "splitcrit.datasets leaves the package with version 0.5; a checkout has it as reproductions.datasets",
        DeprecationWarning,
        stacklevel=2,
    )
