"""Data sets for experiments: folders of CSV files with a manifest, OpenML, and the generators of the papers.

Main definitions: ``Dataset``, ``load``, ``names``, ``fetch``; ``checkerboard``, ``uniform_halves``, ``uniform_window``.
"""

from .folder import Dataset, load, names
from .openml import fetch
from .synthetic import checkerboard, uniform_halves, uniform_window

__all__ = ["Dataset", "checkerboard", "fetch", "load", "names", "uniform_halves", "uniform_window"]
